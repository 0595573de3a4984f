/* SPDX-License-Identifier: MIT */
/* GeoJSON in and out, masks, scores, outlines, stains and filters against
 * numbers known exactly. */
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/shapes/contour-metrics.h"
#include "kernels/contour/shapes/contour-outline.h"
#include "kernels/contour/engine/contour-report.h"
#include "kernels/contour/seeds/contour-seeds.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>

static VgContourGeometry *
read_text (const char *text, GError **error)
{
  return vg_contour_geojson_read ("a.geojson", text, strlen (text), error);
}

static VgContourPoint
place_at (const GArray *places, guint i)
{
  return g_array_index (places, VgContourPoint, i);
}

static void
test_read (void)
{
  static const char text[] =
      "\357\273\277{\"type\": \"FeatureCollection\", \"crs\": {\"a\": [1, null, {\"b\": true}]}, "
      "\"features\": [\n"
      "{\"geometry\": {\"coordinates\": [1.5, -2e0, 7], \"type\": \"Point\"}, \"type\": "
      "\"Feature\", \"properties\": {\"name\": \"\\\"x\\\\\"}},\n"
      "{\"type\": \"Feature\", \"geometry\": {\"type\": \"MultiPoint\", \"coordinates\": [[3, 4], "
      "[5, 6]]}},\n"
      "{\"type\": \"Feature\", \"geometry\": null},\n"
      "{\"type\": \"Feature\", \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[0, 0], "
      "[1, 1]]}},\n"
      "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Polygon\", \"coordinates\": "
      "[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[2,2],[2,8],[8,8],[8,2],[2,2]]]}},\n"
      "{\"type\": \"GeometryCollection\", \"geometries\": [{\"type\": \"MultiPolygon\", "
      "\"coordinates\": "
      "[[[[20,0],[24,0],[24,4],[20,4]]],[[[30,0],[32,0],[32,2],[30,2]]]]}, {\"type\": \"Polygon\", "
      "\"coordinates\": []}]}]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (VgContourGeometry) geometry = read_text (text, &error);
  g_autoptr (GPtrArray) masks = NULL;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));

  g_assert_no_error (error);
  g_assert_cmpuint (geometry->points->len, ==, 3);
  g_assert_cmpfloat (g_array_index (geometry->points, VgContourPoint, 0).y, ==, -2);
  g_assert_cmpuint (geometry->shapes->len, ==, 2);
  g_assert_cmpuint (geometry->lines, ==, 1);
  masks = vg_contour_masks_of_shapes (geometry->shapes, 40, 40, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (masks->len, ==, 2);
  g_assert_cmpint (vg_contour_mask_at (masks, 0)->area, ==, 100 - 36);
  g_assert_false (vg_contour_mask_has (vg_contour_mask_at (masks, 0), 5, 5));
  g_assert_cmpint (vg_contour_mask_at (masks, 1)->area, ==, 16 + 4);
  /* the frame's centroid lies in its hole: a place in the frame itself; then one for each part */
  g_assert_cmpuint (vg_contour_shape_seeds (geometry->shapes->pdata[0], places), ==, 0);
  g_assert_cmpuint (vg_contour_shape_seeds (geometry->shapes->pdata[1], places), ==, 0);
  g_assert_cmpuint (places->len, ==, 3);
  g_assert_true (vg_contour_mask_has (vg_contour_mask_at (masks, 0), (int) place_at (places, 0).x,
                                      (int) place_at (places, 0).y));
  g_assert_cmpfloat_with_epsilon (place_at (places, 1).x, 22, 1e-9);
  g_assert_cmpfloat_with_epsilon (place_at (places, 2).x, 31, 1e-9);
  g_assert_cmpfloat_with_epsilon (vg_contour_shape_area (geometry->shapes->pdata[0]), 64, 1e-9);
}

