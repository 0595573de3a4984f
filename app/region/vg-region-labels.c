/* SPDX-License-Identifier: MIT */
/* Follows the borders of each label once, with the label on the right.  Corners are the centres of
 * pixel edges, so slanted borders are straight.  Pieces and holes are joined by two lines in the
 * same place along whole coordinates, where no pixel has its centre. */
#include "app/region/vg-region-labels.h"
#include <math.h>
#include <string.h>
#include "app/session/vg-session.h"
#include "kernels/base/vg-statistics.h"

/* Most corners of all borders: far more than any image of cells has. */
#define MOST_CORNERS (G_GINT64_CONSTANT (50) << 20)
/* Tolerances, in pixels, with which an outline of too many corners is simplified. */
static const double tolerances[] = { 0.2, 0.3, 0.4, 0.5, 0.7, 1,  1.5, 2,  3,
                                     5,   8,   13,  21,  34,  55, 89,  144 };
enum { MOST_INSPECTED = 20000 };

typedef struct
{
  double x, y;
} Corner;

typedef struct
{
  guint32 number;
  GPtrArray *borders; /* of GArray of Corner, closed */
} Label;

typedef struct
{
  const VgImage *mask;
  int width, height;
  guint8 *walked;    /* for each pixel: bit D is set once its edge in direction D was followed */
  GPtrArray *labels; /* of Label */
  GHashTable *by_number;
  gint64 corners;
} Walk;

/* Right, down, left, up: along the upper, right, lower and left edge of a pixel. */
static const int ahead[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };

static guint32
label_at (const Walk *self, int x, int y)
{
  return x < 0 || y < 0 || x >= self->width || y >= self->height
             ? 0
             : (guint32) vg_image_sample (self->mask, (gsize) y * (gsize) self->width + (gsize) x);
}

/* Replaces the last corner if it lies on a line with its neighbours. */
static void
add_corner (GArray *border, Corner corner)
{
  if (border->len >= 2)
    {
      Corner *b = &g_array_index (border, Corner, border->len - 1), *a = b - 1;

      if ((b->x - a->x) * (corner.y - b->y) == (b->y - a->y) * (corner.x - b->x))
        {
          *b = corner;
          return;
        }
    }
  g_array_append_val (border, corner);
}

static GArray *
walk_border (Walk *self, guint32 number, int x, int y, int d)
{
  GArray *border = g_array_new (FALSE, FALSE, sizeof (Corner));
  int x0 = x, y0 = y, d0 = d;

  do
    {
      int left = (d + 3) % 4, px = x + ahead[d][0], py = y + ahead[d][1];
      Corner middle = { x + 0.5 + 0.5 * ahead[left][0], y + 0.5 + 0.5 * ahead[left][1] };

      self->walked[(gsize) y * (gsize) self->width + (gsize) x] |= (guint8) (1 << d);
      add_corner (border, middle);
      if (label_at (self, px, py) != number)
        d = (d + 1) % 4;
      else if (label_at (self, px + ahead[left][0], py + ahead[left][1]) != number)
        {
          x = px;
          y = py;
        }
      else
        {
          x = px + ahead[left][0];
          y = py + ahead[left][1];
          d = left;
        }
    }
  while (x != x0 || y != y0 || d != d0);
  self->corners += border->len;
  return border;
}

static void
free_label (gpointer data)
{
  Label *label = data;

  g_ptr_array_unref (label->borders);
  g_free (label);
}

static Label *
find_label (Walk *self, guint32 number)
{
  Label *label = g_hash_table_lookup (self->by_number, GUINT_TO_POINTER (number));

  if (label == NULL)
    {
      label = g_new (Label, 1);
      *label = (Label){ number, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref) };
      g_ptr_array_add (self->labels, label);
      g_hash_table_insert (self->by_number, GUINT_TO_POINTER (number), label);
    }
  return label;
}

