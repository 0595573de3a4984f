/* SPDX-License-Identifier: MIT */
#include "app/scatter/vg-map-pair.h"
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
    return vg_map_pair_new (&plane_x, &plane_y, slice, error);
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
  g_free (self);
}
