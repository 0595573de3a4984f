/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/base/vg-curves.h"
#include "kernels/base/vg-metrics.h"
#include "kernels/base/vg-plane.h"
/* What both engines show beside the maps; from host memory. */
G_BEGIN_DECLS

enum { VG_LIFETIME_DENSITY_SIDE = 512 }; /* cells of the phasor plot, -1..1 both ways */

/* The cell of a phasor, row by row with s falling; -1: outside. */
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
/* All of PLANE but where its samples are. */
void vg_lifetime_describe_plane (VgPlane *plane, int i, const VgImageInfo *info,
                                 const VgLifetimePlan *plan);
/* STATUS: pixels of each; PHOTONS: in the whole frame. */
void vg_lifetime_add_results (VgMetrics *metrics, const VgLifetimePlan *plan, const guint64 *status,
                              double photons);
/* The median of a fit's N deviances (NaN: none), and whether a response does not fit. */
void vg_lifetime_add_deviance (VgMetrics *metrics, const VgLifetimePlan *plan,
                               const float *deviance, gsize n);
/* lifetime-view-curves.c: the distribution of the N lifetimes of a map, by pixels and by PHOTONS.
 */
VgCurves *vg_lifetime_plot_lifetimes (const float *lifetime, const float *photons, gsize n);
/* lifetime-region.c: the decay of all pixels as that of one, with its fit, the response, and the
 * ends of the fit range. */
VgCurves *vg_lifetime_plot_decay (const VgLifetimePlan *plan, const double *decay);
/* lifetime-view-curves.c: what lies behind pixel (x, y): COUNTS by bin with its neighbours and,
 * unless VALUE is NULL or NaN, the decay that its method found, or FITTED, the fit over the fit
 * range, whose OUTPUTS are the pixel's values in the order of the output table (else NULL). */
VgCurves *vg_lifetime_pixel_curves (const VgLifetimePlan *plan, int x, int y, const double *counts,
                                    const VgLifetimeValue *value, const double *fitted,
                                    const float *outputs);

G_END_DECLS
