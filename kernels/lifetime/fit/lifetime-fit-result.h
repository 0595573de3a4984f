/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit-step.h"
#include "kernels/base/vg-scalar.h"
/* Converts fit parameters to outputs: lifetimes in rising order, amplitudes, means, and standard
 * errors from the inverse of the expected curvature.
 *
 * A pixel has no solution if
 *  - the fit is not better than a constant by two standard deviations of noise (the likelihood
 * ratio, chi-squared with the number of additional parameters);
 *  - the lifetime, or the mean of a stretched exponential, is below its standard error;
 *  - the only lifetime is at a bound, or more than half of the mean comes from a lifetime at the
 * upper bound.
 *
 * With several lifetimes, one at a bound is a missing value, while amplitudes, fractions and the
 * mean remain.  Known lifetimes are not checked.  There is no standard error for a lifetime at a
 * bound, for parameters that are not determined, and for known values. */
/* A standard error is a missing value if it exceeds the lifetime itself or, for a fraction, the
 * standard deviation of a uniform distribution on 0 to 1, 1 / sqrt (12).  The normal equations of
 * two lifetimes are then nearly singular, so that rounding in single precision changes it. */
#define VG_FIT_UNKNOWN 1.0f
#define VG_FIT_UNKNOWN_SHARE 0.288675f
#define VG_FIT_SIGMAS 2.0

typedef struct
{
  VgLanes plane[VG_LIFETIME_FIT_N_PLANES];
} VgFitResult;

#ifndef __CUDACC__
VG_LANES VgLanes
vg_fit_gamma (VgLanes x)
{
  for (int i = 0; i < VG_N_LANES; i++)
    x[i] = tgammaf (x[i]);
  return x;
}
VG_LANES VgLanes
vg_fit_root (VgLanes x)
{
  for (int i = 0; i < VG_N_LANES; i++)
    x[i] = sqrtf (x[i]);
  return x;
}
#else
VG_LANES VgLanes
vg_fit_gamma (VgLanes x)
{
  return tgammaf (x);
}
VG_LANES VgLanes
vg_fit_root (VgLanes x)
{
  return sqrtf (x);
}
#endif

/* The decrease of the deviance that a decay with MORE parameters than a constant must reach:
 * noise alone reaches it in one of 40 cases (Wilson and Hilferty, Proc. Natl. Acad. Sci. 17, 684
 * (1931)). */
VG_SCALAR double
vg_fit_proof (double more)
{
  double v = 2.0 / (9.0 * more), root = 1.0 - v + VG_FIT_SIGMAS * sqrt (v);

  return more * root * root * root;
}

/* The number of free lifetimes. */
VG_LANES int
vg_fit_n_free (const VgLifetimeFit *fit, int terms)
{
  int n = 0;

  VG_LANES_SMALL
  for (int i = 0; i < terms; i++)
    n += fit->fixed[i] ? 0 : 1;
  return n;
}

/* L D L^T of the curvature in double precision, without the fixed parameters. */
typedef struct
{
  VgWide keep[VG_FIT_MAX_PARAMS]; /* 0: fixed, else 1 */
  VgWide l[VG_FIT_MAX_CURVATURE], d[VG_FIT_MAX_PARAMS], inverse[VG_FIT_MAX_PARAMS];
  /* Not 0: the data do not determine all parameters. */
  VgLanes singular;
} VgFitSpread;

