/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* Parameters and outputs of the perfusion operation. */
G_BEGIN_DECLS

/* Colours of artery and vein as in anatomy. */
#define VG_PERFUSION_ARTERY_RGB 0xe0483eu
#define VG_PERFUSION_PORTAL_RGB 0x4a90e2u

typedef enum {
  VG_PERFUSION_SIGNAL_LINEAR,        /* MRI, enhancement proportional to concentration */
  VG_PERFUSION_SIGNAL_GRADIENT_ECHO, /* MRI, spoiled gradient echo */
  VG_PERFUSION_SIGNAL_SATURATION,    /* MRI, each image after a saturation pulse */
  VG_PERFUSION_SIGNAL_CT,            /* CT, as iodine */
  VG_PERFUSION_SIGNAL_HU,            /* CT, as enhancement */
  VG_PERFUSION_SIGNAL_CONCENTRATION,
} VgPerfusionSignalKind;

/* Why the signal is linear. */
typedef enum {
  VG_PERFUSION_SIGNAL_DEFAULT, /* there are no data yet */
  VG_PERFUSION_SIGNAL_CHOSEN,  /* by the user, or known of synthetic data */
  VG_PERFUSION_SIGNAL_ASSUMED, /* the data do not state what their signal is */
} VgPerfusionSignalOrigin;

typedef enum {
  VG_PERFUSION_B1_PERCENT,
  VG_PERFUSION_B1_FRACTION,
} VgPerfusionB1Unit;

typedef enum {
  VG_PERFUSION_ARRIVAL_GIVEN,
  VG_PERFUSION_ARRIVAL_TISSUE, /* fitted to the mean curve of the fitted voxels */
  VG_PERFUSION_ARRIVAL_ARTERY, /* fitted to the artery, whose curve is not used otherwise */
} VgPerfusionArrivalSource;

typedef enum {
  VG_PERFUSION_SOLVER_DEFAULT, /* dictionary, variable projection */
  VG_PERFUSION_SOLVER_PAPER,   /* Nelder and Mead on the rectangle convolution */
} VgPerfusionSolver;

typedef enum {
  VG_PERFUSION_TIKHONOV,
  VG_PERFUSION_TRUNCATED_SVD,
} VgPerfusionRegularisation; /* of deconvolution */

typedef enum {
  VG_PERFUSION_CONVOLUTION_BLOCK,     /* the paper's Block-FFT */
  VG_PERFUSION_CONVOLUTION_FFT,       /* zero-padded FFT of all frequencies; cuFFT on the GPU */
  VG_PERFUSION_CONVOLUTION_RECURSION, /* the same sum without a transform */
  VG_PERFUSION_CONVOLUTION_TRAPEZOID, /* the trapezoidal rule of MADYM, without a transform */
} VgPerfusionConvolution;

typedef enum {
  VG_PERFUSION_UNIT_PER_100G, /* ml/100g/min, with the density of the tissue */
  VG_PERFUSION_UNIT_PER_ML,   /* ml/ml/min */
  VG_PERFUSION_UNIT_PER_S,    /* 1/s */
} VgPerfusionUnit;

enum { VG_PERFUSION_MAX_FRAMES = 2048 };

/* The unit of concentration, of iodine or gadolinium, or of enhancement in its place; "" if the
 * unit of the samples is unknown. */
static inline const char *
vg_perfusion_concentration_unit (int signal)
{
  return signal == VG_PERFUSION_SIGNAL_CT              ? "mg/ml"
         : signal == VG_PERFUSION_SIGNAL_HU            ? "HU"
         : signal == VG_PERFUSION_SIGNAL_CONCENTRATION ? ""
                                                       : "mM";
}

