/* SPDX-License-Identifier: MIT */
/* Marks of recordings are read again, from TIFF and from raw files, whatever their texts are. */
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include "app/compute/vg-file-series.h"
#include "app/input/vg-frame-pool.h"
#include "app/record/vg-recorder.h"
#include "io/source/vg-marks.h"
#include "io/source/vg-source.h"
#include "io/write/vg-frame-file.h"
#include "kernels/tables/vg-curves.h"
#include "tests/support/io/tiff-fixture.h"

static char *folder;

static const VgImageInfo info = {
  .type = VG_U8, .width = 8, .height = 6, .channels = 1, .bins = 1, .slices = 1
};

static void
wait_until_kept (VgRecorder *recorder, guint64 n)
{
  for (guint64 kept = 0; kept < n; g_usleep (1000))
    {
      g_auto (VgRecording) now = { 0 };

      vg_recorder_get_status (recorder, &now);
      g_assert_false (now.ended); /* the disk is full */
      kept = now.kept;
    }
}

/* Twenty frames from 100 s on, 0.1 s apart; the connection was lost before the first and the
 * sixth.  The eleventh has two marks: one at the time of the
 * ninth, and TEXT between the ninth and the tenth. */
static void
record (const char *path, const char *text)
{
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&info, 40, NULL, NULL);
  g_autofree char *settings = g_strnfill (3000, 's');
  g_autoptr (GError) error = NULL;
  g_auto (VgRecording) report = { 0 };
  g_autofree char *told = NULL;
  VgRecorder *recorder = vg_recorder_new (&info, path, TRUE, NULL, NULL, &error);

  g_assert_no_error (error);
  for (guint64 id = 0; id < 20; id++)
    {
      g_autoptr (VgFrame) frame = vg_frame_pool_take (pool, NULL);

      g_assert_nonnull (frame);
      memset (frame->data, (int) id, vg_image_info_frame_bytes (&info));
      frame->id = id;
      frame->time_s = 100 + 0.1 * (double) id;
      frame->time_us = g_get_monotonic_time ();
      frame->interrupted = id == 0 || id == 5;
      frame->exposure_ms = id < 7 ? 8 : id < 12 ? 0 : 3; /* 0: not known */
      g_clear_pointer (&frame->settings, g_ref_string_release);
      frame->settings = g_ref_string_new (settings);
      if (id == 10)
        {
          wait_until_kept (recorder, 10);
          settings[0] = 't'; /* in the same description as the marks, before them */
          g_ref_string_release (frame->settings);
          frame->settings = g_ref_string_new (settings);
          vg_recorder_add_mark (recorder, 100.85, text);
          vg_recorder_add_mark (recorder, 100.8, "cuff closed");
        }
      vg_recorder_push (recorder, frame);
    }
  g_assert_true (vg_recorder_stop (recorder, &report, &error));
  told = vg_recording_to_text (&report);
  g_assert_nonnull (strstr (told, "no frame is missing; the connection was lost at 0.4 s, for "
                                  "0.1 s"));
}

static const VgCurveMark *
mark_at (const GArray *marks, guint i)
{
  g_assert_nonnull (marks);
  g_assert_cmpuint (i, <, marks->len);
  return &g_array_index (marks, VgCurveMark, i);
}

