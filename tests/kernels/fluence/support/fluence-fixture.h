/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/fluence/engine/fluence-run.h"
/* Runs a simulation with settings given as text on a given engine. */

typedef struct
{
  const VgEngine *engine;
  VgFluenceParams *params;
  gpointer state;
  const int *devices;
  int n_devices;
} FluenceFixture;

/* Reads run RUN of a settings text into PARAMS.  Returns the number of runs; 0 and an error.  NOTES
 * may be NULL. */
static inline int
fluence_read (const char *name, const char *text, gsize length, int run, VgFluenceParams *params,
              GPtrArray *notes, GError **error)
{
  g_autoptr (GPtrArray) runs = vg_fluence_read_settings (name, text, length, params, error);
  VgSettingsRun *taken;

  if (runs == NULL)
    return 0;
  g_assert_cmpint (run, <, (int) runs->len);
  taken = runs->pdata[run];
  vg_settings_run_swap (taken, params);
  for (guint i = 0; notes != NULL && i < taken->notes->len; i++)
    g_ptr_array_add (notes, g_strdup (taken->notes->pdata[i]));
  return (int) runs->len;
}

/* SETTINGS: id, text, id, text, ... NULL, over the defaults. */
static inline void
fluence_set (VgFluenceParams *params, const char *const *settings)
{
  const VgParamTable *table = &vg_fluence_operation.params;

  for (guint i = 0; settings[i] != NULL; i += 2)
    {
      g_autoptr (GError) error = NULL;

      vg_param_parse (vg_params_find (table, settings[i]), params, settings[i + 1], &error);
      g_assert_no_error (error);
    }
}

static inline void
fluence_start (FluenceFixture *self, const char *const *settings, int threads)
{
  static const int first[] = { 0 };
  g_autoptr (GError) error = NULL;
  VgContext context = { .threads = threads,
                        .devices = self->n_devices > 0 ? self->devices : first,
                        .n_devices = MAX (self->n_devices, 1) };

  if (self->engine == NULL)
    self->engine = &vg_fluence_cpu_engine;
  self->params = vg_params_new (&vg_fluence_operation.params);
  fluence_set (self->params, settings);
  context.params = self->params;
  self->state = self->engine->prepare (&context, &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->state);
}

static inline void
fluence_finish (FluenceFixture *self, double budget_s)
{
  g_autoptr (GError) error = NULL;
  VgStep step;

  do
    step = self->engine->step (self->state, budget_s, &error);
  while (step == VG_STEP_MORE);
  g_assert_no_error (error);
  g_assert_cmpint (step, ==, VG_STEP_DONE);
}

static inline void
fluence_clear (FluenceFixture *self)
{
  self->engine->free (self->state);
  vg_params_free (&vg_fluence_operation.params, self->params);
}

static inline double
fluence_number (FluenceFixture *self, const char *id)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  const VgMetric *number;

  self->engine->results (self->state, numbers, NULL);
  number = vg_metrics_find (numbers, id);
  g_assert_nonnull (number);
  return number->value;
}

/* The .mco text read back, with five digits, from either engine. */
static inline VgFluenceReport *
fluence_report (FluenceFixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_autofree char *text = self->engine->text (self->state, VG_FLUENCE_OUTPUT_MCO, &name, &error);
  VgFluenceReport *report;

  g_assert_no_error (error);
  report = vg_fluence_mco_read (name, text, strlen (text), &error);
  g_assert_no_error (error);
  return report;
}

/* VALUE within SIGMAS standard errors of TRUTH. */
static inline void
fluence_expect (const char *what, double value, double truth, double error, double sigmas)
{
  g_test_message ("%s: %.7f, expected %.7f, %.2f standard errors", what, value, truth,
                  (value - truth) / error);
  g_assert_cmpfloat (error, >, 0);
  g_assert_cmpfloat (fabs (value - truth), <=, sigmas * error);
}

static inline void
fluence_expect_balance (FluenceFixture *self)
{
  g_test_message ("balance less 1: %.2e", fluence_number (self, "balance") - 1);
  g_assert_cmpfloat (fabs (fluence_number (self, "balance") - 1), <=, 1e-6);
}
