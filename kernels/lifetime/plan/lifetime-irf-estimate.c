/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/plan/lifetime-irf.h"
#include <float.h>
#include <math.h>
#include <string.h>
/* Estimates the IRF from a decay with unknown lifetimes.  The model is a Gaussian convolved with
 * an exponential (a detector's transit times and its slow tail), two exponential decays and a
 * background.  With F_k the distribution function of a pulse with tail k, a decay of lifetime tau
 * has the distribution (tau F_tau - k F_k) / (tau - k): the integrals over bins are exact and
 * need no convolution.  Amplitudes are linear and are eliminated (Golub and Pereyra, SIAM J.
 * Numer. Anal. 10, 413 (1973)); the others are fitted by Levenberg and Marquardt's method.  All
 * times are in bins. */

enum { N_SHAPE = 5, N_LINEAR = 3, MAX_STEPS = 60, MAX_PERIODS = 4 };
enum { CENTRE, LN_SIGMA, LN_TAIL, LN_TAU_1, LN_TAU_2 };

typedef struct
{
  const double *decay;
  int n, from, to; /* number of bins; first bin and end of the fit */
  double period;
  double *weights, *basis[N_LINEAR];
} Problem;

typedef struct
{
  double shape[N_SHAPE], linear[N_LINEAR], cost;
} Solution;

/* The distribution function of a Gaussian of width SIGMA at 0 convolved with exponential TAIL. */
static double
distribution (double x, double sigma, double tail)
{
  double u = sigma / tail, z = (u - x / sigma) * G_SQRT2 / 2.0,
         normal = 0.5 * erfc (-x / sigma * G_SQRT2 / 2.0), i = 1.0 / (2.0 * z * z);

  /* This is a product of a large and a small number; use the series of the complement. */
  if (z > 5.0)
    return normal - 0.5 * exp (-0.5 * x / sigma * (x / sigma)) / (z * sqrt (G_PI)) *
                        (1.0 - i * (1.0 - 3.0 * i * (1.0 - 5.0 * i)));
  return normal - 0.5 * exp (0.5 * u * u - x / tail) * erfc (z);
}

void
vg_lifetime_pulse_bins (const VgLifetimePulse *self, double shift, int n, double *bins)
{
  double before = distribution (-self->centre - shift, self->sigma, self->tail);

  for (int j = 0; j < n; j++)
    {
      double now = distribution (j + 1 - self->centre - shift, self->sigma, self->tail);

      bins[j] = MAX (now - before, 0.0);
      before = now;
    }
}

/* The photons in each bin of a decay with lifetime TAU, including those from previous pulses. */
static void
fill_basis (const Problem *self, const double *shape, double tau, double *basis)
{
  double sigma = exp (shape[LN_SIGMA]), tail = exp (shape[LN_TAIL]), before = 0.0;

  tau = fabs (tau / tail - 1.0) < 1e-4 ? tail * 1.0001 : tau;
  for (int j = self->from; j <= self->to; j++)
    {
      double x = j - shape[CENTRE], now;

      now = (tau * distribution (x, sigma, tau) - tail * distribution (x, sigma, tail)) /
            (tau - tail);
      for (int k = 1; k <= MAX_PERIODS; k++)
        now += (tau * distribution (x + k * self->period, sigma, tau) -
                tail * distribution (x + k * self->period, sigma, tail)) /
                   (tau - tail) -
               1.0;
      if (j > self->from)
        basis[j - 1 - self->from] = MAX (now - before, 0.0);
      before = now;
    }
}

/* Least squares in the amplitudes of SUBSET (bits).  Returns FALSE if one of them is negative or
 * they are not independent. */
static gboolean
solve_subset (double (*a)[N_LINEAR], const double *b, int subset, double *x)
{
  double m[N_LINEAR][N_LINEAR + 1];

  for (int i = 0; i < N_LINEAR; i++)
    {
      for (int j = 0; j < N_LINEAR; j++)
        m[i][j] = subset >> i & subset >> j & 1 ? a[i][j] : i == j;
      m[i][N_LINEAR] = subset >> i & 1 ? b[i] : 0.0;
    }
  for (int i = 0; i < N_LINEAR; i++)
    {
      if (!(m[i][i] > 1e-12 * (subset >> i & 1 ? a[i][i] : 1.0)))
        return FALSE;
      for (int k = 0; k < N_LINEAR; k++)
        for (int j = N_LINEAR; j >= i && k != i; j--)
          m[k][j] -= m[k][i] / m[i][i] * m[i][j];
    }
  for (int i = 0; i < N_LINEAR; i++)
    {
      x[i] = m[i][N_LINEAR] / m[i][i];
      if (!(x[i] >= 0.0))
        return FALSE;
    }
  return TRUE;
}

