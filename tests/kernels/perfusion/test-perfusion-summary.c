/* SPDX-License-Identifier: MIT */
/* Semi-quantitative values of curves whose values are exact, and their maps. */
#include "kernels/perfusion/fit/perfusion-summary.h"
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"

/* ---- Curves ---- */

enum { N = 10 };

/* Every 12 s; the baseline is frames 0 to 2.  Up by 3 and 1, down by 0.5 each. */
static const float times[N] = { 0, 12, 24, 36, 48, 60, 72, 84, 96, 108 },
                   curve[N] = { 0, 0, 0, 3, 4, 3.5f, 3, 2.5f, 2, 1.5f };

static double
value_of (const float *weights, int n, const float *samples, int output)
{
  VgPerfusionFrames frames = { times, weights, n, 2 };

  return vg_perfusion_summary (&frames, samples, 1, output);
}

static void
assert_value (const float *weights, int output, double value)
{
  g_assert_cmpfloat_with_epsilon (value_of (weights, N, curve, output), value, 1e-5);
}

static void
test_curve (void)
{
  static const float all[N] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

  /* from 24 to 84 s: 12 (1.5 + 3.5 + 3.75 + 3.25 + 2.75) */
  assert_value (all, VG_PERFUSION_OUTPUT_INITIAL_AREA, 177);
  assert_value (all, VG_PERFUSION_OUTPUT_PEAK, 4);
  assert_value (all, VG_PERFUSION_OUTPUT_TIME_TO_PEAK, 24);
  assert_value (all, VG_PERFUSION_OUTPUT_WASH_IN, 0.25);
  assert_value (all, VG_PERFUSION_OUTPUT_WASHOUT, 62.5);
}

/* Without the peak, and with an end between two frames. */
static void
test_weights (void)
{
  static const float some[N] = { 1, 1, 1, 1, 0, 1, 1, 0, 1, 0 };

  /* 12 x 1.5, 24 x 3.25, 12 x 3.25, and 12 s of a fall from 3 to 2 in 24 s */
  assert_value (some, VG_PERFUSION_OUTPUT_INITIAL_AREA, 18 + 78 + 39 + 33);
  assert_value (some, VG_PERFUSION_OUTPUT_PEAK, 3.5);
  assert_value (some, VG_PERFUSION_OUTPUT_TIME_TO_PEAK, 36);
  assert_value (some, VG_PERFUSION_OUTPUT_WASHOUT, 100 * 1.5 / 3.5);
}

/* What a curve does not tell has no value. */
static void
test_missing (void)
{
  static const float all[N] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
                     low[N] = { 0, 0, 0, -1, -2, -1, -1, -1, -1, -1 };

  g_assert_true (isnan (value_of (all, 7, curve, VG_PERFUSION_OUTPUT_INITIAL_AREA)));
  g_assert_true (isnan (value_of (all, N, low, VG_PERFUSION_OUTPUT_WASHOUT)));
  g_assert_true (isnan (value_of (all, 3, curve, VG_PERFUSION_OUTPUT_PEAK)));
  g_assert_cmpfloat (value_of (all, 4, curve, VG_PERFUSION_OUTPUT_PEAK), ==, 3);
}

/* The last frame before the bolus may have no weight. */
static void
test_onset (void)
{
  static const double weights[] = { 1, 1, 0, 0 };

  g_assert_cmpint (vg_perfusion_onset (weights, 3), ==, 1);
  g_assert_cmpint (vg_perfusion_onset (weights, 1), ==, 1);
}

/* ---- Maps ---- */

/* The largest value of voxel X after the baseline, and the rest from the formula of the fixture. */
static double
expect (int x, int onset, int output)
{
  int peak = onset + 1;
  double area = 0, steepest = 0;

  for (int i = onset + 1; i < FRAMES; i++)
    {
      double rise = concentration (x, i) - concentration (x, i - 1);

      peak = concentration (x, i) > concentration (x, peak) ? i : peak;
      if (STEP * (i - onset) <= VG_PERFUSION_AREA_S)
        area += 0.5 * STEP * (concentration (x, i) + concentration (x, i - 1));
      steepest = MAX (steepest, rise / STEP);
    }
  return output == VG_PERFUSION_OUTPUT_INITIAL_AREA   ? area
         : output == VG_PERFUSION_OUTPUT_PEAK         ? concentration (x, peak)
         : output == VG_PERFUSION_OUTPUT_TIME_TO_PEAK ? STEP * (peak - onset)
         : output == VG_PERFUSION_OUTPUT_WASH_IN
             ? steepest
             : 100 * (1 - concentration (x, FRAMES - 1) / concentration (x, peak));
}

/* The mean curve of a region has these values, too. */
static void
assert_region (const VgEngine *engine, gpointer state)
{
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 1, 2 }, .y = { 0, 1 }
  };
  g_autoptr (VgCurves) curves = engine->curves->sample_region (state, &region, NULL);

  g_assert_nonnull (curves);
  g_assert_nonnull (curves->outputs);
  for (int i = VG_PERFUSION_OUTPUT_INITIAL_AREA; i <= VG_PERFUSION_OUTPUT_WASHOUT; i++)
    g_assert_cmpfloat_with_epsilon (curves->outputs[i], expect (1, 0, i), 2e-3 * expect (1, 0, i));
}

static void
test_maps (void)
{
  static const int kinds[] = { VG_PERFUSION_SIGNAL_LINEAR, VG_PERFUSION_SIGNAL_CT };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      Fixture f = fixture_new (kinds[k]);
      const VgEngine *engine = vg_perfusion_operation.cpu;
      VgContext context = {
        .params = f.params, .info = &f.image->info, .image = f.image, .threads = 2
      };
      gpointer state;
      VgPlane plane;

      /* a late onset leaves less than 60 s, so the baseline is set */
      set (&f, "baseline_last", "1");
      ((float *) f.image->data)[12] = NAN;
      state = engine->prepare (&context, NULL);
      g_assert_nonnull (state);
      while (engine->step (state, 1, NULL) == VG_STEP_MORE)
        ;
      for (int i = VG_PERFUSION_OUTPUT_INITIAL_AREA; i <= VG_PERFUSION_OUTPUT_WASHOUT; i++)
        {
          g_assert_true (engine->output (state, (guint) i, &plane, NULL));
          for (int v = 0; v < VOXELS; v++)
            if (v == 12 || fixture_status (v) != VG_PERFUSION_FITTED)
              g_assert_true (isnan (((const float *) plane.data)[v]));
            else
              g_assert_cmpfloat_with_epsilon (((const float *) plane.data)[v],
                                              expect (v % WIDTH, 0, i),
                                              2e-3 * expect (v % WIDTH, 0, i));
        }
      assert_region (engine, state);
      engine->free (state);
      fixture_clear (&f);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-summary/curve", test_curve);
  g_test_add_func ("/perfusion-summary/weights", test_weights);
  g_test_add_func ("/perfusion-summary/missing", test_missing);
  g_test_add_func ("/perfusion-summary/onset", test_onset);
  g_test_add_func ("/perfusion-summary/maps", test_maps);
  return g_test_run ();
}
