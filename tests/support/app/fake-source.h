/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/support/app/fake-operation.h"
#include "app/pipeline/vg-pipeline-private.h"
/* Sources for fake operations: frame k is a plane of the number k. */
G_BEGIN_DECLS

typedef struct
{
  int width, height;
  int slices;         /* as read; 0: one */
  gint64 frames;      /* -1: live */
  gint64 live_frames; /* of a live one, until it ends; 0: without end */
  gint64 interval_us; /* of a live one */
  /* a live one waits for it; NULL: comes at its interval */
  gboolean (*may_come) (gint64 frame, gpointer data);
  gpointer data;
  int gap_every;           /* each n-th frame loses the three after it; 0: none */
  gboolean gathers;        /* but they are in the next one */
  gint64 bad_from, bad_to; /* frames of a stack that can't be read */
  gint64 error_at;         /* a live one breaks off here; 0: never */
  gint64 interrupted_at;   /* the connection is or was lost before this frame; 0: never */
  gboolean blocks;         /* next waits until it is cancelled */
  gboolean refuses;        /* to open */
  int open_ms;             /* how long opening takes */
} FakeSource;

/* A pipeline whose sources are *SOURCE, borrowed, as it is when one is opened. */
VgPipeline *fake_pipeline (FakeSource *source);
VgPipeline *fake_gpu_pipeline (FakeSource *source);
/* Number of fake sources that are open now. */
int fake_sources_open (void);

G_END_DECLS
