/* SPDX-License-Identifier: MIT */
/* What the decay of the whole image says of the response and the background. */
#include "lifetime-plan-private.h"
#include "lifetime-fit-settings.h"
#include <math.h>
#include <string.h>

static int
find_peak (const double *values, int n)
{
  int peak = 0;

  for (int j = 1; j < n; j++)
    peak = values[j] > values[peak] ? j : peak;
  return peak;
}

/* The first bin of the rise to the peak that is a tenth of the way up from the least counts before it; 0: the decay does not come up by half. */
static int
find_tenth (const double *decay, int n)
{
  int peak = find_peak (decay, n), low = peak;
  double least = 0.0;   /* but for bins that the electronics leave empty */

  for (int j = 0; j < peak; j++)
    least = decay[j] > 0.0 && (decay[j] < least || least == 0.0) ? decay[j] : least;
  while (low > 0 && decay[low - 1] > least + 0.1 * (decay[peak] - least))
    low--;
  return least > 0.5 * decay[peak] ? 0 : low;
}

/* What the response does to the lifetimes, for the figures: whether it can be the one of these data, and what comes of having none. */
static void
judge_response (VgLifetimePlan *self, const VgLifetimeParams *params, const double *decay, const VgLifetimeCurve *measured)
{
  gboolean is_measured = self->irf != NULL && params->irf_kind == VG_LIFETIME_IRF_MEASURED;
  double window = self->bins * self->h;

  self->outside_irf = FALSE;
  for (int j = 0; self->lacks_irf && params->irf_kind == VG_LIFETIME_IRF_MEASURED && measured != NULL && measured->counts != NULL && j < measured->n; j++)
    self->outside_irf |= measured->counts[j] > 0.0;
  self->late_irf = is_measured && find_peak (self->irf, self->bins) > find_peak (decay, self->bins) + 1;
  self->irf_channel = is_measured ? measured->channel : 0;
  self->irf_channels = is_measured ? measured->channels : 0;
  self->raw_phasors = FALSE;
  if (self->irf != NULL || !vg_lifetime_plan_needs_decay (params))
    return;
  self->pulse_ns = find_tenth (decay, self->bins) * self->h;
  self->raw_phasors = self->pulse_ns > 0.01 * window || fabs (self->period_ns - window) > 0.01 * window;
}

/* What is counted before the pulse rises, between the bins that the electronics leave empty and its foot; as a share of the peak
 * less what the tail of the pulse before leaves there, where the laser period is known. */
void
vg_lifetime_plan_look_before (VgLifetimePlan *self, const VgLifetimeParams *params, const double *decay)
{
  gboolean looked = vg_lifetime_plan_needs_decay (params), period_known = params->period_ns > 0.0f;
  int peak = looked ? find_peak (decay, self->bins) : 0, low = looked ? find_tenth (decay, self->bins) : 0, from = 0, to, start, end;
  double sum = 0.0, left = 0.0, tau;

  self->before_first = self->before_end = 0;
  self->before_pulse = self->before_share = 0.0;
  while (from < low && decay[from] == 0.0)
    from++;
  if (from < low && decay[from] < 0.75 * decay[from + 1])   /* half full */
    from++;
  to = low - 2 * (peak - low) / 3 - 2;
  if (low == 0 || to - from < VG_LIFETIME_LEAST_BEFORE)
    return;
  self->before_first = from;
  self->before_end = to;
  tau = vg_lifetime_tail_lifetime (decay, self->bins);
  vg_lifetime_find_tail (decay, self->bins, &start, &end);
  for (int j = from; j < to; j++)
    {
      sum += decay[j] / (to - from);
      left += decay[start] * exp (-(j + self->period_ns / self->h - start) / MAX (tau, 1e-3)) / (to - from);
    }
  self->before_pulse = sum / self->pixels;
  self->before_share = MAX (sum - (period_known ? left : 0.0), 0.0) / decay[peak];
}

/* Counts of DECAY that a fit with PARAMS and the plan expects, times *SCALE; FALSE: there is none. */
static gboolean
fit_all (const VgLifetimePlan *plan, const VgLifetimeParams *params, const double *decay, double *curve, double *scale)
{
  const double most = 1e6;
  VgLifetimeFitting fitting = { 0 };
  gboolean found = vg_lifetime_fitting_make (&fitting, params, plan, decay, plan->pixels);

  if (found)
    {
      g_autofree float *samples = g_new (float, plan->end);
      VgLifetimeCube cube = { samples, VG_F32, 1, 1, 1, NULL, NULL };
      float values[VG_LIFETIME_FIT_N_PLANES];
      VgLifetimeFitMaps maps;
      double photons = 0.0;

      for (int j = plan->start; j < plan->end; j++)
        photons += decay[j];
      *scale = photons > most ? most / photons : 1.0;   /* the shape counts; single precision adds so many */
      for (int j = 0; j < plan->end; j++)
        samples[j] = (float) (decay[j] * *scale);
      for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
        maps.plane[i] = values + i;
      vg_lifetime_fit_pixels (&fitting.fit, &cube, 1, &maps);
      vg_lifetime_fit_curve (&fitting.fit, values, curve);
      found = isfinite (curve[plan->start]);
    }
  vg_lifetime_fitting_clear (&fitting);
  return found;
}

/* The share of the photons within a nanosecond of the rise that come at other times than the response lets them, beyond what noise gives in one of
 * a thousand cases (Kuiper's statistic, which single uneven bins do not move).  What lifetimes can explain, two of them and an offset have. */
static double
find_misfit (const VgLifetimePlan *plan, const double *decay)
{
  const double around_ns = 1.0, noise = 2.0;
  VgLifetimePlan own = *plan;
  VgLifetimeParams params = plan->finish.params;
  g_autofree double *curve = g_new (double, plan->bins);
  int rise = vg_lifetime_find_rise (decay, plan->bins), around = (int) (around_ns / plan->h), end;
  double ahead = 0.0, least = 0.0, most = 0.0, photons = 0.0, scale;

  if (rise == 0)
    return 0.0;
  params.method = params.method == VG_LIFETIME_MLE_TRI ? VG_LIFETIME_MLE_TRI : VG_LIFETIME_MLE_BI;
  params.offset = VG_LIFETIME_OFFSET_FITTED;
  params.know_1 = params.know_2 = params.know_3 = FALSE;
  own.start = MIN (plan->start, rise);
  end = MIN (find_peak (decay, plan->bins) + around, own.end);
  if (!fit_all (&own, &params, decay, curve, &scale))
    return 0.0;
  for (int j = MAX (rise - around, own.start); j < end; j++)
    {
      photons += decay[j];
      ahead += decay[j] - curve[j] / scale;
      least = MIN (least, ahead);
      most = MAX (most, ahead);
    }
  return photons > 0.0 ? MAX ((most - least) / photons - noise / sqrt (photons), 0.0) : 0.0;
}

void
vg_lifetime_plan_judge (VgLifetimePlan *self, const double *decay, const VgLifetimeCurve *measured)
{
  const VgLifetimeParams *params = &self->finish.params;

  judge_response (self, params, decay, measured);
  self->irf_misfit = self->irf != NULL && vg_lifetime_takes_rise (params) ? find_misfit (self, decay) : 0.0;
}
