/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/fit/lifetime-fit-cpu.h"
/* The initial values of the pixels: the decay of all pixels together is fitted from 16 points at
 * once, one in each lane. */

/* Only the shape of the decay matters; fewer photons keep float sums exact enough. */
#define MOST_PHOTONS 1e6

/* An estimate of the mean lifetime, ns. */
static double
mean_lifetime (const VgLifetimeFit *fit, const double *decay, double *photons)
{
  double sum = 0, moment = 0, irf = fit->irf != NULL ? 0 : fit->first - 0.5;

  for (int j = fit->first; j < fit->end; j++)
    {
      sum += decay[j];
      moment += decay[j] * j;
    }
  for (int i = fit->irf_first; fit->irf != NULL && i < fit->irf_end; i++)
    irf += fit->irf[i] * i;
  *photons = sum;
  if (!(sum > 0))
    return 0.1 * (fit->end - fit->first) * fit->bin_width_ns;
  return MAX (moment / sum - irf, 1.0) * fit->bin_width_ns;
}

/* Half of the smallest mean of a sixteenth of the range. */
static double
smallest (const VgLifetimeFit *fit, const double *decay)
{
  int n = MAX ((fit->end - fit->first) / 16, 1);
  double least = INFINITY;

  for (int j = fit->first; j + n <= fit->end; j += n)
    {
      double sum = 0;

      for (int i = 0; i < n; i++)
        sum += decay[j + i];
      least = MIN (least, sum / n);
    }
  return 0.5 * least;
}

static void
spread (const VgLifetimeFit *fit, double tau, int lane, double *lifetime, double *exponent)
{
  static const double one[] = { 0.3, 0.7, 1, 1.6 }, first[] = { 0.1, 0.2, 0.4, 0.7 },
                      second[] = { 1.02, 1.5, 2.2, 3.5 };
  static const double beta[] = { 0.4, 0.6, 0.8, 1 }, low[] = { 0.05, 0.1, 0.2, 0.35 };
  int a = lane & 3, b = lane >> 2;

  *exponent = beta[b];
  if (fit->terms == 1)
    lifetime[0] = tau * one[a] * (fit->stretched ? 1 : 1 + 0.1 * b);
  else if (fit->terms == 2)
    {
      lifetime[0] = tau * first[a];
      lifetime[1] = tau * second[b];
    }
  else
    {
      lifetime[0] = tau * low[a];
      lifetime[1] = tau * (b & 1 ? 0.8 : 0.5);
      lifetime[2] = tau * (b & 2 ? 3.0 : 1.5);
    }
  for (int i = 0; i < fit->terms; i++)
    lifetime[i] = fit->fixed[i] ? fit->start_ns[i]
                                : CLAMP (lifetime[i], 1.01 * fit->min_ns, 0.99 * fit->max_ns);
}

static void
begin (const VgLifetimeFit *fit, const double *decay, double tau, double photons, VgFitState *state)
{
  VgFitShape shape = vg_lifetime_fit_shape (fit);
  int k = fit->terms;
  double offset = fit->free_offset ? smallest (fit, decay) : 0;

  memset (state, 0, sizeof *state);
  for (int lane = 0; lane < VG_N_LANES; lane++)
    {
      double lifetime[3], exponent,
          left = MAX (photons - offset * (fit->end - fit->first), 0.1 * photons);

      spread (fit, tau, lane, lifetime, &exponent);
      for (int i = 0; i < k; i++)
        {
          state->next[i][lane] = (float) (fit->stretched ? left * fit->bin_width_ns / lifetime[0]
                                                         : left / k);
          state->next[k + i][lane] = logf ((float) lifetime[i]);
        }
      if (fit->stretched)
        state->next[2][lane] = (float) exponent;
      state->next[vg_fit_offset_index (shape)][lane] = (float) (fit->free_offset ? offset
                                                                                 : fit->offset);
    }
  state->best = state->gain = vg_lanes (FLT_MAX);
  state->lambda = vg_lanes (1e-3f);
}

/* Uses lane BEST as the initial values, with each component present and no two alike. */
static void
adopt (VgLifetimeFit *fit, const VgFitState *state, int best, double photons)
{
  int k = fit->terms;
  double sum = 0;

  for (int i = 0; i < k; i++)
    {
      fit->start_ns[i] = fit->fixed[i] ? fit->start_ns[i] : expf (state->x[k + i][best]);
      fit->start_share[i] = state->x[i][best] / (float) photons;
      sum += fit->start_share[i];
    }
  for (int i = 1; i < k; i++)
    for (int j = i;
         j > 0 && fit->start_ns[j] < fit->start_ns[j - 1] && !fit->fixed[j] && !fit->fixed[j - 1];
         j--)
      {
        float tau = fit->start_ns[j], share = fit->start_share[j];

        fit->start_ns[j] = fit->start_ns[j - 1];
        fit->start_ns[j - 1] = tau;
        fit->start_share[j] = fit->start_share[j - 1];
        fit->start_share[j - 1] = share;
      }
  for (int i = 0; i < k; i++)
    {
      if (i > 0 && !fit->fixed[i])
        fit->start_ns[i] = CLAMP (fit->start_ns[i], MIN (1.3f * fit->start_ns[i - 1], fit->max_ns),
                                  fit->max_ns);
      if (k > 1)
        fit->start_share[i] = MAX (fit->start_share[i], 0.05f * (float) sum);
    }
  fit->start_exponent = fit->stretched ? state->x[2][best] : 1;
  fit->start_offset = fit->free_offset
                          ? state->x[vg_fit_n_params (vg_lifetime_fit_shape (fit)) - 1][best] /
                                (float) photons
                          : 0;
}

double
vg_lifetime_fit_start (VgLifetimeFit *self, const double *decay, double pixels)
{
  VgLifetimeFit fit = *self;
  double photons, tau = mean_lifetime (self, decay, &photons),
                  scale = photons > 0 ? MIN (1, MOST_PHOTONS / photons) : 1;
  g_autofree double *scaled = g_new (double, self->end);
  VgLanes *samples = g_aligned_alloc ((gsize) self->end, sizeof (VgLanes), 64);
  VgFitState state;
  VgFitSums sums;
  int best = -1;

  for (int j = 0; j < self->end; j++)
    {
      scaled[j] = photons > 0 ? decay[j] * scale : exp (-j * self->bin_width_ns / tau);
      samples[j] = vg_lanes ((float) scaled[j]);
    }
  photons = 0;
  for (int j = self->first; j < self->end; j++)
    photons += scaled[j];
  fit.offset = (float) (self->offset * pixels * scale);
  begin (&fit, scaled, tau, photons, &state);
  vg_lifetime_fit_run (&fit, samples, &state, &sums);
  for (int i = 0; i < VG_N_LANES; i++)
    if (isfinite (state.best[i]) && (best < 0 || state.best[i] < state.best[best]))
      best = i;
  adopt (self, &state, MAX (best, 0), photons);
  g_aligned_free (samples);
  return best < 0 ? HUGE_VAL : 2.0 * state.best[best];
}
