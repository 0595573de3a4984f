/* SPDX-License-Identifier: MIT */
#include "kernels/flow/contrast/flow-contrast.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
/* Fast path: spatial contrast of 8 and 16-bit frames without camera noise.
 *
 * D = n q - s^2 is at most (n max / 2)^2.  For n max < 2^17 that is below 2^32, so 32-bit
 * arithmetic gives D exactly even if n q and s^2 overflow.  This covers 12-bit samples with
 * windows of 5 x 5 and 8-bit samples with windows of up to 21 x 21.  Beyond that q is a double:
 * n q stays below 2^53 and D is exact too.  In both cases s is below 2^24 and exact as a float.
 * K has at most four rounding errors of 2^-24 and the flow index five, less than 3e-7. */

typedef struct
{
  int y0, y1, radius, side;
  guint32 *s;            /* column sums, padded by radius on both sides */
  guint32 *work, *total; /* sums over windows */
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
  double largest_sum = (double) side * side *
                       MAX ((double) self->maximum, (double) params->dark_level);
  gboolean noisy = params->gain_dn_per_e > 0.0f || params->read_noise_dn > 0.0f ||
                   params->quantisation;

  if (params->method != VG_FLOW_SPATIAL ||
      (self->info.type != VG_U8 && self->info.type != VG_U16) || self->dark != NULL ||
      params->dark_level != rintf (params->dark_level) ||
      (params->edges == VG_FLOW_EDGES_ZERO && params->dark_level != 0.0f) || noisy ||
      largest_sum >= 1 << 24)
    return FALSE;
#pragma omp parallel for num_threads(bands) schedule(static, 1)
  for (int i = 0; i < bands; i++)
    {
      Band band = { .radius = params->radius, .side = side };

      band.y0 = (int) ((gint64) self->height * i / bands);
      band.y1 = (int) ((gint64) self->height * (i + 1) / bands);
      if (largest_sum < 1 << 17)
        run_band_wrapping (self, &band, self->scratch + (gsize) i * self->scratch_doubles);
      else
        run_band_wide (self, &band, self->scratch + (gsize) i * self->scratch_doubles);
    }
  return TRUE;
}
