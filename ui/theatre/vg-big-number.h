/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/theatre/vg-alarm.h"
#include "ui/theatre/vg-liveness.h"
/* One number with its name, its course over the last minute and its alarm, at the upper left of the
 * widget, so large that it is readable from three metres; above it, whether it is of the present,
 * and below it, which map is shown.  The sizes depend on the height of the widget alone.  It takes
 * no events. */
G_BEGIN_DECLS

/* Width that it takes at the left of the widget, as a fraction of the widget's height. */
#define VG_BIG_NUMBER_SHARE 0.5

/* What is shown around the number; NULL: this line is left out. */
typedef struct
{
  VgLivenessKind liveness;
  const char *moment;    /* vg_liveness_describe() */
  const char *map;       /* that is shown */
  const char *recording; /* how long it is */
  gboolean faulty;       /* frames are missing in it */
} VgBigNumberState;

#define VG_TYPE_BIG_NUMBER (vg_big_number_get_type ())
G_DECLARE_FINAL_TYPE (VgBigNumber, vg_big_number, VG, BIG_NUMBER, GtkWidget)

GtkWidget *vg_big_number_new (void);
/* NUMBER is taken; NULL: there is no number.  Of a stream the mean of the last second is shown.
 * Another key begins another course. */
void vg_big_number_set (VgBigNumber *self, VgKeyNumber *reading);
/* What is shown, borrowed; NULL: nothing. */
const VgKeyNumber *vg_big_number_get (VgBigNumber *self);
/* A number that is not of the present is grey, and that of a lost source is not shown. */
void vg_big_number_set_state (VgBigNumber *self, const VgBigNumberState *state);
/* The value below which the number is shown as an alarm; 0: none.  It counts at once. */
void vg_big_number_set_alarm (VgBigNumber *self, double alarm);
VgAlarmState vg_big_number_get_alarm_state (VgBigNumber *self);
/* What is shown as the number, without its unit; owned. */
char *vg_big_number_format (VgBigNumber *self);
/* Height of the digits, px. */
double vg_big_number_get_digit_height (VgBigNumber *self);
/* Number of values in the course. */
guint vg_big_number_get_n_values (VgBigNumber *self);

G_END_DECLS
