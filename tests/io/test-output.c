/* SPDX-License-Identifier: MIT */
/* Files appear whole or not at all, and hold what was put into them. */
#include "tests/support/io/tiff-fixture.h"
#include "io/write/vg-output-file.h"
#include "io/write/vg-frame-file.h"
#include <glib/gstdio.h>
#include <math.h>
#include <png.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

static char *folder;

static char *
test_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static guint
count_files (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

static void
assert_content (const char *path, const char *content)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, content);
}

static void
test_bytes (void)
{
  g_autofree char *path = test_path ("bytes");
  g_autoptr (GError) error = NULL;
  struct stat status;
  mode_t mask = umask (022);

  umask (mask);
  g_assert_true (vg_write_bytes (path, "first", 5, &error));
  g_assert_true (vg_write_bytes (path, "second, longer", 14, &error));
  assert_content (path, "second, longer");
  g_assert_true (vg_write_bytes (path, NULL, 0, &error));
  assert_content (path, "");
  g_assert_no_error (error);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0666 & ~mask);
  g_unlink (path);
  g_assert_cmpuint (count_files (), ==, 0);
}

/* Not committed: what was there stays, the temporary goes. */
static void
test_dropped (void)
{
  g_autofree char *path = test_path ("kept");
  g_autoptr (GError) error = NULL;
  VgOutputFile *output;

  g_assert_true (vg_write_bytes (path, "old", 3, &error));
  output = vg_output_file_new (path, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_test (vg_output_file_temporary (output), G_FILE_TEST_EXISTS));
  g_assert_cmpuint (count_files (), ==, 2);
  vg_output_file_free (output);
  g_assert_cmpuint (count_files (), ==, 1);
  assert_content (path, "old");
  g_unlink (path);
}

static void
test_given_up (void)
{
  g_autofree char *path = test_path ("kept"), *other = test_path ("other");
  g_autoptr (GError) error = NULL;
  g_autoptr (VgOutputFile) first = NULL;
  g_autoptr (VgOutputFile) second = NULL;

  g_assert_true (vg_write_bytes (path, "old", 3, &error));
  first = vg_output_file_new (path, &error);
  second = vg_output_file_new (other, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_files (), ==, 3);
  vg_output_files_give_up ();
  g_assert_cmpuint (count_files (), ==, 1);
  assert_content (path, "old");
  g_unlink (path);
}

