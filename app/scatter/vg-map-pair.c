/* SPDX-License-Identifier: MIT */
#include "app/scatter/vg-map-pair.h"
#include <math.h>
#include <string.h>

static float *
copy_slice (const VgPlane *plane, int slice)
{
  gsize n = (gsize) plane->width * (gsize) plane->height,
        first = n * (gsize) CLAMP (slice, 0, MAX (plane->slices, 1) - 1);
  float *copy = g_try_new (float, n);

  if (copy != NULL)
    memcpy (copy, plane->data + first, n * sizeof (float));
  return copy;
}

VgMapPair *
vg_map_pair_new (const VgPlane *x, const VgPlane *y, int slice, GError **error)
{
  g_autoptr (VgMapPair) self = g_new0 (VgMapPair, 1);

  g_atomic_ref_count_init (&self->refs);
  self->width = x->width;
  self->height = x->height;
  self->x = copy_slice (x, slice);
  self->y = copy_slice (y, slice);
  if (self->x != NULL && self->y != NULL)
    return g_steal_pointer (&self);
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                       "There is not enough memory to copy these two maps. Close other programs.");
  return NULL;
}

/* An object: its number of pixels, their sum of positions, and the pixel nearest to the centroid.
 */
typedef struct
{
  double n, x, y, distance;
  gsize pixel;
} Object;

void
vg_map_pair_count_objects (VgMapPair *self, const VgPlane *labels)
{
  const gsize n = (gsize) self->width * (gsize) self->height;
  const float *number = labels->data;
  g_autofree Object *objects = NULL;
  float most = 0;

  for (gsize i = 0; i < n; i++)
    most = fmaxf (most, number[i]);
  objects = g_new0 (Object, (gsize) most + 1);
  for (gsize i = 0; i < n; i++)
    if (number[i] >= 1)
      {
        Object *object = &objects[(gsize) number[i]];

        object->n++;
        object->x += (double) (i % (gsize) self->width);
        object->y += (double) (i / (gsize) self->width);
        object->distance = HUGE_VAL;
      }
  for (gsize i = 0; i < n; i++)
    if (number[i] >= 1)
      {
        Object *object = &objects[(gsize) number[i]];
        double distance = hypot ((double) (i % (gsize) self->width) - object->x / object->n,
                                 (double) (i / (gsize) self->width) - object->y / object->n);

        if (distance < object->distance)
          {
            object->distance = distance;
            object->pixel = i;
          }
      }
  g_free (self->counted);
  self->counted = g_new0 (guint8, n);
  for (gsize k = 1; k <= (gsize) most; k++)
    if (objects[k].n > 0)
      self->counted[objects[k].pixel] = 1;
}

/* The label output whose objects both X and Y measure; -1: there is none. */
static int
find_objects (const VgOperation *operation, guint x, guint y)
{
  int of_x = vg_operation_find_role (operation, VG_ROLE_OBJECTS, operation->outputs[x].id),
      of_y = vg_operation_find_role (operation, VG_ROLE_OBJECTS, operation->outputs[y].id);

  return of_x == of_y ? of_x : -1;
}

/* Counts each object once, if the maps are measures of objects.  FALSE: the labels are missing. */
static gboolean
count_objects (VgMapPair *self, VgWork *work, guint x, guint y, GError **error)
{
  int labels = find_objects (vg_work_get_operation (work), x, y);
  g_autofree float *owned = NULL;
  gsize room = 0;
  VgPlane plane;

  if (labels < 0)
    return TRUE;
  if (!vg_work_read_output (work, (guint) labels, &plane, &owned, &room, error))
    return FALSE;
  vg_map_pair_count_objects (self, &plane);
  return TRUE;
}

VgMapPair *
vg_map_pair_read (VgWork *work, guint x, guint y, int slice, GError **error)
{
  g_autofree float *owned_x = NULL, *owned_y = NULL;
  gsize room_x = 0, room_y = 0;
  GError *local = NULL;
  VgPlane plane_x, plane_y;

  if (!vg_work_read_output (work, x, &plane_x, &owned_x, &room_x, &local) ||
      !vg_work_read_output (work, y, &plane_y, &owned_y, &room_y, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      else
        g_set_error_literal (
            error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
            "One of these maps is not computed yet, or these settings do not give it.");
    }
  else if (plane_x.width != plane_y.width || plane_x.height != plane_y.height ||
           plane_x.slices != plane_y.slices)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                 "These maps have %d × %d and %d × %d pixels. Choose two maps of the same size.",
                 plane_x.width, plane_x.height, plane_y.width, plane_y.height);
  else
    {
      g_autoptr (VgMapPair) self = vg_map_pair_new (&plane_x, &plane_y, slice, error);

      if (self != NULL && count_objects (self, work, x, y, error))
        return g_steal_pointer (&self);
    }
  return NULL;
}

VgMapPair *
vg_map_pair_ref (VgMapPair *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
vg_map_pair_unref (VgMapPair *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->x);
  g_free (self->y);
  g_free (self->counted);
  g_free (self);
}
