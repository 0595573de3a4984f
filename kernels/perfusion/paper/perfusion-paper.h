/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/paper/perfusion-block-fft.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/perfusion/model/perfusion-simplex.h"
/* The paper's solver on the CPU: one compartment by the rectangle rule, its
 * convolution by Block-FFT, a library's FFT or the recursion, minimised by
 * Nelder and Mead's simplex.  Inputs are delayed by interpolation between
 * their samples and then convolved, as the paper does. */
G_BEGIN_DECLS

typedef struct
{
  const VgPerfusionProblem *problem;
  VgPerfusionConvolution convolution;
  VgBlockFft *fft;
  VgBlockFft *padded; /* its rows are of a power of two that holds 2 n */
} VgPerfusionPaper;

/* Of where a simplex ended after ITERATIONS: X is ka, kp, kl and the delays.
 * SPAN_S: of the series. */
VG_SCALAR VgPerfusionStatus
vg_perfusion_paper_status (const double *x, int iterations, int dual, double span_s)
{
  if (x[0] < 0 || x[2] < 0 || fabs (x[3]) >= span_s ||
      (dual && (x[1] < 0 || fabs (x[4]) >= span_s)))
    return VG_PERFUSION_IMPOSSIBLE;
  return iterations >= VG_SIMPLEX_MAX_ITERATIONS ? VG_PERFUSION_NOT_CONVERGED : VG_PERFUSION_FITTED;
}

/* Borrows PROBLEM.  Uneven frames have no spectrum: their convolution is
 * always the recursion. */
VgPerfusionPaper *vg_perfusion_paper_new (const VgPerfusionProblem *problem,
                                          VgPerfusionConvolution convolution);
void vg_perfusion_paper_free (VgPerfusionPaper *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionPaper, vg_perfusion_paper_free)

/* Doubles of scratch that the next two need. */
gsize vg_perfusion_paper_scratch (const VgPerfusionPaper *self);
/* The model's curve at X (ka, kp, kl in ml/100 g/min, delays in s), n values. */
void vg_perfusion_paper_curve (const VgPerfusionPaper *self, const double *x, double *curve,
                               double *scratch);
/* Standard errors at X, where the sum of squares is COST, of ka .. tau_p. */
void vg_perfusion_paper_error (const VgPerfusionPaper *self, const double *x, double cost,
                               double *error);
/* Runs SIMPLEX to its end on a curve, n values STRIDE apart. */
void vg_perfusion_paper_fit (const VgPerfusionPaper *self, const double *curve, int stride,
                             VgSimplex *simplex, double *scratch);

G_END_DECLS
