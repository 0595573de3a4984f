/* SPDX-License-Identifier: MIT */
/* TIFF stacks.  Opening indexes the directories without decoding.  A requested frame is decoded by
 * libtiff strip by strip or tile by tile, so memory holds one of them for any length. */
#include "io/source/vg-resolution.h"
#include "io/source/vg-source-private.h"
#include "io/tiff/vg-tiff-axes.h"
#include "io/tiff/vg-tiff-handle.h"
#include "io/tiff/vg-tiff-index.h"
#include "io/tiff/vg-tiff-page.h"
#include "io/tiff/vg-tiff-stamps.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Frames that are tried, until one can be decoded, to check the number of bits. */
enum { FRAMES_TRIED = 8 };

typedef struct
{
  VgSource parent;
  VgTiffIndex *index;
  VgTiffAxes axes;
  VgTiffPageReader reader;
  gint64 channel;        /* from 0 */
  gboolean one_plane;    /* the channels are samples of a pixel, of which one is read */
  void *planes;          /* buffer for all samples of a page; NULL: not needed yet */
  gboolean bits_claimed; /* the file claims fewer bits than its samples have */
} VgTiffSource;

static gboolean
tiff_detect (const guint8 *head, gsize length, gint64 size)
{
  guint version;

  if (length < 4 || head[0] != head[1] || (head[0] != 'I' && head[0] != 'M'))
    return FALSE;
  version = head[0] == 'I' ? head[2] | head[3] << 8 : head[2] << 8 | head[3];
  return version == 42 || version == 43;
}

/* Reads a page, or one of its samples per pixel. */
static gboolean
read_page (VgTiffSource *self, gint64 page, guint8 *target)
{
  gsize bytes = vg_image_info_page_bytes (&self->parent.info);
  guint64 offset = g_array_index (self->index->offsets, guint64, page);

  if (!self->one_plane)
    return vg_tiff_page_read (&self->reader, offset, target);
  if (!self->planes)
    self->planes = g_try_malloc_n ((gsize) self->reader.planes, bytes);
  if (!self->planes || !vg_tiff_page_read (&self->reader, offset, self->planes))
    return FALSE;
  memcpy (target, (const guint8 *) self->planes + (gsize) self->channel * bytes, bytes);
  return TRUE;
}

static gboolean
read_frame (VgTiffSource *self, gint64 frame, void *data, GError **error)
{
  const VgImageInfo *info = &self->parent.info;
  gsize page_bytes = vg_image_info_page_bytes (info);
  gint64 per_page = self->one_plane ? 1 : self->reader.planes, page_bins = info->bins / per_page;

  for (gint64 slice = 0; slice < info->slices; slice++)
    for (gint64 bin = 0; bin < page_bins; bin++)
      {
        gint64 page = frame * self->axes.stride[VG_TIFF_FRAME] +
                      slice * self->axes.stride[VG_TIFF_SLICE] +
                      bin * self->axes.stride[VG_TIFF_BIN] +
                      (self->one_plane ? 0 : self->channel * self->axes.channel_stride);
        guint8 *target = (guint8 *) data +
                         (gsize) (slice * info->bins + bin * per_page) * page_bytes;

        if (!read_page (self, page, target))
          {
            g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
                         "page %" G_GINT64_FORMAT
                         " of \"%s\" cannot be decoded (%s); the file is damaged or cut short",
                         page + 1, self->parent.name,
                         vg_tiff_handle_complaint (&self->reader.handle));
            return FALSE;
          }
      }
  return TRUE;
}

static int
bits_used (const VgTiffSource *self, const void *frame)
{
  gsize bytes = vg_image_info_frame_bytes (&self->parent.info);

  return vg_tiff_samples_bits_used (self->parent.info.type, frame,
                                    bytes / vg_type_size (self->parent.info.type));
}

static gboolean
tiff_read (VgSource *source, gint64 frame, void *data, GError **error)
{
  VgTiffSource *self = (VgTiffSource *) source;

  if (!read_frame (self, frame, data, error))
    return FALSE;
  /* engines choose the width of their sums by the bits, so a wrong claim must be refused */
  if (self->bits_claimed && bits_used (self, data) > source->info.significant_bits)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "frame %" G_GINT64_FORMAT
                   " of \"%s\" has values beyond the %d bits that the file declares; export it "
                   "without MaxSampleValue or \"bits\"",
                   frame + 1, source->name, source->info.significant_bits);
      return FALSE;
    }
  return TRUE;
}

