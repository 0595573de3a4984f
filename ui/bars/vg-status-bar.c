/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-translation.h"
#include "ui/bars/vg-status-bar.h"
#include <math.h>
#include "ui/common/vg-fit-box.h"
#include "ui/common/vg-widgets.h"

#define STALE_OPACITY 0.5

enum { PROBE_CHARS = 46 }; /* as many stand beside the speed, more take its place */

struct _VgStatusBar
{
  VgBin parent_instance;
  /* probe: in the place of what the line has */
  GtkWidget *box, *metrics, *line, *probe, *device, *speed, *frames;
};

G_DEFINE_FINAL_TYPE (VgStatusBar, vg_status_bar, VG_TYPE_BIN)

/* One number: icon (only with advice) and text. */
static GtkWidget *
number_new (void)
{
  GtkWidget *item = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4),
            *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");

  gtk_widget_add_css_class (icon, "warning");
  gtk_box_append (GTK_BOX (item), icon);
  gtk_box_append (GTK_BOX (item), vg_label_new (NULL, "numeric"));
  return item;
}

/* Counts whole, else four digits, and the same width for values of about the same size. */
static char *
format_steady (double value, const char *unit)
{
  double size = fabs (value);

  if (!isfinite (value))
    return g_strdup ("–");
  if (size > 0 && size < 0.001 && g_strcmp0 (unit, "%") == 0)
    return g_strdup ("below 0.001");
  if (value == round (value) && size < 1e10)
    return g_strdup_printf ("%.0f", value + 0.0); /* -0 is 0 */
  if (size >= 1e6 || size < 0.001)
    return g_strdup_printf ("%.3e", value);
  /* 0.99999 is 1.000 too */
  return g_strdup_printf ("%.*f", MAX (3 - (int) floor (log10 (size * 1.00005)), 0), value);
}

static void
show_number (GtkWidget *item, const VgMetric *number)
{
  GtkWidget *icon = gtk_widget_get_first_child (item), *label = gtk_widget_get_next_sibling (icon);
  g_autofree char *value = format_steady (number->value, number->unit);
  g_autofree char *text = g_strdup_printf ("%s %s%s%s", number->label, value,
                                           number->unit && *number->unit ? " " : "",
                                           number->unit ? number->unit : "");

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_visible (icon, number->advice != NULL);
  vg_widget_answer (item, number->advice); /* it may hold figures of every map */
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  number->advice ? number->advice : "", -1);
}

void
vg_status_bar_set_numbers (VgStatusBar *self, const VgMetrics *metrics)
{
  guint n = metrics ? metrics->items->len : 0;
  GtkWidget *item = gtk_widget_get_first_child (self->metrics);

  for (guint i = 0; i < 2 * n; i++) /* those with advice come first: they must not be left out */
    {
      const VgMetric *number = &g_array_index (metrics->items, VgMetric, i % n);

      if ((number->advice != NULL) != (i < n) ||
          (number->advice == NULL && !isfinite (number->value)) ||
          !vg_metrics_is_shown (metrics, number))
        /* what has no value yet would take the place of what has one; errors stand in Results */
        continue;
      if (item == NULL)
        vg_fit_box_append (VG_FIT_BOX (self->metrics), item = number_new ());
      show_number (item, number);
      item = gtk_widget_get_next_sibling (item);
    }
  while (item)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (item);
      gtk_widget_unparent (item);
      item = next;
    }
}

/* Only what is seen changes, no size: the picture above stays where it is. */
void
vg_status_bar_set_probe (VgStatusBar *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->probe), text);
  gtk_widget_set_opacity (self->device, *text == '\0');
  gtk_widget_set_opacity (self->line, g_utf8_strlen (text, -1) <= PROBE_CHARS);
}

void
vg_status_bar_set_stale (VgStatusBar *self, gboolean stale)
{
  gtk_widget_set_opacity (self->metrics, stale ? STALE_OPACITY : 1);
}

void
vg_status_bar_set_device (VgStatusBar *self, const char *device, const char *display)
{
  gboolean both = device && *device && display && *display;
  g_autofree char *text = both ? g_strdup_printf ("%s · %s", device, display)
                               : g_strdup (device ? device : "");

  gtk_label_set_text (GTK_LABEL (self->device), text);
}

void
vg_status_bar_set_counts (VgStatusBar *self, const VgPipelineCounts *counts, double pictures_per_s,
                          const VgResponse *response)
{
  double median, longest;
  guint late;
  g_autofree char *waits = vg_response_get (response, &median, &longest, &late)
                               ? g_strdup_printf (_ (" · slider %.0f / %.0f ms, %u of %u late"),
                                                  median, longest, late,
                                                  MIN (response->n, VG_RESPONSES))
                               : g_strdup ("");
  g_autofree char *speed = g_strdup_printf (
      _ ("%.0f maps/s · %.0f pictures/s · latency %.1f / %.1f ms%s"), counts->results_per_s,
      pictures_per_s, counts->latency_p50_ms, counts->latency_p99_ms, waits);
  g_autofree char *frames = vg_pipeline_counts_to_text (counts);

  gtk_label_set_text (GTK_LABEL (self->speed), speed);
  gtk_label_set_text (GTK_LABEL (self->frames), frames);
  /* work without a stream has none */
  gtk_widget_set_visible (self->frames, counts->received + counts->lost + counts->bad > 0);
  gtk_widget_remove_css_class (self->frames,
                               counts->lost + counts->bad > 0 ? "dim-label" : "warning");
  gtk_widget_add_css_class (self->frames, counts->lost + counts->bad > 0 ? "warning" : "dim-label");
}

static GtkWidget *
add_label (GtkWidget *line, gboolean expand, const char *tooltip)
{
  GtkWidget *label = vg_label_new (NULL, "numeric");

  gtk_widget_set_hexpand (label, expand);
  vg_widget_set_tooltip (label, tooltip);
  gtk_box_append (GTK_BOX (line), label);
  return label;
}

static void
vg_status_bar_class_init (VgStatusBarClass *class)
{
}

static void
vg_status_bar_init (VgStatusBar *self)
{
  GtkWidget *overlay = gtk_overlay_new (), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_widget_add_css_class (self->box, "vg-status");
  self->metrics = vg_fit_box_new (18);
  gtk_box_append (GTK_BOX (self->box), self->metrics);
  gtk_box_append (GTK_BOX (self->box), overlay);
  self->line = line;
  gtk_overlay_set_child (GTK_OVERLAY (overlay), line);
  self->probe = vg_label_new (NULL, "numeric");
  gtk_widget_set_can_target (self->probe, FALSE);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->probe);
  self->device = add_label (line, TRUE, NULL);
  vg_label_tell_whole (self->device);
  self->speed = add_label (line, FALSE,
                           "Maps computed and pictures drawn per second; "
                           "time from a frame's arrival to its map: median / 99 of 100; "
                           "from a slider's move to its picture: median / longest, late where not "
                           "in the next frame drawn");
  self->frames = add_label (
      line, FALSE,
      "Superseded: a newer frame was shown instead, or the frame was used only in the window of a "
      "later map. Bad: it could not be used. "
      "Lost: the source skipped it. Waiting: it is still to be computed or shown");
  gtk_widget_add_css_class (self->device, "dim-label");
  gtk_widget_add_css_class (self->speed, "dim-label");
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
vg_status_bar_new (void)
{
  return g_object_new (VG_TYPE_STATUS_BAR, NULL);
}
