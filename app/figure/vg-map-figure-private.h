/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/figure/vg-map-figure.h"
/* Where the parts of a figure are, in points. */
G_BEGIN_DECLS

#define VG_MAP_FIGURE_FONT 7.0
#define VG_MAP_FIGURE_BLACK 0x010101 /* on every page, while 0 is the colour of its text */
#define VG_MAP_FIGURE_WHITE 0xffffff

typedef struct
{
  const VgMapView *view;
  const VgMapFigureSpec *spec;
  const VgMapPicture *picture;
  VgFigure *figure;
  double left, top, width, height; /* of the picture */
  gboolean true_proportions;       /* one scale for both axes */
} VgMapLayout;

/* White text on a dark panel, with its upper left corner at X, Y, moved to be inside the picture.
 */
void vg_map_layout_add_panel (const VgMapLayout *self, const char *text, double x, double y);

/* vg-map-figure-over.c: what lies over the picture. */
void vg_map_layout_add_regions (const VgMapLayout *self);
void vg_map_layout_add_sides (const VgMapLayout *self);
void vg_map_layout_add_names (const VgMapLayout *self);
void vg_map_layout_add_scale_bar (const VgMapLayout *self);

/* vg-map-figure-annotations.c: what the user has added. */
void vg_map_layout_add_annotations (const VgMapLayout *self);

/* vg-map-figure-axes.c: what stands beside it. */
/* The room that the colour bar or the names of the labels need at the right. */
double vg_map_layout_measure_legend (const VgMapLayout *self);
void vg_map_layout_add_legend (const VgMapLayout *self);
gboolean vg_map_layout_has_axes (const VgMapLayout *self);
/* The room for the axes at the left and below. */
void vg_map_layout_measure_axes (const VgMapLayout *self, double *left, double *below);
void vg_map_layout_add_axes (const VgMapLayout *self);

G_END_DECLS
