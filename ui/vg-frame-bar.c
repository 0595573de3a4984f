/* SPDX-License-Identifier: MIT */
#include "vg-frame-bar.h"
#include <math.h>
#include "vg-widgets.h"

enum { MAX_FPS = 10000 };

struct _VgFrameBar
{
  GtkWidget parent_instance;
  VgSession *session;
  GtkWidget *box, *live, *play, *slider, *position, *fps, *loop, *live_time;
  gint64 frames, frame;
  gboolean syncing;
};

enum { SEEK, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (VgFrameBar, vg_frame_bar, GTK_TYPE_WIDGET)

static void
on_slider (VgFrameBar *self)
{
  gint64 frame = (gint64) gtk_range_get_value (GTK_RANGE (self->slider)) - 1;

  if (!self->syncing && frame != self->frame)
    {
      self->frame = frame;
      g_signal_emit (self, signals[SEEK], 0, frame);
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
  gint64 frame = CLAMP (self->frame + frames, 0, MAX (self->frames - 1, 0));

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

void
vg_frame_bar_set_playing (VgFrameBar *self, gboolean playing)
{
  gtk_button_set_icon_name (GTK_BUTTON (self->play), playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
}

GtkWidget *
vg_frame_bar_get_live (VgFrameBar *self)
{
  return self->live;
}

gint64
vg_frame_bar_get_frame (VgFrameBar *self)
{
  return self->frame;
}

void
vg_frame_bar_set_info (VgFrameBar *self, const VgImageInfo *info)
{
  g_return_if_fail (VG_IS_FRAME_BAR (self));
  self->frames = info ? info->frames : 0;
  self->frame = 0;
  gtk_widget_set_visible (GTK_WIDGET (self), self->frames > 1);
  gtk_widget_set_visible (self->live, self->frames < 0);
  self->syncing = TRUE;
  gtk_range_set_range (GTK_RANGE (self->slider), 1, (double) MAX (self->frames, 2));
  self->syncing = FALSE;
  vg_frame_bar_set_frame (self, 0, 0);
}

void
vg_frame_bar_set_frame (VgFrameBar *self, gint64 frame, double time_s)
{
  g_autofree char *text = NULL;
  int minutes = isfinite (time_s) && time_s > 0 && time_s < 1e8 ? (int) (time_s / 60) : 0;

  if (self->frames < 0)
    {
      text = g_strdup_printf ("%02d:%04.1f", minutes, MAX (time_s - 60.0 * minutes, 0));
      gtk_label_set_text (GTK_LABEL (self->live_time), text);
      return;
    }
  self->frame = frame;
  self->syncing = TRUE;
  gtk_range_set_value (GTK_RANGE (self->slider), (double) frame + 1);
  self->syncing = FALSE;
  text = g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, frame + 1, self->frames);
  gtk_label_set_text (GTK_LABEL (self->position), text);
}

static GtkWidget *
playback_new (VgFrameBar *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *back = vg_icon_button_new ("media-skip-backward-symbolic", "One frame back");
  GtkWidget *forward = vg_icon_button_new ("media-skip-forward-symbolic", "One frame forward");

  self->play = vg_icon_button_new ("media-playback-start-symbolic", "Play or pause");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->play), "win.play-pause");
  g_signal_connect_swapped (back, "clicked", G_CALLBACK (on_back), self);
  g_signal_connect_swapped (forward, "clicked", G_CALLBACK (on_forward), self);
  self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 1, 2, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_range_set_increments (GTK_RANGE (self->slider), 1, 10);
  gtk_widget_set_hexpand (self->slider, TRUE);
  vg_widget_describe (self->slider, "Frame", NULL);
  self->position = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->position, "numeric");
  gtk_label_set_width_chars (GTK_LABEL (self->position), 10);
  self->fps = vg_number_entry_new (0, MAX_FPS, 1, FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->fps), 4);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->fps), 5);
  gtk_widget_add_css_class (self->fps, "vg-narrow");
  vg_widget_describe (self->fps, "Playback speed, frames/s", "Frames per second; 0 is as fast as possible");
  self->loop = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->loop), "media-playlist-repeat-symbolic");
  gtk_widget_add_css_class (self->loop, "flat");
  vg_widget_describe (self->loop, "Repeat", "Start again at the end");
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (on_slider), self);
  g_signal_connect_swapped (self->fps, "value-changed", G_CALLBACK (on_playback), self);
  g_signal_connect_swapped (self->loop, "toggled", G_CALLBACK (on_playback), self);
  gtk_box_append (GTK_BOX (page), back);
  gtk_box_append (GTK_BOX (page), self->play);
  gtk_box_append (GTK_BOX (page), forward);
  gtk_box_append (GTK_BOX (page), self->slider);
  gtk_box_append (GTK_BOX (page), self->position);
  gtk_box_append (GTK_BOX (page), self->fps);
  gtk_box_append (GTK_BOX (page), vg_label_new ("frames/s", "dim-label"));
  gtk_box_append (GTK_BOX (page), self->loop);
  return page;
}

static GtkWidget *
live_new (VgFrameBar *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *dot = gtk_image_new_from_icon_name ("media-record-symbolic");

  gtk_widget_add_css_class (dot, "vg-live");
  self->live_time = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->live_time, "numeric");
  gtk_box_append (GTK_BOX (page), dot);
  gtk_box_append (GTK_BOX (page), vg_label_new ("Live", "heading"));
  gtk_box_append (GTK_BOX (page), self->live_time);
  gtk_widget_set_valign (page, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_start (page, 8);
  return page;
}

static void
vg_frame_bar_dispose (GObject *object)
{
  VgFrameBar *self = VG_FRAME_BAR (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->live);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (vg_frame_bar_parent_class)->dispose (object);
}

static void
vg_frame_bar_class_init (VgFrameBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_frame_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  signals[SEEK] = g_signal_new ("seek", VG_TYPE_FRAME_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
vg_frame_bar_init (VgFrameBar *self)
{
  self->box = playback_new (self);
  self->live = g_object_ref_sink (live_new (self));
  gtk_widget_add_css_class (self->box, "vg-bar");
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
vg_frame_bar_new (VgSession *session)
{
  VgFrameBar *self = g_object_new (VG_TYPE_FRAME_BAR, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  follow (self);
  vg_frame_bar_set_info (self, NULL);
  return GTK_WIDGET (self);
}
