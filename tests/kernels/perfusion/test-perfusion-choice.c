/* SPDX-License-Identifier: MIT */
/* The choice of a model: F and Akaike statistics against closed forms, and the preferred models of
 * made mixtures of tissue. */
#include "kernels/perfusion/model/perfusion-choice.h"
#include "kernels/perfusion/engine/perfusion-solve.h"
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "tests/kernels/perfusion/support/perfusion-fixture.h"
#include "kernels/core/vg-operation.h"
#include "kernels/perfusion/model/perfusion-params.h"

extern const VgOperation vg_perfusion_operation;

/* With two degrees of freedom in the numerator the tail is (1 + 2 F / n)^(-n / 2), and with two in
 * the denominator 1 - (n F / (n F + 2))^(n / 2).  With one each it is that of Cauchy's
 * distribution.
 */
static void
test_f_tail (void)
{
  for (int i = 0; i < 200; i++)
    {
      double f = pow (10, g_test_rand_double_range (-3, 3)), n = g_test_rand_int_range (1, 400);
      double by_two = pow (1 + 2 * f / n, -n / 2), of_two = -expm1 (-n / 2 * log1p (2 / (n * f)));

      g_assert_cmpfloat_with_epsilon (vg_perfusion_f_tail (f, 2, n), by_two, 1e-10);
      g_assert_cmpfloat_with_epsilon (vg_perfusion_f_tail (f, n, 2), of_two, 1e-10);
      g_assert_cmpfloat_with_epsilon (vg_perfusion_f_tail (f, 1, 1), 1 - 2 * atan (sqrt (f)) / G_PI,
                                      1e-10);
    }
  /* the table of F (1, 10) and F (3, 20) at 5 and 1 % */
  g_assert_cmpfloat_with_epsilon (vg_perfusion_f_tail (4.9646, 1, 10), 0.05, 1e-5);
  g_assert_cmpfloat_with_epsilon (vg_perfusion_f_tail (4.9382, 3, 20), 0.01, 1e-5);
  g_assert_cmpfloat (vg_perfusion_f_tail (0, 1, 10), ==, 1);
}

/* Costs whose differences are known. */
static void
test_choose (void)
{
  const int n = 50, none = VG_PERFUSION_DELAYS_NONE;
  double same[VG_PERFUSION_CANDIDATES] = { 1, 1, 1, 1, 1 }, weight = 0;
  double better[VG_PERFUSION_CANDIDATES] = { 1, 0.5, 1, 1, 0.5 };
  double slight[VG_PERFUSION_CANDIDATES] = { 1, 0.93, 2, 2, 0.93 };
  VgPerfusionChoice choice = vg_perfusion_choose (same, n, FALSE, none, 0.01);

  /* Two models have 2 parameters, two have 3, one has 4. */
  for (int k = 2; k <= 4; k++)
    weight += (k < 4 ? 2 : 1) * exp (-0.5 * (2.0 * (k + 1) * n / (n - k - 2) - 6.0 * n / (n - 4)));
  g_assert_cmpint (choice.model, ==, VG_PERFUSION_COMPARTMENT);
  g_assert_true (isnan (choice.chance));
  g_assert_cmpfloat_with_epsilon (choice.weight, 1 / weight, 1e-9);
  choice = vg_perfusion_choose (better, n, FALSE, none, 0.01);
  g_assert_cmpint (choice.model, ==, VG_PERFUSION_EXTENDED_TOFTS);
  g_assert_cmpfloat_with_epsilon (choice.chance, vg_perfusion_f_tail (47, 1, 47), 1e-12);
  /* AICc prefers one parameter more if the cost falls by 7 %; an F test at 1 % does not. */
  choice = vg_perfusion_choose (slight, n, FALSE, none, 1);
  g_assert_cmpint (choice.model, ==, VG_PERFUSION_EXTENDED_TOFTS);
  choice = vg_perfusion_choose (slight, n, FALSE, none, 0.01);
  g_assert_cmpint (choice.model, ==, VG_PERFUSION_COMPARTMENT);
  /* A fit that failed is not preferred, and does not keep others from being so. */
  better[VG_PERFUSION_PATLAK] = NAN;
  choice = vg_perfusion_choose (better, n, FALSE, none, 0.01);
  g_assert_cmpint (choice.model, ==, VG_PERFUSION_EXTENDED_TOFTS);
  g_assert_true (choice.weight > 0 && choice.weight <= 1);
  g_assert_cmpint (vg_perfusion_unknowns (VG_PERFUSION_EXCHANGE, TRUE, VG_PERFUSION_DELAYS_FREE),
                   ==, 7);
  for (int dual = 0; dual <= 1; dual++)
    {
      g_assert_cmpint (vg_perfusion_unknowns (VG_PERFUSION_DECONVOLUTION, dual, none), ==, 3);
      g_assert_cmpint (
          vg_perfusion_unknowns (VG_PERFUSION_DECONVOLUTION, dual, VG_PERFUSION_DELAYS_FREE), ==,
          4);
    }
}

