/* SPDX-License-Identifier: MIT */
/* The batch loop: every map in its file, with the true statistics, also when
 * the GPU fails in the middle, when it is cancelled, and from a pipe. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>
#include "tests/support/app/batch-fixture.h"
#include "io/write/vg-frame-file.h"
#include "kernels/base/vg-error.h"

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static JsonNode *
load_summary (BatchFixture *f, const char *name)
{
  g_autofree char *path = g_build_filename (f->out, name, NULL);
  g_autoptr (GError) error = NULL;
  JsonNode *node;
  g_autoptr (JsonParser) parser = json_parser_new ();

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  node = json_parser_steal_root (parser);
  return node;
}

/* The file page by page through libtiff alone, and the summary from sorted values. */
static void
check_results (BatchFixture *f, FakeParams params, const char *backend)
{
  int pages = FRAMES - params.window + 1;
  g_autofree char *path = g_build_filename (f->out, "total.tif", NULL);
  g_autofree float *all = g_new (float, pages *PIXELS);
  g_autoptr (JsonNode) root = load_summary (f, "summary.json");
  JsonObject *summary = json_node_get_object (root), *map;
  TIFF *tiff = TIFFOpen (path, "r");
  double sum = 0;

  g_assert_nonnull (tiff);
  for (int page = 0; page < pages; page++)
    {
      guint32 width = 0, height = 0;
      guint16 bits = 0, format = 0;

      g_assert_true (TIFFSetDirectory (tiff, (tdir_t) page));
      TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
      TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height);
      TIFFGetField (tiff, TIFFTAG_BITSPERSAMPLE, &bits);
      TIFFGetField (tiff, TIFFTAG_SAMPLEFORMAT, &format);
      g_assert_cmpuint (width, ==, WIDTH);
      g_assert_cmpuint (height, ==, HEIGHT);
      g_assert_cmpuint (bits, ==, 32);
      g_assert_cmpuint (format, ==, SAMPLEFORMAT_IEEEFP);
      for (int y = 0; y < HEIGHT; y++)
        g_assert_cmpint (TIFFReadScanline (tiff, all + page * PIXELS + y * WIDTH, y, 0), ==, 1);
      for (int p = 0; p < PIXELS; p++)
        {
          g_assert_cmpfloat (all[page * PIXELS + p], ==, batch_expected (f, params, page, p));
          sum += all[page * PIXELS + p];
        }
    }
  g_assert_false (TIFFReadDirectory (tiff));
  TIFFSetDirectory (tiff, 0);
  {
    char *description = NULL;

    g_assert_true (TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &description));
    g_assert_nonnull (strstr (description, "unit=DN"));
  }
  TIFFClose (tiff);

  qsort (all, pages * PIXELS, sizeof (float), compare);
  g_assert_cmpstr (json_object_get_string_member (summary, "operation"), ==, "fake");
  g_assert_cmpstr (json_object_get_string_member (summary, "backend"), ==, backend);
  g_assert_cmpfloat (json_object_get_double_member (summary, "seconds"), >, 0);
  g_assert_cmpint (
      json_object_get_int_member (json_object_get_object_member (summary, "parameters"), "window"),
      ==, params.window);
  g_assert_cmpstr (
      json_array_get_string_element (json_object_get_array_member (summary, "inputs"), 0), ==,
      f->input);
  g_assert_cmpint (
      json_object_get_int_member (json_object_get_object_member (summary, "results"), "fed"), ==,
      FRAMES);
  map = json_object_get_object_member (json_object_get_object_member (summary, "outputs"), "total");
  g_assert_cmpstr (json_object_get_string_member (map, "unit"), ==, "DN");
  g_assert_cmpint (json_object_get_int_member (map, "width"), ==, WIDTH);
  g_assert_cmpint (json_object_get_int_member (map, "height"), ==, HEIGHT);
  g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, pages);
  g_assert_cmpint (json_object_get_int_member (map, "invalid"), ==, 0);
  g_assert_cmpfloat (json_object_get_double_member (map, "min"), ==, all[0]);
  g_assert_cmpfloat (json_object_get_double_member (map, "max"), ==, all[pages * PIXELS - 1]);
  g_assert_cmpfloat (json_object_get_double_member (map, "median"), ==,
                     ((double) all[(pages * PIXELS - 1) / 2] + all[pages * PIXELS / 2]) / 2);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (map, "mean"),
                                  sum / (pages * PIXELS), 1e-9);
}

