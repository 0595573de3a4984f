/* SPDX-License-Identifier: MIT */
/* OpenSlide (LGPL).  It ends its process if there is no memory.
 *
 * An OpenSlide handle cannot be used after an error, so it is closed then and
 * the next read opens the file again: a damaged tile costs one region. */
#include "io/slide/vg-slide-decoder.h"
#include "kernels/base/vg-error.h"
#include <openslide/openslide.h>
#include <string.h>
#include <tiffio.h>

typedef struct
{
  char *path;
  openslide_t *slide; /* NULL: closed after an error */
} Slide;

/* FALSE: SELF has an error, and is closed. */
static gboolean
check (Slide *self, GError **error)
{
  const char *reason = self->slide ? openslide_get_error (self->slide) : "OpenSlide cannot open it";

  if (!reason)
    return TRUE;
  g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, reason);
  g_clear_pointer (&self->slide, openslide_close);
  return FALSE;
}

static double
number_of (Slide *self, const char *property)
{
  const char *text = openslide_get_property_value (self->slide, property);

  return text ? g_ascii_strtod (text, NULL) : 0;
}

/* The side of a level's tiles; 0: it is not known. */
static int
tile_side (Slide *self, int level, const char *which)
{
  g_autofree char *name = g_strdup_printf ("openslide.level[%d].tile-%s", level, which);
  const char *text = openslide_get_property_value (self->slide, name);

  return text ? (int) CLAMP (g_ascii_strtoll (text, NULL, 10), 0, G_MAXINT) : 0;
}

static void
set_facts (Slide *self, const char *vendor, VgSlideFacts *facts)
{
  const char *unit = openslide_get_property_value (self->slide, "tiff.ResolutionUnit");
  double per_cm = g_strcmp0 (unit, "centimeter") == 0 ? 1
                  : g_strcmp0 (unit, "inch") == 0     ? 1 / 2.54
                                                      : 0;

  g_strlcpy (facts->vendor, vendor, sizeof facts->vendor);
  facts->n_levels = CLAMP (openslide_get_level_count (self->slide), 0, VG_SLIDE_LEVELS);
  for (int i = 0; i < facts->n_levels; i++)
    {
      VgLevel *level = &facts->levels[i];

      openslide_get_level_dimensions (self->slide, i, &level->width, &level->height);
      level->downsample = openslide_get_level_downsample (self->slide, i);
      level->tile_width = tile_side (self, i, "width");
      level->tile_height = tile_side (self, i, "height");
    }
  facts->power = number_of (self, OPENSLIDE_PROPERTY_NAME_OBJECTIVE_POWER);
  facts->mpp[0] = number_of (self, OPENSLIDE_PROPERTY_NAME_MPP_X);
  facts->mpp[1] = number_of (self, OPENSLIDE_PROPERTY_NAME_MPP_Y);
  facts->resolution[0] = per_cm * number_of (self, "tiff.XResolution");
  facts->resolution[1] = per_cm * number_of (self, "tiff.YResolution");
}

static void
decoder_close (gpointer file)
{
  Slide *self = file;

  g_clear_pointer (&self->slide, openslide_close);
  g_free (self->path);
  g_free (self);
}

/* OpenSlide's use of libtiff prints what our own handles keep to themselves. */
static void
silence_libtiff (void)
{
  static gsize done = 0;

  if (!g_once_init_enter (&done))
    return;
  TIFFSetErrorHandler (NULL);
  TIFFSetWarningHandler (NULL);
  g_once_init_leave (&done, 1);
}

static gpointer
decoder_open (const char *path, gpointer facts, GError **error)
{
  const char *vendor;
  Slide *self;

  silence_libtiff ();
  vendor = openslide_detect_vendor (path);
  if (!vendor)
    return NULL;
  self = g_new0 (Slide, 1);
  self->path = g_strdup (path);
  self->slide = openslide_open (path);
  if (!check (self, error))
    {
      decoder_close (self);
      return NULL;
    }
  set_facts (self, vendor, facts);
  return self;
}

static gboolean
decoder_read (gpointer file, const gint64 numbers[VG_DECODER_NUMBERS], gpointer result,
              gsize length, GError **error)
{
  Slide *self = file;

  if (!self->slide)
    {
      self->slide = openslide_open (self->path);
      if (!check (self, error))
        return FALSE;
    }
  openslide_read_region (self->slide, result, numbers[VG_SLIDE_X], numbers[VG_SLIDE_Y],
                         (int) numbers[VG_SLIDE_LEVEL], numbers[VG_SLIDE_WIDTH],
                         numbers[VG_SLIDE_HEIGHT]);
  return check (self, error);
}

const VgDecoder vg_slide_decoder = {
  .name = "slide",
  .facts = sizeof (VgSlideFacts),
  .seconds = 30,
  .memory = G_GINT64_CONSTANT (2) << 30,
  .open = decoder_open,
  .read = decoder_read,
  .close = decoder_close,
};
