/* SPDX-License-Identifier: MIT */
/* Responses, ranges, background, binning, and pixels that have no lifetime:
 * on noiseless decays made on a grid twenty times as fine as the bins. */
#include "lifetime-fixture.h"
#include "lifetime-irf.h"
#include "lifetime-state.h"

enum { FINE = 20 };

/* Photons by bin of a decay of TAU behind a Gaussian pulse at CENTRE, every PERIOD ns; TAU 0: the pulse itself. */
static void
make_decay (double *counts, int bins, double h, double tau, double centre, double fwhm, double period)
{
  int n = (int) rint (period / h) * FINE;
  double step = h / FINE, sigma = MAX (fwhm / 2.3548, 1e-9), r = tau > 0.0 ? exp (-step / tau) : 0.0, carry = 0.0, before = 0.0;

  memset (counts, 0, sizeof *counts * (gsize) bins);
  for (int turn = 0; turn < 40; turn++)   /* until pulse follows pulse as if for ever */
    for (int i = 0; i < n; i++)
      {
        double a = (i * step - centre) / (sigma * G_SQRT2), b = ((i + 1) * step - centre) / (sigma * G_SQRT2);
        double pulse = 0.5 * (erf (b) - erf (a));

        /* a photon that follows by k to k + 1 steps falls k or k + 1 steps further, by halves */
        before = carry;
        carry = r * carry + (1.0 - r) * pulse;
        if (turn == 39 && i / FINE < bins)
          counts[i / FINE] += 1e4 * (tau > 0.0 ? 0.5 * (before + carry) : pulse);
      }
}

static LifetimeFixture *
fixture (int width, int height, int bins, double h)
{
  LifetimeFixture *run = g_new0 (LifetimeFixture, 1);

  lifetime_init (run, VG_F32, width, height, bins, h);
  return run;
}

static void
fixture_free (LifetimeFixture *run)
{
  lifetime_clear (run);
  g_free (run);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LifetimeFixture, fixture_free)

/* Pixel I of N of a float cube. */
static void
put_decay (float *cube, int n, int i, const double *counts, int bins)
{
  for (int j = 0; j < bins; j++)
    cube[j * n + i] = (float) counts[j];
}

static VgImage *
response_image (const double *counts, int bins, double h)
{
  VgImageInfo info = { .type = VG_F32, .width = 1, .height = 1, .channels = 1, .bins = bins, .slices = 1, .frames = 1, .bin_width_ns = h };
  VgImage *image = vg_image_new (&info, "response", NULL);

  for (int j = 0; j < bins; j++)
    ((float *) image->data)[j] = (float) counts[j];
  return image;
}

static double
first_of (LifetimeFixture *run, guint which)
{
  g_autofree float *map = lifetime_map_of (run, which, NULL);

  return map[0];
}

/* A response of finite width, measured as scattered light and with a dye of 4 ns, in other bins than the data. */
static void
test_measured_response (void)
{
  enum { BINS = 250, OWN = 500 };
  const double h = 0.05, period = 12.5, tau = 2.3, centre = 1.13, fwhm = 0.31;
  double counts[BINS], response[OWN];
  float cube[BINS];

  make_decay (counts, BINS, h, tau, centre, fwhm, period);
  put_decay (cube, 1, 0, counts, BINS);
  for (int dye = 0; dye < 2; dye++)
    {
      g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);
      g_autoptr (VgImage) image = NULL;
      VgInputFile file = { "irf", NULL };

      make_decay (response, OWN, period / OWN, dye ? 4.0 : 0.0, centre, fwhm, period);
      file.image = image = response_image (response, OWN, period / OWN);
      run->params->irf = g_strdup ("response");
      run->params->irf_lifetime_ns = dye ? 4.0f : 0.0f;
      run->params->method = VG_LIFETIME_PHASOR;
      lifetime_prepare_with (run, &file, 1);
      lifetime_run (run, cube);
      g_test_message ("dye %d: by phase %.5f ns", dye, first_of (run, VG_LIFETIME_OUTPUT_LIFETIME));
      g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 2e-3);
      run->params->phasor_form = VG_LIFETIME_BY_MODULATION;
      lifetime_update (run);
      g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 2e-3);
      g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_PHASOR_G), 1.0 / (1.0 + pow (2.0 * G_PI / period * tau, 2)), 5e-4);
      /* a shift of the response by d moves the centre of mass by d */
      run->params->irf_shift_ns = 0.1f;
      lifetime_update (run);
      g_assert_cmpfloat (first_of (run, VG_LIFETIME_OUTPUT_PHASOR_S), <, 0.48);
    }
}

