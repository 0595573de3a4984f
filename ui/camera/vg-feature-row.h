/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-feature.h"
#include "ui/common/vg-bin.h"
/* A line for one setting of a camera: its name, and the control that its kind and its range need.
 */
G_BEGIN_DECLS

#define VG_TYPE_FEATURE_ROW (vg_feature_row_get_type ())
G_DECLARE_FINAL_TYPE (VgFeatureRow, vg_feature_row, VG, FEATURE_ROW, VgBin)
/* signal "set" (const char *setting, gboolean reopens)   "Name=Value" that the user chose, and
 *                                                        whether the camera is opened again with it
 */

GtkWidget *vg_feature_row_new (const VgFeature *feature);
const char *vg_feature_row_get_name (VgFeatureRow *self);
/* Shows the value that the camera has; what the user is changing is left alone. */
void vg_feature_row_update (VgFeatureRow *self, const VgFeature *feature);

G_END_DECLS