VG_LANES void
vg_fit_spread (VgFitSpread *f, const VgLanes *h, const VgMask *frozen, int p)
{
  const VgLanes zero = vg_lanes (0.0f), one = vg_lanes (1.0f);

  f->singular = zero;
  VG_LANES_SMALL
  for (int j = 0; j < p; j++)
    f->keep[j] = vg_widen (vg_select (frozen[j], zero, one));
  VG_LANES_SMALL
  for (int j = 0; j < p; j++)
    {
      VgWide diagonal = vg_widen (vg_select (frozen[j], one, h[VG_FIT_INDEX (j, j)])),
             least = 1e-6 * diagonal, pivot = diagonal, enough;

      VG_LANES_SMALL
      for (int k = 0; k < j; k++)
        pivot -= f->l[VG_FIT_INDEX (j, k)] * f->l[VG_FIT_INDEX (j, k)] * f->d[k];
      /* A smaller pivot is the rounding error of a singular matrix. */
      enough = vg_widen (vg_select (vg_narrow (pivot) > vg_narrow (least), one, zero));
      f->singular = vg_max (f->singular,
                            vg_select (vg_narrow (pivot) > vg_narrow (least), zero, one));
      f->d[j] = enough * pivot + (1.0 - enough) * least;
      f->inverse[j] = 1.0 / f->d[j];
      VG_LANES_SMALL
      for (int i = j + 1; i < p; i++)
        {
          VgWide sum = vg_widen (vg_select (frozen[i] | frozen[j], zero, h[VG_FIT_INDEX (i, j)]));

          VG_LANES_SMALL
          for (int k = 0; k < j; k++)
            sum -= f->l[VG_FIT_INDEX (i, k)] * f->l[VG_FIT_INDEX (j, k)] * f->d[k];
          f->l[VG_FIT_INDEX (i, j)] = sum * f->inverse[j];
        }
    }
}

/* The standard error of a quantity with the gradient V: the root of V^T H^-1 V = |D^-1/2 L^-1
 * V|^2. */
VG_LANES VgLanes
vg_fit_error (const VgFitSpread *f, const VgLanes *v, int p)
{
  VgWide z[VG_FIT_MAX_PARAMS], sum = vg_widen (vg_lanes (0.0f));

  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      z[i] = vg_widen (v[i]) * f->keep[i];
      VG_LANES_SMALL
      for (int k = 0; k < i; k++)
        z[i] -= f->l[VG_FIT_INDEX (i, k)] * z[k];
      sum += z[i] * z[i] * f->inverse[i];
    }
  return vg_fit_root (vg_narrow (sum));
}

/* Amplitudes per ns, and their derivatives by P and by ln tau. */
VG_LANES void
vg_fit_amplitudes (const VgLifetimeFit *fit, VgFitShape shape, const VgLanes *x, VgLanes *tau,
                   VgLanes *a, VgLanes *by_p, VgLanes *by_tau)
{
  int k = shape.terms;

  VG_LANES_SMALL
  for (int i = 0; i < k; i++)
    {
      VgLanes share = vg_lanes (1.0f), slope = vg_lanes (0.0f);

      tau[i] = vg_exp (x[k + i]);
      if (!shape.irf)
        {
          VgLanes u = (fit->bin_width_ns * (float) (fit->end - fit->first)) / tau[i];

          share = vg_one_minus_exp (u);
          slope = u * vg_exp (-u) / share;
        }
      by_p[i] = 1.0f / (tau[i] * share);
      a[i] = x[i] * by_p[i];
      by_tau[i] = a[i] * (slope - 1.0f);
    }
}

VG_LANES void
vg_fit_swap (VgMask m, VgLanes *a, VgLanes *b)
{
  VgLanes t = vg_select (m, *b, *a);

  *b = vg_select (m, *a, *b);
  *a = t;
}

/* The standard error of the fraction of the components for which IN is 1. */
VG_LANES VgLanes
vg_fit_share_error (const VgFitSpread *spread, int k, int p, const VgLanes *in, const VgLanes *a,
                    VgLanes total, const VgLanes *by_p, const VgLanes *by_tau)
{
  VgLanes share = vg_lanes (0.0f), v[VG_FIT_MAX_PARAMS];

  VG_LANES_SMALL
  for (int i = 0; i < k; i++)
    share += in[i] * a[i] / total;
  VG_LANES_SMALL
  for (int j = 0; j < p; j++)
    v[j] = vg_lanes (0.0f);
  VG_LANES_SMALL
  for (int i = 0; i < k; i++)
    {
      VgLanes slope = (in[i] - share) / total;

      v[i] = slope * by_p[i];
      v[k + i] = slope * by_tau[i];
    }
  return vg_fit_error (spread, v, p);
}

