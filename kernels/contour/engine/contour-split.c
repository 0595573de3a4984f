/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-split.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/engine/contour-seeding.h"
#include "kernels/contour/shapes/contour-mask.h"
#include <math.h>
#include <string.h>
/* A seed that the user sets inside a contour marks another nucleus there.  A
 * new disc could not grow, because the contour holds its pixels.  So the contour
 * is split at once, and both parts evolve from there. */

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
  vg_contour_scene_refresh (scene, object);
  vg_contour_object_wake (object);
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
           meant = stays && vg_contour_is_user_seed (run, host);
  guint last;

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

static gboolean
has_pixel (const VgContourObject *object, int x, int y)
{
  x -= object->tile.x;
  y -= object->tile.y;
  return x >= 0 && y >= 0 && x < object->tile.width && y < object->tile.height &&
         object->phi[(gsize) y * (gsize) object->tile.width + (gsize) x] > 0.0f;
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

/* A pixel of one of them, or between two. */
static gboolean
covers (const GPtrArray *group, int x, int y)
{
  int near = 0;

  for (guint i = 0; i < group->len; i++)
    {
      if (has_pixel (group->pdata[i], x, y))
        return TRUE;
      near += group->len > 1 && is_near (group->pdata[i], x, y);
    }
  return near > 1;
}

/* OBJECT becomes the contours of GROUP, of VgContourObject with one at least, and what lies between
 * them.  Adds to GROUP the objects before FIRST without a seed that touch one of it and are not
 * among EXCEPT. */
static void
join (VgContourRun *run, VgContourObject *object, GPtrArray *group, const GPtrArray *except,
      guint first)
{
  VgContourScene *scene = run->scene;

  for (guint k = 0; k < group->len; k++)
    for (guint i = 0; i < first; i++)
      {
        VgContourObject *other = vg_contour_scene_object (scene, i);

        if (!vg_contour_has_seed (run, other) &&
            !g_ptr_array_find ((GPtrArray *) except, other, NULL) &&
            !g_ptr_array_find (group, other, NULL) && do_touch (group->pdata[k], other))
          g_ptr_array_add (group, other);
      }
  for (int y = 0; y < object->tile.height; y++)
    for (int x = 0; x < object->tile.width; x++)
      object->phi[(gsize) y * (gsize) object->tile.width + (gsize) x] =
          covers (group, object->tile.x + x, object->tile.y + y) ? 1.0f : -1.0f;
  vg_contour_scene_refresh (scene, object);
  vg_contour_object_wake (object);
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
          join (run, seeds->pdata[0], group, hosts, first);
        }
      else if (!share_host (run, hosts->pdata[k], shared->pdata[k], &left))
        return FALSE;
      if (!left && g_ptr_array_find (scene->objects, hosts->pdata[k], &at))
        vg_contour_scene_remove (scene, at);
    }
  return TRUE;
}
