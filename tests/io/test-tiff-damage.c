/* SPDX-License-Identifier: MIT */
/* Hostile TIFF: cut at every length, bits turned, pages that differ.  A reader
 * may refuse; it may not crash, print, or make up samples. */
#include "tests/support/io/tiff-fixture.h"
#include <string.h>
#include <tiffio.h>

static char *folder;

static char *
test_path (void)
{
  return g_build_filename (folder, "test.tif", NULL);
}

static void
file_variants (TiffVariant variants[6])
{
  for (int i = 0; i < 6; i++)
    variants[i] = fixture_variant (19, 13, 3);
  variants[1].rows_per_strip = 4;
  variants[1].compression = COMPRESSION_ADOBE_DEFLATE;
  variants[2].tile = 16;
  variants[2].compression = COMPRESSION_LZW;
  variants[3].big = TRUE;
  variants[3].other_endian = TRUE;
  variants[4].bits = 12;
  variants[4].compression = COMPRESSION_PACKBITS;
  variants[5].samples = 3;
  variants[5].separate = TRUE;
  variants[5].description = "ImageJ=1.53\nimages=3\nframes=3\nhyperstack=true\nfinterval=0.1\n";
}

/* Frames that still come must be the frames that were written. */
static void
check_frames (const char *path, const TiffVariant *variant, const double *values)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
  g_autofree void *frame = NULL;
  gsize pixels = (gsize) variant->width * (gsize) variant->height, n = (gsize) variant->samples;

  if (!source)
    {
      fixture_assert_message (error, "");
      return;
    }
  g_assert_cmpint (source->info.frames, <=, variant->pages);
  frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  for (gint64 k = 0; k < source->info.frames; k++)
    {
      if (!vg_source_read (source, k, frame, &error))
        {
          fixture_assert_message (error, "test.tif");
          g_clear_error (&error);
          continue;
        }
      for (gsize i = 0; i < pixels; i++)
        for (gsize s = 0; s < n; s++)
          g_assert_cmpfloat (fixture_sample (&source->info, frame, s * pixels + i), ==,
                             values[((gsize) k * pixels + i) * n + s]);
    }
}

static void
test_truncated (void)
{
  TiffVariant variants[6];

  file_variants (variants);
  for (int v = 0; v < 6; v++)
    {
      g_autofree char *path = test_path ();
      g_autofree double *values = fixture_write_tiff (path, &variants[v], 5);
      g_autofree char *bytes = NULL;
      g_autoptr (GError) error = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
      for (gsize n = 0; n < length; n += n < 600 || n + 600 > length ? 1 : 7)
        {
          fixture_put_file (path, bytes, n);
          check_frames (path, &variants[v], values);
        }
      /* a file without its end cannot pass for whole: the pages that are whole are read, and that
       * it is cut short is said */
      for (gsize part = 1; part < 8; part++)
        {
          g_autoptr (VgSource) source = NULL;

          fixture_put_file (path, bytes, length * part / 8);
          source = vg_source_open (path, &(VgSourceOptions){ .colour = TRUE }, NULL);
          if (source)
            g_assert_true ((source->info.frames < variants[v].pages && source->caution != NULL) ||
                           (error = fixture_read_all (path, NULL)) != NULL);
          else
            g_assert_nonnull (error = fixture_read_all (path, NULL));
          g_clear_error (&error);
        }
    }
}

