/* SPDX-License-Identifier: MIT */
/* Pictures that take long: cancelled on a live source, and overtaken again and again by a slider.
 */
#include "tests/support/app/pipeline-watch.h"

/* A picture of the newest settings, of a frame after this one. */
static gboolean
has_gone_on (Watch *watch, gint64 frame)
{
  return watch->last && watch->last->frame_index > frame &&
         watch->last->serial == watch->pipeline->wanted.serial;
}

/* Cancel ends the picture that takes long, and the stream goes on with the next frame; once more,
 * and it ends. */
static void
test_cancelled_live_picture (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = -1, .interval_us = 1000 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_stream (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, has_result, 0));
  for (int round = 0; round < 2; round++)
    {
      gint64 feeds;

      params->step_ms = 2;
      params->pieces = 1000000;
      vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
      g_assert_true (watch_until_busy (&watch));
      feeds = fake_calls ().feeds;
      vg_pipeline_cancel (watch.pipeline);
      g_assert_true (watch_until (&watch, has_fed, feeds + 1));
      g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_RUNNING);
      g_assert_false (vg_pipeline_is_cancelled (watch.pipeline));
      params->pieces = 1;
      vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
      g_assert_true (watch_until (&watch, has_gone_on, watch.last->frame_index));
    }

  /* paused, it stays so, and its source open */
  vg_pipeline_pause (watch.pipeline);
  params->pieces = 1000000;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until_busy (&watch));
  vg_pipeline_cancel (watch.pipeline);
  g_assert_cmpint (vg_pipeline_get_state (watch.pipeline), ==, VG_PIPELINE_PAUSED);
  params->pieces = 1;
  g_assert_true (watch_until (
      &watch, has_serial, (gint64) vg_pipeline_set_params (watch.pipeline, &fake_stream, params)));
  vg_pipeline_play (watch.pipeline);
  g_assert_true (watch_until (&watch, has_gone_on, watch.last->frame_index));

  params->pieces = 1000000;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_until_busy (&watch));
  vg_pipeline_cancel (watch.pipeline);
  vg_pipeline_cancel (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (vg_pipeline_is_cancelled (watch.pipeline));
  g_assert_cmpint (watch.failures, ==, 0);
  assert_counts_close (&watch);
  watch_end (&watch);
}

typedef struct
{
  VgPipeline *pipeline;
  FakeParams *params;
} Drag;

static gboolean
move (gpointer data)
{
  Drag *self = data;

  self->params->gain += 1;
  vg_pipeline_set_params (self->pipeline, &fake_stream, self->params);
  return G_SOURCE_CONTINUE;
}

static gboolean
has_later_serial (Watch *watch, gint64 serial)
{
  return watch->last && watch->last->serial > (guint64) serial;
}

/* While a slider moves over settings whose pictures take longer than patience lasts, pictures come
 * all the same. */
static void
test_drag_over_slow_pictures (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  g_autofree FakeParams *params = fake_params ();
  guint moving;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  params->step_ms = 100;
  params->pieces = 4;
  moving = g_timeout_add (5, move, &(Drag){ watch.pipeline, params });
  for (int i = 0; i < 2; i++)
    g_assert_true (watch_until (&watch, has_later_serial, (gint64) watch.last->serial));
  params->pieces = 12;
  g_assert_true (
      watch_until (&watch, has_later_serial,
                   (gint64) vg_pipeline_set_params (watch.pipeline, &fake_stream, params)));
  g_source_remove (moving);
  watch_end (&watch);
}

static gboolean
is_wide (Watch *watch, gint64 width)
{
  VgImageInfo info;

  return vg_pipeline_get_info (watch->pipeline, &info) && info.width == width;
}

/* What opens next does not wait until what was opened before is prepared; cancelled, neither comes.
 */
static void
test_opened_while_preparing (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  g_autofree FakeParams *params = fake_params ();
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  source.width = 5;
  params->prepare_ms = 1000000;
  watch_open (&watch, params);
  g_assert_true (watch_until_busy (&watch));
  source.width = 6;
  params->prepare_ms = 0;
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, is_wide, 6));
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));

  source.width = 7;
  params->prepare_ms = 1000000;
  watch_open (&watch, params);
  g_assert_true (watch_until_busy (&watch));
  source.width = 8;
  watch_open (&watch, params);
  vg_pipeline_cancel (watch.pipeline);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (is_wide (&watch, 6));
  g_assert_cmpint (watch.failures, ==, 0);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/cancelled-live-picture", test_cancelled_live_picture);
  g_test_add_func ("/pipeline/drag-over-slow-pictures", test_drag_over_slow_pictures);
  g_test_add_func ("/pipeline/opened-while-preparing", test_opened_while_preparing);
  return g_test_run ();
}
