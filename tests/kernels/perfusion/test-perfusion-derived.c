/* SPDX-License-Identifier: MIT */
/* The standard errors of values that are computed from fitted parameters (total inflow, arterial
 * fraction, distribution volume, mean transit time), compared with the scatter of fits to the same
 * curve with different noise. */
#include "tests/support/sanitized.h"
#include "tests/kernels/perfusion/support/perfusion-draws.h"
#include "kernels/perfusion/fit/perfusion-deconvolution.h"
#include "kernels/perfusion/fit/perfusion-output.h"

extern const VgOperation vg_perfusion_operation;

enum { DRAWS = SANITIZED ? 160 : 1600 };

/* The map of OUTPUT from the values at VALUES, STRIDE apart. */
static double
derive (const double *values, gsize stride, int output, int model, gboolean dual)
{
  float narrow[VG_PERFUSION_FIT_VALUES];

  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    narrow[i] = (float) values[(gsize) i * stride];
  return vg_perfusion_derived (narrow, 1, output, model, dual, HUGE_VALF);
}

typedef struct
{
  const char *name;
  int value, error;
  double truth; /* NaN: not compared, because regularisation changes it */
} Derived;

/* Values of many fits, and the errors that each reports. */
typedef struct
{
  double sum, square, said;
  int n;
} Scatter;

static void
scatter_add (Scatter *self, double value, double said)
{
  g_assert_true (isfinite (value));
  g_assert_true (isfinite (said) && said > 0);
  self->sum += value;
  self->square += value * value;
  self->said += said;
  self->n++;
}

/* The mean reported error is within 10 % of the scatter, which 1600 draws give within 1.8 %. */
static void
scatter_check (const Scatter *self, const Derived *of)
{
  double mean = self->sum / self->n, sd = sqrt (self->square / self->n - mean * mean),
         said = self->said / self->n, allowed = SANITIZED ? 0.25 : 0.1;

  g_test_message ("%s: %.5g for %.5g, scatter %.4g, reported %.4g (%+.1f %%)", of->name, mean,
                  of->truth, sd, said, 100 * (said / sd - 1));
  if (isfinite (of->truth))
    g_assert_cmpfloat_with_epsilon (mean, of->truth, 0.02 * of->truth);
  g_assert_cmpfloat_with_epsilon (said, sd, allowed * sd);
}

/* One compartment with two inputs.  Total inflow and volume are known better than their parts, so
 * their errors need the covariances. */
static void
test_two_inputs (void)
{
  static const Derived derived[] = {
    { "total inflow", VG_PERFUSION_OUTPUT_TOTAL_INFLOW, VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR,
      120 },
    { "arterial fraction", VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION,
      VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION_ERROR, 100 / 6.0 },
    { "distribution volume", VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME,
      VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME_ERROR, 0.3 },
    { "mean transit time", VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME,
      VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME_ERROR, 15 },
  };
  static const double cnrs[] = { 100, 50, 30 };

  for (guint i = 0; i < G_N_ELEMENTS (cnrs); i++)
    {
      PerfusionFixture f = perfusion_fixture (128, DRAWS, cnrs[i], FALSE, 30 + i);
      Scatter scatters[G_N_ELEMENTS (derived)] = { 0 };
      double ka = 0, kp = 0;

      perfusion_fixture_fit (&f, NULL);
      for (int c = 0; c < DRAWS; c++)
        {
          const double *values = f.values +
                                 (gsize) (c / VG_PERFUSION_LANES) * VG_PERFUSION_FIT_VALUES *
                                     VG_PERFUSION_LANES +
                                 c % VG_PERFUSION_LANES;

          for (guint k = 0; k < G_N_ELEMENTS (derived); k++)
            scatter_add (&scatters[k],
                         derive (values, VG_PERFUSION_LANES, derived[k].value,
                                 VG_PERFUSION_COMPARTMENT, TRUE),
                         derive (values, VG_PERFUSION_LANES, derived[k].error,
                                 VG_PERFUSION_COMPARTMENT, TRUE));
          ka += perfusion_value (&f, c, VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_KA) / DRAWS;
          kp += perfusion_value (&f, c, VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_KP) / DRAWS;
        }
      g_test_message ("CNR %g: errors of the inflows taken as independent: %.4g", cnrs[i],
                      sqrt (ka * ka + kp * kp));
      for (guint k = 0; k < G_N_ELEMENTS (derived); k++)
        scatter_check (&scatters[k], &derived[k]);
      perfusion_fixture_clear (&f);
    }
}

