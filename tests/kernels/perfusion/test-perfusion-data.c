/* SPDX-License-Identifier: MIT */
/* Perfusion compared with curves of other programs and community reference data: MADYM's
 * calibration curves and OSIPI's test data. */
#include "tests/kernels/perfusion/support/perfusion-nifti.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "kernels/perfusion/paper/perfusion-paper.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/perfusion/model/perfusion-t1.h"
#include "kernels/perfusion/model/perfusion-signal.h"
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/core/vg-operation.h"
#include <string.h>

extern const VgOperation vg_perfusion_operation;

/* Reads the rows of a CSV file whose cells may hold lists of numbers. */
static GPtrArray *
read_rows (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 1; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      g_ptr_array_add (rows, g_strsplit (lines[i], ",", -1));
  return rows;
}

static int
read_list (const char *cell, double *values, int max)
{
  int n = 0;

  for (char *end; n < max; n++, cell = end)
    {
      values[n] = g_ascii_strtod (cell, &end);
      if (end == cell)
        break;
    }
  return n;
}

/* ---- MADYM ---- */

/* Reads N doubles after SKIP bytes, or after their number if SKIP is negative. */
static double *
read_binary (const char *name, int *n, int skip)
{
  g_autofree char *path = data_file ("perfusion", name), *bytes = NULL;
  double *values;
  gsize length;
  gint32 count;

  if (path == NULL)
    return NULL;
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  memcpy (&count, bytes, 4);
  *n = skip < 0 ? count : (int) ((length - (gsize) skip) / sizeof (double));
  values = g_new (double, *n);
  memcpy (values, bytes + (skip < 0 ? 4 : skip), sizeof (double) * (gsize) *n);
  return values;
}

/* MADYM's inputs: its AIF is the population AIF at the delayed times, and its PVIF is the AIF
 * convolved with the response of the gut, summed over frames and normalised. */
static void
madym_inputs (int n, const double *times, double delay, double *artery, double *portal)
{
  double area = 0;

  for (int i = 0; i < n; i++)
    {
      /* Contrast agent arrives in the eighth frame. */
      artery[i] = vg_perfusion_population_artery (times[i] - times[7] - delay) / (1 - 0.42);
      area += vg_perfusion_gut_response (times[i] - times[0]);
      portal[i] = 0;
      for (int k = 0; k <= i; k++)
        portal[i] += artery[k] * vg_perfusion_gut_response (times[i] - times[k]);
    }
  for (int i = 0; i < n; i++)
    portal[i] /= area;
}

static void
test_madym (void)
{
  int n, n_artery, n_portal, n_model;
  g_autofree double *times = read_binary ("madym/dyn_times.dat", &n, -1);
  g_autofree double *reference_artery = times != NULL ? read_binary ("madym/aif.dat", &n_artery, 20)
                                                      : NULL;
  g_autofree double *reference_portal = times != NULL ? read_binary ("madym/pif.dat", &n_portal, 0)
                                                      : NULL;
  g_autofree double *model = times != NULL ? read_binary ("madym/DISCM.dat", &n_model, 4) : NULL;
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  double worst = 0, worst_input = 0, x[5], curve[200], artery[200], portal[200];

  if (times == NULL)
    return;
  g_assert_cmpint (n, ==, 100);
  g_assert_cmpint (n_artery, ==, n);
  g_assert_cmpint (n_portal, ==, n);
  g_assert_cmpint (n_model, ==, n + 5);
  for (int i = 0; i < n; i++)
    times[i] *= 60;
  madym_inputs (n, times, 0, artery, portal);
  for (int i = 0; i < n; i++)
    worst_input = MAX (worst_input, MAX (fabs (artery[i] - reference_artery[i]),
                                         fabs (portal[i] - reference_portal[i])));
  /* F_p and k_2 per minute, f_a, tau_a and tau_v in minutes */
  madym_inputs (n, times, 60 * (model[3] + model[4]), artery, portal);
  x[0] = 100 * model[0] * model[2];
  x[1] = 100 * model[0] * (1 - model[2]);
  x[2] = 100 * model[1];
  x[3] = x[4] = 0;
  g_autoptr (VgPerfusionProblem) problem = vg_perfusion_problem_new (
      VG_PERFUSION_COMPARTMENT, n, times, artery, portal, NULL, &bounds);
  g_autoptr (VgPerfusionPaper)
      paper = vg_perfusion_paper_new (problem, VG_PERFUSION_CONVOLUTION_TRAPEZOID);
  g_autofree double *scratch = g_new (double, vg_perfusion_paper_scratch (paper));
  vg_perfusion_paper_curve (paper, x, curve, scratch);
  for (int i = 0; i < n; i++)
    worst = MAX (worst, fabs (curve[i] - model[5 + i]));
  g_test_message ("largest difference of the inputs %g, of the curve %g", worst_input, worst);
  g_assert_cmpfloat (worst_input, <, 1e-8);
  g_assert_cmpfloat (worst, <, 1e-12);
}