/* FALSE: there are more than MOST labels, or too many corners. */
static gboolean
walk_all (Walk *self, guint most)
{
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      {
        guint32 number = label_at (self, x, y);

        for (int d = 0; d < 4 && number > 0; d++)
          {
            int left = (d + 3) % 4;

            if (!(self->walked[(gsize) y * (gsize) self->width + (gsize) x] & 1 << d) &&
                label_at (self, x + ahead[left][0], y + ahead[left][1]) != number)
              g_ptr_array_add (find_label (self, number)->borders,
                               walk_border (self, number, x, y, d));
          }
        if (self->labels->len > most || self->corners > MOST_CORNERS)
          return FALSE;
      }
  return TRUE;
}

static double
area_of (const GArray *border)
{
  double sum = 0;

  for (guint i = 0, j = border->len - 1; i < border->len; j = i++)
    {
      const Corner *a = &g_array_index (border, Corner, j), *b = &g_array_index (border, Corner, i);

      sum += a->x * b->y - b->x * a->y;
    }
  return fabs (sum / 2);
}

static int
compare_borders (gconstpointer a, gconstpointer b)
{
  double x = area_of (*(GArray *const *) a), y = area_of (*(GArray *const *) b);

  return (x < y) - (x > y);
}

/* A stretch of a border; its ends are kept. */
typedef struct
{
  guint first, last;
} Stretch;

/* The corner of the stretch that is farthest from the line between its ends; 0: all lie within
 * TOLERANCE. */
static guint
find_furthest (const GArray *border, Stretch stretch, double tolerance)
{
  const Corner *a = &g_array_index (border, Corner, stretch.first),
               *b = &g_array_index (border, Corner, stretch.last);
  double length = hypot (b->x - a->x, b->y - a->y), furthest = tolerance;
  guint at = 0;

  for (guint i = stretch.first + 1; i < stretch.last; i++)
    {
      const Corner *c = &g_array_index (border, Corner, i);
      double away = length > 0
                        ? fabs ((b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x)) /
                              length
                        : hypot (c->x - a->x, c->y - a->y);

      if (away > furthest)
        {
          furthest = away;
          at = i;
        }
    }
  return at;
}

/* Douglas and Peucker, Cartographica 10, 112 (1973); of very many corners some are inspected. */
static GArray *
simplify (const GArray *border, double tolerance)
{
  guint step = border->len / MOST_INSPECTED + 1, n = (border->len + step - 1) / step;
  g_autoptr (GArray) coarse = g_array_sized_new (FALSE, FALSE, sizeof (Corner), n);
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));
  GArray *simple = g_array_new (FALSE, FALSE, sizeof (Corner));
  g_autofree guint8 *kept = g_malloc0 (n);

  for (guint i = 0; i < border->len; i += step)
    g_array_append_val (coarse, g_array_index (border, Corner, i));
  kept[0] = kept[n / 2] = kept[n - 1] = 1;
  g_array_append_vals (stretches, ((Stretch[]){ { 0, n / 2 }, { n / 2, n - 1 } }), 2);
  while (stretches->len > 0)
    {
      Stretch stretch = g_array_index (stretches, Stretch, stretches->len - 1);
      guint at = find_furthest (coarse, stretch, tolerance);

      g_array_set_size (stretches, stretches->len - 1);
      if (at == 0)
        continue;
      kept[at] = 1;
      g_array_append_vals (stretches, ((Stretch[]){ { stretch.first, at }, { at, stretch.last } }),
                           2);
    }
  for (guint i = 0; i < n; i++)
    if (kept[i])
      g_array_append_val (simple, g_array_index (coarse, Corner, i));
  return simple;
}

static void
put (VgRegion *region, double x, double y)
{
  region->x[region->n_points] = x;
  region->y[region->n_points++] = y;
}

