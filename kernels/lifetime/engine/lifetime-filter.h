/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/model/lifetime-formula.h"
/* Filters that reduce the noise of phasors: one slice in planes, one pixel per call, for gcc and
 * nvcc.
 *
 * The median filter takes the medians of G and of S over the neighbours that have a phasor.
 *
 * The wavelet filter follows pawFLIM (Silberberg and Grecco, Methods Appl. Fluoresc. 5, 024016,
 * 2017).  It uses Haar wavelets of the complex sums F = sum N_j e^(i w t), less the prediction of
 * the coarser level for these photons, and keeps those that exceed the photon noise.  The noise
 * of F for N photons of mean phasor p has variance N (1 - |p|^2) in both parts together, which
 * needs no second harmonic; pawFLIM takes the covariance from one.  Blocks begin at every pixel,
 * and a pixel is the mean over its four positions in them. */

/* Planes of one level of a slice: N, and the two parts of F. */
typedef struct
{
  const float *n, *u, *v;
} VgLifetimeLevel;

/* The number of levels that an image of this size has, at most LEVELS. */
VG_SCALAR int
vg_lifetime_filter_levels (int width, int height, int levels)
{
  int side = width < height ? width : height;

  while (levels > 0 && side < 3 << (levels - 1))
    levels--;
  return levels;
}

/* Buffer planes, each for all slices, that a filter needs besides its two results. */
VG_SCALAR int
vg_lifetime_filter_planes (const VgLifetimeParams *params)
{
  if (params->phasor_filter == VG_LIFETIME_FILTER_WAVELET)
    return 3 * (params->wavelet_levels + 1) + 4;
  return params->phasor_filter == VG_LIFETIME_FILTER_MEDIAN ? 2 : 0;
}

/* The median of (x, y) and its neighbours that have a value; NaN if (x, y) has none. */
VG_SCALAR float
vg_lifetime_median (const float *plane, int width, int height, int x, int y, int radius)
{
  float sorted[(2 * VG_LIFETIME_MAX_MEDIAN + 1) * (2 * VG_LIFETIME_MAX_MEDIAN + 1)];
  int n = 0;

  if (isnan (plane[(size_t) y * (size_t) width + (size_t) x]))
    return VG_LIFETIME_NAN;
  for (int j = y - radius < 0 ? 0 : y - radius; j <= y + radius && j < height; j++)
    for (int i = x - radius < 0 ? 0 : x - radius; i <= x + radius && i < width; i++)
      {
        float value = plane[(size_t) j * (size_t) width + (size_t) i];
        int k = n;

        if (isnan (value))
          continue;
        for (n++; k > 0 && sorted[k - 1] > value; k--)
          sorted[k] = sorted[k - 1];
        sorted[k] = value;
      }
  return n % 2 == 1 ? sorted[n / 2] : 0.5f * (sorted[n / 2 - 1] + sorted[n / 2]);
}

/* N, U and V of pixel I at the finest level; 0 if a count is saturated. */
VG_SCALAR void
vg_lifetime_filter_start (const float *sums, size_t n, size_t i, double pixels,
                          const VgLifetimeFinish *finish, float *level)
{
  int bad = sums[VG_LIFETIME_SUM_BAD * n + i] > 0.0f;

  for (int k = 0; k < 3; k++)
    {
      int which = k == 0   ? VG_LIFETIME_SUM_TOTAL
                  : k == 1 ? VG_LIFETIME_SUM_COS
                           : VG_LIFETIME_SUM_SIN;
      float value = (float) vg_lifetime_sum (sums, n, i, which, finish, pixels);

      level[(size_t) k * n + i] = bad || !isfinite (value) ? 0.0f : value;
    }
}

/* A plane of the next coarser level: blocks of twice the SIDE that begin at (x, y). */
VG_SCALAR float
vg_lifetime_filter_coarsen (const float *plane, int width, int height, int x, int y, int side)
{
  const float *at = plane + (size_t) y * (size_t) width + (size_t) x;
  size_t down = (size_t) side * (size_t) width;

  if (x > width - 2 * side || y > height - 2 * side)
    return 0.0f;
  return at[0] + at[side] + (at[down] + at[down + (size_t) side]);
}

/* F of the block of SIDE at (x, y), predicted from its parent, the block of twice the side at
 * (px, py), and the parent's estimate (EU, EV). */
VG_SCALAR void
vg_lifetime_filter_child (const VgLifetimeLevel *fine, const VgLifetimeLevel *coarse, float eu,
                          float ev, int width, int px, int py, int x, int y, int side,
                          float threshold, float *u, float *v)
{
  size_t parent = (size_t) py * (size_t) width + (size_t) px;
  float many = coarse->n[parent], p = many > 0.0f ? eu / many : 0.0f,
        q = many > 0.0f ? ev / many : 0.0f;
  float noise = threshold * threshold * many * (1.0f - p * p - q * q), du[4], dv[4], sum_u = 0.0f,
        sum_v = 0.0f;
  int own = (y > py ? 2 : 0) + (x > px ? 1 : 0);

  for (int c = 0; c < 4; c++)
    {
      size_t i = parent + (size_t) (c / 2 * side) * (size_t) width + (size_t) (c % 2 * side);

      du[c] = fine->u[i] - fine->n[i] * p;
      dv[c] = fine->v[i] - fine->n[i] * q;
    }
  for (int k = 1; k < 4; k++) /* horizontal, vertical, diagonal */
    {
      float a = 0.0f, b = 0.0f, sign;

      for (int c = 0; c < 4; c++)
        {
          sign = ((k & 1 & c) ^ ((k & c) >> 1 & 1)) != 0 ? -1.0f : 1.0f;
          a += sign * du[c];
          b += sign * dv[c];
        }
      sign = ((k & 1 & own) ^ ((k & own) >> 1 & 1)) != 0 ? -1.0f : 1.0f;
      if (a * a + b * b > noise)
        {
          sum_u += sign * a;
          sum_v += sign * b;
        }
    }
  {
    float n = fine->n[(size_t) y * (size_t) width + (size_t) x];

    *u = n * p + 0.25f * sum_u;
    *v = n * q + 0.25f * sum_v;
  }
}

/* The estimate of the block of SIDE at (x, y): the mean over its positions in the blocks above,
 * whose estimates are EU and EV. */
VG_SCALAR void
vg_lifetime_filter_refine (const VgLifetimeLevel *fine, const VgLifetimeLevel *coarse,
                           const float *eu, const float *ev, int width, int height, int x, int y,
                           int side, float threshold, float *u, float *v)
{
  float sum_u = 0.0f, sum_v = 0.0f, places = 0.0f;

  for (int c = 0; c < 4; c++)
    {
      int px = x - c % 2 * side, py = y - c / 2 * side;
      size_t parent = (size_t) py * (size_t) width + (size_t) px;
      float a, b;

      if (px < 0 || py < 0 || px > width - 2 * side || py > height - 2 * side)
        continue;
      vg_lifetime_filter_child (fine, coarse, eu[parent], ev[parent], width, px, py, x, y, side,
                                threshold, &a, &b);
      sum_u += a;
      sum_v += b;
      places += 1.0f;
    }
  *u = places > 0.0f ? sum_u / places : fine->u[(size_t) y * (size_t) width + (size_t) x];
  *v = places > 0.0f ? sum_v / places : fine->v[(size_t) y * (size_t) width + (size_t) x];
}
