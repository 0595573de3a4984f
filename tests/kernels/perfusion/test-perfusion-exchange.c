/* SPDX-License-Identifier: MIT */
/* The two-compartment exchange model with and without flow limitation: how many fits end above
 * the lowest sum of squares, how often two standard errors include the truth, and which
 * parameters are not determined. */
#include "tests/support/sanitized.h"
#include "kernels/perfusion/fit/perfusion-exchange-search.h"
#include "tests/kernels/perfusion/support/perfusion-draws.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "kernels/perfusion/fit/perfusion-output.h"

enum { N = 120, COUNT = SANITIZED ? 30 : 300, BEST = 8, CNRS = 3 };

/* The allowed probability of larger random deviations from 1 %, 90 % and 98 %. */
#define RARE 0.001

/* Fits of COUNT curves of random tissue at one noise level. */
typedef struct
{
  VgPerfusionProblem *problem;
  VgPerfusionGrid *grid;
  double *curves, *truths, *values;
} Tissue;

/* F is 5 to 100 ml/100 g/min; PS is 0.1 to 5 times F or, with flow limitation, 2 to 5 times. */
static Tissue
tissue_new (gboolean dual, gboolean delayed, gboolean limited, double cnr, guint32 seed)
{
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();
  g_autoptr (VgPerfusionProblem) inputs = perfusion_problem (N);
  GRand *rand = g_rand_new_with_seed (seed);
  Tissue self = { NULL };

  bounds.delays = delayed ? VG_PERFUSION_DELAYS_FREE : VG_PERFUSION_DELAYS_NONE;
  self.problem = vg_perfusion_problem_new (VG_PERFUSION_EXCHANGE, N, inputs->times_s,
                                           inputs->artery, dual ? inputs->portal : NULL, NULL,
                                           &bounds);
  self.grid = vg_perfusion_grid_new (self.problem, 1);
  self.curves = g_new (double, N *COUNT);
  self.truths = g_new0 (double, COUNT *VG_PERFUSION_FIT_VALUES);
  self.values = g_new0 (double, COUNT *VG_PERFUSION_FIT_VALUES);
  for (int c = 0; c < COUNT; c++)
    {
      double *truth = self.truths + c * VG_PERFUSION_FIT_VALUES, *curve = self.curves + c * N,
             peak = 0;

      truth[VG_PERFUSION_FIT_FLOW] = 5 * pow (20, g_rand_double (rand));
      truth[VG_PERFUSION_FIT_EXCHANGE] = truth[VG_PERFUSION_FIT_FLOW] *
                                         (limited ? g_rand_double_range (rand, 2, 5)
                                                  : 0.1 * pow (50, g_rand_double (rand)));
      truth[VG_PERFUSION_FIT_PLASMA] = g_rand_double_range (rand, 0.02, 0.12);
      truth[VG_PERFUSION_FIT_INTERSTITIUM] = g_rand_double_range (rand, 0.08, 0.4);
      truth[VG_PERFUSION_FIT_TAU_A] = delayed ? g_rand_double_range (rand, 0.5, 7) : 0;
      truth[VG_PERFUSION_FIT_TAU_P] = delayed ? g_rand_double_range (rand, 0.5, 7) : 0;
      truth[VG_PERFUSION_FIT_FRACTION] = dual ? g_rand_double_range (rand, 0.15, 0.85) : 1;
      vg_perfusion_general_curve (self.problem, truth, curve);
      for (int i = 0; i < N; i++)
        peak = MAX (peak, curve[i]);
      for (int i = 0; i < N; i++)
        curve[i] += peak / cnr * perfusion_noise (rand);
    }
#pragma omp parallel for schedule(dynamic)
  for (int c = 0; c < COUNT; c++)
    vg_perfusion_general_fit (self.problem, self.grid, &options, self.curves + c * N, 1,
                              self.values + c * VG_PERFUSION_FIT_VALUES);
  g_rand_free (rand);
  return self;
}

static void
tissue_clear (Tissue *self)
{
  vg_perfusion_problem_free (self->problem);
  vg_perfusion_grid_free (self->grid);
  g_free (self->curves);
  g_free (self->truths);
  g_free (self->values);
}

static double
squares (const double *values)
{
  return values[VG_PERFUSION_FIT_RESIDUAL] * values[VG_PERFUSION_FIT_RESIDUAL] * N;
}

/* The products of a pass at X. */
static VgPerfusionProducts
pass (const VgPerfusionTask *task, const double *x, const double *curve)
{
  VgPerfusionProducts products;

  vg_perfusion_exchange_products (task, x, curve, 1, &products);
  return products;
}

