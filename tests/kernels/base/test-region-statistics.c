/* SPDX-License-Identifier: MIT */
/* Ratios and quartiles of regions. */
#include "kernels/base/vg-statistics.h"
#include <math.h>

/* N samples from LOW to HIGH, of which one in ten is no number. */
static float *
random_samples (gsize n, double low, double high)
{
  float *samples = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    samples[i] = g_test_rand_int_range (0, 10) == 0 ? NAN
                                                    : (float) g_test_rand_double_range (low, high);
  return samples;
}

/* The mean of a ratio is the ratio of the sums, whatever the noise of single pixels. */
static void
test_ratio (void)
{
  g_autofree float *numerators = random_samples (33 * 21 * 2, 1, 6),
                   *ratios = random_samples (33 * 21 * 2, 2, 5);
  VgPlane ratio = { .data = ratios, .width = 33, .height = 21, .slices = 2 }, numerator = ratio;
  long double sums[2] = { 0 };
  VgRegion region;
  g_autofree guint8 *mask = NULL;
  int x0, y0, x1, y1;

  numerator.data = numerators;
  ratios[33 * 21 + 5 * 33 + 9] = 0;
  g_assert_true (vg_region_parse (&region, "ellipse:12,9,10,7", NULL));
  g_assert_true (vg_region_bounds (&region, 33, 21, &x0, &y0, &x1, &y1));
  mask = vg_region_mask (&region, x0, y0, x1, y1);
  for (int y = 0; y < 21; y++)
    for (int x = 0; x < 33; x++)
      {
        gsize i = 33 * 21 + (gsize) y * 33 + (gsize) x;

        if (!vg_region_contains (&region, x + 0.5, y + 0.5) || !isfinite (ratios[i]) ||
            !isfinite (numerators[i]) || ratios[i] == 0)
          continue;
        sums[0] += numerators[i];
        sums[1] += (long double) numerators[i] / ratios[i];
      }
  g_assert_cmpfloat_with_epsilon (
      vg_region_statistics_get_ratio (&ratio, &numerator, mask, x0, y0, x1, y1, 1),
      (double) (sums[0] / sums[1]), 1e-12);
  for (int i = 0; i < 33 * 21 * 2; i++)
    ratios[i] = 0;
  g_assert_true (
      isnan (vg_region_statistics_get_ratio (&ratio, &numerator, NULL, 0, 0, 33, 21, 0)));
}

/* The quartiles of known samples, all or some of them, are right.  Samples with skew or outliers
 * count as skewed, and those of a normal distribution do not. */
static void
test_quartiles (void)
{
  enum { N = 100001 };
  g_autofree float *samples = g_new (float, N);
  VgPlane plane = { .data = samples, .width = N, .height = 1, .slices = 1 };
  VgRegionStatistics statistics;
  GRand *rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (int i = 0; i < N; i++)
    samples[(i * 1234) % N] = (float) i; /* 1234 and N have no common factor */
  vg_region_statistics_compute (&statistics, &plane, NULL, 0, 0, N, 1, 0);
  g_assert_true (isnan (statistics.q25) && isnan (statistics.q75));
  g_assert_false (vg_region_statistics_is_skewed (&statistics));
  vg_region_statistics_add_quartiles (&statistics, &plane, NULL, 0, 0, N, 1, 0, 0);
  g_assert_cmpfloat (statistics.q25, ==, 25000);
  g_assert_cmpfloat (statistics.median, ==, 50000);
  g_assert_cmpfloat (statistics.q75, ==, 75000);
  vg_region_statistics_add_quartiles (&statistics, &plane, NULL, 0, 0, N, 1, 0, 5000);
  g_assert_cmpfloat_with_epsilon (statistics.q25, 25000, 3000);
  g_assert_cmpfloat_with_epsilon (statistics.q75, 75000, 3000);
  for (int kind = 0; kind < 3; kind++)
    {
      for (int i = 0; i < N; i++)
        {
          double normal = -6;

          for (int k = 0; k < 12; k++)
            normal += g_rand_double (rand);
          samples[i] = (float) (kind == 0       ? 10 + normal
                                : kind == 1     ? exp (normal)
                                : i % 1000 == 0 ? 1e4 * normal
                                                : 8 + normal);
        }
      vg_region_statistics_compute (&statistics, &plane, NULL, 0, 0, N, 1, 0);
      vg_region_statistics_add_quartiles (&statistics, &plane, NULL, 0, 0, N, 1, 0, 0);
      g_assert_cmpint (vg_region_statistics_is_skewed (&statistics), ==, kind > 0);
    }
  g_rand_free (rand);
}

