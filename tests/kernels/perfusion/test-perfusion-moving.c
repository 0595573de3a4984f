/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-state.h"
#include "tests/kernels/perfusion/support/perfusion-corrected.h"
/* The hint that a series moves, before its motion is corrected. */

/* The liver alone, by as much. */
static void
breathe_inside (int frame, const double *place, double *voxels)
{
  double x = (place[0] - 20) / 15, y = (place[1] - 22) / 14, share = exp (-(x * x + y * y) / 2);

  breathe (frame, 0, voxels);
  voxels[0] = 0;
  voxels[1] *= share;
  voxels[2] *= share;
}

/* The range that is reported, mm.  The metric proposes the correction if it has advice. */
static double
report (const Body *body, VgPerfusionMotionKind kind)
{
  g_autoptr (VgImage) image = body_image (body);
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  VgContext context = { .params = params, .info = &image->info, .image = image, .threads = 2 };
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (VgPerfusionStudy) study = NULL;
  const VgMetric *metric;
  double range;

  params->motion = kind;
  params->artery = body_region (body, BODY_ARTERY);
  study = vg_perfusion_study_new (&context, &error);
  g_assert_no_error (error);
  vg_perfusion_report_motion (metrics, study);
  metric = vg_metrics_find (metrics, "apparent_motion");
  range = metric != NULL ? metric->value : NAN;
  if (metric != NULL)
    {
      g_assert_cmpstr (metric->unit, ==, "mm");
      g_assert_true ((metric->advice != NULL) == (range > 0));
      g_assert_cmpstr (metric->setting, ==, range > 0 ? "motion" : NULL);
      g_assert_true (range == 0 || metric->proposal == VG_PERFUSION_MOTION_VOLUME);
    }
  vg_params_free (&vg_perfusion_operation.params, params);
  return range;
}

/* Contrast agent and noise are not motion. */
static void
test_still (void)
{
  static const double cases[][2] = { { 0.03, 1 }, { 0.03, 3 }, { 0.1, 1 }, { 0.001, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Body still = { { 64, 52, 12 }, 48, cases[i][0], cases[i][1], 5, NULL, NULL };
      const Body flat = { { 64, 52, 2 }, 48, cases[i][0], cases[i][1], 5, NULL, NULL };

      g_assert_cmpfloat (report (&still, VG_PERFUSION_MOTION_OFF), ==, 0);
      g_assert_cmpfloat (report (&flat, VG_PERFUSION_MOTION_OFF), ==, 0);
    }
}

static void
test_breathing (void)
{
  static const double cases[][2] = { { 0.03, 1 }, { 0.03, 3 }, { 0.1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Body moved = { { 64, 52, 12 }, 48, cases[i][0], cases[i][1], 5, breathe, NULL };
      const Body inside = { { 64, 52, 12 }, 48, cases[i][0], cases[i][1], 5, NULL, breathe_inside };
      double whole = report (&moved, VG_PERFUSION_MOTION_OFF),
             part = report (&inside, VG_PERFUSION_MOTION_OFF);

      g_test_message ("noise %g, contrast %g: body %.1f mm, liver alone %.1f mm", cases[i][0],
                      cases[i][1], whole, part);
      g_assert_cmpfloat (whole, >=, 10);
      g_assert_cmpfloat (whole, <=, 16); /* of both axes together */
      g_assert_cmpfloat (part, >=, 2);
    }
}

/* A series that is corrected, or too short for a model, has no hint. */
static void
test_unknown (void)
{
  const Body moved = { { 40, 36, 4 }, 16, 0.03, 1, 3, breathe, NULL },
             brief = { { 40, 36, 4 }, 15, 0.03, 1, 3, breathe, NULL };

  g_assert_cmpfloat (report (&moved, VG_PERFUSION_MOTION_OFF), >, 0);
  g_assert_true (isnan (report (&moved, VG_PERFUSION_MOTION_VOLUME)));
  g_assert_cmpfloat (report (&brief, VG_PERFUSION_MOTION_OFF), ==, 0);
}

/* A search that is stopped is not one without result, and is made again. */
static void
test_stopped (void)
{
  const Body moved = { { 40, 36, 4 }, 16, 0.03, 1, 3, breathe, NULL };
  g_autoptr (VgImage) image = body_image (&moved);
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  gint stop = 0;
  VgContext context = {
    .params = params, .info = &image->info, .image = image, .threads = 2, .stop = &stop
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgPerfusionStudy) study = NULL;

  params->artery = body_region (&moved, BODY_ARTERY);
  study = vg_perfusion_study_new (&context, &error);
  g_assert_no_error (error);
  stop = 1;
  g_assert_true (isnan (vg_perfusion_apparent_motion (study)));
  stop = 0;
  g_assert_cmpfloat (vg_perfusion_apparent_motion (study), >, 0);
  vg_params_free (&vg_perfusion_operation.params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-moving/still", test_still);
  g_test_add_func ("/perfusion-moving/breathing", test_breathing);
  g_test_add_func ("/perfusion-moving/unknown", test_unknown);
  g_test_add_func ("/perfusion-moving/stopped", test_stopped);
  return g_test_run ();
}
