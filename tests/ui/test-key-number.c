/* SPDX-License-Identifier: MIT */
/* The number of theatre mode where a baseline is missing. */
#include "ui/theatre/vg-key-number.h"
#include <math.h>

/* Without its baseline the number is that of relative flow, which has no value: neither another
 * quantity nor an alarm of that. */
static void
test_no_baseline (void)
{
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("flow"));
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();
  const VgRegionResult with = { .statistics = { .valid = 64, .mean = 300 }, .of_baseline = 34 },
                       without = { .statistics = { .valid = 64, .mean = 300 }, .of_baseline = NAN };
  VgResult result = { .operation = vg_session_get_operation (session),
                      .output = 1,
                      .plane = { .width = 8, .height = 8, .slices = 1 },
                      .n_regions = 1,
                      .metrics = metrics };
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 8 }, .y = { 0, 8 }
  };
  g_autoptr (VgKeyNumber) never = NULL, before = NULL, lost = NULL;

  vg_session_add_region (session, &region);
  result.regions = &without;
  never = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (never->value, ==, 300);
  result.regions = &with;
  before = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (before->value, ==, 34);
  vg_metrics_add (metrics, "baseline_maps", "Baseline", "maps", 0, "There is none.");
  vg_metrics_propose (metrics, "set_baseline", 1);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  result.regions = &without;
  lost = vg_key_number_new (&result, session, TRUE);
  g_assert_true (isnan (lost->value));
  g_assert_cmpstr (lost->key, ==, before->key);
  g_assert_nonnull (lost->warning);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/key-number/no-baseline", test_no_baseline);
  return g_test_run ();
}
