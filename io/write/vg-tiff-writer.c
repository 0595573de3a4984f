/* SPDX-License-Identifier: MIT */
/* Maps as multi-page TIFF with deflate, without a predictor: ImageJ and plain Python readers cannot
 * decode the floating-point one. */
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include "io/tiff/vg-tiff-handle.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { STRIP_BYTES = 256 << 10, ZIP_LEVEL = 1 };

struct _VgTiffWriter
{
  VgOutputFile *output;
  char *name;
  VgTiffHandle handle;
  VgImageInfo info; /* of one page */
  gboolean whole;   /* what comes is float, and becomes whole numbers */
  gsize row_bytes;
  char *description; /* until the first page has it */
  int block;         /* side of the tiles; 0: strips */
  gboolean tagged;   /* of blocks: the directory has its tags */
  gint64 pages;      /* written */
  gboolean failed;
};

static gboolean
fail (VgTiffWriter *self, GError **error)
{
  int code = errno;

  self->failed = TRUE;
  /* errno is what the system said last; libtiff's own words otherwise */
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
               "cannot write \"%s\": %s; free some space, or choose another folder", self->name,
               code ? g_strerror (code) : vg_tiff_handle_complaint (&self->handle));
  return FALSE;
}

/* Classic TIFF ends at 4 GiB; an unknown number of pages may not. */
static const char *
mode_for (gint64 pages, gsize page_bytes)
{
  const double most = 3.9e9;

  return pages < 0 || (double) pages * ((double) page_bytes * 1.01 + 4096) > most ? "w8" : "w";
}

VgTiffWriter *
vg_tiff_writer_new (const char *path, int width, int height, gint64 pages_expected,
                    const char *description, const double pixel_size[2], const char *pixel_unit,
                    GError **error)
{
  g_autoptr (VgTiffWriter) self = g_new0 (VgTiffWriter, 1);
  VgImageInfo *info = &self->info;
  gsize page_bytes;
  int fd;

  *info = vg_image_info_grey (VG_F32, width, height);
  if (pixel_size)
    memcpy (info->pixel_size, pixel_size, 2 * sizeof (double));
  g_strlcpy (info->pixel_unit, pixel_unit ? pixel_unit : "", sizeof info->pixel_unit);
  page_bytes = vg_image_info_page_bytes (info);
  self->name = g_filename_display_name (path);
  if (page_bytes == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   "cannot write \"%s\": a page of %dx%d is not an image", self->name, width,
                   height);
      return NULL;
    }
  self->output = vg_output_file_new (path, error);
  if (!self->output)
    return NULL;
  self->row_bytes = page_bytes / (gsize) height;
  self->description = g_strdup (description);
  fd = open (vg_output_file_temporary (self->output), O_RDWR | O_CLOEXEC);
  errno = fd < 0 ? errno : 0;
  if (fd >= 0 &&
      vg_tiff_handle_open (&self->handle, fd, self->name, mode_for (pages_expected, page_bytes), 0))
    return g_steal_pointer (&self);
  fail (self, error);
  if (fd >= 0)
    close (fd);
  return NULL;
}

void
vg_tiff_writer_set_whole (VgTiffWriter *self, VgType type)
{
  g_return_if_fail (self->info.type == VG_F32 && (type == VG_U16 || type == VG_U32));
  self->whole = TRUE;
  self->info.type = type;
  self->row_bytes = vg_image_info_page_bytes (&self->info) / (gsize) self->info.height;
}

/* Converts N samples to the type of the file. */
static void
convert_samples (const VgTiffWriter *self, const float *values, gsize n, void *to)
{
  if (!self->whole)
    memcpy (to, values, n * sizeof (float));
  else if (self->info.type == VG_U16)
    for (gsize i = 0; i < n; i++)
      ((guint16 *) to)[i] = values[i] > 0 ? (guint16) MIN (values[i], G_MAXUINT16) : 0;
  else
    for (gsize i = 0; i < n; i++)
      ((guint32 *) to)[i] = values[i] > 0 ? (guint32) MIN (values[i], 4294967040.0f) : 0;
}