/* ---- OSIPI ---- */

/* Fits with the default settings. */
static void
fit_one (VgPerfusionModel model, int n, const double *times, const double *input,
         const double *curve, gboolean delay, double *out)
{
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  VgPerfusionFitOptions options = { params->iterations, params->tolerance, params->starts };

  bounds.k_max = params->kl_max / VG_PERFUSION_RATE;
  bounds.delay_min = params->delay_min_s;
  bounds.delay_max = params->delay_max_s;
  bounds.delays = delay ? VG_PERFUSION_DELAYS_FREE : VG_PERFUSION_DELAYS_NONE;
  vg_params_free (&vg_perfusion_operation.params, params);
  g_autoptr (VgPerfusionProblem)
      problem = vg_perfusion_problem_new (model, n, times, input, NULL, NULL, &bounds);
  if (model == VG_PERFUSION_COMPARTMENT)
    {
      g_autoptr (VgPerfusionDictionary) dictionary = vg_perfusion_dictionary_new (problem);
      g_autofree double *lanes = g_new0 (double, n *VG_PERFUSION_LANES),
                        *scratch = g_new (double, vg_perfusion_fit_scratch (problem));
      double values[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];

      for (int i = 0; i < n; i++)
        lanes[i * VG_PERFUSION_LANES] = curve[i];
      vg_perfusion_fit_batch (problem, dictionary, &options, lanes, 1, scratch, values);
      for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
        out[i] = values[i * VG_PERFUSION_LANES];
      return;
    }
  g_autoptr (VgPerfusionGrid) grid = vg_perfusion_grid_new (problem, 1);
  vg_perfusion_general_fit (problem, grid, &options, curve, 1, out);
}

static gboolean
near (double found, double expected, double absolute, double relative)
{
  return fabs (found - expected) <= absolute + relative * fabs (expected);
}

typedef struct
{
  const char *file;
  VgPerfusionModel model;
  int count;                             /* curves in the file */
  int flow, ps, vp, ve, delay, t, c, ca; /* columns; -1: none */
  gboolean free;                         /* the fit determines the delay; FALSE: no delay */
  /* Curves whose minimum lies outside the tolerance because of noise, within 2 standard errors of
   * the truth. */
  int noise;
  /* The tissue curve is shifted by 5 samples, which the fit must find as a delay. */
  gboolean shifted;
} Osipi;

