/* SPDX-License-Identifier: MIT */
/* Whole slides through OpenSlide (LGPL): regions of one level are read on
 * demand.  Transparent pixels, which were not scanned, are white.
 *
 * An OpenSlide handle cannot be used after an error, so it is closed then and
 * the next read opens the file again: a damaged tile costs one region. */
#include "io/source/vg-resolution.h"
#include "io/source/vg-source-private.h"
#include <math.h>
#include <openslide/openslide.h>
#include <string.h>
#include <tiffio.h>

/* Rows are decoded in bands of at most BAND_PIXELS; a tile has at most MOST_TILE pixels. */
enum { BAND_PIXELS = 4 << 20, MOST_LEVELS = 64, MOST_TILE = 64 << 20 };
/* Pixels from which a tiled image without reduced copies is a slide. */
#define LEAST_SLIDE (G_GINT64_CONSTANT (1) << 26)

typedef struct
{
  VgSource parent;
  VgPyramid pyramid;
  char *path;
  int left_out;       /* levels */
  openslide_t *slide; /* NULL: closed after an error */
  GMutex mutex;
} VgSlideSource;

static void
set_slide_error (const char *name, const char *reason, GError **error)
{
  g_autofree char *line = g_utf8_make_valid (reason ? reason : "no reason is given", -1);

  g_strdelimit (line, "\r\n\t", ' ');
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "the slide \"%s\" is damaged or cut short (%s); copy it again", name,
               g_strstrip (line));
}

/* A handle without an error; or NULL. */
static openslide_t *
open_slide (const char *path, const char *name, GError **error)
{
  openslide_t *slide = openslide_open (path);
  const char *reason = slide ? openslide_get_error (slide) : "OpenSlide cannot open it";

  if (reason)
    {
      set_slide_error (name, reason, error);
      g_clear_pointer (&slide, openslide_close);
    }
  return slide;
}

/* Premultiplied ARGB over white. */
static void
to_rgb (const guint32 *argb, guint8 *rgb, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint32 p = argb[i], rest = 255 - (p >> 24);

      rgb[3 * i] = (guint8) MIN ((p >> 16 & 255) + rest, 255);
      rgb[3 * i + 1] = (guint8) MIN ((p >> 8 & 255) + rest, 255);
      rgb[3 * i + 2] = (guint8) MIN ((p & 255) + rest, 255);
    }
}

/* ROWS rows of a level from (X, Y) on. */
static gboolean
read_band (VgSlideSource *self, int level, gint64 x, gint64 y, int width, int rows, guint32 *band,
           GError **error)
{
  double downsample = self->pyramid.levels[level].downsample;
  const char *reason;

  if (!self->slide && !(self->slide = open_slide (self->path, self->parent.name, error)))
    return FALSE;
  openslide_read_region (self->slide, band, llround ((double) x * downsample),
                         llround ((double) y * downsample), level, width, rows);
  reason = openslide_get_error (self->slide);
  if (!reason)
    return TRUE;
  set_slide_error (self->parent.name, reason, error);
  g_clear_pointer (&self->slide, openslide_close);
  return FALSE;
}

static gboolean
slide_read_region (VgSource *source, int level, gint64 x, gint64 y, int width, int height,
                   guint8 *rgb, GError **error)
{
  VgSlideSource *self = (VgSlideSource *) source;
  int rows = CLAMP (BAND_PIXELS / width, 1, height);
  g_autofree guint32 *band = g_try_new (guint32, (gsize) rows * (gsize) width);
  gboolean good = band != NULL;

  if (!good)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                 "there is not enough memory for a row of \"%s\", %d pixels", source->name, width);
  g_mutex_lock (&self->mutex);
  for (int done = 0; done < height && good; done += rows)
    {
      int n = MIN (rows, height - done);

      good = read_band (self, level, x, y + done, width, n, band, error);
      if (good)
        to_rgb (band, rgb + 3 * (gsize) done * (gsize) width, (gsize) n * (gsize) width);
    }
  g_mutex_unlock (&self->mutex);
  return good;
}

