/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-split.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/engine/contour-seeding.h"
#include "kernels/contour/shapes/contour-mask.h"
#include <math.h>
#include <string.h>
/* A seed that the user sets inside a contour marks another nucleus there.  A
 * new disc could not grow, because the contour holds its pixels.  So the contour
 * is split at once, and both parts evolve from there.  If the contour is at rest
 * and its own seed is taken out at the same time, as by a stroke that splits or
 * merges, the seeds take over its pixels as they are, and nothing moves. */

enum { ROUNDS = 20 };
/* Contours with at most this many pixels between them touch. */
enum { GAP = 2 };
/* Least distance of another nucleus from each point, in radii of nuclei that fill the area
 * together. Inside a single ellipse, up to twice as long as wide, no part is so far away. */
#define ANOTHER 1.25
/* The same if several points are given, which may be all nuclei. */
#define ANOTHER_OF_MANY 1.6
/* Least area of another nucleus, as a fraction of theirs. */
#define LEAST_REST 0.1

typedef struct
{
  const guint8 *mask;
  int width, height;
  const VgContourPoint *points;
  guint n;
} Region;

static double
distance_to (const VgContourPoint *p, int x, int y)
{
  return hypot (x + 0.5 - p->x, y + 0.5 - p->y);
}

/* Distance from the nearest of the points. */
static double
nearest (const Region *self, double x, double y)
{
  double least = INFINITY;

  for (guint k = 0; k < self->n; k++)
    least = MIN (least, hypot (x - self->points[k].x, y - self->points[k].y));
  return least;
}

static gsize
farthest (const Region *self, VgContourPoint *point)
{
  gsize area = 0;
  double most = -1.0;

  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      {
        double d;

        if (!self->mask[y * self->width + x])
          continue;
        area++;
        d = nearest (self, x + 0.5, y + 0.5);
        if (d <= most)
          continue;
        most = d;
        *point = (VgContourPoint){ x + 0.5, y + 0.5 };
      }
  return area;
}

/* Finds another nucleus by iteration from the farthest pixel: the centroid of the pixels that are
 * nearer to it than to any point. */
static gboolean
find_rest (const Region *self, VgContourPoint *point)
{
  const gsize area = farthest (self, point);
  const double radius = sqrt ((double) area / G_PI / (self->n + 1));
  double size = 0.0;

  for (int round = 0; round < ROUNDS; round++)
    {
      VgContourPoint sum = { 0.0, 0.0 };

      size = 0.0;
      for (int y = 0; y < self->height; y++)
        for (int x = 0; x < self->width; x++)
          if (self->mask[y * self->width + x] &&
              distance_to (point, x, y) < nearest (self, x + 0.5, y + 0.5))
            {
              sum.x += x + 0.5;
              sum.y += y + 0.5;
              size++;
            }
      if (size <= 0.0)
        return FALSE;
      *point = (VgContourPoint){ sum.x / size, sum.y / size };
    }
  return nearest (self, point->x, point->y) >= (self->n > 1 ? ANOTHER_OF_MANY : ANOTHER) * radius &&
         size >= LEAST_REST * G_PI * radius * radius;
}

/* The distance of a point from the border; outside 0. */
static double
depth_at (const float *distance, int width, int height, const VgContourPoint *p)
{
  int x = (int) floor (p->x), y = (int) floor (p->y);

  return x < 0 || y < 0 || x >= width || y >= height ? 0.0
                                                     : distance[(y + 1) * (width + 2) + x + 1];
}

/* Labels the pixels of MASK (WIDTH x HEIGHT, 0 or 1) with 1 to N for the nearest of N POINTS (N >=
 * 1, px in the mask), measured from the edge of a disc about each point.  REST: also look for one
 * more nucleus away from all points, which becomes N + 1.  Returns the highest label; 0: out of
 * memory. */
