/* SPDX-License-Identifier: MIT */
/* The classes of nuclei by DAB while the program runs: thresholds move no contour, outlines have
 * the look of the class, and regions count nuclei by their centroids.  Densities and files are
 * tested by tests/cli/test_positive.py. */
#include "tests/kernels/contour/support/contour-stained.h"
#include "kernels/base/vg-statistics.h"

static VgOutlineLook
look_of_first (VgContourRun *run)
{
  VgOutlines outlines;

  g_assert_true (vg_contour_run_outlines (run, &outlines, NULL));
  g_assert_cmpuint (outlines.n, ==, 1);
  return outlines.items[0].look;
}

static double
value_of (VgContourRun *run, const char *id)
{
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();
  const VgMetric *metric;

  vg_contour_run_results (run, metrics, NULL);
  metric = vg_metrics_find (metrics, id);
  return metric != NULL ? metric->value : NAN;
}

static double
value_in (VgContourRun *run, const char *text, const char *id)
{
  VgRegion region = { 0 };
  g_autoptr (VgCurves) curves = NULL;
  const VgMetric *metric;

  g_assert_true (vg_region_parse (&region, text, NULL));
  curves = vg_contour_curves.sample_region (run, &region, NULL);
  g_assert_nonnull (curves);
  metric = vg_metrics_find (curves->metrics, id);
  g_assert_nonnull (metric);
  return metric->value;
}

static void
test_thresholds (void)
{
  VgContourParams params = contour_params ();
  g_autoptr (VgImage) image = contour_stained (3, 3);
  VgContourRun *run = contour_finish (image, &params);
  VgContourPoint before, after;
  guint64 iterations = run->scene->iteration;
  g_autoptr (GPtrArray) masks = NULL, again = NULL;
  VgContourPositive positive;

  contour_check_nucleus (run);
  masks = vg_contour_masks_of_scene (run->scene);
  before = vg_contour_mask_centroid (vg_contour_mask_at (masks, 0));
  g_assert_cmpfloat (fabs (before.x - contour_nucleus.x), <, 0.5);
  g_assert_cmpfloat (fabs (before.y - contour_nucleus.y), <, 0.5);
  g_assert_cmpint (look_of_first (run), ==, VG_OUTLINE_NUMBERED);
  g_assert_true (isnan (value_of (run, "h_score")));
  positive = vg_contour_positive_measure (vg_contour_mask_at (masks, 0), image, &run->scale,
                                          &params);
  for (int grade = 0; grade < VG_CONTOUR_CLASSES; grade++)
    {
      /* the first thresholds below the density of the nucleus, the others above it */
      params.positivity = TRUE;
      params.weak_od = (float) (positive.dab + (grade >= 1 ? -0.05 : 0.05));
      params.moderate_od = (float) (positive.dab + (grade >= 2 ? -0.02 : 0.06));
      params.strong_od = (float) (positive.dab + (grade >= 3 ? -0.01 : 0.07));
      g_assert_true (vg_contour_run_update (run, &params));
      g_assert_true (run->standing.finished);
      g_assert_cmpuint (run->scene->iteration, ==, iterations);
      g_assert_cmpint (look_of_first (run), ==, VG_OUTLINE_NEGATIVE + grade);
      g_assert_cmpfloat (value_of (run, "h_score"), ==, 100.0 * grade);
      g_assert_cmpfloat (value_of (run, "positive_percent"), ==, grade > 0 ? 100.0 : 0.0);
    }
  params.positivity = FALSE;
  g_assert_true (vg_contour_run_update (run, &params));
  g_assert_cmpint (look_of_first (run), ==, VG_OUTLINE_NUMBERED);
  again = vg_contour_masks_of_scene (run->scene);
  after = vg_contour_mask_centroid (vg_contour_mask_at (again, 0));
  g_assert_true (before.x == after.x && before.y == after.y);
  vg_contour_run_free (run);
}

static void
test_regions (void)
{
  VgContourParams params = contour_params ();
  g_autoptr (VgImage) image = contour_stained (3, 5);
  VgContourRun *run = contour_finish (image, &params);
  double pixels;

  /* around the centroid, and beside it over most of the nucleus */
  g_assert_cmpfloat (value_in (run, "rect:45,48,4,4", "nuclei"), ==, 1);
  g_assert_cmpfloat (value_in (run, "rect:48,40,40,40", "nuclei"), ==, 0);
  g_assert_true (isnan (value_in (run, "rect:48,40,40,40", "mean_area_px2")));
  /* the ellipse's area, as well as contours find it */
  g_assert_cmpfloat (fabs (value_in (run, "ellipse:47,50,30,30", "mean_area_px2") /
                               (G_PI * contour_nucleus.a * contour_nucleus.b) -
                           1.0),
                     <, 0.1);
  pixels = value_in (run, "ellipse:47,50,30,30", "mean_area_px2");
  g_assert_true (isnan (value_in (run, "ellipse:47,50,30,30", "area_sd_px2"))); /* of one */
  vg_contour_run_free (run);
  for (int k = 0; k < 2; k++)
    {
      image->info.pixel_size[k] = 0.5;
      g_strlcpy (image->info.pixel_unit, "\302\265m", sizeof image->info.pixel_unit);
    }
  run = contour_finish (image, &params);
  g_assert_cmpfloat_with_epsilon (value_in (run, "ellipse:47,50,30,30", "mean_area_um2"),
                                  0.25 * pixels, 1e-9 * pixels);
  vg_contour_run_free (run);
}

static void
test_grey (void)
{
  VgContourParams params = contour_params ();
  g_autoptr (VgImage) image = contour_stained (1, 3);
  VgContourRun *run;

  params.positivity = TRUE;
  run = contour_finish (image, &params);
  g_assert_true (isnan (value_of (run, "h_score")));
  g_assert_cmpfloat (value_of (run, "colourless"), ==, 1);
  g_assert_cmpint (look_of_first (run), ==, VG_OUTLINE_NUMBERED);
  vg_contour_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/positive/thresholds", test_thresholds);
  g_test_add_func ("/contour/positive/regions", test_regions);
  g_test_add_func ("/contour/positive/grey", test_grey);
  return g_test_run ();
}
