/* SPDX-License-Identifier: MIT */
/* Whole slides: regions of one level are read on demand, behind a fence.  Transparent pixels, which
 * were not scanned, are white. */
#include "io/fence/vg-fence.h"
#include "io/slide/vg-slide-decoder.h"
#include "io/source/vg-resolution.h"
#include "io/source/vg-source-private.h"
#include "io/tiff/vg-tiff-index.h"
#include <math.h>
#include <openslide/openslide.h>
#include <string.h>

/* Processes that decode parts of a slide at the same time, at most. */
enum { MOST_FENCES = 8 };
/* Rows are decoded in bands of at most BAND_PIXELS; a tile has at most MOST_TILE pixels. */
enum { BAND_PIXELS = 4 << 20, MOST_TILE = 64 << 20 };
/* Bytes of a text that OpenSlide reads. */
enum { MOST_TEXT = 64 << 10 };
#define SQLITE "SQLite format 3"
/* Pixels from which a tiled image without reduced copies is a slide. */
#define LEAST_SLIDE (G_GINT64_CONSTANT (1) << 26)

typedef struct
{
  VgSource parent;
  VgPyramid pyramid;
  VgSlideFacts facts;
  int left_out; /* levels */
  char *path;
  GMutex mutex;
  GCond returned;
  /* the first n_free are not in use; the mutex guards these three */
  VgFence *fences[MOST_FENCES];
  int n_free, n_fences;
} VgSlideSource;

/* A fence for one thread.  There are as many as half of the processors, and at least two. */
static VgFence *
take_fence (VgSlideSource *self)
{
  const int most = CLAMP ((int) g_get_num_processors () / 2, 2, MOST_FENCES);
  VgFence *fence;

  g_mutex_lock (&self->mutex);
  while (self->n_free == 0 && self->n_fences >= most)
    g_cond_wait (&self->returned, &self->mutex);
  if (self->n_free > 0)
    fence = self->fences[--self->n_free];
  else
    {
      self->n_fences++;
      fence = vg_fence_new (&vg_slide_decoder);
      vg_fence_set_file (fence, self->path, self->parent.name);
    }
  g_mutex_unlock (&self->mutex);
  return fence;
}

static void
return_fence (VgSlideSource *self, VgFence *fence)
{
  g_mutex_lock (&self->mutex);
  self->fences[self->n_free++] = fence;
  g_cond_signal (&self->returned);
  g_mutex_unlock (&self->mutex);
}

/* Makes a sentence of the reason for which the slide NAME cannot be read. */
static void
explain (const char *name, GError *reason, GError **error)
{
  g_autofree char *line = g_utf8_make_valid (reason->message, -1);

  g_strdelimit (line, "\r\n\t", ' ');
  if (!g_error_matches (reason, VG_IO_ERROR, VG_IO_ERROR_FORMAT))
    g_propagate_error (error, reason);
  else
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "the slide \"%s\" is damaged or cut short (%s); copy it again", name,
                   g_strstrip (line));
      g_error_free (reason);
    }
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
read_band (VgSlideSource *self, VgFence *fence, int level, gint64 x, gint64 y, int width, int rows,
           guint8 *rgb, GError **error)
{
  double downsample = self->pyramid.levels[level].downsample;
  const gint64 numbers[VG_DECODER_NUMBERS] = {
    [VG_SLIDE_LEVEL] = level,
    [VG_SLIDE_X] = llround ((double) x * downsample),
    [VG_SLIDE_Y] = llround ((double) y * downsample),
    [VG_SLIDE_WIDTH] = width,
    [VG_SLIDE_HEIGHT] = rows,
  };
  gsize pixels = (gsize) rows * (gsize) width;
  GError *reason = NULL;
  const guint32 *band = vg_fence_read (fence, numbers, sizeof *band * pixels, &reason);

  if (band)
    to_rgb (band, rgb, pixels);
  else
    explain (self->parent.name, reason, error);
  return band != NULL;
}

static gboolean
slide_read_region (VgSource *source, int level, gint64 x, gint64 y, int width, int height,
                   guint8 *rgb, GError **error)
{
  VgSlideSource *self = (VgSlideSource *) source;
  int rows = CLAMP (BAND_PIXELS / width, 1, height);
  VgFence *fence = take_fence (self);
  gboolean good = TRUE;

  for (int done = 0; done < height && good; done += rows)
    good = read_band (self, fence, level, x, y + done, width, MIN (rows, height - done),
                      rgb + 3 * (gsize) done * (gsize) width, error);
  return_fence (self, fence);
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

  for (int i = 0; i < self->n_free; i++)
    vg_fence_close (self->fences[i]);
  g_free (self->path);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->returned);
}

static const VgSourceClass slide_class = {
  .read = slide_read,
  .read_region = slide_read_region,
  .clear = slide_clear,
};

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
         level->tile_width >= 0 && level->tile_height >= 0 &&
         (gint64) level->tile_width * level->tile_height <= MOST_TILE;
}