static void
tiff_clear (VgSource *source)
{
  VgTiffSource *self = (VgTiffSource *) source;

  vg_tiff_page_reader_clear (&self->reader);
  g_clear_pointer (&self->index, vg_tiff_index_free);
  g_free (self->planes);
}

static const VgSourceClass tiff_class = { .read = tiff_read, .clear = tiff_clear };

/* Whether the resolution is a default: 1, or 10 per centimetre, which libvips writes for an unknown
 * scale.  This program writes 10 for maps of volumes with pixels of 1 mm. */
static gboolean
is_default (TIFF *tiff, float x, float y)
{
  const char *software = NULL;

  return (x == 1 && y == 1) || (x == 10 && y == 10 &&
                                !(TIFFGetField (tiff, TIFFTAG_SOFTWARE, &software) &&
                                  g_strcmp0 (software, VG_TIFF_SOFTWARE) == 0));
}

/* Sets the pixel size from the resolution tags, if they are in centimetres, if the text gives their
 * unit, or if their dots per inch cannot be a print resolution. */
static void
set_resolution (VgTiffSource *self, GString *notes)
{
  VgImageInfo *info = &self->parent.info;
  TIFF *tiff = self->reader.handle.tiff;
  guint16 unit = RESUNIT_INCH;
  float x = 0, y = 0;
  double scale = self->axes.resolution_scale;

  TIFFGetField (tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  if (!TIFFGetField (tiff, TIFFTAG_XRESOLUTION, &x) ||
      !TIFFGetField (tiff, TIFFTAG_YRESOLUTION, &y) || !isnormal (x) || !isnormal (y) || x <= 0 ||
      y <= 0)
    return;
  if (scale > 0)
    g_strlcpy (info->pixel_unit, self->axes.pixel_unit, sizeof info->pixel_unit);
  else if (unit == RESUNIT_CENTIMETER && !is_default (tiff, x, y))
    {
      /* µm for small pixels, mm for large ones */
      const char *name = x > 1000 ? "µm" : "mm";

      scale = x > 1000 ? 1e4 : 10;
      g_strlcpy (info->pixel_unit, name, sizeof info->pixel_unit);
    }
  else
    {
      if (unit == RESUNIT_INCH && x != 1)
        vg_resolution_set_scale (info, x / 2.54, y / 2.54, notes);
      else if (x != 1)
        g_string_append_printf (
            notes,
            "Some programs write %g pixels per cm if the pixel size is unknown, so no scale is "
            "used.\n",
            x);
      return;
    }
  info->pixel_size[0] = scale / x;
  info->pixel_size[1] = scale / y;
}

static void
set_bits (VgTiffSource *self, GString *notes)
{
  VgImageInfo *info = &self->parent.info;
  int type_bits = (int) MIN (self->reader.samples.bits, 8 * vg_type_size (info->type)),
      bits = self->axes.significant_bits;
  guint16 largest;

  if (info->type == VG_F32)
    return;
  info->significant_bits = type_bits;
  if (bits == 0 && TIFFGetField (self->reader.handle.tiff, TIFFTAG_MAXSAMPLEVALUE, &largest) &&
      (largest & (largest + 1)) == 0)
    bits = (int) g_bit_storage (largest);
  if (bits > 0 && bits < type_bits && self->reader.photometric != PHOTOMETRIC_MINISWHITE)
    {
      info->significant_bits = bits;
      self->bits_claimed = TRUE;
      g_string_append_printf (notes, "%d of %d bits are used, from the file.\n", bits, type_bits);
    }
}

/* Checks the claimed number of bits with the first frame that can be decoded. */
static void
check_bits (VgTiffSource *self, GString *notes)
{
  g_autofree void *frame = g_try_malloc (vg_image_info_frame_bytes (&self->parent.info));
  gboolean read = FALSE;

  for (gint64 i = 0; frame && !read && i < MIN (self->parent.info.frames, FRAMES_TRIED); i++)
    read = read_frame (self, i, frame, NULL);
  if (read && bits_used (self, frame) > self->parent.info.significant_bits)
    {
      self->parent.info.significant_bits = (int) self->reader.samples.bits;
      self->bits_claimed = FALSE;
      g_string_append (notes, "The first frame has larger values, so all bits are used.\n");
    }
}

static gboolean
set_channel (VgTiffSource *self, const VgSourceFile *file, GError **error)
{
  VgImageInfo *info = &self->parent.info;
  gint64 pages = MAX (self->axes.images, (gint64) self->index->offsets->len);

  info->readings = (pages > 1 ? VG_READ_OPTIONS_PAGES : 0) |
                   (self->axes.channels > 1 ? VG_READ_OPTIONS_CHANNEL : 0);
  if (!vg_source_set_channel (&self->parent, file, (guint) self->axes.channels, 1, error))
    return FALSE;
  self->channel = vg_source_channel (&self->parent);
  info->bin_width_ns = self->axes.bin_width_ns;
  return TRUE;
}

static void
set_description (VgTiffSource *self, const VgSourceFile *file, GString *notes)
{
  const VgSourceOptions *options = file->options;
  VgImageInfo *info = &self->parent.info;
  const char *description = NULL;

  TIFFGetField (self->reader.handle.tiff, TIFFTAG_IMAGEDESCRIPTION, &description);
  vg_tiff_axes_parse (&self->axes, description, self->index->offsets->len, self->index->cut,
                      self->index->shape.samples, notes);
  vg_tiff_axes_choose (&self->axes, file->read_options, options->bins && self->reader.planes == 1,
                       options->channels, notes);
  self->one_plane = self->reader.planes > 1 && self->axes.channels == 1 && options->channels &&
                    file->read_options->pages != VG_PAGES_BINS;
  if (self->one_plane)
    {
      self->axes.channels = self->reader.planes;
      g_string_append (notes, "One channel is read. To read another, set Channel.\n");
    }
  info->bins = self->axes.size[VG_TIFF_BIN] * (self->one_plane ? 1 : self->reader.planes);
  info->slices = self->axes.size[VG_TIFF_SLICE];
  info->frames = self->axes.size[VG_TIFF_FRAME];
  info->frame_interval_s = self->axes.frame_interval_s;
  info->exposure_ms = self->axes.exposure_ms;
  set_resolution (self, notes);
  if (self->axes.pixel_size[0] > 0)
    {
      g_strlcpy (info->pixel_unit, self->axes.pixel_unit, sizeof info->pixel_unit);
      info->pixel_size[0] = self->axes.pixel_size[0];
      info->pixel_size[1] = self->axes.pixel_size[1] > 0 ? self->axes.pixel_size[1]
                                                         : self->axes.pixel_size[0];
    }
  if (info->pixel_size[0] > 0)
    info->pixel_size[2] = self->axes.pixel_size[2];
}

/* The lines of NOTES without the last newline, owned; NULL: there are none. */
static char *
join_notes (const GString *notes)
{
  return notes->len ? g_strndup (notes->str, notes->len - 1) : NULL;
}

/* A message on a file that is cut short, owned. */
static char *
describe_cut (const VgTiffSource *self, gint64 pages)
{
  return g_strdup_printf ("\"%s\" is cut short: %" G_GINT64_FORMAT
                          " whole page%s can be read, and the rest is lost.",
                          self->parent.name, pages, pages == 1 ? "" : "s");
}

static void
set_stamps (VgTiffSource *self, GString *notes)
{
  VgImageInfo *info = &self->parent.info;
  double interval_s = 0;

  if (!self->axes.stamped)
    return;
  self->parent.times_s = vg_tiff_stamps_read (self->index, TIFFFileno (self->reader.handle.tiff),
                                              info->frames, self->axes.stride[VG_TIFF_FRAME],
                                              &interval_s, &self->parent, notes);
  if (self->parent.times_s && info->frame_interval_s <= 0)
    info->frame_interval_s = interval_s;
}

/* Opens a stack of pages behind a single directory, as ImageJ and others write above 4 GB. */
static VgSource *
open_contiguous (VgTiffSource *self, GString *notes, GError **error)
{
  const VgTiffAxes *axes = &self->axes;
  VgImageInfo info = self->parent.info;
  VgLayout layout = { .stride = (gint64) vg_image_info_frame_bytes (&info),
                      .swap = self->index->swap };
  guint64 first = vg_tiff_page_plain_offset (&self->reader,
                                             g_array_index (self->index->offsets, guint64, 0));
  g_autofree char *cut = NULL;
  VgSource *source;
  gint64 whole;
  int fd = -1;

  /* the axes must be in the order of the program: bin, slice, frame */
  if (axes->channels > 1 || (axes->size[VG_TIFF_BIN] > 1 && axes->stride[VG_TIFF_BIN] != 1) ||
      (axes->size[VG_TIFF_SLICE] > 1 && axes->stride[VG_TIFF_SLICE] != axes->size[VG_TIFF_BIN]) ||
      (axes->size[VG_TIFF_FRAME] > 1 &&
       axes->stride[VG_TIFF_FRAME] != axes->size[VG_TIFF_BIN] * axes->size[VG_TIFF_SLICE] &&
       axes->described))
    first = 0;
  if (first == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" declares %" G_GINT64_FORMAT
                   " pages, but has 1; save it again without compression",
                   self->parent.name, self->axes.images);
      return NULL;
    }
  layout.first = (gint64) MIN (first, (guint64) G_MAXINT64);
  fd = dup (TIFFFileno (self->reader.handle.tiff));
  g_string_append (notes, "All pages are described by one directory of the file.\n");
  whole = vg_layout_frames (&layout, (gsize) layout.stride, self->index->file_size);
  /* if the directory follows the samples, the file size does not show the number of pages */
  if (whole > 0 && whole < info.frames && g_array_index (self->index->offsets, guint64, 0) < first)
    {
      info.frames = whole;
      cut = describe_cut (self, whole * info.bins * info.slices);
      g_string_append_printf (notes, "%s\n", cut);
    }
  source = vg_layout_source_new (fd, self->parent.name, "TIFF", &info, &layout, join_notes (notes),
                                 NULL, error);
  if (source)
    {
      source->cut = cut != NULL;
      source->caution = g_steal_pointer (&cut);
    }
  return source;
}

