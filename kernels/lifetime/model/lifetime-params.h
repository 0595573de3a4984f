/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/base/vg-table.h"
/* Settings of fluorescence lifetime: plain data, handed to the C loops and, by
 * value, to the CUDA kernels.  The table in lifetime-operation.c describes each. */
G_BEGIN_DECLS

typedef enum {
  VG_LIFETIME_CMM, /* centre of mass */
  VG_LIFETIME_IEM, /* integral extraction */
  VG_LIFETIME_RLD, /* rapid lifetime determination */
  VG_LIFETIME_PHASOR,
  VG_LIFETIME_PHASOR_BI,
  VG_LIFETIME_BCMM, /* bi-exponential centre of mass */
  VG_LIFETIME_MLE,  /* fits by least deviance: one, two, three, a stretched exponential */
  VG_LIFETIME_MLE_BI,
  VG_LIFETIME_MLE_TRI,
  VG_LIFETIME_MLE_STRETCHED,
  VG_LIFETIME_LSM, /* fits by least squares */
  VG_LIFETIME_LSM_BI,
  VG_LIFETIME_N_METHODS,
} VgLifetimeMethod;
typedef enum { VG_LIFETIME_IEM_EXACT, VG_LIFETIME_IEM_SIMPSON } VgLifetimeIemForm;
typedef enum { VG_LIFETIME_RLD_TWO, VG_LIFETIME_RLD_THREE } VgLifetimeRldGates;
typedef enum { VG_LIFETIME_BY_PHASE, VG_LIFETIME_BY_MODULATION } VgLifetimePhasorForm;
typedef enum {
  VG_LIFETIME_SHARE_NONE,
  VG_LIFETIME_SHARE_SEGMENT,
  VG_LIFETIME_SHARE_IMAGE
} VgLifetimeSharing;
typedef enum { VG_LIFETIME_WEIGHTS_COUNTS, VG_LIFETIME_WEIGHTS_MODEL } VgLifetimeWeights;
typedef enum {
  VG_LIFETIME_OFFSET_GIVEN,
  VG_LIFETIME_OFFSET_FITTED,
  VG_LIFETIME_OFFSET_BEFORE
} VgLifetimeOffset;
typedef enum { VG_LIFETIME_RANGE_AUTO, VG_LIFETIME_RANGE_MANUAL } VgLifetimeRange;
typedef enum {
  VG_LIFETIME_IRF_NONE,
  VG_LIFETIME_IRF_GAUSSIAN,
  VG_LIFETIME_IRF_EDGE,
  VG_LIFETIME_IRF_ESTIMATED,
  VG_LIFETIME_IRF_MEASURED
} VgLifetimeIrfKind;

typedef enum { VG_LIFETIME_SHIFT_BY_HAND, VG_LIFETIME_SHIFT_FITTED } VgLifetimeShift;
typedef enum {
  VG_LIFETIME_FILTER_NONE,
  VG_LIFETIME_FILTER_MEDIAN,
  VG_LIFETIME_FILTER_WAVELET
} VgLifetimeFilter;
typedef enum {
  VG_LIFETIME_GUIDE_NONE,
  VG_LIFETIME_GUIDE_MIXTURE,
  VG_LIFETIME_GUIDE_FRET
} VgLifetimeGuide;

/* In the order of the output table. */
enum {
  VG_LIFETIME_OUTPUT_LIFETIME,
  VG_LIFETIME_OUTPUT_INTENSITY,
  VG_LIFETIME_OUTPUT_LIFETIME_1,
  VG_LIFETIME_OUTPUT_LIFETIME_2,
  VG_LIFETIME_OUTPUT_FRACTION,
  VG_LIFETIME_OUTPUT_WEIGHTED,
  VG_LIFETIME_OUTPUT_AMPLITUDE,
  VG_LIFETIME_OUTPUT_ERROR,
  VG_LIFETIME_OUTPUT_PHASOR_G,
  VG_LIFETIME_OUTPUT_PHASOR_S,
  VG_LIFETIME_OUTPUT_DENSITY,
  VG_LIFETIME_OUTPUT_LIFETIME_3,
  VG_LIFETIME_OUTPUT_FRACTION_2,
  VG_LIFETIME_OUTPUT_OFFSET,
  VG_LIFETIME_OUTPUT_EXPONENT,
  VG_LIFETIME_OUTPUT_DEVIANCE,
  VG_LIFETIME_OUTPUT_ERROR_2,
  VG_LIFETIME_OUTPUT_FRACTION_ERROR,
  VG_LIFETIME_OUTPUT_ERROR_3,
  VG_LIFETIME_OUTPUT_FRACTION_2_ERROR,
  VG_LIFETIME_OUTPUT_TIME_CONSTANT,
  VG_LIFETIME_OUTPUT_CURSOR,
  VG_LIFETIME_N_OUTPUTS,
};

