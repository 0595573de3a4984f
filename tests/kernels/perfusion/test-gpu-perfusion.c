/* SPDX-License-Identifier: MIT */
/* The CUDA engine compared with the CPU engine: every model and solver, odd sizes, uneven and
 * masked frames, integer samples, several devices, moved regions. */
#include "kernels/perfusion/model/perfusion-params.h"
#include "tests/support/gpu-begin.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/core/vg-cuda.h"
#include <math.h>
#include <string.h>

extern const VgOperation vg_perfusion_operation;
static const VgCuda *cuda;

/* A volume with random curves of one compartment; rows 0 and 1 of the first slice are the
 * vessels. */
typedef struct
{
  VgPerfusionParams *params;
  VgImage *image;
} Case;

static void
case_clear (Case *self)
{
  vg_params_free (&vg_perfusion_operation.params, self->params);
  vg_image_unref (self->image);
}

static Case
case_new (VgType type, int width, int height, int slices, int n, double interval)
{
  VgImageInfo info = { type, width, height, 1, 1, slices, n };
  Case self = { vg_params_new (&vg_perfusion_operation.params), NULL };
  gsize voxels = (gsize) width * (gsize) height * (gsize) slices;
  g_autofree double *times = g_new (double, n), *artery = g_new (double, n),
                    *portal = g_new (double, n);
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();

  info.frame_interval_s = interval;
  self.image = vg_image_new (&info, "random volume", NULL);
  for (int i = 0; i < n; i++)
    {
      times[i] = i * interval;
      artery[i] = vg_perfusion_population_artery (times[i] - 10);
    }
  vg_perfusion_disperse (n, times, artery, portal);
  g_autoptr (VgPerfusionProblem) problem = vg_perfusion_problem_new (
      VG_PERFUSION_COMPARTMENT, n, times, artery, portal, NULL, &bounds);
  g_autofree double *a = g_new (double, n), *p = g_new (double, n);
  for (gsize v = 0; v < voxels; v++)
    {
      double k = g_test_rand_double_range (200, 800) / VG_PERFUSION_RATE,
             ka = g_test_rand_double_range (10, 80), kp = g_test_rand_double_range (20, 180);

      vg_perfusion_curve (problem, artery, VG_PERFUSION_EXPONENTIAL, k, 0, a, NULL, NULL);
      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, k,
                          g_test_rand_double_range (0, 3), a, NULL, NULL);
      vg_perfusion_curve (problem, problem->portal, VG_PERFUSION_EXPONENTIAL, k,
                          g_test_rand_double_range (0, 4), p, NULL, NULL);
      for (int i = 0; i < n; i++)
        {
          double c = v == 0   ? artery[i]
                     : v == 1 ? portal[i]
                              : (ka * a[i] + kp * p[i]) / VG_PERFUSION_RATE +
                                    0.01 * g_test_rand_double_range (-1, 1);
          gsize at = (gsize) i * voxels + v;

          if (type == VG_F32)
            ((float *) self.image->data)[at] = (float) c;
          else
            ((guint16 *) self.image->data)[at] = (guint16) (1000 + 3000 * c + 0.5);
        }
    }
  self.params->signal = type == VG_F32 ? VG_PERFUSION_SIGNAL_CONCENTRATION : VG_PERFUSION_SIGNAL_CT;
  self.params->hu_per_mg_ml = 1000;
  self.params->haematocrit = 0;
  self.params->frame_interval_s = (float) interval;
  self.params->artery = g_strdup ("rect:0,0,1,1");
  self.params->portal = g_strdup (width > 1 ? "rect:1,0,1,1" : "rect:0,1,1,1");
  return self;
}

static gpointer
run (const VgEngine *engine, const Case *data, const int *devices, int n_devices)
{
  VgContext context = { .params = data->params,
                        .info = &data->image->info,
                        .image = data->image,
                        .devices = devices,
                        .n_devices = n_devices };
  g_autoptr (GError) error = NULL;
  gpointer state = engine->prepare (&context, &error);
  VgStep step;

  g_assert_no_error (error);
  do
    {
      step = engine->step (state, 0.05, &error);
      g_assert_no_error (error);
    }
  while (step == VG_STEP_MORE);
  g_assert_cmpint (step, ==, VG_STEP_DONE);
  return state;
}