/* ---- Mixtures ---- */

enum { N = 120, EACH = 40, VOXELS = 1 + EACH * VG_PERFUSION_CANDIDATES };

/* Random tissue of MODEL that differs from that of the simpler models. */
static void
random_tissue (int model, double *values)
{
  double flow = g_test_rand_double_range (30, 90), vp = g_test_rand_double_range (0.04, 0.12);

  values[VG_PERFUSION_FIT_TAU_A] = 0;
  values[VG_PERFUSION_FIT_PLASMA] = vp;
  values[VG_PERFUSION_FIT_INTERSTITIUM] = g_test_rand_double_range (0.1, 0.3);
  values[VG_PERFUSION_FIT_FLOW] = model >= VG_PERFUSION_UPTAKE   ? flow
                                  : model == VG_PERFUSION_PATLAK ? g_test_rand_double_range (1, 8)
                                                                 : g_test_rand_double_range (8, 40);
  values[VG_PERFUSION_FIT_EXCHANGE] = g_test_rand_double_range (0.1, 0.5) * flow;
}

static void
add_tissue (int model, const VgPerfusionProblem *base, float *samples, double noise)
{
  double values[VG_PERFUSION_FIT_VALUES] = { 0 }, curve[N], peak = 0;
  g_autoptr (VgPerfusionProblem) problem = vg_perfusion_problem_new (
      (VgPerfusionModel) model, N, base->times_s, base->artery, NULL, NULL, &base->bounds);

  random_tissue (model, values);
  if (model == VG_PERFUSION_COMPARTMENT)
    {
      double k = values[VG_PERFUSION_FIT_FLOW] / VG_PERFUSION_RATE;

      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL,
                          k / values[VG_PERFUSION_FIT_INTERSTITIUM], 0, curve, NULL, NULL);
      for (int i = 0; i < N; i++)
        curve[i] *= k;
    }
  else
    vg_perfusion_general_curve (problem, values, curve);
  for (int i = 0; i < N; i++)
    peak = MAX (peak, curve[i]);
  for (int i = 0; i < N; i++)
    samples[i * VOXELS] = (float) (curve[i] + noise * peak *
                                                  sqrt (-2 * log (1 - g_test_rand_double ())) *
                                                  cos (2 * G_PI * g_test_rand_double ()));
}

static VgImage *
make_mixture (double step, double noise)
{
  VgImageInfo info = { VG_F32, VOXELS, 1, 1, 1, 1, N };
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  double times[N], artery[N];
  VgImage *image;
  float *samples;

  info.frame_interval_s = step;
  image = vg_image_new (&info, "mixture", NULL);
  samples = (float *) image->data;
  bounds.delays = VG_PERFUSION_DELAYS_NONE;
  for (int i = 0; i < N; i++)
    {
      times[i] = i * step;
      samples[i * VOXELS] = (float) vg_perfusion_population_artery (times[i] - 10);
      artery[i] = samples[i * VOXELS];
    }
  g_autoptr (VgPerfusionProblem) base = vg_perfusion_problem_new (
      VG_PERFUSION_COMPARTMENT, N, times, artery, NULL, NULL, &bounds);
  for (int v = 1; v < VOXELS; v++)
    add_tissue ((v - 1) / EACH, base, samples + v, noise);
  return image;
}

