/* SPDX-License-Identifier: MIT */
/* Every recording of the gallery is there and has its texts. */
#include "app/opening/vg-example.h"

/* All of them exist and have valid values that differ from the defaults. */
static void
check_settings (const VgOperation *operation, const char *const *settings)
{
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (settings[i], "=", 2);
      const VgParam *param = vg_params_find (&operation->params, parts[0]);
      void *params = vg_params_new (&operation->params),
           *defaults = vg_params_new (&operation->params);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (param);
      g_assert_true (vg_param_parse (param, params, parts[1], &error));
      g_assert_no_error (error);
      g_assert_false (vg_params_equal (&operation->params, params, defaults));
      vg_params_free (&operation->params, params);
      vg_params_free (&operation->params, defaults);
    }
}

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
        check_settings (operations[i], it->settings);
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