/* The standard error of a mean lifetime M = sum w_i / sum u_i, of which WEIGHT has the u_i with
 * their sum SUM: the amplitudes a_i (POWER 0), or a_i tau_i (POWER 1, by intensity); w_i = u_i
 * tau_i.
 *
 *   dM/da_i = (tau_i - M) tau_i^POWER / SUM,
 *   dM/dtau_i = a_i tau_i^(POWER - 1) ((POWER + 1) tau_i - POWER M) / SUM,
 *
 * and a_i depends on P_i and tau_i.  The covariances of all parameters are in SPREAD. */
VG_LANES VgLanes
vg_fit_mean_error (const VgFitSpread *spread, int k, int p, int power, const VgLanes *tau,
                   const VgLanes *a, VgLanes mean, VgLanes sum, const VgLanes *by_p,
                   const VgLanes *by_tau)
{
  VgLanes v[VG_FIT_MAX_PARAMS];

  VG_LANES_SMALL
  for (int j = 0; j < p; j++)
    v[j] = vg_lanes (0.0f);
  VG_LANES_SMALL
  for (int i = 0; i < k; i++)
    {
      VgLanes weight = power > 0 ? tau[i] / sum : 1.0f / sum, by_a = (tau[i] - mean) * weight;

      v[i] = by_a * by_p[i];
      /* by ln tau */
      v[k + i] = by_a * by_tau[i] +
                 a[i] * weight * ((float) (power + 1) * tau[i] - (float) power * mean);
    }
  return vg_fit_error (spread, v, p);
}

