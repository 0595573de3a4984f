/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
#include "app/compute/vg-result.h"
#include "ui/bars/vg-run-chooser.h"
/* The bar above the image: drawing tools, the shown map, what is open, zoom. */
G_BEGIN_DECLS

#define VG_TYPE_TOOLBAR (vg_toolbar_get_type ())
G_DECLARE_FINAL_TYPE (VgToolbar, vg_toolbar, VG, TOOLBAR, GtkBox)

GtkWidget *vg_toolbar_new (VgSession *session);
/* Inserts the button that compares. */
void vg_toolbar_insert (VgToolbar *self, GtkWidget *compare);
VgRunChooser *vg_toolbar_get_runs (VgToolbar *self);
/* Type and size of what is open; "": they are not known. */
void vg_toolbar_set_source (VgToolbar *self, const char *text);
/* Says of RESULT, the newest one with an image (NULL: none), that it comes from a file, or that it
 * is only the input. */
void vg_toolbar_set_result (VgToolbar *self, const VgResult *result);
/* Shows, for the point tool, the point parameter that the session has now. */
void vg_toolbar_update_points (VgToolbar *self);
/* Screen pixels per image pixel; 0: there is no image. */
void vg_toolbar_set_zoom (VgToolbar *self, double zoom, gboolean fitted);

G_END_DECLS
