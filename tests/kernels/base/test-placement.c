/* SPDX-License-Identifier: MIT */
/* Where a volume says it lies: sform and qform of one place, sides, turns, and
 * how far apart two places are. */
#include "kernels/base/vg-placement.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>

typedef struct
{
  double m[3][3];
} Rotation;

/* No half turn: the format takes one that is nearly that (its cosine part below 3e-4) for one. */
static void
random_quaternion (double q[4])
{
  double length;

  do
    {
      length = 0;
      for (int i = 0; i < 4; i++)
        {
          q[i] = g_test_rand_double_range (-1, 1);
          length += q[i] * q[i];
        }
    }
  while (length > 1 || length < 0.1 || fabs (q[0]) < 0.01);
  for (int i = 0; i < 4; i++)
    q[i] *= (q[0] < 0 ? -1 : 1) / sqrt (length);
}

/* By turning each unit vector with v + 2 q x (q x v + a v). */
static Rotation
rotation_of (const double q[4])
{
  Rotation r;

  for (int axis = 0; axis < 3; axis++)
    {
      double v[3] = { axis == 0, axis == 1, axis == 2 };
      double c[3] = { q[2] * v[2] - q[3] * v[1] + q[0] * v[0],
                      q[3] * v[0] - q[1] * v[2] + q[0] * v[1],
                      q[1] * v[1] - q[2] * v[0] + q[0] * v[2] };

      r.m[0][axis] = v[0] + 2 * (q[2] * c[2] - q[3] * c[1]);
      r.m[1][axis] = v[1] + 2 * (q[3] * c[0] - q[1] * c[2]);
      r.m[2][axis] = v[2] + 2 * (q[1] * c[1] - q[2] * c[0]);
    }
  return r;
}

static void
test_methods (void)
{
  for (int n = 0; n < 300; n++)
    {
      VgPlacement by_q = { .known = TRUE,
                           .qform_code = 1,
                           .pixdim = { n % 2 ? -1 : 1, 1.5, 2.5, 4 },
                           .unit = n % 4 },
                  by_s = { .known = TRUE, .sform_code = 2, .unit = n % 4 };
      double q[4], a[3][4], b[3][4];
      Rotation r;

      random_quaternion (q);
      r = rotation_of (q);
      for (int i = 0; i < 3; i++)
        {
          by_q.quatern[i] = q[i + 1];
          by_q.offset[i] = by_s.srow[i][3] = g_test_rand_double_range (-200, 200);
          for (int k = 0; k < 3; k++)
            by_s.srow[i][k] = r.m[i][k] * by_q.pixdim[k + 1] * (k == 2 && n % 2 ? -1 : 1);
        }
      g_assert_true (vg_placement_matrix (&by_q, a));
      g_assert_true (vg_placement_matrix (&by_s, b));
      for (int i = 0; i < 12; i++)
        g_assert_cmpfloat_with_epsilon (a[i / 4][i % 4], b[i / 4][i % 4],
                                        1e-6 * (by_q.unit == 1 ? 1e3 : 1));
      g_assert_cmpfloat (vg_placement_apart (&by_q, &by_s, (gint64[3]){ 50, 40, 30 }, NULL), <,
                         1e-5);
    }
}

static VgPlacement
placed (double xx, double yy, double zz)
{
  return (VgPlacement){ .known = TRUE,
                        .sform_code = 1,
                        .pixdim = { 1, 2, 2, 5 },
                        .srow = { { xx, 0, 0, 7 }, { 0, yy, 0, -3 }, { 0, 0, zz, 11 } },
                        .unit = 2 };
}

static void
assert_sides (const VgPlacement *place, const char *sides, gboolean turned_x, gboolean turned_y)
{
  VgOrientation way;

  vg_placement_orientation (place, &way);
  g_assert_true (way.known);
  g_assert_cmpmem (way.ends, sizeof way.ends, sides, 6);
  g_assert_cmpint (way.turned[0], ==, turned_x);
  g_assert_cmpint (way.turned[1], ==, turned_y);
}

