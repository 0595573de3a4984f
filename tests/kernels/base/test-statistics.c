/* SPDX-License-Identifier: MIT */
/* Statistics against plain sequential long double code. */
#include "kernels/base/vg-sort.h"
#include "kernels/base/vg-statistics.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct
{
  int width, height, slices;
  double offset, scale, invalid; /* fraction of NaN and infinite samples */
} Case;

static float *
random_samples (const Case *c)
{
  gsize n = (gsize) c->width * (gsize) c->height * (gsize) c->slices;
  float *samples = g_new (float, n);
  GRand *rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  const float bad[] = { NAN, INFINITY, -INFINITY };

  for (gsize i = 0; i < n; i++)
    samples[i] = g_rand_double (rand) < c->invalid
                     ? bad[g_rand_int_range (rand, 0, 3)]
                     : (float) (c->offset + c->scale * g_rand_double (rand));
  g_rand_free (rand);
  return samples;
}

static void
check_statistics (const VgStatistics *statistics, const float *samples, gsize n)
{
  long double sum = 0;
  double min = INFINITY, max = -INFINITY;
  guint64 valid = 0, histogram[VG_HISTOGRAM_BINS] = { 0 }, total = 0;

  for (gsize i = 0; i < n; i++)
    if (isfinite (samples[i]))
      {
        valid++;
        sum += samples[i];
        min = fmin (min, samples[i]);
        max = fmax (max, samples[i]);
      }
  g_assert_cmpuint (statistics->valid, ==, valid);
  g_assert_cmpuint (statistics->invalid, ==, n - valid);
  if (valid == 0)
    {
      g_assert_true (isnan (statistics->min) && isnan (statistics->max) &&
                     isnan (statistics->mean));
      return;
    }
  g_assert_cmpfloat (statistics->min, ==, min);
  g_assert_cmpfloat (statistics->max, ==, max);
  g_assert_cmpfloat_with_epsilon (statistics->mean, (double) (sum / valid),
                                  1e-12 * fmax (fabs (min), fabs (max)) + 1e-300);
  for (gsize i = 0; i < n; i++)
    if (isfinite (samples[i]))
      {
        double bin = max > min ? floor ((samples[i] - min) * (256 / (max - min))) : 0;

        histogram[(int) fmin (bin, 255)]++;
      }
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    {
      g_assert_cmpuint (statistics->histogram[i], ==, histogram[i]);
      total += statistics->histogram[i];
    }
  g_assert_cmpuint (total, ==, valid);
}

static const Case cases[] = {
  { 1, 1, 1, 5, 0, 0 },           { 1, 1, 1, 5, 0, 1 },          { 7, 1, 1, -3, 6, 0 },
  { 1, 257, 2, 0, 1, 0.3 },       { 251, 263, 1, 1e6, 1, 0 },    { 181, 179, 3, -1, 2, 0.1 },
  { 512, 129, 1, 0, 3e38, 0.01 }, { 1009, 101, 1, 0, 0, 0.5 },   { 331, 331, 1, -2e38, 4e38, 0 },
  { 64, 64, 1, 0, 1, 1 },         { 1031, 521, 2, 0, 1e-42, 0 }, { 32768, 2, 1, 3, 1e-3, 0.001 },
};

static void
test_plane (void)
{
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree float *samples = random_samples (&cases[c]);
      VgPlane plane = { .data = samples,
                        .width = cases[c].width,
                        .height = cases[c].height,
                        .slices = cases[c].slices };
      gsize n = (gsize) plane.width * (gsize) plane.height;

      for (int slice = 0; slice < plane.slices; slice++)
        {
          VgStatistics one, all, three;

          memset (&all, 0xa5, sizeof all);
          vg_statistics_compute (&one, &plane, slice, 1);
          vg_statistics_compute (&all, &plane, slice, 0);
          vg_statistics_compute (&three, &plane, slice, 3);
          check_statistics (&all, samples + n * (gsize) slice, n);
          g_assert_cmpmem (&one, sizeof one, &all, sizeof all);
          g_assert_cmpmem (&one, sizeof one, &three, sizeof three);
        }
    }
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

