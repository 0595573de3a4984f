/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/base/vg-scalar.h"
#include "kernels/perfusion/model/perfusion-problem.h"
/* The preferred of several models of one curve, for both backends: the one with the lowest
 * corrected criterion of Akaike (Hurvich and Tsai, Biometrika 76, 297, 1989) among those whose
 * additional parameters are significant.  A model is significant if F tests reject all simpler
 * models that it contains. */

enum { VG_PERFUSION_CANDIDATES = VG_PERFUSION_EXCHANGE + 1 };

/* The number of fit parameters of MODEL: of the tissue, the arterial fraction with two inputs (ka
 * and kp of one compartment), and DELAYS, VgPerfusionDelays.  Deconvolution has one input and one
 * delay, and responses of fewer than three degrees of freedom mean nothing. */
VG_SCALAR int
vg_perfusion_unknowns (int model, int dual, int delays)
{
  int tissue = model == VG_PERFUSION_COMPARTMENT || model == VG_PERFUSION_PATLAK      ? 2
               : model == VG_PERFUSION_EXTENDED_TOFTS || model == VG_PERFUSION_UPTAKE ? 3
                                                                                      : 4;

  if (model == VG_PERFUSION_DECONVOLUTION)
    return 3 + (delays != VG_PERFUSION_DELAYS_NONE);
  return tissue + (dual != 0) +
         (delays == VG_PERFUSION_DELAYS_FREE     ? 1 + (dual != 0)
          : delays == VG_PERFUSION_DELAYS_SHARED ? 1
                                                 : 0);
}

/* The models that MODEL contains, as bits: those that it becomes if a parameter is 0 or infinite.
 */
VG_SCALAR int
vg_perfusion_contained (int model)
{
  const int simple = 1 << VG_PERFUSION_COMPARTMENT | 1 << VG_PERFUSION_PATLAK;

  return model == VG_PERFUSION_EXTENDED_TOFTS || model == VG_PERFUSION_UPTAKE ? simple
         : model == VG_PERFUSION_EXCHANGE
             ? simple | 1 << VG_PERFUSION_EXTENDED_TOFTS | 1 << VG_PERFUSION_UPTAKE
             : 0;
}

/* The continued fraction of the incomplete beta function by Lentz's method. */
VG_SCALAR double
vg_perfusion_beta_fraction (double a, double b, double x)
{
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1), h;

  d = 1 / (fabs (d) < tiny ? tiny : d);
  h = d;
  for (int m = 1; m <= 300; m++)
    {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
             odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), change;

      d = 1 + even * d;
      c = 1 + even / c;
      d = 1 / (fabs (d) < tiny ? tiny : d);
      c = fabs (c) < tiny ? tiny : c;
      h *= d * c;
      d = 1 + odd * d;
      c = 1 + odd / c;
      d = 1 / (fabs (d) < tiny ? tiny : d);
      c = fabs (c) < tiny ? tiny : c;
      change = d * c;
      h *= change;
      if (fabs (change - 1) < 1e-12)
        break;
    }
  return h;
}

/* The logarithm of the gamma function.  On the host lgamma writes a global variable, which threads
 * must not share. */
VG_SCALAR double
vg_perfusion_log_gamma (double x)
{
#ifdef __CUDA_ARCH__
  return lgamma (x);
#else
  int sign;

  return lgamma_r (x, &sign);
#endif
}

/* The probability of a larger F with N1 and N2 degrees of freedom. */
VG_SCALAR double
vg_perfusion_f_tail (double f, double n1, double n2)
{
  double a = n2 / 2, b = n1 / 2, x, front;

  if (!(f > 0))
    return 1;
  x = n2 / (n2 + n1 * f);
  front = exp (vg_perfusion_log_gamma (a + b) - vg_perfusion_log_gamma (a) -
               vg_perfusion_log_gamma (b) + a * log (x) + b * log1p (-x));
  return x < (a + 1) / (a + b + 2) ? front * vg_perfusion_beta_fraction (a, b, x) / a
                                   : 1 - front * vg_perfusion_beta_fraction (b, a, 1 - x) / b;
}

typedef struct
{
  int model;     /* the preferred one */
  double weight; /* its Akaike weight, 0 to 1 */
  /* The largest p-value of its F tests against the models that it contains; NaN: it contains
   * none. */
  double chance;
} VgPerfusionChoice;

/* The corrected criterion of a fit with sum of squares COST of N frames and K parameters; the
 * variance of the noise is one more. */
VG_SCALAR double
vg_perfusion_aicc (double cost, int n, int k)
{
  return n > k + 2 ? n * log (cost / n) + 2.0 * (k + 1) * n / (n - k - 2) : (double) INFINITY;
}

/* The largest p-value of the F tests of MODEL against the models that it contains; NaN if it
 * contains none. */
VG_SCALAR double
vg_perfusion_chance (const double *cost, int model, int n, int dual, int delays)
{
  int contained = vg_perfusion_contained (model), k = vg_perfusion_unknowns (model, dual, delays);
  double chance = contained ? 0 : (double) NAN;

  for (int s = 0; s < VG_PERFUSION_CANDIDATES; s++)
    {
      int more = k - vg_perfusion_unknowns (s, dual, delays);
      double tail = 1;

      if (!(contained >> s & 1))
        continue;
      if (n > k && cost[model] > 0)
        tail = vg_perfusion_f_tail ((cost[s] - cost[model]) / more / (cost[model] / (n - k)), more,
                                    n - k);
      else if (n > k)
        tail = cost[s] > 0 ? 0 : 1;
      chance = tail > chance ? tail : chance;
    }
  return chance;
}

/* Chooses among the fits with sums of squares COSTS of N frames; a NaN counts as infinite.
 * SIGNIFICANCE: the largest probability at which an F test rejects. */
VG_SCALAR VgPerfusionChoice
vg_perfusion_choose (const double *costs, int n, int dual, int delays, double significance)
{
  VgPerfusionChoice choice = { VG_PERFUSION_COMPARTMENT, 0, (double) NAN };
  double least = (double) INFINITY, lowest = (double) INFINITY, sum = 0,
         criterion[VG_PERFUSION_CANDIDATES], cost[VG_PERFUSION_CANDIDATES];

  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    cost[m] = costs[m] >= 0 ? costs[m] : (double) INFINITY;
  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    {
      double chance = vg_perfusion_chance (cost, m, n, dual, delays);

      /* A sum of squares of 0 has no logarithm. */
      criterion[m] = vg_perfusion_aicc (cost[m] > 1e-300 ? cost[m] : 1e-300, n,
                                        vg_perfusion_unknowns (m, dual, delays));
      lowest = criterion[m] < lowest ? criterion[m] : lowest;
      if (!(chance > significance) && criterion[m] < least)
        {
          least = criterion[m];
          choice.model = m;
          choice.chance = chance;
        }
    }
  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    sum += exp ((lowest - criterion[m]) / 2);
  choice.weight = exp ((lowest - criterion[choice.model]) / 2) / sum;
  return choice;
}
