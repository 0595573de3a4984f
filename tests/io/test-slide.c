/* SPDX-License-Identifier: MIT */
/* Whole slides: levels, parts, damage.  Needs OpenSlide. */
#include "tests/support/io/slide-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <fcntl.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

enum { WIDTH = 1400, HEIGHT = 1040 };

static char *folder, *slide;

static VgSource *
open_as (const char *path, const char *read_options, GError **error)
{
  return vg_source_open (path, &(VgSourceOptions){ .colour = TRUE, .read_options = read_options },
                         error);
}

static void
test_levels (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = open_as (slide, NULL, &error);
  g_autofree guint8 *frame = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (source->format, ==, "whole slide");
  g_assert_nonnull (source->pyramid);
  /* the fourth is smaller than a tile, which libtiff does not decode for OpenSlide */
  g_assert_cmpint (source->pyramid->n_levels, ==, 3);
  g_assert_nonnull (strstr (source->details, "smaller than a tile ignored"));
  g_assert_cmpint (source->info.width, ==, WIDTH);
  g_assert_cmpint (source->info.height, ==, HEIGHT);
  g_assert_cmpint (source->pyramid->levels[2].width, ==, WIDTH / 4);
  g_assert_nonnull (strstr (source->details, "Level 2: 350x260, 1 : 4"));
  frame = g_malloc (3 * WIDTH * HEIGHT);
  g_assert_true (vg_source_read (source, 0, frame, &error));
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        guint8 rgb[3];

        slide_fixture_pixel (x, y, rgb);
        g_assert_cmpmem (frame + 3 * (y * WIDTH + x), 3, rgb, 3);
      }
}

/* Any part of any level is that part of the whole level. */
static void
test_parts (void)
{
  for (int level = 0; level < 3; level++)
    {
      g_autofree char *read_options = g_strdup_printf ("level=%d", level);
      g_autoptr (VgSource) source = open_as (slide, read_options, NULL);
      int w = source->info.width, h = source->info.height;
      g_autofree guint8 *whole = g_malloc (3 * (gsize) w * (gsize) h),
                        *part = g_malloc (3 * (gsize) w * (gsize) h);

      g_assert_cmpint (w, ==, WIDTH >> level);
      g_assert_true (vg_source_read (source, 0, whole, NULL));
      for (int n = 0; n < 20; n++)
        {
          int x = g_test_rand_int_range (0, w), y = g_test_rand_int_range (0, h);
          int pw = g_test_rand_int_range (1, w - x + 1), ph = g_test_rand_int_range (1, h - y + 1);
          g_autofree char *text = g_strdup_printf ("level=%d region=%d,%d,%d,%d", level, x << level,
                                                   y << level, pw << level, ph << level);
          g_autoptr (VgSource) other = open_as (slide, text, NULL);
          g_autofree guint8 *again = g_malloc (3 * (gsize) pw * (gsize) ph);

          g_assert_cmpint (other->info.width, ==, pw);
          g_assert_cmpint (other->info.height, ==, ph);
          g_assert_true (vg_source_read_region (source, level, x, y, pw, ph, part, NULL));
          g_assert_true (vg_source_read (other, 0, again, NULL));
          for (int j = 0; j < ph; j++)
            {
              g_assert_cmpmem (part + 3 * j * pw, 3 * (gsize) pw, whole + 3 * ((y + j) * w + x),
                               3 * (gsize) pw);
              g_assert_cmpmem (again + 3 * j * pw, 3 * (gsize) pw, whole + 3 * ((y + j) * w + x),
                               3 * (gsize) pw);
            }
        }
    }
}

typedef struct
{
  VgSource *source;
  const guint8 *whole;
  guint32 seed;
} Reading;

static gpointer
read_parts (gpointer data)
{
  const Reading *self = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (self->seed);
  g_autofree guint8 *part = g_malloc (3 * WIDTH * HEIGHT);

  for (int n = 0; n < 20; n++)
    {
      int x = g_rand_int_range (rand, 0, WIDTH), y = g_rand_int_range (rand, 0, HEIGHT);
      int w = g_rand_int_range (rand, 1, WIDTH - x + 1),
          h = g_rand_int_range (rand, 1, HEIGHT - y + 1);

      g_assert_true (vg_source_read_region (self->source, 0, x, y, w, h, part, NULL));
      for (int j = 0; j < h; j++)
        g_assert_cmpmem (part + 3 * j * w, 3 * (gsize) w, self->whole + 3 * ((y + j) * WIDTH + x),
                         3 * (gsize) w);
    }
  return NULL;
}