/* No trace of unfinished work. */
static void
check_folder (BatchFixture *f, const char *const *names)
{
  g_autoptr (GDir) dir = g_dir_open (f->out, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  for (; (name = g_dir_read_name (dir)) != NULL; n++)
    if (!g_strv_contains (names, name))
      g_error ("%s was left behind", name);
  g_assert_cmpuint (n, ==, g_strv_length ((char **) names));
}

static const char *const result_names[] = { "total.tif", "notes.txt", "preview.png", "summary.json",
                                            NULL };

static void
test_stack (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1.5, .window = 4, .steps = 2 };
  BatchWatch watch = { .notices = g_string_new (NULL) };

  g_assert_true (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_AUTO, "7x3:u16", NULL, &error));
  g_assert_no_error (error);
  check_results (f, params, "cuda");
  check_folder (f, result_names);
  g_assert_cmpstr (watch.notices->str, ==, "");
  g_string_free (watch.notices, TRUE);
}

/* The GPU fails in the middle: the whole result is the CPU's. */
static void
test_gpu_fails (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 2, .window = 3, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };

  if (data == NULL)
    fake_trouble.step = 11;
  else
    fake_trouble.feed = 11;
  g_assert_true (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_AUTO, "7x3:u16", NULL, &error));
  g_assert_no_error (error);
  check_results (f, params, "cpu");
  check_folder (f, result_names);
  g_assert_nonnull (strstr (watch.notices->str, "fell off the bus"));
  g_assert_true (strchr (watch.notices->str, '\n') == strrchr (watch.notices->str, '\n'));
  g_string_free (watch.notices, TRUE);
}

static void
test_gpu_forced (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 2, .window = 3, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };

  fake_trouble.step = 11;
  g_assert_false (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_CUDA, "7x3:u16", NULL, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  g_string_free (watch.notices, TRUE);
}

static gpointer
write_frames (gpointer data)
{
  BatchFixture *f = data;
  int fd = open (f->input, O_WRONLY);

  for (int i = 0; i < FRAMES; i++)
    {
      g_assert_cmpint (write (fd, f->pixels[i], sizeof f->pixels[i]), ==, sizeof f->pixels[i]);
      g_usleep (500);
    }
  close (fd);
  return NULL;
}

/* From a pipe, which can't be read again: only the history is fed again. */
static void
test_pipe (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1, .window = 5, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };
  GThread *writer;
  gboolean ok;

  g_unlink (f->input);
  g_assert_cmpint (mkfifo (f->input, 0600), ==, 0);
  fake_trouble.step = data == NULL ? -1 : 9;
  writer = g_thread_new ("writer", write_frames, f);
  ok = batch_run (f, &fake_operation, params, &watch, VG_BACKEND_AUTO, "7x3:u16", NULL, &error);
  g_thread_join (writer);
  g_assert_no_error (error);
  g_assert_true (ok);
  if (data == NULL)
    check_results (f, params, "cuda");
  else
    {
      g_autoptr (JsonNode) root = load_summary (f, "summary.json");
      JsonObject *outputs = json_object_get_object_member (json_node_get_object (root), "outputs");

      g_assert_cmpint (
          json_object_get_int_member (json_object_get_object_member (outputs, "total"), "pages"),
          ==, FRAMES - 4);
    }
  check_folder (f, result_names);
  g_string_free (watch.notices, TRUE);
}

/* The recording as a compressed TIFF whose pages BAD (-1: no more) are destroyed. */
static void
write_damaged (BatchFixture *f, const int *bad)
{
  TIFF *tiff = TIFFOpen (f->input, "w");
  guint64 offsets[FRAMES];
  int fd;

  for (int page = 0; page < FRAMES; page++)
    {
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 16);
      TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
      TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, HEIGHT);
      g_assert_cmpint (TIFFWriteEncodedStrip (tiff, 0, f->pixels[page], sizeof f->pixels[page]), >,
                       0);
      TIFFWriteDirectory (tiff);
    }
  TIFFClose (tiff);
  tiff = TIFFOpen (f->input, "r");
  for (int page = 0; page < FRAMES; page++)
    {
      TIFFSetDirectory (tiff, (tdir_t) page);
      offsets[page] = TIFFGetStrileOffset (tiff, 0);
    }
  TIFFClose (tiff);
  fd = open (f->input, O_WRONLY);
  for (int i = 0; bad[i] >= 0; i++)
    g_assert_cmpint (pwrite (fd, "\377\377\377\377\377\377\377\377", 8, (off_t) offsets[bad[i]]),
                     ==, 8);
  close (fd);
}

