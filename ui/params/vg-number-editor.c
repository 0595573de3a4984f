/* SPDX-License-Identifier: MIT */
/* A slider in decades holds the logarithm; the entry always holds the value. */
#include "ui/params/vg-number-editor.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

enum { LOG_STEPS = 200, UNIT_CHARS = 4 };

struct _VgNumberEditor
{
  VgEditor parent_instance;
  GtkWidget *slider, *entry, *unit;
};

G_DEFINE_FINAL_TYPE (VgNumberEditor, vg_number_editor, VG_TYPE_EDITOR)

typedef struct
{
  double min, max, step;
  gboolean log_scale, whole;
} Range;

static Range
slider_range (const VgParam *param)
{
  gboolean own = param->slider.min != 0 || param->slider.max != 0;
  Range range = { own ? param->slider.min : param->min, own ? param->slider.max : param->max };

  range.whole = param->kind == VG_PARAM_INT;
  range.step = param->slider.step > 0 ? param->slider.step
               : range.whole          ? 1
                                      : (range.max - range.min) / 100;
  range.log_scale = param->slider.log_scale && range.max > 0;
  if (range.log_scale && range.min <= 0)
    range.min = MIN (range.step, range.max / 10);
  return range;
}

static double
to_slider (const VgParam *param, double value)
{
  Range range = slider_range (param);

  value = CLAMP (value, range.min, range.max);
  return range.log_scale ? log10 (value) : value;
}

static double
from_slider (const VgParam *param, double position)
{
  Range range = slider_range (param);
  double value = range.log_scale ? pow (10, position) : position;

  if (range.whole)
    return round (value);
  if (range.log_scale)
    {
      /* Three digits are what a slider can mean. */
      double unit = pow (10, floor (log10 (value)) - 2);
      return round (value / unit) * unit;
    }
  return range.min + round ((value - range.min) / range.step) * range.step;
}

static void
tell_value (VgNumberEditor *self)
{
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));
  double factor;
  const char *unit = vg_editor_convert (VG_EDITOR (self), param->unit, &factor);
  g_autofree char *number = vg_format_number (
      factor * vg_param_get_number (param, vg_editor_get_params (VG_EDITOR (self))));
  g_autofree char *text = unit ? g_strdup_printf ("%s %s", number, unit) : g_strdup (number);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  text, -1);
}

static void
on_slider (VgNumberEditor *self)
{
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));

  vg_editor_set_number (VG_EDITOR (self),
                        from_slider (param, gtk_range_get_value (GTK_RANGE (self->slider))), FALSE);
}

static void
on_entry (VgNumberEditor *self)
{
  double factor;

  vg_editor_convert (VG_EDITOR (self), vg_editor_get_param (VG_EDITOR (self))->unit, &factor);
  vg_editor_set_number (
      VG_EDITOR (self),
      vg_editor_stored (gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->entry)), factor), FALSE);
}

static void
vg_number_editor_sync (VgEditor *editor)
{
  VgNumberEditor *self = VG_NUMBER_EDITOR (editor);
  const VgParam *param = vg_editor_get_param (editor);
  double value = vg_param_get_number (param, vg_editor_get_params (editor)), factor;

  vg_editor_convert (editor, param->unit, &factor);
  if (factor * value != gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->entry)))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->entry), factor * value);
  /* A drag between two steps is not pulled back. */
  if (from_slider (param, gtk_range_get_value (GTK_RANGE (self->slider))) != value)
    gtk_range_set_value (GTK_RANGE (self->slider), to_slider (param, value));
  tell_value (self);
}

static GtkWidget *
slider_new (const VgParam *param)
{
  Range range = slider_range (param);
  double low = to_slider (param, range.min), high = to_slider (param, range.max);
  double step = range.log_scale ? (high - low) / LOG_STEPS : range.step;
  GtkWidget *slider;

  if (!(high > low))
    high = low + 1;
  slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, low, high, step);
  vg_widget_leave_wheel (slider);
  gtk_range_set_increments (GTK_RANGE (slider), step,
                            range.log_scale ? (high - low) / 10 : MAX (step, (high - low) / 10));
  gtk_scale_set_draw_value (GTK_SCALE (slider), FALSE);
  gtk_widget_set_hexpand (slider, TRUE);
  return slider;
}

/* The wheel over a panel that scrolls must not change a setting. */
static void
stop_wheel (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = g_list_model_get_n_items (controllers); i-- > 0;)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

static void
vg_number_editor_rescale (VgEditor *editor)
{
  VgNumberEditor *self = VG_NUMBER_EDITOR (editor);
  const VgParam *param = vg_editor_get_param (editor);
  double factor, step = slider_range (param).step;
  const char *unit = vg_editor_convert (editor, param->unit, &factor);

  step *= factor;
  gtk_adjustment_configure (gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (self->entry)),
                            factor * vg_param_get_number (param, vg_editor_get_params (editor)),
                            factor * param->min, factor * param->max, step, 10 * step, 0);
  gtk_label_set_text (GTK_LABEL (self->unit), unit ? unit : "");
  vg_widget_describe (self->entry, vg_editor_get_name (editor), vg_translate (param->help));
  vg_widget_describe (self->slider, vg_editor_get_name (editor), vg_translate (param->help));
}

static void
vg_number_editor_build (VgEditor *editor)
{
  VgNumberEditor *self = VG_NUMBER_EDITOR (editor);
  const VgParam *param = vg_editor_get_param (editor);
  Range range = slider_range (param);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->entry = vg_number_entry_new (param->min, param->max, range.step, range.whole);
  self->slider = slider_new (param);
  gtk_widget_add_css_class (self->entry, "vg-narrow");
  gtk_box_append (GTK_BOX (box), self->entry);
  self->unit = vg_label_new (NULL, "dim-label");
  /* also without a unit: the entries line up */
  gtk_label_set_width_chars (GTK_LABEL (self->unit), UNIT_CHARS);
  gtk_box_append (GTK_BOX (box), self->unit);
  vg_number_editor_rescale (editor);
  stop_wheel (self->entry);
  stop_wheel (self->slider);
  g_signal_connect_swapped (self->entry, "value-changed", G_CALLBACK (on_entry), self);
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (on_slider), self);
  vg_editor_set_compact (editor, box);
  vg_editor_set_body (editor, self->slider);
  vg_editor_set_focus (editor, self->entry);
}

static void
vg_number_editor_class_init (VgNumberEditorClass *class)
{
  VG_EDITOR_CLASS (class)->build = vg_number_editor_build;
  VG_EDITOR_CLASS (class)->sync = vg_number_editor_sync;
  VG_EDITOR_CLASS (class)->rescale = vg_number_editor_rescale;
}

static void
vg_number_editor_init (VgNumberEditor *self)
{
}
