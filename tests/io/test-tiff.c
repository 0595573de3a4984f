/* SPDX-License-Identifier: MIT */
/* TIFF written by libtiff in all its variants comes back sample by sample. */
#include "tests/support/io/tiff-fixture.h"
#include <math.h>
#include <string.h>
#include <tiffio.h>

static char *folder;

static char *
test_path (void)
{
  return g_build_filename (folder, "test.tif", NULL);
}

/* What the reader makes of a written value. */
static double
expected_value (const TiffVariant *variant, double value)
{
  if (variant->photometric == PHOTOMETRIC_MINISWHITE && variant->format == SAMPLEFORMAT_UINT)
    return (variant->bits == 32 ? (double) G_MAXUINT32 : (double) ((1u << variant->bits) - 1)) -
           value;
  return variant->format == SAMPLEFORMAT_UINT ? value : (double) (float) value;
}

/* Frames in random order and backwards, against the values written. */
static void
check_variant (const TiffVariant *variant, VgType type)
{
  g_autofree char *path = test_path ();
  g_autofree double *values = fixture_write_tiff (path, variant, 42);
  g_autoptr (VgSource) source = fixture_open (path, variant->photometric == PHOTOMETRIC_RGB);
  g_autoptr (GError) error = NULL;
  gsize page = (gsize) variant->width * (gsize) variant->height * (gsize) variant->samples;
  gsize bytes = vg_image_info_frame_bytes (&source->info);
  g_autofree guint8 *frame = g_malloc (bytes + 16);

  g_assert_cmpint (source->info.type, ==, type);
  g_assert_cmpint (source->info.width, ==, variant->width);
  g_assert_cmpint (source->info.height, ==, variant->height);
  g_assert_cmpint (source->info.frames, ==, variant->pages);
  g_assert_cmpstr (source->format, ==, variant->big ? "BigTIFF" : "TIFF");
  g_assert_cmpuint (bytes, ==, page * vg_type_size (type));
  for (int i = 0; i < variant->pages; i++)
    {
      int k = i % 2 ? i / 2 : variant->pages - 1 - i / 2;

      memset (frame, 0xee, bytes + 16);
      g_assert_true (vg_source_read (source, k, frame, &error));
      g_assert_no_error (error);
      for (gsize s = 0; s < page; s++)
        g_assert_cmpfloat (fixture_sample (&source->info, frame, s), ==,
                           expected_value (variant, values[(gsize) k * page + s]));
      for (int s = 0; s < 16; s++)
        g_assert_cmpint (frame[bytes + (gsize) s], ==, 0xee);
    }
}

static const struct
{
  guint bits, format;
  VgType type;
} kinds[] = {
  { 8, SAMPLEFORMAT_UINT, VG_U8 },     { 16, SAMPLEFORMAT_UINT, VG_U16 },
  { 32, SAMPLEFORMAT_UINT, VG_U32 },   { 32, SAMPLEFORMAT_IEEEFP, VG_F32 },
  { 8, SAMPLEFORMAT_INT, VG_F32 },     { 16, SAMPLEFORMAT_INT, VG_F32 },
  { 32, SAMPLEFORMAT_INT, VG_F32 },    { 16, SAMPLEFORMAT_IEEEFP, VG_F32 },
  { 64, SAMPLEFORMAT_IEEEFP, VG_F32 }, { 1, SAMPLEFORMAT_UINT, VG_U8 },
  { 2, SAMPLEFORMAT_UINT, VG_U8 },     { 4, SAMPLEFORMAT_UINT, VG_U8 },
  { 6, SAMPLEFORMAT_UINT, VG_U8 },     { 10, SAMPLEFORMAT_UINT, VG_U16 },
  { 12, SAMPLEFORMAT_UINT, VG_U16 },   { 14, SAMPLEFORMAT_UINT, VG_U16 },
};

static void
test_kinds (void)
{
  static const int sizes[][2] = {
    { 1, 1 }, { 1, 7 }, { 7, 1 }, { 31, 17 }, { 64, 48 }, { 97, 101 }
  };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (int way = 0; way < 8; way++)
        {
          TiffVariant variant = fixture_variant (sizes[s][0], sizes[s][1], 3);

          variant.bits = kinds[k].bits;
          variant.format = kinds[k].format;
          variant.tile = way & 1 ? 16 : 0;
          variant.rows_per_strip = way & 1 ? 0 : 5;
          variant.other_endian = (way & 2) != 0;
          variant.big = (way & 4) != 0;
          check_variant (&variant, kinds[k].type);
        }
}

