/* SPDX-License-Identifier: MIT */
/* Decodes the strips or tiles of a page with libtiff into contiguous rows. */
#include "io/tiff/vg-tiff-page.h"
#include "kernels/base/vg-error.h"
#include <string.h>
#include <unistd.h>

/* A larger strip or tile is refused. */
#define MAX_PIECE_BYTES (G_GINT64_CONSTANT (2) << 30)

static gboolean
complain (VgTiffPageReader *self, const char *text)
{
  if (!self->handle.complaint)
    self->handle.complaint = g_strdup (text);
  return FALSE;
}

static gboolean
ensure_scratch (VgTiffPageReader *self, guint64 bytes)
{
  void *larger;

  if (bytes <= self->scratch_bytes)
    return TRUE;
  if (bytes > (guint64) MAX_PIECE_BYTES || !(larger = g_try_malloc (bytes)))
    return complain (self, "a strip or tile is too large for memory");
  g_free (self->scratch);
  self->scratch = larger;
  self->scratch_bytes = bytes;
  return TRUE;
}

static guint
tag_u16 (TIFF *tiff, guint32 tag, guint otherwise)
{
  guint16 value = (guint16) otherwise;

  TIFFGetFieldDefaulted (tiff, tag, &value);
  return value;
}

/* Inverts a page whose lowest value is white, so that pages of both kinds can be mixed. */
static guint
grey_photometric (guint photometric)
{
  return photometric == PHOTOMETRIC_MINISWHITE ? PHOTOMETRIC_MINISBLACK : photometric;
}

/* Makes the directory current; FALSE: it differs from what the index read. */
static gboolean
set_directory (VgTiffPageReader *self, guint64 directory)
{
  TIFF *tiff = self->handle.tiff;
  guint32 width = 0, height = 0;
  guint photometric;

  vg_tiff_handle_forget (&self->handle);
  if (self->current == directory)
    return TRUE;
  self->current = 0;
  if (!TIFFSetSubDirectory (tiff, directory))
    return complain (self, "its directory is damaged");
  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height);
  if (width != self->shape.width || height != self->shape.height ||
      tag_u16 (tiff, TIFFTAG_BITSPERSAMPLE, 1) != self->shape.bits ||
      tag_u16 (tiff, TIFFTAG_SAMPLESPERPIXEL, 1) != self->shape.samples)
    return complain (self, "its directory contradicts itself");
  photometric = tag_u16 (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  if (!self->started)
    self->photometric = photometric;
  self->started = TRUE;
  if (grey_photometric (photometric) != grey_photometric (self->photometric))
    return complain (self, "its colours differ in type from those of the first page");
  self->current = directory;
  vg_tiff_handle_forget (&self->handle);
  return TRUE;
}

/* Converts the rows of a strip or tile, ROW_BYTES apart, into the page.  SAMPLE is its only sample
 * per pixel, or -1 if it has all of them, interleaved. */
typedef struct
{
  const guint8 *rows;
  gsize row_bytes;
  guint32 x, y, columns, n_rows;
  int sample;
} Piece;

static void
place_piece (VgTiffPageReader *self, const Piece *piece, guint8 *page)
{
  const VgTiffSamples *samples = &self->samples;
  gsize width = self->shape.width, height = self->shape.height, size = vg_type_size (samples->type);
  gsize interleaved = piece->sample < 0 ? self->shape.samples : 1, from_size = samples->bits / 8;
  int first = MAX (piece->sample, 0),
      last = piece->sample < 0 ? self->channels * self->planes - 1 : first;

  for (guint32 row = 0; row < piece->n_rows; row++)
    {
      const guint8 *from = piece->rows + row * piece->row_bytes;
      gsize at = (gsize) (piece->y + row) * width + piece->x;

      if (interleaved == (gsize) self->channels && self->planes == 1 && piece->sample < 0)
        samples->convert (samples, from, 1, page + at * interleaved * size, 1,
                          piece->columns * interleaved);
      else
        for (int s = first; s <= last; s++)
          {
            guint8 *to = self->planes > 1 ? page + ((gsize) s * height * width + at) * size
                                          : page + (at * (gsize) self->channels + (gsize) s) * size;

            samples->convert (samples, from + (gsize) (s - first) * from_size, interleaved, to,
                              (gsize) self->channels, piece->columns);
          }
    }
}

