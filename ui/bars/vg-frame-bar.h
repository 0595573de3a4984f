/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "kernels/base/vg-image.h"
#include "app/session/vg-session.h"
/* Where in a recording we are and how fast it plays.  Of a live source only the mark "Live" with
 * its time is shown.  A stream is played by the window's action "win.play-pause", the time points
 * of a data set by a button of its own. */
G_BEGIN_DECLS

#define VG_TYPE_FRAME_BAR (vg_frame_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgFrameBar, vg_frame_bar, VG, FRAME_BAR, VgBin)
/* signal "seek" (gint64 frame)   the user chose a frame */

GtkWidget *vg_frame_bar_new (VgSession *session);
/* "Live 00:12.3", to be put elsewhere; seen only for a live source. */
GtkWidget *vg_frame_bar_get_live (VgFrameBar *self);
/* MOMENT: what the map of the live source shows, such as "Live"; IS_LIVE: it is the present. */
void vg_frame_bar_set_moment (VgFrameBar *self, const char *moment, gboolean is_live);
/* NULL: nothing open. */
void vg_frame_bar_set_info (VgFrameBar *self, const VgImageInfo *info);
void vg_frame_bar_set_frame (VgFrameBar *self, gint64 frame, double time_s);
/* MARKS (of VgCurveMark; x is the number of a frame, from 1) are shown on the time line. */
void vg_frame_bar_set_marks (VgFrameBar *self, const GArray *marks);
void vg_frame_bar_step (VgFrameBar *self, gint64 frames);

G_END_DECLS
