/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-scalar.h"
/* Iterative fits of decays: one to three exponentials or a stretched one, with an offset and an
 * IRF, for each pixel alone or with lifetimes that pixels share.
 *
 * Model of the counts in bin j of the fit range (integrated over the bin):
 *   Y_j = sum_k P_k B_j(tau_k) + b
 * Without an IRF B_j = q^j (1 - q) / (1 - q^n), q = e^(-h/tau).  It sums to 1 over the n bins of
 * the range, whose first bin is the start of the decay.  With an IRF whose sum over the laser
 * period is 1, B = (1 - q) c, c_j = q c_(j-1) + irf_j, periodic. */
G_BEGIN_DECLS

typedef enum {
  VG_LIFETIME_DEVIANCE, /* least Poisson deviance */
  VG_LIFETIME_NEYMAN,   /* least sum (N - Y)^2 / max (N, 1): biased low, as in the literature */
  /* Weights 1 / Y, updated in each step: the estimate of maximum likelihood, with chi-squared
   * reported. */
  VG_LIFETIME_PEARSON,
} VgLifetimeEstimator;

/* The planes that a fit writes; NaN for missing values. */
typedef enum {
  VG_LIFETIME_FIT_LIFETIME_1, /* live: the first and the last frame in `gathered` */
  VG_LIFETIME_FIT_LIFETIME_2,
  VG_LIFETIME_FIT_LIFETIME_3,
  VG_LIFETIME_FIT_MEAN_AMPLITUDE, /* ns, sum f_k tau_k */
  VG_LIFETIME_FIT_MEAN_INTENSITY, /* ns, sum f_k tau_k^2 / sum f_k tau_k */
  /* counts per bin at the start of the decay, sum of the components */
  VG_LIFETIME_FIT_AMPLITUDE,
  VG_LIFETIME_FIT_FRACTION_1, /* amplitude fraction */
  VG_LIFETIME_FIT_FRACTION_2,
  VG_LIFETIME_FIT_OFFSET,   /* counts per bin */
  VG_LIFETIME_FIT_EXPONENT, /* of the stretched exponential */
  VG_LIFETIME_FIT_DEVIANCE, /* the minimum of the estimator */
  /* standard errors; of a stretched exponential, the first is NaN */
  VG_LIFETIME_FIT_ERROR_1,
  VG_LIFETIME_FIT_ERROR_2,
  VG_LIFETIME_FIT_ERROR_3,
  VG_LIFETIME_FIT_FRACTION_ERROR,
  VG_LIFETIME_FIT_FRACTION_2_ERROR,
  VG_LIFETIME_FIT_MEAN_AMPLITUDE_ERROR,
  VG_LIFETIME_FIT_MEAN_INTENSITY_ERROR,
  VG_LIFETIME_FIT_STATUS, /* VgLifetimeFitStatus */
  VG_LIFETIME_FIT_N_PLANES
} VgLifetimeFitPlane;

typedef enum {
  VG_LIFETIME_FIT_SKIPPED, /* masked, or no photons */
  VG_LIFETIME_FIT_OK,
  /* Converged, but one of several lifetimes is at a bound and is a missing value. */
  VG_LIFETIME_FIT_AT_LIMIT,
  VG_LIFETIME_FIT_FAILED, /* No minimum was found, or no decay (lifetime-fit-result.h). */
} VgLifetimeFitStatus;

enum { VG_LIFETIME_MAX_TERMS = 3, VG_LIFETIME_NODES = 3 };

/* The model and its initial values.  It is passed to CUDA kernels by value, with IRF and NODES in
 * device memory. */
typedef struct
{
  VgLifetimeEstimator estimator;
  int terms;            /* number of exponentials; 1 if stretched */
  gboolean stretched;   /* e^-(t/tau)^beta, without an IRF */
  gboolean free_offset; /* FALSE: it is OFFSET */
  float offset;         /* counts per bin of a single pixel */
  gboolean fixed[3];    /* Lifetime k is fixed at start_ns[k]. */
  int first, end;       /* bins of the fit, [first, end) */
  float bin_width_ns;
  const float *irf; /* PERIOD samples with a sum of 1, or NULL */
  /* bins of the laser period; first bin and end of the IRF's non-zero samples */
  int period, irf_first, irf_end;
  float start_ns[3];    /* in rising order */
  float start_share[3]; /* fraction of the photons */
  float start_offset;   /* fraction of the photons, per bin */
  float start_exponent;
  float min_ns, max_ns;
  /* Stretched: bins from the pulse, at time 0, to the start of the range. */
  float delay;
  /* Stretched: ln t and weight of VG_LIFETIME_NODES points in each bin. */
  const float *nodes;
  int max_passes;
} VgLifetimeFit;

