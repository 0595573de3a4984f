/* SPDX-License-Identifier: MIT */
/* Metrics that warn of settings and data that make lifetimes wrong without a visible sign in the
 * maps. */
#include "tests/kernels/lifetime/support/lifetime-pulse.h"
#include "kernels/lifetime/engine/lifetime-view.h"

enum { BINS = 128 };

/* The advice of metric ID (owned); NULL if the metric or its advice does not exist. */
static char *
note_of (LifetimeFixture *run, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  const VgMetric *number;

  run->engine->results (run->state, numbers, NULL);
  number = vg_metrics_find (numbers, id);
  return number != NULL ? g_strdup (number->advice) : NULL;
}

static void
check_note (LifetimeFixture *run, const char *id, const char *says)
{
  g_autofree char *note = note_of (run, id);

  g_test_message ("%s: %s", id, note != NULL ? note : "nothing");
  if (says == NULL)
    g_assert_null (note);
  else
    {
      g_assert_nonnull (note);
      g_assert_nonnull (strstr (note, says));
    }
}

/* Whether the metric is a warning, shown over the maps. */
static gboolean
is_grave (LifetimeFixture *run, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();

  run->engine->results (run->state, numbers, NULL);
  return (vg_metrics_find (numbers, id)->flags & VG_NUMBER_GRAVE) != 0;
}

/* One pixel whose decay begins 2 ns after the start of the window, behind a pulse as long as a
 * bin of 0.1 ns. */
static void
start (LifetimeFixture *run, float *cube)
{
  const double h = 0.1;

  for (int j = 0; j < BINS; j++)
    cube[j] = j * h < 2.0 ? 0.0f : (float) (5000.0 * exp (-(j * h - 2.0) / 2.0));
  lifetime_init (run, VG_F32, 1, 1, BINS, h);
}

static const VgMetric *
error_of (const VgMetrics *metrics, const char *id)
{
  return vg_metrics_find_error (metrics, vg_metrics_find (metrics, id));
}

/* In the list of a pixel's values each error stands beside its value: that of the mean beside the
 * mean, and those of two lifetimes beside these. */
static void
test_errors (void)
{
  const VgOperation *operation = vg_operation_find ("lifetime");
  const VgParam *method = vg_params_find (&operation->params, "method");
  g_autofree float *values = g_new0 (float, operation->n_outputs);

  for (guint i = 0; i < operation->n_outputs; i++)
    values[i] = (float) i;
  for (int two = 0; two < 2; two++)
    {
      void *params = vg_params_new (&operation->params);
      g_autoptr (VgMetrics) metrics = vg_metrics_new ();
      static const char *const found[] = { "lifetime", "lifetime_1", "lifetime_2", "fraction",
                                           "intensity_weighted_lifetime" };

      g_assert_true (vg_param_parse (method, params, two ? "mle_bi" : "mle", NULL));
      vg_operation_add_outputs (operation, params, values, metrics);
      for (guint k = 0; k < (two ? G_N_ELEMENTS (found) : 1); k++)
        {
          g_autofree char *id = g_strconcat (found[k], "_error", NULL);

          g_assert_cmpfloat (error_of (metrics, found[k])->value, ==,
                             values[vg_operation_find_output (operation, id)]);
        }
      vg_params_free (&operation->params, params);
    }
}

/* A class is told by its name. */
static void
test_words (void)
{
  const VgOperation *operation = vg_operation_find ("contour");
  g_autofree float *values = g_new0 (float, operation->n_outputs);
  const int at = vg_operation_find_output (operation, "artefacts");
  void *params = vg_params_new (&operation->params);

  for (int matter = 0; matter < 5; matter++)
    {
      g_autoptr (VgMetrics) metrics = vg_metrics_new ();

      values[at] = (float) matter;
      vg_operation_add_outputs (operation, params, values, metrics);
      g_assert_cmpstr (vg_metrics_find (metrics, "artefacts")->word, ==,
                       matter < 4 ? operation->outputs[at].hints.categories[matter] : NULL);
      g_assert_null (vg_metrics_find (metrics, "overlap")->word);
    }
  vg_params_free (&operation->params, params);
}

