/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit.h"
#include "kernels/lifetime/fit/lifetime-fit-lanes.h"
/* The model of a decay, its derivatives, and the normal equations of a step, for
 * gcc and nvcc.
 *
 * Parameters of a lane, K exponentials: P_0..P_(K-1) photons, ln tau_0.. (ns),
 * then the offset b, free or known.  Stretched: P (counts per bin at t = 0), ln tau, beta, b.
 * The model is linear in P and b; logarithms make the lifetimes' steps relative.
 *
 * Gradient and curvature follow Laurence and Chromy, Nature Methods 7, 338 (2010),
 * with the expected curvature (Fisher scoring), which is never negative:
 *   g_a = sum w (N - Y) dY_a,  H_ab = sum w dY_a dY_b,  w = 1 / Y  or  1 / max (N, 1).
 * The recursion of the periodic convolution and its derivative cost two
 * multiplications a bin each. */
enum {
  VG_FIT_MAX_PARAMS = 7,
  VG_FIT_MAX_CURVATURE = VG_FIT_MAX_PARAMS * (VG_FIT_MAX_PARAMS + 1) / 2
};
#define VG_FIT_MIN_EXPONENT 0.2f
#define VG_FIT_MAX_EXPONENT 2.0f
#define VG_FIT_INDEX(i, j) ((i) * ((i) + 1) / 2 + (j)) /* of the lower triangle, j <= i */

/* The properties of a fit that are compile-time constants, so that each combination compiles to a
 * function of its own.  With `offset` the offset is a parameter, which may be fixed. */
typedef struct
{
  int terms; /* number of exponentials; 0: stretched */
  gboolean offset, irf;
} VgFitShape;

/* The index of the offset among the parameters, free or not. */
VG_LANES int
vg_fit_offset_index (VgFitShape shape)
{
  return shape.terms > 0 ? 2 * shape.terms : 3;
}

VG_LANES int
vg_fit_n_params (VgFitShape shape)
{
  return vg_fit_offset_index (shape) + (shape.offset ? 1 : 0);
}

/* The state of one exponential in the loop over the bins. */
typedef struct
{
  VgLanes theta, q;  /* h / tau, e^-theta */
  VgLanes b, s;      /* no IRF: basis; factor of its derivative by ln tau */
  VgLanes c, d;      /* IRF: convolution, its derivative */
  VgLanes g, thetaq; /* 1 - q, theta q */
} VgFitTerm;

/* Mean and variance of the bin number under q^j, j < n. */
VG_LANES VgLanes
vg_fit_mean_bin (VgLanes theta, float n)
{
  VgLanes u = theta * n;

  return vg_exp (-theta) / vg_one_minus_exp (theta) - n * vg_exp (-u) / vg_one_minus_exp (u);
}

VG_LANES VgLanes
vg_fit_variance_bin (VgLanes theta, float n)
{
  VgLanes a = vg_one_minus_exp (theta), u = theta * n, b = vg_one_minus_exp (u);

  return vg_exp (-theta) / (a * a) - n * n * vg_exp (-u) / (b * b);
}

VG_LANES void
vg_fit_term_next (VgFitTerm *t, float irf)
{
  t->d = t->q * t->d + t->thetaq * t->c;
  t->c = t->q * t->c + irf;
}

/* Advances the term to the first bin of the fit range. */
VG_LANES void
vg_fit_term_start (VgFitTerm *t, const VgLifetimeFit *fit, gboolean irf, VgLanes log_tau)
{
  t->theta = fit->bin_width_ns * vg_exp (-log_tau);
  t->q = vg_exp (-t->theta);
  t->g = vg_one_minus_exp (t->theta);
  t->thetaq = t->theta * t->q;
  if (!irf)
    {
      float n = (float) (fit->end - fit->first);

      t->b = t->g / vg_one_minus_exp (t->theta * n);
      t->s = -t->theta * vg_fit_mean_bin (t->theta, n);
      return;
    }
  t->c = t->d = vg_lanes (0.0f);
  for (int i = fit->irf_first; i < fit->irf_end; i++)
    vg_fit_term_next (t, fit->irf[i]);
  float rest = (float) (fit->period - fit->irf_end);
  VgLanes u = t->theta * (float) fit->period, wrap = vg_reciprocal (vg_one_minus_exp (u));
  VgLanes end = vg_exp (-t->theta * rest);
  t->d = end * (t->d + rest * t->theta * t->c);
  t->c = end * t->c;
  t->d = wrap * (t->d + t->c * wrap * u * vg_exp (-u));
  t->c = wrap * t->c;
  for (int j = 0; j < fit->first; j++)
    vg_fit_term_next (t, fit->irf[j]);
}

/* Computes the basis and its derivative by ln tau in the next bin. */
VG_LANES void
vg_fit_term_value (VgFitTerm *t, gboolean irf, float irf_j, VgLanes *b, VgLanes *db)
{
  if (irf)
    {
      vg_fit_term_next (t, irf_j);
      *b = t->g * t->c;
      *db = t->g * t->d - t->thetaq * t->c;
      return;
    }
  *b = t->b;
  *db = t->b * t->s;
  t->b *= t->q;
  t->s += t->theta;
}

