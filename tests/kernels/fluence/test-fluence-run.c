/* SPDX-License-Identifier: MIT */
/* Runs: the result does not depend on steps and threads; rules to stop, updates of settings, beams,
 * sources, time gates, and comparison with an .mco file. */
#include "tests/kernels/fluence/support/fluence-fixture.h"

static const char *const small[] = { "layers",  "1.5,0.5,100,0.9,0.05;1.33,2,50,0.7,0.15",
                                     "dz_cm",   "0.004",
                                     "dr_cm",   "0.01",
                                     "nz",      "60",
                                     "nr",      "40",
                                     "na",      "10",
                                     "photons", "12000",
                                     NULL };

static char *
run_text (int threads, double budget_s, const char *const *more)
{
  FluenceFixture run = { 0 };
  g_autofree char *name = NULL, *text = NULL;
  char *start;

  fluence_start (&run, small, threads);
  run.engine->free (run.state);
  fluence_set (run.params, more);
  run.state = run.engine->prepare (&(VgContext){ .params = run.params, .threads = threads }, NULL);
  fluence_finish (&run, budget_s);
  text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
  start = g_strdup (strstr (text, "\nInParm")); /* behind the time it took */
  fluence_clear (&run);
  return start;
}

static void
test_same (void)
{
  static const char *const none[] = { NULL }, *const other[] = { "seed", "2", NULL };
  static const char *const many_bins[] = { "nz", "3000", "nr", "900", "photons", "3000", NULL };
  g_autofree char *one = run_text (1, 10, none), *two = run_text (2, 10, none),
                  *five = run_text (5, 0.005, none);
  g_autofree char *cut = run_text (3, 0.001, none), *seeded = run_text (1, 10, other);
  g_autofree char *shared = run_text (4, 0.01, many_bins), *alone = run_text (1, 0.01, many_bins);

  g_assert_true (g_str_equal (one, two));
  g_assert_true (g_str_equal (one, five));
  g_assert_true (g_str_equal (one, cut));
  g_assert_false (g_str_equal (one, seeded));
  g_assert_true (g_str_equal (shared, alone)); /* one tally for all threads */
}

static void
test_stop (void)
{
  static const char *const by_error[] = { "layers",
                                          "van_de_hulst_slab",
                                          "nz",
                                          "10",
                                          "nr",
                                          "4",
                                          "dz_cm",
                                          "0.002",
                                          "dr_cm",
                                          "0.01",
                                          "stop",
                                          "error",
                                          "target_error",
                                          "3",
                                          "photons",
                                          "1e8",
                                          NULL };
  static const char *const by_time[] = { "stop", "time", "time_limit_s", "0.05", "photons",
                                         "1e12", NULL };
  FluenceFixture run = { 0 };
  double photons;

  fluence_start (&run, by_error, 0);
  fluence_finish (&run, 0.01);
  g_assert_cmpfloat (fluence_number (&run, "map_error"), <=, 3);
  photons = fluence_number (&run, "photons");
  g_assert_cmpfloat (photons, <, 1e7);
  fluence_clear (&run);
  fluence_start (&run, by_error, 1); /* where it stops does not depend on steps and threads */
  fluence_finish (&run, 10);
  g_assert_cmpfloat (fluence_number (&run, "photons"), ==, photons);
  fluence_clear (&run);
  fluence_start (&run, by_time, 0);
  fluence_finish (&run, 0.01);
  g_assert_cmpfloat (fluence_number (&run, "photons"), <, 1e9);
  g_assert_cmpfloat (fluence_number (&run, "photons") / fluence_number (&run, "photons_per_ms"), >=,
                     50);
  fluence_expect_balance (&run);
  fluence_clear (&run);
}

/* A step returns in time although photons take minutes, and the energy balance is unknown until
 * they end. */
static void
test_wanders (void)
{
  static const char *const endless[] = { "layers", "1.4,0,1000,0.5,1e8", "photons", "1000000",
                                         NULL };
  FluenceFixture run = { 0 };
  int unknown = 0;

  fluence_start (&run, endless, 2);
  for (int i = 0; i < 20; i++)
    {
      g_assert_cmpint (run.engine->step (run.state, 0.01, NULL), ==, VG_STEP_MORE);
      /* known when all launched photons have ended */
      unknown += isnan (fluence_number (&run, "balance"));
    }
  g_test_message ("%g photons have come home", fluence_number (&run, "photons"));
  g_assert_cmpint (unknown, >, 0);
  g_assert_cmpfloat (fluence_number (&run, "photons"), <, 1000000);
  fluence_clear (&run);
}