static void
test_read (gconstpointer name)
{
  static const struct
  {
    const char *text, *shown;
  } cases[] = {
    { "blood pressure 120\342\200\22380", "blood pressure 120\342\200\22380" },
    { " \033[31m\r\n\"a\\b\"\t\x7f", "[31m  \"a\\b\"" },
    { "\n", "Mark" },
    { "not \xff UTF-8", "not \357\277\275 UTF-8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;
      const VgSourceOptions slower = { .read_options = "frame_interval_ms=500" };

      record (path, cases[i].text);
      source = vg_source_open (path, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (source->marks->len, ==, 2);
      g_assert_cmpfloat_with_epsilon (mark_at (source->marks, 0)->x, 0.8, 1e-6);
      g_assert_cmpstr (mark_at (source->marks, 0)->label, ==, "cuff closed");
      g_assert_cmpfloat_with_epsilon (mark_at (source->marks, 1)->x, 0.85, 1e-6);
      g_assert_cmpstr (mark_at (source->marks, 1)->label, ==, cases[i].shown);
      g_assert_cmpint (vg_source_find_frame (source, 0.8), ==, 8);
      for (gint64 k = 0; k < 20; k++)
        {
          g_assert_cmpint (vg_source_is_interrupted (source, k), ==, k == 0 || k == 5);
          g_assert_cmpfloat (vg_source_find_exposure (source, k), ==, k < 7 ? 8 : k < 12 ? 0 : 3);
        }
      g_assert_cmpint (vg_source_find_frame (source, -1e300), ==, 0);
      g_assert_cmpint (vg_source_find_frame (source, 1e300), ==, 19);
      vg_source_close (g_steal_pointer (&source));
      /* with another interval they stay at their frames */
      source = vg_source_open (path, &slower, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (mark_at (source->marks, 0)->x, 4, 1e-6);
      g_assert_cmpint (vg_source_find_frame (source, 4.1), ==, 8);
    }
}

/* No file grows any further, as on a full disk: the recording of RECORDER, or its index. */
static void
fill_disk (VgRecorder *recorder)
{
  g_auto (VgRecording) now = { 0 };
  g_autofree char *index = NULL;
  struct rlimit most;
  GStatBuf status;

  vg_recorder_get_status (recorder, &now);
  index = vg_raw_index_path (now.path);
  g_assert_true (g_stat (index, &status) == 0 || g_stat (now.path, &status) == 0);
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &most);
  most.rlim_cur = (rlim_t) status.st_size;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &most), ==, 0);
}

static void
free_disk (void)
{
  struct rlimit most;

  getrlimit (RLIMIT_FSIZE, &most);
  most.rlim_cur = most.rlim_max;
  setrlimit (RLIMIT_FSIZE, &most);
}

/* Records N frames from 100 s on, 0.1 s apart: one mark before the last frame, one after it.  FULL:
 * there is no space for the latter. */
static void
record_end (const char *path, const VgImageInfo *of, guint64 n, gboolean full)
{
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (of, 40, NULL, NULL);
  g_autoptr (GError) error = NULL;
  VgRecorder *recorder = vg_recorder_new (of, path, TRUE, NULL, NULL, &error);

  g_assert_no_error (error);
  for (guint64 id = 0; id < n; id++)
    {
      g_autoptr (VgFrame) frame = vg_frame_pool_take (pool, NULL);

      memset (frame->data, 7 + (int) id, vg_image_info_frame_bytes (of));
      frame->id = id;
      frame->time_s = 100 + 0.1 * (double) id;
      if (id == n - 1)
        vg_recorder_add_mark (recorder, frame->time_s - 0.05, "before");
      vg_recorder_push (recorder, frame);
    }
  wait_until_kept (recorder, n);
  if (full)
    fill_disk (recorder);
  vg_recorder_add_mark (recorder, 102, "after");
  g_assert_cmpint (vg_recorder_stop (recorder, NULL, &error), ==, !full);
  if (full)
    g_assert_nonnull (strstr (error->message, "the file contains the 3 frames recorded before"));
  free_disk ();
}

/* Marks that no frame follows are written too, also if there is one frame only; large frames are
 * written past the page cache. */
