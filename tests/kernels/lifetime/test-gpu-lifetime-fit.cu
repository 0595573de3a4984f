/* SPDX-License-Identifier: MIT */
/* The GPU fits compared with the CPU fits: the same minimum for every kind of fit, sample type
 * and odd size.  With -m perf: their times. */
#include "tests/kernels/lifetime/support/lifetime-fit-fixture.h"
#include "kernels/lifetime/fit/lifetime-fit.cuh"

#define SEED 20160117u

typedef enum { PIXELS, SEGMENTS, IMAGE } Kind;
static const char *const kinds[] = { "pixels", "segments", "image" };

static void
check (cudaError_t status)
{
  g_assert_cmpstr (cudaGetErrorString (status), ==, cudaGetErrorString (cudaSuccess));
}

template <typename T>
static T *
upload (const T *data, gsize n)
{
  T *copy = NULL;

  if (data == NULL || n == 0)
    return NULL;
  check (cudaMalloc ((void **) &copy, n * sizeof (T)));
  check (cudaMemcpy (copy, data, n * sizeof (T), cudaMemcpyHostToDevice));
  return copy;
}

/* The device memory of a fixture. */
typedef struct
{
  VgLifetimeFit fit;
  VgLifetimeCube cube;
  VgLifetimeFitMaps maps;
  /* the first of them are maps */
  float *more[LIFETIME_IMAGE_PLANES], *image[LIFETIME_IMAGE_PLANES];
  void *sums;
} Device;

static void
device_start (Device *self, const FitFixture *fixture)
{
  gsize size = vg_type_size (fixture->cube.type),
        samples = (gsize) fixture->fit.end * fixture->cube.bin_stride;

  self->fit = fixture->fit;
  self->cube = fixture->cube;
  self->cube.samples = upload ((const guint8 *) fixture->cube.samples, samples * size);
  self->cube.mask = upload (fixture->cube.mask, fixture->cube.pixels);
  self->fit.irf = upload (fixture->fit.irf, (gsize) fixture->fit.period);
  self->fit.nodes = upload (fixture->fit.nodes, (gsize) (fixture->fit.end - fixture->fit.first) *
                                                    VG_LIFETIME_NODES * 2);
  for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
    {
      check (cudaMalloc ((void **) &self->maps.plane[i], fixture->cube.pixels * sizeof (float)));
      check (cudaMemset (self->maps.plane[i], 0x5a, fixture->cube.pixels * sizeof (float)));
    }
  check (cudaMalloc (&self->sums, lifetime_fit_image_bytes (self->cube.pixels)));
  for (int i = 0; i < lifetime_fit_image_planes (&self->fit); i++)
    {
      if (i >= VG_LIFETIME_FIT_N_PLANES)
        check (cudaMalloc ((void **) &self->more[i], self->cube.pixels * sizeof (float)));
      self->image[i] = self->more[i] != NULL ? self->more[i] : self->maps.plane[i];
    }
}

static void
device_clear (Device *self)
{
  cudaFree ((void *) self->cube.samples);
  cudaFree ((void *) self->cube.mask);
  cudaFree ((void *) self->fit.irf);
  cudaFree ((void *) self->fit.nodes);
  cudaFree (self->sums);
  for (float *plane : self->more)
    cudaFree (plane);
  for (int i = 0; i < VG_LIFETIME_FIT_N_PLANES; i++)
    cudaFree (self->maps.plane[i]);
}

static void
device_run (const Device *self, Kind kind, gsize width)
{
  g_autoptr (GError) error = NULL;

  if (kind == PIXELS)
    lifetime_fit_pixels (&self->fit, &self->cube, &self->maps, NULL, &error);
  else if (kind == SEGMENTS)
    lifetime_fit_segments (&self->fit, &self->cube, width, &self->maps, NULL, &error);
  else
    lifetime_fit_image (&self->fit, &self->cube, self->image, self->sums, &self->maps, NULL,
                        &error);
  g_assert_no_error (error);
}

