/* SPDX-License-Identifier: MIT */
/* Standard errors, also of few photons, while a run goes on, and in weak and strong light; exit
 * radius under beams with a width, and exit time; missing values. */
#include "tests/kernels/fluence/support/fluence-fixture.h"

/* The error of a bin that a few packets of small weight reached is as large as its value. */
static void
test_little_light (void)
{
  static const char *const settings[] = { "layers",  "1.37,2,100,0.9,0.5",
                                          "dz_cm",   "0.01",
                                          "dr_cm",   "0.02",
                                          "nz",      "50",
                                          "nr",      "100",
                                          "na",      "10",
                                          "photons", "20000",
                                          NULL };
  FluenceFixture run = { 0 };
  VgFluenceReport *report;
  int few = 0;

  fluence_start (&run, settings, 2);
  fluence_finish (&run, 0.05);
  /* the first member of both engines' states */
  report = vg_fluence_run_report (*(VgFluenceRun **) run.state, NULL);
  for (int side = 0; side < 2; side++)
    for (int c = 0; c < report->nr; c++)
      {
        double value = (side == 0 ? report->rd_r : report->tt_r)[c],
               error = (side == 0 ? report->rd_r_error : report->tt_r_error)[c];
        double weight = value * G_PI * (2 * c + 1) * report->dr * report->dr * report->photons /
                        (1 - report->specular);

        if (!(value > 0))
          continue;
        few += weight < 1e-3;
        g_assert_cmpfloat (error, >=, 0.6 * value * sqrt (1e-4 / MAX (weight, 1e-4)));
        g_assert_cmpfloat (error, <=, 3 * value);
      }
  g_test_message ("%d bins with less than 1e-3 of a packet", few);
  g_assert_cmpint (few, >, 10);
  fluence_clear (&run);
}

/* Batches of 1e9 photons that differ by 3e-6: their squares leave that after many digits. */
static void
test_much_light (void)
{
  enum { N = 10 };
  static const char *const settings[] = {
    "layers", "1.37,1,100,0.9,0.1", "dz_cm", "0.1", "dr_cm", "1", "nz", "1", "nr", "1", "na", "1",
    NULL
  };
  FluenceFixture run = { 0 };
  VgFluenceRun *inner;
  const guint64 *tallies[N];
  guint64 photons[N];

  fluence_start (&run, settings, 1);
  inner = *(VgFluenceRun **) run.state;
  for (int i = 0; i < N; i++)
    {
      guint64 *tally = g_new0 (guint64, inner->layout.size);

      for (gsize k = 0; k < inner->medium->cells; k++)
        tally[k] = (guint64) (1e15 * (1 + (i % 2 ? 3e-6 : -3e-6)));
      tallies[i] = tally;
      photons[i] = 1000000000;
    }
  vg_fluence_run_set_replicates (inner, tallies, photons, N);
  g_assert_cmpfloat_with_epsilon (inner->map_error, 3e-6 / sqrt (N - 1), 1e-8);
  for (int i = 0; i < N; i++)
    g_free ((gpointer) tallies[i]);
  fluence_clear (&run);
}

/* A clear layer absorbs nothing, and its fluence is missing. */
static void
test_clear_layer (void)
{
  static const char *const settings[] = {
    "layers",  "1.37,1,100,0.9,0.1;1.37,0,0,0,0.05;1.37,2,10,0.7,0.1",
    "dz_cm",   "0.025",
    "dr_cm",   "0.1",
    "nz",      "12",
    "nr",      "4",
    "photons", "2000",
    NULL
  };
  FluenceFixture run = { 0 };
  VgPlane fluence, absorbed;

  for (int beam = VG_FLUENCE_PENCIL; beam <= VG_FLUENCE_FLAT; beam++)
    {
      g_autoptr (VgCurves) axis = NULL;

      fluence_start (&run, settings, 1);
      run.params->beam = beam;
      g_assert_true (run.engine->update (run.state, run.params));
      fluence_finish (&run, 0.05);
      g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &fluence, NULL));
      axis = run.engine->curves->plot (run.state, 0, NULL);
      for (int k = 0; k < 12 * 4; k++)
        g_assert_true (!isnan (fluence.data[k]) == (k / 4 != 4 && k / 4 != 5));
      g_assert_true (isnan (((VgSeries *) axis->series->pdata[0])->y[4]));
      g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_ABSORPTION, &absorbed, NULL));
      for (int k = 4 * 4; k < 6 * 4; k++)
        g_assert_cmpfloat (absorbed.data[k], ==, 0);
      fluence_clear (&run);
    }
}

/* ---- Under a wide beam ---- */

/* Irradiance at DISTANCE from the axis, of power 1. */
static double
irradiance (int beam, double radius, double distance)
{
  if (beam == VG_FLUENCE_FLAT)
    return distance <= radius ? 1 / (G_PI * radius * radius) : 0;
  return 2 / (G_PI * radius * radius) * exp (-2 * distance * distance / (radius * radius));
}

