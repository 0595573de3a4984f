/* SPDX-License-Identifier: MIT */
/* Variants of the pass over a 512x512x256 cube of 16 bits: pixels per thread, bins in the ring,
 * threads per block.  Prints microseconds, and the time of reading the cube; then the GPU rows of
 * `vivograph bench lifetime`, each the best of some runs. */
#include <stdio.h>
#include "kernels/lifetime/engine/lifetime-pass.cuh"

static const int SIDE = 512, BINS = 256, REPEATS = 60;

typedef void (*Launch) (const LifetimeCube *, const VgLifetimePlan *, const float *, float *, gsize,
                        cudaStream_t);

static double
time_form (Launch launch, LifetimeCube *cube, const guint8 *other, const VgLifetimePlan *plan,
           const float *weights, float *sums, gsize n)
{
  const guint8 *first = cube->samples;
  cudaEvent_t a, b;
  float best = 1e9f;

  cudaEventCreate (&a);
  cudaEventCreate (&b);
  for (int round = 0; round < 4; round++)
    {
      float ms = 0;
      cudaEventRecord (a);
      for (int i = 0; i < REPEATS; i++)
        {
          cube->samples = i % 2 ? other : first;
          launch (cube, plan, weights, sums, n, 0);
        }
      cudaEventRecord (b);
      cudaEventSynchronize (b);
      cudaEventElapsedTime (&ms, a, b);
      best = MIN (best, ms / (float) REPEATS);
    }
  cube->samples = first;
  if (cudaGetLastError () != cudaSuccess)
    printf ("failed\n");
  return best * 1e3;
}

/* Reads the cube and sums it: the time of the memory access alone. */
static __global__ void
read_kernel (const uint4 *samples, gsize n, unsigned *out)
{
  unsigned sum = 0;

  for (gsize i = (gsize) blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (gsize) gridDim.x * blockDim.x)
    {
      uint4 v = __ldcs (samples + i);
      sum += v.x ^ v.y ^ v.z ^ v.w;
    }
  if (sum == 0x12345678u)
    *out = sum;
}

static void
launch_read (const LifetimeCube *cube, const VgLifetimePlan *, const float *, float *sums, gsize,
             cudaStream_t stream)
{
  read_kernel<<<132 * 16, 512, 0, stream>>> ((const uint4 *) cube->samples,
                                             cube->pitch * cube->bins / 16, (unsigned *) sums);
}

static void
print_row (VgBench *, const VgBenchRow *row)
{
  printf ("%-28s %9.4f %-4s limit %9.4f  %s\n", row->id, row->value, row->unit, row->limit,
          row->work);
}

static double
time_runs (VgBench *, void (*run) (gpointer data), gpointer data, int min_runs)
{
  double best = 1e9;

  for (int i = 0; i < min_runs + 10; i++)
    {
      gint64 start = g_get_monotonic_time ();
      run (data);
      best = MIN (best, (double) (g_get_monotonic_time () - start) * 1e-6);
    }
  return best;
}

int
main (void)
{
  static const struct
  {
    const char *name;
    Launch launch;
  } forms[] = {
    { "read only", launch_read },
#define FORM(px, batch, threads)                                                                   \
  { #px " px, " #batch " stages, " #threads " threads",                                            \
    lifetime_launch_pass<guint16, px, batch, threads> }
    FORM (8, 4, 64),
    FORM (8, 8, 64),
    FORM (8, 16, 64),
    FORM (8, 8, 128),
    FORM (4, 8, 64),
    FORM (4, 8, 256),
    FORM (4, 16, 128),
    FORM (4, 16, 256),
  };
  VgLifetimeParams params = {};
  VgImageInfo info = {};
  VgLifetimePlan plan = {};
  const gsize n = (gsize) SIDE * SIDE, bytes = n * BINS * sizeof (guint16);
  guint8 *cubes[2];
  float *sums, *weights;
  LifetimeCube cube = {};

  info.width = info.height = SIDE;
  info.bins = BINS;
  info.slices = info.channels = 1;
  info.type = VG_U16;
  params.bin_width_ns = 0.1f;
  params.harmonic = 1;
  params.iem_gate_ns = 1.6f;
  params.rld_gate_ns = 6.4f;
  params.range = VG_LIFETIME_RANGE_MANUAL;
  vg_lifetime_plan_make (&plan, &params, &info, NULL, NULL);
  guint16 *host = (guint16 *) g_malloc (bytes);
  for (gsize i = 0; i < n * BINS; i++)
    host[i] = (guint16) ((i * 2654435761u) >> 24 & 63);
  for (int i = 0; i < 2; i++)
    {
      cudaMalloc (&cubes[i], bytes);
      cudaMemcpy (cubes[i], host, bytes, cudaMemcpyHostToDevice);
    }
  cudaMalloc (&sums, n * VG_LIFETIME_N_SUMS * sizeof (float));
  cudaMalloc (&weights, (gsize) BINS * VG_LIFETIME_WEIGHT_STRIDE * sizeof (float));
  cudaMemcpy (weights, plan.weights, (gsize) BINS * VG_LIFETIME_WEIGHT_STRIDE * sizeof (float),
              cudaMemcpyHostToDevice);
  cube = { cubes[0], n * sizeof (guint16), n, SIDE, SIDE, 1, BINS, VG_U16, 65535.0f };
  for (auto &form : forms)
    printf ("%-32s %8.1f us\n", form.name,
            time_form (form.launch, &cube, cubes[1], &plan, weights, sums, n));
  VgBench bench = { print_row, time_runs };
  VgContext context = {};
  vg_lifetime_bench_cuda (&context, &bench);
  return 0;
}
