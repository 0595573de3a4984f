/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-params.h"
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-metrics.h"
#include "kernels/core/vg-engine.h"
/* Metrics and curves, from host memory.  Both engines use them. */
G_BEGIN_DECLS

/* One frame on the host, row-major. */
typedef struct
{
  const VgFlowParams *params;
  const VgImageInfo *info;
  const void *frame;
  const float *dark; /* of the dark file, or NULL */
} VgFlowImage;

/* Sample I in DN, dark level subtracted; 0 if it is not finite. */
double vg_flow_image_value (const VgFlowImage *self, gsize i);

/* The percentage of the samples of FRAME, row-major on the host, that are negative. */
double vg_flow_negative_percent (const VgImageInfo *info, const void *frame);

/* Full width at half maximum, in pixels, of the autocorrelation in the middle of the frame; NaN
 * without contrast and for frames below 8 x 8 pixels. */
double vg_flow_speckle_size (const VgFlowImage *self);

/* Values of the operation's metrics; NaN: unknown. */
typedef struct
{
  const VgFlowParams *params;
  const VgImageInfo *info;
  double saturated_percent, negative_percent, speckle_size, mean_contrast;
  guint64 frames;
  VgBaseline baseline;
  double exposure_ms, baseline_ms; /* of the newest frame and of the baseline; 0: not known */
} VgFlowMetrics;

void vg_flow_add_metrics (VgMetrics *metrics, const VgFlowMetrics *figures);
/* Computes what is missing in FIGURES, then adds all.  SATURATED: number of samples in the frame;
 * CONTRAST: the map on the host, or NULL. */
void vg_flow_add_results (VgMetrics *metrics, const VgFlowImage *self, guint64 saturated,
                          VgFlowMetrics *figures, const float *contrast);

/* Contrast around (x, y) against the window's radius. */
VgCurves *vg_flow_sample_radius (const VgFlowImage *self, int x, int y);
/* The N samples of pixel (x, y) in the window's frames, oldest first. */
VgCurves *vg_flow_sample_time (const VgFlowImage *self, int x, int y, const double *values, int n);
/* Plot I: 0 is the histogram of contrast, 1 the contrast model with coherence factor BETA. */
VgCurves *vg_flow_plot (const VgFlowParams *params, guint i, float beta, const float *contrast,
                        gsize pixels);

G_END_DECLS
