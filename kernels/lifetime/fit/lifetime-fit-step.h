/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit-formula.h"
/* One step of a fit: the solution of the normal equations by Levenberg and Marquardt's method,
 * the bounds, and the decision on the step.  Marquardt, SIAM J. Appl. Math. 11, 431 (1963);
 * parameters at a bound are left out of the step (an active set). */
/* L D L^T of the damped matrix.  Rows of fixed parameters become rows of the unit matrix. */
typedef struct
{
  VgLanes l[VG_FIT_MAX_CURVATURE], d[VG_FIT_MAX_PARAMS], inverse[VG_FIT_MAX_PARAMS];
} VgFitFactor;

VG_LANES void
vg_fit_factor (VgFitFactor *f, const VgLanes *h, const VgMask *frozen, VgLanes lambda, int p)
{
  const VgLanes zero = vg_lanes (0.0f), one = vg_lanes (1.0f);

  VG_LANES_SMALL
  for (int j = 0; j < p; j++)
    {
      VgLanes diagonal = vg_select (frozen[j], one, h[VG_FIT_INDEX (j, j)] * (one + lambda)),
              pivot = diagonal;

      VG_LANES_SMALL
      for (int k = 0; k < j; k++)
        pivot -= f->l[VG_FIT_INDEX (j, k)] * f->l[VG_FIT_INDEX (j, k)] * f->d[k];
      /* A smaller pivot is the rounding error of a singular matrix. */
      f->d[j] = vg_max (pivot, 1e-6f * diagonal);
      f->inverse[j] = one / f->d[j];
      VG_LANES_SMALL
      for (int i = j + 1; i < p; i++)
        {
          VgLanes sum = vg_select (frozen[i] | frozen[j], zero, h[VG_FIT_INDEX (i, j)]);

          VG_LANES_SMALL
          for (int k = 0; k < j; k++)
            sum -= f->l[VG_FIT_INDEX (i, k)] * f->l[VG_FIT_INDEX (j, k)] * f->d[k];
          f->l[VG_FIT_INDEX (i, j)] = sum * f->inverse[j];
        }
    }
}

/* Replaces V by the solution.  The elements of fixed parameters must be 0. */
VG_LANES void
vg_fit_solve (const VgFitFactor *f, VgLanes *v, int p)
{
  VG_LANES_SMALL
  for (int i = 1; i < p; i++)
    {
      VG_LANES_SMALL
      for (int k = 0; k < i; k++)
        v[i] -= f->l[VG_FIT_INDEX (i, k)] * v[k];
    }
  VG_LANES_SMALL
  for (int i = p - 1; i >= 0; i--)
    {
      v[i] *= f->inverse[i];
      VG_LANES_SMALL
      for (int k = i + 1; k < p; k++)
        v[i] -= f->l[VG_FIT_INDEX (k, i)] * v[k];
    }
}

typedef struct
{
  /* The best parameters so far; the parameters of the next pass. */
  VgLanes x[VG_FIT_MAX_PARAMS], next[VG_FIT_MAX_PARAMS];
  VgLanes gradient[VG_FIT_MAX_PARAMS], move[VG_FIT_MAX_PARAMS]; /* gradient at x; last step */
  /* Half of the objective at x; the decrease that the step predicts. */
  VgLanes best, lambda, gain, rejects;
  VgMask done;
} VgFitState;

typedef struct
{
  float low[VG_FIT_MAX_PARAMS], high[VG_FIT_MAX_PARAMS];
  gboolean fixed[VG_FIT_MAX_PARAMS], is_log[VG_FIT_MAX_PARAMS];
} VgFitBounds;

VG_LANES void
vg_fit_bounds (const VgLifetimeFit *fit, VgFitShape shape, VgFitBounds *bounds)
{
  int k = shape.terms > 0 ? shape.terms : 1, p = vg_fit_n_params (shape);

  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      gboolean lifetime = i >= k && i < 2 * k, exponent = shape.terms == 0 && i == 2;

      bounds->is_log[i] = lifetime || exponent;
      bounds->fixed[i] = lifetime && fit->fixed[i - k];
      bounds->low[i] = lifetime ? logf (fit->min_ns) : exponent ? VG_FIT_MIN_EXPONENT : 0.0f;
      bounds->high[i] = lifetime ? logf (fit->max_ns) : exponent ? VG_FIT_MAX_EXPONENT : FLT_MAX;
    }
  if (shape.offset)
    bounds->fixed[p - 1] = !fit->free_offset;
}

