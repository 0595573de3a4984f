/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit-result.h"
/* The fit of one vector of lanes from its histograms to its results. */
VG_FIT_TEMPLATE VgLanes
vg_fit_photons (const VgLifetimeFit *fit, VgFitSamples samples)
{
  VgLanes sum = vg_lanes (0.0f);

  VG_LANES_BINS
  for (int j = fit->first; j < fit->end; j++)
    sum += samples[j];
  return sum;
}

/* Half of the objective of the best constant. */
VG_FIT_TEMPLATE VgLanes
vg_fit_flat (const VgLifetimeFit *fit, VgFitSamples samples, VgLanes photons)
{
  VgLanes sum = vg_lanes (0.0f), weights = sum, counts = sum, squares = sum;
  VgLanes mean = vg_max (photons / (float) (fit->end - fit->first), vg_lanes (1e-12f));

  VG_LANES_BINS
  for (int j = fit->first; j < fit->end; j++)
    {
      VgLanes n = samples[j], w = vg_reciprocal (vg_max (n, vg_lanes (1.0f)));

      if (fit->estimator == VG_LIFETIME_DEVIANCE)
        sum += vg_half_deviance (n, mean);
      else if (fit->estimator == VG_LIFETIME_PEARSON)
        sum += 0.5f * (n - mean) * (n - mean) / mean;
      else
        {
          weights += w;
          counts += w * n;
          squares += w * n * n;
        }
    }
  return fit->estimator == VG_LIFETIME_NEYMAN ? 0.5f * (squares - counts * counts / weights) : sum;
}

/* Fits from X or, if X is NULL, from the fit's initial values. */
VG_FIT_TEMPLATE void
vg_fit_lanes (const VgLifetimeFit *fit, VgFitShape shape, VgFitSamples samples, VgMask there,
              VgLanes area, const VgLanes *x, VgFitResult *result)
{
  int p = vg_fit_n_params (shape);
  VgLanes photons = vg_select (there, vg_fit_photons (fit, samples), vg_lanes (0.0f));
  VgFitState state;
  VgFitBounds bounds;
  VgFitSums sums;
  VgFitEnd end;

  vg_fit_bounds (fit, shape, &bounds);
  vg_fit_begin (fit, shape, photons, area, &state);
  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    if (x != NULL)
      state.x[i] = state.next[i] = x[i];
  int pass = 0;
  do
    {
      vg_fit_pass (fit, shape, samples, state.next, &sums);
      vg_fit_advance (&bounds, &sums, &state, p);
    }
  while (++pass < fit->max_passes && vg_any (vg_not (state.done)));
  vg_fit_end (fit, shape, samples, state.x, photons, &end);
  vg_fit_result (fit, shape, &bounds, &state, &end, photons, result);
}

/* Fits one exponential without IRF and offset by least deviance.  The mean arrival time is then
 * sufficient: S1 / S0 = m (theta) is solved by Newton's method.  m falls and is convex, so a
 * start left of the root stays left of it. */
VG_FIT_TEMPLATE void
vg_fit_mono (const VgLifetimeFit *fit, VgFitSamples samples, VgMask there, VgFitResult *result)
{
  const VgFitShape shape = { 1, FALSE, FALSE };
  VgLanes s0 = vg_lanes (0.0f), s1 = s0, theta, mean, low, high, number = s0;
  float n = (float) (fit->end - fit->first);
  VgFitState state;
  VgFitBounds bounds;
  VgFitEnd end;

  VG_LANES_BINS
  for (int j = fit->first; j < fit->end; j++)
    {
      VgLanes count = samples[j];

      s0 += count;
      s1 += number * count;
      number += 1.0f;
    }
  s0 = vg_select (there, s0, vg_lanes (0.0f));
  mean = s1 / vg_max (s0, vg_lanes (1e-30f));
  low = vg_lanes (fit->bin_width_ns / fit->max_ns);
  high = vg_lanes (fit->bin_width_ns / fit->min_ns);
  /* This initial value is exact for an infinite window and for a flat decay. */
  theta = vg_clamp (1.0f / (mean + 0.5f) - 2.0f / n * vg_min (vg_lanes (1.0f), mean * (1.0f / n)),
                    low, high);
  for (int i = 0; i < 12; i++)
    {
      VgLanes step = (vg_fit_mean_bin (theta, n) - mean) / vg_fit_variance_bin (theta, n);

      theta = vg_clamp (theta + vg_clamp (step, -0.5f * theta, 2.0f * theta), low, high);
    }
  vg_fit_bounds (fit, shape, &bounds);
  state.x[0] = s0;
  state.x[2] = vg_lanes (0.0f);
  state.x[1] = -vg_log (theta / fit->bin_width_ns);
  state.x[1] = vg_select (theta <= low, vg_lanes (bounds.high[1]),
                          vg_select (theta >= high, vg_lanes (bounds.low[1]), state.x[1]));
  state.done = s0 > 0.0f;
  vg_fit_end (fit, shape, samples, state.x, s0, &end);
  end.h[0] = 1.0f / vg_max (s0, vg_lanes (1e-30f));
  end.h[1] = vg_lanes (0.0f);
  end.h[2] = s0 * theta * theta * vg_fit_variance_bin (theta, n);
  vg_fit_result (fit, shape, &bounds, &state, &end, s0, result);
}
