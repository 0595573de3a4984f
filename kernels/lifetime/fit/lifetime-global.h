/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit-lane.h"
#include "kernels/base/vg-scalar.h"
/* Global fits: pixels share lifetimes, and each has its own amplitudes and offset, by variable
 * projection (Golub and Pereyra, SIAM J. Numer. Anal. 10, 413 (1973), in Kaufman's form).  The
 * parameters of each pixel alone are eliminated from its normal equations.  The remainder,
 *   S = sum (A - B D^-1 B^T),  s = sum (g_tau - B D^-1 g_local),
 * is a system of one to three unknowns for all pixels.  A lane is a pixel. */
enum { VG_GLOBAL_MAX_LOCAL = VG_LIFETIME_MAX_TERMS + 1, VG_GLOBAL_SEGMENT = 32 };

/* Sums of one pixel, or of a segment. */
typedef struct
{
  VgLanes objective, flat, local, g[3], h[6]; /* flat: of a constant, in the first pass, else 0 */
} VgGlobalPart;

typedef struct
{
  double objective, flat, local, g[3], h[6];
} VgGlobalSums;

/* A pixel's values between two passes. */
typedef struct
{
  VgLanes x[VG_GLOBAL_MAX_LOCAL], next[VG_GLOBAL_MAX_LOCAL]; /* photons, offset */
  /* Its step; its derivatives by ln tau. */
  VgLanes own[VG_GLOBAL_MAX_LOCAL], follow[VG_GLOBAL_MAX_LOCAL][3];
  /* An offset that is fixed. */
  VgLanes known;
  VgMask there;
} VgGlobalPixel;

typedef enum { VG_GLOBAL_ACCEPT, VG_GLOBAL_SHORTEN, VG_GLOBAL_AGAIN } VgGlobalMove;

/* What the pixels share. */
typedef struct
{
  double x[3], next[3], step[3], error[3]; /* ln tau */
  double best, lambda, gain;
  double flat, pixels; /* half of the objective of a constant in each pixel; number of pixels */
  int rejects;
  gboolean done;
} VgGlobalState;

VG_SCALAR void
vg_global_begin (const VgLifetimeFit *fit, VgGlobalState *state)
{
  VG_LANES_SMALL
  for (int i = 0; i < 3; i++)
    {
      state->x[i] = state->next[i] = i < fit->terms ? log ((double) fit->start_ns[i]) : 0;
      state->step[i] = state->error[i] = 0;
    }
  state->best = DBL_MAX;
  state->flat = state->pixels = 0;
  state->lambda = 1e-3;
  state->gain = DBL_MAX;
  state->rejects = 0;
  state->done = FALSE;
}

/* Cholesky factor of the damped N x N matrix H.  Rows that are FROZEN become those of the unit
 * matrix. */
VG_SCALAR void
vg_global_factor (const double *h, const gboolean *frozen, double lambda, double *l, int n)
{
  VG_LANES_SMALL
  for (int j = 0; j < n; j++)
    VG_LANES_SMALL
  for (int i = j; i < n; i++)
    {
      double sum = i == j ? (frozen[i] ? 1 : h[VG_FIT_INDEX (i, i)] * (1 + lambda))
                   : frozen[i] || frozen[j] ? 0
                                            : h[VG_FIT_INDEX (i, j)];
      double least = 1e-9 * sum;

      VG_LANES_SMALL
      for (int k = 0; k < j; k++)
        sum -= l[VG_FIT_INDEX (i, k)] * l[VG_FIT_INDEX (j, k)];
      l[VG_FIT_INDEX (i, j)] = i == j ? sqrt (sum > least ? sum : least)
                                      : sum / l[VG_FIT_INDEX (j, j)];
    }
}

VG_SCALAR void
vg_global_solve (const double *l, double *v, int n)
{
  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    {
      VG_LANES_SMALL
      for (int k = 0; k < i; k++)
        v[i] -= l[VG_FIT_INDEX (i, k)] * v[k];
      v[i] /= l[VG_FIT_INDEX (i, i)];
    }
  VG_LANES_SMALL
  for (int i = n - 1; i >= 0; i--)
    {
      VG_LANES_SMALL
      for (int k = i + 1; k < n; k++)
        v[i] -= l[VG_FIT_INDEX (k, i)] * v[k];
      v[i] /= l[VG_FIT_INDEX (i, i)];
    }
}

