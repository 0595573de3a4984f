/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-dictionary.h"
/* The default solver on the CPU: initial values from the dictionary, then variable projection
 * with Levenberg and Marquardt's method.  It works on batches of voxels, one in each lane of the
 * vector unit.  A voxel's result does not depend on the others in its batch. */
G_BEGIN_DECLS

enum { VG_PERFUSION_LANES = 16 };

/* The values of a fit, by model (docs/perfusion.md); rates in ml/100 g/min. */
enum {
  VG_PERFUSION_FIT_PARAMETERS = 7,
  /* one compartment */
  VG_PERFUSION_FIT_KA = 0,
  VG_PERFUSION_FIT_KP,
  VG_PERFUSION_FIT_KL,
  VG_PERFUSION_FIT_TAU_A,
  VG_PERFUSION_FIT_TAU_P,
  /* The other models: flow or Ktrans, exchange, volumes, and the arterial fraction. */
  VG_PERFUSION_FIT_FLOW = 0,
  VG_PERFUSION_FIT_EXCHANGE = 1,
  VG_PERFUSION_FIT_PLASMA = 2,
  VG_PERFUSION_FIT_INTERSTITIUM = 5,
  VG_PERFUSION_FIT_FRACTION = 6,
  /* Deconvolution: flow, volume and onset in the slots of flow, plasma and arterial delay. */
  VG_PERFUSION_FIT_TMAX = 4,
  VG_PERFUSION_FIT_LEVEL = 6,
  /* The standard errors, in the same order. */
  VG_PERFUSION_FIT_ERRORS = VG_PERFUSION_FIT_PARAMETERS,
  /* One compartment and deconvolution: errors of derived values, in places that they leave. */
  VG_PERFUSION_FIT_VOLUME_ERROR = VG_PERFUSION_FIT_INTERSTITIUM,
  VG_PERFUSION_FIT_INFLOW_ERROR = VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_INTERSTITIUM,
  VG_PERFUSION_FIT_TRANSIT_ERROR = VG_PERFUSION_FIT_INFLOW_ERROR, /* deconvolution */
  VG_PERFUSION_FIT_FRACTION_ERROR = VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_FRACTION,
  VG_PERFUSION_FIT_RESIDUAL = 2 * VG_PERFUSION_FIT_PARAMETERS, /* root mean square */
  VG_PERFUSION_FIT_R2,
  /* The preferred model, its Akaike weight and its F test, if a model was chosen. */
  VG_PERFUSION_FIT_MODEL,
  VG_PERFUSION_FIT_WEIGHT,
  VG_PERFUSION_FIT_CHANCE,
  VG_PERFUSION_FIT_STATUS,
  VG_PERFUSION_FIT_ITERATIONS,
  VG_PERFUSION_FIT_REMARKS, /* bits, VG_PERFUSION_REMARK_* */
  VG_PERFUSION_FIT_VALUES,
};

typedef enum {
  VG_PERFUSION_OUTSIDE, /* outside the mask, or below the threshold */
  VG_PERFUSION_FITTED,
  /* Fitted, with a rate or the arterial fraction at its bound, or with an amount of 0. */
  VG_PERFUSION_AT_BOUND,
  VG_PERFUSION_NOT_CONVERGED, /* the best point so far */
  VG_PERFUSION_NO_CURVE,      /* constant, or without any part of the inputs */
  VG_PERFUSION_INVALID,       /* a sample is not finite */
  /* The paper's solver, which has no bounds, ended at a negative rate or at a delay as long as
   * the series. */
  VG_PERFUSION_IMPOSSIBLE,
  /* On the map of status alone: fitted, but the data do not determine a parameter. */
  VG_PERFUSION_NOT_DETERMINED,
  VG_PERFUSION_N_STATUSES,
} VgPerfusionStatus;

/* Counts of voxels: of each status, and of those whose exchange is not determined. */
enum { VG_PERFUSION_COUNT_UNKNOWN = VG_PERFUSION_N_STATUSES, VG_PERFUSION_N_COUNTS };

typedef struct
{
  int iterations;   /* largest number, from each initial value */
  double tolerance; /* stop if the predicted decrease is below this fraction of the cost */
  int starts;       /* 1 or 2 initial values: the best atoms with different rates */
} VgPerfusionFitOptions;

VgPerfusionFitOptions vg_perfusion_fit_options_default (void);

/* The doubles of scratch that a batch needs. */
gsize vg_perfusion_fit_scratch (const VgPerfusionProblem *problem);

/* Fits the curves CURVES (n frames of LANES) of the first COUNT lanes.  VALUES receives
 * FIT_VALUES rows of LANES.  Curves must be finite. */
void vg_perfusion_fit_batch (const VgPerfusionProblem *problem,
                             const VgPerfusionDictionary *dictionary,
                             const VgPerfusionFitOptions *options, const double *curves, int count,
                             double *scratch, double *values);

G_END_DECLS
