/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include <string.h>
#include "kernels/flow/model/flow-formula.h"
#include "kernels/core/vg-operation.h"
/* Runs the flow engine on frames of the test, and computes reference contrast in double precision
 * with two passes over every window. */

extern const VgOperation vg_flow_operation;

typedef struct
{
  const VgEngine *engine;
  gpointer state;
  VgFlowParams *params;
  VgImageInfo info;
  gint64 index;
  double exposure_ms;   /* of the next frames; 0: not known */
  gboolean interrupted; /* the connection was lost before the next frames */
} FlowFixture;

static void
flow_frame_release (VgFrame *frame)
{
  g_free (frame->data);
  g_free (frame);
}

static inline VgImageInfo
flow_info (VgType type, int width, int height, int bits)
{
  return (VgImageInfo){ .type = type,
                        .width = width,
                        .height = height,
                        .channels = 1,
                        .bins = 1,
                        .slices = 1,
                        .frames = -1,
                        .significant_bits = bits };
}

static inline void
flow_fixture_init (FlowFixture *self, VgType type, int width, int height, int bits)
{
  memset (self, 0, sizeof *self);
  self->engine = vg_flow_operation.cpu;
  self->info = flow_info (type, width, height, bits);
  self->params = vg_params_new (&vg_flow_operation.params);
}

static inline void
flow_fixture_prepare_with (FlowFixture *self, const VgInputFile *files, guint n_files)
{
  g_autoptr (GError) error = NULL;
  VgContext context = {
    .params = self->params, .info = &self->info, .threads = 2, .files = files, .n_files = n_files
  };

  if (self->state != NULL)
    self->engine->free (self->state);
  self->state = self->engine->prepare (&context, &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->state);
}

static inline void
flow_fixture_prepare (FlowFixture *self)
{
  flow_fixture_prepare_with (self, NULL, 0);
}

static inline void
flow_fixture_clear (FlowFixture *self)
{
  if (self->state != NULL)
    self->engine->free (self->state);
  vg_params_free (&vg_flow_operation.params, self->params);
}

/* Feeds a copy of DATA. */
static inline gboolean
flow_fixture_feed (FlowFixture *self, const void *data, GError **error)
{
  VgFrame *frame = g_new0 (VgFrame, 1);
  gsize bytes = vg_image_info_frame_bytes (&self->info);
  gboolean ok;

  frame->info = &self->info;
  frame->data = g_memdup2 (data, bytes);
  frame->id = (guint64) self->index;
  frame->index = self->index++;
  frame->exposure_ms = self->exposure_ms;
  frame->interrupted = self->interrupted;
  frame->release = flow_frame_release;
  g_atomic_ref_count_init (&frame->ref_count);
  ok = self->engine->feed (self->state, frame, error);
  vg_frame_unref (frame);
  return ok;
}

static inline VgStep
flow_fixture_run (FlowFixture *self, const void *data)
{
  g_autoptr (GError) error = NULL;
  VgStep step;

  g_assert_true (flow_fixture_feed (self, data, &error));
  g_assert_no_error (error);
  step = self->engine->step (self->state, 1.0, &error);
  g_assert_no_error (error);
  return step;
}

static inline const float *
flow_fixture_output (FlowFixture *self, guint output)
{
  VgPlane plane;

  g_assert_true (self->engine->output (self->state, output, &plane, NULL));
  g_assert_cmpint (plane.width, ==, self->info.width);
  g_assert_cmpint (plane.height, ==, self->info.height);
  return plane.data;
}

/* The number of maps in the baseline. */
static inline int
flow_fixture_baseline (FlowFixture *self)
{
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();

  g_assert_true (self->engine->results (self->state, metrics, NULL));
  return (int) vg_metrics_find (metrics, "baseline_maps")->value;
}

