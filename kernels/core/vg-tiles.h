/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* Pictures too large for one piece: an engine works on one tile after the
 * other, row by row, each with a margin about its core (the halo), and the
 * operation makes one result of them while they come.  Memory goes with the
 * tile, not with the picture. */
G_BEGIN_DECLS

/* Results are written in square blocks of this many pixels; cores are whole
 * numbers of them. */
enum { VG_TILE_BLOCK = 128 };

/* What an engine is told when its picture is a tile. */
typedef struct
{
  int x, y;             /* the tile's corner in the whole picture */
  gconstpointer survey; /* of the whole */
} VgPart;

/* How the whole is cut. */
typedef struct
{
  VgImageInfo whole;
  int core, halo; /* pixels */
  int columns, rows;
} VgTiling;

/* Core I, row by row: of the whole picture, not empty. */
static inline void
vg_tiling_core (const VgTiling *self, int i, int *x, int *y, int *width, int *height)
{
  *x = i % self->columns * self->core;
  *y = i / self->columns * self->core;
  *width = MIN (self->core, self->whole.width - *x);
  *height = MIN (self->core, self->whole.height - *y);
}

/* The last tile whose core meets a rectangle of the whole. */
static inline int
vg_tiling_last (const VgTiling *self, gint64 x1, gint64 y1)
{
  return (int) CLAMP ((y1 - 1) / self->core, 0, self->rows - 1) * self->columns +
         (int) CLAMP ((x1 - 1) / self->core, 0, self->columns - 1);
}

/* Where results go while they come. */
typedef struct
{
  gpointer data;
  /* The block of a map at (X, Y) of the whole, VG_TILE_BLOCK squared samples. */
  gboolean (*block) (gpointer data, guint output, int x, int y, const float *samples,
                     GError **error);
  /* More of a text; the output's id with ENDING names the file. */
  gboolean (*text) (gpointer data, guint output, const char *ending, const char *text, gsize length,
                    GError **error);
  /* The outline of object ID, for the preview: a closed ring of N points, x and y in turn, in
   * pixels of the whole. */
  void (*ring) (gpointer data, guint32 id, const double *points, guint n);
} VgTileSink;

G_END_DECLS