/* Bytes of a decoded row of COLUMNS pixels. */
static guint64
needed_row_bytes (const VgTiffPageReader *self, guint64 columns, int sample)
{
  return (columns * (sample < 0 ? self->shape.samples : 1) * self->shape.bits + 7) / 8;
}

static gboolean
read_tiles (VgTiffPageReader *self, int sample, guint8 *page)
{
  TIFF *tiff = self->handle.tiff;
  guint32 width = (guint32) self->shape.width, height = (guint32) self->shape.height,
          tile_width = 0, tile_height = 0;
  guint64 bytes = TIFFTileSize64 (tiff), row_bytes = TIFFTileRowSize64 (tiff);

  TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &tile_width);
  TIFFGetField (tiff, TIFFTAG_TILELENGTH, &tile_height);
  if (tile_width == 0 || tile_height == 0 ||
      row_bytes < needed_row_bytes (self, tile_width, sample) || bytes / tile_height < row_bytes)
    return complain (self, "its tiles have an impossible size");
  if (!ensure_scratch (self, bytes))
    return FALSE;
  for (guint64 y = 0; y < height; y += tile_height)
    for (guint64 x = 0; x < width; x += tile_width)
      {
        guint32 tile = TIFFComputeTile (tiff, (guint32) x, (guint32) y, 0,
                                        (guint16) MAX (sample, 0));
        Piece piece = { .rows = self->scratch,
                        .row_bytes = row_bytes,
                        .x = (guint32) x,
                        .y = (guint32) y,
                        .columns = (guint32) MIN (tile_width, width - x),
                        .n_rows = (guint32) MIN (tile_height, height - y),
                        .sample = sample };

        if (TIFFReadEncodedTile (tiff, tile, self->scratch, (tmsize_t) bytes) != (tmsize_t) bytes)
          return complain (self, "a tile is incomplete");
        place_piece (self, &piece, page);
      }
  return TRUE;
}

static gboolean
read_strips (VgTiffPageReader *self, int sample, guint8 *page)
{
  TIFF *tiff = self->handle.tiff;
  guint32 height = (guint32) self->shape.height, rows_per_strip = 0;
  guint64 row_bytes = TIFFScanlineSize64 (tiff);
  gboolean straight = self->samples.plain && sample < 0 && self->planes == 1 &&
                      self->shape.samples == (guint) self->channels;

  TIFFGetFieldDefaulted (tiff, TIFFTAG_ROWSPERSTRIP, &rows_per_strip);
  rows_per_strip = MIN (rows_per_strip, height);
  if (rows_per_strip == 0 || row_bytes < needed_row_bytes (self, self->shape.width, sample))
    return complain (self, "its strips have an impossible size");
  /* the page is large enough if libtiff's row size is the expected one */
  straight = straight && row_bytes == self->shape.width * self->shape.samples *
                                          vg_type_size (self->samples.type);
  if (!straight &&
      (row_bytes > (guint64) MAX_PIECE_BYTES || !ensure_scratch (self, rows_per_strip * row_bytes)))
    return complain (self, "a strip is too large for memory");
  for (guint64 y = 0; y < height; y += rows_per_strip)
    {
      Piece piece = { .row_bytes = row_bytes,
                      .y = (guint32) y,
                      .columns = (guint32) self->shape.width,
                      .n_rows = (guint32) MIN (rows_per_strip, height - y),
                      .sample = sample };
      tmsize_t bytes = (tmsize_t) (piece.n_rows * row_bytes);
      void *target = straight ? page + y * row_bytes : self->scratch;
      guint32 strip = TIFFComputeStrip (tiff, (guint32) y, (guint16) MAX (sample, 0));

      if (TIFFReadEncodedStrip (tiff, strip, target, bytes) != bytes)
        return complain (self, "a strip is incomplete");
      piece.rows = target;
      if (!straight)
        place_piece (self, &piece, page);
    }
  return TRUE;
}

