/* SPDX-License-Identifier: MIT */
/* Exact statistics against sorting everything. */
#include <math.h>
#include <stdlib.h>
#include "app/export/vg-exact.h"

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static gboolean
are_whole (const float *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]) &&
        (values[i] != floorf (values[i]) || values[i] < 0 || values[i] >= VG_EXACT_WHOLE))
      return FALSE;
  return TRUE;
}

static void
check (const float *values, gsize n)
{
  g_autoptr (VgExact) exact = vg_exact_new ();
  g_autofree float *sorted = g_new (float, n + 1);
  gsize valid = 0, half = n / 2;
  double sum = 0, median;

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      sum += sorted[valid++] = values[i];
  qsort (sorted, valid, sizeof (float), compare);
  vg_exact_add (exact, values, half);
  vg_exact_add (exact, values + half, n - half);
  g_assert_true (vg_exact_is_complete (exact) == (valid == 0 || are_whole (values, n)));
  if (!vg_exact_is_complete (exact))
    {
      vg_exact_rewind (exact);
      vg_exact_again (exact, values, half);
      vg_exact_again (exact, values + half, n - half);
    }
  g_assert_cmpuint (exact->valid, ==, valid);
  g_assert_cmpuint (exact->invalid, ==, n - valid);
  if (valid == 0)
    {
      g_assert_true (isnan (vg_exact_min (exact)) && isnan (vg_exact_median (exact)) &&
                     isnan (vg_exact_mean (exact)));
      return;
    }
  median = ((double) sorted[(valid - 1) / 2] + sorted[valid / 2]) / 2;
  g_assert_cmpfloat (vg_exact_min (exact), ==, sorted[0]);
  g_assert_cmpfloat (vg_exact_max (exact), ==, sorted[valid - 1]);
  g_assert_cmpfloat (vg_exact_median (exact), ==, median);
  g_assert_cmpfloat_with_epsilon (vg_exact_mean (exact), sum / valid,
                                  1e-12 * (fabs (sum / valid) + 1));
}

static void
test_small (void)
{
  check (NULL, 0);
  check ((float[]){ 4 }, 1);
  check ((float[]){ -1, 2 }, 2);
  check ((float[]){ NAN, INFINITY, -INFINITY }, 3);
  check ((float[]){ -0.0f, 0.0f, -1e-42f, 1e-42f, -3e38f, 3e38f }, 6);
  check ((float[]){ 7, 7, 7, 7 }, 4);
  check ((float[]){ 0, 0, 0, 5, 0, 0, NAN, 0, 6, 0, 0 }, 11); /* runs of zeros, as in labels */
  check ((float[]){ VG_EXACT_WHOLE - 1, 1, NAN, 5, 2 }, 5);
  check ((float[]){ VG_EXACT_WHOLE, 1, 5, 2 }, 4);
  check ((float[]){ 1, 5, 2.5f, 2 }, 4);
  check ((float[]){ 3, 0, 0, 0, 0, -2, -0.0f, -0.0f }, 8);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree float *values = g_new (float, 100003);

  for (int kind = 0; kind < 3; kind++)
    for (gsize n = 99999; n <= 100003; n += 4)
      {
        for (gsize i = 0; i < n; i++)
          values[i] = kind == 0   ? (float) g_rand_double_range (rand, -1, 1)
                      : kind == 1 ? (float) exp (g_rand_double_range (rand, -80, 80))
                                  : 1 + 1e-6f * g_rand_int_range (rand, 0, 50);
        values[n / 3] = NAN;
        check (values, n);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exact/small", test_small);
  g_test_add_func ("/exact/random", test_random);
  return g_test_run ();
}
