/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-renderer.h"
/* Draws the same image without OpenGL, for displays that have none: nearest
 * samples, colour map, limits, background, isolines, brightness, underlay. */
G_BEGIN_DECLS

/* Returns RGBA of WIDTH x HEIGHT pixels, top row first (g_free).  PLANE is in host memory, or NULL
 * for the background alone; BRIGHTNESS has the same size, or is NULL.  UNDER is NULL or RGBA: one
 * pixel per sample of PLANE, or, if the scene is see_through, one per pixel of the result.  Without
 * a mosaic only SLICE is drawn. */
guint8 *vg_software_draw (const VgScene *scene, const VgPlane *plane, const VgPlane *brightness,
                          const guint8 *under, int slice, int width, int height);
/* Fills RGBA with the scene's background. */
void vg_software_clear (const VgScene *scene, guint8 *rgba, int width, int height);
/* Copies PART, drawn in the size of PANE, to its place in RGBA of WIDTH x HEIGHT. */
void vg_software_place (const VgPane *pane, const guint8 *part, guint8 *rgba, int width,
                        int height);
/* Draws tiles of a slide into RGBA, except where PLANE is, which may be NULL. */
void vg_software_draw_tiles (const VgScene *scene, const VgPlane *plane, GPtrArray *tiles,
                             guint8 *rgba, int width, int height);
/* Draws OUTLINES, whose samples are in host memory, over RGBA. */
void vg_software_draw_outlines (const VgScene *scene, const VgOutlines *outlines, guint8 *rgba,
                                int width, int height);

G_END_DECLS
