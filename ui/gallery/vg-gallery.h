/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/core/vg-operation.h"
/* A dialog with a card for each sample of every view. */
G_BEGIN_DECLS

#define VG_TYPE_GALLERY (vg_gallery_get_type ())
G_DECLARE_FINAL_TYPE (VgGallery, vg_gallery, VG, GALLERY, GtkWindow)
/* Signal "chosen" (const char *operation, const char *path, const char *read_options): the id of
 * an operation; the file to open, NULL: its sample data; NULL: none. */

/* OPERATION: the view whose samples are shown first. */
GtkWidget *vg_gallery_new (GtkWindow *parent, const VgOperation *operation);

G_END_DECLS