/* Adds BORDER, joined to the first one along whole coordinates. */
static void
put_border (VgRegion *region, const GArray *border)
{
  const Corner *start = &g_array_index (border, Corner, 0);
  gboolean first = region->n_points == 0;
  double x0 = floor (region->x[0]), y0 = floor (region->y[0]), x1 = floor (start->x),
         y1 = floor (start->y);
  double ax = region->x[0], ay = region->y[0];

  if (!first)
    {
      put (region, ax, ay);
      put (region, x0, y0);
      put (region, x1, y0);
      put (region, x1, y1);
    }
  for (guint i = 0; i < border->len; i++)
    put (region, g_array_index (border, Corner, i).x, g_array_index (border, Corner, i).y);
  if (!first)
    {
      put (region, start->x, start->y);
      put (region, x1, y1);
      put (region, x1, y0);
      put (region, x0, y0);
    }
}

/* Corners that join a border to the first one, there and back. */
enum { WAY = 8 };

/* Adds the largest borders that fit, simplified by at most TOLERANCE; TRUE: all of them do. */
static gboolean
fill (VgRegion *region, const GPtrArray *borders, double tolerance)
{
  gboolean all = TRUE;

  *region = (VgRegion){ .kind = VG_REGION_POLYGON };
  for (guint i = 0; i < borders->len; i++)
    {
      const GArray *border = borders->pdata[i];
      g_autoptr (GArray) simple = tolerance > 0 && border->len > 8
                                      ? simplify (border, tolerance)
                                      : g_array_ref ((GArray *) border);

      if (simple->len < 3)
        continue;
      if (region->n_points + (int) simple->len + (i > 0 ? WAY : 0) > VG_REGION_MAX_POINTS)
        {
          all = FALSE;
          break;
        }
      put_border (region, simple);
    }
  return all && region->n_points >= 3;
}

/* Compares REGION with the pixels of LABEL. */
static VgSimplified
compare (const Walk *walk, const VgRegion *region, const Label *label)
{
  int x0 = walk->width, y0 = walk->height, x1 = 0, y1 = 0;
  VgSimplified change = { .outlines = 1 };

  for (guint i = 0; i < label->borders->len; i++)
    for (guint k = 0; k < ((GArray *) label->borders->pdata[i])->len; k++)
      {
        const Corner *c = &g_array_index ((GArray *) label->borders->pdata[i], Corner, k);

        x0 = MIN (x0, (int) floor (c->x));
        y0 = MIN (y0, (int) floor (c->y));
        x1 = MAX (x1, (int) ceil (c->x));
        y1 = MAX (y1, (int) ceil (c->y));
      }
  for (int y = y0; y < y1; y++)
    {
      g_autofree guint8 *inside = vg_region_mask (region, x0, y, x1, y + 1);

      for (int x = x0; x < x1; x++)
        {
          gboolean is_label = label_at (walk, x, y) == label->number,
                   is_outlined = inside != NULL && inside[x - x0] != 0;

          change.labelled += is_label;
          change.outlined += is_outlined;
          change.wrong += is_label != is_outlined;
        }
    }
  return change;
}

/* Sets REGION to the outline of fewest wrong pixels that has few enough corners. */
static void
outline (const Walk *walk, const Label *label, VgRegion *region, VgSimplified *simplified)
{
  VgSimplified best = { .wrong = G_MAXINT64 };
  gboolean all = fill (region, label->borders, 0);

  if (all)
    return;
  for (guint k = 0; k < G_N_ELEMENTS (tolerances) && !all && best.wrong > 0; k++)
    {
      VgSimplified change;
      VgRegion candidate;

      all = fill (&candidate, label->borders, tolerances[k]);
      if (candidate.n_points < 3)
        continue;
      change = compare (walk, &candidate, label);
      if (change.wrong < best.wrong)
        {
          best = change;
          *region = candidate;
        }
    }
  if (best.wrong == 0)
    return;
  simplified->outlines += best.outlines;
  simplified->labelled += best.labelled;
  simplified->outlined += best.outlined;
  simplified->wrong += best.wrong;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 x = (*(Label *const *) a)->number, y = (*(Label *const *) b)->number;

  return (x > y) - (x < y);
}