/* The centre of mass with a response, in windows that cut the decay; the pulse before is a long time ago. */
static void
test_centre_of_mass_with_response (void)
{
  const double h = 0.05, centre = 1.13, fwhm = 0.2, tau = 2.3;

  for (int bins = 100; bins <= 500; bins += 200)
    {
      g_autoptr (LifetimeFixture) run = fixture (1, 1, bins, h);
      g_autoptr (VgImage) image = NULL;
      g_autofree double *counts = g_new (double, bins), *response = g_new (double, bins);
      g_autofree float *cube = g_new (float, bins);
      VgInputFile file = { "irf", NULL };

      make_decay (counts, bins, h, tau, centre, fwhm, 100.0);
      make_decay (response, bins, h, 0.0, centre, fwhm, 100.0);
      put_decay (cube, 1, 0, counts, bins);
      file.image = image = response_image (response, bins, h);
      run->params->irf = g_strdup ("response");
      for (int automatic = 0; automatic < 2; automatic++)
        {
          run->params->range = automatic ? VG_LIFETIME_RANGE_AUTO : VG_LIFETIME_RANGE_MANUAL;
          lifetime_prepare_with (run, &file, 1);
          lifetime_run (run, cube);
          g_test_message ("%d bins: %.5f ns", bins, first_of (run, VG_LIFETIME_OUTPUT_LIFETIME));
          g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 5e-3);
        }
    }
}

/* Where the pulse is, from the data alone. */
static void
test_found_response (void)
{
  enum { BINS = 256 };
  const double h = 0.05, centre = 1.71, fwhm = 0.25;
  double counts[BINS];
  float cube[BINS];

  for (int kind = VG_LIFETIME_IRF_GAUSSIAN; kind <= VG_LIFETIME_IRF_EDGE; kind++)
    for (double tau = 0.8; tau < 4.0; tau *= 2)
      {
        g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);
        double lifetime;

        make_decay (counts, BINS, h, tau, centre, fwhm, 200.0);
        put_decay (cube, 1, 0, counts, BINS);
        run->params->irf_model = kind;
        run->params->irf_fwhm_ns = (float) fwhm;
        run->params->range = VG_LIFETIME_RANGE_AUTO;
        lifetime_run (run, cube);
        lifetime = first_of (run, VG_LIFETIME_OUTPUT_LIFETIME);
        g_test_message ("kind %d, %g ns: response at %.4f ns (%.4f), lifetime %.4f", kind, tau, lifetime_number (run, "irf_time_ns"), centre, lifetime);
        g_assert_cmpfloat_with_epsilon (lifetime_number (run, "irf_time_ns"), centre, 0.4 * h);
        g_assert_cmpfloat_with_epsilon (lifetime, tau, 0.02 * tau + 0.2 * h);
      }
}

