/* SPDX-License-Identifier: MIT */
/* Movies of a run, read back with GStreamer: frames, size, time and colours; and refusals. */
#include <glib/gstdio.h>
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include "app/batch/vg-batch.h"
#include "kernels/shared/vg-colormap.h"
#include "tests/support/app/cli-fixture.h"

enum { TOLERANCE = 16 }; /* of a colour after it was encoded */

typedef struct
{
  int frames, width, height;
  double seconds;    /* where the last frame ends */
  guint8 corner[3];  /* of the first frame: the page */
  guint8 first[3];   /* in the middle of the map, of the first frame */
  GBytes *last_page; /* RGB of the last frame */
} Movie;

static void
clear_movie (Movie *movie)
{
  g_clear_pointer (&movie->last_page, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Movie, clear_movie)

static void
take_sample (Movie *movie, GstSample *sample)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstVideoInfo info;
  GstVideoFrame frame;
  const guint8 *data;
  int stride;

  g_assert_true (gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  movie->width = GST_VIDEO_INFO_WIDTH (&info);
  movie->height = GST_VIDEO_INFO_HEIGHT (&info);
  data = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);
  stride = GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
  if (movie->frames++ == 0)
    {
      memcpy (movie->corner, data + stride * 2 + 6, 3);
      memcpy (movie->first, data + stride * (movie->height / 2) + 3 * (movie->width / 3), 3);
    }
  g_clear_pointer (&movie->last_page, g_bytes_unref);
  movie->last_page = g_bytes_new (data, (gsize) stride * (gsize) movie->height);
  movie->seconds = (double) (GST_BUFFER_PTS (buffer) + GST_BUFFER_DURATION (buffer)) * 1e-9;
  gst_video_frame_unmap (&frame);
}

/* Decodes all of the file PATH. */
static void
read_movie (const char *path, Movie *movie)
{
  g_autofree char *text = g_strdup_printf (
      "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=RGB ! "
      "appsink name=sink sync=false");
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (text, &error);
  GstElement *file, *sink;
  GstSample *sample;

  g_assert_no_error (error);
  file = gst_bin_get_by_name (GST_BIN (pipeline), "file");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_object_set (file, "location", path, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink))) != NULL)
    {
      take_sample (movie, sample);
      gst_sample_unref (sample);
    }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (file);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}

static gboolean
skip (CliFixture *f)
{
  static const char *const needed[] = { "vp8enc", "vp8dec", "webmmux", "jpegenc", "avimux" };

  if (cli_skip_without_stream (f))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    {
      GstElementFactory *factory = gst_element_factory_find (needed[i]);

      if (factory == NULL)
        {
          g_test_skip ("needs the Debian package gstreamer1.0-plugins-good");
          return TRUE;
        }
      gst_object_unref (factory);
    }
  return FALSE;
}

/* The first map of the stream, that the movie shows. */
static const VgOutput *
shown (CliFixture *f)
{
  return &f->stream->outputs[f->stream->view.first_output];
}

static int
count_maps (CliFixture *f)
{
  g_autofree char *name = g_strconcat (shown (f)->id, ".tif", NULL),
                  *path = g_build_filename (f->out, name, NULL);
  g_autoptr (VgSource) source = vg_source_open (path, NULL, NULL);

  g_assert_nonnull (source);
  return (int) source->info.frames;
}