static GPtrArray *
make_regions (const Walk *walk, VgSimplified *simplified)
{
  GPtrArray *regions = g_ptr_array_new_with_free_func (vg_named_region_free);

  g_ptr_array_sort (walk->labels, compare_numbers);
  for (guint i = 0; i < walk->labels->len; i++)
    {
      Label *label = walk->labels->pdata[i];
      VgNamedRegion *named = g_new0 (VgNamedRegion, 1);

      g_ptr_array_sort (label->borders, compare_borders);
      named->name = g_strdup_printf ("Label %u", label->number);
      outline (walk, label, &named->region, simplified);
      g_ptr_array_add (regions, named);
    }
  return regions;
}

char *
vg_simplified_describe (const VgSimplified *self, const char *path)
{
  if (self->outlines == 0)
    return NULL;
  return g_strdup_printf (
      "\"%s\": %u %s more than %d corners and %s simplified: the regions hold %" G_GINT64_FORMAT
      " voxels instead of %" G_GINT64_FORMAT " (%+.1f %%), and %" G_GINT64_FORMAT
      " voxels are assigned wrongly. Masks with smoother borders avoid this.",
      path, self->outlines, self->outlines == 1 ? "outline needs" : "outlines need",
      (int) VG_REGION_MAX_POINTS, self->outlines == 1 ? "was" : "were", self->outlined,
      self->labelled,
      100.0 * (double) (self->outlined - self->labelled) / (double) MAX (self->labelled, 1),
      self->wrong);
}

static gboolean
check_mask (const VgImage *mask, const char *path, GError **error)
{
  const VgImageInfo *info = &mask->info;

  if (info->type == VG_F32 || info->channels != 1)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" is not a label mask: it has %s; choose an image of whole numbers from 0, "
                 "one number per object, or a text file of regions",
                 path, info->type == VG_F32 ? "fractions or signed numbers" : "colours");
  else if (vg_image_info_pages (info) != 1)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" has %" G_GINT64_FORMAT
                 " pages, but a label mask has one; save the page as a separate file",
                 path, vg_image_info_pages (info));
  else
    return TRUE;
  return FALSE;
}

GPtrArray *
vg_region_labels (const VgImage *mask, const char *path, guint most, VgSimplified *simplified,
                  GError **error)
{
  Walk walk = { .mask = mask, .width = mask->info.width, .height = mask->info.height };
  GPtrArray *regions = NULL;

  if (!check_mask (mask, path, error))
    return NULL;
  walk.walked = g_try_malloc0 ((gsize) walk.width * (gsize) walk.height);
  if (walk.walked == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the outlines of the labels in \"%s\"", path);
      return NULL;
    }
  walk.labels = g_ptr_array_new_with_free_func (free_label);
  walk.by_number = g_hash_table_new (NULL, NULL);
  if (!walk_all (&walk, most))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" has more than %u labels, or labels in too many pieces; choose a mask with "
                 "one number per object",
                 path, most);
  else if (walk.labels->len == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\" has no labels: every pixel is 0",
                 path);
  else
    regions = make_regions (&walk, simplified);
  g_hash_table_unref (walk.by_number);
  g_ptr_array_unref (walk.labels);
  g_free (walk.walked);
  return regions;
}

gboolean
vg_region_mark (const VgRegion *region, int width, int height, guint8 *mask)
{
  int x0, y0, x1, y1;
  gboolean any = FALSE;

  if (!vg_region_bounds (region, width, height, &x0, &y0, &x1, &y1))
    return FALSE;
  for (int y = y0; y < y1; y++)
    {
      g_autofree guint8 *inside = vg_region_mask (region, x0, y, x1, y + 1);

      for (int x = x0; x < x1 && inside != NULL; x++)
        if (inside[x - x0])
          {
            mask[(gsize) y * (gsize) width + (gsize) x] = 1;
            any = TRUE;
          }
    }
  return any;
}
