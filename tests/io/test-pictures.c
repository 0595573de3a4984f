/* SPDX-License-Identifier: MIT */
/* PNG and JPEG pictures: samples, scales, damage. */
#include "tests/support/io/tiff-fixture.h"
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef VG_HAVE_JPEG
#include <jpeglib.h>
#endif

enum { WIDTH = 37, HEIGHT = 21 };

static char *folder, *path;

typedef struct
{
  int bits, kind, interlace;
  int channels;        /* that are stored */
  int colour_channels; /* that come when colour is taken */
} Variant;

/* What is stored: different in every sample. */
static guint
stored (int x, int y, int c, int bits)
{
  return ((guint) (x * 7 + y * 31 + c * 101) * 257u) & ((1u << bits) - 1);
}

static void
put_sample (guint8 *row, int i, int bits, guint value)
{
  if (bits == 16)
    {
      row[2 * i] = (guint8) (value >> 8);
      row[2 * i + 1] = (guint8) value;
    }
  else
    row[i * bits / 8] |= (guint8) (value << (8 - bits - i * bits % 8));
}

static void
write_png (const Variant *variant, double per_metre)
{
  FILE *file = fopen (path, "wb");
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct (png);
  png_color palette[256];
  g_autofree guint8 *rows = g_malloc0 (HEIGHT * WIDTH * 8);
  png_bytep pointers[HEIGHT];

  png_init_io (png, file);
  png_set_IHDR (png, info, WIDTH, HEIGHT, variant->bits, variant->kind, variant->interlace,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  for (int i = 0; i < 256; i++)
    palette[i] = (png_color){ (png_byte) i, (png_byte) (255 - i), (png_byte) (i / 2) };
  if (variant->kind == PNG_COLOR_TYPE_PALETTE)
    png_set_PLTE (png, info, palette, 1 << variant->bits);
  if (per_metre > 0)
    png_set_pHYs (png, info, (png_uint_32) per_metre, (png_uint_32) per_metre,
                  PNG_RESOLUTION_METER);
  for (int y = 0; y < HEIGHT; y++)
    {
      pointers[y] = rows + y * WIDTH * 8;
      for (int x = 0; x < WIDTH; x++)
        for (int c = 0; c < variant->channels; c++)
          put_sample (pointers[y], x * variant->channels + c, variant->bits,
                      stored (x, y, c, variant->bits));
    }
  png_write_info (png, info);
  png_write_image (png, pointers);
  png_write_end (png, info);
  png_destroy_write_struct (&png, &info);
  fclose (file);
}

/* In colour, where the file has colours. */
static void
check_colour (const Variant *variant)
{
  g_autoptr (VgSource) source = fixture_open (path, TRUE);
  g_autofree void *frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  int channels = variant->colour_channels;

  g_assert_cmpstr (source->format, ==, "PNG");
  g_assert_cmpint (source->info.width, ==, WIDTH);
  g_assert_cmpint (source->info.height, ==, HEIGHT);
  g_assert_cmpint (source->info.channels, ==, channels);
  g_assert_cmpint (source->info.type, ==, variant->bits == 16 ? VG_U16 : VG_U8);
  for (int turn = 0; turn < 2; turn++)
    {
      g_assert_true (vg_source_read (source, 0, frame, NULL));
      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          for (int c = 0; c < channels; c++)
            {
              guint index = stored (x, y, 0, variant->bits);
              guint table[3] = { index, 255 - index, index / 2 };
              guint value = variant->kind == PNG_COLOR_TYPE_PALETTE
                                ? table[c]
                                : stored (x, y, c, variant->bits);

              g_assert_cmpfloat (
                  fixture_sample (&source->info, frame, (gsize) ((y * WIDTH + x) * channels + c)),
                  ==, value);
            }
    }
}

/* Where grey is needed: colour is refused, but a colour table's indices may be labels. */
static void
check_grey (const Variant *variant)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
  guint16 frame[WIDTH * HEIGHT];

  if (variant->channels > 2)
    {
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
      fixture_assert_message (error, "colour image");
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpint (source->info.channels, ==, 1);
  g_assert_cmpint (source->info.significant_bits, ==, variant->bits);
  g_assert_true (vg_source_read (source, 0, frame, &error));
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpfloat (fixture_sample (&source->info, frame, (gsize) i), ==,
                       stored (i % WIDTH, i / WIDTH, 0, variant->bits));
}

static void
test_png (void)
{
  static const Variant variants[] = {
    { 8, PNG_COLOR_TYPE_GRAY, 0, 1, 1 },        { 16, PNG_COLOR_TYPE_GRAY, 0, 1, 1 },
    { 1, PNG_COLOR_TYPE_GRAY, 0, 1, 1 },        { 4, PNG_COLOR_TYPE_GRAY, 1, 1, 1 },
    { 8, PNG_COLOR_TYPE_RGB, 0, 3, 3 },         { 8, PNG_COLOR_TYPE_RGB, 1, 3, 3 },
    { 16, PNG_COLOR_TYPE_RGB, 0, 3, 3 },        { 8, PNG_COLOR_TYPE_RGB_ALPHA, 0, 4, 3 },
    { 8, PNG_COLOR_TYPE_PALETTE, 0, 1, 3 },     { 2, PNG_COLOR_TYPE_PALETTE, 0, 1, 3 },
    { 16, PNG_COLOR_TYPE_GRAY_ALPHA, 1, 2, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      write_png (&variants[i], 0);
      check_colour (&variants[i]);
      check_grey (&variants[i]);
    }
}

/* Dots per inch are a print size; a quarter of a micrometre can be none. */
static void
test_scale (void)
{
  static const struct
  {
    double per_metre, um;
  } scales[] = { { 4e6, 0.25 }, { 2835, 0 }, { 11811, 0 }, { 47244, 0 }, { 0, 0 } };
  static const Variant variant = { 8, PNG_COLOR_TYPE_GRAY, 0, 1, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_autoptr (VgSource) source = NULL;

      write_png (&variant, scales[i].per_metre);
      source = fixture_open (path, FALSE);
      g_assert_cmpfloat_with_epsilon (source->info.pixel_size[0], scales[i].um, 1e-9);
      g_assert_cmpstr (source->info.pixel_unit, ==, scales[i].um > 0 ? "µm" : "");
      g_assert_cmpint (source->details != NULL && strstr (source->details, "print size") != NULL,
                       ==, scales[i].per_metre > 0 && scales[i].um == 0);
    }
}

/* Without the flush of g_file_set_contents: there are thousands. */
static void
put (const char *bytes, gsize length)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  close (fd);
}

/* Cut at every length and bytes turned: an error or a picture, and of a cut one never a picture. */
static void
check_damage (guint32 seed)
{
  g_autofree char *bytes = NULL;
  GRand *random = g_rand_new_with_seed (seed);
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (gsize n = 3; n < length - 2; n += n < 200 ? 1 : 13)
    {
      g_autoptr (GError) error = NULL;

      put (bytes, n);
      error = fixture_read_all (path, &(VgSourceOptions){ .colour = TRUE });
      g_assert_nonnull (error);
      fixture_assert_message (error, "picture");
    }
  for (int round = 0; round < 1000; round++)
    {
      g_autofree char *copy = g_memdup2 (bytes, length);
      g_autoptr (GError) error = NULL;

      for (int flips = g_rand_int_range (random, 1, 4); flips > 0; flips--)
        copy[g_rand_int_range (random, 8, (gint32) length)] = (char) g_rand_int (random);
      put (copy, length);
      error = fixture_read_all (path, &(VgSourceOptions){ .colour = TRUE });
      if (error)
        fixture_assert_message (error, "picture");
    }
  g_rand_free (random);
}

static void
test_png_damage (void)
{
  static const Variant variants[] = { { 8, PNG_COLOR_TYPE_RGB, 0, 3, 3 },
                                      { 16, PNG_COLOR_TYPE_GRAY, 1, 1, 1 } };
  guint8 huge[] = "\211PNG\r\n\032\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\0\0\0\0";

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      write_png (&variants[i], 0);
      check_damage (i);
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_true (g_file_set_contents (path, (char *) huge, sizeof huge - 1, NULL));
    error = fixture_read_all (path, NULL);
    g_assert_nonnull (error);
  }
}

