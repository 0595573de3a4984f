/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-params.h"
#include "kernels/flow/motion/flow-motion-formula.h"
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-frame.h"
#include "kernels/base/vg-metrics.h"
/* The shifts that were found, frame by frame, as curves, text and metrics.  Both engines use it. */
G_BEGIN_DECLS

/* The newest shifts that are kept. */
enum { VG_FLOW_MOTION_KEPT = 1 << 16 };

typedef struct
{
  gint64 frame;
  double time_s;
} VgFlowMotionStamp;

typedef struct
{
  VgFlowShift *shifts; /* VG_FLOW_MOTION_KEPT; frame k is at k mod that */
  VgFlowMotionStamp *stamps;
  guint64 count;
} VgFlowMotionLog;

/* Allocates the stamps; SHIFTS stay the caller's. */
void vg_flow_motion_log_init (VgFlowMotionLog *self, VgFlowShift *shifts);
void vg_flow_motion_log_clear (VgFlowMotionLog *self);
/* Adds FRAME and returns where its shift belongs. */
VgFlowShift *vg_flow_motion_log_add (VgFlowMotionLog *self, const VgFrame *frame);
/* Displacement along x and y, px, and with ROTATION the angle in degrees; SELF NULL: no points. */
VgCurves *vg_flow_motion_log_plot (const VgFlowMotionLog *self, gboolean rotation);
/* The same as comma-separated values; SELF NULL: the heading alone. */
char *vg_flow_motion_log_text (const VgFlowMotionLog *self);
void vg_flow_motion_log_metrics (const VgFlowMotionLog *self, VgMetrics *metrics);

G_END_DECLS