/* Starts a lane with these photons, the sum of AREA pixels, at the fit's initial values. */
VG_LANES void
vg_fit_begin (const VgLifetimeFit *fit, VgFitShape shape, VgLanes photons, VgLanes area,
              VgFitState *state)
{
  int k = shape.terms, p = vg_fit_n_params (shape);

  VG_LANES_SMALL
  for (int i = 0; i < k; i++)
    {
      state->next[i] = photons * fit->start_share[i];
      state->next[k + i] = vg_lanes (logf (fit->start_ns[i]));
    }
  if (k == 0)
    {
      state->next[0] = photons * fit->start_share[0];
      state->next[1] = vg_lanes (logf (fit->start_ns[0]));
      state->next[2] = vg_lanes (fit->start_exponent);
    }
  state->next[vg_fit_offset_index (shape)] = fit->free_offset ? photons * fit->start_offset
                                                              : fit->offset * area;
  state->x[vg_fit_offset_index (shape)] = state->next[vg_fit_offset_index (shape)];
  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      state->x[i] = state->next[i];
      state->gradient[i] = state->move[i] = vg_lanes (0.0f);
    }
  state->best = vg_lanes (FLT_MAX);
  state->lambda = vg_lanes (1e-3f);
  state->gain = vg_lanes (FLT_MAX);
  state->rejects = vg_lanes (0.0f);
  state->done = vg_not (photons > 0.0f);
}

/* Updates the expected curvature H with the change of the gradient in the last step, H move =
 * change (Broyden, Fletcher, Goldfarb, Shanno).  For few counts or a poor fit the two differ by a
 * factor of two or more, and steps would oscillate about the minimum. */
VG_LANES void
vg_fit_update_curvature (const VgLanes *move, const VgLanes *change, const VgLanes *h,
                         VgLanes *learnt, int p)
{
  VgLanes hm[VG_FIT_MAX_PARAMS], expected = vg_lanes (0.0f), seen = vg_lanes (0.0f), a, b;
  VgMask use;

  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      hm[i] = vg_lanes (0.0f);
      VG_LANES_SMALL
      for (int j = 0; j < p; j++)
        hm[i] += h[i > j ? VG_FIT_INDEX (i, j) : VG_FIT_INDEX (j, i)] * move[j];
      expected += hm[i] * move[i];
      seen += change[i] * move[i];
    }
  use = (seen > 0.1f * expected) & (seen < 10.0f * expected) & (expected > 1e-8f);
  a = vg_select (use, 1.0f / seen, vg_lanes (0.0f));
  b = vg_select (use, 1.0f / expected, vg_lanes (0.0f));
  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      VG_LANES_SMALL
      for (int j = 0; j <= i; j++)
        learnt[VG_FIT_INDEX (i, j)] = h[VG_FIT_INDEX (i, j)] + a * change[i] * change[j] -
                                      b * hm[i] * hm[j];
    }
}

