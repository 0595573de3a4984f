/* SPDX-License-Identifier: MIT */
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/model/contour-memory.h"
/* No fused multiply-add: the same bits on every processor. */
#include "kernels/contour/model/contour-formula.h"
#include "kernels/base/vg-simd.h"
#include <math.h>
#include <string.h>

enum { LANES = 16 };

/* A line and RADIUS more samples at each end. */
VG_SIMD static void
blur_line (const float *restrict line, float *restrict out, int n, const float *restrict kernel,
           int radius)
{
  int i = 0;

  /* in the order of a plain sum, for the same bits */
  for (; i + LANES <= n; i += LANES)
    {
      float sums[LANES] = { 0.0f };

      for (int k = 0; k <= 2 * radius; k++)
#pragma omp simd
        for (int j = 0; j < LANES; j++)
          sums[j] += kernel[k] * line[i + k + j];
      memcpy (out + i, sums, sizeof sums);
    }
  for (; i < n; i++)
    {
      float sum = 0.0f;

      for (int k = 0; k <= 2 * radius; k++)
        sum += kernel[k] * line[i + k];
      out[i] = sum;
    }
}

static void
blur_row (float *row, int n, const float *kernel, int radius, float *line)
{
  for (int i = -radius; i < n + radius; i++)
    line[i + radius] = row[CLAMP (i, 0, n - 1)];
  blur_line (line, row, n, kernel, radius);
}

/* N columns, at most LANES; ROWS has room for them and RADIUS more rows at each end. */
VG_SIMD static void
blur_columns (float *plane, int width, int height, int n, const float *restrict kernel, int radius,
              float *restrict rows)
{
  for (int y = -radius; y < height + radius; y++)
    {
      float *to = rows + (gsize) (y + radius) * LANES;

      memset (to, 0, LANES * sizeof *to);
      memcpy (to, plane + (gsize) CLAMP (y, 0, height - 1) * (gsize) width, (gsize) n * sizeof *to);
    }
  for (int y = 0; y < height; y++)
    {
      const float *from = rows + (gsize) y * LANES;
      float sums[LANES] = { 0.0f };

      for (int k = 0; k <= 2 * radius; k++)
#pragma omp simd
        for (int j = 0; j < LANES; j++)
          sums[j] += kernel[k] * from[k * LANES + j];
      memcpy (plane + (gsize) y * (gsize) width, sums, (gsize) n * sizeof *sums);
    }
}

gboolean
vg_contour_gaussian (float *plane, int width, int height, double sigma)
{
  int radius = (int) ceil (4.0 * sigma), longest = MAX (width, LANES * height);
  g_autofree float *kernel = g_new (float, 2 * radius + 1);
  double sum = 0.0;
  gboolean good = TRUE;

  if (sigma <= 0.0)
    return TRUE;
  for (int k = -radius; k <= radius; k++)
    sum += exp (-0.5 * k * k / (sigma * sigma));
  for (int k = -radius; k <= radius; k++)
    kernel[k + radius] = (float) (exp (-0.5 * k * k / (sigma * sigma)) / sum);
#pragma omp parallel reduction(&& : good)
  {
    float *lines = g_try_new (float, (gsize) longest + 2 * LANES * (gsize) radius);

    good = lines != NULL;
#pragma omp for schedule(static)
    for (int y = 0; y < height; y++)
      if (lines != NULL)
        blur_row (plane + (gsize) y * (gsize) width, width, kernel, radius, lines);
#pragma omp for schedule(static)
    for (int x = 0; x < width; x += LANES)
      if (lines != NULL)
        blur_columns (plane + x, width, height, MIN (LANES, width - x), kernel, radius, lines);
    g_free (lines);
  }
  return good;
}

enum { BINS = 65536, COARSE = 256, OTSU_BINS = 256 };

static void
range (const float *samples, gsize n, float *low, float *high)
{
  float least = INFINITY, most = -INFINITY;

  for (gsize i = 0; i < n; i++)
    {
      least = MIN (least, samples[i]);
      most = MAX (most, samples[i]);
    }
  *low = least;
  *high = most;
}

static inline int
bin_of (float sample, float low, float high, int bins)
{
  return MIN ((int) ((sample - low) / (high - low) * (float) bins), bins - 1);
}

/* The first of N counts at which the cumulated counts exceed *WANTED, from which the counts before
 * it are subtracted; N: none. */
static int
find_bin (const guint64 *counts, int n, guint64 *wanted)
{
  int i = 0;

  for (; i < n && counts[i] <= *wanted; i++)
    *wanted -= counts[i];
  return i;
}

