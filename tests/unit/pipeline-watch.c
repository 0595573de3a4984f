/* SPDX-License-Identifier: MIT */
#include "pipeline-watch.h"
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
on_failed (VgPipeline *pipeline, const GError *error, Watch *self)
{
  self->failures++;
  g_free (self->error);
  self->error = g_strdup (error->message);
}

void
watch_start (Watch *self, VgPipeline *pipeline)
{
  *self = (Watch) { .pipeline = pipeline };
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

static gboolean
set_flag (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

gboolean
watch_until (Watch *self, WatchCondition condition, gint64 value)
{
  gboolean late = FALSE;
  guint timeout = g_timeout_add_seconds (50, set_flag, &late);

  while (!condition (self, value) && !late)
    g_main_context_iteration (NULL, TRUE);
  if (!late)
    g_source_remove (timeout);
  return !late;
}

void
watch_for (Watch *self, int ms)
{
  gboolean over = FALSE;

  g_timeout_add ((guint) ms, set_flag, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

gboolean
watch_until_busy (Watch *self)
{
  for (int tries = 0; tries < 5000 && vg_pipeline_get_busy_s (self->pipeline) < 0.3; tries++)
    watch_for (self, 10);
  return vg_pipeline_get_busy_s (self->pipeline) >= 0.3;
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
  g_assert_cmpuint (counts.received, ==, counts.shown + counts.superseded + counts.bad + counts.lost + counts.queued);
}

void
watch_play (Watch *self, VgPipeline *pipeline, const FakeParams *params)
{
  watch_start (self, pipeline);
  vg_pipeline_set_playback (pipeline, 0, FALSE);
  watch_open (self, params);
  g_assert_true (watch_until (self, in_state, VG_PIPELINE_FINISHED));
}

void
watch_steps (Watch *self, VgPipeline *pipeline, const FakeParams *params)
{
  watch_start (self, pipeline);
  vg_pipeline_open (pipeline, &fake_steps, params, NULL, NULL);
}
