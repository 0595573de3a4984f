/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/plan/lifetime-plan-private.h"
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include "kernels/lifetime/plan/lifetime-shift.h"
#include <string.h>

static void
choose_range (VgLifetimePlan *self, const VgLifetimeParams *params, const double *decay)
{
  int n = self->bins, start = 0, end = n;

  if (params->range == VG_LIFETIME_RANGE_AUTO || vg_lifetime_finds_other_end (params))
    {
      vg_lifetime_find_tail (decay, n, &start, &end);
      if (self->irf != NULL && vg_lifetime_uses_onset (params))
        start = MIN (vg_lifetime_find_onset (decay, n), start);
    }
  if (params->range == VG_LIFETIME_RANGE_MANUAL && params->fit_start_ns > 0.0f)
    start = (int) CLAMP (rint (params->fit_start_ns / self->h), 0.0, n - 1.0);
  if (params->range == VG_LIFETIME_RANGE_MANUAL && params->fit_end_ns > 0.0f)
    end = (int) CLAMP (rint (params->fit_end_ns / self->h), 1.0, (double) n);
  if (end <= start) /* The estimated end contradicts the end that is set. */
    {
      end = params->fit_end_ns > 0.0f ? end : n;
      start = MIN (start, end - 1);
    }
  self->start = start;
  self->end = end;
  /* A fit range that begins before the foot of the rise limits the bins before the pulse. */
  if (start - self->before_first >= VG_LIFETIME_MIN_BEFORE)
    self->before_end = MIN (self->before_end, start);
}

static int
gate_bins (double ns, double h, int most)
{
  return (int) CLAMP (rint (ns / h), 1.0, (double) MAX (most, 1));
}

static void
set_phasor_of_irf (VgLifetimePlan *self, const VgLifetimeCurve *measured)
{
  VgLifetimeFinish *finish = &self->finish;
  double g = 0.0, s = 0.0, total = 0.0, w;

  finish->irf_g = 1.0;
  finish->irf_s = 0.0;
  if (self->irf == NULL)
    return;
  if (finish->params.irf_kind != VG_LIFETIME_IRF_MEASURED ||
      !(finish->params.irf_lifetime_ns > 0.0f))
    measured = NULL;
  for (int j = 0; j < (measured != NULL ? measured->n : self->bins); j++)
    {
      double value = measured != NULL ? measured->counts[j] : self->irf[j];
      double phase = measured != NULL
                         ? finish->omega *
                               ((j + 0.5) * (measured->h > 0.0 ? measured->h : self->h) +
                                finish->params.irf_shift_ns)
                         : finish->omega * self->h * (j + 0.5);

      g += value * cos (phase);
      s += value * sin (phase);
      total += value;
    }
  finish->irf_g = g / total;
  finish->irf_s = s / total;
  if (measured == NULL)
    return;
  /* The dye's phasor is that of the IRF divided by (1 - i w tau).  Dividing here avoids a noisy
   * deconvolution bin by bin. */
  w = finish->omega * finish->params.irf_lifetime_ns;
  finish->irf_g = (g + w * s) / total;
  finish->irf_s = (s - w * g) / total;
}

static void
set_finish (VgLifetimePlan *self, const VgLifetimeParams *params, const VgImageInfo *info)
{
  VgLifetimeFinish *finish = &self->finish;
  int n = self->end - self->start;

  finish->params = *params;
  finish->phasor = NULL;
  finish->width = info->width;
  finish->height = info->height;
  finish->bins = n;
  finish->h = self->h;
  finish->omega = 2.0 * G_PI * params->harmonic / self->period_ns;
  finish->background = params->background;
  finish->iem_gate = gate_bins (params->iem_gate_ns, self->h, n / 2);
  finish->rld_gate = gate_bins (params->rld_gate_ns, self->h,
                                n / (params->rld_gates == VG_LIFETIME_RLD_THREE ? 3 : 2));
  finish->irf = self->irf != NULL && vg_lifetime_uses_onset (params) &&
                self->irf_mean > self->start - 1.0 && self->irf_mean < self->end - 1.0;
  finish->calibrated = self->irf != NULL;
  finish->origin = finish->irf ? self->irf_mean - self->start : 0.0;
}

