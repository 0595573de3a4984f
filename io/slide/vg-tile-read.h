/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/shared/vg-slide-tile.h"
#include "io/source/vg-source.h"
/* Reads a slide at levels of the display, each half as fine as the one before,
 * up to one that is a single tile.  A tile is averaged from the coarsest level
 * of the file that is fine enough. */
G_BEGIN_DECLS

/* FALSE: the tile is not needed any more. */
typedef gboolean (*VgTileGoOn) (gpointer data);

/* The number of levels of the display; level 0 has the finest pixels. */
int vg_tile_n_levels (const VgPyramid *pyramid);
/* Columns and rows of tiles at LEVEL. */
void vg_tile_grid (const VgPyramid *pyramid, int level, int *columns, int *rows);
/* Reads a tile.  Parts that cannot be read are hatched, and *TROUBLE says why (g_free).  NULL:
 * GO_ON returned FALSE, or memory is short, as *TROUBLE then says.  Adds the number of calls of
 * vg_source_read_region to *READS. */
VgSlideTile *vg_tile_read (VgSource *source, int level, int column, int row, VgTileGoOn go_on,
                           gpointer data, guint64 *reads, char **trouble);

G_END_DECLS
