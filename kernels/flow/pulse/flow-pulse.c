/* SPDX-License-Identifier: MIT */
#include "kernels/flow/pulse/flow-pulse.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-simd.h"
#include <string.h>

struct _VgFlowPulse
{
  int width, height, threads;
  gsize pixels;
  VgFlowTrace *trace;
  float *sums;  /* VG_FLOW_PULSE_SUMS planes */
  double *rows; /* sum of K^2 of each row, then the number of its values */
};

gsize
vg_flow_pulse_bytes (const VgFlowParams *params, const VgImageInfo *info)
{
  gsize pixels = (gsize) MAX (info->width, 0) * (gsize) MAX (info->height, 0);

  return params->pulse ? pixels * VG_FLOW_PULSE_SUMS * sizeof (float) +
                             2 * sizeof (double) * (gsize) MAX (info->height, 0)
                       : 0;
}

VgFlowPulse *
vg_flow_pulse_new (const VgFlowParams *params, const VgImageInfo *info, int threads, GError **error)
{
  VgFlowPulse *self = g_new0 (VgFlowPulse, 1);

  self->width = info->width;
  self->height = info->height;
  self->threads = threads;
  self->pixels = (gsize) info->width * (gsize) info->height;
  self->trace = vg_flow_trace_new (params);
  self->sums = g_try_malloc0_n (self->pixels, VG_FLOW_PULSE_SUMS * sizeof (float));
  self->rows = g_try_new (double, 2 * (gsize) info->height);
  if (self->sums != NULL && self->rows != NULL)
    return self;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "the averaged beat of %dx%d needs %.1f MB of memory; turn off the pulse, or use a "
               "smaller image",
               info->width, info->height, (double) vg_flow_pulse_bytes (params, info) / 1e6);
  vg_flow_pulse_free (self);
  return NULL;
}

void
vg_flow_pulse_free (VgFlowPulse *self)
{
  if (self == NULL)
    return;
  vg_flow_trace_free (self->trace);
  g_free (self->sums);
  g_free (self->rows);
  g_free (self);
}

VgFlowTrace *
vg_flow_pulse_get_trace (VgFlowPulse *self)
{
  return self != NULL ? self->trace : NULL;
}

/* Mean K^2 of the map, without missing values; NaN if there are no others. */
static double
find_mean (VgFlowPulse *self, const float *contrast)
{
  double sum = 0.0, n = 0.0;

#pragma omp parallel for num_threads(self->threads)
  for (int y = 0; y < self->height; y++)
    {
      const float *row = contrast + (gsize) y * (gsize) self->width;
      double s = 0.0, count = 0.0;

      for (int x = 0; x < self->width; x++)
        if (isfinite (row[x]))
          {
            s += (double) row[x] * (double) row[x];
            count += 1.0;
          }
      self->rows[2 * y] = s;
      self->rows[2 * y + 1] = count;
    }
  for (int y = 0; y < self->height; y++)
    {
      sum += self->rows[2 * y];
      n += self->rows[2 * y + 1];
    }
  return n > 0.0 ? sum / n : NAN;
}

/* Sum = keeps sum + factor K^2, or K^4. */
VG_SIMD static void
add_plane (float *restrict sum, const float *restrict contrast, float keeps, float factor,
           gboolean squared, gsize n)
{
  if (squared)
    {
#pragma omp simd
      for (gsize i = 0; i < n; i++)
        {
          float k2 = contrast[i] * contrast[i];

          sum[i] = keeps * sum[i] + k2 * k2;
        }
      return;
    }
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    sum[i] = keeps * sum[i] + factor * (contrast[i] * contrast[i]);
}

void
vg_flow_pulse_add (VgFlowPulse *self, const float *contrast, double time_s)
{
  VgFlowBeatMap map = vg_flow_trace_add (self->trace, time_s, find_mean (self, contrast));

  if (map.clears)
    memset (self->sums, 0, self->pixels * VG_FLOW_PULSE_SUMS * sizeof (float));
  if (!map.adds)
    return;
#pragma omp parallel for num_threads(self->threads)
  for (int k = 0; k < VG_FLOW_PULSE_SUMS; k++)
    add_plane (self->sums + (gsize) k * self->pixels, contrast, map.keeps,
               k < VG_FLOW_BASIS ? map.basis[k] : 0.0f, k == VG_FLOW_BASIS, self->pixels);
}

void
vg_flow_pulse_map (const VgFlowPulse *self, VgFlowBeatIndex which, float *map)
{
  VgFlowBeatFit fit;

  vg_flow_trace_fit (self->trace, &fit);
#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    {
      float sums[VG_FLOW_PULSE_SUMS];

      for (int k = 0; k < VG_FLOW_PULSE_SUMS; k++)
        sums[k] = self->sums[(gsize) k * self->pixels + i];
      map[i] = vg_flow_beat_index (&fit, sums, which);
    }
}
