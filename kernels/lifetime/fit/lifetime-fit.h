/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-scalar.h"
/* Iterative fits of decay histograms: one to three exponentials or a stretched
 * one, with an offset, behind an instrument response, pixel by pixel or with
 * lifetimes that pixels share.
 *
 * Model of the counts in bin j of the fit range (bins are integrated over, so
 * amplitudes need no correction afterwards):
 *   Y_j = sum_k P_k B_j(tau_k) + b
 * without an IRF B_j = q^j (1 - q) / (1 - q^n), q = e^(-h/tau), which sums to 1
 * over the n bins of the range, whose first bin is where the decay starts; with
 * an IRF of unit sum over the laser period, B = (1 - q) c, c_j = q c_(j-1) + irf_j, periodic. */
G_BEGIN_DECLS

typedef enum {
  VG_LIFETIME_DEVIANCE, /* least Poisson deviance */
  VG_LIFETIME_NEYMAN,   /* least sum (N - Y)^2 / max (N, 1): biased low, as in the literature */
  /* weights 1 / Y renewed at every step: the estimate of MLE, its chi-square reported */
  VG_LIFETIME_PEARSON,
} VgLifetimeEstimator;

/* Planes that a fit writes; NaN where it found no value. */
typedef enum {
  VG_LIFETIME_FIT_LIFETIME_1, /* ns, the shortest; stretched: the time constant */
  VG_LIFETIME_FIT_LIFETIME_2,
  VG_LIFETIME_FIT_LIFETIME_3,
  VG_LIFETIME_FIT_MEAN_AMPLITUDE, /* ns, sum f_k tau_k */
  VG_LIFETIME_FIT_MEAN_INTENSITY, /* ns, sum f_k tau_k^2 / sum f_k tau_k */
  VG_LIFETIME_FIT_AMPLITUDE,      /* counts per bin at the start of the decay, all components */
  VG_LIFETIME_FIT_FRACTION_1,     /* share of the amplitude */
  VG_LIFETIME_FIT_FRACTION_2,
  VG_LIFETIME_FIT_OFFSET,   /* counts per bin */
  VG_LIFETIME_FIT_EXPONENT, /* of the stretched exponential */
  VG_LIFETIME_FIT_DEVIANCE, /* what the estimator makes least */
  VG_LIFETIME_FIT_ERROR_1,  /* standard errors, ns; stretched: of the mean by amplitude */
  VG_LIFETIME_FIT_ERROR_2,
  VG_LIFETIME_FIT_ERROR_3,
  VG_LIFETIME_FIT_FRACTION_ERROR,
  VG_LIFETIME_FIT_FRACTION_2_ERROR,
  VG_LIFETIME_FIT_STATUS, /* VgLifetimeFitStatus */
  VG_LIFETIME_FIT_N_PLANES
} VgLifetimeFitPlane;

typedef enum {
  VG_LIFETIME_FIT_SKIPPED, /* masked, or no photons */
  VG_LIFETIME_FIT_OK,
  /* converged, one of several lifetimes at its limit, which has no value */
  VG_LIFETIME_FIT_AT_LIMIT,
  VG_LIFETIME_FIT_FAILED, /* no minimum found, or no decay: lifetime-fit-result.h */
} VgLifetimeFitStatus;

enum { VG_LIFETIME_MAX_TERMS = 3, VG_LIFETIME_NODES = 3 };

/* What to fit and where to start.  Plain data: goes to CUDA kernels by value,
 * with IRF and NODES pointing to device memory there. */
typedef struct
{
  VgLifetimeEstimator estimator;
  int terms;            /* exponentials; with stretched: 1 */
  gboolean stretched;   /* e^-(t/tau)^beta; no IRF */
  gboolean free_offset; /* else it is OFFSET */
  float offset;         /* counts per bin of a single pixel */
  gboolean fixed[3];    /* lifetime k stays at start_ns[k] */
  int first, end;       /* bins of the fit, [first, end) */
  float bin_width_ns;
  const float *irf;               /* PERIOD samples of sum 1, or NULL */
  int period, irf_first, irf_end; /* bins of the laser period; where the IRF is not 0 */
  float start_ns[3];              /* in rising order */
  float start_share[3];           /* of the photons */
  float start_offset;             /* of the photons, per bin */
  float start_exponent;
  float min_ns, max_ns;
  /* stretched: bins from the pulse, where time is 0, to the range's start */
  float delay;
  /* stretched: ln t and weight of VG_LIFETIME_NODES points of each bin */
  const float *nodes;
  int max_passes;
} VgLifetimeFit;

