/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/tables/vg-curves.h"
/* The average of a time course around events, such as stimuli. */
G_BEGIN_DECLS

typedef struct
{
  double before_s, after_s; /* of each event: how much counts */
} VgEventWindow;

/* Where nobody chose another. */
extern const VgEventWindow vg_event_window_usual;

/* The mean of each series of CURVES against the time from the event, over EVENTS (of double, s),
 * with its standard error as error bars.  Only events that lie within the course with the whole
 * window count.  A NaN in a series is left out.  NULL: none counts. */
VgCurves *vg_event_average_new (const VgCurves *curves, const GArray *events,
                                const VgEventWindow *window);
/* The marks of CURVES as such events; owned. */
GArray *vg_event_average_marks (const VgCurves *curves);
/* Reads "T1,T2,...", or "T1,T2,...:BEFORE,AFTER", in s.  NULL and VG_USAGE_ERROR: TEXT is no such
 * list. */
GArray *vg_event_average_parse (const char *text, VgEventWindow *window, GError **error);

G_END_DECLS
