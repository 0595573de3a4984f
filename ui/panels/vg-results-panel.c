/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-results-panel.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"
#include "ui/params/vg-remedy-label.h"
#include "ui/common/vg-number-format.h"

struct _VgResultsPanel
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *scroller, *report, *key_name, *key_value, *warnings, *list, *copy, *empty;
  GtkWidget *warnings_title, *list_title;
  /* of the map's number: name and statistic, value and spread; NULL: none, or not measured yet */
  char *map_name, *map_value;
  char *table;       /* of the metrics, as CSV */
  VgReference *kept; /* NULL: nothing is compared */
};

G_DEFINE_FINAL_TYPE (VgResultsPanel, vg_results_panel, VG_TYPE_BIN)

static GtkWidget *
text_new (double xalign, gboolean is_name)
{
  /* a long value, as of two results, must not make the side pane wider */
  return g_object_new (GTK_TYPE_LABEL, "xalign", xalign, "wrap", TRUE, "hexpand", is_name,
                       "selectable", !is_name, "can-focus", FALSE, NULL);
}

/* Name and value in a line. */
static GtkWidget *
row_new (VgResultsPanel *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *value = text_new (1, FALSE);

  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_set_valign (value, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (row), text_new (0, TRUE));
  gtk_box_append (GTK_BOX (row), value);
  return row;
}

/* Does what the card's button says. */
static void
on_remedy (GtkWidget *button, VgResultsPanel *self)
{
  const VgRemedy *remedy = g_object_get_data (G_OBJECT (button), "vg-remedy");

  if (!vg_remedy_apply (remedy, self->session))
    g_signal_emit_by_name (self, "go-to", remedy->param);
}

/* A card with the advice, and a button for its remedy. */
static GtkWidget *
warning_new (VgResultsPanel *self)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *button = vg_wrapping_button_new ();
  GtkWidget *advice = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_ALERT, NULL);

  gtk_widget_add_css_class (card, "vg-card");
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (card), advice);
  gtk_box_append (GTK_BOX (card), button);
  g_signal_connect (button, "clicked", G_CALLBACK (on_remedy), self);
  return card;
}

static void
set_text (GtkWidget *label, const char *text)
{
  /* what is selected stays selected */
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

static char *
format_value (const VgMetric *number, const VgMetric *error)
{
  const char *unit = number->unit != NULL && isfinite (number->value)
                         ? vg_format_unit (number->unit, number->value)
                         : "";
  g_autofree char *digits = error != NULL && isfinite (error->value)
                                ? vg_format_with_error (number->value, error->value)
                                : vg_format_steady (number->value, number->unit);

  return number->word != NULL
             ? g_strdup (vg_translate (number->word))
             : g_strdup_printf ("%s%s%s", digits, *unit ? " " : "", vg_translate (unit));
}

/* VALUE, or "now VALUE, kept 118" while results are compared. */
static char *
add_kept (VgResultsPanel *self, const VgMetric *number, const char *value)
{
  const VgMetrics *metrics = self->kept != NULL ? vg_reference_get_metrics (self->kept) : NULL;
  const VgMetric *then = metrics != NULL ? vg_metrics_find (metrics, number->id) : NULL;
  g_autofree char *kept = then != NULL ? format_value (then, vg_metrics_find_error (metrics, then))
                                       : NULL;

  return self->kept != NULL ? vg_format_compared (value, kept) : g_strdup (value);
}

static void
show_number (VgResultsPanel *self, GtkWidget *name, GtkWidget *value, const VgMetrics *metrics,
             const VgMetric *number)
{
  g_autofree char *now = format_value (number, vg_metrics_find_error (metrics, number)),
                  *text = add_kept (self, number, now);

  set_text (name, vg_translate (number->label));
  set_text (value, text);
  vg_widget_describe (value, text, NULL);
}

static void
show_warning (VgResultsPanel *self, GtkWidget *card, const VgMetric *number)
{
  GtkWidget *advice = gtk_widget_get_first_child (card),
            *button = gtk_widget_get_next_sibling (advice);
  VgRemedy remedy = self->session != NULL ? vg_remedy_for (self->session, number) : (VgRemedy){ 0 };
  g_autofree char *label = vg_remedy_label (&remedy);

  set_text (advice, vg_translate (number->advice));
  gtk_widget_set_visible (button, label != NULL);
  if (label == NULL)
    return;
  g_object_set_data_full (G_OBJECT (button), "vg-remedy", g_memdup2 (&remedy, sizeof remedy),
                          g_free);
  if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) != 0)
    gtk_button_set_label (GTK_BUTTON (button), label);
}

/* The child after CHILD of BOX, or the first; made if there is none. */
static GtkWidget *
next_of (VgResultsPanel *self, GtkWidget *box, GtkWidget *child,
         GtkWidget *(*make) (VgResultsPanel *) )
{
  GtkWidget *next = child != NULL ? gtk_widget_get_next_sibling (child)
                                  : gtk_widget_get_first_child (box);

  if (next == NULL)
    gtk_box_append (GTK_BOX (box), next = make (self));
  return next;
}

static void
remove_after (GtkWidget *box, GtkWidget *last)
{
  GtkWidget *child;

  while ((child = last != NULL ? gtk_widget_get_next_sibling (last)
                               : gtk_widget_get_first_child (box)))
    gtk_box_remove (GTK_BOX (box), child);
}

/* Shows in large digits the map's number, or else the metric that the operation's table puts first;
 * hidden while it has no value. */