/* Computes the step from X and the decrease that it predicts. */
VG_LANES void
vg_fit_step (const VgFitBounds *bounds, const VgFitSums *sums, const VgLanes *h, VgFitState *state,
             VgMask moved, int p)
{
  const VgLanes zero = vg_lanes (0.0f), one = vg_lanes (1.0f);
  VgMask frozen[VG_FIT_MAX_PARAMS];
  VgLanes step[VG_FIT_MAX_PARAMS], reach[VG_FIT_MAX_PARAMS], longest = one, gain = zero;
  VgFitFactor factor;

  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      VgMask held = ((state->next[i] <= bounds->low[i]) & (sums->g[i] <= 0.0f)) |
                    ((state->next[i] >= bounds->high[i]) & (sums->g[i] >= 0.0f));

      frozen[i] = held | vg_not (h[VG_FIT_INDEX (i, i)] > 1e-30f);
      if (bounds->fixed[i])
        frozen[i] = frozen[i] | vg_not (frozen[i]);
    }
  /* Repeat without the parameters that would leave through the bound they are at. */
  for (int round = 0; round < 3; round++)
    {
      vg_fit_factor (&factor, h, frozen, state->lambda, p);
      VG_LANES_SMALL
      for (int i = 0; i < p; i++)
        step[i] = vg_select (frozen[i], zero, sums->g[i]);
      vg_fit_solve (&factor, step, p);
      VG_LANES_SMALL
      for (int i = 0; i < p; i++)
        frozen[i] = frozen[i] | ((state->next[i] <= bounds->low[i]) & (step[i] < 0.0f)) |
                    ((state->next[i] >= bounds->high[i]) & (step[i] > 0.0f));
    }
  /* Shorten the step to the first bound and to a factor of e in a lifetime, without turning it. */
  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      VgLanes room = vg_select (step[i] < 0.0f, state->next[i] - bounds->low[i],
                                bounds->high[i] - state->next[i]);

      room = vg_select (room > 0.0f, room, vg_lanes (FLT_MAX));
      reach[i] = vg_abs (step[i]) / room;
      longest = vg_max (longest, reach[i]);
      if (bounds->is_log[i])
        longest = vg_max (longest, vg_abs (step[i]));
    }
  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      VgLanes low = vg_lanes (bounds->low[i]), high = vg_lanes (bounds->high[i]);
      VgLanes next = vg_clamp (state->next[i] + step[i] / longest, low, high);

      next = vg_select ((reach[i] >= longest) & (longest > 1.0f),
                        vg_select (step[i] < 0.0f, low, high), next);
      next = vg_select (frozen[i], state->next[i], next);
      gain += sums->g[i] * (next - state->next[i]);
      state->next[i] = vg_select (moved, next, state->next[i]);
    }
  state->gain = vg_select (moved, gain, state->gain);
}

/* Evaluates the sums of the pass at NEXT: accepts it as X and computes the next step, or goes
 * back towards X. */
VG_LANES void
vg_fit_advance (const VgFitBounds *bounds, const VgFitSums *sums, VgFitState *state, int p)
{
  const VgLanes zero = vg_lanes (0.0f), one = vg_lanes (1.0f);
  VgLanes scale = vg_min (state->best, sums->objective) + one;
  VgMask better = (sums->objective <= state->best + 1e-6f * scale) & vg_not (state->done);
  VgMask worse = vg_not (better) & vg_not (state->done), again, floor;

  VgLanes change[VG_FIT_MAX_PARAMS], learnt[VG_FIT_MAX_CURVATURE];
  VgMask first = state->best >= FLT_MAX;

  state->best = vg_select (better, sums->objective, state->best);
  state->lambda = vg_select (better & (state->rejects == zero),
                             vg_max (0.1f * state->lambda, vg_lanes (1e-7f)), state->lambda);
  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      change[i] = state->gradient[i] - sums->g[i];
      state->move[i] = vg_select (first, zero,
                                  vg_select (better, state->next[i] - state->x[i], state->move[i]));
      state->gradient[i] = vg_select (better, sums->g[i], state->gradient[i]);
      state->x[i] = vg_select (better, state->next[i], state->x[i]);
    }
  vg_fit_update_curvature (state->move, change, sums->h, learnt, p);
  /* A predicted decrease below the resolution of the objective counts as reached. */
  floor = worse & (state->gain < 1e-5f * scale);
  state->rejects = vg_select (better, zero, state->rejects + one);
  state->lambda = vg_select (
      worse, vg_min (vg_max (10.0f * state->lambda, vg_lanes (1e-2f)), vg_lanes (1e4f)),
      state->lambda);
  again = worse & (state->rejects >= 3.0f);
  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      VgLanes shorter = state->x[i] + 0.25f * (state->next[i] - state->x[i]);

      state->next[i] = vg_select (worse, vg_select (again, state->x[i], shorter), state->next[i]);
    }
  state->gain = vg_select (worse, 0.25f * state->gain, state->gain);
  vg_fit_step (bounds, sums, learnt, state, better, p);
  state->done = state->done | floor |
                (better & (state->gain < 1e-5f + 1e-7f * scale) & (state->lambda <= 0.1f));
}