/* Within a bin of the exact order statistic. */
static void
test_quantile (void)
{
  Case c = { 313, 211, 1, -4, 9, 0.05 };
  g_autofree float *samples = random_samples (&c);
  VgPlane plane = { .data = samples, .width = c.width, .height = c.height, .slices = 1 };
  gsize n = 0;
  double last = -INFINITY;
  VgStatistics s;

  vg_statistics_compute (&s, &plane, 0, 0);
  for (gsize i = 0; i < (gsize) c.width * (gsize) c.height; i++)
    if (isfinite (samples[i]))
      samples[n++] = samples[i];
  qsort (samples, n, sizeof *samples, compare_floats);
  for (int i = 0; i <= 100; i++)
    {
      double q = i / 100.0, found = vg_statistics_quantile (&s, q);
      double exact = samples[MIN ((gsize) (q * (double) n), n - 1)];

      g_assert_cmpfloat_with_epsilon (found, exact, (s.max - s.min) / 200);
      g_assert_cmpfloat (found, >=, last);
      last = found;
    }
  g_assert_cmpfloat (vg_statistics_quantile (&s, 0), ==, s.min);
  g_assert_cmpfloat (vg_statistics_quantile (&s, 1), ==, s.max);
  g_assert_cmpfloat (vg_statistics_quantile (&s, -5), ==, s.min);
  g_assert_cmpfloat (vg_statistics_quantile (&s, 5), ==, s.max);
  g_assert_true (isnan (vg_statistics_quantile (&s, NAN)));
}

/* compare_floats reads the first member */
typedef struct
{
  float value;
  double weight;
} Weighed;

/* Quantiles of a dimmed map against sorted samples with their weights, within a bin; one thread as
 * three. */
static void
test_weighed (void)
{
  Case c = { 211, 97, 2, -4, 9, 0.05 };
  gsize n = (gsize) c.width * (gsize) c.height;
  g_autofree float *samples = random_samples (&c), *light = g_new (float, 2 * n);
  g_autofree Weighed *sorted = g_new (Weighed, n);
  VgPlane plane = { .data = samples, .width = c.width, .height = c.height, .slices = 2 },
          lights = plane;
  const double limits[2] = { 10, 90 };
  double sum = 0, below = 0;
  VgStatistics one, three;
  int next = 1;

  for (gsize i = 0; i < 2 * n; i++) /* what is dark is low */
    light[i] = i % 31 == 0 ? NAN
                           : (float) (g_test_rand_double_range (0, 60) + (samples[i] > 3 ? 45 : 0));
  lights.data = light;
  vg_statistics_compute (&one, &plane, 1, 1);
  three = one;
  vg_statistics_weigh (&one, &plane, &lights, 1, limits, 1);
  vg_statistics_weigh (&three, &plane, &lights, 1, limits, 3);
  g_assert_cmpmem (&one, sizeof one, &three, sizeof three);
  for (gsize i = 0; i < n; i++)
    {
      double part = CLAMP ((light[n + i] - 10.0) / 80 * 256, 0, 255);

      sorted[i] = (Weighed){ samples[n + i], isfinite (samples[n + i]) && isfinite (light[n + i])
                                                 ? floor (part) * floor (part)
                                                 : 0 };
      if (!isfinite (sorted[i].value))
        sorted[i].value = FLT_MAX;
      sum += sorted[i].weight;
    }
  g_assert_cmpfloat ((double) one.weight, ==, sum);
  qsort (sorted, n, sizeof *sorted, compare_floats);
  for (gsize i = 0; i < n; i++)
    for (below += sorted[i].weight; next < 100 && below >= next / 100.0 * sum; next++)
      g_assert_cmpfloat_with_epsilon (vg_statistics_quantile (&one, next / 100.0), sorted[i].value,
                                      (one.max - one.min) / 200);
  g_assert_cmpint (next, ==, 100);
  lights.width--;
  vg_statistics_weigh (&one, &plane, &lights, 1, limits, 1);
  g_assert_cmpuint (one.weight, ==, 0);
  lights.width++;
  vg_statistics_weigh (&one, &plane, &lights, 1, (const double[]){ 5, 5 }, 1);
  g_assert_cmpuint (one.weight, ==, 0);
}

/* Limits are of the samples whose label is 1, and are fine where a few of them are thousands of
 * times the others. */