/* A bin width that neither the file nor the user gives. */
static void
test_width (void)
{
  float cube[BINS];
  double end;
  LifetimeFixture run;

  start (&run, cube);
  lifetime_run (&run, cube);
  check_note (&run, "bin_width_ns", NULL);
  lifetime_clear (&run);
  start (&run, cube);
  run.info.bin_width_ns = 0.0;
  run.params->bin_width_ns = 0.0f;
  lifetime_run (&run, cube);
  check_note (&run, "bin_width_ns", "assuming 0.1 ns");
  end = lifetime_number (&run, "fit_end_ns");
  run.params->bin_width_ns = 0.1f;
  lifetime_update (&run);
  check_note (&run, "bin_width_ns", NULL);
  g_assert_cmpfloat (lifetime_number (&run, "fit_end_ns"), ==, end);
  run.params->bin_width_ns = 0.05f;
  lifetime_update (&run);
  check_note (&run, "bin_width_ns", NULL);
  lifetime_clear (&run);
}

/* The reason why a fit is impossible. */
static void
test_problem (void)
{
  float cube[BINS];
  LifetimeFixture run;

  start (&run, cube);
  run.params->method = VG_LIFETIME_MLE_TWO;
  run.params->fit_start_ns = 2.0f;
  run.params->fit_end_ns = 2.3f;
  lifetime_run (&run, cube);
  check_note (&run, "pixels_failed", "too few for 4 fit parameters");
  run.params->fit_end_ns = 12.0f;
  run.params->know_1 = TRUE;
  run.params->known_1_ns = 1e4f;
  lifetime_update (&run);
  check_note (&run, "pixels_failed", "known lifetime of 10000 ns is outside");
  run.params->know_1 = FALSE;
  lifetime_update (&run);
  check_note (&run, "pixels_failed", NULL);
  lifetime_clear (&run);
}

/* The title of a decay, of a pixel or of all pixels, contains the results of the fit. */
#define TAU "[0-9.]+( \302\261 [0-9.e-]+)? ns"
#define FIT                                                                                        \
  TAU "; " TAU " \\([0-9.]+ %\\), " TAU                                                            \
      " \\([0-9.]+ %\\); deviance [0-9.e+-]+ of [0-9]+ bins; [0-9]+ photons$"
static void
test_title (void)
{
  float cube[BINS];
  LifetimeFixture run;

  start (&run, cube);
  run.params->method = VG_LIFETIME_MLE_TWO;
  run.params->range = VG_LIFETIME_RANGE_AUTO;
  lifetime_run (&run, cube);
  for (int all = 0; all < 2; all++)
    {
      g_autoptr (VgCurves) curves = all ? run.engine->curves->plot (run.state, 1, NULL)
                                        : run.engine->curves->sample (run.state, 0.5, 0.5, 0, NULL);

      g_test_message ("%s", curves->title);
      g_assert_true (g_regex_match_simple (all ? "^Decay of the whole image, 1 pixels: " FIT
                                               : "^Decay of \\(0, 0\\): " FIT,
                                           curves->title, 0, 0));
    }
  lifetime_clear (&run);
}

/* The lifetime by centre of mass has the standard error of the error map. */
static void
test_title_of_mass (void)
{
  g_autoptr (VgCurves) curves = NULL;
  g_autofree char *want = NULL;
  float cube[BINS];
  LifetimeFixture run;
  g_autofree float *lifetime = NULL, *error = NULL;

  start (&run, cube);
  run.params->method = VG_LIFETIME_CMM;
  run.params->range = VG_LIFETIME_RANGE_AUTO;
  run.params->background = 1.0f;
  lifetime_run (&run, cube);
  lifetime = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
  error = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_ERROR, NULL);
  curves = run.engine->curves->sample (run.state, 0.5, 0.5, 0, NULL);
  want = g_strdup_printf (": %.4g \302\261 %.2g ns; ", (double) lifetime[0], (double) error[0]);
  g_test_message ("%s", curves->title);
  g_assert_nonnull (strstr (curves->title, want));
  lifetime_clear (&run);
}

/* The distribution is weighted by pixels, most of which are dark background, and by photons. */
static void
test_distribution (void)
{
  enum { N = 2000 };
  g_autofree float *lifetime = g_new (float, N), *photons = g_new (float, N);
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *bars, *line;
  double sum[2] = { 0 }, near[2] = { 0 };

  for (int i = 0; i < N; i++)
    {
      gboolean bright = i % 10 == 0;

      lifetime[i] = bright ? 2.0f + 1e-4f * (float) i : 1.0f + 3.0f * (float) i / N;
      photons[i] = bright ? 1000.0f : 10.0f;
    }
  lifetime[1] = photons[3] = NAN;
  lifetime[5] = 1e6f;
  curves = vg_lifetime_plot_lifetimes (lifetime, photons, N);
  bars = g_ptr_array_index (curves->series, 0);
  line = g_ptr_array_index (curves->series, 1);
  for (int i = 0; i < bars->n; i++)
    {
      gboolean inside = bars->x[i] > 1.98 && bars->x[i] < 2.22;

      sum[0] += bars->y[i];
      sum[1] += line->y[i];
      near[0] += inside ? bars->y[i] : 0.0;
      near[1] += inside ? line->y[i] : 0.0;
    }
  g_assert_cmpfloat (bars->x[0], >, 0.99);
  g_assert_cmpfloat (bars->x[bars->n - 1], <, 4.02);
  g_assert_cmpfloat_with_epsilon (sum[1] / sum[0], 1.0, 1e-9);
  g_assert_cmpfloat (near[0], <, 0.3 * sum[0]);
  g_assert_cmpfloat (near[1], >, 0.9 * sum[1]);
}

