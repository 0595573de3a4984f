/* SPDX-License-Identifier: MIT */
#include "kernels/flow/contrast/flow-contrast.h"
#include "kernels/flow/engine/flow-maps.h"
#include "kernels/flow/engine/flow-view.h"
#include <string.h>
/* Maps that are computed on request: correlation time, relative flow, static fraction and
 * intensity. */

float
vg_flow_find_beta (const VgFlowState *self)
{
  VgFlowImage image = { &self->params, &self->info, self->current->data, self->dark };

  return self->params.window_bias == VG_FLOW_WINDOW_CORRECT
             ? vg_flow_effective_beta (&self->params, vg_flow_speckle_size (&image))
             : self->params.beta;
}

const float *
vg_flow_map_comparable (VgFlowState *self)
{
  const gboolean per_pixel = self->params.static_scattering == VG_FLOW_STATIC_MEASURED;
  const double ms = self->current->exposure_ms, to_ms = self->baseline_ms;
  VgFlowInversion inversion = self->inversion;
  float beta;

  if (ms == to_ms || !(ms > 0) || !(to_ms > 0))
    return self->contrast;
  beta = vg_flow_find_beta (self);
  inversion.inverse_beta = 1.0 / beta;
  inversion.exposure_ms = (float) ms;
  if (per_pixel)
    vg_flow_map_static (self, beta);
#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    self->extra[i] = vg_flow_contrast_at (&inversion, self->table, self->contrast[i], per_pixel,
                                          self->extra[i], to_ms);
  return self->extra;
}

void
vg_flow_map_relative (VgFlowState *self)
{
  const float *contrast = vg_flow_map_comparable (self);

#pragma omp parallel for simd num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    self->extra[i] = vg_flow_relative (
        contrast[i],
        self->baseline_count[i] > 0 ? (float) (self->baseline[i] / self->baseline_count[i]) : 0.0f);
}

void
vg_flow_map_perfusion (VgFlowState *self)
{
  float zero = self->params.zero_index, reference = self->params.reference_index;

#pragma omp parallel for simd num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    self->extra[i] = vg_flow_perfusion (self->index[i], zero, reference);
}

void
vg_flow_map_correlation_time (VgFlowState *self, float beta)
{
  self->inversion.inverse_beta = 1.0 / beta;
  if (self->params.static_scattering == VG_FLOW_STATIC_MEASURED)
    {
      vg_flow_map_static (self, beta);
#pragma omp parallel for num_threads(self->threads)
      for (gsize i = 0; i < self->pixels; i++)
        self->extra[i] = vg_flow_correlation_time_rho (&self->inversion, self->table,
                                                       self->contrast[i], 1.0f - self->extra[i]);
      return;
    }
#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    self->extra[i] = vg_flow_correlation_time (&self->inversion, self->table, self->contrast[i]);
}

void
vg_flow_map_intensity (VgFlowState *self)
{
  VgImage frame = { .info = self->info, .data = self->current->data };

#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    self->extra[i] = (float) (vg_image_sample (&frame, i) -
                              (self->dark != NULL ? self->dark[i] : self->params.dark_level));
}

/* Adds row Y of all pairs a, b of successive frames to the sums of a, b and a b. */
static void
add_pairs (const VgFlowState *self, int y, double *a, double *b, double *ab, double *row_a,
           double *row_b)
{
  int pairs = self->ring != NULL ? self->ring_count - 1 : 1;

  for (int i = 0; i < pairs; i++)
    {
      const void *first = self->ring != NULL ? vg_flow_state_frame (self, i) : self->previous->data;
      const void *second = self->ring != NULL ? vg_flow_state_frame (self, i + 1)
                                              : self->current->data;

      vg_flow_sample_row (self, first, y, row_a);
      vg_flow_sample_row (self, second, y, row_b);
#pragma omp simd
      for (int x = 0; x < self->width; x++)
        {
          a[x] += row_a[x];
          b[x] += row_b[x];
          ab[x] += row_a[x] * row_b[x];
        }
    }
}

static void
static_band (VgFlowState *self, float beta, int y0, int y1, double *memory)
{
  int r = self->params.radius, w = self->width, side = 2 * r + 1;
  int pairs = self->ring != NULL ? self->ring_count - 1 : 1;
  gsize padded = (gsize) (w + 2 * r);
  double *sum[3], *columns = memory, *rows = memory + padded;

  for (int k = 0; k < 3; k++)
    sum[k] = rows + (gsize) (3 * side + k) * (gsize) w;
  for (int y = MAX (y0 - r, 0); y < y1 + r; y++)
    {
      gsize start;

      if (y < self->height)
        {
          double *slot = rows + (gsize) (3 * (y % side)) * (gsize) w;

          memset (slot, 0, sizeof (double) * 3 * (gsize) w);
          add_pairs (self, y, slot, slot + w, slot + 2 * w, sum[0], sum[1]);
        }
      if (y - r < y0)
        continue;
      start = (gsize) (y - r) * (gsize) w;
      for (int k = 0; k < 3; k++)
        {
          memset (columns, 0, sizeof (double) * padded);
          for (int row = MAX (y - 2 * r, 0); row <= MIN (y, self->height - 1); row++)
            for (int x = 0; x < w; x++)
              columns[r + x] += rows[(gsize) (3 * (row % side) + k) * (gsize) w + (gsize) x];
          vg_flow_box_row (columns, sum[k], w, r);
        }
      for (int x = 0; x < w; x++)
        {
          int across = MIN (x + r, w - 1) - MAX (x - r, 0) + 1;
          int down = MIN (y, self->height - 1) - MAX (y - 2 * r, 0) + 1;

          self->extra[start + (gsize) x] = vg_flow_static_fraction (
              (double) across * down * pairs, sum[0][x], sum[1][x], sum[2][x], beta);
        }
    }
}

void
vg_flow_map_static (VgFlowState *self, float beta)
{
  int bands = MIN (self->threads, self->height);

  if (self->ring != NULL ? self->ring_count < 2 : self->previous == NULL)
    {
      for (gsize i = 0; i < self->pixels; i++)
        self->extra[i] = VG_FLOW_NAN;
      return;
    }
#pragma omp parallel for num_threads(bands) schedule(static, 1)
  for (int i = 0; i < bands; i++)
    static_band (self, beta, (int) ((gint64) self->height * i / bands),
                 (int) ((gint64) self->height * (i + 1) / bands),
                 self->scratch + (gsize) i * self->scratch_doubles);
  /* Windows with a bad sample have no contrast, so they have no static fraction either. */
  if (self->window_bad > 0 || self->motion != NULL)
    for (gsize i = 0; i < self->pixels; i++)
      if (isnan (self->contrast[i]))
        self->extra[i] = VG_FLOW_NAN;
}