static void
test_osipi (gconstpointer data)
{
  enum { MAX = 2048 };
  const Osipi *set = data;
  g_autofree char *path = data_file ("perfusion", set->file);
  g_autofree double *times = g_new0 (double, MAX), *curve = g_new0 (double, MAX),
                    *input = g_new0 (double, MAX);
  int passed = 0;

  if (path == NULL)
    return;
  g_autoptr (GPtrArray) rows = read_rows (path);
  g_assert_cmpint ((int) rows->len, ==, set->count);
  for (guint row = 0; row < rows->len; row++)
    {
      char **cells = rows->pdata[row];
      double values[VG_PERFUSION_FIT_VALUES], delay = 0;
      gboolean tofts = set->model == VG_PERFUSION_COMPARTMENT, ok = TRUE;
      int n = read_list (cells[set->t], times, MAX);

      g_assert_cmpint (read_list (cells[set->c], curve, MAX), ==, n);
      g_assert_cmpint (read_list (cells[set->ca], input, MAX), ==, n);
      if (set->shifted)
        {
          memmove (curve + 5, curve, sizeof (double) * (gsize) (n - 5));
          memset (curve, 0, sizeof (double) * 5);
          delay = 5 * (times[1] - times[0]);
        }
      fit_one (set->model, n, times, input, curve, set->free, values);
#define EXPECT(column, value, absolute, relative)                                                  \
  ok = ok &&                                                                                       \
       ((column) < 0 || near ((value), g_ascii_strtod (cells[column], NULL), absolute, relative))
      if (set->flow >= 0 && set->model <= VG_PERFUSION_PATLAK)
        EXPECT (set->flow, values[VG_PERFUSION_FIT_FLOW] / 100, 0.005, 0.1);
      else
        EXPECT (set->flow, values[VG_PERFUSION_FIT_FLOW], 5, 0.1);
      EXPECT (set->ps,
              (set->model == VG_PERFUSION_PATLAK ? values[VG_PERFUSION_FIT_FLOW]
                                                 : values[VG_PERFUSION_FIT_EXCHANGE]) /
                  100,
              0.005, 0.1);
      EXPECT (set->vp, values[VG_PERFUSION_FIT_PLASMA], 0.025, 0);
      EXPECT (set->ve,
              tofts ? values[VG_PERFUSION_FIT_KA] / values[VG_PERFUSION_FIT_KL]
                    : values[VG_PERFUSION_FIT_INTERSTITIUM],
              0.05, 0);
      if (set->shifted)
        ok = ok && fabs (values[VG_PERFUSION_FIT_TAU_A] - delay) <= 1;
      if (!ok)
        g_test_message ("%s: flow %g ps %g vp %g ve %g kl %g delay %g, residual %g, status %g "
                        "(true %s %s) +- %g",
                        cells[0], values[0], values[1], values[2], values[5], values[2], values[3],
                        values[VG_PERFUSION_FIT_RESIDUAL], values[VG_PERFUSION_FIT_STATUS],
                        set->flow >= 0 ? cells[set->flow] : "", set->ps >= 0 ? cells[set->ps] : "",
                        values[VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_EXCHANGE]);
      passed += ok;
      if (!ok)
        g_assert_true (
            fabs (values[VG_PERFUSION_FIT_EXCHANGE] - 100 * g_ascii_strtod (cells[set->ps], NULL)) <
            2 * values[VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_EXCHANGE]);
    }
  g_test_message ("%s: %d of %u", set->file, passed, rows->len);
  g_assert_cmpint (passed, ==, set->count - set->noise);
}

static void
test_population (void)
{
  g_autofree char *path = data_file ("perfusion", "osipi/ParkerAIF_ref.csv");
  int checked = 0;

  if (path == NULL)
    return;
  g_autoptr (GPtrArray) rows = read_rows (path);
  for (guint i = 0; i < rows->len; i++)
    {
      char **cells = rows->pdata[i];
      double t = g_ascii_strtod (cells[1], NULL), expected = g_ascii_strtod (cells[2], NULL),
             delay = g_ascii_strtod (cells[3], NULL);
      double found = vg_perfusion_population_artery (60 * t - delay);

      checked += 1;
      if (delay == 0)
        g_assert_true (near (found, expected, 1e-4, 0.01));
      else
        g_assert_true (near (found, expected, 0.1, 0.1));
    }
  g_assert_cmpint (checked, >, 100);
}

static void
test_signal (void)
{
  g_autofree char *path = data_file ("perfusion", "osipi/SI2Conc_data.csv");
  double signal[512], expected[512];

  if (path == NULL)
    return;
  g_autoptr (GPtrArray) rows = read_rows (path);
  for (guint i = 0; i < rows->len; i++)
    {
      char **cells = rows->pdata[i];
      int n = read_list (cells[6], signal, 512), baseline = atoi (cells[4]);
      VgPerfusionSignal self = { VG_PERFUSION_SIGNAL_GRADIENT_ECHO,
                                 (float) g_ascii_strtod (cells[5], NULL),
                                 (float) g_ascii_strtod (cells[2], NULL),
                                 (float) cos (g_ascii_strtod (cells[1], NULL) * G_PI / 180),
                                 0,
                                 0,
                                 0,
                                 0 };
      double before = 0;

      g_assert_cmpint (read_list (cells[7], expected, 512), ==, n);
      /* OSIPI's baseline excludes the first sample. */
      for (int k = 1; k < baseline; k++)
        before += signal[k] / (baseline - 1);
      for (int k = 0; k < n; k++)
        {
          double found = vg_perfusion_concentration (&self, (float) signal[k], (float) before,
                                                     (float) g_ascii_strtod (cells[3], NULL));

          if (!near (found, expected[k], 1e-5, 1e-5))
            g_error ("%s sample %d: %.8g, expected %.8g", cells[0], k, found, expected[k]);
        }
    }
}

