/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
/* A drop-down of the colour maps, each with its colours. */
G_BEGIN_DECLS

#define VG_TYPE_COLORMAP_CHOOSER (vg_colormap_chooser_get_type ())
G_DECLARE_FINAL_TYPE (VgColormapChooser, vg_colormap_chooser, VG, COLORMAP_CHOOSER, VgBin)
/* signal "chosen" (const char *id) */

GtkWidget *vg_colormap_chooser_new (void);
/* ID is shown; STANDARD (NULL: Viridis) is the map that the button Rainbow goes back to. */
void vg_colormap_chooser_set (VgColormapChooser *self, const char *id, const char *standard);

G_END_DECLS