/* What could as well be a constant has no lifetime by moments. */
static void
test_constant (void)
{
  enum { N = 403, BINS = 64 };
  g_autoptr (LifetimeFixture) run = fixture (N, 1, BINS, 0.1);
  g_autofree float *cube = g_new (float, N * BINS);
  GRand *rand = g_rand_new_with_seed (7);
  static const int methods[] = { VG_LIFETIME_CMM, VG_LIFETIME_IEM, VG_LIFETIME_RLD, VG_LIFETIME_PHASOR, VG_LIFETIME_BCMM };

  for (int i = 0; i < N * BINS; i++)
    {
      double limit = exp (-3.0), product = 1.0;
      int n = 0;

      while ((product *= g_rand_double (rand)) > limit)
        n++;
      cube[i] = (float) n;
    }
  g_rand_free (rand);
  lifetime_run (run, cube);
  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    {
      g_autofree float *map = NULL;
      double longest = 0.0;

      run->params->method = methods[m];
      lifetime_update (run);
      map = lifetime_map_of (run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
      for (int i = 0; i < N; i++)
        longest = fmax (longest, map[i]);
      g_test_message ("method %d: %g with a lifetime, %g without; longest %g ns", methods[m], lifetime_number (run, "pixels_fitted"),
                      lifetime_number (run, "pixels_failed"), longest);
      g_assert_cmpfloat (lifetime_number (run, "pixels_fitted"), <=, N / 25);   /* chance makes one of 40 fall */
      g_assert_cmpfloat (lifetime_number (run, "pixels_fitted") + lifetime_number (run, "pixels_failed"), ==, N);
    }
}

static const char *
advice_of (LifetimeFixture *run, const char *id, VgNumbers *numbers)
{
  const VgNumber *number;

  run->engine->results (run->state, numbers);
  number = vg_numbers_find (numbers, id);
  return number != NULL ? number->advice : NULL;
}

/* Asserts that figure ID has advice with WORD in it, or, where WORD is NULL, none. */
static void
check_advice (LifetimeFixture *run, const char *id, const char *word)
{
  g_autoptr (VgNumbers) numbers = vg_numbers_new ();
  const char *advice = advice_of (run, id, numbers);

  g_test_message ("%s: %s", id, advice != NULL ? advice : "nothing");
  g_assert_true ((advice != NULL) == (word != NULL));
  if (word != NULL)
    g_assert_nonnull (strstr (advice, word));
}

/* What a person has to know of the settings is said, and nothing where there is nothing to say. */
static void
test_notes (void)
{
  enum { BINS = 200 };
  const double h = 0.05, centre = 2.0;
  g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);
  g_autoptr (VgImage) late = NULL;
  VgInputFile file = { "irf", NULL };
  double counts[BINS], response[BINS], before;
  float cube[BINS];

  make_decay (counts, BINS, h, 1.5, centre, 0.2, BINS * h);
  put_decay (cube, 1, 0, counts, BINS);
  run->params->method = VG_LIFETIME_PHASOR;
  lifetime_run (run, cube);
  check_advice (run, "pulse_ns", "choose a response");
  check_advice (run, "period_ns", "is not set");
  run->params->irf_model = VG_LIFETIME_IRF_EDGE;
  run->params->period_ns = (float) (BINS * h);
  lifetime_update (run);
  check_advice (run, "pulse_ns", NULL);
  check_advice (run, "period_ns", NULL);
  run->params->method = VG_LIFETIME_LSM;
  run->params->period_ns = 5.0f;
  run->params->fit_start_ns = 20.0f;
  lifetime_prepare_with (run, NULL, 0);
  lifetime_run (run, cube);
  check_advice (run, "pixels_fitted", "read low");
  check_advice (run, "period_ns", "shorter than the window");
  check_advice (run, "fit_start_ns", "window ends");
  run->params->weights = VG_LIFETIME_WEIGHTS_MODEL;
  run->params->period_ns = run->params->fit_start_ns = 0.0f;
  lifetime_update (run);
  check_advice (run, "pixels_fitted", NULL);
  check_advice (run, "fit_start_ns", NULL);
  check_advice (run, "irf_time_ns", NULL);
  /* a response that comes after the decay it should have caused, one of two channels */
  make_decay (response, BINS, h, 0.0, centre + 1.0, 0.2, BINS * h);
  file.image = late = response_image (response, BINS, h);
  late->info.channel = late->info.channels_available = 2;
  run->params->irf = g_strdup ("response");
  lifetime_prepare_with (run, &file, 1);
  lifetime_run (run, cube);
  check_advice (run, "irf_time_ns", "behind that of the decay");
  check_advice (run, "irf_time_ns", "channel 2 of the 2");
  /* a background that the bins before the pulse show */
  g_clear_pointer (&run->params->irf, g_free);
  run->params->irf_model = VG_LIFETIME_IRF_NONE;
  run->params->method = VG_LIFETIME_CMM;
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  run->params->period_ns = (float) (BINS * h);
  lifetime_prepare_with (run, NULL, 0);
  lifetime_run (run, cube);
  check_advice (run, "before_pulse", NULL);   /* it is what the pulse before left over */
  for (int j = 0; j < BINS; j++)
    cube[j] += 10.0f;
  before = lifetime_number (run, "before_pulse");
  lifetime_run (run, cube);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "before_pulse"), before + 10.0, 0.5);
  check_advice (run, "before_pulse", "fit an offset");
  run->params->background = 10.0f;
  lifetime_update (run);
  check_advice (run, "before_pulse", NULL);
}