static void
test_sides (void)
{
  VgPlacement ras = placed (2, 2, 5), lps = placed (-2, -2, -5), oblique = placed (2, 2, 5),
              sagittal = placed (0, 0, 0), coronal = placed (-2, 0, 0);

  assert_sides (&ras, "LRPAIS", TRUE, TRUE);
  assert_sides (&lps, "RLAPSI", FALSE, FALSE);
  /* 30 degrees about x, and a bit about z */
  oblique.srow[1][1] = 2 * cos (0.5);
  oblique.srow[2][1] = 2 * sin (0.5);
  oblique.srow[1][2] = -5 * sin (0.5);
  oblique.srow[2][2] = 5 * cos (0.5);
  oblique.srow[1][0] = 0.4;
  assert_sides (&oblique, "LRPAIS", TRUE, TRUE);
  /* x to the back, y to the head, z to the left; rows from the head down */
  sagittal.srow[1][0] = -2;
  sagittal.srow[2][1] = 2;
  sagittal.srow[0][2] = -5;
  assert_sides (&sagittal, "APISRL", FALSE, TRUE);
  coronal.srow[2][1] = -2;
  coronal.srow[1][2] = 5;
  assert_sides (&coronal, "RLSIPA", FALSE, FALSE);
}

/* All orders and directions of the axes: the patient's right is on the left, or in a sagittal slice
 * the front; front or head is up. */
static void
test_orders (void)
{
  static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

  for (int k = 0; k < 48; k++)
    {
      const int *order = orders[k / 8];
      VgPlacement place = placed (0, 0, 0);
      gboolean sagittal = order[2] == 0, axial = order[2] == 2;
      VgOrientation way;
      int across, down;

      for (int axis = 0; axis < 3; axis++)
        place.srow[order[axis]][axis] = k >> axis & 1 ? -2 : 2;
      vg_placement_orientation (&place, &way);
      across = way.swapped ? 1 : 0;
      down = !across;
      g_assert_cmpint (way.ends[across][way.turned[across]], ==, sagittal ? 'A' : 'R');
      g_assert_cmpint (way.ends[across][!way.turned[across]], ==, sagittal ? 'P' : 'L');
      g_assert_cmpint (way.ends[down][way.turned[down]], ==, axial ? 'A' : 'S');
      g_assert_cmpint (way.ends[down][!way.turned[down]], ==, axial ? 'P' : 'I');
    }
}

static void
test_unknown (void)
{
  VgPlacement place = placed (2, 2, 5), good = placed (2, 2, 5);
  VgOrientation way;
  double matrix[3][4];

  place.sform_code = 0;
  g_assert_false (vg_placement_matrix (&place, matrix));
  vg_placement_orientation (&place, &way);
  g_assert_false (way.known);
  g_assert_cmpint (way.ends[0][0], ==, 0);
  g_assert_cmpfloat (vg_placement_apart (&good, &place, (gint64[3]){ 9, 9, 9 }, NULL), ==, 0);
  place = good;
  place.known = FALSE;
  g_assert_false (vg_placement_matrix (&place, matrix));
  for (int i = 0; i < 3; i++) /* an axis without length, two that are one, a place beyond all */
    {
      place = good;
      if (i == 0)
        place.srow[1][1] = 0;
      else if (i == 1)
        {
          place.srow[0][1] = 2;
          place.srow[1][1] = 0;
        }
      else
        place.srow[2][3] = 1e30;
      g_assert_false (vg_placement_matrix (&place, matrix));
      place.qform_code = 1; /* then the other one counts */
      g_assert_true (vg_placement_matrix (&place, matrix));
      g_assert_cmpfloat (matrix[2][2], ==, 5);
    }
}

static void
test_apart (void)
{
  VgPlacement here = placed (2, 2, 5), there = here;
  const gint64 extent[3] = { 10, 20, 4 };
  double mm;

  there.srow[1][3] += 0.9;
  g_assert_cmpfloat_with_epsilon (vg_placement_apart (&here, &there, extent, &mm), 0.45, 1e-12);
  g_assert_cmpfloat_with_epsilon (mm, 0.9, 1e-12);
  there = here;
  there.srow[1][1] = -2;
  there.srow[1][3] += 2 * 19; /* the same box the other way round */
  g_assert_cmpfloat_with_epsilon (vg_placement_apart (&here, &there, extent, &mm), 19, 1e-12);
  g_assert_cmpfloat_with_epsilon (mm, 38, 1e-12);
  there = here;
  there.srow[2][2] = 7; /* other spacing: worst in the last slice */
  g_assert_cmpfloat_with_epsilon (vg_placement_apart (&here, &there, extent, &mm), 6. / 5, 1e-12);
  g_assert_cmpfloat_with_epsilon (mm, 6, 1e-12);
}

