/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
#include "ui/bars/vg-compare-bar.h"
#include "ui/picture/vg-image-view.h"
#include "ui/inspect/vg-object-selection.h"
/* All numbers of the model at the pixel that was clicked, of the region that is selected, or where
 * the pointer of the hand tool rests: on a card over the picture.  The card of a region offers the
 * settings that take one. */
G_BEGIN_DECLS

#define VG_TYPE_INSPECTOR (vg_inspector_get_type ())
G_DECLARE_FINAL_TYPE (VgInspector, vg_inspector, VG, INSPECTOR, GObject)

/* Values of the result that is kept in COMPARE stand beside the present ones. */
VgInspector *vg_inspector_new (VgSession *session, VgObjectSelection *objects,
                               VgCompareBar *compare);
/* The card is in ROOM, a widget over the image, as long as ROOM is on the screen. */
void vg_inspector_set_room (VgInspector *self, GtkWidget *room);
/* While ROOM is not on the screen, the card is below MESSAGES, a widget over the upper edge of the
 * image. */
void vg_inspector_set_messages (VgInspector *self, GtkWidget *messages);
/* To be laid over the image, from its upper left corner on. */
GtkWidget *vg_inspector_get_card (VgInspector *self);
/* The image that the card describes, in place of an earlier one.  NULL: hides the card. */
void vg_inspector_set_image (VgInspector *self, VgImageView *image);
/* NULL when the window closes. */
void vg_inspector_set_pipeline (VgInspector *self, VgPipeline *pipeline);
/* The newest result; NULL: none. */
void vg_inspector_set_result (VgInspector *self, VgResult *result);
/* The pointer moved to X, Y of SLICE, px. */
void vg_inspector_set_pointer (VgInspector *self, double x, double y, int slice, gboolean inside);
/* Pins the card to a pixel. */
void vg_inspector_choose_pixel (VgInspector *self, double x, double y);
/* Follows the picture, the pointer and newer results; called a few times a second. */
void vg_inspector_refresh (VgInspector *self);
/* FALSE: there was no pinned card. */
gboolean vg_inspector_close (VgInspector *self);

G_END_DECLS
