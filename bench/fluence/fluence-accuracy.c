/* SPDX-License-Identifier: MIT */
#include "bench/fluence/fluence-accuracy.h"
#include "kernels/fluence/engine/fluence-engine.h"
#include <math.h>
#include <string.h>
/* Accuracy of a simulation against exact values, or against MCML with very many photons.  Values
 * and their limits are in standard errors, chi^2 per bin, or %. */

/* By matrix doubling with 40 streams, to all digits shown: diffuse reflected
 * and transmitted light per steradian, averaged over bins of 3 degrees, and
 * the absorbed power by depth. */
static const double vdh_rd_a[30] = { 0.019674, 0.019697, 0.019743, 0.019812, 0.019901, 0.020009,
                                     0.020132, 0.020269, 0.020413, 0.020559, 0.020700, 0.020828,
                                     0.020930, 0.020993, 0.021000, 0.020933, 0.020768, 0.020478,
                                     0.020035, 0.019408, 0.018564, 0.017475, 0.016119, 0.014485,
                                     0.012580, 0.010435, 0.008104, 0.005670, 0.003246, 0.000999 };
static const double vdh_td_a[30] = { 0.750279, 0.697861, 0.612514, 0.518133, 0.430778, 0.356873,
                                     0.296893, 0.248916, 0.210543, 0.179637, 0.154493, 0.133805,
                                     0.116586, 0.102085, 0.089727, 0.079066, 0.069753, 0.061508,
                                     0.054110, 0.047380, 0.041177, 0.035392, 0.029950, 0.024805,
                                     0.019942, 0.015375, 0.011144, 0.007307, 0.003939, 0.001151 };
static const double vdh_a_z[10] = { 12.698833, 13.063578, 13.140021, 13.033550, 12.786149,
                                    12.420801, 11.949824, 11.375227, 10.681249, 9.790850 };

/* Standard error of a bin with VALUE of the light per solid angle. */
static double
bin_error (double value, double solid_angle, double photons)
{
  double p = value * solid_angle;

  return sqrt (p * (1.0 - p) / photons) / solid_angle;
}

void
vg_fluence_vdh_angles (const VgFluenceReport *report, double *reflected, double *transmitted)
{
  double da = G_PI / 60.0;

  *reflected = *transmitted = 0.0;
  for (int a = 0; a < 30; a++)
    {
      double omega = 4.0 * G_PI * sin ((a + 0.5) * da) * sin (da / 2.0),
             straight = a == 0 ? exp (-2.0) / omega : 0.0;
      double r = report->rd_a[a] - vdh_rd_a[a], t = report->tt_a[a] - straight - vdh_td_a[a];

      *reflected += pow (r / bin_error (vdh_rd_a[a], omega, report->photons), 2.0) / 30.0;
      *transmitted += pow (t / bin_error (vdh_td_a[a] + straight, omega, report->photons), 2.0) /
                      30.0;
    }
}

/* Fits a parabola to ten bins and compares its value in their middle, the depth of the exact
 * values. (Their mean is 0.2 % off near the surface, where A(z) is curved.) */
double
vg_fluence_vdh_depths (const VgFluenceReport *report)
{
  /* sums of squares and fourth powers of -4.5, -3.5 ... 4.5 */
  const double s2 = 82.5, s4 = 1208.625;
  double worst = 0.0;

  for (int i = 0; i < 10; i++)
    {
      double value = 0.0;

      for (int k = 0; k < 10; k++)
        value += report->a_z[10 * i + k] * (s4 - s2 * (k - 4.5) * (k - 4.5)) /
                 (10.0 * s4 - s2 * s2);
      worst = fmax (worst, fabs (value / vdh_a_z[i] - 1.0));
    }
  return worst;
}

double
vg_fluence_map_distance (const VgFluenceReport *report, const float *expected)
{
  double difference = 0.0, sum = 0.0;

  for (int r = 0; r < report->nr - 1; r++)
    for (int z = 0; z < report->nz - 1; z++)
      {
        gsize k = (gsize) r * (gsize) report->nz + (gsize) z;
        double volume = 2 * r + 1;

        difference += volume * fabs (report->a_rz[k] - (double) expected[k]);
        sum += volume * (double) expected[k];
      }
  return difference / sum;
}

/* ---- Rows of the bench ---- */

typedef struct
{
  VgBench *bench;
  const char *suffix;
  double worst_balance;
} Rows;

static void
add (const Rows *self, const char *id, const char *work, double value, const char *unit, double bar)
{
  g_autofree char *full = g_strdup_printf ("%s_%s", id, self->suffix);

  self->bench->add (self->bench, &(VgBenchRow){ full, work, value, unit, bar, "at most" });
}

static void
add_errors (const Rows *self, const char *id, const char *work, double value, double truth,
            double error)
{
  add (self, id, work, fabs (value - truth) / error, "std errors", 4.0);
}

/* Runs PHOTONS with SETTINGS: id, text, ... NULL.  Returns the metrics, NULL on failure; REPORT may
 * be NULL. */
static VgMetrics *
run (const Rows *self, const VgEngine *engine, const VgContext *given, const char *const *settings,
     double photons, VgFluenceReport **report)
{
  const VgParamTable *table = &vg_fluence_operation.params;
  VgFluenceParams *params = vg_params_new (table);
  VgContext context = *given;
  VgMetrics *metrics = NULL;
  VgStep step = VG_STEP_MORE;
  gpointer state;

  for (guint i = 0; settings[i] != NULL; i += 2)
    vg_param_parse (vg_params_find (table, settings[i]), params, settings[i + 1], NULL);
  params->photons = self->bench->quick ? photons / 100.0 : photons;
  context.params = params;
  state = engine->prepare (&context, NULL);
  while (state != NULL && step == VG_STEP_MORE)
    step = engine->step (state, 0.03, NULL);
  if (state != NULL && step == VG_STEP_DONE)
    {
      metrics = vg_metrics_new ();
      engine->results (state, metrics);
    }
  if (metrics != NULL && report != NULL)
    {
      g_autofree char *name = NULL,
                      *text = engine->text (state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);

      *report = vg_fluence_mco_read ("bench", text, strlen (text), NULL);
    }
  if (state != NULL)
    engine->free (state);
  vg_params_free (table, params);
  return metrics;
}