/* No map of frames from before and after a break is in a baseline that is set there. */
static inline void
flow_fixture_break_baseline (FlowFixture *self, gboolean outage)
{
  enum { SIDE = 8, FRAMES = 3, BEFORE = 5 };
  guint16 data[SIDE * SIDE];

  self->info = flow_info (VG_U16, SIDE, SIDE, 16);
  self->params->method = VG_FLOW_TEMPORAL;
  self->params->frames = FRAMES;
  self->params->baseline_frames = 100;
  self->exposure_ms = 8;
  flow_fixture_prepare (self);
  for (int i = 0; i < BEFORE + 2 * FRAMES; i++)
    {
      const int after = i - BEFORE + 1; /* frames after the break */

      self->interrupted = outage && after == 1;
      self->exposure_ms = !outage && after > 0 ? 4 : 8;
      for (int k = 0; k < SIDE * SIDE; k++)
        data[k] = (guint16) (1000 + (after > 0 ? 97 : 11) * (i * k % 7));
      flow_fixture_run (self, data);
      if (after == 1)
        {
          g_assert_cmpint (flow_fixture_baseline (self), ==, BEFORE - FRAMES + 1);
          self->params->set_baseline++;
          g_assert_true (self->engine->update (self->state, self->params));
        }
      if (after > 0)
        g_assert_cmpint (flow_fixture_baseline (self), ==, MAX (after - FRAMES + 1, 0));
    }
}

/* N samples from LOW up to HIGH. */
static inline void
flow_fixture_fill (guint16 *data, int n, double low, double high)
{
  for (int i = 0; i < n; i++)
    data[i] = (guint16) g_test_rand_double_range (low, high);
}

static inline double
flow_value (VgType type, const void *data, gsize i)
{
  switch (type)
    {
    case VG_U8:
      return ((const guint8 *) data)[i];
    case VG_U16:
      return ((const guint16 *) data)[i];
    case VG_U32:
      return ((const guint32 *) data)[i];
    case VG_F32:
    default:
      return ((const float *) data)[i];
    }
}

/* K^2 of the window around (x, y) over N_FRAMES frames; NaN where the engine has NaN. */
static inline double
flow_reference_k2 (const FlowFixture *self, const void *const *frames, int n_frames, int radius,
                   int x, int y, const float *dark)
{
  const VgImageInfo *info = &self->info;
  gboolean zero = self->params->edges == VG_FLOW_EDGES_ZERO;
  double mean = 0.0, sum = 0.0, n = 0.0, absent = 0.0;

  for (int pass = 0; pass < 2; pass++)
    {
      for (int f = 0; f < n_frames; f++)
        for (int v = y - radius; v <= y + radius; v++)
          for (int u = x - radius; u <= x + radius; u++)
            {
              gsize i = (gsize) v * (gsize) info->width + (gsize) u;
              gboolean inside = u >= 0 && v >= 0 && u < info->width && v < info->height;
              double value;

              if (!inside && !zero)
                continue;
              value = inside ? flow_value (info->type, frames[f], i) -
                                   (dark != NULL ? dark[i] : self->params->dark_level)
                             : absent;
              if (pass == 0)
                {
                  mean += value;
                  n += 1.0;
                }
              else
                sum += (value - mean) * (value - mean);
            }
      if (pass == 0)
        mean /= n;
    }
  if (!(mean > 0.0) || n < 2.0)
    return NAN;
  return sum / (n - 1.0) / (mean * mean);
}

/* Fills N samples with random values up to LIMIT. */
static inline void
flow_random (VgType type, void *data, gsize n, double limit, GRand *rand)
{
  for (gsize i = 0; i < n; i++)
    {
      double value = floor (g_rand_double_range (rand, 0.0, limit + 1.0));

      if (type == VG_U8)
        ((guint8 *) data)[i] = (guint8) value;
      else if (type == VG_U16)
        ((guint16 *) data)[i] = (guint16) value;
      else if (type == VG_U32)
        ((guint32 *) data)[i] = (guint32) value;
      else
        ((float *) data)[i] = (float) g_rand_double_range (rand, 0.0, limit);
    }
}

