/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-formula.h"
/* Multi-exposure speckle imaging, compiled by gcc and nvcc: correlation time, coherence factor and
 * dynamic fraction of a pixel from K^2 at several exposure times T (Parthasarathy 2008):
 *   K^2 = A^2 F(T / tau) + 2 A B F1(T / tau) + B^2,  A = sqrt (beta) rho, B = sqrt (beta) (1 - rho)
 * The logarithms of both sides are fitted by least squares, as the scatter of K^2 is proportional
 * to it.  The fit begins at the best of a grid of tau and rho and goes on by Levenberg's method. */

enum {
  VG_FLOW_MOST_EXPOSURES = 32,
  VG_FLOW_FEWEST_EXPOSURES = 4,
  VG_FLOW_GRID_TAU = 32,
  VG_FLOW_GRID_RHO = 8,
  VG_FLOW_GRID = VG_FLOW_GRID_TAU * VG_FLOW_GRID_RHO,
};

typedef enum { VG_FLOW_FIT_TAU, VG_FLOW_FIT_BETA, VG_FLOW_FIT_RHO } VgFlowFitValue;

/* The same for all pixels. */
typedef struct
{
  int model, n;
  double ms[VG_FLOW_MOST_EXPOSURES];                  /* exposure times */
  double tau_ms[VG_FLOW_GRID_TAU];                    /* of the grid */
  float shape[VG_FLOW_GRID * VG_FLOW_MOST_EXPOSURES]; /* logarithms of K^2 / beta on the grid */
} VgFlowExposureFit;

/* rho of grid point I. */
VG_SCALAR double
vg_flow_grid_rho (int i)
{
  return (i + 1.0) / (double) VG_FLOW_GRID_RHO;
}

/* x dF / dx, with F = vg_flow_decay(). */
VG_SCALAR double
vg_flow_decay_slope (int model, double x)
{
  double a = model == VG_FLOW_GAUSSIAN ? 2.0 * x * x : 2.0 * x;

  if (model == VG_FLOW_GAUSSIAN)
    {
      if (a < 0.02)
        return -a * (1.0 / 3.0 - a * (2.0 / 15.0 - a / 28.0));
      return sqrt (3.14159265358979323846 / a) * erf (sqrt (a)) - 2.0 * vg_flow_decay (model, x);
    }
  if (a < 0.02)
    return -a * (1.0 / 3.0 - a * (1.0 / 6.0 - a / 20.0));
  return -2.0 * expm1 (-a) / a - 2.0 * vg_flow_decay (model, x);
}

/* Sum of squared residuals at P = (log tau, A, B); with GRADIENT and HESSIAN (upper triangle, row
 * by row) also what a step needs. */
VG_SCALAR double
vg_flow_exposure_residual (const VgFlowExposureFit *fit, const double *log_k2, const double *p,
                           double *gradient, double *hessian)
{
  double mixed = fit->model == VG_FLOW_GAUSSIAN ? 0.70710678118654752440 : 0.5, sum = 0.0;
  double tau = exp (p[0]), a = p[1], b = p[2];

  for (int i = 0; gradient != NULL && i < 6; i++)
    hessian[i] = gradient[i / 2] = 0.0;
  for (int i = 0; i < fit->n; i++)
    {
      double x = fit->ms[i] / tau, f = vg_flow_decay (fit->model, x),
             f1 = vg_flow_decay (fit->model, mixed * x), k2 = a * a * f + 2 * a * b * f1 + b * b;
      double r = log_k2[i] - log (k2), d[3];

      if (r != r)
        continue;
      sum += r * r;
      if (gradient == NULL)
        continue;
      d[0] = -(a * a * vg_flow_decay_slope (fit->model, x) +
               2 * a * b * vg_flow_decay_slope (fit->model, mixed * x)) /
             k2;
      d[1] = 2 * (a * f + b * f1) / k2;
      d[2] = 2 * (a * f1 + b) / k2;
      for (int j = 0, at = 0; j < 3; j++)
        {
          gradient[j] += d[j] * r;
          for (int k = j; k < 3; k++)
            hessian[at++] += d[j] * d[k];
        }
    }
  return sum;
}

/* Solves the 3 x 3 system of HESSIAN, whose diagonal grows by the factor 1 + DAMPING; 0: it is
 * singular. */