/* Phasors rotated by the pulse are reported for every method, because all have the in the plot. */
static void
test_phasors (void)
{
  float cube[BINS];
  LifetimeFixture run;

  start (&run, cube);
  run.params->range = VG_LIFETIME_RANGE_AUTO;
  run.params->method = VG_LIFETIME_MLE;
  lifetime_run (&run, cube);
  check_note (&run, "pulse_ns", "in the plot");
  g_assert_false (is_grave (&run, "pulse_ns"));
  run.params->irf_model = VG_LIFETIME_IRF_EDGE;
  lifetime_update (&run);
  check_note (&run, "pulse_ns", NULL);
  lifetime_clear (&run);
}

/* A decay of 0.4 and 2.5 ns, amplitude fraction 0.7 of the short one, behind a pulse t^POWER exp
 * (-t / T0) that begins at 1.5 ns, every 12.5 ns. */
static void
make_skewed (double *counts, int bins, double h, int power, double t0)
{
  enum { FINE = 20 };
  const double tau[] = { 0.4, 2.5 }, part[] = { 0.7 * 0.4, 0.3 * 2.5 };
  double step = h / FINE, carry[2] = { 0.0, 0.0 };

  memset (counts, 0, sizeof *counts * (gsize) bins);
  for (int turn = 0; turn < 10; turn++)
    for (int i = 0; i < bins * FINE; i++)
      {
        double t = (i + 0.5) * step - 1.5, pulse = t > 0.0 ? pow (t, power) * exp (-t / t0) : 0.0;

        for (int k = 0; k < 2; k++)
          {
            double r = exp (-step / tau[k]), before = carry[k];

            carry[k] = r * carry[k] + (1.0 - r) * pulse;
            counts[i / FINE] += turn == 9 ? part[k] * 1e8 * 0.5 * (before + carry[k]) : 0.0;
          }
      }
}

/* The estimated IRF cannot have the shape of a skewed pulse: methods that find a short lifetime
 * behind it say so. */
static void
test_skewed (void)
{
  enum { LONG = 256 };
  const double h = 12.5 / LONG;
  double skewed[LONG], even[LONG], decay[LONG] = { 0.0 };
  float cube[LONG];
  g_autoptr (LifetimeFixture) run = fixture (1, 1, LONG, h);

  make_skewed (skewed, LONG, h, 2, 0.08);
  make_decay (even, LONG, h, 0.4, 1.8, 0.25, 12.5);
  make_decay (decay, LONG, h, 2.5, 1.8, 0.25, 12.5);
  for (int j = 0; j < LONG; j++)
    even[j] = 0.3 * even[j] + 0.7 * decay[j];
  run->params->method = VG_LIFETIME_MLE_TWO;
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  run->params->period_ns = 12.5f;
  run->params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
  put_decay (cube, 1, 0, skewed, LONG);
  lifetime_run (run, cube);
  g_test_message ("behind a skewed pulse 0.4 ns is %.3f ns",
                  first_of (run, VG_LIFETIME_OUTPUT_LIFETIME_1));
  g_assert_cmpfloat (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME_1), <, 0.385);
  check_note (run, "irf_time_ns", "is skewed");
  run->params->method = VG_LIFETIME_MLE;
  lifetime_update (run);
  check_note (run, "irf_time_ns", NULL);
  run->params->method = VG_LIFETIME_MLE_TWO;
  lifetime_update (run);
  put_decay (cube, 1, 0, even, LONG);
  lifetime_run (run, cube);
  g_test_message ("behind a Gaussian one %.3f ns", first_of (run, VG_LIFETIME_OUTPUT_LIFETIME_1));
  check_note (run, "irf_time_ns", NULL);
}

