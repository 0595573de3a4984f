/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include <math.h>
#include <string.h>

/* Fixes the known lifetimes.  The initial values of the others come from the data. */
static void
fix_known (VgLifetimeFit *fit, const VgLifetimeParams *params)
{
  const gboolean known[] = { params->know_1, params->know_2, params->know_3 };
  const float value[] = { params->known_1_ns, params->known_2_ns, params->known_3_ns };

  for (int i = 0; i < fit->terms && !fit->stretched; i++)
    {
      fit->fixed[i] = known[i];
      fit->start_ns[i] = value[i];
    }
}

static gboolean
set_up (VgLifetimeFitting *self, const VgLifetimeParams *params, const VgLifetimePlan *plan)
{
  VgLifetimeFit *fit = &self->fit;
  g_autofree float *irf = NULL;

  fit->bin_width_ns = (float) plan->h;
  fit->first = plan->start;
  fit->end = plan->end;
  fit->period = vg_lifetime_fitting_period (params, plan->bins);
  fix_known (fit, params);
  self->irf = g_new0 (float, fit->period);
  /* A stretched exponential is fitted to the tail, so only the time of the IRF matters. */
  fit->delay = fit->stretched && plan->irf != NULL ? (float) MAX (plan->start - plan->irf_mean, 0.0)
                                                   : 0.0f;
  if (plan->irf != NULL && !fit->stretched)
    {
      irf = g_new (float, plan->bins);
      /* The fits' decay begins in the bin of the pulse.  Photons that follow immediately fall
       * into that bin or the next, half each. */
      for (int i = 0; i < plan->bins; i++)
        irf[i] = (float) (0.5 * (plan->irf[i] + (i > 0 ? plan->irf[i - 1] : 0.0)));
    }
  if (!vg_lifetime_fit_init (fit, irf, plan->bins, self->irf, &self->error))
    return FALSE;
  self->nodes = g_new (float, (gsize) (fit->end - fit->first) * VG_LIFETIME_NODES * 2);
  vg_lifetime_fit_nodes (fit, self->nodes);
  fit->nodes = self->nodes;
  return TRUE;
}

static void
take_model (VgLifetimeFitting *self, const VgLifetimeParams *params, const VgLifetimePlan *plan)
{
  gboolean before = params->offset == VG_LIFETIME_OFFSET_BEFORE;
  const VgLifetimeFitModel *model = vg_lifetime_fit_model (params->method);

  self->fit.terms = model->terms;
  self->fit.stretched = model->stretched;
  self->fit.estimator = !model->squares                                ? VG_LIFETIME_DEVIANCE
                        : params->weights == VG_LIFETIME_WEIGHTS_MODEL ? VG_LIFETIME_PEARSON
                                                                       : VG_LIFETIME_NEYMAN;
  self->fit.free_offset = params->offset == VG_LIFETIME_OFFSET_FITTED;
  self->fit.offset = params->offset == VG_LIFETIME_OFFSET_GIVEN ? params->background
                     : before && plan->before_end > 0           ? 1.0f
                                                                : 0.0f;
  self->before = (VgLifetimeBefore){ .first = before ? plan->before_first : 0,
                                     .end = before ? plan->before_end : 0 };
  self->sharing = model->stretched ? VG_LIFETIME_SHARE_NONE : params->sharing;
}

/* Estimates the photons of previous pulses before the pulse, relative to those in the later half
 * of the tail, by extrapolating the fit of DECAY through the period.  The ratio is nearly right
 * for pixels with other lifetimes, as it multiplies each pixel's own tail. */
static void
find_left (VgLifetimeBefore *self, const VgLifetimeParams *params, const VgLifetimePlan *plan,
           const double *decay)
{
  VgLifetimeParams fitted = *params;
  VgLifetimePlan own = *plan;
  g_autofree double *curve = g_new (double, plan->bins);
  int end = plan->end, tail = (plan->start + end) / 2,
      period = vg_lifetime_fitting_period (params, plan->bins);
  double scale, offset, log_q, before = 0.0, sum = 0.0;

  if (!params->earlier_pulses || end - tail < 3 ||
      (plan->irf == NULL && !(params->period_ns > 0.0f)))
    return;
  fitted.offset = VG_LIFETIME_OFFSET_FITTED;
  /* The bins before the pulse determine the offset best. */
  if (plan->irf != NULL && vg_lifetime_uses_onset (params))
    own.start = MIN (own.start, self->first);
  if (!vg_lifetime_fitting_model (&own, &fitted, decay, curve, &scale, &offset) ||
      !(curve[end - 1] > offset))
    return;
  log_q = log ((curve[end - 1] - offset) / (curve[tail] - offset)) / (end - 1 - tail);
  for (int j = self->first; j < self->end; j++)
    before += (curve[end - 1] - offset) * exp (log_q * (j + period - (end - 1))) /
              (self->end - self->first);
  for (int j = tail; j < end; j++)
    sum += (curve[j] - offset) / (end - tail);
  if (!(log_q < 0.0) || !(before < sum))
    return;
  self->left = (float) (before / sum);
  self->tail = tail;
  self->tail_end = end;
}