static void
cpu_run (FitFixture *fixture, Kind kind, gsize width)
{
  if (kind == PIXELS)
    vg_lifetime_fit_pixels (&fixture->fit, &fixture->cube, 0, &fixture->maps);
  else if (kind == SEGMENTS)
    vg_lifetime_global_segments (&fixture->fit, &fixture->cube, width, 0, &fixture->maps);
  else
    g_assert_true (fixture_global (fixture, 0));
}

/* The number of pixels whose minima differ by more than 1e-4, or that only one backend has. */
static gsize
compare (const FitFixture *fixture, const Device *device, const char *what)
{
  gsize n = fixture->cube.pixels, differ = 0, failed_here = 0, failed_there = 0, lower = 0;
  g_autofree float *status = g_new (float, n), *deviance = g_new (float, n),
                   *tau = g_new (float, n);
  double worst = 0;

  check (cudaMemcpy (status, device->maps.plane[VG_LIFETIME_FIT_STATUS], n * sizeof (float),
                     cudaMemcpyDeviceToHost));
  check (cudaMemcpy (deviance, device->maps.plane[VG_LIFETIME_FIT_DEVIANCE], n * sizeof (float),
                     cudaMemcpyDeviceToHost));
  check (cudaMemcpy (tau, device->maps.plane[VG_LIFETIME_FIT_LIFETIME_1], n * sizeof (float),
                     cudaMemcpyDeviceToHost));
  for (gsize i = 0; i < n; i++)
    {
      float a = fixture->maps.plane[VG_LIFETIME_FIT_DEVIANCE][i], b = deviance[i],
            s = fixture->maps.plane[VG_LIFETIME_FIT_STATUS][i];

      g_assert_cmpint ((int) s == VG_LIFETIME_FIT_SKIPPED, ==,
                       (int) status[i] == VG_LIFETIME_FIT_SKIPPED);
      failed_here += (int) s == VG_LIFETIME_FIT_FAILED;
      failed_there += (int) status[i] == VG_LIFETIME_FIT_FAILED;
      if (isnan (a) && isnan (b))
        continue;
      if (!(fabsf (a - b) <= 1e-4f * fmaxf (a, 1)))
        {
          differ++;
          lower += b < a;
        }
      else
        worst = MAX (worst, fabs (tau[i] / fixture->maps.plane[VG_LIFETIME_FIT_LIFETIME_1][i] - 1));
    }
  g_test_message (
      "%s: %zu of %zu differ (%zu lower on the GPU), failed %zu and %zu, worst lifetime %.2g", what,
      differ, n, lower, failed_here, failed_there, worst);
  g_assert_cmpuint (failed_there, <=, failed_here + n / 10000);
  return differ;
}

static const Decay shapes[] = {
  { 1, { 2.2 }, { 1 }, 0, 0, 1500, FALSE, 256, 256, 0.1 },
  { 1, { 2.2 }, { 1 }, 0, 0.5, 1500, FALSE, 256, 256, 0.1 },
  { 1, { 2.2 }, { 1 }, 0, 0, 1500, TRUE, 131, 250, 0.1 },
  { 1, { 2.2 }, { 1 }, 0, 0.5, 1500, TRUE, 250, 250, 0.05 },
  { 2, { 0.5, 2.5 }, { 0.6, 0.4 }, 0, 0, 2000, FALSE, 257, 257, 0.1 },
  { 2, { 0.5, 2.5 }, { 0.6, 0.4 }, 0, 0.5, 2000, FALSE, 256, 256, 0.1 },
  { 2, { 0.5, 2.5 }, { 0.6, 0.4 }, 0, 0, 2000, TRUE, 256, 256, 0.05 },
  { 2, { 0.5, 2.5 }, { 0.6, 0.4 }, 0, 0.5, 2000, TRUE, 256, 320, 0.04 },
  { 3, { 0.3, 1, 4 }, { 0.4, 0.4, 0.2 }, 0, 0, 1e5, FALSE, 256, 256, 0.1 },
  { 3, { 0.3, 1, 4 }, { 0.4, 0.4, 0.2 }, 0, 5, 1e5, TRUE, 256, 256, 0.1 },
  { 0, { 2 }, { 1 }, 0.7, 0, 20000, FALSE, 100, 100, 0.2 },
  { 0, { 2 }, { 1 }, 0.7, 1, 20000, FALSE, 100, 100, 0.2 },
};

