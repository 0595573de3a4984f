/* SPDX-License-Identifier: MIT */
#include "io/slide/vg-tile-cache-private.h"
#include <math.h>
#include "io/slide/vg-tile-read.h"

#define USUAL_BYTES ((gsize) 256 << 20)
enum { LEAST_THREADS = 2, MOST_THREADS = 4 };

typedef struct
{
  VgTileCache *cache;
  int number;
  VgTileKey key;
} Thread;

static void
entry_free (gpointer data)
{
  vg_slide_tile_unref (((VgTileEntry *) data)->tile);
  g_free (data);
}

static void
unref (VgTileCache *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->options.free_data)
    self->options.free_data (self->options.data);
  g_hash_table_unref (self->entries);
  g_array_unref (self->wanted);
  g_free (self->in_hand);
  g_free (self->pyramid.levels);
  g_free (self->trouble);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->wake);
  g_free (self);
}

/* ---- Threads: called with the lock, unless the comment says otherwise ---- */

static void
notify (VgTileCache *self)
{
  if (!self->closing && self->options.arrived)
    self->options.arrived (self->options.user);
}

static void
note_trouble (VgTileCache *self, char *why)
{
  if (self->trouble)
    g_free (why);
  else
    self->trouble = why;
}

static gboolean
is_wanted (VgTileCache *self, VgTileKey key)
{
  for (guint i = 0; i < self->wanted->len; i++)
    if (g_array_index (self->wanted, VgTileKey, i) == key)
      return TRUE;
  return FALSE;
}

/* Not read again until the next look. */
static void
forget_wanted (VgTileCache *self, VgTileKey key)
{
  for (guint i = 0; i < self->wanted->len; i++)
    if (g_array_index (self->wanted, VgTileKey, i) == key)
      g_array_remove_index (self->wanted, i--);
}

/* The most urgent tile that no thread reads; 0: none. */
static VgTileKey
next_wanted (VgTileCache *self)
{
  for (guint i = 0; i < self->wanted->len; i++)
    {
      VgTileKey key = g_array_index (self->wanted, VgTileKey, i);
      gboolean busy = g_hash_table_contains (self->entries, &key);

      for (int k = 0; k < self->n_threads; k++)
        busy = busy || self->in_hand[k] == key;
      if (!busy)
        return key;
    }
  return 0;
}

/* Makes room for BYTES, dropping the tiles displayed longest ago; FALSE: all are displayed. */
static gboolean
make_room (VgTileCache *self, gsize bytes)
{
  while (self->counts.bytes + bytes > self->options.most_bytes)
    {
      GHashTableIter iter;
      gpointer key, oldest = NULL;
      VgTileEntry *entry, *least = NULL;

      g_hash_table_iter_init (&iter, self->entries);
      while (g_hash_table_iter_next (&iter, &key, (gpointer *) &entry))
        if (entry->looked < self->look && (!least || entry->looked < least->looked))
          {
            least = entry;
            oldest = key;
          }
      if (!least)
        return FALSE;
      self->counts.bytes -= vg_slide_tile_bytes (least->tile);
      g_hash_table_remove (self->entries, oldest);
    }
  return TRUE;
}

/* Owns TILE. */
static void
store_tile (VgTileCache *self, VgTileKey key, VgSlideTile *tile)
{
  gsize bytes = vg_slide_tile_bytes (tile);
  gboolean wanted = is_wanted (self, key);
  VgTileEntry *entry;

  if (!make_room (self, bytes))
    {
      self->counts.dropped++;
      vg_slide_tile_unref (tile);
      forget_wanted (self, key);
      return;
    }
  entry = g_new0 (VgTileEntry, 1);
  entry->tile = tile;
  entry->looked = wanted ? self->look : self->look - 1;
  g_hash_table_insert (self->entries, g_memdup2 (&key, sizeof key), entry);
  self->counts.tiles++;
  self->counts.bytes += bytes;
  self->counts.most_bytes = MAX (self->counts.most_bytes, self->counts.bytes);
}

/* Without the lock, between reads. */
static gboolean
is_still_wanted (gpointer data)
{
  Thread *thread = data;
  VgTileCache *self = thread->cache;
  gboolean wanted;

  g_mutex_lock (&self->mutex);
  wanted = !self->closing && is_wanted (self, thread->key);
  g_mutex_unlock (&self->mutex);
  return wanted;
}

/* Without the lock. */
static VgSource *
open_source (VgTileCache *self, char **why)
{
  g_autoptr (GError) error = NULL;
  VgSource *source = self->options.open (self->options.data, &error);

  if (source && source->pyramid && source->pyramid->n_levels > 0)
    return source;
  *why = g_strdup (error ? error->message : "it has no levels");
  vg_source_close (source);
  return NULL;
}

static void
set_pyramid (VgTileCache *self, const VgPyramid *pyramid)
{
  if (self->pyramid.n_levels > 0)
    return;
  self->pyramid = *pyramid;
  self->pyramid.levels = g_memdup2 (pyramid->levels,
                                    (gsize) pyramid->n_levels * sizeof *pyramid->levels);
  self->n_levels = vg_tile_n_levels (pyramid);
}

