/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-marks-panel.h"
#include "ui/words/vg-translation.h"
#include "ui/choosers/vg-length-chooser.h"
#include "app/session/vg-display.h"
#include "ui/common/vg-widgets.h"

struct _VgMarksPanel
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *box;
  GtkWidget *decades, *values, *problem;
  GtkWidget *outlines_group, *outlines, *outline_width, *other_line, *other;
  GtkWidget *axes_group, *proportions, *axes, *stored_line, *as_stored, *overlay_line, *overlay;
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgMarksPanel, vg_marks_panel, VG_TYPE_BIN)

/* The other method goes by the name of its map. */
static void
name_other (VgMarksPanel *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  int output = vg_operation_find_role (operation, VG_ROLE_OUTLINES, NULL);
  g_autofree char *name = output >= 0
                              ? g_strdup_printf (_ ("Outlines of %s"),
                                                 vg_translate (operation->outputs[output].label))
                              : NULL;

  gtk_widget_set_visible (self->other_line, name != NULL);
  if (name == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (self->other_line)), name);
  vg_widget_describe (self->other, name, _ ("Thin white lines over the others, for comparison"));
}

/* Text that is being typed is not taken away. */
static void
follow (VgMarksPanel *self)
{
  const VgView *view = vg_session_get_view (self->session);
  const VgDisplay *display = vg_session_get_display (self->session);
  g_autofree char *values = vg_display_format_isolines (display);

  self->syncing = TRUE;
  gtk_switch_set_active (GTK_SWITCH (self->decades), display->decades);
  gtk_widget_set_sensitive (self->decades, display->log_scale);
  if (!gtk_widget_has_focus (gtk_widget_get_first_child (self->values)) &&
      !gtk_widget_get_visible (self->problem))
    gtk_editable_set_text (GTK_EDITABLE (self->values), values);
  gtk_switch_set_active (GTK_SWITCH (self->axes), view->axes);
  gtk_switch_set_active (GTK_SWITCH (self->proportions), view->proportions);
  gtk_switch_set_active (GTK_SWITCH (self->as_stored), view->as_stored);
  gtk_switch_set_active (GTK_SWITCH (self->overlay), view->overlay);
  gtk_widget_set_visible (self->overlay_line,
                          vg_operation_has_overlay (vg_session_get_operation (self->session)));
  gtk_switch_set_active (GTK_SWITCH (self->outlines), view->outlines);
  gtk_range_set_value (GTK_RANGE (self->outline_width), view->outline_width);
  gtk_widget_set_sensitive (self->outline_width, view->outlines || view->other_outlines);
  gtk_switch_set_active (GTK_SWITCH (self->other), view->other_outlines);
  name_other (self);
  self->syncing = FALSE;
}

static void
on_decades (VgMarksPanel *self)
{
  VgDisplay display = *vg_session_get_display (self->session);

  if (self->syncing)
    return;
  display.decades = gtk_switch_get_active (GTK_SWITCH (self->decades));
  vg_session_set_display (self->session, &display);
  vg_session_commit_later (self->session, _ ("Isolines"));
}

static void
show_problem (VgMarksPanel *self, const char *text)
{
  g_autofree char *sentence = vg_sentence (text ? text : "");

  gtk_label_set_text (GTK_LABEL (self->problem), sentence);
  gtk_widget_set_visible (self->problem, text != NULL);
}

static void
take_values (VgMarksPanel *self)
{
  VgDisplay display = *vg_session_get_display (self->session);
  g_autoptr (GError) error = NULL;

  if (self->syncing || self->session == NULL)
    return;
  if (!vg_display_parse_isolines (&display, gtk_editable_get_text (GTK_EDITABLE (self->values)),
                                  &error))
    {
      show_problem (self, error->message);
      return;
    }
  show_problem (self, NULL);
  vg_session_commit_waiting (self->session);
  vg_session_set_display (self->session, &display);
  vg_session_commit (self->session, _ ("Isolines"));
}

static void
on_values_left (VgMarksPanel *self)
{
  take_values (self);
  if (!self->syncing)
    follow (self);
}

static void
on_view (VgMarksPanel *self)
{
  VgView view = *vg_session_get_view (self->session);

  if (self->syncing)
    return;
  view.proportions = gtk_switch_get_active (GTK_SWITCH (self->proportions));
  view.axes = gtk_switch_get_active (GTK_SWITCH (self->axes));
  view.as_stored = gtk_switch_get_active (GTK_SWITCH (self->as_stored));
  view.overlay = gtk_switch_get_active (GTK_SWITCH (self->overlay));
  view.outlines = gtk_switch_get_active (GTK_SWITCH (self->outlines));
  view.other_outlines = gtk_switch_get_active (GTK_SWITCH (self->other));
  view.outline_width = gtk_range_get_value (GTK_RANGE (self->outline_width));
  vg_session_set_view (self->session, &view);
}

static void
on_changed (VgMarksPanel *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_VIEW))
    follow (self);
}

void
vg_marks_panel_set_result (VgMarksPanel *self, const VgResult *result)
{
  gtk_widget_set_visible (self->outlines_group, result != NULL && result->outlines.n > 0);
  gtk_widget_set_visible (self->stored_line,
                          result != NULL && result->volume && result->orientation.known);
  gtk_widget_set_visible (self->axes_group, result != NULL && result->plane.pixel_size[0] != 0 &&
                                                result->plane.pixel_size[1] != 0);
}