/* Mean contribution of ring I with unit response to ring J, by sums over points. */
static double
ring_weight (int beam, double radius, double dr, int j, int i)
{
  enum { ACROSS = 4, AROUND = 360 };
  double sum = 0, area = 0;

  for (int a = 0; a < ACROSS; a++)
    {
      double r = (j + (a + 0.5) / ACROSS) * dr;

      for (int b = 0; b < ACROSS; b++)
        for (int k = 0; k < AROUND; k++)
          {
            double s = (i + (b + 0.5) / ACROSS) * dr, angle = 2 * G_PI * (k + 0.5) / AROUND;

            sum += r * irradiance (beam, radius, sqrt (r * r + s * s - 2 * r * s * cos (angle))) *
                   s * dr / ACROSS * 2 * G_PI / AROUND;
          }
      area += r;
    }
  return sum / area;
}

static void
test_exitance (void)
{
  static const char *const settings[] = { "layers",
                                          "1.37,1,100,0.9,0.1",
                                          "dz_cm",
                                          "0.01",
                                          "dr_cm",
                                          "0.02",
                                          "nz",
                                          "10",
                                          "nr",
                                          "40",
                                          "na",
                                          "10",
                                          "photons",
                                          "20000",
                                          "power_mw",
                                          "7",
                                          "beam_radius_cm",
                                          "0.2",
                                          NULL };
  static const int rings[] = { 0, 4, 9, 14 };
  FluenceFixture run = { 0 };
  VgFluenceReport *report;
  double *thin[2], *errors[2];

  fluence_start (&run, settings, 2);
  fluence_finish (&run, 0.05);
  report = vg_fluence_run_report (*(VgFluenceRun **) run.state, NULL); /* until the next change */
  thin[0] = g_memdup2 (report->rd_r, 40 * sizeof (double));
  thin[1] = g_memdup2 (report->tt_r, 40 * sizeof (double));
  errors[0] = g_memdup2 (report->rd_r_error, 40 * sizeof (double));
  errors[1] = g_memdup2 (report->tt_r_error, 40 * sizeof (double));
  for (int beam = VG_FLUENCE_PENCIL; beam <= VG_FLUENCE_GAUSSIAN; beam++)
    {
      g_autoptr (VgCurves) curves = NULL;
      g_autofree char *text = NULL, *name = NULL;
      g_auto (GStrv) lines = NULL;

      run.params->beam = beam;
      g_assert_true (run.engine->update (run.state, run.params));
      curves = run.engine->curves->plot (run.state, 2, NULL);
      g_assert_cmpstr (curves->y_unit, ==, "mW/cm\302\262");
      text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_EXITANCE, &name, NULL);
      g_assert_cmpstr (name, ==, "exitance.csv");
      lines = g_strsplit (text, "\n", -1);
      for (int side = 0; side < 2; side++)
        for (guint k = 0; k < G_N_ELEMENTS (rings); k++)
          {
            const VgSeries *series = curves->series->pdata[side];
            g_auto (GStrv) cells = g_strsplit (lines[rings[k] + 1], ",", -1);
            double value = 0, square = 0;
            int j = rings[k];

            for (int i = 0; i < 40; i++)
              {
                double weight = beam == VG_FLUENCE_PENCIL ? i == j
                                                          : ring_weight (beam, 0.2, 0.02, j, i);

                value += 7 * weight * thin[side][i];
                square += pow (7 * weight * errors[side][i], 2);
              }
            /* the flat beam's edge cuts a ring */
            g_assert_cmpfloat_with_epsilon (series->y[j], value,
                                            (beam == VG_FLUENCE_FLAT ? 0.03 : 0.01) * value);
            g_assert_cmpfloat_with_epsilon (series->error[j], sqrt (square), 0.05 * sqrt (square));
            g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[1 + 2 * side], NULL),
                                            series->y[j], 1e-6 * value);
            g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[2 + 2 * side], NULL),
                                            series->error[j], 1e-6 * value);
          }
    }
  for (int side = 0; side < 2; side++)
    {
      g_free (thin[side]);
      g_free (errors[side]);
    }
  fluence_clear (&run);
}

/* Photons of 5000 that cross the absorber; the others end there. */
static void
test_gate_errors (void)
{
  static const char *const settings[] = { "layers",        "1.5,1,0,0,1", "n_above", "1.5",
                                          "n_below",       "1.5",         "photons", "5000",
                                          "time_resolved", "true",        "gates",   "10",
                                          "gate_ps",       "10",          NULL };
  FluenceFixture run = { 0 };
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;
  double part;

  fluence_start (&run, settings, 1);
  fluence_finish (&run, 0.05);
  curves = run.engine->curves->plot (run.state, 4, NULL);
  series = curves->series->pdata[1];
  part = series->y[5] * 10;
  g_assert_cmpfloat_with_epsilon (part, exp (-1), 0.03);
  g_assert_cmpfloat_with_epsilon (series->error[5] * 10, sqrt (part * (1 - part) / 5000), 1e-4);
  fluence_clear (&run);
}

