/* SPDX-License-Identifier: MIT */
/* The default solver: the Cramer-Rao bound, the global minimum from any start, excluded frames. */
#include "tests/support/sanitized.h"
#include "tests/kernels/perfusion/support/perfusion-draws.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/synthetic/perfusion-synthetic.h"

extern const VgOperation vg_perfusion_operation;

/* Table 3: 20, 100, 400 ml/100 g/min, 1 and 2 s, 128 and 48 frames. */
static void
table3 (int n, double cnr, const double *bound)
{
  static const char *const names[] = { "ka", "kp", "kl", "tau_a", "tau_p" };
  static const double truth[] = { 20, 100, 400, 1, 2 };
  enum { COUNT = 8000 };
  PerfusionFixture f = perfusion_fixture (n, COUNT, cnr, FALSE, 4711 + (guint32) cnr);

  perfusion_fixture_fit (&f, NULL);
  for (int k = 0; k < 5; k++)
    {
      double sum = 0, square = 0, error = 0, sd;
      int with_error = 0;

      for (int c = 0; c < COUNT; c++)
        {
          double value = perfusion_value (&f, c, k),
                 said = perfusion_value (&f, c, VG_PERFUSION_FIT_ERRORS + k);

          g_assert_true (value >= 0 || k >= 3); /* Rates are not negative. */
          sum += value / COUNT;
          square += value * value / COUNT;
          error += isnan (said) ? 0 : said; /* A parameter at its bound has no error. */
          with_error += !isnan (said);
        }
      error /= with_error;
      sd = sqrt (square - sum * sum);
      g_test_message ("%d frames, CNR %g: %s %.4f +- %.4f, bound %.4f, reported %.4f", n, cnr,
                      names[k], sum, sd, bound[k] / cnr, error);
      /* At CNR 10 delays may deviate so far that the Cramer-Rao bound, which is local, does not
       * apply. */
      if (cnr >= 20 || k < 3)
        g_assert_cmpfloat (sd, <=, 1.1 * bound[k] / cnr);
      if (cnr >= 50)
        {
          g_assert_cmpfloat_with_epsilon (sum, truth[k], k < 3 ? 0.005 * truth[k] : 0.05);
          g_assert_cmpfloat_with_epsilon (error, sd, 0.06 * sd);
        }
    }
  perfusion_fixture_clear (&f);
}

static void
test_table3 (void)
{
  static const double bound128[] = { 37.3, 126.5, 500, 12.3, 16.2 },
                      bound48[] = { 63.6, 209, 830, 21.4, 27.6 };
  static const double cnrs[] = { 100, 70, 50, 30, 20, 10 };

  for (guint i = 0; i < G_N_ELEMENTS (cnrs); i++)
    table3 (128, cnrs[i], bound128);
  table3 (48, 100, bound48);
  table3 (48, 50, bound48);
}

static void
test_noise_free (void)
{
  static const double truth[] = { 20, 100, 400, 1, 2 };
  static const int frames[] = { 32, 48, 128, 448 };

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      PerfusionFixture f = perfusion_fixture (frames[i], VG_PERFUSION_LANES, 1e30, FALSE, 1);
      VgPerfusionFitOptions exact = { 100, 1e-12, 2 };

      perfusion_fixture_fit (&f, &exact);
      for (int k = 0; k < 5; k++)
        g_assert_cmpfloat_with_epsilon (perfusion_value (&f, 0, k), truth[k], 1e-5 * truth[k]);
      perfusion_fixture_clear (&f);
    }
}