static float *
read_map (const VgEngine *engine, gpointer state, guint output, gsize voxels)
{
  float *values = g_new (float, voxels);
  VgPlane plane;

  g_assert_true (engine->output (state, output, &plane, NULL));
  if (plane.place == VG_DEVICE)
    g_assert_true (cuda->download (&plane, values, NULL));
  else
    memcpy (values, plane.data, voxels * sizeof (float));
  return values;
}

/* The fraction of voxels in which OUTPUT differs by more than PART, or a delay by more than 0.05
 * s.  Two infinite errors count as equal. */
static void
compare (const Case *data, gpointer cpu, gpointer gpu, guint output, double part, double share,
         const char *what)
{
  const VgEngine *engines[] = { vg_perfusion_operation.cpu,
                                vg_cuda_engine (&vg_perfusion_operation) };
  const VgImageInfo *info = &data->image->info;
  gsize voxels = (gsize) info->width * (gsize) info->height * (gsize) info->slices, differ = 0;
  double least = output == VG_PERFUSION_OUTPUT_TAU_A || output == VG_PERFUSION_OUTPUT_TAU_P ? 0.05
                                                                                            : 1e-12;
  g_autofree float *a = read_map (engines[0], cpu, output, voxels),
                   *b = read_map (engines[1], gpu, output, voxels);

  for (gsize i = 0; i < voxels; i++)
    differ += !((isnan (a[i]) && isnan (b[i])) || a[i] == b[i] ||
                fabs (a[i] - b[i]) <= part * MAX (fabs (a[i]), fabs (b[i])) + least);
  g_test_message ("%s, %s: %.3f %% differ by more than %g", what,
                  vg_perfusion_operation.outputs[output].id,
                  100.0 * (double) differ / (double) voxels, part);
  /* of few voxels, drawn afresh each time, some more may differ than their share */
  g_assert_cmpfloat ((double) differ, <=, share * (double) voxels + 4);
}

static void
compare_all (const Case *data, const char *what, double part, double share)
{
  static const int first[] = { 0 };
  /* another GPU if there is one */
  const int shares[] = { 0, cuda->device_count (NULL) > 1, 0 };
  const VgEngine *gpu_engine = vg_cuda_engine (&vg_perfusion_operation);
  gpointer cpu = run (vg_perfusion_operation.cpu, data, first, 1),
           gpu = run (gpu_engine, data, first, 1), three;

  compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_SIGNAL, 1e-6, 0, what);
  for (guint i = VG_PERFUSION_OUTPUT_INITIAL_AREA; i <= VG_PERFUSION_OUTPUT_WASHOUT; i++)
    compare (data, cpu, gpu, i, 1e-4, 1e-3, what);
  compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_RESIDUAL, 1e-3, share, what);
  compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_STATUS, 0, 0.02, what);
  if (data->params->model == VG_PERFUSION_BEST)
    compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_MODEL, 0, share, what);
  compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_KA, part, share, what);
  compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_KL, part, share, what);
  compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_TAU_A, part, share, what);
  if (data->params->model == VG_PERFUSION_COMPARTMENT)
    {
      compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_TOTAL_INFLOW, part, share, what);
      compare (data, cpu, gpu, VG_PERFUSION_OUTPUT_KP, part, share, what);
    }
  for (guint i = VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR;
       i <= VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME_ERROR; i++)
    compare (data, cpu, gpu, i, MAX (part, 0.1), MAX (share, 0.03), what);
  /* A volume in three parts gives the same bits, as voxels are independent. */
  three = run (gpu_engine, data, shares, 3);
  {
    gsize voxels = (gsize) data->image->info.width * (gsize) data->image->info.height *
                   (gsize) data->image->info.slices;
    g_autofree float *one = read_map (gpu_engine, gpu, VG_PERFUSION_OUTPUT_RESIDUAL, voxels);
    g_autofree float *shared = read_map (gpu_engine, three, VG_PERFUSION_OUTPUT_RESIDUAL, voxels);

    g_autofree float *area = read_map (gpu_engine, gpu, VG_PERFUSION_OUTPUT_INITIAL_AREA, voxels);
    g_autofree float *parts = read_map (gpu_engine, three, VG_PERFUSION_OUTPUT_INITIAL_AREA,
                                        voxels);

    g_assert_cmpmem (one, voxels * sizeof (float), shared, voxels * sizeof (float));
    g_assert_cmpmem (area, voxels * sizeof (float), parts, voxels * sizeof (float));
  }
  vg_perfusion_operation.cpu->free (cpu);
  gpu_engine->free (gpu);
  gpu_engine->free (three);
}

