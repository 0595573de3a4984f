/* SPDX-License-Identifier: MIT */
/* Limits: deep layers, full tallies, photons that never end, too little memory, and replicates. */
#include <omp.h>
#include "tests/kernels/fluence/support/fluence-deep.h"
#include "kernels/base/vg-memory.h"

static VgFluenceParams *
params_new (const char *const *settings)
{
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);

  fluence_set (params, settings);
  return params;
}

static void
test_deep (void)
{
  check_deep (&vg_fluence_cpu_engine, 100000);
}

static void
test_rows (void)
{
  check_rows (&vg_fluence_cpu_engine, 200000);
}

/* A point source so deep that floats do not resolve its free paths. */
static void
test_deep_source (void)
{
  static const char *const settings[] = { "layers", "1.4,1,99,0,1e8",  "beam",
                                          "point",  "source_depth_cm", "1e6",
                                          NULL };
  VgFluenceParams *params = params_new (settings);
  g_autoptr (GError) error = NULL;

  g_assert_false (vg_fluence_validate (params, &error));
  g_assert_nonnull (strstr (error->message, "free paths deep in layer 1"));
  params->source_depth_cm = 100;
  g_assert_true (vg_fluence_validate (params, NULL));
  vg_params_free (&vg_fluence_operation.params, params);
}