static void
test_compressions (void)
{
  static const guint compressions[] = { COMPRESSION_LZW,           COMPRESSION_PACKBITS,
                                        COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
                                        COMPRESSION_ZSTD,          COMPRESSION_LZMA };

  for (guint c = 0; c < G_N_ELEMENTS (compressions); c++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      for (int way = 0; way < 8; way++)
        {
          TiffVariant variant = fixture_variant (37, 29, 2);

          if (!TIFFIsCODECConfigured ((uint16_t) compressions[c]))
            continue;
          variant.compression = compressions[c];
          variant.bits = kinds[k].bits;
          variant.format = kinds[k].format;
          variant.tile = way & 1 ? 32 : 0;
          variant.rows_per_strip = way & 1 ? 0 : 7;
          variant.other_endian = (way & 2) != 0;
          if (way & 4)
            {
              if (variant.bits % 8 ||
                  (variant.bits == 64 && variant.format != SAMPLEFORMAT_IEEEFP) ||
                  compressions[c] == COMPRESSION_PACKBITS)
                continue;
              /* libtiff 4.5 swaps such samples once too often when it writes */
              if (variant.format == SAMPLEFORMAT_IEEEFP && variant.other_endian)
                continue;
              variant.predictor = variant.format == SAMPLEFORMAT_IEEEFP ? PREDICTOR_FLOATINGPOINT
                                                                        : PREDICTOR_HORIZONTAL;
            }
          check_variant (&variant, kinds[k].type);
        }
}

static void
test_fax (void)
{
  TiffVariant variant = fixture_variant (83, 41, 2);

  variant.bits = 1;
  variant.photometric = PHOTOMETRIC_MINISWHITE;
  variant.compression = COMPRESSION_CCITTFAX4;
  check_variant (&variant, VG_U8);
}

static void
test_min_is_white (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      TiffVariant variant = fixture_variant (13, 11, 2);

      variant.bits = kinds[k].bits;
      variant.format = kinds[k].format;
      variant.photometric = PHOTOMETRIC_MINISWHITE;
      check_variant (&variant, kinds[k].type);
    }
}

static void
test_colour (void)
{
  for (int way = 0; way < 16; way++)
    {
      TiffVariant variant = fixture_variant (35, 23, 2);

      variant.photometric = PHOTOMETRIC_RGB;
      variant.samples = way & 1 ? 4 : 3;
      variant.separate = (way & 2) != 0;
      variant.tile = way & 4 ? 16 : 0;
      variant.rows_per_strip = 4;
      variant.bits = way & 8 ? 8 : 16;
      check_variant (&variant, way & 8 ? VG_U8 : VG_U16);
    }
}

static void
test_colour_refused (void)
{
  TiffVariant variant = fixture_variant (8, 8, 1);
  g_autofree char *path = test_path ();
  g_autoptr (GError) error = NULL;

  variant.photometric = PHOTOMETRIC_RGB;
  variant.samples = 3;
  g_free (fixture_write_tiff (path, &variant, 1));
  error = fixture_read_all (path, NULL);
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
  fixture_assert_message (error, "colour");
}

/* A colour table: refused as grey, turned into RGB where colour is wanted. */
static void
test_palette (void)
{
  g_autofree char *path = test_path ();
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  guint16 red[256], green[256], blue[256];
  guint8 row[5] = { 0, 1, 2, 200, 255 }, frame[15];
  TIFF *tiff = TIFFOpen (path, "w");

  for (int i = 0; i < 256; i++)
    {
      red[i] = (guint16) (i * 257);
      green[i] = (guint16) ((255 - i) * 257);
      blue[i] = (guint16) ((i / 2) * 257);
    }
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 5);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE);
  TIFFSetField (tiff, TIFFTAG_COLORMAP, red, green, blue);
  TIFFWriteEncodedStrip (tiff, 0, row, 5);
  TIFFClose (tiff);

  error = fixture_read_all (path, NULL);
  fixture_assert_message (error, "colour");
  source = fixture_open (path, TRUE);
  g_assert_cmpint (source->info.channels, ==, 3);
  g_assert_true (vg_source_read (source, 0, frame, NULL));
  for (int i = 0; i < 5; i++)
    {
      g_assert_cmpint (frame[3 * i], ==, row[i]);
      g_assert_cmpint (frame[3 * i + 1], ==, 255 - row[i]);
      g_assert_cmpint (frame[3 * i + 2], ==, row[i] / 2);
    }
}

