/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* The kept results in a line: each has a small picture, its name and a button that discards it.
 * One of them is chosen. */
G_BEGIN_DECLS

#define VG_TYPE_KEPT_STRIP (vg_kept_strip_get_type ())
G_DECLARE_FINAL_TYPE (VgKeptStrip, vg_kept_strip, VG, KEPT_STRIP, GtkBox)
/* signals:
 *   "chosen" (int i)
 *   "removed" (int i)   the user wants it to be discarded */

enum { VG_KEPT_PICTURE_WIDTH = 48, VG_KEPT_PICTURE_HEIGHT = 34 };

GtkWidget *vg_kept_strip_new (void);
/* N results; CHOSEN: one of them. */
void vg_kept_strip_set (VgKeptStrip *self, int n, int chosen);
/* PICTURE NULL: none. */
void vg_kept_strip_set_item (VgKeptStrip *self, int i, const char *name, const char *help,
                             GdkPaintable *picture);

G_END_DECLS
