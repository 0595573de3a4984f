/* SPDX-License-Identifier: MIT */
/* A sweep: its values, the parameters of each, and which results complete one. */
#include "ui/sweep/vg-sweep.h"
#include "app/compute/vg-result-pool.h"

static const VgParam *
find (const char *operation, const char *id)
{
  return vg_params_find (&vg_operation_find (operation)->params, id);
}

static void
test_values (void)
{
  const VgOperation *flow = vg_operation_find ("flow");
  const VgParam *exposure = find ("flow", "exposure_ms"), *radius = find ("flow", "radius");
  void *params = vg_params_new (&flow->params);
  VgSweep *sweep;
  double from, to;

  g_assert_true (vg_sweep_accepts (exposure));
  g_assert_false (vg_sweep_accepts (find ("flow", "method")));
  sweep = vg_sweep_new (flow, params, exposure, 1, 16);
  g_assert_cmpint (vg_sweep_count (sweep), ==, 9);
  g_assert_cmpfloat_with_epsilon (vg_sweep_get_value (sweep, 0), 1, 1e-6);
  g_assert_cmpfloat_with_epsilon (vg_sweep_get_value (sweep, 8), 16, 1e-5);
  g_assert_cmpfloat_with_epsilon (vg_sweep_get_value (sweep, 4),
                                  exposure->slider.log_scale ? 4 : 8.5, 1e-5);
  g_assert_cmpfloat_with_epsilon (vg_sweep_get_value (sweep, 3),
                                  exposure->slider.log_scale ? 2.83 : 6.6, 0.1);
  vg_sweep_free (sweep);
  sweep = vg_sweep_new (flow, params, radius, 1, 4); /* whole numbers */
  g_assert_cmpint (vg_sweep_count (sweep), ==, 4);
  g_assert_cmpfloat (vg_sweep_get_value (sweep, 3), ==, 4);
  vg_sweep_free (sweep);
  vg_sweep_find_range (radius, params, &from, &to);
  g_assert_cmpfloat (from, >=, radius->min);
  g_assert_cmpfloat (to, >, from);
  g_assert_cmpfloat (to, <=, radius->max);
  vg_params_free (&flow->params, params);
}

static VgResult *
make_result (VgResultPool *pool, const VgOperation *operation, guint64 serial, gboolean final)
{
  VgResult *result = vg_result_pool_plain (pool);

  result->operation = operation;
  result->serial = serial;
  result->final = final;
  result->progress = 0.5;
  return result;
}

/* Only the whole result of a value completes it; what is refused is left out with the reason. */
static void
test_results (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  const VgParam *photons = find ("fluence", "photons");
  VgResultPool *pool = vg_result_pool_new ();
  void *params = vg_params_new (&fluence->params);
  VgSweep *sweep = vg_sweep_new (fluence, params, photons, 1000, 9000);
  const void *next = vg_sweep_next_params (sweep);
  g_autoptr (VgResult) early = make_result (pool, fluence, 6, TRUE),
                       part = make_result (pool, fluence, 7, FALSE),
                       whole = make_result (pool, fluence, 7, TRUE);

  g_assert_cmpfloat (vg_param_get_number (photons, next), ==, 1000);
  g_assert_cmpfloat (vg_param_get_number (photons, params), ==, photons->def);
  g_assert_false (vg_sweep_take (sweep, whole)); /* nothing was sent */
  vg_sweep_sent (sweep, 7);
  g_assert_false (vg_sweep_take (sweep, early));
  g_assert_false (vg_sweep_take (sweep, part));
  g_assert_cmpfloat_with_epsilon (vg_sweep_get_progress (sweep), 0.5 / 9, 1e-9);
  g_assert_true (vg_sweep_take (sweep, whole));
  g_assert_true (vg_sweep_get_result (sweep, 0) == whole);
  g_assert_false (vg_sweep_take (sweep, whole));
  g_assert_nonnull (vg_sweep_next_params (sweep));
  vg_sweep_sent (sweep, 8);
  g_assert_false (vg_sweep_refuse (sweep, 7, "too many"));
  g_assert_true (vg_sweep_refuse (sweep, 8, "too many"));
  g_assert_null (vg_sweep_get_result (sweep, 1));
  g_assert_cmpstr (vg_sweep_get_error (sweep, 1), ==, "too many");
  while (vg_sweep_next_params (sweep) != NULL)
    vg_sweep_use (sweep, whole);
  g_assert_cmpint (vg_sweep_get_next (sweep), ==, 9);
  g_assert_cmpfloat (vg_sweep_get_progress (sweep), ==, 1);
  vg_sweep_free (sweep);
  vg_params_free (&fluence->params, params);
  vg_result_pool_unref (pool);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/values", test_values);
  g_test_add_func ("/sweep/results", test_results);
  return g_test_run ();
}