/* The number of fits that end more than 5 % above the best of many starts. */
static void
broad (int n, double cnr, double allowed)
{
  enum { COUNT = SANITIZED ? 96 : 4000 };
  PerfusionFixture f = perfusion_fixture (n, COUNT, cnr, TRUE, 99);
  g_autofree double *found = g_new (double, COUNT), *best = g_new (double, COUNT);
  VgPerfusionFitOptions patient = { 60, 1e-10, 2 };
  VgPerfusionDictionary *whole = f.dictionary;
  int above = 0;

  perfusion_fixture_fit (&f, NULL);
  for (int c = 0; c < COUNT; c++)
    found[c] = best[c] = perfusion_value (&f, c, VG_PERFUSION_FIT_RESIDUAL);
  for (int rate = 0; rate < VG_PERFUSION_RATES / 2; rate++)
    {
      /* Only two rates remain as initial values. */
      f.dictionary = vg_perfusion_dictionary_new (f.problem);
      for (int curve = 0; curve < VG_PERFUSION_CURVES; curve++)
        if (curve / VG_PERFUSION_GRID_DELAYS % (VG_PERFUSION_RATES / 2) != rate)
          {
            memset (f.dictionary->a[curve], 0, sizeof f.dictionary->a[curve]);
            memset (f.dictionary->p[curve], 0, sizeof f.dictionary->p[curve]);
          }
      perfusion_fixture_fit (&f, &patient);
      for (int c = 0; c < COUNT; c++)
        best[c] = MIN (best[c], perfusion_value (&f, c, VG_PERFUSION_FIT_RESIDUAL));
      vg_perfusion_dictionary_free (f.dictionary);
    }
  f.dictionary = whole;
  for (int c = 0; c < COUNT; c++)
    above += found[c] * found[c] > 1.05 * best[c] * best[c];
  g_test_message ("%d frames, CNR %g: %.3f %% end more than 5 %% above the best", n, cnr,
                  100.0 * above / COUNT);
  g_assert_cmpfloat (above, <=, allowed * COUNT);
  perfusion_fixture_clear (&f);
}

static void
test_broad (void)
{
  broad (128, 50, 0.001);
  broad (128, 15, 0.001);
  broad (48, 20, 0.002);
}

/* Frames without weight have no effect, whatever they contain. */
static void
test_left_out (void)
{
  PerfusionFixture f = perfusion_fixture (48, VG_PERFUSION_LANES, 50, TRUE, 3);
  double weights[48], values[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];
  g_autofree double *scratch = g_new (double, vg_perfusion_fit_scratch (f.problem));
  VgPerfusionFitOptions defaults = { 100, 1e-10, 2 };

  for (int i = 0; i < 48; i++)
    weights[i] = i < 42;
  g_autoptr (VgPerfusionProblem) some = vg_perfusion_problem_new (
      VG_PERFUSION_COMPARTMENT, 48, f.problem->times_s, f.problem->artery, f.problem->portal,
      weights, &f.problem->bounds);
  g_autoptr (VgPerfusionProblem) fewer = vg_perfusion_problem_new (
      VG_PERFUSION_COMPARTMENT, 42, f.problem->times_s, f.problem->artery, f.problem->portal, NULL,
      &f.problem->bounds);
  g_autoptr (VgPerfusionDictionary) some_dictionary = vg_perfusion_dictionary_new (some),
                                    fewer_dictionary = vg_perfusion_dictionary_new (fewer);
  vg_perfusion_fit_batch (fewer, fewer_dictionary, &defaults, f.curves, VG_PERFUSION_LANES, scratch,
                          values);
  for (int i = 42 * VG_PERFUSION_LANES; i < 48 * VG_PERFUSION_LANES; i++)
    f.curves[i] = 0;
  vg_perfusion_fit_batch (some, some_dictionary, &defaults, f.curves, VG_PERFUSION_LANES, scratch,
                          f.values);
  for (int c = 0; c < VG_PERFUSION_LANES; c++)
    for (int k = 0; k < 5; k++)
      g_assert_cmpfloat_with_epsilon (perfusion_value (&f, c, k),
                                      values[k * VG_PERFUSION_LANES + c],
                                      1e-3 * fabs (values[k * VG_PERFUSION_LANES + c]) + 1e-3);
  perfusion_fixture_clear (&f);
}

/* The standard errors of the other models, compared with the scatter of fits to the same curve
 * with different noise. */
typedef struct
{
  VgPerfusionModel model;
  gboolean dual;
  VgPerfusionDelays delays;
  double cnr;
  /* FLOW, EXCHANGE, PLASMA, TAU_A, TAU_P, INTERSTITIUM, FRACTION; NaN: not a parameter of the
   * model. */
  double truth[VG_PERFUSION_FIT_PARAMETERS];
} Scatter;

static int
compare_doubles (const void *a, const void *b)
{
  return *(const double *) a < *(const double *) b ? -1 : *(const double *) a > *(const double *) b;
}