/* Whole pages from the front, as many as lie before the cut, wherever a writer puts directories. */
static void
test_cut_pages (void)
{
  TiffVariant variants[6];

  file_variants (variants);
  for (int v = 0; v < 6; v++)
    {
      g_autofree char *path = test_path ();
      g_autofree double *values = fixture_write_tiff (path, &variants[v], 7);
      g_autofree char *bytes = NULL;
      gint64 last = 0, opened = 0;
      gsize length;

      g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
      for (gsize n = length / 4; n < length; n++)
        {
          /* a tiled file may be a slide, for which opening starts a child */
          VgSourceOptions options = { .colour = !variants[v].tile || n % 16 == 0 };
          g_autoptr (VgSource) source = NULL;
          g_autofree void *frame = NULL;

          fixture_put_file (path, bytes, n);
          source = vg_source_open (path, &options, NULL);
          if (!source)
            continue;
          g_assert_cmpint (source->info.frames, >=, last); /* a longer piece holds no less */
          last = source->info.frames;
          if (last < 2)
            continue;
          opened++;
          frame = g_malloc (vg_image_info_frame_bytes (&source->info));
          for (gint64 k = 0; k < last; k++)
            {
              g_autoptr (GError) error = NULL;

              vg_source_read (source, k, frame, &error);
              g_assert_no_error (error);
            }
          if (last < variants[v].pages)
            g_assert_nonnull (strstr (source->caution, "is cut short"));
        }
      g_assert_cmpint (opened, >, 0);
      g_assert_cmpint (last, >=, 2);
    }
}

/* One to four bytes changed, mostly in directories; a result or an error. */
static void
test_mutated (void)
{
  TiffVariant variants[6];
  GRand *random = g_rand_new_with_seed (20240);

  file_variants (variants);
  for (int v = 0; v < 6; v++)
    {
      g_autofree char *path = test_path ();
      g_autofree char *bytes = NULL;
      g_autofree char *copy = NULL;
      gsize length;

      g_free (fixture_write_tiff (path, &variants[v], 6));
      g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
      copy = g_malloc (length);
      for (int round = 0; round < 1500; round++)
        {
          g_autoptr (GError) error = NULL;

          memcpy (copy, bytes, length);
          for (int flips = g_rand_int_range (random, 1, 5); flips > 0; flips--)
            {
              /* directories lie behind the samples of their page: half of the hits go to the last
               * 400 bytes */
              gint32 at = g_rand_boolean (random)
                              ? g_rand_int_range (random, 0, (gint32) length)
                              : g_rand_int_range (random, MAX ((gint32) length - 400, 0),
                                                  (gint32) length);

              copy[at] = g_rand_boolean (random)
                             ? (char) (copy[at] ^ 1 << g_rand_int_range (random, 0, 8))
                             : (char) g_rand_int_range (random, -128, 128);
            }
          fixture_put_file (path, copy, length);
          error = fixture_read_all (path, NULL);
          if (error)
            fixture_assert_message (error, "");
        }
    }
  g_rand_free (random);
}

static guint64
strip_of_page (const char *path, int page)
{
  TIFF *tiff = TIFFOpen (path, "r");
  guint64 offset;

  TIFFSetDirectory (tiff, (tdir_t) page);
  offset = TIFFGetStrileOffset (tiff, 0);
  TIFFClose (tiff);
  return offset;
}

/* One damaged page costs that frame: it is told apart from a damaged file,
 * and every other frame comes as it was written, by read and by next. */
static void
test_damaged_page (void)
{
  enum { PAGES = 5, BROKEN = 2 };
  static const char *const descriptions[] = { NULL, "{\"bits\": 12}" };

  for (guint variety = 0; variety < G_N_ELEMENTS (descriptions); variety++)
    for (int broken = 0; broken < PAGES; broken += BROKEN)
      {
        g_autofree char *path = test_path (), *bytes = NULL;
        TiffVariant variant = fixture_variant (16, 8, PAGES);
        g_autofree double *values = NULL;
        g_autoptr (VgSource) source = NULL;
        guint16 frame[16 * 8];
        guint64 offset, id;
        double time_s;
        gsize length;

        variant.compression = COMPRESSION_ADOBE_DEFLATE;
        variant.description = descriptions[variety];
        values = fixture_write_tiff (path, &variant, 3);
        offset = strip_of_page (path, broken);
        g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
        memset (bytes + offset, 0xff, 16);
        fixture_put_file (path, bytes, length);
        source = fixture_open (path, FALSE);
        g_assert_cmpint (source->info.frames, ==, PAGES);
        for (int turn = 0; turn < 2; turn++)
          for (int k = 0; k < PAGES; k++)
            {
              g_autoptr (GError) error = NULL;
              gboolean came = turn == 0 ? vg_source_read (source, k, frame, &error)
                                        : vg_source_next (source, frame, &id, &time_s, &error);

              g_assert_cmpint (came, ==, k != broken);
              if (k == broken)
                g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
              for (int i = 0; came && i < 16 * 8; i++)
                g_assert_cmpfloat (frame[i], ==, values[k * 16 * 8 + i]);
              if (came && turn == 1)
                g_assert_cmpuint (id, ==, k);
            }
        g_assert_false (vg_source_next (source, frame, &id, &time_s, NULL));
      }
}