/* All maps are above the limits, so that their colour is known. */
static void
check_movie (CliFixture *f, const char *name)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL),
                  *line = g_strdup_printf (
                      "vg run OP TIFF --backend cpu --out OUT --movie DIR/%s --movie-fps 5 "
                      "--movie-width 321 --movie-limits 1e-12,2e-12",
                      name);
  const VgColormap *colormap = vg_colormap_find (shown (f)->hints.colormap);
  g_auto (Movie) movie = { 0 };

  {
    g_auto (CliResult) run = cli_run (f, line);

    g_test_message ("%s -> %d %s", line, run.status, run.errors);
    g_assert_cmpint (run.status, ==, 0);
  }
  read_movie (path, &movie);
  g_assert_cmpint (movie.frames, ==, count_maps (f));
  g_assert_cmpint (movie.frames, >, 1);
  g_assert_cmpint (movie.width, ==, 322); /* encoders take even sizes */
  g_assert_cmpint (movie.height % 2, ==, 0);
  g_assert_cmpfloat_with_epsilon (movie.seconds, movie.frames / 5.0, 0.05);
  for (int i = 0; i < 3; i++)
    {
      g_assert_cmpint (movie.corner[i], >=, 255 - TOLERANCE);
      g_assert_cmpint (abs (movie.first[i] - colormap->rgb[255][i]), <=, TOLERANCE);
    }
}

static void
test_frames (CliFixture *f, gconstpointer data)
{
  if (skip (f))
    return;
  check_movie (f, "maps.webm");
  check_movie (f, "maps.avi");
}

/* A part of the frames, without the maps; the time stamp makes frames differ. */
static void
test_part (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "part.webm", NULL);
  g_auto (Movie) movie = { 0 };
  g_auto (CliResult) run = { 0 };

  if (skip (f))
    return;
  run = cli_run (f, "vg run OP TIFF --backend cpu --movie DIR/part.webm --movie-frames 6-7 "
                    "--movie-width 320");
  g_test_message ("%s", run.errors);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  read_movie (path, &movie);
  g_assert_cmpint (movie.frames, ==, 2);
}

/* Writes a raw recording of 25 frames, 0.1 s apart, in which TEXT (NULL: nothing) was marked 0.05 s
 * before the eleventh.  The connection was lost before the sixteenth. */
static void
write_recording (const char *path, const char *text)
{
  enum { FRAMES = 25, WIDTH = 48, HEIGHT = 32 };
  g_autofree char *index = g_strconcat (path, ".jsonl", NULL);
  g_autofree guint8 *samples = g_malloc (FRAMES * WIDTH * HEIGHT);
  g_autoptr (GString) lines = g_string_new (
      "{\"recorded_by\": \"Vivograph\", \"raw\": 1, \"dtype\": \"|u1\", \"width\": 48, "
      "\"height\": 32, \"channels\": 1, \"bins\": 1, \"slices\": 1}\n");

  for (int i = 0; i < FRAMES * WIDTH * HEIGHT; i++)
    samples[i] = (guint8) (50 + i * 37 % 101);
  for (int i = 0; i < FRAMES; i++)
    {
      g_string_append_printf (lines,
                              "{\"recorded_by\": \"Vivograph\", \"offset\": %d, \"frame\": %d, "
                              "\"time_s\": %d.%d",
                              i * WIDTH * HEIGHT, i, 7 + i / 10, i % 10);
      if (i == 10 && text != NULL)
        g_string_append_printf (lines, ", \"marks\": [{\"time_s\": 7.95, \"text\": \"%s\"}]", text);
      g_string_append (lines, i == 15 ? ", \"interrupted\": true}\n" : "}\n");
    }
  g_assert_true (g_file_set_contents (path, (const char *) samples, FRAMES * WIDTH * HEIGHT, NULL));
  g_assert_true (g_file_set_contents (index, lines->str, -1, NULL));
}

/* The last page of a movie of frames 1 to LAST of the recording NAME. */
static GBytes *
film (CliFixture *f, const char *name, int last)
{
  g_autofree char *line = g_strdup_printf ("vg run OP DIR/%s --backend cpu --movie DIR/marks.avi "
                                           "--movie-fps 5 --movie-frames 1-%d --movie-width 320",
                                           name, last),
                  *path = g_build_filename (f->folder, "marks.avi", NULL);
  g_auto (CliResult) run = cli_run (f, line);
  g_auto (Movie) movie = { 0 };

  g_test_message ("%s", run.errors);
  g_assert_cmpint (run.status, ==, 0);
  read_movie (path, &movie);
  return g_steal_pointer (&movie.last_page);
}

