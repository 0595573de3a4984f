/* SPDX-License-Identifier: MIT */
/* Kept results: how many there may be, what they are called, what they show. */
#include "ui/compare/vg-kept.h"
#include <math.h>
#include <string.h>

/* The map of a small simulation with these settings, "name=value" and NULL at the end. */
static VgReference *
compute (const VgOperation *operation, const char *const *settings, void **params)
{
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 1, NULL);
  g_autoptr (GError) error = NULL;
  VgReference *kept;

  *params = vg_params_new (&operation->params);
  for (; *settings != NULL; settings++)
    {
      g_auto (GStrv) parts = g_strsplit (*settings, "=", 2);

      g_assert_true (vg_param_parse (vg_params_find (&operation->params, parts[0]), *params,
                                     parts[1], &error));
    }
  g_assert_true (vg_work_prepare (work, *params, NULL, NULL, &error));
  while (vg_work_step (work, 0.01, NULL) == VG_STEP_MORE)
    ;
  kept = vg_reference_new (work, &error);
  g_assert_no_error (error);
  return kept;
}

static const char *const few[] = { "photons=200", "nz=7", "nr=5", NULL };

static void
assert_name (VgKept *kept, const VgOperation *operation, int i, const void *params,
             const char *input, const char *name)
{
  g_autofree char *text = vg_kept_get_name (kept, operation, i, params, input);

  g_assert_cmpstr (text, ==, name);
}

static void
test_names (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  VgKept *kept = vg_kept_new ();
  void *params;

  g_assert_cmpint (vg_kept_add (kept, compute (fluence, few, &params), "/a/b.mci", "10:11:12"), ==,
                   0);
  assert_name (kept, fluence, 0, params, "/a/b.mci", "Kept at 10:11:12");
  assert_name (kept, fluence, 0, params, "/a/c.mci", "Kept: b.mci");
  assert_name (kept, fluence, 1, params, NULL, NULL);
  vg_param_set_number (vg_params_find (&fluence->params, "photons"), params, 5000);
  {
    const VgParam *photons = vg_params_find (&fluence->params, "photons");
    g_autofree char *want = g_strdup_printf ("Kept: %s 200", photons->label),
                    *changes = g_strdup_printf ("Kept at 10:11:12\n%s 200 → 5000", photons->label),
                    *text = vg_kept_get_changes (kept, fluence, 0, params);

    assert_name (kept, fluence, 0, params, "/a/b.mci", want);
    g_assert_cmpstr (text, ==, changes);
  }
  vg_param_set_number (vg_params_find (&fluence->params, "nz"), params, 8);
  vg_param_set_number (vg_params_find (&fluence->params, "nr"), params, 8);
  {
    g_autofree char *text = vg_kept_get_name (kept, fluence, 0, params, NULL);

    g_assert_true (g_str_has_prefix (text, "Kept: b.mci, "));
    g_assert_true (g_str_has_suffix (text, " and 1 more"));
  }
  vg_params_free (&fluence->params, params);
  vg_kept_free (kept);
}

/* A choice and a number have the value of the kept one, and what changed both values and the unit.
 */
static void
test_kinds (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  VgKept *kept = vg_kept_new ();
  void *params;

  vg_kept_add (kept, compute (fluence, few, &params), NULL, "1");
  for (guint i = 0; i < fluence->params.n_items; i++)
    {
      const VgParam *param = &fluence->params.items[i];
      void *other = vg_params_copy (&fluence->params, params);
      double before = vg_param_get_number (param, params);
      g_autofree char *text = NULL, *name = NULL;

      if (isfinite (before))
        vg_param_set_number (param, other, before + 1);
      text = vg_kept_get_changes (kept, fluence, 0, other);
      name = vg_kept_get_name (kept, fluence, 0, other, NULL);
      g_assert_null (strstr (name, " → "));
      if (param->kind == VG_PARAM_CHOICE && vg_param_get_number (param, other) != before)
        g_assert_true (g_str_has_suffix (name, param->choice_labels != NULL
                                                   ? param->choice_labels[(int) before]
                                                   : param->choices[(int) before]));
      else if (param->kind <= VG_PARAM_DOUBLE && vg_param_get_number (param, other) != before)
        {
          g_assert_nonnull (strstr (text, " → "));
          g_assert_nonnull (strstr (text, param->label));
          if (param->unit != NULL)
            g_assert_true (g_str_has_suffix (text, param->unit));
        }
      vg_params_free (&fluence->params, other);
    }
  vg_params_free (&fluence->params, params);
  vg_kept_free (kept);
}

