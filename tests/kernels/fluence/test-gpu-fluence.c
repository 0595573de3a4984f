/* SPDX-License-Identifier: MIT */
/* The CUDA engine: exact results, energy, the same bits however the work is
 * cut and on however many GPUs, and the CPU's map within both sides' errors. */
#include "tests/kernels/fluence/support/fluence-deep.h"
#include "tests/support/gpu-begin.h"
#include "tests/support/data-file.h"
#include "kernels/core/vg-cuda.h"

static const VgCuda *cuda;

static FluenceFixture
on_gpu (void)
{
  return (FluenceFixture){ .engine = vg_cuda_engine (&vg_fluence_operation) };
}

static void
restart (FluenceFixture *run)
{
  static const int first[] = { 0 };
  g_autoptr (GError) error = NULL;
  VgContext context = { .params = run->params,
                        .devices = run->n_devices > 0 ? run->devices : first,
                        .n_devices = MAX (run->n_devices, 1) };

  run->engine->free (run->state);
  run->state = run->engine->prepare (&context, &error);
  g_assert_no_error (error);
}

static void
test_van_de_hulst (void)
{
  FluenceFixture run = on_gpu ();

  fluence_start (&run, vdh_settings, 0);
  run.params->photons = 1e8;
  restart (&run);
  fluence_finish (&run, 0.03);
  vdh_check (&run, 0.003);
  fluence_clear (&run);
}

static void
expect (const char *layers, double photons, double rd, double tt)
{
  const char *settings[] = { "layers", layers, NULL };
  FluenceFixture run = on_gpu ();

  g_test_message ("%s", layers);
  fluence_start (&run, settings, 0);
  run.params->photons = photons;
  restart (&run);
  fluence_finish (&run, 0.03);
  g_assert_cmpfloat (fluence_number (&run, "photons"), ==, photons);
  if (!isnan (rd))
    fluence_expect ("Rd", fluence_number (&run, "diffuse_reflectance"), rd,
                    fluence_number (&run, "diffuse_reflectance_error") + 1e-5, 4);
  if (!isnan (tt))
    fluence_expect ("Tt", fluence_number (&run, "transmittance"), tt,
                    fluence_number (&run, "transmittance_error") + 1e-6, 4);
  fluence_expect_balance (&run);
  g_test_message ("%.0f photons/ms", fluence_number (&run, "photons_per_ms"));
  fluence_clear (&run);
}

static void
test_exact (void)
{
  double r = pow (0.4 / 2.4, 2), pass = exp (-0.5);

  expect ("skin_600nm", 1e8, 0.562552, 0.003264);
  expect ("1.5,10,90,0,1e8", 1e8, 0.219935, NAN);
  expect ("1.4,5,0,0,0.1", 1e7, NAN, (1 - r) * (1 - r) * pass / (1 - r * r * pass * pass));
  expect ("1.4,0,100,0.5,0.1", 1e6, NAN, NAN);
  expect ("1.4,1e-9,100,0.5,0.1", 1e6, NAN, NAN);
  expect ("1.5,0,0,0,0.1;1.33,2,50,0.7,0.15;1.5,0,0,0,0.1", 1e6, NAN, NAN);
  expect ("1.33,0.015,707.7,0.87,1", 1e6, 0.92271, 0.01423);
  expect ("1.4,0,0,0,0.1", 1e6, NAN, 0.9459459);
}

/* The whole map of skin against four runs of MCML with a good generator, 4e8
 * photons: |difference| summed over the volume. */
static void
test_skin_map (void)
{
  g_autofree char *path = data_file ("fluence", "skin_400M_mean_Arz_200x500_f32.raw");
  const char *settings[] = { "layers", "skin_600nm", "dz_cm", "0.002", "dr_cm", "0.01",
                             "nz",     "500",        "nr",    "200",   NULL };
  g_autofree char *bytes = NULL;
  gsize length;
  FluenceFixture run = on_gpu ();
  double distance;

  if (path == NULL)
    return;
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_cmpuint (length, ==, 200 * 500 * sizeof (float));
  fluence_start (&run, settings, 0);
  run.params->photons = 1e8;
  restart (&run);
  fluence_finish (&run, 0.03);
  g_autoptr (VgFluenceReport) report = fluence_report (&run);
  fluence_expect ("A", fluence_number (&run, "absorbed"), 0.390299, 0.37e-4, 4);
  distance = map_distance (report, (const float *) (gpointer) bytes);
  g_test_message ("A_rz: volume-weighted L1 %.2e", distance);
  g_assert_cmpfloat (distance, <=, 1.1e-3);
  fluence_clear (&run);
}