static void
test_shapes (void)
{
  const gsize width = 67, n = 67 * 61;
  GRand *rand = g_rand_new_with_seed (SEED);

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      g_autofree guint16 *samples = g_new (guint16, (gsize) shapes[s].bins * n);
      g_autofree guint8 *mask = (guint8 *) g_malloc (n);

      fixture_fill (&shapes[s], rand, samples, n, 0, n);
      for (gsize i = 0; i < n; i++)
        mask[i] = i % 11 != 3;
      for (int estimator = VG_LIFETIME_DEVIANCE; estimator <= VG_LIFETIME_NEYMAN; estimator++)
        {
          FitFixture fixture;
          Device device = {};
          gsize differ = 0;

          fixture_start (&fixture, &shapes[s], (VgLifetimeEstimator) estimator,
                         shapes[s].offset > 0, n);
          fixture_cube (&fixture, samples, VG_U16, n);
          fixture.cube.mask = mask;
          device_start (&device, &fixture);
          for (int kind = PIXELS;
               kind <= (shapes[s].terms > 0 && shapes[s].terms < 3 ? IMAGE : PIXELS); kind++)
            {
              g_autofree char *what = g_strdup_printf ("shape %u estimator %d %s", s, estimator,
                                                       kinds[kind]);

              cpu_run (&fixture, (Kind) kind, width);
              device_run (&device, (Kind) kind, width);
              differ = compare (&fixture, &device, what);
              /* Three lifetimes have several minima, so either backend may find the lower one. */
              g_assert_cmpuint (differ, <=,
                                shapes[s].terms == 3                     ? n / 50
                                : shapes[s].terms == 2 && kind == PIXELS ? 1 + n / 2000
                                                                         : n / 10000);
            }
          device_clear (&device);
          fixture_clear (&fixture);
        }
    }
  g_rand_free (rand);
}

static void
test_sizes (void)
{
  static const gsize sizes[][2] = { { 1, 1 }, { 7, 13 }, { 33, 1 }, { 127, 3 } };
  static const VgType types[] = { VG_U8, VG_U16, VG_U32, VG_F32 };
  GRand *rand = g_rand_new_with_seed (SEED + 1);

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      for (int kind = PIXELS; kind <= IMAGE; kind++)
        {
          gsize n = sizes[s][0] * sizes[s][1], samples = n * 97;
          Decay decay = { 2, { 0.5, 2.5 }, { 0.6, 0.4 }, 0, 0, 1000, FALSE, 97, 97, 0.2 };
          g_autofree guint16 *counts = g_new (guint16, samples);
          g_autofree guint8 *typed = (guint8 *) g_malloc (samples * 4);
          FitFixture fixture;
          Device device = {};

          fixture_fill (&decay, rand, counts, n, 0, n);
          for (gsize i = 0; i < samples; i++)
            switch (types[t])
              {
              case VG_U8:
                typed[i] = (guint8) counts[i];
                break;
              case VG_U16:
                ((guint16 *) typed)[i] = counts[i];
                break;
              case VG_U32:
                ((guint32 *) typed)[i] = counts[i];
                break;
              default:
                ((float *) typed)[i] = counts[i];
                break;
              }
          fixture_start (&fixture, &decay, VG_LIFETIME_DEVIANCE, FALSE, n);
          fixture_cube (&fixture, typed, types[t], n);
          device_start (&device, &fixture);
          cpu_run (&fixture, (Kind) kind, sizes[s][0]);
          device_run (&device, (Kind) kind, sizes[s][0]);
          g_assert_cmpuint (compare (&fixture, &device, kinds[kind]), <=, n / 100);
          device_clear (&device);
          fixture_clear (&fixture);
        }
  g_rand_free (rand);
}

static double
device_ms (const Device *device, Kind kind, gsize width)
{
  cudaEvent_t start, end;
  float ms = 0, best = FLT_MAX;

  check (cudaEventCreate (&start));
  check (cudaEventCreate (&end));
  for (int i = 0; i < 6; i++)
    {
      check (cudaEventRecord (start));
      device_run (device, kind, width);
      check (cudaEventRecord (end));
      check (cudaEventSynchronize (end));
      check (cudaEventElapsedTime (&ms, start, end));
      best = MIN (best, ms);
    }
  cudaEventDestroy (start);
  cudaEventDestroy (end);
  return best;
}