static void
test_sizes (void)
{
  static const int sizes[][4] = {
    { 2, 1, 1, 48 }, { 7, 13, 1, 48 }, { 33, 31, 3, 47 }, { 127, 5, 2, 128 }, { 64, 9, 1, 448 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Case data = case_new (i % 2 ? VG_U16 : VG_F32, sizes[i][0], sizes[i][1], sizes[i][2],
                            sizes[i][3], 120.0 / sizes[i][3]);
      g_autofree char *what = g_strdup_printf ("%dx%dx%d, %d frames", sizes[i][0], sizes[i][1],
                                               sizes[i][2], sizes[i][3]);

      compare_all (&data, what, 0.02, 0.015);
      case_clear (&data);
    }
}

static void
test_choices (void)
{
  enum { DECONVOLUTION = VG_PERFUSION_DECONVOLUTION };
  static const struct
  {
    const char *id, *value;
    double part, share;
    int model;
  } choices[] = {
    { "delays", "shared", 0.02, 0.015 },
    { "delays", "none", 0.02, 0.015 },
    { "inputs", "artery", 0.02, 0.015 },
    { "model", "extended_tofts", 0.02, 0.015 },
    { "model", "patlak", 0.02, 0.015 },
    { "model", "uptake", 0.02, 0.015 },
    { "model", "exchange", 0.02, 0.015 },
    { "starts", "1", 0.02, 0.015 },
    { "delay_min_s", "-20", 0.02, 0.015 },
    { "frame_weights", "5,0;20,0;21,0.5;48,0", 0.02, 0.015 },
    { "solver", "paper", 1e-3, 0.02 },
    { "delays", "none", 1e-3, 1e-2, DECONVOLUTION },
    { "inputs", "artery", 1e-3, 1e-2, DECONVOLUTION },
    { "regularisation", "truncated", 1e-3, 1e-2, DECONVOLUTION },
    { "singular_percent", "2", 1e-3, 1e-2, DECONVOLUTION },
    { "frame_weights", "5,0;20,0;21,0.5;48,0", 1e-3, 1e-2, DECONVOLUTION },
    { "model", "best", 0.02, 0.03 },
    { "inputs", "artery", 0.02, 0.03, VG_PERFUSION_BEST },
    { "delays", "none", 0.02, 0.03, VG_PERFUSION_BEST },
  };

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      Case data = case_new (VG_F32, 41, 23, 1, 48, 2.5);
      const VgParam *param = vg_params_find (&vg_perfusion_operation.params, choices[i].id);

      data.params->model = choices[i].model;
      g_assert_true (vg_param_parse (param, data.params, choices[i].value, NULL));
      compare_all (&data, choices[i].value, choices[i].part, choices[i].share);
      case_clear (&data);
    }
}

/* The exchange model with and without flow limitation, at odd sizes, with one and two inputs,
 * with free, shared and no delays: both engines give the same minimum, values, errors and
 * remarks. */
