/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include "kernels/lifetime/engine/lifetime-checks.h"
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/lifetime/engine/lifetime-view.h"
#include "kernels/core/vg-operation.h"
#include "kernels/base/vg-simd.h"
/* The state of the CPU engine.  A frame is a cube, bin-major: sample (slice, bin, y, x).  A step
 * computes the decay of the image if the settings need it, the plan, the planes of sums by one
 * pass over the cube, the planes binned over pixels, and the lifetime map.  A change of settings
 * repeats only what it affects.  Other maps are computed on request, in the plane `extra`. */
G_BEGIN_DECLS

/* The next stage of a step. */
typedef enum {
  VG_LIFETIME_PLAN,
  VG_LIFETIME_PASS,
  VG_LIFETIME_BIN,
  VG_LIFETIME_FILTER,
  VG_LIFETIME_FIT,
  VG_LIFETIME_MAP,
  VG_LIFETIME_IDLE
} VgLifetimePhase;

typedef struct _VgLifetimeWhole VgLifetimeSliceFit;

typedef struct
{
  VgLifetimeParams params;
  VgImageInfo info;
  int width, height, slices, threads;
  gsize pixels, n;   /* pixels of a slice; of all slices */
  double full_scale; /* samples from this value on are saturated */

  VgFrame *current; /* referenced until the next frame arrives */
  gboolean have_map;
  gboolean have_decay;     /* for the current frame */
  double *decay;           /* photons of all pixels in each bin */
  VgLifetimeSource source; /* file or region of the measured IRF */
  VgLifetimeCurve measured;

  VgLifetimePlan plan;
  VgLifetimePhase phase;
  int next;                   /* next row of the pass, or plane of the binning */
  gboolean pass_due, bin_due; /* The sums belong to an older frame or to other weights. */
  float *sums;                /* VG_LIFETIME_N_SUMS planes of n pixels */
  float *binned;              /* the sums binned over pixels; NULL until binning is used */
  /* Filtered phasors and the filter's buffers; NULL until a filter is used. */
  float *filtered;
  int n_filtered; /* planes in it */
  float *lifetime, *extra, *density;
  float *fit; /* planes of a fit, or NULL */
  VgLifetimeFitting fitting;
  VgLifetimeSliceFit *whole;            /* global fit in progress, or NULL */
  guint64 status[VG_LIFETIME_N_STATUS]; /* number of pixels */
} VgLifetimeState;

/* The planes of sums from which pixels are computed. */
static inline const float *
vg_lifetime_state_sums (const VgLifetimeState *self)
{
  return self->params.bin > 0 ? self->binned : self->sums;
}

/* The plane in which a fit stores output I. */
static inline float *
vg_lifetime_fit_plane (const VgLifetimeState *self, int i)
{
  return self->fit + (gsize) i * self->n;
}

/* A method that fits decays takes the binned sums (for initial values, thresholds, phasors) and the
 * decays of the pixels.  To add one:
 *  1. lifetime-params.h: add its name to VgLifetimeMethod, and its own settings.
 *  2. lifetime-operation.c: add its choice, its parameters, its outputs.
 *  3. lifetime-settings.c: add its model to vg_lifetime_fit_model. */
static inline gboolean
vg_lifetime_state_fits (const VgLifetimeState *self)
{
  return vg_lifetime_fit_finds (self->params.method) != 0;
}

/* lifetime-fit-rows.c: fits the pixels of rows Y0..Y1-1, counted through all slices, and writes
 * vg_lifetime_fit_plane (self, i) for each output i that the method finds; NaN without a fit.  The
 * sums must be binned.  Returns the next row: Y0 if a global fit needs more calls, at most the end
 * of the slice of Y0. */
int vg_lifetime_fit_rows (VgLifetimeState *self, int y0, int y1);
/* Sets OUTPUTS to the fit's values of pixel I; the others become NaN. */
void vg_lifetime_fit_values (const VgLifetimeState *self, gsize i, float *outputs);
/* Cancels a global fit in progress, before settings or samples change. */
void vg_lifetime_fit_stop (VgLifetimeState *self);
/* The progress of the global fit of the current slice, 0 to 1. */
double vg_lifetime_fit_progress (const VgLifetimeState *self);
/* lifetime-sums.c: computes the sums of the rows Y0..Y1-1, counted through all slices. */
void vg_lifetime_pass_rows (VgLifetimeState *self, int y0, int y1);
/* Bins plane SUM of `sums` over pixels into `binned`. */
void vg_lifetime_bin_plane (VgLifetimeState *self, int sum);
/* lifetime-filter.c: filters the phasors of all pixels. */
void vg_lifetime_filter (VgLifetimeState *self);
/* Sums the photons of all pixels, or of those in REGION, in each bin. */
void vg_lifetime_decay (const VgLifetimeState *self, const VgRegion *region, double *decay);
/* The decay of pixel (x, y), binned with its neighbours as the settings say. */
void vg_lifetime_histogram (const VgLifetimeState *self, int slice, int x, int y, double *counts);
/* The binned decays of all pixels of a row, counted through all slices.  COUNTS is width x bins,
 * the bins of a pixel together. */
void vg_lifetime_histogram_row (const VgLifetimeState *self, int row, float *counts);

G_END_DECLS
