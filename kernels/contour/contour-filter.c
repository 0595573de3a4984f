/* SPDX-License-Identifier: MIT */
#include "contour-filter.h"
#include <math.h>
#include <string.h>

static void
blur_row (const float *in, float *out, gsize step, int n, const float *kernel, int radius, float *line)
{
  for (int i = -radius; i < n + radius; i++)
    line[i + radius] = in[(gsize) CLAMP (i, 0, n - 1) * step];
  for (int i = 0; i < n; i++)
    {
      float sum = 0.0f;

      for (int k = 0; k <= 2 * radius; k++)
        sum += kernel[k] * line[i + k];
      out[(gsize) i * step] = sum;
    }
}

void
vg_contour_gaussian (float *plane, int width, int height, double sigma)
{
  int radius = (int) ceil (4.0 * sigma), longest = MAX (width, height);
  g_autofree float *kernel = g_new (float, 2 * radius + 1);
  double sum = 0.0;

  if (sigma <= 0.0)
    return;
  for (int k = -radius; k <= radius; k++)
    sum += exp (-0.5 * k * k / (sigma * sigma));
  for (int k = -radius; k <= radius; k++)
    kernel[k + radius] = (float) (exp (-0.5 * k * k / (sigma * sigma)) / sum);
#pragma omp parallel
  {
    float *line = g_new (float, longest + 2 * radius);

#pragma omp for schedule(static)
    for (int y = 0; y < height; y++)
      blur_row (plane + (gsize) y * (gsize) width, plane + (gsize) y * (gsize) width, 1, width, kernel, radius, line);
#pragma omp for schedule(static)
    for (int x = 0; x < width; x++)
      blur_row (plane + x, plane + x, (gsize) width, height, kernel, radius, line);
    g_free (line);
  }
}

enum { BINS = 65536, OTSU_BINS = 256 };

static guint64 *
histogram (const float *samples, gsize n, int bins, float *low, float *high)
{
  guint64 *counts = g_new0 (guint64, bins);
  float least = INFINITY, most = -INFINITY;

  for (gsize i = 0; i < n; i++)
    {
      least = MIN (least, samples[i]);
      most = MAX (most, samples[i]);
    }
  *low = least;
  *high = most;
  if (most > least)
    for (gsize i = 0; i < n; i++)
      counts[MIN ((int) ((samples[i] - least) / (most - least) * (float) bins), bins - 1)]++;
  return counts;
}

float
vg_contour_percentile (const float *samples, gsize n, double q)
{
  float low, high;
  g_autofree guint64 *counts = histogram (samples, n, BINS, &low, &high);
  guint64 below = 0, wanted = (guint64) (q * (double) n);

  if (!(high > low))
    return low;
  for (int i = 0; i < BINS; i++)
    {
      below += counts[i];
      if (below > wanted)
        return low + (high - low) * ((float) i + 0.5f) / BINS;
    }
  return high;
}

