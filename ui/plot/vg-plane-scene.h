/* SPDX-License-Identifier: MIT */
#pragma once
#include <pango/pangocairo.h>
#include "ui/plot/vg-ellipse.h"
#include "ui/plot/vg-plot-layer.h"
#include "app/compute/vg-plot-plane.h"
/* The picture of a plot page over a plane, apart from any widget: the plane
 * in colours and true proportions, axes, what the operation draws over it,
 * where pixels of the picture lie, and ellipses. */
G_BEGIN_DECLS

typedef struct
{
  const VgPlotPlane *picture; /* NULL: an empty frame */
  const VgOutput *output;     /* that its plane is of */
  cairo_surface_t *image;     /* of the plane, by vg_plane_scene_color; NULL: none */
  const VgEllipse *ellipses;
  guint n_ellipses;
  int selected;              /* -1: none */
  const VgPlotColor *colors; /* of the regions */
  guint n_colors;
  gboolean zoomed;         /* middle and scale were chosen; else they follow the data */
  double middle[2], scale; /* in the plane's unit; pixels per unit */
  /* what is in view while they are not chosen: x and y from, to; by draw */
  double range[4];
  double pointer[2]; /* NaN: none */
  gboolean dark;
  const char *empty_text;
  double box[4]; /* where the plane is drawn: x, y, width, height; by draw */
} VgPlaneScene;

enum { VG_PLANE_KNOB_PX = 16 }; /* from the end of the first radius to the knob */

/* The plane's samples in colours; newly allocated. */
cairo_surface_t *vg_plane_scene_color (const VgPlotPlane *picture, const VgOutput *output);
/* The box in a picture of that size, no wider than the range (more would be ground), and middle and
 * scale unless they were chosen. */
void vg_plane_scene_lay_out (VgPlaneScene *self, int width, int height);
/* Lays out for a picture of that size and draws it. */
void vg_plane_scene_draw (VgPlaneScene *self, cairo_t *cr, int width, int height);
void vg_plane_scene_to_plane (const VgPlaneScene *self, double x, double y, double *px, double *py);
void vg_plane_scene_to_pixel (const VgPlaneScene *self, double px, double py, double *x, double *y);
/* Chooses middle and scale so that the plane's counts fill the view; FALSE: there are none. */
gboolean vg_plane_scene_zoom_data (VgPlaneScene *self);
/* The sample at a place of the plane; NaN outside. */
double vg_plane_scene_sample (const VgPlaneScene *self, double px, double py);
VgPlotColor vg_plane_scene_category (guint i); /* of ellipse I */

G_END_DECLS
