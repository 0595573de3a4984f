/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/theatre/vg-big-number.h"
/* The buttons of theatre mode, large enough for fingers.  They are the window's actions; those
 * that are disabled and have nothing to do in the view are hidden. */
G_BEGIN_DECLS

#define VG_TYPE_THEATRE_BAR (vg_theatre_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgTheatreBar, vg_theatre_bar, VG, THEATRE_BAR, GtkBox)
/* signal "alarm" (double alarm)   the user chose the value below which there is an alarm; 0: none
 */

typedef struct
{
  VgBigNumberState shown;
  gboolean running;
  gboolean has_baseline; /* of the view */
  gboolean can_record, can_mirror;
  gboolean can_choose; /* among several regions, whose number is shown */
  int top;             /* px that messages cover at the top of the image */
} VgTheatreState;

GtkWidget *vg_theatre_bar_new (void);
void vg_theatre_bar_set_state (VgTheatreBar *self, const VgTheatreState *state);
/* Shows the alarm of a number with UNIT; NULL: there is no number. */
void vg_theatre_bar_set_alarm (VgTheatreBar *self, double alarm, const char *unit);

G_END_DECLS