static void
set_resolution (VgTiffWriter *self)
{
  static const struct
  {
    const char *unit;
    double per_cm;
  } units[] = {
    { "nm", 1e7 }, { "µm", 1e4 }, { "um", 1e4 }, { "mm", 10 }, { "cm", 1 }, { "m", 0.01 },
  };
  const double *size = self->info.pixel_size;

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (self->info.pixel_unit, units[i].unit) == 0 && size[0] > 0 && size[1] > 0)
      {
        TIFFSetField (self->handle.tiff, TIFFTAG_XRESOLUTION, units[i].per_cm / size[0]);
        TIFFSetField (self->handle.tiff, TIFFTAG_YRESOLUTION, units[i].per_cm / size[1]);
        TIFFSetField (self->handle.tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
      }
}

static guint32
set_tags (VgTiffWriter *self)
{
  TIFF *tiff = self->handle.tiff;
  const VgImageInfo *info = &self->info;
  guint32 rows = (guint32) CLAMP (STRIP_BYTES / self->row_bytes, 1, (gsize) info->height);

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, (guint32) info->width);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, (guint32) info->height);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, (int) (8 * vg_type_size (info->type)));
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT,
                info->type == VG_F32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  if (self->block > 0)
    {
      TIFFSetField (tiff, TIFFTAG_TILEWIDTH, self->block);
      TIFFSetField (tiff, TIFFTAG_TILELENGTH, self->block);
    }
  else
    TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, rows);
  TIFFSetField (tiff, TIFFTAG_SOFTWARE, VG_TIFF_SOFTWARE);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  TIFFSetField (tiff, TIFFTAG_ZIPQUALITY, ZIP_LEVEL);
  if (self->description)
    TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, self->description);
  g_clear_pointer (&self->description, g_free);
  set_resolution (self);
  return rows;
}

static gboolean
set_no_memory (VgTiffWriter *self, GError **error)
{
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "there is not enough memory to write a map of %d x %d pixels; close other programs",
               self->info.width, self->info.height);
  return FALSE;
}

gboolean
vg_tiff_writer_add (VgTiffWriter *self, const float *page, GError **error)
{
  guint32 rows = set_tags (self), height = (guint32) self->info.height;
  gsize width = (gsize) self->info.width;
  g_autofree guint8 *strip = g_try_malloc (rows * self->row_bytes);

  if (strip == NULL)
    return set_no_memory (self, error);
  errno = 0;
  for (guint32 y = 0, i = 0; y < height; y += rows, i++)
    {
      gsize n = MIN (rows, height - y), bytes = n * self->row_bytes;

      /* a copy: libtiff's predictors work in the caller's memory */
      convert_samples (self, page + y * width, n * width, strip);
      if (TIFFWriteEncodedStrip (self->handle.tiff, i, strip, (tmsize_t) bytes) != (tmsize_t) bytes)
        return fail (self, error);
    }
  if (!TIFFWriteDirectory (self->handle.tiff) || self->handle.complaint)
    return fail (self, error);
  self->pages++;
  return TRUE;
}

VgTiffWriter *
vg_tiff_writer_new_blocks (const char *path, int width, int height, int block,
                           const char *description, const double pixel_size[2],
                           const char *pixel_unit, GError **error)
{
  VgTiffWriter *self = vg_tiff_writer_new (path, width, height, 1, description, pixel_size,
                                           pixel_unit, error);

  if (self != NULL)
    self->block = block;
  return self;
}