/* A page of another size or type is named with both sizes. */
static void
test_page_sizes (void)
{
  static const struct
  {
    guint32 width, height, bits;
    const char *says;
  } seconds[] = {
    { 640, 480, 16, "page 3 of \"test.tif\" is 640x480, but the first is 1280x960" },
    { 1280, 960, 8, "page 3 of \"test.tif\" has 1 sample of 8 bits" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      g_autofree char *path = test_path ();
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *zeros = g_malloc0 (1280 * 960 * 2);
      TIFF *tiff = TIFFOpen (path, "w");

      for (guint page = 0; page < 3; page++)
        {
          guint32 width = page < 2 ? 1280 : seconds[i].width,
                  height = page < 2 ? 960 : seconds[i].height;
          guint bits = page < 2 ? 16 : seconds[i].bits;

          TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, width);
          TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, height);
          TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, bits);
          TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
          TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, height);
          TIFFWriteEncodedStrip (tiff, 0, zeros, (tmsize_t) (width * height * bits / 8));
          TIFFWriteDirectory (tiff);
        }
      TIFFClose (tiff);
      error = fixture_read_all (path, NULL);
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
      fixture_assert_message (error, seconds[i].says);
    }
}

/* Thumbnails between the pages do not count. */
static void
test_thumbnails (void)
{
  g_autofree char *path = test_path ();
  g_autoptr (VgSource) source = NULL;
  guint8 pixel = 7, row[30], frame[30];
  TIFF *tiff = TIFFOpen (path, "w");

  for (int page = 0; page < 6; page++)
    {
      gboolean small = page % 3 == 0;

      memset (row, page, sizeof row);
      TIFFSetField (tiff, TIFFTAG_SUBFILETYPE, small ? FILETYPE_REDUCEDIMAGE : 0);
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, small ? 1 : 30);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 1);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFWriteEncodedStrip (tiff, 0, small ? &pixel : row, small ? 1 : 30);
      TIFFWriteDirectory (tiff);
    }
  TIFFClose (tiff);
  source = fixture_open (path, FALSE);
  g_assert_cmpint (source->info.frames, ==, 4);
  for (int k = 0; k < 4; k++)
    {
      g_assert_true (vg_source_read (source, k, frame, NULL));
      g_assert_cmpint (frame[29], ==, k < 2 ? k + 1 : k + 2);
    }
}

static void
test_missing (void)
{
  g_autoptr (GError) absent = fixture_read_all ("/nonexistent/speckle.tif", NULL);
  g_autoptr (GError) directory = fixture_read_all (folder, NULL);

  g_assert_error (absent, VG_IO_ERROR, VG_IO_ERROR_OPEN);
  fixture_assert_message (absent, "/nonexistent/speckle.tif");
  fixture_assert_message (directory, "is a folder");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/tiff-damage/truncated", test_truncated);
  g_test_add_func ("/tiff-damage/cut-pages", test_cut_pages);
  g_test_add_func ("/tiff-damage/mutated", test_mutated);
  g_test_add_func ("/tiff-damage/damaged-page", test_damaged_page);
  g_test_add_func ("/tiff-damage/page-sizes", test_page_sizes);
  g_test_add_func ("/tiff-damage/thumbnails", test_thumbnails);
  g_test_add_func ("/tiff-damage/missing", test_missing);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
