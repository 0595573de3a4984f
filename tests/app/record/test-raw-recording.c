/* SPDX-License-Identifier: MIT */
/* Raw recordings: the samples lie one after the other, the index says where and when, and an index
 * that does not fit is refused. */
#include <glib/gstdio.h>
#include <string.h>
#include "kernels/base/vg-error.h"
#include "app/input/vg-frame-pool.h"
#include "app/record/vg-recorder.h"
#include "io/source/vg-source.h"
#include "io/write/vg-frame-file.h"

static char *folder;

static VgFrame *
make_frame (VgFramePool *pool, guint64 id)
{
  VgFrame *frame;

  while (!(frame = vg_frame_pool_take (pool, NULL)))
    vg_frame_pool_wait (pool, 10000);
  for (gsize i = 0; i < vg_image_info_frame_bytes (frame->info); i++)
    ((guint8 *) frame->data)[i] = (guint8) (i * 7 + i / 251 + (gsize) id);
  frame->id = id;
  frame->time_s = 0.25 + 0.04 * (double) id;
  frame->device_ns = (gint64) (1000 + id);
  frame->time_us = g_get_monotonic_time ();
  g_clear_pointer (&frame->settings, g_ref_string_release);
  frame->settings = g_ref_string_new (id < 12 ? "ExposureTime=5000" : "ExposureTime=8000");
  return frame;
}

/* Frames 10 to 14 and 17, and a mark. */
static void
record (const VgImageInfo *info, const char *path)
{
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (info, 8, NULL, NULL);
  g_autoptr (GError) error = NULL;
  VgRecorder *recorder = vg_recorder_new (info, path, TRUE, NULL, NULL, &error);

  g_assert_no_error (error);
  for (guint64 id = 10; id < 18; id += id == 14 ? 3 : 1)
    {
      g_autoptr (VgFrame) frame = make_frame (pool, id);

      if (id == 13)
        {
          g_auto (VgRecording) now = { 0 };

          for (; now.kept < 3; vg_recorder_get_status (recorder, &now))
            {
              g_assert_false (now.ended); /* the disk is full */
              vg_recording_clear (&now);
              g_usleep (1000);
            }
          vg_recorder_add_mark (recorder, 0.7, "cuff \"on\"");
        }
      vg_recorder_push (recorder, frame);
    }
  g_assert_true (vg_recorder_stop (recorder, NULL, &error));
}

