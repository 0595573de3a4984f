/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-key-number.h"
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-translation.h"
#include <math.h>

#define LARGE_PERCENT 10

/* Index of the region to read, the selected one or else the first that has a value; -1: none. */
static int
find_region (const VgResult *result, VgSession *session)
{
  guint n = MIN (result->n_regions, vg_session_get_n_regions (session));

  for (guint i = 0; i < n; i++)
    if (vg_session_get_region (session, i)->selected)
      return (int) i;
  for (guint i = 0; i < n; i++)
    if (isfinite (result->regions[i].statistics.mean))
      return (int) i;
  return n > 0 ? 0 : -1;
}

static void
read_region (VgKeyNumber *self, const VgResult *result, VgSession *session, int region)
{
  const VgOperation *operation = result->operation;
  const VgRegionResult *values = &result->regions[region];
  const char *name = vg_session_get_region (session, (guint) region)->name;
  int output = vg_operation_find_role (operation, VG_ROLE_BASELINE,
                                       operation->outputs[result->output].id);

  if (output >= 0 && isfinite (values->of_baseline))
    {
      self->value = values->of_baseline;
      self->unit = "%";
    }
  else
    {
      output = result->output;
      self->value = values->statistics.mean;
      self->unit = vg_operation_output_unit (operation, (guint) output,
                                             vg_session_get_params (session));
    }
  self->name = name != NULL && *name != '\0'
                   ? g_strdup_printf ("%s, %s", vg_translate (operation->outputs[output].label),
                                      name)
                   : g_strdup (vg_translate (operation->outputs[output].label));
  self->key = g_strdup_printf ("%s/%s/%d", operation->id, operation->outputs[output].id, region);
}

static gboolean
read_metric (VgKeyNumber *self, const VgResult *result)
{
  const char *id = result->operation->view.key_metric;
  const VgMetric *metric = id != NULL && result->metrics != NULL
                               ? vg_metrics_find (result->metrics, id)
                               : NULL;

  if (metric == NULL)
    return FALSE;
  self->value = metric->value;
  self->unit = metric->unit != NULL ? metric->unit : "";
  self->name = g_strdup (vg_translate (metric->label));
  self->key = g_strdup_printf ("%s/%s", result->operation->id, id);
  return TRUE;
}

static char *
find_warning (const VgResult *result)
{
  for (guint i = 0; result->metrics != NULL && i < result->metrics->items->len; i++)
    {
      const VgMetric *metric = &g_array_index (result->metrics->items, VgMetric, i);

      if (metric->advice != NULL && (metric->flags & VG_NUMBER_GRAVE))
        return g_strdup_printf (_ ("Warning about %s: see Results"), vg_translate (metric->label));
    }
  return NULL;
}

VgKeyNumber *
vg_key_number_new (const VgResult *result, VgSession *session, gboolean current)
{
  g_autoptr (VgKeyNumber) self = g_new0 (VgKeyNumber, 1);
  int region;

  if (result == NULL || result->input_only ||
      result->operation != vg_session_get_operation (session))
    return NULL;
  region = current ? find_region (result, session) : -1;
  if (region >= 0)
    read_region (self, result, session, region);
  else if (!read_metric (self, result))
    return NULL;
  /* other work than a stream follows the clock */
  self->time_s = result->operation->input.kind == VG_INPUT_STREAM
                     ? result->time_s
                     : (double) result->finished_us * 1e-6;
  self->warning = find_warning (result);
  return g_steal_pointer (&self);
}

void
vg_key_number_free (VgKeyNumber *self)
{
  g_free (self->key);
  g_free (self->name);
  g_free (self->warning);
  g_free (self);
}

char *
vg_key_number_format (const VgKeyNumber *self)
{
  double size = fabs (self->value);

  if (!isfinite (self->value) || (self->value == floor (self->value) && self->unit[0] == '\0'))
    return vg_format_number (self->value);
  if (g_str_equal (self->unit, "%") && size >= LARGE_PERCENT)
    return vg_format_fixed (self->value, 0);
  return vg_format_fixed (self->value, MAX (vg_format_decimals (size) - 1, 0));
}

gboolean
vg_key_number_is_below (const VgKeyNumber *self, double alarm)
{
  return alarm > 0 && isfinite (self->value) && self->value < alarm;
}
