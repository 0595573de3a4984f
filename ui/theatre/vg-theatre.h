/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "ui/theatre/vg-key-number.h"
#include "ui/theatre/vg-mirror.h"
#include "ui/theatre/vg-theatre-bar.h"
/* Theatre mode: the image with one big number and large buttons over it, which fade after three
 * seconds without a pointer, touch or key event in the window.  Outside theatre mode only the image
 * is shown.  Alarms are kept for each quantity as long as the window is open, and are
 * checked outside theatre mode too. */
G_BEGIN_DECLS

enum { VG_THEATRE_FADE_MS = 3000 };

#define VG_TYPE_THEATRE (vg_theatre_get_type ())
G_DECLARE_FINAL_TYPE (VgTheatre, vg_theatre, VG, THEATRE, VgBin)
/* PICTURE is taken. */
GtkWidget *vg_theatre_new (GtkWidget *picture);
/* BUTTON, which is taken, is over the image, also outside theatre mode, and not in the mirror. */
void vg_theatre_add_button (VgTheatre *self, GtkWidget *button);
void vg_theatre_set_on (VgTheatre *self, gboolean on);
gboolean vg_theatre_is_on (VgTheatre *self);
/* NUMBER is taken; NULL: there is no number.  Its course is also kept outside theatre mode. */
void vg_theatre_set_number (VgTheatre *self, VgKeyNumber *number);
/* A result of TIME_S (NaN: not of a stream) has no number.  The alarm, if there is one, is then
 * not checked. */
void vg_theatre_miss_number (VgTheatre *self, double time_s);
/* Index of the region whose number is shown; -1: none. */
int vg_theatre_get_region (VgTheatre *self);
void vg_theatre_set_state (VgTheatre *self, const VgTheatreState *state);
/* TRUE: some number has an alarm, so it is needed outside theatre mode too. */
gboolean vg_theatre_has_alarm (VgTheatre *self);
/* Height of the buttons, px. */
int vg_theatre_get_foot (VgTheatre *self);
/* Shows the buttons for another three seconds. */
void vg_theatre_wake (VgTheatre *self);
gboolean vg_theatre_is_awake (VgTheatre *self);
/* The VgBanner for alarms; borrowed.  Outside theatre mode it reports an alarm, and in both modes
 * that an alarm is off because another number is shown. */
GtkWidget *vg_theatre_get_banner (VgTheatre *self);
/* The image with the number and without the buttons, on a second screen; borrowed.  It closes when
 * theatre mode ends. */
VgMirror *vg_theatre_get_mirror (VgTheatre *self);

G_END_DECLS
