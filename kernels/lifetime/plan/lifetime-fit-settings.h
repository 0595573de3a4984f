/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit.h"
#include "kernels/lifetime/model/lifetime-params.h"
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/lifetime/plan/lifetime-settings.h"
/* From the operation's settings and plan to a fit; host memory, for both engines. */
G_BEGIN_DECLS

typedef struct
{
  VgLifetimeFit fit;
  float *irf, *nodes;      /* fit.period; (fit.end - fit.first) * VG_LIFETIME_NODES * 2 */
  int sharing;             /* VgLifetimeSharing */
  VgLifetimeBefore before; /* from where a pixel's offset is, which takes the place of its area */
  double deviance;         /* of the fit of the decay that pixels start from */
  GError *error;           /* why these settings and data cannot be fitted, or NULL */
} VgLifetimeFitting;

/* DECAY: photons by bin of all PIXELS, where the fits start from.  FALSE: self->error. */
gboolean vg_lifetime_fitting_make (VgLifetimeFitting *self, const VgLifetimeParams *params,
                                   const VgLifetimePlan *plan, const double *decay, double pixels);
/* Counts of DECAY, of all the plan's pixels, that a fit of it with PARAMS expects in bins [0,
 * plan->end), times *SCALE, *OFFSET of them in each; FALSE: there is none. */
gboolean vg_lifetime_fitting_model (const VgLifetimePlan *plan, const VgLifetimeParams *params,
                                    const double *decay, double *curve, double *scale,
                                    double *offset);
/* What DECAY has before the pulse as an offset, where the plan's settings take it from there. */
double vg_lifetime_fitting_before (const VgLifetimePlan *plan, const double *decay);
/* Why nothing can be fitted with this plan, a sentence (owned), or NULL: it can, or the method is
 * no fit. */
char *vg_lifetime_fitting_problem (const VgLifetimePlan *plan);
void vg_lifetime_fitting_clear (VgLifetimeFitting *self);
/* COUNTS of the fit's range from the values of the outputs of a pixel, in the order
 * of the output table; FALSE: no fit. */
gboolean vg_lifetime_fitting_curve (const VgLifetimeFitting *self, const float *outputs,
                                    double *counts);

G_END_DECLS