/* A bin that is half full ends the run with a note; a fuller one is an error. */
static void
test_full (void)
{
  FluenceFixture run = { 0 };
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  g_autoptr (GError) error = NULL;
  VgFluenceRun *inner;
  guint64 mark;

  fluence_start (
      &run,
      (const char *[]){ "layers", "1.4,1,99,0,0.1", "nz", "7", "nr", "5", "photons", "1e9", NULL },
      2);
  g_assert_cmpint (run.engine->step (run.state, 1e-3, NULL), ==, VG_STEP_MORE);
  inner = *(VgFluenceRun **) run.state; /* the first member of both engines' states */
  inner->tally[3] = (guint64) 1 << 63;
  mark = inner->batch_end;
  while (run.engine->step (run.state, 1e-3, &error) == VG_STEP_MORE)
    ;
  g_assert_no_error (error);
  run.engine->results (run.state, numbers, NULL);
  /* it depends on the batch, not on the computing time */
  g_assert_cmpfloat (vg_metrics_find (numbers, "photons")->value, ==, (double) mark);
  g_assert_nonnull (strstr (vg_metrics_find (numbers, "photons")->advice, "ended early"));
  inner->tally[3] = (guint64) 3 << 62;
  g_assert_false (vg_fluence_run_check_capacity (inner, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  fluence_clear (&run);
}

/* Traces photons FIRST to LAST - 1 in a medium without boundaries, in CUTS calls. */
static guint64 *
endless_tally (const VgFluenceMedium *medium, int threads, int cuts)
{
  VgFluenceWalk *walk = vg_fluence_walk_new (medium, 1, TRUE, threads, NULL);
  VgFluenceLayout layout = vg_fluence_layout (medium->cells, medium->columns, medium->na,
                                              medium->gates);
  guint64 *tally = g_new0 (guint64, layout.size);

  for (int i = 0; i < cuts; i++)
    g_assert_cmpuint (0, ==,
                      vg_fluence_walk_run (walk, 600 * i / cuts, 600 * (i + 1) / cuts, 0, tally));
  vg_fluence_walk_free (walk);
  return tally;
}

/* The same photons are discarded on any number of threads. */
static void
test_lost (void)
{
  VgFluenceParams *params = params_new (
      (const char *[]){ "layers", "1.4,0,1000,0.5,1e8", "nz", "9", "nr", "4", "na", "3", NULL });
  VgFluenceMedium *medium = vg_fluence_medium_new (params);
  VgFluenceLayout layout = vg_fluence_layout (medium->cells, medium->columns, medium->na,
                                              medium->gates);
  g_autofree guint64 *once = NULL, *again = NULL;
  guint64 out = 0;

  medium->most_events = 5001;
  once = endless_tally (medium, 1, 1);
  again = endless_tally (medium, 3, 4);
  g_assert_cmpmem (once, layout.size * sizeof *once, again, layout.size * sizeof *again);
  g_assert_cmpuint (once[layout.totals + VG_FLUENCE_TOTAL_LOST], >, 2 * VG_FLUENCE_TALLY_UNIT);
  /* without absorption all light that is not discarded leaves */
  for (gsize i = layout.reflected; i < layout.reflected_square[0]; i++)
    out += once[i];
  g_assert_cmpuint (out + once[layout.totals + VG_FLUENCE_TOTAL_LOST], ==,
                    600 * (guint64) VG_FLUENCE_TALLY_UNIT);
  vg_fluence_medium_free (medium);
  vg_params_free (&vg_fluence_operation.params, params);
}

static gsize
host_bytes (const char *id, const char *value, int threads, int n_devices)
{
  VgFluenceParams *params = params_new ((const char *[]){ "nz", "20", "nr", "60000", "na", "30",
                                                          "dr_cm", "0.001", "beam_radius_cm", "10",
                                                          id, value, NULL });
  gsize bytes = vg_fluence_host_bytes (params, threads, n_devices), host, device;

  vg_fluence_memory (params, NULL, &host, &device);
  g_assert_cmpuint (host, <=, bytes);
  g_assert_cmpuint (device, >, sizeof (guint64) * 2 * 60000 * (gsize) params->na);
  vg_params_free (&vg_fluence_operation.params, params);
  return bytes;
}

/* All that is taken is counted. */
static void
test_memory (void)
{
  gsize thin = host_bytes ("beam", "pencil", 1, 0), exits = sizeof (guint64) * 2 * 60000;
  VgFluenceParams *params;
  g_autoptr (GError) error = NULL;

  /* tally and report */
  g_assert_cmpuint (host_bytes ("na", "60", 1, 0) - thin, >=, 2 * 30 * exits);
  g_assert_cmpuint (host_bytes ("beam", "flat", 1, 0) - thin, >=, (gsize) 4 * 60000 * 20001);
  g_assert_cmpuint (host_bytes ("beam", "flat", 1, 0) - thin, <, (gsize) 4 * 60000 * 20400);
  /* two tallies of each GPU */
  g_assert_cmpuint (host_bytes ("beam", "pencil", 1, 8) - thin, >=, 16 * 30 * exits);
  params = params_new ((const char *[]){ "nz", "16000", "nr", "65535", NULL });
  g_assert_cmpuint (vg_fluence_host_bytes (params, 1, 0), >, (gsize) 60 << 30);
  if (vg_memory_available () < (gsize) 60 << 30)
    {
      VgContext context = { .params = params, .threads = 1 };

      g_assert_null (vg_fluence_cpu_engine.prepare (&context, &error));
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);
      g_clear_error (&error);
    }
  params->nz = 20;
  params->na = 3600;
  g_assert_false (vg_fluence_validate (params, &error));
  g_assert_nonnull (strstr (error->message, "Angle bins"));
  vg_params_free (&vg_fluence_operation.params, params);
}

/* A beam that is narrow against the grid: the weights are a band and agree with their definition.
 */
static void
test_band (void)
{
  enum { NR = 3000 };
  const double dr = 0.001, radius = 0.02;
  g_autofree float *thin = g_new0 (float, NR), *wide = g_new0 (float, NR);

  g_assert_cmpuint (vg_fluence_beam_bytes (VG_FLUENCE_FLAT, radius, NR, dr), <=,
                    sizeof (float) * NR * 44);
  for (int beam = VG_FLUENCE_FLAT; beam <= VG_FLUENCE_GAUSSIAN; beam++)
    {
      VgFluenceBeamKernel *kernel = vg_fluence_beam_kernel_new (beam, radius, NR, dr, NULL);
      double sum = 0;

      /* the convolution of a ring at 1.5 cm is the beam's shape integrated along a line */
      memset (thin, 0, sizeof (float) * NR);
      thin[1500] = (float) (1 / (G_PI * 3001 * dr * dr));
      vg_fluence_beam_apply (kernel, thin, wide, 1);
      for (int j = 0; j < NR; j++)
        {
          double x = (j - 1500) * dr,
                 line = 2 / sqrt (2 * G_PI) / radius * exp (-2 * x * x / radius / radius) * 1.0;

          if (beam == VG_FLUENCE_FLAT)
            line = fabs (x) < radius ? 2 * sqrt (radius * radius - x * x) / (G_PI * radius * radius)
                                     : 0;
          sum += wide[j] * G_PI * (2 * j + 1) * dr * dr;
          if (fabs (x) < 0.8 * radius)
            g_assert_cmpfloat_with_epsilon (wide[j] * 2 * G_PI * (j + 0.5) * dr, line, 0.02 * line);
        }
      g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
      vg_fluence_beam_kernel_free (kernel);
    }
}

/* A report is computed once for the photons so far, and again after more photons. */
static void
test_report_kept (void)
{
  FluenceFixture run = { 0 };
  VgFluenceRun *inner;
  VgFluenceReport *report;
  double photons;

  fluence_start (&run, (const char *[]){ "layers", "van_de_hulst_slab", "photons", "1e9", NULL },
                 1);
  run.engine->step (run.state, 2e-3, NULL);
  inner = *(VgFluenceRun **) run.state;
  report = vg_fluence_run_report (inner, NULL);
  photons = report->photons;
  report->a_l[0] = -1;
  vg_curves_free (run.engine->curves->plot (run.state, 2, NULL));
  g_assert_cmpfloat (vg_fluence_run_report (inner, NULL)->a_l[0], ==, -1);
  run.engine->step (run.state, 2e-3, NULL);
  g_assert_cmpfloat (vg_fluence_run_report (inner, NULL)->photons, >, photons);
  g_assert_cmpfloat (vg_fluence_run_report (inner, NULL)->a_l[0], >, 0);
  fluence_clear (&run);
}

enum { PARTS = 6, OF_A_PART = 700 };

/* The relative error, %, of bin Z, C from the scatter of PARTS tallies, by plain sums. */
static double
plain_error (const VgFluenceRun *run, const guint64 *const *tallies, int z, int c)
{
  const VgFluenceMedium *medium = run->medium;
  double sum = 0, squares = 0, n = (PARTS - 1) * OF_A_PART;

  for (int i = 0; i < PARTS - 1; i++)
    {
      double value = 0;

      for (int row = 0; row < medium->rows; row++)
        if (medium->row_bin[row] == z && medium->row_layer[row] >= 0)
          value += (double) tallies[i][c * medium->rows + row] /
                   medium->mut[medium->row_layer[row]];
      sum += value;
      squares += value * value / OF_A_PART;
    }
  return 100 * sqrt (fmax (squares - sum * sum / n, 0) / (PARTS - 2) / n) / (sum / n);
}

/* Replicates as on a GPU, the last of them without photons: their sum is the tally and their
 * scatter the error, on any number of threads. */
static void
test_parts (void)
{
  static const char *const settings[] = { "layers",  "1.5,0.5,100,0.9,0.05;1.33,2,50,0.7,0.15",
                                          "dz_cm",   "0.004",
                                          "dr_cm",   "0.01",
                                          "nz",      "60",
                                          "nr",      "40",
                                          "na",      "10",
                                          "photons", "12000",
                                          NULL };
  FluenceFixture run = { 0 };
  const guint64 *tallies[PARTS];
  guint64 photons[PARTS] = { 0 };
  g_autofree float *before = NULL;
  VgFluenceRun *inner;
  double layer_error = 0;

  fluence_start (&run, settings, 1);
  inner = *(VgFluenceRun **) run.state; /* the first member of both engines' states */
  inner->replicated = TRUE;
  for (int i = 0; i < PARTS; i++)
    {
      VgFluenceWalk *walk = vg_fluence_walk_new (inner->medium, 1, TRUE, 1, NULL);
      guint64 *tally = g_new0 (guint64, inner->layout.size);

      photons[i] = i < PARTS - 1 ? OF_A_PART : 0;
      vg_fluence_walk_run (walk, i * OF_A_PART, i * OF_A_PART + photons[i], 0, tally);
      vg_fluence_walk_free (walk);
      tallies[i] = tally;
    }
  for (int threads = 1; threads <= 3; threads += 2)
    {
      VgPlane error;

      omp_set_num_threads (threads);
      vg_fluence_run_sum (inner, tallies, PARTS);
      for (gsize k = 0; k < inner->layout.size; k++)
        {
          guint64 sum = 0;

          for (int i = 0; i < PARTS; i++)
            sum += tallies[i][k];
          g_assert_cmpuint (inner->tally[k], ==, sum);
        }
      vg_fluence_run_set_replicates (inner, tallies, photons, PARTS);
      vg_fluence_run_advance (inner, (PARTS - 1) * OF_A_PART, 0);
      g_assert_cmpint (inner->batches, ==, PARTS - 1);
      g_assert_true (
          run.engine->output (run.state, VG_FLUENCE_OUTPUT_RELATIVE_ERROR, &error, NULL));
      for (int z = 0; z < 60; z += 7)
        for (int c = 0; c < 40; c += 3)
          {
            double expected = plain_error (inner, tallies, z, c), value = error.data[z * 40 + c];

            g_assert_true (isnan (expected) ? isnan (value)
                                            : fabs (value - expected) <= 1e-3 * expected);
          }
      if (threads == 1)
        {
          before = g_memdup2 (error.data, 60 * 40 * sizeof (float));
          layer_error = inner->layer_squares[1];
        }
      g_assert_cmpmem (before, 60 * 40 * sizeof (float), error.data, 60 * 40 * sizeof (float));
      g_assert_cmpfloat (layer_error, ==, inner->layer_squares[1]);
      g_assert_cmpfloat (layer_error, >, 0);
    }
  for (int i = 0; i < PARTS; i++)
    g_free ((gpointer) tallies[i]);
  fluence_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fluence/deep", test_deep);
  g_test_add_func ("/fluence/rows", test_rows);
  g_test_add_func ("/fluence/deep-source", test_deep_source);
  g_test_add_func ("/fluence/full", test_full);
  g_test_add_func ("/fluence/lost", test_lost);
  g_test_add_func ("/fluence/memory", test_memory);
  g_test_add_func ("/fluence/band", test_band);
  g_test_add_func ("/fluence/report-kept", test_report_kept);
  g_test_add_func ("/fluence/parts", test_parts);
  return g_test_run ();
}
