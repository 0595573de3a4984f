/* SPDX-License-Identifier: MIT */
/* The photon walk against exact results: reflectance and transmittance within
 * five of their own standard errors, energy within 1e-6.  VIVOGRAPH_SLOW=1 takes
 * a hundred times the photons; under sanitizers, which are there for the
 * memory, a tenth of them walk. */
#include "tests/kernels/fluence/support/fluence-exact.h"
#include "tests/support/sanitized.h"
#define SHARE (SANITIZED ? 0.1 : 1.0)
/* With random seeds, one of twenty such checks fails in 100,000 runs. */
#define SIGMAS 5

static const char *
photons (double quick)
{
  static char text[32];

  g_snprintf (text, sizeof text, "%.0f",
              g_getenv ("VIVOGRAPH_SLOW") != NULL ? 100 * quick : SHARE * quick);
  return text;
}

/* A random seed; the test's seed, which it prints, repeats it. */
static char *
any_seed (void)
{
  return g_strdup_printf ("%d", g_test_rand_int_range (1, G_MAXINT));
}

/* Always the same photons, as chi2 of thirty bins is sometimes above 1.5. */
static void
test_van_de_hulst (void)
{
  FluenceFixture run = { 0 };
  gboolean slow = g_getenv ("VIVOGRAPH_SLOW") != NULL;

  fluence_start (&run, vdh_settings, 0);
  run.engine->free (run.state);
  run.params->photons = slow ? 1e8 : 2e6;
  run.state = run.engine->prepare (&(VgContext){ .params = run.params }, NULL);
  fluence_finish (&run, 0.05);
  vdh_check (&run, slow ? 0.003 : 0.012);
  fluence_clear (&run);
}

static void
expect_run (const char *layers, double n_below, double quick, const char *what, double rd,
            double tt, double rsp)
{
  g_autofree char *below = g_strdup_printf ("%g", n_below);
  g_autofree char *seed = any_seed ();
  const char *settings[] = { "layers",        layers, "n_below", below, "photons",
                             photons (quick), "nz",   "50",      "nr",  "20",
                             "seed",          seed,   NULL };
  FluenceFixture run = { 0 };

  g_test_message ("%s, seed %s", what, seed);
  fluence_start (&run, settings, 0);
  fluence_finish (&run, 0.05);
  if (!isnan (rd))
    fluence_expect ("Rd", fluence_number (&run, "diffuse_reflectance"), rd,
                    fluence_number (&run, "diffuse_reflectance_error"), SIGMAS);
  if (!isnan (tt))
    fluence_expect ("Tt", fluence_number (&run, "transmittance"), tt,
                    fluence_number (&run, "transmittance_error"), SIGMAS);
  g_assert_cmpfloat_with_epsilon (fluence_number (&run, "specular"), rsp, 1e-9);
  fluence_expect_balance (&run);
  fluence_clear (&run);
}

/* Adding-doubling and large runs of MCML with a good generator. */
static void
test_reflectance (void)
{
  expect_run ("1.5,10,90,0,1e8", 1, 3e5, "Giovanelli", 0.25994 - 0.04, NAN, 0.04);
  expect_run ("1.5,0.5,100,0.9,0.05;1.33,2,50,0.7,0.15", 1.5, 1e5, "two layers", 0.258743, 0.197574,
              0.04);
  expect_run ("mcml_sample", 1, 1e5, "MCML's sample", 0.237857, 0.0958862, pow (0.37 / 2.37, 2));
  expect_run ("skin_600nm", 1, 4e4, "skin", 0.562552, 0.003264, pow (0.53 / 2.53, 2));
}

static void
test_absorber (void)
{
  /* light without scattering: exp (-mua d) between two surfaces */
  double r = pow (0.4 / 2.4, 2), pass = exp (-0.5),
         t = (1 - r) * (1 - r) * pass / (1 - r * r * pass * pass);

  g_assert_cmpfloat_with_epsilon (t, 0.573465, 1e-6);
  expect_run ("1.4,5,0,0,0.1", 1, 2e5, "pure absorber",
              (1 - r) * (1 - r) * r * pass * pass / (1 - r * r * pass * pass), t, r);
}