/* Voxels of a mask whose slices 1 and 4 of 5 are not empty; voxel (x, y) of slice z is 1 where
 * x + 2 y + z is a multiple of 3. */
static VgImage *
mask_new (const VgPlacement *placement)
{
  VgImageInfo info = vg_image_info_grey (VG_U8, 6, 4);
  VgImage *mask;
  guint8 *to;

  info.slices = 5;
  info.placement = *placement;
  mask = vg_image_new (&info, "mask", NULL);
  to = mask->data;
  for (int z = 0; z < 5; z++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 6; x++)
        *to++ = z % 3 == 1 && (x + 2 * y + z) % 3 == 0;
  return mask;
}

/* The mask on the grid of voxels of its own in another order: those of the data at (i, j, k) are at
 * (k + 1, 3 - i, 3 j - 2) of the mask. */
static void
test_place (void)
{
  VgPlacement own = { .known = TRUE, .sform_code = 1, .unit = 2 }, other = own;
  const double matrix[3][4] = { { 0, 2, 0.5, 10 }, { 3, 0, 0, -20 }, { 0, 0, 1, 5 } };
  const int steps[3][4] = { { 0, 0, 1, 1 }, { -1, 0, 0, 3 }, { 0, 3, 0, -2 } };
  VgImageInfo data = vg_image_info_grey (VG_F32, 4, 3);
  g_autoptr (VgImage) mask = NULL;
  g_autoptr (VgImage) placed = NULL;
  g_autoptr (VgImage) same = NULL;
  g_autoptr (GError) error = NULL;
  const guint8 *at;
  int found = 0;

  memcpy (own.srow, matrix, sizeof matrix);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++)
      {
        other.srow[i][k] = k == 3 ? matrix[i][3] : 0;
        for (int axis = 0; axis < 3; axis++)
          other.srow[i][k] += matrix[i][axis] * steps[axis][k];
      }
  data.slices = 7;
  data.placement = other;
  mask = mask_new (&own);
  placed = vg_image_place (mask, &data, FALSE, &error);
  g_assert_no_error (error);
  at = placed->data;
  for (int k = 0; k < 7; k++)
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 4; i++, at++)
        {
          int x = k + 1, y = 3 - i, z = 3 * j - 2;

          g_assert_cmpint (*at, ==,
                           x < 6 && z >= 0 && z < 5 && z % 3 == 1 && (x + 2 * y + z) % 3 == 0);
          found += *at;
        }
  g_assert_cmpint (found, >, 5);
  g_assert_cmpint (placed->info.slices, ==, 7);
  data.placement.known = FALSE;
  same = vg_image_place (mask, &data, FALSE, &error);
  g_assert_true (same == mask);
  data.placement.known = TRUE;
  for (int i = 0; i < 3; i++) /* a slice that is not empty is skipped; then half a voxel aside */
    {
      g_autoptr (VgImage) none = NULL;
      g_autoptr (GError) local = NULL;

      data.placement = other;
      if (i == 0)
        data.placement.srow[2][3] += 1.5;
      else
        data.placement.srow[0][3] += i == 1 ? 1 : 0.2;
      none = vg_image_place (mask, &data, FALSE, &local);
      g_assert_true ((none == NULL) == (i < 2));
      g_assert_true ((local != NULL) == (i < 2));
    }
}

/* A mask of slices 1 mm apart on data with slices 5 mm apart: the empty slices beside one that is
 * not empty do not replace it.  One whose slices are farther apart than those of the data, and one
 * with two slices in the place of one, are refused. */