/* The sum of squares at the end of a descent from X. */
static double
descend (const VgPerfusionTask *task, const VgPerfusionDescent *descent, const double *curve,
         double yy, const double *x)
{
  const int first[2] = { 0, 0 };
  VgPerfusionSearch search;

  vg_perfusion_search_begin (&search, descent, x, first, 1, yy, task->n);
  while (search.phase == VG_PERFUSION_SEARCH_DESCEND)
    {
      VgPerfusionProducts products = pass (task, search.at, curve);

      vg_perfusion_search_take (task, x, &products, task->dual,
                                task->bounds.delays != VG_PERFUSION_DELAYS_NONE, &search);
    }
  g_assert_cmpint (search.phase, ==, VG_PERFUSION_SEARCH_FOUND);
  return search.lowest.cost;
}

/* The least sum of squares of CURVE in descents from many grid points.  It also checks that the
 * range of the rates suffices. */
static double
best_squares (const Tissue *self, const double *curve)
{
  const VgPerfusionDescent tight = { 300, 1e-8 };
  VgPerfusionTask task = vg_perfusion_task (self->problem);
  float scores[VG_PERFUSION_MAX_GROUPS];
  double x[VG_PERFUSION_UNKNOWNS], best = INFINITY, yy = 0;
  int where[VG_PERFUSION_MAX_GROUPS], groups = self->grid->count / self->grid->group;

  for (int i = 0; i < N; i++)
    yy += curve[i] * curve[i];
  vg_perfusion_grid_score (self->grid, curve, 1, scores, where);
  for (int k = 0; k < MIN (BEST, groups); k++)
    {
      int top = 0;

      for (int g = 1; g < groups; g++)
        top = scores[g] > scores[top] ? g : top;
      scores[top] = -1;
      for (int faster = 0; faster < (k < 3 ? 4 : 1); faster++)
        {
          memcpy (x, self->grid->points[where[top]], sizeof x);
          if (faster > 0)
            x[VG_PERFUSION_LOG_K1] = log (0.05 * pow (4, faster));
          best = MIN (best, descend (&task, &tight, curve, yy, x));
        }
    }
  return best;
}

/* The number that COUNT trials with probability P exceed with a probability of at most BEYOND. */
static int
scatter (int count, double p, double beyond)
{
  double chance = pow (1 - p, count), sum = chance;
  int k = 0;

  for (; sum < 1 - beyond && k < count; k++)
    {
      chance *= (count - k) / (k + 1.0) * p / (1 - p);
      sum += chance;
    }
  return k;
}

/* The number of fits that end above 1.02 times the lowest sum of squares. */
static int
count_above (const Tissue *self)
{
  int above = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : above)
  for (int c = 0; c < COUNT; c++)
    above += squares (self->values + c * VG_PERFUSION_FIT_VALUES) >
             1.02 * best_squares (self, self->curves + c * N);
  return above;
}

typedef struct
{
  int held, known, fitted;
} Held;

static const char *const parameters[VG_PERFUSION_FIT_PARAMETERS] = {
  "plasma flow",  "permeability",        "plasma volume",    "arterial delay",
  "portal delay", "interstitial volume", "arterial fraction"
};

/* Counts how often two standard errors of PARAMETER include the truth, in fitted voxels that have
 * a value. */
static void
count_held (const Tissue *self, int parameter, Held *held)
{
  const VgPerfusionBounds *bounds = &self->problem->bounds;
  gboolean delay = parameter == VG_PERFUSION_FIT_TAU_A || parameter == VG_PERFUSION_FIT_TAU_P;
  double limit = vg_perfusion_delay_error_limit ((float) bounds->delay_min,
                                                 (float) bounds->delay_max);

  for (int c = 0; c < COUNT; c++)
    {
      const double *values = self->values + c * VG_PERFUSION_FIT_VALUES;
      double error = values[VG_PERFUSION_FIT_ERRORS + parameter];

      if (values[VG_PERFUSION_FIT_STATUS] != VG_PERFUSION_FITTED)
        continue;
      held->fitted++;
      if (((int) values[VG_PERFUSION_FIT_REMARKS] >> (VG_PERFUSION_REMARK_UNKNOWN + parameter) &
           1) ||
          (delay && !(error <= limit)))
        continue;
      held->known++;
      held->held += fabs (values[parameter] -
                          self->truths[c * VG_PERFUSION_FIT_VALUES + parameter]) <= 2 * error;
    }
}

/* At most 1 % of fits end above 1.02 times the lowest sum of squares, at each noise level and in
 * all; two standard errors include 90 to 98 % of the true values of every parameter. */
