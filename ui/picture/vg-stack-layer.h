/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/layers/vg-view-transform.h"
/* The rows of a table that lie below each other in the image (VgTableSpec.stack), as long as the
 * operation's marks are shown: their colours at its left edge, the chosen one (VgView.row), and the
 * boundary below a row, which a drag moves with one step of undo.  Points are on the widget, which
 * takes no input of its own. */
G_BEGIN_DECLS

#define VG_TYPE_STACK_LAYER (vg_stack_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgStackLayer, vg_stack_layer, VG, STACK_LAYER, GtkWidget)

GtkWidget *vg_stack_layer_new (VgSession *session);
/* Where the pixels of PLANE are; NULL: no rows lie in the image. */
void vg_stack_layer_set_plane (VgStackLayer *self, const VgPlane *plane,
                               const VgViewTransform *transform);
/* Whether a boundary that can be moved is at AT. */
gboolean vg_stack_layer_is_over (VgStackLayer *self, VgPoint at);
/* The row at AT is the chosen one; none if there is none. */
void vg_stack_layer_choose_at (VgStackLayer *self, VgPoint at);

/* The boundary at AT is dragged until the release; FALSE: there is none. */
gboolean vg_stack_layer_press (VgStackLayer *self, VgPoint at);
void vg_stack_layer_drag (VgStackLayer *self, VgPoint at);
void vg_stack_layer_release (VgStackLayer *self);
/* A drag is undone, and no row is chosen.  FALSE: nothing was dragged. */
gboolean vg_stack_layer_cancel (VgStackLayer *self);

G_END_DECLS
