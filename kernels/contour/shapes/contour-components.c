/* SPDX-License-Identifier: MIT */
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/model/contour-memory.h"
#include <string.h>
/* Parts and watersheds of masks, by the runs of their rows. */

gboolean
vg_contour_next_run (const guint8 *row, int width, guint8 value, int *start, int *end)
{
  const guint8 *at = *end < width ? memchr (row + *end, value, (gsize) (width - *end)) : NULL;

  if (at == NULL)
    return FALSE;
  *start = (int) (at - row);
  at = memchr (at, !value, (gsize) (width - *start));
  *end = at == NULL ? width : (int) (at - row);
  return TRUE;
}

typedef struct
{
  int y, start, end;
  guint first; /* an earlier run of its part, or itself */
} Run;

static guint
first_of (Run *runs, guint i)
{
  while (runs[i].first != i)
    i = runs[i].first = runs[runs[i].first].first;
  return i;
}

/* Adds the runs of VALUE to FOUND, row by row; first_of() gives the same run for all of a part. */
static gboolean
find_runs (const guint8 *mask, int width, int height, guint8 value, VgContourList *found)
{
  guint above = 0, here = 0;

  for (int y = 0; y < height; y++)
    {
      Run run = { .y = y };
      guint k = above;

      here = (guint) found->n;
      while (vg_contour_next_run (mask + (gsize) y * (gsize) width, width, value, &run.start,
                                  &run.end))
        {
          Run *fresh = vg_contour_list_add (found), *runs = found->items;

          if (fresh == NULL)
            return FALSE;
          run.first = (guint) found->n - 1;
          *fresh = run;
          while (k < here && runs[k].end <= run.start)
            k++;
          for (guint i = k; i < here && runs[i].start < run.end; i++)
            {
              guint a = first_of (runs, i), b = first_of (runs, run.first);

              runs[MAX (a, b)].first = MIN (a, b);
            }
        }
      above = here;
    }
  return TRUE;
}

GArray *
vg_contour_components (const guint8 *mask, gint32 *labels, int width, int height)
{
  g_auto (VgContourList) found = { .size = sizeof (Run) };
  gboolean good = find_runs (mask, width, height, 1, &found);
  g_autofree gint32 *names = good ? g_try_new (gint32, found.n + 1) : NULL;
  Run *runs = found.items;
  GArray *parts;

  if (names == NULL)
    return NULL;
  parts = g_array_new (FALSE, FALSE, sizeof (VgContourPart));
  memset (labels, 0, (gsize) width * (gsize) height * sizeof *labels);
  for (guint i = 0; i < found.n; i++)
    {
      const Run *run = &runs[i];
      guint first = first_of (runs, i);
      gsize at = (gsize) run->y * (gsize) width;
      VgContourPart *part,
          fresh = { run->start, run->y, run->end, run->y + 1, 0, at + (gsize) run->start };

      if (first == i)
        {
          g_array_append_val (parts, fresh);
          names[i] = (gint32) parts->len;
        }
      names[i] = names[first];
      part = &g_array_index (parts, VgContourPart, names[i] - 1);
      part->left = MIN (part->left, run->start);
      part->right = MAX (part->right, run->end);
      part->bottom = run->y + 1;
      part->size += (gsize) (run->end - run->start);
      for (int x = run->start; x < run->end; x++)
        labels[at + (gsize) x] = names[i];
    }
  return parts;
}

/* Flips the areas of VALUE in MASK that are smaller than LEAST pixels, except
 * at the edge with KEEP_EDGE. */
static gboolean
flip_small (guint8 *mask, int width, int height, guint8 value, int least, gboolean keep_edge)
{
  g_auto (VgContourList) found = { .size = sizeof (Run) };
  gboolean good = find_runs (mask, width, height, value, &found);
  g_autofree gsize *sizes = good ? g_try_new0 (gsize, found.n + 1) : NULL;
  Run *runs = found.items;

  if (sizes == NULL)
    return FALSE;
  for (guint i = 0; i < found.n; i++)
    {
      const Run *run = &runs[i];
      gboolean edge = run->start == 0 || run->y == 0 || run->end == width || run->y + 1 == height;
      gsize *size = &sizes[first_of (runs, i)];

      *size = keep_edge && edge ? G_MAXINT
                                : MIN (*size + (gsize) (run->end - run->start), G_MAXINT);
    }
  for (guint i = 0; i < found.n; i++)
    if (sizes[first_of (runs, i)] < (gsize) MAX (least, 0))
      memset (mask + (gsize) runs[i].y * (gsize) width + runs[i].start, !value,
              (gsize) (runs[i].end - runs[i].start));
  return TRUE;
}

gboolean
vg_contour_clean (guint8 *mask, int width, int height, int hole, int speck)
{
  return flip_small (mask, width, height, 0, hole, TRUE) &&
         flip_small (mask, width, height, 1, speck, FALSE);
}

/* ---- Watershed ---- */

