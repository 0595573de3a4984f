/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/engine/lifetime-state.h"
/* The interface of a method that fits decays.  To add such a method:
 *  1. lifetime-params.h: add its name to VgLifetimeMethod, and its own settings.
 *  2. lifetime-operation.c: add its choice, its parameters, its outputs.
 *  3. lifetime-methods.c: add an entry with fit_rows and finds.
 * The engine bins the sums first (for initial values, thresholds, phasors) and then calls
 * fit_rows for some rows at a time, within the step budget. */
G_BEGIN_DECLS

typedef struct
{
  /* Outputs that the fit's planes hold, bit i for output i; 0: all are computed from the sums. */
  guint32 finds;
  /* Fits the pixels of rows Y0..Y1-1, counted through all slices, from their decays
   * (vg_lifetime_histogram_row) and the plan, and writes vg_lifetime_fit_plane (self, i) for each
   * i of `finds`; NaN without a fit.  The sums must be binned: vg_lifetime_status
   * (vg_lifetime_state_sums (self), ...) selects the pixels.  Uses self->threads.  Returns the
   * next row: Y0 if a global fit needs more calls, at most the end of the slice of Y0. */
  int (*fit_rows) (VgLifetimeState *self, int y0, int y1);
} VgLifetimeFitter;

/* Fits of one, two and three exponentials and of a stretched one (lifetime-fit-rows.c). */
extern const VgLifetimeFitter vg_lifetime_fit_one, vg_lifetime_fit_two, vg_lifetime_fit_three,
    vg_lifetime_fit_stretched;

/* Sets OUTPUTS to the fit's values of pixel I; the others become NaN. */
void vg_lifetime_fit_values (const VgLifetimeState *self, gsize i, float *outputs);
/* Cancels a global fit in progress, before settings or samples change. */
void vg_lifetime_fit_stop (VgLifetimeState *self);
/* The progress of the global fit of the current slice, 0 to 1. */
double vg_lifetime_fit_progress (const VgLifetimeState *self);

/* The fitter of a method; NULL if the method needs the sums only. */
const VgLifetimeFitter *vg_lifetime_fitter (int method);

G_END_DECLS
