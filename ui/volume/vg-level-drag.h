/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
#include "kernels/shared/vg-underlay.h"
/* Window level and width of the grey input, in the session's display: of all maps of a view, and
 * undone in one step a change.  Colour limits of maps stay as they are. */
G_BEGIN_DECLS

/* The present level and width; if they are automatic, those of UNDERLAY.  FALSE: UNDERLAY is NULL
 * or in colour. */
gboolean vg_level_get (VgSession *session, const VgUnderlay *underlay, double *level,
                       double *width);
/* WIDTH 0: automatic.  The caller ends the undo step. */
void vg_level_set (VgSession *session, double level, double width);
/* Drags with the right button over WIDGET change them: upwards the level, to the right the width.
 * GET (OWNER) gives the underlay, borrowed, or NULL. */
void vg_level_add_drag (GtkWidget *widget, VgSession *session,
                        const VgUnderlay *(*get) (gpointer owner), gpointer owner);

G_END_DECLS