static void
test_labelled (void)
{
  enum { N = 40 * 50 };
  float values[2 * N], marks[2 * N];
  VgPlane plane = { .data = values, .width = 40, .height = 50, .slices = 2 }, labels = plane;
  VgStatistics statistics;

  labels.data = marks;
  /* 100 to 200; vessels in a tenth of the other kind; noise in two */
  for (int i = 0; i < 2 * N; i++)
    {
      values[i] = i % 10 == 3                ? 3000
                  : i == N + 7 || i == N + 9 ? 1e7f
                  : i % 7 == 0               ? NAN
                                             : (float) (100 + (i - N) * 100. / N);
      marks[i] = i % 10 == 3 ? 2 : i % 11 == 0 ? 0 : 1;
    }
  vg_statistics_compute (&statistics, &plane, 1, 1);
  g_assert_cmpfloat (vg_statistics_quantile (&statistics, 0.99), >, 1000);
  vg_statistics_count_labelled (&statistics, &plane, &labels, 1, 2);
  g_assert_cmpfloat_with_epsilon (vg_statistics_quantile (&statistics, 0.01), 101, 2);
  g_assert_cmpfloat_with_epsilon (vg_statistics_quantile (&statistics, 0.5), 150, 2);
  g_assert_cmpfloat_with_epsilon (vg_statistics_quantile (&statistics, 0.99), 199, 2);
  g_assert_cmpfloat (vg_statistics_quantile (&statistics, 1), ==, 1e7f);
  g_assert_cmpfloat (statistics.max, ==, 1e7f);
  /* most of them are of the other kind, as where most voxels are air */
  for (int i = N; i < 2 * N; i++)
    marks[i] = i % 20 == 4 ? 1 : 2;
  vg_statistics_count_labelled (&statistics, &plane, &labels, 1, 2);
  g_assert_cmpfloat (vg_statistics_quantile (&statistics, 0.99), <, 201);
  /* hardly any: of all */
  for (int i = N; i < 2 * N; i++)
    marks[i] = i % 200 == 4 ? 1 : 2;
  vg_statistics_count_labelled (&statistics, &plane, &labels, 1, 2);
  g_assert_cmpuint (statistics.weight, ==, 0);
  g_assert_cmpfloat (vg_statistics_quantile (&statistics, 0.99), >, 1000);
  /* all the same, none valid, another size */
  for (int i = N; i < 2 * N; i++)
    {
      values[i] = 5;
      marks[i] = 1;
    }
  vg_statistics_compute (&statistics, &plane, 1, 1);
  vg_statistics_count_labelled (&statistics, &plane, &labels, 1, 2);
  g_assert_cmpfloat (vg_statistics_quantile (&statistics, 0.5), ==, 5);
  labels.width--;
  vg_statistics_count_labelled (&statistics, &plane, &labels, 1, 2);
  g_assert_cmpuint (statistics.weight, ==, 0);
  for (int i = N; i < 2 * N; i++)
    values[i] = NAN;
  labels.width++;
  vg_statistics_compute (&statistics, &plane, 1, 1);
  vg_statistics_count_labelled (&statistics, &plane, &labels, 1, 2);
  g_assert_cmpuint (statistics.weight, ==, 0);
}

/* Twelve decades, with others that have no place on a log scale: quantiles are right to an eighth
 * of an octave, where equal bins would have nearly all samples in one. */
static void
test_octaves (void)
{
  enum { N = 12000 };
  g_autofree float *values = g_new (float, 2 * N);
  const VgPlane plane = { .place = VG_HOST, .data = values, .width = N, .height = 1, .slices = 2 };
  VgStatistics statistics;
  guint64 total = 0;

  for (int i = 0; i < N; i++)
    {
      values[i] = 7;
      values[N + i] = i % 4 == 1   ? -1
                      : i % 4 == 2 ? 0
                      : i % 4 == 3 ? (i % 8 == 3 ? NAN : INFINITY)
                                   : (float) (3 * pow (10, -12. * i / N));
    }
  vg_statistics_compute (&statistics, &plane, 1, 1);
  g_assert_cmpfloat (vg_statistics_log_quantile (&statistics, 0.1), >, 0);
  for (int threads = 1; threads < 4; threads++)
    {
      vg_statistics_count_octaves (&statistics, &plane, 1, threads);
      total = 0;
      for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
        total += statistics.octaves[i];
      g_assert_cmpuint (total, ==, N / 4);
      for (double q = 0.25; q < 1; q += 0.05)
        g_assert_cmpfloat_with_epsilon (
            vg_statistics_log_quantile (&statistics, q) / (3 * pow (10, -12 * (1 - q))), 1, 0.03);
    }
  g_assert_cmpfloat (vg_statistics_log_quantile (&statistics, 1), ==, 3);
  g_assert_cmpfloat (vg_statistics_log_quantile (&statistics, 0), <, 1e-9);
  g_assert_cmpfloat (vg_statistics_log_quantile (&statistics, 0), >, 0);
  g_assert_cmpfloat (vg_statistics_octave_start (&statistics, VG_HISTOGRAM_BINS - 1), ==, 3);
  g_assert_cmpfloat (vg_statistics_octave_start (&statistics, VG_HISTOGRAM_BINS), ==, 3.25);
  for (int i = 0; i < N; i++)
    values[N + i] = -5;
  vg_statistics_compute (&statistics, &plane, 1, 1);
  vg_statistics_count_octaves (&statistics, &plane, 1, 1);
  g_assert_true (isnan (vg_statistics_log_quantile (&statistics, 0.5)));
  vg_statistics_compute (&statistics, &plane, 0, 1);
  vg_statistics_count_octaves (&statistics, &plane, 0, 1);
  g_assert_cmpfloat (vg_statistics_log_quantile (&statistics, 0.5), ==, 7);
}