#ifdef VG_HAVE_JPEG
/* A smooth picture, which JPEG hardly changes. */
static guint8
smooth (int x, int y, int c)
{
  return (guint8) (40 + 3 * x + 2 * y + 20 * c);
}

static void
write_jpeg (int channels, int density, int unit)
{
  FILE *file = fopen (path, "wb");
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;

  jpeg.err = jpeg_std_error (&errors);
  jpeg_create_compress (&jpeg);
  jpeg_stdio_dest (&jpeg, file);
  jpeg.image_width = WIDTH;
  jpeg.image_height = HEIGHT;
  jpeg.input_components = channels;
  jpeg.in_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults (&jpeg);
  jpeg_set_quality (&jpeg, 98, TRUE);
  jpeg.density_unit = (UINT8) unit;
  jpeg.X_density = jpeg.Y_density = (UINT16) density;
  jpeg_start_compress (&jpeg, TRUE);
  for (int y = 0; y < HEIGHT; y++)
    {
      guint8 samples[3 * WIDTH];
      JSAMPROW row = samples;

      for (int x = 0; x < WIDTH; x++)
        for (int c = 0; c < channels; c++)
          samples[x * channels + c] = smooth (x, y, c);
      jpeg_write_scanlines (&jpeg, &row, 1);
    }
  jpeg_finish_compress (&jpeg);
  jpeg_destroy_compress (&jpeg);
  fclose (file);
}