VG_SCALAR int
vg_flow_exposure_solve (const double *hessian, double damping, const double *gradient, double *step)
{
  double m = 1 + damping, a = hessian[0] * m, b = hessian[1], c = hessian[2], d = hessian[3] * m,
         e = hessian[4], f = hessian[5] * m;
  double u = d * f - e * e, v = c * e - b * f, w = b * e - c * d, det = a * u + b * v + c * w;

  if (!(det > 1e-14 * a * d * f))
    return 0;
  step[0] = (u * gradient[0] + v * gradient[1] + w * gradient[2]) / det;
  step[1] = (v * gradient[0] + (a * f - c * c) * gradient[1] + (b * c - a * e) * gradient[2]) / det;
  step[2] = (w * gradient[0] + (b * c - a * e) * gradient[1] + (a * d - b * b) * gradient[2]) / det;
  return 1;
}

/* The best point of the grid. */
VG_SCALAR void
vg_flow_exposure_start (const VgFlowExposureFit *fit, const double *log_k2, double *p)
{
  double best = HUGE_VAL, root = 1;
  int place = 0;

  for (int g = 0; g < VG_FLOW_GRID; g++)
    {
      const float *shape = fit->shape + (size_t) g * VG_FLOW_MOST_EXPOSURES;
      double sum = 0, squares = 0, n = 0;

      for (int i = 0; i < fit->n; i++)
        {
          double r = log_k2[i] - (double) shape[i];

          if (r != r)
            continue;
          sum += r;
          squares += r * r;
          n += 1;
        }
      squares -= sum * sum / n;
      if (squares < best)
        {
          best = squares;
          place = g;
          root = exp (0.5 * sum / n);
        }
    }
  p[0] = log (fit->tau_ms[place / VG_FLOW_GRID_RHO]);
  p[1] = root * vg_flow_grid_rho (place % VG_FLOW_GRID_RHO);
  p[2] = root - p[1];
}

/* Value WHICH of the pixel with K^2 of each exposure, NaN where there is none.  NaN if fewer than
 * four are known or the exposures do not determine it. */
VG_SCALAR float
vg_flow_exposure_value (const VgFlowExposureFit *fit, const float *k2, int which)
{
  enum { STEPS = 12 };
  double log_k2[VG_FLOW_MOST_EXPOSURES], p[3], gradient[3], hessian[6], damping = 1e-3, sum;
  int known = 0;

  for (int i = 0; i < fit->n; i++)
    {
      log_k2[i] = k2[i] > 0 ? log ((double) k2[i]) : (double) VG_FLOW_NAN;
      known += k2[i] > 0;
    }
  if (known < VG_FLOW_FEWEST_EXPOSURES)
    return VG_FLOW_NAN;
  vg_flow_exposure_start (fit, log_k2, p);
  sum = vg_flow_exposure_residual (fit, log_k2, p, gradient, hessian);
  for (int i = 0; i < STEPS; i++)
    {
      double step[3], next[3], now;

      if (!vg_flow_exposure_solve (hessian, damping, gradient, step))
        break;
      next[0] = p[0] + (step[0] > 1 ? 1 : step[0] < -1 ? -1 : step[0]);
      next[1] = p[1] + step[1] > 0 ? p[1] + step[1] : 0.5 * p[1];
      next[2] = p[2] + step[2] > 0 ? p[2] + step[2] : 0;
      now = vg_flow_exposure_residual (fit, log_k2, next, NULL, NULL);
      if (!(now < sum))
        {
          damping *= 8;
          continue;
        }
      for (int k = 0; k < 3; k++)
        p[k] = next[k];
      if (fabs (step[0]) < 1e-6)
        break;
      damping *= 0.2;
      sum = vg_flow_exposure_residual (fit, log_k2, p, gradient, hessian);
    }
  /* At the ends of the grid the exposures are all too long or all too short. */
  if (!(p[0] > log (fit->tau_ms[0])) || !(p[0] < log (fit->tau_ms[VG_FLOW_GRID_TAU - 1])))
    return VG_FLOW_NAN;
  if (which == VG_FLOW_FIT_TAU)
    return (float) exp (p[0]);
  return (float) (which == VG_FLOW_FIT_BETA ? (p[1] + p[2]) * (p[1] + p[2]) : p[1] / (p[1] + p[2]));
}

/* K^2 of one exposure averaged over cycles: MEAN is that so far, NaN at first, SHARE the weight of
 * the new CONTRAST. */
VG_SCALAR float
vg_flow_exposure_mean (float mean, float contrast, float share)
{
  float k2 = contrast * contrast;

  if (!(k2 >= 0))
    return mean;
  return mean >= 0 ? mean + share * (k2 - mean) : k2;
}
