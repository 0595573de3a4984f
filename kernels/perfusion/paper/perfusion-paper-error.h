/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/model/perfusion-formula.h"
#include "kernels/perfusion/model/perfusion-simplex.h"
/* Standard errors of the paper's solver, for both backends: the derivatives of its curve by ka,
 * kp, kl and the delays, frame by frame, at the end of the simplex.  The convolution is computed
 * by recursion, which gives the same sums as the transforms. */

/* The step, as a fraction of a frame, of the inputs' numerical derivatives. */
#define VG_PERFUSION_PAPER_DELAY_PART 1e-3

typedef struct
{
  int trapezoid, started;
  double x[VG_SIMPLEX_N];
  double slope[VG_SIMPLEX_N], last[4];  /* the four inputs at the previous frame */
  double m[VG_SIMPLEX_N][VG_SIMPLEX_N]; /* sums of the products of derivatives, lower half */
} VgPerfusionPaperSlopes;

/* X holds ka, kp, kl in ml/100 g/min and the delays.  NaN, for an input that does not exist,
 * becomes 0. */
VG_SCALAR void
vg_perfusion_paper_slopes_start (VgPerfusionPaperSlopes *self, int trapezoid, const double *x)
{
  self->trapezoid = trapezoid;
  self->started = 0;
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    {
      self->x[i] = x[i] == x[i] ? x[i] : 0;
      self->slope[i] = 0;
      for (int k = 0; k < VG_SIMPLEX_N; k++)
        self->m[i][k] = 0;
    }
  for (int i = 0; i < 4; i++)
    self->last[i] = 0;
}

/* Adds the next frame, STEP after the previous one, with the delayed inputs and their derivatives
 * by the delays. */
VG_SCALAR void
vg_perfusion_paper_slopes_next (VgPerfusionPaperSlopes *self, double step, double weight,
                                double artery, double portal, double artery_by_delay,
                                double portal_by_delay)
{
  const double *x = self->x;
  double decay = exp (-x[2] / VG_PERFUSION_RATE * step),
         curve = x[0] * self->slope[0] + x[1] * self->slope[1];
  double in[4] = { artery / VG_PERFUSION_RATE, portal / VG_PERFUSION_RATE,
                   x[0] * artery_by_delay / VG_PERFUSION_RATE,
                   x[1] * portal_by_delay / VG_PERFUSION_RATE };
  const int at[4] = { 0, 1, 3, 4 };

  if (self->trapezoid)
    curve += step / 2 * (x[0] * self->last[0] + x[1] * self->last[1]);
  self->slope[2] = decay * (self->slope[2] - step * curve / VG_PERFUSION_RATE);
  for (int i = 0; i < 4; i++)
    {
      double piece = !self->trapezoid ? step * in[i]
                     : self->started  ? step / 2 * (decay * self->last[i] + in[i])
                                      : 0;

      self->slope[at[i]] = decay * self->slope[at[i]] + piece;
      self->last[i] = in[i];
    }
  self->started = 1;
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    for (int k = 0; k <= i; k++)
      self->m[i][k] += weight * self->slope[i] * self->slope[k];
}

/* The errors of ka, kp, kl and the delays, of total inflow, arterial fraction (0 to 1) and
 * distribution volume. */
enum { VG_PERFUSION_PAPER_ERRORS = VG_SIMPLEX_N + 3 };

/* The slot of the fit for error I. */
VG_SCALAR int
vg_perfusion_paper_slot (int i)
{
  return i == VG_SIMPLEX_N       ? VG_PERFUSION_FIT_INFLOW_ERROR
         : i == VG_SIMPLEX_N + 1 ? VG_PERFUSION_FIT_FRACTION_ERROR
         : i == VG_SIMPLEX_N + 2 ? VG_PERFUSION_FIT_VOLUME_ERROR
                                 : VG_PERFUSION_FIT_ERRORS + i;
}

/* Sets G to the derivatives of the value of error I by the parameters X. */
VG_SCALAR void
vg_perfusion_paper_gradient (const double *x, int dual, int i, double *g)
{
  double portal = dual ? x[1] : 0, sum = x[0] + portal;

  for (int k = 0; k < VG_SIMPLEX_N; k++)
    g[k] = k == i;
  if (i < VG_SIMPLEX_N)
    return;
  g[0] = i == VG_SIMPLEX_N ? 1 : i == VG_SIMPLEX_N + 1 ? portal / (sum * sum) : 1 / x[2];
  g[1] = i == VG_SIMPLEX_N ? 1 : i == VG_SIMPLEX_N + 1 ? -x[0] / (sum * sum) : 1 / x[2];
  g[2] = i == VG_SIMPLEX_N + 2 ? -sum / (x[2] * x[2]) : 0;
}

/* Computes the errors from the sum of squares COST over USED frames; NaN for parameters that are
 * not determined. */
VG_SCALAR void
vg_perfusion_paper_errors (const VgPerfusionPaperSlopes *self, int dual, double cost, int used,
                           double *error)
{
  double l[VG_SIMPLEX_N][VG_SIMPLEX_N], scale[VG_SIMPLEX_N];
  int unknowns = 0;

  /* The Cholesky factor of the matrix scaled to ones in the diagonal.  Parameters that do not
   * exist are independent of the others. */
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    {
      scale[i] = self->m[i][i] > 0 && (dual || (i != 1 && i != 4)) ? 1 / sqrt (self->m[i][i]) : 0;
      unknowns += scale[i] > 0;
    }
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    for (int k = 0; k <= i; k++)
      {
        double sum = i == k ? 1 : self->m[i][k] * scale[i] * scale[k];

        for (int j = 0; j < k; j++)
          sum -= l[i][j] * l[k][j];
        l[i][k] = i == k ? (sum > 1e-12 ? sqrt (sum) : (double) NAN) : sum / l[k][k];
      }
  for (int i = 0; i < VG_PERFUSION_PAPER_ERRORS; i++)
    {
      double g[VG_SIMPLEX_N], solved[VG_SIMPLEX_N], square = 0;

      vg_perfusion_paper_gradient (self->x, dual, i, g);
      for (int k = 0; k < VG_SIMPLEX_N; k++)
        {
          double sum = g[k] * scale[k];

          for (int j = 0; j < k; j++)
            sum -= l[k][j] * solved[j];
          solved[k] = sum / l[k][k];
          square += solved[k] * solved[k];
        }
      error[i] = square > 0 && used > unknowns ? sqrt (square * cost / (used - unknowns))
                                               : (double) NAN;
    }
}
