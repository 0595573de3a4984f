/* SPDX-License-Identifier: MIT */
/* What all slides share: the region that the read options ask for, and reading
 * around damage. */
#include "io/source/vg-source-private.h"
#include <math.h>
#include <string.h>

/* Side of a damaged part if the file does not give the size of its tiles;
 * pixels that are read at once; failures in a row after which the file is taken
 * to be gone. */
enum { USUAL_SIDE = 256, MOST_SIDE = 4096, STRIP_PIXELS = 4 << 20, MOST_FAILURES = 64 };

gboolean
vg_source_set_slide_region (VgSource *self, VgPyramid *pyramid, const VgReadOptions *read_options,
                            GError **error)
{
  const VgRegion *region = read_options->region;
  const VgLevel *level;
  double x0, y0, x1, y1;

  self->info.readings = VG_READ_OPTIONS_LEVEL | VG_READ_OPTIONS_REGION;
  if (read_options->level >= pyramid->n_levels)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\" has %d level%s, but Level is %d; choose 0 to %d", self->name,
                   pyramid->n_levels, pyramid->n_levels == 1 ? "" : "s", read_options->level,
                   pyramid->n_levels - 1);
      return FALSE;
    }
  pyramid->level = read_options->level;
  level = &pyramid->levels[pyramid->level];
  x0 = y0 = 0;
  x1 = (double) level->width;
  y1 = (double) level->height;
  if (region)
    {
      x0 = MAX (floor (MIN (region->x[0], region->x[1]) / level->downsample + 1e-6), 0);
      y0 = MAX (floor (MIN (region->y[0], region->y[1]) / level->downsample + 1e-6), 0);
      x1 = MIN (ceil (MAX (region->x[0], region->x[1]) / level->downsample - 1e-6), x1);
      y1 = MIN (ceil (MAX (region->y[0], region->y[1]) / level->downsample - 1e-6), y1);
    }
  if (region && (region->kind != VG_REGION_RECTANGLE || !(x1 > x0) || !(y1 > y0)))
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the slide region is not a rectangle inside \"%s\", which has %" G_GINT64_FORMAT
                   "x%" G_GINT64_FORMAT " pixels; write X,Y,WIDTH,HEIGHT in pixels of level 0",
                   self->name, pyramid->levels[0].width, pyramid->levels[0].height);
      return FALSE;
    }
  pyramid->x = (gint64) x0;
  pyramid->y = (gint64) y0;
  self->info.downsample = level->downsample;
  self->info.origin[0] = x0 * level->downsample;
  self->info.origin[1] = y0 * level->downsample;
  self->info.width = (int) (x1 - x0);
  self->info.height = (int) (y1 - y0);
  return TRUE;
}

gboolean
vg_source_check_whole (const VgSource *self, GError **error)
{
  gsize bytes = vg_image_info_frame_bytes (&self->info);

  if (!self->pyramid || (bytes > 0 && bytes <= VG_SOURCE_MAX_FRAME_BYTES))
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "\"%s\" has %dx%d pixels at level %d, more than the 4 GiB that can be read at once; "
               "choose a coarser Level or a smaller slide region",
               self->name, self->info.width, self->info.height, self->pyramid->level);
  return FALSE;
}

gboolean
vg_source_read_region (VgSource *self, int level, gint64 x, gint64 y, int width, int height,
                       guint8 *rgb, GError **error)
{
  const VgPyramid *pyramid = self->pyramid;

  g_return_val_if_fail (pyramid && level >= 0 && level < pyramid->n_levels, FALSE);
  g_return_val_if_fail (width > 0 && height > 0, FALSE);
  return self->class->read_region (self, level, x, y, width, height, rgb, error);
}

/* Reads a strip of a level that could not be read at once, tile by tile. */
typedef struct
{
  VgSource *source;
  int level;
  gint64 x, y; /* of RGB */
  int width;
  guint8 *rgb, *cell;
  GArray *holes;
  guint failures;
} Around;

/* The end of the tile of the level's grid that contains AT. */
static gint64
end_of_piece (gint64 at, gint64 side, gint64 most)
{
  return MIN ((at / side + 1) * side, most);
}

static gboolean
read_cell (Around *self, gint64 x, gint64 y, int width, int height, GError **error)
{
  g_autoptr (GError) local = NULL;
  VgHole hole = { x, y, width, height };
  gsize row_bytes = 3 * (gsize) width;

  if (vg_source_read_region (self->source, self->level, x, y, width, height, self->cell, &local))
    self->failures = 0;
  else if (++self->failures >= MOST_FAILURES)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  else
    {
      memset (self->cell, 255, row_bytes * (gsize) height);
      if (self->holes)
        g_array_append_val (self->holes, hole);
    }
  for (int row = 0; row < height; row++)
    memcpy (self->rgb +
                3 * ((gsize) (y - self->y + row) * (gsize) self->width + (gsize) (x - self->x)),
            self->cell + (gsize) row * row_bytes, row_bytes);
  return TRUE;
}

gboolean
vg_source_read_around (VgSource *source, int level, gint64 x, gint64 y, int width, int height,
                       guint8 *rgb, GArray *holes, GError **error)
{
  const VgLevel *from = &source->pyramid->levels[level];
  int side_x = from->tile_width > 0 && from->tile_width <= MOST_SIDE ? from->tile_width
                                                                     : USUAL_SIDE;
  int side_y = from->tile_height > 0 && from->tile_height <= MOST_SIDE ? from->tile_height
                                                                       : USUAL_SIDE;
  gint64 strip = side_y * (gint64) MAX (STRIP_PIXELS / ((gint64) width * side_y), 1), next;
  g_autofree guint8 *cell = NULL;
  Around self = { source, level, x, y, width, rgb, NULL, holes, 0 };

  for (gint64 top = y; top < y + height; top = next)
    {
      next = end_of_piece (top, strip, y + height);
      if (vg_source_read_region (source, level, x, top, width, (int) (next - top),
                                 rgb + 3 * (gsize) (top - y) * (gsize) width, NULL))
        {
          self.failures = 0;
          continue;
        }
      if (!cell && !(cell = g_try_malloc (3 * (gsize) side_x * (gsize) side_y)))
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                       "there is not enough memory for a tile of \"%s\"", source->name);
          return FALSE;
        }
      self.cell = cell;
      for (gint64 row = top, below; row < next; row = below)
        {
          below = end_of_piece (row, side_y, next);
          for (gint64 column = x, right; column < x + width; column = right)
            {
              right = end_of_piece (column, side_x, x + width);
              if (!read_cell (&self, column, row, (int) (right - column), (int) (below - row),
                              error))
                return FALSE;
            }
        }
    }
  return TRUE;
}

gint64
vg_holes_pixels (const GArray *holes)
{
  gint64 sum = 0;

  for (guint i = 0; holes && i < holes->len; i++)
    sum += (gint64) g_array_index (holes, VgHole, i).width *
           g_array_index (holes, VgHole, i).height;
  return sum;
}

char *
vg_source_describe_holes (const VgSource *self, int level, const GArray *holes, gint64 pixels)
{
  double scale = self->pyramid->levels[level].downsample;
  const VgHole *first;

  if (!holes || holes->len == 0)
    return NULL;
  first = &g_array_index (holes, VgHole, 0);
  return g_strdup_printf ("\"%s\" is damaged: %.3g %% of this region could not be read, first at "
                          "%.0f, %.0f, and nothing is found there. Copy the file again.",
                          self->name,
                          100.0 * (double) vg_holes_pixels (holes) / (double) MAX (pixels, 1),
                          (double) first->x * scale, (double) first->y * scale);
}