/* With the artery alone total inflow is ka, and its error that of ka. */
static void
test_one_input (void)
{
  enum { N = 120 };
  static const Derived derived[] = {
    { "distribution volume", VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME,
      VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME_ERROR, 1 / 3.0 },
    { "mean transit time", VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME,
      VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME_ERROR, 100 },
  };
  VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();
  g_auto (PerfusionDraws) draws = perfusion_draws_of_compartment (
      perfusion_draws_problem (VG_PERFUSION_COMPARTMENT, N, FALSE, NULL), 20, 60, 2, 40, 78);
  g_autoptr (VgPerfusionDictionary) dictionary = vg_perfusion_dictionary_new (draws.problem);
  g_autofree double *scratch = g_new (double, vg_perfusion_fit_scratch (draws.problem));
  double noisy[N * VG_PERFUSION_LANES], out[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];
  Scatter scatters[G_N_ELEMENTS (derived)] = { 0 };

  for (int b = 0; b < DRAWS / VG_PERFUSION_LANES; b++)
    {
      perfusion_draws_next (&draws, VG_PERFUSION_LANES, noisy);
      vg_perfusion_fit_batch (draws.problem, dictionary, &options, noisy, VG_PERFUSION_LANES,
                              scratch, out);
      for (int l = 0; l < VG_PERFUSION_LANES; l++)
        {
          for (guint k = 0; k < G_N_ELEMENTS (derived); k++)
            scatter_add (&scatters[k],
                         derive (out + l, VG_PERFUSION_LANES, derived[k].value,
                                 VG_PERFUSION_COMPARTMENT, FALSE),
                         derive (out + l, VG_PERFUSION_LANES, derived[k].error,
                                 VG_PERFUSION_COMPARTMENT, FALSE));
          g_assert_cmpfloat_with_epsilon (
              derive (out + l, VG_PERFUSION_LANES, VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR,
                      VG_PERFUSION_COMPARTMENT, FALSE),
              derive (out + l, VG_PERFUSION_LANES, VG_PERFUSION_OUTPUT_KA_ERROR,
                      VG_PERFUSION_COMPARTMENT, FALSE),
              1e-4);
        }
    }
  for (guint k = 0; k < G_N_ELEMENTS (derived); k++)
    scatter_check (&scatters[k], &derived[k]);
}

/* Tissue whose best arterial inflow would be negative: the total is the portal inflow and has its
 * error; the fraction is at its bound and has none. */
static void
test_at_bound (void)
{
  PerfusionFixture f = perfusion_fixture (128, VG_PERFUSION_LANES, 1e30, FALSE, 1);
  int without = 0;
  GRand *rand = g_rand_new_with_seed (5);

  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    {
      double *curve = perfusion_curve_at (&f, l), a[128], p[128];

      vg_perfusion_curve (f.problem, f.problem->artery, VG_PERFUSION_EXPONENTIAL,
                          400 / VG_PERFUSION_RATE, 1, a, NULL, NULL);

      vg_perfusion_curve (f.problem, f.problem->portal, VG_PERFUSION_EXPONENTIAL,
                          400 / VG_PERFUSION_RATE, 2, p, NULL, NULL);
      for (int i = 0; i < 128; i++)
        curve[i * VG_PERFUSION_LANES] = (100 * p[i] - 5 * a[i]) / VG_PERFUSION_RATE +
                                        0.001 * perfusion_noise (rand);
    }
  perfusion_fixture_fit (&f, NULL);
  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    if (perfusion_value (&f, l, VG_PERFUSION_FIT_KA) == 0)
      {
        const double *values = f.values + l;

        without++;
        g_assert_cmpfloat_with_epsilon (
            derive (values, VG_PERFUSION_LANES, VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR,
                    VG_PERFUSION_COMPARTMENT, TRUE),
            derive (values, VG_PERFUSION_LANES, VG_PERFUSION_OUTPUT_KP_ERROR,
                    VG_PERFUSION_COMPARTMENT, TRUE),
            1e-5);
        g_assert_true (
            isnan (derive (values, VG_PERFUSION_LANES, VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION_ERROR,
                           VG_PERFUSION_COMPARTMENT, TRUE)));
        g_assert_cmpfloat (derive (values, VG_PERFUSION_LANES,
                                   VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME_ERROR,
                                   VG_PERFUSION_COMPARTMENT, TRUE),
                           >, 0);
      }
  g_assert_cmpint (without, >, 2);
  g_rand_free (rand);
  perfusion_fixture_clear (&f);
}