typedef struct
{
  int model, inputs, delays, regularisation;
  float singular_percent, artery_percent, significance;
  char *artery, *portal, *input_tables, *mask;
  int population, arrival;
  float arrival_s, dose, haematocrit, threshold;
  int signal;
  int signal_origin; /* VgPerfusionSignalOrigin; no parameter */
  float relaxivity, t1_ms, t1_blood_ms, repetition_ms, flip_deg, saturation_ms, echo_ms;
  float hu_per_mg_ml;
  char *t1_file, *t1_series, *b1_file;
  int t1_method, b1_unit;
  VgTable *flip_angles, *t1_times;
  int baseline_first, baseline_last;
  float frame_interval_s;
  char *times_file;
  VgTable *frame_weights;
  int motion;
  float motion_spacing_mm;
  int solver, convolution, starts, iterations;
  float tolerance, kl_max, delay_min_s, delay_max_s;
  int rate_unit;
  float density;
} VgPerfusionParams;

enum {
  VG_PERFUSION_OUTPUT_KA,
  VG_PERFUSION_OUTPUT_KP,
  VG_PERFUSION_OUTPUT_KL,
  VG_PERFUSION_OUTPUT_TAU_A,
  VG_PERFUSION_OUTPUT_TAU_P,
  VG_PERFUSION_OUTPUT_TOTAL_INFLOW,
  VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION,
  VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME,
  VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME,
  VG_PERFUSION_OUTPUT_TMAX,
  VG_PERFUSION_OUTPUT_LEVEL,
  VG_PERFUSION_OUTPUT_KTRANS,
  VG_PERFUSION_OUTPUT_PLASMA_FLOW,
  VG_PERFUSION_OUTPUT_PERMEABILITY,
  VG_PERFUSION_OUTPUT_VP,
  VG_PERFUSION_OUTPUT_VE,
  VG_PERFUSION_OUTPUT_RESIDUAL,
  VG_PERFUSION_OUTPUT_R2,
  VG_PERFUSION_OUTPUT_INITIAL_AREA,
  VG_PERFUSION_OUTPUT_PEAK,
  VG_PERFUSION_OUTPUT_TIME_TO_PEAK,
  VG_PERFUSION_OUTPUT_WASH_IN,
  VG_PERFUSION_OUTPUT_WASHOUT,
  VG_PERFUSION_OUTPUT_KA_ERROR,
  VG_PERFUSION_OUTPUT_KP_ERROR,
  VG_PERFUSION_OUTPUT_KL_ERROR,
  VG_PERFUSION_OUTPUT_TAU_A_ERROR,
  VG_PERFUSION_OUTPUT_TAU_P_ERROR,
  VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR,
  VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION_ERROR,
  VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME_ERROR,
  VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME_ERROR,
  VG_PERFUSION_OUTPUT_KTRANS_ERROR,
  VG_PERFUSION_OUTPUT_PLASMA_FLOW_ERROR,
  VG_PERFUSION_OUTPUT_PERMEABILITY_ERROR,
  VG_PERFUSION_OUTPUT_VP_ERROR,
  VG_PERFUSION_OUTPUT_VE_ERROR,
  VG_PERFUSION_OUTPUT_STATUS,
  VG_PERFUSION_OUTPUT_MODEL,
  VG_PERFUSION_OUTPUT_WEIGHT,
  VG_PERFUSION_OUTPUT_CHANCE,
  VG_PERFUSION_OUTPUT_BOUND,
  VG_PERFUSION_OUTPUT_UNDETERMINED,
  VG_PERFUSION_OUTPUT_SIGNAL,
  VG_PERFUSION_OUTPUT_T1, /* host planes of the study, from here on */
  VG_PERFUSION_OUTPUT_T1_ERROR,
  VG_PERFUSION_OUTPUT_MOTION_BEFORE,
  VG_PERFUSION_OUTPUT_MOTION_AFTER,
  VG_PERFUSION_OUTPUT_JACOBIAN_MIN,
  VG_PERFUSION_OUTPUT_JACOBIAN_MAX,
  VG_PERFUSION_OUTPUT_INPUTS, /* text */
  VG_PERFUSION_OUTPUT_MOTION, /* text */
  VG_PERFUSION_N_OUTPUTS,
};

G_END_DECLS
