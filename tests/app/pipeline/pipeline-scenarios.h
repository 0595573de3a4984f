/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "tests/support/app/fake-source.h"
/* What the user does in the search for faults of the pipeline, and with which data.  Each scenario
 * is small, because every order of its steps is tried. */
G_BEGIN_DECLS

enum { LIVE = -1 };

typedef enum {
  SIGNALS, /* the main loop emits what was posted; a result is taken then */
  GAIN,    /* settings that the engine takes in its state */
  RENEW,   /* settings that need another state */
  MISFIT,  /* settings that do not fit */
  FAIL,    /* settings with which frame or step 1 fails */
  CANCEL,
  PLAY,
  PAUSE,
  STEP,
  SEEK,
  OPEN,
  MISOPEN, /* with settings that do not fit */
  N_ACTIONS,
} Action;

static const char *const action_names[] = {
  "signals", "gain",  "renew", "misfit", "fail", "cancel",
  "play",    "pause", "step",  "seek",   "open", "misopen"
};

static const char *const thread_names[] = { "compute", "source", "source2", "source3", "source4" };

typedef struct
{
  const char *name;
  const VgOperation *operation;
  FakeSource source;
  guint8 most[N_ACTIONS]; /* how often the user does it */
  guint most_actions;
  int history, pieces, prepare_ms, fail_at;
  gint64 tick_us; /* that each look at the clock takes */
} Scenario;

#define PIXEL .width = 1, .height = 1

static const Scenario scenarios[] = {
  { .name = "stack",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = 2 },
    .most = { [GAIN] = 1, [CANCEL] = 1, [PLAY] = 1, [PAUSE] = 1, [SEEK] = 1 },
    .most_actions = 1 },
  { .name = "changed-stack",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = 1 },
    .most = { [GAIN] = 1, [CANCEL] = 1, [PAUSE] = 1 },
    .most_actions = 2 },
  { .name = "signals",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = 1 },
    .most = { [SIGNALS] = 2, [GAIN] = 1 },
    .most_actions = 1 },
  { .name = "history",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = 2 },
    .history = 1,
    .most = { [RENEW] = 1, [CANCEL] = 1, [PAUSE] = 1, [SEEK] = 1 },
    .most_actions = 1 },
  { .name = "failing-frame",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = 2 },
    .fail_at = 1,
    .most = { [GAIN] = 1, [CANCEL] = 1, [SEEK] = 1, [PLAY] = 1 },
    .most_actions = 1 },
  { .name = "bad-frames",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = 2, .bad_from = 0, .bad_to = 1 },
    .most = { [GAIN] = 1, [PLAY] = 1, [SEEK] = 1 },
    .most_actions = 1 },
  { .name = "endless-map",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = 1 },
    .pieces = 1000000,
    .tick_us = 100 * G_USEC_PER_SEC,
    .most = { [GAIN] = 1, [CANCEL] = 1, [SEEK] = 1 },
    .most_actions = 2 },
  { .name = "live",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = LIVE, .live_frames = 2, .interval_us = 1, .gap_every = 1 },
    .most = { [GAIN] = 1, [CANCEL] = 1 },
    .most_actions = 1 },
  { .name = "live-endless-map",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = LIVE, .live_frames = 2, .interval_us = 1 },
    .pieces = 1000000,
    .tick_us = 100 * G_USEC_PER_SEC,
    .most = { [GAIN] = 1, [CANCEL] = 1, [PAUSE] = 1 },
    .most_actions = 1 },
  { .name = "live-breaks-off",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = LIVE, .live_frames = 2, .interval_us = 1, .error_at = 1 },
    .most = { [GAIN] = 1, [CANCEL] = 1, [PLAY] = 1 },
    .most_actions = 1 },
  { .name = "steps",
    .operation = &fake_steps,
    .most = { [GAIN] = 1, [RENEW] = 1, [CANCEL] = 1, [PLAY] = 1, [PAUSE] = 1, [STEP] = 1 },
    .most_actions = 2 },
  { .name = "failing-step",
    .operation = &fake_steps,
    .most = { [FAIL] = 1, [RENEW] = 1, [CANCEL] = 1, [PLAY] = 1, [PAUSE] = 1 },
    .most_actions = 2 },
  { .name = "misfit",
    .operation = &fake_steps,
    .most = { [MISFIT] = 2, [GAIN] = 1, [CANCEL] = 1, [PLAY] = 1 },
    .most_actions = 2 },
  { .name = "opening",
    .operation = &fake_steps,
    .prepare_ms = 10,
    .most = { [OPEN] = 1, [GAIN] = 1 },
    .most_actions = 2 },
  { .name = "misfit-opening",
    .operation = &fake_steps,
    .most = { [MISOPEN] = 1, [GAIN] = 1, [CANCEL] = 1 },
    .most_actions = 2 },
  { .name = "changed-misfit-opening",
    .operation = &fake_steps,
    .most = { [MISOPEN] = 1, [GAIN] = 2 },
    .most_actions = 3 },
  { .name = "refused-opening",
    .operation = &fake_stream,
    .source = { PIXEL, .frames = 1, .refuses = TRUE },
    .most = { [OPEN] = 1, [CANCEL] = 1 },
    .most_actions = 2 },
};

/* The number that is in all pixels of frame I. */
static inline gint64
get_number (const Scenario *scenario, gint64 i)
{
  if (scenario->source.frames != LIVE)
    return i;
  return scenario->source.gap_every > 0 ? (i - 1000) / 4 : i - 1000;
}

/* What all pixels of RESULT are with SETTINGS. */
static inline float
get_value (const Scenario *scenario, const FakeParams *settings, const VgResult *result)
{
  if (scenario->operation == &fake_steps)
    return settings->gain * (float) round (result->progress * settings->steps);
  return settings->gain *
         (float) fake_window_sum (get_number (scenario, result->frame_index), settings->history);
}

G_END_DECLS
