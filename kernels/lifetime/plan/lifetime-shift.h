/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-plan.h"
/* Where the response lies against the data: the shift with which a fit of the whole image's decay
 * has the least deviance. */
G_BEGIN_DECLS

/* Whether the shift is looked for: these settings ask for it, and the response's place matters to
 * their method. */
gboolean vg_lifetime_shift_is_fitted (const VgLifetimeParams *params);

/* The shift, ns, from the plan's range and its response without a shift; also kept in the plan.  As
 * many lifetimes as the method has are fitted to DECAY, with an offset where the method is no fit.
 * NAN: the data do not rise. */
double vg_lifetime_shift_find (VgLifetimePlan *plan, const VgLifetimeParams *params,
                               const double *decay, const VgLifetimeCurve *measured,
                               const VgLifetimePulse *pulse);

G_END_DECLS
