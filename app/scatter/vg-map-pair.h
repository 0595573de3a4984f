/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
/* Copies of one slice of two maps of the same result, in host memory.  If both are measures of
 * objects (VG_ROLE_OBJECTS), each object counts once. */
G_BEGIN_DECLS

typedef struct
{
  gatomicrefcount refs;
  int width, height;
  float *x, *y; /* width * height samples each; NaN: missing value */
  /* 1 for the one pixel of each object that counts, the nearest to its centroid; NULL: all pixels
   * count */
  guint8 *counted;
} VgMapPair;

/* Copies X and Y, planes in host memory of one size; SLICE is clamped. */
VgMapPair *vg_map_pair_new (const VgPlane *x, const VgPlane *y, int slice, GError **error);
/* Counts each object once.  LABELS has the numbers of the objects, and the size of the maps. */
void vg_map_pair_count_objects (VgMapPair *self, const VgPlane *labels);
/* Outputs X and Y of WORK.  NULL and an error: one of them is not computed with these settings, or
 * they have different sizes. */
VgMapPair *vg_map_pair_read (VgWork *work, guint x, guint y, int slice, GError **error);
VgMapPair *vg_map_pair_ref (VgMapPair *self);
void vg_map_pair_unref (VgMapPair *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgMapPair, vg_map_pair_unref)

G_END_DECLS