static guint
split_mask (const guint8 *mask, int width, int height, const VgContourPoint *points, guint n,
            gboolean rest, gint32 *labels)
{
  const int stride = width + 2;
  g_autofree guint8 *framed = g_try_new0 (guint8, (gsize) stride * (gsize) (height + 2));
  g_autofree float *distance = g_try_new (float, (gsize) stride *(gsize) (height + 2));
  g_autofree VgContourPoint *all = g_new (VgContourPoint, n + 1);
  g_autofree double *radii = g_new (double, n + 1);
  Region region = { mask, width, height, points, n };
  guint count = n;

  if (framed == NULL || distance == NULL)
    return 0;
  memcpy (all, points, n * sizeof *all);
  if (rest && find_rest (&region, &all[n]))
    count++;
  /* the frame makes the edge of the tile a border */
  for (int y = 0; y < height; y++)
    memcpy (framed + (y + 1) * stride + 1, mask + y * width, (gsize) width);
  if (!vg_contour_distance (framed, distance, stride, height + 2))
    return 0;
  for (guint k = 0; k < count; k++)
    radii[k] = depth_at (distance, width, height, &all[k]);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        double least = INFINITY;

        labels[y * width + x] = 0;
        for (guint k = 0; k < count && mask[y * width + x]; k++)
          {
            double d = distance_to (&all[k], x, y) - radii[k];

            if (d >= least)
              continue;
            least = d;
            labels[y * width + x] = (gint32) k + 1;
          }
      }
  return count;
}

/* ---- Objects ---- */

static float
depth_in (const VgContourObject *object, const VgContourObject *seed)
{
  int x = (int) floor (seed->seed_x) - object->tile.x,
      y = (int) floor (seed->seed_y) - object->tile.y;

  return x < 0 || y < 0 || x >= object->tile.width || y >= object->tile.height
             ? -1.0f
             : object->phi[y * object->tile.width + x];
}

static VgContourObject *
find_host (const VgContourScene *scene, guint first, const VgContourObject *seed)
{
  VgContourObject *host = NULL;
  float deepest = 0.0f;

  for (guint i = 0; i < first; i++)
    {
      VgContourObject *object = vg_contour_scene_object (scene, i);
      float depth = depth_in (object, seed);

      if (depth <= deepest)
        continue;
      deepest = depth;
      host = object;
    }
  return host;
}

/* After its pixels were set; AT_REST: it stays as it is. */
static void
refresh (VgContourScene *scene, VgContourObject *object, gboolean at_rest)
{
  vg_contour_scene_refresh (scene, object);
  vg_contour_object_wake (object);
  object->state.moving &= !at_rest;
}

/* Whether HOST leaves its pixels to new seeds as they are. */
static gboolean
hands_over (const VgContourRun *run, const VgContourObject *host)
{
  return !vg_contour_has_seed (run, host) && !vg_contour_scene_is_moving (run->scene, host);
}

/* Sets OBJECT to the pixels with label K, in the tile BOX; with LEFT, removes the others. */
static void
take_part (VgContourScene *scene, VgContourObject *object, const VgContourBox *box,
           const gint32 *labels, gint32 k, gboolean left)
{
  for (int j = 0; j < object->tile.height; j++)
    for (int i = 0; i < object->tile.width; i++)
      {
        int x = object->tile.x + i - box->x, y = object->tile.y + j - box->y;
        gboolean mine = x >= 0 && y >= 0 && x < box->width && y < box->height &&
                        labels[y * box->width + x] == k;
        float *phi = &object->phi[j * object->tile.width + i];

        *phi = !mine ? MIN (left ? *phi : -1.0f, -1.0f) : left ? *phi : 1.0f;
      }
  refresh (scene, object, FALSE);
}

/* Sets seed K of SEEDS to what is nearer to it than to the others, of the HOST whose tile it has.
 */
