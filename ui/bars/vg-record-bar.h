/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/pipeline/vg-pipeline.h"
/* Starts and ends recordings.  While one runs the bar shows, in every view, its length, its size,
 * the free disk space and missing frames.  Two banners report how it has ended, and offer
 * recordings that a crash has interrupted. */
G_BEGIN_DECLS

#define VG_TYPE_RECORD_BAR (vg_record_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgRecordBar, vg_record_bar, VG, RECORD_BAR, VgBin)
/* signals:
 *   "message" (gboolean failed, const char *text)   to show in the window's banner
 *   "withdraw" (const char *text)                   the cause of that message is gone
 *   "changed" ()                                    a recording has begun or ended */

GtkWidget *vg_record_bar_new (void);
/* NULL when the window closes. */
void vg_record_bar_set_pipeline (VgRecordBar *self, VgPipeline *pipeline);
/* FROM_US: as vg_pipeline_record_start(). */
void vg_record_bar_start (VgRecordBar *self, const char *path, gint64 from_us);
/* Lets the frames received so far be written; vg_record_bar_finish() follows. */
void vg_record_bar_stop (VgRecordBar *self);
/* Waits for the end of the recording, if there is one, and reports it. */
void vg_record_bar_finish (VgRecordBar *self);
gboolean vg_record_bar_is_recording (VgRecordBar *self);
/* In a few words: how long it is, and how many frames are missing; owned.  NULL: there is none. */
char *vg_record_bar_describe (VgRecordBar *self, gboolean *is_missing);
/* Shows the recording's figures; called a few times a second. */
void vg_record_bar_update (VgRecordBar *self);
/* The banner about the recording that has ended. */
GtkWidget *vg_record_bar_get_finished (VgRecordBar *self);
/* The banner about an interrupted one. */
GtkWidget *vg_record_bar_get_interrupted (VgRecordBar *self);

G_END_DECLS
