/* SPDX-License-Identifier: MIT */
#include "kernels/contour/model/contour-filter.h"
#include <math.h>
#include <string.h>
/* Distances in masks: down the columns, then along the rows' runs of set
 * pixels; most of an image is none. */

enum { SHORT = 64, COLUMNS = 64 };
static const float far_away = 1e6f;

/* How far the next unset pixel of the column is, of N columns. */
static void
column_distance (const guint8 *restrict mask, float *restrict distance, int width, int height,
                 int n)
{
  for (int x = 0; x < n; x++)
    distance[x] = (float) mask[x] * far_away;
  for (int y = 1; y < height; y++)
    {
      const guint8 *row = mask + (gsize) y * (gsize) width;
      float *to = distance + (gsize) y * (gsize) width;
      const float *before = to - width;

#pragma omp simd
      for (int x = 0; x < n; x++)
        to[x] = (float) row[x] * (before[x] + 1.0f);
    }
  for (int y = height - 2; y >= 0; y--)
    {
      float *to = distance + (gsize) y * (gsize) width;
      const float *after = to + width;

#pragma omp simd
      for (int x = 0; x < n; x++)
        to[x] = to[x] < after[x] + 1.0f ? to[x] : after[x] + 1.0f;
    }
}

/* Lower envelope of the parabolas f (q) + (p - q)^2 (Felzenszwalb and Huttenlocher). */
static void
envelope (const double *f, double *d, int n, int *v, double *z)
{
  int k = 0;

  v[0] = 0;
  z[0] = -INFINITY;
  z[1] = INFINITY;
  for (int q = 1; q < n; q++)
    {
      double s = ((f[q] + (double) q * q) - (f[v[k]] + (double) v[k] * v[k])) /
                 (2.0 * q - 2.0 * v[k]);

      while (s <= z[k])
        {
          k--;
          s = ((f[q] + (double) q * q) - (f[v[k]] + (double) v[k] * v[k])) / (2.0 * q - 2.0 * v[k]);
        }
      v[++k] = q;
      z[k] = s;
      z[k + 1] = INFINITY;
    }
  k = 0;
  for (int q = 0; q < n; q++)
    {
      while (z[k + 1] < q)
        k++;
      d[q] = (double) (q - v[k]) * (q - v[k]) + f[v[k]];
    }
}

/* The same for a few pixels: all with all. */
static void
envelope_short (const double *f, double *d, int n)
{
  float least[SHORT], offset[SHORT];

  for (int p = 0; p < n; p++)
    {
      least[p] = (float) f[p];
      offset[p] = (float) p;
    }
  for (int q = 0; q < n; q++)
    {
      float at = (float) q, value = (float) f[q];

#pragma omp simd
      for (int p = 0; p < n; p++)
        {
          float other = value + (offset[p] - at) * (offset[p] - at);

          least[p] = other < least[p] ? other : least[p];
        }
    }
  for (int p = 0; p < n; p++)
    d[p] = least[p];
}

typedef struct
{
  double *f, *d, *z;
  int *v;
} Lines;

/* A run's nearest unset pixel lies in its columns or is the one beside it. */
static void
row_distance (const guint8 *mask, float *row, int width, double most, const Lines *lines)
{
  int start, end = 0;

  while (vg_contour_next_run (mask, width, 1, &start, &end))
    {
      int from = MAX (start - 1, 0), n = MIN (end + 1, width) - from;

      for (int i = 0; i < n; i++)
        lines->f[i] = row[from + i] >= far_away ? 1e12 : (double) row[from + i] * row[from + i];
      if (n <= SHORT)
        envelope_short (lines->f, lines->d, n);
      else
        envelope (lines->f, lines->d, n, lines->v, lines->z);
      for (int x = start; x < end; x++)
        row[x] = (float) sqrt (MIN (lines->d[x - from], most));
    }
}

gboolean
vg_contour_distance (const guint8 *mask, float *distance, int width, int height)
{
  double most = (double) MAX (width, height) * MAX (width, height);
  gboolean good = TRUE;

#pragma omp parallel reduction(&& : good)
  {
    Lines lines = { g_try_new (double, width), g_try_new (double, width),
                    g_try_new (double, width + 1), g_try_new (int, width) };

    good = lines.f != NULL && lines.d != NULL && lines.z != NULL && lines.v != NULL;

#pragma omp for schedule(static)
    for (int x = 0; x < width; x += COLUMNS)
      column_distance (mask + x, distance + x, width, height, MIN (COLUMNS, width - x));
#pragma omp for schedule(static)
    for (int y = 0; y < height; y++)
      if (good)
        row_distance (mask + (gsize) y * (gsize) width, distance + (gsize) y * (gsize) width, width,
                      most, &lines);
    g_free (lines.f);
    g_free (lines.d);
    g_free (lines.z);
    g_free (lines.v);
  }
  return good;
}