/* Computes the outputs of K exponentials.  Returns the lanes without a mean lifetime. */
VG_LANES VgMask
vg_fit_exponentials (const VgLifetimeFit *fit, VgFitShape shape, const VgFitBounds *bounds,
                     const VgLanes *x, const VgFitSpread *spread, VgFitResult *r)
{
  const VgLanes zero = vg_lanes (0.0f), nothing = vg_lanes (NAN);
  int k = shape.terms, p = vg_fit_n_params (shape);
  VgLanes tau[3], a[3], by_p[3], by_tau[3], error[3], stuck[3], v[VG_FIT_MAX_PARAMS];
  VgLanes total = zero, mean = zero, square = zero, shortest = vg_lanes (FLT_MAX), longest = zero,
          beyond = zero, square_beyond = zero;

  vg_fit_amplitudes (fit, shape, x, tau, a, by_p, by_tau);
  VG_LANES_SMALL
  for (int i = 0; i < k; i++)
    {
      total += a[i];
      mean += a[i] * tau[i];
      square += a[i] * tau[i] * tau[i];
      shortest = vg_min (shortest, tau[i]);
      longest = vg_max (longest, tau[i]);
      stuck[i] = zero;
      if (!bounds->fixed[k + i])
        {
          VgMask high = x[k + i] >= bounds->high[k + i];

          stuck[i] = vg_select (high | (x[k + i] <= bounds->low[k + i]), vg_lanes (1.0f), zero);
          beyond += vg_select (high, a[i] * tau[i], zero);
          square_beyond += vg_select (high, a[i] * tau[i] * tau[i], zero);
        }
      VG_LANES_SMALL
      for (int j = 0; j < p; j++)
        v[j] = j == k + i ? tau[i] : zero;
      error[i] = vg_fit_error (spread, v, p);
    }
  /* There are no errors if a lifetime is at a bound. */
  VgLanes doubt = spread->singular, absent = zero, in[3];
  VG_LANES_SMALL
  for (int i = 0; i < k; i++)
    {
      doubt = vg_max (doubt, vg_select (a[i] > 0.0f, stuck[i], zero));
      absent = vg_max (absent, vg_select (a[i] > 0.0f, zero, vg_lanes (1.0f)));
    }
  VG_LANES_SMALL
  /* fractions of the shortest and of the middle lifetime */
  for (int m = 0; m < (k > 2 ? 2 : 1); m++)
    {
      VG_LANES_SMALL
      for (int i = 0; i < k; i++)
        in[i] = vg_select (m == 0 ? tau[i] <= shortest : (tau[i] > shortest) & (tau[i] < longest),
                           vg_lanes (1.0f), zero);
      VgLanes of_share = vg_fit_share_error (spread, k, p, in, a, total, by_p, by_tau);
      r->plane[VG_LIFETIME_FIT_FRACTION_ERROR + m] = vg_select (
          (of_share > 0.0f) & (of_share <= VG_FIT_UNKNOWN_SHARE) & (doubt + absent <= 0.0f),
          of_share, nothing);
    }
  VG_LANES_SMALL
  for (int m = 0; m < 2; m++)
    {
      VgLanes value = m == 0 ? mean / total : square / mean,
              of_mean = vg_fit_mean_error (spread, k, p, m, tau, a, value, m == 0 ? total : mean,
                                           by_p, by_tau);

      r->plane[VG_LIFETIME_FIT_MEAN_AMPLITUDE_ERROR + m] = vg_select (
          (of_mean > 0.0f) & (of_mean <= VG_FIT_UNKNOWN * value) & (doubt + absent <= 0.0f),
          of_mean, nothing);
    }
  r->plane[VG_LIFETIME_FIT_AMPLITUDE] = total * fit->bin_width_ns;
  r->plane[VG_LIFETIME_FIT_MEAN_AMPLITUDE] = mean / total;
  r->plane[VG_LIFETIME_FIT_MEAN_INTENSITY] = vg_select (2.0f * square_beyond > square, nothing,
                                                        square / mean);
  VgMask none = 2.0f * beyond > mean;
  if (k == 1 && !bounds->fixed[k])
    none = none | vg_not (error[0] <= tau[0]);
  VG_LANES_SMALL
  for (int i = 0; i < k - 1; i++)
    {
      VG_LANES_SMALL
      for (int j = 0; j < k - 1 - i; j++)
        {
          VgMask swap = tau[j] > tau[j + 1];

          vg_fit_swap (swap, &tau[j], &tau[j + 1]);
          vg_fit_swap (swap, &a[j], &a[j + 1]);
          vg_fit_swap (swap, &error[j], &error[j + 1]);
          vg_fit_swap (swap, &stuck[j], &stuck[j + 1]);
        }
    }
  VG_LANES_SMALL
  for (int i = 0; i < k; i++)
    {
      /* An absent component's lifetime is arbitrary. */
      VgMask there = (a[i] > 0.0f) & (stuck[i] <= 0.0f);

      r->plane[VG_LIFETIME_FIT_LIFETIME_1 + i] = vg_select (there, tau[i], nothing);
      r->plane[VG_LIFETIME_FIT_ERROR_1 + i] = vg_select (
          there & (error[i] > 0.0f) & (error[i] <= VG_FIT_UNKNOWN * tau[i]) & (doubt <= 0.0f),
          error[i], nothing);
    }
  if (k > 1)
    r->plane[VG_LIFETIME_FIT_FRACTION_1] = a[0] / total;
  if (k > 2)
    r->plane[VG_LIFETIME_FIT_FRACTION_2] = a[1] / total;
  return none;
}

/* The lanes in which a free lifetime of a present component ended at its bound. */
VG_LANES VgMask
vg_fit_at_limit (const VgFitBounds *bounds, const VgLanes *x, VgFitShape shape)
{
  int k = shape.terms > 0 ? shape.terms : 1;
  VgMask limit = x[0] > FLT_MAX;

  VG_LANES_SMALL
  for (int i = k; i < 2 * k; i++)
    {
      VgMask there = x[i - k] > 0.0f,
             here = ((x[i] <= bounds->low[i]) | (x[i] >= bounds->high[i])) & there;

      if (!bounds->fixed[i])
        limit = limit | here;
    }
  return limit;
}

/* The lanes in which a fit of one lifetime or a stretched exponential found no decay, or whose
 * mean is missing (NONE). */