static void
test_relaxation (gconstpointer data)
{
  g_autofree char *path = data_file ("perfusion", data);
  double angles[32], tr[32], signal[32];
  int failed = 0;

  if (path == NULL)
    return;
  g_autoptr (GPtrArray) rows = read_rows (path);
  for (guint i = 0; i < rows->len; i++)
    {
      char **cells = rows->pdata[i];
      int n = read_list (cells[1], angles, 32);
      double expected = g_ascii_strtod (cells[4], NULL), found;

      g_assert_cmpint (read_list (cells[2], tr, 32), ==, n);
      g_assert_cmpint (read_list (cells[3], signal, 32), ==, n);
      if (strstr (data, "quiba") != NULL)
        expected *= 1000; /* These rows are per millisecond. */
      for (int k = 0; k < n; k++)
        angles[k] *= G_PI / 180;
      found = 1 / vg_perfusion_t1_from_angles (n, angles, signal, tr[0], NULL);
      if (!near (found, expected, 0.05, 0.05))
        {
          g_test_message ("%s: R1 %g, expected %g", cells[0], found, expected);
          failed++;
        }
    }
  g_assert_cmpint (failed, ==, 0);
}

/* ---- The synthetic liver ---- */

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
test_liver (void)
{
  static const char *const truths[] = { "synth_liver/truth_ka.nii.gz",
                                        "synth_liver/truth_kp.nii.gz",
                                        "synth_liver/truth_kl.nii.gz" };
  /* the reference's results by dictionary and variable projection, three digits */
  static const double medians[] = { 1.63, 4.38, 16.6 };
  g_autoptr (VgImage) data = read_nifti ("synth_liver/conc_4d.nii.gz");
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  g_autoptr (GError) error = NULL;
  gpointer state;

  if (data == NULL)
    return;
  g_autoptr (VgImage) artery = read_nifti ("synth_liver/mask_aorta.nii.gz"),
                      portal = read_nifti ("synth_liver/mask_portal.nii.gz");
  g_autoptr (VgImage) liver = read_nifti ("synth_liver/mask_liver.nii.gz");
  VgInputFile files[] = { { "artery", artery }, { "portal", portal }, { "mask", liver } };
  data->info.frame_interval_s = 2.37;
  params->signal = VG_PERFUSION_SIGNAL_CONCENTRATION;
  VgContext context = {
    .params = params, .info = &data->info, .image = data, .files = files, .n_files = 3
  };
  state = vg_perfusion_operation.cpu->prepare (&context, &error);
  g_assert_no_error (error);
  while (vg_perfusion_operation.cpu->step (state, 0.05, &error) == VG_STEP_MORE)
    ;
  for (guint k = 0; k < G_N_ELEMENTS (truths); k++)
    {
      g_autoptr (VgImage) truth = read_nifti (truths[k]);
      gsize voxels = (gsize) data->info.width * (gsize) data->info.height *
                     (gsize) data->info.slices;
      g_autofree double *errors = g_new (double, voxels);
      VgPlane plane;
      int n = 0;

      g_assert_true (
          vg_perfusion_operation.cpu->output (state, VG_PERFUSION_OUTPUT_KA + k, &plane, NULL));
      for (gsize i = 0; i < voxels; i++)
        if (((const float *) liver->data)[i] != 0)
          errors[n++] = fabs (plane.data[i] - ((const float *) truth->data)[i]);
        else
          g_assert_true (isnan (plane.data[i]));
      qsort (errors, (gsize) n, sizeof *errors, compare_doubles);
      g_test_message ("%s: %d voxels, median error %.2f, 95 %% below %.2f", truths[k], n,
                      errors[n / 2], errors[n * 95 / 100]);
      g_assert_cmpint (n, ==, 4658);
      g_assert_cmpfloat (errors[n / 2], <=, medians[k]);
      if (k == 0)
        g_assert_cmpfloat (errors[n * 95 / 100], <=, 5.5);
    }
  vg_perfusion_operation.cpu->free (state);
  vg_params_free (&vg_perfusion_operation.params, params);
}

