/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/figure/vg-map-picture.h"
/* An image of an output as the window shows it: its colour map, a colour bar and the limits. */
G_BEGIN_DECLS

/* Draws VIEW with a colour bar and, if the output has named axes, these in the plane's unit; the
 * letters of its orientation are at the edges. */
gboolean vg_preview_write (const char *path, const VgMapView *view, GError **error);

G_END_DECLS
