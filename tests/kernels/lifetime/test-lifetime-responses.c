/* SPDX-License-Identifier: MIT */
/* Every method with every kind of IRF finds the lifetimes of a decay behind a Gaussian pulse, so
 * a change of method does not change the meaning of the settings. */
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include "kernels/lifetime/fit/lifetime-fit.h"
#include "kernels/tables/vg-curves.h"

enum { BINS = 256, FINE = 16, SIDE = 2 };
static const double period = 12.5, h = 12.5 / BINS, centre = 2.0, sigma = 0.12;

typedef enum { NONE, MEASURED, DYE, GAUSSIAN, EDGE, ESTIMATED, N_KINDS } Kind;
static const char *const kind_names[] = {
  "none", "measured", "dye", "gaussian", "edge", "estimated"
};

/* PHOTONS of a decay with fraction SHARE of TAU_1 and the rest of TAU_2, with previous pulses;
 * TAU_1 0: the pulse.  Finely binned sums of both, in closed form. */
static void
make (double share, double tau_1, double tau_2, double photons, double *counts)
{
  const double tau[] = { tau_1, tau_2 }, part[] = { share, 1.0 - share }, step = h / FINE;
  double total = 0.0;

  memset (counts, 0, sizeof *counts * BINS);
  for (int k = 0; k < 2; k++)
    {
      double q = tau_1 > 0.0 ? exp (-step / tau[k]) : 0.0, c = 0.0;

      for (int turn = 0; turn < 6; turn++)
        for (int i = 0; i < BINS * FINE; i++)
          {
            double x = ((i + 0.5) * step - centre) / sigma, before = c;

            c = q * c + exp (-0.5 * x * x);
            if (turn == 5)
              counts[i / FINE] += part[k] * (tau_1 > 0.0 ? 0.5 * (c + before) : exp (-0.5 * x * x));
          }
    }
  for (int j = 0; j < BINS; j++)
    total += counts[j];
  for (int j = 0; j < BINS; j++)
    counts[j] *= photons / total;
}

/* The file of the IRF has photon noise. */
static VgImage *
response_image (Kind kind)
{
  const VgImageInfo info = { .type = VG_F32,
                             .width = 1,
                             .height = 1,
                             .channels = 1,
                             .bins = BINS,
                             .slices = 1,
                             .frames = 1,
                             .bin_width_ns = h };
  VgImage *image = vg_image_new (&info, "response", NULL);
  double counts[BINS];

  make (1.0, kind == DYE ? 4.0 : 0.0, 1.0, 1e6, counts);
  for (int j = 0; j < BINS; j++)
    ((float *) image->data)[j] = (float) vg_lifetime_poisson (counts[j], 31u * (guint64) j + 7);
  return image;
}

/* The medians of outputs WHICH by METHOD with KIND of IRF, for the decay COUNTS; NaN for outputs
 * that do not exist. */
static void
find (VgLifetimeMethod method, Kind kind, const double *counts, const int *which, int n,
      double *values)
{
  static const int models[] = {
    [NONE] = VG_LIFETIME_IRF_NONE, [MEASURED] = VG_LIFETIME_IRF_NONE,
    [DYE] = VG_LIFETIME_IRF_NONE,  [GAUSSIAN] = VG_LIFETIME_IRF_GAUSSIAN,
    [EDGE] = VG_LIFETIME_IRF_EDGE, [ESTIMATED] = VG_LIFETIME_IRF_ESTIMATED
  };
  g_autofree float *cube = g_new (float, SIDE *SIDE *BINS);
  g_autoptr (VgImage) image = response_image (kind);
  VgInputFile file = { "irf", image };
  gboolean is_file = kind == MEASURED || kind == DYE;
  LifetimeFixture run;

  for (int i = 0; i < SIDE * SIDE * BINS; i++)
    cube[i] = (float) counts[i / (SIDE * SIDE)];
  lifetime_init (&run, VG_F32, SIDE, SIDE, BINS, h);
  run.params->method = method;
  run.params->range = VG_LIFETIME_RANGE_AUTO;
  run.params->period_ns = (float) period;
  run.params->irf_model = models[kind];
  run.params->irf_fwhm_ns = (float) (2.3548 * sigma);
  run.params->irf_lifetime_ns = kind == DYE ? 4.0f : 0.0f;
  if (is_file)
    run.params->irf = g_strdup ("response");
  lifetime_prepare_with (&run, &file, is_file ? 1 : 0);
  lifetime_run (&run, cube);
  for (int i = 0; i < n; i++)
    {
      g_autofree float *map = lifetime_map_of (&run, (guint) which[i], NULL);

      values[i] = map != NULL ? map[0] : NAN;
    }
  lifetime_clear (&run);
}

