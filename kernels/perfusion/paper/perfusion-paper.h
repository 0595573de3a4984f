/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/paper/perfusion-block-fft.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/perfusion/model/perfusion-simplex.h"
/* The paper's solver on the CPU: one compartment by the rectangle rule, with a convolution by
 * Block-FFT, a standard FFT or recursion, minimised by Nelder and Mead's simplex.  As in the
 * paper, inputs are delayed by interpolation between their samples and then convolved. */
G_BEGIN_DECLS

typedef struct
{
  const VgPerfusionProblem *problem;
  VgPerfusionConvolution convolution;
  VgBlockFft *fft;
  VgBlockFft *padded; /* a transform whose rows have a power of two that holds 2 n */
} VgPerfusionPaper;

/* The status of a simplex that ended at X (ka, kp, kl and the delays) after ITERATIONS.  SPAN_S
 * is the duration of the series. */
VG_SCALAR VgPerfusionStatus
vg_perfusion_paper_status (const double *x, int iterations, int dual, double span_s)
{
  if (x[0] < 0 || x[2] < 0 || fabs (x[3]) >= span_s ||
      (dual && (x[1] < 0 || fabs (x[4]) >= span_s)))
    return VG_PERFUSION_IMPOSSIBLE;
  return iterations >= VG_SIMPLEX_MAX_ITERATIONS ? VG_PERFUSION_NOT_CONVERGED : VG_PERFUSION_FITTED;
}

/* Borrows PROBLEM.  For uneven frames the convolution is always the recursion. */
VgPerfusionPaper *vg_perfusion_paper_new (const VgPerfusionProblem *problem,
                                          VgPerfusionConvolution convolution);
void vg_perfusion_paper_free (VgPerfusionPaper *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionPaper, vg_perfusion_paper_free)

/* The doubles of scratch that vg_perfusion_paper_curve and _fit need. */
gsize vg_perfusion_paper_scratch (const VgPerfusionPaper *self);
/* Computes the model's curve at X (ka, kp, kl in ml/100 g/min, delays in s), n values. */
void vg_perfusion_paper_curve (const VgPerfusionPaper *self, const double *x, double *curve,
                               double *scratch);
/* Computes the standard errors at X, VG_PERFUSION_PAPER_ERRORS, where the sum of squares is COST.
 */
void vg_perfusion_paper_error (const VgPerfusionPaper *self, const double *x, double cost,
                               double *error);
/* Runs SIMPLEX to its end on a curve, n values STRIDE apart. */
void vg_perfusion_paper_fit (const VgPerfusionPaper *self, const double *curve, int stride,
                             VgSimplex *simplex, double *scratch);

G_END_DECLS
