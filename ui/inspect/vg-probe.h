/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
#include "ui/bars/vg-status-bar.h"
#include "ui/inspect/vg-object-selection.h"
/* The readout under the pointer: position, value, and the standard error or the object.  The
 * compute thread reads the second value, one request at a time. */
G_BEGIN_DECLS

#define VG_TYPE_PROBE (vg_probe_get_type ())
G_DECLARE_FINAL_TYPE (VgProbe, vg_probe, VG, PROBE, GObject)

/* STATUS outlives the probe. */
VgProbe *vg_probe_new (VgSession *session, VgObjectSelection *objects, VgStatusBar *status);
/* NULL when the window closes. */
void vg_probe_set_pipeline (VgProbe *self, VgPipeline *pipeline);
/* The newest result; NULL: none. */
void vg_probe_set_result (VgProbe *self, VgResult *result);
/* IMAGE: the VgImageView under the pointer. */
void vg_probe_set_image (VgProbe *self, GtkWidget *image);
/* The pointer is at (X, Y), px, of SLICE, over VALUE; INSIDE: over the image. */
void vg_probe_set_pointer (VgProbe *self, double x, double y, int slice, double value,
                           gboolean inside);

G_END_DECLS
