/* SPDX-License-Identifier: MIT */
#include "ui/correct/vg-stroke.h"
#include <math.h>

/* A lasso ends within this fraction of its length from where it began, and is at least this long.
 */
#define CLOSED 0.15
#define LEAST_LASSO 12.0
/* A part has at least this fraction of the object. */
#define LEAST_PART 0.08
/* Objects touch if pixels of both are at most so far from each other, as for the engine; looked for
 * so far beside the stroke. */
enum { NEAR_PX = 2, BESIDE_PX = 16, MOST_LOOKED_AT = 1024 };
/* Points on a line, and on each side of the square in which a split object is looked at. */
enum { MOST_POINTS = 4096, GRID = 128 };
/* Its half side, in lengths of the stroke inside of the object. */
#define REACH 3.0
#define LEAST_REACH 16.0

static double
distance (VgPoint a, VgPoint b)
{
  return hypot (a.x - b.x, a.y - b.y);
}

static double
length_of (const VgPoint *line, guint n)
{
  double length = 0;

  for (guint i = 1; i < n; i++)
    length += distance (line[i - 1], line[i]);
  return length;
}

/* Points on LINE, a pixel apart unless they were too many. */
static GArray *
walk (const VgPoint *line, guint n, double length)
{
  const double step = MAX (1.0, length / MOST_POINTS);
  GArray *points = g_array_new (FALSE, FALSE, sizeof (VgPoint));
  double next = 0, before = 0;

  for (guint i = 1; i < n; i++)
    {
      double part = distance (line[i - 1], line[i]);

      for (; next <= before + part && part > 0; next += step)
        {
          double t = (next - before) / part;
          VgPoint at = { line[i - 1].x + t * (line[i].x - line[i - 1].x),
                         line[i - 1].y + t * (line[i].y - line[i - 1].y) };

          g_array_append_val (points, at);
        }
      before += part;
    }
  g_array_append_val (points, line[n - 1]);
  return points;
}

gboolean
vg_stroke_encloses (const VgPoint *line, guint n, VgPoint at)
{
  gboolean inside = FALSE;

  for (guint i = 0, j = n - 1; i < n; j = i++)
    if ((line[i].y > at.y) != (line[j].y > at.y) &&
        at.x < line[i].x + (at.y - line[i].y) * (line[j].x - line[i].x) / (line[j].y - line[i].y))
      inside = !inside;
  return inside;
}

static guint
index_of (const GArray *objects, guint32 number)
{
  guint i = 0;

  while (i < objects->len && g_array_index (objects, guint32, i) != number)
    i++;
  return i;
}

/* Whether the objects of SELF touch each other near POINTS, so that they are in one piece. */
static gboolean
do_touch (const VgStroke *self, const GArray *points, VgStrokeProbe probe, gpointer data)
{
  const guint n = self->objects->len;
  g_autofree guint *group = g_new (guint, n + 1);
  g_autofree VgPoint *centres = NULL;
  g_autofree guint32 *numbers = NULL;
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  int width, height;

  for (guint i = 0; i < points->len; i++)
    {
      const VgPoint *p = &g_array_index (points, VgPoint, i);

      left = MIN (left, floor (p->x) - BESIDE_PX);
      top = MIN (top, floor (p->y) - BESIDE_PX);
      right = MAX (right, floor (p->x) + BESIDE_PX);
      bottom = MAX (bottom, floor (p->y) + BESIDE_PX);
    }
  width = (int) MIN (right - left + 1, MOST_LOOKED_AT);
  height = (int) MIN (bottom - top + 1, MOST_LOOKED_AT);
  centres = g_new (VgPoint, width * height);
  numbers = g_new0 (guint32, width * height);
  for (int i = 0; i < width * height; i++)
    centres[i] = (VgPoint){ left + i % width + 0.5, top + i / width + 0.5 };
  probe (data, centres, (guint) (width * height), numbers);
  for (guint k = 0; k < n; k++)
    group[k] = k;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        guint a = index_of (self->objects, numbers[y * width + x]);

        for (int dy = 0; dy <= NEAR_PX && a < n; dy++)
          for (int dx = -NEAR_PX; dx <= NEAR_PX; dx++)
            {
              guint b = x + dx >= 0 && x + dx < width && y + dy < height
                            ? index_of (self->objects, numbers[(y + dy) * width + x + dx])
                            : n,
                    from, to;

              if (b >= n || group[a] == group[b])
                continue;
              from = group[b];
              to = group[a];
              for (guint k = 0; k < n; k++)
                group[k] = group[k] == from ? to : group[k];
            }
      }
  for (guint k = 1; k < n; k++)
    if (group[k] != group[0])
      return FALSE;
  return TRUE;
}

