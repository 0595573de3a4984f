/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "kernels/base/vg-image.h"
/* How the open file is read (vg-read-options.h): the settings it has a use for,
 * such as one of its channels, and what was read and assumed.  Hidden when
 * there is neither. */
G_BEGIN_DECLS

#define VG_TYPE_READ_OPTIONS_PANEL (vg_read_options_panel_get_type ())
G_DECLARE_FINAL_TYPE (VgReadOptionsPanel, vg_read_options_panel, VG, READ_OPTIONS_PANEL, VgBin)
/* signal "changed" (const char *reading)   the user wants it read this way; NULL: as by default */

GtkWidget *vg_read_options_panel_new (void);
/* What is open now (of PATH when that is one file, else NULL), how it was read, lines about that or
 * NULL, and what each of its SERIES is or NULL; INFO NULL: nothing. */
void vg_read_options_panel_set (VgReadOptionsPanel *self, const char *path, const VgImageInfo *info,
                                const char *read_options, const char *details,
                                const char *const *series);
/* What of the slide is visible: x0, y0, x1, y1 in pixels of its finest level; NULL: none. */
void vg_read_options_panel_set_shown (VgReadOptionsPanel *self, const double shown[4]);
/* Shows again what is open, after an opening that failed. */
void vg_read_options_panel_reset (VgReadOptionsPanel *self);

G_END_DECLS
