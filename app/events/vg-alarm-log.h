/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "kernels/core/vg-cuda.h"
/* The times at which the mean of a map in a region is below a limit. */
G_BEGIN_DECLS

typedef struct _VgAlarmLog VgAlarmLog;

/* Follows the mean of OUTPUT, which is borrowed, in each of REGIONS (NULL-terminated). */
VgAlarmLog *vg_alarm_log_new (const VgOutput *output, double limit,
                              const VgNamedRegion *const *regions);
void vg_alarm_log_free (VgAlarmLog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgAlarmLog, vg_alarm_log_free)

/* Adds PLANE, the map of frame FRAME, and its NUMERATOR (NULL: the map is not a ratio), each in
 * host memory or on CUDA's device.  A region without a value keeps its state.  FALSE and an error:
 * the mean of a region could not be computed. */
gboolean vg_alarm_log_add (VgAlarmLog *self, const VgPlane *plane, const VgPlane *numerator,
                           const VgCuda *cuda, gint64 frame, double time_s, GError **error);
/* A sentence, owned, on the next alarm that began or ended; NULL: there is none, or enough have
 * been reported on the region. */
char *vg_alarm_log_take_sentence (VgAlarmLog *self);
/* The table alarms.csv, owned.  For each alarm: region, first frame below the limit and its time,
 * last frame below it and its time, and lowest mean. */
char *vg_alarm_log_to_csv (const VgAlarmLog *self);
/* The number of alarms so far. */
guint vg_alarm_log_count (const VgAlarmLog *self);

G_END_DECLS