/* K and flow index of the map against the reference at every pixel. */
static inline void
flow_check_contrast (FlowFixture *self, const void *const *frames, int n_frames, int radius,
                     const float *dark)
{
  const double tolerance = 3e-7;
  gsize pixels = (gsize) self->info.width * (gsize) self->info.height;
  g_autofree float *k = g_memdup2 (flow_fixture_output (self, VG_FLOW_OUTPUT_CONTRAST),
                                   pixels * sizeof (float));
  const float *index = flow_fixture_output (self, VG_FLOW_OUTPUT_FLOW_INDEX);
  double scale = 1.0 / (2.0 * (double) self->params->exposure_ms * 1e-3);

  for (int y = 0; y < self->info.height; y++)
    for (int x = 0; x < self->info.width; x++)
      {
        gsize i = (gsize) y * (gsize) self->info.width + (gsize) x;
        double k2 = flow_reference_k2 (self, frames, n_frames, radius, x, y, dark);

        if (isnan (k2))
          {
            g_assert_true (isnan (k[i]));
            g_assert_true (isnan (index[i]));
            continue;
          }
        if (!(fabs (k[i] - sqrt (k2)) <= tolerance * sqrt (k2) + 1e-30))
          g_error ("K (%d, %d) radius %d is %.9g, not %.9g", x, y, radius, k[i], sqrt (k2));
        if (k2 > 0.0 && !(fabs (index[i] - scale / k2) <= tolerance * scale / k2))
          g_error ("flow index (%d, %d) radius %d is %.9g, not %.9g", x, y, radius, index[i],
                   scale / k2);
        if (k2 == 0.0)
          g_assert_true (isnan (index[i]));
      }
}

/* ---- Contrasts that equal that of the camera noise ---- */

enum {
  FLOW_TIE_VALUES = 16,
  FLOW_TIE_FRAMES = 4,
  FLOW_TIE_SIDE = FLOW_TIE_VALUES * FLOW_TIE_VALUES
};

static inline int
flow_tie_sample (int pixel, int frame)
{
  return pixel >> 4 * frame & (FLOW_TIE_VALUES - 1);
}

/* A pixel for each four of 0 to 15, over four frames.  Less these settings the
 * variance of some is 0 exactly: 2 (4 q - s^2) = 3 s + 92. */
static inline void
flow_tie_init (FlowFixture *self)
{
  self->info = flow_info (VG_U8, FLOW_TIE_SIDE, FLOW_TIE_SIDE, 8);
  self->params->method = VG_FLOW_TEMPORAL;
  self->params->frames = FLOW_TIE_FRAMES;
  self->params->dark_level = 5.0f;
  self->params->gain_dn_per_e = 0.5f;
  self->params->read_noise_dn = 2.5f;
  self->params->quantisation = TRUE;
}

static inline void
flow_tie_run (FlowFixture *self)
{
  guint8 data[FLOW_TIE_SIDE * FLOW_TIE_SIDE];

  for (int k = 0; k < FLOW_TIE_FRAMES; k++)
    {
      for (int i = 0; i < FLOW_TIE_SIDE * FLOW_TIE_SIDE; i++)
        data[i] = (guint8) flow_tie_sample (i, k);
      flow_fixture_run (self, data);
    }
}

/* Only windows with more variance than the noise have a contrast. */
static inline void
flow_tie_check (const float *contrast)
{
  int ties = 0;

  for (int i = 0; i < FLOW_TIE_SIDE * FLOW_TIE_SIDE; i++)
    {
      int s = 0, q = 0;

      for (int k = 0; k < FLOW_TIE_FRAMES; k++)
        {
          s += flow_tie_sample (i, k);
          q += flow_tie_sample (i, k) * flow_tie_sample (i, k);
        }
      ties += s > 20 && 2 * (4 * q - s * s) == 3 * s + 92;
      g_assert_cmpint (isnan (contrast[i]), ==, s <= 20 || 2 * (4 * q - s * s) <= 3 * s + 92);
    }
  g_assert_cmpint (ties, ==, 24);
}