static double
number (const VgMetrics *metrics, const char *id)
{
  return vg_metrics_find (metrics, id)->value;
}

static void
van_de_hulst (Rows *self, const VgEngine *engine, const VgContext *context, double photons)
{
  static const char *const settings[] = { "layers", "van_de_hulst_slab",
                                          "dz_cm",  "0.0002",
                                          "dr_cm",  "0.001",
                                          "nz",     "100",
                                          "nr",     "100",
                                          "na",     "30",
                                          NULL };
  g_autoptr (VgFluenceReport) report = NULL;
  g_autoptr (VgMetrics) n = run (self, engine, context, settings, photons, &report);
  double reflected, transmitted;

  if (n == NULL || report == NULL)
    return;
  add_errors (self, "vdh_rd", "van de Hulst's slab, diffuse reflectance 0.0973946",
              number (n, "diffuse_reflectance"), VG_FLUENCE_VDH_RD,
              number (n, "diffuse_reflectance_error"));
  add_errors (self, "vdh_tt", "the same, transmittance 0.6609577", number (n, "transmittance"),
              VG_FLUENCE_VDH_TT, number (n, "transmittance_error"));
  vg_fluence_vdh_angles (report, &reflected, &transmitted);
  add (self, "vdh_rd_angle", "the same, reflectance by angle, 30 bins", reflected, "chi2/bin", 1.5);
  add (self, "vdh_tt_angle", "the same, transmittance by angle", transmitted, "chi2/bin", 1.5);
  add (self, "vdh_depth", "the same, absorption at ten depths",
       100.0 * vg_fluence_vdh_depths (report), "%", 0.3);
  self->worst_balance = fmax (self->worst_balance, fabs (number (n, "balance") - 1.0));
}

static void
giovanelli (Rows *self, const VgEngine *engine, const VgContext *context, double photons)
{
  static const char *const settings[] = { "layers", "1.5,10,90,0,1e8", NULL };
  g_autoptr (VgMetrics) n = run (self, engine, context, settings, photons, NULL);

  if (n == NULL)
    return;
  /* the known value has five digits */
  add_errors (self, "giovanelli", "Giovanelli's half space, reflectance 0.25994 in all",
              number (n, "reflectance"), 0.25994,
              hypot (number (n, "reflectance_error"), 5e-6 / sqrt (3.0)));
  self->worst_balance = fmax (self->worst_balance, fabs (number (n, "balance") - 1.0));
}

static void
skin (Rows *self, const VgEngine *engine, const VgContext *context, double photons)
{
  static const char *const settings[] = { "layers", "skin_600nm", "dz_cm", "0.002", "dr_cm", "0.01",
                                          "nz",     "500",        "nr",    "200",   NULL };
  const char *data = g_getenv ("VIVOGRAPH_DATA");
  g_autofree char *path = g_build_filename (data != NULL ? data : "", "fluence",
                                            "skin_400M_mean_Arz_200x500_f32.raw", NULL),
                  *bytes = NULL;
  g_autoptr (VgFluenceReport) report = NULL;
  g_autoptr (VgMetrics) n = run (self, engine, context, settings, photons, &report);
  gsize length;

  if (n == NULL || report == NULL)
    return;
  /* the reference's own standard errors are 2e-5, 2e-5 and 2e-6 */
  add_errors (self, "skin_rd", "seven-layer skin, diffuse reflectance 0.562552",
              number (n, "diffuse_reflectance"), 0.562552,
              hypot (number (n, "diffuse_reflectance_error"), 2e-5));
  add_errors (self, "skin_a", "the same, absorption 0.390299", number (n, "absorbed"), 0.390299,
              hypot (number (n, "absorbed_error"), 2e-5));
  add_errors (self, "skin_tt", "the same, transmittance 0.003264", number (n, "transmittance"),
              0.003264, hypot (number (n, "transmittance_error"), 2e-6));
  self->worst_balance = fmax (self->worst_balance, fabs (number (n, "balance") - 1.0));
  if (data != NULL && g_file_get_contents (path, &bytes, &length, NULL) &&
      length == sizeof (float) * 200 * 500)
    add (self, "skin_map", "the same, A_rz against 4e8 photons of MCML, L1 over the volume",
         vg_fluence_map_distance (report, (const float *) (const void *) bytes), "",
         photons >= 1e8 ? 1.1e-3 : NAN);
}

void
vg_fluence_bench_grid (VgFluenceParams *params)
{
  params->dz_cm = 0.002;
  params->dr_cm = 0.01;
  params->nz = 500;
  params->nr = 200;
}

void
vg_fluence_bench_accuracy (const VgEngine *engine, const VgContext *context, VgBench *bench,
                           const char *suffix)
{
  gboolean many = engine != &vg_fluence_cpu_engine;
  Rows rows = { .bench = bench, .suffix = suffix };

  /* the CPU traces as many photons as its time allows */
  van_de_hulst (&rows, engine, context, many ? 1e8 : 2e7);
  giovanelli (&rows, engine, context, many ? 1e8 : 1e6);
  skin (&rows, engine, context, many ? 1e8 : 3e5);
  add (&rows, "energy", "largest |Rsp + Rd + A + Tt - 1| of these", rows.worst_balance, "", 1e-6);
}
