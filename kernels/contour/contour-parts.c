/* SPDX-License-Identifier: MIT */
#include "contour-filter.h"
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
  guint first;               /* an earlier run of its part, or itself */
} Run;

static guint
first_of (Run *runs, guint i)
{
  while (runs[i].first != i)
    i = runs[i].first = runs[runs[i].first].first;
  return i;
}

/* Runs of VALUE, row by row; those of a part have one first run, by first_of(). */
static GArray *
find_runs (const guint8 *mask, int width, int height, guint8 value)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Run));
  guint above = 0, here = 0;

  for (int y = 0; y < height; y++)
    {
      Run run = { .y = y };
      guint k = above;

      here = found->len;
      while (vg_contour_next_run (mask + (gsize) y * (gsize) width, width, value, &run.start, &run.end))
        {
          Run *runs;

          run.first = found->len;
          g_array_append_val (found, run);
          runs = &g_array_index (found, Run, 0);
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
  return found;
}

GArray *
vg_contour_components (const guint8 *mask, gint32 *labels, int width, int height)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (VgContourPart));
  g_autoptr (GArray) found = find_runs (mask, width, height, 1);
  g_autofree gint32 *names = g_new (gint32, found->len + 1);
  Run *runs = (Run *) (void *) found->data;

  memset (labels, 0, (gsize) width * (gsize) height * sizeof *labels);
  for (guint i = 0; i < found->len; i++)
    {
      const Run *run = &runs[i];
      guint first = first_of (runs, i);
      gsize at = (gsize) run->y * (gsize) width;
      VgContourPart *part, fresh = { run->start, run->y, run->end, run->y + 1, 0, at + (gsize) run->start };

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

/* Flips the areas of VALUE in MASK that are smaller than LEAST pixels, but for
 * those at the edge when KEEP_EDGE. */
static void
flip_small (guint8 *mask, int width, int height, guint8 value, int least, gboolean keep_edge)
{
  g_autoptr (GArray) found = find_runs (mask, width, height, value);
  g_autofree gsize *sizes = g_new0 (gsize, found->len + 1);
  Run *runs = (Run *) (void *) found->data;

  for (guint i = 0; i < found->len; i++)
    {
      const Run *run = &runs[i];
      gboolean edge = run->start == 0 || run->y == 0 || run->end == width || run->y + 1 == height;
      gsize *size = &sizes[first_of (runs, i)];

      *size = keep_edge && edge ? G_MAXINT : MIN (*size + (gsize) (run->end - run->start), G_MAXINT);
    }
  for (guint i = 0; i < found->len; i++)
    if (sizes[first_of (runs, i)] < (gsize) MAX (least, 0))
      memset (mask + (gsize) runs[i].y * (gsize) width + runs[i].start, !value, (gsize) (runs[i].end - runs[i].start));
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
  guint64 key;               /* the lowest first: by falling value, then first come, first served */
  gsize pixel;
} Entry;

/* Floats as whole numbers in their order, turned round. */
static guint64
key_of (float value, guint32 order)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = bits & 0x80000000u ? bits : ~bits ^ 0x80000000u;
  return (guint64) bits << 32 | order;
}

static void
heap_push (GArray *heap, guint64 key, gsize pixel)
{
  guint i = heap->len;
  Entry *e, fresh = { key, pixel };

  g_array_append_val (heap, fresh);
  e = (Entry *) (void *) heap->data;
  for (; i > 0 && e[(i - 1) / 2].key > key; i = (i - 1) / 2)
    e[i] = e[(i - 1) / 2];
  e[i] = fresh;
}

static gsize
heap_pop (GArray *heap)
{
  Entry *e = (Entry *) (void *) heap->data, last = e[heap->len - 1];
  gsize top = e[0].pixel;
  guint n = --heap->len, i = 0;

  for (guint child; (child = 2 * i + 1) < n; i = child)
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
  guint part;                /* its first run */
  gsize pixel;
} Source;

static int
by_part (gconstpointer a, gconstpointer b)
{
  const Source *p = a, *q = b;

  return p->part != q->part ? (p->part > q->part) - (p->part < q->part) : (p->pixel > q->pixel) - (p->pixel < q->pixel);
}

/* The labelled pixels, part by part, in each row by row. */
static GArray *
find_sources (const guint8 *mask, const gint32 *labels, int width, int height)
{
  gsize n = (gsize) width * (gsize) height;
  GArray *sources = g_array_new (FALSE, FALSE, sizeof (Source));
  g_autofree guint8 *all = g_malloc (n);   /* they need not lie in the mask */
  g_autoptr (GArray) found = NULL;
  Source source;

  for (gsize i = 0; i < n; i++)
    all[i] = mask[i] || labels[i] > 0;
  found = find_runs (all, width, height, 1);
  for (guint i = 0; i < found->len; i++)
    {
      const Run *run = &g_array_index (found, Run, i);

      source.part = first_of ((Run *) (void *) found->data, i);
      for (int x = run->start; x < run->end; x++)
        {
          source.pixel = (gsize) run->y * (gsize) width + (gsize) x;
          if (labels[source.pixel] > 0)
            g_array_append_val (sources, source);
        }
    }
  g_array_sort (sources, by_part);
  return sources;
}

/* What is in the heap, to its end. */
static void
flood (const float *plane, const guint8 *mask, gint32 *labels, int width, int height, GArray *heap, guint32 order)
{
  gsize n = (gsize) width * (gsize) height, w = (gsize) width;

  while (heap->len > 0)
    {
      gsize i = heap_pop (heap), x = i % w;
      const gsize next[] = { x > 0 ? i - 1 : i, x + 1 < w ? i + 1 : i, i >= w ? i - w : i, i + w < n ? i + w : i };

      for (int k = 0; k < 4; k++)
        if (mask[next[k]] && labels[next[k]] == 0)
          {
            labels[next[k]] = labels[i];
            heap_push (heap, key_of (plane[next[k]], order++), next[k]);
          }
    }
}

/* Each part by itself, which changes nothing but the length of the heap. */
void
vg_contour_flood (const float *plane, const guint8 *mask, gint32 *labels, int width, int height)
{
  g_autoptr (GArray) sources = find_sources (mask, labels, width, height);
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (guint));
  const Source *source = (const Source *) (const void *) sources->data;

  for (guint k = 0; k < sources->len; k++)
    if (k == 0 || source[k].part != source[k - 1].part)
      g_array_append_val (starts, k);
#pragma omp parallel
  {
    GArray *heap = g_array_new (FALSE, FALSE, sizeof (Entry));

#pragma omp for schedule(dynamic, 16)
    for (guint i = 0; i < starts->len; i++)
      {
        guint k = g_array_index (starts, guint, i), part = source[k].part;
        guint32 order = 0;

        for (; k < sources->len && source[k].part == part; k++)
          heap_push (heap, key_of (plane[source[k].pixel], order++), source[k].pixel);
        flood (plane, mask, labels, width, height, heap, order);
      }
    g_array_unref (heap);
  }
}
