/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/slide/vg-tile-cache.h"
/* Shared by the threads (vg-tile-cache.c) and the looks (vg-tile-look.c). */
G_BEGIN_DECLS

enum { VG_TILE_BYTES = 3 * VG_SLIDE_TILE * VG_SLIDE_TILE };

typedef struct
{
  VgSlideTile *tile;
  guint64 looked; /* number of the look that needed it last */
} VgTileEntry;

/* Level, row and column of a tile; 0: none. */
typedef guint64 VgTileKey;

struct _VgTileCache
{
  VgTileCacheOptions options;
  gatomicrefcount ref_count; /* the owner's and one for each thread */
  GMutex mutex;
  GCond wake;
  gboolean closing, opening; /* opening: a thread opens the slide */
  VgPyramid pyramid;         /* a copy; n_levels 0: not open yet */
  int n_levels;              /* of the view */
  GHashTable *entries;       /* VgTileKey to VgTileEntry */
  GArray *wanted;            /* of VgTileKey: what the newest look needs, most urgent first */
  VgTileKey *in_hand;        /* what each thread reads */
  int n_threads;
  guint64 look;
  char *trouble;
  gboolean reported; /* `trouble` was returned */
  VgTileCounts counts;
};

static inline VgTileKey
vg_tile_key (int level, int column, int row)
{
  return (guint64) (level + 1) << 58 | (guint64) row << 29 | (guint64) column;
}

G_END_DECLS
