/* SPDX-License-Identifier: MIT */
#include "kernels/flow/contrast/flow-contrast.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
/* Spatial contrast of 8 and 16-bit frames, the hot path.
 *
 * D = n q - s^2 is at most (n max / 2)^2.  While n max < 2^17 that is below 2^32,
 * and n q and s^2 may wrap around in 32 bits: their difference is exact all
 * the same.  So 12-bit samples with a 5 x 5 window, or 8-bit ones up to 21 x 21,
 * need no wider integer.  Beyond that q is a double: n q stays below 2^53, so
 * D is exact again.  In both s is below 2^24 and exact as a float; K takes at
 * most four roundings of 2^-24 and the flow index five, less than the 3e-7
 * that is promised. */

typedef struct
{
  int y0, y1, radius, side;
  guint32 *s;              /* column sums, padded by radius on both sides */
  guint32 *spoilt, *total; /* for the doubling sums */
} Band;

#define Q guint32
#define NAME(name) name##_wrapping
#include "kernels/flow/contrast/flow-columns.h"
#undef NAME
#undef Q
#define Q double
#define NAME(name) name##_wide
#include "kernels/flow/contrast/flow-columns.h"
#undef NAME
#undef Q

gboolean
vg_flow_contrast_fast (VgFlowState *self)
{
  const VgFlowParams *params = &self->params;
  int side = 2 * params->radius + 1;
  int bands = MIN (self->threads, self->height);
  double most = (double) side * side * MAX ((double) self->maximum, (double) params->dark_level);
  gboolean noisy = params->gain_dn_per_e > 0.0f || params->read_noise_dn > 0.0f ||
                   params->quantisation;

  if (params->method != VG_FLOW_SPATIAL ||
      (self->info.type != VG_U8 && self->info.type != VG_U16) || self->dark != NULL ||
      params->dark_level != rintf (params->dark_level) ||
      (params->edges == VG_FLOW_EDGES_ZERO && params->dark_level != 0.0f) || noisy ||
      most >= 1 << 24)
    return FALSE;
#pragma omp parallel for num_threads(bands) schedule(static, 1)
  for (int i = 0; i < bands; i++)
    {
      Band band = { .radius = params->radius, .side = side };

      band.y0 = (int) ((gint64) self->height * i / bands);
      band.y1 = (int) ((gint64) self->height * (i + 1) / bands);
      if (most < 1 << 17)
        run_band_wrapping (self, &band, self->scratch + (gsize) i * self->scratch_doubles);
      else
        run_band_wide (self, &band, self->scratch + (gsize) i * self->scratch_doubles);
    }
  return TRUE;
}