VG_SCALAR void
vg_global_step (const VgLifetimeFit *fit, int n, const VgGlobalSums *sums, VgGlobalState *state)
{
  double low = log ((double) fit->min_ns), high = log ((double) fit->max_ns), longest = 1, gain = 0,
         l[6], curvature = 0, slope = 0;
  gboolean frozen[3] = { TRUE, TRUE, TRUE };

  /* If the last step passed the minimum, the curvature exceeds its expectation: shorten this step
   * by the factor that would have reached it. */
  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    {
      slope += sums->g[i] * state->step[i];
      VG_LANES_SMALL
      for (int j = 0; j < n; j++)
        curvature += sums->h[i > j ? VG_FIT_INDEX (i, j) : VG_FIT_INDEX (j, i)] * state->step[i] *
                     state->step[j];
    }
  if (slope < -0.25 * curvature)
    longest = fmin (1 - slope / curvature, 5.0);

  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    frozen[i] = fit->fixed[i] || !(sums->h[VG_FIT_INDEX (i, i)] > 1e-12) ||
                (state->x[i] <= low && sums->g[i] <= 0) || (state->x[i] >= high && sums->g[i] >= 0);
  vg_global_factor (sums->h, frozen, state->lambda, l, n);
  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    state->step[i] = frozen[i] ? 0 : sums->g[i];
  vg_global_solve (l, state->step, n);
  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    longest = fmax (longest, fabs (state->step[i]));
  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    {
      state->next[i] = fmin (fmax (state->x[i] + state->step[i] / longest, low), high);
      state->step[i] = state->next[i] - state->x[i];
      gain += sums->g[i] * state->step[i];
    }
  state->gain = gain + sums->local;
  vg_global_factor (sums->h, frozen, 0, l, n);
  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    {
      double unit[3] = { 0, 0, 0 };

      unit[i] = 1;
      vg_global_solve (l, unit, n);
      state->error[i] = frozen[i] ? 0 : sqrt (fmax (unit[i], 0.0));
    }
}

/* Evaluates the sums of a pass over PIXELS pixels with N lifetimes; returns how the pixels move
 * next. */
VG_SCALAR VgGlobalMove
vg_global_advance (const VgLifetimeFit *fit, int n, const VgGlobalSums *sums, double pixels,
                   VgGlobalState *state)
{
  double scale = fmin (state->best, sums->objective) + 1, shared;

  state->flat += sums->flat;
  state->pixels = pixels;

  if (sums->objective <= state->best + 1e-6 * scale)
    {
      state->best = sums->objective;
      state->lambda = state->rejects == 0 ? fmax (0.1 * state->lambda, 1e-9) : state->lambda;
      state->rejects = 0;
      VG_LANES_SMALL
      for (int i = 0; i < 3; i++)
        state->x[i] = state->next[i];
      vg_global_step (fit, n, sums, state);
      shared = state->gain - sums->local;
      state->done = shared < 1e-5 && sums->local < 3e-5 * pixels && state->lambda <= 0.1;
      return VG_GLOBAL_ACCEPT;
    }
  state->rejects++;
  state->lambda = fmin (fmax (10 * state->lambda, 1e-2), 1e4);
  state->done = state->gain < 1e-6 * scale;
  state->gain *= 0.25;
  VG_LANES_SMALL
  for (int i = 0; i < 3; i++)
    state->next[i] = state->rejects >= 3 ? state->x[i]
                                         : state->x[i] + 0.25 * (state->next[i] - state->x[i]);
  return state->rejects >= 3 ? VG_GLOBAL_AGAIN : VG_GLOBAL_SHORTEN;
}

VG_LANES int
vg_global_n_local (VgFitShape shape)
{
  return shape.terms + (shape.offset ? 1 : 0);
}

/* The index of local parameter I among all parameters of the fit. */
VG_LANES int
vg_global_index (VgFitShape shape, int i)
{
  return i < shape.terms ? i : 2 * shape.terms;
}

VG_LANES void
vg_global_pixel_begin (const VgLifetimeFit *fit, VgFitShape shape, VgLanes photons, VgLanes area,
                       VgMask there, VgGlobalPixel *pixel)
{
  int q = vg_global_n_local (shape);

  pixel->there = there & (photons > 0.0f);
  VG_LANES_SMALL
  for (int i = 0; i < q; i++)
    {
      pixel->x[i] = pixel->next[i] = photons *
                                     (i < shape.terms ? fit->start_share[i] : fit->start_offset);
      pixel->own[i] = vg_lanes (0.0f);
    }
  pixel->known = fit->offset * area;
  if (shape.offset && !fit->free_offset)
    pixel->x[q - 1] = pixel->next[q - 1] = pixel->known;
}

