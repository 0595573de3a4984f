/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A tile of a slide for display: RGB at one of the display's levels, each half as fine as the one
 * before. Immutable, reference counted. */
G_BEGIN_DECLS

enum { VG_SLIDE_TILE = 512 }; /* pixels per side; fewer at the right and lower edge of the slide */

typedef struct
{
  guint64 serial;             /* unique number of the tile */
  int level;                  /* one pixel is 2^level pixels of the slide wide and high */
  double x, y, right, bottom; /* the part of the slide it covers, px of level 0 */
  /* size in pixels; the last column and row may extend beyond right and bottom */
  int width, height;
  guint8 *rgb;
  gboolean damaged; /* a part could not be read and is hatched */
  gatomicrefcount ref_count;
} VgSlideTile;

/* A white tile of WIDTH x HEIGHT pixels at (X, Y), px of level 0.  NULL: out of memory. */
VgSlideTile *vg_slide_tile_new (int level, double x, double y, int width, int height);
/* Hatches columns X0 to X1 - 1 and rows Y0 to Y1 - 1, which could not be read. */
void vg_slide_tile_hatch (VgSlideTile *self, int x0, int y0, int x1, int y1);
gsize vg_slide_tile_bytes (const VgSlideTile *self);
VgSlideTile *vg_slide_tile_ref (VgSlideTile *self);
void vg_slide_tile_unref (VgSlideTile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSlideTile, vg_slide_tile_unref)

/* Position of a map on a slide. */
typedef struct
{
  double origin[2]; /* its corner, px of level 0 */
  /* pixels of level 0 per pixel of the map; 0: not on a slide */
  double downsample;
} VgSlidePlace;

G_END_DECLS