gboolean
vg_tiff_writer_add_block (VgTiffWriter *self, int x, int y, const float *samples, GError **error)
{
  gsize n = (gsize) self->block * (gsize) self->block;
  tmsize_t bytes = (tmsize_t) (n * vg_type_size (self->info.type));
  g_autofree void *copy = g_try_malloc ((gsize) bytes);

  if (copy == NULL)
    return set_no_memory (self, error);
  convert_samples (self, samples, n, copy);
  if (!self->tagged)
    set_tags (self);
  self->tagged = TRUE;
  errno = 0;
  if (TIFFWriteEncodedTile (self->handle.tiff,
                            TIFFComputeTile (self->handle.tiff, (guint32) x, (guint32) y, 0, 0),
                            copy, bytes) != bytes)
    return fail (self, error);
  self->pages = 1;
  return TRUE;
}

static void
convert_to_float (int bits, int format, gsize n, const void *stored, float *samples)
{
  if (format == SAMPLEFORMAT_IEEEFP)
    memcpy (samples, stored, n * sizeof (float));
  else
    for (gsize i = 0; i < n; i++)
      samples[i] = bits == 16 ? (float) ((const guint16 *) stored)[i]
                              : (float) ((const guint32 *) stored)[i];
}

gboolean
vg_tiff_read_blocks (const char *path, VgTiffBlock take, gpointer data, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);
  VgTiffHandle handle = { NULL, NULL };
  guint32 width = 0, height = 0, side = 0;
  guint16 bits = 32, format = SAMPLEFORMAT_IEEEFP;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  g_autofree float *samples = NULL;
  g_autofree void *stored = NULL;
  gboolean good = fd >= 0 && vg_tiff_handle_open (&handle, fd, name, "r", 0);

  if (good)
    {
      TIFFGetField (handle.tiff, TIFFTAG_IMAGEWIDTH, &width);
      TIFFGetField (handle.tiff, TIFFTAG_IMAGELENGTH, &height);
      TIFFGetField (handle.tiff, TIFFTAG_TILEWIDTH, &side);
      TIFFGetField (handle.tiff, TIFFTAG_BITSPERSAMPLE, &bits);
      TIFFGetField (handle.tiff, TIFFTAG_SAMPLEFORMAT, &format);
      samples = g_try_new (float, (gsize) side *side);
      stored = g_try_new (float, (gsize) side *side);
    }
  good = good && side > 0 && samples != NULL && stored != NULL;
  for (guint32 y = 0; y < height && good; y += side)
    for (guint32 x = 0; x < width && good; x += side)
      {
        tmsize_t bytes = (tmsize_t) (bits / 8) * side * side;

        good = TIFFReadEncodedTile (handle.tiff, TIFFComputeTile (handle.tiff, x, y, 0, 0), stored,
                                    bytes) == bytes;
        if (!good)
          break;
        convert_to_float (bits, format, (gsize) side * side, stored, samples);
        take (data, (int) x, (int) y, samples);
      }
  if (!good)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "\"%s\" does not contain all that was written to it (%s); check the disk", name,
                 vg_tiff_handle_complaint (&handle));
  if (fd >= 0 && handle.tiff == NULL)
    close (fd);
  vg_tiff_handle_close (&handle);
  vg_tiff_handle_forget (&handle);
  return good;
}

gboolean
vg_tiff_writer_commit (VgTiffWriter *self, GError **error)
{
  if (self->pages == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   "cannot write \"%s\": there is no page to write", self->name);
      return FALSE;
    }
  errno = 0;
  if (self->block > 0 && !self->failed && !TIFFWriteDirectory (self->handle.tiff))
    return fail (self, error);
  if (self->failed || !TIFFFlush (self->handle.tiff))
    return fail (self, error);
  errno = 0;
  vg_tiff_handle_close (&self->handle);
  if (self->handle.complaint)
    return fail (self, error);
  return vg_output_file_commit (self->output, error);
}

void
vg_tiff_writer_free (VgTiffWriter *self)
{
  if (!self)
    return;
  vg_tiff_handle_close (&self->handle);
  vg_tiff_handle_forget (&self->handle);
  vg_output_file_free (self->output);
  g_free (self->description);
  g_free (self->name);
  g_free (self);
}
