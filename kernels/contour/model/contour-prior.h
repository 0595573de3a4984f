/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-formula.h"
#include <glib.h>
/* The shape prior: signed distances of 30 ellipses of unit area on a square of
 * nodes, their weighted mean and principal modes. */
G_BEGIN_DECLS

typedef struct
{
  float mean[VG_CONTOUR_TEMPLATE]; /* in radii */
  float modes[VG_CONTOUR_MODES][VG_CONTOUR_TEMPLATE];
  float limit[VG_CONTOUR_MODES]; /* three standard deviations */
  /* Nodes near the outline, where a shape is compared with the mean: their
   * places, the mean and the modes times the weight there. */
  int n_used;
  gint32 used[VG_CONTOUR_TEMPLATE];
  float u[VG_CONTOUR_TEMPLATE], v[VG_CONTOUR_TEMPLATE], used_mean[VG_CONTOUR_TEMPLATE];
  float weighted[VG_CONTOUR_MODES][VG_CONTOUR_TEMPLATE];
  double explained[VG_CONTOUR_MODES]; /* share of the variance */
} VgContourPrior;

/* FALSE: no memory. */
gboolean vg_contour_prior_fill (VgContourPrior *self);
/* Distance to an ellipse about the origin with half-axes A >= B along x and y, positive inside. */
double vg_contour_ellipse_distance (double a, double b, double x, double y);

G_END_DECLS