/* A page is a moment, whatever can't be read: those whose window holds such a frame have no value.
 */
static void
check_moments (BatchFixture *f, FakeParams params, const int *bad)
{
  int pages = FRAMES - params.window + 1;
  g_autofree char *path = g_build_filename (f->out, "total.tif", NULL);
  TIFF *tiff = TIFFOpen (path, "r");

  g_assert_nonnull (tiff);
  for (int page = 0; page < pages; page++)
    {
      gboolean blank = FALSE;
      float row[WIDTH];

      for (int i = 0; bad[i] >= 0; i++)
        blank |= bad[i] >= page && bad[i] < page + params.window;
      g_assert_true (TIFFSetDirectory (tiff, (tdir_t) page));
      for (guint32 y = 0; y < HEIGHT; y++)
        {
          g_assert_cmpint (TIFFReadScanline (tiff, row, y, 0), ==, 1);
          for (int x = 0; x < WIDTH; x++)
            if (blank)
              g_assert_true (isnan (row[x]));
            else
              g_assert_cmpfloat (row[x], ==, batch_expected (f, params, page, (int) y * WIDTH + x));
        }
    }
  g_assert_false (TIFFReadDirectory (tiff));
  TIFFClose (tiff);
}

static void
test_damaged (BatchFixture *f, gconstpointer data)
{
  static const int cases[][4] = { { 8, -1 }, { 0, 8, -1 }, { 1, 9, 10, -1 }, { 19, -1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      FakeParams params = { .gain = 2, .window = 3, .steps = 1 };
      BatchWatch watch = { .notices = g_string_new (NULL) };
      g_autoptr (JsonNode) root = NULL;
      JsonObject *summary;
      int n = 0;

      while (cases[i][n] >= 0)
        n++;
      write_damaged (f, cases[i]);
      /* the GPU fails in the middle: started over, the same */
      fake_trouble.step = i == 0 ? 12 : -1;
      g_assert_false (
          batch_run (f, &fake_operation, params, &watch, VG_BACKEND_AUTO, NULL, NULL, &error));
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INCOMPLETE);
      check_moments (f, params, cases[i]);
      check_folder (f, result_names);
      root = load_summary (f, "summary.json");
      summary = json_node_get_object (root);
      g_assert_false (json_object_get_boolean_member (summary, "complete"));
      g_assert_cmpint (json_object_get_int_member (summary, "bad_frames"), ==, n);
      g_assert_cmpstr (
          json_array_get_string_element (json_object_get_array_member (summary, "notes"), 0), ==,
          error->message);
      g_string_free (watch.notices, TRUE);
    }
}

/* With --strict, or where no frame can be read at all: an error, and the folder is as it was. */
static void
test_damaged_strict (BatchFixture *f, gconstpointer data)
{
  int bad[FRAMES + 1] = { 8, -1 };
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 2, .window = 3, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL), .strict = data == NULL };

  for (int i = 0; i <= FRAMES && data != NULL; i++)
    bad[i] = i < FRAMES ? i : -1;
  write_damaged (f, bad);
  g_assert_false (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_CPU, NULL, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  g_string_free (watch.notices, TRUE);
}

/* Cancelled or failed: what was there stays, and nothing else. */
static void
test_keeps_old (BatchFixture *f, gconstpointer data)
{
  static const char *const old_names[] = { "total.tif", NULL };
  g_autofree char *old = g_build_filename (f->out, "total.tif", NULL), *text = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1, .window = 2, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL),
                       .cancellable = cancellable,
                       .cancel_at = data == NULL ? 6 : 1000 };

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0777), ==, 0);
  g_assert_true (g_file_set_contents (old, "as it was", -1, NULL));
  fake_trouble.step = 9;
  fake_trouble.other = data != NULL;
  g_assert_false (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_AUTO, "7x3:u16", NULL, &error));
  if (data == NULL)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  else
    g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_assert_true (g_file_get_contents (old, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "as it was");
  check_folder (f, old_names);
  g_string_free (watch.notices, TRUE);
}

