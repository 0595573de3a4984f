/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/engine/lifetime-state.h"
/* What a method needs beyond its name.  To add one that fits histograms:
 *  1. lifetime-params.h: its name in VgLifetimeMethod; settings of its own.
 *  2. lifetime-operation.c: its choice, its parameters, its outputs.
 *  3. here (lifetime-methods.c): an entry with fit_rows and finds.
 * The engine bins the sums first (for start values, thresholds, phasors) and
 * then calls fit_rows for some rows at a time, within the step's budget. */
G_BEGIN_DECLS

typedef struct
{
  /* Outputs that come from the fit's planes, bit i for output i; 0: all are
   * solved from the sums. */
  guint32 finds;
  /* Fits the pixels of rows Y0..Y1-1, counted through all slices, from their
   * histograms (vg_lifetime_histogram_row) and the plan (fit range, response,
   * background), and writes vg_lifetime_fit_plane (self, i) for each i of
   * `finds`; NaN where there is no fit.  Call with the sums binned:
   * vg_lifetime_status (vg_lifetime_state_sums (self), ...) says which pixels
   * to try.  Uses self->threads.  Returns the row to go on from: Y0 when what
   * rows share takes more calls, at most the end of the slice of Y0. */
  int (*fit_rows) (VgLifetimeState *self, int y0, int y1);
} VgLifetimeFitter;

/* lifetime-fit-rows.c: one, two, three exponentials, a stretched one. */
extern const VgLifetimeFitter vg_lifetime_fit_one, vg_lifetime_fit_two, vg_lifetime_fit_three,
    vg_lifetime_fit_stretched;

/* All OUTPUTS of pixel I that a fit found, the others NaN. */
void vg_lifetime_fit_values (const VgLifetimeState *self, gsize i, float *outputs);
/* Ends what shared lifetimes have in hand: before other settings or samples. */
void vg_lifetime_fit_stop (VgLifetimeState *self);
/* How far the slice at work is that shares its lifetimes, 0 to 1. */
double vg_lifetime_fit_progress (const VgLifetimeState *self);

/* The fitter of a method; NULL: the sums are enough. */
const VgLifetimeFitter *vg_lifetime_fitter (int method);

G_END_DECLS
