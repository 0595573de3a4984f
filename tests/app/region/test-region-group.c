/* SPDX-License-Identifier: MIT */
/* Which regions count as one. */
#include "app/region/vg-region-group.h"
#include <glib.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-group/groups", test_groups);
  return g_test_run ();
}
