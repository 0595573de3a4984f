/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
#include "kernels/base/vg-placement.h"
#include "kernels/base/vg-statistics.h"
#include "app/session/vg-session.h"
#include "kernels/shared/vg-underlay.h"
/* An image of an output as the window shows it: its colour map, a colour bar and the limits. */
G_BEGIN_DECLS

/* Draws the first slice of PLANE, which is in host memory; a mirrored plane is drawn with both
 * halves. BRIGHTNESS and UNDERLAY, of the same size, are used if DISPLAY turns them on.  COUNTED is
 * the limits mask.  OUTLINES have their samples in host memory.  ORIENTATION says which axes are
 * reversed, and gives the letters at the edges.  Each of these, and OVERLAY, may be NULL.  Isolines
 * at decades below NOISE (vg_display_get_noise; 0: none) are left out.  If OUTPUT has named axes,
 * they are drawn in the plane's unit. */
gboolean vg_preview_write (const char *path, const VgOutput *output, const VgPlane *plane,
                           const VgPlane *brightness, const VgPlane *counted,
                           const VgUnderlay *underlay, const VgDisplay *display,
                           const VgOverlay *overlay, const VgOutlines *outlines,
                           const VgOrientation *orientation, double noise, GError **error);

/* The statistics by which PLANE, of OUTPUT, is coloured: of all slices, weighed by BRIGHTNESS
 * (NULL: none), or where COUNTED says so.  LIMITS are those of the brightness; 0 and 0: it does not
 * fit. */
void vg_preview_measure (const VgPlane *plane, const VgOutput *output, const VgPlane *brightness,
                         const VgPlane *counted, VgStatistics *statistics, double limits[2]);

G_END_DECLS
