/* SPDX-License-Identifier: MIT */
#include "ui/words/vg-translation.h"
#include "ui/bars/vg-frame-bar.h"
#include "ui/bars/vg-mark-ticks.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

enum { MAX_FPS = 10000, AGO_CHARS = 8, SLIDER_PX = 72 };

struct _VgFrameBar
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *box, *live, *play, *slider, *position, *time, *fps, *loop, *live_time, *live_dot,
      *live_label;
  gint64 frames, frame; /* of a data set -1: the mean */
  gboolean has_times;   /* the recording has, so that the time of its frame is known */
  double time_s;
  gboolean syncing;
  guint ticking; /* plays the time points of a data set */
};

G_DEFINE_FINAL_TYPE (VgFrameBar, vg_frame_bar, VG_TYPE_BIN)

/* An operation that takes all frames at once: the bar chooses which of them
 * lies under the map, and no work begins. */
static gboolean
is_dataset (VgFrameBar *self)
{
  return self->session != NULL &&
         vg_session_get_operation (self->session)->input.kind == VG_INPUT_DATASET;
}

/* TIME_S as a clock shows it; owned. */
static char *
format_clock (double time_s)
{
  int minutes = isfinite (time_s) && time_s > 0 && time_s < 1e8 ? (int) (time_s / 60) : 0;

  return g_strdup_printf ("%02d:%04.1f", minutes, MAX (time_s - 60.0 * minutes, 0));
}

static void
show_position (VgFrameBar *self)
{
  g_autofree char *text = self->frame < 0
                              ? g_strdup_printf (_ ("Mean of %ld"), (long) self->frames)
                              : g_strdup_printf (_ ("%ld of %ld"), (long) self->frame + 1,
                                                 (long) self->frames),
                  *time = self->has_times ? format_clock (self->time_s) : NULL;

  gtk_widget_set_visible (self->time, time != NULL);
  if (time != NULL)
    gtk_label_set_text (GTK_LABEL (self->time), time);
  self->syncing = TRUE;
  gtk_range_set_value (GTK_RANGE (self->slider), (double) self->frame + 1);
  self->syncing = FALSE;
  gtk_label_set_text (GTK_LABEL (self->position), text);
}

/* Of a data set; an input that is hidden is shown. */
static void
choose_underlay (VgFrameBar *self, gint64 frame)
{
  VgDisplay display = *vg_session_get_display (self->session);
  VgView view = *vg_session_get_view (self->session);

  view.underlay_frame = (int) frame + 1;
  vg_session_set_view (self->session, &view);
  if (display.underlay)
    return;
  display.underlay = TRUE;
  vg_session_set_display (self->session, &display);
  vg_session_commit_later (self->session, _ ("Overlay"));
}

static void
on_slider (VgFrameBar *self)
{
  gint64 frame = (gint64) gtk_range_get_value (GTK_RANGE (self->slider)) - 1;

  if (self->syncing || frame == self->frame)
    return;
  if (is_dataset (self))
    choose_underlay (self, frame);
  else
    {
      self->frame = frame;
      g_signal_emit_by_name (self, "seek", frame);
    }
}

static void
on_playback (VgFrameBar *self)
{
  VgView view = *vg_session_get_view (self->session);

  if (self->syncing)
    return;
  view.playback_fps = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->fps));
  view.loop = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->loop));
  vg_session_set_view (self->session, &view);
}

static void
follow (VgFrameBar *self)
{
  const VgView *view = vg_session_get_view (self->session);

  self->syncing = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->fps), view->playback_fps);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->loop), view->loop);
  self->syncing = FALSE;
  if (!is_dataset (self) || self->frames <= 0)
    return;
  self->frame = CLAMP (view->underlay_frame, 0, self->frames) - 1;
  show_position (self);
}

static void
on_changed (VgFrameBar *self, guint flags)
{
  if (flags & (VG_CHANGED_VIEW | VG_CHANGED_OPERATION))
    follow (self);
}

void
vg_frame_bar_step (VgFrameBar *self, gint64 frames)
{
  gint64 frame = CLAMP (self->frame + frames, is_dataset (self) ? -1 : 0,
                        MAX (self->frames - 1, 0));

  if (self->frames > 0 && frame != self->frame)
    gtk_range_set_value (GTK_RANGE (self->slider), (double) frame + 1);
}