static void
test_unwritable (void)
{
  g_autofree char *missing = test_path ("missing/file.tif");
  g_autoptr (GError) error = NULL;

  g_assert_false (vg_write_bytes (missing, "x", 1, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  fixture_assert_message (error, "create the folder first");
  g_clear_error (&error);
  g_assert_false (vg_write_bytes (folder, "x", 1, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_clear_error (&error);
  g_assert_null (vg_tiff_writer_new ("/proc/none.tif", 4, 4, 1, NULL, NULL, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  fixture_assert_message (error, "cannot write \"/proc/none.tif\"");
  g_clear_error (&error);
  if (geteuid () != 0)
    {
      g_autofree char *path = test_path ("closed");

      g_chmod (folder, 0500);
      g_assert_false (vg_write_bytes (path, "x", 1, &error));
      g_chmod (folder, 0700);
      fixture_assert_message (error, "choose a folder that you can write to");
    }
}

/* What the float writer writes, the source reads. */
static void
test_tiff_float (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 1, 7 }, { 31, 17 }, { 613, 211 } };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int pages = 1; pages <= 3; pages++)
      {
        int width = sizes[s][0], height = sizes[s][1];
        gsize n = (gsize) width * (gsize) height;
        g_autofree char *path = test_path ("map.tif");
        g_autofree float *values = g_new (float, n *(gsize) pages);
        g_autofree float *frame = g_new (float, n);
        g_autoptr (GError) error = NULL;
        g_autoptr (VgTiffWriter)
            writer = vg_tiff_writer_new (path, width, height, pages, "contrast, unit 1",
                                         (const double[]){ 5, 2.5 }, "µm", &error);
        g_autoptr (VgSource) source = NULL;

        g_assert_no_error (error);
        for (gsize i = 0; i < n * (gsize) pages; i++)
          values[i] = i % 5 == 4 ? NAN : (float) g_random_double_range (-1e6, 1e6);
        for (int k = 0; k < pages; k++)
          g_assert_true (vg_tiff_writer_add (writer, values + (gsize) k * n, &error));
        g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
        g_assert_true (vg_tiff_writer_commit (writer, &error));
        g_assert_no_error (error);
        g_assert_cmpuint (count_files (), ==, 1);

        source = fixture_open (path, FALSE);
        g_assert_cmpstr (source->format, ==, "TIFF");
        g_assert_cmpint (source->info.type, ==, VG_F32);
        g_assert_cmpint (source->info.frames, ==, pages);
        g_assert_cmpfloat_with_epsilon (source->info.pixel_size[0], 5, 1e-6);
        g_assert_cmpfloat_with_epsilon (source->info.pixel_size[1], 2.5, 1e-6);
        g_assert_cmpstr (source->info.pixel_unit, ==, "µm");
        for (int k = 0; k < pages; k++)
          {
            g_assert_true (vg_source_read (source, k, frame, &error));
            g_assert_cmpmem (frame, n * 4, values + (gsize) k * n, n * 4);
          }
        g_unlink (path);
      }
}

/* Whole numbers, in strips and in blocks: what any reader of labels takes. */
static void
test_tiff_whole (void)
{
  enum { SIDE = 80, BLOCK = 64 }; /* blocks reach beyond the page */
  static const float odd[] = { NAN, -3, 0, 1, 65535, 65536, 16777215 };

  for (int blocks = 0; blocks < 2; blocks++)
    for (VgType type = VG_U16; type <= VG_U32; type++)
      {
        g_autofree char *path = test_path ("labels.tif");
        g_autoptr (GError) error = NULL;
        g_autofree float *page = g_new (float, 4 * BLOCK * BLOCK);
        g_autoptr (VgTiffWriter)
            writer = blocks ? vg_tiff_writer_new_blocks (path, SIDE, SIDE, BLOCK, NULL, NULL, NULL,
                                                         &error)
                            : vg_tiff_writer_new (path, SIDE, SIDE, 1, NULL, NULL, NULL, &error);
        g_autoptr (VgImage) image = NULL;

        vg_tiff_writer_set_whole (writer, type);
        for (int i = 0; i < 4 * BLOCK * BLOCK; i++)
          page[i] = odd[i % (type == VG_U16 ? 5 : 7)];
        for (int y = 0; y < SIDE && blocks; y += BLOCK)
          for (int x = 0; x < SIDE; x += BLOCK)
            g_assert_true (vg_tiff_writer_add_block (writer, x, y, page, &error));
        g_assert_true (blocks || vg_tiff_writer_add (writer, page, &error));
        g_assert_true (vg_tiff_writer_commit (writer, &error));
        g_assert_no_error (error);
        image = vg_image_load (path, VG_FILE_IMAGE, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpint (image->info.type, ==, type);
        for (int i = 0; i < SIDE * SIDE; i++)
          {
            float value = page[blocks ? i / SIDE % BLOCK * BLOCK + i % SIDE % BLOCK : i];

            g_assert_cmpfloat (vg_image_sample (image, (gsize) i), ==, value > 0 ? value : 0);
          }
        g_unlink (path);
      }
}

static void
test_tiff_tags (void)
{
  g_autofree char *path = test_path ("tags.tif");
  g_autoptr (GError) error = NULL;
  g_autoptr (VgTiffWriter)
      writer = vg_tiff_writer_new (path, 2, 1, 2, "flow index (1/s)", NULL, NULL, &error);
  const char *text = NULL;
  float resolution;
  TIFF *tiff;

  g_assert_true (vg_tiff_writer_add (writer, (const float[]){ 1, 2 }, &error));
  g_assert_true (vg_tiff_writer_add (writer, (const float[]){ 3, 4 }, &error));
  g_assert_true (vg_tiff_writer_commit (writer, &error));
  tiff = TIFFOpen (path, "r");
  g_assert_true (TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &text));
  g_assert_cmpstr (text, ==, "flow index (1/s)");
  g_assert_false (TIFFGetField (tiff, TIFFTAG_XRESOLUTION, &resolution));
  g_assert_cmpint (TIFFNumberOfDirectories (tiff), ==, 2);
  TIFFClose (tiff);
  g_unlink (path);
}

/* Raw frames of every type, and BigTIFF where the length is not known. */
static void
test_tiff_raw (void)
{
  for (int type = VG_U8; type <= VG_F32; type++)
    for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1)
      {
        VgImageInfo info = { .type = (VgType) type,
                             .width = 23,
                             .height = 9,
                             .channels = channels,
                             .bins = 1,
                             .slices = 1,
                             .frames = -1,
                             .significant_bits = type == VG_U16 ? 12 : 0 };
        gsize bytes = vg_image_info_page_bytes (&info);
        g_autofree char *path = test_path ("raw.tif");
        g_autofree guint8 *page = g_malloc0 (bytes);
        g_autofree guint8 *frame = g_malloc (bytes);
        g_autoptr (GError) error = NULL;
        g_autoptr (VgFrameFile) writer = vg_frame_file_new (path, TRUE, &info, &error);
        const char *text = type == VG_U16 ? "{\"bits\": 12}" : "";
        g_autoptr (VgSource) source = NULL;

        for (gsize i = 0; i < bytes; i++)
          page[i] = type == VG_U8             ? (guint8) i
                    : type == VG_U16 && i % 2 ? (guint8) (i % 16)
                                              : (guint8) (i * 3);
        g_assert_true (vg_frame_file_add (writer, page, text, &error));
        g_assert_true (vg_frame_file_add (writer, page, text, &error));
        g_assert_true (vg_frame_file_commit (writer, &error));
        source = fixture_open (path, channels > 1);
        g_assert_cmpstr (source->format, ==, "BigTIFF");
        g_assert_cmpint (source->info.type, ==, type);
        g_assert_cmpint (source->info.channels, ==, channels);
        g_assert_cmpint (source->info.significant_bits, ==,
                         type == VG_U8    ? 8
                         : type == VG_U16 ? 12
                         : type == VG_U32 ? 32
                                          : 0);
        g_assert_true (vg_source_read (source, 1, frame, &error));
        g_assert_cmpmem (frame, bytes, page, bytes);
        g_unlink (path);
      }
}

/* Classic as long as 4 GiB will do: more programs read it. */
static void
test_tiff_big (void)
{
  static const struct
  {
    gint64 pages;
    int version;
  } cases[] = { { 2, 42 }, { 1000, 42 }, { 2000000, 43 }, { -1, 43 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = test_path ("big.tif"), *bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (VgTiffWriter)
          writer = vg_tiff_writer_new (path, 2, 1, cases[i].pages, NULL, NULL, NULL, &error);

      g_assert_true (vg_tiff_writer_add (writer, (const float[]){ 1, 2 }, &error));
      g_assert_true (vg_tiff_writer_commit (writer, &error));
      g_assert_true (g_file_get_contents (path, &bytes, NULL, &error));
      g_assert_cmpint (bytes[2] | bytes[3], ==, cases[i].version);
      g_unlink (path);
    }
}

/* A writer without pages, or of no size, makes no file. */
static void
test_tiff_empty (void)
{
  g_autofree char *path = test_path ("empty.tif");
  g_autoptr (GError) error = NULL;
  VgTiffWriter *writer = vg_tiff_writer_new (path, 4, 4, 1, NULL, NULL, NULL, &error);

  g_assert_false (vg_tiff_writer_commit (writer, &error));
  fixture_assert_message (error, "no page");
  vg_tiff_writer_free (writer);
  g_clear_error (&error);
  g_assert_null (vg_tiff_writer_new (path, 0, 4, 1, NULL, NULL, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_cmpuint (count_files (), ==, 0);
}

static void
test_png (void)
{
  enum { WIDTH = 13, HEIGHT = 5 };
  g_autofree char *path = test_path ("picture.png");
  g_autoptr (GError) error = NULL;
  guint8 rgba[WIDTH * HEIGHT * 4], back[WIDTH * HEIGHT * 4];
  png_image image = { .version = PNG_IMAGE_VERSION };

  for (gsize i = 0; i < sizeof rgba; i++)
    rgba[i] = (guint8) (i * 37);
  g_assert_true (vg_write_png (path, rgba, WIDTH, HEIGHT, &error));
  g_assert_no_error (error);
  g_assert_true (png_image_begin_read_from_file (&image, path));
  g_assert_cmpuint (image.width, ==, WIDTH);
  g_assert_cmpuint (image.height, ==, HEIGHT);
  image.format = PNG_FORMAT_RGBA;
  g_assert_true (png_image_finish_read (&image, NULL, back, 0, NULL));
  g_assert_cmpmem (back, sizeof back, rgba, sizeof rgba);
  g_unlink (path);
  g_assert_false (vg_write_png (path, rgba, 0, HEIGHT, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_cmpuint (count_files (), ==, 0);
}

/* --- a full disk: no file of this process may grow beyond 64 KiB --- */

typedef gboolean (*Write) (const char *path, GError **error);

static gboolean
write_bytes (const char *path, GError **error)
{
  g_autofree char *bytes = g_malloc0 (1 << 20);

  return vg_write_bytes (path, bytes, 1 << 20, error);
}

static gboolean
write_png (const char *path, GError **error)
{
  g_autofree guint8 *rgba = g_malloc (512 * 512 * 4);

  for (int i = 0; i < 512 * 512 * 4; i++)
    rgba[i] = (guint8) g_random_int ();
  return vg_write_png (path, rgba, 512, 512, error);
}

static gboolean
write_tiff (const char *path, GError **error)
{
  g_autoptr (VgTiffWriter)
      writer = vg_tiff_writer_new (path, 256, 256, 2, "full", NULL, NULL, error);
  g_autofree float *page = g_new (float, 256 * 256);

  for (int i = 0; i < 256 * 256; i++)
    page[i] = (float) g_random_double ();
  return writer && vg_tiff_writer_add (writer, page, error) &&
         vg_tiff_writer_commit (writer, error);
}

/* Pages are small: it is the directory or the last flush that does not fit. */
static gboolean
write_tiff_pages (const char *path, GError **error)
{
  g_autoptr (VgTiffWriter) writer = vg_tiff_writer_new (path, 4, 4, 400, "full", NULL, NULL, error);
  const float page[16] = { 0 };

  for (int i = 0; i < 400; i++)
    if (!vg_tiff_writer_add (writer, page, error))
      return FALSE;
  return vg_tiff_writer_commit (writer, error);
}

static gboolean
write_tiff_raw (const char *path, GError **error)
{
  VgImageInfo info = {
    .type = VG_U16, .width = 256, .height = 256, .channels = 1, .bins = 1, .slices = 1, .frames = -1
  };
  g_autoptr (VgFrameFile) writer = vg_frame_file_new (path, TRUE, &info, error);
  g_autofree guint16 *page = g_new0 (guint16, 256 * 256);

  return writer && vg_frame_file_add (writer, page, "", error) &&
         vg_frame_file_commit (writer, error);
}

static void
test_full_disk (void)
{
  static const Write writes[] = { write_bytes, write_png, write_tiff, write_tiff_pages,
                                  write_tiff_raw };
  g_autofree char *path = test_path ("full");
  struct rlimit old, small;

  g_assert_true (vg_write_bytes (path, "old", 3, NULL));
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 64 << 10;
  signal (SIGXFSZ, SIG_IGN);
  for (guint i = 0; i < G_N_ELEMENTS (writes); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean done;

      setrlimit (RLIMIT_FSIZE, &small);
      done = writes[i](path, &error);
      setrlimit (RLIMIT_FSIZE, &old);
      g_assert_false (done);
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
      fixture_assert_message (error, "cannot write");
      fixture_assert_message (error, "free some space");
      fixture_assert_message (error, g_strerror (EFBIG));
      assert_content (path, "old");
      g_assert_cmpuint (count_files (), ==, 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (writes); i++)
    g_assert_true (writes[i](path, NULL));
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/output/bytes", test_bytes);
  g_test_add_func ("/output/dropped", test_dropped);
  g_test_add_func ("/output/given-up", test_given_up);
  g_test_add_func ("/output/unwritable", test_unwritable);
  g_test_add_func ("/output/tiff-float", test_tiff_float);
  g_test_add_func ("/output/tiff-whole", test_tiff_whole);
  g_test_add_func ("/output/tiff-tags", test_tiff_tags);
  g_test_add_func ("/output/tiff-raw", test_tiff_raw);
  g_test_add_func ("/output/tiff-empty", test_tiff_empty);
  g_test_add_func ("/output/tiff-big", test_tiff_big);
  g_test_add_func ("/output/png", test_png);
  g_test_add_func ("/output/full-disk", test_full_disk);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