static gpointer
run (VgPerfusionParams *params, const VgImage *image)
{
  const VgEngine *engine = vg_perfusion_operation.cpu;
  VgContext context = { .params = params, .info = &image->info, .image = image, .threads = 1 };
  g_autoptr (GError) error = NULL;
  gpointer state = engine->prepare (&context, &error);
  VgStep step;

  g_assert_no_error (error);
  do
    step = engine->step (state, 1, &error);
  while (step == VG_STEP_MORE);
  g_assert_cmpint (step, ==, VG_STEP_DONE);
  return state;
}

/* At a contrast-to-noise ratio of 50 the true model is preferred in at least 90 % of the voxels. */
static void
test_mixture (void)
{
  static const struct
  {
    const char *map;
    gboolean expected[VG_PERFUSION_CANDIDATES];
  } maps[] = {
    { "ka", { [VG_PERFUSION_COMPARTMENT] = TRUE } },
    { "ktrans", { [VG_PERFUSION_EXTENDED_TOFTS] = TRUE, [VG_PERFUSION_PATLAK] = TRUE } },
    { "permeability", { [VG_PERFUSION_UPTAKE] = TRUE, [VG_PERFUSION_EXCHANGE] = TRUE } },
    { "plasma_volume",
      { [VG_PERFUSION_EXTENDED_TOFTS] = TRUE,
        [VG_PERFUSION_PATLAK] = TRUE,
        [VG_PERFUSION_UPTAKE] = TRUE,
        [VG_PERFUSION_EXCHANGE] = TRUE } },
    { "interstitial_volume",
      { [VG_PERFUSION_EXTENDED_TOFTS] = TRUE, [VG_PERFUSION_EXCHANGE] = TRUE } },
  };
  const VgEngine *engine = vg_perfusion_operation.cpu;
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  g_autoptr (VgImage) image = make_mixture (2, 1.0 / 50);
  int right[VG_PERFUSION_CANDIDATES] = { 0 }, all = 0;
  float model[VOXELS], undetermined[VOXELS];
  gpointer state;
  VgPlane plane;

  params->signal = VG_PERFUSION_SIGNAL_CONCENTRATION;
  params->inputs = 1;
  params->delays = VG_PERFUSION_DELAYS_NONE;
  params->model = VG_PERFUSION_BEST;
  params->artery = g_strdup ("rect:0,0,1,1");
  state = run (params, image);
  g_assert_true (engine->output (state, VG_PERFUSION_OUTPUT_MODEL, &plane, NULL));
  memcpy (model, plane.data, sizeof model);
  for (int v = 1; v < VOXELS; v++)
    {
      int truth = (v - 1) / EACH;

      right[truth] += model[v] == truth + 1;
      all += model[v] == truth + 1;
    }
  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    g_test_message ("model %d: %d of %d", m, right[m], EACH);
  g_test_message ("all: %.1f %%", 100.0 * all / (VOXELS - 1));
  g_assert_cmpint (all, >=, 9 * (VOXELS - 1) / 10);
  g_assert_true (engine->output (state, VG_PERFUSION_OUTPUT_UNDETERMINED, &plane, NULL));
  memcpy (undetermined, plane.data, sizeof undetermined);
  all = 0;
  for (int v = 1; v < VOXELS; v++)
    all += undetermined[v] > VG_PERFUSION_UNDETERMINED_NONE;
  g_assert_cmpint (all, <=, (VOXELS - 1) / 10);
  /* A voxel has the maps of its model and no others. */
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    {
      int output = vg_operation_find_output (&vg_perfusion_operation, maps[i].map);

      g_assert_true (engine->output (state, (guint) output, &plane, NULL));
      for (int v = 1; v < VOXELS; v++)
        {
          gboolean missing = isnan (((const float *) plane.data)[v]);

          /* Where the data do not tell a parameter, it has no value. */
          if (!missing || undetermined[v] <= VG_PERFUSION_UNDETERMINED_NONE)
            g_assert_cmpint (missing, ==, !maps[i].expected[(int) model[v] - 1]);
        }
    }
  g_assert_true (engine->output (state, VG_PERFUSION_OUTPUT_WEIGHT, &plane, NULL));
  for (int v = 1; v < VOXELS; v++)
    g_assert_true (((const float *) plane.data)[v] > 0 && ((const float *) plane.data)[v] <= 100);
  engine->free (state);
  vg_params_free (&vg_perfusion_operation.params, params);
}