/* A tile of which nothing could be read. */
static VgSlideTile *
make_hole (VgTileCache *self, int level, int column, int row)
{
  double side = ldexp (VG_SLIDE_TILE, level), x = column * side, y = row * side;
  double right = MIN (x + side, (double) self->pyramid.levels[0].width),
         bottom = MIN (y + side, (double) self->pyramid.levels[0].height);
  VgSlideTile *tile = vg_slide_tile_new (level, x, y, (int) ceil (ldexp (right - x, -level)),
                                         (int) ceil (ldexp (bottom - y, -level)));

  if (!tile)
    return NULL;
  tile->right = right;
  tile->bottom = bottom;
  vg_slide_tile_hatch (tile, 0, 0, tile->width, tile->height);
  return tile;
}

/* Without the lock. */
static VgSlideTile *
read_tile (Thread *thread, VgSource **source, guint64 *reads, char **why)
{
  VgTileCache *self = thread->cache;
  VgTileKey place = thread->key & (((VgTileKey) 1 << 58) - 1);
  int level = (int) (thread->key >> 58) - 1, row = (int) (place >> 29),
      column = (int) (place & ((1 << 29) - 1));

  if (!*source)
    *source = open_source (self, why);
  if (!*source)
    return make_hole (self, level, column, row);
  return vg_tile_read (*source, level, column, row, is_still_wanted, thread, reads, why);
}

static void
do_next (Thread *thread, VgSource **source)
{
  VgTileCache *self = thread->cache;
  VgSlideTile *tile;
  guint64 reads = 0;
  char *why = NULL;

  self->in_hand[thread->number] = thread->key;
  g_mutex_unlock (&self->mutex);
  tile = read_tile (thread, source, &reads, &why);
  g_mutex_lock (&self->mutex);
  self->in_hand[thread->number] = 0;
  self->counts.reads += reads;
  if (why)
    note_trouble (self, why);
  if (tile)
    store_tile (self, thread->key, tile);
  else
    self->counts.dropped++;
  if (!tile && why) /* no memory */
    forget_wanted (self, thread->key);
  notify (self);
}

/* Opens the slide, whose size all looks need. */
static VgSource *
open_first (VgTileCache *self)
{
  VgSource *source;
  char *why = NULL;

  self->opening = TRUE;
  g_mutex_unlock (&self->mutex);
  source = open_source (self, &why);
  g_mutex_lock (&self->mutex);
  if (source)
    set_pyramid (self, source->pyramid);
  else
    note_trouble (self, why);
  notify (self);
  return source;
}

static gpointer
work (gpointer data)
{
  g_autofree Thread *thread = data;
  VgTileCache *self = thread->cache;
  VgSource *source = NULL;

  g_mutex_lock (&self->mutex);
  if (!self->opening)
    source = open_first (self);
  while (!self->closing)
    {
      thread->key = self->pyramid.n_levels > 0 ? next_wanted (self) : 0;
      if (thread->key)
        do_next (thread, &source);
      else
        g_cond_wait (&self->wake, &self->mutex);
    }
  g_mutex_unlock (&self->mutex);
  vg_source_close (source);
  unref (self);
  return NULL;
}

VgTileCache *
vg_tile_cache_new (const VgTileCacheOptions *options)
{
  VgTileCache *self = g_new0 (VgTileCache, 1);

  self->options = *options;
  if (self->options.most_bytes == 0)
    self->options.most_bytes = USUAL_BYTES;
  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->wake);
  self->entries = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, entry_free);
  self->wanted = g_array_new (FALSE, FALSE, sizeof (VgTileKey));
  self->n_threads = options->n_threads > 0
                        ? options->n_threads
                        : (int) CLAMP (g_get_num_processors (), LEAST_THREADS, MOST_THREADS);
  self->in_hand = g_new0 (VgTileKey, self->n_threads);
  self->look = 1;
  for (int i = 0; i < self->n_threads; i++)
    {
      Thread *thread = g_new0 (Thread, 1);

      thread->cache = self;
      thread->number = i;
      g_atomic_ref_count_inc (&self->ref_count);
      g_thread_unref (g_thread_new ("slide", work, thread));
    }
  return self;
}

void
vg_tile_cache_close (VgTileCache *self)
{
  if (!self)
    return;
  g_mutex_lock (&self->mutex);
  self->closing = TRUE;
  g_cond_broadcast (&self->wake);
  g_mutex_unlock (&self->mutex);
  unref (self);
}

gboolean
vg_tile_cache_get_size (VgTileCache *self, double *width, double *height)
{
  gboolean open;

  g_mutex_lock (&self->mutex);
  open = self->pyramid.n_levels > 0;
  *width = open ? (double) self->pyramid.levels[0].width : 0;
  *height = open ? (double) self->pyramid.levels[0].height : 0;
  g_mutex_unlock (&self->mutex);
  return open;
}

char *
vg_tile_cache_take_trouble (VgTileCache *self)
{
  char *trouble = NULL;

  g_mutex_lock (&self->mutex);
  if (self->trouble && !self->reported)
    trouble = g_strdup (self->trouble);
  self->reported = self->reported || trouble;
  g_mutex_unlock (&self->mutex);
  return trouble;
}

void
vg_tile_cache_get_counts (VgTileCache *self, VgTileCounts *counts)
{
  g_mutex_lock (&self->mutex);
  *counts = self->counts;
  g_mutex_unlock (&self->mutex);
}
