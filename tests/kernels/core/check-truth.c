/* SPDX-License-Identifier: MIT */
/* Numbers: the synthetic data's truth is recovered, and the GPU's engine
 * agrees with the CPU's. */
#include "tests/kernels/core/operation-run.h"
#include <math.h>
#include <string.h>

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The median of map over truth where both are known; NaN when nowhere. */
static double
median_ratio (const VgPlane *plane, const VgImage *truth)
{
  const float *expected = truth->data;
  gsize samples = (gsize) plane->width * (gsize) plane->height, n = 0;
  g_autofree double *ratios = NULL;

  g_assert_cmpint (truth->info.type, ==, VG_F32);
  g_assert_cmpint (truth->info.width, ==, plane->width);
  g_assert_cmpint (truth->info.height, ==, plane->height);
  g_assert_cmpint ((int) truth->info.slices, ==, plane->slices);
  samples *= (gsize) plane->slices;
  ratios = g_new (double, samples);
  for (gsize i = 0; i < samples; i++)
    if (isfinite (expected[i]) && expected[i] != 0 && isfinite (plane->data[i]))
      ratios[n++] = plane->data[i] / expected[i];
  qsort (ratios, n, sizeof *ratios, compare_doubles);
  return n > 0 ? ratios[n / 2] : NAN;
}

void
check_truth (gconstpointer data)
{
  const VgOperation *operation = data;
  const VgSynthetic *synthetic = operation->synthetic;
  gpointer params;
  g_autoptr (GError) error = NULL;
  g_autoptr (Input) input = NULL;
  g_autoptr (Run) run = NULL;
  g_autoptr (Maps) maps = NULL;
  double tolerance;
  int width, height, known = 0;

  if (synthetic == NULL || synthetic->truth == NULL)
    {
      g_test_skip ("the operation has no synthetic data with a known truth");
      return;
    }
  tolerance = synthetic->tolerance > 0 ? synthetic->tolerance : 0.25;
  width = MIN (synthetic->batch.width, 257);
  height = MIN (synthetic->batch.height, 251);
  params = default_params (operation, width, height);
  input = input_new (operation, params, width, height, 1);
  run = run_new (operation->cpu, input, params, 0, &error);
  g_assert_no_error (error);
  run_finish (run);
  maps = run_read (run, NULL, FALSE);
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      g_autoptr (VgImage) truth = synthetic->truth (input->synthetic, i, NULL);
      double ratio = truth != NULL && maps->planes[i].data != NULL
                         ? median_ratio (&maps->planes[i], truth)
                         : NAN;

      if (isnan (ratio))
        continue;
      g_test_message ("%s: median of map over truth %.4f", operation->outputs[i].id, ratio);
      g_assert_cmpfloat_with_epsilon (ratio, 1, tolerance);
      known++;
    }
  g_assert_cmpint (known, >, 0);
  free_params (operation, params);
}

static void
compare_backends (const VgOperation *operation, const VgCuda *cuda, const void *params, int width,
                  int height)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Input) input = input_new (operation, params, width, height, 7);
  g_autoptr (GError) gpu_error = NULL;
  g_autoptr (Run) cpu = run_new (operation->cpu, input, params, 0, &error);
  g_autoptr (Run) gpu = run_new (vg_cuda_engine (operation), input, params, 0, &gpu_error);
  g_autoptr (Maps) expected = NULL;
  g_autoptr (Maps) found = NULL;
  double difference, agreement = operation->synthetic != NULL ? operation->synthetic->agreement : 0;
  guint where;

  if (cpu == NULL)
    {
      /* data that do not suit this setting: both say so */
      g_test_message ("%dx%d: %s", width, height, error->message);
      g_assert_null (gpu);
      g_assert_cmpstr (gpu_error->message, ==, error->message);
      return;
    }
  g_assert_no_error (gpu_error);
  run_finish (cpu);
  run_finish (gpu);
  expected = run_read (cpu, NULL, FALSE);
  found = run_read (gpu, cuda, FALSE);
  if (agreement > 0)
    {
      difference = maps_share (expected, found, operation->n_outputs, agreement, &where);
      g_test_message ("%dx%d: %.2f %% of samples differ, in %s", width, height, 100 * difference,
                      operation->outputs[where].id);
      g_assert_cmpfloat (difference, <=, 0.02);
      return;
    }
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      difference = maps_difference (expected, found, i);
      g_test_message ("%dx%d: largest difference of %s %g", width, height, operation->outputs[i].id,
                      difference);
      g_assert_cmpfloat (difference, <=, 1e-6);
    }
}

void
check_backends (gconstpointer data)
{
  static const int sizes[][2] = { { 1, 1 }, { 37, 3 }, { 131, 67 }, { 640, 480 } };
  const VgOperation *operation = data;
  const char *reason = NULL;
  const VgCuda *cuda = vg_cuda_get (&reason);

  if (cuda == NULL || vg_cuda_engine (operation) == NULL)
    {
      g_test_skip (reason != NULL ? reason : "the CUDA module has no engine for this operation");
      return;
    }
  if (operation->synthetic != NULL && operation->synthetic->agreement < 0)
    {
      g_test_skip ("a simulation: its own test compares the backends within their errors");
      return;
    }
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      int n = param->kind == VG_PARAM_CHOICE ? (int) g_strv_length ((char **) param->choices)
              : param->kind == VG_PARAM_BOOL ? 2
                                             : 0;

      for (int k = 0; k < n; k++)
        {
          const int *size = sizes[(i + (guint) k) % 4];
          gpointer params = default_params (operation, size[0], size[1]);

          vg_param_set_number (param, params, k);
          g_test_message ("%s %d", param->id, k);
          compare_backends (operation, cuda, params, size[0], size[1]);
          free_params (operation, params);
        }
    }
}
