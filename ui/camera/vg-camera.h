/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/pipeline/vg-pipeline.h"
/* What the window shows of a live source: whether it delivers, waits or has come back, the settings
 * of its device, and what its frames are like. */
G_BEGIN_DECLS

#define VG_TYPE_CAMERA (vg_camera_get_type ())
G_DECLARE_FINAL_TYPE (VgCamera, vg_camera, VG, CAMERA, GObject)
/* signals:
 *   "lost" (const char *sentence)   the source waits, and what for
 *   "back" (const char *before, const char *sentence)
 *                                   it delivers again; BEFORE: what "lost" said
 *   "set" (const char *setting)     to be set while it runs
 *   "settings" (const char *address)
 *                                   its address with the settings that it has now taken
 *   "reopen" (const char *address)  to be opened in place of it, because its frames change
 *   "timing" (double exposure_ms, double frame_interval_s)
 *                                   its exposure or its frame rate has changed; 0: not known */

VgCamera *vg_camera_new (void);
/* Notes that the device of ADDRESS, a live source, is called NAME. */
void vg_camera_note_name (VgCamera *self, const char *address, const char *name);
/* The name that was noted last for the device of ADDRESS; NULL: none was. */
const char *vg_camera_find_name (VgCamera *self, const char *address);
/* A label for the status bar that says how the source does; hidden without a live source. */
GtkWidget *vg_camera_get_status (VgCamera *self);
/* Its settings. */
GtkWidget *vg_camera_get_panel (VgCamera *self);
/* The VgTintLayer that marks saturated pixels. */
void vg_camera_set_tint (VgCamera *self, GtkWidget *tint);
/* Looks at the source that PIPELINE uses, of ADDRESS; OPENING: another is being opened.  RECORDING:
 * its frames are recorded, so it is not opened again.  Called a few times a second. */
void vg_camera_update (VgCamera *self, VgPipeline *pipeline, const char *address, gboolean opening,
                       gboolean recording);

G_END_DECLS