/* Without an IRF the phasor is not calibrated, and the centre of mass uses the tail of a pulse at
 * 2 ns, as gates do.  The centre of mass assumes a single pulse: photons from the previous pulse,
 * 0.4 %, are background to it. */
static double
allowed (VgLifetimeMethod method, Kind kind)
{
  if (method == VG_LIFETIME_CMM)
    return kind == NONE ? 0.002 : 0.03;
  if (method == VG_LIFETIME_IEM || method == VG_LIFETIME_RLD)
    return 0.002;
  return kind == EDGE || kind == ESTIMATED || kind == GAUSSIAN ? 0.02 : 0.01;
}

static void
test_one (void)
{
  static const VgLifetimeMethod methods[] = { VG_LIFETIME_CMM, VG_LIFETIME_IEM,
                                              VG_LIFETIME_RLD, VG_LIFETIME_PHASOR,
                                              VG_LIFETIME_MLE, VG_LIFETIME_MLE_STRETCHED,
                                              VG_LIFETIME_LSM };
  const int which = VG_LIFETIME_OUTPUT_LIFETIME;
  double counts[BINS];

  make (1.0, 2.3, 1.0, 2e5, counts);
  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    for (Kind kind = NONE; kind < N_KINDS; kind++)
      {
        double value;

        if (methods[m] == VG_LIFETIME_PHASOR && kind == NONE)
          continue;
        find (methods[m], kind, counts, &which, 1, &value);
        g_test_message ("method %d, response %s: %.4f ns (2.3)", methods[m], kind_names[kind],
                        value);
        g_assert_cmpfloat_with_epsilon (value, 2.3, 2.3 * allowed (methods[m], kind));
      }
}

/* Two lifetimes by fits, and by moments of the tail, in which the short one has a smaller
 * amplitude fraction. */
static void
test_two (void)
{
  static const VgLifetimeMethod methods[] = { VG_LIFETIME_MLE_TWO, VG_LIFETIME_LSM_TWO,
                                              VG_LIFETIME_BCMM };
  static const int which[] = { VG_LIFETIME_OUTPUT_LIFETIME_1, VG_LIFETIME_OUTPUT_LIFETIME_2,
                               VG_LIFETIME_OUTPUT_FRACTION };
  double counts[BINS];

  make (0.7, 0.4, 2.5, 2e5, counts);
  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    for (Kind kind = NONE; kind < N_KINDS; kind++)
      {
        gboolean tail = methods[m] == VG_LIFETIME_BCMM || kind == NONE;
        double values[3];

        find (methods[m], kind, counts, which, 3, values);
        g_test_message ("method %d, response %s: %.4f ns (0.4), %.4f ns (2.5), share %.4f (%s)",
                        methods[m], kind_names[kind], values[0], values[1], values[2],
                        tail ? "of the tail" : "0.7");
        /* The rising edge is interpreted with a single lifetime: docs/lifetime.md. */
        if (kind == EDGE && !tail)
          continue;
        g_assert_cmpfloat_with_epsilon (values[0], 0.4, tail ? 0.02 : 0.015);
        g_assert_cmpfloat_with_epsilon (values[1], 2.5, 0.03);
        if (!tail)
          g_assert_cmpfloat_with_epsilon (values[2], 0.7, 0.02);
        else
          g_assert_cmpfloat (values[2], >, 0.4);
      }
}

/* A stretched exponential has its own time constant and exponent if the IRF gives the time of the
 * pulse. */
static void
test_stretched (void)
{
  static const int which[] = { VG_LIFETIME_OUTPUT_TIME_CONSTANT, VG_LIFETIME_OUTPUT_EXPONENT };
  double counts[BINS];

  for (int j = 0; j < BINS; j++)
    {
      counts[j] = 0.0;
      for (int i = 0; i < 64; i++) /* behind a pulse that is short compared with 2 ns */
        {
          double t = (j + (i + 0.5) / 64) * h - centre;

          counts[j] += (t > 0.0 ? 4000.0 / 64 * exp (-pow (t / 1.2, 0.7)) : 0.0);
        }
    }
  for (int measured = 0; measured < 2; measured++)
    {
      double values[2];

      find (VG_LIFETIME_MLE_STRETCHED, measured ? MEASURED : NONE, counts, which, 2, values);
      g_test_message ("response %d: %.4f ns (1.2), exponent %.4f (0.7)", measured, values[0],
                      values[1]);
      if (!measured)
        continue; /* Time begins with the range, which is later. */
      g_assert_cmpfloat_with_epsilon (values[0], 1.2, 0.02);
      g_assert_cmpfloat_with_epsilon (values[1], 0.7, 0.01);
    }
}

