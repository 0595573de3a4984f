/* SPDX-License-Identifier: MIT */
/* Transposes as many pixels at a time as fill whole cache lines of a page and fit into the
 * second-level cache. */
#include "io/photon/vg-decay-cube.h"

enum { MAX_PIXELS = 128, TILE_BYTES = 512 << 10 };

#define DEFINE_SPREAD(name, From, To, get)                                                         \
  static void name (const guint8 *decays, gsize n, gsize bins, To *pages, gsize page)              \
  {                                                                                                \
    for (gsize bin = 0; bin < bins; bin++)                                                         \
      for (gsize i = 0; i < n; i++)                                                                \
        {                                                                                          \
          From value;                                                                              \
          memcpy (&value, decays + (i * bins + bin) * sizeof value, sizeof value);                 \
          pages[bin * page + i] = (To) get (value);                                                \
        }                                                                                          \
  }

static inline double
f64_from_le (guint64 bits)
{
  double value;

  bits = GUINT64_FROM_LE (bits);
  memcpy (&value, &bits, sizeof value);
  return value;
}

DEFINE_SPREAD (spread_u16, guint16, guint16, GUINT16_FROM_LE)
DEFINE_SPREAD (spread_u32, guint32, guint32, GUINT32_FROM_LE)
DEFINE_SPREAD (spread_f64, guint64, float, f64_from_le)

static void
spread (const VgDecayCube *self, const guint8 *decays, gsize n, void *pages, gsize first)
{
  gsize page = (gsize) self->width * (gsize) self->height, bins = (gsize) self->bins;

  if (self->type == VG_COUNTS_U16)
    spread_u16 (decays, n, bins, (guint16 *) pages + first, page);
  else if (self->type == VG_COUNTS_U32)
    spread_u32 (decays, n, bins, (guint32 *) pages + first, page);
  else
    spread_f64 (decays, n, bins, (float *) pages + first, page);
}

/* Reads and ignores the decays of PIXELS pixels. */
static gboolean
skip_pixels (VgInflate *stream, guint8 *buffer, gsize room, gint64 pixels, gsize decay_bytes,
             GError **error)
{
  while (pixels > 0)
    {
      gint64 n = MIN (pixels, (gint64) room);

      if (!vg_inflate_read (stream, buffer, (gsize) n * decay_bytes, error))
        return FALSE;
      pixels -= n;
    }
  return TRUE;
}

gboolean
vg_decay_cube_read (const VgDecayCube *self, VgInflate *stream, void *pages, GError **error)
{
  gsize decay_bytes = (gsize) self->bins * vg_counts_size (self->type);
  gsize room = CLAMP (TILE_BYTES / decay_bytes, 1, MAX_PIXELS);
  g_autofree guint8 *buffer = g_malloc (room * decay_bytes);

  if (!skip_pixels (stream, buffer, room, self->skip, decay_bytes, error))
    return FALSE;
  for (int y = 0; y < self->height; y++)
    {
      for (gsize x = 0; x < (gsize) self->width; x += room)
        {
          gsize n = MIN (room, (gsize) self->width - x);

          if (!vg_inflate_read (stream, buffer, n * decay_bytes, error))
            return FALSE;
          spread (self, buffer, n, pages, (gsize) y * (gsize) self->width + x);
        }
      if (y + 1 < self->height &&
          !skip_pixels (stream, buffer, room, self->stored_width - self->width, decay_bytes, error))
        return FALSE;
    }
  return TRUE;
}
