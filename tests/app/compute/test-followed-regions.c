/* SPDX-License-Identifier: MIT */
/* Regions of planes in device memory, of a device that is host memory: they have the statistics of
 * the same planes in host memory, and few samples are copied for them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "app/compute/vg-followed-regions.h"
#include "kernels/base/vg-error.h"
#include "tests/support/sanitized.h"

static struct
{
  int downloads, quartiles;
  gsize samples, largest; /* of all downloads, and of one */
} calls;

static gboolean
download (const VgPlane *plane, float *host, GError **error)
{
  gsize n = (gsize) plane->width * (gsize) plane->height * (gsize) plane->slices;

  g_assert_cmpint (plane->place, ==, VG_DEVICE);
  memcpy (host, plane->data, n * sizeof (float));
  calls.downloads++;
  calls.samples += n;
  calls.largest = MAX (calls.largest, n);
  return TRUE;
}

static gboolean
region_statistics (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1, int y1,
                   int slice, VgRegionStatistics *statistics, GError **error)
{
  vg_region_statistics_compute (statistics, plane, mask, x0, y0, x1, y1, slice);
  return TRUE;
}

static gboolean
region_quartiles (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1, int y1,
                  int slice, VgRegionStatistics *statistics, GError **error)
{
  vg_region_statistics_add_quartiles (statistics, plane, mask, x0, y0, x1, y1, slice, 0);
  calls.quartiles++;
  return TRUE;
}

static const VgCuda cuda = { .download = download,
                             .region_statistics = region_statistics,
                             .region_quartiles = region_quartiles };

/* 0 to 1, without 0 */
static double
scatter (gsize i)
{
  return ((guint32) (i * 2654435761u) / 256 + 1) / 16777217.0;
}

static VgPlane
on_device (VgPlane plane)
{
  plane.place = VG_DEVICE;
  return plane;
}

static void
measure (VgFollowedRegions *followed, guint i, const VgPlane *plane, const VgPlane *numerator,
         guint moment, gboolean exact, VgRegionStatistics *statistics)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (
      vg_followed_regions_compute (followed, i, plane, &cuda, moment, statistics, &error));
  if (numerator != NULL)
    g_assert_true (
        vg_followed_regions_set_ratio (followed, i, plane, numerator, &cuda, statistics, &error));
  g_assert_true (vg_followed_regions_add_quartiles (followed, i, plane, &cuda, exact, FALSE,
                                                    statistics, &error));
  g_assert_no_error (error);
}

static void
measure_ratio (VgFollowedRegions *followed, guint i, const VgPlane *plane, const VgPlane *numerator,
               guint moment, VgRegionStatistics *statistics)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (
      vg_followed_regions_compute (followed, i, plane, &cuda, moment, statistics, &error));
  g_assert_true (
      vg_followed_regions_set_ratio (followed, i, plane, numerator, &cuda, statistics, &error));
  g_assert_no_error (error);
}

static void
assert_equal (const VgRegionStatistics *a, const VgRegionStatistics *b)
{
  g_assert_cmpuint (a->valid, ==, b->valid);
  g_assert_cmpfloat (a->mean, ==, b->mean);
  g_assert_cmpfloat (a->q25, ==, b->q25);
  g_assert_cmpfloat (a->median, ==, b->median);
  g_assert_cmpfloat (a->q75, ==, b->q75);
}

/* The rows of a region are copied once in a frame, and anew in the next, which is in the same
 * memory. */
