/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/picture/vg-image-view.h"
#include "ui/volume/vg-sections.h"
/* The middle of the window: the image, the three planes of a volume in its place, or a page that
 * says why there is neither. */
G_BEGIN_DECLS

typedef enum {
  VG_VIEWER_IMAGE,  /* the image, or the three planes */
  VG_VIEWER_NO_MAP, /* the result has numbers only */
  VG_VIEWER_EMPTY   /* nothing is open */
} VgViewerPage;

#define VG_TYPE_VIEWER (vg_viewer_get_type ())
G_DECLARE_FINAL_TYPE (VgViewer, vg_viewer, VG, VIEWER, VgBin)

VgViewer *vg_viewer_new (VgSession *session, int display_path /* VgDisplayPath */);
/* Makes the image view anew.  It is empty, and has the device and the grey of the one before. */
void vg_viewer_set_display_path (VgViewer *self, int display_path);
/* Borrowed; until the next vg_viewer_set_display_path(). */
VgImageView *vg_viewer_get_image (VgViewer *self);
VgSections *vg_viewer_get_sections (VgViewer *self);
/* WIDGET is taken, and is over image and planes. */
void vg_viewer_add_over (VgViewer *self, GtkWidget *widget);
/* WIDGET is taken: the page VG_VIEWER_EMPTY. */
void vg_viewer_set_empty (VgViewer *self, GtkWidget *widget);
/* TEXT is shown where the image is to come; NULL: it is there. */
void vg_viewer_set_waiting (VgViewer *self, const char *text);
gboolean vg_viewer_is_waiting (VgViewer *self);
void vg_viewer_show_page (VgViewer *self, VgViewerPage page);
/* Of results in device memory; NULL: none are. */
void vg_viewer_set_cuda (VgViewer *self, const VgCuda *cuda);
/* The grey around image and planes, 0 to 1. */
void vg_viewer_set_ground (VgViewer *self, double grey);
/* FACTOR 0: all of it. */
void vg_viewer_zoom (VgViewer *self, double factor);
/* What is seen, as a texture in pixels of the screen; NULL and an error: it is not on the screen.
 */
GdkTexture *vg_viewer_capture (VgViewer *self, GError **error);

G_END_DECLS
