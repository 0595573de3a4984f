/* SPDX-License-Identifier: MIT */
/* Every recording of the gallery is there and has its texts. */
#include "app/opening/vg-example.h"

static void
test_all (void)
{
  guint n, found = 0;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    for (const VgExample *it = operations[i]->examples; it && it->path != NULL; it++)
      {
        g_autofree char *path = vg_example_find (it);

        g_test_message ("%s", it->path);
        g_assert_nonnull (path);
        g_assert_true (g_str_has_suffix (path, it->path));
        g_assert_nonnull (it->title);
        g_assert_true (g_str_has_suffix (it->description, "."));
        g_assert_nonnull (it->source);
        g_assert_nonnull (it->licence);
        found++;
      }
  g_assert_cmpuint (found, >, 0);
}

static void
test_missing (void)
{
  const VgExample gone = { "flow/no-such-file.tif" }, folder = { "flow" };

  g_assert_null (vg_example_find (&gone));
  g_assert_null (vg_example_find (&folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/example/all", test_all);
  g_test_add_func ("/example/missing", test_missing);
  return g_test_run ();
}
