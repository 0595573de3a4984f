/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/figure/vg-figure.h"
#include "app/figure/vg-map-picture.h"
/* The figure of a map: its picture with a title, a colour bar with ticks and unit, a scale bar or
 * axes, and the regions with their names.  Other maps may be beside it, in its colours. */
G_BEGIN_DECLS

enum {
  VG_FIGURE_LEAST_MM = 20,
  VG_FIGURE_MOST_MM = 400,
  VG_FIGURE_USUAL_MM = 85,
  VG_FIGURE_MOST_BESIDE = 4
};

typedef struct
{
  double width_mm;                     /* of the whole figure; a tall map makes it narrower */
  const char *description;             /* for programs that read the file; or NULL */
  const char *stamp;                   /* in the upper right corner of the picture; or NULL */
  const VgNamedRegion *const *regions; /* NULL-terminated, in the plane's pixels; NULL: none */
  const VgMapView *beside;             /* N_BESIDE other maps, which come first */
  guint n_beside;
  const char *const *names; /* of those, and then of the map; or NULL */
  /* the other map covers this part of the map's width from the left; 0: it has a picture of its own
   */
  double wipe;
} VgMapFigureSpec;

/* NULL and an error: there is no memory. */
VgFigure *vg_map_figure_new (const VgMapView *view, const VgMapFigureSpec *spec, GError **error);

G_END_DECLS