static void
set_format (VgTiffSource *self, GString *notes)
{
  self->parent.format = g_strdup (self->index->big ? "BigTIFF" : "TIFF");
  if (self->index->skipped)
    g_string_append_printf (notes, "%u reduced copies or masks are ignored.\n",
                            self->index->skipped);
  if (self->index->cut)
    {
      self->parent.cut = TRUE;
      self->parent.caution = describe_cut (self, self->index->offsets->len);
      g_string_append_printf (notes, "%s\n", self->parent.caution);
    }
  self->parent.details = join_notes (notes);
}

/* Whether it is an OME-TIFF of PhasorPy: images of the mean and the phasor, not of a decay. */
static gboolean
holds_phasors (TIFF *tiff)
{
  const char *description = NULL;

  return TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &description) &&
         strstr (description, "Name=\"Phasor mean\"") != NULL &&
         strstr (description, "Name=\"Phasor real\"") != NULL;
}

static void
refuse_phasors (const char *name, GError **error)
{
  g_clear_error (error);
  vg_format_refuse_as (name, "an image of phasor coordinates (PhasorPy)",
                       "Open the recording from which they were calculated.", error);
}

/* Replaces the error on pages that differ, if the file holds phasors.  Owns FD. */
static void
explain_pages (int fd, const char *name, GError **error)
{
  VgTiffHandle handle = { 0 };

  if (vg_tiff_handle_open (&handle, fd, name, "rm", 64 << 20))
    {
      if (holds_phasors (handle.tiff))
        refuse_phasors (name, error);
      vg_tiff_handle_close (&handle); /* closes FD */
    }
  else
    close (fd);
  vg_tiff_handle_forget (&handle);
}

