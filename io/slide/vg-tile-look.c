/* SPDX-License-Identifier: MIT */
/* Chooses for a look at a slide the level, its tiles, and coarser ones in place
 * of those that are missing.  All but the last function need the lock. */
#include <math.h>
#include "io/slide/vg-tile-cache-private.h"
#include "io/slide/vg-tile-read.h"

/* A level may be coarser than the screen by 2^EARLIER, which is hardly visible and needs a quarter
 * of the tiles. */
#define EARLIER 0.1

/* Tiles of a level that are visible. */
typedef struct
{
  int level, x0, y0, x1, y1; /* columns and rows; x1 and y1 excluded */
} Range;

static Range
find_range (VgTileCache *self, const VgTileLook *look, int level, int margin)
{
  double side = ldexp (VG_SLIDE_TILE, level);
  Range range = { .level = level };
  int columns, rows;

  vg_tile_grid (&self->pyramid, level, &columns, &rows);
  range.x0 = (int) CLAMP (floor (look->x0 / side) - margin, 0, columns);
  range.y0 = (int) CLAMP (floor (look->y0 / side) - margin, 0, rows);
  range.x1 = (int) CLAMP (ceil (look->x1 / side) + margin, range.x0, columns);
  range.y1 = (int) CLAMP (ceil (look->y1 / side) + margin, range.y0, rows);
  return range;
}

static gsize
count (const Range *range)
{
  return (gsize) (range->x1 - range->x0) * (gsize) (range->y1 - range->y0);
}

static VgTileEntry *
find_entry (VgTileCache *self, int level, int column, int row)
{
  VgTileKey key = vg_tile_key (level, column, row);

  return g_hash_table_lookup (self->entries, &key);
}

/* The finest level that the screen resolves and whose tiles fit the memory. */
static int
choose_level (VgTileCache *self, const VgTileLook *look)
{
  gsize room = MAX (self->options.most_bytes / VG_TILE_BYTES, 4);
  int level = look->step > 1 ? (int) MIN (floor (log2 (look->step) + EARLIER), self->n_levels - 1)
                             : 0;

  for (; level < self->n_levels - 1; level++)
    {
      Range range = find_range (self, look, level, 0),
            parents = find_range (self, look, MIN (level + 1, self->n_levels - 1), 1);

      if (count (&range) + count (&parents) + 1 <= room)
        break;
    }
  return level;
}

typedef struct
{
  VgTileKey key;
  double away;
} Request;

static int
compare_requests (gconstpointer a, gconstpointer b)
{
  const Request *p = a, *q = b;

  return (p->away > q->away) - (p->away < q->away);
}

/* Requests the tiles of RANGE from its middle outwards; returns the number that are missing. */
static guint
want (VgTileCache *self, const Range *range)
{
  g_autoptr (GArray) requests = g_array_new (FALSE, FALSE, sizeof (Request));
  double x = 0.5 * (range->x0 + range->x1 - 1), y = 0.5 * (range->y0 + range->y1 - 1);

  for (int row = range->y0; row < range->y1; row++)
    for (int column = range->x0; column < range->x1; column++)
      {
        Request request = { vg_tile_key (range->level, column, row), hypot (column - x, row - y) };
        VgTileEntry *entry = find_entry (self, range->level, column, row);

        if (entry)
          entry->looked = self->look;
        else
          g_array_append_val (requests, request);
      }
  g_array_sort (requests, compare_requests);
  for (guint i = 0; i < requests->len; i++)
    g_array_append_val (self->wanted, g_array_index (requests, Request, i).key);
  return requests->len;
}

static void
draw (VgTileEntry *entry, guint64 look, GPtrArray *tiles)
{
  entry->looked = look;
  g_ptr_array_add (tiles, vg_slide_tile_ref (entry->tile));
}

/* Draws below each missing tile the finest coarser one that is present. */
static void
add_stand_ins (VgTileCache *self, const Range *range, GPtrArray *tiles)
{
  g_autoptr (GHashTable) added = g_hash_table_new (NULL, NULL);

  for (int level = self->n_levels - 2; level > range->level; level--)
    for (int row = range->y0; row < range->y1; row++)
      for (int column = range->x0; column < range->x1; column++)
        {
          int by = level - range->level;
          VgTileEntry *entry = find_entry (self, range->level, column, row)
                                   ? NULL
                                   : find_entry (self, level, column >> by, row >> by);

          if (entry && g_hash_table_add (added, entry))
            draw (entry, self->look, tiles);
        }
}

gboolean
vg_tile_cache_look (VgTileCache *self, const VgTileLook *look, GPtrArray *tiles)
{
  Range base, range, parents;
  guint missing = 1;

  g_mutex_lock (&self->mutex);
  g_array_set_size (self->wanted, 0);
  if (self->pyramid.n_levels > 0 && look->x1 > look->x0 && look->y1 > look->y0 && look->step > 0)
    {
      int level = choose_level (self, look);

      self->look++;
      base = (Range){ self->n_levels - 1, 0, 0, 1, 1 };
      range = find_range (self, look, level, 0);
      parents = find_range (self, look, MIN (level + 1, self->n_levels - 1), 1);
      missing = want (self, &base);
      missing += level < base.level ? want (self, &range) : 0;
      if (parents.level < base.level)
        want (self, &parents);
      if (find_entry (self, base.level, 0, 0))
        draw (find_entry (self, base.level, 0, 0), self->look, tiles);
      if (level < base.level)
        add_stand_ins (self, &range, tiles);
      for (int row = range.y0; row < range.y1 && level < base.level; row++)
        for (int column = range.x0; column < range.x1; column++)
          if (find_entry (self, level, column, row))
            draw (find_entry (self, level, column, row), self->look, tiles);
    }
  g_cond_broadcast (&self->wake);
  g_mutex_unlock (&self->mutex);
  return missing == 0;
}