static void
test_jpeg (void)
{
  for (int channels = 1; channels <= 3; channels += 2)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;
      g_autoptr (VgSource) grey = NULL;
      guint8 frame[3 * WIDTH * HEIGHT];

      write_jpeg (channels, 20000, 2);
      source = fixture_open (path, TRUE);
      g_assert_cmpstr (source->format, ==, "JPEG");
      g_assert_cmpint (source->info.channels, ==, channels);
      g_assert_cmpfloat_with_epsilon (source->info.pixel_size[0], 0.5, 1e-9);
      for (int turn = 0; turn < 2; turn++)
        {
          g_assert_true (vg_source_read (source, 0, frame, NULL));
          for (int i = 0; i < WIDTH * HEIGHT; i++)
            for (int c = 0; c < channels; c++)
              g_assert_cmpint (ABS (frame[i * channels + c] - smooth (i % WIDTH, i / WIDTH, c)), <=,
                               4);
        }
      grey = vg_source_open (path, NULL, &error);
      g_assert_cmpint (grey != NULL, ==, channels == 1);
      write_jpeg (channels, 300, 1);
      vg_source_close (g_steal_pointer (&source));
      source = fixture_open (path, TRUE);
      g_assert_cmpfloat (source->info.pixel_size[0], ==, 0);
      g_assert_nonnull (strstr (source->details, "print size"));
    }
}

static void
test_jpeg_damage (void)
{
  write_jpeg (3, 1, 0);
  check_damage (5);
}
#endif

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  path = g_build_filename (folder, "picture", NULL);
  g_test_add_func ("/pictures/png", test_png);
  g_test_add_func ("/pictures/scale", test_scale);
  g_test_add_func ("/pictures/png-damage", test_png_damage);
#ifdef VG_HAVE_JPEG
  g_test_add_func ("/pictures/jpeg", test_jpeg);
  g_test_add_func ("/pictures/jpeg-damage", test_jpeg_damage);
#endif
  status = g_test_run ();
  fixture_remove_folder (folder);
  g_free (path);
  return status;
}