/* Computes the amplitudes of SOLUTION, its cost and, unless NULL, the weighted residuals. */
static void
evaluate (const Problem *self, Solution *solution, double *residuals)
{
  double a[N_LINEAR][N_LINEAR] = { { 0 } }, b[N_LINEAR] = { 0 }, total = 0.0;

  fill_basis (self, solution->shape, exp (solution->shape[LN_TAU_1]), self->basis[0]);
  fill_basis (self, solution->shape, exp (solution->shape[LN_TAU_2]), self->basis[1]);
  for (int j = 0; j < self->to - self->from; j++)
    {
      double w = self->weights[j], d = self->decay[self->from + j];

      self->basis[2][j] = 1.0;
      total += w * d * d;
      for (int i = 0; i < N_LINEAR; i++)
        {
          b[i] += w * self->basis[i][j] * d;
          for (int k = 0; k < N_LINEAR; k++)
            a[i][k] += w * self->basis[i][j] * self->basis[k][j];
        }
    }
  solution->cost = DBL_MAX;
  for (int subset = 1; subset < 1 << N_LINEAR; subset++)
    {
      double x[N_LINEAR], cost = total;

      if (!solve_subset (a, b, subset, x))
        continue;
      for (int i = 0; i < N_LINEAR; i++)
        cost -= x[i] * b[i];
      if (cost >= solution->cost)
        continue;
      solution->cost = cost;
      memcpy (solution->linear, x, sizeof x);
    }
  for (int j = 0; j < self->to - self->from && residuals != NULL; j++)
    {
      double y = 0.0;

      for (int i = 0; i < N_LINEAR; i++)
        y += solution->linear[i] * self->basis[i][j];
      residuals[j] = sqrt (self->weights[j]) * (self->decay[self->from + j] - y);
    }
}

/* Solves (H + lambda diag H) step = g by Gaussian elimination; H is positive definite. */
static void
solve_step (double (*h)[N_SHAPE], const double *g, double lambda, double *step)
{
  double m[N_SHAPE][N_SHAPE + 1];

  for (int i = 0; i < N_SHAPE; i++)
    {
      for (int j = 0; j < N_SHAPE; j++)
        m[i][j] = h[i][j] + (i == j ? lambda * h[i][i] + 1e-12 : 0.0);
      m[i][N_SHAPE] = g[i];
    }
  for (int i = 0; i < N_SHAPE; i++)
    for (int k = 0; k < N_SHAPE; k++)
      for (int j = N_SHAPE; j >= i && k != i; j--)
        m[k][j] -= m[k][i] / m[i][i] * m[i][j];
  for (int i = 0; i < N_SHAPE; i++)
    step[i] = CLAMP (m[i][N_SHAPE] / m[i][i], -0.7, 0.7);
}

static void
keep_within (const Problem *self, double *shape)
{
  double most = log (0.25 * self->n);

  shape[CENTRE] = CLAMP (shape[CENTRE], 0.0, (double) self->n);
  shape[LN_SIGMA] = CLAMP (shape[LN_SIGMA], log (0.1), most);
  shape[LN_TAIL] = CLAMP (shape[LN_TAIL], log (0.05), most);
  for (int i = LN_TAU_1; i <= LN_TAU_2; i++)
    shape[i] = CLAMP (shape[i], log (0.2), log (10.0 * self->n));
}

/* The normal equations at SOLUTION, with derivatives by differences; amplitudes are refitted. */
static void
normal_equations (const Problem *self, const Solution *solution, double *residuals, double *slopes,
                  double (*h)[N_SHAPE], double *g)
{
  const double difference = 1e-4;
  int n = self->to - self->from;

  for (int i = 0; i < N_SHAPE; i++)
    {
      Solution moved = *solution;

      moved.shape[i] += difference;
      evaluate (self, &moved, slopes + i * n);
      for (int j = 0; j < n; j++)
        slopes[i * n + j] = (residuals[j] - slopes[i * n + j]) / difference;
    }
  for (int i = 0; i < N_SHAPE; i++)
    {
      g[i] = 0.0;
      for (int j = 0; j < n; j++)
        g[i] += slopes[i * n + j] * residuals[j];
      for (int k = 0; k < N_SHAPE; k++)
        {
          h[i][k] = 0.0;
          for (int j = 0; j < n; j++)
            h[i][k] += slopes[i * n + j] * slopes[k * n + j];
        }
    }
}

