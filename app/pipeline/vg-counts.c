/* SPDX-License-Identifier: MIT */
/* Running measurements: latency, compute time, rate. */
#include "app/pipeline/vg-counts.h"

#include <string.h>
#include "kernels/base/vg-sort.h"

void
vg_measured_add (VgMeasured *self, double value)
{
  self->values[self->n++ % VG_MEASURED] = value;
}

double
vg_measured_quantile (const VgMeasured *self, double q)
{
  guint n = (guint) MIN (self->n, VG_MEASURED);
  double sorted[VG_MEASURED];

  if (n == 0)
    return 0;
  memcpy (sorted, self->values, n * sizeof *sorted);
  vg_sort_doubles (sorted, n);
  return sorted[(guint) (q * (n - 1) + 0.5)];
}

double
vg_measured_rate (const VgMeasured *self, double now)
{
  guint n = (guint) MIN (self->n, VG_MEASURED), recent = 0;
  double oldest = now;

  for (guint i = 0; i < n; i++)
    if (now - self->values[i] <= 2)
      {
        recent++;
        oldest = MIN (oldest, self->values[i]);
      }
  return recent < 2 ? 0 : (recent - 1) / MAX (now - oldest, 1e-6);
}