/* A mark of a recording is in the output of info, in the rows of its frame, in the report, and for
 * 2 s in the movie, which is ten frames at 5 frames per second. */
static void
test_marks (CliFixture *f, gconstpointer data)
{
  static const struct
  {
    int last;
    gboolean marked;
  } cases[] = { { 10, FALSE }, { 11, TRUE }, { 20, TRUE }, { 21, FALSE } };
  g_autofree char *marked = g_build_filename (f->folder, "marked.raw", NULL),
                  *plain = g_build_filename (f->folder, "plain.raw", NULL),
                  *table = g_build_filename (f->out, "regions.csv", NULL),
                  *report = g_build_filename (f->out, "report.html", NULL), *text = NULL;
  g_auto (GStrv) rows = NULL;

  if (skip (f))
    return;
  write_recording (marked, "cuff <closed>");
  write_recording (plain, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) with = film (f, "marked.raw", cases[i].last),
                         without = film (f, "plain.raw", cases[i].last);

      g_assert_cmpint (!g_bytes_equal (with, without), ==, cases[i].marked);
    }
  {
    g_auto (CliResult) info = cli_run (f, "vg info DIR/marked.raw"),
                       run = cli_run (f, "vg run OP DIR/marked.raw --backend cpu --rois "
                                         "rect:4,4,20,20 --report --out OUT");

    g_assert_nonnull (
        strstr (info.output, "gaps:      the connection was lost at 1.4 s, for 0.1 s"));
    g_assert_nonnull (strstr (info.output, "marks:     0.950 s: cuff <closed>\n"));
    g_test_message ("%s", run.errors);
    g_assert_cmpint (run.status, ==, 0);
  }
  g_assert_true (g_file_get_contents (table, &text, NULL, NULL));
  rows = g_strsplit (text, "\n", -1);
  g_assert_true (g_str_has_suffix (rows[0], ",mark"));
  for (guint i = 1; rows[i] != NULL && *rows[i] != '\0'; i++)
    g_assert_cmpint (g_str_has_suffix (rows[i], ",\"cuff <closed>\""), ==,
                     g_str_has_prefix (rows[i], "10,"));
  g_free (text);
  g_assert_true (g_file_get_contents (report, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<h2>Marks</h2>"));
  g_assert_nonnull (strstr (text, "<td>cuff &lt;closed&gt;</td>"));
}

/* Frames play as they were recorded, but with 1 to 60 per second.  The size grows with their number
 * and their pixels. */
static void
test_usual (CliFixture *f, gconstpointer data)
{
  /* the simulated camera whole and in part, a recording of a phantom, and the sample data */
  static const struct
  {
    const char *ending;
    VgMovieQuality quality;
    int n, width, height;
    double bytes;
  } measured[] = {
    { "webm", VG_MOVIE_HIGH, 30, 640, 480, 7537229 },
    { "webm", VG_MOVIE_MEDIUM, 30, 640, 480, 2394795 },
    { "webm", VG_MOVIE_SMALL, 30, 640, 480, 1030900 },
    { "avi", VG_MOVIE_HIGH, 30, 640, 480, 18156794 },
    { "avi", VG_MOVIE_MEDIUM, 30, 640, 480, 7294794 },
    { "avi", VG_MOVIE_SMALL, 30, 640, 480, 2404838 },
    { "webm", VG_MOVIE_HIGH, 30, 128, 96, 2630539 },
    { "webm", VG_MOVIE_MEDIUM, 30, 128, 96, 839892 },
    { "webm", VG_MOVIE_SMALL, 30, 128, 96, 461573 },
    { "webm", VG_MOVIE_HIGH, 60, 64, 64, 4450226 },
    { "webm", VG_MOVIE_MEDIUM, 60, 64, 64, 2121361 },
    { "webm", VG_MOVIE_SMALL, 60, 64, 64, 1074712 },
    { "avi", VG_MOVIE_HIGH, 60, 64, 64, 27282270 },
    { "avi", VG_MOVIE_MEDIUM, 60, 64, 64, 13938492 },
    { "avi", VG_MOVIE_SMALL, 60, 64, 64, 5825218 },
    { "webm", VG_MOVIE_HIGH, 32, 512, 512, 4857071 },
    { "webm", VG_MOVIE_MEDIUM, 32, 512, 512, 1653349 },
    { "webm", VG_MOVIE_SMALL, 32, 512, 512, 764480 },
  };

  g_assert_cmpfloat_with_epsilon (vg_movie_usual_fps (1 / 30.0), 30, 1e-9);
  g_assert_cmpfloat (vg_movie_usual_fps (1e-3), ==, 60);
  g_assert_cmpfloat (vg_movie_usual_fps (5), ==, 1);
  g_assert_cmpfloat (vg_movie_usual_fps (0), ==, 10);
  g_assert_cmpfloat (vg_movie_usual_fps (NAN), ==, 10);
  for (guint i = 0; i < G_N_ELEMENTS (measured); i++)
    {
      const double estimate = vg_movie_estimate_bytes (measured[i].ending, measured[i].quality,
                                                       measured[i].n, measured[i].width,
                                                       measured[i].height);

      g_test_message ("%s, quality %d: %.2f", measured[i].ending, measured[i].quality,
                      estimate / measured[i].bytes);
      g_assert_cmpfloat (estimate, >, 0.7 * measured[i].bytes);
      g_assert_cmpfloat (estimate, <, 1.3 * measured[i].bytes);
    }
  g_assert_cmpfloat (vg_movie_estimate_bytes ("webm", VG_MOVIE_MEDIUM, 180, 640, 480), ==,
                     2 * vg_movie_estimate_bytes ("webm", VG_MOVIE_MEDIUM, 90, 640, 480));
}

static const VgOperation *
find_evolution (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    if (operations[i]->view.step_param != NULL && operations[i]->synthetic != NULL)
      return operations[i];
  return NULL;
}

/* The steps of an evolution, from the first to the last. */
static void
test_steps (CliFixture *f, gconstpointer data)
{
  const VgOperation *operation = find_evolution ();
  g_autofree char *path = g_build_filename (f->folder, "steps.webm", NULL), *line = NULL;
  g_auto (Movie) movie = { 0 };

  if (operation == NULL || skip (f))
    return;
  line = g_strdup_printf ("vg demo %s --size 96x96 --backend cpu --movie DIR/steps.webm "
                          "--movie-width 320",
                          operation->id);
  {
    g_auto (CliResult) run = cli_run (f, line);

    g_test_message ("%s -> %d %s", line, run.status, run.errors);
    g_assert_cmpint (run.status, ==, 0);
  }
  read_movie (path, &movie);
  g_assert_cmpint (movie.frames, >, 3);
  g_assert_cmpfloat_with_epsilon (movie.seconds, movie.frames / 10.0, 0.05);
}

/* LINE fails with STATUS and says WORDS, and no file stays. */
static void
check_refused (CliFixture *f, const char *line, int status, const char *words,
               GSpawnChildSetupFunc setup)
{
  guint before = cli_count_entries (f->folder);
  g_auto (CliResult) run = cli_run_limited (f, line, setup);

  g_test_message ("%s -> %d %s", line, run.status, run.errors);
  g_assert_cmpint (run.status, ==, status);
  g_assert_nonnull (strstr (run.errors, words));
  g_assert_cmpuint (cli_count_entries (f->folder), ==, before);
}

/* A disk that is full after 2 KiB of any file. */
static void
limit_file_size (gpointer data)
{
  struct rlimit limit = { 2048, 2048 };

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
}

static void
test_refused (CliFixture *f, gconstpointer data)
{
  if (skip (f))
    return;
  check_refused (f, "vg run OP TIFF --movie DIR/a.webm", 1, "choose another folder",
                 limit_file_size);
  check_refused (f, "vg run OP TIFF --movie DIR/a.avi", 1, "choose another folder",
                 limit_file_size);
  check_refused (f, "vg run OP TIFF --movie /proc/none/a.webm", 1, "create the folder first", NULL);
  check_refused (f, "vg run OP TIFF --movie DIR/a.gif", 2, ".webm, .mp4 or .avi", NULL);
  check_refused (f, "vg run OP TIFF --movie DIR/a.webm --movie-fps 0", 2, "0.1 to 120", NULL);
  check_refused (f, "vg run OP TIFF --movie DIR/a.webm --movie-frames 3-2", 2, "such as 10-200",
                 NULL);
  check_refused (f, "vg run OP TIFF --movie DIR/a.webm --movie-frames 900-", 2, "other frames",
                 NULL);
  check_refused (f, "vg demo fluence --photons 1000 --movie DIR/a.webm", 2, "have no frames", NULL);
  check_refused (f, "vg run OP TIFF --movie-fps 5 --out OUT", 2, "name one with --movie", NULL);
}

/* Without the encoder, and without the module. */
static void
test_missing (CliFixture *f, gconstpointer data)
{
  g_autofree char *registry = NULL;

  if (skip (f))
    return;
  registry = g_build_filename (f->folder, "registry", NULL);
  g_assert_true (g_file_set_contents (registry, "", -1, NULL));
  g_setenv ("GST_REGISTRY_1_0", registry, TRUE);
  g_setenv ("GST_PLUGIN_SYSTEM_PATH_1_0", f->folder, TRUE);
  check_refused (f, "vg run OP TIFF --movie DIR/a.webm", 2, "gstreamer1.0-plugins-", NULL);
  g_unsetenv ("GST_REGISTRY_1_0");
  g_unsetenv ("GST_PLUGIN_SYSTEM_PATH_1_0");
  g_setenv ("VIVOGRAPH_MODULE_DIR", f->folder, TRUE);
  check_refused (f, "vg run OP TIFF --movie DIR/a.webm", 2, "built without GStreamer", NULL);
  g_unsetenv ("VIVOGRAPH_MODULE_DIR");
}

static void
cancel_soon (double fraction, gint64 maps, gpointer cancellable)
{
  if (maps > 0)
    g_cancellable_cancel (cancellable);
}

static void
test_cancel (CliFixture *f, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *path = g_build_filename (f->folder, "cancelled.webm", NULL);
  VgMovieOptions movie = { .path = path, .width = 320 };
  const VgExportOptions options = { .movie = &movie };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = NULL;
  guint before;
  void *params;

  if (skip (f))
    return;
  before = cli_count_entries (f->folder);
  params = vg_params_new (&f->stream->params);
  work = vg_work_new (f->stream, VG_BACKEND_CPU, 1, NULL);
  {
    const char *const inputs[] = { f->tiff, NULL };
    VgBatchJob job = { .params = params,
                       .inputs = inputs,
                       .options = &options,
                       .preview_output = (int) f->stream->view.first_output,
                       .cancellable = cancellable,
                       .progress = cancel_soon,
                       .user_data = cancellable };

    g_assert_false (vg_batch_run (&job, work, &error));
  }
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (cli_count_entries (f->folder), ==, before);
  vg_params_free (&f->stream->params, params);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (CliFixture *f, gconstpointer data);
  } tests[] = { { "/movie/frames", test_frames },   { "/movie/part", test_part },
                { "/movie/marks", test_marks },     { "/movie/usual", test_usual },
                { "/movie/steps", test_steps },     { "/movie/refused", test_refused },
                { "/movie/missing", test_missing }, { "/movie/cancel", test_cancel } };

  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, CliFixture, NULL, cli_set_up, tests[i].test, cli_tear_down);
  return g_test_run ();
}
