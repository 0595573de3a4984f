/* SPDX-License-Identifier: MIT */
/* A slider in decades holds the logarithm; the entry always holds the value. */
#include "ui/params/vg-number-editor.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-number-format.h"

/* ENTRY_PX: the least width, so that entries line up */
enum { LOG_STEPS = 200, SLIDER_PX = 40, ENTRY_PX = 98, TEXT_CHARS = 5 };

struct _VgNumberEditor
{
  VgEditor parent_instance;
  GtkWidget *slider, *entry, *unit;
  double measured, pixel_um; /* what 0 came to, NaN: not known; 0: not known */
  double ticked;             /* where the slider's tick is; NaN: it has none */
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

/* "9.4 px" */
static char *
with_unit (VgNumberEditor *self, double value)
{
  double factor;
  const char *unit = vg_editor_convert (VG_EDITOR (self),
                                        vg_editor_get_param (VG_EDITOR (self))->unit, &factor);
  g_autofree char *number = vg_format_number (factor * value);

  return unit != NULL && *unit != '\0'
             ? g_strdup_printf ("%s %s", number,
                                vg_translate (vg_format_unit (unit, factor * value)))
             : g_steal_pointer (&number);
}

/* "Automatic (9.4 px)"; NULL: 0 is a number as any other. */
static char *
word_of_zero (VgNumberEditor *self)
{
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));
  const char *word = param->zero != NULL          ? vg_translate (param->zero)
                     : param->auto_metric != NULL ? _ ("Automatic")
                                                  : NULL;
  g_autofree char *came_to = NULL;

  if (word == NULL || !isfinite (self->measured))
    return g_strdup (word);
  came_to = with_unit (self, self->measured);
  return g_strdup_printf ("%s (%s)", word, came_to);
}

/* The unit, or the word for 0, and what the value is in micrometres. */
static void
show_value (VgNumberEditor *self)
{
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));
  double value = vg_param_get_number (param, vg_editor_get_params (VG_EDITOR (self))), factor;
  const char *unit = vg_editor_convert (VG_EDITOR (self), param->unit, &factor);
  g_autofree char *word = word_of_zero (self), *text = with_unit (self, value), *um = NULL;
  gboolean is_word = value == 0 && word != NULL;

  if (g_strcmp0 (param->unit, "px") == 0 && self->pixel_um > 0 && value > 0)
    um = g_strdup_printf (_ ("px (%.3g µm)"), value * self->pixel_um);
  vg_number_entry_set_word (self->entry, word);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry),
                                is_word ? (int) g_utf8_strlen (word, -1) - 1 : TEXT_CHARS);
  gtk_label_set_text (GTK_LABEL (self->unit), um != NULL     ? um
                                              : unit != NULL ? vg_translate (unit)
                                                             : "");
  gtk_widget_set_visible (self->unit, !is_word && unit != NULL && *unit != '\0');
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  is_word ? word : text, -1);
}

void
vg_number_editor_set_figures (VgNumberEditor *self, double measured, double pixel_um)
{
  self->measured = measured;
  self->pixel_um = pixel_um;
  show_value (self);
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

/* The slider's tick marks the value that a reset restores: the file's, or else the default. */
static void
show_tick (VgNumberEditor *self)
{
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));
  double given = vg_param_get_number (
      param, vg_session_get_given (vg_editor_get_session (VG_EDITOR (self))));
  Range range = slider_range (param);

  if (given == self->ticked)
    return;
  self->ticked = given;
  gtk_scale_clear_marks (GTK_SCALE (self->slider));
  if (given >= range.min && given <= range.max)
    gtk_scale_add_mark (GTK_SCALE (self->slider), to_slider (param, given), GTK_POS_BOTTOM, NULL);
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
  show_tick (self);
  show_value (self);
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

static void
vg_number_editor_rescale (VgEditor *editor)
{
  VgNumberEditor *self = VG_NUMBER_EDITOR (editor);
  const VgParam *param = vg_editor_get_param (editor);
  double factor, step = slider_range (param).step;

  vg_editor_convert (editor, param->unit, &factor);
  step *= factor;
  gtk_adjustment_configure (gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (self->entry)),
                            factor * vg_param_get_number (param, vg_editor_get_params (editor)),
                            factor * param->min, factor * param->max, step, 10 * step, 0);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), TEXT_CHARS);
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
  self->measured = self->ticked = NAN;
  gtk_widget_set_size_request (self->slider, SLIDER_PX, -1);
  gtk_widget_set_size_request (self->entry, ENTRY_PX, -1);
  gtk_widget_set_valign (self->entry, GTK_ALIGN_CENTER);
  self->unit = g_object_new (GTK_TYPE_LABEL, "visible", FALSE, NULL);
  gtk_widget_add_css_class (self->unit, "dim-label");
  vg_number_entry_add (self->entry, self->unit);
  gtk_box_append (GTK_BOX (box), self->slider);
  gtk_box_append (GTK_BOX (box), self->entry);
  vg_number_editor_rescale (editor);
  g_signal_connect_swapped (self->entry, "value-changed", G_CALLBACK (on_entry), self);
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (on_slider), self);
  vg_editor_set_body (editor, box);
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