static void
test_device (void)
{
  enum { WIDTH = 40, HEIGHT = 30, SLICES = 2, N = WIDTH * HEIGHT * SLICES };
  const VgRegion regions[] = {
    { .kind = VG_REGION_ELLIPSE, .n_points = 2, .slice = 1, .x = { 12, 9 }, .y = { 14, 11 } },
    { .kind = VG_REGION_POLYGON, .n_points = 3, .x = { 3, 39, 20 }, .y = { 2, 9, 29 } },
  };
  VgFollowedRegions *followed = vg_followed_regions_new (regions, 2);
  float ratios[N], numerators[N];
  VgPlane ratio = { .data = ratios, .width = WIDTH, .height = HEIGHT, .slices = SLICES },
          numerator = ratio, far_ratio = on_device (ratio), far_numerator;
  VgRegionStatistics here, there;

  numerator.data = numerators;
  far_numerator = on_device (numerator);
  for (gsize frame = 0; frame < 3; frame++)
    {
      for (gsize k = 0; k < N; k++)
        {
          ratios[k] = k % 7 == 0 ? NAN : (float) (frame + 2 * scatter (k));
          numerators[k] = (float) (3 * scatter (k + N * frame));
        }
      for (guint i = 0; i < 2; i++)
        {
          measure (followed, i, &ratio, &numerator, 0, TRUE, &here);
          calls.downloads = 0;
          measure (followed, i, &far_ratio, &far_numerator, 0, TRUE, &there);
          g_assert_cmpint (calls.downloads, ==, 2);
          assert_equal (&here, &there);
          g_assert_cmpfloat (here.q25, <, here.median);
          measure (followed, i, &ratio, NULL, 0, FALSE, &here);
          g_assert_cmpfloat (here.mean, !=, there.mean);
          measure (followed, i, &far_ratio, NULL, 0, FALSE, &there);
          g_assert_cmpint (calls.downloads, ==, 3);
          assert_equal (&here, &there);
        }
    }
  vg_followed_regions_free (followed);
}

/* Of a large region some rows are copied, unless the median must be exact. */
static void
test_large (void)
{
  enum { WIDTH = 2048, HEIGHT = 2060 };
  const gsize n = (gsize) WIDTH * HEIGHT;
  const VgRegion region = { .kind = VG_REGION_ELLIPSE,
                            .n_points = 2,
                            .x = { WIDTH / 2, WIDTH / 2 },
                            .y = { HEIGHT / 2, HEIGHT / 2 } };
  VgFollowedRegions *followed = vg_followed_regions_new (&region, 1);
  g_autofree float *values = g_new (float, n);
  VgPlane plane = { .data = values, .width = WIDTH, .height = HEIGHT, .slices = 1 },
          far_plane = on_device (plane);
  VgRegionStatistics here, there;

  for (gsize i = 0; i < n; i++)
    {
      double x = (double) (i % WIDTH) + 0.5, y = (double) (i / WIDTH) + 0.5;

      values[i] = vg_region_contains (&region, x, y) ? (float) -log (scatter (i)) : 1000;
    }
  measure (followed, 0, &plane, NULL, 0, FALSE, &here);
  calls.downloads = calls.quartiles = 0;
  calls.samples = 0;
  measure (followed, 0, &far_plane, NULL, 0, FALSE, &there);
  g_assert_cmpfloat_with_epsilon (there.q25, here.q25, 0.02);
  g_assert_cmpfloat_with_epsilon (there.median, here.median, 0.02);
  g_assert_cmpfloat_with_epsilon (there.q75, here.q75, 0.02);
  g_assert_true (vg_region_statistics_is_skewed (&here));
  g_assert_true (vg_region_statistics_is_skewed (&there));
  g_assert_cmpint (calls.quartiles, ==, 0);
  g_assert_cmpint (calls.downloads, <=, 512);
  g_assert_cmpuint (calls.samples, <=, 1 << 22);

  /* exact quartiles copy nothing */
  calls.downloads = 0;
  measure (followed, 0, &far_plane, NULL, 0, TRUE, &there);
  measure (followed, 0, &plane, NULL, 0, TRUE, &here);
  g_assert_cmpint (calls.downloads, ==, 0);
  g_assert_cmpint (calls.quartiles, ==, 1);
  g_assert_cmpfloat (there.median, ==, here.median);
  g_assert_cmpfloat (there.q25, ==, here.q25);
  g_assert_cmpfloat (there.q75, ==, here.q75);

  /* a row that is not among those copied has all values */
  for (gsize i = 0; i < n; i++)
    values[i] = i / WIDTH == HEIGHT / 2 + 1 ? 3 : NAN;
  measure (followed, 0, &far_plane, NULL, 0, FALSE, &there);
  g_assert_cmpint (calls.quartiles, ==, 2);
  g_assert_cmpfloat (there.median, ==, 3);
  vg_followed_regions_free (followed);
}

