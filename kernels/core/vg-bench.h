/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* Rows of `vivograph bench`: a measured value beside the physical limit. */
G_BEGIN_DECLS

typedef struct
{
  const char *id;   /* "k_sfi_5x5_1392x1040" */
  const char *work; /* one line: what was measured */
  double value;
  const char *unit;     /* "ms", "fps", "photons/ms" */
  double limit;         /* the same unit; NaN: none stated */
  const char *limit_by; /* "memory bandwidth 4269 GB/s" */
} VgBenchRow;

typedef struct _VgBench VgBench;
struct _VgBench
{
  /* Copies the row and prints it. */
  void (*add) (VgBench *self, const VgBenchRow *row);
  /* Calls RUN (data) until it has run at least MIN_RUNS times and 0.2 s;
   * the median of the seconds of one call. */
  double (*time) (VgBench *self, void (*run) (gpointer data), gpointer data, int min_runs);
  /* A picture of the data folder ("contour/dsb01.tif"), new; NULL: there is none. */
  VgImage *(*picture) (VgBench *self, const char *path, gboolean colour);
  gboolean quick; /* CI: fewest repeats, small sizes */
  gpointer user_data;
};

G_END_DECLS
