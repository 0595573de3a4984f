/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
/* The picture: the shown plane in a GtkGLArea, and over it the regions, the
 * colour bar, the scale bar and the probe.  Zooms at the pointer, pans, fits;
 * draws, moves and deletes regions with the chosen tool.  Works on the
 * session's view, display and regions; the window gives it results. */
G_BEGIN_DECLS

typedef enum {
  VG_TOOL_PAN,
  VG_TOOL_RECTANGLE,
  VG_TOOL_ELLIPSE,
  VG_TOOL_POLYGON,
  VG_TOOL_POINT
} VgTool;

#define VG_TYPE_IMAGE_VIEW (vg_image_view_get_type ())
G_DECLARE_FINAL_TYPE (VgImageView, vg_image_view, VG, IMAGE_VIEW, GtkWidget)
/* signals:
 *   "probe"        (double x, double y, int slice, double value, gboolean inside)   pointer moved
 * or value under it changed "pixel-chosen" (double x, double y) click with the pan tool "gl-failed"
 * (const char *why)                                     no usable GL: advice for the banner; NULL:
 * what was told is over "tool-changed" () "let-go"       () the pointer holds nothing of the
 * picture any more "remove-object" ()                                 Delete, with an object chosen
 *   "slide-shown"  ()                                                    another slide, or part of
 * it, is visible "slide-trouble" (const char *why)                                    some of the
 * slide can't be read, told once
 */

GtkWidget *vg_image_view_new (VgSession *session, int display_path /* VgDisplayPath */);
void vg_image_view_set_cuda (VgImageView *self, const VgCuda *cuda);
void vg_image_view_show (VgImageView *self, VgResult *result); /* NULL: empty */
/* The slide at PATH of which data of INFO are a part: all of it can be seen, the
 * results lie in it at their places.  None when INFO is of no slide, or NULL. */
void vg_image_view_set_slide (VgImageView *self, const char *path, const VgImageInfo *info);
/* The file at PATH is being opened: if it is a slide it is shown from now on; FIT: whole at first.
 * What is set next says what came of it. */
void vg_image_view_expect_slide (VgImageView *self, const char *path, gboolean fit);
/* that one; NULL: any */
gboolean vg_image_view_has_slide (VgImageView *self, const char *path);
/* What of the slide is visible, in pixels of its finest level; FALSE: there is none. */
gboolean vg_image_view_get_shown (VgImageView *self, double *x0, double *y0, double *x1,
                                  double *y1);
/* The pointer holds a region, a point or the picture: what would move the picture has to wait. */
gboolean vg_image_view_is_held (VgImageView *self);
void vg_image_view_set_tool (VgImageView *self, VgTool tool);
VgTool vg_image_view_get_tool (VgImageView *self);
void vg_image_view_zoom_fit (VgImageView *self);
void vg_image_view_zoom_to (VgImageView *self, double zoom); /* about the middle */
/* The object whose outline is thicker; 0: none. */
void vg_image_view_choose_object (VgImageView *self, guint32 number);
/* The object that came from this image point is not wanted: one undo step; FALSE: nothing takes it
 * out. */
gboolean vg_image_view_take_out (VgImageView *self, double x, double y);
/* Escape: drop the region being drawn */
void vg_image_view_cancel (VgImageView *self);
/* as shown, also when fitting */
double vg_image_view_get_zoom (VgImageView *self);
/* interop or host, and why */
const char *vg_image_view_get_path_description (VgImageView *self);
/* pictures drawn per second */
double vg_image_view_get_fps (VgImageView *self);
/* The picture with its overlays as shown. */
GdkTexture *vg_image_view_capture (VgImageView *self, GError **error);

G_END_DECLS
