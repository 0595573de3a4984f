/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/support/app/failing-operation.h"
#include "app/batch/vg-batch.h"
/* A recording of small frames for the batch loop, and a run of it in a folder of its own. */

enum { WIDTH = 7, HEIGHT = 3, PIXELS = WIDTH * HEIGHT, FRAMES = 20 };

typedef struct
{
  char *folder, *out, *input;
  guint16 pixels[FRAMES][PIXELS];
} BatchFixture;

typedef struct
{
  GString *notices;
  GCancellable *cancellable;
  gint64 cancel_at;
  gboolean strict;
  const VgExportOptions *options; /* or NULL */
} BatchWatch;

void batch_set_up (BatchFixture *f, gconstpointer data);
void batch_tear_down (BatchFixture *f, gconstpointer data);
/* READ_OPTIONS and REGIONS may be NULL; WATCH hears of notices, and cancels when it is to. */
gboolean batch_run (BatchFixture *f, const VgOperation *operation, FakeParams params,
                    BatchWatch *watch, VgBackend backend, const char *read_options,
                    const VgNamedRegion *const *regions, GError **error);
/* The value of a map of the fake operation: PAGE from 0. */
float batch_expected (const BatchFixture *f, FakeParams params, int page, int pixel);