gboolean
vg_lifetime_fitting_make (VgLifetimeFitting *self, const VgLifetimeParams *params,
                          const VgLifetimePlan *plan, const double *decay, double pixels)
{
  vg_lifetime_fitting_clear (self);
  take_model (self, params, plan);
  if (!set_up (self, params, plan))
    return FALSE;
  if (self->before.end > 0)
    {
      find_left (&self->before, params, plan, decay);
      pixels = vg_lifetime_fit_offset (decay, &self->before);
    }
  self->deviance = vg_lifetime_fit_start (&self->fit, decay, pixels);
  return TRUE;
}

gboolean
vg_lifetime_fitting_model (const VgLifetimePlan *plan, const VgLifetimeParams *params,
                           const double *decay, double *curve, double *scale, double *offset)
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
      /* Only the shape matters, and this many photons can be summed in single precision. */
      *scale = photons > most ? most / photons : 1.0;
      for (int j = 0; j < plan->end; j++)
        samples[j] = (float) (decay[j] * *scale);
      for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
        maps.plane[i] = values + i;
      vg_lifetime_fit_pixels (&fitting.fit, &cube, 1, &maps);
      *offset = values[VG_LIFETIME_FIT_OFFSET];
      vg_lifetime_fit_curve (&fitting.fit, values, curve);
      found = isfinite (curve[plan->start]);
    }
  vg_lifetime_fitting_clear (&fitting);
  return found;
}

double
vg_lifetime_fitting_offset (const VgLifetimePlan *plan, const double *decay)
{
  VgLifetimeBefore before = { .first = plan->before_first, .end = plan->before_end };

  if (before.end > 0)
    find_left (&before, &plan->finish.params, plan, decay);
  return vg_lifetime_fit_offset (decay, &before);
}

char *
vg_lifetime_fitting_problem (const VgLifetimePlan *plan)
{
  VgLifetimeFitting fitting = { 0 };
  char *problem = NULL;

  if (vg_lifetime_fit_model (plan->finish.params.method) == NULL)
    return NULL;
  take_model (&fitting, &plan->finish.params, plan);
  if (!set_up (&fitting, &plan->finish.params, plan))
    {
      problem = g_strdup (fitting.error->message);
      problem[0] = g_ascii_toupper (problem[0]);
    }
  vg_lifetime_fitting_clear (&fitting);
  return problem;
}

void
vg_lifetime_fitting_clear (VgLifetimeFitting *self)
{
  g_clear_pointer (&self->irf, g_free);
  g_clear_pointer (&self->nodes, g_free);
  g_clear_error (&self->error);
  memset (self, 0, sizeof *self);
}

gboolean
vg_lifetime_fitting_curve (const VgLifetimeFitting *self, const float *outputs, double *counts)
{
  const VgLifetimeFit *fit = &self->fit;
  g_autofree double *all = NULL;
  float values[VG_LIFETIME_FIT_N_PLANES];

  if (self->error != NULL || self->irf == NULL)
    return FALSE;
  for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
    values[k] = VG_LIFETIME_NAN;
  for (int i = 0; i < VG_LIFETIME_N_OUTPUTS; i++)
    /* Several outputs share a plane, and only one of them exists. */
    if (vg_lifetime_fit_plane_of (i) >= 0 && !isnan (outputs[i]))
      values[vg_lifetime_fit_plane_of (i)] = outputs[i];
  if (fit->terms == 1 && !fit->stretched)
    values[VG_LIFETIME_FIT_LIFETIME_1] = values[VG_LIFETIME_FIT_MEAN_AMPLITUDE];
  all = g_new (double, fit->end);
  vg_lifetime_fit_curve (fit, values, all);
  memcpy (counts, all + fit->first, sizeof (double) * (gsize) (fit->end - fit->first));
  return isfinite (counts[0]);
}