static void
test_exchange (void)
{
  static const int sizes[][4] = { { 31, 1, 1, 47 }, { 7, 13, 3, 96 }, { 129, 3, 1, 120 } };
  static const struct
  {
    gboolean one;
    VgPerfusionDelays delays;
    const char *name;
  } kinds[] = {
    { FALSE, VG_PERFUSION_DELAYS_FREE, "two inputs, delays found" },
    { FALSE, VG_PERFUSION_DELAYS_SHARED, "two inputs, one delay" },
    { FALSE, VG_PERFUSION_DELAYS_NONE, "two inputs, no delays" },
    { TRUE, VG_PERFUSION_DELAYS_FREE, "one input, delay found" },
    { TRUE, VG_PERFUSION_DELAYS_NONE, "one input, no delay" },
  };
  static const guint values[] = { VG_PERFUSION_OUTPUT_PLASMA_FLOW,
                                  VG_PERFUSION_OUTPUT_PERMEABILITY,
                                  VG_PERFUSION_OUTPUT_VP,
                                  VG_PERFUSION_OUTPUT_VE,
                                  VG_PERFUSION_OUTPUT_TAU_A,
                                  VG_PERFUSION_OUTPUT_TAU_P,
                                  VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION };
  static const guint errors[] = { VG_PERFUSION_OUTPUT_PLASMA_FLOW_ERROR,
                                  VG_PERFUSION_OUTPUT_PERMEABILITY_ERROR,
                                  VG_PERFUSION_OUTPUT_VP_ERROR,
                                  VG_PERFUSION_OUTPUT_VE_ERROR,
                                  VG_PERFUSION_OUTPUT_TAU_A_ERROR,
                                  VG_PERFUSION_OUTPUT_TAU_P_ERROR,
                                  VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION_ERROR };
  static const int first[] = { 0 };
  const VgEngine *engine = vg_cuda_engine (&vg_perfusion_operation);

  for (guint i = 0; i < G_N_ELEMENTS (kinds) * G_N_ELEMENTS (sizes); i++)
    {
      const int *size = sizes[i / G_N_ELEMENTS (kinds)], frames = size[3],
                kind = (int) (i % G_N_ELEMENTS (kinds));
      double interval = 120.0 / frames;
      Case data = case_new (VG_F32, size[0], size[1], size[2], frames, interval);
      gsize voxels = (gsize) size[0] * (gsize) size[1] * (gsize) size[2];
      g_autofree double *times = g_new (double, frames), *artery = g_new (double, frames),
                        *portal = g_new (double, frames), *curve = g_new (double, frames);
      g_autofree char *what = g_strdup_printf ("exchange %dx%dx%d, %d frames, %s", size[0], size[1],
                                               size[2], frames, kinds[kind].name);
      VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
      gpointer cpu, gpu;

      for (int k = 0; k < frames; k++)
        {
          times[k] = k * interval;
          artery[k] = ((float *) data.image->data)[(gsize) k * voxels];
          portal[k] = ((float *) data.image->data)[(gsize) k * voxels + 1];
        }
      bounds.delays = kinds[kind].delays;
      g_autoptr (VgPerfusionProblem)
          problem = vg_perfusion_problem_new (VG_PERFUSION_EXCHANGE, frames, times, artery,
                                              kinds[kind].one ? NULL : portal, NULL, &bounds);
      for (gsize v = 2; v < voxels; v++)
        {
          double truth[VG_PERFUSION_FIT_VALUES] = { 0 }, peak = 0,
                 cnr = v % 3 == 0   ? 30
                       : v % 3 == 1 ? 100
                                    : 400;

          truth[VG_PERFUSION_FIT_FLOW] = g_test_rand_double_range (5, 100);
          truth[VG_PERFUSION_FIT_EXCHANGE] = truth[VG_PERFUSION_FIT_FLOW] *
                                             g_test_rand_double_range (0.1, 5);
          truth[VG_PERFUSION_FIT_PLASMA] = g_test_rand_double_range (0.02, 0.12);
          truth[VG_PERFUSION_FIT_INTERSTITIUM] = g_test_rand_double_range (0.08, 0.4);
          truth[VG_PERFUSION_FIT_TAU_A] = bounds.delays == VG_PERFUSION_DELAYS_NONE
                                              ? 0
                                              : g_test_rand_double_range (0.5, 7);
          truth[VG_PERFUSION_FIT_TAU_P] = bounds.delays == VG_PERFUSION_DELAYS_FREE
                                              ? g_test_rand_double_range (0.5, 7)
                                              : truth[VG_PERFUSION_FIT_TAU_A];
          truth[VG_PERFUSION_FIT_FRACTION] = g_test_rand_double_range (0.15, 0.85);
          vg_perfusion_general_curve (problem, truth, curve);
          for (int k = 0; k < frames; k++)
            peak = MAX (peak, curve[k]);
          for (int k = 0; k < frames; k++)
            ((float *) data.image->data)[(gsize) k * voxels + v] =
                (float) (curve[k] + peak / cnr * sqrt (3) * g_test_rand_double_range (-1, 1));
        }
      data.params->model = VG_PERFUSION_EXCHANGE;
      data.params->inputs = kinds[kind].one;
      data.params->delays = (int) kinds[kind].delays;
      cpu = run (vg_perfusion_operation.cpu, &data, first, 1);
      gpu = run (engine, &data, first, 1);
      compare (&data, cpu, gpu, VG_PERFUSION_OUTPUT_RESIDUAL, 1e-3, 0.01, what);
      for (guint k = 0; k < G_N_ELEMENTS (values); k++)
        compare (&data, cpu, gpu, values[k], 0.02, 0.02, what);
      for (guint k = 0; k < G_N_ELEMENTS (errors); k++)
        compare (&data, cpu, gpu, errors[k], 0.1, 0.03, what);
      compare (&data, cpu, gpu, VG_PERFUSION_OUTPUT_STATUS, 0, 0.02, what);
      compare (&data, cpu, gpu, VG_PERFUSION_OUTPUT_BOUND, 0, 0.02, what);
      compare (&data, cpu, gpu, VG_PERFUSION_OUTPUT_UNDETERMINED, 0, 0.03, what);
      vg_perfusion_operation.cpu->free (cpu);
      engine->free (gpu);
      case_clear (&data);
    }
}

