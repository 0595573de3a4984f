/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-plan.h"
/* The pieces of vg_lifetime_plan_make. */
G_BEGIN_DECLS

/* lifetime-judge.c: the bins before the pulse and their counts. */
void vg_lifetime_plan_look_before (VgLifetimePlan *self, const VgLifetimeParams *params,
                                   const double *decay);
/* lifetime-judge.c: what the decay of the whole image says of the plan, for the figures. */
void vg_lifetime_plan_judge (VgLifetimePlan *self, const double *decay,
                             const VgLifetimeCurve *measured);
/* lifetime-weights.c: events, weights and table for the plan's bins; BEFORE: its finish at the last
 * make.  TRUE: the sums are of other weights. */
gboolean vg_lifetime_plan_weigh (VgLifetimePlan *self, const VgLifetimeFinish *before);

G_END_DECLS