static void
test_index (void)
{
  /* of no whole number of blocks, written through the page cache and past it; of two axes more */
  const VgImageInfo infos[] = {
    { .type = VG_U16, .width = 61, .height = 47, .channels = 1, .bins = 1, .slices = 1 },
    { .type = VG_F32, .width = 301, .height = 257, .channels = 1, .bins = 1, .slices = 1 },
    { .type = VG_U8, .width = 5, .height = 3, .channels = 3, .bins = 1, .slices = 1 },
    { .type = VG_U16, .width = 5, .height = 3, .channels = 1, .bins = 4, .slices = 2 },
  };
  static const char *const heads[] = {
    "\"dtype\": \"<u2\", \"shape\": [47, 61],",
    "\"dtype\": \"<f4\", \"shape\": [257, 301],",
    "\"dtype\": \"|u1\", \"shape\": [3, 5, 3],",
    "\"dtype\": \"<u2\", \"shape\": [2, 4, 3, 5],",
  };
  static const guint64 ids[] = { 10, 11, 12, 13, 14, 17 };

  for (guint k = 0; k < G_N_ELEMENTS (infos); k++)
    {
      const gsize bytes = vg_image_info_frame_bytes (&infos[k]);
      g_autofree char *path = g_build_filename (folder, "a.raw", NULL),
                      *index = vg_raw_index_path (path), *text = NULL, *samples = NULL;
      const VgSourceOptions options = { .colour = TRUE };
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) lines = NULL;
      g_autofree guint8 *frame = g_malloc (bytes);
      gsize length;

      record (&infos[k], path);
      g_assert_true (g_file_get_contents (index, &text, NULL, NULL));
      g_assert_true (g_file_get_contents (path, &samples, &length, NULL));
      g_assert_cmpuint (length, ==, 6 * bytes);
      lines = g_strsplit (text, "\n", -1);
      g_assert_cmpuint (g_strv_length (lines), ==, 8); /* the last is empty */
      if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
        g_assert_nonnull (strstr (lines[0], heads[k]));
      for (guint i = 0; i < 6; i++)
        {
          g_autofree char *begin = g_strdup_printf (
              "{\"recorded_by\": \"Vivograph\", \"offset\": %" G_GSIZE_FORMAT
              ", \"frame\": %" G_GUINT64_FORMAT ", \"time_s\": %.6f, \"utc\": \"2",
              i * bytes, ids[i], 0.25 + 0.04 * (double) ids[i]);
          g_autofree char *device = g_strdup_printf ("\"device_ns\": %d", 1000 + (int) ids[i]);

          g_assert_true (g_str_has_prefix (lines[1 + i], begin));
          g_assert_nonnull (strstr (lines[1 + i], device));
          g_assert_true ((strstr (lines[1 + i], "\"camera\": ") != NULL) ==
                         (ids[i] == 10 || ids[i] == 12));
          g_assert_true ((strstr (lines[1 + i], "\"marks\": [{\"time_s\": 0.700000, \"text\": "
                                                "\"cuff \\\"on\\\"\"}]") != NULL) ==
                         (ids[i] == 13));
          for (gsize b = 0; b < bytes; b++)
            g_assert_cmpuint ((guint8) samples[i * bytes + b], ==,
                              (guint8) (b * 7 + b / 251 + (gsize) ids[i]));
        }
      /* either of the two files opens, with the samples, the times and the gap */
      for (int which = 0; which < 2; which++)
        {
          g_autoptr (VgSource) source = vg_source_open (which ? index : path, &options, &error);

          g_assert_no_error (error);
          g_assert_cmpint (source->info.frames, ==, 6);
          g_assert_cmpint (source->info.type, ==, infos[k].type);
          g_assert_cmpint (source->info.channels, ==, infos[k].channels);
          g_assert_cmpint (source->info.bins, ==, infos[k].bins);
          g_assert_cmpint (source->info.slices, ==, infos[k].slices);
          g_assert_cmpfloat_with_epsilon (source->times_s[5], 0.28, 1e-6);
          g_assert_nonnull (
              strstr (source->details, "2 of 8 frames that the source sent are missing"));
          g_assert_true (vg_source_read (source, 5, frame, &error));
          g_assert_cmpmem (frame, bytes, samples + 5 * bytes, bytes);
        }
      g_unlink (path);
      g_unlink (index);
    }
}

/* The number of frames that open; 0 and the message in *WHY. */
static gint64
count_frames (const char *path, char **why)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);

  g_clear_pointer (why, g_free);
  *why = error != NULL ? g_strdup (error->message) : NULL;
  return source != NULL ? source->info.frames : 0;
}

static void
replace_in (const char *text, const char *index, const char *from, const char *to)
{
  g_autoptr (GString) changed = g_string_new (text);

  g_assert_cmpuint (g_string_replace (changed, from, to, 1), ==, 1);
  g_assert_true (g_file_set_contents (index, changed->str, -1, NULL));
}

