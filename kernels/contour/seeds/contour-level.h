/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/seeds/contour-area.h"
/* The areas of an image above one grey level, and their parts. */
G_BEGIN_DECLS

/* Radii that an area extends over at most, in rows and in columns: as far away
 * an image's edge makes no difference. */
#define VG_CONTOUR_AREA_REACH 12.0

enum { VG_CONTOUR_CUTS = 2 }; /* ways to cut an area into parts */

/* A level's areas and their parts. */
typedef struct
{
  gint32 *labels; /* borrowed; NULL: no area */
  int n;
  GArray *boxes; /* of VgContourPart */
  /* n; NULL: too large or too long to be looked at, or too large for a nucleus */
  VgContourArea **whole;
  int n_parts[VG_CONTOUR_CUTS];
  VgContourArea **part[VG_CONTOUR_CUTS];
  gint32 *owner[VG_CONTOUR_CUTS]; /* of each part; 0: it is all of its area */
} VgContourLevel;

/* The planes of one thread: 14 bytes per pixel; areas, runs and heaps take some more. */
typedef struct
{
  gint32 *labels, *parts;
  float *distance;
  guint8 *mask, *cut;
} VgContourPlanes;

/* FALSE: no memory; to be cleared all the same. */
gboolean vg_contour_planes_init (VgContourPlanes *self, gsize pixels);
void vg_contour_planes_clear (VgContourPlanes *self);
/* Above GREY; uses PLANES, and borrows its labels from them.  NULL: no memory. */
VgContourLevel *vg_contour_level_new (const VgContourLook *look, const VgContourPlanes *planes,
                                      float grey);
void vg_contour_level_free (VgContourLevel *self);

static inline const VgContourPart *
vg_contour_level_box (const VgContourLevel *self, int i)
{
  return &g_array_index (self->boxes, VgContourPart, i);
}

G_END_DECLS