static void
test_paper (void)
{
  static const char *const convolutions[] = { "block", "fft", "recursion", "trapezoid" };

  for (guint i = 0; i < G_N_ELEMENTS (convolutions); i++)
    {
      Case data = case_new (VG_F32, 29, 17, 1, 48, 2.5);
      const VgParam *param = vg_params_find (&vg_perfusion_operation.params, "convolution");

      data.params->solver = VG_PERFUSION_SOLVER_PAPER;
      g_assert_true (vg_param_parse (param, data.params, convolutions[i], NULL));
      if (i != VG_PERFUSION_CONVOLUTION_FFT || g_getenv ("VIVOGRAPH_CUFFT") != NULL)
        compare_all (&data, convolutions[i], 1e-3, 0.02);
      case_clear (&data);
    }
}

/* Uneven frame times, and a frame with NaN samples but without weight. */
static void
test_uneven (void)
{
  static const int models[] = { VG_PERFUSION_COMPARTMENT, VG_PERFUSION_EXTENDED_TOFTS,
                                VG_PERFUSION_DECONVOLUTION };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      Case data = case_new (VG_F32, 37, 11, 2, 60, 2);
      const VgParam *weights = vg_params_find (&vg_perfusion_operation.params, "frame_weights");
      gsize voxels = 37 * 11 * 2;

      data.image->times_s = g_new (double, 60);
      for (int k = 0; k < 60; k++)
        data.image->times_s[k] = 2 * k + 0.4 * sin (k);
      for (gsize v = 0; v < voxels; v++)
        ((float *) data.image->data)[30 * voxels + v] = ((float *) data.image->data)[voxels + v] =
            NAN;
      g_assert_true (vg_param_parse (weights, data.params, "2,0;31,0", NULL));
      data.params->model = models[i];
      compare_all (&data, "uneven frames", 0.02, 0.015);
      case_clear (&data);
    }
}

/* Curves without contrast agent: a delay within its bounds that is shown has a valid error,
 * whatever the rounding of the curvature. */
