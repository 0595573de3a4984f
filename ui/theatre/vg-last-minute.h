/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The values of the last 60 seconds, in the order of their time. */
G_BEGIN_DECLS

enum { VG_LAST_MINUTE_S = 60, VG_LAST_MINUTE_GAP_S = 5, VG_LAST_MINUTE_POINTS = 2048 };

typedef struct
{
  double time_s, value; /* value NaN: missing */
} VgMoment;

typedef struct
{
  GArray *moments; /* of VgMoment */
} VgLastMinute;

VgLastMinute *vg_last_minute_new (void);
void vg_last_minute_free (VgLastMinute *self);
void vg_last_minute_clear (VgLastMinute *self);
/* Adds a value.  One of the newest time replaces it; an earlier time, after a seek or the end of a
 * loop, begins anew.  A time more than VG_LAST_MINUTE_GAP_S later, as after a pause, follows a
 * missing value. */
void vg_last_minute_add (VgLastMinute *self, double time_s, double value);
/* The mean of the values of the last SECONDS that are not missing; NaN: all of them are. */
double vg_last_minute_get_mean (const VgLastMinute *self, double seconds);
/* The range of the values; FALSE: there are fewer than two. */
gboolean vg_last_minute_get_range (const VgLastMinute *self, double *low, double *high);

G_END_DECLS
