/* SPDX-License-Identifier: MIT */
#pragma once
#include <stdio.h>
#include "tests/kernels/flow/support/flow-fixture.h"
#include "kernels/core/vg-cuda.h"
/* The same frames through the CPU engine and the CUDA engine. */

typedef struct
{
  const VgCuda *cuda;
  FlowFixture cpu, gpu;
  VgInputFile dark; /* image NULL: none */
} FlowPair;

static inline void
flow_pair_init (FlowPair *self, const VgCuda *cuda, VgType type, int width, int height, int bits)
{
  memset (self, 0, sizeof *self);
  self->cuda = cuda;
  flow_fixture_init (&self->cpu, type, width, height, bits);
  flow_fixture_init (&self->gpu, type, width, height, bits);
  self->gpu.engine = vg_cuda_engine (&vg_flow_operation);
  g_assert_nonnull (self->gpu.engine);
}

/* With the parameters of `cpu` on both sides. */
static inline void
flow_pair_prepare (FlowPair *self)
{
  *self->gpu.params = *self->cpu.params;
  flow_fixture_prepare_with (&self->cpu, &self->dark, self->dark.image != NULL);
  flow_fixture_prepare_with (&self->gpu, &self->dark, self->dark.image != NULL);
}

static inline void
flow_pair_clear (FlowPair *self)
{
  flow_fixture_clear (&self->cpu);
  flow_fixture_clear (&self->gpu);
}

/* Random samples, fewer than one in a hundred saturated. */
static inline gpointer
flow_random_frame (const VgImageInfo *info)
{
  gsize n = (gsize) info->width * info->height;
  guint64 top = (guint64) 1 << info->significant_bits;
  guint8 *data = g_malloc (n * vg_type_size (info->type));
  guint64 state = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();

  for (gsize i = 0; i < n; i++)
    {
      guint64 v;

      state = state * 6364136223846793005u + 1442695040888963407u;
      v = (state >> 33) % top;
      if (state >> 54 == 3)
        v = top - 1;
      else if (v == top - 1)
        v--;
      if (info->type == VG_U8)
        data[i] = (guint8) v;
      else if (info->type == VG_U16)
        ((guint16 *) data)[i] = (guint16) v;
      else if (info->type == VG_U32)
        ((guint32 *) data)[i] = (guint32) v;
      else
        ((float *) data)[i] = (float) (v + 0.25);
    }
  return data;
}

/* One more random frame; the engines agree on what the step gave. */
static inline VgStep
flow_pair_run (FlowPair *self)
{
  g_autofree void *data = flow_random_frame (&self->cpu.info);
  VgStep a = flow_fixture_run (&self->cpu, data), b = flow_fixture_run (&self->gpu, data);

  g_assert_cmpint (a, ==, b);
  return a;
}

/* Output I of the CUDA engine on the host; NULL: it gives none. */
static inline float *
flow_pair_download (FlowPair *self, guint i)
{
  g_autoptr (GError) error = NULL;
  VgPlane plane;
  float *map;

  if (!self->gpu.engine->output (self->gpu.state, i, &plane, NULL))
    return NULL;
  g_assert_cmpint (plane.place, ==, VG_DEVICE);
  g_assert_cmpint (plane.width, ==, self->cpu.info.width);
  g_assert_cmpint (plane.height, ==, self->cpu.info.height);
  map = g_new (float, (gsize) plane.width *plane.height);
  g_assert_true (self->cuda->download (&plane, map, &error));
  g_assert_no_error (error);
  return map;
}

/* How far two values of output I may lie apart.  K and SFI of the CUDA engine are
 * within 3e-7 of float64 and those of the CPU engine within 6e-8; maps of K^2
 * that are averaged are rounded once more.  Near the ends of a model, where
 * tau / T is very large or small, the last bit of K moves tau more. */
static inline double
flow_pair_allowed (const FlowPair *self, guint i, double value)
{
  const VgFlowParams *p = self->cpu.params;
  double x = value / p->exposure_ms, steep;

  switch (i)
    {
    case VG_FLOW_OUTPUT_CONTRAST:
    case VG_FLOW_OUTPUT_FLOW_INDEX:
      return (p->average > 1 ? 1e-6 : 3.6e-7) * fabs (value);
    case VG_FLOW_OUTPUT_CORRELATION_TIME:
      /* K^2 falls from 1 with 1/x, in the Gaussian model with its square */
      steep = p->model == VG_FLOW_GAUSSIAN ? x * x : x;
      return (p->static_scattering == VG_FLOW_STATIC_NONE ? 1e-5 : 1e-3) * (1 + steep + 1 / x) *
             value;
    case VG_FLOW_OUTPUT_RELATIVE_FLOW:
      return 3e-6 * MAX (fabs (value), 1.0);
    case VG_FLOW_OUTPUT_STATIC_FRACTION:
      return 1e-5;
    case VG_FLOW_OUTPUT_PERFUSION:
      return 3e-6 *
             (fabs (value) +
              100.0 * (double) p->zero_index / (double) (p->reference_index - p->zero_index) + 1.0);
    default:
      return 0;
    }
}

/* At the end of a model the last bit of K also decides whether tau exists. */
static inline void
flow_pair_compare_output (FlowPair *self, guint i)
{
  g_autofree float *b = flow_pair_download (self, i);
  gsize n = (gsize) self->cpu.info.width * self->cpu.info.height, strays = 0;
  VgPlane plane;
  gboolean given = self->cpu.engine->output (self->cpu.state, i, &plane, NULL);

  g_assert_cmpint (given, ==, b != NULL);
  for (gsize k = 0; given && k < n; k++)
    {
      double a = plane.data[k];

      if (isnan (a) != isnan (b[k]))
        strays++;
      else if (!isnan (a) && !(fabs (a - b[k]) <= flow_pair_allowed (self, i, a)))
        g_error ("output %u at (%d, %d): %.9g on the CPU, %.9g on the GPU", i,
                 (int) (k % plane.width), (int) (k / plane.width), a, b[k]);
    }
  if (strays > (i == VG_FLOW_OUTPUT_CORRELATION_TIME ? 1 + n / 500 : 0))
    g_error ("output %u: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
             " pixels are valid on one side only",
             i, strays, n);
}

static inline double
flow_pair_number (const FlowFixture *fixture, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  const VgMetric *number;

  fixture->engine->results (fixture->state, numbers, NULL);
  number = vg_metrics_find (numbers, id);
  g_assert_nonnull (number);
  return number->value;
}

/* All outputs, and the numbers. */
static inline void
flow_pair_compare (FlowPair *self)
{
  static const char *const ids[] = { "saturated_percent", "speckle_size_px", "frames",
                                     "mean_contrast" };

  for (guint i = 0; i < VG_FLOW_N_OUTPUTS; i++)
    flow_pair_compare_output (self, i);
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      double a = flow_pair_number (&self->cpu, ids[i]), b = flow_pair_number (&self->gpu, ids[i]);

      if (isnan (a) != isnan (b) || fabs (a - b) > 1e-6 * fabs (a))
        g_error ("%s: %.9g on the CPU, %.9g on the GPU", ids[i], a, b);
    }
}
