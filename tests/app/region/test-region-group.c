/* SPDX-License-Identifier: MIT */
/* Which regions count as one. */
#include "app/region/vg-region-group.h"
#include "app/region/vg-region-objects.h"
#include <glib.h>
#include <math.h>
#include <string.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-group/groups", test_groups);
  g_test_add_func ("/region/objects", test_objects);
  return g_test_run ();
}
