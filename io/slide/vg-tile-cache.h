/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/shared/vg-slide-tile.h"
#include "io/source/vg-source.h"
/* The tiles of a slide that its view shows, read by threads of their own and
 * kept within a bound of memory, those looked at last.  No call waits for a
 * read; all but the newest look's requests are forgotten. */
G_BEGIN_DECLS

typedef struct _VgTileCache VgTileCache;

typedef struct
{
  /* a source with a pyramid; on the threads, once on each */
  VgSource *(*open) (gpointer data, GError **error);
  /* there is more to see; on the threads, not after closing */
  void (*arrived) (gpointer user);
  gpointer data;
  GDestroyNotify free_data;
  gpointer user;
  gsize most_bytes; /* of tiles; 0: 256 MiB */
  int n_threads;    /* 0: as there are processors, 4 at most */
} VgTileCacheOptions;

/* What is visible. */
typedef struct
{
  double x0, y0, x1, y1; /* pixels of the slide's finest level */
  double step;           /* of those in a pixel of the screen */
} VgTileLook;

typedef struct
{
  guint64 reads;           /* calls of vg_source_read_region */
  guint64 tiles;           /* read and kept */
  guint64 dropped;         /* begun, but not wanted any more when they could have been ready */
  gsize bytes, most_bytes; /* of tiles now; at the fullest moment */
} VgTileCounts;

VgTileCache *vg_tile_cache_new (const VgTileCacheOptions *options);
/* Stops the threads; the last one that still reads frees all. */
void vg_tile_cache_close (VgTileCache *self);
/* FALSE: it is not open yet, or can't be opened. */
gboolean vg_tile_cache_get_size (VgTileCache *self, double *width, double *height);
/* Adds to TILES (references) what there is to draw, the coarsest first, and
 * asks for what is missing, from the middle on.  TRUE: nothing is. */
gboolean vg_tile_cache_look (VgTileCache *self, const VgTileLook *look, GPtrArray *tiles);
/* Why something could not be read, or NULL (g_free); told once. */
char *vg_tile_cache_take_trouble (VgTileCache *self);
void vg_tile_cache_get_counts (VgTileCache *self, VgTileCounts *counts);

G_END_DECLS
