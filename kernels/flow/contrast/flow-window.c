/* SPDX-License-Identifier: MIT */
#include "kernels/flow/contrast/flow-contrast.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
/* General path: contrast of every method and sample type, in double precision.
 *
 * Each pixel contributes the sums of I and I^2 over the window's frames, dark level subtracted.
 * Column sums are made from a ring of rows of these: they slide for 8 and 16-bit samples, whose
 * sums are whole numbers below 2^53 and exact, and are computed anew for each row of 32-bit and
 * float samples.  vg_flow_box_row() sums along rows. */

typedef struct
{
  int y0, y1;
  int depth, radius, side;
  double *s, *q;           /* column sums, padded by radius on both sides */
  double *work, *ws, *wq;  /* width + 2 radius; window sums */
  double *rows_s, *rows_q; /* side rows */
} Band;

VG_SIMD static void
add_row (double *restrict s, double *restrict q, const double *restrict vs,
         const double *restrict vq, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      s[x] += vs[x];
      q[x] += vq[x];
    }
}

VG_SIMD static void
remove_row (double *restrict s, double *restrict q, const double *restrict vs,
            const double *restrict vq, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      s[x] -= vs[x];
      q[x] -= vq[x];
    }
}

VG_SIMD static void
square_row (const double *restrict vs, double *restrict vq, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    vq[x] = vs[x] * vs[x];
}

/* Adds I and I^2 of one frame's row. */
VG_SIMD static void
gather_row (const double *restrict sample, double *restrict vs, double *restrict vq, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      vs[x] += sample[x];
      vq[x] += sample[x] * sample[x];
    }
}

/* Converts the sums over DEPTH frames of I and I^2 to those of I - dark. */
VG_SIMD static void
sums_row (const guint32 *restrict s1, const guint64 *restrict s2, const float *dark, double level,
          double depth, double *restrict vs, double *restrict vq, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      double d = dark != NULL ? (double) dark[x] : level;
      double s = s1[x], q = (double) (gint64) s2[x];

      vs[x] = s - depth * d;
      vq[x] = q - d * (2.0 * s - depth * d);
    }
}

static void
fetch_row (const VgFlowState *self, const Band *band, int y, double *vs, double *vq)
{
  gsize start = (gsize) y * (gsize) self->width;

  if (self->params.method == VG_FLOW_SPATIAL)
    {
      vg_flow_sample_row (self, self->current->data, y, vs);
      square_row (vs, vq, self->width);
    }
  else if (self->s1 != NULL)
    {
      sums_row (self->s1 + start, self->s2 + start, self->dark != NULL ? self->dark + start : NULL,
                self->params.dark_level, band->depth, vs, vq, self->width);
    }
  else
    {
      memset (vs, 0, sizeof (double) * (gsize) self->width);
      memset (vq, 0, sizeof (double) * (gsize) self->width);
      for (int i = 0; i < band->depth; i++)
        {
          vg_flow_sample_row (self, vg_flow_state_frame (self, i), y, band->work);
          gather_row (band->work, vs, vq, self->width);
        }
    }
}

/* Contrast from window sums where all windows have N samples. */
VG_SIMD static void
finish_row (const double *restrict s, const double *restrict q, double n, VgFlowNoise noise,
            double tiny, double scale, float *restrict contrast, float *restrict index, int width)
{
  double factor = n / (n - 1.0);
  double shot = noise.shot * n, flat = noise.floor * n * n;
  gboolean noisy = shot > 0.0 || flat > 0.0;

#pragma omp simd
  for (int x = 0; x < width; x++)
    {
      double m = __builtin_floor (s[x] / n);
      double rest = s[x] - n * m;
      double d = n * (q[x] - m * (s[x] + rest)) - rest * rest;
      double noise_part = shot * s[x] + flat, k2;

      d = factor * (d > tiny * n * q[x] ? d : 0.0) - noise_part;
      k2 = s[x] > 0.0 && (!noisy || d > VG_FLOW_TIE * noise_part) ? d / (s[x] * s[x])
                                                                  : (double) VG_FLOW_NAN;
      contrast[x] = (float) __builtin_sqrt (k2);
      index[x] = k2 > 0.0 ? (float) (scale / k2) : VG_FLOW_NAN;
    }
}

/* A window at an edge, which may have fewer pixels. */
static void
finish_edge (const VgFlowState *self, const Band *band, int x, int y, double s, double q,
             double tiny)
{
  gsize i = (gsize) y * (gsize) self->width + (gsize) x;
  int r = band->radius;
  int across = MIN (x + r, self->width - 1) - MAX (x - r, 0) + 1;
  int down = MIN (y + r, self->height - 1) - MAX (y - r, 0) + 1;
  double n = self->params.edges == VG_FLOW_EDGES_ZERO ? (double) band->side * band->side
                                                      : (double) across * down;
  double d, k2;

  n *= band->depth;
  d = n < 2.0 ? 0.0 : vg_flow_deviation (n, s, q);
  if (d < tiny * n * q)
    d = 0.0;
  k2 = vg_flow_k2 (n, s, d, vg_flow_noise (&self->params));
  self->contrast[i] = (float) sqrt (k2);
  self->index[i] = vg_flow_index (k2, vg_flow_index_scale (&self->params));
}

