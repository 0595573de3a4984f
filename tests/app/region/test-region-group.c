/* SPDX-License-Identifier: MIT */
/* Which regions count as one. */
#include "app/region/vg-region-group.h"
#include "app/region/vg-region-index.h"
#include "app/region/vg-region-objects.h"
#include "tests/support/sanitized.h"
#include <glib.h>
#include <math.h>
#include <string.h>
#include <time.h>

static void
test_groups (void)
{
  static VgNamedRegion all[] = {
    { .name = (char *) "Lesion (slice 3)", .region.slice = 2 },
    { .name = (char *) "Liver", .region.slice = 2 },
    { .name = (char *) "Lesion (slice 4)", .region.slice = 3 },
    { .name = (char *) "Liver", .region.slice = 2 }, /* the same slice */
    { .name = (char *) "Lesion", .region.slice = 0 },
    { .name = (char *) "Aorta (slice 7)", .region.slice = 6 },
    { .name = (char *) "Node (slice 5)", .region.slice = 1 }, /* its own name */
    { .name = (char *) "Node", .region.slice = 2 },
  };
  const VgNamedRegion *regions[G_N_ELEMENTS (all) + 1] = { NULL };
  static const struct
  {
    const char *name;
    guint n, members[3];
  } expected[] = {
    { "Lesion", 3, { 0, 2, 4 } },    { "Liver", 1, { 1 } },          { "Liver", 1, { 3 } },
    { "Aorta (slice 7)", 1, { 5 } }, { "Node (slice 5)", 1, { 6 } }, { "Node", 1, { 7 } },
  };
  g_autoptr (GPtrArray) joined = NULL, alone = NULL, none = vg_region_groups_new (NULL, TRUE);

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    regions[i] = &all[i];
  joined = vg_region_groups_new (regions, TRUE);
  alone = vg_region_groups_new (regions, FALSE);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (alone->len, ==, G_N_ELEMENTS (all));
  g_assert_cmpuint (joined->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const VgRegionGroup *group = joined->pdata[i];

      g_assert_cmpstr (group->name, ==, expected[i].name);
      g_assert_cmpuint (group->members->len, ==, expected[i].n);
      for (guint k = 0; k < expected[i].n; k++)
        {
          g_assert_cmpuint (g_array_index (group->members, guint, k), ==, expected[i].members[k]);
          g_assert_true (group->parts->pdata[k] == &all[expected[i].members[k]].region);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_assert_cmpstr (((VgRegionGroup *) alone->pdata[i])->name, ==, all[i].name);
}

/* Objects are in the regions that contain their centroids, in a slide region too; QuPath gets the
 * regions as annotations. */
static void
test_objects (void)
{
  const char *table = "id,seed_x,seed_y,x,y,area_px2\n1,0,0,120,220,5\n2,0,0,139,239,7\n"
                      "3,0,0,300,300,9\n";
  VgNamedRegion rectangle = { .name = (char *) "A, \"1\"",
                              .region = { .kind = VG_REGION_RECTANGLE,
                                          .n_points = 2,
                                          .x = { 0, 20 },
                                          .y = { 0, 20 } } },
                ellipse = { .name = (char *) "B",
                            .rgb = { 1, 2, 3 },
                            .region = { .kind = VG_REGION_ELLIPSE,
                                        .n_points = 2,
                                        .x = { 20, 4 },
                                        .y = { 20, 4 } } };
  const VgNamedRegion *const regions[] = { &rectangle, &ellipse, NULL };
  VgImageInfo info = {
    .width = 100, .height = 50, .origin = { 100, 200 }, .downsample = 2, .pixel_size = { 0.5, 0.5 }
  };
  g_autofree char *csv = vg_region_objects_to_csv (table, regions, &info),
                  *json = vg_region_objects_to_geojson (regions, &info);

  g_assert_cmpstr (csv, ==,
                   "id,seed_x,seed_y,x,y,area_px2,region\n1,0,0,120,220,5,\"A, \"\"1\"\"\"\n"
                   "2,0,0,139,239,7,\"A, \"\"1\"\"; B\"\n3,0,0,300,300,9,\"\"\n");
  g_assert_nonnull (
      strstr (json, "[[[100, 200], [140, 200], [140, 240], [100, 240], [100, 200]]]"));
  g_assert_nonnull (strstr (json, "\"name\": \"A, \\\"1\\\"\"}"));
  g_assert_nonnull (strstr (json, "\"name\": \"B\", \"color\": [1, 2, 3]}"));
  g_assert_true (isnan (vg_region_objects_area_mm2 (NULL, &info))); /* 0.5 of what? */
  g_strlcpy (info.pixel_unit, "um", sizeof info.pixel_unit);
  g_assert_cmpfloat_with_epsilon (vg_region_objects_area_mm2 (NULL, &info), 1.25e-3, 1e-12);
  g_assert_cmpfloat_with_epsilon (vg_region_objects_area_mm2 (&rectangle.region, &info), 1e-4,
                                  1e-12);
}

static VgRegion
make_polygon (GRand *rand, int n)
{
  VgRegion region = { .kind = VG_REGION_POLYGON, .n_points = n };

  for (int i = 0; i < n; i++)
    {
      region.x[i] = g_rand_double_range (rand, -3, 3);
      region.y[i] = i % 5 == 0 ? 1 : g_rand_double_range (rand, -1e3, 1e3);
    }
  return region;
}

/* Crossing lines, level edges and all numbers of points: the same answer as the region's. */
static void
test_index (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (15);

  for (int n = 3; n <= VG_REGION_MAX_POINTS; n += 23)
    {
      VgRegion region = make_polygon (rand, n);
      g_autoptr (VgRegionIndex) index = vg_region_index_new (&region);
      int inside = 0;

      for (int i = 0; i < 2000; i++)
        {
          double x = i % 7 == 0 ? region.x[i % n] : g_rand_double_range (rand, -4, 4),
                 y = i % 7 == 0 ? region.y[i % n] : g_rand_double_range (rand, -1100, 1100);
          gboolean now = vg_region_index_contains (index, x, y);

          g_assert_cmpint (now, ==, vg_region_contains (&region, x, y));
          inside += now;
        }
      g_assert_cmpint (inside, >, 0);
      g_assert_false (vg_region_index_contains (index, NAN, 0));
      g_assert_false (vg_region_index_contains (index, 0, NAN));
    }
}

/* A polygon without height holds nothing, and does not divide by it. */
static void
test_flat_index (void)
{
  VgRegion flat = { .kind = VG_REGION_POLYGON, .n_points = 3, .x = { 0, 1, 2 }, .y = { 5, 5, 5 } };

  g_assert_null (vg_region_index_new (&flat));
  g_assert_null (vg_region_index_new (&(VgRegion){ .kind = VG_REGION_NONE }));
}

/* Many regions, which overlap, name many objects as the regions themselves do, in a time that a
 * user does not notice. */
static void
test_many_objects (void)
{
  enum { N_OBJECTS = 20000, N_REGIONS = 250, MOST_MS = 500, CHECKED = 97 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (18);
  g_autofree VgNamedRegion *all = g_new0 (VgNamedRegion, N_REGIONS);
  g_autofree const VgNamedRegion **regions = g_new0 (const VgNamedRegion *, N_REGIONS + 1);
  g_autofree double *x = g_new (double, N_OBJECTS), *y = g_new (double, N_OBJECTS);
  g_autoptr (GString) table = g_string_new ("id,seed_x,seed_y,x,y\n");
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;
  const VgImageInfo info = { .width = 4000, .height = 4000 };
  guint named = 0;
  double ms;

  for (guint i = 0; i < N_REGIONS; i++)
    {
      VgRegion *region = &all[i].region;
      double centre[2] = { g_rand_double_range (rand, 0, 4000),
                           g_rand_double_range (rand, 0, 4000) };

      all[i].name = (char *) "R";
      regions[i] = &all[i];
      region->kind = VG_REGION_POLYGON;
      region->n_points = VG_REGION_MAX_POINTS;
      for (int k = 0; k < region->n_points; k++)
        {
          double angle = 2 * G_PI * k / region->n_points,
                 radius = g_rand_double_range (rand, 90, 160);

          region->x[k] = centre[0] + radius * cos (angle);
          region->y[k] = centre[1] + radius * sin (angle);
        }
    }
  for (guint i = 0; i < N_OBJECTS; i++)
    {
      x[i] = g_rand_int_range (rand, 0, 4000);
      y[i] = g_rand_int_range (rand, 0, 4000);
      g_string_append_printf (table, "%u,0,0,%.0f,%.0f\n", i + 1, x[i], y[i]);
    }
  ms = (double) clock ();
  csv = vg_region_objects_to_csv (table->str, regions, &info);
  ms = 1e3 * ((double) clock () - ms) / CLOCKS_PER_SEC;
  g_test_message ("%.0f ms", ms);
  if (!SANITIZED)
    g_assert_cmpfloat (ms, <, MOST_MS);
  lines = g_strsplit (csv, "\n", -1);
  for (guint i = 0; i < N_OBJECTS; i += CHECKED)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], ",", -1);
      g_auto (GStrv) names = g_strsplit (cells[5], ";", -1);
      guint inside = 0;

      for (guint k = 0; k < N_REGIONS; k++)
        inside += vg_region_contains (&all[k].region, x[i], y[i]);
      named += inside > 0;
      g_assert_cmpuint (inside, ==, strcmp (cells[5], "\"\"") == 0 ? 0 : g_strv_length (names));
    }
  g_assert_cmpuint (named, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-group/groups", test_groups);
  g_test_add_func ("/region/objects", test_objects);
  g_test_add_func ("/region/index", test_index);
  g_test_add_func ("/region/flat-index", test_flat_index);
  g_test_add_func ("/region/many-objects", test_many_objects);
  return g_test_run ();
}