/* A bow tie: even-odd, no crash; far outside: nothing. */
static void
test_odd_shapes (void)
{
  static const char text[] =
      "[{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[10,10],[10,0],[0,10]]]},"
      "{\"type\":\"Polygon\",\"coordinates\":[[[-9e6,-9e6],[9e6,-9e6],[9e6,9e6],[-9e6,9e6]]]},"
      "{\"type\":\"Polygon\",\"coordinates\":[[[500,500],[510,500],[510,510]]]},"
      "{\"type\":\"Polygon\",\"coordinates\":[[[3,3]]]}]";
  g_autoptr (GError) error = NULL;
  g_autoptr (VgContourGeometry) geometry = read_text (text, &error);
  g_autoptr (GPtrArray) masks = NULL;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));

  g_assert_no_error (error);
  masks = vg_contour_masks_of_shapes (geometry->shapes, 20, 16, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (masks->len, ==, 2);
  g_assert_cmpint (vg_contour_mask_at (masks, 0)->area, ==, 50);
  g_assert_cmpint (vg_contour_mask_at (masks, 1)->area, ==, 20 * 16);
  g_assert_cmpuint (vg_contour_shape_seeds (geometry->shapes->pdata[3], places), ==, 1);
  g_assert_cmpuint (vg_contour_shape_seeds (geometry->shapes->pdata[0], places), ==, 1);
  g_assert_cmpuint (places->len, ==, 0);
}

/* Parts and holes wind as they like. */
static void
test_places (void)
{
  static const char *const first[] = { "[0,0],[10,0],[10,10],[0,10]",
                                       "[0,0],[0,10],[10,10],[10,0]" };
  static const char *const hole[] = { "[6,3],[9,3],[9,7],[6,7]", "[6,3],[6,7],[9,7],[9,3]" };
  static const char *const second[] = { "[30,20],[40,20],[40,30],[30,30]",
                                        "[30,20],[30,30],[40,30],[40,20]" };

  for (int k = 0; k < 8; k++)
    {
      g_autofree char *text = g_strdup_printf (
          "{\"type\":\"MultiPolygon\",\"coordinates\":[[[%s],[%s]],[[%s]]]}", first[k & 1],
          hole[k >> 1 & 1], second[k >> 2]);
      g_autoptr (VgContourGeometry) geometry = read_text (text, NULL);
      g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));

      g_assert_cmpuint (vg_contour_shape_seeds (geometry->shapes->pdata[0], places), ==, 0);
      g_assert_cmpuint (places->len, ==, 2);
      g_assert_cmpfloat_with_epsilon (place_at (places, 0).x, (100 * 5 - 12 * 7.5) / 88, 1e-9);
      g_assert_cmpfloat_with_epsilon (place_at (places, 0).y, 5, 1e-9);
      g_assert_cmpfloat_with_epsilon (place_at (places, 1).x, 35, 1e-9);
      g_assert_cmpfloat_with_epsilon (place_at (places, 1).y, 25, 1e-9);
    }
}

static void
test_refused (void)
{
  static const char *const bad[] = {
    "",
    "hello",
    "{",
    "[",
    "{\"type\": \"Point\"",
    "{\"type\": \"Point\", \"coordinates\": [1]}",
    "{\"type\": \"Point\", \"coordinates\": [1e9, 0]}",
    "{\"type\": \"Point\", \"coordinates\": [nan, 0]}",
    "{\"type\": \"Point\", \"coordinates\": [1e999, 0]}",
    "{\"type\": \"Point\", \"coordinates\": [[1, 2]]}",
    "{\"type\": \"Polygon\", \"coordinates\": [[1, 2], [[3, 4]]]}",
    "{\"type\": \"Circle\", \"coordinates\": [1, 2]}",
    "{\"coordinates\": [1, 2]}",
    "{\"type\": \"Point\", \"coordinates\": [1, 2]} x",
    "{\"type\": \"Point\", \"coordinates\": [1, 2], \"coordinates\": [1, 2]}",
    "{\"a\": \"b",
    "{\"a\" 1}",
    "{\"features\": [1]}",
    "{\"a\": tru}",
  };
  g_autoptr (GString) deep = g_string_new (NULL);

  for (guint i = 0; i <= G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      for (int k = 0; k < 5000 && i == G_N_ELEMENTS (bad); k++)
        g_string_append (deep, "[");
      if (read_text (i < G_N_ELEMENTS (bad) ? bad[i] : deep->str, &error) != NULL)
        g_error ("accepted: %s", bad[i]);
      g_assert_true (error != NULL && error->domain == VG_IO_ERROR &&
                     strchr (error->message, '\n') == NULL);
    }
}

