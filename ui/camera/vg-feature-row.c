/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-feature-row.h"
#include <math.h>
#include <string.h>
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { HELD_US = 800000, SLIDER_PX = 60, TEXT_CHARS = 14 };

#define UNBOUNDED 1e12
#define WIDE 100 /* the ratio of a range whose slider is logarithmic */

struct _VgFeatureRow
{
  VgBin parent_instance;
  char *name;
  VgFeatureKind kind;
  gboolean reopens, syncing;
  double min, max;
  GtkWidget *control, *slider; /* the slider of a common number; or NULL */
  gint64 changed_us;           /* when the user changed it last */
  char *shown;                 /* the entry's text while nobody types */
};

G_DEFINE_FINAL_TYPE (VgFeatureRow, vg_feature_row, VG_TYPE_BIN)

/* The common ones go by the same name in every language and for every camera. */
static char *
name_feature (const VgFeature *feature)
{
  static const struct
  {
    const char *name, *label;
  } common[] = { { "ExposureTime", N_ ("Exposure time") },
                 { "Gain", N_ ("Gain") },
                 { "FrameRate", N_ ("Frame rate") },
                 { "PixelFormat", N_ ("Pixel format") },
                 { "Binning", N_ ("Binning") },
                 { "Region", N_ ("Region") },
                 { "Trigger", N_ ("Trigger source") },
                 { "TriggerActivation", N_ ("Trigger edge") },
                 { "Occlusion", N_ ("Occlusion") } };

  for (guint i = 0; feature->common && i < G_N_ELEMENTS (common); i++)
    if (g_str_equal (common[i].name, feature->name))
      return g_strdup (_ (common[i].label));
  return g_strdup (feature->label);
}

static void
note_text (VgFeatureRow *self)
{
  if (!GTK_IS_EDITABLE (self->control))
    return;
  g_free (self->shown);
  self->shown = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->control)));
}

static void
set (VgFeatureRow *self, const char *value)
{
  g_autofree char *setting = g_strdup_printf ("%s=%s", self->name, value);

  self->changed_us = g_get_monotonic_time ();
  note_text (self);
  g_signal_emit_by_name (self, "set", setting, self->reopens);
}

static void
set_number (VgFeatureRow *self, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  set (self, g_ascii_formatd (text, sizeof text, self->kind == VG_FEATURE_WHOLE ? "%.0f" : "%.7g",
                              value));
}

/* ---- the slider, of a position from 0 to 1 ---- */

static gboolean
is_wide (const VgFeatureRow *self)
{
  return self->min > 0 && self->max > WIDE * self->min;
}

static double
to_position (const VgFeatureRow *self, double value)
{
  value = CLAMP (value, self->min, self->max);
  return is_wide (self) ? log (value / self->min) / log (self->max / self->min)
                        : (value - self->min) / (self->max - self->min);
}

/* Three figures are as fine as a slider is. */
static double
from_position (const VgFeatureRow *self, double position)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double value = is_wide (self) ? self->min * pow (self->max / self->min, position)
                                : self->min + position * (self->max - self->min);

  return CLAMP (g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.3g", value), NULL),
                self->min, self->max);
}

static void
on_slider (VgFeatureRow *self)
{
  double value;

  if (self->syncing)
    return;
  value = from_position (self, gtk_range_get_value (GTK_RANGE (self->slider)));
  self->syncing = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->control), value);
  self->syncing = FALSE;
  set_number (self, value);
}

/* ---- the controls ---- */

static void
on_number (VgFeatureRow *self)
{
  double value = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->control));

  if (self->syncing)
    return;
  if (self->slider != NULL)
    {
      self->syncing = TRUE;
      gtk_range_set_value (GTK_RANGE (self->slider), to_position (self, value));
      self->syncing = FALSE;
    }
  set_number (self, value);
}

static void
on_choice (VgFeatureRow *self)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->control));

  if (!self->syncing && item != NULL)
    set (self, gtk_string_object_get_string (item));
}

static void
on_switch (VgFeatureRow *self)
{
  if (!self->syncing)
    set (self, gtk_switch_get_active (GTK_SWITCH (self->control)) ? "1" : "0");
}

/* A value has no blanks in an address; those between numbers are not needed. */
static void
on_text (VgFeatureRow *self)
{
  g_auto (GStrv) parts = g_strsplit (gtk_editable_get_text (GTK_EDITABLE (self->control)), " ", -1);
  g_autofree char *text = g_strjoinv ("", parts);

  if (!self->syncing && *text != '\0')
    set (self, text);
}

static void
on_command (VgFeatureRow *self)
{
  set (self, "1");
}

static GtkWidget *
number_new (VgFeatureRow *self, const VgFeature *feature)
{
  gboolean bounded = feature->max > feature->min, whole = self->kind == VG_FEATURE_WHOLE;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  double step = feature->step > 0 ? feature->step
                : whole           ? 1
                : bounded         ? (feature->max - feature->min) / 1000
                                  : 1;

  self->min = bounded ? feature->min : -UNBOUNDED;
  self->max = bounded ? feature->max : UNBOUNDED;
  self->control = vg_number_entry_new (self->min, self->max, step, whole);
  if (feature->common && bounded)
    {
      self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.01);
      gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
      gtk_widget_set_size_request (self->slider, SLIDER_PX, -1);
      vg_widget_leave_wheel (self->slider);
      gtk_box_append (GTK_BOX (box), self->slider);
      vg_connect (self->slider, "value-changed", on_slider, self);
    }
  gtk_box_append (GTK_BOX (box), self->control);
  vg_connect (self->control, "value-changed", on_number, self);
  return box;
}

