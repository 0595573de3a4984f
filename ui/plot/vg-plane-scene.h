/* SPDX-License-Identifier: MIT */
#pragma once
#include <pango/pangocairo.h>
#include "app/compute/vg-plot-plane.h"
#include "ui/layers/vg-view-transform.h"
#include "ui/plot/vg-ellipse.h"
#include "ui/plot/vg-plot-layer.h"
/* What is drawn over the image of a plot page with a plane: guides, the pixels of the image in the
 * plane, and ellipses.  Positions in the plane are in its unit. */
G_BEGIN_DECLS

typedef struct
{
  const VgPlotPlane *plot;   /* NULL: nothing is drawn */
  VgViewTransform transform; /* of its plane on the widget */
  const VgEllipse *ellipses;
  guint n_ellipses;
  int selected;              /* index of an ellipse; -1: none */
  const VgPlotColor *colors; /* of the regions */
  guint n_colors;
  const PangoFontDescription *font;
  double left;       /* pixels that the axis at the left takes */
  double pointer[2]; /* position in the plane; NaN: none */
} VgPlaneScene;

enum { VG_PLANE_KNOB_PX = 16 }; /* from the end of the first radius to the knob */

void vg_plane_scene_draw (const VgPlaneScene *self, cairo_t *cr);
/* Pixels of the widget per unit of the plane. */
double vg_plane_scene_get_scale (const VgPlaneScene *self);
void vg_plane_scene_to_plane (const VgPlaneScene *self, double x, double y, double *px, double *py);
void vg_plane_scene_to_widget (const VgPlaneScene *self, double px, double py, double *x,
                               double *y);
/* What a fit shows, in pixels of the plane: the guides, the ellipses, and samples as far as they
 * make the guides only a little smaller. */
VgExtent vg_plane_scene_get_fit (const VgPlaneScene *self);
/* The same with most samples. */
VgExtent vg_plane_scene_get_all (const VgPlaneScene *self);
/* The fraction of the samples that a fit does not show. */
double vg_plane_scene_get_outside (const VgPlaneScene *self);
/* What shows most samples alone; FALSE: there are none. */
gboolean vg_plane_scene_get_data (const VgPlaneScene *self, VgExtent *area);

G_END_DECLS