int
main (int argc, char **argv)
{
  static const Osipi sets[] = {
    { "osipi/dce_DRO_data_tofts.csv", VG_PERFUSION_COMPARTMENT, 25, 2, -1, -1, 1, 3, 4, 5, 6, FALSE,
      0, FALSE },
    { "osipi/dce_DRO_data_extended_tofts.csv", VG_PERFUSION_EXTENDED_TOFTS, 15, 3, -1, 2, 1, 4, 5,
      6, 7, FALSE, 0, FALSE },
    { "osipi/dce_DRO_data_extended_tofts.csv", VG_PERFUSION_EXTENDED_TOFTS, 15, 3, -1, 2, 1, 4, 5,
      6, 7, TRUE, 0, TRUE },
    { "osipi/patlak_sd_0.02_delay_0.csv", VG_PERFUSION_PATLAK, 9, -1, 2, 1, -1, 3, 4, 5, 6, FALSE,
      0, FALSE },
    { "osipi/2cxm_sd_0.001_delay_0.csv", VG_PERFUSION_EXCHANGE, 24, 3, 4, 1, 2, 5, 6, 7, 8, FALSE,
      0, FALSE },
    { "osipi/dce_DRO_data_tofts.csv", VG_PERFUSION_COMPARTMENT, 25, 2, -1, -1, 1, 3, 4, 5, 6, TRUE,
      0, FALSE },
    { "osipi/dce_DRO_data_extended_tofts.csv", VG_PERFUSION_EXTENDED_TOFTS, 15, 3, -1, 2, 1, 4, 5,
      6, 7, TRUE, 0, FALSE },
    { "osipi/patlak_sd_0.02_delay_0.csv", VG_PERFUSION_PATLAK, 9, -1, 2, 1, -1, 3, 4, 5, 6, TRUE, 0,
      FALSE },
    { "osipi/2cxm_sd_0.001_delay_0.csv", VG_PERFUSION_EXCHANGE, 24, 3, 4, 1, 2, 5, 6, 7, 8, TRUE, 1,
      FALSE },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-data/madym", test_madym);
  g_test_add_data_func ("/perfusion-data/osipi/tofts", &sets[0], test_osipi);
  g_test_add_data_func ("/perfusion-data/osipi/extended-tofts", &sets[1], test_osipi);
  g_test_add_data_func ("/perfusion-data/osipi/extended-tofts-delayed", &sets[2], test_osipi);
  g_test_add_data_func ("/perfusion-data/osipi/patlak", &sets[3], test_osipi);
  g_test_add_data_func ("/perfusion-data/osipi/exchange", &sets[4], test_osipi);
  g_test_add_data_func ("/perfusion-data/osipi/tofts-free-delay", &sets[5], test_osipi);
  g_test_add_data_func ("/perfusion-data/osipi/extended-tofts-free-delay", &sets[6], test_osipi);
  g_test_add_data_func ("/perfusion-data/osipi/patlak-free-delay", &sets[7], test_osipi);
  g_test_add_data_func ("/perfusion-data/osipi/exchange-free-delay", &sets[8], test_osipi);
  g_test_add_func ("/perfusion-data/osipi/population", test_population);
  g_test_add_func ("/perfusion-data/osipi/signal", test_signal);
  g_test_add_data_func ("/perfusion-data/osipi/t1-brain", "osipi/t1_brain_data.csv",
                        test_relaxation);
  g_test_add_data_func ("/perfusion-data/osipi/t1-qiba", "osipi/t1_quiba_data.csv",
                        test_relaxation);
  g_test_add_func ("/perfusion-data/liver", test_liver);
  return g_test_run ();
}
