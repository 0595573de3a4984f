/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Outlines of objects at the size of a slide's preview, drawn as they are added, so that memory
 * grows with the preview, not with the number of objects. */
G_BEGIN_DECLS

typedef struct _VgTileRings VgTileRings;

/* A preview of WIDTH x HEIGHT pixels, each of FACTOR x FACTOR pixels of the slide region. */
VgTileRings *vg_tile_rings_new (int width, int height, int factor);
void vg_tile_rings_free (VgTileRings *self);
/* Draws a closed ring of N points, x and y in turn, in pixels of the slide region.  A ring smaller
 * than a pixel becomes a dot. */
void vg_tile_rings_add (VgTileRings *self, guint32 id, const double *points, guint n);
/* Draws the outlines over RGB, an image of the preview's size. */
void vg_tile_rings_lay (const VgTileRings *self, guint8 *rgb);

G_END_DECLS