/* Inside a bin the quantile rises linearly. */
static void
test_quantile_interpolates (void)
{
  VgStatistics s = { .min = 0, .max = 256, .valid = 10 };

  s.histogram[10] = 10;
  g_assert_cmpfloat (vg_statistics_quantile (&s, 0.5), ==, 10.5);
  g_assert_cmpfloat (vg_statistics_quantile (&s, 0.25), ==, 10.25);
  s.histogram[10] = 5;
  s.histogram[200] = 5;
  g_assert_cmpfloat (vg_statistics_quantile (&s, 0.5), ==, 11);
  g_assert_cmpfloat (vg_statistics_quantile (&s, 0.75), ==, 200.5);
  s = (VgStatistics){ .min = 3, .max = 3, .valid = 1, .histogram = { 1 } };
  g_assert_cmpfloat (vg_statistics_quantile (&s, 0.3), ==, 3);
  s = (VgStatistics){ .min = NAN, .max = NAN };
  g_assert_true (isnan (vg_statistics_quantile (&s, 0.3)));
}

static void
check_region (const VgRegionStatistics *statistics, const VgPlane *plane, const VgRegion *region,
              int slice)
{
  const float *samples = plane->data + (gsize) slice * (gsize) plane->width * (gsize) plane->height;
  long double sum = 0, sum2 = 0;
  double min = INFINITY, max = -INFINITY, mean;
  guint64 valid = 0, invalid = 0;

  for (int pass = 0; pass < 2; pass++)
    for (int y = 0; y < plane->height; y++)
      for (int x = 0; x < plane->width; x++)
        {
          double v = samples[y * plane->width + x];

          if (!vg_region_contains (region, x + 0.5, y + 0.5))
            continue;
          if (!isfinite (v))
            invalid += pass == 0;
          else if (pass == 0)
            {
              valid++;
              sum += v;
              min = fmin (min, v);
              max = fmax (max, v);
            }
          else
            sum2 += (v - sum / valid) * (v - sum / valid);
        }
  g_assert_cmpuint (statistics->valid, ==, valid);
  g_assert_cmpuint (statistics->invalid, ==, invalid);
  if (valid == 0)
    {
      g_assert_true (isnan (statistics->mean) && isnan (statistics->min) &&
                     isnan (statistics->max) && isnan (statistics->sd) &&
                     isnan (statistics->median));
      return;
    }
  mean = (double) (sum / valid);
  g_assert_cmpfloat (statistics->min, ==, min);
  g_assert_cmpfloat (statistics->max, ==, max);
  g_assert_cmpfloat_with_epsilon (statistics->mean, mean,
                                  1e-12 * fmax (fabs (min), fabs (max)) + 1e-300);
  if (valid == 1)
    g_assert_true (isnan (statistics->sd));
  else
    g_assert_cmpfloat_with_epsilon (statistics->sd, (double) sqrtl (sum2 / (valid - 1)),
                                    1e-9 * (max - min) + 1e-300);
}

/* The median by sorting all samples of the region. */
static void
check_median (const VgRegionStatistics *statistics, const VgPlane *plane, const VgRegion *region,
              int slice)
{
  const float *samples = plane->data + (gsize) slice * (gsize) plane->width * (gsize) plane->height;
  g_autofree double *sorted = g_new (double, (gsize) plane->width *(gsize) plane->height);
  gsize n = 0;

  for (int y = 0; y < plane->height; y++)
    for (int x = 0; x < plane->width; x++)
      if (vg_region_contains (region, x + 0.5, y + 0.5) && isfinite (samples[y * plane->width + x]))
        sorted[n++] = samples[y * plane->width + x];
  if (n == 0)
    return;
  vg_sort_doubles (sorted, n);
  g_assert_cmpfloat (statistics->median, ==, 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]));
}

