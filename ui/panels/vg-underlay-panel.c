/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-underlay-panel.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"
#include "ui/volume/vg-level-panel.h"

struct _VgUnderlayPanel
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *box, *shown, *opacity_line, *opacity, *frame_line, *frame, *corrected, *level;
  gint64 n_frames;
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgUnderlayPanel, vg_underlay_panel, VG_TYPE_BIN)

static void
follow (VgUnderlayPanel *self)
{
  const VgDisplay *display = vg_session_get_display (self->session);

  self->syncing = TRUE;
  gtk_switch_set_active (GTK_SWITCH (self->shown), display->underlay);
  gtk_range_set_value (GTK_RANGE (self->opacity), round (100 * display->opacity));
  gtk_range_set_value (GTK_RANGE (self->frame),
                       vg_session_get_view (self->session)->underlay_frame);
  gtk_widget_set_visible (self->opacity_line, display->underlay);
  gtk_widget_set_visible (self->frame_line, display->underlay && self->n_frames > 1);
  self->syncing = FALSE;
}

static void
on_display (VgUnderlayPanel *self)
{
  VgDisplay display = *vg_session_get_display (self->session);

  if (self->syncing)
    return;
  display.underlay = gtk_switch_get_active (GTK_SWITCH (self->shown));
  display.opacity = round (gtk_range_get_value (GTK_RANGE (self->opacity))) / 100;
  vg_session_set_display (self->session, &display);
  vg_session_commit_later (self->session, _ ("Overlay"));
}

static void
on_frame (VgUnderlayPanel *self)
{
  VgView view = *vg_session_get_view (self->session);

  if (self->syncing)
    return;
  view.underlay_frame = (int) gtk_range_get_value (GTK_RANGE (self->frame));
  vg_session_set_view (self->session, &view);
}

static void
on_changed (VgUnderlayPanel *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_VIEW))
    follow (self);
}

void
vg_underlay_panel_set_result (VgUnderlayPanel *self, const VgResult *result)
{
  gint64 n_frames = result ? result->underlay_frames : 0;

  gtk_widget_set_visible (GTK_WIDGET (self), n_frames > 0);
  gtk_widget_set_visible (self->corrected,
                          result != NULL && result->underlay_corrected && result->underlay != NULL);
  vg_level_panel_set_underlay (VG_LEVEL_PANEL (self->level),
                               result != NULL ? result->underlay : NULL);
  if (n_frames == self->n_frames || n_frames == 0)
    return;
  self->n_frames = n_frames;
  self->syncing = TRUE;
  gtk_range_set_range (GTK_RANGE (self->frame), 0, (double) MAX (n_frames, 2));
  self->syncing = FALSE;
  follow (self);
}

/* ---- layout ---- */

static char *
format_opacity (GtkScale *scale, double value, gpointer data)
{
  return g_strdup_printf ("%.0f %%", value);
}

static char *
format_frame (GtkScale *scale, double value, gpointer data)
{
  return value < 1 ? g_strdup (_ ("Mean")) : g_strdup_printf ("%.0f", value);
}

static GtkWidget *
slider (VgUnderlayPanel *self, double last, GtkScaleFormatValueFunc format, GCallback callback)
{
  GtkWidget *scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, last, 1);

  gtk_scale_set_value_pos (GTK_SCALE (scale), GTK_POS_RIGHT);
  gtk_scale_set_draw_value (GTK_SCALE (scale), TRUE);
  gtk_scale_set_format_value_func (GTK_SCALE (scale), format, NULL, NULL);
  gtk_widget_set_size_request (scale, 200, -1);
  vg_widget_leave_wheel (scale);
  g_signal_connect_swapped (scale, "value-changed", callback, self);
  return scale;
}

static void
build (VgUnderlayPanel *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10),
            *title = vg_label_new (_ ("Overlay"), "heading");

  gtk_widget_set_hexpand (title, TRUE);
  self->shown = vg_switch_new (G_CALLBACK (on_display), self);
  gtk_widget_set_valign (self->shown, GTK_ALIGN_CENTER);
  vg_widget_describe (self->shown, _ ("Overlay the map on the input"),
                      _ ("Shows the input under the map, and where values are missing"));
  self->opacity = slider (self, 100, format_opacity, G_CALLBACK (on_display));
  self->frame = slider (self, 2, format_frame, G_CALLBACK (on_frame));
  self->opacity_line = vg_line_new (
      _ ("_Opacity"), self->opacity, _ ("Opacity of the map, %"),
      _ ("Opacity of the map over the input; 0 shows only the input"));
  self->frame_line = vg_line_new (
      _ ("Time _point"), self->frame, _ ("Time point under the map"),
      _ ("Time point of the input under the map; at the left end, the mean of all"));
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->shown);
  gtk_box_append (GTK_BOX (self->box), head);
  gtk_box_append (GTK_BOX (self->box), self->opacity_line);
  gtk_box_append (GTK_BOX (self->box), self->frame_line);
  self->corrected = vg_label_new (_ ("The series under the map is corrected for motion."),
                                  "dim-label");
  gtk_label_set_wrap (GTK_LABEL (self->corrected), TRUE);
  gtk_widget_set_visible (self->corrected, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->corrected);
}

static void
vg_underlay_panel_class_init (VgUnderlayPanelClass *class)
{
}

static void
vg_underlay_panel_init (VgUnderlayPanel *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  gtk_widget_add_css_class (self->box, "vg-group");
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  self->syncing = TRUE;
  build (self);
}

GtkWidget *
vg_underlay_panel_new (VgSession *session)
{
  VgUnderlayPanel *self = g_object_new (VG_TYPE_UNDERLAY_PANEL, NULL);

  self->session = vg_hold (self, session);
  self->level = vg_level_panel_new (session);
  gtk_box_append (GTK_BOX (self->box), self->level);
  vg_connect (session, "changed", on_changed, self);
  follow (self);
  return GTK_WIDGET (self);
}