static void
test_place_slices (void)
{
  VgPlacement fine = { .known = TRUE, .sform_code = 1, .unit = 2 }, coarse;
  VgImageInfo data = vg_image_info_grey (VG_F32, 2, 2), of_mask = vg_image_info_grey (VG_U8, 2, 2);
  g_autoptr (VgImage) mask = NULL;
  g_autoptr (VgImage) placed = NULL;
  g_autoptr (VgImage) none = NULL;
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 3; i++)
    fine.srow[i][i] = 1;
  coarse = fine;
  coarse.srow[2][2] = 5;
  of_mask.slices = 21;
  of_mask.placement = fine;
  data.slices = 5;
  data.placement = coarse;
  mask = vg_image_new (&of_mask, "mask", NULL);
  memset (mask->data, 0, 21 * 4);
  memset ((guint8 *) mask->data + 5 * 4, 1, 4);
  memset ((guint8 *) mask->data + 10 * 4, 1, 4);
  placed = vg_image_place (mask, &data, FALSE, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 5 * 4; i++)
    g_assert_cmpint (((const guint8 *) placed->data)[i], ==, i / 4 == 1 || i / 4 == 2);
  ((guint8 *) mask->data)[6 * 4] = 1;
  none = vg_image_place (mask, &data, FALSE, &error);
  g_assert_true (none == NULL && error != NULL);
  g_clear_error (&error);
  mask->info.slices = 2;
  mask->info.placement = coarse;
  data.placement = fine;
  none = vg_image_place (mask, &data, FALSE, &error);
  g_assert_true (none == NULL && error != NULL);
}

/* A map of two frames on data with the opposite direction of y: its values are moved exactly.  A
 * map that has no sample for a part of the data is refused, but not a mask; half a sample aside, it
 * is taken as it is. */
static void
test_place_map (void)
{
  enum { WIDTH = 3, HEIGHT = 4, SLICES = 2, N = WIDTH * HEIGHT * SLICES };
  VgImageInfo info = vg_image_info_grey (VG_F32, WIDTH, HEIGHT), data;
  g_autoptr (VgImage) map = NULL;
  g_autoptr (VgImage) placed = NULL;
  g_autoptr (VgImage) none = NULL;
  g_autoptr (VgImage) part = NULL;
  g_autoptr (VgImage) same = NULL;
  g_autoptr (GError) error = NULL;
  const float *at;

  info.slices = SLICES;
  info.placement = (VgPlacement){ .known = TRUE,
                                  .sform_code = 1,
                                  .unit = 2,
                                  .srow = { { 2, 0, 0, 5 }, { 0, 2, 0, 6 }, { 0, 0, 4, 7 } } };
  data = info;
  data.placement.srow[1][1] = -2;
  data.placement.srow[1][3] = 6 + 2 * (HEIGHT - 1);
  info.frames = 2;
  map = vg_image_new (&info, "map", NULL);
  map->flips_deg = g_new (double, 2);
  map->flips_deg[0] = 3;
  map->flips_deg[1] = 15;
  for (int i = 0; i < 2 * N; i++) /* the first slice is empty */
    ((float *) map->data)[i] = i < WIDTH * HEIGHT ? 0 : (float) i;
  placed = vg_image_place (map, &data, TRUE, &error);
  g_assert_no_error (error);
  at = placed->data;
  for (int page = 0; page < 2 * SLICES; page++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++, at++)
        g_assert_cmpfloat (*at, ==,
                           page == 0 ? 0 : (float) ((page * HEIGHT + HEIGHT - 1 - y) * WIDTH + x));
  g_assert_cmpfloat (placed->flips_deg[1], ==, 15);
  g_assert_cmpint (placed->info.frames, ==, 2);

  data.placement.srow[1][3] += 2;
  none = vg_image_place (map, &data, TRUE, &error);
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_clear_error (&error);
  part = vg_image_place (map, &data, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (((const float *) part->data)[N], ==, 0);
  g_assert_cmpfloat (((const float *) part->data)[N + WIDTH], ==, N + (HEIGHT - 1) * WIDTH);
  data.placement = info.placement;
  data.placement.srow[0][3] += 0.9;
  same = vg_image_place (map, &data, TRUE, &error);
  g_assert_true (same == map);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placement/methods", test_methods);
  g_test_add_func ("/placement/sides", test_sides);
  g_test_add_func ("/placement/orders", test_orders);
  g_test_add_func ("/placement/unknown", test_unknown);
  g_test_add_func ("/placement/apart", test_apart);
  g_test_add_func ("/placement/place", test_place);
  g_test_add_func ("/placement/place-map", test_place_map);
  g_test_add_func ("/placement/place-slices", test_place_slices);
  return g_test_run ();
}