float
vg_contour_otsu (const float *samples, gsize n)
{
  float low, high;
  g_autofree guint64 *counts = histogram (samples, n, OTSU_BINS, &low, &high);
  double total = 0.0, below = 0.0, sum = 0.0, best = -1.0;
  int at = 0;

  if (!(high > low))
    return low;
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

/* Lower envelope of the parabolas f (q) + (p - q)^2. */
static void
envelope (const double *f, double *d, int n, int *v, double *z)
{
  int k = 0;

  v[0] = 0;
  z[0] = -INFINITY;
  z[1] = INFINITY;
  for (int q = 1; q < n; q++)
    {
      double s = ((f[q] + (double) q * q) - (f[v[k]] + (double) v[k] * v[k])) / (2.0 * q - 2.0 * v[k]);

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

void
vg_contour_distance (const guint8 *mask, float *distance, int width, int height)
{
  const double far = 1e12;
  int longest = MAX (width, height);

#pragma omp parallel
  {
    double *f = g_new (double, longest), *d = g_new (double, longest), *z = g_new (double, longest + 1);
    int *v = g_new (int, longest);

#pragma omp for schedule(static)
    for (int x = 0; x < width; x++)
      {
        for (int y = 0; y < height; y++)
          f[y] = mask[(gsize) y * (gsize) width + (gsize) x] ? far : 0.0;
        envelope (f, d, height, v, z);
        for (int y = 0; y < height; y++)
          distance[(gsize) y * (gsize) width + (gsize) x] = (float) MIN (d[y], far);
      }
#pragma omp for schedule(static)
    for (int y = 0; y < height; y++)
      {
        float *row = distance + (gsize) y * (gsize) width;

        for (int x = 0; x < width; x++)
          f[x] = row[x];
        envelope (f, d, width, v, z);
        for (int x = 0; x < width; x++)
          row[x] = (float) sqrt (MIN (d[x], (double) longest * longest));
      }
    g_free (f);
    g_free (d);
    g_free (z);
    g_free (v);
  }
}

int
vg_contour_components (const guint8 *mask, gint32 **labels, int width, int height)
{
  gsize n = (gsize) width * (gsize) height;
  gint32 *label = *labels = g_new0 (gint32, n);
  g_autofree gsize *stack = g_new (gsize, n);
  int count = 0;

  for (gsize start = 0; start < n; start++)
    {
      gsize depth = 0;

      if (!mask[start] || label[start] != 0)
        continue;
      label[start] = ++count;
      stack[depth++] = start;
      while (depth > 0)
        {
          gsize i = stack[--depth], x = i % (gsize) width;
          const gsize next[] = { x > 0 ? i - 1 : i, x + 1 < (gsize) width ? i + 1 : i, i >= (gsize) width ? i - (gsize) width : i,
                                 i + (gsize) width < n ? i + (gsize) width : i };

          for (int k = 0; k < 4; k++)
            if (mask[next[k]] && label[next[k]] == 0)
              {
                label[next[k]] = count;
                stack[depth++] = next[k];
              }
        }
    }
  return count;
}

/* Flips the areas of VALUE in MASK that are smaller than LEAST pixels, but for
 * those at the edge when KEEP_EDGE. */
static void
flip_small (guint8 *mask, int width, int height, guint8 value, int least, gboolean keep_edge)
{
  gsize n = (gsize) width * (gsize) height;
  g_autofree guint8 *wanted = g_malloc (n);
  g_autofree gint32 *labels = NULL;
  g_autofree int *sizes = NULL;
  int count;

  for (gsize i = 0; i < n; i++)
    wanted[i] = (mask[i] != 0) == (value != 0);
  count = vg_contour_components (wanted, &labels, width, height);
  sizes = g_new0 (int, count + 1);
  for (gsize i = 0; i < n; i++)
    {
      gsize x = i % (gsize) width, y = i / (gsize) width;
      gboolean edge = x == 0 || y == 0 || x + 1 == (gsize) width || y + 1 == (gsize) height;

      sizes[labels[i]] = keep_edge && edge ? G_MAXINT : sizes[labels[i]] + (sizes[labels[i]] < G_MAXINT);
    }
  for (gsize i = 0; i < n; i++)
    if (wanted[i] && sizes[labels[i]] < least)
      mask[i] = !value;
}

void
vg_contour_clean (guint8 *mask, int width, int height, int hole, int speck)
{
  flip_small (mask, width, height, 0, hole, TRUE);
  flip_small (mask, width, height, 1, speck, FALSE);
}

/* ---- Watershed ---- */

typedef struct
{
  float value;
  guint32 order;             /* first come, first served */
  guint32 pixel;
} Entry;

static gboolean
before (const Entry *a, const Entry *b)
{
  return a->value != b->value ? a->value > b->value : a->order < b->order;
}

static void
heap_push (GArray *heap, const Entry *entry)
{
  guint i = heap->len;
  Entry *e;

  g_array_append_val (heap, *entry);
  e = &g_array_index (heap, Entry, 0);
  while (i > 0 && before (&e[i], &e[(i - 1) / 2]))
    {
      Entry t = e[i];

      e[i] = e[(i - 1) / 2];
      e[(i - 1) / 2] = t;
      i = (i - 1) / 2;
    }
}

static Entry
heap_pop (GArray *heap)
{
  Entry *e = &g_array_index (heap, Entry, 0), top = e[0];
  guint n = heap->len - 1, i = 0;

  e[0] = e[n];
  g_array_set_size (heap, n);
  for (;;)
    {
      guint child = 2 * i + 1;
      Entry t;

      if (child >= n)
        return top;
      if (child + 1 < n && before (&e[child + 1], &e[child]))
        child++;
      if (!before (&e[child], &e[i]))
        return top;
      t = e[i];
      e[i] = e[child];
      e[child] = t;
      i = child;
    }
}

void
vg_contour_flood (const float *plane, const guint8 *mask, gint32 *labels, int width, int height)
{
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (Entry));
  gsize n = (gsize) width * (gsize) height;
  guint32 order = 0;

  for (gsize i = 0; i < n; i++)
    if (labels[i] > 0)
      heap_push (heap, &(Entry) { plane[i], order++, (guint32) i });
  while (heap->len > 0)
    {
      gsize i = heap_pop (heap).pixel, x = i % (gsize) width;
      const gsize next[] = { x > 0 ? i - 1 : i, x + 1 < (gsize) width ? i + 1 : i, i >= (gsize) width ? i - (gsize) width : i,
                             i + (gsize) width < n ? i + (gsize) width : i };

      for (int k = 0; k < 4; k++)
        if (mask[next[k]] && labels[next[k]] == 0)
          {
            labels[next[k]] = labels[i];
            heap_push (heap, &(Entry) { plane[next[k]], order++, (guint32) next[k] });
          }
    }
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
  GArray *all = g_array_new (FALSE, FALSE, sizeof (VgContourPeak)), *peaks = g_array_new (FALSE, FALSE, sizeof (VgContourPeak));
  int reach = MAX ((int) ceil (distance), 1), columns = width / reach + 1, rows = height / reach + 1;
  g_autofree gint32 *cells = NULL, *next = NULL;   /* peaks by cells of DISTANCE: a list in each */

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (plane[(gsize) y * (gsize) width + (gsize) x] > threshold && is_maximum (plane, width, height, x, y))
        {
          VgContourPeak peak = { (float) x + 0.5f, (float) y + 0.5f, plane[(gsize) y * (gsize) width + (gsize) x] };

          g_array_append_val (all, peak);
        }
  g_array_sort (all, by_value);
  cells = g_new (gint32, (gsize) columns * (gsize) rows);
  memset (cells, 0xff, sizeof (gint32) * (gsize) columns * (gsize) rows);
  next = g_new (gint32, MAX (all->len, 1));
  for (guint k = 0; k < all->len; k++)
    {
      const VgContourPeak *peak = &g_array_index (all, VgContourPeak, k);
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
  g_array_unref (all);
  return peaks;
}
