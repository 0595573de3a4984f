/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include <stddef.h>
#include "kernels/base/vg-scalar.h"
#include "kernels/perfusion/model/perfusion-params.h"
/* Semi-quantitative values of a curve, which need no model and no input, for both backends.  They
 * count from the last frame before the bolus; frames without a weight are left out. */

typedef struct
{
  const float *times, *weights;
  int n, onset; /* the last frame before the bolus that has a weight */
} VgPerfusionFrames;

/* Duration of the initial area, s (Evelhoch, J. Magn. Reson. Imaging 10 (1999) 254). */
#define VG_PERFUSION_AREA_S 60

VG_SCALAR int
vg_perfusion_is_summary (int output)
{
  return output >= VG_PERFUSION_OUTPUT_INITIAL_AREA && output <= VG_PERFUSION_OUTPUT_WASHOUT;
}

/* The last frame with a weight up to BASELINE_LAST. */
VG_SCALAR int
vg_perfusion_onset (const double *weights, int baseline_last)
{
  while (baseline_last > 0 && !(weights[baseline_last] > 0))
    baseline_last--;
  return baseline_last;
}

/* The integral of CURVE, with values STRIDE apart, over VG_PERFUSION_AREA_S by the trapezoidal
 * rule; NaN if the series ends before. */
VG_SCALAR float
vg_perfusion_initial_area (const VgPerfusionFrames *self, const float *curve, size_t stride)
{
  float time = self->times[self->onset], value = curve[(size_t) self->onset * stride],
        end = time + VG_PERFUSION_AREA_S;
  double area = 0;

  for (int i = self->onset + 1; i < self->n; i++)
    {
      float next = self->times[i], to = curve[(size_t) i * stride];

      if (!(self->weights[i] > 0))
        continue;
      if (next >= end)
        return (float) (area + 0.5 * (end - time) *
                                   (2 * value + (to - value) * (end - time) / (next - time)));
      area += 0.5 * (double) (next - time) * (value + to);
      time = next;
      value = to;
    }
  return (float) NAN;
}

/* The frame of the highest value after the onset; -1: there is none. */
VG_SCALAR int
vg_perfusion_peak (const VgPerfusionFrames *self, const float *curve, size_t stride)
{
  int peak = -1;

  for (int i = self->onset + 1; i < self->n; i++)
    if (self->weights[i] > 0 &&
        (peak < 0 || curve[(size_t) i * stride] > curve[(size_t) peak * stride]))
      peak = i;
  return peak;
}

/* The largest rise between successive frames up to PEAK, per second. */
VG_SCALAR float
vg_perfusion_wash_in (const VgPerfusionFrames *self, const float *curve, size_t stride, int peak)
{
  float time = self->times[self->onset], value = curve[(size_t) self->onset * stride],
        steepest = -INFINITY;

  for (int i = self->onset + 1; i <= peak; i++)
    {
      if (!(self->weights[i] > 0))
        continue;
      steepest = fmaxf (steepest, (curve[(size_t) i * stride] - value) / (self->times[i] - time));
      time = self->times[i];
      value = curve[(size_t) i * stride];
    }
  return steepest;
}

/* The decrease from PEAK to the last frame as a percentage of the peak; NaN without a positive
 * peak. */
VG_SCALAR float
vg_perfusion_washout (const VgPerfusionFrames *self, const float *curve, size_t stride, int peak)
{
  float highest = curve[(size_t) peak * stride];
  int last = self->n - 1;

  while (last > peak && !(self->weights[last] > 0))
    last--;
  return highest > 0 ? 100 * (highest - curve[(size_t) last * stride]) / highest : (float) NAN;
}

/* The value of the map of OUTPUT, vg_perfusion_is_summary; NaN if the curve does not give it. */
VG_SCALAR float
vg_perfusion_summary (const VgPerfusionFrames *self, const float *curve, size_t stride, int output)
{
  int peak = vg_perfusion_peak (self, curve, stride);

  if (peak < 0)
    return (float) NAN;
  switch (output)
    {
    case VG_PERFUSION_OUTPUT_INITIAL_AREA:
      return vg_perfusion_initial_area (self, curve, stride);
    case VG_PERFUSION_OUTPUT_PEAK:
      return curve[(size_t) peak * stride];
    case VG_PERFUSION_OUTPUT_TIME_TO_PEAK:
      return self->times[peak] - self->times[self->onset];
    case VG_PERFUSION_OUTPUT_WASH_IN:
      return vg_perfusion_wash_in (self, curve, stride, peak);
    default:
      return vg_perfusion_washout (self, curve, stride, peak);
    }
}