/* The sums of squares of all models for CURVE, with values VG_PERFUSION_LANES apart. */
static void
fit_all (VgPerfusionProblem *const *problems, VgPerfusionGrid *const *grids,
         const VgPerfusionDictionary *dictionary, const double *curve, double *scratch,
         double *costs)
{
  const VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();
  double lanes[N * VG_PERFUSION_LANES] = { 0 },
                   values[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];

  for (int i = 0; i < N; i++)
    lanes[i * VG_PERFUSION_LANES] = curve[i * VG_PERFUSION_LANES];
  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    {
      if (m == VG_PERFUSION_COMPARTMENT)
        vg_perfusion_fit_batch (problems[m], dictionary, &options, lanes, 1, scratch, values);
      else
        vg_perfusion_general_fit (problems[m], grids[m], &options, curve, VG_PERFUSION_LANES,
                                  values);
      costs[m] = N * values[VG_PERFUSION_FIT_RESIDUAL * VG_PERFUSION_LANES] *
                 values[VG_PERFUSION_FIT_RESIDUAL * VG_PERFUSION_LANES];
    }
}

/* Tissue of wide ranges with delays that are fitted.  Without noise the true model explains every
 * curve, also that of uptake tissue through which blood passes in a second or two.  Where the best
 * curve of a simpler model differs from the true one by more than the noise, the true model is
 * preferred. */
