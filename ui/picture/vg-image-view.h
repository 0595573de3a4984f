/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/compute/vg-result.h"
#include "app/session/vg-session.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/layers/vg-view-transform.h"
/* The image: the map of the newest result, and over it the regions, the colour bar and the scale
 * bar.  Zooms at the pointer, pans and fits; draws, moves and deletes regions with the chosen tool.
 * It changes the session's view and regions; the window gives it results. */
G_BEGIN_DECLS

typedef enum {
  VG_TOOL_PAN,
  VG_TOOL_RECTANGLE,
  VG_TOOL_ELLIPSE,
  VG_TOOL_POLYGON,
  VG_TOOL_POINT,
  VG_TOOL_RULER,
  VG_TOOL_CORRECT,
  VG_TOOL_ARROW,
  VG_TOOL_TEXT
} VgTool;

#define VG_TYPE_IMAGE_VIEW (vg_image_view_get_type ())
G_DECLARE_FINAL_TYPE (VgImageView, vg_image_view, VG, IMAGE_VIEW, GtkWidget)
/* signals:
 *   "probe" (double x, double y, int slice, double value, gboolean inside)
 *                                   the pointer moved, or the value under it changed
 *   "pixel-chosen" (double x, double y)   a click with the pan tool, px
 *   "gl-failed" (const char *why)   why OpenGL cannot be used; NULL: it can again
 *   "tool-changed" ()
 *   "double-clicked" (double x, double y)   on a plot beside what its layer handles, px
 *   "remove-object" ()              Delete was pressed while an object is chosen
 *   "slide-shown" ()                another slide, or another region of it, is visible
 *   "slide-trouble" (const char *why)   a part of the slide cannot be read; emitted once
 *   "outside-part" ()               a click outside the analysed region of the slide
 */

GtkWidget *vg_image_view_new (VgSession *session, int display_path /* VgDisplayPath */);
void vg_image_view_set_cuda (VgImageView *self, const VgCuda *cuda);
void vg_image_view_show (VgImageView *self, VgResult *result); /* NULL: empty */
enum { VG_IMAGE_MOST_BESIDE = 4 };
/* Kept results (at most these, of the same operation) to show beside the present one as the
 * session's view says, with their NAMES; CHOSEN: the one that a wipe or a lens shows. */
void vg_image_view_set_beside (VgImageView *self, VgResult *const *results,
                               const char *const *names, int n, int chosen);
/* Widget px at the lower edge that something else covers: cells and a fitted picture end above it.
 */
void vg_image_view_set_foot (VgImageView *self, int foot);
/* The kept result that is seen beside the present one; NULL: none. */
VgResult *vg_image_view_get_beside (VgImageView *self);
/* RESULT in the present colours; NULL: it is of another map. */
GdkTexture *vg_image_view_draw_small (VgImageView *self, VgResult *result, int width, int height);
/* Shows the slide at PATH around the results; INFO describes the analysed region.  No slide if INFO
 * is NULL or of other data. */
void vg_image_view_set_slide (VgImageView *self, const char *path, const VgImageInfo *info);
/* The file at PATH is being opened: if it is a slide it is shown at once, with FIT in full.
 * vg_image_view_set_slide() follows when it has opened or failed. */
void vg_image_view_expect_slide (VgImageView *self, const char *path, gboolean fit);
/* TRUE if the slide at PATH is shown; NULL: any slide. */
gboolean vg_image_view_has_slide (VgImageView *self, const char *path);
/* The visible rectangle of the slide, in pixels of its finest level; FALSE: no slide. */
gboolean vg_image_view_get_shown (VgImageView *self, double *x0, double *y0, double *x1,
                                  double *y1);