/* Decays: bin j of pixel i is samples[j * bin_stride + i * pixel_stride]. */
typedef struct
{
  const void *samples;
  VgType type;
  gsize bin_stride, pixel_stride, pixels;
  const guint8 *mask; /* 0: skip the pixel; NULL: no mask */
  /* Factor of the fit's offset in each pixel, such as the number of binned pixels; NULL: 1. */
  const float *area;
} VgLifetimeCube;

/* The bins [first, end) before the pulse, whose mean gives a pixel's offset after a correction
 * for photons from previous pulses: their mean count is LEFT times the excess of the tail's bins
 * [tail, tail_end) over the offset.  All 0: the offset is not measured there. */
typedef struct
{
  int first, end, tail, tail_end;
  float left; /* below 1; 0: no correction, and the tail is not used */
} VgLifetimeBefore;

/* The offset B, which solves MEAN = B + LEFT (TAIL - B). */
VG_SCALAR double
vg_lifetime_offset_of (double mean, double tail, double left)
{
  double offset = (mean - left * tail) / (1.0 - left);

  return left > 0.0 && offset < 0.0 ? 0.0 : offset;
}

/* Each plane has one float per pixel; NULL: the plane is not wanted. */
typedef struct
{
  float *plane[VG_LIFETIME_FIT_N_PLANES];
} VgLifetimeFitMaps;

/* A whole image's fit in progress. */
typedef struct _VgLifetimeGlobal VgLifetimeGlobal;

/* Computes the members that follow from the others: the IRF, normalised to a sum of 1, in
 * IRF_BUFFER (PERIOD floats), its non-zero range, bounds that are 0, and the number of passes.
 * Errors (VG_OPERATION_ERROR): a range that is too short for the number of parameters, an IRF
 * without counts or longer than the period, a stretched exponential with an IRF, fixed lifetimes
 * out of range. */
gboolean vg_lifetime_fit_init (VgLifetimeFit *self, const float *irf, int irf_bins,
                               float *irf_buffer, GError **error);
/* Fills NODES, (end - first) * VG_LIFETIME_NODES * 2 floats, for a stretched exponential from
 * DELAY on. */
void vg_lifetime_fit_nodes (const VgLifetimeFit *self, float *nodes);
/* Sets the initial values of all pixels from DECAY (bins 0 to end - 1), the sum of PIXELS pixels,
 * by the best of many fits.  Returns the minimum of that fit's estimator for at most a million
 * photons. */
double vg_lifetime_fit_start (VgLifetimeFit *self, const double *decay, double pixels);
/* Fits each pixel alone.  THREADS 0: all cores. */
void vg_lifetime_fit_pixels (const VgLifetimeFit *self, const VgLifetimeCube *cube, int threads,
                             VgLifetimeFitMaps *maps);
/* Fits shared lifetimes by variable projection, in segments of at most 32 neighbours in a row of
 * WIDTH pixels. */
void vg_lifetime_global_segments (const VgLifetimeFit *self, const VgLifetimeCube *cube,
                                  gsize width, int threads, VgLifetimeFitMaps *maps);
/* Starts a whole image's fit, of which each step computes a few thousand pixels of a pass; NULL
 * if memory is short.  The cube, the maps and the fit are borrowed.  The step returns TRUE when
 * the fit has ended.  The result does not depend on THREADS. */
VgLifetimeGlobal *vg_lifetime_global_new (const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                                          const VgLifetimeFitMaps *maps);
/* Bytes that it allocates for a cube of PIXELS. */
gsize vg_lifetime_global_bytes (gsize pixels);
gboolean vg_lifetime_global_step (VgLifetimeGlobal *self, int threads);
/* 0 to 1, never decreasing; the number of passes is an estimate. */
double vg_lifetime_global_progress (const VgLifetimeGlobal *self);
void vg_lifetime_global_free (VgLifetimeGlobal *self);
/* The offset of a decay, or 0 if BEFORE is empty; the second function sets it for the pixels
 * [from, to) of the cube. */
double vg_lifetime_fit_offset (const double *decay, const VgLifetimeBefore *before);
void vg_lifetime_fit_offsets (const VgLifetimeCube *cube, gsize from, gsize to,
                              const VgLifetimeBefore *before, float *offsets);
/* The expected counts in bins [0, end) for a pixel's VG_LIFETIME_FIT_N_PLANES values; NaN if it
 * has no fit, and before the range if there is no IRF. */
void vg_lifetime_fit_curve (const VgLifetimeFit *self, const float *values, double *curve);

G_END_DECLS
