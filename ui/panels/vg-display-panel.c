/* SPDX-License-Identifier: MIT */
/* Every control reads the session's view and display in follow() and writes a
 * changed copy back; groups that are more than a few controls are widgets of
 * their own. */
#include "ui/panels/vg-display-panel.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-colormap-chooser.h"
#include "ui/panels/vg-limits-panel.h"
#include "ui/panels/vg-marks-panel.h"
#include "ui/panels/vg-underlay-panel.h"
#include "ui/common/vg-widgets.h"

struct _VgDisplayPanel
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *scroller, *box, *underlay, *limits, *marks;
  GtkWidget *output, *help, *colormap, *reversed, *brightness_line, *brightness, *smooth, *invalid;
  /* scale_box: of values, not of labels */
  GtkWidget *scale_box, *gamma, *gamma_slider, *log_scale;
  GArray *outputs; /* index of each shown output */
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgDisplayPanel, vg_display_panel, VG_TYPE_BIN)

static const VgOutput *
shown_output (VgDisplayPanel *self)
{
  return vg_session_get_output (self->session);
}

static gboolean
same_texts (GListModel *a, GListModel *b)
{
  guint n = g_list_model_get_n_items (b);

  if (a == NULL || g_list_model_get_n_items (a) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (strcmp (gtk_string_list_get_string (GTK_STRING_LIST (a), i),
                gtk_string_list_get_string (GTK_STRING_LIST (b), i)) != 0)
      return FALSE;
  return TRUE;
}

static void
fill_outputs (VgDisplayPanel *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const void *params = vg_session_get_params (self->session);
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GtkStringList) labels = gtk_string_list_new (NULL);

  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].kind != VG_OUTPUT_TEXT &&
        vg_operation_output_is_shown (operation, i, params))
      {
        g_autofree char *label = vg_name_with_unit (
            vg_translate (operation->outputs[i].label),
            vg_operation_output_unit (operation, i, params));
        g_array_append_val (shown, i);
        gtk_string_list_append (labels, label);
      }
  if (self->outputs->len == shown->len &&
      same_texts (gtk_drop_down_get_model (GTK_DROP_DOWN (self->output)), G_LIST_MODEL (labels)) &&
      memcmp (self->outputs->data, shown->data, shown->len * sizeof (guint)) == 0)
    return;
  g_clear_pointer (&self->outputs, g_array_unref);
  self->outputs = g_steal_pointer (&shown);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->output), G_LIST_MODEL (labels));
}

static void
rgba_from_bytes (GdkRGBA *rgba, const guint8 bytes[3])
{
  *rgba = (GdkRGBA){ bytes[0] / 255.f, bytes[1] / 255.f, bytes[2] / 255.f, 1 };
}

static void
follow (VgDisplayPanel *self)
{
  const VgView *view = vg_session_get_view (self->session);
  const VgDisplay *display = vg_session_get_display (self->session);
  GdkRGBA rgba;

  self->syncing = TRUE;
  fill_outputs (self);
  for (guint i = 0; i < self->outputs->len; i++)
    if ((int) g_array_index (self->outputs, guint, i) == view->output)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->output), i);
  gtk_label_set_text (GTK_LABEL (self->help), vg_translate (shown_output (self)->help));
  vg_colormap_chooser_set (VG_COLORMAP_CHOOSER (self->colormap), display->colormap,
                           shown_output (self)->hints.colormap);
  gtk_switch_set_active (GTK_SWITCH (self->reversed), display->reversed);
  gtk_switch_set_active (GTK_SWITCH (self->smooth), view->smooth);
  gtk_switch_set_active (GTK_SWITCH (self->brightness), display->brightness);
  gtk_widget_set_visible (self->brightness_line,
                          vg_operation_get_role (vg_session_get_operation (self->session),
                                                 VG_ROLE_BRIGHTNESS,
                                                 shown_output (self)->id) != NULL);
  gtk_switch_set_active (GTK_SWITCH (self->log_scale), display->log_scale);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->gamma), display->gamma);
  gtk_range_set_value (GTK_RANGE (self->gamma_slider), log2 (display->gamma));
  gtk_widget_set_visible (self->scale_box, shown_output (self)->kind != VG_OUTPUT_LABELS);
  rgba_from_bytes (&rgba, display->invalid_rgb);
  gtk_color_chooser_set_rgba (GTK_COLOR_CHOOSER (self->invalid), &rgba);
  self->syncing = FALSE;
}