/* Histograms: bin j of pixel i is samples[j * bin_stride + i * pixel_stride]. */
typedef struct
{
  const void *samples;
  VgType type;
  gsize bin_stride, pixel_stride, pixels;
  const guint8 *mask; /* pixels; 0: leave out; NULL: all */
  /* times the fit's offset: how many single pixels were added in each; NULL: 1 */
  const float *area;
} VgLifetimeCube;

/* Bins [first, end) before the pulse, whose mean is a pixel's offset, but for what earlier pulses
 * left over: LEFT counts for one by which the mean of the tail's bins [tail, tail_end) exceeds the
 * offset.  All 0: no offset is taken from there. */
typedef struct
{
  int first, end, tail, tail_end;
  float left; /* 0: nothing, and the tail is not looked at; below 1 */
} VgLifetimeBefore;

/* The offset B from the two means: MEAN = B + LEFT (TAIL - B). */
VG_SCALAR double
vg_lifetime_offset_of (double mean, double tail, double left)
{
  double offset = (mean - left * tail) / (1.0 - left);

  return left > 0.0 && offset < 0.0 ? 0.0 : offset;
}

/* PIXELS floats each; NULL: not wanted. */
typedef struct
{
  float *plane[VG_LIFETIME_FIT_N_PLANES];
} VgLifetimeFitMaps;

/* A fit of a whole image at work. */
typedef struct _VgLifetimeGlobal VgLifetimeGlobal;

/* Fills what follows from the rest: where the IRF is not 0 (after scaling it to
 * sum 1 into IRF_BUFFER, PERIOD floats), limits left 0, and passes.  Errors
 * (VG_OPERATION_ERROR): a range that is too short for the number of
 * parameters, an IRF without counts or longer than the period, a stretched
 * exponential with an IRF, fixed lifetimes out of range. */
gboolean vg_lifetime_fit_init (VgLifetimeFit *self, const float *irf, int irf_bins,
                               float *irf_buffer, GError **error);
/* For stretched, from DELAY on: (end - first) * VG_LIFETIME_NODES * 2 floats. */
void vg_lifetime_fit_nodes (const VgLifetimeFit *self, float *nodes);
/* Start values from DECAY (bins 0 to end - 1), the sum of that of PIXELS pixels:
 * the best of many fits of it.  Pixels start from this.  What that fit's estimator made
 * least, of a million photons where there are more. */
double vg_lifetime_fit_start (VgLifetimeFit *self, const double *decay, double pixels);
/* Pixel by pixel; THREADS 0: all cores. */
void vg_lifetime_fit_pixels (const VgLifetimeFit *self, const VgLifetimeCube *cube, int threads,
                             VgLifetimeFitMaps *maps);
/* Lifetimes that are shared, by variable projection: in segments of at most 32
 * neighbours of a row (the cube's pixels are rows of WIDTH), or in the whole
 * image; FALSE: no memory. */
void vg_lifetime_global_segments (const VgLifetimeFit *self, const VgLifetimeCube *cube,
                                  gsize width, int threads, VgLifetimeFitMaps *maps);
gboolean vg_lifetime_global_image (const VgLifetimeFit *self, const VgLifetimeCube *cube,
                                   int threads, VgLifetimeFitMaps *maps);
/* The whole image in steps, a few thousand pixels of a pass at each call; NULL: no
 * memory.  What the cube, the maps and the fit point to is borrowed.  TRUE: done.
 * The result does not depend on THREADS. */
VgLifetimeGlobal *vg_lifetime_global_new (const VgLifetimeFit *fit, const VgLifetimeCube *cube,
                                          const VgLifetimeFitMaps *maps);
gboolean vg_lifetime_global_step (VgLifetimeGlobal *self, int threads);
/* 0 to 1, never falling; how many passes it takes is a guess. */
double vg_lifetime_global_progress (const VgLifetimeGlobal *self);
void vg_lifetime_global_free (VgLifetimeGlobal *self);
/* The sum over the pixels of bins [0, bins). */
void vg_lifetime_fit_decay (const VgLifetimeCube *cube, int bins, int threads, double *decay);
/* The offset of a decay, 0 of none; and of each of the pixels [from, to) of the cube. */
double vg_lifetime_fit_offset (const double *decay, const VgLifetimeBefore *before);
void vg_lifetime_fit_offsets (const VgLifetimeCube *cube, gsize from, gsize to,
                              const VgLifetimeBefore *before, float *offsets);
/* Counts expected in bins [0, end) from the VG_LIFETIME_FIT_N_PLANES values of a
 * pixel; NaN where it has none, or before the range when there is no IRF. */
void vg_lifetime_fit_curve (const VgLifetimeFit *self, const float *values, double *curve);
/* How many parameters are free for a pixel. */
int vg_lifetime_fit_parameters (const VgLifetimeFit *self);

G_END_DECLS