enum { VG_LIFETIME_MAX_CURSORS = 15, VG_LIFETIME_MAX_MEDIAN = 3, VG_LIFETIME_MAX_WAVELET = 5 };
#define VG_LIFETIME_BIN_WIDTH_NS 0.1f /* where nobody says it */
enum { VG_LIFETIME_MAX_BINNING = 10, VG_LIFETIME_MAX_HARMONIC = 8, VG_LIFETIME_MAX_BINS = 65536 };

/* An ellipse of the phasor plane: the point (g, s) lies within when
 * (dg along[0] + ds along[1])^2 + (dg across[0] + ds across[1])^2 <= 1. */
typedef struct
{
  float g, s, along[2], across[2];
} VgLifetimeCursor;

typedef struct
{
  int method;                 /* VgLifetimeMethod */
  gboolean window_correction; /* CMM, BCMM: for what comes after the window */
  int iem_form;               /* VgLifetimeIemForm */
  float iem_gate_ns;
  int rld_gates; /* VgLifetimeRldGates */
  float rld_gate_ns;
  int harmonic;    /* of the laser's repetition rate */
  int phasor_form; /* VgLifetimePhasorForm */
  /* the long lifetime is known; the bi-exponential phasor always takes it so */
  gboolean fix_long;
  float long_lifetime_ns;
  gboolean fix_short;
  float short_lifetime_ns;
  int sharing;                     /* VgLifetimeSharing: lifetimes of a fit */
  int weights;                     /* VgLifetimeWeights: least squares */
  int offset;                      /* VgLifetimeOffset: of a fit; given: the background */
  gboolean know_1, know_2, know_3; /* lifetimes of a fit that are not free */
  float known_1_ns, known_2_ns, known_3_ns;
  float bin_width_ns, period_ns;  /* period 0: the window */
  int range;                      /* VgLifetimeRange */
  float fit_start_ns, fit_end_ns; /* 0: found in the data; both 0: the whole window */
  int bin;                        /* pixels on each side that are added */
  float threshold;                /* photons of a binned pixel in the fit range */
  float background;               /* counts in a bin of a pixel */
  char *irf;                      /* the measured response: a file, or a region of the image */
  int irf_model;                  /* where none is measured: VgLifetimeIrfKind but the last */
  int irf_kind; /* no setting: what of the two is used (vg_lifetime_take_params) */
  float irf_fwhm_ns;
  int irf_shift_by;        /* VgLifetimeShift */
  float irf_shift_ns;      /* by hand */
  gboolean earlier_pulses; /* a fit behind a response counts what they left over */
  float irf_cut;           /* per cent of its peak: the measured response ends where it is below */
  float irf_lifetime_ns;   /* of the dye that was measured; 0: scattered light */
  int phasor_filter;       /* VgLifetimeFilter */
  int median_radius, median_passes;
  int wavelet_levels;
  float wavelet_threshold; /* standard deviations */
  int guide;               /* VgLifetimeGuide: drawn over the phasor plot, from here */
  float guide_1_ns, guide_2_ns;
  float donor_ns, fret_efficiency, fret_share, fret_background; /* per cent but the first */
  VgTable *cursors;                                             /* g, s, radii, degrees; to here */
  int n_cursors; /* no setting: of the table (vg_lifetime_take_params) */
  VgLifetimeCursor cursor[VG_LIFETIME_MAX_CURSORS];
  float sample_photon_rate; /* 1/s, of the synthetic data */
  float sample_window_s;    /* photons that old are dropped; 0: none */
} VgLifetimeParams;

G_END_DECLS
