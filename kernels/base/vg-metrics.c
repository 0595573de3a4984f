/* SPDX-License-Identifier: MIT */
/* An operation's own numbers, in the order they were added. */
#include "kernels/base/vg-metrics.h"
#include <math.h>
#include "kernels/base/vg-text.h"

static void
clear_number (gpointer number)
{
  g_free (((VgMetric *) number)->advice);
}

VgMetrics *
vg_metrics_new (void)
{
  VgMetrics *self = g_new0 (VgMetrics, 1);

  self->items = g_array_new (FALSE, FALSE, sizeof (VgMetric));
  g_array_set_clear_func (self->items, clear_number);
  return self;
}

void
vg_metrics_free (VgMetrics *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_free (self);
}

void
vg_metrics_add (VgMetrics *self, const char *id, const char *label, const char *unit, double value,
                const char *advice)
{
  VgMetric number = { id, label, unit, value, g_strdup (advice), 0, NULL, 0 };

  g_array_append_val (self->items, number);
}

void
vg_metrics_add_quiet (VgMetrics *self, const char *id, const char *label, const char *unit,
                      double value, const char *advice)
{
  vg_metrics_add (self, id, label, unit, value, advice);
  vg_metrics_mark (self, VG_NUMBER_QUIET);
}

void
vg_metrics_mark (VgMetrics *self, VgNumberFlags flags)
{
  g_return_if_fail (self->items->len > 0);
  g_array_index (self->items, VgMetric, self->items->len - 1).flags |= flags;
}

void
vg_metrics_propose (VgMetrics *self, const char *setting, double value)
{
  VgMetric *last;

  g_return_if_fail (self->items->len > 0);
  last = &g_array_index (self->items, VgMetric, self->items->len - 1);
  if (last->advice == NULL)
    return;
  last->setting = setting;
  last->proposal = value;
}

const VgMetric *
vg_metrics_find (const VgMetrics *self, const char *id)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const VgMetric *number = &g_array_index (self->items, VgMetric, i);

      if (g_str_equal (number->id, id))
        return number;
    }
  return NULL;
}

const VgMetric *
vg_metrics_find_error (const VgMetrics *self, const VgMetric *number)
{
  g_autofree char *id = g_strconcat (number->id, "_error", NULL);

  return vg_metrics_find (self, id);
}

/* TRUE if NUMBER is the standard error of another metric, which shows it. */
static gboolean
is_error (const VgMetrics *self, const VgMetric *number)
{
  g_autofree char *of = g_str_has_suffix (number->id, "_error")
                            ? g_strndup (number->id, strlen (number->id) - strlen ("_error"))
                            : NULL;

  return of != NULL && vg_metrics_find (self, of) != NULL;
}

gboolean
vg_metrics_is_shown (const VgMetrics *self, const VgMetric *number)
{
  return !is_error (self, number) &&
         !((number->flags & VG_NUMBER_QUIET) && number->value == 0.0 && number->advice == NULL);
}

char *
vg_metrics_to_csv (const VgMetrics *self)
{
  GString *csv = g_string_new ("name,value,standard error,unit\n");

  for (guint i = 0; i < self->items->len; i++)
    {
      const VgMetric *number = &g_array_index (self->items, VgMetric, i),
                     *error = vg_metrics_find_error (self, number);

      if (is_error (self, number))
        continue;
      g_string_append_printf (csv, "\"%s\",", number->label);
      if (isfinite (number->value))
        vg_text_append_float (csv, (float) number->value);
      g_string_append_c (csv, ',');
      if (error != NULL && isfinite (error->value))
        vg_text_append_float (csv, (float) error->value);
      g_string_append_printf (csv, ",\"%s\"\n", number->unit != NULL ? number->unit : "");
    }
  return g_string_free (csv, FALSE);
}