static gboolean
slide_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  const VgPyramid *pyramid = source->pyramid;
  const VgImageInfo *info = &source->info;

  if (!source->holes)
    source->holes = g_array_new (FALSE, FALSE, sizeof (VgHole));
  g_array_set_size (source->holes, 0);
  if (!vg_source_check_whole (source, error) ||
      !vg_source_read_around (source, pyramid->level, pyramid->x, pyramid->y, info->width,
                              info->height, frame, source->holes, error))
    return FALSE;
  if (vg_holes_pixels (source->holes) < (gint64) info->width * info->height)
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
               "this region of \"%s\" cannot be read because the file is damaged; choose another "
               "region, or copy the file again",
               source->name);
  return FALSE;
}

static void
slide_clear (VgSource *source)
{
  VgSlideSource *self = (VgSlideSource *) source;

  g_clear_pointer (&self->slide, openslide_close);
  g_mutex_clear (&self->mutex);
  g_free (self->pyramid.levels);
  g_free (self->path);
}

static const VgSourceClass slide_class = {
  .read = slide_read,
  .read_region = slide_read_region,
  .clear = slide_clear,
};

/* The side of a level's tiles; 0: it is not known. */
static gint64
tile_side (VgSlideSource *self, int level, const char *which)
{
  g_autofree char *name = g_strdup_printf ("openslide.level[%d].tile-%s", level, which);
  const char *text = openslide_get_property_value (self->slide, name);

  return text ? g_ascii_strtoll (text, NULL, 10) : 0;
}

/* libtiff 4.5 does not decode a tile that is larger than its image, and
 * OpenSlide does not notice: such a level would be noise. */
static gboolean
is_unreadable (const VgLevel *level)
{
  return level->width < level->tile_width || level->height < level->tile_height;
}

/* OpenSlide ends the program if there is no memory for a tile. */
static gboolean
has_possible_size (const VgLevel *level)
{
  return level->width >= 1 && level->height >= 1 && level->width <= G_MAXINT &&
         level->height <= G_MAXINT && level->downsample >= 1 && level->downsample < 1e6 &&
         (gint64) level->tile_width * level->tile_height <= MOST_TILE;
}

static gboolean
set_levels (VgSlideSource *self, GError **error)
{
  int n = openslide_get_level_count (self->slide);
  VgPyramid *pyramid = &self->pyramid;

  pyramid->n_levels = CLAMP (n, 0, MOST_LEVELS);
  pyramid->levels = g_new0 (VgLevel, MAX (n, 1));
  for (int i = 0; i < pyramid->n_levels; i++)
    {
      VgLevel *level = &pyramid->levels[i];

      openslide_get_level_dimensions (self->slide, i, &level->width, &level->height);
      level->downsample = openslide_get_level_downsample (self->slide, i);
      level->tile_width = (int) CLAMP (tile_side (self, i, "width"), 0, G_MAXINT);
      level->tile_height = (int) CLAMP (tile_side (self, i, "height"), 0, G_MAXINT);
      if (!has_possible_size (level) || (i > 0 && level->downsample < level[-1].downsample))
        n = 0;
    }
  while (n > 0 && pyramid->n_levels > 0 && is_unreadable (&pyramid->levels[pyramid->n_levels - 1]))
    pyramid->n_levels--;
  for (int i = 0; i < pyramid->n_levels; i++)
    if (is_unreadable (&pyramid->levels[i]))
      n = 0;
  self->left_out = n - pyramid->n_levels;
  if (n > 0)
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "the slide \"%s\" has a level of an impossible size; copy or export it again",
               self->parent.name);
  return FALSE;
}

static double
number_of (VgSlideSource *self, const char *property)
{
  const char *text = openslide_get_property_value (self->slide, property);
  double value = text ? g_ascii_strtod (text, NULL) : 0;

  return isfinite (value) && value > 0 && value < 1e6 ? value : 0;
}

