/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
#include "ui/common/vg-bin.h"
/* Three planes of a volume with one crosshair: axial, coronal and sagittal sections in true
 * proportions, and in the fourth cell where the crosshair is, the colour bar, and room for a card.
 * It shows itself in place of the image as long as the session's view says so and there is a
 * volume, and changes the view's slice and crosshair. */
G_BEGIN_DECLS

#define VG_TYPE_SECTIONS (vg_sections_get_type ())
G_DECLARE_FINAL_TYPE (VgSections, vg_sections, VG, SECTIONS, VgBin)
/* signals:
 *   "moved" (int x, int y, int z, double value)   the user moved the crosshair to a voxel
 *   "failed" (const char *why)                    the volume cannot be shown; emitted once
 */

GtkWidget *vg_sections_new (VgSession *session);
/* The widget that is hidden while the sections are shown; borrowed. */
void vg_sections_set_image (VgSections *self, GtkWidget *image);
/* Of results in device memory; NULL: none are. */
void vg_sections_set_cuda (VgSections *self, const VgCuda *cuda);
/* INFO (NULL: not known) describes the input.  RESULT NULL: nothing to show. */
void vg_sections_show (VgSections *self, VgResult *result, const VgImageInfo *info);
gboolean vg_sections_is_shown (VgSections *self);
/* FACTOR 0: the complete volume is shown again. */
void vg_sections_zoom (VgSections *self, double factor);
/* The grey around the sections, 0 to 1. */
void vg_sections_set_ground (VgSections *self, double grey);
/* What is seen, without the controls; NULL and an error: it is not on the screen. */
GdkTexture *vg_sections_capture (VgSections *self, GError **error);
/* The VgMaskPanel; borrowed. */
GtkWidget *vg_sections_get_mask (VgSections *self);
/* Where a card with the values at the crosshair has room. */
GtkWidget *vg_sections_get_room (VgSections *self);

G_END_DECLS