static void
test_scatter (gconstpointer data)
{
  enum { N = 120, DRAWS = 800, VALUES = VG_PERFUSION_FIT_PARAMETERS };
  const Scatter *set = data;
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  VgPerfusionFitOptions options = { 100, 1e-8, 1 };
  double truth[VG_PERFUSION_FIT_VALUES] = { 0 };
  g_autofree double *found = g_new (double, DRAWS *VG_PERFUSION_FIT_VALUES),
                    *sorted = g_new (double, DRAWS);

  bounds.delays = set->delays;
  bounds.k_max = 6000 / VG_PERFUSION_RATE;
  memcpy (truth, set->truth, sizeof set->truth);
  g_auto (PerfusionDraws) draws = perfusion_draws_of (
      perfusion_draws_problem (set->model, N, set->dual, &bounds), truth, set->cnr, 2012);
  g_autoptr (VgPerfusionGrid) grid = vg_perfusion_grid_new (draws.problem, 1);
  for (int d = 0; d < DRAWS; d++)
    {
      double noisy[N];

      perfusion_draws_next (&draws, 1, noisy);
      vg_perfusion_general_fit (draws.problem, grid, &options, noisy, 1,
                                found + d * VG_PERFUSION_FIT_VALUES);
    }
  for (int k = 0; k < VALUES; k++)
    {
      double mean = 0, square = 0, said;

      if (isnan (set->truth[k]) || ((k == VG_PERFUSION_FIT_TAU_A || k == VG_PERFUSION_FIT_TAU_P) &&
                                    set->delays == VG_PERFUSION_DELAYS_NONE))
        continue;
      for (int d = 0; d < DRAWS; d++)
        {
          double value = found[d * VG_PERFUSION_FIT_VALUES + k];

          g_assert_true (isfinite (value));
          mean += value / DRAWS;
          square += value * value / DRAWS;
          sorted[d] = found[d * VG_PERFUSION_FIT_VALUES + VG_PERFUSION_FIT_ERRORS + k];
          g_assert_cmpfloat (sorted[d], >, 0);
        }
      qsort (sorted, DRAWS, sizeof *sorted, compare_doubles);
      said = sorted[DRAWS / 2];
      square = sqrt (square - mean * mean);
      g_test_message ("model %d%s, value %d: %.5g for %.5g, scatter %.4g, error %.4g", set->model,
                      set->dual ? ", two inputs" : "", k, mean, set->truth[k], square, said);
      g_assert_cmpfloat (said, >, 0.88 * square);
      g_assert_cmpfloat (said, <, 1.12 * square);
    }
}

/* One compartment with the artery alone: Ktrans, kep and the delay. */
static void
test_scatter_tofts (void)
{
  enum { N = 120, BATCHES = 50 };
  static const int values[] = { VG_PERFUSION_FIT_KA, VG_PERFUSION_FIT_KL, VG_PERFUSION_FIT_TAU_A };
  static const double truth[] = { 20, 60, 2 };
  VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();
  g_auto (PerfusionDraws) draws = perfusion_draws_of_compartment (
      perfusion_draws_problem (VG_PERFUSION_COMPARTMENT, N, FALSE, NULL), truth[0], truth[1],
      truth[2], 40, 77);
  g_autoptr (VgPerfusionDictionary) dictionary = vg_perfusion_dictionary_new (draws.problem);
  g_autofree double *scratch = g_new (double, vg_perfusion_fit_scratch (draws.problem));
  double noisy[N * VG_PERFUSION_LANES], out[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES],
      sum[3] = { 0 }, square[3] = { 0 }, said[3] = { 0 };
  int n = BATCHES * VG_PERFUSION_LANES;

  for (int b = 0; b < BATCHES; b++)
    {
      perfusion_draws_next (&draws, VG_PERFUSION_LANES, noisy);
      vg_perfusion_fit_batch (draws.problem, dictionary, &options, noisy, VG_PERFUSION_LANES,
                              scratch, out);
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < VG_PERFUSION_LANES; l++)
          {
            double value = out[values[k] * VG_PERFUSION_LANES + l];

            sum[k] += value / n;
            square[k] += value * value / n;
            said[k] += out[(VG_PERFUSION_FIT_ERRORS + values[k]) * VG_PERFUSION_LANES + l] / n;
          }
    }
  for (int k = 0; k < 3; k++)
    {
      double sd = sqrt (square[k] - sum[k] * sum[k]);

      g_test_message ("Tofts, value %d: %.5g for %.5g, scatter %.4g, error %.4g", values[k], sum[k],
                      truth[k], sd, said[k]);
      g_assert_cmpfloat_with_epsilon (said[k], sd, 0.12 * sd);
    }
}

