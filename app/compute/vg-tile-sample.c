/* SPDX-License-Identifier: MIT */
/* Samples a slide that is too large to be read whole. */
#include "app/compute/vg-tile-sample.h"
#include <math.h>
#include <string.h>

enum { SAMPLE_SIDE = 3072, PATCH = 256, PATCHES = SAMPLE_SIDE / PATCH };
/* Darker than the glass by this much, of 255, on average. */
#define LEAST_STAINED 8.0

/* A patch's place on the level, and how much darker than the glass it is. */
typedef struct
{
  gint64 x, y;
  double stained;
} Patch;

/* The coarsest level on which a patch is still a few pixels. */
static int
coarse_level (const VgPyramid *pyramid)
{
  int level = pyramid->level;

  while (level + 1 < pyramid->n_levels &&
         pyramid->levels[level + 1].downsample <= 32 * pyramid->levels[pyramid->level].downsample)
    level++;
  return level;
}

/* By how much the darkest channel of a patch is below white. */
static gboolean
measure (VgSource *source, int level, Patch *patch, GError **error)
{
  const VgPyramid *pyramid = source->pyramid;
  double scale = pyramid->levels[level].downsample / pyramid->levels[pyramid->level].downsample,
         sum = 0;
  int side = MAX ((int) (PATCH / scale), 1);
  g_autofree guint8 *rgb = g_malloc (3 * (gsize) side * (gsize) side);

  if (!vg_source_read_around (source, level, (gint64) ((double) patch->x / scale),
                              (gint64) ((double) patch->y / scale), side, side, rgb, NULL, error))
    return FALSE;
  for (int i = 0; i < side * side; i++)
    sum += 255 - MIN (MIN (rgb[3 * i], rgb[3 * i + 1]), rgb[3 * i + 2]);
  patch->stained = sum / ((double) side * side);
  return TRUE;
}

/* The Ith of places that fill the level evenly and follow no step in either direction (multiples of
 * the powers of the inverse of the real root of x^3 = x + 1): what repeats on a slide is not met at
 * the same place again and again. */
static Patch
place_patch (const VgLevel *level, guint i)
{
  double u = fmod (0.5 + (i + 1) * 0.7548776662466927, 1.0),
         v = fmod (0.5 + (i + 1) * 0.5698402909980532, 1.0);

  return (Patch){ (gint64) (u * (double) (level->width - PATCH)),
                  (gint64) (v * (double) (level->height - PATCH)), 0.0 };
}

static gboolean
choose (VgSource *source, GArray *patches, GError **error)
{
  const VgPyramid *pyramid = source->pyramid;
  const VgLevel *all = &pyramid->levels[pyramid->level];
  int level = coarse_level (pyramid);
  guint wanted = PATCHES * PATCHES, stained = 0;
  /* from the finest level alone only as many as can be read in a moment */
  guint most = (level > pyramid->level ? 24 : 3) * wanted;

  for (guint i = 0; i < most && stained < wanted; i++)
    {
      Patch patch = place_patch (all, i);

      if (!measure (source, level, &patch, error))
        return FALSE;
      stained += patch.stained >= LEAST_STAINED;
      g_array_append_val (patches, patch);
    }
  for (guint i = patches->len; i-- > 0 && stained >= wanted;)
    if (g_array_index (patches, Patch, i).stained < LEAST_STAINED)
      g_array_remove_index (patches, i);
  g_array_set_size (patches, MIN (wanted, patches->len));
  return TRUE;
}

static gboolean
read_patches (VgSource *source, const GArray *patches, VgImage *image, GError **error)
{
  const VgPyramid *pyramid = source->pyramid;
  g_autofree guint8 *rgb = g_malloc (3 * PATCH * PATCH);

  for (guint i = 0; i < patches->len; i++)
    {
      const Patch *patch = &g_array_index (patches, Patch, i);
      guint8 *corner = (guint8 *) image->data +
                       3 * ((gsize) (i / PATCHES) * PATCH * (gsize) image->info.width +
                            (gsize) (i % PATCHES) * PATCH);

      if (!vg_source_read_around (source, pyramid->level, patch->x, patch->y, PATCH, PATCH, rgb,
                                  NULL, error))
        return FALSE;
      for (int y = 0; y < PATCH; y++)
        memcpy (corner + 3 * (gsize) y * (gsize) image->info.width, rgb + 3 * y * PATCH, 3 * PATCH);
    }
  return TRUE;
}

VgImage *
vg_tile_sample (VgSource *source, GError **error)
{
  const VgPyramid *pyramid = source->pyramid;
  g_autoptr (GArray) patches = g_array_new (FALSE, FALSE, sizeof (Patch));
  g_autoptr (VgImage) image = NULL;
  const VgLevel *all = &pyramid->levels[pyramid->level];
  VgImageInfo info = source->info;
  gboolean whole;

  info.width = (int) all->width;
  info.height = (int) all->height;
  whole = all->width * all->height <= SAMPLE_SIDE * SAMPLE_SIDE || info.width < PATCH ||
          info.height < PATCH;

  if (!whole && !choose (source, patches, error))
    return NULL;
  if (!whole)
    {
      /* a last row that is not full would show through as black */
      g_array_set_size (patches, MAX (patches->len / PATCHES, 1) * PATCHES > patches->len
                                     ? patches->len
                                     : patches->len / PATCHES * PATCHES);
      info.width = (int) MIN (patches->len, (guint) PATCHES) * PATCH;
      info.height = (int) ((patches->len + PATCHES - 1) / PATCHES) * PATCH;
    }
  image = vg_image_new (&info, source->name, error);
  if (image == NULL)
    return NULL;
  if (whole ? vg_source_read_around (source, pyramid->level, 0, 0, info.width, info.height,
                                     image->data, NULL, error)
            : read_patches (source, patches, image, error))
    return g_steal_pointer (&image);
  return NULL;
}
