/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/plan/lifetime-irf.h"
#include "kernels/lifetime/plan/lifetime-settings.h"
#include "kernels/core/vg-operation.h"
/* Checks of the settings against each other, against the data and against memory. */
G_BEGIN_DECLS

gboolean vg_lifetime_validate (const void *params, GError **error);
/* A fit range becomes manual when its start or end is set. */
void vg_lifetime_follow (void *params, const gboolean *changed);
void vg_lifetime_adopt (void *params, const VgImageInfo *info);
/* A fit of binned pixels on the GPU bins a slice in so many parts. */
enum { VG_LIFETIME_DEVICE_TILES = 16 };
/* Bytes that an engine allocates for frames of INFO and their first maps, on the CPU (HOST) or on
 * the GPU (DEVICE). */
void vg_lifetime_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);

/* Checks that an engine can process such frames, for both backends. */
gboolean vg_lifetime_check_input (const VgContext *context, GError **error);
/* The count from which a sample is saturated; HUGE_VAL: never. */
double vg_lifetime_full_scale (const VgImageInfo *info);

/* Copies the settings for an engine, without pointers and with the kind of IRF that is used. */
VgLifetimeParams vg_lifetime_copy_params (const void *params);
/* Whether A and B differ in display settings of the phasor plot only. */
gboolean vg_lifetime_same_but_overlay (const VgLifetimeParams *a, const VgLifetimeParams *b);

/* The source of a measured IRF: the parameter's text, and a region if it names one. */
typedef struct
{
  char *text;
  gboolean is_region;
  VgRegion region;
} VgLifetimeSource;

/* Loads the source that the parameter of CONTEXT names.  MEASURED receives the curve of a file. */
gboolean vg_lifetime_source_load (VgLifetimeSource *self, VgLifetimeCurve *measured,
                                  const VgContext *context, GError **error);
gboolean vg_lifetime_source_same (const VgLifetimeSource *self, const VgLifetimeParams *params);
void vg_lifetime_source_clear (VgLifetimeSource *self);

G_END_DECLS
