/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/perfusion/model/perfusion-descent.h"
/* What all voxels share: frame times, input functions, weights of the frames, and the model. */
G_BEGIN_DECLS

typedef enum {
  VG_PERFUSION_COMPARTMENT, /* ka, kp, kl: one compartment; with a single input: Tofts */
  VG_PERFUSION_EXTENDED_TOFTS,
  VG_PERFUSION_PATLAK,
  VG_PERFUSION_UPTAKE,        /* two-compartment uptake */
  VG_PERFUSION_EXCHANGE,      /* two-compartment exchange */
  VG_PERFUSION_DECONVOLUTION, /* none: the impulse response */
  VG_PERFUSION_BEST,          /* in each voxel the preferred of the models before deconvolution */
} VgPerfusionModel;

typedef struct
{
  VgPerfusionModel model;
  gboolean dual;           /* two inputs; FALSE: the artery alone */
  int n;                   /* frames */
  double *times_s;         /* increasing; exact multiples of step_s if `even` */
  gboolean even;           /* Frame times are even within 1e-3 of a step or 1 ms. */
  double step_s;           /* mean frame interval */
  double *artery, *portal; /* n values, in the unit of concentration */
  double *weights;         /* n values; 0: the frame is excluded */
  int used;                /* number of frames with a weight */
  double weight_sum;
  VgPerfusionBounds bounds;
  /* artery[-pad] .. artery[n + pad - 1] exist: zeros before, the last value after. */
  int pad;
  double *memory;
} VgPerfusionProblem;

/* Copies ARTERY, PORTAL (NULL: single input) and WEIGHTS (NULL: all 1).  In frames without weight
 * the inputs are interpolated. */
VgPerfusionProblem *vg_perfusion_problem_new (VgPerfusionModel model, int n, const double *times_s,
                                              const double *artery, const double *portal,
                                              const double *weights,
                                              const VgPerfusionBounds *bounds);
void vg_perfusion_problem_free (VgPerfusionProblem *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgPerfusionProblem, vg_perfusion_problem_free)

/* Interpolates the values of frames without weight linearly, in place. */
void vg_perfusion_interpolate (int n, const double *times_s, const double *weights, double *curve);

/* The default bounds: 0.6 to 3000 ml/100 g/min, 0 to 10 s. */
VgPerfusionBounds vg_perfusion_bounds_default (void);

/* Computes the curve of INPUT (artery or portal of SELF) at all frames, in double precision; BY_K
 * and BY_DELAY receive its derivatives and may be NULL. */
void vg_perfusion_curve (const VgPerfusionProblem *self, const double *input, VgPerfusionKind kind,
                         double k, double delay, double *value, double *by_k, double *by_delay);

G_END_DECLS
