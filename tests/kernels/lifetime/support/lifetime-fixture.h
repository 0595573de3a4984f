/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include <string.h>
#include "kernels/lifetime/model/lifetime-formula.h"
#include "kernels/lifetime/synthetic/lifetime-synthetic.h"
#include "kernels/core/vg-cuda.h"
#include "kernels/core/vg-operation.h"
/* Runs a lifetime engine on a cube that the test holds: bin-major counts. */

extern const VgOperation vg_lifetime_operation;

typedef struct
{
  const VgEngine *engine;
  const VgCuda *cuda; /* module of a CUDA engine */
  gpointer state;
  VgLifetimeParams *params;
  VgImageInfo info;
  guint64 frames;
} LifetimeFixture;

static inline void
lifetime_frame_release (VgFrame *frame)
{
  g_free (frame->data);
  g_free (frame);
}

static inline void
lifetime_init (LifetimeFixture *self, VgType type, int width, int height, int bins, double h)
{
  memset (self, 0, sizeof *self);
  self->engine = vg_lifetime_operation.cpu;
  self->info = (VgImageInfo){ .type = type,
                              .width = width,
                              .height = height,
                              .channels = 1,
                              .bins = bins,
                              .slices = 1,
                              .frames = -1,
                              .significant_bits = (int) (8 * vg_type_size (type)),
                              .bin_width_ns = h };
  self->params = vg_params_new (&vg_lifetime_operation.params);
  self->params->bin_width_ns = (float) h;
  self->params->range = VG_LIFETIME_RANGE_MANUAL;
  self->params->threshold = 0;
}

static inline void
lifetime_prepare_with (LifetimeFixture *self, const VgInputFile *files, guint n_files)
{
  static const int devices[] = { 0 };
  g_autoptr (GError) error = NULL;
  VgContext context = { .params = self->params,
                        .info = &self->info,
                        .threads = 2,
                        .files = files,
                        .n_files = n_files,
                        .devices = devices,
                        .n_devices = 1 };

  if (self->state != NULL)
    self->engine->free (self->state);
  self->state = self->engine->prepare (&context, &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->state);
}

static inline void
lifetime_clear (LifetimeFixture *self)
{
  if (self->state != NULL)
    self->engine->free (self->state);
  vg_params_free (&vg_lifetime_operation.params, self->params);
}

/* Steps until the engine has finished. */
static inline void
lifetime_step (LifetimeFixture *self)
{
  g_autoptr (GError) error = NULL;
  VgStep step;

  while ((step = self->engine->step (self->state, 0.01, &error)) == VG_STEP_MORE)
    ;
  g_assert_no_error (error);
  g_assert_cmpint (step, ==, VG_STEP_DONE);
}

/* Feeds a copy of CUBE and computes the maps. */
static inline void
lifetime_run (LifetimeFixture *self, const void *cube)
{
  g_autoptr (GError) error = NULL;
  VgFrame *frame = g_new0 (VgFrame, 1);

  if (self->state == NULL)
    lifetime_prepare_with (self, NULL, 0);
  frame->info = &self->info;
  frame->data = g_memdup2 (cube, vg_image_info_frame_bytes (&self->info));
  frame->id = self->frames++;
  frame->index = (gint64) frame->id;
  frame->release = lifetime_frame_release;
  g_atomic_ref_count_init (&frame->ref_count);
  self->engine->feed (self->state, frame, &error);
  vg_frame_unref (frame);
  g_assert_no_error (error);
  lifetime_step (self);
}

/* Applies changed settings to the same data. */
static inline void
lifetime_update (LifetimeFixture *self)
{
  g_assert_true (self->engine->update (self->state, self->params));
  lifetime_step (self);
}

/* A copy of output WHICH; NULL if it does not exist. */
static inline float *
lifetime_map_of (LifetimeFixture *self, guint which, VgPlane *described)
{
  g_autoptr (GError) error = NULL;
  VgPlane plane;
  float *values;
  gsize n;

  if (!self->engine->output (self->state, which, &plane, NULL))
    return NULL;
  n = (gsize) plane.width * (gsize) plane.height * (gsize) plane.slices;
  values = g_new (float, n);
  if (plane.place == VG_HOST)
    memcpy (values, plane.data, n * sizeof (float));
  else
    self->cuda->download (&plane, values, &error);
  g_assert_no_error (error);
  if (described != NULL)
    *described = plane;
  return values;
}

static inline double
lifetime_number (LifetimeFixture *self, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  const VgMetric *number;

  self->engine->results (self->state, numbers, NULL);
  number = vg_metrics_find (numbers, id);
  return number != NULL ? number->value : NAN;
}

/* Adds PHOTONS (Poisson) to each pixel of columns X0..X1-1 of a 16-bit cube. */
static inline void
lifetime_throw (guint16 *cube, int width, int height, int x0, int x1, const double *probability,
                int bins, double photons, guint64 seed)
{
  gsize page = (gsize) width * (gsize) height;
  g_autofree guint16 *counts = g_new (guint16, bins);
  VgLifetimeDice dice;

  vg_lifetime_dice_init (&dice, probability, bins);
  for (int y = 0; y < height; y++)
    for (int x = x0; x < x1; x++)
      {
        gsize i = (gsize) y * (gsize) width + (gsize) x;
        guint64 key = (seed << 40) + ((guint64) i << 16);

        memset (counts, 0, sizeof *counts * (gsize) bins);
        vg_lifetime_dice_throw (&dice, key * 2654435761u + 1, vg_lifetime_poisson (photons, key),
                                counts);
        for (int j = 0; j < bins; j++)
          cube[(gsize) j * page + i] = (guint16) (cube[(gsize) j * page + i] + counts[j]);
      }
  vg_lifetime_dice_clear (&dice);
}

/* Mean and standard deviation, median and 1.4826 times the median deviation, of the finite values
 * in columns. */
typedef struct
{
  double mean, sd, median, spread;
  int n, invalid;
} LifetimeStatistics;

static inline int
lifetime_compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static inline LifetimeStatistics
lifetime_statistics (const float *map, int width, int height, int x0, int x1)
{
  g_autofree double *values = g_new (double, (gsize) (x1 - x0) * (gsize) height);
  LifetimeStatistics s = { 0 };

  for (int y = 0; y < height; y++)
    for (int x = x0; x < x1; x++)
      if (isfinite (map[y * width + x]))
        values[s.n++] = map[y * width + x];
      else
        s.invalid++;
  for (int i = 0; i < s.n; i++)
    s.mean += values[i] / s.n;
  for (int i = 0; i < s.n; i++)
    s.sd += (values[i] - s.mean) * (values[i] - s.mean) / (s.n - 1);
  s.sd = sqrt (s.sd);
  qsort (values, (gsize) s.n, sizeof *values, lifetime_compare);
  s.median = s.n > 0 ? values[s.n / 2] : NAN;
  for (int i = 0; i < s.n; i++)
    values[i] = fabs (values[i] - s.median);
  qsort (values, (gsize) s.n, sizeof *values, lifetime_compare);
  s.spread = s.n > 0 ? 1.4826 * values[s.n / 2] : NAN;
  return s;
}
