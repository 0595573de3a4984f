/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
#include "app/compute/vg-work.h"
/* What a plot page over a plane shows: the plane and what is drawn over it,
 * and where the pixels of regions and of one pixel lie in it. */
G_BEGIN_DECLS

enum { VG_PLANE_POINTS_MAX = 4096 }; /* of a region; of a larger one some, evenly spread */

typedef struct
{
  int n;
  float *x, *y; /* in the plane's unit */
} VgPlanePoints;

typedef struct
{
  VgResult *result; /* the plane in host memory, and the overlay over it */
  VgPlanePoints pixel;
  guint n_regions;
  VgPlanePoints *regions;
} VgPlotPlane;

/* Of the operation's plots[PLOT]; X, Y, SLICE: the pixel, NaN: none.  NULL and an
 * error when it is not computed with these settings. */
VgPlotPlane *vg_plot_plane_new (VgWork *work, guint plot, double x, double y, int slice,
                                const VgRegion *regions, guint n_regions, GError **error);
void vg_plot_plane_free (VgPlotPlane *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPlotPlane, vg_plot_plane_free)

G_END_DECLS
