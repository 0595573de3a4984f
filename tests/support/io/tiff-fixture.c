/* SPDX-License-Identifier: MIT */
#include "tests/support/io/tiff-fixture.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

char *
fixture_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *shared = g_strdup ("/dev/shm/vivograph-io-XXXXXX"), *folder;

  /* thousands of small files: in memory where that is possible */
  folder = g_mkdtemp (shared);
  if (!folder)
    {
      g_free (shared);
      folder = g_dir_make_tmp ("vivograph-io-XXXXXX", &error);
    }
  g_assert_no_error (error);
  return folder;
}

void
fixture_remove_folder (char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);

  for (const char *name; dir && (name = g_dir_read_name (dir));)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  if (dir)
    g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
}

TiffVariant
fixture_variant (int width, int height, int pages)
{
  return (TiffVariant){ .width = width,
                        .height = height,
                        .pages = pages,
                        .samples = 1,
                        .bits = 16,
                        .format = SAMPLEFORMAT_UINT,
                        .compression = COMPRESSION_NONE,
                        .photometric = PHOTOMETRIC_MINISBLACK };
}

static double
random_value (GRand *random, const TiffVariant *variant)
{
  guint32 bits = g_rand_int (random);

  if (variant->format == SAMPLEFORMAT_IEEEFP)
    return variant->bits == 16   ? (double) (bits & 2047) / 8 - 100
           : variant->bits == 32 ? (float) (gint32) bits / 977.f
                                 : (gint32) bits / 977.0;
  if (variant->format == SAMPLEFORMAT_INT)
    return variant->bits == 8 ? (gint8) bits : variant->bits == 16 ? (gint16) bits : (gint32) bits;
  return variant->bits == 32 ? bits : bits & ((1u << variant->bits) - 1);
}

/* binary16 of a value that it can hold */
static guint16
to_half (double value)
{
  float single = (float) value;
  guint32 bits;

  if (value == 0)
    return 0;
  memcpy (&bits, &single, sizeof bits);
  return (guint16) ((bits >> 16 & 0x8000) | ((((bits >> 23) & 255) - 112) << 10) |
                    (bits >> 13 & 0x3ff));
}

/* Puts VALUE at sample I of a row. */
static void
put_sample (guint8 *row, gsize i, double value, const TiffVariant *variant)
{
  float single = (float) value;
  guint16 half;
  gint64 whole = (gint64) value;

  if (variant->format == SAMPLEFORMAT_IEEEFP)
    {
      half = variant->bits == 16 ? to_half (value) : 0;
      memcpy (row + i * variant->bits / 8,
              variant->bits == 16   ? (void *) &half
              : variant->bits == 32 ? (void *) &single
                                    : (void *) &value,
              variant->bits / 8);
    }
  else if (variant->bits % 8 == 0)
    memcpy (row + i * variant->bits / 8, &whole, variant->bits / 8); /* little endian host */
  else
    for (guint b = 0; b < variant->bits; b++)
      if (whole >> (variant->bits - 1 - b) & 1)
        row[(i * variant->bits + b) / 8] |= (guint8) (0x80 >> ((i * variant->bits + b) % 8));
}

/* One strip or tile: pixels from (x, y), beyond the edge 0. */
static void
write_piece (TIFF *tiff, const TiffVariant *variant, const double *page, int x, int y, int columns,
             int rows, int plane)
{
  int in_piece = variant->separate ? 1 : variant->samples;
  gsize row_bytes = ((gsize) columns * (gsize) in_piece * variant->bits + 7) / 8;
  g_autofree guint8 *bytes = g_malloc0 (row_bytes * (gsize) rows);
  tmsize_t size = (tmsize_t) row_bytes * rows, written;

  for (int r = 0; r < rows && y + r < variant->height; r++)
    for (int c = 0; c < columns && x + c < variant->width; c++)
      for (int s = 0; s < in_piece; s++)
        put_sample (bytes + (gsize) r * row_bytes, (gsize) (c * in_piece + s),
                    page[((gsize) (y + r) * (gsize) variant->width + (gsize) (x + c)) *
                             (gsize) variant->samples +
                         (gsize) (variant->separate ? plane : s)],
                    variant);
  if (variant->tile)
    written = TIFFWriteEncodedTile (
        tiff, TIFFComputeTile (tiff, (guint32) x, (guint32) y, 0, (guint16) plane), bytes, size);
  else
    written = TIFFWriteEncodedStrip (tiff, TIFFComputeStrip (tiff, (guint32) y, (guint16) plane),
                                     bytes, size);
  g_assert_cmpint (written, ==, size);
}

