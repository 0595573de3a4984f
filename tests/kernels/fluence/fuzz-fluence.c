/* SPDX-License-Identifier: MIT */
/* Hostile .mci and .mco texts.  What is accepted has to be a valid setting
 * with a file name of one part, and a report that is written has to read back. */
#include <math.h>
#include <string.h>
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/fluence/model/fluence-medium.h"
#include "kernels/fluence/files/fluence-report.h"
#include "tests/fuzz/fuzz.h"

static void
check_runs (const char *text, gsize length)
{
  const VgParamTable *table = &vg_fluence_operation.params;
  void *defaults = vg_params_new (table);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray)
      runs = vg_fluence_read_settings ("fuzz.mci", text, length, defaults, &error);

  fuzz_require ((runs == NULL) == (error != NULL), "no settings, no error");
  fuzz_require (error == NULL || strchr (error->message, '\n') == NULL,
                "an error of several lines");
  fuzz_require (runs == NULL || runs->len > 0, "no run, no error");
  for (guint k = 0; runs != NULL && k < MIN (runs->len, 4); k++)
    {
      VgFluenceParams *params = ((VgSettingsRun *) runs->pdata[k])->params;

      fuzz_require (strchr (params->name, '/') == NULL && g_utf8_validate (params->name, -1, NULL),
                    "a bad file name");
      for (guint i = 0; i < table->n_items; i++)
        {
          g_autofree char *value = vg_param_format (&table->items[i], params);

          fuzz_require (vg_param_parse (&table->items[i], params, value, NULL),
                        "a setting beyond its range");
        }
      if (params->nz < 64 && params->nr < 64 && params->na < 64 &&
          vg_fluence_validate (params, NULL))
        vg_fluence_medium_free (vg_fluence_medium_new (params));
    }
  vg_params_free (table, defaults);
}

static void
check_report (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgFluenceReport) report = vg_fluence_mco_read ("fuzz.mco", text, length, &error),
                              again = NULL;
  g_autofree char *written = NULL;

  fuzz_require ((report == NULL) == (error != NULL), "no report, no error");
  if (report == NULL || report->nz > 64 || report->nr > 64 || report->na > 64)
    return;
  /* Totals are written with six digits, so they may then exceed the limit of 1.02. */
  if (report->specular + report->reflectance + report->absorbed + report->transmittance > 1.0199)
    return;
  written = vg_fluence_mco_write (report);
  again = vg_fluence_mco_read ("again.mco", written, strlen (written), &error);
  fuzz_require (again != NULL && again->nz == report->nz && again->nr == report->nr,
                "a written report does not read back");
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);

  check_runs (text, length);
  check_report (text, length);
}
