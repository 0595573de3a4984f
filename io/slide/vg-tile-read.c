/* SPDX-License-Identifier: MIT */
#include "io/slide/vg-tile-read.h"
#include <math.h>

/* Side of a piece that is read at once.  A piece that fails is halved down to
 * the least, so that little more than the damage is lost.  After so many
 * failures in a row the file is taken to be gone. */
enum { PIECE = 1024, LEAST_PIECE = 64, MOST_FAILURES = 64, MOST_LEVELS = 31 };
/* Side of the part of the file behind one tile, px: more would take minutes, and overflow sums. */
enum { MOST_SPAN = 1 << 17 };
/* A level of the file may be so much coarser than the tile. */
#define TOLERANCE 1.02

typedef struct
{
  int x0, y0, x1, y1; /* of a tile */
} Box;

typedef struct
{
  VgSource *source;
  int from; /* level of the file */
  VgSlideTile *tile;
  int *columns; /* of the tile, for the file's columns from x on */
  int *rows;
  gint64 x, y;
  guint32 *sums; /* red, green, blue, number for each pixel of the tile */
  guint8 *rgb;
  GArray *holes; /* of Box */
  int failures;
  VgTileGoOn go_on;
  gpointer data;
  guint64 *reads;
  char **trouble;
} Reader;

int
vg_tile_n_levels (const VgPyramid *pyramid)
{
  gint64 side = MAX (pyramid->levels[0].width, pyramid->levels[0].height);
  int n = 1;

  while (n < MOST_LEVELS && side > (gint64) VG_SLIDE_TILE << (n - 1))
    n++;
  return n;
}

void
vg_tile_grid (const VgPyramid *pyramid, int level, int *columns, int *rows)
{
  gint64 side = (gint64) VG_SLIDE_TILE << level;

  *columns = (int) ((pyramid->levels[0].width + side - 1) / side);
  *rows = (int) ((pyramid->levels[0].height + side - 1) / side);
}

/* The coarsest level of the file that is as fine as LEVEL of the view. */
static int
find_level (const VgPyramid *pyramid, int level)
{
  int found = 0;

  for (int i = 1; i < pyramid->n_levels; i++)
    if (pyramid->levels[i].downsample <= ldexp (TOLERANCE, level))
      found = i;
  return found;
}

/* Maps N pixels of the file along an axis to pixels of the tile. */
static int *
map_axis (gint64 first, int n, double downsample, double start, int level, int size)
{
  int *map = g_new (int, n);

  for (int i = 0; i < n; i++)
    map[i] = CLAMP ((int) floor (ldexp (((double) (first + i) + 0.5) * downsample - start, -level)),
                    0, size - 1);
  return map;
}

static void
add (Reader *self, int x, int y, int width, int height)
{
  for (int j = 0; j < height; j++)
    {
      guint32 *row = self->sums + 4 * (gsize) self->rows[y + j] * (gsize) self->tile->width;
      const guint8 *from = self->rgb + 3 * (gsize) j * (gsize) width;

      for (int i = 0; i < width; i++, from += 3)
        {
          guint32 *sum = row + 4 * self->columns[x + i];

          sum[0] += from[0];
          sum[1] += from[1];
          sum[2] += from[2];
          sum[3]++;
        }
    }
}

static void
leave_hole (Reader *self, int x, int y, int width, int height)
{
  Box box = { self->columns[x], self->rows[y], self->columns[x + width - 1] + 1,
              self->rows[y + height - 1] + 1 };

  g_array_append_val (self->holes, box);
}

/* FALSE: the tile is not needed any more. */
static gboolean
read_piece (Reader *self, int x, int y, int width, int height)
{
  g_autoptr (GError) error = NULL;
  int half;

  if (!self->go_on (self->data))
    return FALSE;
  if (self->failures < MOST_FAILURES)
    {
      ++*self->reads;
      if (vg_source_read_region (self->source, self->from, self->x + x, self->y + y, width, height,
                                 self->rgb, &error))
        {
          self->failures = 0;
          add (self, x, y, width, height);
          return TRUE;
        }
      self->failures++;
      if (*self->trouble == NULL)
        *self->trouble = g_strdup (error->message);
    }
  if (self->failures >= MOST_FAILURES || (width <= LEAST_PIECE && height <= LEAST_PIECE))
    {
      leave_hole (self, x, y, width, height);
      return TRUE;
    }
  half = MAX (width, height) / 2;
  return width >= height ? read_piece (self, x, y, half, height) &&
                               read_piece (self, x + half, y, width - half, height)
                         : read_piece (self, x, y, width, half) &&
                               read_piece (self, x, y + half, width, height - half);
}

