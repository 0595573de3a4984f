/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-deconvolve.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/model/perfusion-params.h"
/* Deconvolution without a model: its tables, and curves on the CPU. */
G_BEGIN_DECLS

typedef struct
{
  VgPerfusionDeconvolver tables;
  double *fitted; /* per onset n x width: the fitted curve from filtered coefficients */
  double *memory;
} VgPerfusionDeconvolution;

/* Decomposes the input of PROBLEM for each onset.  With two inputs, it is a mixture in which the
 * artery has the fraction SHARE.  CUTOFF: the limit as a fraction of the largest singular value; 0:
 * cross-validation.  The onsets lie between the bounds of the delays, at least a quarter of a frame
 * interval apart; without delays, the only onset is 0, and the maximum of R may be at any lag.
 * STOP: as in VgContext; NULL: nothing stops it.  NULL: not enough memory, or it was stopped. */
VgPerfusionDeconvolution *vg_perfusion_deconvolution_new (const VgPerfusionProblem *problem,
                                                          double share,
                                                          VgPerfusionRegularisation method,
                                                          double cutoff, int threads,
                                                          const gint *stop);
/* The largest bytes of the tables for FRAMES on the host and on the device; DELAYS: there are
 * several onsets. */
void vg_perfusion_deconvolution_memory (int frames, gboolean delays, gsize *host, gsize *device);
void vg_perfusion_deconvolution_free (VgPerfusionDeconvolution *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionDeconvolution, vg_perfusion_deconvolution_free)

/* The doubles of scratch that a batch needs. */
gsize vg_perfusion_deconvolution_scratch (const VgPerfusionDeconvolution *self);

/* As vg_perfusion_fit_batch.  FITTED: NULL, or n rows of LANES that receive the fitted curves. */
void vg_perfusion_deconvolve_batch (const VgPerfusionDeconvolution *self,
                                    const VgPerfusionProblem *problem, const double *curves,
                                    int count, double *scratch, double *values, double *fitted);

/* Converts RESPONSE to FIT_VALUES values.  Its curve has the sum Y_SUM and sum of squares YY. */
VG_SCALAR void
vg_perfusion_response_value (const VgPerfusionResponse *response, double yy, double y_sum,
                             double weight_sum, double *value)
{
  const double none = (double) NAN;
  double spread = yy - y_sum * y_sum / weight_sum;

  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    value[i] = none;
  value[VG_PERFUSION_FIT_FLOW] = response->flow * VG_PERFUSION_RATE;
  value[VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_FLOW] = response->flow_error * VG_PERFUSION_RATE;
  value[VG_PERFUSION_FIT_VOLUME_ERROR] = response->volume_error;
  value[VG_PERFUSION_FIT_TRANSIT_ERROR] = response->transit_error;
  value[VG_PERFUSION_FIT_PLASMA] = response->volume;
  value[VG_PERFUSION_FIT_TAU_A] = response->onset;
  value[VG_PERFUSION_FIT_TMAX] = response->time;
  value[VG_PERFUSION_FIT_LEVEL] = 100 * response->level;
  value[VG_PERFUSION_FIT_RESIDUAL] = sqrt (response->cost / weight_sum);
  value[VG_PERFUSION_FIT_R2] = spread > 0 ? 1 - response->cost / spread : none;
  value[VG_PERFUSION_FIT_STATUS] = response->flow > 0 ? VG_PERFUSION_FITTED : VG_PERFUSION_NO_CURVE;
  value[VG_PERFUSION_FIT_ITERATIONS] = 1;
  value[VG_PERFUSION_FIT_REMARKS] = response->last ? VG_PERFUSION_REMARK_TAU_A_HIGH : 0;
}

G_END_DECLS
