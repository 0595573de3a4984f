/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-fit-settings.h"
#include "kernels/lifetime/engine/lifetime-limits.h"
#include "kernels/lifetime/plan/lifetime-plan.h"
#include "kernels/lifetime/engine/lifetime-view.h"
#include "kernels/core/vg-operation.h"
#include "kernels/base/vg-simd.h"
/* State of the CPU engine.  A frame is a cube, bin-major: sample (slice, bin,
 * y, x).  In a step: the decay of the image where the settings look at it, the
 * plan, one pass over the cube that gives all planes of sums, the planes
 * binned over pixels, the map of lifetimes.  What a change of settings leaves
 * valid is kept.  Other maps are made when asked for, in the one plane `extra`. */
G_BEGIN_DECLS

/* What comes next in a step. */
typedef enum {
  VG_LIFETIME_PLAN,
  VG_LIFETIME_PASS,
  VG_LIFETIME_BIN,
  VG_LIFETIME_FILTER,
  VG_LIFETIME_FIT,
  VG_LIFETIME_MAP,
  VG_LIFETIME_IDLE
} VgLifetimePhase;

typedef struct _VgLifetimeWhole VgLifetimeWhole;

typedef struct
{
  VgLifetimeParams params;
  VgImageInfo info;
  int width, height, slices, threads;
  gsize pixels, n;   /* of a slice; of all */
  double full_scale; /* samples from here on are saturated */

  VgFrame *current; /* zero-copy: given back when the next one comes */
  gboolean have_map;
  gboolean have_decay;     /* of the current frame */
  double *decay;           /* photons of all pixels by bin */
  VgLifetimeSource source; /* the measured response's file or region */
  VgLifetimeCurve measured;

  VgLifetimePlan plan;
  VgLifetimePhase phase;
  int next;                   /* row of the pass, plane of the binning */
  gboolean pass_due, bin_due; /* sums are of an older frame or other weights */
  float *sums;                /* VG_LIFETIME_N_SUMS planes of n */
  float *binned;              /* the same over pixels; NULL until binning is asked for */
  /* phasors by a filter, and what it works in; NULL until one is asked for */
  float *filtered;
  int n_filtered; /* planes of it */
  float *lifetime, *extra, *density;
  float *fit; /* planes of a method that fits, else NULL */
  VgLifetimeFitting fitting;
  VgLifetimeWhole *whole;               /* a slice at work that shares its lifetimes; else NULL */
  guint64 status[VG_LIFETIME_N_STATUS]; /* pixels */
} VgLifetimeState;

/* The planes that pixels are solved from. */
static inline const float *
vg_lifetime_state_sums (const VgLifetimeState *self)
{
  return self->params.bin > 0 ? self->binned : self->sums;
}

/* Where a fit puts output I. */
static inline float *
vg_lifetime_fit_plane (const VgLifetimeState *self, int i)
{
  return self->fit + (gsize) i * self->n;
}

/* lifetime-sums.c: all sums of the rows Y0..Y1-1, counted through all slices. */
void vg_lifetime_pass_rows (VgLifetimeState *self, int y0, int y1);
/* Plane SUM of `sums` binned over pixels into `binned`. */
void vg_lifetime_bin_plane (VgLifetimeState *self, int sum);
/* lifetime-filter.c: the phasors of all pixels by the filter that the settings choose, for the
 * plan's finish. */
void vg_lifetime_filter (VgLifetimeState *self);
/* Photons by bin of all pixels, or of those in REGION. */
void vg_lifetime_decay (const VgLifetimeState *self, const VgRegion *region, double *decay);
/* The histogram of pixel (x, y) with its neighbours, as the settings bin it. */
void vg_lifetime_histogram (const VgLifetimeState *self, int slice, int x, int y, double *counts);
/* The same of all pixels of a row (counted through all slices): COUNTS is width x
 * bins, the bins of a pixel together. */
void vg_lifetime_histogram_row (const VgLifetimeState *self, int row, float *counts);

G_END_DECLS