/* Cancelling must reach into one long piece of work, too. */
static void
test_cancel_steps (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1, .window = 1, .steps = 1000000 };
  BatchWatch watch = { .notices = g_string_new (NULL), .cancellable = cancellable, .cancel_at = 0 };

  g_assert_false (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_CPU, "7x3:u16", NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  g_string_free (watch.notices, TRUE);
}

static void
test_too_short (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1, .window = FRAMES + 1, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };

  g_assert_false (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_CPU, "7x3:u16", NULL, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "21"));
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  g_string_free (watch.notices, TRUE);
}

/* Two lines of settings are two runs in two folders. */
static void
test_settings (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1, .window = 1, .steps = 3 };
  BatchWatch watch = { .notices = g_string_new (NULL) };
  g_autoptr (JsonNode) root = NULL;
  JsonObject *map;

  g_assert_true (g_file_set_contents (f->input, "gain 2\ngain 5", -1, NULL));
  g_assert_true (
      batch_run (f, &fake_whole_operation, params, &watch, VG_BACKEND_CPU, NULL, NULL, &error));
  g_assert_no_error (error);
  check_folder (f, (const char *const[]){ "run-1", "run-2", NULL });
  root = load_summary (f, "run-2/summary.json");
  map = json_object_get_object_member (
      json_object_get_object_member (json_node_get_object (root), "outputs"), "total");
  g_assert_cmpfloat (json_object_get_double_member (map, "max"), ==, 25);
  g_assert_true (g_file_set_contents (f->input, "gain 2\nnonsense", -1, NULL));
  g_assert_false (
      batch_run (f, &fake_whole_operation, params, &watch, VG_BACKEND_CPU, NULL, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  g_string_free (watch.notices, TRUE);
}

/* An image without a place is refused as DICOM before anything is prepared for it. */
static void
test_no_place (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1, .window = 1, .steps = 1 };
  VgExportOptions options = { .formats = VG_FORMAT_DICOM | VG_FORMAT_CSV };
  BatchWatch watch = { .notices = g_string_new (NULL), .options = &options };

  fake_trouble.prepare = 9; /* counted down */
  g_assert_false (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_CUDA, "7x3:u16", NULL, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_assert_cmpint (fake_trouble.prepare, ==, 9);
  g_string_free (watch.notices, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/batch/stack", BatchFixture, NULL, batch_set_up, test_stack, batch_tear_down);
  g_test_add ("/batch/gpu-fails/step", BatchFixture, NULL, batch_set_up, test_gpu_fails,
              batch_tear_down);
  g_test_add ("/batch/gpu-fails/feed", BatchFixture, "feed", batch_set_up, test_gpu_fails,
              batch_tear_down);
  g_test_add ("/batch/gpu-fails/forced", BatchFixture, NULL, batch_set_up, test_gpu_forced,
              batch_tear_down);
  g_test_add ("/batch/pipe/plain", BatchFixture, NULL, batch_set_up, test_pipe, batch_tear_down);
  g_test_add ("/batch/pipe/gpu-fails", BatchFixture, "fails", batch_set_up, test_pipe,
              batch_tear_down);
  g_test_add ("/batch/damaged", BatchFixture, NULL, batch_set_up, test_damaged, batch_tear_down);
  g_test_add ("/batch/damaged/strict", BatchFixture, NULL, batch_set_up, test_damaged_strict,
              batch_tear_down);
  g_test_add ("/batch/damaged/all", BatchFixture, "all", batch_set_up, test_damaged_strict,
              batch_tear_down);
  g_test_add ("/batch/keeps-old/cancelled", BatchFixture, NULL, batch_set_up, test_keeps_old,
              batch_tear_down);
  g_test_add ("/batch/keeps-old/failed", BatchFixture, "failed", batch_set_up, test_keeps_old,
              batch_tear_down);
  g_test_add ("/batch/cancel-steps", BatchFixture, NULL, batch_set_up, test_cancel_steps,
              batch_tear_down);
  g_test_add ("/batch/too-short", BatchFixture, NULL, batch_set_up, test_too_short,
              batch_tear_down);
  g_test_add ("/batch/no-place", BatchFixture, NULL, batch_set_up, test_no_place, batch_tear_down);
  g_test_add ("/batch/settings", BatchFixture, NULL, batch_set_up, test_settings, batch_tear_down);
  return g_test_run ();
}
