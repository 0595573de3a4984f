/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/export/vg-export-comparison.h"
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
#include "ui/picture/vg-image-view.h"
/* The bar at the foot of the image while results are kept: it chooses one of them as the reference
 * result, and shows the current result, the reference, their difference, their ratio, or both.  It
 * owns the kept results. */
G_BEGIN_DECLS

#define VG_TYPE_COMPARE_BAR (vg_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgCompareBar, vg_compare_bar, VG, COMPARE_BAR, GtkBox)
/* signals:
 *   "message"  (gboolean failed, const char *text)   to show in the banner
 *   "withdraw" (const char *text)                    the cause of that message is gone
 *   "changed"  ()                                    a reference was stored or dropped */

GtkWidget *vg_compare_bar_new (VgSession *session);
/* Replaces the pipeline whose results are stored and compared; NULL when the window closes. */
void vg_compare_bar_set_pipeline (VgCompareBar *self, VgPipeline *pipeline);
/* Shows the kept results in IMAGE from now on; NULL: it is going away. */
void vg_compare_bar_set_image (VgCompareBar *self, VgImageView *image);
/* The button "Compare" for the toolbar; visible for operations with a comparison parameter. */
GtkWidget *vg_compare_bar_get_button (VgCompareBar *self);
/* Keeps the current result, as the reference. */
void vg_compare_bar_keep (VgCompareBar *self);
/* The result that the present one is compared with, borrowed; NULL: none is kept. */
VgReference *vg_compare_bar_get_reference (VgCompareBar *self);
/* The reference result while something is compared with it; NULL: nothing is. */
VgReference *vg_compare_bar_get_compared (VgCompareBar *self);
/* The name of the kept result, from its own values, owned; NULL: none is kept. */
char *vg_compare_bar_get_name (VgCompareBar *self);
/* What is shown of the kept results now, owned; NULL: the present map alone. */
VgExportComparison *vg_compare_bar_get_comparison (VgCompareBar *self);
/* Why the next value of the comparison parameter cannot be compared now, or NULL. */
const char *vg_compare_bar_get_obstacle (VgCompareBar *self);
/* Stores the current result, changes the comparison parameter and shows the difference.  The
 * caller makes sure that there is a result. */
void vg_compare_bar_compare_choice (VgCompareBar *self);
/* Discards the reference and restores the value that the comparison parameter had before. */
void vg_compare_bar_drop_reference (VgCompareBar *self);
/* Ends the comparison if the parameters are those of the reference again. */
void vg_compare_bar_params_changed (VgCompareBar *self);
/* MODE: "off", "kept", "difference", "ratio", "wipe", "side" or "grid". */
void vg_compare_bar_set_mode (VgCompareBar *self, const char *mode);
void vg_compare_bar_set_next_mode (VgCompareBar *self);
/* The height that the bar covers at the lower edge of the image, px; 0: it is hidden. */
int vg_compare_bar_get_room (VgCompareBar *self);
const char *vg_compare_bar_get_mode (VgCompareBar *self);
/* Sends reference and mode to the pipeline; unless ANEW only if the mode has changed. */
void vg_compare_bar_send (VgCompareBar *self, gboolean anew);
/* Takes the newest RESULT; reports a comparison that is impossible with it. */
void vg_compare_bar_check (VgCompareBar *self, VgResult *result);
/* Updates labels and buttons to the session's view and parameters. */
void vg_compare_bar_update (VgCompareBar *self);

G_END_DECLS