/* The tail begins when the pulse is over and ends before bins that the electronics left empty. */
static void
test_range (void)
{
  enum { BINS = 256 };
  const double h = 0.04, tau = 2.1;
  double counts[BINS];
  float cube[BINS];
  g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);

  make_decay (counts, BINS, h, tau, 1.9, 0.3, 200.0);
  for (int j = 0; j < BINS; j++)
    if (j < 13 || j >= 241)
      counts[j] = 0.0;
    else if (j == 240)
      counts[j] *= 0.3;
  put_decay (cube, 1, 0, counts, BINS);
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  lifetime_run (run, cube);
  g_test_message ("from %g to %g ns: %g", lifetime_number (run, "fit_start_ns"), lifetime_number (run, "fit_end_ns"), first_of (run, VG_LIFETIME_OUTPUT_LIFETIME));
  g_assert_cmpfloat (lifetime_number (run, "fit_start_ns"), >, 1.9 + 0.15);
  g_assert_cmpfloat (lifetime_number (run, "fit_start_ns"), <, 1.9 + 0.8);
  g_assert_cmpfloat (lifetime_number (run, "fit_end_ns"), <=, 240 * h + 1e-6);
  g_assert_cmpfloat (lifetime_number (run, "fit_end_ns"), >, 235 * h);
  g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 0.01 * tau);
  /* a start by hand keeps the end that was found; an end by hand is taken */
  double start = lifetime_number (run, "fit_start_ns"), end = lifetime_number (run, "fit_end_ns");
  run->params->range = VG_LIFETIME_RANGE_MANUAL;
  run->params->fit_start_ns = 3.0f;
  lifetime_update (run);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_start_ns"), 3.0, 1e-6);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_end_ns"), end, 1e-6);
  g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 0.01 * tau);
  run->params->fit_end_ns = 9.0f;
  lifetime_update (run);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_end_ns"), 9.0, 1e-6);
  /* and the other way round */
  run->params->fit_start_ns = 0.0f;
  lifetime_update (run);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_start_ns"), start, 1e-6);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_end_ns"), 9.0, 1e-6);
  run->params->fit_start_ns = run->params->fit_end_ns = 0.0f;
  run->params->range = VG_LIFETIME_RANGE_AUTO;
  lifetime_update (run);
  /* a decay from the first bin on is used from there */
  for (int j = 0; j < BINS; j++)
    counts[j] = 100.0 * exp (-j * h / tau);
  put_decay (cube, 1, 0, counts, BINS);
  lifetime_run (run, cube);
  g_assert_cmpfloat (lifetime_number (run, "fit_start_ns"), ==, 0.0);
  g_assert_cmpfloat_with_epsilon (lifetime_number (run, "fit_end_ns"), BINS * h, 1e-5);
  g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 1e-5 * tau);
}

/* Every method is exact on its own decay, with and without a background that is taken off. */
static void
test_exact (void)
{
  enum { BINS = 256 };
  const double h = 0.1;

  for (int method = VG_LIFETIME_CMM; method <= VG_LIFETIME_BCMM; method++)
    for (int background = 0; background < 2; background++)
      for (int k = 0; k < 6; k++)
        {
          double tau = 0.7 * pow (1.6, k), probability[BINS] = { 0.0 };
          gboolean bi = vg_lifetime_is_bi (method);
          float cube[BINS];
          g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, h);

          vg_lifetime_add_decay (probability, BINS, h, 1e4 * (bi ? 0.35 : 1.0), bi ? 0.2 * tau : tau);
          if (bi)
            vg_lifetime_add_decay (probability, BINS, h, 1e4 * 0.65, tau);
          for (int j = 0; j < BINS; j++)
            probability[j] += background ? 3.5 : 0.0;
          put_decay (cube, 1, 0, probability, BINS);
          run->params->method = method;
          run->params->background = background ? 3.5f : 0.0f;
          run->params->long_lifetime_ns = (float) tau;
          lifetime_run (run, cube);
          g_test_message ("method %d, %g ns: %g", method, tau, first_of (run, VG_LIFETIME_OUTPUT_LIFETIME));
          if (!bi)
            g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), tau, 3e-4 * tau);
          else
            {
              /* Simpson's rule and samples for integrals: better the longer the lifetimes are against a bin */
              double tolerance = method == VG_LIFETIME_BCMM ? 0.02 : 0.01;

              if (k < 2)
                continue;
              g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME_1), 0.2 * tau, tolerance * tau);
              g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME_2), tau, 1e-3 * tau);
              g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_FRACTION), 0.35, tolerance);
            }
        }
}