/* Many threads read at the same time, each what it asks for. */
static void
test_threads (void)
{
  g_autoptr (VgSource) source = open_as (slide, NULL, NULL);
  g_autofree guint8 *whole = g_malloc (3 * WIDTH * HEIGHT);
  Reading readings[12];
  GThread *threads[12];

  g_assert_true (vg_source_read (source, 0, whole, NULL));
  for (int i = 0; i < 12; i++)
    {
      readings[i] = (Reading){ source, whole, (guint32) g_test_rand_int () };
      threads[i] = g_thread_new ("read", read_parts, &readings[i]);
    }
  for (int i = 0; i < 12; i++)
    g_thread_join (threads[i]);
}

/* Beyond the picture it is white. */
static void
test_beyond (void)
{
  g_autoptr (VgSource) source = open_as (slide, NULL, NULL);
  guint8 part[3 * 4 * 4];

  g_assert_true (vg_source_read_region (source, 0, WIDTH - 2, -2, 4, 4, part, NULL));
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++)
      {
        guint8 rgb[3] = { 255, 255, 255 };

        if (x < 2 && y >= 2)
          slide_fixture_pixel (WIDTH - 2 + x, y - 2, rgb);
        g_assert_cmpmem (part + 3 * (4 * y + x), 3, rgb, 3);
      }
}

static void
test_readings (void)
{
  static const char *const bad[][2] = {
    { "level=3", "choose 0 to 2" },
    { "region=9000,9000,10,10", "1400x1040" },
    { "region=ellipse:9,9,5,5", "rectangle" },
    { "channel=2", "has no effect" },
    { "region=1,2,3", "four numbers" },
    { "region=0,0,-5,5", "above 0" },
  };
  g_autofree char *plain = g_build_filename (folder, "plain.tif", NULL);
  TiffVariant variant = fixture_variant (20, 10, 1);
  g_autoptr (GError) none = NULL;
  g_autoptr (VgSource) clipped = open_as (slide, "region=-50,1000,100,100", &none);

  g_assert_no_error (none);
  g_assert_cmpint (clipped->info.width, ==, 50);
  g_assert_cmpint (clipped->info.height, ==, HEIGHT - 1000);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_as (slide, bad[i][0], &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
      fixture_assert_message (error, bad[i][1]);
    }
  g_free (fixture_write_tiff (plain, &variant, 1));
  g_assert_null (open_as (plain, "level=1", &none));
  fixture_assert_message (none, "has no effect");
}

