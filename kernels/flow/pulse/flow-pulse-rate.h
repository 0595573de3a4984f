/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Rate and phase of a rhythm in samples over time. */
G_BEGIN_DECLS

/* Points that are kept. */
enum { VG_FLOW_TRACE_MOST = 1024 };

typedef struct
{
  double time_s, value;
} VgFlowTracePoint;

/* Subtracts the line that fits the N points best. */
void vg_flow_rate_detrend (VgFlowTracePoint *points, int n);
/* The frequency, in RANGE (Hz), of the strongest rhythm; 0: none stands out, or there are fewer
 * than three periods. */
double vg_flow_rate_search (const VgFlowTracePoint *points, int n, const double range[2]);
/* The frequency near GUESS at which the power is largest. */
double vg_flow_rate_refine (const VgFlowTracePoint *points, int n, double guess);
/* Phase of the rhythm at the last point, rad; 0 where the value is largest. */
double vg_flow_rate_phase (const VgFlowTracePoint *points, int n, double frequency);

G_END_DECLS
