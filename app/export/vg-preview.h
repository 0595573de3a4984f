/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
#include "kernels/base/vg-placement.h"
#include "app/session/vg-session.h"
#include "kernels/shared/vg-underlay.h"
/* A picture of an output as the window shows it: its colour map
 * between the limits, with a colour bar and the limits in figures. */
G_BEGIN_DECLS

/* PLANE in host memory; its first slice is shown, a mirrored one whole.  The
 * lines of OVERLAY are drawn over it; NULL: none.  BRIGHTNESS, of the same
 * size, dims it where DISPLAY has that; NULL: none.  COUNTED: labels, 1 where a
 * pixel counts for the limits; NULL: all do.  UNDERLAY, of the same size,
 * lies under it likewise; NULL: none.  OUTLINES of the plane's size, with their
 * samples in host memory; NULL: none.  ORIENTATION: what is turned round, and
 * the letters at the map's edges; NULL: nothing, and none.  NOISE: isolines at
 * decades below it are left out (vg_display_get_noise), 0: none.  Around a map
 * whose OUTPUT has named axes they stand in the plane's unit. */
gboolean vg_preview_write (const char *path, const VgOutput *output, const VgPlane *plane,
                           const VgPlane *brightness, const VgPlane *counted,
                           const VgUnderlay *underlay, const VgDisplay *display,
                           const VgOverlay *overlay, const VgOutlines *outlines,
                           const VgOrientation *orientation, double noise, GError **error);

G_END_DECLS
