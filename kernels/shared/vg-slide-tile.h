/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A piece of a slide as its view draws it: RGB at a level of the view's own,
 * which halves from one to the next.  Immutable, reference counted. */
G_BEGIN_DECLS

enum { VG_SLIDE_TILE = 512 }; /* pixels a side, fewer at the slide's right and lower edge */

typedef struct
{
  guint64 serial;             /* another one for each tile that is ever made */
  int level;                  /* 2^level pixels of the slide in one, a side */
  double x, y, right, bottom; /* what it shows, in pixels of the slide's finest level */
  /* pixels; the last column and row may reach beyond right and bottom */
  int width, height;
  guint8 *rgb;
  gboolean damaged; /* some of it can't be read and is hatched */
  gatomicrefcount ref_count;
} VgSlideTile;

/* White, WIDTH x HEIGHT pixels of LEVEL from (X, Y) on; NULL: no memory. */
VgSlideTile *vg_slide_tile_new (int level, double x, double y, int width, int height);
/* Columns X0 to X1 - 1 and rows Y0 to Y1 - 1 can't be read. */
void vg_slide_tile_hatch (VgSlideTile *self, int x0, int y0, int x1, int y1);
gsize vg_slide_tile_bytes (const VgSlideTile *self);
VgSlideTile *vg_slide_tile_ref (VgSlideTile *self);
void vg_slide_tile_unref (VgSlideTile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSlideTile, vg_slide_tile_unref)

/* Where a map lies on a slide. */
typedef struct
{
  double origin[2]; /* its corner, in pixels of the slide's finest level */
  /* pixels of that level in one of the map's; 0: it is no part of a slide */
  double downsample;
} VgSlidePlace;

G_END_DECLS