static void
take_near (VgContourScene *scene, const VgContourObject *host, const GPtrArray *seeds, guint k)
{
  VgContourObject *object = seeds->pdata[k];
  const VgContourBox *tile = &host->tile;

  for (int y = 0; y < tile->height; y++)
    for (int x = 0; x < tile->width; x++)
      {
        gsize at = (gsize) y * (gsize) tile->width + (gsize) x;
        double px = tile->x + x + 0.5, py = tile->y + y + 0.5, level = host->phi[at];

        for (guint j = 0; j < seeds->len; j++)
          {
            const VgContourObject *other = seeds->pdata[j];
            double dx = object->seed_x - other->seed_x, dy = object->seed_y - other->seed_y;

            if (j != k) /* the distance from the line half way between both */
              level = MIN (level, ((px - 0.5 * (object->seed_x + other->seed_x)) * dx +
                                   (py - 0.5 * (object->seed_y + other->seed_y)) * dy) /
                                      hypot (dx, dy));
          }
        object->phi[at] = (float) level;
      }
  refresh (scene, object, TRUE);
}

static VgContourPoint
in_tile (const VgContourObject *host, const VgContourObject *object)
{
  return (VgContourPoint){ object->seed_x - host->tile.x, object->seed_y - host->tile.y };
}

