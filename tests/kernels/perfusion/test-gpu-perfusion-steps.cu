/* SPDX-License-Identifier: MIT */
/* Trial steps of the models with a plasma space, on the GPU and on the host, compiled from the
 * same source.  This test detects a compiler that overlaps two arrays of a step, which the maps
 * would hardly show. */
#define VG_PERFUSION_REAL double
#define VG_PERFUSION_SAMPLE float
#include "tests/kernels/perfusion/support/perfusion-fixture.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "kernels/perfusion/fit/perfusion-general-fit.h"

enum { N = 48, TRIALS = 256, THREADS = 64 };

/* One trial: its start, its damping, and its result. */
struct Trial
{
  double x[VG_PERFUSION_UNKNOWNS], lambda;
  double to[VG_PERFUSION_UNKNOWNS], gain, cost, value[VG_PERFUSION_GENERAL_VALUES],
      error[VG_PERFUSION_GENERAL_VALUES];
};

static __host__ __device__ void
make (const VgPerfusionTask &task, const float *y, Trial *trial)
{
  VgPerfusionSystem system;
  VgPerfusionGeneral general;

  vg_perfusion_general_system (&task, trial->x, y, 1, &system);
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    trial->to[q] = trial->x[q];
  trial->cost = system.cost;
  trial->gain = vg_perfusion_general_step (&task, &system, trial->lambda, trial->to);
  vg_perfusion_general_results (&task, trial->x, &system, task.n, &general);
  for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
    {
      trial->value[k] = general.value[k];
      trial->error[k] = general.error[k];
    }
}

static __global__ void
make_all (VgPerfusionTask task, const float *y, Trial *trials)
{
  int i = (int) (blockIdx.x * THREADS + threadIdx.x);

  if (i < TRIALS)
    make (task, y, trials + i);
}

static void
check (cudaError_t status)
{
  g_assert_cmpstr (cudaGetErrorString (status), ==, cudaGetErrorString (cudaSuccess));
}

/* Allocates memory that host and device can read. */
template <typename T>
static T *
both (const T *data, gsize n)
{
  T *copy = NULL;

  check (cudaMallocManaged ((void **) &copy, n * sizeof (T)));
  memcpy (copy, data, n * sizeof (T));
  return copy;
}

/* Inputs can be read PAD samples beyond both ends. */
static double *
both_padded (const double *input, int pad)
{
  return both (input - pad, (gsize) (N + 2 * pad)) + pad;
}

static void
assert_near (double a, double b, double least, const char *what)
{
  if (!(a == b || (isnan (a) && isnan (b)) ||
        fabs (a - b) <= 1e-6 * MAX (fabs (a), fabs (b)) + least))
    g_error ("%s: %.17g on the GPU, %.17g", what, a, b);
}

static void
compare (VgPerfusionModel model, gboolean dual, VgPerfusionDelays delays, const float *curve)
{
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  g_autoptr (VgPerfusionProblem) inputs = perfusion_problem (N);
  Trial *host = g_new0 (Trial, TRIALS);
  GRand *rand = g_rand_new_with_seed (7 + (guint32) model);

  bounds.delays = delays;
  g_autoptr (VgPerfusionProblem) problem = vg_perfusion_problem_new (
      model, N, inputs->times_s, inputs->artery, dual ? inputs->portal : NULL, NULL, &bounds);
  VgPerfusionTask task = vg_perfusion_task (problem), there = task;
  for (int i = 0; i < TRIALS; i++)
    {
      host[i].x[VG_PERFUSION_LOG_K1] = i % 16 == 1 ? task.bounds.log_k_max
                                                   : g_rand_double_range (rand, -4, -1);
      host[i].x[VG_PERFUSION_LOG_K2] = host[i].x[VG_PERFUSION_LOG_K1] -
                                       g_rand_double_range (rand, 1, 2);
      host[i].x[VG_PERFUSION_TA] = i % 16 == 2 ? task.bounds.delay_min
                                               : g_rand_double_range (rand, 0.1, 6);
      host[i].x[VG_PERFUSION_TP] = delays == VG_PERFUSION_DELAYS_SHARED
                                       ? host[i].x[VG_PERFUSION_TA]
                                       : g_rand_double_range (rand, 0.1, 6);
      host[i].x[VG_PERFUSION_SHARE] = !dual || i % 16 == 3 ? 1
                                                           : g_rand_double_range (rand, 0.1, 0.9);
      host[i].lambda = pow (10, i % 6 - 3);
    }
  Trial *trials = both (host, TRIALS);
  float *y = both (curve, N);
  there.times = both (task.times, N);
  there.weights = both (task.weights, N);
  there.artery = both_padded (task.artery, problem->pad);
  there.portal = dual ? both_padded (task.portal, problem->pad) : NULL;
  make_all<<<(TRIALS + THREADS - 1) / THREADS, THREADS>>> (there, y, trials);
  check (cudaGetLastError ());
  check (cudaDeviceSynchronize ());
  for (int i = 0; i < TRIALS; i++)
    {
      g_autofree char *what = g_strdup_printf ("model %d, %s, delays %d, trial %d", model,
                                               dual ? "two inputs" : "one input", delays, i);

      make (task, curve, host + i);
      assert_near (trials[i].cost, host[i].cost, 0, what);
      assert_near (trials[i].gain, host[i].gain, 1e-9 * host[i].cost, what);
      for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
        assert_near (trials[i].to[q], host[i].to[q], 1e-6, what);
      for (int k = 0; k < VG_PERFUSION_GENERAL_VALUES; k++)
        {
          assert_near (trials[i].value[k], host[i].value[k], 1e-9, what);
          /* far from a minimum the matrix is nearly singular, and its inverse has fewer digits */
          assert_near (trials[i].error[k], host[i].error[k], 1e-6 + 1e-4 * host[i].error[k], what);
        }
    }
  check (cudaFree (trials));
  check (cudaFree (y));
  check (cudaFree ((void *) there.times));
  check (cudaFree ((void *) there.weights));
  check (cudaFree ((void *) (there.artery - problem->pad)));
  if (dual)
    check (cudaFree ((void *) (there.portal - problem->pad)));
  g_rand_free (rand);
  g_free (host);
}

static void
test_steps (void)
{
  PerfusionFixture f = perfusion_fixture (N, VG_PERFUSION_LANES, 50, FALSE, 11);
  float curve[N];

  for (int i = 0; i < N; i++)
    curve[i] = (float) perfusion_curve_at (&f, 0)[i * VG_PERFUSION_LANES];
  for (int model = VG_PERFUSION_EXTENDED_TOFTS; model <= VG_PERFUSION_EXCHANGE; model++)
    for (int dual = 0; dual < 2; dual++)
      for (int delays = VG_PERFUSION_DELAYS_FREE; delays <= VG_PERFUSION_DELAYS_NONE; delays++)
        compare ((VgPerfusionModel) model, dual, (VgPerfusionDelays) delays, curve);
  perfusion_fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  int devices = 0;

  g_test_init (&argc, &argv, NULL);
  if (cudaGetDeviceCount (&devices) != cudaSuccess || devices == 0)
    {
      g_printerr ("no GPU\n");
      return 77;
    }
  g_test_add_func ("/gpu-perfusion-steps/steps", test_steps);
  return g_test_run ();
}