static void
test_wide (void)
{
  enum { HIDDEN = 20 }; /* variances of the noise */
  g_autoptr (VgPerfusionProblem) inputs = perfusion_problem (N);
  VgPerfusionProblem *problems[VG_PERFUSION_CANDIDATES];
  VgPerfusionGrid *grids[VG_PERFUSION_CANDIDATES] = { NULL };
  g_autoptr (VgPerfusionDictionary) dictionary = NULL;
  g_autofree double *scratch = NULL;
  GRand *rand = g_rand_new_with_seed (31);
  int right = 0, told = 0, all = 0, fast = 0;

  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    {
      problems[m] = vg_perfusion_problem_new ((VgPerfusionModel) m, N, inputs->times_s,
                                              inputs->artery, NULL, NULL, &inputs->bounds);
      if (m > 0)
        grids[m] = vg_perfusion_grid_new (problems[m], 1);
    }
  dictionary = vg_perfusion_dictionary_new (problems[0]);
  scratch = g_new (double, vg_perfusion_fit_scratch (problems[0]));
  for (int v = 0; v < 2 * EACH * VG_PERFUSION_CANDIDATES; v++)
    {
      const int model = v % VG_PERFUSION_CANDIDATES,
                k = vg_perfusion_unknowns (model, FALSE, VG_PERFUSION_DELAYS_FREE);
      double truth[VG_PERFUSION_FIT_VALUES] = { 0 }, curve[N * VG_PERFUSION_LANES] = { 0 },
             clean[VG_PERFUSION_CANDIDATES], noisy[VG_PERFUSION_CANDIDATES], peak = 0, least = 1e9,
             flow = 15 * pow (200.0 / 15, g_rand_double (rand)),
             ve = g_rand_double_range (rand, 0.05, 0.45),
             delay = g_rand_double_range (rand, 0.5, 4);
      int chosen;

      truth[VG_PERFUSION_FIT_FLOW] = model >= VG_PERFUSION_UPTAKE
                                         ? flow
                                         : 4 * pow (20, g_rand_double (rand));
      truth[VG_PERFUSION_FIT_EXCHANGE] = flow * 0.08 * pow (1.5 / 0.08, g_rand_double (rand));
      truth[VG_PERFUSION_FIT_PLASMA] = g_rand_double_range (rand, 0.02, 0.2);
      truth[VG_PERFUSION_FIT_INTERSTITIUM] = ve;
      truth[VG_PERFUSION_FIT_TAU_A] = delay;
      if (model == VG_PERFUSION_COMPARTMENT)
        vg_perfusion_curve (problems[0], problems[0]->artery, VG_PERFUSION_EXPONENTIAL,
                            truth[VG_PERFUSION_FIT_FLOW] / VG_PERFUSION_RATE / ve, delay, curve,
                            NULL, NULL);
      else
        vg_perfusion_general_curve (problems[model], truth, curve);
      for (int i = 0; i < N; i++)
        peak = MAX (peak, curve[i]);
      for (int i = N; i-- > 0;)
        curve[i * VG_PERFUSION_LANES] = curve[i];
      fit_all (problems, grids, dictionary, curve, scratch, clean);
      g_assert_cmpfloat (clean[model], <, 1e-3 * (peak / 50) * (peak / 50));
      fast += model == VG_PERFUSION_UPTAKE &&
              flow + truth[VG_PERFUSION_FIT_EXCHANGE] >
                  inputs->bounds.k_max * VG_PERFUSION_RATE * truth[VG_PERFUSION_FIT_PLASMA];
      for (int i = 0; i < N; i++)
        curve[i * VG_PERFUSION_LANES] += peak / 50 * perfusion_noise (rand);
      fit_all (problems, grids, dictionary, curve, scratch, noisy);
      for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
        if (vg_perfusion_unknowns (m, FALSE, VG_PERFUSION_DELAYS_FREE) < k)
          least = MIN (least, (clean[m] - clean[model]) / (peak / 50 * peak / 50));
      chosen = vg_perfusion_choose (noisy, N, FALSE, VG_PERFUSION_DELAYS_FREE, 0.01).model;
      all += chosen == model;
      told += least > HIDDEN;
      right += least > HIDDEN && chosen == model;
    }
  g_test_message ("the true model: %d of %d; %d of %d that the noise does not hide", all,
                  2 * EACH * VG_PERFUSION_CANDIDATES, right, told);
  g_assert_cmpint (fast, >, 0);
  g_assert_cmpint (told, >=, 2 * EACH * VG_PERFUSION_CANDIDATES * 3 / 4);
  g_assert_cmpint (right, >=, told * 96 / 100);
  g_assert_cmpint (all, >=, 2 * EACH * VG_PERFUSION_CANDIDATES * 83 / 100);
  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    {
      vg_perfusion_problem_free (problems[m]);
      vg_perfusion_grid_free (grids[m]);
    }
  g_rand_free (rand);
}

/* On the GPU, a voxel that is not fitted yet has the status of a fit, but no values: it has no
 * fitted curve, whatever the model is. */
static void
test_unfitted (void)
{
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  g_autoptr (VgImage) image = make_mixture (2, 1.0 / 50);
  double values[VG_PERFUSION_FIT_VALUES], measured[N] = { 0 }, curve[N];

  params->signal = VG_PERFUSION_SIGNAL_CONCENTRATION;
  params->inputs = 1;
  params->artery = g_strdup ("rect:0,0,1,1");
  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    values[i] = i < VG_PERFUSION_FIT_STATUS ? (double) NAN : 0;
  values[VG_PERFUSION_FIT_STATUS] = VG_PERFUSION_FITTED;
  for (params->model = 0; params->model <= VG_PERFUSION_BEST; params->model++)
    {
      VgContext context = { .params = params, .info = &image->info, .image = image, .threads = 1 };
      g_autoptr (GError) error = NULL;
      g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new (&context, &error);
      VgCurves *curves;

      g_assert_no_error (error);
      curves = vg_perfusion_plot_voxel (study, 1, 0, 0, values);
      for (guint i = 0; i < curves->series->len; i++)
        g_assert_cmpstr (((const VgSeries *) curves->series->pdata[i])->name, !=, "Fit");
      vg_curves_free (curves);
      if (params->model != VG_PERFUSION_BEST)
        continue;
      vg_perfusion_solution (study, measured, values, curve);
      for (int i = 0; i < N; i++)
        g_assert_cmpfloat (curve[i], ==, 0);
    }
  vg_params_free (&vg_perfusion_operation.params, params);
}

