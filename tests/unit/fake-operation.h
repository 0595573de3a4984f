/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-pipeline-private.h"
/* Operations, engines and sources whose every result is known beforehand.
 *
 * Frame k of a fake source is a plane of the number k.  The stream operation
 * shows gain * (sum of the last history + 1 frames), and, as a second output,
 * the number of the frame; the steps operation counts its steps. */
G_BEGIN_DECLS

typedef struct
{
  int history;
  float gain;
  double step_ms;        /* how long a step takes */
  int fail_at;           /* frame (or step) that the engine refuses; -1: none */
  int steps;             /* of the steps operation, until it is done */
  gboolean valid;        /* FALSE: validate refuses */
  int press;             /* action */
  char *file;
} FakeParams;

extern const VgOperation fake_stream, fake_steps;
/* The same engine, which reports a GPU error at frame 5, and at every frame
 * after that until it is prepared anew. */
extern const VgEngine fake_failing_gpu;

FakeParams *fake_params (void);
/* Calls into fake engines since the last reset, from all threads. */
typedef struct { int prepares, updates, feeds, steps, alive; } FakeCalls;
FakeCalls fake_calls (void);
void      fake_calls_reset (void);

typedef struct
{
  int width, height;
  gint64 frames;         /* -1: live */
  gint64 live_frames;    /* of a live one, until it ends; 0: without end */
  gint64 interval_us;    /* of a live one */
  int gap_every;         /* each n-th frame loses the three after it; 0: none */
  gint64 bad_from, bad_to;  /* frames of a stack that can't be read */
  gint64 error_at;       /* a live one breaks off here; 0: never */
  gboolean blocks;       /* next waits until it is cancelled */
  gboolean refuses;      /* to open */
  int open_ms;           /* how long opening takes */
} FakeSource;

/* A pipeline whose sources are *SOURCE, borrowed, as it is when one is opened. */
VgPipeline *fake_pipeline     (FakeSource *source);
VgPipeline *fake_gpu_pipeline (FakeSource *source);
/* Number of fake sources that are open now. */
int         fake_sources_open (void);

/* What a pipeline has signalled. */
typedef struct
{
  VgPipeline *pipeline;
  int results, opened, failures, notices, states;
  VgResult *last;        /* newest taken */
  char *error, *notice;
  gboolean hold;         /* do not take results */
} Watch;

void      watch_start (Watch *self, VgPipeline *pipeline);
/* Closes and drops the pipeline, and checks that nothing is left alive. */
void      watch_end   (Watch *self);
/* Runs the main loop until CONDITION, at most 10 s. */
typedef gboolean (*WatchCondition) (Watch *self, gint64 value);
gboolean  watch_until (Watch *self, WatchCondition condition, gint64 value);
void      watch_for   (Watch *self, int ms);
gboolean  has_result  (Watch *self, gint64 unused);
gboolean  has_serial  (Watch *self, gint64 serial);
gboolean  has_frame   (Watch *self, gint64 frame);
gboolean  has_failed  (Watch *self, gint64 unused);
gboolean  has_notice  (Watch *self, gint64 unused);
gboolean  in_state    (Watch *self, gint64 state);
/* Value of the newest result's first pixel. */
float     watch_value (Watch *self);
void      assert_counts_close (Watch *self);

G_END_DECLS
