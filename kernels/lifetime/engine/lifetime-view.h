/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-metrics.h"
#include "kernels/base/vg-plane.h"
/* Outputs besides the maps, for both engines; all data are in host memory. */
G_BEGIN_DECLS

/* cells of the phasor plot, which covers -1..1 on both axes */
enum { VG_LIFETIME_DENSITY_SIDE = 512 };

/* The cell of a phasor in row-major order, with S decreasing; -1: outside. */
VG_SCALAR int
vg_lifetime_density_cell (float g, float s)
{
  float side = (float) VG_LIFETIME_DENSITY_SIDE, x = 0.5f * (g + 1.0f) * side,
        y = 0.5f * (1.0f - s) * side;

  if (!(x >= 0.0f) || !(y >= 0.0f) || x >= side || y >= side)
    return -1;
  return (int) y * VG_LIFETIME_DENSITY_SIDE + (int) x;
}

enum {
  VG_LIFETIME_PLOT_LIFETIMES,
  VG_LIFETIME_PLOT_DECAY,
  VG_LIFETIME_PLOT_PHASOR,
  VG_LIFETIME_N_PLOTS
};

/* Whether output I exists with these settings. */
gboolean vg_lifetime_has_output (const VgLifetimeParams *params, int i);
/* Sets all members of PLANE except the location of its samples. */
void vg_lifetime_describe_plane (VgPlane *plane, int i, const VgImageInfo *info,
                                 const VgLifetimePlan *plan);
/* Adds metrics.  STATUS: number of pixels of each status; PHOTONS: in the whole frame. */
void vg_lifetime_add_results (VgMetrics *metrics, const VgLifetimePlan *plan, const guint64 *status,
                              double photons);
/* Adds the median of the N deviances of a fit (NaN: missing), and whether the IRF contradicts the
 * data. */
void vg_lifetime_add_deviance (VgMetrics *metrics, const VgLifetimePlan *plan,
                               const float *deviance, gsize n);
/* The distribution of the N lifetimes of a map, by pixels and by PHOTONS
 * (lifetime-view-curves.c). */
VgCurves *vg_lifetime_plot_lifetimes (const float *lifetime, const float *photons, gsize n);
/* The mean decay of all pixels with its fit, the IRF, and the fit range (lifetime-region.c). */
VgCurves *vg_lifetime_plot_decay (const VgLifetimePlan *plan, const double *decay);
/* The curves of pixel (x, y) (lifetime-view-curves.c).  COUNTS is its binned decay.  VALUE (NULL
 * or NaN: none) is the result of a method that is not a fit.  FITTED is the curve of a fit in the
 * fit range, and OUTPUTS are the pixel's values in the order of the output table; else NULL. */
VgCurves *vg_lifetime_pixel_curves (const VgLifetimePlan *plan, int x, int y, const double *counts,
                                    const VgLifetimeValue *value, const double *fitted,
                                    const float *outputs);

G_END_DECLS
