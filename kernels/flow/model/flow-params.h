/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/tables/vg-table.h"
/* Settings of laser speckle flow.  The table in flow-operation.c describes each of them. */
G_BEGIN_DECLS

typedef enum { VG_FLOW_SPATIAL, VG_FLOW_TEMPORAL, VG_FLOW_SPATIO_TEMPORAL } VgFlowMethod;
typedef enum { VG_FLOW_EDGES_SHRINK, VG_FLOW_EDGES_ZERO } VgFlowEdges;
typedef enum {
  VG_FLOW_FERCHER_BRIERS,
  VG_FLOW_BANDYOPADHYAY,
  VG_FLOW_LORENTZIAN,
  VG_FLOW_GAUSSIAN
} VgFlowModel;
typedef enum { VG_FLOW_STATIC_NONE, VG_FLOW_STATIC_GLOBAL, VG_FLOW_STATIC_MEASURED } VgFlowStatic;
typedef enum {
  VG_FLOW_WINDOW_KEEP,
  VG_FLOW_WINDOW_CORRECT,
  VG_FLOW_WINDOW_INCLUDED
} VgFlowWindowBias;
typedef enum {
  VG_FLOW_MOTION_NONE,
  VG_FLOW_MOTION_TRANSLATION,
  VG_FLOW_MOTION_RIGID
} VgFlowMotionKind;
typedef enum { VG_FLOW_REFERENCE_FIRST, VG_FLOW_REFERENCE_MEAN } VgFlowReference;
typedef enum { VG_FLOW_NONFINITE_STOP, VG_FLOW_NONFINITE_MASK } VgFlowNonfinite;

/* Indices into the output table of flow-operation.c. */
enum {
  VG_FLOW_OUTPUT_CONTRAST,
  VG_FLOW_OUTPUT_FLOW_INDEX,
  VG_FLOW_OUTPUT_CORRELATION_TIME,
  VG_FLOW_OUTPUT_RELATIVE_FLOW,
  VG_FLOW_OUTPUT_STATIC_FRACTION,
  VG_FLOW_OUTPUT_INTENSITY,
  VG_FLOW_OUTPUT_MOTION,
  VG_FLOW_OUTPUT_PULSATILITY,
  VG_FLOW_OUTPUT_RESISTANCE,
  VG_FLOW_OUTPUT_BEAT,
  VG_FLOW_OUTPUT_FIT_TAU,
  VG_FLOW_OUTPUT_FIT_BETA,
  VG_FLOW_OUTPUT_FIT_RHO,
  VG_FLOW_OUTPUT_PERFUSION,
  VG_FLOW_N_OUTPUTS,
};

/* Indices into the table of plots. */
enum {
  VG_FLOW_PLOT_HISTOGRAM,
  VG_FLOW_PLOT_MODEL,
  VG_FLOW_PLOT_MOTION,
  VG_FLOW_PLOT_BEAT,
  VG_FLOW_PLOT_RATE
};

/* Maps in a baseline of one second if the frame interval is unknown; the largest setting. */
enum { VG_FLOW_BASELINE_MAPS = 25, VG_FLOW_MAX_BASELINE = 10000 };
enum { VG_FLOW_MAX_RADIUS = 15, VG_FLOW_MAX_FRAMES = 256, VG_FLOW_MAX_AVERAGE = 64 };

typedef struct
{
  int method;  /* VgFlowMethod */
  int radius;  /* window side is 2 * radius + 1 pixels */
  int frames;  /* temporal window */
  int average; /* maps averaged into one */
  int edges;   /* VgFlowEdges */
  float exposure_ms;
  int model;              /* VgFlowModel */
  float beta;             /* coherence factor: K^2 of a static target */
  int window_bias;        /* VgFlowWindowBias */
  int static_scattering;  /* VgFlowStatic */
  float dynamic_fraction; /* rho = I_fluctuating / I_total */
  float dark_level;       /* DN */
  char *dark_file;        /* image file, or NULL; used instead of dark_level */
  float gain_dn_per_e;    /* 0: no shot noise term */
  float read_noise_dn;
  gboolean quantisation;
  gboolean mask_saturated;
  double saturation_level; /* DN; 0: from the sample's bits */
  int nonfinite;           /* VgFlowNonfinite */
  int set_baseline;        /* how often the user set the baseline */
  int baseline_frames;     /* maps; 0: one second */
  int motion;              /* VgFlowMotionKind */
  int motion_reference;    /* VgFlowReference */
  gboolean pulse;
  float rate_min, rate_max; /* beats per minute */
  int beats;                /* over which the averaged beat extends */
  VgTable *exposures;       /* ms, a row each: the cycle of exposure times; NULL: there is one */
  int cycles;               /* over which K^2 of each exposure is averaged */
  gboolean calibrated;      /* relative perfusion between the next two */
  float zero_index, reference_index; /* flow indices, 1/s, of 0 and 100 % */
} VgFlowParams;

G_END_DECLS