static void
expect_same (const char *a, const char *b)
{
  const char *layers[] = { a, b };
  double rd[2], tt[2], rd_error[2], tt_error[2];

  for (int i = 0; i < 2; i++)
    {
      g_autofree char *seed = any_seed ();
      const char *settings[] = { "layers", layers[i], "photons", photons (1e5), "nz", "50",
                                 "nr",     "20",      "seed",    seed,          NULL };
      FluenceFixture run = { 0 };

      fluence_start (&run, settings, 0);
      fluence_finish (&run, 0.05);
      rd[i] = fluence_number (&run, "diffuse_reflectance");
      tt[i] = fluence_number (&run, "transmittance");
      rd_error[i] = fluence_number (&run, "diffuse_reflectance_error");
      tt_error[i] = fluence_number (&run, "transmittance_error");
      g_assert_cmpfloat_with_epsilon (fluence_number (&run, "specular"), pow (0.33 / 2.33, 2),
                                      1e-9);
      fluence_expect_balance (&run);
      fluence_clear (&run);
    }
  fluence_expect (a, rd[0], rd[1], hypot (rd_error[0], rd_error[1]), SIGMAS);
  fluence_expect (a, tt[0], tt[1], hypot (tt_error[0], tt_error[1]), SIGMAS);
}

static void
test_glass (void)
{
  FluenceFixture run = { 0 };
  const char *one[] = { "layers", "1.4,0,0,0,0.1", NULL },
             *three[] = { "layers", "1.5,0,0,0,0.1;1.33,0,0,0,1;1.5,0,0,0,0.1", NULL };

  fluence_start (&run, one, 1);
  fluence_finish (&run, 0.05);
  g_assert_cmpfloat_with_epsilon (fluence_number (&run, "specular"), 0.0540541, 1e-7);
  g_assert_cmpfloat_with_epsilon (fluence_number (&run, "transmittance"), 0.9459459, 1e-7);
  fluence_expect_balance (&run);
  fluence_clear (&run);
  fluence_start (&run, three, 1);
  fluence_finish (&run, 0.05);
  g_assert_cmpfloat_with_epsilon (fluence_number (&run, "specular"), 0.0830537, 1e-6);
  fluence_expect_balance (&run);
  fluence_clear (&run);
  /* a clear layer with the tissue's refractive index changes nothing */
  expect_same ("1.33,0,0,0,0.1;1.33,2,50,0.7,0.15", "1.33,2,50,0.7,0.15");
  expect_same ("1.33,2,50,0.7,0.15;1.33,0,0,0,0.1", "1.33,2,50,0.7,0.15");
}

/* A clear layer above or below an absorber: multiple reflections between three surfaces, as a sum
 * of powers.  Light that the upper layer reflects is specular; light from below is not. */
static void
test_glass_absorber (void)
{
  double air = pow (0.5 / 2.5, 2), inner = pow (0.17 / 2.83, 2), other = pow (0.33 / 2.33, 2),
         pass = exp (-0.5);
  double front = air + (1 - air) * (1 - air) * inner / (1 - air * inner),
         back = inner + (1 - inner) * (1 - inner) * air / (1 - air * inner);
  double through = (1 - air) * (1 - inner) / (1 - air * inner),
         again = 1 - back * other * pass * pass;

  expect_run ("1.5,0,0,0,0.1;1.33,5,0,0,0.1", 1, 2e5, "glass above",
              through * through * other * pass * pass / again, through * pass * (1 - other) / again,
              front);
  expect_run ("1.33,5,0,0,0.1;1.5,0,0,0,0.1", 1, 2e5, "glass below",
              (1 - other) * (1 - other) * back * pass * pass / again,
              (1 - other) * pass * through / again, other);
}

/* Without or almost without absorption the paths are the same, so the absorbed light is
 * proportional to mua, and 0 if mua is 0. */
