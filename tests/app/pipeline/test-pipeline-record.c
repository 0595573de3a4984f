/* SPDX-License-Identifier: MIT */
/* Recording what a pipeline is given. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include "tests/support/app/pipeline-watch.h"
#include "kernels/base/vg-error.h"

/* The first *DATA come, none sooner than a millisecond after the one before. */
static gboolean
comes_slowly (gint64 frame, gpointer data)
{
  g_usleep (1000);
  return frame < g_atomic_int_get ((int *) data);
}

static void
test_record (void)
{
  int released = 10;
  FakeSource source = { .width = 7,
                        .height = 5,
                        .frames = -1,
                        .live_frames = 300,
                        .may_come = comes_slowly,
                        .data = &released,
                        .gap_every = 50 };
  g_autofree char *folder = g_dir_make_tmp ("vg-record-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (GError) error = NULL;
  g_auto (VgRecording) report = { 0 };
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  g_assert_false (vg_pipeline_record_start (watch.pipeline, path, G_MAXINT64, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_clear_error (&error);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_true (vg_pipeline_record_start (watch.pipeline, path, G_MAXINT64, &error));
  g_assert_false (vg_pipeline_record_start (watch.pipeline, path, G_MAXINT64, NULL));
  g_atomic_int_set (&released, G_MAXINT);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (vg_pipeline_record_stop (watch.pipeline, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (report.kept, >, 0);
  g_assert_cmpstr (report.path, ==, path);
  watch_end (&watch);

  {
    g_autoptr (VgSource) stack = vg_source_open (path, NULL, &error);
    guint16 first[35], last[35];

    g_assert_no_error (error);
    g_assert_cmpint (stack->info.width, ==, 7);
    g_assert_cmpint (stack->info.type, ==, VG_U16);
    g_assert_cmpint (stack->info.frames, ==, (gint64) report.kept);
    g_assert_true (vg_source_read (stack, 0, first, NULL));
    g_assert_true (vg_source_read (stack, (gint64) report.kept - 1, last, NULL));
    /* nothing is neither kept nor counted: three frames after every fiftieth never came, and what a
     * slow disk lost */
    g_assert_cmpuint (report.missed, ==, 3 * (299 / 50 - first[34] / 50u));
    g_assert_cmpuint (report.kept + report.dropped, ==, 299u - first[34] + 1);
    g_assert_true (last[0] == 299 || report.dropped > 0);
  }
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The newest frame in memory is FRAME, as the source counts. */
static gboolean
keeps (Watch *watch, gint64 frame)
{
  VgPast past;

  return vg_pipeline_get_past (watch->pipeline, &past) && past.newest_s == (double) frame * 1e-3;
}

/* The number after NAME in each line that describes a page of the recording at PATH. */
static GArray *
read_pages (const char *path, const char *name)
{
  g_autofree char *content = NULL, *key = g_strdup_printf ("\"%s\": ", name);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  const char *begin = "{\"recorded_by\"";
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  for (const char *at = content;
       (at = memmem (at, length - (gsize) (at - content), begin, strlen (begin))) != NULL;)
    {
      const char *found = strstr (at, key);
      double value = found != NULL ? g_ascii_strtod (found + strlen (key), NULL) : NAN;

      g_array_append_val (values, value);
      at += strlen (at);
    }
  return values;
}

static double
value_at (GArray *values, guint i)
{
  return g_array_index (values, double, i);
}

/* A recording that begins before it was started: no frame is twice in the file or missing where the
 * frames from memory end, their times are those of their arrival, and so are their marks. */
static void
test_record_past (void)
{
  int released = 40;
  FakeSource source = { .width = 7,
                        .height = 5,
                        .frames = -1,
                        .live_frames = 300,
                        .may_come = comes_slowly,
                        .data = &released,
                        .gap_every = 50 };
  g_autofree char *folder = g_dir_make_tmp ("vg-record-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL), *text = NULL;
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (GError) error = NULL;
  g_auto (VgRecording) report = { 0 };
  const gint64 begin_us = g_get_real_time ();
  gint64 from_us, told;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, keeps, 39));
  from_us = g_get_monotonic_time ();
  g_usleep (200000); /* the frames from here on come later than those before */
  g_atomic_int_set (&released, 120);
  g_assert_true (watch_until (&watch, keeps, 119));
  vg_pipeline_mark_time (watch.pipeline, 0.030, "too early");
  vg_pipeline_mark_time (watch.pipeline, 0.060, "cuff");
  g_assert_true (vg_pipeline_record_start (watch.pipeline, path, from_us, &error));
  g_atomic_int_set (&released, G_MAXINT);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (vg_pipeline_record_stop (watch.pipeline, &report, &error));
  g_assert_no_error (error);
  watch_end (&watch);

  {
    g_autoptr (GArray) numbers = read_pages (path, "frame"), times = read_pages (path, "time_s");

    g_assert_cmpuint (report.kept, ==, 260);
    g_assert_cmpuint (report.dropped, ==, 0);
    g_assert_cmpuint (report.missed, ==, 3 * (299 / 50 - 40 / 50));
    g_assert_cmpfloat_with_epsilon (report.before_s, 0.079, 1e-9);
    g_assert_cmpuint (numbers->len, ==, 260);
    for (guint i = 0; i < numbers->len; i++)
      {
        const gint64 n = 40 + (gint64) i;

        g_assert_cmpfloat (value_at (numbers, i), ==, (double) (n + 3 * (n / 50) + 1000));
        g_assert_cmpfloat_with_epsilon (value_at (times, i), (double) n * 1e-3, 1e-9);
      }
  }
  {
    g_autoptr (VgSource) stack = vg_source_open (path, NULL, &error);
    guint16 samples[35];

    g_assert_no_error (error);
    g_assert_cmpint (stack->info.frames, ==, 260);
    for (gint64 i = 0; i < 260; i++)
      {
        g_assert_true (vg_source_read (stack, i, samples, NULL));
        g_assert_cmpuint (samples[34], ==, 40 + i);
      }
  }
  /* the first frame arrived after it was waited for and well before the recording */
  {
    g_autofree char *content = NULL;
    g_autoptr (GDateTime) first = NULL;
    const char *page, *at;
    gsize length;

    g_assert_true (g_file_get_contents (path, &content, &length, NULL));
    page = memmem (content, length, "{\"recorded_by\"", 14);
    g_assert_nonnull (strstr (page, "\"marks\": [{\"time_s\": 0.060000, \"text\": \"cuff\"}]"));
    g_assert_null (memmem (content, length, "too early", 9));
    at = strstr (page, "\"utc\": \"") + 8;
    text = g_strndup (at, strcspn (at, "\""));
    first = g_date_time_new_from_iso8601 (text, NULL);
    told = g_date_time_to_unix (first) * G_USEC_PER_SEC + g_date_time_get_microsecond (first);
    g_assert_cmpint (told, >=, begin_us + 200000);
    g_assert_cmpint (told, <, g_get_real_time ());
  }
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_record_types (void)
{
  static const VgImageInfo infos[] = {
    { .type = VG_U8, .width = 3, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = -1 },
    { .type = VG_U32,
      .width = 3,
      .height = 2,
      .channels = 1,
      .bins = 1,
      .slices = 1,
      .frames = -1 },
    { .type = VG_F32,
      .width = 3,
      .height = 2,
      .channels = 1,
      .bins = 1,
      .slices = 1,
      .frames = -1 },
    { .type = VG_U8, .width = 3, .height = 2, .channels = 3, .bins = 1, .slices = 1, .frames = -1 },
    { .type = VG_U8, .width = 3, .height = 2, .channels = 4, .bins = 1, .slices = 1, .frames = -1 },
    { .type = VG_U16,
      .width = 3,
      .height = 2,
      .channels = 1,
      .bins = 1,
      .slices = 1,
      .frames = -1,
      .significant_bits = 12,
      .frame_interval_s = 0.02,
      .exposure_ms = 3.5 },
  };
  g_autofree char *folder = g_dir_make_tmp ("vg-record-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    {
      g_autoptr (VgFramePool) pool = vg_frame_pool_new (&infos[i], 2, NULL, NULL);
      const VgSourceOptions options = { .colour = TRUE };
      gsize bytes = vg_image_info_frame_bytes (&infos[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) stack = NULL;
      VgRecorder *recorder = vg_recorder_new (&infos[i], path, TRUE, NULL, NULL, &error);
      guint8 back[64];
      g_auto (VgRecording) report = { 0 };

      g_assert_no_error (error);
      for (int k = 0; k < 2; k++)
        {
          g_autoptr (VgFrame) frame = vg_frame_pool_take (pool, NULL);

          for (gsize b = 0; b < bytes; b++)
            frame->id = (guint64) k, frame->time_s = 0.02 * k,
            ((guint8 *) frame->data)[b] = (guint8) (17 * k + b) &
                                          (infos[i].significant_bits && b % 2 ? 0x0f : 0xff);
          vg_recorder_push (recorder, frame);
        }
      g_assert_true (vg_recorder_stop (recorder, &report, &error));
      g_assert_cmpuint (report.kept, ==, 2);
      stack = vg_source_open (path, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (stack->info.type, ==, infos[i].type);
      g_assert_cmpint (stack->info.channels, ==, infos[i].channels);
      g_assert_cmpfloat (stack->info.exposure_ms, ==, infos[i].exposure_ms);
      /* as it was told, or by the times of the pages */
      g_assert_cmpfloat (stack->info.frame_interval_s, ==, 0.02);
      if (infos[i].significant_bits > 0)
        g_assert_cmpint (stack->info.significant_bits, ==, infos[i].significant_bits);
      g_assert_true (vg_source_read (stack, 1, back, &error));
      for (gsize b = 0; b < bytes; b++)
        g_assert_cmpint (back[b], ==,
                         (guint8) (17 + b) & (infos[i].significant_bits && b % 2 ? 0x0f : 0xff));
    }
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_record_unwritable (void)
{
  FakeSource source = { .width = 7, .height = 5, .frames = -1, .interval_us = 1000 };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (GError) error = NULL;
  Watch watch;

  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_false (
      vg_pipeline_record_start (watch.pipeline, "/nowhere/at/all.tif", G_MAXINT64, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/record", test_record);
  g_test_add_func ("/pipeline/record-past", test_record_past);
  g_test_add_func ("/pipeline/record-types", test_record_types);
  g_test_add_func ("/pipeline/record-unwritable", test_record_unwritable);
  return g_test_run ();
}
