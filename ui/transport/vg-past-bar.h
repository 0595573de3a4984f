/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline.h"
#include "ui/common/vg-bin.h"
/* The time line of a live source: its handle is at the right end while the newest frames are shown;
 * dragged into the past it shows the frames of then.  Hidden while nothing is kept. */
G_BEGIN_DECLS

#define VG_TYPE_PAST_BAR (vg_past_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgPastBar, vg_past_bar, VG, PAST_BAR, VgBin)
/* signals:
 *   "look-back" (double time_s)   the user chose a moment
 *   "live" ()                     the user goes back to the newest frames */

GtkWidget *vg_past_bar_new (void);
/* PAST: what is kept; NULL: nothing.  SHOWN_S: the time of the frame that is shown.  MARKS (of
 * VgCurveMark; x in s) are shown on the line.  Returns how many seconds before the newest frame the
 * handle is; NAN while the newest frames are shown. */
double vg_past_bar_update (VgPastBar *self, const VgPast *past, double shown_s,
                           const GArray *marks);
/* N frames forward from the one shown, or back. */
void vg_past_bar_step (VgPastBar *self, int n);

G_END_DECLS