static void
test_last (gconstpointer name)
{
  static const VgImageInfo infos[] = {
    { .type = VG_U8, .width = 8, .height = 6, .channels = 1, .bins = 1, .slices = 1 },
    { .type = VG_U8, .width = 7, .height = 3, .channels = 1, .bins = 3, .slices = 1 },
    { .type = VG_U8, .width = 401, .height = 256, .channels = 1, .bins = 1, .slices = 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    for (guint64 n = 1; n <= 3; n++)
      {
        const gsize bytes = vg_image_info_frame_bytes (&infos[i]);
        g_autofree char *path = g_build_filename (folder, name, NULL);
        g_autofree guint8 *frame = g_malloc (bytes);
        const VgSourceOptions options = { .bins = infos[i].bins > 1 };
        g_autoptr (GError) error = NULL;
        g_autoptr (VgSource) source = NULL;

        record_end (path, &infos[i], n, FALSE);
        source = vg_source_open (path, &options, &error);
        g_assert_no_error (error);
        g_assert_false (source->cut);
        g_assert_cmpint (source->info.frames, ==, n);
        g_assert_cmpint (source->info.bins, ==, infos[i].bins);
        g_assert_cmpstr (mark_at (source->marks, 0)->label, ==, "before");
        g_assert_cmpfloat_with_epsilon (mark_at (source->marks, 0)->x, 0.1 * (double) n - 0.15,
                                        1e-6);
        g_assert_cmpstr (mark_at (source->marks, 1)->label, ==, "after");
        g_assert_cmpfloat_with_epsilon (mark_at (source->marks, 1)->x, 2, 1e-6);
        g_assert_cmpint (vg_source_find_frame (source, 2), ==, n - 1);
        g_assert_true (vg_source_read (source, (gint64) n - 1, frame, &error));
        for (gsize k = 0; k < bytes; k++)
          g_assert_cmpuint (frame[k], ==, 6 + n);
      }
}

/* Without space for the last marks the frames and the other marks stay. */
static void
test_last_full (gconstpointer name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  record_end (path, &info, 3, TRUE);
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (source->cut);
  g_assert_cmpint (source->info.frames, ==, 3);
  g_assert_cmpuint (source->marks->len, ==, 1);
  g_assert_cmpstr (mark_at (source->marks, 0)->label, ==, "before");
}

/* The texts of marks that are left out do not stay in memory. */
static void
test_many (void)
{
  g_autoptr (GArray) marks = NULL;

  for (int i = 0; i < 1000; i++)
    {
      g_autofree char *json = g_strdup_printf (
          "{\"marks\": [{\"time_s\": %d, \"text\": \"many %d\"}]}", i, i);

      vg_marks_read (&marks, json);
    }
  vg_marks_finish (&marks, 1);
  g_assert_cmpuint (marks->len, ==, VG_CURVES_MOST_MARKS);
  g_assert_cmpstr (mark_at (marks, 0)->label, ==, "many 744");
  g_assert_cmpfloat (mark_at (marks, 0)->x, ==, 743);
  g_assert_cmpuint (g_quark_try_string ("many 999"), !=, 0);
  g_assert_cmpuint (g_quark_try_string ("many 743"), ==, 0);
}

/* Those of a second file come after the frames of the first. */
static void
test_series (void)
{
  g_autofree char *path = g_build_filename (folder, "series.tif", NULL);
  const char *const files[] = { path, path, NULL };
  const VgSourceOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  record (path, "second");
  source = vg_file_series_open (files, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (source->marks->len, ==, 4);
  g_assert_cmpfloat_with_epsilon (mark_at (source->marks, 0)->x, 0.8, 1e-6);
  g_assert_cmpfloat_with_epsilon (mark_at (source->marks, 2)->x, 2.8, 1e-6);
  for (gint64 k = 0; k < 40; k++)
    {
      g_assert_cmpint (vg_source_is_interrupted (source, k), ==, k % 20 == 0 || k % 20 == 5);
      g_assert_cmpfloat (vg_source_find_exposure (source, k), ==, k % 20 < 12 ? 8 : 3);
    }
}

/* Wrong data in the place of marks add no mark, or one with a short text. */
static void
test_hostile (void)
{
  static const struct
  {
    const char *text;
    guint n;
  } cases[] = {
    { "", 0 },
    { "{\"marks\"", 0 },
    { "[\"marks\"]", 0 },
    { "{\"marks\": 5}", 0 },
    { "{\"marks\": {\"time_s\": 1, \"text\": \"a\"}}", 0 },
    { "{\"marks\": [1, null, \"text\", [], {}]}", 0 },
    { "{\"marks\": [{\"time_s\": \"1\", \"text\": \"a\"}, {\"time_s\": 1, \"text\": 2}]}", 0 },
    { "{\"marks\": [{\"time_s\": 1e999, \"text\": \"a\"}, {\"time_s\": null, \"text\": \"a\"}]}",
      0 },
    { "{\"marks\": [{\"text\": \"a\"}, {\"time_s\": 1}]}", 0 },
    { "{\"marks\": [{\"time_s\": 1, \"text\": \"a\"}, {\"time_s\": -2, \"text\": \"a\"}]}", 2 },
    { "{\"marks\": [{\"time_s\": 1, \"text\": \"a\"}, {\"time_s\": 1, \"text\": \"a\"}]}", 1 },
    { "{\"marks\": [{\"time_s\": 1, \"text\": \"a\"}", 0 }, /* cut */
  };
  g_autofree char *long_text = g_strnfill (1 << 20, 'x'), *deep = g_strnfill (1 << 16, '['),
                  *whole = g_strdup_printf ("{\"marks\": [{\"time_s\": 1, \"text\": \"%s\"}]}",
                                            long_text),
                  *nested = g_strdup_printf ("{\"marks\": %s", deep);
  g_autoptr (GString) many = g_string_new ("{\"marks\": [");
  g_autoptr (GArray) marks = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) found = NULL;

      vg_marks_read (&found, cases[i].text);
      g_assert_cmpuint (found != NULL ? found->len : 0, ==, cases[i].n);
    }
  vg_marks_read (&marks, nested);
  g_assert_null (marks);
  vg_marks_read (&marks, whole);
  g_assert_cmpuint (strlen (mark_at (marks, 0)->label), <=, 240);
  g_assert_true (g_str_has_prefix (mark_at (marks, 0)->label, "xxx"));
  for (int i = 0; i < 1000; i++)
    g_string_append_printf (many, "%s{\"time_s\": %d, \"text\": \"t%d\"}", i > 0 ? ", " : "",
                            10 + i, i);
  g_string_append (many, "]}");
  vg_marks_read (&marks, many->str);
  g_assert_cmpuint (marks->len, ==, VG_CURVES_MOST_MARKS);
  g_assert_cmpstr (mark_at (marks, VG_CURVES_MOST_MARKS - 1)->label, ==, "t999");
  vg_marks_finish (&marks, 9);
  g_assert_cmpfloat (mark_at (marks, VG_CURVES_MOST_MARKS - 1)->x, ==, 1000);
}

/* A line of an index with a text of 1 MB: the frames are read, without the mark. */
static void
test_long_line (void)
{
  g_autofree char *path = g_build_filename (folder, "long.raw", NULL),
                  *index = g_strconcat (path, ".jsonl", NULL), *text = NULL,
                  *long_text = g_strnfill (1 << 20, 'y'), *changed = NULL;
  g_auto (GStrv) parts = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  record (path, "here");
  g_assert_true (g_file_get_contents (index, &text, NULL, NULL));
  parts = g_strsplit (text, "here", 2);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  changed = g_strjoin (long_text, parts[0], parts[1], NULL);
  g_assert_true (g_file_set_contents (index, changed, -1, NULL));
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 20);
  g_assert_null (source->marks);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_data_func ("/recorded-marks/tiff", "a.tif", test_read);
  g_test_add_data_func ("/recorded-marks/raw", "a.raw", test_read);
  g_test_add_data_func ("/recorded-marks/last/tiff", "b.tif", test_last);
  g_test_add_data_func ("/recorded-marks/last/raw", "b.raw", test_last);
  g_test_add_data_func ("/recorded-marks/last-full/tiff", "c.tif", test_last_full);
  g_test_add_data_func ("/recorded-marks/last-full/raw", "c.raw", test_last_full);
  g_test_add_func ("/recorded-marks/many", test_many);
  g_test_add_func ("/recorded-marks/series", test_series);
  g_test_add_func ("/recorded-marks/hostile", test_hostile);
  g_test_add_func ("/recorded-marks/long-line", test_long_line);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