/* Each model draws a finite fit of the mean curve of a region. */
static void
test_region_fits (void)
{
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  g_autoptr (VgImage) image = make_mixture (2, 1.0 / 50);
  const VgRegion *regions[1];
  VgRegion region;

  g_assert_true (vg_region_parse (&region, "rect:1,0,3,1", NULL));
  regions[0] = &region;
  params->signal = VG_PERFUSION_SIGNAL_CONCENTRATION;
  params->inputs = 1;
  params->artery = g_strdup ("rect:0,0,1,1");
  for (params->model = 0; params->model <= VG_PERFUSION_BEST; params->model++)
    {
      VgContext context = { .params = params, .info = &image->info, .image = image, .threads = 1 };
      g_autoptr (GError) error = NULL;
      g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new (&context, &error);
      g_autoptr (VgCurves) curves = NULL;
      const VgSeries *fit = NULL;
      double misfit = 0, power = 0;

      g_assert_no_error (error);
      curves = vg_perfusion_plot_regions (study, regions, 1);
      for (guint i = 0; i < curves->series->len; i++)
        if (g_str_equal (((const VgSeries *) curves->series->pdata[i])->name, "Fit"))
          fit = curves->series->pdata[i];
      g_assert_nonnull (fit);
      for (int i = 0; i < N; i++)
        {
          const float *frame = (const float *) image->data + (gsize) i * VOXELS;
          double mean = (frame[1] + frame[2] + frame[3]) / 3;

          misfit += (fit->y[i] - mean) * (fit->y[i] - mean);
          power += mean * mean;
        }
      /* contrast agent leaves this tissue, which Patlak's model does not describe */
      g_assert_cmpfloat (misfit, <, (params->model == VG_PERFUSION_PATLAK ? 0.5 : 0.05) * power);
    }
  vg_params_free (&vg_perfusion_operation.params, params);
}

/* Too few frames: the message names what needs them. */
static void
test_few (void)
{
  static const struct
  {
    VgPerfusionModel model;
    const char *says;
  } cases[] = {
    { VG_PERFUSION_COMPARTMENT, "but the model has 5 fit parameters and needs at least 6 frames" },
    { VG_PERFUSION_BEST, "two-compartment exchange, one of the models to choose from, has 7" },
    { VG_PERFUSION_DECONVOLUTION, "but deconvolution needs at least 5 frames" },
  };
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  VgImageInfo info = { VG_F32, 2, 2, 1, 1, 1, 4 };
  g_autoptr (VgImage) image = NULL;

  info.frame_interval_s = 2;
  image = vg_image_new (&info, "short", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgContext context = { .params = params, .info = &image->info, .image = image };
      g_autoptr (GError) error = NULL;

      params->model = cases[i].model;
      g_assert_null (vg_perfusion_study_new_frames (&context, &error));
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }
  vg_params_free (&vg_perfusion_operation.params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-choice/f-tail", test_f_tail);
  g_test_add_func ("/perfusion-choice/choose", test_choose);
  g_test_add_func ("/perfusion-choice/mixture", test_mixture);
  g_test_add_func ("/perfusion-choice/wide", test_wide);
  g_test_add_func ("/perfusion-choice/unfitted", test_unfitted);
  g_test_add_func ("/perfusion-choice/region-fits", test_region_fits);
  g_test_add_func ("/perfusion-choice/few", test_few);
  return g_test_run ();
}