/* Half, then the rest, is the whole. */
static void
test_go_on (void)
{
  static const char *const none[] = { NULL };
  FluenceFixture run = { 0 };
  g_autofree char *whole = run_text (2, 0.01, none), *name = NULL, *text = NULL;

  fluence_start (&run, small, 2);
  run.params->photons = 5000;
  g_assert_false (run.engine->update (run.state, run.params) == FALSE);
  fluence_finish (&run, 0.001);
  g_assert_cmpfloat (fluence_number (&run, "photons"), ==, 5000);
  run.params->photons = 12000;
  g_assert_true (run.engine->update (run.state, run.params));
  fluence_finish (&run, 0.001);
  text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
  g_assert_true (g_str_equal (strstr (text, "\nInParm"), whole));
  run.params->photons = 100;
  g_assert_false (run.engine->update (run.state, run.params));
  run.params->photons = 12000;
  run.params->layers->values[1] = 1;
  g_assert_false (run.engine->update (run.state, run.params));
  fluence_clear (&run);
}

static double
plane_power (FluenceFixture *run, guint output)
{
  VgPlane plane;
  double sum = 0;

  g_assert_true (run->engine->output (run->state, output, &plane, NULL));
  for (int z = 0; z < plane.height; z++)
    for (int r = 0; r < plane.width; r++)
      sum += plane.data[z * plane.width + r] * G_PI * (2 * r + 1) * pow (plane.pixel_size[0], 2) *
             plane.pixel_size[1];
  return sum;
}

/* A beam with a width has the same power, and the width that was set. */
static void
test_beams (void)
{
  static const char *const settings[] = { "layers",  "1,5,0,0,0.1", "dz_cm",    "0.01", "dr_cm",
                                          "0.005",   "nz",          "10",       "nr",   "200",
                                          "photons", "20000",       "power_mw", "7",    NULL };
  FluenceFixture run = { 0 };
  VgPlane plane;
  double thin, peak;

  fluence_start (&run, settings, 2);
  fluence_finish (&run, 0.05);
  thin = plane_power (&run, VG_FLUENCE_OUTPUT_ABSORPTION);
  g_assert_cmpfloat_with_epsilon (thin, 7 * (1 - exp (-0.5)), 0.05);
  run.params->beam_radius_cm = 0.2;
  run.params->beam = VG_FLUENCE_GAUSSIAN;
  g_assert_true (run.engine->update (run.state, run.params));
  g_assert_cmpfloat_with_epsilon (plane_power (&run, VG_FLUENCE_OUTPUT_ABSORPTION), thin,
                                  1e-4 * thin);
  g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &plane, NULL));
  peak = plane.data[0];
  g_assert_cmpfloat_with_epsilon (peak, 7 * 2 / (G_PI * 0.04) * exp (-5 * 0.005), 0.03 * peak);
  g_assert_cmpfloat_with_epsilon (plane.data[40] / peak, exp (-2 * pow (0.2025 / 0.2, 2)), 0.01);
  run.params->beam = VG_FLUENCE_FLAT;
  g_assert_true (run.engine->update (run.state, run.params));
  g_assert_cmpfloat_with_epsilon (plane_power (&run, VG_FLUENCE_OUTPUT_ABSORPTION), thin,
                                  1e-4 * thin);
  g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &plane, NULL));
  g_assert_cmpfloat_with_epsilon (plane.data[30], 7 / (G_PI * 0.04) * exp (-5 * 0.005),
                                  0.03 * plane.data[30]);
  g_assert_cmpfloat (plane.data[45], <, 0.001 * plane.data[30]);
  run.params->beam = VG_FLUENCE_RING;
  g_assert_false (run.engine->update (run.state, run.params));
  fluence_clear (&run);
}