/* A parameter that a method does not have does not change its result; one that it has does. */
static void
test_earlier_pulses (void)
{
  static const VgLifetimeMethod methods[] = { VG_LIFETIME_CMM, VG_LIFETIME_PHASOR,
                                              VG_LIFETIME_MLE_STRETCHED, VG_LIFETIME_MLE };
  double counts[BINS];
  float cube[BINS];

  make (1.0, 4.5, 1.0, 2e5, counts);
  for (int j = 0; j < BINS; j++)
    cube[j] = (float) rint (counts[j]);
  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    {
      float values[2];

      for (int earlier = 0; earlier < 2; earlier++)
        {
          g_autofree float *map = NULL;
          LifetimeFixture run;

          lifetime_init (&run, VG_F32, 1, 1, BINS, h);
          run.params->method = methods[m];
          run.params->range = VG_LIFETIME_RANGE_AUTO;
          run.params->period_ns = (float) period;
          run.params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
          run.params->earlier_pulses = earlier;
          lifetime_run (&run, cube);
          map = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
          values[earlier] = map[0];
          lifetime_clear (&run);
        }
      g_test_message ("method %d: %.4f ns, with earlier pulses %.4f ns", methods[m], values[0],
                      values[1]);
      g_assert_cmpfloat (values[1], >, 0.0f);
      g_assert_true ((values[0] == values[1]) == (methods[m] != VG_LIFETIME_MLE));
    }
}

/* The model of a single pulse is nearly 0 before it, which must not set the limits of a
 * logarithmic plot. */
static void
test_plot (void)
{
  double counts[BINS], least = HUGE_VAL;
  float cube[BINS];
  LifetimeFixture run;
  g_autoptr (VgCurves) curves = NULL;

  make (1.0, 2.3, 1.0, 2e5, counts);
  for (int j = 0; j < BINS; j++)
    {
      cube[j] = (float) rint (counts[j]) + 20.0f;
      least = MIN (least, cube[j]);
    }
  lifetime_init (&run, VG_F32, 1, 1, BINS, h);
  run.params->range = VG_LIFETIME_RANGE_AUTO;
  run.params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
  lifetime_run (&run, cube);
  curves = run.engine->curves->sample (run.state, 0.5, 0.5, 0, NULL);
  for (guint k = 0; k < curves->series->len; k++)
    {
      const VgSeries *series = g_ptr_array_index (curves->series, k);

      for (int j = 0; j < series->n && !g_str_has_prefix (series->name, "IRF"); j++)
        if (series->below)
          g_assert_false (fabs (series->y[j]) > 1e4);
        else
          g_assert_false (series->y[j] < 0.1 * least); /* NaN is not drawn. */
    }
  lifetime_clear (&run);
}

/* The curve of a fit with lifetimes at a bound: the bound that the mean determines. */
static void
test_curve_at_limit (void)
{
  VgLifetimeFit fit = { .terms = 2, .first = 0, .end = 64, .bin_width_ns = 0.1f };
  g_autoptr (GError) error = NULL;
  float buffer[64];

  g_assert_true (vg_lifetime_fit_init (&fit, NULL, 0, buffer, &error));
  for (int second = 0; second < 2; second++)
    for (int high = 0; high < 2; high++)
      {
        float values[VG_LIFETIME_FIT_N_PLANES], limit = high ? fit.max_ns : fit.min_ns,
                                                tau[] = { 2.0f, 2.0f };
        double curve[64];

        tau[second] = limit;
        for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
          values[k] = NAN;
        values[VG_LIFETIME_FIT_AMPLITUDE] = 100.0f;
        values[VG_LIFETIME_FIT_OFFSET] = 1.0f;
        values[VG_LIFETIME_FIT_FRACTION_1] = 0.25f;
        values[VG_LIFETIME_FIT_LIFETIME_1 + 1 - second] = 2.0f;
        values[VG_LIFETIME_FIT_MEAN_AMPLITUDE] = 0.25f * tau[0] + 0.75f * tau[1];
        vg_lifetime_fit_curve (&fit, values, curve);
        for (int j = 0; j < 64; j++)
          {
            double y = 1.0;

            for (int i = 0; i < 2; i++)
              y += 100.0 * (i == 0 ? 0.25 : 0.75) * tau[i] / 0.1 * exp (-j * 0.1 / tau[i]) *
                   -expm1 (-0.1 / tau[i]);
            g_assert_cmpfloat_with_epsilon (curve[j], y, 1e-4 * y);
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/responses/one", test_one);
  g_test_add_func ("/golden/lifetime/responses/two", test_two);
  g_test_add_func ("/golden/lifetime/responses/stretched", test_stretched);
  g_test_add_func ("/golden/lifetime/responses/earlier-pulses", test_earlier_pulses);
  g_test_add_func ("/golden/lifetime/responses/plot", test_plot);
  g_test_add_func ("/golden/lifetime/responses/curve-at-limit", test_curve_at_limit);
  return g_test_run ();
}
