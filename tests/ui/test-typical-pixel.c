/* SPDX-License-Identifier: MIT */
/* The pixel whose curve is shown before one is chosen. */
#include "ui/pages/vg-typical-pixel.h"
#include <math.h>

/* Dark pixels, outliers and those outside the mask are not typical: the median of the others is. */
static void
test_typical (void)
{
  const float values[] = { 1, NAN, 9, 3, 2, 8, 4 }, light[] = { 9, 9, 0, 8, 7, 1, 9 },
              labels[] = { 1, 1, 2, 0, 1, 2, 1 }, none[G_N_ELEMENTS (values)] = { 0 };
  int n = G_N_ELEMENTS (values);

  g_assert_cmpint (vg_typical_pixel_find (values, NULL, labels, n), ==, 4);
  g_assert_cmpint (vg_typical_pixel_find (values, NULL, none, n), ==, -1);
  g_assert_cmpint (vg_typical_pixel_find (values, light, NULL, n), ==, 4);
  g_assert_cmpint (vg_typical_pixel_find (values, NULL, NULL, n), ==, 6);
}

/* Of a large map only some pixels are sorted, over all columns; of a few labelled ones all are. */
static void
test_large (void)
{
  enum { SIDE = 2048, N = SIDE * SIDE, STEP = N / VG_TYPICAL_PIXEL_SAMPLES + 1 };
  g_autofree float *values = g_new (float, N), *labels = g_new0 (float, N);
  int found;

  for (int i = 0; i < N; i++)
    values[i] = 1 + (float) ((guint32) i * 2654435761u >> 8) / (1 << 24); /* 1 to 2 */
  found = vg_typical_pixel_find (values, NULL, NULL, N); /* of those from 1.25 on */
  g_assert_cmpint (found, >=, 0);
  g_assert_cmpfloat_with_epsilon (values[found], 1.625, 0.02);
  for (int i = 0; i < N; i++)
    labels[i] = 1;
  found = vg_typical_pixel_find (values, NULL, labels, N);
  g_assert_cmpint (found % STEP, ==, 0);
  g_assert_cmpfloat_with_epsilon (values[found], 1.5, 0.02);
  for (int i = 0; i < N; i++)
    labels[i] = 0;
  labels[1] = labels[SIDE + 3] = labels[N - 1] = 1;
  values[1] = 5;
  values[SIDE + 3] = 7;
  values[N - 1] = 6;
  g_assert_cmpint (vg_typical_pixel_find (values, NULL, labels, N), ==, N - 1);
}

static void
test_none (void)
{
  enum { N = 70000 };
  g_autofree float *values = g_new (float, N);

  for (int i = 0; i < N; i++)
    values[i] = i % 2 ? NAN : INFINITY;
  g_assert_cmpint (vg_typical_pixel_find (values, NULL, NULL, N), ==, -1);
  values[N - 1] = 3; /* the only one */
  g_assert_cmpint (vg_typical_pixel_find (values, NULL, NULL, N), ==, N - 1);
  g_assert_cmpint (vg_typical_pixel_find (values, NULL, NULL, 0), ==, -1);
  values[0] = -3e38f;
  values[1] = 3e38f; /* whose difference is infinite */
  g_assert_cmpint (vg_typical_pixel_find (values, NULL, NULL, 2), ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/typical-pixel/typical", test_typical);
  g_test_add_func ("/typical-pixel/large", test_large);
  g_test_add_func ("/typical-pixel/none", test_none);
  return g_test_run ();
}