static void
take (VgDisplayPanel *self, const VgDisplay *display, const char *what)
{
  vg_session_set_display (self->session, display);
  vg_session_commit_later (self->session, what);
}

/* Whatever was moved: gather all the display's controls. */
static void
on_display (VgDisplayPanel *self)
{
  VgDisplay display = *vg_session_get_display (self->session);
  GdkRGBA rgba;

  if (self->syncing)
    return;
  display.reversed = gtk_switch_get_active (GTK_SWITCH (self->reversed));
  display.brightness = gtk_switch_get_active (GTK_SWITCH (self->brightness));
  display.log_scale = gtk_switch_get_active (GTK_SWITCH (self->log_scale));
  gtk_color_chooser_get_rgba (GTK_COLOR_CHOOSER (self->invalid), &rgba);
  display.invalid_rgb[0] = (guint8) lroundf (rgba.red * 255);
  display.invalid_rgb[1] = (guint8) lroundf (rgba.green * 255);
  display.invalid_rgb[2] = (guint8) lroundf (rgba.blue * 255);
  take (self, &display, "Colours");
}

static void
on_colormap (VgDisplayPanel *self, const char *id)
{
  VgDisplay display = *vg_session_get_display (self->session);

  g_strlcpy (display.colormap, id, sizeof display.colormap);
  take (self, &display, "Colour map");
}

static void
set_gamma (VgDisplayPanel *self, double gamma)
{
  VgDisplay display = *vg_session_get_display (self->session);

  if (self->syncing || fabs (display.gamma - gamma) < 1e-9)
    return;
  display.gamma = gamma;
  take (self, &display, "Gamma");
}

static void
on_gamma (VgDisplayPanel *self)
{
  set_gamma (self, gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->gamma)));
}

static void
on_gamma_slider (VgDisplayPanel *self)
{
  set_gamma (self, round (100 * exp2 (gtk_range_get_value (GTK_RANGE (self->gamma_slider)))) / 100);
}

static void
on_view (VgDisplayPanel *self)
{
  VgView view = *vg_session_get_view (self->session);
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->output));

  if (self->syncing)
    return;
  view.smooth = gtk_switch_get_active (GTK_SWITCH (self->smooth));
  if (i < self->outputs->len)
    view.output = (int) g_array_index (self->outputs, guint, i);
  vg_session_set_view (self->session, &view);
}

void
vg_display_panel_set_result (VgDisplayPanel *self, VgResult *result)
{
  vg_limits_panel_set_result (VG_LIMITS_PANEL (self->limits), result);
  vg_underlay_panel_set_result (VG_UNDERLAY_PANEL (self->underlay), result);
  vg_marks_panel_set_result (VG_MARKS_PANEL (self->marks), result);
}

static void
on_changed (VgDisplayPanel *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_PARAMS | VG_CHANGED_VIEW))
    follow (self);
}

/* ---- layout ---- */

static void
build_map (VgDisplayPanel *self)
{
  GtkWidget *group = vg_group_new (self->box, "Map");

  self->output = vg_drop_down_new (NULL);
  gtk_widget_set_hexpand (self->output, TRUE);
  vg_widget_describe (self->output, _ ("Shown map"),
                      _ ("Page Up and Page Down in the picture change it too"));
  g_signal_connect_swapped (self->output, "notify::selected", G_CALLBACK (on_view), self);
  self->help = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, NULL);
  gtk_widget_add_css_class (self->help, "dim-label");
  gtk_widget_add_css_class (self->help, "caption");
  gtk_box_append (GTK_BOX (group), self->output);
  gtk_box_append (GTK_BOX (group), self->help);
}