/* What a crash, a copy or a hostile program leaves. */
static void
test_damaged (void)
{
  static const char *const wrong[][2] = {
    { "\"width\": 61", "\"width\": 2147483647" },  { "\"height\": 47", "\"height\": -47" },
    { "\"channels\": 1", "\"channels\": 2" },      { "\"dtype\": \"<u2\"", "\"dtype\": \"<u3\"" },
    { "\"dtype\": \"<u2\"", "\"dtype\": \"" },     { "\"offset\": 5734", "\"offset\": 5733" },
    { "\"frame\": 10", "\"frame\": ten" },         { "\"slices\": 1", "\"slices\": 99999999" },
    { "\"time_s\": 0.650000", "\"time_s\": nan" },
  };
  const VgImageInfo info = {
    .type = VG_U16, .width = 61, .height = 47, .channels = 1, .bins = 1, .slices = 1
  };
  g_autofree char *path = g_build_filename (folder, "d.raw", NULL),
                  *index = vg_raw_index_path (path), *text = NULL, *samples = NULL, *why = NULL;
  gsize length;

  record (&info, path);
  g_assert_true (g_file_get_contents (index, &text, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &samples, &length, NULL));
  g_assert_cmpint (count_frames (path, &why), ==, 6);
  /* the last line is not complete; then the last frame */
  g_assert_true (g_file_set_contents (index, text, (gssize) strlen (text) - 1, NULL));
  g_assert_cmpint (count_frames (path, &why), ==, 5);
  g_assert_true (g_file_set_contents (index, text, -1, NULL));
  g_assert_true (g_file_set_contents (path, samples, (gssize) length - 1, NULL));
  g_assert_cmpint (count_frames (path, &why), ==, 5);
  g_assert_true (g_file_set_contents (path, samples, 100, NULL));
  g_assert_cmpint (count_frames (path, &why), ==, 0);
  g_assert_nonnull (strstr (why, "no whole frame"));
  g_assert_true (g_file_set_contents (path, samples, (gssize) length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      replace_in (text, index, wrong[i][0], wrong[i][1]);
      g_assert_cmpint (count_frames (path, &why), ==, 0);
      g_test_message ("%s: %s", wrong[i][1], why);
    }
  /* times that run back leave the frames in their order */
  replace_in (text, index, "\"time_s\": 0.690000", "\"time_s\": 0.100000");
  g_assert_cmpint (count_frames (path, &why), ==, 6);
  g_assert_true (g_file_set_contents (index, text, -1, NULL));
  g_unlink (path);
  g_assert_cmpint (count_frames (index, &why), ==, 0);
  g_assert_nonnull (strstr (why, "move both files to one folder"));
  g_unlink (index);
}

/* Where the index cannot have its name, the file that was there stays, and so does the recording.
 */
static void
test_replaced (void)
{
  const VgImageInfo info = {
    .type = VG_U16, .width = 5, .height = 3, .channels = 1, .bins = 1, .slices = 1
  };
  g_autofree char *path = g_build_filename (folder, "old.raw", NULL),
                  *index = vg_raw_index_path (path), *text = NULL,
                  *beside = g_build_filename (folder, "old.old.raw", NULL);
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&info, 8, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgFrame) frame = NULL;
  g_auto (VgRecording) report = { 0 };
  VgRecorder *recorder;

  g_assert_true (g_file_set_contents (path, "old samples", -1, NULL));
  g_assert_cmpint (g_mkdir (index, 0700), ==, 0);
  recorder = vg_recorder_new (&info, path, TRUE, NULL, NULL, &error);
  g_assert_no_error (error);
  frame = make_frame (pool, 1);
  vg_recorder_push (recorder, frame);
  g_assert_false (vg_recorder_stop (recorder, &report, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "old samples");
  g_assert_nonnull (report.path);
  g_assert_cmpstr (report.path, !=, path);
  g_assert_true (g_file_test (report.path, G_FILE_TEST_IS_REGULAR));
  g_unlink (report.path);
  g_rmdir (index);
  g_assert_true (g_file_set_contents (index, "old index", -1, NULL));
  g_assert_true (g_file_set_contents (beside, "of the user", -1, NULL));
  g_clear_error (&error);
  recorder = vg_recorder_new (&info, path, TRUE, NULL, NULL, &error);
  g_assert_no_error (error);
  vg_recorder_push (recorder, frame);
  g_assert_true (vg_recorder_stop (recorder, NULL, &error));
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (beside, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "of the user");
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (index, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "{"));
  for (char **each = (char *[]){ path, index, beside, NULL }; *each != NULL; each++)
    g_assert_cmpint (g_unlink (*each), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  folder = g_dir_make_tmp ("vg-raw-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raw-recording/index", test_index);
  g_test_add_func ("/raw-recording/damaged", test_damaged);
  g_test_add_func ("/raw-recording/replaced", test_replaced);
  status = g_test_run ();
  g_free (folder);
  return status;
}