/* Grey samples side by side in a pixel are bins: planes of their own. */
static void
test_samples_are_bins (void)
{
  for (int way = 0; way < 8; way++)
    {
      TiffVariant variant = fixture_variant (21, 19, 3);
      g_autofree char *path = test_path ();
      g_autofree double *values = NULL;
      g_autoptr (VgSource) source = NULL;
      g_autofree void *frame = NULL;
      gsize pixels = 21 * 19;

      variant.samples = 5;
      variant.separate = (way & 1) != 0;
      variant.tile = way & 2 ? 16 : 0;
      if (way & 4)
        {
          variant.bits = 64;
          variant.format = SAMPLEFORMAT_IEEEFP;
        }
      values = fixture_write_tiff (path, &variant, 3);
      source = fixture_open (path, FALSE);
      g_assert_cmpint (source->info.bins, ==, 5);
      g_assert_cmpint (source->info.frames, ==, 3);
      frame = g_malloc (vg_image_info_frame_bytes (&source->info));
      for (gsize f = 0; f < 3; f++)
        {
          g_assert_true (vg_source_read (source, (gint64) f, frame, NULL));
          for (gsize i = 0; i < pixels; i++)
            for (gsize b = 0; b < 5; b++)
              g_assert_cmpfloat (fixture_sample (&source->info, frame, b * pixels + i), ==,
                                 expected_value (&variant, values[(f * pixels + i) * 5 + b]));
        }
    }
}

/* Every binary16 there is. */
static void
test_half (void)
{
  g_autofree char *path = test_path ();
  g_autofree guint16 *halves = g_new (guint16, 65536);
  g_autofree float *frame = g_new (float, 65536);
  g_autoptr (VgSource) source = NULL;
  TIFF *tiff = TIFFOpen (path, "w");

  for (int i = 0; i < 65536; i++)
    halves[i] = (guint16) i;
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 256);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 256);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 16);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 256);
  TIFFWriteEncodedStrip (tiff, 0, halves, 65536 * 2);
  TIFFClose (tiff);
  source = fixture_open (path, FALSE);
  g_assert_true (vg_source_read (source, 0, frame, NULL));
  for (int i = 0; i < 65536; i++)
    {
      int exponent = i >> 10 & 31, fraction = i & 1023;
      double value = exponent == 0    ? ldexp (fraction, -24)
                     : exponent == 31 ? (fraction ? NAN : INFINITY)
                                      : ldexp (1024 + fraction, exponent - 25);

      value = i & 0x8000 ? -value : value;
      g_assert_true (isnan (value)
                         ? isnan (frame[i])
                         : (double) frame[i] == value && !signbit (frame[i]) == !signbit (value));
    }
}

/* JPEG is lossy: near is enough, and a tile of the other codec works too. */
static void
test_jpeg (void)
{
  g_autofree char *path = test_path ();
  guint8 strip[32 * 32], frame[32 * 32];
  g_autoptr (VgSource) source = NULL;
  TIFF *tiff;

  if (!TIFFIsCODECConfigured (COMPRESSION_JPEG))
    {
      g_test_skip ("libtiff without JPEG");
      return;
    }
  for (int i = 0; i < 32 * 32; i++)
    strip[i] = (guint8) (4 * (i % 32) + 3 * (i / 32));
  tiff = TIFFOpen (path, "w");
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 32);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 32);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
  TIFFSetField (tiff, TIFFTAG_JPEGQUALITY, 95);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 16);
  TIFFWriteEncodedStrip (tiff, 0, strip, 512);
  TIFFWriteEncodedStrip (tiff, 1, strip + 512, 512);
  TIFFClose (tiff);
  source = fixture_open (path, FALSE);
  g_assert_true (vg_source_read (source, 0, frame, NULL));
  for (int i = 0; i < 32 * 32; i++)
    g_assert_cmpint (ABS (frame[i] - strip[i]), <, 8);
}

/* `next` walks through, then ends without an error; `read` knows its bounds. */
static void
test_sequence (void)
{
  TiffVariant variant = fixture_variant (9, 5, 4);
  g_autofree char *path = test_path ();
  g_autofree double *values = fixture_write_tiff (path, &variant, 8);
  g_autoptr (VgSource) source = fixture_open (path, FALSE);
  g_autoptr (GError) error = NULL;
  guint16 frame[45];
  guint64 id = 99;
  double time_s = -1;

  for (guint64 k = 0; k < 4; k++)
    {
      g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
      g_assert_cmpuint (id, ==, k);
      g_assert_cmpfloat (frame[44], ==, values[k * 45 + 44]);
    }
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_no_error (error);
  g_assert_false (vg_source_read (source, 4, frame, &error));
  fixture_assert_message (error, "has no frame 5");
  g_clear_error (&error);
  g_assert_false (vg_source_read (source, -1, frame, &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/tiff/kinds", test_kinds);
  g_test_add_func ("/tiff/compressions", test_compressions);
  g_test_add_func ("/tiff/fax", test_fax);
  g_test_add_func ("/tiff/min-is-white", test_min_is_white);
  g_test_add_func ("/tiff/colour", test_colour);
  g_test_add_func ("/tiff/colour-refused", test_colour_refused);
  g_test_add_func ("/tiff/palette", test_palette);
  g_test_add_func ("/tiff/samples-are-bins", test_samples_are_bins);
  g_test_add_func ("/tiff/half", test_half);
  g_test_add_func ("/tiff/jpeg", test_jpeg);
  g_test_add_func ("/tiff/sequence", test_sequence);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