/* Another unit of rates changes only a factor; volumes and times remain, and nothing is fitted
 * again. */
static void
test_units (void)
{
  static const guint rates[] = { VG_PERFUSION_OUTPUT_KA, VG_PERFUSION_OUTPUT_KL,
                                 VG_PERFUSION_OUTPUT_TOTAL_INFLOW, VG_PERFUSION_OUTPUT_KP_ERROR };
  static const guint others[] = { VG_PERFUSION_OUTPUT_TAU_A,
                                  VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME,
                                  VG_PERFUSION_OUTPUT_STATUS, VG_PERFUSION_OUTPUT_R2 };
  /* 1 of the unit in ml/100 g/min at 1 g/ml */
  static const double per_100g[] = { 1.05, 100, 6000 };
  static const char *const units[] = { "ml/100g/min", "ml/ml/min", "1/s" };
  const VgOperation *operation = &vg_perfusion_operation;
  VgPerfusionParams *params = vg_params_new (&operation->params);
  g_autoptr (VgImage) image = NULL;
  VgImageInfo info;
  gpointer source, state;
  VgPlane plane;
  float before[8];

  operation->synthetic->settings (&(VgSyntheticSize){ 16, 8, 48, 3, VG_PERFUSION_SAMPLE_ELLIPSE },
                                  params);
  source = operation->synthetic->open (
      params, &(VgSyntheticSize){ 16, 8, 48, 3, VG_PERFUSION_SAMPLE_ELLIPSE }, &info, NULL);
  image = vg_image_new (&info, "liver", NULL);
  for (int i = 0; i < 48; i++)
    operation->synthetic->read (
        source, i, (char *) image->data + (gsize) i * vg_image_info_frame_bytes (&info), NULL);
  operation->synthetic->close (source);
  state = operation->cpu->prepare (&(VgContext){ .params = params, .info = &info, .image = image },
                                   NULL);
  while (operation->cpu->step (state, 1, NULL) == VG_STEP_MORE)
    ;
  for (int k = 0; k < 8; k++)
    {
      g_assert_true (
          operation->cpu->output (state, k < 4 ? rates[k] : others[k - 4], &plane, NULL));
      before[k] = plane.data[100];
    }
  for (int unit = 0; unit < 3; unit++)
    {
      params->rate_unit = unit;
      params->density = 1.05f;
      g_assert_true (operation->cpu->update (state, params));
      g_assert_cmpfloat (operation->cpu->progress (state), ==, 1);
      for (int k = 0; k < 8; k++)
        {
          guint i = k < 4 ? rates[k] : others[k - 4];

          g_assert_true (operation->cpu->output (state, i, &plane, NULL));
          g_assert_cmpfloat_with_epsilon (plane.data[100], before[k] / (k < 4 ? per_100g[unit] : 1),
                                          1e-6 * fabs (before[k]));
          g_assert_cmpstr (vg_operation_output_unit (operation, i, params), ==,
                           k < 4 ? units[unit] : operation->outputs[i].unit);
        }
    }
  /* without motion correction there is no displacement to plot */
  g_assert_null (operation->cpu->curves->plot (state, 1, NULL));
  operation->cpu->free (state);
  vg_params_free (&operation->params, params);
}

/* Products with the residuals of any amounts lead to the same amounts, cost, gradient and curvature
 * as products with the curve itself. */