/* The means of a ratio are ratios of sums for regions of every size.  In a moment each row that a
 * region has is copied once from each of the two planes, in small parts, and the next moment has
 * its own samples. */
static void
test_large_ratio (void)
{
  enum { WIDTH = 2048, HEIGHT = 2200, ROWS = 2180, MOST = 1 << 22 };
  const gsize n = (gsize) WIDTH * HEIGHT;
  const VgRegion regions[] = {
    { .kind = VG_REGION_ELLIPSE, .n_points = 2, .x = { 900, 880 }, .y = { 1100, 1080 } },
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 3, 9 }, .y = { 2000, 2150 } },
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 2000, 2040 }, .y = { 5, 10 } },
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 2048 }, .y = { 0, 2100 } },
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { -20, -10 }, .y = { 2180, 2190 } },
  };
  VgFollowedRegions *followed = vg_followed_regions_new (regions, G_N_ELEMENTS (regions)),
                    *local = vg_followed_regions_new (regions, G_N_ELEMENTS (regions));
  VgRegionStatistics here, there;
  g_autofree float *ratios = g_new (float, n), *numerators = g_new (float, n);
  VgPlane ratio = { .data = ratios, .width = WIDTH, .height = HEIGHT, .slices = 1 },
          numerator = ratio, far_ratio = on_device (ratio), far_numerator;

  numerator.data = numerators;
  far_numerator = on_device (numerator);
  for (guint moment = 1; moment < 3; moment++)
    {
      for (gsize i = 0; i < n; i++)
        {
          ratios[i] = i % 11 == 0 ? NAN : (float) (0.1 + scatter (i + moment));
          numerators[i] = (float) (moment * (1 + scatter (i * 3)));
        }
      calls.samples = calls.largest = 0;
      for (int again = 0; again < 2; again++)
        for (guint i = 0; i < G_N_ELEMENTS (regions); i++)
          {
            measure_ratio (followed, i, &far_ratio, &far_numerator, moment, &there);
            measure_ratio (local, i, &ratio, &numerator, 0, &here);
            g_assert_cmpuint (there.valid, ==, here.valid);
            g_assert_true (there.mean == here.mean || (isnan (there.mean) && isnan (here.mean)));
            g_assert_true ((there.valid == 0) == (i == 4));
          }
      g_assert_cmpuint (calls.samples, ==, 2 * ROWS * WIDTH);
      g_assert_cmpuint (calls.largest, <=, MOST);
      measure_ratio (followed, 3, &far_ratio, &far_numerator, moment, &there);
      g_assert_cmpfloat (
          there.mean, ==,
          vg_region_statistics_get_ratio (&ratio, &numerator, NULL, 0, 0, WIDTH, 2100, 0));
    }
  vg_followed_regions_free (followed);
  vg_followed_regions_free (local);
}

static void
test_no_memory (void)
{
#if SANITIZED
  g_test_skip ("the address space of a sanitizer cannot be limited");
#else
  enum { SIDE = 2048 };
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, SIDE }, .y = { 0, SIDE }
  };
  VgFollowedRegions *followed = vg_followed_regions_new (&region, 1);
  g_autofree float *values = g_new0 (float, SIDE *SIDE);
  VgPlane plane = {
    .place = VG_DEVICE, .data = values, .width = SIDE, .height = SIDE, .slices = 1
  };
  VgRegionStatistics statistics;
  struct rlimit before, small;
  GError *errors[2] = { NULL };
  gboolean ok[2];
  unsigned long pages = 0;
  FILE *file = fopen ("/proc/self/statm", "r");

  g_assert_true (vg_followed_regions_compute (followed, 0, &plane, &cuda, 0, &statistics, NULL));
  g_assert_true (file != NULL && fscanf (file, "%lu", &pages) == 1);
  fclose (file);
  g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
  small = before;
  small.rlim_cur = (rlim_t) pages * (rlim_t) sysconf (_SC_PAGESIZE) + (4 << 20);
  g_assert_cmpint (setrlimit (RLIMIT_AS, &small), ==, 0);
  ok[0] = vg_followed_regions_set_ratio (followed, 0, &plane, &plane, &cuda, &statistics,
                                         &errors[0]);
  ok[1] = vg_followed_regions_add_quartiles (followed, 0, &plane, &cuda, TRUE, FALSE, &statistics,
                                             &errors[1]);
  g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
  for (int i = 0; i < 2; i++)
    {
      g_assert_false (ok[i]);
      g_assert_error (errors[i], VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);
      g_clear_error (&errors[i]);
    }
  measure (followed, 0, &plane, NULL, 0, TRUE, &statistics); /* and then there is */
  g_assert_cmpfloat (statistics.median, ==, 0);
  vg_followed_regions_free (followed);