static void
test_random (gconstpointer data)
{
  const int kind = GPOINTER_TO_INT (data);
  static const double cnrs[CNRS] = { 30, 100, 400 };
  gboolean dual = kind & 1, delayed = (kind & 2) != 0;
  Held exchange[2] = { { 0 } };
  int all_above = 0;

  for (int limited = 0; limited < 2; limited++)
    {
      Held held[VG_PERFUSION_FIT_PARAMETERS] = { { 0 } };
      g_autofree char *what = g_strdup_printf (
          "%s, delays %s, %s", dual ? "two inputs" : "one input", delayed ? "found" : "none",
          limited ? "limited by flow" : "any");

      for (int i = 0; i < CNRS; i++)
        {
          Tissue tissue = tissue_new (dual, delayed, limited, cnrs[i],
                                      (guint32) (100 * kind + 10 * i + limited));
          int above = count_above (&tissue);

          g_test_message ("%s, CNR %g: %d of %d end above 1.02 times the best", what, cnrs[i],
                          above, COUNT);
          g_assert_cmpint (above, <=, scatter (COUNT, 0.01, RARE));
          all_above += above;
          for (int p = 0; p < VG_PERFUSION_FIT_PARAMETERS; p++)
            count_held (&tissue, p, &held[p]);
          tissue_clear (&tissue);
        }
      for (int p = 0; p < VG_PERFUSION_FIT_PARAMETERS; p++)
        {
          gboolean there = p == VG_PERFUSION_FIT_TAU_A   ? delayed
                           : p == VG_PERFUSION_FIT_TAU_P ? delayed && dual
                                                         : p != VG_PERFUSION_FIT_FRACTION || dual;

          if (!there)
            continue;
          g_test_message ("%s: of %d fitted %d have a %s, two errors hold %.1f %%", what,
                          held[p].fitted, held[p].known, parameters[p],
                          100.0 * held[p].held / MAX (held[p].known, 1));
          g_assert_cmpint (held[p].known - held[p].held, <=, scatter (held[p].known, 0.10, RARE));
          g_assert_cmpint (held[p].known - held[p].held, >=,
                           scatter (held[p].known, 0.02, 1 - RARE));
        }
      exchange[limited] = held[VG_PERFUSION_FIT_EXCHANGE];
    }
  g_assert_cmpint (all_above, <=, scatter (2 * CNRS * COUNT, 0.01, RARE));
  if (SANITIZED)
    return;
  /* Some values are determined, fewer with flow limitation. */
  g_assert_cmpfloat (exchange[0].known, >, 0.35 * exchange[0].fitted);
  g_assert_cmpint (exchange[1].known * exchange[0].fitted, <,
                   exchange[0].known * exchange[1].fitted);
}

/* The single pass of the exchange model gives the same amounts, cost, gradient and normal matrix
 * as two passes over the frames, on even and uneven grids, with excluded frames, at any delays. */