/* TRUE while the pointer holds a region, a point or the image, which must not move then. */
gboolean vg_image_view_is_held (VgImageView *self);
void vg_image_view_set_tool (VgImageView *self, VgTool tool);
VgTool vg_image_view_get_tool (VgImageView *self);
/* The VgRulerLayer over the image. */
GtkWidget *vg_image_view_get_ruler (VgImageView *self);
/* The VgStrokeLayer over the image. */
GtkWidget *vg_image_view_get_strokes (VgImageView *self);
/* A VgTintLayer, for pixels that are found elsewhere. */
GtkWidget *vg_image_view_get_tint (VgImageView *self);
/* Takes the focus after Enter in a number.  Another Enter has no effect until another key or the
 * pointer is used.  FALSE: it cannot have the focus. */
gboolean vg_image_view_enter (VgImageView *self);
void vg_image_view_zoom_fit (VgImageView *self);
/* Whether the image is fitted, so that it follows the size of the view. */
gboolean vg_image_view_is_fitted (VgImageView *self);
/* The grey around the image, 0 to 1. */
void vg_image_view_set_ground (VgImageView *self, double grey);
/* Zoom about the middle of the view.  Only vg_image_view_zoom_by snaps to the fit near it. */
void vg_image_view_zoom_by (VgImageView *self, double factor);
void vg_image_view_zoom_to (VgImageView *self, double zoom);
/* NUMBER: the object with the thicker outline; 0: none. */
void vg_image_view_choose_object (VgImageView *self, guint32 number);
/* Removes the object whose seed is at this image point, px, in one undo step; FALSE: the operation
 * has no parameter for it. */
gboolean vg_image_view_take_out (VgImageView *self, double x, double y);
/* Drops the region being drawn. */
void vg_image_view_cancel (VgImageView *self);
/* Screen pixels per image pixel. */
double vg_image_view_get_zoom (VgImageView *self);
/* Width of the whole image over its height, as it is seen; 0: no image, or one of any shape. */
double vg_image_view_get_aspect (VgImageView *self);
/* Widget pixels beside and above a fitted image: colour bar and axes. */
void vg_image_view_get_margins (VgImageView *self, int *across, int *down);
/* The width of the colour bar, with the gaps beside it, px; 0: none is shown. */
int vg_image_view_get_bar (VgImageView *self);
/* Where the line of a wipe is, as a part of the map's width. */
double vg_image_view_get_wipe (VgImageView *self);
/* From image pixels to the widget; zoom 0: there is no image. */
const VgViewTransform *vg_image_view_get_transform (VgImageView *self);
/* Where AT, px of the slice that is worked on, is on the widget. */
VgPoint vg_image_view_locate (VgImageView *self, VgPoint at);
/* A fitted image leaves LEFT, a fraction of the height, free at the left, as far as it does not
 * become smaller for that.  The scale bar leaves BOTTOM px free below it.  If LEFT is not 0, the
 * image is seen from afar, and its focus is not drawn. */
void vg_image_view_set_free (VgImageView *self, double left, int bottom);
/* AREA, in image pixels, is what a fit shows in place of the whole image; empty: all of it. */
void vg_image_view_set_fit (VgImageView *self, const VgExtent *area);
/* Zooms to AREA, in image pixels. */
void vg_image_view_show_area (VgImageView *self, const VgExtent *area);
/* Makes the image that of a plot: LAYER, which the view owns and describes to assistive technology,
 * lies over it, and there are neither a colour bar nor a chosen pixel. */
void vg_image_view_set_layer (VgImageView *self, GtkWidget *layer);
/* FIXED: the limits that are shown are kept; else they are automatic. */
void vg_image_view_fix_limits (VgImageView *self, gboolean fixed);
/* How results reach the screen, interop or host copy, and why. */
const char *vg_image_view_get_path_description (VgImageView *self);
/* Images drawn per second. */
double vg_image_view_get_fps (VgImageView *self);
/* The image with its layers, SCALE times as large as the widget; NULL: it is not on the screen. */
GskRenderNode *vg_image_view_render (VgImageView *self, int scale);
/* The same as a texture in pixels of the screen; NULL and an error if it is not on the screen. */
GdkTexture *vg_image_view_capture (VgImageView *self, GError **error);

G_END_DECLS
