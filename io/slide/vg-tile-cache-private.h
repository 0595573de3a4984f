/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/slide/vg-tile-cache.h"
/* Shared by the threads (vg-tile-cache.c) and the looks (vg-tile-look.c). */
G_BEGIN_DECLS

enum { VG_TILE_BYTES = 3 * VG_SLIDE_TILE * VG_SLIDE_TILE };

typedef struct
{
  VgSlideTile *tile;
  guint64 looked; /* the look that wanted it last */
} VgTileEntry;

/* Level, row and column; 0 is none. */
typedef guint64 VgTileKey;

struct _VgTileCache
{
  VgTileCacheOptions options;
  gatomicrefcount ref_count; /* the owner's and one for each thread */
  GMutex mutex;
  GCond wake;
  gboolean closing, opening; /* opening: a thread does */
  VgPyramid pyramid;         /* a copy; n_levels 0: not open yet */
  int n_levels;              /* of the view */
  GHashTable *entries;       /* VgTileKey to VgTileEntry */
  GArray *wanted;            /* of VgTileKey: by the newest look, first the most urgent */
  VgTileKey *in_hand;        /* of each thread */
  int n_threads;
  guint64 look;
  char *trouble;
  gboolean told;
  VgTileCounts counts;
};

static inline VgTileKey
vg_tile_key (int level, int column, int row)
{
  return (guint64) (level + 1) << 58 | (guint64) row << 29 | (guint64) column;
}

G_END_DECLS