/* 512 x 512 x 256: the pixels of a few rows of each bar, repeated. */
static void
time_shape (const char *name, const Decay *bars, Kind kind, gboolean free_offset,
            VgLifetimeEstimator estimator, gboolean check_all)
{
  const gsize side = 512, n = side * side, made = side * 16;
  g_autofree guint16 *few = g_new (guint16, 256 * made), *samples = g_new (guint16, 256 * n);
  GRand *rand = g_rand_new_with_seed (SEED + 2);
  FitFixture fixture;
  Device device = {};

  for (gsize i = 0; i < 4; i++)
    fixture_fill (&bars[i], rand, few, made, i * made / 4, made / 4);
  g_rand_free (rand);
  for (gsize j = 0; j < 256; j++)
    for (gsize i = 0; i < n; i++)
      samples[j * n + i] = few[j * made + i % made];
  fixture_start (&fixture, &bars[0], estimator, free_offset, n);
  fixture_cube (&fixture, samples, VG_U16, n);
  device_start (&device, &fixture);
  g_test_message ("TIME %s, %s: %.3f ms", name, kinds[kind], device_ms (&device, kind, side));
  if (check_all)
    {
      cpu_run (&fixture, kind, side);
      g_assert_cmpuint (compare (&fixture, &device, name), <=, n / 10000);
    }
  device_clear (&device);
  fixture_clear (&fixture);
}

static void
test_speed (void)
{
  Decay mono[4], bi[4];

  if (!g_test_perf ())
    {
      g_test_skip ("run with -m perf");
      return;
    }
  for (int i = 0; i < 4; i++)
    {
      static const double tau[] = { 2, 2.5, 3, 4 }, share[] = { 0.8, 0.6, 0.4, 0.2 };

      mono[i] = { 1, { tau[i] }, { 1 }, 0, 0, 1500, FALSE, 256, 256, 0.1 };
      bi[i] = { 2, { 0.5, 2.5 }, { share[i], 1 - share[i] }, 0, 0, 2000, FALSE, 256, 256, 0.1 };
    }
  time_shape ("mono MLE", mono, PIXELS, FALSE, VG_LIFETIME_DEVIANCE, TRUE);
  time_shape ("mono Neyman", mono, PIXELS, FALSE, VG_LIFETIME_NEYMAN, FALSE);
  time_shape ("mono MLE, offset", mono, PIXELS, TRUE, VG_LIFETIME_DEVIANCE, TRUE);
  time_shape ("bi MLE", bi, PIXELS, FALSE, VG_LIFETIME_DEVIANCE, TRUE);
  time_shape ("bi MLE, offset", bi, PIXELS, TRUE, VG_LIFETIME_DEVIANCE, FALSE);
  time_shape ("bi MLE", bi, SEGMENTS, FALSE, VG_LIFETIME_DEVIANCE, TRUE);
  time_shape ("bi MLE", bi, IMAGE, FALSE, VG_LIFETIME_DEVIANCE, FALSE);
  for (int i = 0; i < 4; i++)
    mono[i].irf = bi[i].irf = TRUE;
  time_shape ("mono MLE, IRF", mono, PIXELS, FALSE, VG_LIFETIME_DEVIANCE, FALSE);
  time_shape ("bi MLE, IRF", bi, PIXELS, FALSE, VG_LIFETIME_DEVIANCE, FALSE);
  time_shape ("bi MLE, IRF", bi, SEGMENTS, FALSE, VG_LIFETIME_DEVIANCE, FALSE);
}

int
main (int argc, char **argv)
{
  int devices = 0;

  g_test_init (&argc, &argv, NULL);
  if (cudaGetDeviceCount (&devices) != cudaSuccess || devices == 0)
    return 77;
  g_test_add_func ("/gpu/lifetime-fit/sizes", test_sizes);
  g_test_add_func ("/gpu/lifetime-fit/shapes", test_shapes);
  g_test_add_func ("/gpu/lifetime-fit/speed", test_speed);
  return g_test_run ();
}
