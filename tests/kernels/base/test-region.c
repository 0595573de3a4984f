/* SPDX-License-Identifier: MIT */
/* Regions against references that share nothing with the code: exact integer
 * geometry for polygons, a look at every pixel for the bounds. */
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-region.h"
#include "kernels/base/vg-statistics.h"
#include <math.h>
#include <string.h>

enum { SIZE = 48 };

static VgRegion
random_region (VgRegionKind kind)
{
  VgRegion region = { .kind = kind };

  region.n_points = kind == VG_REGION_POLYGON ? g_test_rand_int_range (3, 12) : 2;
  for (int i = 0; i < region.n_points; i++)
    {
      region.x[i] = g_test_rand_int_range (-10, SIZE + 10);
      region.y[i] = g_test_rand_int_range (-10, SIZE + 10);
    }
  if (kind == VG_REGION_ELLIPSE)
    {
      region.x[1] = g_test_rand_double_range (0.1, SIZE);
      region.y[1] = g_test_rand_double_range (0.1, SIZE);
    }
  if (kind == VG_REGION_RECTANGLE)
    for (int i = 0; i < 2; i++)
      {
        region.x[i] += g_test_rand_double ();
        region.y[i] += g_test_rand_double ();
      }
  return region;
}

/* Even-odd rule in doubled integer coordinates, exact: 1 inside, 0 outside,
 * -1 on an edge, where the rounding of the last bit may decide. */
static int
polygon_reference (const VgRegion *region, int i, int j)
{
  gint64 px = 2 * i + 1, py = 2 * j + 1;
  int inside = 0;

  for (int a = 0; a < region->n_points; a++)
    {
      int b = (a + 1) % region->n_points;
      gint64 ax = 2 * (gint64) region->x[a], ay = 2 * (gint64) region->y[a];
      gint64 bx = 2 * (gint64) region->x[b], by = 2 * (gint64) region->y[b];
      gint64 side = (bx - ax) * (py - ay) - (px - ax) * (by - ay);

      if ((ay > py) == (by > py))
        continue;
      if (side == 0)
        return -1;
      if ((side > 0) == (by > ay))
        inside ^= 1;
    }
  return inside;
}

static int
reference (const VgRegion *region, int i, int j)
{
  double x = i + 0.5, y = j + 0.5, d;

  switch (region->kind)
    {
    case VG_REGION_RECTANGLE:
      return x >= fmin (region->x[0], region->x[1]) && x < fmax (region->x[0], region->x[1]) &&
             y >= fmin (region->y[0], region->y[1]) && y < fmax (region->y[0], region->y[1]);
    case VG_REGION_ELLIPSE:
      d = hypot ((x - region->x[0]) / region->x[1], (y - region->y[0]) / region->y[1]);
      return fabs (d - 1) < 1e-12 ? -1 : d < 1;
    case VG_REGION_POLYGON:
      return polygon_reference (region, i, j);
    case VG_REGION_NONE:
    default:
      return 0;
    }
}

static void
test_contains (gconstpointer data)
{
  VgRegionKind kind = (VgRegionKind) GPOINTER_TO_INT (data);
  int inside = 0;

  for (int n = 0; n < 200; n++)
    {
      VgRegion region = random_region (kind);
      int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
      gboolean any = vg_region_bounds (&region, SIZE, SIZE, &x0, &y0, &x1, &y1);
      g_autofree guint8 *mask = any ? vg_region_mask (&region, x0, y0, x1, y1) : NULL;

      for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
          {
            int expected = reference (&region, i, j);
            gboolean found = vg_region_contains (&region, i + 0.5, j + 0.5);
            gboolean boxed = any && i >= x0 && i < x1 && j >= y0 && j < y1;

            if (expected >= 0)
              g_assert_cmpint (found, ==, expected);
            if (found)
              g_assert_true (boxed);
            if (boxed)
              g_assert_cmpint (mask[(j - y0) * (x1 - x0) + i - x0], ==, found);
            inside += found;
          }
    }
  g_assert_cmpint (inside, >, 1000);
}

/* A rectangle's box is exactly its pixels. */
static void
test_bounds_tight (void)
{
  for (int n = 0; n < 500; n++)
    {
      VgRegion region = random_region (VG_REGION_RECTANGLE);
      int x0, y0, x1, y1, left = SIZE, right = -1, top = SIZE, bottom = -1;
      gboolean any = vg_region_bounds (&region, SIZE, SIZE, &x0, &y0, &x1, &y1);

      for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
          if (reference (&region, i, j) == 1)
            {
              left = MIN (left, i);
              right = MAX (right, i);
              top = MIN (top, j);
              bottom = MAX (bottom, j);
            }
      if (right < 0)
        continue;
      g_assert_true (any);
      g_assert_cmpint (x0, ==, left);
      g_assert_cmpint (x1, ==, right + 1);
      g_assert_cmpint (y0, ==, top);
      g_assert_cmpint (y1, ==, bottom + 1);
    }
}

