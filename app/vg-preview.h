/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-operation.h"
#include "vg-session.h"
/* A picture of an output as the window shows it: its colour map
 * between the limits, with a colour bar and the limits in figures. */
G_BEGIN_DECLS

/* PLANE in host memory; its first slice is shown. */
gboolean vg_preview_write (const char *path, const VgOutput *output, const VgPlane *plane, const VgDisplay *display, GError **error);

G_END_DECLS