/* All parameters of the next pass. */
VG_LANES void
vg_global_parameters (VgFitShape shape, const VgGlobalPixel *pixel, const double *log_tau,
                      VgLanes *x)
{
  int q = vg_global_n_local (shape);

  VG_LANES_SMALL
  for (int i = 0; i < shape.terms; i++)
    x[shape.terms + i] = vg_lanes ((float) log_tau[i]);
  VG_LANES_SMALL
  for (int i = 0; i < q; i++)
    x[vg_global_index (shape, i)] = pixel->next[i];
  if (!shape.offset)
    x[vg_fit_offset_index (shape)] = pixel->known;
}

/* Element (i, j) of the full curvature. */
VG_LANES VgLanes
vg_global_curvature (const VgFitSums *sums, int i, int j)
{
  return sums->h[i > j ? VG_FIT_INDEX (i, j) : VG_FIT_INDEX (j, i)];
}

/* The factor of a pixel's next step, for fits with an offset.  For an offset near 0 and few
 * counts the curvature may be twice its expectation, and steps would oscillate about the minimum.
 * If the slope G shows that the last step did, the factor is the one that would have reached the
 * minimum. */
VG_LANES VgLanes
vg_global_step_factor (VgFitShape shape, const VgFitSums *sums, const VgLanes *d,
                       const VgGlobalPixel *pixel)
{
  int q = vg_global_n_local (shape);
  VgLanes curvature = vg_lanes (0.0f), slope = curvature;

  VG_LANES_SMALL
  for (int i = 0; i < q; i++)
    {
      slope += sums->g[vg_global_index (shape, i)] * pixel->own[i];
      VG_LANES_SMALL
      for (int j = 0; j < q; j++)
        curvature += d[i > j ? VG_FIT_INDEX (i, j) : VG_FIT_INDEX (j, i)] * pixel->own[i] *
                     pixel->own[j];
    }
  return vg_select (slope < -0.25f * curvature,
                    vg_max (curvature / (curvature - slope), vg_lanes (0.2f)), vg_lanes (1.0f));
}

/* Eliminates the pixel's own parameters: computes its step, its derivatives by the shared
 * lifetimes, and its part of S and s. */
VG_LANES void
vg_global_eliminate (const VgLifetimeFit *fit, VgFitShape shape, const VgFitSums *sums,
                     VgGlobalPixel *pixel, VgGlobalPart *part)
{
  const VgLanes zero = vg_lanes (0.0f);
  int k = shape.terms, q = vg_global_n_local (shape);
  VgLanes d[VG_GLOBAL_MAX_LOCAL * (VG_GLOBAL_MAX_LOCAL + 1) / 2], v[VG_GLOBAL_MAX_LOCAL];
  VgMask frozen[VG_GLOBAL_MAX_LOCAL];
  VgFitFactor factor;
  VgLanes pace, step[VG_GLOBAL_MAX_LOCAL];

  part->objective = vg_select (pixel->there, sums->objective, zero);
  part->flat = part->local = zero;
  VG_LANES_SMALL
  for (int i = 0; i < q; i++)
    {
      int a = vg_global_index (shape, i);

      frozen[i] = vg_not (pixel->there) | vg_not (vg_global_curvature (sums, a, a) > 1e-30f) |
                  ((pixel->next[i] <= zero) & (sums->g[a] <= zero));
      if (i == k && !fit->free_offset)
        frozen[i] = frozen[i] | vg_not (frozen[i]);
      VG_LANES_SMALL
      for (int j = 0; j <= i; j++)
        d[VG_FIT_INDEX (i, j)] = vg_global_curvature (sums, a, vg_global_index (shape, j));
    }
  pace = fit->free_offset ? vg_global_step_factor (shape, sums, d, pixel) : vg_lanes (1.0f);
  /* Repeat without the parameters that would leave through the bound they are at or near: they
   * would predict a decrease that cannot be reached. */
  for (int round = 0; round < 3; round++)
    {
      vg_fit_factor (&factor, d, frozen, vg_lanes (1e-6f), q);
      VG_LANES_SMALL
      for (int i = 0; i < q; i++)
        v[i] = vg_select (frozen[i], zero, sums->g[vg_global_index (shape, i)]);
      vg_fit_solve (&factor, v, q);
      VG_LANES_SMALL
      for (int i = 0; i < q && round < 2; i++)
        frozen[i] = frozen[i] | ((pixel->next[i] <= -0.001f * v[i]) & (v[i] < zero));
    }
  /* Shorten the step to the first bound.  Cutting single parameters would turn the step, which
   * may then lead upwards. */
  VG_LANES_SMALL
  for (int i = 0; i < q; i++)
    pace = vg_select (v[i] < -pixel->next[i], vg_min (pace, -pixel->next[i] / v[i]), pace);
  VG_LANES_SMALL
  for (int i = 0; i < q; i++)
    {
      step[i] = v[i];
      pixel->own[i] = vg_select (frozen[i], i == k && !fit->free_offset ? zero : -pixel->next[i],
                                 pace * v[i]);
      part->local += vg_select (frozen[i], zero, v[i] * sums->g[vg_global_index (shape, i)]);
    }
  VG_LANES_SMALL
  for (int m = 0; m < k; m++)
    {
      VgLanes g = sums->g[k + m];

      VG_LANES_SMALL
      for (int i = 0; i < q; i++)
        {
          v[i] = vg_select (frozen[i], zero,
                            vg_global_curvature (sums, k + m, vg_global_index (shape, i)));
          g -= v[i] * step[i];
        }
      vg_fit_solve (&factor, v, q);
      VG_LANES_SMALL
      for (int i = 0; i < q; i++)
        pixel->follow[i][m] = v[i];
      part->g[m] = vg_select (pixel->there, g, zero);
      VG_LANES_SMALL
      for (int n = 0; n <= m; n++)
        {
          VgLanes h = vg_global_curvature (sums, k + m, k + n);

          VG_LANES_SMALL
          for (int i = 0; i < q; i++)
            h -= v[i] * vg_global_curvature (sums, k + n, vg_global_index (shape, i));
          part->h[VG_FIT_INDEX (m, n)] = vg_select (pixel->there, h, zero);
        }
    }
}

