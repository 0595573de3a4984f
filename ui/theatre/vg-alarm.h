/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/theatre/vg-key-number.h"
/* The alarm of a number: whether it is below its limit, or cannot be checked. */
G_BEGIN_DECLS

typedef enum {
  VG_ALARM_NONE,
  /* The number was below its limit for two seconds, and has not been above it for two seconds
   * since.  A value that is missing for less than two seconds changes nothing. */
  VG_ALARM_BELOW,
  VG_ALARM_UNCHECKED /* there is a limit, but no current number */
} VgAlarmState;

typedef struct
{
  double limit; /* 0: there is no alarm */
  VgAlarmState state;
  gboolean below;
  /* since when the number is on the other side of the limit, and since when it has no value; NaN:
   * it is not, and it has one */
  double differs_s, missing_s;
} VgAlarm;

/* None. */
VgAlarm vg_alarm_new (void);
/* The value below which NUMBER (NULL: none yet) raises the alarm; it counts at once. */
void vg_alarm_set_limit (VgAlarm *self, double limit, const VgKeyNumber *number);
/* After NUMBER has another value, or is CURRENT or no longer. */
void vg_alarm_follow (VgAlarm *self, const VgKeyNumber *number, gboolean current);

G_END_DECLS