static VgSource *
tiff_open (const VgSourceFile *file, GError **error)
{
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgTiffSource), &tiff_class, file->name, NULL, -1);
  VgTiffSource *self = (VgTiffSource *) source;
  VgImageInfo *info = &source->info;
  g_autoptr (GString) notes = g_string_new (NULL);

  self->index = vg_tiff_index_new (file->fd, file->name, error);
  if (!self->index)
    {
      explain_pages (file->fd, file->name, error);
      return NULL;
    }
  if (!vg_tiff_page_reader_init (&self->reader, file->fd, file->name, self->index,
                                 file->options->colour, notes, error))
    return NULL;
  if (holds_phasors (self->reader.handle.tiff))
    {
      refuse_phasors (file->name, error);
      return NULL;
    }
  info->type = self->reader.samples.type;
  info->width = (int) self->index->shape.width;
  info->height = (int) self->index->shape.height;
  info->channels = self->reader.channels;
  set_description (self, file, notes);
  if (!set_channel (self, file, error))
    return NULL;
  set_bits (self, notes);
  if (!vg_source_check_claim (info, self->index->file_size, file->name, error))
    return NULL;
  if (self->axes.images > 1 && self->index->offsets->len == 1)
    return open_contiguous (self, notes, error);
  if (self->bits_claimed)
    check_bits (self, notes);
  set_stamps (self, notes);
  set_format (self, notes);
  return g_steal_pointer (&source);
}

const VgFormat vg_tiff_format = { .id = "tiff",
                                  .name = "TIFF",
                                  .suffixes = { ".tif", ".tiff" },
                                  .detect = tiff_detect,
                                  .open = tiff_open };
