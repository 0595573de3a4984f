/* SPDX-License-Identifier: MIT */
/* What the decay of the whole image shows about the IRF and the background. */
#include "kernels/lifetime/plan/lifetime-plan-private.h"
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include <math.h>
#include <string.h>

/* Assesses the IRF for the metrics: whether it can belong to these data, or how a missing IRF
 * affects the result. */
static void
assess_irf (VgLifetimePlan *self, const VgLifetimeParams *params, const double *decay,
            const VgLifetimeCurve *measured)
{
  gboolean is_measured = self->irf != NULL && params->irf_kind == VG_LIFETIME_IRF_MEASURED;
  double window = self->bins * self->h;

  self->outside_irf = FALSE;
  for (int j = 0; self->lacks_irf && params->irf_kind == VG_LIFETIME_IRF_MEASURED &&
                  measured != NULL && measured->counts != NULL && j < measured->n;
       j++)
    self->outside_irf |= measured->counts[j] > 0.0;
  self->late_irf = is_measured && vg_lifetime_find_peak (self->irf, self->bins) >
                                      vg_lifetime_find_peak (decay, self->bins) + 1;
  self->irf_bins = is_measured && !(measured->h > 0.0) ? measured->n : 0;
  self->irf_channel = is_measured ? measured->channel : 0;
  self->irf_channels = is_measured ? measured->channels : 0;
  self->raw_phasors = FALSE;
  if (self->irf != NULL || !vg_lifetime_plan_needs_decay (params))
    return;
  self->pulse_ns = vg_lifetime_find_tenth (decay, self->bins) * self->h;
  self->raw_phasors = self->pulse_ns > 0.01 * window ||
                      fabs (self->period_ns - window) > 0.01 * window;
}

/* Measures the counts before the pulse onset.  As a fraction of the peak they exclude the tail of
 * the previous pulse if the laser period is known. */
void
vg_lifetime_plan_find_background (VgLifetimePlan *self, const VgLifetimeParams *params,
                                  const double *decay)
{
  gboolean looked = vg_lifetime_plan_needs_decay (params), period_known = params->period_ns > 0.0f;
  int start, end;
  double foot, left = 0.0, tau;

  self->before_first = self->before_end = 0;
  self->before_pulse = self->before_share = 0.0;
  if (!looked)
    return;
  foot = vg_lifetime_find_foot (decay, self->bins, &self->before_first, &self->before_end);
  if (self->before_end == 0)
    return;
  tau = vg_lifetime_tail_lifetime (decay, self->bins);
  vg_lifetime_find_tail (decay, self->bins, &start, &end);
  for (int j = self->before_first; j < self->before_end; j++)
    left += decay[start] * exp (-(j + self->period_ns / self->h - start) / MAX (tau, 1e-3)) /
            (self->before_end - self->before_first);
  self->before_pulse = foot / self->pixels;
  self->before_share = MAX (foot - (period_known ? left : 0.0), 0.0) /
                       decay[vg_lifetime_find_peak (decay, self->bins)];
}

/* The fraction of the photons within a nanosecond of the pulse onset whose times the IRF does not
 * explain, less what noise reaches in one of a thousand cases.  It is Kuiper's statistic, which
 * single uneven bins do not affect.  The model has two lifetimes and an offset. */
static double
find_unexplained (const VgLifetimePlan *plan, const double *decay)
{
  const double around_ns = 1.0, noise = 2.0;
  VgLifetimePlan own = *plan;
  VgLifetimeParams params = plan->finish.params;
  g_autofree double *curve = g_new (double, plan->bins);
  int rise = vg_lifetime_find_onset (decay, plan->bins), around = (int) (around_ns / plan->h), end;
  double ahead = 0.0, least = 0.0, most = 0.0, photons = 0.0, scale, offset;

  if (rise == 0)
    return NAN;
  params.method = params.method == VG_LIFETIME_MLE_THREE ? VG_LIFETIME_MLE_THREE
                                                         : VG_LIFETIME_MLE_TWO;
  params.offset = VG_LIFETIME_OFFSET_FITTED;
  params.know_1 = params.know_2 = params.know_3 = FALSE;
  own.start = MIN (plan->start, rise);
  end = MIN (vg_lifetime_find_peak (decay, plan->bins) + around, own.end);
  if (!vg_lifetime_fitting_model (&own, &params, decay, curve, &scale, &offset))
    return NAN;
  for (int j = MAX (rise - around, own.start); j < end; j++)
    {
      photons += decay[j];
      ahead += decay[j] - curve[j] / scale;
      least = MIN (least, ahead);
      most = MAX (most, ahead);
    }
  return photons > 0.0 ? MAX ((most - least) / photons - noise / sqrt (photons), 0.0) : NAN;
}

void
vg_lifetime_plan_assess (VgLifetimePlan *self, const double *decay, const VgLifetimeCurve *measured)
{
  const VgLifetimeParams *params = &self->finish.params;

  assess_irf (self, params, decay, measured);
  self->irf_unexplained = self->irf != NULL && vg_lifetime_uses_onset (params)
                              ? find_unexplained (self, decay)
                              : 0.0;
}