static void
test_sources (void)
{
  static const char *const ring[] = { "layers",  "1,5,0,0,0.1", "dz_cm", "0.01", "dr_cm",
                                      "0.01",    "nz",          "10",    "nr",   "40",
                                      "photons", "20000",       "beam",  "ring", "beam_radius_cm",
                                      "0.205",   NULL };
  static const char *const point[] = { "layers",
                                       "1.4,1,0,0,10",
                                       "n_above",
                                       "1.4",
                                       "n_below",
                                       "1.4",
                                       "dz_cm",
                                       "0.1",
                                       "dr_cm",
                                       "0.1",
                                       "nz",
                                       "100",
                                       "nr",
                                       "50",
                                       "photons",
                                       "200000",
                                       "beam",
                                       "point",
                                       "source_depth_cm",
                                       "5",
                                       NULL };
  FluenceFixture run = { 0 };
  VgPlane plane;

  fluence_start (&run, ring, 2);
  fluence_finish (&run, 0.05);
  g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &plane, NULL));
  for (int r = 0; r < 40; r++)
    g_assert_true ((plane.data[r] > 0) == (r == 20));
  fluence_clear (&run);
  fluence_start (&run, point, 2);
  fluence_finish (&run, 0.05);
  g_assert_cmpfloat (fluence_number (&run, "specular"), ==, 0);
  fluence_expect_balance (&run);
  g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &plane, NULL));
  /* exp (-mua d) / (4 pi d^2) at d = 1.05 cm from the source */
  g_assert_cmpfloat_with_epsilon (plane.data[50 * 50 + 10], exp (-1.05) / (4 * G_PI * 1.05 * 1.05),
                                  0.002);
  fluence_clear (&run);
}

/* Light takes 50 ps per cm at refractive index 1.5, and each photon is in one time gate. */
static void
test_gates (void)
{
  static const char *const settings[] = { "layers",        "1.5,1,0,0,1", "n_above", "1.5",
                                          "n_below",       "1.5",         "photons", "5000",
                                          "time_resolved", "true",        "gates",   "10",
                                          "gate_ps",       "10",          NULL };
  FluenceFixture run = { 0 };
  g_autofree char *name = NULL, *text = NULL;
  g_auto (GStrv) lines = NULL;
  double sum = 0;

  fluence_start (&run, settings, 1);
  fluence_finish (&run, 0.05);
  text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_GATES, &name, NULL);
  g_assert_cmpstr (name, ==, "time_gates.csv");
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 13); /* head, ten gates, later, the end */
  for (int i = 0; i < 11; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], ",", -1);
      double transmitted = g_ascii_strtod (cells[3], NULL);

      g_assert_true ((transmitted > 1e-6) == (i == 5));
      sum += transmitted;
    }
  g_assert_cmpfloat_with_epsilon (sum, fluence_number (&run, "transmittance"), 1e-7);
  fluence_clear (&run);
}

/* Without a map the same photons give the same reflectance and transmittance. */
static void
test_reflectance_only (void)
{
  FluenceFixture with = { 0 }, without = { 0 };
  VgPlane plane;

  fluence_start (&with, small, 2);
  fluence_finish (&with, 0.05);
  fluence_start (&without, small, 2);
  without.engine->free (without.state);
  without.params->reflectance_only = TRUE;
  without.state = without.engine->prepare (&(VgContext){ .params = without.params }, NULL);
  fluence_finish (&without, 0.05);
  g_assert_cmpfloat (fluence_number (&with, "diffuse_reflectance"), ==,
                     fluence_number (&without, "diffuse_reflectance"));
  g_assert_cmpfloat_with_epsilon (fluence_number (&with, "absorbed"),
                                  fluence_number (&without, "absorbed"), 1e-6);
  fluence_expect_balance (&without);
  g_assert_false (without.engine->output (without.state, VG_FLUENCE_OUTPUT_FLUENCE, &plane, NULL));
  fluence_clear (&with);
  fluence_clear (&without);
}

/* A file without this program's comment is another program's: its last bins include the light
 * outside the grid.  Before the first photon only the file's results are shown. */
