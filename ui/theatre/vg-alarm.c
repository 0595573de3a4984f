/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-alarm.h"
#include <math.h>

#define DELAY_S 2.0 /* so that the alarm does not flicker */

VgAlarm
vg_alarm_new (void)
{
  return (VgAlarm){ .differs_s = NAN, .missing_s = NAN };
}

void
vg_alarm_set_limit (VgAlarm *self, double limit, const VgKeyNumber *number)
{
  if (self->limit == limit)
    return;
  self->limit = limit;
  self->below = number != NULL && vg_key_number_is_below (number, limit);
  self->differs_s = NAN;
}

static void
follow_value (VgAlarm *self, const VgKeyNumber *number)
{
  const double time_s = number->time_s;
  const gboolean below = vg_key_number_is_below (number, self->limit);

  if (time_s < self->differs_s)
    self->differs_s = NAN;
  if (below != self->below && isnan (self->differs_s))
    self->differs_s = time_s;
  if (below != self->below && time_s - self->differs_s < DELAY_S)
    return;
  self->below = below;
  self->differs_s = NAN;
}

/* TRUE: NUMBER has had no value for two seconds, or has no time. */
static gboolean
is_missing (VgAlarm *self, const VgKeyNumber *number)
{
  if (isfinite (number->value))
    {
      self->missing_s = NAN;
      return FALSE;
    }
  if (!(self->missing_s <= number->time_s))
    self->missing_s = number->time_s;
  return !(number->time_s - self->missing_s < DELAY_S);
}

void
vg_alarm_follow (VgAlarm *self, const VgKeyNumber *number, gboolean current)
{
  const gboolean missing = is_missing (self, number);

  if (!current)
    self->differs_s = NAN;
  else if (isfinite (number->value))
    follow_value (self, number);
  self->state = !(self->limit > 0)    ? VG_ALARM_NONE
                : !current || missing ? VG_ALARM_UNCHECKED
                : self->below         ? VG_ALARM_BELOW
                                      : VG_ALARM_NONE;
}
