/* SPDX-License-Identifier: MIT */
/* The width of vessels in profiles, and their kymographs, against shapes that are known. */
#include <math.h>
#include <string.h>
#include "app/profile/vg-kymograph.h"
#include "app/profile/vg-line-profile.h"
#include "app/profile/vg-vessel-width.h"

enum { N = 101, SIDE = 64 };

/* Bright and dark vessels with Gaussian profiles at every position. */
static void
test_gaussian (void)
{
  for (double sigma = 3; sigma < 10; sigma += 1.7)
    for (double middle = 35; middle < 65; middle += 3.3)
      for (int sign = -1; sign <= 1; sign += 2)
        {
          double values[N], width, centre;

          for (int i = 0; i < N; i++)
            values[i] = 10 + sign * 4 * exp (-pow ((i - middle) / sigma, 2) / 2);
          g_assert_true (vg_vessel_measure (values, N, 0.5, &width, &centre));
          g_assert_cmpfloat_with_epsilon (width, 0.5 * 2.3548 * sigma, 0.03 * sigma);
          g_assert_cmpfloat_with_epsilon (centre, 0.5 * middle, 0.05);
        }
}

/* No width where the profile has no vessel, or only half of one. */
static void
test_none (void)
{
  double values[N], width, centre;

  for (int i = 0; i < N; i++)
    values[i] = 3;
  g_assert_false (vg_vessel_measure (values, N, 1, &width, &centre));
  g_assert_true (isnan (width) && isnan (centre));
  for (int i = 0; i < N; i++)
    values[i] = NAN;
  g_assert_false (vg_vessel_measure (values, N, 1, &width, &centre));
  for (int i = 0; i < N; i++)
    values[i] = i < 3 ? 9 : i;
  g_assert_false (vg_vessel_measure (values, N, 1, &width, &centre));
  g_assert_false (vg_vessel_measure (values, 0, 1, &width, &centre));
}

/* A vessel that widens frame by frame, in a plane with a scale. */
static void
test_kymograph (void)
{
  const VgProfileLine line = { { 2, 62 }, { 32, 32 }, 0, 5 };
  const guint most = 40;
  g_autoptr (VgKymograph) kymograph = vg_kymograph_new (3, &line, most);
  g_autofree float *values = g_new (float, SIDE *SIDE), *owned = NULL;
  VgPlane plane = { .place = VG_HOST,
                    .data = values,
                    .width = SIDE,
                    .height = SIDE,
                    .slices = 1,
                    .pixel_size = { 2, 2 },
                    .unit = "µm" },
          picture;
  VgKymographExtent extent;
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL, cells = NULL;
  VgProfileLine other = line;

  g_assert_false (vg_kymograph_get_plane (kymograph, &picture, &extent, &owned));
  for (int k = 0; k < 50; k++)
    {
      for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = (float) (1 + 5 * exp (-pow ((i % SIDE + 0.5 - 32) / (3 + 0.05 * k), 2) / 2));
      vg_kymograph_add (kymograph, &plane, k, 0.1 * k);
    }
  g_assert_cmpint (vg_kymograph_get_added (kymograph), ==, 50);
  g_assert_true (vg_kymograph_get_plane (kymograph, &picture, &extent, &owned));
  g_assert_cmpint (picture.width, ==, 61);
  g_assert_cmpint (picture.height, <=, (int) most);
  g_assert_cmpint (picture.height, >=, 30);
  g_assert_cmpfloat_with_epsilon (extent.length, 120, 1e-9);
  g_assert_cmpfloat_with_epsilon (extent.time_s[1], 4.9, 1e-9);
  g_assert_cmpfloat_with_epsilon (extent.time_s[0], 4.9 - 0.1 * (picture.height - 1), 1e-6);
  csv = vg_kymograph_to_csv (kymograph, TRUE);
  lines = g_strsplit (csv, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "frame,time_s,diameter [µm],centre [µm],0 µm,2 µm,"));
  g_assert_true (g_str_has_suffix (lines[0], ",120 µm"));
  g_assert_cmpint (g_strv_length (lines), ==, (guint) picture.height + 2);
  cells = g_strsplit (lines[picture.height], ",", -1);
  g_assert_cmpstr (cells[0], ==, "49");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[2], NULL), 2 * 2.3548 * 5.45, 0.8);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[3], NULL), 60, 0.2);
  g_assert_cmpuint (g_strv_length (cells), ==, 4 + 61);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[4 + 30], NULL),
                                  (double) owned[(picture.height - 1) * 61 + 30], 1e-5);
  other.width = 3;
  g_assert_true (vg_kymograph_is_of (kymograph, 3, &line));
  g_assert_false (vg_kymograph_is_of (kymograph, 3, &other));
  g_assert_false (vg_kymograph_is_of (kymograph, 2, &line));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vessel/gaussian", test_gaussian);
  g_test_add_func ("/vessel/none", test_none);
  g_test_add_func ("/vessel/kymograph", test_kymograph);
  return g_test_run ();
}
