/* SPDX-License-Identifier: MIT */
/* TIFF files made entry by entry: sizes that lie, chains that bite their tail,
 * and files that are none. */
#include "tests/support/io/tiff-fixture.h"
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

static char *folder;

static char *
test_path (void)
{
  return g_build_filename (folder, "test.tif", NULL);
}

static void
put_entry (GByteArray *file, guint16 tag, guint16 type, guint32 count, guint32 value)
{
  g_byte_array_append (file, (guint8 *) &tag, 2);
  g_byte_array_append (file, (guint8 *) &type, 2);
  g_byte_array_append (file, (guint8 *) &count, 4);
  g_byte_array_append (file, (guint8 *) &value, 4);
}

/* One directory at byte 8, 8 bytes of data behind it, a link to NEXT. */
static GByteArray *
small_file (guint32 width, guint32 height, guint16 compression, guint32 bytes, guint32 next)
{
  GByteArray *file = g_byte_array_new ();
  guint16 entries = 9;

  g_byte_array_append (file, (const guint8 *) "II*\0\x08\0\0\0", 8);
  g_byte_array_append (file, (guint8 *) &entries, 2);
  put_entry (file, TIFFTAG_IMAGEWIDTH, TIFF_LONG, 1, width);
  put_entry (file, TIFFTAG_IMAGELENGTH, TIFF_LONG, 1, height);
  put_entry (file, TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 1, 8);
  put_entry (file, TIFFTAG_COMPRESSION, TIFF_SHORT, 1, compression);
  put_entry (file, TIFFTAG_PHOTOMETRIC, TIFF_SHORT, 1, PHOTOMETRIC_MINISBLACK);
  put_entry (file, TIFFTAG_STRIPOFFSETS, TIFF_LONG, 1, 8 + 2 + 9 * 12 + 4);
  put_entry (file, TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, 1, 1);
  put_entry (file, TIFFTAG_ROWSPERSTRIP, TIFF_LONG, 1, height);
  put_entry (file, TIFFTAG_STRIPBYTECOUNTS, TIFF_LONG, 1, bytes);
  g_byte_array_append (file, (guint8 *) &next, 4);
  g_byte_array_append (file, (const guint8 *) "\1\2\3\4\5\6\7\10", 8);
  return file;
}

static GError *
try_small_file (guint32 width, guint32 height, guint16 compression, guint32 bytes, guint32 next)
{
  g_autoptr (GByteArray) file = small_file (width, height, compression, bytes, next);
  g_autofree char *path = test_path ();

  fixture_put_file (path, file->data, file->len);
  return fixture_read_all (path, NULL);
}

static void
test_lying_sizes (void)
{
  static const struct
  {
    guint32 width, height;
    guint16 compression;
    guint32 bytes, next;
    const char *says;
  } lies[] = {
    { 0, 4, COMPRESSION_NONE, 8, 0, "not an image" },
    { 4, 0, COMPRESSION_NONE, 8, 0, "not an image" },
    { 0xffffffff, 0xffffffff, COMPRESSION_NONE, 8, 0, "not an image" },
    { 0x7fffffff, 0x7fffffff, COMPRESSION_NONE, 8, 0, "larger than the 4 GiB" },
    { 60000, 60000, COMPRESSION_ADOBE_DEFLATE, 8, 0, "declares a frame of 3600000000 bytes" },
    { 4, 4, COMPRESSION_NONE, 16, 0, "cannot be decoded" },
    { 4, 2, COMPRESSION_ADOBE_DEFLATE, 8, 0, "cannot be decoded" },
    { 4, 2, 1234, 8, 0, "cannot be decoded" },
    { 4, 2, COMPRESSION_NONE, 8, 8, "leads back" },
  };
  g_autoptr (GError) good = try_small_file (4, 2, COMPRESSION_NONE, 8, 0);
  g_autoptr (GError) cut = try_small_file (4, 2, COMPRESSION_NONE, 8, 1000000);

  g_assert_no_error (good);
  g_assert_no_error (cut); /* the page before is whole */
  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autoptr (GError) error = try_small_file (lies[i].width, lies[i].height, lies[i].compression,
                                                 lies[i].bytes, lies[i].next);

      fixture_assert_message (error, lies[i].says);
    }
}

/* Pages of 8 bytes that all follow the one directory, as ImageJ writes them, and not all of the 5
 * that are announced. */