/* Photometric interpretations that libtiff can convert to RGBA. */
static gboolean
read_rgba (VgTiffPageReader *self, guint8 *page)
{
  guint64 pixels = self->shape.width * self->shape.height;
  const guint32 *from;

  if (!ensure_scratch (self, pixels * 4))
    return FALSE;
  if (!TIFFReadRGBAImageOriented (self->handle.tiff, (guint32) self->shape.width,
                                  (guint32) self->shape.height, self->scratch, ORIENTATION_TOPLEFT,
                                  1))
    return complain (self, "its colours cannot be read");
  from = self->scratch;
  for (guint64 i = 0; i < pixels; i++)
    {
      page[3 * i] = (guint8) TIFFGetR (from[i]);
      page[3 * i + 1] = (guint8) TIFFGetG (from[i]);
      page[3 * i + 2] = (guint8) TIFFGetB (from[i]);
    }
  return TRUE;
}

gboolean
vg_tiff_page_read (VgTiffPageReader *self, guint64 directory, void *page)
{
  int used = self->channels * self->planes;
  gboolean tiled, separate;

  if (!set_directory (self, directory))
    return FALSE;
  if (self->rgba)
    return read_rgba (self, page);
  tiled = TIFFIsTiled (self->handle.tiff);
  separate = self->shape.samples > 1 && tag_u16 (self->handle.tiff, TIFFTAG_PLANARCONFIG,
                                                 PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
  for (int sample = separate ? 0 : -1; sample < (separate ? used : 0); sample++)
    if (!(tiled ? read_tiles (self, sample, page) : read_strips (self, sample, page)))
      return FALSE;
  if (tag_u16 (self->handle.tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) ==
      PHOTOMETRIC_MINISWHITE)
    vg_tiff_samples_invert (&self->samples, page,
                            (gsize) used * self->shape.width * self->shape.height);
  return TRUE;
}

guint64
vg_tiff_page_plain_offset (VgTiffPageReader *self, guint64 directory)
{
  TIFF *tiff = self->handle.tiff;

  if (!set_directory (self, directory) || self->rgba || !self->samples.plain ||
      self->photometric == PHOTOMETRIC_MINISWHITE || TIFFIsTiled (tiff) ||
      tag_u16 (tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE) != COMPRESSION_NONE ||
      self->planes > 1 || self->shape.samples != (guint) self->channels ||
      (self->shape.samples > 1 && tag_u16 (tiff, TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_SEPARATE))
    return 0;
  return TIFFGetStrileOffset (tiff, 0);
}

static gboolean
set_colour (VgTiffPageReader *self, const char *name, gboolean colour, GString *notes,
            GError **error)
{
  TIFF *tiff = self->handle.tiff;
  const char *description = NULL;
  char why[1024] = "";

  TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &description);
  /* ImageJ gives 8-bit grey images a colour table for display */
  if (self->photometric == PHOTOMETRIC_PALETTE && !colour && self->shape.samples == 1 &&
      description && g_str_has_prefix (description, "ImageJ="))
    {
      g_string_append (notes, "ImageJ's colour table is ignored; samples are read as grey.\n");
      return TRUE;
    }
  if (!colour)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" is a colour image, but a grey one is needed; export the camera's raw "
                   "frames, or convert it to grey",
                   name);
      return FALSE;
    }
  if (self->photometric == PHOTOMETRIC_RGB && self->shape.samples >= 3 && !self->samples.packed)
    {
      self->channels = self->shape.samples == 4 ? 4 : 3;
      return TRUE;
    }
  if (!TIFFRGBAImageOK (tiff, why))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "the colours of \"%s\" cannot be read (%s); export it as 8-bit RGB", name, why);
      return FALSE;
    }
  self->rgba = TRUE;
  self->channels = 3;
  vg_tiff_samples_init (&self->samples, 8, SAMPLEFORMAT_UINT);
  g_string_append (notes, "Colours are converted to 8-bit RGB.\n");
  return TRUE;
}