/* The resolution tags of a TIFF of no known scanner. */
static void
set_resolution (VgSlideSource *self, double mpp[2], GString *notes)
{
  const char *unit = openslide_get_property_value (self->slide, "tiff.ResolutionUnit");
  double per_cm = g_strcmp0 (unit, "centimeter") == 0 ? 1
                  : g_strcmp0 (unit, "inch") == 0     ? 1 / 2.54
                                                      : 0;
  VgImageInfo info = { 0 };

  vg_resolution_set_scale (&info, per_cm * number_of (self, "tiff.XResolution"),
                           per_cm * number_of (self, "tiff.YResolution"), notes);
  mpp[0] = info.pixel_size[0];
  mpp[1] = info.pixel_size[1];
}

static void
set_properties (VgSlideSource *self, const char *vendor)
{
  const VgPyramid *pyramid = &self->pyramid;
  const VgLevel *level = &pyramid->levels[pyramid->level];
  VgImageInfo *info = &self->parent.info;
  double power = number_of (self, OPENSLIDE_PROPERTY_NAME_OBJECTIVE_POWER);
  double mpp[2] = { number_of (self, OPENSLIDE_PROPERTY_NAME_MPP_X),
                    number_of (self, OPENSLIDE_PROPERTY_NAME_MPP_Y) };
  GString *notes = g_string_new (NULL);

  if (mpp[0] <= 0)
    set_resolution (self, mpp, notes);
  if (mpp[0] > 0)
    {
      info->pixel_size[0] = mpp[0] * level->downsample;
      info->pixel_size[1] = (mpp[1] > 0 ? mpp[1] : mpp[0]) * level->downsample;
      g_strlcpy (info->pixel_unit, "µm", sizeof info->pixel_unit);
    }
  g_string_append_printf (notes, "Scanner: %s", vendor);
  if (power > 0)
    g_string_append_printf (notes, ", objective %gx", power);
  if (mpp[0] <= 0)
    g_string_append (notes, "\nPixel size: not in the file.");
  for (int i = 0; i < pyramid->n_levels; i++)
    g_string_append_printf (
        notes, "\nLevel %d: %" G_GINT64_FORMAT "x%" G_GINT64_FORMAT ", 1 : %.6g%s", i,
        pyramid->levels[i].width, pyramid->levels[i].height, pyramid->levels[i].downsample,
        i == pyramid->level ? " (this one)" : "");
  if (self->left_out > 0)
    g_string_append_printf (notes, "\n%d level%s smaller than a tile ignored.", self->left_out,
                            self->left_out == 1 ? "" : "s");
  if (info->width != level->width || info->height != level->height)
    g_string_append_printf (
        notes, "\nRegion from %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " of that level.",
        pyramid->x, pyramid->y);
  self->parent.details = g_string_free (notes, FALSE);
}

/* A tiled TIFF is a slide when it has reduced copies or is huge. */
static gboolean
is_slide (const VgSlideSource *self, const char *vendor)
{
  const VgLevel *level = self->pyramid.levels;

  return self->pyramid.n_levels > 0 &&
         (strcmp (vendor, "generic-tiff") != 0 || self->pyramid.n_levels > 1 ||
          level->height >= LEAST_SLIDE / level->width);
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

VgSource *
vg_slide_source_open (const char *path, const char *name, const VgReadOptions *read_options,
                      GError **error)
{
  g_autoptr (VgSource) source = NULL;
  VgSlideSource *self;
  const char *vendor;

  silence_libtiff ();
  vendor = openslide_detect_vendor (path);
  if (!vendor)
    return NULL;
  source = vg_source_new (sizeof (VgSlideSource), &slide_class, name, "whole slide", -1);
  self = (VgSlideSource *) source;
  g_mutex_init (&self->mutex);
  source->pyramid = &self->pyramid;
  self->path = g_strdup (path);
  self->slide = open_slide (path, name, error);
  if (!self->slide || !set_levels (self, error))
    return NULL;
  if (!is_slide (self, vendor))
    return NULL;
  source->info.type = VG_U8;
  source->info.channels = 3;
  source->info.significant_bits = 8;
  if (!vg_source_set_slide_region (source, &self->pyramid, read_options, error))
    return NULL;
  set_properties (self, vendor);
  return g_steal_pointer (&source);
}