/* ---- layout ---- */

static void
build_isolines (VgMarksPanel *self)
{
  GtkWidget *group = vg_group_new (self->box, _ ("Isolines"));
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->decades = vg_switch_new (G_CALLBACK (on_decades), self);
  self->values = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->values), "0.1, 1, 10");
  gtk_editable_set_width_chars (GTK_EDITABLE (self->values), 14);
  g_signal_connect_swapped (self->values, "activate", G_CALLBACK (take_values), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_values_left), self);
  gtk_widget_add_controller (self->values, focus);
  self->problem = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "visible", FALSE,
                                "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);
  gtk_widget_add_css_class (self->problem, "error");
  gtk_widget_add_css_class (self->problem, "caption");
  vg_box_add_line (group, _ ("Every decade"), self->decades, _ ("Isolines at every decade"),
                   _ ("A line at each power of ten, for logarithmic colours"));
  vg_box_add_line (group, _ ("At _values"), self->values, _ ("Isolines at values"),
                   _ ("Lines where the map has these values. Press Enter to draw them"));
  gtk_box_append (GTK_BOX (group), self->problem);
}

static void
build_outlines (VgMarksPanel *self)
{
  self->outlines_group = vg_group_new (self->box, _ ("Outlines"));
  self->outlines = vg_switch_new (G_CALLBACK (on_view), self);
  self->outline_width = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0.5, 6, 0.5);
  vg_widget_leave_wheel (self->outline_width);
  gtk_widget_set_size_request (self->outline_width, 150, -1);
  gtk_scale_set_draw_value (GTK_SCALE (self->outline_width), TRUE);
  gtk_scale_set_value_pos (GTK_SCALE (self->outline_width), GTK_POS_RIGHT);
  g_signal_connect_swapped (self->outline_width, "value-changed", G_CALLBACK (on_view), self);
  vg_box_add_line (self->outlines_group, _ ("_Outlines"), self->outlines, _ ("Outlines"),
                   _ ("A line around each object in its own colour; pale while it moves"));
  self->other = vg_switch_new (G_CALLBACK (on_view), self);
  self->other_line = vg_line_new (_ ("Outlines of another method"), self->other,
                                  _ ("Outlines of another method"), "");
  gtk_box_append (GTK_BOX (self->outlines_group), self->other_line);
  vg_box_add_line (self->outlines_group, _ ("Line _width"), self->outline_width,
                   _ ("Line width, px"), _ ("Width of outlines in screen pixels"));
}

static void
build_axes (VgMarksPanel *self)
{
  self->axes_group = vg_group_new (self->box, _ ("Axes"));
  self->axes = vg_switch_new (G_CALLBACK (on_view), self);
  self->proportions = vg_switch_new (G_CALLBACK (on_view), self);
  self->overlay = vg_switch_new (G_CALLBACK (on_view), self);
  self->overlay_line = vg_line_new (
      _ ("Lines and marks"), self->overlay, _ ("Lines and marks"),
      _ ("Boundaries, the light source and other marks over the map"));
  vg_box_add_line (self->axes_group, _ ("Length unit"), vg_length_chooser_new (self->session),
                   _ ("Length unit"), NULL);
  vg_box_add_line (self->axes_group, _ ("_True proportions"), self->proportions,
                   _ ("True proportions"),
                   _ ("Same scale on both axes, unless pixels are 20 times longer than wide. Off: "
                      "pixels are square"));
  vg_box_add_line (self->axes_group, _ ("Axes"), self->axes, _ ("Axes"),
                   _ ("Axes with lengths beside the image"));
  self->as_stored = vg_switch_new (G_CALLBACK (on_view), self);
  self->stored_line = vg_line_new (
      _ ("As _stored"), self->as_stored, _ ("As stored"),
      _ ("Rows and columns in the file's order. Off: the patient's right is on the left, and front "
         "or head is up. Regions and positions always use the file's order"));
  gtk_box_append (GTK_BOX (self->axes_group), self->stored_line);
  gtk_box_append (GTK_BOX (self->axes_group), self->overlay_line);
}

static void
vg_marks_panel_dispose (GObject *object)
{
  VgMarksPanel *self = VG_MARKS_PANEL (object);

  self->syncing = TRUE; /* an entry that loses the focus by this says nothing */
  G_OBJECT_CLASS (vg_marks_panel_parent_class)->dispose (object);
}

static void
vg_marks_panel_class_init (VgMarksPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_marks_panel_dispose;
}

static void
vg_marks_panel_init (VgMarksPanel *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
vg_marks_panel_new (VgSession *session)
{
  VgMarksPanel *self = g_object_new (VG_TYPE_MARKS_PANEL, NULL);

  self->session = vg_hold (self, session);
  self->syncing = TRUE;
  build_outlines (self);
  build_isolines (self);
  build_axes (self);
  vg_connect (session, "changed", on_changed, self);
  follow (self);
  vg_marks_panel_set_result (self, NULL);
  return GTK_WIDGET (self);
}
