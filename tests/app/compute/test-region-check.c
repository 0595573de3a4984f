/* SPDX-License-Identifier: MIT */
/* When the fit of a region's mean curve and the fits of its voxels are told to disagree, why, and
 * which to report. */
#include <math.h>
#include <string.h>
#include "app/reading/vg-region-check.h"

static char *
describe_bound (double value, double error, const char *bound, VgRegionValues values)
{
  return vg_region_check_describe ("Total inflow", "ml/100g/min",
                                   &(VgRegionFit){ value, error, bound }, &values);
}

static char *
describe (double value, double error, VgRegionValues values)
{
  return describe_bound (value, error, NULL, values);
}

static void
expect (char *said, const char *const *parts)
{
  g_autofree char *text = said;

  g_assert_nonnull (text);
  g_test_message ("%s", text);
  for (; *parts != NULL; parts++)
    if (strstr (text, *parts) == NULL)
      g_error ("\"%s\" does not say \"%s\"", text, *parts);
}

#define EXPECT(said, ...) expect (said, (const char *const[]){ __VA_ARGS__, NULL })

static void
test_agreement (void)
{
  const VgRegionValues alike = { .median = 100, .q25 = 95, .q75 = 105, .error = 8, .n = 400 };
  VgRegionValues few = alike, unknown = alike;
  g_autofree char *different = describe (108, 1, alike);

  few.n = 7;
  unknown.n = 0;
  unknown.median = NAN;
  /* within the errors; significant, but less than 5 %; few or no voxels; no error */
  g_assert_null (describe (110, 6, alike));
  g_assert_null (describe (104, 0.5, alike));
  g_assert_null (describe (150, 1, few));
  g_assert_null (describe (150, 1, unknown));
  g_assert_null (describe (150, NAN, alike));
  g_assert_null (describe (NAN, 1, alike));
  g_assert_nonnull (different);
}

static void
test_reasons (void)
{
  EXPECT (describe (120.04, 1.26,
                    (VgRegionValues){ .median = 98, .q25 = 70, .q75 = 126, .error = 40, .n = 900 }),
          "Total inflow is 120.0 ± 1.3 ml/100g/min in the fit of the mean curve, but 98.0 ± 1.7 as "
          "the median of the voxels, whose quartiles are 70 and 126.",
          "\nThe standard error of a voxel is 41 % of its value",
          "\nReport the fit of the mean curve.");
  EXPECT (describe (
              175, 2,
              (VgRegionValues){
                  .median = 147, .q25 = 135, .q75 = 163, .error = 5, .n = 2000, .bounded = 0.18 }),
          "\n18 % of the voxels are at a bound.", "different tissues",
          "\nReport the median and quartiles");
  EXPECT (
      describe (120, 1,
                (VgRegionValues){
                    .median = 98, .q25 = 94, .q75 = 102, .error = 6, .n = 900, .bounded = 0.4 }),
      "\n40 % of the voxels are at a bound", "\nReport the fit of the mean curve.");
  EXPECT (describe (120, 1,
                    (VgRegionValues){ .median = 98, .q25 = 94, .q75 = 102, .error = 6, .n = 900 }),
          "\nNo reason was found. Report both.");
  /* 110 in truth: the body wall at the edge changes the mean curve, but neither quartile */
  EXPECT (describe (101.19, 0.18,
                    (VgRegionValues){ .median = 109.95,
                                      .q25 = 104.6,
                                      .q75 = 115.1,
                                      .error = 6,
                                      .n = 1449,
                                      .bounded = 0.34,
                                      .outlying = 0.054 }),
          "\n5 % of the voxels are more than 4 standard errors", "\nReport the median");
  EXPECT (describe (103.89, 0.18,
                    (VgRegionValues){ .median = 109.3,
                                      .q25 = 103.7,
                                      .q75 = 114.6,
                                      .error = 6,
                                      .n = 1449,
                                      .outlying = 0.05 }),
          "\nReport the median");
  /* 105 in truth: a few voxels of other tissue change the mean curve */
  EXPECT (describe_bound (
              167.3, 2.5, "Portal delay at its minimum",
              (VgRegionValues){ .median = 111, .q25 = 103, .q75 = 115, .error = 15, .n = 112 }),
          "ended at a bound (Portal delay at its minimum)", "\nReport the median");
  EXPECT (describe_bound (
              167.3, 2.5, "Portal delay at its minimum",
              (VgRegionValues){ .median = 111, .q25 = 80, .q75 = 140, .error = 50, .n = 112 }),
          "\nReport neither.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-check/agreement", test_agreement);
  g_test_add_func ("/region-check/reasons", test_reasons);
  return g_test_run ();
}