static void
write_page (TIFF *tiff, const TiffVariant *variant, const double *page, gboolean first)
{
  int rows = variant->rows_per_strip ? (int) variant->rows_per_strip : variant->height;
  int piece_rows = variant->tile ? (int) variant->tile : rows,
      piece_columns = variant->tile ? (int) variant->tile : variant->width;

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, variant->width);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, variant->height);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, variant->samples);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, variant->bits);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, variant->format);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, variant->photometric);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG,
                variant->separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION,
                variant->compression ? variant->compression : COMPRESSION_NONE);
  /* the least memory: there are hundreds of files */
  if (variant->compression == COMPRESSION_LZMA)
    TIFFSetField (tiff, TIFFTAG_LZMAPRESET, 0);
  if (variant->predictor)
    TIFFSetField (tiff, TIFFTAG_PREDICTOR, variant->predictor);
  if (variant->tile)
    {
      TIFFSetField (tiff, TIFFTAG_TILEWIDTH, variant->tile);
      TIFFSetField (tiff, TIFFTAG_TILELENGTH, variant->tile);
    }
  else
    TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, rows);
  if (variant->resolution > 0)
    {
      TIFFSetField (tiff, TIFFTAG_XRESOLUTION, variant->resolution);
      TIFFSetField (tiff, TIFFTAG_YRESOLUTION, variant->resolution);
      TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, variant->resolution_unit);
    }
  if (first && variant->description)
    TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, variant->description);
  for (int plane = 0; plane < (variant->separate ? variant->samples : 1); plane++)
    for (int y = 0; y < variant->height; y += piece_rows)
      for (int x = 0; x < variant->width; x += piece_columns)
        write_piece (tiff, variant, page, x, y, piece_columns,
                     variant->tile ? piece_rows : MIN (piece_rows, variant->height - y), plane);
  g_assert_true (TIFFWriteDirectory (tiff));
}

double *
fixture_write_tiff (const char *path, const TiffVariant *variant, guint32 seed)
{
  gsize page_samples = (gsize) variant->width * (gsize) variant->height * (gsize) variant->samples;
  double *values = g_new (double, page_samples *(gsize) variant->pages);
  GRand *random = g_rand_new_with_seed (seed);
  char mode[8];
  TIFF *tiff;

  g_snprintf (mode, sizeof mode, "w%s%s", variant->big ? "8" : "",
              variant->other_endian == (G_BYTE_ORDER == G_LITTLE_ENDIAN) ? "b" : "l");
  TIFFSetWarningHandler (NULL);
  tiff = TIFFOpen (path, mode);
  g_assert_nonnull (tiff);
  for (gsize i = 0; i < page_samples * (gsize) variant->pages; i++)
    values[i] = random_value (random, variant);
  for (int page = 0; page < variant->pages; page++)
    write_page (tiff, variant, values + (gsize) page * page_samples, page == 0);
  TIFFClose (tiff);
  g_rand_free (random);
  return values;
}

double
fixture_sample (const VgImageInfo *info, const void *frame, gsize i)
{
  switch (info->type)
    {
    case VG_U8:
      return ((const guint8 *) frame)[i];
    case VG_U16:
      return ((const guint16 *) frame)[i];
    case VG_U32:
      return ((const guint32 *) frame)[i];
    default:
      return (double) ((const float *) frame)[i];
    }
}

VgSource *
fixture_open (const char *path, gboolean colour)
{
  g_autoptr (GError) error = NULL;
  VgSource *source = vg_source_open (path, &(VgSourceOptions){ .colour = colour }, &error);

  g_assert_no_error (error);
  g_assert_nonnull (source);
  return source;
}

GError *
fixture_read_all (const char *path, const VgSourceOptions *options)
{
  GError *error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, options, &error);
  g_autofree void *frame = NULL;
  guint64 id;
  double time_s;
  gint64 n = 0;

  if (!source)
    {
      g_assert_nonnull (error);
      return error;
    }
  g_assert_no_error (error);
  frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  while (vg_source_next (source, frame, &id, &time_s, &error))
    n++;
  if (!error && source->info.frames >= 0)
    g_assert_cmpint (n, ==, source->info.frames);
  return error;
}

void
fixture_assert_message (const GError *error, const char *what)
{
  g_assert_nonnull (error);
  if (!strstr (error->message, what))
    g_error ("\"%s\" is not in \"%s\"", what, error->message);
  g_assert_null (strchr (error->message, '\n'));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

void
fixture_put_file (const char *path, const void *bytes, gsize length)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  close (fd);
}
