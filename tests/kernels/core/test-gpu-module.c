/* SPDX-License-Identifier: MIT */
/* The functions of the CUDA module against their host twins, on planes with
 * NaN and infinities, at awkward sizes; and errors that leave nothing behind. */
#include <math.h>
#include <string.h>
#include "tests/support/device-plane.h"
#include "tests/support/gpu-begin.h"
#include "kernels/core/vg-cuda.h"

static const VgCuda *cuda;
static const int sizes[][3] = {
  { 1, 1, 1 }, { 1, 517, 1 }, { 700, 1, 2 }, { 37, 23, 3 }, { 1393, 1041, 1 }
};

/* Mostly in 0..1, some far outside, some not valid. */
static float *
new_samples (gsize n)
{
  float *samples = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    {
      int kind = g_test_rand_int_range (0, 100);

      samples[i] = (float) g_test_rand_double ();
      if (kind == 0)
        samples[i] = NAN;
      else if (kind == 1)
        samples[i] = g_test_rand_bit () ? INFINITY : -INFINITY;
      else if (kind == 2)
        samples[i] *= 1e6f;
    }
  return samples;
}

static void
assert_near (double a, double b, double tolerance)
{
  if (isnan (a) != isnan (b) || fabs (a - b) > tolerance * fabs (b))
    g_error ("%.17g where the host has %.17g", a, b);
}