/* The standard errors of a run agree with the scatter of runs with other seeds. */
static void
test_errors (void)
{
  enum { RUNS = 24 };
  double sum = 0, square = 0, stated = 0, a = 0, a2 = 0, a_stated = 0;

  for (int i = 0; i < RUNS; i++)
    {
      FluenceFixture run = { 0 };
      g_autofree char *seed = g_strdup_printf ("%d", i);
      const char *settings[] = { "layers",  "van_de_hulst_slab",
                                 "photons", "100000",
                                 "nz",      "4",
                                 "nr",      "2",
                                 "dz_cm",   "0.005",
                                 "dr_cm",   "0.02",
                                 "seed",    seed,
                                 NULL };
      g_autoptr (VgCurves) layers = NULL;
      VgPlane fluence, error;

      fluence_start (&run, settings, 2);
      fluence_finish (&run, 0.05);
      sum += fluence_number (&run, "diffuse_reflectance") / RUNS;
      square += pow (fluence_number (&run, "diffuse_reflectance"), 2) / RUNS;
      stated += fluence_number (&run, "diffuse_reflectance_error") / RUNS;
      g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &fluence, NULL));
      g_assert_true (
          run.engine->output (run.state, VG_FLUENCE_OUTPUT_RELATIVE_ERROR, &error, NULL));
      /* the only layer absorbs all absorbed light */
      layers = run.engine->curves->plot (run.state, 1, NULL);
      g_assert_cmpfloat (((VgSeries *) layers->series->pdata[0])->error[0], ==,
                         fluence_number (&run, "absorbed_error"));
      a += fluence.data[3] / RUNS;
      a2 += pow (fluence.data[3], 2) / RUNS;
      a_stated += fluence.data[3] * error.data[3] / 100 / RUNS;
      fluence_clear (&run);
    }
  g_test_message ("reflectance: shown %.2e stated %.2e; fluence: shown %.2e stated %.2e",
                  sqrt (square - sum * sum), stated, sqrt (a2 - a * a), a_stated);
  g_assert_cmpfloat (fabs (log (sqrt (square - sum * sum) / stated)), <, 0.45);
  g_assert_cmpfloat (fabs (log (sqrt (a2 - a * a) / a_stated)), <, 0.45);
}

/* Few photons have errors as well. */
static void
test_few (void)
{
  static const char *const counts[] = { "100", "1000", "10000", "40000" };
  double before = INFINITY;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      const char *settings[] = { "layers",  "van_de_hulst_slab",
                                 "photons", counts[i],
                                 "nz",      "4",
                                 "nr",      "2",
                                 "dz_cm",   "0.005",
                                 "dr_cm",   "0.02",
                                 NULL };
      FluenceFixture run = { 0 };
      double error;

      fluence_start (&run, settings, 2);
      fluence_finish (&run, 0.05);
      error = fluence_number (&run, "map_error");
      g_test_message ("%s photons: error of the map %.2f %%", counts[i], error);
      g_assert_cmpfloat (error, >, 0);
      g_assert_cmpfloat (error, <, before);
      before = error;
      fluence_clear (&run);
    }
}

/* Errors are right at any time, not only at the end of a batch: they decrease with the square root
 * of the number of photons. */
static void
test_errors_on_the_way (void)
{
  FluenceFixture run = { 0 };
  VgPlane error;
  double least = INFINITY, most = 0.0;
  int looks = 0;

  fluence_start (&run,
                 (const char *[]){ "layers", "1.37,1,100,0.9,0.1;1.37,1,10,0,0.1", "dz_cm", "0.02",
                                   "dr_cm", "0.05", "nz", "10", "nr", "10", "photons", "400000",
                                   NULL },
                 1);
  while (run.engine->step (run.state, 2e-3, NULL) == VG_STEP_MORE)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (VgCurves) layers = NULL;
      double photons, scaled, bars;

      run.engine->results (run.state, numbers, NULL);
      photons = vg_metrics_find (numbers, "photons")->value;
      if (photons < 100000)
        continue;
      g_assert_true (
          run.engine->output (run.state, VG_FLUENCE_OUTPUT_RELATIVE_ERROR, &error, NULL));
      layers = run.engine->curves->plot (run.state, 1, NULL);
      bars = ((VgSeries *) layers->series->pdata[0])->error[0];
      scaled = error.data[1] * sqrt (photons); /* 5 % or so of one photon's spread */
      g_assert_cmpfloat (bars, >, 0.0);
      least = MIN (least, scaled);
      most = MAX (most, scaled);
      looks++;
    }
  g_test_message ("%d looks, %g to %g", looks, least, most);
  g_assert_cmpint (looks, >, 10);
  g_assert_cmpfloat (least, >, 0.0);
  g_assert_cmpfloat (most / least, <, 3.0);
  fluence_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fluence/little-light", test_little_light);
  g_test_add_func ("/fluence/much-light", test_much_light);
  g_test_add_func ("/fluence/clear-layer", test_clear_layer);
  g_test_add_func ("/fluence/exitance", test_exitance);
  g_test_add_func ("/fluence/gate-errors", test_gate_errors);
  g_test_add_func ("/fluence/errors", test_errors);
  g_test_add_func ("/fluence/few", test_few);
  g_test_add_func ("/fluence/errors-on-the-way", test_errors_on_the_way);
  return g_test_run ();
}
