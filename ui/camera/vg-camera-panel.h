/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-feature.h"
#include "ui/common/vg-bin.h"
/* The settings of a camera that users need most, what its frames are like, and the way to all of
 * its settings.  Hidden without a camera. */
G_BEGIN_DECLS

#define VG_TYPE_CAMERA_PANEL (vg_camera_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgCameraPanel, vg_camera_panel, VG, CAMERA_PANEL, VgBin)
/* signal "set" (const char *setting, gboolean reopens)   as VgFeatureRow */

GtkWidget *vg_camera_panel_new (void);
/* FEATURES: as the camera has them now; NULL: there is none. */
void vg_camera_panel_update (VgCameraPanel *self, VgFeatures *features);
/* Why a setting was not taken; NULL: it was. */
void vg_camera_panel_refuse (VgCameraPanel *self, const char *text);
/* Fraction of saturated pixels and sharpness of the newest frame; NaN: not known. */
void vg_camera_panel_set_look (VgCameraPanel *self, double saturated, double focus);
/* TRUE: saturated pixels are to be shown over the image. */
gboolean vg_camera_panel_marks_saturated (VgCameraPanel *self);

G_END_DECLS