static void
on_back (VgFrameBar *self)
{
  vg_frame_bar_step (self, -1);
}

static void
on_forward (VgFrameBar *self)
{
  vg_frame_bar_step (self, 1);
}

static void
show_playing (VgFrameBar *self, gboolean playing)
{
  gtk_button_set_icon_name (GTK_BUTTON (self->play), playing ? "media-playback-pause-symbolic"
                                                             : "media-playback-start-symbolic");
}

static void
stop_ticking (VgFrameBar *self)
{
  g_clear_handle_id (&self->ticking, g_source_remove);
  show_playing (self, FALSE);
}

static gboolean
on_tick (gpointer data)
{
  VgFrameBar *self = data;
  gboolean last = self->frame + 1 >= self->frames;

  if (!is_dataset (self) || (last && !vg_session_get_view (self->session)->loop))
    {
      self->ticking = 0;
      show_playing (self, FALSE);
      return G_SOURCE_REMOVE;
    }
  gtk_range_set_value (GTK_RANGE (self->slider), last ? 1 : (double) self->frame + 2);
  return G_SOURCE_CONTINUE;
}

/* From the start again after the last; as fast as possible is as fast as a screen shows. */
static void
on_play (VgFrameBar *self)
{
  double fps = vg_session_get_view (self->session)->playback_fps;

  if (self->ticking > 0)
    {
      stop_ticking (self);
      return;
    }
  if (self->frame + 1 >= self->frames)
    gtk_range_set_value (GTK_RANGE (self->slider), 1);
  self->ticking = g_timeout_add ((guint) (1000 / (fps > 0 ? CLAMP (fps, 0.1, 60) : 60)), on_tick,
                                 self);
  show_playing (self, TRUE);
}

void
vg_frame_bar_set_moment (VgFrameBar *self, const char *moment, gboolean is_live)
{
  gtk_widget_set_opacity (self->live_dot, is_live ? 1 : 0); /* it keeps its place */
  if (!g_str_equal (gtk_label_get_text (GTK_LABEL (self->live_label)), moment))
    gtk_label_set_text (GTK_LABEL (self->live_label), moment);
}

GtkWidget *
vg_frame_bar_get_live (VgFrameBar *self)
{
  return self->live;
}

void
vg_frame_bar_set_info (VgFrameBar *self, const VgImageInfo *info)
{
  self->frames = info ? info->frames : 0;
  self->frame = 0;
  self->has_times = self->frames > 1 && info->frame_interval_s > 0 && !is_dataset (self);
  gtk_widget_set_visible (GTK_WIDGET (self), self->frames > 1);
  gtk_widget_set_visible (self->live, self->frames < 0);
  gtk_widget_set_visible (self->play, is_dataset (self)); /* Run plays a stream */
  stop_ticking (self);
  self->syncing = TRUE;
  gtk_range_set_range (GTK_RANGE (self->slider), is_dataset (self) ? 0 : 1,
                       (double) MAX (self->frames, 2));
  self->syncing = FALSE;
  vg_frame_bar_set_frame (self, 0, 0);
  follow (self);
}

void
vg_frame_bar_set_frame (VgFrameBar *self, gint64 frame, double time_s)
{
  if (self->frames < 0)
    {
      g_autofree char *text = format_clock (time_s);

      gtk_label_set_text (GTK_LABEL (self->live_time), text);
      return;
    }
  if (is_dataset (self))
    return;
  self->frame = frame;
  self->time_s = time_s;
  show_position (self);
}

void
vg_frame_bar_set_marks (VgFrameBar *self, const GArray *marks)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    vg_mark_ticks_set (self->slider, marks);
}

