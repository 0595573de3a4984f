/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-results-panel.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

struct _VgResultsPanel
{
  VgBin parent_instance;
  GtkWidget *scroller, *list, *empty;
};

G_DEFINE_FINAL_TYPE (VgResultsPanel, vg_results_panel, VG_TYPE_BIN)

/* Name and value in a line, the advice below. */
static GtkWidget *
row_new (void)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2),
            *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "hexpand", TRUE,
                                  NULL);
  GtkWidget *value = g_object_new (GTK_TYPE_LABEL, "xalign", 1.0, "selectable", TRUE, "can-focus",
                                   FALSE, NULL);
  GtkWidget *advice = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_ALERT, NULL);

  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_set_valign (value, GTK_ALIGN_START);
  gtk_widget_add_css_class (advice, "caption");
  gtk_widget_add_css_class (advice, "warning");
  gtk_box_append (GTK_BOX (line), name);
  gtk_box_append (GTK_BOX (line), value);
  gtk_box_append (GTK_BOX (row), line);
  gtk_box_append (GTK_BOX (row), advice);
  return row;
}

static void
set_text (GtkWidget *label, const char *text)
{
  /* what is selected stays selected */
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

static void
show_number (GtkWidget *row, const VgMetric *number, const VgMetric *error)
{
  GtkWidget *line = gtk_widget_get_first_child (row), *advice = gtk_widget_get_next_sibling (line);
  GtkWidget *name = gtk_widget_get_first_child (line), *value = gtk_widget_get_next_sibling (name);
  g_autofree char *digits = error != NULL && isfinite (error->value)
                                ? vg_format_with_error (number->value, error->value)
                            : fabs (number->value) < 1e15 && floor (number->value) == number->value
                                ? g_strdup_printf ("%.0f", number->value + 0.0)
                                : vg_format_number (number->value);
  const char *unit = number->unit && isfinite (number->value) ? number->unit : "";
  g_autofree char *text = g_strdup_printf ("%s%s%s", digits, *unit ? " " : "", unit);

  set_text (name, number->label);
  set_text (value, text);
  set_text (advice, number->advice ? number->advice : "");
  gtk_widget_set_visible (advice, number->advice != NULL);
  vg_widget_describe (value, text, NULL);
}

void
vg_results_panel_set (VgResultsPanel *self, const VgMetrics *metrics)
{
  guint n = metrics ? metrics->items->len : 0;
  GtkWidget *row = gtk_widget_get_first_child (self->list);

  for (guint i = 0; i < n; i++)
    {
      const VgMetric *number = &g_array_index (metrics->items, VgMetric, i);

      if (!vg_metrics_is_shown (metrics, number))
        continue;
      if (row == NULL)
        gtk_box_append (GTK_BOX (self->list), row = row_new ());
      show_number (row, number, vg_metrics_find_error (metrics, number));
      row = gtk_widget_get_next_sibling (row);
    }
  while (row)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (row);

      gtk_box_remove (GTK_BOX (self->list), row);
      row = next;
    }
  gtk_widget_set_visible (self->empty, n == 0);
}

static void
vg_results_panel_class_init (VgResultsPanelClass *class)
{
}

static void
vg_results_panel_init (VgResultsPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  gtk_widget_add_css_class (box, "vg-panel");
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  self->empty = vg_label_new (_ ("No numbers yet."), "dim-label");
  gtk_box_append (GTK_BOX (box), self->empty);
  gtk_box_append (GTK_BOX (box), self->list);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
vg_results_panel_new (const char *name)
{
  VgResultsPanel *self = g_object_new (VG_TYPE_RESULTS_PANEL, NULL);

  vg_widget_describe (self->scroller, name, NULL);
  return GTK_WIDGET (self);
}
