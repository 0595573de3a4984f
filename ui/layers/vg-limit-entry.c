/* SPDX-License-Identifier: MIT */
#include "ui/layers/vg-limit-entry.h"
#include <math.h>
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-number-format.h"

static gboolean
on_output (GtkSpinButton *spin)
{
  g_autofree char *text = vg_format_words (gtk_spin_button_get_value (spin));

  if (g_strcmp0 (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

/* Blanks group digits, and a comma is a decimal comma.  What is no number leaves what was there,
 * and untouched text the digits that are not shown. */
static int
on_input (GtkSpinButton *spin, double *value)
{
  double shown = gtk_spin_button_get_value (spin);
  g_autofree char *before = vg_format_words (shown);
  g_auto (GStrv) parts = g_strsplit (gtk_editable_get_text (GTK_EDITABLE (spin)), " ", -1);
  g_autofree char *text = g_strdelimit (g_strjoinv ("", parts), ",", '.');
  char *end;

  *value = g_ascii_strtod (text, &end);
  if (g_str_equal (before, gtk_editable_get_text (GTK_EDITABLE (spin))))
    *value = shown;
  else if (*end != '\0' || end == text || !isfinite (*value))
    {
      *value = shown;
      return GTK_INPUT_ERROR;
    }
  return TRUE;
}

GtkWidget *
vg_limit_entry_new (const char *name)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (0, -1e30, 1e30, 1, 10, 0);
  GtkWidget *self = gtk_spin_button_new (adjustment, 1, 12);

  for (GtkWidget *child = gtk_widget_get_first_child (self); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child))
      gtk_widget_set_visible (child, FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self), 6);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self), 6);
  gtk_widget_add_css_class (self, "vg-limit");
  gtk_widget_set_cursor_from_name (self, "text");
  vg_widget_leave_wheel (self);
  vg_widget_describe (self, name, NULL);
  g_signal_connect (self, "output", G_CALLBACK (on_output), NULL);
  g_signal_connect (self, "input", G_CALLBACK (on_input), NULL);
  return self;
}

void
vg_limit_entry_set (GtkWidget *self, double value, double step, const char *unit)
{
  g_autofree char *number = vg_format_words (value),
                  *text = g_strdup_printf ("%s %s", number, unit);

  gtk_spin_button_set_increments (GTK_SPIN_BUTTON (self), step, 10 * step);
  if (gtk_widget_has_focus (gtk_widget_get_first_child (self)))
    return;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self), value);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  g_strchomp (text), -1);
}