typedef struct
{
  guint64 key; /* the lowest first: by falling value, then first come, first served */
  gsize pixel;
} Entry;

/* Floats as whole numbers in the reverse order. */
static guint64
key_of (float value, guint32 order)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = bits & 0x80000000u ? bits : ~bits ^ 0x80000000u;
  return (guint64) bits << 32 | order;
}

static gboolean
heap_push (VgContourList *heap, guint64 key, gsize pixel)
{
  gsize i = heap->n;
  Entry *e;

  if (vg_contour_list_add (heap) == NULL)
    return FALSE;
  e = heap->items;
  for (; i > 0 && e[(i - 1) / 2].key > key; i = (i - 1) / 2)
    e[i] = e[(i - 1) / 2];
  e[i] = (Entry){ key, pixel };
  return TRUE;
}

static gsize
heap_pop (VgContourList *heap)
{
  Entry *e = heap->items, last = e[heap->n - 1];
  gsize top = e[0].pixel, n = --heap->n, i = 0;

  for (gsize child; (child = 2 * i + 1) < n; i = child)
    {
      if (child + 1 < n && e[child + 1].key < e[child].key)
        child++;
      if (e[child].key >= last.key)
        break;
      e[i] = e[child];
    }
  e[i] = last;
  return top;
}

/* A pixel that has its label from the start. */
typedef struct
{
  guint part; /* its first run */
  gsize pixel;
} Source;

static int
by_part (gconstpointer a, gconstpointer b)
{
  const Source *p = a, *q = b;

  return p->part != q->part ? (p->part > q->part) - (p->part < q->part)
                            : (p->pixel > q->pixel) - (p->pixel < q->pixel);
}

/* Adds the labelled pixels to SOURCES, part by part, and row by row in each. */
static gboolean
find_sources (const guint8 *mask, const gint32 *labels, int width, int height,
              VgContourList *sources)
{
  gsize n = (gsize) width * (gsize) height;
  g_autofree guint8 *all = g_try_malloc (n); /* they need not lie in the mask */
  g_auto (VgContourList) found = { .size = sizeof (Run) };
  Source *source;

  if (all == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    all[i] = mask[i] || labels[i] > 0;
  if (!find_runs (all, width, height, 1, &found))
    return FALSE;
  for (guint i = 0; i < found.n; i++)
    {
      const Run *run = (const Run *) found.items + i;

      for (int x = run->start; x < run->end; x++)
        {
          gsize pixel = (gsize) run->y * (gsize) width + (gsize) x;

          if (labels[pixel] <= 0)
            continue;
          source = vg_contour_list_add (sources);
          if (source == NULL)
            return FALSE;
          *source = (Source){ first_of (found.items, i), pixel };
        }
    }
  if (sources->n > 0)
    qsort (sources->items, sources->n, sizeof (Source), by_part);
  return TRUE;
}

/* Floods from the pixels in the heap. */
static gboolean
flood (const float *plane, const guint8 *mask, gint32 *labels, int width, int height,
       VgContourList *heap, guint32 order)
{
  gsize n = (gsize) width * (gsize) height, w = (gsize) width;

  while (heap->n > 0)
    {
      gsize i = heap_pop (heap), x = i % w;
      const gsize next[] = { x > 0 ? i - 1 : i, x + 1 < w ? i + 1 : i, i >= w ? i - w : i,
                             i + w < n ? i + w : i };

      for (int k = 0; k < 4; k++)
        if (mask[next[k]] && labels[next[k]] == 0)
          {
            labels[next[k]] = labels[i];
            if (!heap_push (heap, key_of (plane[next[k]], order++), next[k]))
              return FALSE;
          }
    }
  return TRUE;
}

/* Each part is flooded separately, which only shortens the heap. */
gboolean
vg_contour_flood (const float *plane, const guint8 *mask, gint32 *labels, int width, int height)
{
  g_auto (VgContourList) sources = { .size = sizeof (Source) }, starts = { .size = sizeof (gsize) };
  const Source *source;
  gboolean good = TRUE;

  if (!find_sources (mask, labels, width, height, &sources))
    return FALSE;
  source = sources.items;
  for (gsize k = 0; k < sources.n; k++)
    if (k == 0 || source[k].part != source[k - 1].part)
      {
        gsize *start = vg_contour_list_add (&starts);

        if (start == NULL)
          return FALSE;
        *start = k;
      }
#pragma omp parallel reduction(&& : good)
  {
    VgContourList heap = { .size = sizeof (Entry) };

#pragma omp for schedule(dynamic, 16)
    for (gsize i = 0; i < starts.n; i++)
      {
        gsize k = ((const gsize *) starts.items)[i];
        guint part = source[k].part;
        guint32 order = 0;

        for (; good && k < sources.n && source[k].part == part; k++)
          good = heap_push (&heap, key_of (plane[source[k].pixel], order++), source[k].pixel);
        good = good && flood (plane, mask, labels, width, height, &heap, order);
      }
    vg_contour_list_clear (&heap);
  }
  return good;
}