static void
test_pass (void)
{
  GRand *rand = g_rand_new_with_seed (4);

  for (int kind = 0; kind < 24; kind++)
    {
      gboolean dual = kind & 1, uneven = (kind & 2) != 0;
      VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
      g_autoptr (VgPerfusionProblem) inputs = perfusion_problem (N);
      g_autofree double *weights = g_new (double, N), *times = g_new (double, N);
      double y[N], yy = 0, x[VG_PERFUSION_UNKNOWNS] = { log (0.3), log (0.01), 0, 0, 1 };
      VgPerfusionSystem one, two;

      bounds.delays = (VgPerfusionDelays) (kind / 4 % 3);
      bounds.delay_min = -5;
      for (int i = 0; i < N; i++)
        {
          times[i] = inputs->times_s[i] + (uneven ? 0.3 * sin (i) : 0);
          weights[i] = kind >= 12 && i % 7 == 3 ? 0 : kind >= 12 ? 1 + i % 2 : 1;
        }
      g_autoptr (VgPerfusionProblem)
          problem = vg_perfusion_problem_new (VG_PERFUSION_EXCHANGE, N, times, inputs->artery,
                                              dual ? inputs->portal : NULL, weights, &bounds);
      VgPerfusionTask task = vg_perfusion_task (problem);

      for (int draw = 0; draw < 20; draw++)
        {
          x[VG_PERFUSION_LOG_K1] = g_rand_double_range (rand, -6, 1);
          x[VG_PERFUSION_LOG_K2] = g_rand_double_range (rand, -6, 1);
          x[VG_PERFUSION_SHARE] = dual ? g_rand_double (rand) : 1;
          for (int q = VG_PERFUSION_TA;
               q <= VG_PERFUSION_TP && bounds.delays != VG_PERFUSION_DELAYS_NONE; q++)
            x[q] = q > VG_PERFUSION_TA && bounds.delays == VG_PERFUSION_DELAYS_SHARED
                       ? x[q - 1]
                       : g_rand_double_range (rand, -5, 10);
          yy = 0;
          for (int i = 0; i < N; i++)
            {
              y[i] = problem->artery[i] * g_rand_double_range (rand, 0, 0.2) + 0.02 * i / N;
              yy += task.weights[i] * y[i] * y[i];
            }
          VgPerfusionProducts products = pass (&task, x, y);
          vg_perfusion_exchange_fill (&task, x, &products, yy, TRUE, TRUE, dual,
                                      bounds.delays != VG_PERFUSION_DELAYS_NONE, &one);
          vg_perfusion_general_system (&task, x, y, 1, &two);
          g_assert_cmpfloat_with_epsilon (one.cost, two.cost, 1e-10 * yy);
          g_assert_cmpfloat_with_epsilon (one.a, two.a, 1e-7 * (two.a + two.b) + 1e-30);
          g_assert_cmpfloat_with_epsilon (one.b, two.b, 1e-7 * (two.a + two.b) + 1e-30);
          for (int q = 0; q < VG_PERFUSION_ALL; q++)
            {
              double own = sqrt (two.m[VG_PERFUSION_AT (q, q)]);

              g_assert_cmpfloat_with_epsilon (one.g[q], two.g[q], 1e-7 * own * sqrt (yy) + 1e-30);
              for (int r = 0; r <= q; r++)
                g_assert_cmpfloat_with_epsilon (
                    one.m[VG_PERFUSION_AT (q, r)], two.m[VG_PERFUSION_AT (q, r)],
                    1e-7 * own * sqrt (two.m[VG_PERFUSION_AT (r, r)]) + 1e-30);
            }
        }
    }
  g_rand_free (rand);
}

/* In tissue with one compartment exchange and volumes are not determined; flow is. */
static void
test_one_space (void)
{
  enum { DRAWS = 60 };
  VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();
  g_auto (PerfusionDraws) draws = perfusion_draws_of_compartment (
      perfusion_draws_problem (VG_PERFUSION_EXCHANGE, N, FALSE, NULL), 20, 60, 2, 50, 6);
  g_autoptr (VgPerfusionGrid) grid = vg_perfusion_grid_new (draws.problem, 1);
  double noisy[N], values[VG_PERFUSION_FIT_VALUES];
  int unknown = 0, told = 0;

  for (int d = 0; d < DRAWS; d++)
    {
      float map[VG_PERFUSION_FIT_VALUES];

      perfusion_draws_next (&draws, 1, noisy);
      vg_perfusion_general_fit (draws.problem, grid, &options, noisy, 1, values);
      for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
        map[i] = (float) values[i];
      if (!isnan (vg_perfusion_derived (map, 1, VG_PERFUSION_OUTPUT_PERMEABILITY,
                                        VG_PERFUSION_EXCHANGE, FALSE, 3)))
        continue;
      unknown++;
      g_assert_cmpfloat (vg_perfusion_derived (map, 1, VG_PERFUSION_OUTPUT_UNDETERMINED,
                                               VG_PERFUSION_EXCHANGE, FALSE, 3),
                         >, 0);
      g_assert_true (isnan (
          vg_perfusion_derived (map, 1, VG_PERFUSION_OUTPUT_VE, VG_PERFUSION_EXCHANGE, FALSE, 3)));
      told += !isnan (vg_perfusion_derived (map, 1, VG_PERFUSION_OUTPUT_PLASMA_FLOW,
                                            VG_PERFUSION_EXCHANGE, FALSE, 3));
    }
  g_test_message ("permeability not determined in %d of %d, flow told in %d", unknown, DRAWS, told);
  g_assert_cmpint (unknown, >=, DRAWS * 9 / 10);
  g_assert_cmpint (told, >=, unknown / 2);
}

