/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-join.h"
#include "kernels/contour/engine/contour-seeding.h"
#include "kernels/contour/shapes/contour-mask.h"

/* Contours with at most this many pixels between them touch. */
enum { GAP = 2 };

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

void
vg_contour_join (VgContourRun *run, VgContourObject *object, GPtrArray *group,
                 const GPtrArray *except, guint first)
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