/* Coarse bins are searched first, then the fine bins inside one. */
float
vg_contour_percentile (const float *samples, gsize n, double q)
{
  guint64 coarse[COARSE] = { 0 }, fine[BINS / COARSE] = { 0 }, wanted = (guint64) (q * (double) n);
  float low, high;
  int at;

  range (samples, n, &low, &high);
  if (!(high > low))
    return low;
  for (gsize i = 0; i < n; i++)
    coarse[bin_of (samples[i], low, high, BINS) / (BINS / COARSE)]++;
  at = find_bin (coarse, COARSE, &wanted) * (BINS / COARSE);
  if (at == BINS)
    return high;
  for (gsize i = 0; i < n; i++)
    {
      int bin = bin_of (samples[i], low, high, BINS) - at;

      if (bin >= 0 && bin < BINS / COARSE)
        fine[bin]++;
    }
  at += find_bin (fine, BINS / COARSE, &wanted);
  return low + (high - low) * ((float) at + 0.5f) / BINS;
}

float
vg_contour_otsu (const float *samples, gsize n)
{
  guint64 counts[OTSU_BINS] = { 0 };
  float low, high;
  double total = 0.0, below = 0.0, sum = 0.0, best = -1.0;
  int at = 0;

  range (samples, n, &low, &high);
  if (!(high > low))
    return low;
  for (gsize i = 0; i < n; i++)
    counts[bin_of (samples[i], low, high, OTSU_BINS)]++;
  for (int i = 0; i < OTSU_BINS; i++)
    total += (double) i * (double) counts[i];
  for (int i = 0; i < OTSU_BINS - 1; i++)
    {
      double above, difference;

      below += (double) counts[i];
      sum += (double) i * (double) counts[i];
      above = (double) n - below;
      if (below == 0.0 || above == 0.0)
        continue;
      difference = sum / below - (total - sum) / above;
      if (below * above * difference * difference > best)
        {
          best = below * above * difference * difference;
          at = i;
        }
    }
  return low + (high - low) * (float) (at + 1) / OTSU_BINS;
}

/* ---- Maxima ---- */

static int
by_value (gconstpointer a, gconstpointer b)
{
  const VgContourPeak *p = a, *q = b;

  if (p->value != q->value)
    return p->value > q->value ? -1 : 1;
  return p->y != q->y ? (p->y < q->y ? -1 : 1) : (p->x > q->x) - (p->x < q->x);
}

static gboolean
is_maximum (const float *plane, int width, int height, int x, int y)
{
  float c = plane[(gsize) y * (gsize) width + (gsize) x];

  for (int j = MAX (y - 1, 0); j <= MIN (y + 1, height - 1); j++)
    for (int i = MAX (x - 1, 0); i <= MIN (x + 1, width - 1); i++)
      if (plane[(gsize) j * (gsize) width + (gsize) i] > c)
        return FALSE;
  return TRUE;
}

GArray *
vg_contour_peaks (const float *plane, int width, int height, float threshold, double distance)
{
  g_auto (VgContourList) all = { .size = sizeof (VgContourPeak) };
  g_autoptr (GArray) peaks = g_array_new (FALSE, FALSE, sizeof (VgContourPeak));
  int reach = MAX ((int) ceil (distance), 1), columns = width / reach + 1,
      rows = height / reach + 1;
  g_autofree gint32 *cells = NULL, *next = NULL; /* peaks by cells of DISTANCE: a list in each */

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (plane[(gsize) y * (gsize) width + (gsize) x] > threshold &&
          is_maximum (plane, width, height, x, y))
        {
          VgContourPeak *peak = vg_contour_list_add (&all);

          if (peak == NULL)
            return NULL;
          *peak = (VgContourPeak){ (float) x + 0.5f, (float) y + 0.5f,
                                   plane[(gsize) y * (gsize) width + (gsize) x] };
        }
  if (all.n == 0)
    return g_steal_pointer (&peaks);
  qsort (all.items, all.n, sizeof (VgContourPeak), by_value);
  cells = g_try_new (gint32, (gsize) columns * (gsize) rows);
  next = g_try_new (gint32, all.n);
  if (cells == NULL || next == NULL)
    return NULL;
  memset (cells, 0xff, sizeof (gint32) * (gsize) columns * (gsize) rows);
  for (gsize k = 0; k < all.n; k++)
    {
      const VgContourPeak *peak = (const VgContourPeak *) all.items + k;
      int cx = (int) peak->x / reach, cy = (int) peak->y / reach;
      gboolean near = FALSE;

      for (int j = MAX (cy - 1, 0); j <= MIN (cy + 1, rows - 1) && !near; j++)
        for (int i = MAX (cx - 1, 0); i <= MIN (cx + 1, columns - 1) && !near; i++)
          for (gint32 at = cells[j * columns + i]; at >= 0 && !near; at = next[at])
            {
              const VgContourPeak *other = &g_array_index (peaks, VgContourPeak, at);

              near = hypot (other->x - peak->x, other->y - peak->y) < distance;
            }
      if (near)
        continue;
      next[peaks->len] = cells[cy * columns + cx];
      cells[cy * columns + cx] = (gint32) peaks->len;
      g_array_append_val (peaks, *peak);
    }
  return g_steal_pointer (&peaks);
}