static void
show_key (VgResultsPanel *self, const VgMetrics *metrics)
{
  const char *id = self->session != NULL ? vg_session_get_operation (self->session)->view.key_metric
                                         : NULL;
  const VgMetric *key = metrics != NULL && id != NULL ? vg_metrics_find (metrics, id) : NULL;
  gboolean known = self->map_name != NULL ? self->map_value != NULL
                                          : key != NULL && isfinite (key->value);

  if (self->map_value != NULL)
    {
      set_text (self->key_name, self->map_name);
      set_text (self->key_value, self->map_value);
      vg_widget_describe (self->key_value, self->map_value, NULL);
    }
  else if (known)
    show_number (self, self->key_name, self->key_value, metrics, key);
  gtk_widget_set_visible (self->key_name, known);
  gtk_widget_set_visible (self->key_value, known);
}

void
vg_results_panel_set_number (VgResultsPanel *self, const VgKeyNumber *number)
{
  g_autofree char *digits = NULL;

  g_clear_pointer (&self->map_name, g_free);
  g_clear_pointer (&self->map_value, g_free);
  gtk_widget_set_tooltip_text (
      self->key_name, number != NULL && number->help != NULL ? vg_translate (number->help) : NULL);
  if (number == NULL)
    return;
  self->map_name = number->statistic != NULL
                       ? g_strdup_printf ("%s\n%s", number->name, number->statistic)
                       : g_strdup (number->name);
  if (!isfinite (number->value))
    return;
  digits = number->with_spread != NULL ? g_strdup (number->with_spread)
                                       : vg_key_number_format (number);
  self->map_value = g_strdup_printf ("%s%s%s", digits, *number->unit ? " " : "",
                                     vg_translate (number->unit));
}

void
vg_results_panel_set_kept (VgResultsPanel *self, VgReference *kept)
{
  VgReference *before = self->kept;

  self->kept = kept != NULL ? vg_reference_ref (kept) : NULL;
  vg_reference_unref (before);
}

void
vg_results_panel_set (VgResultsPanel *self, const VgMetrics *metrics)
{
  guint n = metrics ? metrics->items->len : 0;
  GtkWidget *row = NULL, *warning = NULL;

  for (guint i = 0; i < n; i++)
    {
      const VgMetric *number = &g_array_index (metrics->items, VgMetric, i);

      if (!vg_metrics_is_shown (metrics, number))
        continue;
      row = next_of (self, self->list, row, row_new);
      show_number (self, gtk_widget_get_first_child (row), gtk_widget_get_last_child (row), metrics,
                   number);
      if (number->advice == NULL)
        continue;
      warning = next_of (self, self->warnings, warning, warning_new);
      show_warning (self, warning, number);
    }
  remove_after (self->list, row);
  remove_after (self->warnings, warning);
  show_key (self, metrics);
  g_free (self->table);
  self->table = metrics != NULL ? vg_metrics_to_csv (metrics) : NULL;
  gtk_widget_set_visible (self->warnings, warning != NULL);
  gtk_widget_set_visible (self->warnings_title, warning != NULL && self->session != NULL);
  gtk_widget_set_visible (self->report, n > 0);
  gtk_widget_set_visible (self->empty, n == 0);
}

static void
on_copy (VgResultsPanel *self)
{
  if (self->table != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->table);
}

static void
vg_results_panel_finalize (GObject *object)
{
  g_free (VG_RESULTS_PANEL (object)->map_name);
  g_free (VG_RESULTS_PANEL (object)->map_value);
  vg_results_panel_set_kept (VG_RESULTS_PANEL (object), NULL);
  g_free (VG_RESULTS_PANEL (object)->table);
  G_OBJECT_CLASS (vg_results_panel_parent_class)->finalize (object);
}

static void
vg_results_panel_class_init (VgResultsPanelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_results_panel_finalize;
  vg_signal_new (VG_TYPE_RESULTS_PANEL, "go-to", 1, G_TYPE_POINTER);
}

static void
vg_results_panel_init (VgResultsPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  gtk_widget_add_css_class (box, "vg-panel");
  self->report = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  self->key_value = text_new (0, FALSE);
  self->key_name = text_new (0, TRUE);
  self->warnings = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->warnings_title = vg_label_new (_ ("Warnings"), "heading");
  self->list_title = vg_label_new (_ ("All Numbers"), "heading");
  self->copy = gtk_button_new_with_label (_ ("Copy as Table"));
  self->empty = vg_label_new (_ ("No numbers yet."), "dim-label");
  gtk_widget_add_css_class (self->key_value, "vg-key");
  gtk_widget_add_css_class (self->key_name, "dim-label");
  gtk_widget_set_halign (self->copy, GTK_ALIGN_START);
  vg_widget_set_tooltip (self->copy,
                         _ ("Copy all numbers, errors and units as comma-separated values"));
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (on_copy), self);
  gtk_box_append (GTK_BOX (self->report), self->key_value);
  gtk_box_append (GTK_BOX (self->report), self->key_name);
  gtk_box_append (GTK_BOX (self->report), self->warnings_title);
  gtk_box_append (GTK_BOX (self->report), self->warnings);
  gtk_box_append (GTK_BOX (self->report), self->list_title);
  gtk_box_append (GTK_BOX (self->report), self->list);
  gtk_box_append (GTK_BOX (self->report), self->copy);
  gtk_widget_set_visible (self->report, FALSE);
  gtk_box_append (GTK_BOX (box), self->empty);
  gtk_box_append (GTK_BOX (box), self->report);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
vg_results_panel_new (VgSession *session, const char *name)
{
  VgResultsPanel *self = g_object_new (VG_TYPE_RESULTS_PANEL, NULL);

  if (session != NULL)
    self->session = vg_hold (self, session);
  gtk_widget_set_visible (self->copy, session != NULL);
  gtk_widget_set_visible (self->list_title, session != NULL);
  vg_widget_describe (self->scroller, name, NULL);
  return GTK_WIDGET (self);
}