static void
test_bounds_outside (void)
{
  const char *texts[] = { "rect:-5,0,4,4",    "rect:100,0,4,4",    "rect:0,100,4,4",
                          "ellipse:-9,5,8,8", "rect:0.6,0,0.3,4",  "polygon:-1,-1;-2,-2;-3,-1",
                          "rect:1e9,1e9,1,1", "rect:-1e9,-1e9,1,1" };
  VgRegion region, none = { 0 };
  int x0, y0, x1, y1;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_true (vg_region_parse (&region, texts[i], NULL));
      g_assert_false (vg_region_bounds (&region, 10, 10, &x0, &y0, &x1, &y1));
    }
  g_assert_false (vg_region_bounds (&none, 10, 10, &x0, &y0, &x1, &y1));
  g_assert_false (vg_region_contains (&none, 0, 0));
  g_assert_true (vg_region_parse (&region, "rect:-1e8,-1e8,9e8,9e8", NULL));
  g_assert_true (vg_region_bounds (&region, 7, 3, &x0, &y0, &x1, &y1));
  g_assert_true (x0 == 0 && y0 == 0 && x1 == 7 && y1 == 3);
}

static void
test_round_trip (void)
{
  for (int n = 0; n < 3000; n++)
    {
      VgRegion region = random_region (
          (VgRegionKind) g_test_rand_int_range (VG_REGION_RECTANGLE, VG_REGION_POLYGON + 1));
      VgRegion back = { 0 };
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      region.slice = g_test_rand_bit () ? g_test_rand_int_range (0, G_MAXINT) : 0;
      text = vg_region_format (&region);
      g_assert_true (vg_region_parse (&back, text, &error));
      g_assert_no_error (error);
      g_assert_true (vg_region_equal (&region, &back));
      g_assert_true (vg_region_has_text (&region, text));
      back.y[back.n_points - 1] += 1;
      g_assert_false (vg_region_has_text (&back, text));
    }
}

static void
test_forms (void)
{
  VgRegion region;
  g_autofree char *rect = NULL, *many = NULL;
  GString *points = g_string_new ("polygon:0,0");

  g_assert_true (vg_region_parse (&region, " Rect:10, 20 ,30.5,40 @3 ", NULL));
  g_assert_cmpint (region.kind, ==, VG_REGION_RECTANGLE);
  g_assert_cmpfloat (region.x[0], ==, 10);
  g_assert_cmpfloat (region.y[1], ==, 60);
  g_assert_cmpint (region.slice, ==, 3);
  rect = vg_region_format (&region);
  g_assert_cmpstr (rect, ==, "rect:10,20,30.5,40@3");

  for (int i = 1; i < VG_REGION_MAX_POINTS; i++)
    g_string_append_printf (points, ";%d,%d", i, i * i);
  g_assert_true (vg_region_parse (&region, points->str, NULL));
  g_assert_cmpint (region.n_points, ==, VG_REGION_MAX_POINTS);
  many = g_strconcat (points->str, ";1,1", NULL);
  g_string_free (points, TRUE);
  g_assert_false (vg_region_parse (&region, many, NULL));
}

static void
test_refused (void)
{
  const char *texts[] = {
    "",
    ":",
    "rect",
    "rect:",
    "rect:1,2,3",
    "rect:1,2,3,4,5",
    "rect:1,2,0,4",
    "rect:1,2,-3,4",
    "rect:1,2,3,4x",
    "rect:1,2,nan,4",
    "rect:1,2,inf,4",
    "rect:1,2,1e400,4",
    "rect:2e9,0,1,1",
    "ellipse:1,1,0,1",
    "ellipse:1,1,1",
    "polygon:1,1;2,2",
    "polygon:1,1;2,2;",
    "polygon:1;2;3",
    "circle:1,1,1",
    "rect:1,2,3,4@",
    "rect:1,2,3,4@-1",
    "rect:1,2,3,4@1.5",
    "rect:1,2,3,4@99999999999",
    "rect 1,2,3,4",
    "rect:1;2;3;4",
    "\xff\xfe:1,2,3,4",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      VgRegion region = { .kind = VG_REGION_NONE, .slice = 77 };
      g_autoptr (GError) error = NULL;

      g_assert_false (vg_region_parse (&region, texts[i], &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
      g_assert_null (strchr (error->message, '\n'));
      g_assert_cmpint (region.slice, ==, 77);
    }
}

static void
test_equal (void)
{
  VgRegion a, b;

  g_assert_true (vg_region_parse (&a, "rect:1,2,3,4", NULL));
  b = a;
  b.x[7] = 5; /* beyond the points */
  g_assert_true (vg_region_equal (&a, &b));
  b.slice = 1;
  g_assert_false (vg_region_equal (&a, &b));
  g_assert_false (vg_region_equal (&a, NULL));
  g_assert_true (vg_region_equal (NULL, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/region/contains/rectangle", GINT_TO_POINTER (VG_REGION_RECTANGLE),
                        test_contains);
  g_test_add_data_func ("/region/contains/ellipse", GINT_TO_POINTER (VG_REGION_ELLIPSE),
                        test_contains);
  g_test_add_data_func ("/region/contains/polygon", GINT_TO_POINTER (VG_REGION_POLYGON),
                        test_contains);
  g_test_add_func ("/region/bounds-tight", test_bounds_tight);
  g_test_add_func ("/region/bounds-outside", test_bounds_outside);
  g_test_add_func ("/region/round-trip", test_round_trip);
  g_test_add_func ("/region/forms", test_forms);
  g_test_add_func ("/region/refused", test_refused);
  g_test_add_func ("/region/equal", test_equal);
  return g_test_run ();
}