static gboolean
set_levels (VgSlideSource *self, GError **error)
{
  int n = CLAMP (self->facts.n_levels, 0, VG_SLIDE_LEVELS);
  VgPyramid *pyramid = &self->pyramid;

  pyramid->n_levels = n;
  pyramid->levels = self->facts.levels;
  for (int i = 0; i < pyramid->n_levels; i++)
    if (!has_possible_size (&pyramid->levels[i]) ||
        (i > 0 && pyramid->levels[i].downsample < pyramid->levels[i - 1].downsample))
      n = 0;
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

/* VALUE, or 0 if it is none. */
static double
plausible (double value)
{
  return isfinite (value) && value > 0 && value < 1e6 ? value : 0;
}

static void
set_properties (VgSlideSource *self)
{
  const VgPyramid *pyramid = &self->pyramid;
  const VgLevel *level = &pyramid->levels[pyramid->level];
  VgImageInfo *info = &self->parent.info;
  const VgSlideFacts *facts = &self->facts;
  double power = plausible (facts->power);
  double mpp[2] = { plausible (facts->mpp[0]), plausible (facts->mpp[1]) };
  GString *notes = g_string_new (NULL);
  VgImageInfo scaled = { 0 };

  if (mpp[0] <= 0) /* a TIFF of no known scanner may have the tags of a resolution */
    {
      vg_resolution_set_scale (&scaled, plausible (facts->resolution[0]),
                               plausible (facts->resolution[1]), notes);
      mpp[0] = scaled.pixel_size[0];
      mpp[1] = scaled.pixel_size[1];
    }
  if (mpp[0] > 0)
    {
      info->pixel_size[0] = mpp[0] * level->downsample;
      info->pixel_size[1] = (mpp[1] > 0 ? mpp[1] : mpp[0]) * level->downsample;
      g_strlcpy (info->pixel_unit, "µm", sizeof info->pixel_unit);
    }
  g_string_append_printf (notes, "Scanner: %s", facts->vendor);
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
is_slide (const VgSlideSource *self)
{
  const VgLevel *level = self->pyramid.levels;

  return self->pyramid.n_levels > 0 &&
         (strcmp (self->facts.vendor, "generic-tiff") != 0 || self->pyramid.n_levels > 1 ||
          level->height >= LEAST_SLIDE / level->width);
}

static gboolean
has_magic (const guint8 *head, gssize n, gssize at, const char *magic)
{
  return n >= at + (gssize) strlen (magic) && memcmp (head + at, magic, strlen (magic)) == 0;
}

/* Whether OpenSlide might read FILE, which begins with N bytes of HEAD.  This needs no child, so
 * that other files open at once. */
static gboolean
may_be_slide (const VgSourceFile *file, const guint8 *head, gssize n)
{
  static const char group[] = "Virtual Microscope Specimen]"; /* .vms; "Uncompressed ...": .vmu */

  if (n <= 0)
    return FALSE;
  if (vg_tiff_format.detect (head, (gsize) n, file->size))
    return vg_tiff_index_may_be_slide (file->fd, file->size);
  return g_str_has_suffix (file->path, ".mrxs") || has_magic (head, n, 0, SQLITE) ||
         (file->size <= MOST_TEXT && memmem (head, (gsize) n, group, strlen (group))) ||
         (g_ascii_strtoull (openslide_get_version (), NULL, 10) >= 4 &&
          (has_magic (head, n, 128, "DICM") || has_magic (head, n, 0, "ZISRAWFILE")));
}

VgSource *
vg_slide_source_open (const VgSourceFile *file, GError **error)
{
  const char *name = file->name;
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgSlideSource), &slide_class, name, "whole slide", -1);
  VgSlideSource *self = (VgSlideSource *) source;
  VgSlideFacts *facts = &self->facts;
  guint8 head[MOST_TEXT];
  gssize n = vg_pread_all (file->fd, head, MOST_TEXT, 0);
  GError *reason = NULL;

  g_mutex_init (&self->mutex);
  g_cond_init (&self->returned);
  source->pyramid = &self->pyramid;
  if (!may_be_slide (file, head, n) || !vg_format_is_on ("slide", name, error) ||
      (vg_tiff_format.detect (head, (gsize) MAX (n, 0), file->size) &&
       !vg_format_is_on ("tiff", name, error)))
    return NULL;
  self->path = g_strdup (file->path);
  self->fences[0] = vg_fence_open (&vg_slide_decoder, file->path, name, facts, &reason);
  self->n_fences = self->n_free = self->fences[0] != NULL;
  if (reason)
    explain (name, reason, error);
  else if (!self->fences[0] && has_magic (head, n, 0, SQLITE) && has_magic (head, n, 18, "\2"))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" is a database with a write-ahead log, which SQLite reads only if it may "
                 "write; convert a copy with: sqlite3 FILE \"pragma journal_mode = delete\"",
                 name);
  if (!self->fences[0])
    return NULL;
  facts->vendor[sizeof facts->vendor - 1] = '\0';
  g_strcanon (facts->vendor, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-", '?');
  if (!set_levels (self, error) || !is_slide (self))
    return NULL;
  source->info.type = VG_U8;
  source->info.channels = 3;
  source->info.significant_bits = 8;
  if (!vg_source_set_slide_region (source, &self->pyramid, file->read_options, error))
    return NULL;
  set_properties (self);
  return g_steal_pointer (&source);
}
