/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/tables/vg-table.h"
/* The parameters of the operation, as plain data that CUDA kernels receive by value.  The table
 * in lifetime-operation.c describes each. */
G_BEGIN_DECLS

typedef enum {
  VG_LIFETIME_CMM, /* centre of mass */
  VG_LIFETIME_IEM, /* integral extraction */
  VG_LIFETIME_RLD, /* rapid lifetime determination */
  VG_LIFETIME_PHASOR,
  VG_LIFETIME_PHASOR_TWO,
  VG_LIFETIME_BCMM, /* bi-exponential centre of mass */
  /* maximum likelihood (least Poisson deviance): one, two, three exponentials, a stretched one */
  VG_LIFETIME_MLE,
  VG_LIFETIME_MLE_TWO,
  VG_LIFETIME_MLE_THREE,
  VG_LIFETIME_MLE_STRETCHED,
  VG_LIFETIME_LSM, /* fits by least squares */
  VG_LIFETIME_LSM_TWO,
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
  VG_LIFETIME_OUTPUT_ERROR_1,
  VG_LIFETIME_OUTPUT_WEIGHTED_ERROR,
  VG_LIFETIME_OUTPUT_PHOTONS_FITTED,
  VG_LIFETIME_OUTPUT_TIME_CONSTANT,
  VG_LIFETIME_OUTPUT_CURSOR,
  VG_LIFETIME_N_OUTPUTS,
};

enum { VG_LIFETIME_MAX_CURSORS = 15, VG_LIFETIME_MAX_MEDIAN = 3, VG_LIFETIME_MAX_WAVELET = 5 };
#define VG_LIFETIME_BIN_WIDTH_NS 0.1f /* if neither metadata nor settings give it */
/* the smallest; a smaller one is not known */
#define VG_LIFETIME_MIN_BIN_WIDTH_NS 1e-6f
enum { VG_LIFETIME_MAX_BINNING = 10, VG_LIFETIME_MAX_HARMONIC = 8, VG_LIFETIME_MAX_BINS = 65536 };

/* An ellipse in the phasor plot.  The point (g, s) lies within if (dg along[0] + ds along[1])^2 +
 * (dg across[0] + ds across[1])^2 <= 1. */
typedef struct
{
  float g, s, along[2], across[2];
} VgLifetimeCursor;

typedef struct
{
  int method;                 /* VgLifetimeMethod */
  gboolean window_correction; /* CMM, BCMM: corrects for the truncation */
  int iem_form;               /* VgLifetimeIemForm */
  float iem_gate_ns;
  int rld_gates; /* VgLifetimeRldGates */
  float rld_gate_ns;
  int harmonic;    /* of the laser's repetition rate */
  int phasor_form; /* VgLifetimePhasorForm */
  /* The long lifetime is known; the bi-exponential phasor method always assumes so. */
  gboolean fix_long;
  float long_lifetime_ns;
  gboolean fix_short;
  float short_lifetime_ns;
  int sharing;                     /* VgLifetimeSharing: lifetimes that pixels share in a fit */
  int weights;                     /* VgLifetimeWeights: least squares */
  int offset;                      /* VgLifetimeOffset of a fit; GIVEN: the background */
  gboolean know_1, know_2, know_3; /* fixed lifetimes of a fit */
  float known_1_ns, known_2_ns, known_3_ns;
  float bin_width_ns, period_ns;  /* a period of 0: the time window */
  int range;                      /* VgLifetimeRange */
  float fit_start_ns, fit_end_ns; /* 0: estimated from the data; both 0: the whole window */
  int bin;                        /* pixels on each side that are binned */
  float threshold;                /* minimum photons of a binned pixel in the fit range */
  float background;               /* counts per bin and pixel */
  char *irf;                      /* the measured IRF: a file, or a region of the image */
  /* VgLifetimeIrfKind without a measured IRF, so not the last one */
  int irf_model;
  int irf_kind; /* not a parameter: the kind in use, set by vg_lifetime_copy_params */
  float irf_fwhm_ns;
  int irf_shift_by;        /* VgLifetimeShift */
  float irf_shift_ns;      /* set by the user */
  gboolean earlier_pulses; /* A fit with an IRF includes photons from previous pulses. */
  float irf_cut;           /* % of its peak: the measured IRF ends where it is lower */
  float irf_lifetime_ns;   /* of the reference dye; 0: scattered light */
  int phasor_filter;       /* VgLifetimeFilter */
  int median_radius, median_passes;
  int wavelet_levels;
  float wavelet_threshold; /* standard deviations */
  /* From `guide` to `cursor` the parameters change only the phasor plot and the labels of its
   * cursors. */
  int guide; /* VgLifetimeGuide */
  float guide_1_ns, guide_2_ns;
  float donor_ns, fret_efficiency, fret_share, fret_background; /* the last three in % */
  /* G, S, radii, degrees */
  VgTable *cursors;
  int n_cursors; /* not a parameter: rows of `cursors`, set by vg_lifetime_copy_params */
  VgLifetimeCursor cursor[VG_LIFETIME_MAX_CURSORS];
  float sample_photon_rate; /* photons per second of the synthetic data */
  float sample_window_s;    /* Older photons are dropped; 0: none. */
} VgLifetimeParams;

G_END_DECLS
