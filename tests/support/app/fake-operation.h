/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* Operations and engines whose every result is known beforehand.
 *
 * The stream operation shows gain * (sum of the last history + 1 frames), and,
 * as a second output, the number of the frame; the steps operation counts its
 * steps. */
G_BEGIN_DECLS

typedef struct
{
  int history;
  float gain;
  double step_ms;    /* how long a step takes */
  int fail_at;       /* frame (or step) that the engine refuses; -1: none */
  int steps;         /* of the steps operation, until it is done */
  gboolean valid;    /* FALSE: validate refuses */
  int pieces;        /* steps that a frame of the stream operation takes */
  int prepare_ms;    /* how long prepare takes; it reports its progress and can be stopped */
  int checkpoint_mb; /* of the steps operation: noise that a session is to keep; 0: nothing */
  int press;         /* action */
  int pace;          /* of the steps operation: 0: none */
  char *file, *files;
} FakeParams;

extern const VgOperation fake_stream, fake_steps;
/* The same engine, which reports a GPU error at frame 5, at every frame after that until it is
 * prepared anew, and for every curve. */
extern const VgEngine fake_failing_gpu;

FakeParams *fake_params (void);
/* Sum of the history + 1 frames up to FRAME: what the stream operation shows with a gain of 1. */
double fake_window_sum (gint64 frame, int history);
/* Calls into fake engines since the last reset, from all threads, and the least time between two
 * steps of the steps operation; brought: the bytes that the last state was to go on from. */
typedef struct
{
  int prepares, updates, feeds, steps, samples, alive;
  gsize brought;
  gint64 ended_us, least_gap_us;
} FakeCalls;
FakeCalls fake_calls (void);
void fake_calls_reset (void);
/* Of the steps begun since the last reset the N first are let go on, later ones wait; FAKE_ALL:
 * none waits. */
enum { FAKE_ALL = G_MAXINT };
void fake_let_steps (int n);
/* While held, a sample does not end.  Its curve is the number, then the updates and the steps so
 * far. */
void fake_samples_hold (gboolean held);

G_END_DECLS
