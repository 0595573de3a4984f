/* SPDX-License-Identifier: MIT */
/* What all pictures in levels share: the part that a reading asks for, and
 * the checks before a part is read. */
#include "vg-source-private.h"
#include <math.h>

gboolean
vg_source_take_part (VgSource *self, VgPyramid *pyramid, const VgReading *reading, GError **error)
{
  const VgRegion *region = reading->region;
  const VgLevel *level;
  double x0, y0, x1, y1;

  self->info.readings = VG_READING_LEVEL | VG_READING_REGION;
  if (reading->level >= pyramid->n_levels)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "%s has %d level%s, and --level is %d; choose from 0 to %d", self->name, pyramid->n_levels,
                   pyramid->n_levels == 1 ? "" : "s", reading->level, pyramid->n_levels - 1);
      return FALSE;
    }
  pyramid->level = reading->level;
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
      g_set_error (error, VG_USAGE_ERROR, 0, "--region is not a rectangle of %s, which is %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT
                   " pixels; write X,Y,WIDTH,HEIGHT in pixels of level 0", self->name, pyramid->levels[0].width, pyramid->levels[0].height);
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
               "%s is %dx%d pixels at level %d, more than the 4 GiB that can be read at once; take a coarser --level or a --region of it",
               self->name, self->info.width, self->info.height, self->pyramid->level);
  return FALSE;
}

gboolean
vg_source_read_region (VgSource *self, int level, gint64 x, gint64 y, int width, int height, guint8 *rgb, GError **error)
{
  const VgPyramid *pyramid = self->pyramid;

  g_return_val_if_fail (pyramid && level >= 0 && level < pyramid->n_levels, FALSE);
  g_return_val_if_fail (width > 0 && height > 0, FALSE);
  return self->class->read_region (self, level, x, y, width, height, rgb, error);
}