/* Colour limits of lifetimes do not exceed the laser period, despite single noisy phasors. */
static void
test_most (void)
{
  float cube[BINS];
  LifetimeFixture run;
  VgPlane plane;

  start (&run, cube);
  run.params->method = VG_LIFETIME_PHASOR_TWO;
  run.params->period_ns = 12.5f;
  lifetime_run (&run, cube);
  for (guint i = 0; i < VG_LIFETIME_N_OUTPUTS; i++)
    if (run.engine->output (run.state, i, &plane, NULL))
      g_assert_cmpfloat (plane.most, ==,
                         g_str_equal (vg_lifetime_operation.outputs[i].unit, "ns") &&
                                 strstr (vg_lifetime_operation.outputs[i].id, "error") == NULL
                             ? 12.5
                             : 0.0);
  lifetime_clear (&run);
}

/* Settings that need attention have advice, others have none. */
static void
test_settings (void)
{
  enum { LONG = 200 };
  const double h = 0.05, centre = 2.0;
  g_autoptr (LifetimeFixture) run = fixture (1, 1, LONG, h);
  g_autoptr (VgImage) late = NULL;
  VgInputFile file = { "irf", NULL };
  double counts[LONG], response[LONG], before;
  float cube[LONG];

  make_decay (counts, LONG, h, 1.5, centre, 0.2, LONG * h);
  put_decay (cube, 1, 0, counts, LONG);
  run->params->method = VG_LIFETIME_PHASOR;
  lifetime_run (run, cube);
  check_note (run, "pulse_ns", "Choose a measured IRF");
  g_assert_true (is_grave (run, "pulse_ns"));
  check_note (run, "period_ns", "Laser period unknown");
  run->params->irf_model = VG_LIFETIME_IRF_EDGE;
  run->params->period_ns = (float) (LONG * h);
  lifetime_update (run);
  check_note (run, "pulse_ns", NULL);
  check_note (run, "period_ns", NULL);
  run->params->method = VG_LIFETIME_LSM;
  /* the default: weights by counts are biased low */
  g_assert_cmpint (run->params->weights, ==, VG_LIFETIME_WEIGHTS_MODEL);
  run->params->weights = VG_LIFETIME_WEIGHTS_COUNTS;
  run->params->period_ns = 5.0f;
  run->params->fit_start_ns = 20.0f;
  lifetime_prepare_with (run, NULL, 0);
  lifetime_run (run, cube);
  check_note (run, "pixels_fitted", "read 7 to 10 % low");
  check_note (run, "period_ns", "shorter than the time window");
  check_note (run, "fit_start_ns", "after the end of the time window");
  run->params->weights = VG_LIFETIME_WEIGHTS_MODEL;
  run->params->period_ns = run->params->fit_start_ns = 0.0f;
  lifetime_update (run);
  check_note (run, "pixels_fitted", NULL);
  check_note (run, "fit_start_ns", NULL);
  check_note (run, "irf_time_ns", NULL);
  /* An IRF that peaks after the decay, in one of two channels. */
  make_decay (response, LONG, h, 0.0, centre + 1.0, 0.2, LONG * h);
  file.image = late = response_image (response, LONG, h);
  late->info.channel = late->info.channels_available = 2;
  run->params->irf = g_strdup ("response");
  lifetime_prepare_with (run, &file, 1);
  lifetime_run (run, cube);
  check_note (run, "irf_time_ns", "later than the decay");
  check_note (run, "irf_time_ns", "channel 2 of the 2");
  /* A background that the bins before the pulse show. */
  g_clear_pointer (&run->params->irf, g_free);
  run->params->irf_model = VG_LIFETIME_IRF_NONE;
  run->params->method = VG_LIFETIME_CMM;
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  run->params->period_ns = (float) (LONG * h);
  lifetime_prepare_with (run, NULL, 0);
  lifetime_run (run, cube);
  check_note (run, "before_pulse", NULL); /* These are photons from the previous pulse. */
  for (int j = 0; j < LONG; j++)
    cube[j] += 10.0f;
  before = lifetime_number (run, "before_pulse");
  lifetime_run (run, cube);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "before_pulse"), before + 10.0, 0.5);
  check_note (run, "before_pulse", "Fit an offset");
  run->params->background = 10.0f;
  lifetime_update (run);
  check_note (run, "before_pulse", NULL);
}

/* Metadata that contradict a setting are reported. */
static void
test_said (void)
{
  float cube[BINS];
  LifetimeFixture run;

  start (&run, cube);
  run.info.period_ns = 10.0;
  run.params->period_ns = 10.0f;
  lifetime_run (&run, cube);
  check_note (&run, "period_ns", "shorter");
  run.params->period_ns = 13.5f;
  lifetime_update (&run);
  check_note (&run, "period_ns", "The data state a laser period of 10 ns");
  check_note (&run, "bin_width_ns", NULL);
  run.params->bin_width_ns = 0.05f;
  lifetime_update (&run);
  check_note (&run, "bin_width_ns", "The data state a bin width of 0.1 ns");
  lifetime_clear (&run);
}

