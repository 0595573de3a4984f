/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit.h"
#include "kernels/lifetime/model/lifetime-params.h"
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/lifetime/plan/lifetime-settings.h"
/* Converts the operation's settings and the plan to a fit; in host memory, for both engines. */
G_BEGIN_DECLS

typedef struct
{
  VgLifetimeFit fit;
  /* fit.period values; (fit.end - fit.first) * VG_LIFETIME_NODES * 2 values */
  float *irf, *nodes;
  int sharing; /* VgLifetimeSharing */
  /* the bins that give a pixel's offset; the offset then replaces its area */
  VgLifetimeBefore before;
  double deviance; /* of the fit of the decay of all pixels */
  GError *error;   /* why a fit with these settings and data is impossible, or NULL */
} VgLifetimeFitting;

/* Prepares a fit.  DECAY is the sum of PIXELS pixels in each bin; its fit gives the initial
 * values.  Returns FALSE and sets self->error if the fit is impossible. */
gboolean vg_lifetime_fitting_make (VgLifetimeFitting *self, const VgLifetimeParams *params,
                                   const VgLifetimePlan *plan, const double *decay, double pixels);
/* Fits DECAY, the sum of all pixels of the plan, with PARAMS.  CURVE receives the expected counts
 * in bins [0, plan->end) times *SCALE, which include *OFFSET in each bin.  Returns FALSE if there
 * is no fit. */
gboolean vg_lifetime_fitting_model (const VgLifetimePlan *plan, const VgLifetimeParams *params,
                                    const double *decay, double *curve, double *scale,
                                    double *offset);
/* The offset that DECAY has in the bins before the pulse, if the plan's settings measure it
 * there. */
double vg_lifetime_fitting_offset (const VgLifetimePlan *plan, const double *decay);
/* The reason, a sentence (owned), why a fit with this plan is impossible; NULL if it is possible
 * or the method is not a fit. */
char *vg_lifetime_fitting_problem (const VgLifetimePlan *plan);
void vg_lifetime_fitting_clear (VgLifetimeFitting *self);
/* Computes the COUNTS in the fit range from a pixel's values, in the order of the output table.
 * Returns FALSE if the pixel has no fit. */
gboolean vg_lifetime_fitting_curve (const VgLifetimeFitting *self, const float *outputs,
                                    double *counts);

G_END_DECLS