static GtkWidget *
playback_new (VgFrameBar *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *place = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0); /* leaves the slider its width */
  GtkWidget *back = vg_icon_button_new ("media-skip-backward-symbolic", _ ("One frame back"));
  GtkWidget *forward = vg_icon_button_new ("media-skip-forward-symbolic", _ ("One frame forward"));

  self->play = vg_icon_button_new ("media-playback-start-symbolic", _ ("Play or pause"));
  g_signal_connect_swapped (self->play, "clicked", G_CALLBACK (on_play), self);
  g_signal_connect_swapped (back, "clicked", G_CALLBACK (on_back), self);
  g_signal_connect_swapped (forward, "clicked", G_CALLBACK (on_forward), self);
  self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 1, 2, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_range_set_increments (GTK_RANGE (self->slider), 1, 10);
  gtk_widget_set_hexpand (self->slider, TRUE);
  gtk_widget_set_size_request (self->slider, SLIDER_PX, -1);
  vg_widget_describe (self->slider, _ ("Frame"), NULL);
  self->position = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->position, "numeric");
  gtk_label_set_width_chars (GTK_LABEL (self->position), 10);
  self->time = vg_label_new (NULL, "numeric");
  gtk_label_set_xalign (GTK_LABEL (self->time), 0.5);
  gtk_widget_set_valign (place, GTK_ALIGN_CENTER);
  self->fps = vg_number_entry_new (0, MAX_FPS, 1, FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->fps), 4);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->fps), 5);
  gtk_widget_add_css_class (self->fps, "vg-narrow");
  vg_widget_describe (self->fps, _ ("Playback speed, frames/s"),
                      _ ("Frames per second; 0 is as fast as possible"));
  self->loop = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->loop), "media-playlist-repeat-symbolic");
  gtk_widget_add_css_class (self->loop, "flat");
  vg_widget_describe (self->loop, _ ("Repeat"), _ ("Start again at the end"));
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (on_slider), self);
  g_signal_connect_swapped (self->fps, "value-changed", G_CALLBACK (on_playback), self);
  g_signal_connect_swapped (self->loop, "toggled", G_CALLBACK (on_playback), self);
  gtk_box_append (GTK_BOX (page), back);
  gtk_box_append (GTK_BOX (page), self->play);
  gtk_box_append (GTK_BOX (page), forward);
  gtk_box_append (GTK_BOX (page), self->slider);
  gtk_box_append (GTK_BOX (place), self->time);
  gtk_box_append (GTK_BOX (place), self->position);
  gtk_box_append (GTK_BOX (page), place);
  gtk_box_append (GTK_BOX (page), self->fps);
  gtk_box_append (GTK_BOX (page), vg_label_new (_ ("fps"), "dim-label"));
  gtk_box_append (GTK_BOX (page), self->loop);
  return page;
}

static GtkWidget *
live_new (VgFrameBar *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->live_dot = gtk_image_new_from_icon_name ("media-record-symbolic");
  self->live_label = vg_label_new (_ ("Live"), "heading");
  gtk_widget_add_css_class (self->live_dot, "vg-live");
  gtk_label_set_width_chars (GTK_LABEL (self->live_label), AGO_CHARS);
  gtk_label_set_xalign (GTK_LABEL (self->live_label), 0);
  /* "Last frame 12 s ago" is longer, and must not be cut */
  gtk_label_set_ellipsize (GTK_LABEL (self->live_label), PANGO_ELLIPSIZE_NONE);
  self->live_time = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->live_time, "numeric");
  gtk_box_append (GTK_BOX (page), self->live_dot);
  gtk_box_append (GTK_BOX (page), self->live_label);
  gtk_box_append (GTK_BOX (page), self->live_time);
  gtk_widget_set_valign (page, GTK_ALIGN_CENTER);
  return page;
}

static void
vg_frame_bar_dispose (GObject *object)
{
  VgFrameBar *self = VG_FRAME_BAR (object);

  g_clear_handle_id (&self->ticking, g_source_remove);
  g_clear_object (&self->live);
  G_OBJECT_CLASS (vg_frame_bar_parent_class)->dispose (object);
}

static void
vg_frame_bar_class_init (VgFrameBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_frame_bar_dispose;
  vg_signal_new (VG_TYPE_FRAME_BAR, "seek", 1, G_TYPE_INT64);
}

static void
vg_frame_bar_init (VgFrameBar *self)
{
  self->box = playback_new (self);
  self->live = g_object_ref_sink (live_new (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
vg_frame_bar_new (VgSession *session)
{
  VgFrameBar *self = g_object_new (VG_TYPE_FRAME_BAR, NULL);

  self->session = vg_hold (self, session);
  vg_connect (session, "changed", on_changed, self);
  follow (self);
  vg_frame_bar_set_info (self, NULL);
  return GTK_WIDGET (self);
}
