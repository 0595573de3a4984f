/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "io/source/vg-feature.h"
/* A window with all settings of a camera, and a search for some by words of their names. */
G_BEGIN_DECLS

#define VG_TYPE_FEATURE_LIST (vg_feature_list_get_type ())
G_DECLARE_FINAL_TYPE (VgFeatureList, vg_feature_list, VG, FEATURE_LIST, GtkWindow)
/* signal "set" (const char *setting, gboolean reopens)   as VgFeatureRow */

GtkWidget *vg_feature_list_new (GtkWindow *parent);
/* Shows the values that the camera has. */
void vg_feature_list_update (VgFeatureList *self, VgFeatures *features);

G_END_DECLS