/* The reasons why there is no IRF and no shift. */
static void
test_no_response (void)
{
  const double h = 0.1;
  g_autoptr (VgImage) image = NULL;
  g_autoptr (GError) error = NULL;
  VgInputFile file = { "irf", NULL };
  VgContext context = { 0 };
  float cube[BINS], flat[BINS];
  double response[BINS] = { 0 };
  LifetimeFixture run;

  start (&run, cube);
  run.params->range = VG_LIFETIME_RANGE_AUTO;
  run.params->method = VG_LIFETIME_MLE_STRETCHED;
  run.params->irf = g_strdup ("response");
  run.params->irf_shift_by = VG_LIFETIME_SHIFT_FITTED;
  run.params->irf_shift_ns = 3.0f; /* a hidden parameter */
  response[20] = 100.0;
  file.image = image = response_image (response, BINS, h);
  lifetime_prepare_with (&run, &file, 1);
  lifetime_run (&run, cube);
  check_note (&run, "irf_shift_ns", "uses only the tail");
  g_assert_cmpfloat_with_epsilon (lifetime_number (&run, "irf_time_ns"), 2.0, 0.06);
  run.params->irf_shift_by = VG_LIFETIME_SHIFT_BY_HAND;
  run.params->irf_shift_ns = 100.0f;
  lifetime_update (&run);
  check_note (&run, "irf_time_ns", "outside the time window of 12.8 ns");
  g_free (run.params->irf);
  run.params->irf = g_strdup ("rect:300,300,5,5");
  context = (VgContext){ .params = run.params, .info = &run.info, .threads = 1 };
  g_assert_null (run.engine->prepare (&context, &error));
  g_assert_nonnull (strstr (error->message, "outside the image"));
  g_clear_pointer (&run.params->irf, g_free);
  run.params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
  run.params->irf_shift_ns = 0.0f;
  lifetime_prepare_with (&run, NULL, 0);
  for (int j = 0; j < BINS; j++)
    flat[j] = (float) (5000.0 * exp (-j * h / 2.0));
  lifetime_run (&run, flat);
  check_note (&run, "irf_time_ns", "does not rise");
  for (int j = 0; j < BINS; j++)
    flat[j] = -flat[j];
  lifetime_run (&run, flat);
  check_note (&run, "photons", "negative");
  lifetime_clear (&run);
}

/* A lost segment is reported unless it is one in a thousand; the same number of single pixels is
 * not. */
static void
test_segment (void)
{
  for (int k = 0; k < 4; k++)
    {
      gboolean shared = k % 2, large = k / 2;
      const guint64 status[VG_LIFETIME_N_STATUS] = {
        [VG_LIFETIME_FITTED] = large ? 65488 : 16000, [VG_LIFETIME_FAILED] = large ? 48 : 32
      };
      VgLifetimePlan plan = {
        .bins = BINS, .end = BINS, .pixels = 65536, .h = 0.1, .period_ns = 12.8
      };
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();

      plan.finish.params.method = VG_LIFETIME_MLE_THREE;
      plan.finish.params.sharing = shared ? VG_LIFETIME_SHARE_SEGMENT : VG_LIFETIME_SHARE_NONE;
      vg_lifetime_add_results (numbers, &plan, status, 1e6);
      g_assert_cmpint (vg_metrics_find (numbers, "pixels_failed")->advice != NULL, ==,
                       shared && !large);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/notes/errors", test_errors);
  g_test_add_func ("/golden/lifetime/notes/words", test_words);
  g_test_add_func ("/lifetime/notes/words", test_words);
  g_test_add_func ("/golden/lifetime/notes/width", test_width);
  g_test_add_func ("/golden/lifetime/notes/problem", test_problem);
  g_test_add_func ("/golden/lifetime/notes/title", test_title);
  g_test_add_func ("/golden/lifetime/notes/title-of-mass", test_title_of_mass);
  g_test_add_func ("/golden/lifetime/notes/distribution", test_distribution);
  g_test_add_func ("/golden/lifetime/notes/phasors", test_phasors);
  g_test_add_func ("/golden/lifetime/notes/settings", test_settings);
  g_test_add_func ("/golden/lifetime/notes/said", test_said);
  g_test_add_func ("/golden/lifetime/notes/no-response", test_no_response);
  g_test_add_func ("/golden/lifetime/notes/segment", test_segment);
  g_test_add_func ("/golden/lifetime/notes/skewed", test_skewed);
  g_test_add_func ("/golden/lifetime/notes/most", test_most);
  return g_test_run ();
}
