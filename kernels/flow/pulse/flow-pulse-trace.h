/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-params.h"
#include "kernels/flow/pulse/flow-pulse-formula.h"
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-metrics.h"
/* The flow of the whole image over time: its rate, the phase of each map in the beat, and what the
 * sums of all pixels have in common.  Both engines use it. */
G_BEGIN_DECLS

typedef struct _VgFlowTrace VgFlowTrace;

VgFlowTrace *vg_flow_trace_new (const VgFlowParams *params);
void vg_flow_trace_free (VgFlowTrace *self);
/* Forgets all maps. */
void vg_flow_trace_restart (VgFlowTrace *self);
/* Adopts the range of rates and the number of beats. */
void vg_flow_trace_set_params (VgFlowTrace *self, const VgFlowParams *params);

/* What the pixels do with a map. */
typedef struct
{
  gboolean adds;              /* FALSE: the rate is not known yet */
  gboolean clears;            /* the sums begin anew */
  float keeps;                /* factor of the sums so far */
  float basis[VG_FLOW_BASIS]; /* at the phase of the map */
} VgFlowBeatMap;

/* Adds the map at TIME_S, whose mean K^2 is MEAN. */
VgFlowBeatMap vg_flow_trace_add (VgFlowTrace *self, double time_s, double mean);
/* For vg_flow_beat_index(). */
void vg_flow_trace_fit (const VgFlowTrace *self, VgFlowBeatFit *fit);

/* Beats per minute; NaN: unknown. */
double vg_flow_trace_rate (const VgFlowTrace *self);
/* SELF may be NULL: then the curves have no points, and the text is the heading. */
VgCurves *vg_flow_trace_plot_beat (const VgFlowTrace *self);
VgCurves *vg_flow_trace_plot_rate (const VgFlowTrace *self);
char *vg_flow_trace_text (const VgFlowTrace *self);
void vg_flow_trace_metrics (const VgFlowTrace *self, VgMetrics *metrics);

G_END_DECLS