static void
test_conservative (void)
{
  static const char *const losses[] = { "1e-3", "1e-6", "1e-10", "0" };
  double path = 0, surface = 0;

  for (guint i = 0; i < G_N_ELEMENTS (losses); i++)
    {
      g_autofree char *layers = g_strdup_printf ("1.4,%s,100,0.5,0.1", losses[i]);
      const char *settings[] = { "layers", layers, "photons", photons (5e4), "nz",
                                 "50",     "nr",   "50",      NULL };
      FluenceFixture run = { 0 };
      VgPlane fluence;
      double mua = g_ascii_strtod (losses[i], NULL), absorbed;

      fluence_start (&run, settings, 0);
      fluence_finish (&run, 0.05);
      fluence_expect_balance (&run);
      g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_FLUENCE, &fluence, NULL));
      absorbed = fluence_number (&run, "absorbed");
      g_test_message ("mua %s: absorbed %.6e, fluence %.5f", losses[i], absorbed, fluence.data[0]);
      if (i == 0)
        {
          path = absorbed / mua;
          surface = fluence.data[0];
          g_assert_cmpfloat (path, >, 0.1); /* cm: it is scattered to and fro */
        }
      /* 1e-3 per cm decreases fluence by 0.03 % */
      g_assert_cmpfloat_with_epsilon (absorbed, mua * path, mua > 0 ? 5e-3 * mua * path : 1e-15);
      g_assert_cmpfloat_with_epsilon (fluence.data[0], surface, 5e-3 * surface);
      fluence_clear (&run);
    }
}

static void
test_tail (void)
{
  gboolean slow = g_getenv ("VIVOGRAPH_SLOW") != NULL;

  g_assert_cmpfloat_with_epsilon (fading (0.1, 100, 0.9), 1.73705, 1e-5);
  /* Case and Zweifel's table for isotropic scattering: 1 / 1.90320 at c = 0.9 */
  g_assert_cmpfloat_with_epsilon (fading (1, 9, 0), 10 * 0.525430, 1e-4);
  check_tail (&vg_fluence_cpu_engine, slow ? 1.5e6 : SHARE * 3e3, 20,
              slow ? 0.01 : 0.2 / sqrt (SHARE), slow ? 0.02 : 0.15 / sqrt (SHARE));
}

/* The scattering formula's moments: mean cosine g, mean square (1 + 2 g^2) / 3. */
static void
test_scattering (void)
{
  static const double values[] = { 0,    1e-6, -1e-4, 0.004, 0.01, 0.3, -0.6,
                                   0.75, 0.9,  0.99,  -0.99, 1,    -1 };
  const int n = 1 << 20;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      double g = values[i], sum = 0, squares = 0, shorter = 0;

      for (int k = 0; k < n; k++)
        {
          guint32 u = (guint32) (((guint64) k * 2 + 1) * (G_GUINT64_CONSTANT (1) << 32) /
                                 (2 * (guint64) n));
          double cosine = 1 - 2 * vg_fluence_scatter ((float) (1 + g), (float) (2 * g),
                                                      (float) (0.5 * (1 - g) * (1 - g)), u);

          g_assert_cmpfloat (fabs (cosine), <=, 1 + 1e-6);
          shorter += (1 - 2 * vg_fluence_scatter_short (vg_fluence_angle (g), TRUE, u)) / n;
          if (fabs (g) >= VG_FLUENCE_EVEN_G && fabs (g) < 1)
            /* backwards at g = 0.99 */
            g_assert_cmpfloat_with_epsilon (
                1 - 2 * vg_fluence_scatter_short (vg_fluence_angle (g), FALSE, u), cosine, 2e-4);
          sum += cosine / n;
          squares += cosine * cosine / n;
        }
      g_assert_cmpfloat_with_epsilon (sum, g, 2e-6);
      g_assert_cmpfloat_with_epsilon (shorter, g, 1e-5);
      g_assert_cmpfloat_with_epsilon (squares, (1 + 2 * g * g) / 3, 3e-6);
    }
}

/* A direction has length 1 after 1e5 turns, near the poles too; free paths have mean 1 and mean
 * square 2. */
