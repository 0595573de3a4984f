/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "render/vg-renderer.h"
#include "app/compute/vg-result.h"
/* The drawn plane and nothing else: a GtkGLArea with a renderer, or, where
 * there is no OpenGL 3.3, the same picture coloured on the CPU.  Draws when
 * the result or the scene changed, at most once per tick of the frame clock. */
G_BEGIN_DECLS

#define VG_TYPE_PICTURE (vg_picture_get_type ())
G_DECLARE_FINAL_TYPE (VgPicture, vg_picture, VG, PICTURE, GtkWidget)
/* signal "failed" (const char *why)   no OpenGL, or a result that cannot be shown, once for each
 *   reason; NULL: results can be shown again */

GtkWidget *vg_picture_new (VgDisplayPath path);
void vg_picture_set_cuda (VgPicture *self, const VgCuda *cuda);
/* Sets what a source (vg-pane.h) shows; 0 is the present result, without which nothing is drawn and
 * whose underlay all have.  Keeps a reference until the next one; NULL: empty.  SLICE of a volume,
 * or all of them for a mosaic of the scene. */
enum { VG_PICTURE_ALL_SLICES = -1 };
void vg_picture_show (VgPicture *self, int source, VgResult *result, int slice);
/* Of a slide about what is shown, or of that alone (VgSlideTile, referenced); NULL: none. */
void vg_picture_set_tiles (VgPicture *self, GPtrArray *tiles);
/* What is drawn where, in device pixels; at least one pane. */
void vg_picture_set_panes (VgPicture *self, const VgPane *panes, int n);
/* What is shown can't be drawn; "failed" says why, and with NULL when that is over. */
gboolean vg_picture_is_undrawn (VgPicture *self);
const char *vg_picture_get_description (VgPicture *self);
/* New results drawn per second, over the last two seconds. */
double vg_picture_get_fps (VgPicture *self);

G_END_DECLS
