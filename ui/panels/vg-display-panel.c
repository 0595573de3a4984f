/* SPDX-License-Identifier: MIT */
/* Every control reads the session's view and display in follow() and writes a
 * changed copy back; groups that are more than a few controls are widgets of
 * their own. */
#include "ui/panels/vg-display-panel.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/choosers/vg-colormap-chooser.h"
#include "ui/panels/vg-limits-panel.h"
#include "ui/panels/vg-marks-panel.h"
#include "ui/panels/vg-underlay-panel.h"
#include "ui/common/vg-widgets.h"

struct _VgDisplayPanel
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *scroller, *box, *underlay, *limits, *marks;
  GtkWidget *help, *colormap, *reversed, *brightness_line, *brightness, *smooth, *invalid;
  /* scale_box: of values, not of labels */
  GtkWidget *scale_box, *gamma, *gamma_slider, *log_scale;
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgDisplayPanel, vg_display_panel, VG_TYPE_BIN)

static const VgOutput *
shown_output (VgDisplayPanel *self)
{
  return vg_session_get_output (self->session);
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
  take (self, &display, _ ("Colours"));
}

static void
on_colormap (VgDisplayPanel *self, const char *id)
{
  VgDisplay display = *vg_session_get_display (self->session);

  g_strlcpy (display.colormap, id, sizeof display.colormap);
  take (self, &display, _ ("Colour map"));
}

static void
set_gamma (VgDisplayPanel *self, double gamma)
{
  VgDisplay display = *vg_session_get_display (self->session);

  if (self->syncing || fabs (display.gamma - gamma) < 1e-9)
    return;
  display.gamma = gamma;
  take (self, &display, _ ("Gamma"));
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

  if (self->syncing)
    return;
  view.smooth = gtk_switch_get_active (GTK_SWITCH (self->smooth));
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
  GtkWidget *group = vg_group_new (self->box, _ ("Map"));

  self->help = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, NULL);
  gtk_widget_add_css_class (self->help, "dim-label");
  gtk_widget_add_css_class (self->help, "caption");
  gtk_box_append (GTK_BOX (group), self->help);
}

static void
build_colors (VgDisplayPanel *self)
{
  GtkWidget *group = vg_group_new (self->box, _ ("Colours"));

  self->colormap = vg_colormap_chooser_new ();
  g_signal_connect_swapped (self->colormap, "chosen", G_CALLBACK (on_colormap), self);
  gtk_box_append (GTK_BOX (group), self->colormap);
  self->gamma = vg_number_entry_new (0.1, 10, 0.05, FALSE);
  g_signal_connect_swapped (self->gamma, "value-changed", G_CALLBACK (on_gamma), self);
  self->gamma_slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, -2, 2, 0.05);
  vg_widget_leave_wheel (self->gamma_slider);
  gtk_scale_set_draw_value (GTK_SCALE (self->gamma_slider), FALSE);
  gtk_scale_add_mark (GTK_SCALE (self->gamma_slider), 0, GTK_POS_BOTTOM, NULL);
  vg_widget_describe (
      self->gamma_slider, _ ("Gamma, powers of two"),
      _ ("Left of the middle shows more detail in dark values, right of it in bright values"));
  g_signal_connect_swapped (self->gamma_slider, "value-changed", G_CALLBACK (on_gamma_slider),
                            self);
  self->scale_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  gtk_box_append (GTK_BOX (group), self->scale_box);
  vg_box_add_line (self->scale_box, _ ("Ga_mma"), self->gamma, _ ("Gamma"), _ ("1 is linear"));
  gtk_box_append (GTK_BOX (self->scale_box), self->gamma_slider);
  self->log_scale = vg_switch_new (G_CALLBACK (on_display), self);
  self->reversed = vg_switch_new (G_CALLBACK (on_display), self);
  self->brightness = vg_switch_new (G_CALLBACK (on_display), self);
  self->brightness_line = vg_line_new (
      _ ("_Brightness by intensity"), self->brightness, _ ("Brightness by intensity"),
      _ ("Darkens pixels with little intensity, where values are less certain"));
  self->smooth = vg_switch_new (G_CALLBACK (on_view), self);
  self->invalid = gtk_color_button_new ();
  g_signal_connect_swapped (self->invalid, "color-set", G_CALLBACK (on_display), self);
  vg_box_add_line (self->scale_box, _ ("Logarithmic"), self->log_scale, _ ("Logarithmic colours"),
                   _ ("Logarithmic colours; values of 0 or less have the first colour"));
  gtk_box_append (GTK_BOX (group), self->brightness_line);
  vg_box_add_line (group, _ ("Reversed"), self->reversed, _ ("Reversed colours"),
                   _ ("Reverses the order of the colours"));
  vg_box_add_line (group, _ ("Interpolate"), self->smooth, _ ("Interpolate"),
                   _ ("Smooth transitions between enlarged pixels"));
  vg_box_add_line (group, _ ("Missing values"), self->invalid, _ ("Colour of missing values"),
                   _ ("Colour of pixels without a result"));
}

static void
vg_display_panel_class_init (VgDisplayPanelClass *class)
{
}

static void
vg_display_panel_init (VgDisplayPanel *self)
{
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