/* The seed of the whole: on the stroke, near its middle. */
static void
merge (VgStroke *self, const GArray *points, const guint32 *numbers, VgStrokeProbe probe,
       gpointer data)
{
  guint middle = points->len / 2, best = G_MAXUINT;

  self->kind = VG_STROKE_MERGE;
  for (guint i = 0; i < points->len; i++)
    {
      guint away = i > middle ? i - middle : middle - i;

      if (numbers[i] == 0)
        continue;
      if (index_of (self->objects, numbers[i]) == self->objects->len)
        g_array_append_val (self->objects, numbers[i]);
      if (best != G_MAXUINT && away >= (best > middle ? best - middle : middle - best))
        continue;
      best = i;
      self->seeds[0] = g_array_index (points, VgPoint, i);
    }
  if (!do_touch (self, points, probe, data))
    self->kind = VG_STROKE_APART;
}

/* A seed on either side of the line from A to B, as far from it as the middle of the narrower side
 * or nearer: what is nearer to one than to the other lies on its side.  FALSE: there is nearly
 * nothing on one side. */
static gboolean
find_parts (VgStroke *self, guint32 number, VgPoint a, VgPoint b, VgStrokeProbe probe,
            gpointer data)
{
  const double reach = MAX (REACH * distance (a, b), LEAST_REACH), step = 2 * reach / GRID;
  const VgPoint middle = { 0.5 * (a.x + b.x), 0.5 * (a.y + b.y) };
  g_autofree VgPoint *points = g_new (VgPoint, GRID * GRID);
  g_autofree guint32 *numbers = g_new0 (guint32, GRID * GRID);
  double sums[2] = { 0, 0 }, n[2] = { 0, 0 }, length = MAX (distance (a, b), 1.0), away;

  for (int i = 0; i < GRID * GRID; i++)
    points[i] = (VgPoint){ middle.x - reach + (i % GRID + 0.5) * step,
                           middle.y - reach + (i / GRID + 0.5) * step };
  probe (data, points, GRID * GRID, numbers);
  for (int i = 0; i < GRID * GRID; i++)
    {
      double beside = ((b.x - a.x) * (points[i].y - a.y) - (b.y - a.y) * (points[i].x - a.x)) /
                      length;
      int side = beside > 0;

      if (numbers[i] != number)
        continue;
      sums[side] += fabs (beside);
      n[side]++;
    }
  if (MIN (n[0], n[1]) < LEAST_PART * (n[0] + n[1]) || n[0] + n[1] == 0)
    return FALSE;
  away = MIN (sums[0] / n[0], sums[1] / n[1]);
  do
    {
      double dx = away * (a.y - b.y) / length, dy = away * (b.x - a.x) / length;
      guint32 found[2];

      self->seeds[0] = (VgPoint){ middle.x - dx, middle.y - dy };
      self->seeds[1] = (VgPoint){ middle.x + dx, middle.y + dy };
      probe (data, self->seeds, 2, found);
      if (found[0] == number && found[1] == number)
        return TRUE;
      away *= 0.75;
    }
  while (away > 1.0);
  return FALSE;
}

/* The object with the longest part of the stroke. */
static void
split (VgStroke *self, const GArray *points, const guint32 *numbers, VgStrokeProbe probe,
       gpointer data)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  guint32 number = 0;
  guint most = 0, first = 0, last = 0;

  for (guint i = 0; i < points->len; i++)
    {
      gpointer key = GUINT_TO_POINTER (numbers[i]);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1;

      g_hash_table_insert (counts, key, GUINT_TO_POINTER (count));
      if (numbers[i] == 0 || count <= most)
        continue;
      most = count;
      number = numbers[i];
    }
  if (number == 0)
    return;
  while (numbers[first] != number)
    first++;
  for (guint i = first; i < points->len; i++)
    last = numbers[i] == number ? i : last;
  self->kind = find_parts (self, number, g_array_index (points, VgPoint, first),
                           g_array_index (points, VgPoint, last), probe, data)
                   ? VG_STROKE_SPLIT
                   : VG_STROKE_SLIVER;
  g_array_append_val (self->objects, number);
}

void
vg_stroke_init (VgStroke *self, const VgPoint *line, guint n, VgStrokeProbe probe, gpointer data)
{
  const double length = length_of (line, n);
  g_autoptr (GArray) points = NULL;
  g_autofree guint32 *numbers = NULL;
  guint32 from, to;

  *self = (VgStroke){ .objects = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  if (n < 2 || length < 2)
    return;
  if (n > 2 && length >= LEAST_LASSO && distance (line[0], line[n - 1]) <= CLOSED * length)
    {
      self->kind = VG_STROKE_LASSO;
      return;
    }
  points = walk (line, n, length);
  numbers = g_new0 (guint32, points->len);
  probe (data, (const VgPoint *) (gconstpointer) points->data, points->len, numbers);
  from = numbers[0];
  to = numbers[points->len - 1];
  if (from != 0 && to != 0 && from != to)
    merge (self, points, numbers, probe, data);
  else
    split (self, points, numbers, probe, data);
}

void
vg_stroke_clear (VgStroke *self)
{
  g_clear_pointer (&self->objects, g_array_unref);
}
