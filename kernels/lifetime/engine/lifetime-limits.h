/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-irf.h"
#include "kernels/lifetime/plan/lifetime-settings.h"
#include "kernels/core/vg-operation.h"
/* What the settings ask of each other, of the data and of memory. */
G_BEGIN_DECLS

gboolean vg_lifetime_validate (const void *params, GError **error);
/* A range that a person has set is one set by hand. */
void vg_lifetime_follow (void *params, const gboolean *changed);
void vg_lifetime_adopt (void *params, const VgImageInfo *info);
void vg_lifetime_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);

/* Checks that an engine can take such frames; both backends. */
gboolean vg_lifetime_check_input (const VgContext *context, GError **error);
/* The count from which a sample is saturated; HUGE_VAL: none is. */
double vg_lifetime_full_scale (const VgImageInfo *info);

/* A copy for an engine: without pointers, and with the kind of response that is used. */
VgLifetimeParams vg_lifetime_take_params (const void *params);
/* Whether they differ in nothing but what is drawn over the phasor plot. */
gboolean vg_lifetime_same_but_marks (const VgLifetimeParams *a, const VgLifetimeParams *b);

/* Where a measured response comes from: the parameter's text, and what it is. */
typedef struct
{
  char *text;
  gboolean is_region;
  VgRegion region;
} VgLifetimeSource;

/* Takes the text of CONTEXT's parameter; a file's curve goes to MEASURED. */
gboolean vg_lifetime_source_load (VgLifetimeSource *self, VgLifetimeCurve *measured,
                                  const VgContext *context, GError **error);
gboolean vg_lifetime_source_same (const VgLifetimeSource *self, const VgLifetimeParams *params);
void vg_lifetime_source_clear (VgLifetimeSource *self);

G_END_DECLS
