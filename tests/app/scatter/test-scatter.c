/* SPDX-License-Identifier: MIT */
/* Bins and numbers of scatter plots, against sums over all pixels. */
#include "app/scatter/vg-scatter-text.h"
#include "app/scatter/vg-scatter.h"
#include <math.h>
#include <string.h>

enum { SIDE = 40, MANY = 2048 };

/* Two maps: x rises with the column, y with the row; a corner has no value. */
static VgMapPair *
make_pair (int side)
{
  g_autofree float *x = g_new (float, side *side), *y = g_new (float, side *side);
  VgPlane planes[2] = { { .place = VG_HOST, .width = side, .height = side, .slices = 1 } };
  g_autoptr (GError) error = NULL;
  VgMapPair *pair;

  for (int i = 0; i < side * side; i++)
    {
      x[i] = (float) (i % side);
      y[i] = 100 + (float) (i / side);
    }
  x[0] = NAN;
  planes[1] = planes[0];
  planes[0].data = x;
  planes[1].data = y;
  pair = vg_map_pair_new (&planes[0], &planes[1], 0, &error);
  g_assert_no_error (error);
  return pair;
}

/* The rectangle from 9.5 to 19.5 along x and from 100 to 105 along y holds 10 columns of 5 rows. */
static void
test_inside (void)
{
  g_autoptr (VgMapPair) pair = make_pair (SIDE);
  VgRegion lasso = { .kind = VG_REGION_POLYGON,
                     .n_points = 4,
                     .x = { 9.5, 19.5, 19.5, 9.5 },
                     .y = { 99.5, 99.5, 104.5, 104.5 } };
  VgScatterRange range = vg_scatter_find_range (pair, NULL);
  g_autoptr (VgScatter) scatter = vg_scatter_new (pair, &range, NULL, &lasso);
  guint64 counted = scatter->outside;

  g_assert_cmpuint (scatter->all.n, ==, SIDE * SIDE - 1);
  g_assert_cmpuint (scatter->inside.n, ==, 50);
  g_assert_cmpfloat_with_epsilon (scatter->inside.mean[0], 14.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (scatter->inside.mean[1], 102, 1e-9);
  g_assert_cmpfloat_with_epsilon (scatter->inside.sd[0], sqrt (50 * 8.25 / 49), 1e-9);
  g_assert_cmpfloat_with_epsilon (scatter->inside.correlation, 0, 1e-9);
  for (int i = 0; i < VG_SCATTER_SIDE * VG_SCATTER_SIDE; i++)
    counted += scatter->counts[i];
  g_assert_cmpuint (counted, ==, scatter->all.n);
  g_assert_cmpint (scatter->tint_width, ==, SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    g_assert_cmpint (scatter->tint[i], ==,
                     i % SIDE >= 10 && i % SIDE < 20 && i / SIDE < 5 ? 255 : 0);
}

/* The region's pixels are those of its mask. */
static void
test_region (void)
{
  g_autoptr (VgMapPair) pair = make_pair (SIDE);
  VgRegion region = { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 5, 9 }, .y = { 20, 23 } };
  VgScatterRange range = vg_scatter_find_range (pair, NULL);
  g_autoptr (VgScatter) scatter = vg_scatter_new (pair, &range, &region, NULL);
  guint n = 0;

  for (int i = 0; i < VG_SCATTER_SIDE * VG_SCATTER_SIDE; i++)
    n += scatter->in_region[i];
  g_assert_cmpuint (n, ==, 12);
  g_assert_null (scatter->tint);
  g_assert_cmpuint (scatter->inside.n, ==, 0);
  g_assert_true (isnan (scatter->inside.mean[0]));
}

/* Axes stay while they suit, and are found again if the values have left them. */
static void
test_range (void)
{
  g_autoptr (VgMapPair) pair = make_pair (SIDE);
  VgScatterRange first = vg_scatter_find_range (pair, NULL), wide = first, next;

  g_assert_cmpfloat (first.low[0], <=, 0);
  g_assert_cmpfloat (first.high[0], >=, SIDE - 1);
  wide.high[0] += 10;
  next = vg_scatter_find_range (pair, &wide);
  g_assert_cmpfloat (next.high[0], ==, wide.high[0]);
  wide.high[0] += 1000;
  next = vg_scatter_find_range (pair, &wide);
  g_assert_cmpfloat (next.high[0], ==, first.high[0]);
}

/* Maps without a value, and of one value: axes of some length, and nothing is divided by 0. */
static void
test_without_values (void)
{
  g_autoptr (VgMapPair) pair = make_pair (SIDE);
  VgScatterRange range;
  VgScatter *scatter;

  for (int i = 0; i < SIDE * SIDE; i++)
    pair->x[i] = 7;
  range = vg_scatter_find_range (pair, NULL);
  g_assert_cmpfloat (range.low[0], <, 7);
  g_assert_cmpfloat (range.high[0], >, 7);
  scatter = vg_scatter_new (pair, &range, NULL, NULL);
  g_assert_true (isnan (scatter->all.correlation));
  vg_scatter_free (scatter);
  for (int i = 0; i < SIDE * SIDE; i++)
    pair->x[i] = NAN;
  range = vg_scatter_find_range (pair, NULL);
  g_assert_cmpfloat (range.low[0], <, range.high[0]);
  scatter = vg_scatter_new (pair, &range, NULL, NULL);
  g_assert_cmpuint (scatter->all.n, ==, 0);
  vg_scatter_free (scatter);
}

/* The tint of a large map is smaller, and covers it all. */
static void
test_large (void)
{
  g_autoptr (VgMapPair) pair = make_pair (MANY);
  VgRegion lasso = {
    .kind = VG_REGION_POLYGON, .n_points = 4, .x = { -1, 9.5, 9.5, -1 }, .y = { 0, 0, 1e5, 1e5 }
  };
  VgScatterRange range = vg_scatter_find_range (pair, NULL);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (VgScatter) scatter = vg_scatter_new (pair, &range, NULL, &lasso);

  g_test_message ("%d x %d pixels: %.1f ms", MANY, MANY,
                  (double) (g_get_monotonic_time () - start) / 1000);
  g_assert_cmpint (scatter->tint_width, ==, VG_SCATTER_MOST_TINT);
  g_assert_cmpuint (scatter->inside.n, ==, 10 * MANY - 1);
  g_assert_cmpint (scatter->tint[VG_SCATTER_MOST_TINT + 4], ==, 255);
  g_assert_cmpint (scatter->tint[VG_SCATTER_MOST_TINT + 5], ==, 0);
}

static void
test_text (void)
{
  g_autoptr (VgMapPair) pair = make_pair (SIDE);
  VgScatterRange range = vg_scatter_find_range (pair, NULL);
  g_autoptr (VgScatter) scatter = vg_scatter_new (pair, &range, NULL, NULL);
  g_autofree char *text = vg_scatter_to_csv (scatter, (const char *const[]){ "A", "B \"b\", c" },
                                             (const char *const[]){ "ns", "" });

  g_assert_true (g_str_has_prefix (text, "samples,n,\"mean of A (ns)\",\"SD of A (ns)\","
                                         "\"mean of B \"\"b\"\", c\""));
  g_assert_nonnull (strstr (text, "\nall,1599,"));
  g_assert_null (strstr (text, "lasso"));
}

/* Of two measures of objects each object counts once, at its pixel that is nearest to the centroid;
 * all of its pixels are tinted. */
static void
test_objects (void)
{
  enum { N = 12 };
  float labels[N * N] = { 0 }, x[N * N], y[N * N];
  VgPlane planes[3] = { { .place = VG_HOST, .width = N, .height = N, .slices = 1, .data = x } };
  /* a square of nine pixels, one of 16, and a ring whose centroid is none of its pixels */
  const VgRegion
      left = { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 4 }, .y = { 0, N } },
      large = { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 12, 20 }, .y = { 0, 10 } };
  const VgScatterRange range = { { 0, 0 }, { 20, 10 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgMapPair) pair = NULL;
  g_autoptr (VgScatter) scatter = NULL;
  guint counted = 0, in_region = 0, tinted = 0;

  for (int v = 0; v < N; v++)
    for (int u = 0; u < N; u++)
      {
        float *label = &labels[v * N + u];

        *label = u < 3 && v < 3                                    ? 1
                 : u >= 6 && u < 10 && v < 4                       ? 2
                 : u < 3 && v >= 6 && v < 9 && !(u == 1 && v == 7) ? 3
                                                                   : 0;
        x[v * N + u] = *label < 1 ? NAN : *label < 2 ? 9 : *label < 3 ? 16 : 8;
        y[v * N + u] = *label < 1 ? NAN : 2 * *label;
      }
  planes[1] = planes[2] = planes[0];
  planes[1].data = y;
  planes[2].data = labels;
  pair = vg_map_pair_new (&planes[0], &planes[1], 0, &error);
  g_assert_no_error (error);
  vg_map_pair_count_objects (pair, &planes[2]);
  for (int i = 0; i < N * N; i++)
    counted += pair->counted[i];
  g_assert_cmpuint (counted, ==, 3);
  g_assert_cmpuint (pair->counted[1 * N + 1], ==, 1);
  g_assert_cmpfloat ((double) labels[7 * N + 1], ==, 0);
  scatter = vg_scatter_new (pair, &range, &left, &large);
  g_assert_cmpuint (scatter->all.n, ==, 3);
  g_assert_cmpfloat (scatter->all.mean[0], ==, 11);
  g_assert_cmpuint (scatter->inside.n, ==, 1);
  g_assert_cmpfloat (scatter->inside.mean[0], ==, 16);
  for (int i = 0; i < VG_SCATTER_SIDE * VG_SCATTER_SIDE; i++)
    in_region += scatter->in_region[i];
  g_assert_cmpuint (in_region, ==, 2);
  for (int i = 0; i < scatter->tint_width * scatter->tint_height; i++)
    tinted += scatter->tint[i] > 0;
  g_assert_cmpuint (tinted, ==, 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scatter/inside", test_inside);
  g_test_add_func ("/scatter/region", test_region);
  g_test_add_func ("/scatter/range", test_range);
  g_test_add_func ("/scatter/without-values", test_without_values);
  g_test_add_func ("/scatter/large", test_large);
  g_test_add_func ("/scatter/text", test_text);
  g_test_add_func ("/scatter/objects", test_objects);
  return g_test_run ();
}
