/* SPDX-License-Identifier: MIT */
#include "tests/support/app/pipeline-watch.h"
#include <math.h>

static void
on_result (VgPipeline *pipeline, Watch *self)
{
  VgResult *result = self->hold ? NULL : vg_pipeline_take (pipeline);

  self->results++;
  if (!result)
    return;
  g_clear_pointer (&self->last, vg_result_unref);
  self->last = result;
}

static void
on_opened (VgPipeline *pipeline, Watch *self)
{
  self->opened++;
}

static void
on_state (VgPipeline *pipeline, Watch *self)
{
  self->states++;
}

static void
on_notice (VgPipeline *pipeline, const char *text, Watch *self)
{
  self->notices++;
  g_free (self->notice);
  self->notice = g_strdup (text);
}

static void
on_refused (VgPipeline *pipeline, guint64 serial, const char *text, Watch *self)
{
  g_assert_cmpuint (serial, >, 0);
  on_notice (pipeline, text, self);
}

static void
on_failed (VgPipeline *pipeline, const GError *error, guint opening, Watch *self)
{
  self->failures++;
  self->failed = opening;
  g_free (self->error);
  self->error = g_strdup (error->message);
}

void
watch_start (Watch *self, VgPipeline *pipeline)
{
  *self = (Watch){ .pipeline = pipeline };
  fake_calls_reset ();
  g_signal_connect (pipeline, "result", G_CALLBACK (on_result), self);
  g_signal_connect (pipeline, "opened", G_CALLBACK (on_opened), self);
  g_signal_connect (pipeline, "state-changed", G_CALLBACK (on_state), self);
  g_signal_connect (pipeline, "notice", G_CALLBACK (on_notice), self);
  g_signal_connect (pipeline, "refused", G_CALLBACK (on_refused), self);
  g_signal_connect (pipeline, "failed", G_CALLBACK (on_failed), self);
}

void
watch_open (Watch *self, const FakeParams *params)
{
  vg_pipeline_open (self->pipeline, &fake_stream, params, NULL, NULL);
}

void
watch_end (Watch *self)
{
  vg_pipeline_close (self->pipeline);
  g_assert_cmpint (vg_pipeline_get_state (self->pipeline), ==, VG_PIPELINE_IDLE);
  g_assert_cmpint (fake_calls ().alive, ==, 0);
  g_assert_cmpint (fake_sources_open (), ==, 0);
  g_assert_finalize_object (self->pipeline);
  g_clear_pointer (&self->last, vg_result_unref);
  g_free (self->error);
  g_free (self->notice);
}

/* TRUE: it did not get late. */
static gboolean
look_until (Watch *self, WatchCondition condition, gint64 value, gint64 late_us)
{
  while (!condition (self, value))
    if (g_get_monotonic_time () >= late_us)
      return FALSE;
    else if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  return TRUE;
}

gboolean
watch_until (Watch *self, WatchCondition condition, gint64 value)
{
  return look_until (self, condition, value, g_get_monotonic_time () + 50 * G_USEC_PER_SEC);
}

static gboolean
never (Watch *self, gint64 unused)
{
  return FALSE;
}

void
watch_for (Watch *self, int ms)
{
  look_until (self, never, 0, g_get_monotonic_time () + ms * 1000);
}

static gboolean
is_idle (Watch *self, gint64 unused)
{
  return vg_pipeline_get_busy_s (self->pipeline) == 0;
}

/* Compute itself puts an end to being busy, when it has looked and found nothing to do. */
gboolean
watch_settle (Watch *self)
{
  g_mutex_lock (&self->pipeline->lock);
  self->pipeline->busy_us = 1;
  g_cond_signal (&self->pipeline->wake);
  g_mutex_unlock (&self->pipeline->lock);
  if (!watch_until (self, is_idle, 0))
    return FALSE;
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return TRUE;
}

static gboolean
is_busy (Watch *self, gint64 ms)
{
  return vg_pipeline_get_busy_s (self->pipeline) * 1e3 >= (double) ms;
}

gboolean
watch_until_busy (Watch *self)
{
  return watch_until (self, is_busy, 300);
}

gboolean
has_result (Watch *self, gint64 unused)
{
  return self->last != NULL;
}

gboolean
has_serial (Watch *self, gint64 serial)
{
  return self->last && self->last->serial == (guint64) serial;
}

gboolean
has_frame (Watch *self, gint64 frame)
{
  return self->last && self->last->frame_index == frame;
}

gboolean
has_frame_after (Watch *self, gint64 frame)
{
  return self->last && self->last->frame_index > frame;
}

gboolean
has_failed (Watch *self, gint64 unused)
{
  return self->failures > 0;
}

gboolean
has_notice (Watch *self, gint64 unused)
{
  return self->notices > 0;
}

gboolean
has_value (Watch *self, gint64 value)
{
  return self->last && watch_value (self) >= (float) value;
}

gboolean
has_received (Watch *self, gint64 frames)
{
  VgPipelineCounts counts;

  vg_pipeline_get_counts (self->pipeline, &counts);
  return counts.sent >= (guint64) frames;
}

gboolean
has_fed (Watch *self, gint64 frames)
{
  return fake_calls ().feeds >= frames;
}

gboolean
has_stepped (Watch *self, gint64 steps)
{
  return fake_calls ().steps >= steps;
}

gboolean
has_prepared (Watch *self, gint64 times)
{
  return fake_calls ().prepares >= times;
}

gboolean
has_inputs (Watch *self, gint64 n)
{
  guint present;

  g_mutex_lock (&self->pipeline->lock);
  present = self->pipeline->inputs->len;
  g_mutex_unlock (&self->pipeline->lock);
  return present == n;
}

gboolean
in_state (Watch *self, gint64 state)
{
  return (gint64) vg_pipeline_get_state (self->pipeline) == state;
}

float
watch_value (Watch *self)
{
  float value = NAN;

  g_assert_nonnull (self->last);
  g_assert_true (vg_result_probe (self->last, 0, 0, 0, &value));
  return value;
}

void
assert_counts_close (Watch *self)
{
  VgPipelineCounts counts;

  vg_pipeline_get_counts (self->pipeline, &counts);
  g_assert_cmpuint (counts.sent, ==,
                    counts.shown + counts.superseded + counts.bad + counts.lost + counts.queued);
}

void
watch_stream (Watch *self, VgPipeline *pipeline, const FakeParams *params)
{
  watch_start (self, pipeline);
  watch_open (self, params);
}

void
watch_camera (Watch *self, VgPipeline *pipeline, const FakeParams *params)
{
  static const char *const camera[] = { "camera", NULL };

  watch_start (self, pipeline);
  vg_pipeline_open (pipeline, &fake_stream, params, camera, NULL);
}

void
watch_rush (Watch *self, VgPipeline *pipeline, const FakeParams *params)
{
  vg_pipeline_set_playback (pipeline, 0, FALSE);
  watch_stream (self, pipeline, params);
}

void
watch_play (Watch *self, VgPipeline *pipeline, const FakeParams *params)
{
  watch_rush (self, pipeline, params);
  g_assert_true (watch_until (self, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (self));
}

void
watch_steps (Watch *self, VgPipeline *pipeline, const FakeParams *params)
{
  watch_start (self, pipeline);
  vg_pipeline_open (pipeline, &fake_steps, params, NULL, NULL);
}
