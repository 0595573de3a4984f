/* SPDX-License-Identifier: MIT */
/* The time from a slider's move to its picture. */
#include "ui/common/vg-response.h"
#include <stdlib.h>
#include <string.h>

enum { OVERDUE_US = 100000 };

void
vg_response_changed (VgResponse *self, guint64 serial, gint64 now_us)
{
  if (self->serial != 0)
    return;
  self->serial = serial;
  self->changed_us = now_us;
  self->taken = FALSE;
  self->painted = 0;
}

void
vg_response_taken (VgResponse *self, guint64 serial)
{
  if (self->serial != 0 && serial >= self->serial)
    self->taken = TRUE;
}

void
vg_response_dropped (VgResponse *self)
{
  self->serial = 0;
  self->taken = FALSE;
}

void
vg_response_painted (VgResponse *self, gint64 now_us)
{
  self->painted++;
  if (!self->taken)
    return;
  self->frames[self->n % VG_RESPONSES] = self->painted;
  self->ms[self->n++ % VG_RESPONSES] = (double) (now_us - self->changed_us) / 1e3;
  vg_response_dropped (self);
}

gboolean
vg_response_is_due (const VgResponse *self, gint64 now_us)
{
  return self->serial != 0 && now_us - self->changed_us < OVERDUE_US;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

gboolean
vg_response_get (const VgResponse *self, double *median_ms, double *longest_ms, guint *late)
{
  double sorted[VG_RESPONSES];
  guint n = MIN (self->n, VG_RESPONSES);

  if (n == 0)
    return FALSE;
  memcpy (sorted, self->ms, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, compare);
  *median_ms = sorted[n / 2];
  *longest_ms = sorted[n - 1];
  *late = 0;
  for (guint i = 0; i < n; i++)
    *late += self->frames[i] > 1;
  return TRUE;
}