static void
build_colors (VgDisplayPanel *self)
{
  GtkWidget *group = vg_group_new (self->box, "Colours");

  self->colormap = vg_colormap_chooser_new ();
  g_signal_connect_swapped (self->colormap, "chosen", G_CALLBACK (on_colormap), self);
  gtk_box_append (GTK_BOX (group), self->colormap);
  self->gamma = vg_number_entry_new (0.1, 10, 0.05, FALSE);
  g_signal_connect_swapped (self->gamma, "value-changed", G_CALLBACK (on_gamma), self);
  self->gamma_slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, -2, 2, 0.05);
  vg_widget_leave_wheel (self->gamma_slider);
  gtk_scale_set_draw_value (GTK_SCALE (self->gamma_slider), FALSE);
  gtk_scale_add_mark (GTK_SCALE (self->gamma_slider), 0, GTK_POS_BOTTOM, NULL);
  vg_widget_describe (self->gamma_slider, _ ("Gamma, powers of two"),
                      _ ("Below the middle dark values are spread, above it bright ones"));
  g_signal_connect_swapped (self->gamma_slider, "value-changed", G_CALLBACK (on_gamma_slider),
                            self);
  self->scale_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  gtk_box_append (GTK_BOX (group), self->scale_box);
  vg_box_add_line (self->scale_box, "Ga_mma", self->gamma, "Gamma", "1 is straight");
  gtk_box_append (GTK_BOX (self->scale_box), self->gamma_slider);
  self->log_scale = vg_switch_new (G_CALLBACK (on_display), self);
  self->reversed = vg_switch_new (G_CALLBACK (on_display), self);
  self->brightness = vg_switch_new (G_CALLBACK (on_display), self);
  self->brightness_line = vg_line_new (
      _ ("_Brightness by intensity"), self->brightness, _ ("Brightness by intensity"),
      _ ("Pixels are as dark as there is little behind their value"));
  self->smooth = vg_switch_new (G_CALLBACK (on_view), self);
  self->invalid = gtk_color_button_new ();
  g_signal_connect_swapped (self->invalid, "color-set", G_CALLBACK (on_display), self);
  vg_box_add_line (self->scale_box, "Logarithmic", self->log_scale, "Logarithmic colours",
                   "Colours in decades; values that are not positive take the first colour");
  gtk_box_append (GTK_BOX (group), self->brightness_line);
  vg_box_add_line (group, "Reversed", self->reversed, "Reversed colours",
                   "The colours the other way round");
  vg_box_add_line (group, "Interpolate", self->smooth, "Interpolate",
                   "Enlarged pixels blend into each other");
  vg_box_add_line (group, "Missing values", self->invalid, "Colour of missing values",
                   "Pixels that could not be computed have this colour");
}

static void
vg_display_panel_finalize (GObject *object)
{
  VgDisplayPanel *self = VG_DISPLAY_PANEL (object);

  g_clear_pointer (&self->outputs, g_array_unref);
  G_OBJECT_CLASS (vg_display_panel_parent_class)->finalize (object);
}

static void
vg_display_panel_class_init (VgDisplayPanelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_display_panel_finalize;
}

static void
vg_display_panel_init (VgDisplayPanel *self)
{
  self->outputs = g_array_new (FALSE, FALSE, sizeof (guint));
  self->syncing = TRUE;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_widget_add_css_class (self->box, "vg-panel");
  build_map (self);
  build_colors (self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->box);
  vg_widget_describe (self->scroller, _ ("Display"), NULL);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
vg_display_panel_new (VgSession *session)
{
  VgDisplayPanel *self = g_object_new (VG_TYPE_DISPLAY_PANEL, NULL);

  self->session = vg_hold (self, session);
  self->underlay = vg_underlay_panel_new (session);
  self->limits = vg_limits_panel_new (session);
  gtk_box_insert_child_after (GTK_BOX (self->box), self->underlay,
                              gtk_widget_get_first_child (self->box));
  gtk_box_insert_child_after (GTK_BOX (self->box), self->limits, self->underlay);
  self->marks = vg_marks_panel_new (session);
  gtk_box_append (GTK_BOX (self->box), self->marks);
  vg_connect (session, "changed", on_changed, self);
  follow (self);
  return GTK_WIDGET (self);
}