static void
test_old_result (void)
{
  FluenceFixture run = { 0 };
  VgPlane fluence, absorption, plane;

  for (int ours = 0; ours < 2; ours++)
    {
      static const char *const none[] = { NULL };
      g_autofree char *bare = run_text (2, 0.05, none);
      g_autofree char *text = ours ? g_strconcat ("A1\n# " VG_FLUENCE_WRITTEN "\n", bare, NULL)
                                   : g_strconcat ("A1\n", bare, NULL);
      g_autoptr (VgImage) file = vg_image_new_text (g_strdup (text), strlen (text), "old.mco");
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (VgCurves) curves = NULL;
      VgInputFile input = { "reference_file", file };
      VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);

      runs = vg_fluence_read_settings ("old.mco", text, strlen (text), params, NULL);
      vg_params_free (&vg_fluence_operation.params, params);
      g_assert_nonnull (runs);
      run.engine = &vg_fluence_cpu_engine;
      run.params = ((VgSettingsRun *) runs->pdata[0])->params;
      run.state = run.engine->prepare (
          &(VgContext){ .params = run.params, .files = &input, .n_files = 1 }, NULL);
      g_assert_nonnull (run.state);
      g_assert_false (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &plane, NULL));
      g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_OLD_FLUENCE, &fluence, NULL));
      g_assert_true (
          run.engine->output (run.state, VG_FLUENCE_OUTPUT_REFERENCE, &absorption, NULL));
      for (int z = 0; z < 60; z++)
        for (int r = 0; r < 40; r++)
          {
            /* the boundary cuts a bin */
            double depth = (z + 0.5) * 0.004, mua = depth < 0.048 ? 0.5 : depth < 0.052 ? 1.25 : 2;
            int k = z * 40 + r;

            if (depth > 0.2)
              g_assert_true (isnan (fluence.data[k])); /* below the tissue */
            else if (!ours && (z == 59 || r == 39))
              g_assert_true (isnan (fluence.data[k]) && isnan (absorption.data[k]));
            else
              g_assert_cmpfloat_with_epsilon (fluence.data[k] * mua, absorption.data[k],
                                              1e-4 * absorption.data[k]);
          }
      g_assert_cmpint (isnan (absorption.data[39]), ==, !ours);
      g_assert_cmpfloat (fluence_number (&run, "photons"), ==, 12000);
      g_assert_cmpfloat_with_epsilon (fluence_number (&run, "balance"), 1, 1e-4);
      curves = run.engine->curves->plot (run.state, 2, NULL);
      g_assert_cmpuint (curves->series->len, ==, 2);
      g_assert_cmpint (((VgSeries *) curves->series->pdata[0])->n, ==, ours ? 40 : 39);
      run.engine->free (run.state);
    }
}

/* A run compared with its own .mco file: ratio 1 to five digits. */
static void
test_compare (void)
{
  static const char *const none[] = { NULL };
  g_autofree char *text = run_text (2, 0.05, none);
  g_autoptr (VgImage) file = vg_image_new_text (g_strdup (text), strlen (text), "old.mco");
  VgInputFile input = { "reference_file", file };
  FluenceFixture run = { 0 };
  VgPlane ratio, difference;
  g_autoptr (VgMetrics) numbers = NULL;
  g_autoptr (GError) error = NULL;

  fluence_start (&run, small, 2);
  run.engine->free (run.state);
  run.params->compare = TRUE;
  run.params->reference_file = g_strdup ("old.mco");
  run.state = run.engine->prepare (
      &(VgContext){ .params = run.params, .files = &input, .n_files = 1 }, &error);
  g_assert_no_error (error);
  fluence_finish (&run, 0.05);
  g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_RATIO, &ratio, NULL));
  g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_DIFFERENCE, &difference, NULL));
  for (int i = 0; i < 60 * 40; i++)
    g_assert_true (isnan (ratio.data[i]) || fabsf (ratio.data[i] - 1) < 1e-4);
  g_assert_cmpfloat (ratio.data[0], >, 0.9);
  run.engine->free (run.state);
  run.params->nr = 41;
  run.state = run.engine->prepare (
      &(VgContext){ .params = run.params, .files = &input, .n_files = 1 }, &error);
  /* another grid runs too, with a note that it is not compared */
  g_assert_no_error (error);
  fluence_finish (&run, 0.05);
  numbers = vg_metrics_new ();
  run.engine->results (run.state, numbers, NULL);
  g_assert_nonnull (strstr (vg_metrics_find (numbers, "photons")->advice, "60 x 40 bins"));
  g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &ratio, NULL));
  g_assert_false (run.engine->output (run.state, VG_FLUENCE_OUTPUT_RATIO, &ratio, NULL));
  g_assert_false (run.engine->output (run.state, VG_FLUENCE_OUTPUT_OLD_FLUENCE, &ratio, NULL));
  fluence_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fluence/same", test_same);
  g_test_add_func ("/fluence/stop", test_stop);
  g_test_add_func ("/fluence/wanders", test_wanders);
  g_test_add_func ("/fluence/go-on", test_go_on);
  g_test_add_func ("/fluence/beams", test_beams);
  g_test_add_func ("/fluence/sources", test_sources);
  g_test_add_func ("/fluence/gates", test_gates);
  g_test_add_func ("/fluence/reflectance-only", test_reflectance_only);
  g_test_add_func ("/fluence/old-result", test_old_result);
  g_test_add_func ("/fluence/compare", test_compare);
  return g_test_run ();
}
