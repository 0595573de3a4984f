/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/support/app/fake-source.h"
/* A pipeline under test, and what it does until a condition holds. */
G_BEGIN_DECLS

/* What a pipeline has signalled. */
typedef struct
{
  VgPipeline *pipeline;
  int results, opened, failures, notices, states;
  VgResult *last; /* newest taken */
  char *error, *notice;
  guint failed;  /* number of the opening that "failed" has named last */
  gboolean hold; /* do not take results */
} Watch;

/* Calls into engines are counted from here. */
void watch_start (Watch *self, VgPipeline *pipeline);
/* The stream operation on the pipeline's source. */
void watch_open (Watch *self, const FakeParams *params);
/* Starts with the stream operation. */
void watch_stream (Watch *self, VgPipeline *pipeline, const FakeParams *params);
/* The same with a camera in place of sample data, which also comes during a pause. */
void watch_camera (Watch *self, VgPipeline *pipeline, const FakeParams *params);
/* The same, and plays all frames once, as fast as they come. */
void watch_rush (Watch *self, VgPipeline *pipeline, const FakeParams *params);
/* The same, to the end, and settles. */
void watch_play (Watch *self, VgPipeline *pipeline, const FakeParams *params);
/* Starts with the steps operation. */
void watch_steps (Watch *self, VgPipeline *pipeline, const FakeParams *params);
/* Closes and drops the pipeline, and checks that nothing is left alive. */
void watch_end (Watch *self);
/* Runs the main loop until CONDITION, at most 50 s: that something is stuck, not slow.  What has
 * happened is waited for thus, or by settling, and only to see that something does not happen is
 * there a time to wait. */
typedef gboolean (*WatchCondition) (Watch *self, gint64 value);
gboolean watch_until (Watch *self, WatchCondition condition, gint64 value);
/* Until compute has done all that it was asked for, and its signals have come, at most 50 s.  Not
 * for what never ends, nor for frames that a source is still to read. */
gboolean watch_settle (Watch *self);
/* Until one thing has taken 0.3 s, at most 50 s. */
gboolean watch_until_busy (Watch *self);
void watch_for (Watch *self, int ms);
gboolean has_result (Watch *self, gint64 unused);
gboolean has_serial (Watch *self, gint64 serial);
gboolean has_frame (Watch *self, gint64 frame);
gboolean has_frame_after (Watch *self, gint64 frame);
gboolean has_failed (Watch *self, gint64 unused);
gboolean has_notice (Watch *self, gint64 unused);
/* At least VALUE is shown, that much has been received, given to an engine, begun. */
gboolean has_value (Watch *self, gint64 value);
gboolean has_received (Watch *self, gint64 frames);
gboolean has_fed (Watch *self, gint64 frames);
gboolean has_stepped (Watch *self, gint64 steps);
gboolean has_prepared (Watch *self, gint64 times);
/* N inputs have a thread. */
gboolean has_inputs (Watch *self, gint64 n);
gboolean in_state (Watch *self, gint64 state);
/* Value of the newest result's first pixel. */
float watch_value (Watch *self);
void assert_counts_close (Watch *self);

G_END_DECLS
