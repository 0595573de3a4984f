/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/batch/vg-batch.h"
#include "app/staging/vg-staging.h"
/* The files of a batch run over the tiles of a slide.  Memory grows with the size of a tile, not
 * with that of the slide. */
G_BEGIN_DECLS

enum {
  VG_TILE_LEAST = 256,
  VG_TILE_MOST = 16384,
  VG_TILE_USUAL = 3072,
  VG_TILE_GPU = 2048,
  VG_TILE_MOST_HALO = 4096
};

typedef struct _VgTileFiles VgTileFiles;
/* The names of the files begin with PREFIX, which is borrowed.  NULL and an error: there is not
 * enough memory for the preview. */
VgTileFiles *vg_tile_files_new (VgStaging *staging, const char *prefix,
                                const VgOperation *operation, const VgTiling *tiling, gboolean gzip,
                                VgTileSink *sink, GError **error);
/* Has the table of objects tell in which of REGIONS (NULL-terminated, borrowed) they lie, and
 * writes the regions as GeoJSON. */
void vg_tile_files_set_regions (VgTileFiles *self, const VgNamedRegion *const *regions);
/* Adds TILE, 8-bit RGB with its corner at X, Y of the slide region, to the preview. */
void vg_tile_files_add_image (VgTileFiles *self, const VgImage *tile, int x, int y);
/* Completes the maps and the preview after the last block. */
gboolean vg_tile_files_finish_maps (VgTileFiles *self, const VgExportInfo *info, GError **error);
/* Completes the texts and the summary after the last text; INFO has the metrics. */
gboolean vg_tile_files_finish (VgTileFiles *self, VgWork *work, const VgExportInfo *info,
                               GError **error);
void vg_tile_files_free (VgTileFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgTileFiles, vg_tile_files_free)

G_END_DECLS
