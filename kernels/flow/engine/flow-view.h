/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-params.h"
#include "kernels/base/vg-curves.h"
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-metrics.h"
/* Figures and curves beside the maps, from host memory; both backends. */
G_BEGIN_DECLS

/* One frame on the host, row-major. */
typedef struct
{
  const VgFlowParams *params;
  const VgImageInfo *info;
  const void *frame;
  const float *dark; /* of the dark file, or NULL */
} VgFlowPicture;

/* Sample I less the dark level. */
double vg_flow_picture_value (const VgFlowPicture *self, gsize i);

/* Full width at half maximum of the autocorrelation of the middle of the
 * frame, in pixels; NaN when there is no contrast or no room. */
double vg_flow_speckle_size (const VgFlowPicture *self);

/* What the operation's numbers are made of; NaN: not known. */
typedef struct
{
  const VgFlowParams *params;
  const VgImageInfo *info;
  double saturated_percent, speckle_size, mean_contrast;
  guint64 frames;
  int baseline_maps; /* that the baseline is the mean of by now */
} VgFlowFigures;

void vg_flow_add_numbers (VgMetrics *metrics, const VgFlowFigures *figures);
/* The same from memory.  SATURATED: samples of the frame; CONTRAST: the map
 * on the host, or NULL. */
void vg_flow_add_results (VgMetrics *metrics, const VgFlowPicture *self, guint64 saturated,
                          guint64 frames, int baseline_maps, const float *contrast);

/* Contrast about (x, y) against the radius of the window. */
VgCurves *vg_flow_sample_radius (const VgFlowPicture *self, int x, int y);
/* The N samples of pixel (x, y) over the window of time, oldest first. */
VgCurves *vg_flow_sample_time (const VgFlowPicture *self, int x, int y, const double *values,
                               int n);
/* Plot I of the operation: 0 the distribution of contrast, 1 the model with coherence factor BETA.
 */
VgCurves *vg_flow_plot (const VgFlowParams *params, guint i, float beta, const float *contrast,
                        gsize pixels);

G_END_DECLS