/* Computes a stretched exponential's mean over a bin and its derivatives by ln tau and beta.
 * NODES holds pairs of ln t and quadrature weight. */
VG_LANES void
vg_fit_stretched_value (const float *nodes, VgLanes log_tau, VgLanes beta, VgLanes *e,
                        VgLanes *by_tau, VgLanes *by_beta)
{
  *e = *by_tau = *by_beta = vg_lanes (0.0f);
  VG_LANES_UNROLL
  for (int i = 0; i < VG_LIFETIME_NODES; i++)
    {
      VgLanes z = nodes[2 * i] - log_tau, u = vg_exp (beta * z), a = nodes[2 * i + 1] * vg_exp (-u),
              ua = u * a;

      *e += a;
      *by_tau += ua;
      *by_beta -= ua * z;
    }
  *by_tau *= beta;
}

/* Returns the model in bin J at X, and its derivatives but that of the offset.  The terms must be
 * at this bin. */
VG_LANES VgLanes
vg_fit_bin_value (const VgLifetimeFit *fit, VgFitShape shape, int j, const VgLanes *x,
                  VgFitTerm *term, VgLanes *dy)
{
  int k = shape.terms;
  VgLanes y = x[vg_fit_offset_index (shape)];
  float irf = shape.irf ? fit->irf[j] : 0.0f;

  if (k == 0)
    {
      vg_fit_stretched_value (fit->nodes + (j - fit->first) * 2 * VG_LIFETIME_NODES, x[1], x[2],
                              &dy[0], &dy[1], &dy[2]);
      y += x[0] * dy[0];
      dy[1] *= x[0];
      dy[2] *= x[0];
    }
  VG_LANES_UNROLL
  for (int i = 0; i < k; i++)
    {
      vg_fit_term_value (&term[i], shape.irf, irf, &dy[i], &dy[k + i]);
      y += x[i] * dy[i];
      dy[k + i] *= x[i];
    }
  return y;
}

/* Sums of one pass. */
typedef struct
{
  VgLanes objective; /* half of it */
  VgLanes g[VG_FIT_MAX_PARAMS], h[VG_FIT_MAX_CURVATURE];
} VgFitSums;

VG_LANES void
vg_fit_add_bin (VgFitSums *sums, int n_params, gboolean neyman, VgLanes n, VgLanes y,
                const VgLanes *dy)
{
  VgLanes floor = vg_max (y, vg_lanes (1e-12f));
  VgLanes w = neyman ? vg_reciprocal (vg_max (n, vg_lanes (1.0f))) : vg_reciprocal (floor);
  VgLanes r = w * (n - y);

  if (neyman)
    sums->objective += 0.5f * r * (n - y);
  else
    sums->objective += y - n + n * vg_log_fast (vg_max (n * w, vg_lanes (1e-30f)));
  VG_LANES_UNROLL
  for (int i = 0; i < n_params; i++)
    {
      VgLanes t = w * dy[i];

      sums->g[i] += r * dy[i];
      VG_LANES_UNROLL
      for (int j = 0; j <= i; j++)
        sums->h[VG_FIT_INDEX (i, j)] += t * dy[j];
    }
}

VG_LANES void
vg_fit_sums_clear (VgFitSums *sums, int n_params)
{
  sums->objective = vg_lanes (0.0f);
  VG_LANES_UNROLL
  for (int i = 0; i < n_params; i++)
    {
      sums->g[i] = vg_lanes (0.0f);
      VG_LANES_UNROLL
      for (int j = 0; j <= i; j++)
        sums->h[VG_FIT_INDEX (i, j)] = vg_lanes (0.0f);
    }
}

/* Type with operator [] that returns sample j of the lanes' decays: an array of vectors, or a
 * CUDA type. */
#ifdef __CUDACC__
#define VG_FIT_TEMPLATE template <typename VgFitSamples> VG_LANES
#else
#define VG_FIT_TEMPLATE VG_LANES
typedef const VgLanes *VgFitSamples;
#endif

/* One pass over the bins at X. */
VG_FIT_TEMPLATE void
vg_fit_pass (const VgLifetimeFit *fit, VgFitShape shape, VgFitSamples samples, const VgLanes *x,
             VgFitSums *sums)
{
  int k = shape.terms, p = vg_fit_n_params (shape);
  gboolean neyman = fit->estimator == VG_LIFETIME_NEYMAN;
  VgLanes dy[VG_FIT_MAX_PARAMS];
  VgFitTerm term[VG_LIFETIME_MAX_TERMS] = {};

  VG_LANES_UNROLL
  for (int i = 0; i < k; i++)
    vg_fit_term_start (&term[i], fit, shape.irf, x[k + i]);
  if (shape.offset)
    dy[p - 1] = vg_lanes (1.0f);
  vg_fit_sums_clear (sums, p);
  VG_LANES_BINS
  for (int j = fit->first; j < fit->end; j++)
    {
      VgLanes n = samples[j], y = vg_fit_bin_value (fit, shape, j, x, term, dy);

      vg_fit_add_bin (sums, p, neyman, n, y, dy);
    }
}

