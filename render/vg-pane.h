/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/shared/vg-colormap.h"
#include "kernels/shared/vg-slide-tile.h"
#include "render/vg-mosaic.h"
/* What is drawn where: a scene says how a plane is drawn, a pane gives it a rectangle.  Pixels of
 * the framebuffer are counted from its upper left corner.  Drawing and picking use the same list of
 * panes. */
G_BEGIN_DECLS

/* How to draw the plane, and what besides. */
typedef struct
{
  VgColoring coloring;
  gboolean smooth; /* magnify linearly */
  VgMosaic mosaic; /* of the slices that planes hold one above the other */
  /* the columns, rows of each slice are reversed; outlines are not */
  gboolean turned[2];
  /* after that, rows and columns are exchanged; mosaic, aspect and centre describe the result */
  gboolean swapped;
  double zoom;               /* framebuffer pixels per image pixel, along x */
  double aspect;             /* zoom along y, divided by zoom; 0: 1 */
  double center_x, center_y; /* image point at the middle of the viewport */
  double isolines[32];       /* values at which a line is drawn; above 0 on a log scale */
  int n_isolines;
  gboolean brightness; /* dim by the second plane */
  double brightness_low, brightness_high;
  gboolean outlines;    /* draw those of vg_renderer_set_outlines */
  double outline_width; /* framebuffer pixels */
  guint32 selected;     /* the object whose outline is thicker; 0: none */
  gboolean underlay;    /* draw the plane over the underlay */
  gboolean see_through; /* over the tiles of the slide in place of the underlay */
  double opacity;       /* of the plane over it, 0 to 1 */
  gboolean skip_zero;   /* samples of 0 are transparent */
  VgSlidePlace place;   /* of the plane on the slide */
  float background[3];
} VgScene;

static inline double
vg_scene_zoom_y (const VgScene *self)
{
  return self->aspect > 0 ? self->zoom * self->aspect : self->zoom;
}

/* Sources of a renderer: the present result, four kept ones or one of another map, or nine values
 * of a setting beside the present. */
enum { VG_PANE_SOURCES = 10 };

typedef struct
{
  int x, y, width, height; /* framebuffer pixels */
  gboolean round;          /* only the ellipse in the rectangle */
  int source;              /* whose planes are drawn, from 0 */
  VgScene scene;           /* its centre is at the middle of the rectangle */
} VgPane;

/* SCENE of source 0 in a framebuffer of WIDTH x HEIGHT. */
VgPane vg_pane_of (const VgScene *scene, int width, int height);
/* The part of a pane that lies in a rectangle of the framebuffer; width or height 0: none. */
VgPane vg_pane_cut (const VgPane *self, int x, int y, int width, int height);
/* The pane on top at a point of the framebuffer; -1: none. */
int vg_panes_find (const VgPane *panes, int n, double x, double y);
/* The image point that a pane shows at a point of the framebuffer. */
void vg_pane_to_image (const VgPane *self, double x, double y, double *image_x, double *image_y);

/* Two panes for WHOLE: the first is left of POSITION (0 to 1 of the width), or above it (DOWN),
 * and shows source FIRST. */
void vg_panes_wipe (VgPane panes[2], const VgPane *whole, int first, double position,
                    gboolean down);

/* N equal cells with gaps between them. */
typedef struct
{
  int n, columns, gap;
  int width, height; /* of a cell */
} VgCells;

/* The cells in WIDTH x HEIGHT in which a picture of ASPECT (width / height) is largest. */
VgCells vg_cells_fit (int n, int width, int height, int gap, double aspect);
void vg_cells_corner (const VgCells *self, int cell, int *x, int *y);
/* The cell at a point; -1: none. */
int vg_cells_at (const VgCells *self, double x, double y);

G_END_DECLS