static void
test_without_contrast (void)
{
  static const char *const models[] = { "compartment", "extended_tofts", "patlak" };
  static const guint delays[][2] = { { VG_PERFUSION_OUTPUT_TAU_A, VG_PERFUSION_OUTPUT_TAU_A_ERROR },
                                     { VG_PERFUSION_OUTPUT_TAU_P,
                                       VG_PERFUSION_OUTPUT_TAU_P_ERROR } };
  static const int first[] = { 0 };
  const VgEngine *engine = vg_cuda_engine (&vg_perfusion_operation);
  enum { WIDTH = 61, HEIGHT = 47, VOXELS = WIDTH * HEIGHT, FRAMES = 48 };

  for (guint m = 0; m < G_N_ELEMENTS (models); m++)
    {
      Case data = case_new (VG_F32, WIDTH, HEIGHT, 1, FRAMES, 2.5);
      gpointer cpu, gpu;

      g_assert_true (vg_param_parse (vg_params_find (&vg_perfusion_operation.params, "model"),
                                     data.params, models[m], NULL));
      for (int i = 0; i < FRAMES; i++)
        for (int v = 2; v < VOXELS; v++)
          ((float *) data.image->data)[i * VOXELS + v] = (float) (pow (10, -v % 5) *
                                                                  g_test_rand_double_range (-1, 1));
      cpu = run (vg_perfusion_operation.cpu, &data, first, 1);
      gpu = run (engine, &data, first, 1);
      for (guint k = 0; k < G_N_ELEMENTS (delays); k++)
        {
          g_autofree float *on_cpu = read_map (vg_perfusion_operation.cpu, cpu, delays[k][0],
                                               VOXELS),
                           *delay = read_map (engine, gpu, delays[k][0], VOXELS);
          g_autofree float *error = read_map (engine, gpu, delays[k][1], VOXELS);
          float limit = (data.params->delay_max_s - data.params->delay_min_s) / sqrtf (12);
          int cpu_only = 0, gpu_only = 0;

          for (int v = 2; v < VOXELS; v++)
            {
              if (delay[v] > data.params->delay_min_s && delay[v] < data.params->delay_max_s &&
                  !(error[v] <= 1.0001f * limit))
                g_error ("%s: voxel %d shows a delay of %g s, its error is %g", models[m], v,
                         delay[v], error[v]);
              cpu_only += !isnan (on_cpu[v]) && isnan (delay[v]);
              gpu_only += isnan (on_cpu[v]) && !isnan (delay[v]);
            }
          g_test_message ("%s, %s: of %d voxels %d have one on the CPU alone, %d on the GPU alone",
                          models[m], vg_perfusion_operation.outputs[delays[k][0]].id, VOXELS,
                          cpu_only, gpu_only);
        }
      vg_perfusion_operation.cpu->free (cpu);
      engine->free (gpu);
      case_clear (&data);
    }
}

/* A moved region gives the same result in place as with a new state. */
static void
test_moved (void)
{
  const VgEngine *engine = vg_cuda_engine (&vg_perfusion_operation);
  static const int first[] = { 0 };
  Case data = case_new (VG_F32, 41, 23, 1, 48, 2.5);
  gpointer moved = run (engine, &data, first, 1), fresh;
  gsize voxels = 41 * 23;
  VgStep step;

  g_free (data.params->portal);
  data.params->portal = g_strdup ("rect:1,0,2,1");
  g_assert_true (engine->update (moved, data.params));
  do
    step = engine->step (moved, 0.05, NULL);
  while (step == VG_STEP_MORE);
  g_assert_cmpint (step, ==, VG_STEP_DONE);
  fresh = run (engine, &data, first, 1);
  {
    g_autofree float *a = read_map (engine, moved, VG_PERFUSION_OUTPUT_KP, voxels),
                     *b = read_map (engine, fresh, VG_PERFUSION_OUTPUT_KP, voxels);

    g_assert_cmpmem (a, voxels * sizeof (float), b, voxels * sizeof (float));
  }
  engine->free (moved);
  engine->free (fresh);
  case_clear (&data);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL || vg_cuda_engine (&vg_perfusion_operation) == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu-perfusion/sizes", test_sizes);
  g_test_add_func ("/gpu-perfusion/choices", test_choices);
  g_test_add_func ("/gpu-perfusion/exchange", test_exchange);
  g_test_add_func ("/gpu-perfusion/paper", test_paper);
  g_test_add_func ("/gpu-perfusion/uneven", test_uneven);
  g_test_add_func ("/gpu-perfusion/without-contrast", test_without_contrast);
  g_test_add_func ("/gpu-perfusion/moved", test_moved);
  return g_test_run ();
}