/* The sums at the end of a fit: half of the objective in full precision, its difference from that
 * of the best constant, and the expected curvature.  The difference is summed bin by bin because
 * both values are large and nearly equal for a nearly constant decay.  The curvature is summed in
 * two stages: rounding errors over hundreds of bins would be amplified a thousandfold in the
 * standard errors of two lifetimes. */
typedef struct
{
  VgLanes objective, gain;
  VgLanes weights, counts, squares; /* for Neyman's weights */
  VgLanes h[VG_FIT_MAX_CURVATURE];
} VgFitEnd;

enum { VG_FIT_BINS_AT_ONCE = 16 };

/* Adds one bin with weight W. */
VG_LANES void
vg_fit_end_add (VgFitEnd *end, VgLifetimeEstimator estimator, VgLanes n, VgLanes y, VgLanes w,
                VgLanes mean)
{
  if (estimator == VG_LIFETIME_DEVIANCE)
    {
      end->objective += vg_half_deviance (n, y);
      end->gain += n * vg_log (y * vg_reciprocal (mean)) + mean - y;
    }
  else if (estimator == VG_LIFETIME_PEARSON)
    {
      end->objective += 0.5f * (n - y) * (n - y) * w;
      end->gain += 0.5f * (n * n * (y - mean) * w * vg_reciprocal (mean) + mean - y);
    }
  else
    {
      end->objective += 0.5f * w * (n - y) * (n - y);
      end->weights += w;
      end->counts += w * n;
      end->squares += w * n * n;
    }
}

/* Adds the bins [from, to) for the parameters X.  The terms must have been started. */
VG_FIT_TEMPLATE void
vg_fit_end_bins (const VgLifetimeFit *fit, VgFitShape shape, VgFitSamples samples, const VgLanes *x,
                 VgLanes mean, int from, int to, VgFitTerm *term, VgFitEnd *end)
{
  int p = vg_fit_n_params (shape);
  VgLanes dy[VG_FIT_MAX_PARAMS], h[VG_FIT_MAX_CURVATURE];

  if (shape.offset)
    dy[p - 1] = vg_lanes (1.0f);
  VG_LANES_UNROLL
  for (int i = 0; i < p * (p + 1) / 2; i++)
    h[i] = vg_lanes (0.0f);
  VG_LANES_BINS
  for (int j = from; j < to; j++)
    {
      VgLanes n = samples[j], y = vg_fit_bin_value (fit, shape, j, x, term, dy), w;

      y = vg_max (y, vg_lanes (1e-12f));
      w = vg_reciprocal (fit->estimator == VG_LIFETIME_NEYMAN ? vg_max (n, vg_lanes (1.0f)) : y);
      vg_fit_end_add (end, fit->estimator, n, y, w, mean);
      VG_LANES_UNROLL
      for (int a = 0; a < p; a++)
        {
          VgLanes t = w * dy[a];

          VG_LANES_UNROLL
          for (int b = 0; b <= a; b++)
            h[VG_FIT_INDEX (a, b)] += t * dy[b];
        }
    }
  VG_LANES_UNROLL
  for (int i = 0; i < p * (p + 1) / 2; i++)
    end->h[i] += h[i];
}

/* Computes the sums at the end of a fit with parameters X, for lanes with these photons. */
VG_FIT_TEMPLATE void
vg_fit_end (const VgLifetimeFit *fit, VgFitShape shape, VgFitSamples samples, const VgLanes *x,
            VgLanes photons, VgFitEnd *end)
{
  int k = shape.terms, p = vg_fit_n_params (shape);
  /* The best constant for all estimators but Neyman's. */
  VgLanes zero = vg_lanes (0.0f),
          mean = vg_max (photons / (float) (fit->end - fit->first), vg_lanes (1e-12f));
  VgFitTerm term[VG_LIFETIME_MAX_TERMS] = {};

  end->objective = end->gain = end->weights = end->counts = end->squares = zero;
  VG_LANES_UNROLL
  for (int i = 0; i < p * (p + 1) / 2; i++)
    end->h[i] = zero;
  VG_LANES_UNROLL
  for (int i = 0; i < k; i++)
    vg_fit_term_start (&term[i], fit, shape.irf, x[k + i]);
  for (int j = fit->first; j < fit->end; j += VG_FIT_BINS_AT_ONCE)
    vg_fit_end_bins (fit, shape, samples, x, mean, j, MIN (j + VG_FIT_BINS_AT_ONCE, fit->end), term,
                     end);
  if (fit->estimator == VG_LIFETIME_NEYMAN)
    end->gain = 0.5f * (end->squares - end->counts * end->counts / end->weights) - end->objective;
}
