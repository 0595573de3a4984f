/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-last-minute.h"
#include <math.h>

VgLastMinute *
vg_last_minute_new (void)
{
  VgLastMinute *self = g_new0 (VgLastMinute, 1);

  self->moments = g_array_new (FALSE, FALSE, sizeof (VgMoment));
  return self;
}

void
vg_last_minute_free (VgLastMinute *self)
{
  g_array_unref (self->moments);
  g_free (self);
}

void
vg_last_minute_clear (VgLastMinute *self)
{
  g_array_set_size (self->moments, 0);
}

void
vg_last_minute_add (VgLastMinute *self, double time_s, double value)
{
  GArray *moments = self->moments;
  const VgMoment *last = moments->len > 0 ? &g_array_index (moments, VgMoment, moments->len - 1)
                                          : NULL;
  VgMoment moment = { time_s, value };
  guint old = 0;

  if (!isfinite (time_s))
    return;
  if (last != NULL && time_s < last->time_s)
    g_array_set_size (moments, 0);
  else if (last != NULL && time_s == last->time_s)
    g_array_set_size (moments, moments->len - 1);
  else if (last != NULL && time_s - last->time_s > VG_LAST_MINUTE_GAP_S)
    {
      const VgMoment gap = { last->time_s, NAN };

      g_array_append_val (moments, gap);
    }
  g_array_append_val (moments, moment);
  while (g_array_index (moments, VgMoment, old).time_s < time_s - VG_LAST_MINUTE_S)
    old++;
  old = MAX (old, moments->len > VG_LAST_MINUTE_POINTS ? moments->len - VG_LAST_MINUTE_POINTS : 0);
  if (old > 0)
    g_array_remove_range (moments, 0, old);
}

double
vg_last_minute_get_mean (const VgLastMinute *self, double seconds)
{
  const VgMoment *moments = (const VgMoment *) self->moments->data;
  guint end = self->moments->len, n = 0;
  double sum = 0;

  for (guint i = end; i > 0 && moments[i - 1].time_s > moments[end - 1].time_s - seconds; i--)
    if (isfinite (moments[i - 1].value))
      {
        sum += moments[i - 1].value;
        n++;
      }
  return n > 0 ? sum / n : NAN;
}

gboolean
vg_last_minute_get_range (const VgLastMinute *self, double *low, double *high)
{
  guint n = 0;

  *low = INFINITY;
  *high = -INFINITY;
  for (guint i = 0; i < self->moments->len; i++)
    {
      double value = g_array_index (self->moments, VgMoment, i).value;

      if (!isfinite (value))
        continue;
      *low = MIN (*low, value);
      *high = MAX (*high, value);
      n++;
    }
  return n >= 2;
}
