/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A widget of the window once more, on the whole of another monitor.  It is painted from what the
 * window has drawn: nothing is computed or uploaded for it. */
G_BEGIN_DECLS

#define VG_TYPE_MIRROR (vg_mirror_get_type ())
G_DECLARE_FINAL_TYPE (VgMirror, vg_mirror, VG, MIRROR, GObject)
/* signals:
 *   "changed" ()   it was opened or closed, or the number of monitors has changed
 *   "lost" ()      its monitor went away, and it was closed */

/* Of WIDGET; MONITORS (GdkMonitor) are those of its display. */
VgMirror *vg_mirror_new (GtkWidget *widget, GListModel *monitors);
/* TRUE if there is a second monitor. */
gboolean vg_mirror_can_open (VgMirror *self);
/* Opens it on a monitor that the widget's window is not on; without one it does nothing. */
void vg_mirror_open (VgMirror *self);
void vg_mirror_close (VgMirror *self);
gboolean vg_mirror_is_open (VgMirror *self);
/* The monitor that it is on, borrowed; NULL: it is closed. */
GdkMonitor *vg_mirror_get_monitor (VgMirror *self);

G_END_DECLS