/* For each pixel of the tile the nearest one at or before it that has a pixel of the file: a level
 * that is a little too coarse leaves some out. */
static int *
find_filled (const int *map, int n, int size)
{
  int *filled = g_new0 (int, size);

  for (int i = 0; i < n; i++)
    filled[map[i]] = map[i];
  for (int i = 1; i < size; i++)
    if (filled[i] == 0)
      filled[i] = filled[i - 1];
  return filled;
}

static void
finish (Reader *self, int width, int height)
{
  VgSlideTile *tile = self->tile;
  g_autofree int *columns = find_filled (self->columns, width, tile->width);
  g_autofree int *rows = find_filled (self->rows, height, tile->height);

  for (int y = 0; y < tile->height; y++)
    for (int x = 0; x < tile->width; x++)
      {
        const guint32 *sum = self->sums +
                             4 * ((gsize) rows[y] * (gsize) tile->width + (gsize) columns[x]);
        guint8 *rgb = tile->rgb + 3 * ((gsize) y * (gsize) tile->width + (gsize) x);

        for (int c = 0; c < 3 && sum[3] > 0; c++)
          rgb[c] = (guint8) ((sum[c] + sum[3] / 2) / sum[3]);
      }
  for (guint i = 0; i < self->holes->len; i++)
    {
      const Box *box = &g_array_index (self->holes, Box, i);

      vg_slide_tile_hatch (tile, box->x0, box->y0, box->x1, box->y1);
    }
}

/* WIDTH x HEIGHT pixels of the file in pieces. */
static gboolean
read_pieces (Reader *self, int width, int height)
{
  for (int y = 0; y < height; y += PIECE)
    for (int x = 0; x < width; x += PIECE)
      if (!read_piece (self, x, y, MIN (PIECE, width - x), MIN (PIECE, height - y)))
        return FALSE;
  return TRUE;
}

/* The pixels of a level, SIZE along the axis, between START and END, px of level 0. */
static int
cut (double start, double end, double downsample, gint64 size, gint64 *first)
{
  *first = CLAMP (llround (start / downsample), 0, size - 1);
  return (int) MAX (MIN (llround (end / downsample), size) - *first, 1);
}

VgSlideTile *
vg_tile_read (VgSource *source, int level, int column, int row, VgTileGoOn go_on, gpointer data,
              guint64 *reads, char **trouble)
{
  const VgPyramid *pyramid = source->pyramid;
  double side = ldexp (VG_SLIDE_TILE, level), x = column * side, y = row * side;
  double right = MIN (x + side, (double) pyramid->levels[0].width),
         bottom = MIN (y + side, (double) pyramid->levels[0].height);
  g_autoptr (VgSlideTile) tile = vg_slide_tile_new (
      level, x, y, (int) ceil (ldexp (right - x, -level)), (int) ceil (ldexp (bottom - y, -level)));
  Reader self = { .source = source,
                  .from = find_level (pyramid, level),
                  .tile = tile,
                  .go_on = go_on,
                  .data = data,
                  .reads = reads,
                  .trouble = trouble };
  const VgLevel *from = &pyramid->levels[self.from];
  int width = cut (x, right, from->downsample, from->width, &self.x),
      height = cut (y, bottom, from->downsample, from->height, &self.y);
  g_autofree guint32 *sums = tile ? g_try_malloc0_n ((gsize) tile->width * (gsize) tile->height,
                                                     4 * sizeof *sums)
                                  : NULL;
  g_autofree guint8 *rgb = g_try_malloc (3 * (gsize) MIN (width, PIECE) *
                                         (gsize) MIN (height, PIECE));
  g_autofree int *columns = NULL, *rows = NULL;
  g_autoptr (GArray) holes = g_array_new (FALSE, FALSE, sizeof (Box));

  if (tile && (width > MOST_SPAN || height > MOST_SPAN))
    {
      *trouble = g_strdup_printf (
          "\"%s\" has no level that is coarse enough to show the whole slide; zoom in",
          source->name);
      vg_slide_tile_hatch (tile, 0, 0, tile->width, tile->height);
      return g_steal_pointer (&tile);
    }
  if (!sums || !rgb)
    {
      *trouble = g_strdup_printf ("there is not enough memory for a tile of \"%s\"", source->name);
      return NULL;
    }
  tile->right = right;
  tile->bottom = bottom;
  self.sums = sums;
  self.rgb = rgb;
  self.holes = holes;
  self.columns = columns = map_axis (self.x, width, from->downsample, x, level, tile->width);
  self.rows = rows = map_axis (self.y, height, from->downsample, y, level, tile->height);
  if (!read_pieces (&self, width, height))
    return NULL;
  finish (&self, width, height);
  return g_steal_pointer (&tile);
}
