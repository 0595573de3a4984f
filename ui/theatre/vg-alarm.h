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
  /* times since which the number has been on the other side of the limit than `below` says, and has
   * had no value; NaN: that is not so */
  double differs_s, missing_s;
} VgAlarm;

/* An alarm without a limit. */
VgAlarm vg_alarm_new (void);
/* The value below which NUMBER (NULL: none yet) raises the alarm; it counts at once. */
void vg_alarm_set_limit (VgAlarm *self, double limit, const VgKeyNumber *number);
/* Updates the state; called whenever NUMBER gets another value, or becomes current or ceases to be
 * (CURRENT). */
void vg_alarm_follow (VgAlarm *self, const VgKeyNumber *number, gboolean current);

G_END_DECLS