static void
test_directions (void)
{
  guint32 spare[2];
  guint64 state = vg_fluence_seed (7, 11, spare);
  float ux = 0, uy = 0, uz = 1;
  double mean = 0, square = 0;
  const int n = 1000000;

  for (int i = 0; i < 100000; i++)
    {
      float v = i % 3 == 0 ? 5e-13f : i % 3 == 1 ? 1.0f : 0.05f;

      vg_fluence_turn (&ux, &uy, &uz, v, vg_fluence_draw (&state));
      g_assert_cmpfloat_with_epsilon (ux * ux + uy * uy + uz * uz, 1, 2e-6);
    }
  for (int i = 0; i < n; i++)
    {
      double s = vg_fluence_path (vg_fluence_draw (&state), (float) -G_LN2);

      g_assert_cmpfloat (s, >=, 0);
      mean += s / n;
      square += s * s / n;
    }
  g_assert_cmpfloat_with_epsilon (mean, 1, 0.004);
  g_assert_cmpfloat_with_epsilon (square, 2, 0.02);
}

static void
test_fresnel (void)
{
  float out;

  for (int i = 0; i < 3000; i++)
    {
      float n1 = 1.0f + 0.01f * (float) (i % 61), n2 = 1.0f + 0.01f * (float) (i % 53),
            ca1 = (float) (i + 1) / 3000.0f, other = 0;
      float ratio = n1 / n2, expected = vg_fluence_fresnel (n1, n2, ca1, &out);
      float value = vg_fluence_reflect (ratio, (float) (1.0 - (double) ratio * ratio), ca1, &other);

      g_assert_cmpfloat_with_epsilon (value, expected, 2e-5);
      if (expected < 0.9f)
        g_assert_cmpfloat_with_epsilon (other, out, 1e-5);
      if (n1 == n2)
        g_assert_cmpfloat (value, <, 1e-10);
    }
  g_assert_cmpfloat (vg_fluence_fresnel (1.4f, 1.4f, 0.3f, &out), ==, 0);
  g_assert_cmpfloat_with_epsilon (vg_fluence_fresnel (1, 1.5f, 1, &out), 0.04, 1e-6);
  g_assert_cmpfloat (vg_fluence_fresnel (1.5f, 1, 0.5f, &out), ==, 1);
  g_assert_cmpfloat_with_epsilon (vg_fluence_fresnel (1, 1.5f, 0, &out), 1, 1e-6);
  /* Brewster's angle: only the perpendicular half is reflected */
  g_assert_cmpfloat_with_epsilon (vg_fluence_fresnel (1, 1.5f, (float) cos (atan (1.5)), &out),
                                  0.5 * pow ((1 - 2.25) / (1 + 2.25), 2), 1e-5);
}

/* Philox 4x32-7 of the paper's test vectors. */
static void
test_philox (void)
{
  guint32 zeros[4] = { 0 }, ones[4] = { 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu };

  vg_fluence_philox (zeros, 0, 0);
  g_assert_cmphex (zeros[0], ==, 0x5f6fb709u);
  g_assert_cmphex (zeros[1], ==, 0x0d893f64u);
  g_assert_cmphex (zeros[2], ==, 0x4f121f81u);
  g_assert_cmphex (zeros[3], ==, 0x4f730a48u);
  vg_fluence_philox (ones, 0xffffffffu, 0xffffffffu);
  g_assert_cmphex (ones[0], ==, 0x5207ddc2u);
  g_assert_cmphex (ones[1], ==, 0x45165e59u);
  g_assert_cmphex (ones[2], ==, 0x4d8ee751u);
  g_assert_cmphex (ones[3], ==, 0x8c52f662u);
}

/* Exact where nothing scatters, and in a half-space that scatters isotropically, where the fluence
 * falls by the discrete eigenvalue of the transport equation (Case and Zweifel, Linear Transport
 * Theory, 1967): albedo / (2 nu) ln ((1 + nu) / (1 - nu)) = 1, here nu = 0.52543. */