/* Dark, saturated and unsolvable pixels have no lifetime, are counted, and spoil only what they are binned into. */
static void
test_masks (void)
{
  enum { W = 9, H = 7, BINS = 64 };
  guint16 cube[BINS * W * H];
  g_autofree float *map = NULL, *binned = NULL, *intensity = NULL;
  LifetimeFixture run;

  lifetime_init (&run, VG_U16, W, H, BINS, 0.1);
  for (int j = 0; j < BINS; j++)
    for (int i = 0; i < W * H; i++)
      cube[j * W * H + i] = (guint16) (1000.0 * exp (-j / 15.0));
  for (int j = 0; j < BINS; j++)
    {
      cube[j * W * H + 0] = 0;                           /* no photon */
      cube[j * W * H + 5] = (guint16) (j < 2 ? 3 : 0);   /* few */
      cube[j * W * H + W * H - 1] = (guint16) (j * 10);  /* rises */
    }
  cube[3 * W * H + 3 * W + 4] = 65535;
  run.params->threshold = 10;
  lifetime_run (&run, cube);
  map = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
  intensity = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_INTENSITY, NULL);
  for (int i = 0; i < W * H; i++)
    g_assert_cmpint (isnan (map[i]) != 0, ==, i == 0 || i == 5 || i == W * H - 1 || i == 3 * W + 4);
  g_assert_cmpfloat (intensity[0], ==, 0.0);
  g_assert_cmpfloat (intensity[5], ==, 6.0);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_dark"), ==, 2);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_saturated"), ==, 1);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_failed"), ==, 1);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_fitted"), ==, W * H - 4);
  lifetime_clear (&run);

  lifetime_init (&run, VG_U16, W, H, BINS, 0.1);
  run.params->bin = 1;
  lifetime_run (&run, cube);
  binned = lifetime_map_of (&run, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      g_assert_cmpint (isnan (binned[y * W + x]) != 0, ==, ABS (x - 4) <= 1 && ABS (y - 3) <= 1);
  g_assert_cmpfloat (lifetime_number (&run, "pixels_saturated"), ==, 9);
  lifetime_clear (&run);
}

/* Binned sums are those of the binned histogram, and the row of histograms is the pixels' one by one. */
static void
test_binning (void)
{
  enum { W = 23, H = 17, BINS = 40 };
  static const VgType types[] = { VG_U8, VG_U16, VG_U32, VG_F32 };

  for (int k = 0; k < 8; k++)
    {
      LifetimeFixture run;
      VgLifetimeState *state;
      g_autofree void *cube = NULL;
      g_autofree float *row = g_new (float, W * BINS);
      double counts[BINS];

      lifetime_init (&run, types[k % 4], W, H, BINS, 0.1);
      run.info.slices = 2;
      run.params->bin = k;
      cube = g_malloc (vg_image_info_frame_bytes (&run.info));
      for (int i = 0; i < 2 * W * H * BINS; i++)
        {
          int v = g_test_rand_int_range (0, 99);

          if (k % 4 == 0)
            ((guint8 *) cube)[i] = (guint8) v;
          else if (k % 4 == 1)
            ((guint16 *) cube)[i] = (guint16) v;
          else if (k % 4 == 2)
            ((guint32 *) cube)[i] = (guint32) v;
          else
            ((float *) cube)[i] = (float) v;
        }
      lifetime_run (&run, cube);
      state = run.state;
      for (int y = 0; y < 2 * H; y++)
        {
          vg_lifetime_histogram_row (state, y, row);
          for (int x = 0; x < W; x++)
            {
              const float *sums = vg_lifetime_state_sums (state) + (gsize) y * W + x;
              double total = 0.0, time = 0.0;

              vg_lifetime_histogram (state, y / H, x, y % H, counts);
              for (int j = 0; j < BINS; j++)
                {
                  g_assert_cmpfloat (counts[j], ==, row[x * BINS + j]);
                  total += counts[j];
                  time += j * counts[j];
                }
              g_assert_cmpfloat (sums[VG_LIFETIME_SUM_TOTAL * state->n], ==, total);
              g_assert_cmpfloat_with_epsilon (sums[VG_LIFETIME_SUM_TIME * state->n], time, 1e-5 * time);
            }
        }
      lifetime_clear (&run);
    }
}