/* Four of each operation; a fifth replaces none. */
static void
test_four (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  VgKept *kept = vg_kept_new ();
  VgReference *first = NULL, *second;

  for (int i = 0; i < 5; i++)
    {
      void *params;
      VgReference *reference = compute (fluence, few, &params);

      if (i == 0)
        first = reference;
      g_assert_cmpint (vg_kept_add (kept, reference, NULL, "1"), ==, i < 4 ? i : -1);
      vg_params_free (&fluence->params, params);
    }
  g_assert_cmpint (vg_kept_count (kept, fluence), ==, 4);
  g_assert_cmpint (vg_kept_count (kept, vg_operation_find ("flow")), ==, 0);
  g_assert_true (vg_kept_get (kept, fluence, 0) == first);
  second = vg_kept_get (kept, fluence, 1);
  vg_kept_remove (kept, fluence, 0);
  vg_kept_remove (kept, fluence, 7);
  g_assert_cmpint (vg_kept_count (kept, fluence), ==, 3);
  g_assert_true (vg_kept_get (kept, fluence, 0) == second);
  g_assert_null (vg_kept_get (kept, fluence, 3));
  vg_kept_free (kept);
}

/* What is shown of it are the kept samples themselves, with their statistics, also after it was
 * dropped; and its size is that of its maps. */
static void
test_result (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  VgKept *kept = vg_kept_new ();
  VgReference *reference;
  VgResult *result;
  void *params;
  VgPlane plane;
  double most = 0;
  gsize bytes = 0;

  vg_kept_add (kept, compute (fluence, few, &params), NULL, "1");
  reference = vg_kept_get (kept, fluence, 0);
  for (guint i = 0; i < fluence->n_outputs; i++)
    if (vg_reference_get_plane (reference, i, &plane))
      bytes += sizeof (float) * (gsize) plane.width * (gsize) plane.height;
  g_assert_cmpuint (vg_reference_get_bytes (reference), ==, bytes);
  g_assert_true (vg_reference_get_plane (reference, 0, &plane));
  result = vg_kept_get_result (kept, fluence, 0, 0);
  g_assert_true (result->plane.data == plane.data);
  g_assert_cmpint (result->output, ==, 0);
  for (int i = 0; i < plane.width * plane.height; i++)
    most = MAX (most, plane.data[i]);
  g_assert_cmpfloat (result->statistics.max, ==, most);
  g_assert_true (vg_kept_get_result (kept, fluence, 0, 0) == result);
  vg_result_ref (result);
  vg_kept_remove (kept, fluence, 0);
  g_assert_null (vg_kept_get_result (kept, fluence, 0, 0));
  {
    float value = 0;

    g_assert_true (vg_result_probe (result, 2, 3, 0, &value));
    g_assert_cmpfloat (value, ==, result->plane.data[3 * 5 + 2]);
  }
  vg_result_unref (result);
  vg_params_free (&fluence->params, params);
  vg_kept_free (kept);
}

/* Results of another grid, and of the shown one. */
static void
test_misfit (void)
{
  static const char *const fine[] = { "photons=200", "nz=14", "nr=5", NULL };
  const VgOperation *fluence = vg_operation_find ("fluence");
  VgKept *kept = vg_kept_new ();
  void *params, *fine_params;
  const char *misfit;

  vg_kept_add (kept, compute (fluence, few, &params), NULL, "1");
  vg_kept_add (kept, compute (fluence, fine, &fine_params), NULL, "2");
  g_assert_true (vg_kept_fit (kept, vg_kept_get_result (kept, fluence, 0, 0), params));
  g_assert_null (vg_kept_get_misfit (kept, fluence, 0));
  misfit = vg_kept_get_misfit (kept, fluence, 1);
  g_assert_nonnull (misfit);
  g_assert_nonnull (strstr (misfit, "5 x 14 pixels"));
  g_assert_false (vg_kept_fit (kept, vg_kept_get_result (kept, fluence, 0, 0), params));
  g_assert_true (vg_kept_fit (kept, vg_kept_get_result (kept, fluence, 1, 0), fine_params));
  g_assert_nonnull (vg_kept_get_misfit (kept, fluence, 0));
  g_assert_null (vg_kept_get_misfit (kept, fluence, 1));
  vg_params_free (&fluence->params, params);
  vg_params_free (&fluence->params, fine_params);
  vg_kept_free (kept);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept/names", test_names);
  g_test_add_func ("/kept/kinds", test_kinds);
  g_test_add_func ("/kept/four", test_four);
  g_test_add_func ("/kept/result", test_result);
  g_test_add_func ("/kept/misfit", test_misfit);
  return g_test_run ();
}