/* *LEFT: the host still has pixels.  FALSE: no memory. */
static gboolean
share_host (VgContourRun *run, VgContourObject *host, const GPtrArray *seeds, gboolean *left)
{
  VgContourScene *scene = run->scene;
  const VgContourBox box = host->tile;
  gsize n = (gsize) box.width * (gsize) box.height;
  g_autofree guint8 *mask = g_try_malloc (n);
  g_autofree gint32 *labels = g_try_new (gint32, n);
  g_autofree VgContourPoint *points = g_new (VgContourPoint, seeds->len + 1);
  gboolean stays = vg_contour_has_seed (run, host),
           meant = stays && vg_contour_is_user_seed (run, host), at_rest = hands_over (run, host);
  guint last;

  for (guint k = 0; k < seeds->len; k++)
    if (!vg_contour_scene_set_tile (scene, seeds->pdata[k], &box))
      return FALSE;
  for (guint k = 0; k < seeds->len && at_rest; k++)
    take_near (scene, host, seeds, k);
  *left = !at_rest;
  if (at_rest)
    return TRUE;

  if (mask == NULL || labels == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    mask[i] = host->phi[i] > 0.0f;
  for (guint k = 0; k < seeds->len; k++)
    points[k] = in_tile (host, seeds->pdata[k]);
  points[seeds->len] = in_tile (host, host);
  last = split_mask (mask, box.width, box.height, points, seeds->len + meant, stays && !meant,
                     labels);
  if (last == 0)
    return FALSE;
  for (guint k = 0; k < seeds->len; k++)
    take_part (scene, seeds->pdata[k], &box, labels, (gint32) k + 1, FALSE);
  *left = last > seeds->len;
  if (*left)
    take_part (scene, host, &box, labels, (gint32) last, TRUE);
  return TRUE;
}

/* ---- one contour of several ---- */

/* phi of the object at a pixel of the image. */
static float
level_at (const VgContourObject *object, int x, int y)
{
  x -= object->tile.x;
  y -= object->tile.y;
  return x >= 0 && y >= 0 && x < object->tile.width && y < object->tile.height
             ? object->phi[(gsize) y * (gsize) object->tile.width + (gsize) x]
             : -1.0f;
}

static gboolean
has_pixel (const VgContourObject *object, int x, int y)
{
  return level_at (object, x, y) > 0.0f;
}

static gboolean
is_near (const VgContourObject *object, int x, int y)
{
  for (int dy = -GAP; dy <= GAP; dy++)
    for (int dx = -GAP; dx <= GAP; dx++)
      if (has_pixel (object, x + dx, y + dy))
        return TRUE;
  return FALSE;
}

static gboolean
do_touch (const VgContourObject *a, const VgContourObject *b)
{
  if (!vg_contour_boxes_meet (&a->tile, &b->tile, GAP))
    return FALSE;
  for (int y = a->tile.y; y < a->tile.y + a->tile.height; y++)
    for (int x = a->tile.x; x < a->tile.x + a->tile.width; x++)
      if (has_pixel (a, x, y) && is_near (b, x, y))
        return TRUE;
  return FALSE;
}

/* phi of all of them and what is between two, at a pixel. */
static float
joint_level (const GPtrArray *group, int x, int y)
{
  float level = -INFINITY;
  int near = 0;

  for (guint i = 0; i < group->len; i++)
    {
      level = MAX (level, level_at (group->pdata[i], x, y));
      near += group->len > 1 && is_near (group->pdata[i], x, y);
    }
  return level <= 0.0f && near > 1 ? 1.0f : level;
}

/* The smallest tile with those of GROUP. */
static VgContourBox
tile_about (const GPtrArray *group)
{
  int left = G_MAXINT, top = G_MAXINT, right = 0, bottom = 0;

  for (guint i = 0; i < group->len; i++)
    {
      const VgContourBox *tile = &((const VgContourObject *) group->pdata[i])->tile;

      left = MIN (left, tile->x);
      top = MIN (top, tile->y);
      right = MAX (right, tile->x + tile->width);
      bottom = MAX (bottom, tile->y + tile->height);
    }
  return (VgContourBox){ left, top, right - left, bottom - top };
}

/* OBJECT becomes the contours of GROUP, of VgContourObject with one at least, and what lies between
 * them.  Adds to GROUP the objects before FIRST without a seed that touch one of it and are not
 * among EXCEPT.  FALSE: no memory. */
static gboolean
join (VgContourRun *run, VgContourObject *object, GPtrArray *group, const GPtrArray *except,
      guint first)
{
  VgContourScene *scene = run->scene;
  gboolean at_rest = hands_over (run, group->pdata[0]);
  VgContourBox tile;

  for (guint k = 0; k < group->len; k++)
    for (guint i = 0; i < first; i++)
      {
        VgContourObject *other = vg_contour_scene_object (scene, i);

        if (!vg_contour_has_seed (run, other) &&
            !g_ptr_array_find ((GPtrArray *) except, other, NULL) &&
            !g_ptr_array_find (group, other, NULL) && do_touch (group->pdata[k], other))
          g_ptr_array_add (group, other);
      }
  tile = tile_about (group);
  if (!vg_contour_scene_set_tile (scene, object, &tile))
    return FALSE;
  for (int y = 0; y < tile.height; y++)
    for (int x = 0; x < tile.width; x++)
      object->phi[(gsize) y * (gsize) tile.width + (gsize) x] = joint_level (group, tile.x + x,
                                                                             tile.y + y);
  refresh (scene, object, at_rest);
  return TRUE;
}

/* ---- all of them ---- */

gboolean
vg_contour_split_hosts (VgContourRun *run, guint first)
{
  VgContourScene *scene = run->scene;
  g_autoptr (GPtrArray) hosts = g_ptr_array_new (), shared = g_ptr_array_new_with_free_func (
                                                        (GDestroyNotify) g_ptr_array_unref);

  for (guint i = first; i < scene->objects->len; i++)
    {
      VgContourObject *seed = vg_contour_scene_object (scene, i),
                      *host = vg_contour_is_user_seed (run, seed) ? find_host (scene, first, seed)
                                                                  : NULL;
      guint k = hosts->len;

      if (host == NULL)
        continue;
      if (!g_ptr_array_find (hosts, host, &k))
        {
          g_ptr_array_add (hosts, host);
          g_ptr_array_add (shared, g_ptr_array_new ());
        }
      g_ptr_array_add (shared->pdata[k], seed);
    }
  for (guint k = 0; k < hosts->len; k++)
    {
      const GPtrArray *seeds = shared->pdata[k];
      gboolean left = FALSE;
      guint at;

      if (seeds->len == 1 && !vg_contour_has_seed (run, hosts->pdata[k]))
        {
          /* the only nucleus in it, and in contours beside it whose seeds went at the same time */
          g_autoptr (GPtrArray) group = g_ptr_array_new ();

          g_ptr_array_add (group, hosts->pdata[k]);
          if (!join (run, seeds->pdata[0], group, hosts, first))
            return FALSE;
        }
      else if (!share_host (run, hosts->pdata[k], shared->pdata[k], &left))
        return FALSE;
      if (!left && g_ptr_array_find (scene->objects, hosts->pdata[k], &at))
        vg_contour_scene_remove (scene, at);
    }
  return TRUE;
}
