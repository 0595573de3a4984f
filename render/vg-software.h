/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-renderer.h"
/* The same picture without OpenGL, for displays that have none: nearest
 * samples, colour map, limits, background, isolines, brightness, underlay. */
G_BEGIN_DECLS

/* RGBA of WIDTH x HEIGHT pixels, top row first, to be freed with g_free.
 * PLANE in host memory, or NULL for the background alone; BRIGHTNESS of the
 * same size, or NULL; UNDER, RGBA pixels that lie as PLANE's samples do, or
 * as this picture's with a scene that is seen through, or NULL.  A mosaic shows all slices, else
 * SLICE is shown. */
guint8 *vg_software_draw (const VgScene *scene, const VgPlane *plane, const VgPlane *brightness,
                          const guint8 *under, int slice, int width, int height);
/* Tiles of a slide about PLANE, which may be NULL, of such a picture. */
void vg_software_draw_tiles (const VgScene *scene, const VgPlane *plane, GPtrArray *tiles,
                             guint8 *rgba, int width, int height);
/* Over such a picture, as SCENE has it; OUTLINES with their samples in host memory. */
void vg_software_draw_outlines (const VgScene *scene, const VgOutlines *outlines, guint8 *rgba,
                                int width, int height);

G_END_DECLS