/* Two true squares that touch, found: one shifted, one missed, one invented. */
static void
test_metrics (void)
{
  gint32 truth[20 * 40] = { 0 }, found[20 * 40] = { 0 };
  g_autoptr (GPtrArray) t = NULL, f = NULL;
  g_autoptr (VgContourTruth) known = NULL;
  VgContourMetrics m;

  for (int y = 0; y < 20; y++)
    for (int x = 0; x < 40; x++)
      {
        truth[y * 40 + x] = y < 10 ? (x < 10 ? 1 : x < 20 ? 7 : 0) : 0;
        found[y * 40 + x] = y < 10 && x >= 2 && x < 12 ? 3 : y >= 15 && x >= 30 ? 9 : 0;
      }
  t = vg_contour_masks_of_labels (truth, 40, 20, NULL);
  f = vg_contour_masks_of_labels (found, 40, 20, NULL);
  g_assert_cmpuint (t->len, ==, 2);
  known = vg_contour_truth_new (g_ptr_array_ref (t), 0, 40, 20, NULL);
  vg_contour_metrics (f, known, 1, &m, NULL, NULL);
  g_assert_cmpfloat_with_epsilon (m.dice, 2.0 * 100 / (200 + 150), 1e-12);
  g_assert_cmpfloat_with_epsilon (m.sensitivity, 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (m.ppv, 100.0 / 150, 1e-12);
  /* first: 80 of 120; second's best is the same object, 20 of 180; the invented adds 50 */
  g_assert_cmpfloat_with_epsilon (m.aji, (80.0 + 20.0) / (120.0 + 180.0 + 50.0), 1e-12);
  g_assert_cmpfloat_with_epsilon (m.f1, 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (m.pq, 80.0 / 120.0 / 2.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (m.overlap_resolved, 0, 1e-12);
  g_assert_cmpfloat_with_epsilon (m.hausdorff_px, 2, 1e-12);
  vg_contour_metrics (t, known, 1, &m, NULL, NULL);
  g_assert_true (m.aji == 1 && m.f1 == 1 && m.pq == 1 && m.overlap_resolved == 1 &&
                 m.hausdorff_px == 0);
}

/* The outline of a disc, at the picture's edge and inside. */
static void
test_outline (void)
{
  VgContourObject object = { .tile = { 5, 7, 60, 60 } };
  g_autofree float *phi = g_new (float, 60 * 60);
  VgContourShape *shape;

  object.phi = phi;
  object.state.box = (VgContourBox){ 0, 0, 60, 60 };
  for (int i = 0; i < 60 * 60; i++)
    phi[i] = (float) (20 - hypot (5 + i % 60 + 0.5 - 35.2, 7 + i / 60 + 0.5 - 36.9));
  shape = vg_contour_outline (&object, 200, 200);
  g_assert_cmpuint (shape->ring_ends->len, ==, 1);
  g_assert_cmpfloat (fabs (vg_contour_shape_area (shape) / (G_PI * 400) - 1), <, 0.003);
  g_assert_cmpfloat (fabs (vg_contour_perimeter (shape, 1, 1) / (G_PI * 40) - 1), <, 0.003);
  g_assert_cmpfloat (vg_contour_solidity (shape), >, 0.995);
  vg_contour_shape_free (shape);
  for (int i = 0; i < 60 * 60; i++) /* a ring, with a stray pixel */
    phi[i] = (float) (8 - fabs (18 - hypot (5 + i % 60 + 0.5 - 35.2, 7 + i / 60 + 0.5 - 36.9)));
  phi[61] = 0.5f;
  shape = vg_contour_outline (&object, 200, 200);
  g_assert_cmpuint (shape->ring_ends->len, ==, 2);
  g_assert_cmpfloat (fabs (vg_contour_shape_area (shape) / (G_PI * (26 * 26 - 10 * 10)) - 1), <,
                     0.01);
  g_assert_cmpfloat (fabs (vg_contour_solidity (shape) - (26 * 26 - 10 * 10) / (26.0 * 26.0)), <,
                     0.01);
  vg_contour_shape_free (shape);
  for (int i = 0; i < 60 * 60; i++)
    phi[i] = -1;
  g_assert_null (vg_contour_outline (&object, 200, 200));
}

/* Amounts of two stains come back, by both ways. */
static void
test_stains (void)
{
  const VgImageInfo info = {
    .type = VG_U16, .width = 64, .height = 64, .channels = 3, .bins = 1, .slices = 1, .frames = 1
  };
  static const double h[3] = { 0.65, 0.70, 0.29 }, e[3] = { 0.07, 0.99, 0.11 };
  g_autoptr (VgImage) image = vg_image_new (&info, "stains", NULL);
  guint16 *samples = image->data;
  VgContourParams params = { .smoothing_px = 0 };

  for (int i = 0; i < 64 * 64; i++)
    for (int c = 0; c < 3; c++)
      samples[3 * i + c] = (guint16) (65536.0 * exp (-(i % 64) / 40.0 * h[c] -
                                                     (i / 64) / 60.0 * e[c] - 0.2 * (h[c] + e[c])) -
                                      1.0);
  for (int k = 0; k < 4; k++)
    {
      static const int stains[] = { VG_CONTOUR_HAEMATOXYLIN, VG_CONTOUR_EOSIN, VG_CONTOUR_MACENKO_1,
                                    VG_CONTOUR_MACENKO_2 };
      g_autofree float *plane = NULL;
      double worst = 0.0;

      params.stain = stains[k];
      plane = vg_contour_grey (image, &params, NULL, NULL);
      for (int i = 0; i < 64 * 64; i++)
        {
          double expected = (k % 2 == 0 ? i % 64 : i / 64) / 63.0;

          if (expected > 0.1 && expected < 0.9)
            worst = MAX (worst, fabs (plane[i] - expected));
        }
      g_test_message ("stain %d: %.3f off", stains[k], worst);
      g_assert_cmpfloat (worst, <, k < 2 ? 0.03 : 0.15);
    }
}

/* One stain alone with noise, of which two would be made, and a small picture: both are told. */
static void
test_one_stain (void)
{
  const VgImageInfo info = {
    .type = VG_U8, .width = 128, .height = 128, .channels = 3, .bins = 1, .slices = 1, .frames = 1
  };
  static const double h[3] = { 0.65, 0.70, 0.29 }, e[3] = { 0.07, 0.99, 0.11 };

  for (int k = 0; k < 2; k++)
    {
      g_autoptr (VgImage) image = vg_image_new (&info, "stain", NULL);
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      VgContourParams params = { .stain = VG_CONTOUR_MACENKO_1 };
      VgContourScale scale = { .known = FALSE };
      g_autofree float *plane = NULL;
      guint8 *samples = image->data;

      for (int i = 0; i < 128 * 128; i++)
        for (int c = 0; c < 3; c++)
          samples[3 * i + c] = (guint8) CLAMP (
              250.0 * exp (-1.5 * (i % 128) / 128.0 * h[c] -
                           (k == 0 ? 0.0 : i / 128 / 128.0) * e[c]) +
                  g_test_rand_int_range (-2, 3),
              0, 255);
      plane = vg_contour_grey (image, &params, &scale, NULL);
      g_assert_nonnull (plane);
      g_assert_true (scale.sought);
      g_assert_true (isfinite (scale.apart_degrees) == (k == 1));
      g_assert_cmpuint (scale.sought_pixels, ==, 128 * 128);
      vg_contour_add_stain (numbers, &scale);
      g_assert_nonnull (strstr (g_array_index (numbers->items, VgMetric, 0).advice,
                                k == 0 ? "not be separated" : "small"));
    }
}

static void
test_filters (void)
{
  GRand *rand = g_rand_new_with_seed (2);
  guint8 mask[31 * 17];
  float distance[31 * 17];
  gint32 labels[31 * 17];
  g_autoptr (GArray) parts = NULL;

  for (guint i = 0; i < sizeof mask; i++)
    mask[i] = g_rand_double (rand) < 0.8;
  vg_contour_distance (mask, distance, 31, 17);
  for (int i = 0; i < 31 * 17; i++)
    {
      double least = 1e9;

      for (int k = 0; k < 31 * 17; k++)
        if (!mask[k])
          least = MIN (least, hypot (i % 31 - k % 31, i / 31 - k / 31));
      g_assert_cmpfloat_with_epsilon (distance[i], least, 1e-4);
    }
  memset (mask, 1, sizeof mask);
  for (int y = 0; y < 17; y++)
    mask[y * 31 + 15] = 0;
  parts = vg_contour_components (mask, labels, 31, 17);
  g_assert_cmpint (parts->len, ==, 2);
  g_rand_free (rand);
}

/* The next pixel of a flood by its rule, looked for among all. */
static int
next_to_flood (const float *plane, const guint32 *order, const gboolean *waits, int n)
{
  int best = -1;

  for (int i = 0; i < n; i++)
    if (waits[i] &&
        (best < 0 || plane[i] > plane[best] || (plane[i] == plane[best] && order[i] < order[best])))
      best = i;
  return best;
}

/* Masks of long and short runs; floods from many places, on the mask and beside it, with ties and
 * values below 0. */
static void
test_masks (void)
{
  enum { W = 97, H = 41, N = W * H };
  g_autofree guint8 *mask = g_malloc (N);
  g_autofree float *distance = g_new (float, N), *plane = g_new (float, N);
  g_autofree gint32 *labels = g_new (gint32, N), *flooded = g_new0 (gint32, N),
                    *expected = g_new0 (gint32, N);
  g_autofree guint32 *order = g_new0 (guint32, N);
  g_autofree gboolean *waits = g_new0 (gboolean, N);
  g_autoptr (GArray) parts = NULL;
  guint32 came = 0;

  for (int i = 0; i < N; i++)
    {
      /* the upper half has runs of over 64 pixels, the lower one crumbs */
      mask[i] = i / W < H / 2 ? g_test_rand_int_range (0, 100) > 0
                              : g_test_rand_int_range (0, 100) < 55;
      plane[i] = (float) g_test_rand_int_range (-20, 20) / 8.0f;
    }
  vg_contour_distance (mask, distance, W, H);
  for (int i = 0; i < N; i++)
    {
      int least = G_MAXINT;

      for (int k = 0; k < N; k++)
        if (!mask[k])
          least = MIN (least,
                       (i % W - k % W) * (i % W - k % W) + (i / W - k / W) * (i / W - k / W));
      g_assert_cmpfloat_with_epsilon (distance[i], sqrt (least), 1e-6 * (1.0 + sqrt (least)));
    }
  parts = vg_contour_components (mask, labels, W, H);
  for (int i = 0; i < N; i++)
    {
      const VgContourPart *part = labels[i] > 0
                                      ? &g_array_index (parts, VgContourPart, labels[i] - 1)
                                      : NULL;
      const VgContourPart *last = i > 0 && labels[i - 1] > 0
                                      ? &g_array_index (parts, VgContourPart, labels[i - 1] - 1)
                                      : NULL;

      g_assert_true ((labels[i] > 0) == mask[i]);
      if (part != NULL)
        g_assert_true (i % W >= part->left && i % W < part->right && i / W >= part->top &&
                       i / W < part->bottom && (int) part->first <= i);
      if (i % W > 0 && part != NULL && last != NULL)
        g_assert_true (part == last);
      if (i >= W && mask[i] && mask[i - W])
        g_assert_cmpint (labels[i], ==, labels[i - W]);
    }
  for (int i = 0; i < N; i++)
    if (g_test_rand_int_range (0, 40) == 0)
      {
        flooded[i] = expected[i] = i + 1;
        waits[i] = TRUE;
        order[i] = came++;
      }
  vg_contour_flood (plane, mask, flooded, W, H);
  for (int i; (i = next_to_flood (plane, order, waits, N)) >= 0;)
    {
      const int next[] = { i % W > 0 ? i - 1 : i, i % W + 1 < W ? i + 1 : i, i >= W ? i - W : i,
                           i + W < N ? i + W : i };

      waits[i] = FALSE;
      for (int k = 0; k < 4; k++)
        if (mask[next[k]] && expected[next[k]] == 0)
          {
            expected[next[k]] = expected[i];
            waits[next[k]] = TRUE;
            order[next[k]] = came++;
          }
    }
  g_assert_cmpmem (flooded, N * sizeof *flooded, expected, N * sizeof *expected);
}

/* Where most vanish, what to do is what has not been done. */
static void
test_advice (void)
{
  for (int measured = 0; measured < 2; measured++)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      const VgContourLosses settled = { .vanished = 8 };

      vg_contour_add_losses (numbers, &settled, 10, 12.7, measured);
      g_assert_nonnull (strstr (vg_metrics_find (numbers, "vanished")->advice,
                                measured ? "by hand" : "0 to measure it"));
    }
  /* the pixels of a CT image are wider than nuclei; without a scale there is no warning */
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      const double um[] = { 0.5, 700, 0 };
      const VgContourPosition place = { .scale = 1, .um = { um[i], um[i] } };
      const VgMetric *radius;

      vg_contour_add_sizes (numbers, 100, 8, &place);
      radius = vg_metrics_find (numbers, "radius_um");
      if (um[i] == 0)
        g_assert_null (radius);
      else
        {
          g_assert_cmpint (radius->advice != NULL, ==, i == 1);
          g_assert_cmpint ((radius->flags & VG_NUMBER_GRAVE) != 0, ==, i == 1);
        }
    }
  /* a truth of another picture: most of it is not there */
  for (guint beyond = 0; beyond <= 143; beyond += 143)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      const VgContourMetrics metrics = { 0 };
      const char *advice;

      vg_contour_metrics_add (&metrics, 93, beyond, numbers);
      advice = vg_metrics_find (numbers, "true_objects")->advice;
      g_assert_true (beyond > 0 ? strstr (advice, "143 of 236") != NULL : advice == NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/advice", test_advice);
  g_test_add_func ("/contour/geojson/read", test_read);
  g_test_add_func ("/contour/geojson/odd-shapes", test_odd_shapes);
  g_test_add_func ("/contour/geojson/places", test_places);
  g_test_add_func ("/contour/geojson/refused", test_refused);
  g_test_add_func ("/contour/metrics", test_metrics);
  g_test_add_func ("/contour/outline", test_outline);
  g_test_add_func ("/contour/stains", test_stains);
  g_test_add_func ("/contour/one-stain", test_one_stain);
  g_test_add_func ("/contour/filters", test_filters);
  g_test_add_func ("/contour/masks", test_masks);
  return g_test_run ();
}