static void
test_project_left (void)
{
  enum { FRAMES = 30 };

  for (int draw = 0; draw < 200; draw++)
    {
      double s[VG_PERFUSION_PRODUCTS] = { 0 }, left[VG_PERFUSION_PRODUCTS] = { 0 }, yy = 0, rr = 0,
             k = g_test_rand_double_range (0.01, 0.2);
      double a = draw % 3 == 0 ? 0 : g_test_rand_double_range (0, 2),
             p = draw % 3 == 1 ? 0 : g_test_rand_double_range (0, 2);
      VgPerfusionNormal whole, parts;

      for (int i = 0; i < FRAMES; i++)
        {
          VgPerfusionPoint one = { g_test_rand_double (), g_test_rand_double (),
                                   g_test_rand_double () },
                           two = { g_test_rand_double (), g_test_rand_double (),
                                   g_test_rand_double () };
          /* some curves of one input alone, and some that no input explains */
          double y = (draw % 5 - 1) * one.value + (draw % 4 - 1) * two.value +
                     0.3 * g_test_rand_double (),
                 w = 0.5 + i % 2, r = y - a * one.value - p * two.value;

          vg_perfusion_gather (s, 1, one, two, y, w);
          vg_perfusion_gather (left, 1, one, two, r, w);
          yy += w * y * y;
          rr += w * r * r;
        }
      whole = vg_perfusion_project (s, 1, yy, k);
      parts = vg_perfusion_project_left (left, rr, yy, a, p, k);
      g_assert_cmpfloat_with_epsilon (parts.a, whole.a, 1e-9);
      g_assert_cmpfloat_with_epsilon (parts.p, whole.p, 1e-9);
      g_assert_cmpfloat_with_epsilon (parts.cost, whole.cost, 1e-9 * yy);
      g_assert_cmpfloat_with_epsilon (parts.g0, whole.g0, 1e-9 * yy);
      g_assert_cmpfloat_with_epsilon (parts.g1, whole.g1, 1e-9 * yy);
      g_assert_cmpfloat_with_epsilon (parts.g2, whole.g2, 1e-9 * yy);
      g_assert_cmpfloat_with_epsilon (parts.h00, whole.h00, 1e-9 * yy);
      g_assert_cmpfloat_with_epsilon (parts.h12, whole.h12, 1e-9 * yy);
    }
}

int
main (int argc, char **argv)
{
  static const Scatter scatters[] = {
    { VG_PERFUSION_EXTENDED_TOFTS,
      FALSE,
      VG_PERFUSION_DELAYS_FREE,
      40,
      { 20, NAN, 0.06, 2, NAN, 0.25, NAN } },
    { VG_PERFUSION_PATLAK,
      FALSE,
      VG_PERFUSION_DELAYS_FREE,
      40,
      { 6, NAN, 0.08, 2, NAN, NAN, NAN } },
    { VG_PERFUSION_UPTAKE, FALSE, VG_PERFUSION_DELAYS_FREE, 60, { 40, 8, 0.08, 2, NAN, NAN, NAN } },
    { VG_PERFUSION_EXCHANGE,
      FALSE,
      VG_PERFUSION_DELAYS_FREE,
      200,
      { 40, 15, 0.08, 2, NAN, 0.2, NAN } },
    { VG_PERFUSION_EXTENDED_TOFTS,
      TRUE,
      VG_PERFUSION_DELAYS_NONE,
      60,
      { 40, NAN, 0.06, 0, 0, 0.25, 0.3 } },
    { VG_PERFUSION_PATLAK, TRUE, VG_PERFUSION_DELAYS_NONE, 60, { 6, NAN, 0.08, 0, 0, NAN, 0.3 } },
    { VG_PERFUSION_UPTAKE, TRUE, VG_PERFUSION_DELAYS_NONE, 100, { 40, 8, 0.08, 0, 0, NAN, 0.3 } },
    { VG_PERFUSION_EXCHANGE,
      TRUE,
      VG_PERFUSION_DELAYS_NONE,
      400,
      { 40, 15, 0.08, 0, 0, 0.2, 0.3 } },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-fit/project-left", test_project_left);
  g_test_add_func ("/perfusion-fit/noise-free", test_noise_free);
  g_test_add_func ("/perfusion-fit/table3", test_table3);
  g_test_add_func ("/perfusion-fit/broad", test_broad);
  g_test_add_func ("/perfusion-fit/left-out", test_left_out);
  g_test_add_func ("/perfusion-fit/units", test_units);
  g_test_add_func ("/perfusion-fit/errors/tofts", test_scatter_tofts);
  for (guint i = 0; i < G_N_ELEMENTS (scatters); i++)
    {
      g_autofree char *name = g_strdup_printf ("/perfusion-fit/errors/%u", i);

      g_test_add_data_func (name, &scatters[i], test_scatter);
    }
  return g_test_run ();
}