static void
test_devices (void)
{
  g_autoptr (GError) error = NULL;
  int n = cuda->device_count (&error);
  VgCudaDevice info;

  g_assert_no_error (error);
  g_assert_cmpint (n, >, 0);
  for (int i = 0; i < n; i++)
    {
      g_assert_true (cuda->device_info (i, &info, &error));
      g_assert_cmpuint (strlen (info.name), >, 0);
      g_assert_cmpuint (info.memory_total, >=, info.memory_free);
      g_assert_cmpint (info.multiprocessors, >, 0);
      g_assert_cmpint (info.compute_major, >=, 7);
    }
  g_assert_false (cuda->device_info (n, &info, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_true (cuda->device_info (0, &info, &error)); /* the failure left nothing behind */
  g_assert_null (cuda->engine ("no such operation"));
}

static void
test_host_memory (void)
{
  g_autoptr (GError) error = NULL;
  gpointer memory = cuda->host_alloc (1 << 20, &error);

  g_assert_no_error (error);
  memset (memory, 1, 1 << 20);
  cuda->host_free (memory);
  g_assert_null (cuda->host_alloc ((gsize) 1 << 50, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY);
  g_clear_error (&error);
  memory = cuda->host_alloc (1, &error);
  g_assert_no_error (error);
  cuda->host_free (memory);
}

static void
check_statistics (const VgPlane *device, const VgPlane *host, int slice)
{
  g_autoptr (GError) error = NULL;
  VgStatistics a, b;

  g_assert_true (cuda->statistics (device, slice, &a, &error));
  g_assert_no_error (error);
  vg_statistics_compute (&b, host, slice, 2);
  g_assert_cmpuint (a.valid, ==, b.valid);
  g_assert_cmpuint (a.invalid, ==, b.invalid);
  assert_near (a.min, b.min, 0);
  assert_near (a.max, b.max, 0);
  assert_near (a.mean, b.mean, 1e-12);
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    g_assert_cmpuint (a.histogram[i], ==, b.histogram[i]);
  g_assert_cmpuint (a.weight, ==, 0);
  g_assert_true (cuda->count_octaves (device, slice, &a, &error));
  g_assert_no_error (error);
  vg_statistics_count_octaves (&b, host, slice, 2);
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    g_assert_cmpuint (a.octaves[i], ==, b.octaves[i]);
  for (double q = 0; q <= 1; q += 0.1)
    assert_near (vg_statistics_log_quantile (&a, q), vg_statistics_log_quantile (&b, q), 0);
  /* by its own brightness, between a third and two thirds */
  g_assert_true (cuda->weigh (device, device, slice,
                              (const double[]){ (2 * b.min + b.max) / 3, (b.min + 2 * b.max) / 3 },
                              &a, &error));
  g_assert_no_error (error);
  vg_statistics_weigh (&b, host, host, slice,
                       (const double[]){ (2 * b.min + b.max) / 3, (b.min + 2 * b.max) / 3 }, 2);
  g_assert_cmpuint (a.weight, ==, b.weight);
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    g_assert_cmpuint (a.weighed[i], ==, b.weighed[i]);
}

static void
check_region (const VgPlane *device, const VgPlane *host, const guint8 *mask, int x0, int y0,
              int x1, int y1, int slice)
{
  g_autoptr (GError) error = NULL;
  VgRegionStatistics a, b;

  g_assert_true (cuda->region_statistics (device, mask, x0, y0, x1, y1, slice, &a, &error));
  g_assert_no_error (error);
  vg_region_statistics_compute (&b, host, mask, x0, y0, x1, y1, slice);
  g_assert_cmpuint (a.valid, ==, b.valid);
  g_assert_cmpuint (a.invalid, ==, b.invalid);
  assert_near (a.min, b.min, 0);
  assert_near (a.max, b.max, 0);
  assert_near (a.mean, b.mean, 1e-12);
  assert_near (a.sd, b.sd, 1e-9);
  g_assert_true (isnan (a.q25) && isnan (a.median) && isnan (a.q75));
  g_assert_true (cuda->region_quartiles (device, mask, x0, y0, x1, y1, slice, &a, &error));
  g_assert_no_error (error);
  vg_region_statistics_add_quartiles (&b, host, mask, x0, y0, x1, y1, slice, 0);
  assert_near (a.q25, b.q25, 0);
  assert_near (a.median, b.median, 0);
  assert_near (a.q75, b.q75, 0);
}

static void
check_regions (const VgPlane *device, const VgPlane *host, int slice)
{
  int w = host->width, h = host->height, x0 = w / 3, y0 = h / 4, x1 = MAX (x0 + 1, w - w / 5),
      y1 = MAX (y0 + 1, h - h / 7);
  g_autofree guint8 *mask = g_new (guint8, (gsize) (w + 4) * (h + 4));

  for (gsize i = 0; i < (gsize) (w + 4) * (h + 4); i++)
    mask[i] = (guint8) g_test_rand_int_range (0, 2);
  check_region (device, host, NULL, 0, 0, w, h, slice);
  check_region (device, host, NULL, x0, y0, x1, y1, slice);
  check_region (device, host, mask, x0, y0, x1, y1, slice);
  /* beyond the plane on all sides */
  check_region (device, host, mask, -2, -2, w + 2, h + 2, slice);
  check_region (device, host, NULL, w, h, w + 3, h + 3, slice); /* outside */
}

static void
test_statistics (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      int w = sizes[i][0], h = sizes[i][1], d = sizes[i][2];
      g_autofree float *samples = new_samples ((gsize) w * h * d);
      VgPlane host = { .place = VG_HOST, .data = samples, .width = w, .height = h, .slices = d },
              device;

      device_plane_init (&device, samples, w, h, d);
      for (int slice = 0; slice < d; slice++)
        {
          check_statistics (&device, &host, slice);
          check_regions (&device, &host, slice);
        }
      device_plane_clear (&device);
    }
}

/* A tenth is of another label and large, a few are noise a thousand times the rest. */
static void
test_labelled (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      int w = sizes[i][0], h = sizes[i][1], d = sizes[i][2];
      gsize n = (gsize) w * h * d;
      g_autofree float *samples = new_samples (n), *marks = g_new (float, n);
      VgPlane host = { .place = VG_HOST, .data = samples, .width = w, .height = h, .slices = d },
              labels = host, device, device_labels;
      g_autoptr (GError) error = NULL;
      VgStatistics a, b;

      labels.data = marks;
      for (gsize k = 0; k < n; k++)
        {
          marks[k] = (float) (g_test_rand_int_range (0, 10) == 0
                                  ? 2
                                  : g_test_rand_int_range (0, 9) != 0);
          samples[k] *= marks[k] == 2 ? 100 : g_test_rand_int_range (0, 1000) == 0 ? 1e6f : 1;
        }
      device_plane_init (&device, samples, w, h, d);
      device_plane_init (&device_labels, marks, w, h, d);
      for (int slice = 0; slice < d; slice++)
        {
          g_assert_true (cuda->statistics (&device, slice, &a, &error));
          g_assert_true (cuda->count_labelled (&device, &device_labels, slice, &a, &error));
          g_assert_no_error (error);
          vg_statistics_compute (&b, &host, slice, 2);
          vg_statistics_count_labelled (&b, &host, &labels, slice, 2);
          g_assert_cmpuint (a.weight, ==, b.weight);
          if (b.valid > 0)
            assert_near (a.weighed_max, b.weighed_max, 0);
          for (int k = 0; k < VG_HISTOGRAM_BINS && b.valid > 0; k++)
            g_assert_cmpuint (a.weighed[k], ==, b.weighed[k]);
        }
      device_plane_clear (&device);
      device_plane_clear (&device_labels);
    }
}

/* Nothing valid; all values equal; a range beyond a float's. */
static void
test_statistics_limits (void)
{
  static const float cases[][4] = { { NAN, NAN, INFINITY, NAN },
                                    { 2, 2, 2, 2 },
                                    { -3e38f, 2e38f, 0, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgPlane host = { .place = VG_HOST, .data = cases[i], .width = 2, .height = 2, .slices = 1 },
              device;

      device_plane_init (&device, cases[i], 2, 2, 1);
      check_statistics (&device, &host, 0);
      check_region (&device, &host, NULL, 0, 0, 2, 2, 0);
      device_plane_clear (&device);
    }
}

static void
check_probe (const VgPlane *device, const float *samples)
{
  enum { POINTS = 150 };
  g_autoptr (GError) error = NULL;
  int xyz[3 * POINTS], outside[3] = { device->width, 0, 0 };
  float values[POINTS];

  for (int i = 0; i < POINTS; i++)
    {
      xyz[3 * i] = g_test_rand_int_range (0, device->width);
      xyz[3 * i + 1] = g_test_rand_int_range (0, device->height);
      xyz[3 * i + 2] = g_test_rand_int_range (0, device->slices);
    }
  g_assert_true (cuda->probe (device, xyz, POINTS, values, &error));
  g_assert_no_error (error);
  for (int i = 0; i < POINTS; i++)
    assert_near (
        values[i],
        samples[((gsize) xyz[3 * i + 2] * device->height + xyz[3 * i + 1]) * device->width +
                xyz[3 * i]],
        0);
  g_assert_false (cuda->probe (device, outside, 1, values, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
}

/* A stored plane keeps its values when the source is overwritten; it grows. */
static void
test_planes (void)
{
  g_autoptr (GError) error = NULL;
  VgCudaPlane *stored = cuda->plane_new (0, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      int w = sizes[i][0], h = sizes[i][1], d = sizes[i][2];
      gsize n = (gsize) w * h * d;
      g_autofree float *samples = new_samples (n), *back = g_new (float, n);
      VgPlane device, copy;

      device_plane_init (&device, samples, w, h, d);
      g_assert_true (cuda->plane_store (stored, &device, &error));
      g_assert_no_error (error);
      device_plane_clear (&device);
      cuda->plane_get (stored, &copy);
      g_assert_cmpint (copy.width, ==, w);
      g_assert_cmpint (copy.slices, ==, d);
      g_assert_true (cuda->download (&copy, back, &error));
      g_assert_true (cuda->plane_ready (stored));
      g_assert_cmpint (memcmp (back, samples, n * sizeof (float)), ==, 0);
      check_probe (&copy, samples);
    }
  cuda->plane_free (stored);
}

static void
test_host_plane_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  float sample = 1, value;
  VgPlane host = { .place = VG_HOST, .data = &sample, .width = 1, .height = 1, .slices = 1 };
  VgStatistics statistics;

  g_assert_false (cuda->statistics (&host, 0, &statistics, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_false (cuda->download (&host, &value, &error));
  g_assert_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED);
}

static void
test_bandwidth (void)
{
  g_autoptr (GError) error = NULL;
  double copy, upload, download;

  g_assert_true (cuda->bandwidth (0, &copy, &upload, &download, &error));
  g_assert_no_error (error);
  g_test_message ("copy %.0f, upload %.1f, download %.1f GB/s", copy * 1e-9, upload * 1e-9,
                  download * 1e-9);
  g_assert_cmpfloat (copy, >, upload);
  g_assert_cmpfloat (upload, >, 1e9);
  g_assert_cmpfloat (download, >, 1e9);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu/module/devices", test_devices);
  g_test_add_func ("/gpu/module/host-memory", test_host_memory);
  g_test_add_func ("/gpu/module/statistics", test_statistics);
  g_test_add_func ("/gpu/module/statistics-limits", test_statistics_limits);
  g_test_add_func ("/gpu/module/labelled", test_labelled);
  g_test_add_func ("/gpu/module/planes", test_planes);
  g_test_add_func ("/gpu/module/host-plane-is-refused", test_host_plane_is_refused);
  g_test_add_func ("/gpu/bandwidth", test_bandwidth);
  return g_test_run ();
}
