/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Outlines of objects, reduced as the preview of a slide is, drawn as they
 * come: memory goes with the preview. */
G_BEGIN_DECLS

typedef struct _VgTileRings VgTileRings;

/* Of WIDTH x HEIGHT pixels, each FACTOR of the slide's part wide and high. */
VgTileRings *vg_tile_rings_new (int width, int height, int factor);
void vg_tile_rings_free (VgTileRings *self);
/* A closed ring of N points, x and y in turn, in pixels of the slide's part.
 * One that is smaller than a pixel becomes a dot. */
void vg_tile_rings_add (VgTileRings *self, guint32 id, const double *points, guint n);
/* Over RGB of that size. */
void vg_tile_rings_lay (const VgTileRings *self, guint8 *rgb);

G_END_DECLS