static void
test_cut_contiguous (void)
{
  static const char text[] = "ImageJ=1.53t\nimages=5\nframes=5\nhyperstack=true\n";
  const guint32 at = 8 + 2 + 10 * 12 + 4, none = 0;
  const guint16 entries = 10;
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *path = test_path ();
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  guint8 frame[8];

  g_byte_array_append (file, (const guint8 *) "II*\0\x08\0\0\0", 8);
  g_byte_array_append (file, (const guint8 *) &entries, 2);
  put_entry (file, TIFFTAG_IMAGEWIDTH, TIFF_LONG, 1, 4);
  put_entry (file, TIFFTAG_IMAGELENGTH, TIFF_LONG, 1, 2);
  put_entry (file, TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 1, 8);
  put_entry (file, TIFFTAG_COMPRESSION, TIFF_SHORT, 1, COMPRESSION_NONE);
  put_entry (file, TIFFTAG_PHOTOMETRIC, TIFF_SHORT, 1, PHOTOMETRIC_MINISBLACK);
  put_entry (file, TIFFTAG_IMAGEDESCRIPTION, TIFF_ASCII, sizeof text, at);
  put_entry (file, TIFFTAG_STRIPOFFSETS, TIFF_LONG, 1, at + sizeof text);
  put_entry (file, TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, 1, 1);
  put_entry (file, TIFFTAG_ROWSPERSTRIP, TIFF_LONG, 1, 2);
  put_entry (file, TIFFTAG_STRIPBYTECOUNTS, TIFF_LONG, 1, 8);
  g_byte_array_append (file, (const guint8 *) &none, 4);
  g_byte_array_append (file, (const guint8 *) text, sizeof text);
  for (guint8 i = 0; i < 3 * 8 + 5; i++)
    g_byte_array_append (file, &i, 1);
  fixture_put_file (path, file->data, file->len);
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 3);
  g_assert_nonnull (strstr (source->caution, "3 whole pages can be read"));
  g_assert_true (vg_source_read (source, 2, frame, NULL));
  g_assert_cmpint (frame[7], ==, 23);
}

/* Not TIFF at all. */
static void
test_other_files (void)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    const char *says;
  } files[] = {
    { "", 0, "empty" },
    { "II", 2, "is not in a format that Vivograph knows" },
    { "II*\0", 4, "without pages" },
    { "II*\0\0\0\0\0", 8, "without pages" },
    { "MM\0*\0\0\0\x08", 8, "cannot be read" },
    { "II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0", 16, "cannot be read" },
    { "hello, this is no image at all", 30, "is not in a format that Vivograph knows" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = test_path ();
      g_autoptr (GError) error = NULL;

      fixture_put_file (path, files[i].bytes, files[i].length);
      error = fixture_read_all (path, NULL);
      fixture_assert_message (error, files[i].says);
    }
}

/* No descriptor is lost, whichever way an open ends. */
static void
test_descriptors (void)
{
  int before = dup (0), after;
  TiffVariant variant = fixture_variant (4, 4, 2);
  g_autofree char *path = test_path ();

  close (before);
  g_free (fixture_write_tiff (path, &variant, 1));
  for (int i = 0; i < 4; i++)
    g_clear_error (&(GError *){ fixture_read_all (path, NULL) });
  g_clear_error (
      &(GError *){ fixture_read_all (path, &(VgSourceOptions){ .read_options = "4x4:u8" }) });
  g_clear_error (
      &(GError *){ fixture_read_all (path, &(VgSourceOptions){ .read_options = "nonsense" }) });
  g_clear_error (&(GError *){ try_small_file (4, 2, COMPRESSION_NONE, 8, 8) });
  g_clear_error (&(GError *){ try_small_file (0, 2, COMPRESSION_NONE, 8, 0) });
  g_clear_error (&(GError *){ try_small_file (60000, 60000, COMPRESSION_LZW, 8, 0) });
  g_clear_error (&(GError *){ try_small_file (4, 2, 1234, 8, 0) });
  after = dup (0);
  close (after);
  g_assert_cmpint (after, ==, before);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/tiff-lies/sizes", test_lying_sizes);
  g_test_add_func ("/tiff-lies/cut-contiguous", test_cut_contiguous);
  g_test_add_func ("/tiff-lies/other-files", test_other_files);
  g_test_add_func ("/tiff-lies/descriptors", test_descriptors);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
