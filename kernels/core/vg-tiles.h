/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* Images that are too large for one piece.  An engine processes one tile after
 * the other, row by row; a tile is a core with a margin around it, the halo.
 * The operation stitches the results as they arrive, so that memory depends on
 * the size of a tile and not on that of the image. */
G_BEGIN_DECLS

/* Results are written in square blocks of this many pixels; cores are whole
 * numbers of them. */
enum { VG_TILE_BLOCK = 128 };

/* How the whole image is divided. */
typedef struct
{
  VgImageInfo whole;
  int core, halo; /* pixels */
  int columns, rows;
} VgTiling;

/* The position of a tile, for the engine that processes it. */
typedef struct
{
  int x, y;                  /* the tile's corner in the whole image, pixels */
  gconstpointer calibration; /* from VgTiled.calibrate, of the whole image */
  const VgTiling *tiling;    /* or NULL */
} VgPart;

/* The rectangle of core I in the whole image, in pixels; it is not empty. */
static inline void
vg_tiling_core (const VgTiling *self, int i, int *x, int *y, int *width, int *height)
{
  *x = i % self->columns * self->core;
  *y = i / self->columns * self->core;
  *width = MIN (self->core, self->whole.width - *x);
  *height = MIN (self->core, self->whole.height - *y);
}

/* The last core that intersects a rectangle whose lower right corner is (X1, Y1). */
static inline int
vg_tiling_last (const VgTiling *self, gint64 x1, gint64 y1)
{
  return (int) CLAMP ((y1 - 1) / self->core, 0, self->rows - 1) * self->columns +
         (int) CLAMP ((x1 - 1) / self->core, 0, self->columns - 1);
}

/* Receives the results as they are computed. */
typedef struct
{
  gpointer data;
  /* A block of output OUTPUT at (X, Y) of the whole image, VG_TILE_BLOCK squared samples. */
  gboolean (*block) (gpointer data, guint output, int x, int y, const float *samples,
                     GError **error);
  /* The next part of a text; the output's id and ENDING make the file's name. */
  gboolean (*text) (gpointer data, guint output, const char *ending, const char *text, gsize length,
                    GError **error);
  /* The outline of object ID, for the preview: a closed ring of N points, x and y in turn, in
   * pixels of the whole image. */
  void (*ring) (gpointer data, guint32 id, const double *points, guint n);
} VgTileSink;

G_END_DECLS
