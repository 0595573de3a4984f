/* SPDX-License-Identifier: MIT */
#include "kernels/shared/vg-slide-tile.h"
#include <math.h>
#include <string.h>

static guint64
next_serial (void)
{
  static GMutex mutex;
  static guint64 last;
  guint64 serial;

  g_mutex_lock (&mutex);
  serial = ++last;
  g_mutex_unlock (&mutex);
  return serial;
}

VgSlideTile *
vg_slide_tile_new (int level, double x, double y, int width, int height)
{
  VgSlideTile *self;
  guint8 *rgb;

  g_return_val_if_fail (
      width > 0 && width <= VG_SLIDE_TILE && height > 0 && height <= VG_SLIDE_TILE, NULL);
  rgb = g_try_malloc (3 * (gsize) width * (gsize) height);
  if (!rgb)
    return NULL;
  memset (rgb, 255, 3 * (gsize) width * (gsize) height);
  self = g_new0 (VgSlideTile, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->serial = next_serial ();
  self->level = level;
  self->x = x;
  self->y = y;
  self->right = x + ldexp (width, level);
  self->bottom = y + ldexp (height, level);
  self->width = width;
  self->height = height;
  self->rgb = rgb;
  return self;
}

/* Stripes of two greys: no stain looks like that. */
void
vg_slide_tile_hatch (VgSlideTile *self, int x0, int y0, int x1, int y1)
{
  self->damaged = TRUE;
  for (int y = MAX (y0, 0); y < MIN (y1, self->height); y++)
    for (int x = MAX (x0, 0); x < MIN (x1, self->width); x++)
      memset (self->rgb + 3 * ((gsize) y * (gsize) self->width + (gsize) x),
              (x + y) / 8 % 2 ? 96 : 136, 3);
}

gsize
vg_slide_tile_bytes (const VgSlideTile *self)
{
  return 3 * (gsize) self->width * (gsize) self->height;
}

VgSlideTile *
vg_slide_tile_ref (VgSlideTile *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
vg_slide_tile_unref (VgSlideTile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->rgb);
  g_free (self);
}