/* A pixel of a mirrored plane counts as often as its ring is large, on both sides of the axis. */
static void
test_rings (void)
{
  enum { WIDTH = 9, HEIGHT = 4 };
  g_autofree float *values = random_samples (WIDTH * HEIGHT, 0, 1);
  VgPlane plane = {
    .data = values, .width = WIDTH, .height = HEIGHT, .slices = 1, .mirrored = TRUE
  };
  VgRegionStatistics rings, same, column;
  VgRegionCover right, left;
  double sum = 0, squares = 0, weight = 0;
  VgRegion region;
  int n = 0;

  vg_region_statistics_compute (&rings, &plane, NULL, 0, 0, WIDTH, HEIGHT, 0);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    if (isfinite (values[i]))
      {
        n++;
        weight += 2 * (i % WIDTH) + 1;
        sum += (2 * (i % WIDTH) + 1) * (double) values[i];
      }
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    if (isfinite (values[i]))
      squares += (2 * (i % WIDTH) + 1) * pow ((double) values[i] - sum / weight, 2);
  g_assert_cmpfloat_with_epsilon (rings.mean, sum / weight, 1e-12);
  g_assert_cmpfloat_with_epsilon (rings.sd, sqrt (squares / weight * n / (n - 1)), 1e-12);
  /* one radius: all weigh the same */
  vg_region_statistics_compute (&same, &plane, NULL, 3, 0, 4, HEIGHT, 0);
  vg_region_statistics_add_quartiles (&same, &plane, NULL, 3, 0, 4, HEIGHT, 0, 0);
  plane.mirrored = FALSE;
  vg_region_statistics_compute (&column, &plane, NULL, 3, 0, 4, HEIGHT, 0);
  vg_region_statistics_add_quartiles (&column, &plane, NULL, 3, 0, 4, HEIGHT, 0, 0);
  plane.mirrored = TRUE;
  if (column.valid > 0)
    {
      g_assert_cmpfloat_with_epsilon (same.q25, column.q25, 1e-6);
      g_assert_cmpfloat_with_epsilon (same.median, column.median, 1e-6);
      g_assert_cmpfloat_with_epsilon (same.q75, column.q75, 1e-6);
    }
  /* a third of the pixels, with 45 of 81 parts of the volume */
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = i % WIDTH >= 6 ? 5 : 1;
  vg_region_statistics_compute (&rings, &plane, NULL, 0, 0, WIDTH, HEIGHT, 0);
  vg_region_statistics_add_quartiles (&rings, &plane, NULL, 0, 0, WIDTH, HEIGHT, 0, 0);
  g_assert_cmpfloat_with_epsilon (rings.mean, 1 + 4.0 * 45 / 81, 1e-12);
  g_assert_cmpfloat (rings.median, ==, 5);
  g_assert_true (vg_region_parse (&region, "rect:2,1,3,2", NULL));
  g_assert_true (vg_region_cover (&region, &plane, &right));
  g_assert_true (vg_region_parse (&region, "rect:-5,1,3,2", NULL));
  g_assert_true (vg_region_cover (&region, &plane, &left));
  g_assert_cmpint (left.x0, ==, right.x0);
  g_assert_cmpint (left.x1, ==, right.x1);
  g_assert_cmpmem (left.mask, 6, right.mask, 6);
  g_free (left.mask);
  g_free (right.mask);
  plane.mirrored = FALSE;
  g_assert_false (vg_region_cover (&region, &plane, &left));
}

/* Of many rings as many are sorted as of other pixels. */
static void
test_many_rings (void)
{
  enum { WIDTH = 200, HEIGHT = 50, MOST = 1000, STEP = 11 /* the next odd number */ };
  g_autofree float *values = g_new (float, WIDTH *HEIGHT);
  VgPlane plane = {
    .data = values, .width = WIDTH, .height = HEIGHT, .slices = 1, .mirrored = TRUE
  };
  VgRegionStatistics statistics;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = i % STEP == 0 ? 5 : 1;
  vg_region_statistics_compute (&statistics, &plane, NULL, 0, 0, WIDTH, HEIGHT, 0);
  vg_region_statistics_add_quartiles (&statistics, &plane, NULL, 0, 0, WIDTH, HEIGHT, 0, 0);
  g_assert_cmpfloat (statistics.median, ==, 1);
  vg_region_statistics_add_quartiles (&statistics, &plane, NULL, 0, 0, WIDTH, HEIGHT, 0, MOST);
  g_assert_cmpfloat (statistics.median, ==, 5);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = (float) (i % WIDTH);
  vg_region_statistics_add_quartiles (&statistics, &plane, NULL, 0, 0, WIDTH, HEIGHT, 0, MOST);
  g_assert_cmpfloat_with_epsilon (statistics.median, WIDTH * G_SQRT2 / 2, 0.02 * WIDTH);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-statistics/ratio", test_ratio);
  g_test_add_func ("/region-statistics/quartiles", test_quartiles);
  g_test_add_func ("/region-statistics/rings", test_rings);
  g_test_add_func ("/region-statistics/many-rings", test_many_rings);
  return g_test_run ();
}
