/* SPDX-License-Identifier: MIT */
/* Recording what a pipeline is given. */
#include <glib/gstdio.h>
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
  g_assert_false (vg_pipeline_record_start (watch.pipeline, path, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_clear_error (&error);
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, has_result, 0));
  g_assert_true (vg_pipeline_record_start (watch.pipeline, path, &error));
  g_assert_false (vg_pipeline_record_start (watch.pipeline, path, NULL));
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
      VgRecorder *recorder = vg_recorder_new (&infos[i], path, NULL, NULL, &error);
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
  g_assert_false (vg_pipeline_record_start (watch.pipeline, "/nowhere/at/all.tif", &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/record", test_record);
  g_test_add_func ("/pipeline/record-types", test_record_types);
  g_test_add_func ("/pipeline/record-unwritable", test_record_unwritable);
  return g_test_run ();
}