#endif
}

/* A region in every slice has the statistics of all its voxels, also on the device. */
static void
test_every_slice (void)
{
  enum { WIDTH = 12, HEIGHT = 9, SLICES = 4, N = WIDTH * HEIGHT * SLICES };
  const VgRegion regions[] = {
    { .kind = VG_REGION_RECTANGLE,
      .n_points = 2,
      .slice = VG_REGION_EVERY_SLICE,
      .x = { 2, 5 },
      .y = { 3, 7 } },
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .slice = 2, .x = { 2, 5 }, .y = { 3, 7 } },
  };
  VgFollowedRegions *followed = vg_followed_regions_new (regions, 2);
  float samples[N], numerators[N], inside[N];
  VgPlane plane = { .data = samples, .width = WIDTH, .height = HEIGHT, .slices = SLICES },
          numerator = plane, far = on_device (plane), far_numerator,
          all = { .data = inside, .height = 1, .slices = 1 };
  VgRegionStatistics here, there, expected, slice;
  double sums[2] = { 0 };

  numerator.data = numerators;
  far_numerator = on_device (numerator);
  for (gsize k = 0; k < N; k++)
    {
      int x = (int) k % WIDTH, y = (int) k / WIDTH % HEIGHT;

      samples[k] = (float) (1 + scatter (k));
      numerators[k] = (float) (3 * scatter (k + N));
      if (x < 2 || x >= 5 || y < 3 || y >= 7)
        continue;
      inside[all.width++] = samples[k];
      sums[0] += (double) numerators[k];
      sums[1] += (double) numerators[k] / (double) samples[k];
    }
  g_assert_cmpint (all.width, ==, SLICES * 12);
  vg_region_statistics_compute (&expected, &all, NULL, 0, 0, all.width, 1, 0);
  vg_region_statistics_add_quartiles (&expected, &all, NULL, 0, 0, all.width, 1, 0, 0);
  measure (followed, 0, &plane, NULL, 0, TRUE, &here);
  g_assert_cmpuint (here.valid, ==, (guint64) all.width);
  g_assert_cmpfloat_with_epsilon (here.mean, expected.mean, 1e-9);
  g_assert_cmpfloat (here.q25, ==, expected.q25);
  g_assert_cmpfloat (here.median, ==, expected.median);
  measure (followed, 0, &far, NULL, 0, TRUE, &there);
  assert_equal (&here, &there);
  measure (followed, 0, &plane, &numerator, 0, TRUE, &here);
  g_assert_cmpfloat_with_epsilon (here.mean, sums[0] / sums[1], 1e-6);
  measure (followed, 0, &far, &far_numerator, 0, TRUE, &there);
  assert_equal (&here, &there);
  measure (followed, 1, &plane, NULL, 0, TRUE, &slice);
  g_assert_cmpuint (slice.valid, ==, 12);
  vg_followed_regions_free (followed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/followed-regions/device", test_device);
  g_test_add_func ("/followed-regions/every-slice", test_every_slice);
  g_test_add_func ("/followed-regions/large", test_large);
  g_test_add_func ("/followed-regions/large-ratio", test_large_ratio);
  g_test_add_func ("/followed-regions/no-memory", test_no_memory);
  return g_test_run ();
}
