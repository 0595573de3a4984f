/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/shared/vg-slide-tile.h"
#include "io/source/vg-source.h"
/* A slide in levels of a view's own, each half as fine as the one before, down
 * to one that is a single tile, whatever levels the file has: a tile is read
 * from the coarsest level of the file that is fine enough, and averaged. */
G_BEGIN_DECLS

/* FALSE: what is read is not wanted any more. */
typedef gboolean (*VgTileGoOn) (gpointer data);

/* As many as there are; level 0 has the slide's finest pixels. */
int vg_tile_n_levels (const VgPyramid *pyramid);
/* Columns and rows of tiles at LEVEL. */
void vg_tile_grid (const VgPyramid *pyramid, int level, int *columns, int *rows);
/* Parts that can't be read are hatched, and *TROUBLE says why (g_free); NULL:
 * GO_ON said no, or there is no memory, which *TROUBLE tells then.  READS
 * counts calls of vg_source_read_region. */
VgSlideTile *vg_tile_read (VgSource *source, int level, int column, int row, VgTileGoOn go_on,
                           gpointer data, guint64 *reads, char **trouble);

G_END_DECLS
