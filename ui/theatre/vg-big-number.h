/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/theatre/vg-key-number.h"
/* One number with its name, its course over the last minute and its alarm, at the upper left of the
 * widget, so large that it is readable from three metres.  It takes no events. */
G_BEGIN_DECLS

#define VG_TYPE_BIG_NUMBER (vg_big_number_get_type ())
G_DECLARE_FINAL_TYPE (VgBigNumber, vg_big_number, VG, BIG_NUMBER, GtkWidget)

GtkWidget *vg_big_number_new (void);
/* NUMBER is taken; NULL: there is no number.  Another key begins another course. */
void vg_big_number_set (VgBigNumber *self, VgKeyNumber *reading);
/* What is shown, borrowed; NULL: nothing. */
const VgKeyNumber *vg_big_number_get (VgBigNumber *self);
/* ROOM: the width that is free at the left, px.  The number becomes smaller to fit it, down to half
 * its size; then it lies over the image.  Negative: there is enough room. */
void vg_big_number_set_room (VgBigNumber *self, double room);
/* The value below which the number is shown as an alarm; 0: none. */
void vg_big_number_set_alarm (VgBigNumber *self, double alarm);
gboolean vg_big_number_is_alarmed (VgBigNumber *self);
/* Height of the digits, px. */
double vg_big_number_get_digit_height (VgBigNumber *self);
/* Number of values in the course. */
guint vg_big_number_get_n_values (VgBigNumber *self);

G_END_DECLS