/* Moves the pixel's parameters with the shared lifetimes. */
VG_LANES void
vg_global_move (VgFitShape shape, VgGlobalMove move, const double *step, VgGlobalPixel *pixel)
{
  int q = vg_global_n_local (shape);

  VG_LANES_SMALL
  for (int i = 0; i < q; i++)
    {
      VgLanes next = pixel->next[i] + pixel->own[i];

      VG_LANES_SMALL
      for (int m = 0; m < shape.terms; m++)
        next -= pixel->follow[i][m] * (float) step[m];
      if (move == VG_GLOBAL_ACCEPT)
        {
          pixel->x[i] = pixel->next[i];
          pixel->next[i] = vg_max (next, vg_lanes (0.0f));
        }
      else if (move == VG_GLOBAL_SHORTEN)
        pixel->next[i] = pixel->x[i] + 0.25f * (pixel->next[i] - pixel->x[i]);
      else
        pixel->next[i] = pixel->x[i];
    }
}

/* Whether the pixels together do not decay, or a single lifetime ended at its bound. */
VG_SCALAR gboolean
vg_global_is_none (const VgLifetimeFit *fit, int n, const VgGlobalState *state)
{
  int free = 0;
  double local = n + (fit->free_offset ? 1 : 0) - 1;
  gboolean limit = FALSE;

  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    {
      free += fit->fixed[i] ? 0 : 1;
      limit = limit || (!fit->fixed[i] && (state->x[i] <= log ((double) fit->min_ns) ||
                                           state->x[i] >= log ((double) fit->max_ns)));
    }
  return free > 0 && ((limit && n == 1) || !(2 * (state->flat - state->best) >
                                             vg_fit_proof (free + local * state->pixels)));
}

/* Shared lifetimes TAU, in rising order, that are STUCK at a bound are missing values, as is a
 * mean that depends on them. */