/* A response that is not there, lies outside the window or is longer than it: said, and the rest goes on. */
static void
test_odd_responses (void)
{
  enum { BINS = 64 };
  double counts[BINS] = { 0.0 }, empty[BINS] = { 0.0 }, longer[4 * BINS] = { 0.0 };
  float cube[BINS];
  g_autoptr (VgImage) none = response_image (empty, BINS, 0.1);
  g_autoptr (VgImage) late = NULL;
  g_autoptr (GError) error = NULL;
  VgLifetimeCurve curve = { 0 };

  vg_lifetime_add_decay (counts, BINS, 0.1, 1e3, 2.0);
  put_decay (cube, 1, 0, counts, BINS);
  longer[3 * BINS] = 100.0;
  late = response_image (longer, 4 * BINS, 0.1);
  g_assert_false (vg_lifetime_curve_load (&curve, none, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  for (int way = 0; way < 3; way++)
    {
      g_autoptr (LifetimeFixture) run = fixture (1, 1, BINS, 0.1);
      VgInputFile file = { "irf", late };

      run->params->irf = g_strdup ("response");
      if (way == 1)
        {
          g_free (run->params->irf);
          run->params->irf = g_strdup ("rect:5,5,2,2");   /* outside a picture of one pixel */
        }
      lifetime_prepare_with (run, &file, way == 2);
      lifetime_run (run, cube);
      g_assert_cmpfloat_with_epsilon (first_of (run, VG_LIFETIME_OUTPUT_LIFETIME), 2.0, 1e-3);
      g_assert_true (isnan (lifetime_number (run, "irf_time_ns")));
    }
}

/* Live sample data: photons only ever come in, at the chosen rate, until the counters are cleared; any frame again is the same. */
static void
test_live (void)
{
  enum { W = 40, H = 30, N = W * H * VG_LIFETIME_SYNTHETIC_BINS };
  g_autofree VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  g_autofree guint16 *a = g_new (guint16, N), *b = g_new (guint16, N), *again = g_new (guint16, N);
  VgSyntheticSize size = { W, H, -1, 3 };
  VgImageInfo info;
  gpointer live;
  double photons = 0.0;

  params->sample_photon_rate = 1e5f;
  live = vg_lifetime_synthetic.open (params, &size, &info, NULL);
  g_assert_true (vg_lifetime_synthetic.read (live, 4, a, NULL));
  g_assert_true (vg_lifetime_synthetic.read (live, 9, b, NULL));
  for (int i = 0; i < N; i++)
    {
      g_assert_cmpint (b[i], >=, a[i]);
      photons += b[i];
    }
  g_assert_cmpfloat_with_epsilon (photons / (1e5 * 10 * info.frame_interval_s), 1.0, 0.02);
  g_assert_true (vg_lifetime_synthetic.read (live, 4, again, NULL));
  g_assert_cmpmem (a, sizeof *a * N, again, sizeof *a * N);
  vg_lifetime_synthetic.close (live);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/measured-response", test_measured_response);
  g_test_add_func ("/golden/lifetime/centre-of-mass-with-response", test_centre_of_mass_with_response);
  g_test_add_func ("/golden/lifetime/found-response", test_found_response);
  g_test_add_func ("/golden/lifetime/range", test_range);
  g_test_add_func ("/golden/lifetime/constant", test_constant);
  g_test_add_func ("/golden/lifetime/notes", test_notes);
  g_test_add_func ("/golden/lifetime/exact", test_exact);
  g_test_add_func ("/golden/lifetime/masks", test_masks);
  g_test_add_func ("/golden/lifetime/binning", test_binning);
  g_test_add_func ("/golden/lifetime/odd-responses", test_odd_responses);
  g_test_add_func ("/golden/lifetime/live", test_live);
  return g_test_run ();
}