/* A voxel with a delay at its bound is fitted, and the map of bounds names the delay. */
static void
test_delay_at_bound (void)
{
  g_autoptr (VgPerfusionProblem) problem = perfusion_problem (48);
  g_autoptr (VgPerfusionDictionary) dictionary = vg_perfusion_dictionary_new (problem);
  g_autofree double *scratch = g_new (double, vg_perfusion_fit_scratch (problem)),
                    *curves = g_new0 (double, 48 * VG_PERFUSION_LANES);
  VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();
  double a[48], p[48], values[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];
  float map[VG_PERFUSION_FIT_VALUES];

  vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, 400 / VG_PERFUSION_RATE,
                      0, a, NULL, NULL);
  vg_perfusion_curve (problem, problem->portal, VG_PERFUSION_EXPONENTIAL, 400 / VG_PERFUSION_RATE,
                      2, p, NULL, NULL);
  for (int i = 0; i < 48; i++)
    curves[i * VG_PERFUSION_LANES] = (20 * a[i] + 100 * p[i]) / VG_PERFUSION_RATE;
  /* The artery was measured a second downstream of the tissue, so its delay ends at 0. */
  for (int i = 0; i < 47; i++)
    curves[i * VG_PERFUSION_LANES] = 0.6 * curves[i * VG_PERFUSION_LANES] +
                                     0.4 * curves[(i + 1) * VG_PERFUSION_LANES];
  vg_perfusion_fit_batch (problem, dictionary, &options, curves, 1, scratch, values);
  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    map[i] = (float) values[i * VG_PERFUSION_LANES];
  g_assert_cmpfloat (map[VG_PERFUSION_FIT_TAU_A], ==, 0);
  g_assert_cmpint ((int) map[VG_PERFUSION_FIT_STATUS], ==, VG_PERFUSION_FITTED);
  g_assert_cmpint ((int) vg_perfusion_derived (map, 1, VG_PERFUSION_OUTPUT_BOUND,
                                               VG_PERFUSION_COMPARTMENT, TRUE, 3),
                   ==, VG_PERFUSION_BOUND_TAU_A_LOW);
}

/* Every remark has the name of its parameter. */
static void
test_labels (void)
{
  extern const VgOperation vg_perfusion_operation;
  static const struct
  {
    int remark, model;
    const char *name;
  } cases[] = {
    { VG_PERFUSION_REMARK_FIRST_0, VG_PERFUSION_COMPARTMENT, "Arterial inflow is 0" },
    { VG_PERFUSION_REMARK_SECOND_0, VG_PERFUSION_COMPARTMENT, "Portal inflow is 0" },
    { VG_PERFUSION_REMARK_FIRST_0, VG_PERFUSION_PATLAK, "Transfer constant is 0" },
    { VG_PERFUSION_REMARK_SECOND_0, VG_PERFUSION_EXTENDED_TOFTS, "Plasma volume is 0" },
    { VG_PERFUSION_REMARK_SECOND_0, VG_PERFUSION_UPTAKE, "Permeability is 0" },
    { VG_PERFUSION_REMARK_SECOND_0, VG_PERFUSION_EXCHANGE, "One compartment suffices" },
    { VG_PERFUSION_REMARK_RATE_HIGH | VG_PERFUSION_REMARK_TAU_A_LOW, VG_PERFUSION_COMPARTMENT,
      "Rate at its maximum" },
    { VG_PERFUSION_REMARK_SHARE_HIGH, VG_PERFUSION_PATLAK, "Arterial fraction is 1" },
    { VG_PERFUSION_REMARK_TAU_P_HIGH, VG_PERFUSION_COMPARTMENT, "Portal delay at its maximum" },
  };
  const VgOutput *outputs = vg_perfusion_operation.outputs;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (
        outputs[VG_PERFUSION_OUTPUT_BOUND]
            .hints.categories[vg_perfusion_bound_label (cases[i].remark, cases[i].model)],
        ==, cases[i].name);
  g_assert_cmpstr (
      outputs[VG_PERFUSION_OUTPUT_UNDETERMINED].hints.categories[vg_perfusion_undetermined_label (
          VG_PERFUSION_EXCHANGE_UNKNOWN << VG_PERFUSION_REMARK_UNKNOWN, 0, 0)],
      ==, "Permeability and volumes");
  g_assert_cmpstr (outputs[VG_PERFUSION_OUTPUT_UNDETERMINED]
                       .hints.categories[vg_perfusion_undetermined_label (0, 0, 1)],
                   ==, "Portal delay");
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "one-input", "two-inputs", "one-input-delay",
                                       "two-inputs-delays" };

  g_test_init (&argc, &argv, NULL);
  for (int kind = 0; kind < 4; kind++)
    {
      g_autofree char *path = g_strdup_printf ("/perfusion-exchange/%s", names[kind]);

      g_test_add_data_func (path, GINT_TO_POINTER (kind), test_random);
    }
  g_test_add_func ("/perfusion-exchange/pass", test_pass);
  g_test_add_func ("/perfusion-exchange/one-space", test_one_space);
  g_test_add_func ("/perfusion-exchange/delay-at-bound", test_delay_at_bound);
  g_test_add_func ("/perfusion-exchange/labels", test_labels);
  return g_test_run ();
}
