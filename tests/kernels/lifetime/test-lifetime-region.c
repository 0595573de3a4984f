/* SPDX-License-Identifier: MIT */
/* The results of a region's summed decay, which regions.csv lists beside the means of its pixels.
 */
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include "kernels/tables/vg-curves.h"

enum { WIDTH = 8, HEIGHT = 4, BINS = 256 };

/* Pixels of 0.5 ns and of 2.5 ns side by side: the mean lifetime of the pixels by one exponential
 * is the mean of both; the sum contains both lifetimes. */
static void
test_sum (void)
{
  const double h = 0.05, tau[] = { 0.5, 2.5 }, photons[] = { 40000.0, 20000.0 };
  g_autofree float *cube = g_new (float, WIDTH *HEIGHT *BINS);
  g_autoptr (VgCurves) curves = NULL, one = NULL, nothing = NULL;
  g_autoptr (GError) error = NULL;
  LifetimeFixture run;
  VgRegion region;
  double a[2];

  for (int j = 0; j < BINS; j++)
    for (int i = 0; i < WIDTH * HEIGHT; i++)
      {
        int k = i % WIDTH < WIDTH / 2 ? 0 : 1;

        cube[j * WIDTH * HEIGHT + i] = (float) (photons[k] * -expm1 (-h / tau[k]) *
                                                exp (-j * h / tau[k]));
      }
  lifetime_init (&run, VG_F32, WIDTH, HEIGHT, BINS, h);
  run.params->method = VG_LIFETIME_MLE_TWO;
  lifetime_run (&run, cube);
  g_assert_true (vg_region_parse (&region, "rect:2,1,4,2", &error));
  curves = run.engine->curves->sample_region (run.state, &region, NULL);
  g_assert_nonnull (curves);
  g_assert_nonnull (curves->outputs);
  for (int k = 0; k < 2; k++)
    a[k] = photons[k] / tau[k];
  g_test_message ("%.4f ns, %.4f ns, share %.4f, %.0f photons, deviance %.4f",
                  (double) curves->outputs[VG_LIFETIME_OUTPUT_LIFETIME_1],
                  (double) curves->outputs[VG_LIFETIME_OUTPUT_LIFETIME_2],
                  (double) curves->outputs[VG_LIFETIME_OUTPUT_FRACTION],
                  (double) curves->outputs[VG_LIFETIME_OUTPUT_INTENSITY],
                  (double) curves->outputs[VG_LIFETIME_OUTPUT_DEVIANCE]);
  g_assert_cmpfloat_with_epsilon (curves->outputs[VG_LIFETIME_OUTPUT_LIFETIME_1], 0.5, 0.005);
  g_assert_cmpfloat_with_epsilon (curves->outputs[VG_LIFETIME_OUTPUT_LIFETIME_2], 2.5, 0.025);
  g_assert_cmpfloat_with_epsilon (curves->outputs[VG_LIFETIME_OUTPUT_FRACTION],
                                  a[0] / (a[0] + a[1]), 0.005);
  g_assert_cmpfloat_with_epsilon (curves->outputs[VG_LIFETIME_OUTPUT_INTENSITY],
                                  4 * photons[0] + 4 * photons[1] * -expm1 (-BINS * h / 2.5), 5.0);
  g_assert_cmpfloat (curves->outputs[VG_LIFETIME_OUTPUT_DEVIANCE], <, 1.0);
  g_assert_true (isnan (curves->outputs[VG_LIFETIME_OUTPUT_LIFETIME_3]));
  g_assert_cmpfloat (curves->outputs[VG_LIFETIME_OUTPUT_ERROR], >, 0.0);
  g_assert_cmpfloat (curves->outputs[VG_LIFETIME_OUTPUT_ERROR], <, 0.05);
  g_assert_cmpfloat (curves->outputs[VG_LIFETIME_OUTPUT_PHOTONS_FITTED], ==,
                     curves->outputs[VG_LIFETIME_OUTPUT_INTENSITY]);
  g_assert_cmpfloat (vg_metrics_find (curves->metrics, "pixels")->value, ==, 8);
  g_assert_cmpfloat (vg_metrics_find (curves->metrics, "bins_fitted")->value, ==, BINS);
  g_assert_cmpfloat (vg_metrics_find (curves->metrics, "deviance_per_bin")->value, <, 1.0 / BINS);
  g_assert_null (vg_metrics_find (curves->metrics, "deviance_per_bin")->advice);
  g_assert_true (g_str_has_prefix (curves->title, "Decay of the region, 8 pixels: "));
  g_assert_true (g_str_has_suffix (curves->title, curves->found));
  /* one lifetime cannot describe the sum of two */
  run.params->method = VG_LIFETIME_MLE;
  lifetime_update (&run);
  one = run.engine->curves->sample_region (run.state, &region, NULL);
  g_assert_cmpfloat (vg_metrics_find (one->metrics, "deviance_per_bin")->value, >, 10.0);
  g_assert_nonnull (vg_metrics_find (one->metrics, "deviance_per_bin")->advice);
  /* contains no pixel's centre */
  g_assert_true (vg_region_parse (&region, "rect:2.6,1.6,0.2,0.2", &error));
  nothing = run.engine->curves->sample_region (run.state, &region, NULL);
  g_assert_null (nothing);
  lifetime_clear (&run);
}

/* The title of a pixel's decay gives the number of binned pixels, and a map the photons that they
 * have in the fit range. */
static void
test_binned (void)
{
  enum { SIDE = 3 };
  const double h = 0.05;
  float cube[SIDE * SIDE * BINS];
  g_autofree float *photons = NULL;
  double in_range = 0;
  LifetimeFixture run;

  for (int j = 0; j < BINS; j++)
    for (int i = 0; i < SIDE * SIDE; i++)
      cube[j * SIDE * SIDE + i] = (float) (int) (200 * exp (-j * h / 2));
  lifetime_init (&run, VG_F32, SIDE, SIDE, BINS, h);
  run.params->bin = 1;
  lifetime_run (&run, cube);
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (VgCurves)
          curves = run.engine->curves->sample (run.state, i + 0.5, i + 0.5, 0, NULL);

      g_test_message ("%s", curves->title);
      g_assert_true (
          g_str_has_suffix (curves->title, i == 0 ? "in 4 binned pixels" : "in 9 binned pixels"));
    }
  run.params->range = VG_LIFETIME_RANGE_MANUAL;
  run.params->fit_start_ns = 20 * (float) h;
  run.params->fit_end_ns = 100 * (float) h;
  lifetime_update (&run);
  photons = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_PHOTONS_FITTED, NULL);
  for (int j = 20; j < 100; j++)
    in_range += (double) cube[j * SIDE * SIDE];
  g_assert_cmpfloat ((double) photons[0], ==, 4 * in_range);
  g_assert_cmpfloat ((double) photons[SIDE + 1], ==, 9 * in_range);
  lifetime_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/region/sum", test_sum);
  g_test_add_func ("/lifetime/region/binned", test_binned);
  return g_test_run ();
}