/* Peaks, ramps and equal samples, with which a selection could be slow or wrong. */
static void
test_median_of_shapes (void)
{
  enum { N = 200000 };
  g_autofree float *samples = g_new (float, N);
  VgPlane plane = { .data = samples, .width = N, .height = 1, .slices = 1 };
  gint64 start = g_get_monotonic_time ();
  VgRegionStatistics statistics;

  for (int shape = 0; shape < 4; shape++)
    for (int n = N - 1; n <= N; n++)
      {
        VgRegion whole = {
          .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, n }, .y = { 0, 1 }
        };

        for (int i = 0; i < N; i++)
          samples[i] = shape == 0   ? (float) abs (i - N / 2)
                       : shape == 1 ? (float) -abs (i - N / 2)
                       : shape == 2 ? (float) i
                                    : 7.0f;
        vg_region_statistics_compute (&statistics, &plane, NULL, 0, 0, n, 1, 0);
        vg_region_statistics_add_quartiles (&statistics, &plane, NULL, 0, 0, n, 1, 0, 0);
        check_median (&statistics, &plane, &whole, 0);
      }
  /* a quadratic selection takes minutes */
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
}

static void
test_region (void)
{
  const char *regions[] = { "rect:3,2,20,30",          "rect:-5,-5,1000,1000",
                            "ellipse:30,20,12.5,9",    "polygon:1,1;60,5;40,40;20,10;3,50",
                            "rect:10,10,1,1",          "polygon:5,5;5,5;5,5",
                            "ellipse:400,200,300,150", "rect:10,10,2,1" };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree float *samples = random_samples (&cases[c]);
      VgPlane plane = { .data = samples,
                        .width = cases[c].width,
                        .height = cases[c].height,
                        .slices = cases[c].slices };

      for (guint r = 0; r < G_N_ELEMENTS (regions); r++)
        {
          VgRegion region;
          VgRegionStatistics statistics;
          g_autofree guint8 *mask = NULL;
          int x0, y0, x1, y1;

          g_assert_true (vg_region_parse (&region, regions[r], NULL));
          if (!vg_region_bounds (&region, plane.width, plane.height, &x0, &y0, &x1, &y1))
            continue;
          mask = vg_region_mask (&region, x0, y0, x1, y1);
          vg_region_statistics_compute (&statistics, &plane, mask, x0, y0, x1, y1,
                                        plane.slices - 1);
          g_assert_true (isnan (statistics.median));
          vg_region_statistics_add_quartiles (&statistics, &plane, mask, x0, y0, x1, y1,
                                              plane.slices - 1, 0);
          check_region (&statistics, &plane, &region, plane.slices - 1);
          check_median (&statistics, &plane, &region, plane.slices - 1);
        }
    }
}

/* A box that reaches beyond the plane counts what is inside it. */
static void
test_box (void)
{
  Case c = { 37, 23, 1, 2, 5, 0 };
  g_autofree float *samples = random_samples (&c);
  VgPlane plane = { .data = samples, .width = c.width, .height = c.height, .slices = 1 };
  VgRegion whole;
  VgRegionStatistics statistics;
  g_autofree guint8 *mask = NULL;

  g_assert_true (vg_region_parse (&whole, "rect:0,0,37,23", NULL));
  mask = vg_region_mask (&whole, -4, -3, 50, 60);
  vg_region_statistics_compute (&statistics, &plane, mask, -4, -3, 50, 60, 0);
  check_region (&statistics, &plane, &whole, 0);
  vg_region_statistics_compute (&statistics, &plane, NULL, -4, -3, 50, 60, 0);
  check_region (&statistics, &plane, &whole, 0);
  vg_region_statistics_compute (&statistics, &plane, NULL, 40, 0, 50, 60, 0);
  g_assert_cmpuint (statistics.valid + statistics.invalid, ==, 0);
  g_assert_true (isnan (statistics.mean));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/statistics/plane", test_plane);
  g_test_add_func ("/statistics/quantile", test_quantile);
  g_test_add_func ("/statistics/weighed", test_weighed);
  g_test_add_func ("/statistics/labelled", test_labelled);
  g_test_add_func ("/statistics/octaves", test_octaves);
  g_test_add_func ("/statistics/quantile-interpolates", test_quantile_interpolates);
  g_test_add_func ("/statistics/region", test_region);
  g_test_add_func ("/statistics/median-of-shapes", test_median_of_shapes);
  g_test_add_func ("/statistics/box", test_box);
  return g_test_run ();
}