static void
test_depth (void)
{
  static const struct
  {
    const char *layers, *dz;
    double depth, half;
  } cases[] = { { "1,2,0,0,1e8", "0.02", 0.5, 0.5 * G_LN2 },
                { "1,1,9,0,1e8", "0.01", 0.1903205, NAN } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *seed = any_seed ();
      const char *settings[] = {
        "layers", cases[i].layers, "n_below",   "1",    "photons", photons (1e6), "nz", "300", "nr",
        "20",     "dz_cm",         cases[i].dz, "seed", seed,      NULL
      };
      FluenceFixture run = { 0 };
      double depth, error;

      fluence_start (&run, settings, 0);
      fluence_finish (&run, 0.05);
      depth = fluence_number (&run, "attenuation_depth");
      error = fluence_number (&run, "attenuation_depth_error");
      g_test_message ("%s: %g +- %g cm, exact %g", cases[i].layers, depth, error, cases[i].depth);
      /* a hundredth: the light is not quite diffuse yet */
      g_assert_cmpfloat (fabs (depth - cases[i].depth), <, 0.01 * cases[i].depth + SIGMAS * error);
      if (!SANITIZED) /* few of a tenth of the photons reach the absorber's depth */
        g_assert_cmpfloat (error, <, 0.05 * cases[i].depth);
      g_assert_cmpfloat (error, >, 0);
      if (!isnan (cases[i].half))
        g_assert_cmpfloat_with_epsilon (fluence_number (&run, "absorption_depth_50"), cases[i].half,
                                        0.01);
      g_assert_cmpfloat_with_epsilon (fluence_number (&run, "absorbed_layer_1"),
                                      fluence_number (&run, "absorbed"), 1e-6);
      fluence_clear (&run);
    }
}

/* The absorber takes 1 - exp (-mua z) of the light above z, all of it on the axis; a region at the
 * other side of the axis is the same tissue. */
static void
test_region (void)
{
  static const char *const regions[] = { "rect:0,0,5,25", "rect:-5,0,5,25", "rect:-5,0,10,25" };
  const char *settings[] = { "layers", "1,2,0,0,1e8", "n_below",  "1",  "photons", photons (1e6),
                             "nz",     "100",         "nr",       "20", "dz_cm",   "0.01",
                             "dr_cm",  "0.01",        "power_mw", "3",  NULL };
  double share = 1 - exp (-2 * 0.25);
  FluenceFixture run = { 0 };

  fluence_start (&run, settings, 0);
  fluence_finish (&run, 0.05);
  for (guint i = 0; i < G_N_ELEMENTS (regions); i++)
    {
      g_autoptr (VgCurves) curves = NULL;
      VgRegion region;

      g_assert_true (vg_region_parse (&region, regions[i], NULL));
      curves = run.engine->curves->sample_region (run.state, &region, NULL);
      g_assert_nonnull (curves);
      g_assert_cmpfloat_with_epsilon (vg_metrics_find (curves->metrics, "absorbed_percent")->value,
                                      100 * share, 0.5);
      g_assert_cmpfloat_with_epsilon (vg_metrics_find (curves->metrics, "absorbed_mw")->value,
                                      3 * share, 0.015);
      g_assert_cmpfloat_with_epsilon (vg_metrics_find (curves->metrics, "volume_cm3")->value,
                                      G_PI * 0.05 * 0.05 * 0.25, 1e-9);
    }
  fluence_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fluence/philox", test_philox);
  g_test_add_func ("/fluence/fresnel", test_fresnel);
  g_test_add_func ("/fluence/scattering", test_scattering);
  g_test_add_func ("/fluence/directions", test_directions);
  g_test_add_func ("/fluence/van-de-hulst", test_van_de_hulst);
  g_test_add_func ("/fluence/reflectance", test_reflectance);
  g_test_add_func ("/fluence/absorber", test_absorber);
  g_test_add_func ("/fluence/glass", test_glass);
  g_test_add_func ("/fluence/glass-absorber", test_glass_absorber);
  g_test_add_func ("/fluence/conservative", test_conservative);
  g_test_add_func ("/fluence/tail", test_tail);
  g_test_add_func ("/fluence/depth", test_depth);
  g_test_add_func ("/fluence/region", test_region);
  return g_test_run ();
}