/* The control of its kind, or a box with it. */
static GtkWidget *
control_new (VgFeatureRow *self, const VgFeature *feature)
{
  switch (self->kind)
    {
    case VG_FEATURE_NUMBER:
    case VG_FEATURE_WHOLE:
      return number_new (self, feature);
    case VG_FEATURE_CHOICE:
      self->control = vg_drop_down_new (
          G_LIST_MODEL (gtk_string_list_new ((const char *const *) feature->choices)));
      vg_connect (self->control, "notify::selected", on_choice, self);
      break;
    case VG_FEATURE_SWITCH:
      self->control = vg_switch_new (G_CALLBACK (on_switch), self);
      break;
    case VG_FEATURE_COMMAND:
      self->control = gtk_button_new_with_label (_ ("Execute"));
      vg_connect (self->control, "clicked", on_command, self);
      break;
    case VG_FEATURE_TEXT:
      self->control = gtk_entry_new ();
      gtk_editable_set_width_chars (GTK_EDITABLE (self->control), TEXT_CHARS);
      vg_connect (self->control, "activate", on_text, self);
      break;
    }
  return self->control;
}

/* ---- the camera's value ---- */

/* A range may depend on other settings. */
static void
follow_range (VgFeatureRow *self, const VgFeature *feature)
{
  if (!(feature->max > feature->min) || (self->min == feature->min && self->max == feature->max))
    return;
  self->min = feature->min;
  self->max = feature->max;
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->control), self->min, self->max);
}

static void
show_number (VgFeatureRow *self, double value)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->control), value);
  if (self->slider != NULL)
    gtk_range_set_value (GTK_RANGE (self->slider), to_position (self, value));
}

static void
show_choice (VgFeatureRow *self, const VgFeature *feature)
{
  vg_drop_down_set_texts (self->control, (const char *const *) feature->choices);
  for (guint i = 0; feature->choices != NULL && feature->choices[i] != NULL; i++)
    if (g_strcmp0 (feature->choices[i], feature->value) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->control), i);
}

/* Setting a switch, also to the value that it has, undoes a click whose animation still runs. */
static void
show_switch (VgFeatureRow *self, gboolean on)
{
  if (gtk_switch_get_active (GTK_SWITCH (self->control)) != on)
    gtk_switch_set_active (GTK_SWITCH (self->control), on);
}

static void
show_value (VgFeatureRow *self, const VgFeature *feature)
{
  const char *value = feature->value != NULL ? feature->value : "";

  if (self->kind == VG_FEATURE_CHOICE)
    show_choice (self, feature);
  else if (self->kind == VG_FEATURE_SWITCH)
    show_switch (self, g_str_equal (value, "1"));
  else if (self->kind == VG_FEATURE_TEXT &&
           !g_str_equal (value, gtk_editable_get_text (GTK_EDITABLE (self->control))))
    gtk_editable_set_text (GTK_EDITABLE (self->control), value);
  else if (self->kind == VG_FEATURE_NUMBER || self->kind == VG_FEATURE_WHOLE)
    {
      follow_range (self, feature);
      show_number (self, g_ascii_strtod (value, NULL));
    }
}

/* TRUE: the user types, or has selected text to replace it.  Else the camera's value is written,
 * also while the field has the focus: a slow camera answers late. */
static gboolean
is_typed_in (VgFeatureRow *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (!GTK_IS_EDITABLE (self->control) || focus == NULL ||
      !gtk_widget_is_ancestor (focus, self->control))
    return FALSE;
  return gtk_editable_get_selection_bounds (GTK_EDITABLE (self->control), NULL, NULL) ||
         g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (self->control)), self->shown) != 0;
}

void
vg_feature_row_update (VgFeatureRow *self, const VgFeature *feature)
{
  if (g_get_monotonic_time () - self->changed_us < HELD_US || is_typed_in (self))
    return;
  self->syncing = TRUE;
  gtk_widget_set_sensitive (self->control, feature->writable);
  show_value (self, feature);
  note_text (self);
  self->syncing = FALSE;
}

const char *
vg_feature_row_get_name (VgFeatureRow *self)
{
  return self->name;
}

static void
vg_feature_row_finalize (GObject *object)
{
  g_free (VG_FEATURE_ROW (object)->name);
  g_free (VG_FEATURE_ROW (object)->shown);
  G_OBJECT_CLASS (vg_feature_row_parent_class)->finalize (object);
}

static void
vg_feature_row_class_init (VgFeatureRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_feature_row_finalize;
  vg_signal_new (G_TYPE_FROM_CLASS (class), "set", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
}

static void
vg_feature_row_init (VgFeatureRow *self)
{
}

GtkWidget *
vg_feature_row_new (const VgFeature *feature)
{
  VgFeatureRow *self = g_object_new (VG_TYPE_FEATURE_ROW, NULL);
  g_autofree char *label = name_feature (feature), *named = NULL, *spoken = NULL, *plain = NULL;
  g_auto (GStrv) parts = NULL;
  GtkWidget *control, *line;

  self->name = g_strdup (feature->name);
  self->kind = feature->kind;
  self->reopens = feature->reopens;
  self->syncing = TRUE;
  control = control_new (self, feature);
  named = vg_name_with_unit (label, feature->unit != NULL ? feature->unit : "");
  spoken = g_strdup_printf (_ ("Camera: %s"), named);
  parts = g_strsplit (named, "_", -1);
  plain = g_strjoinv ("__", parts); /* one underscore would mark a mnemonic */
  line = vg_line_new (plain, control, spoken, feature->help);
  if (control != self->control)
    vg_widget_describe (self->control, spoken, feature->help);
  if (self->slider != NULL)
    vg_widget_describe (self->slider, spoken, NULL);
  gtk_widget_set_parent (line, GTK_WIDGET (self));
  self->syncing = FALSE;
  vg_feature_row_update (self, feature);
  return GTK_WIDGET (self);
}