static void
finish (const VgFlowState *self, const Band *band, int y, double tiny)
{
  gsize start = (gsize) y * (gsize) self->width;
  int r = band->radius, w = self->width;
  int down = MIN (y + r, self->height - 1) - MAX (y - r, 0) + 1;
  int left = MIN (r, w), right = MAX (w - r, left);
  double n = (double) (self->params.edges == VG_FLOW_EDGES_ZERO ? band->side : down) * band->side *
             band->depth;

  if (right > left && n >= 2.0)
    finish_row (band->ws + left, band->wq + left, n, vg_flow_noise (&self->params), tiny,
                vg_flow_index_scale (&self->params), self->contrast + start + left,
                self->index + start + left, right - left);
  else
    right = left;
  for (int x = 0; x < left; x++)
    finish_edge (self, band, x, y, band->ws[x], band->wq[x], tiny);
  for (int x = right; x < w; x++)
    finish_edge (self, band, x, y, band->ws[x], band->wq[x], tiny);
}

static void
sum_columns (const VgFlowState *self, const Band *band, int y, gboolean sliding)
{
  int r = band->radius, w = self->width;
  double *s = band->s + r, *q = band->q + r;
  int enter = y + r, leave = y - r - 1;
  gsize slot = (gsize) (enter % band->side) * (gsize) w;

  if (sliding && leave >= 0 && leave >= band->y0 - r)
    remove_row (s, q, band->rows_s + slot, band->rows_q + slot, w);
  if (enter < self->height)
    {
      fetch_row (self, band, enter, band->rows_s + slot, band->rows_q + slot);
      if (sliding)
        add_row (s, q, band->rows_s + slot, band->rows_q + slot, w);
    }
  if (sliding)
    return;
  memset (band->s, 0, sizeof (double) * (gsize) (w + 2 * r));
  memset (band->q, 0, sizeof (double) * (gsize) (w + 2 * r));
  for (int row = MAX (y - r, 0); row <= MIN (y + r, self->height - 1); row++)
    add_row (s, q, band->rows_s + (gsize) (row % band->side) * (gsize) w,
             band->rows_q + (gsize) (row % band->side) * (gsize) w, w);
}

static void
run_band (VgFlowState *self, Band *band, gboolean sliding, double tiny)
{
  int r = band->radius, w = self->width;
  gsize padded = sizeof (double) * (gsize) (w + 2 * r);

  memset (band->s, 0, padded);
  memset (band->q, 0, padded);
  for (int y = MAX (band->y0 - r, 0); y < MIN (band->y0 + r, self->height); y++)
    {
      gsize slot = (gsize) (y % band->side) * (gsize) w;

      fetch_row (self, band, y, band->rows_s + slot, band->rows_q + slot);
      if (sliding)
        add_row (band->s + r, band->q + r, band->rows_s + slot, band->rows_q + slot, w);
    }
  for (int y = band->y0; y < band->y1; y++)
    {
      sum_columns (self, band, y, sliding);
      memcpy (band->work, band->s, padded);
      vg_flow_box_row (band->work, band->ws, w, r);
      memcpy (band->work, band->q, padded);
      vg_flow_box_row (band->work, band->wq, w, r);
      finish (self, band, y, tiny);
    }
}

static void
place_band (const VgFlowState *self, Band *band, double *memory)
{
  gsize w = (gsize) self->width, padded = w + 2 * VG_FLOW_MAX_RADIUS;

  band->s = memory;
  band->q = band->s + padded;
  band->work = band->q + padded;
  band->ws = band->work + padded;
  band->wq = band->ws + w;
  band->rows_s = band->wq + w;
  band->rows_q = band->rows_s + (gsize) band->side * w;
}

void
vg_flow_contrast_window (VgFlowState *self)
{
  gboolean integers = self->info.type == VG_U8 || self->info.type == VG_U16;
  float level = self->params.dark_level;
  gboolean whole_dark = self->dark != NULL ? self->dark_whole
                                           : level == rintf (level) && level <= 65535.0f;
  gboolean sliding = integers && whole_dark;
  /* Relative to n q: a smaller D is a rounding error. */
  double tiny = sliding ? 0.0 : 1e-14;
  int radius = vg_flow_state_radius (self);
  int bands = MIN (self->threads, self->height);

#pragma omp parallel for num_threads(bands) schedule(static, 1)
  for (int i = 0; i < bands; i++)
    {
      Band band = { 0 };

      band.depth = vg_flow_state_depth (self);
      band.radius = radius;
      band.side = 2 * radius + 1;
      band.y0 = (int) ((gint64) self->height * i / bands);
      band.y1 = (int) ((gint64) self->height * (i + 1) / bands);
      place_band (self, &band, self->scratch + (gsize) i * self->scratch_doubles);
      run_band (self, &band, sliding, tiny);
    }
}
