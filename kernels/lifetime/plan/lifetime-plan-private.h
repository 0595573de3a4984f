/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-plan.h"
/* The stages of vg_lifetime_plan_make. */
G_BEGIN_DECLS

/* lifetime-assess.c: finds the bins before the pulse and their counts. */
void vg_lifetime_plan_find_background (VgLifetimePlan *self, const VgLifetimeParams *params,
                                       const double *decay);
/* lifetime-assess.c: assesses the plan with the decay of the whole image, for the metrics. */
void vg_lifetime_plan_assess (VgLifetimePlan *self, const double *decay,
                              const VgLifetimeCurve *measured);
/* lifetime-weights.c: sets events, weights and table for the plan's bins.  BEFORE: the finish of
 * the last call.  Returns TRUE if the weights of the sums changed. */
gboolean vg_lifetime_plan_set_weights (VgLifetimePlan *self, const VgLifetimeFinish *before);

G_END_DECLS