/* A tiled TIFF of one size is what it was before. */
static void
test_not_a_slide (void)
{
  g_autofree char *path = g_build_filename (folder, "tiled.tif", NULL),
                  *text = g_build_filename (folder, "no.svs", NULL);
  g_autoptr (GError) error = NULL;
  TiffVariant variant = fixture_variant (100, 90, 1);
  g_autoptr (VgSource) source = NULL, grey = NULL;

  variant.tile = 32;
  variant.samples = 3;
  variant.bits = 8;
  variant.photometric = 2;
  g_free (fixture_write_tiff (path, &variant, 1));
  source = open_as (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (source->format, ==, "TIFF");
  g_assert_null (source->pyramid);
  /* nor is a slide one where no colour is taken */
  grey = vg_source_open (slide, NULL, &error);
  g_assert_null (grey);
  fixture_assert_message (error, "colour");
  g_clear_error (&error);
  g_assert_true (
      g_file_set_contents (text, "II*\0 this is no slide at all, and no picture either", 40, NULL));
  g_assert_null (open_as (text, NULL, &error));
  fixture_assert_message (error, "no.svs");
}

/* Cut or changed anywhere: a message, or samples; later parts are still read.  The first files are
 * read behind the fence, the others in this process, which is faster. */
static void
test_damage (void)
{
  g_autofree char *path = g_build_filename (folder, "damaged.tif", NULL);
  g_autofree char *bytes = NULL;
  GRand *random = g_rand_new_with_seed (71);
  gsize length;
  guint opened = 0, refused = 0, unread = 0, read_after = 0;

  g_assert_true (g_file_get_contents (slide, &bytes, &length, NULL));
  for (int n = 0; n < 300; n++)
    {
      g_autofree char *copy = g_memdup2 (bytes, length);
      gsize end = n % 3 == 0 ? (gsize) g_rand_int_range (random, 0, (gint32) length) : length;
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;
      guint8 part[3 * 16 * 16];
      int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

      if (n == 12)
        g_setenv ("VIVOGRAPH_FENCE", "off", TRUE);
      for (int k = 0; n % 3 && k < 40; k++)
        copy[n % 3 == 1 ? (gsize) g_rand_int_range (random, 0, (gint32) length)
                        : length - 1 - (gsize) g_rand_int_range (random, 0, 900)] = (char)
            g_rand_int (random);
      g_assert_cmpint (write (fd, copy, end), ==, (gssize) end);
      close (fd);
      source = open_as (path, NULL, &error);
      if (!source)
        {
          refused++;
          fixture_assert_message (error, "damaged.tif");
          continue;
        }
      opened++;
      if (!source->pyramid)
        continue;
      for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
          {
            g_autoptr (GError) failed = NULL;

            if (vg_source_read_region (source, 0, x * SLIDE_TILE, y * SLIDE_TILE, 16, 16, part,
                                       &failed))
              read_after += unread > 0;
            else
              {
                unread++;
                fixture_assert_message (failed, "damaged.tif");
              }
          }
    }
  g_test_message ("%u opened, %u refused, %u parts unread, %u read after", opened, refused, unread,
                  read_after);
  g_assert_cmpuint (opened, >, 20);
  g_assert_cmpuint (refused, >, 20);
  g_assert_cmpuint (unread, >, 5);
  g_assert_cmpuint (read_after, >, 20);
  g_rand_free (random);
  g_unsetenv ("VIVOGRAPH_FENCE");
}

/* Spoils the stored tile of level 0 that holds pixel (256, 512). */
static void
spoil_tile (const char *path)
{
  TIFF *tiff = TIFFOpen (path, "r");
  guint64 offset = TIFFGetStrileOffset (tiff, TIFFComputeTile (tiff, 256, 512, 0, 0));
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  guint8 bytes[64];

  TIFFClose (tiff);
  memset (bytes, 0xff, sizeof bytes);
  g_assert_cmpint (pwrite (fd, bytes, sizeof bytes, (off_t) offset), ==, sizeof bytes);
  close (fd);
}

/* A damaged tile costs itself: it is white and told, and every other pixel is what it was. */
static void
test_damaged_tile (void)
{
  g_autofree char *path = g_build_filename (folder, "spoilt.tif", NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (VgSource) inside = NULL;
  g_autoptr (VgImage) image = NULL;
  g_autoptr (GArray) holes = g_array_new (FALSE, FALSE, sizeof (VgHole));
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *part = g_malloc (3 * 400 * 300);
  const VgHole *hole;

  slide_fixture_write (path, WIDTH, HEIGHT, 2, slide_fixture_pattern, NULL);
  spoil_tile (path);
  source = open_as (path, NULL, &error);
  g_assert_no_error (error);
  image = vg_image_load (path, VG_FILE_IMAGE, &(VgSourceOptions){ .colour = TRUE }, &error);
  g_assert_no_error (error);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        gboolean lost = x >= 256 && x < 512 && y >= 512 && y < 768;
        guint8 rgb[3] = { 255, 255, 255 };

        if (!lost)
          slide_fixture_pixel (x, y, rgb);
        g_assert_cmpmem ((const guint8 *) image->data + 3 * (y * WIDTH + x), 3, rgb, 3);
      }
  g_assert_nonnull (strstr (image->caution, "is damaged: 4.5 % of this region"));
  g_assert_nonnull (strstr (image->caution, "at 256, 512"));
  /* a part that holds a corner of it */
  g_assert_true (vg_source_read_around (source, 0, 100, 300, 400, 300, part, holes, &error));
  g_assert_cmpuint (holes->len, ==, 1);
  hole = &g_array_index (holes, VgHole, 0);
  g_assert_cmpint (hole->x, ==, 256);
  g_assert_cmpint (hole->y, ==, 512);
  g_assert_cmpint (hole->width, ==, 500 - 256);
  g_assert_cmpint (hole->height, ==, 600 - 512);
  /* elsewhere, nothing is told; within it, there is nothing to be had */
  g_assert_true (vg_source_read_region (source, 0, 600, 0, 400, 300, part, &error));
  inside = open_as (path, "region=300,520,100,100", &error);
  g_assert_no_error (error);
  g_assert_false (vg_source_read (inside, 0, part, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
}

/* The resolution tags of a pyramid of no known scanner: pixels below 10 µm are a scale. */
static void
test_resolution (void)
{
  static const struct
  {
    guint16 unit;
    float resolution;
    double um;
  } tags[] = {
    { RESUNIT_CENTIMETER, 20000, 0.5 },
    { RESUNIT_INCH, 25400, 1 },
    { RESUNIT_INCH, 300, 0 },
    { RESUNIT_NONE, 20000, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      g_autofree char *path = g_build_filename (folder, "scaled.tif", NULL);
      g_autoptr (VgSource) source = NULL;
      g_autoptr (GError) error = NULL;
      TIFF *tiff;

      slide_fixture_write (path, WIDTH, HEIGHT, 2, slide_fixture_pattern, NULL);
      tiff = TIFFOpen (path, "r+");
      TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, tags[i].unit);
      TIFFSetField (tiff, TIFFTAG_XRESOLUTION, tags[i].resolution);
      TIFFSetField (tiff, TIFFTAG_YRESOLUTION, tags[i].resolution);
      TIFFRewriteDirectory (tiff);
      TIFFClose (tiff);
      source = open_as (path, "level=1", &error);
      g_assert_no_error (error);
      g_assert_cmpstr (source->format, ==, "whole slide");
      g_assert_cmpfloat_with_epsilon (source->info.pixel_size[0], 2 * tags[i].um, 1e-6);
      g_assert_cmpstr (source->info.pixel_unit, ==, tags[i].um > 0 ? "µm" : "");
    }
}

/* Larger than can be read at once: opened, parts are read, the whole is not. */
static void
test_huge (void)
{
  g_autofree char *path = g_build_filename (folder, "huge.tif", NULL);
  g_autoptr (GError) error = NULL;
  VgSource source = { .info = { .type = VG_U8,
                                .width = 100000,
                                .height = 80000,
                                .channels = 3,
                                .bins = 1,
                                .slices = 1,
                                .frames = 1 },
                      .name = path };
  VgLevel level = { 100000, 80000, 1 };
  VgPyramid pyramid = { &level, 1, 0, 0, 0 };

  source.pyramid = &pyramid;
  g_assert_false (vg_source_check_whole (&source, &error));
  fixture_assert_message (error, "coarser Level");
}

/* Gives level 0 tiles of so many pixels on a side. */
static void
claim_tiles (const char *path, guint32 side)
{
  TIFF *tiff = TIFFOpen (path, "r+");

  TIFFSetField (tiff, TIFFTAG_TILEWIDTH, side);
  TIFFSetField (tiff, TIFFTAG_TILELENGTH, side);
  g_assert_true (TIFFRewriteDirectory (tiff));
  TIFFClose (tiff);
}

/* Tiles that are larger than the level cannot be decoded, and for huge ones OpenSlide would end the
 * program: such a file is no slide. */
static void
test_tiles (void)
{
  static const guint32 sides[] = { 2048, 1 << 30 };
  g_autofree char *path = g_build_filename (folder, "tiles.tif", NULL);
  g_autofree guint8 *frame = g_malloc (3 * WIDTH * HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;

      slide_fixture_write (path, WIDTH, HEIGHT, 2, slide_fixture_pattern, NULL);
      claim_tiles (path, sides[i]);
      source = open_as (path, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (source->format, ==, "TIFF");
      g_assert_false (vg_source_read (source, 0, frame, &error));
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
      fixture_assert_message (error, "tiles.tif");
    }
}

/* A file with which OpenSlide 3.4 ends its process. */
static void
test_crash (void)
{
  static const char text[] = "[Virtual Microscope Specimen]\nNoLayers=1\nNoJpegColumns=40000\n"
                             "NoJpegRows=100000\nImageFile=crash.vms\nMapFile=crash.vms\n";
  g_autofree char *path = g_build_filename (folder, "crash.vms", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_null (open_as (path, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  fixture_assert_message (error, "crash.vms");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  slide = g_build_filename (folder, "slide.tif", NULL);
  slide_fixture_write (slide, WIDTH, HEIGHT, 4, slide_fixture_pattern, NULL);
  g_test_add_func ("/slide/levels", test_levels);
  g_test_add_func ("/slide/parts", test_parts);
  g_test_add_func ("/slide/threads", test_threads);
  g_test_add_func ("/slide/beyond", test_beyond);
  g_test_add_func ("/slide/readings", test_readings);
  g_test_add_func ("/slide/not-a-slide", test_not_a_slide);
  g_test_add_func ("/slide/damage", test_damage);
  g_test_add_func ("/slide/damaged-tile", test_damaged_tile);
  g_test_add_func ("/slide/resolution", test_resolution);
  g_test_add_func ("/slide/huge", test_huge);
  g_test_add_func ("/slide/tiles", test_tiles);
  g_test_add_func ("/slide/crash", test_crash);
  status = g_test_run ();
  fixture_remove_folder (folder);
  g_free (slide);
  return status;
}