static char *
result (const int *devices, int n_devices, double budget_s)
{
  static const char *const settings[] = { "layers", "skin_600nm", "photons", "300000", NULL };
  FluenceFixture run = on_gpu ();
  g_autofree char *name = NULL, *text = NULL;
  char *behind_time;

  run.devices = devices;
  run.n_devices = n_devices;
  fluence_start (&run, settings, 0);
  fluence_finish (&run, budget_s);
  text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
  behind_time = g_strdup (strstr (text, "\nInParm"));
  fluence_clear (&run);
  return behind_time;
}

static void
test_same (void)
{
  static const int all[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autofree char *once = result (all, 1, 0.03), *again = result (all, 1, 0.03),
                  *cut = result (all, 1, 0.0005);
  int n = MIN (cuda->device_count (NULL), 8);

  g_assert_true (g_str_equal (once, again));
  g_assert_true (g_str_equal (once, cut));
  for (int k = 2; k <= n; k++)
    {
      g_autofree char *multiple = result (all, k, 0.03);

      g_assert_true (g_str_equal (once, multiple));
    }
}

/* More photons later, a rule to stop, and settings that need other kernels. */
static void
test_run (void)
{
  static const char *const settings[] = { "layers", "skin_600nm", "photons", "50000", NULL };
  FluenceFixture run = on_gpu ();
  g_autofree char *whole = result ((const int[]){ 0 }, 1, 0.03), *name = NULL, *text = NULL;

  fluence_start (&run, settings, 0);
  fluence_finish (&run, 0.03);
  run.params->photons = 300000;
  g_assert_true (run.engine->update (run.state, run.params));
  fluence_finish (&run, 0.03);
  text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
  g_assert_true (g_str_equal (strstr (text, "\nInParm"), whole));
  run.params->stop = VG_FLUENCE_STOP_ERROR;
  run.params->target_error = 2;
  run.params->photons = 1e11;
  restart (&run);
  fluence_finish (&run, 0.03);
  g_assert_cmpfloat (fluence_number (&run, "photons"), <, 1e9);
  fluence_expect_balance (&run);
  run.params->photons = 1e6;
  run.params->stop = VG_FLUENCE_STOP_PHOTONS;
  for (int i = 0; i < 4; i++)
    {
      run.params->reflectance_only = i & 1;
      run.params->time_resolved = i >> 1;
      restart (&run);
      fluence_finish (&run, 0.03);
      fluence_expect ("Rd", fluence_number (&run, "diffuse_reflectance"), 0.562552, 0.369e-3, 4);
      fluence_expect_balance (&run);
    }
  fluence_clear (&run);
}

/* A state that takes over what an earlier one held, done or under way, gives
 * the bits of a new one: of more layers, another grid, other kernels, parts. */
static void
test_renew (void)
{
  static const char *const edits[][3] = { { "layers", "skin_600nm" },
                                          { "nz", "77" },
                                          { "layers", "van_de_hulst_slab" },
                                          { "reflectance_only", "true" },
                                          { "reflectance_only", "false" },
                                          { "photons", "2e8" },
                                          { "photons", "1000" },
                                          { "nr", "900" } };
  static const int first[] = { 0 };
  FluenceFixture run = on_gpu ();

  fluence_start (&run, (const char *[]){ "layers", "mcml_sample", "photons", "300000", NULL }, 0);
  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      VgContext context = { .params = run.params, .devices = first, .n_devices = 1 };
      FluenceFixture fresh = { .engine = run.engine, .params = run.params };
      g_autoptr (GError) error = NULL;
      char *texts[2], *name = NULL;

      if (i & 1)
        run.engine->step (run.state, 0.001, NULL);
      fluence_set (run.params, edits[i]);
      run.state = run.engine->resume->renew (run.state, &context, &error);
      g_assert_no_error (error);
      fluence_finish (&run, 0.03);
      texts[0] = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
      g_clear_pointer (&name, g_free);
      fresh.state = fresh.engine->prepare (&context, &error);
      g_assert_no_error (error);
      fluence_finish (&fresh, 0.03);
      texts[1] = fresh.engine->text (fresh.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
      g_clear_pointer (&name, g_free);
      g_assert_cmpstr (strstr (texts[0], "\nInParm"), ==, strstr (texts[1], "\nInParm"));
      g_assert_cmpfloat (fluence_number (&run, "map_error"), ==,
                         fluence_number (&fresh, "map_error"));
      fresh.engine->free (fresh.state);
      g_free (texts[0]);
      g_free (texts[1]);
    }
  fluence_clear (&run);
}

/* All kernels for a moment, also with more rows than shared memory holds: what a memory check can
 * run. */
static void
test_short (void)
{
  static const char *const layers[] = { "1.4,1,100,0.9,0.02;1.5,2,50,0.001,0.03",
                                        "1.4,1e-3,100,0.9,0.02;1.33,1,20,0.5,1" };

  for (int i = 0; i < 16; i++)
    {
      const char *settings[] = { "layers",
                                 layers[i & 1],
                                 "photons",
                                 "3001",
                                 "time_resolved",
                                 i & 2 ? "true" : "false",
                                 "reflectance_only",
                                 i & 4 ? "true" : "false",
                                 "nz",
                                 i & 8 ? "20000" : "37",
                                 "nr",
                                 "3",
                                 "dz_cm",
                                 i & 8 ? "1e-5" : "0.001",
                                 NULL };
      FluenceFixture run = on_gpu ();

      fluence_start (&run, settings, 0);
      fluence_finish (&run, 0.03);
      g_assert_cmpfloat (fluence_number (&run, "photons"), ==, 3001);
      g_assert_cmpfloat (fluence_number (&run, "absorbed"), >, 0.01);
      fluence_expect_balance (&run);
      fluence_clear (&run);
    }
}

static void
test_deep (void)
{
  check_deep (vg_cuda_engine (&vg_fluence_operation), 1e7);
}

static void
test_tail (void)
{
  check_tail (vg_cuda_engine (&vg_fluence_operation), 1e8, 1, 0.002, 0.012);
}

static void
test_rows (void)
{
  check_rows (vg_cuda_engine (&vg_fluence_operation), 1e7);
}

/* Photons that are given up are the same ones however the launches are cut. */
static void
test_lost (void)
{
  char *texts[2];
  double lost[2];

  for (int i = 0; i < 2; i++)
    {
      FluenceFixture run = on_gpu ();
      g_autofree char *name = NULL, *text = NULL;

      fluence_start (
          &run, (const char *[]){ "layers", "1.4,0,1000,0.5,1e8", "photons", "20000", NULL }, 0);
      fluence_finish (&run, i == 0 ? 0.03 : 0.002);
      lost[i] = fluence_number (&run, "lost");
      text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
      texts[i] = g_strdup (strstr (text, "\nInParm"));
      g_test_message ("lost %.7f, balance and it %.9f", lost[i],
                      fluence_number (&run, "balance") + lost[i]);
      g_assert_cmpfloat_with_epsilon (fluence_number (&run, "balance") + lost[i], 1, 1e-6);
      fluence_clear (&run);
    }
  g_assert_cmpfloat (lost[0], >, 0);
  g_assert_cmpfloat (lost[0], <, 0.01);
  g_assert_cmpfloat (lost[0], ==, lost[1]);
  g_assert_cmpstr (texts[0], ==, texts[1]);
  g_free (texts[0]);
  g_free (texts[1]);
}

/* Few photons have errors too: whole parts of them, so the same bits however
 * the launches are cut and on however many GPUs; and they are what runs with
 * other seeds show. */
static void
test_few (void)
{
  enum { RUNS = 24 };
  static const int all[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  static const char *const counts[] = { "1000", "100000", "3000000" };
  double a = 0, a2 = 0, stated = 0, map_error[2];

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      const char *settings[] = { "layers", "skin_600nm", "photons", counts[i], NULL };
      double errors[3];

      for (int k = 0; k < 3; k++)
        {
          FluenceFixture run = on_gpu ();

          run.devices = all;
          /* divides the number of parts */
          run.n_devices = k == 2 ? MIN (cuda->device_count (NULL), 4) : 1;
          fluence_start (&run, settings, 0);
          fluence_finish (&run, k == 1 ? 0.0005 : 0.03);
          errors[k] = fluence_number (&run, "map_error");
          fluence_expect_balance (&run);
          fluence_clear (&run);
        }
      g_test_message ("%s photons: error of the map %.3f %%", counts[i], errors[0]);
      g_assert_cmpfloat (errors[0], >, 0);
      g_assert_cmpfloat (errors[0], ==, errors[1]);
      g_assert_cmpfloat (errors[0], ==, errors[2]);
    }
  for (int i = 0; i < RUNS; i++)
    {
      FluenceFixture run = on_gpu ();
      g_autofree char *seed = g_strdup_printf ("%d", i);
      const char *settings[] = { "layers",  "van_de_hulst_slab",
                                 "photons", "100000",
                                 "nz",      "4",
                                 "nr",      "2",
                                 "dz_cm",   "0.005",
                                 "dr_cm",   "0.02",
                                 "seed",    seed,
                                 NULL };
      g_autoptr (VgCurves) layers = NULL;
      const VgSeries *series;

      fluence_start (&run, settings, 0);
      fluence_finish (&run, 0.03);
      layers = run.engine->curves->plot (run.state, 1, NULL);
      series = layers->series->pdata[0];
      a += series->y[0] / RUNS;
      a2 += series->y[0] * series->y[0] / RUNS;
      stated += series->error[0] / RUNS;
      fluence_clear (&run);
    }
  /* more photons have a smaller error */
  for (int i = 0; i < 2; i++)
    {
      FluenceFixture run = on_gpu ();

      fluence_start (
          &run, (const char *[]){ "layers", "skin_600nm", "photons", i == 0 ? "5e7" : "2e8", NULL },
          0);
      fluence_finish (&run, 0.03);
      map_error[i] = fluence_number (&run, "map_error");
      g_test_message ("%.0e photons: error of the map %.4f %%", fluence_number (&run, "photons"),
                      map_error[i]);
      fluence_clear (&run);
    }
  g_assert_cmpfloat (fabs (log (map_error[0] / (2 * map_error[1]))), <, 0.25);
  g_test_message ("absorbed: shown %.2e, stated %.2e", sqrt (a2 - a * a), stated);
  g_assert_cmpfloat (fabs (log (sqrt (a2 - a * a) / stated)), <, 0.45);
}

/* Maps of both engines differ as their stated errors say. */
static void
test_backends (void)
{
  static const char *const settings[] = { "layers",  "van_de_hulst_slab",
                                          "photons", "2e7",
                                          "nz",      "20",
                                          "nr",      "20",
                                          "dz_cm",   "0.001",
                                          "dr_cm",   "0.002",
                                          NULL };
  FluenceFixture gpu = on_gpu (), cpu = { 0 };
  VgPlane a[3], b[3];
  double chi = 0;

  fluence_start (&gpu, settings, 0);
  /* other photons: with the same seed both trace the same ones and agree far better than this */
  fluence_start (&cpu, settings, 0);
  cpu.engine->free (cpu.state);
  cpu.params->seed = 2;
  cpu.state = cpu.engine->prepare (&(VgContext){ .params = cpu.params }, NULL);
  fluence_finish (&gpu, 0.03);
  fluence_finish (&cpu, 0.03);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;
      float *host = g_new (float, 400);

      g_assert_true (cpu.engine->output (cpu.state, i, &a[i], NULL));
      g_assert_true (gpu.engine->output (gpu.state, i, &b[i], NULL));
      g_assert_cmpint (b[i].place, ==, VG_DEVICE);
      g_assert_true (cuda->download (&b[i], host, &error));
      b[i].data = host;
    }
  for (int k = 0; k < 400; k++)
    {
      double sigma = hypot (a[0].data[k] * a[2].data[k], b[0].data[k] * b[2].data[k]) / 100;

      g_assert_cmpfloat (b[1].data[k], >, 0);
      chi += pow ((a[0].data[k] - b[0].data[k]) / sigma, 2) / 400;
    }
  g_test_message ("chi2 per bin %.3f", chi);
  g_assert_cmpfloat (chi, <, 1.5);
  g_assert_cmpfloat (chi, >, 0.5);
  for (guint i = 0; i < 3; i++)
    g_free ((float *) b[i].data);
  fluence_clear (&gpu);
  fluence_clear (&cpu);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL)
    return GPU_SKIPPED;
  g_assert_nonnull (vg_cuda_engine (&vg_fluence_operation));
  g_test_add_func ("/fluence/cuda/van-de-hulst", test_van_de_hulst);
  g_test_add_func ("/fluence/cuda/exact", test_exact);
  g_test_add_func ("/fluence/cuda/skin-map", test_skin_map);
  g_test_add_func ("/fluence/cuda/same", test_same);
  g_test_add_func ("/fluence/cuda/short", test_short);
  g_test_add_func ("/fluence/cuda/deep", test_deep);
  g_test_add_func ("/fluence/cuda/tail", test_tail);
  g_test_add_func ("/fluence/cuda/rows", test_rows);
  g_test_add_func ("/fluence/cuda/lost", test_lost);
  g_test_add_func ("/fluence/cuda/run", test_run);
  g_test_add_func ("/fluence/cuda/renew", test_renew);
  g_test_add_func ("/fluence/cuda/few", test_few);
  g_test_add_func ("/fluence/cuda/backends", test_backends);
  return g_test_run ();
}