/* The pulse in DECAY, or NULL if it has none.  The same decay is not estimated twice. */
static const VgLifetimePulse *
estimate_pulse (VgLifetimePlan *self, const VgLifetimeParams *params, const double *decay)
{
  gsize bytes = sizeof (double) * (gsize) self->bins;
  double period = params->earlier_pulses ? self->period_ns / self->h : 1e6;

  if (self->seen == NULL || memcmp (self->seen, decay, bytes) != 0 || self->seen_period != period)
    {
      g_free (self->seen);
      self->seen = g_memdup2 (decay, bytes);
      self->seen_period = period;
      self->have_pulse = vg_lifetime_pulse_estimate (&self->pulse, decay, self->bins, period);
    }
  return self->have_pulse ? &self->pulse : NULL;
}

/* Places the IRF and chooses the fit range.  PARAMS receives the shift that was found. */
static void
place_irf (VgLifetimePlan *self, VgLifetimeParams *params, const double *decay,
           const VgLifetimeCurve *measured)
{
  gboolean fitted = vg_lifetime_shift_is_fitted (params);
  gboolean estimates = params->irf_kind == VG_LIFETIME_IRF_ESTIMATED ||
                       params->irf_kind == VG_LIFETIME_IRF_GAUSSIAN;
  const VgLifetimePulse *pulse = estimates ? estimate_pulse (self, params, decay) : NULL;

  g_clear_pointer (&self->irf, g_free);
  self->lacks_shift = FALSE;
  /* The tail does not determine a shift. */
  if (params->irf_shift_by == VG_LIFETIME_SHIFT_FITTED)
    params->irf_shift_ns = 0.0f;
  if (params->irf_kind != VG_LIFETIME_IRF_NONE)
    self->irf = vg_lifetime_irf_new (params, decay, self->bins, self->h, measured, pulse,
                                     &self->irf_mean);
  choose_range (self, params, decay);
  if (fitted && self->irf != NULL)
    {
      double shift = vg_lifetime_shift_find (self, params, decay, measured, pulse);

      self->lacks_shift = isnan (shift);
      params->irf_shift_ns = self->lacks_shift ? 0.0f : (float) shift;
      g_free (self->irf);
      self->irf = vg_lifetime_irf_new (params, decay, self->bins, self->h, measured, pulse,
                                       &self->irf_mean);
    }
  self->lacks_irf = params->irf_kind != VG_LIFETIME_IRF_NONE && self->irf == NULL;
}

gboolean
vg_lifetime_plan_make (VgLifetimePlan *self, const VgLifetimeParams *params,
                       const VgImageInfo *info, const double *decay,
                       const VgLifetimeCurve *measured)
{
  VgLifetimeFinish before = self->finish;
  VgLifetimeParams used = *params;

  self->bins = (int) info->bins;
  self->pixels = (double) info->width * info->height * (double) info->slices;
  self->h = vg_lifetime_bin_width (params);
  self->assumed_width = !vg_lifetime_has_bin_width (info) &&
                        !(params->bin_width_ns >= VG_LIFETIME_MIN_BIN_WIDTH_NS);
  self->file_width_ns = vg_lifetime_has_bin_width (info) ? info->bin_width_ns : 0.0;
  self->file_period_ns = vg_lifetime_has_period (info) ? info->period_ns : 0.0;
  self->period_ns = params->period_ns > 0.0f ? params->period_ns : self->bins * self->h;
  vg_lifetime_plan_find_background (self, params, decay);
  place_irf (self, &used, decay, measured);
  set_finish (self, &used, info);
  set_phasor_of_irf (self, measured);
  vg_lifetime_plan_assess (self, decay, measured);
  g_free (self->problem);
  self->problem = vg_lifetime_fitting_problem (self);
  return vg_lifetime_plan_set_weights (self, &before);
}

void
vg_lifetime_plan_clear (VgLifetimePlan *self)
{
  g_free (self->irf);
  g_free (self->problem);
  g_free (self->seen);
  g_clear_pointer (&self->shift_key, g_bytes_unref);
  g_free (self->weights);
  g_free (self->table);
  memset (self, 0, sizeof *self);
}