/* Several samples per pixel that are no colour are time bins; an alpha channel is left out. */
static void
set_planes (VgTiffPageReader *self, GString *notes)
{
  guint16 n_extra = 0;
  const guint16 *extra = NULL;

  if (self->shape.samples < 2)
    return;
  TIFFGetField (self->handle.tiff, TIFFTAG_EXTRASAMPLES, &n_extra, &extra);
  if (self->shape.samples == 2 && n_extra == 1 && extra[0] != EXTRASAMPLE_UNSPECIFIED)
    g_string_append (notes, "The alpha channel is ignored.\n");
  else
    self->planes = (int) self->shape.samples;
}

static gboolean
set_kind (VgTiffPageReader *self, const char *name, gboolean colour, GString *notes, GError **error)
{
  if (!vg_tiff_samples_init (&self->samples, self->shape.bits, self->shape.format) ||
      (self->samples.packed && self->shape.samples > 1 && !colour))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" has %u-bit samples of a type that cannot be read; export it as 8-, 16- "
                   "or 32-bit integer, or float",
                   name, self->shape.bits);
      return FALSE;
    }
  if (self->samples.note)
    g_string_append_printf (notes, "%s\n", self->samples.note);
  if (self->photometric == PHOTOMETRIC_MINISWHITE)
    g_string_append (notes, self->samples.type == VG_F32
                                ? "Min-is-white is ignored for samples of this type.\n"
                                : "Min-is-white: values are inverted.\n");
  switch (self->photometric)
    {
    case PHOTOMETRIC_RGB:
    case PHOTOMETRIC_PALETTE:
    case PHOTOMETRIC_SEPARATED:
    case PHOTOMETRIC_YCBCR:
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
    case PHOTOMETRIC_ITULAB:
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV:
      return set_colour (self, name, colour, notes, error);
    default:
      set_planes (self, notes);
      return TRUE;
    }
}

gboolean
vg_tiff_page_reader_init (VgTiffPageReader *self, int fd, const char *name,
                          const VgTiffIndex *index, gboolean colour, GString *notes, GError **error)
{
  const VgTiffShape *shape = &index->shape;

  self->shape = *shape;
  self->channels = self->planes = 1;
  if (shape->width == 0 || shape->height == 0 || shape->width > G_MAXINT ||
      shape->height > G_MAXINT || shape->samples == 0 || shape->samples > G_MAXUINT16)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" has pages of %" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT
                   " with %u samples, which is not an image; export it again",
                   name, shape->width, shape->height, shape->samples);
      close (fd);
      return FALSE;
    }
  /* r: read; h: no directory yet; m: no memory map, which a file that
   * shrinks would turn into a bus error; c: strips as they are */
  if (!vg_tiff_handle_open (&self->handle, fd, name, "rhmc",
                            CLAMP (4 * index->file_size, 64 << 20, MAX_PIECE_BYTES)))
    close (fd);
  else if (set_directory (self, g_array_index (index->offsets, guint64, 0)))
    return set_kind (self, name, colour, notes, error);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\" is damaged (%s); copy or export it again", name,
               vg_tiff_handle_complaint (&self->handle));
  return FALSE;
}

void
vg_tiff_page_reader_clear (VgTiffPageReader *self)
{
  vg_tiff_handle_close (&self->handle);
  vg_tiff_handle_forget (&self->handle);
  g_free (self->scratch);
}
