/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit.h"
#include "kernels/lifetime/model/lifetime-params.h"
#include "kernels/lifetime/plan/lifetime-plan.h"
/* From the operation's settings and plan to a fit; host memory, for both engines. */
G_BEGIN_DECLS

/* Outputs that a fit finds: bit i for output i. */
#define VG_LIFETIME_BIT(output) (1u << VG_LIFETIME_OUTPUT_##output)
#define VG_LIFETIME_FINDS_ONE                                                                      \
  (VG_LIFETIME_BIT (LIFETIME) | VG_LIFETIME_BIT (AMPLITUDE) | VG_LIFETIME_BIT (OFFSET) |           \
   VG_LIFETIME_BIT (DEVIANCE) | VG_LIFETIME_BIT (ERROR))
#define VG_LIFETIME_FINDS_TWO                                                                      \
  (VG_LIFETIME_FINDS_ONE | VG_LIFETIME_BIT (LIFETIME_1) | VG_LIFETIME_BIT (LIFETIME_2) |           \
   VG_LIFETIME_BIT (FRACTION) | VG_LIFETIME_BIT (WEIGHTED) | VG_LIFETIME_BIT (ERROR_2) |           \
   VG_LIFETIME_BIT (FRACTION_ERROR))
#define VG_LIFETIME_FINDS_THREE                                                                    \
  (VG_LIFETIME_FINDS_TWO | VG_LIFETIME_BIT (LIFETIME_3) | VG_LIFETIME_BIT (FRACTION_2) |           \
   VG_LIFETIME_BIT (ERROR_3) | VG_LIFETIME_BIT (FRACTION_2_ERROR))
#define VG_LIFETIME_FINDS_STRETCHED                                                                \
  (VG_LIFETIME_FINDS_ONE | VG_LIFETIME_BIT (TIME_CONSTANT) | VG_LIFETIME_BIT (WEIGHTED) |          \
   VG_LIFETIME_BIT (EXPONENT))

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
/* Bins of the laser's period, at least those of the window. */
int vg_lifetime_fitting_period (const VgLifetimeParams *params, int bins);
/* What a fit with METHOD finds, 0: it is none; and the fit's plane that is OUTPUT. */
guint32 vg_lifetime_fit_finds (int method);
/* Its exponentials. */
int vg_lifetime_fit_terms (int method);
int vg_lifetime_fit_plane_of (int output);
/* COUNTS of the fit's range from the values of the outputs of a pixel, in the order
 * of the output table; FALSE: no fit. */
gboolean vg_lifetime_fitting_curve (const VgLifetimeFitting *self, const float *outputs,
                                    double *counts);

G_END_DECLS
