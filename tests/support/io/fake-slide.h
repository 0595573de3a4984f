/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* A slide without a file, whose reads a test can hold back, count and let fail. */
G_BEGIN_DECLS

enum { FAKE_SLIDE_LEVELS = 4 };

typedef struct
{
  VgLevel levels[FAKE_SLIDE_LEVELS];
  int n_levels;
  GMutex mutex;
  GCond moved;
  /* set under the mutex */
  gboolean held; /* reads wait */
  gboolean gone; /* nothing can be opened or read any more */
  /* x, y, right, bottom in pixels of level 0 that can't be read; empty: none */
  gint64 bad[4];
  int opened, closed, freed, reads, waiting;
  int arrived; /* counted by fake_slide_arrived */
} FakeSlide;

/* N_LEVELS levels whose DOWNSAMPLES are given. */
void fake_slide_init (FakeSlide *self, gint64 width, gint64 height, int n_levels,
                      const double *downsamples);
/* For VgTileCacheOptions. */
VgSource *fake_slide_open (gpointer self, GError **error);
void fake_slide_arrived (gpointer self);
void fake_slide_freed (gpointer self);
/* What LEVEL of the file shows at a pixel of it. */
void fake_slide_pixel (const FakeSlide *self, int level, gint64 x, gint64 y, guint8 rgb[3]);
void fake_slide_set_held (FakeSlide *self, gboolean held);
/* Waits until *COUNT, one of the counts, is at least LEAST. */
void fake_slide_wait (FakeSlide *self, const int *count, int least);

G_END_DECLS
