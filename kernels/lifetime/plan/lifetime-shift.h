/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-plan.h"
/* The delay between IRF and data: the shift at which a fit of the whole image's decay has the
 * least deviance. */
G_BEGIN_DECLS

/* Whether the shift is fitted: the settings ask for it, and the method depends on the IRF's
 * position. */
gboolean vg_lifetime_shift_is_fitted (const VgLifetimeParams *params);

/* The shift, ns, for the plan's fit range and its IRF without a shift; the plan stores it too.
 * The fit of DECAY has as many lifetimes as the method, and an offset if the method is not a fit.
 * Returns NaN if the data do not rise. */
double vg_lifetime_shift_find (VgLifetimePlan *plan, const VgLifetimeParams *params,
                               const double *decay, const VgLifetimeCurve *measured,
                               const VgLifetimePulse *pulse);

G_END_DECLS
