/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/pipeline/vg-pipeline.h"
/* What the window shows of a live source: whether it delivers, waits or has come back. */
G_BEGIN_DECLS

#define VG_TYPE_CAMERA (vg_camera_get_type ())
G_DECLARE_FINAL_TYPE (VgCamera, vg_camera, VG, CAMERA, GObject)
/* signals:
 *   "lost" (const char *sentence)   the source waits, and what for
 *   "back" (const char *before, const char *sentence)
 *                                   it delivers again; BEFORE: what "lost" said */

VgCamera *vg_camera_new (void);
/* A label for the status bar that says how the source does; hidden without a live source. */
GtkWidget *vg_camera_get_status (VgCamera *self);
/* Looks at the source that PIPELINE uses; called a few times a second. */
void vg_camera_update (VgCamera *self, VgPipeline *pipeline);

G_END_DECLS
