/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/shared/vg-slide-tile.h"
#include "io/source/vg-source.h"
/* The tiles of a slide that are displayed.  Threads of the cache read them; the
 * tiles displayed last stay in memory, up to a limit.  No call waits for a
 * read.  Only tiles that the newest call of vg_tile_cache_look needs are read. */
G_BEGIN_DECLS

typedef struct _VgTileCache VgTileCache;

typedef struct
{
  /* opens a source with a pyramid; called once on each thread */
  VgSource *(*open) (gpointer data, GError **error);
  /* called on the threads if there is more to draw, but not after closing */
  void (*arrived) (gpointer user);
  gpointer data;
  GDestroyNotify free_data;
  gpointer user;
  gsize most_bytes; /* of tiles; 0: 256 MiB */
  int n_threads;    /* 0: the number of processors, but 2 to 4 */
} VgTileCacheOptions;

/* What is visible. */
typedef struct
{
  double x0, y0, x1, y1; /* pixels of the slide's finest level */
  double step;           /* such pixels per pixel of the screen */
} VgTileLook;

typedef struct
{
  guint64 reads;           /* calls of vg_source_read_region */
  guint64 tiles;           /* read and stored */
  guint64 dropped;         /* read, but not needed any more then */
  gsize bytes, most_bytes; /* of tiles: now, and at most so far */
} VgTileCounts;

VgTileCache *vg_tile_cache_new (const VgTileCacheOptions *options);
/* Stops the threads; the last one that still reads frees all. */
void vg_tile_cache_close (VgTileCache *self);
/* FALSE: the slide is not open yet, or cannot be opened. */
gboolean vg_tile_cache_get_size (VgTileCache *self, double *width, double *height);
/* Adds references to the tiles to draw to TILES, the coarsest first, and requests those that are
 * missing, from the middle outwards.  TRUE: none is missing. */
gboolean vg_tile_cache_look (VgTileCache *self, const VgTileLook *look, GPtrArray *tiles);
/* Why something could not be read (g_free), or NULL; returned once. */
char *vg_tile_cache_take_trouble (VgTileCache *self);
void vg_tile_cache_get_counts (VgTileCache *self, VgTileCounts *counts);

G_END_DECLS