/* The arterial fraction of a model with a plasma space is a fit parameter. */
static void
test_fraction (void)
{
  enum { N = 120, FITS = SANITIZED ? 100 : 800 };
  static const Derived fraction = { "arterial fraction, extended Tofts",
                                    VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION,
                                    VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION_ERROR, 30 };
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  VgPerfusionFitOptions options = { 100, 1e-8, 1 };
  double truth[VG_PERFUSION_FIT_VALUES] = { 40, 0, 0.06, 0, 0, 0.25, 0.3 }, noisy[N],
         values[VG_PERFUSION_FIT_VALUES];
  Scatter scatter = { 0 };

  bounds.delays = VG_PERFUSION_DELAYS_NONE;
  g_auto (PerfusionDraws) draws = perfusion_draws_of (
      perfusion_draws_problem (VG_PERFUSION_EXTENDED_TOFTS, N, TRUE, &bounds), truth, 60, 2013);
  g_autoptr (VgPerfusionGrid) grid = vg_perfusion_grid_new (draws.problem, 1);
  for (int d = 0; d < FITS; d++)
    {
      perfusion_draws_next (&draws, 1, noisy);
      vg_perfusion_general_fit (draws.problem, grid, &options, noisy, 1, values);
      scatter_add (&scatter, derive (values, 1, fraction.value, VG_PERFUSION_EXTENDED_TOFTS, TRUE),
                   derive (values, 1, fraction.error, VG_PERFUSION_EXTENDED_TOFTS, TRUE));
    }
  scatter_check (&scatter, &fraction);
}

/* Deconvolution with a given limit: the volume is linear in the curve, the transit time nearly. */
static void
test_deconvolution (void)
{
  enum { N = 80 };
  static const Derived derived[] = {
    { "volume, deconvolution", VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME,
      VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME_ERROR, NAN },
    { "transit time, deconvolution", VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME,
      VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME_ERROR, NAN },
  };
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  double noisy[N * VG_PERFUSION_LANES], values[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];
  Scatter scatters[G_N_ELEMENTS (derived)] = { 0 };

  bounds.delays = VG_PERFUSION_DELAYS_NONE;
  g_auto (PerfusionDraws) draws = perfusion_draws_of_compartment (
      perfusion_draws_problem (VG_PERFUSION_DECONVOLUTION, N, FALSE, &bounds),
      0.01 * VG_PERFUSION_RATE, VG_PERFUSION_RATE / 15, 0, 50, 79);
  g_autoptr (VgPerfusionDeconvolution) tables = vg_perfusion_deconvolution_new (
      draws.problem, 1, VG_PERFUSION_TIKHONOV, 0.001, 1, NULL);
  g_autofree double *scratch = g_new (double, vg_perfusion_deconvolution_scratch (tables));
  for (int b = 0; b < DRAWS / VG_PERFUSION_LANES; b++)
    {
      perfusion_draws_next (&draws, VG_PERFUSION_LANES, noisy);
      vg_perfusion_deconvolve_batch (tables, draws.problem, noisy, VG_PERFUSION_LANES, scratch,
                                     values, NULL);
      for (int l = 0; l < VG_PERFUSION_LANES; l++)
        for (guint k = 0; k < G_N_ELEMENTS (derived); k++)
          scatter_add (&scatters[k],
                       derive (values + l, VG_PERFUSION_LANES, derived[k].value,
                               VG_PERFUSION_DECONVOLUTION, FALSE),
                       derive (values + l, VG_PERFUSION_LANES, derived[k].error,
                               VG_PERFUSION_DECONVOLUTION, FALSE));
    }
  for (guint k = 0; k < G_N_ELEMENTS (derived); k++)
    scatter_check (&scatters[k], &derived[k]);
}

/* A percentage has an error in percentage points, not one relative to its value. */
static void
test_units (void)
{
  const VgOperation *operation = &vg_perfusion_operation;

  g_assert_cmpint (vg_operation_find_role (operation, VG_ROLE_ERROR, "arterial_fraction"), ==,
                   VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION_ERROR);
  for (guint i = 0; i < operation->n_outputs; i++)
    g_assert_cmpint (vg_operation_find_relative_error (operation, i), ==, -1);
  for (int unit = VG_PERFUSION_UNIT_PER_100G; unit <= VG_PERFUSION_UNIT_PER_S; unit++)
    g_assert_cmpfloat (
        vg_perfusion_output_factor (VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR, unit, 1.05f), ==,
        vg_perfusion_output_factor (VG_PERFUSION_OUTPUT_TOTAL_INFLOW, unit, 1.05f));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-derived/units", test_units);
  g_test_add_func ("/perfusion-derived/two-inputs", test_two_inputs);
  g_test_add_func ("/perfusion-derived/one-input", test_one_input);
  g_test_add_func ("/perfusion-derived/at-bound", test_at_bound);
  g_test_add_func ("/perfusion-derived/fraction", test_fraction);
  g_test_add_func ("/perfusion-derived/deconvolution", test_deconvolution);
  return g_test_run ();
}
