/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/batch/vg-batch.h"
#include "app/staging/vg-staging.h"
/* A batch over the tiles of a slide.  Memory goes with the tile (the picture,
 * the engine's state, a second tile that is read ahead), not with the slide. */
G_BEGIN_DECLS

enum { VG_TILE_LEAST = 256, VG_TILE_MOST = 16384, VG_TILE_USUAL = 2048, VG_TILE_MOST_HALO = 4096 };

/* The files of a tiled run. */
typedef struct _VgTileFiles VgTileFiles;
VgTileFiles *vg_tile_files_new (VgStaging *staging, const VgOperation *operation,
                                const VgTiling *tiling, gboolean gzip, VgTileSink *sink);
/* What lies at (X, Y), for the preview: 8-bit RGB. */
void vg_tile_files_look (VgTileFiles *self, const VgImage *tile, int x, int y);
/* After the last block: maps and preview. */
gboolean vg_tile_files_finish_maps (VgTileFiles *self, const VgExportInfo *info, GError **error);
/* After the last text: texts and summary; INFO has the numbers. */
gboolean vg_tile_files_finish (VgTileFiles *self, VgWork *work, const VgExportInfo *info,
                               GError **error);
void vg_tile_files_free (VgTileFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTileFiles, vg_tile_files_free)

G_END_DECLS