VG_LANES void
vg_global_set_stuck (const VgLifetimeFit *fit, int n, const double *tau, const gboolean *stuck,
                     VgFitResult *result)
{
  const VgLanes nothing = vg_lanes (NAN);
  VgLanes rest = vg_lanes (1.0f), beyond = vg_lanes (0.0f), square = beyond,
          mean = result->plane[VG_LIFETIME_FIT_MEAN_AMPLITUDE];

  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    {
      VgLanes share = i < n - 1 ? result->plane[VG_LIFETIME_FIT_FRACTION_1 + i] : rest;
      float t = (float) exp (tau[i]);

      rest -= share;
      if (stuck[i])
        result->plane[VG_LIFETIME_FIT_LIFETIME_1 + i] = result->plane[VG_LIFETIME_FIT_ERROR_1 + i] =
            nothing;
      if (stuck[i] && t >= 0.5f * fit->max_ns)
        {
          beyond += share * t;
          square += share * t * t;
        }
    }
  result->plane[VG_LIFETIME_FIT_MEAN_INTENSITY] = vg_select (
      2.0f * square > mean * result->plane[VG_LIFETIME_FIT_MEAN_INTENSITY], nothing,
      result->plane[VG_LIFETIME_FIT_MEAN_INTENSITY]);
  VG_LANES_SMALL
  for (int i = 0; i < VG_LIFETIME_FIT_STATUS; i++)
    result->plane[i] = vg_select (2.0f * beyond > mean, nothing, result->plane[i]);
  result->plane[VG_LIFETIME_FIT_STATUS] = vg_select (2.0f * beyond > mean,
                                                     vg_lanes (VG_LIFETIME_FIT_FAILED),
                                                     result->plane[VG_LIFETIME_FIT_STATUS]);
}

/* Sets the errors and flags of shared parameters, which a pixel's own fit treats as known. */
VG_LANES void
vg_global_set_shared (const VgLifetimeFit *fit, int n, const VgGlobalState *state,
                      VgFitResult *result)
{
  double tau[3] = { 0, 0, 0 }, error[3] = { 0, 0, 0 };
  gboolean limit = FALSE, stuck[3] = { FALSE, FALSE, FALSE };
  VgLanes *status = &result->plane[VG_LIFETIME_FIT_STATUS];
  VgMask valid = (*status >= (float) VG_LIFETIME_FIT_OK) &
                 (*status <= (float) VG_LIFETIME_FIT_AT_LIMIT);

  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    {
      tau[i] = state->x[i];
      error[i] = exp (tau[i]) * state->error[i];
      stuck[i] = !fit->fixed[i] &&
                 (tau[i] <= log ((double) fit->min_ns) || tau[i] >= log ((double) fit->max_ns));
      limit = limit || stuck[i];
    }
  VG_LANES_SMALL
  for (int i = 0; i < n - 1; i++)
    {
      VG_LANES_SMALL
      for (int j = 0; j < n - 1 - i; j++)
        {
          double t = tau[j], e = error[j];
          gboolean s = stuck[j], swap = tau[j + 1] < t;

          tau[j] = swap ? tau[j + 1] : t;
          error[j] = swap ? error[j + 1] : e;
          stuck[j] = swap ? stuck[j + 1] : s;
          tau[j + 1] = swap ? t : tau[j + 1];
          error[j + 1] = swap ? e : error[j + 1];
          stuck[j + 1] = swap ? s : stuck[j + 1];
        }
    }
  /* The passes are used up, but no decrease is possible, as with lifetimes that are hardly
   * distinguishable. */
  gboolean arrived = state->done || state->gain < 3e-5 * (state->best + 1),
           failed = !arrived || vg_global_is_none (fit, n, state);
  VG_LANES_SMALL
  for (int i = 0; i < n; i++)
    {
      /* No error for absent components, for known lifetimes, and for those that are not
       * determined. */
      VgMask there = valid & (result->plane[VG_LIFETIME_FIT_LIFETIME_1 + i] > 0.0f);
      gboolean known = error[i] > 0 && error[i] <= VG_FIT_UNKNOWN * exp (tau[i]) && !limit;

      result->plane[VG_LIFETIME_FIT_ERROR_1 + i] = vg_select (
          there, vg_lanes (known ? (float) error[i] : NAN), vg_lanes (NAN));
    }
  /* The only lifetime is its own mean. */
  VG_LANES_SMALL
  for (int m = 0; m < 2; m++)
    if (limit || n == 1)
      result->plane[VG_LIFETIME_FIT_MEAN_AMPLITUDE_ERROR + m] =
          n == 1 ? result->plane[VG_LIFETIME_FIT_ERROR_1] : vg_lanes (NAN);
  *status = vg_select (valid,
                       vg_lanes (failed  ? VG_LIFETIME_FIT_FAILED
                                 : limit ? VG_LIFETIME_FIT_AT_LIMIT
                                         : VG_LIFETIME_FIT_OK),
                       *status);
  if (limit)
    vg_global_set_stuck (fit, n, tau, stuck, result);
  VG_LANES_SMALL
  for (int i = 0; i < VG_LIFETIME_FIT_STATUS && failed; i++)
    result->plane[i] = vg_lanes (NAN);
}