VG_LANES VgMask
vg_fit_is_none (const VgLifetimeFit *fit, VgFitShape shape, VgMask none, VgMask limit, VgLanes gain)
{
  int free = vg_fit_n_free (fit, shape.terms > 0 ? shape.terms : 1),
      more = free + (shape.terms > 0 ? shape.terms : 2) + (fit->free_offset ? 1 : 0) - 1;

  if (free == 0)
    return gain > FLT_MAX; /* in no lane: all lifetimes are known */
  none = none | vg_not (2.0f * gain > (float) vg_fit_proof (more));
  return shape.terms > 1 ? none : none | limit;
}

/* Computes all planes of the lanes.  END holds the sums at x. */
VG_LANES void
vg_fit_result (const VgLifetimeFit *fit, VgFitShape shape, const VgFitBounds *bounds,
               const VgFitState *state, const VgFitEnd *end, VgLanes photons, VgFitResult *r)
{
  const VgLanes zero = vg_lanes (0.0f), nothing = vg_lanes (NAN);
  int p = vg_fit_n_params (shape);
  VgMask frozen[VG_FIT_MAX_PARAMS], limit = vg_fit_at_limit (bounds, state->x, shape),
                                    none = vg_not (photons > 0.0f), bad, no_mean;
  VgFitSpread spread;
  VgLanes status;

  VG_LANES_SMALL
  for (int i = 0; i < p; i++)
    {
      frozen[i] = (state->x[i] <= bounds->low[i]) | (state->x[i] >= bounds->high[i]) |
                  vg_not (end->h[VG_FIT_INDEX (i, i)] > 1e-30f);
      if (bounds->fixed[i])
        frozen[i] = frozen[i] | vg_not (frozen[i]);
    }
  vg_fit_spread (&spread, end->h, frozen, p);
  VG_LANES_SMALL
  for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
    r->plane[i] = nothing;
  if (shape.terms > 0)
    no_mean = vg_fit_exponentials (fit, shape, bounds, state->x, &spread, r);
  else
    {
      const float small = 0.01f;
      VgLanes tau = vg_exp (state->x[1]), beta = state->x[2], one = vg_fit_gamma (1.0f / beta),
              two = vg_fit_gamma (2.0f / beta), mean = tau * one / beta;
      VgLanes by_beta = vg_fit_gamma (1.0f / (beta + small)) / (beta + small) -
                        vg_fit_gamma (1.0f / (beta - small)) / (beta - small);
      /* the derivatives of the mean by ln tau and beta */
      VgLanes v[4] = { zero, mean, tau * by_beta / (2.0f * small), zero },
              error = vg_fit_error (&spread, v, p);

      r->plane[VG_LIFETIME_FIT_LIFETIME_1] = tau;
      r->plane[VG_LIFETIME_FIT_MEAN_AMPLITUDE_ERROR] = error;
      r->plane[VG_LIFETIME_FIT_EXPONENT] = beta;
      r->plane[VG_LIFETIME_FIT_AMPLITUDE] = state->x[0];
      r->plane[VG_LIFETIME_FIT_MEAN_AMPLITUDE] = mean;
      r->plane[VG_LIFETIME_FIT_MEAN_INTENSITY] = tau * two / one;
      no_mean = vg_not (error <= mean) | (r->plane[VG_LIFETIME_FIT_MEAN_AMPLITUDE] > fit->max_ns);
    }
  r->plane[VG_LIFETIME_FIT_OFFSET] = state->x[vg_fit_offset_index (shape)];
  r->plane[VG_LIFETIME_FIT_DEVIANCE] = 2.0f * end->objective;
  bad = vg_not (state->done) | vg_not (end->objective < FLT_MAX) |
        vg_fit_is_none (fit, shape, no_mean, limit, end->gain);
  VG_LANES_SMALL
  for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
    r->plane[i] = vg_select (bad | none, nothing, r->plane[i]);
  status = vg_select (limit, vg_lanes (VG_LIFETIME_FIT_AT_LIMIT), vg_lanes (VG_LIFETIME_FIT_OK));
  status = vg_select (bad, vg_lanes (VG_LIFETIME_FIT_FAILED), status);
  r->plane[VG_LIFETIME_FIT_STATUS] = vg_select (none, vg_lanes (VG_LIFETIME_FIT_SKIPPED), status);
}