static void
descend (const Problem *self, Solution *solution)
{
  int n = self->to - self->from;
  g_autofree double *residuals = g_new (double, n), *slopes = g_new (double, (gsize) n *N_SHAPE);
  double h[N_SHAPE][N_SHAPE], g[N_SHAPE], step[N_SHAPE], lambda = 1e-2;

  evaluate (self, solution, residuals);
  for (int i = 0; i < MAX_STEPS; i++)
    {
      double before = solution->cost;

      normal_equations (self, solution, residuals, slopes, h, g);
      for (int tries = 0; tries < 8; tries++, lambda *= 6.0)
        {
          Solution next = *solution;

          solve_step (h, g, lambda, step);
          for (int k = 0; k < N_SHAPE; k++)
            next.shape[k] += step[k];
          keep_within (self, next.shape);
          evaluate (self, &next, NULL);
          if (next.cost >= solution->cost)
            continue;
          *solution = next;
          lambda = MAX (0.15 * lambda, 1e-8);
          break;
        }
      if (!(before - solution->cost > 1e-7 * before))
        return;
      evaluate (self, solution, residuals);
    }
}

/* Sets the weights by the counts at first, later by the model, because weights by counts are
 * biased low. */
static void
set_weights (Problem *self, const Solution *solution)
{
  for (int j = 0; j < self->to - self->from; j++)
    {
      double y = solution == NULL ? self->decay[self->from + j] : 0.0;

      for (int i = 0; i < N_LINEAR && solution != NULL; i++)
        y += solution->linear[i] * self->basis[i][j];
      self->weights[j] = 1.0 / MAX (y, 1.0);
    }
}

/* The time in bins at which the rise reaches SHARE of the peak. */
static double
crossing (const double *decay, int peak, double share)
{
  int j = peak;

  while (j > 0 && decay[j - 1] > share * decay[peak])
    j--;
  return j == 0 ? 0.0 : j + (share * decay[peak] - decay[j - 1]) / (decay[j] - decay[j - 1]) - 0.5;
}

gboolean
vg_lifetime_pulse_estimate (VgLifetimePulse *self, const double *decay, int n, double period)
{
  double low, half, tau = vg_lifetime_tail_lifetime (decay, n), sigma;
  Problem problem = { .decay = decay, .n = n, .period = period };
  Solution best = { .cost = DBL_MAX };
  g_autofree double *memory = NULL;
  int peak = 0, start;

  for (int j = 1; j < n; j++)
    peak = decay[j] > decay[peak] ? j : peak;
  low = crossing (decay, peak, 0.1);
  half = crossing (decay, peak, 0.5);
  vg_lifetime_find_tail (decay, n, &start, &problem.to);
  if (low <= 0.0 || !(tau > 0.0) || !(decay[peak] > 0.0))
    return FALSE; /* The decay does not rise within the window. */
  sigma = MAX ((peak - low) / 2.5, 0.3);
  problem.from = (int) MAX (low - 4.0 * (peak - low) - 4.0, 0.0);
  while (problem.from < peak && decay[problem.from] == 0.0)
    problem.from++;
  memory = g_new (double, (gsize) n *(N_LINEAR + 1));
  problem.weights = memory;
  for (int i = 0; i < N_LINEAR; i++)
    problem.basis[i] = memory + (gsize) n * (gsize) (i + 1);
  if (problem.to - problem.from < N_SHAPE + N_LINEAR + 2)
    return FALSE;
  for (double tail = 0.4; tail < 2.0; tail *= 4.0)
    {
      Solution one = { .shape = { half, log (sigma), log (tail * sigma), log (0.3 * tau),
                                  log (1.3 * tau) } };

      set_weights (&problem, NULL);
      descend (&problem, &one);
      evaluate (&problem, &one, NULL);
      set_weights (&problem, &one);
      descend (&problem, &one);
      if (one.cost < best.cost)
        best = one;
    }
  self->centre = best.shape[CENTRE];
  self->sigma = exp (best.shape[LN_SIGMA]);
  self->tail = exp (best.shape[LN_TAIL]);
  /* With a single decay, tail and lifetime are distinguished by their lengths alone. */
  for (int i = 0; i < 2; i++)
    if (best.linear[1 - i] == 0.0)
      self->tail = MIN (self->tail, exp (best.shape[LN_TAU_1 + i]));
  return best.cost < DBL_MAX;
}
