/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/fluence/engine/fluence-run.h"
#include "kernels/fluence/walk/fluence-device.cuh"
/* Variants of the photon walk on one GPU, as a table: how many photons wait
 * for a boundary, how large a block is, how much of the tally is shared.
 *   fluence-tune [SKIN_PHOTONS [INTRALIPID_PHOTONS]] */

/* clang-format off */
#define FORM(score, fine, threads, blocks, wait) \
  { #score " " #fine " " #threads "x" #blocks " wait " #wait, \
    { (const void *) vg_fluence_kernel<VG_FLUENCE_SCORE_##score, false, fine, threads, blocks>, \
      threads, blocks, wait } }
/* clang-format on */

typedef struct
{
  const char *name;
  VgFluenceVariant variant;
} Entry;

static const Entry scoring[] = {
  FORM (SHARED, false, 1024, 1, 0), FORM (SHARED, false, 1024, 1, 6),
  FORM (SHARED, false, 1024, 1, 8), FORM (SHARED, false, 1024, 1, 10),
  FORM (SHARED, false, 896, 1, 0),  FORM (SHARED, false, 768, 1, 0),
  FORM (SHARED, false, 512, 2, 0),  FORM (GLOBAL, false, 1024, 1, 0),
};
static const Entry plain[] = {
  FORM (NONE, false, 1024, 1, 0), FORM (NONE, false, 1024, 1, 6), FORM (NONE, false, 1024, 1, 10),
  FORM (NONE, false, 512, 2, 0),  FORM (NONE, false, 256, 4, 0),  FORM (NONE, false, 256, 5, 0),
};
static const Entry fine[] = {
  FORM (SHARED, true, 1024, 1, 0), FORM (SHARED, true, 1024, 1, 1), FORM (SHARED, true, 1024, 1, 4),
  FORM (SHARED, true, 768, 1, 0),  FORM (SHARED, true, 512, 1, 0),
};

/* Milliseconds of the kernels alone, and Rd. */
static gboolean
trace (const VgFluenceRun *run, const VgFluenceVariant *variant, guint64 photons, int steps,
       double *ms, double *rd, double *tail)
{
  g_autoptr (GError) error = NULL;
  VgFluenceDevice *device = vg_fluence_device_new (0, &error);
  gboolean ok = device != NULL && vg_fluence_device_start (device, 1, 0, 1, &run->params,
                                                           run->medium, variant, NULL, &error);

  *ms = *rd = *tail = 0;
  for (int more = 1; ok && more;)
    {
      ok = vg_fluence_device_go (device, photons, steps, &error) &&
           vg_fluence_device_fetch (device, &error) && vg_fluence_device_wait (device, &error);
      *ms += device->ms;
      if (device->launched >= photons)
        {
          *tail += device->ms;
          steps = 8192;
        }
      more = device->launched < photons || device->alive > 0;
    }
  for (gsize i = run->layout.reflected; ok && i < run->layout.transmitted; i++)
    *rd += (double) device->tally[i];
  *rd *= (1.0 - run->medium->specular) / (VG_FLUENCE_TALLY_UNIT * (double) photons);
  if (!ok)
    printf ("%s\n", error->message);
  vg_fluence_device_free (device);
  return ok;
}

static void
table (const char *title, const char *layers, double bin, int nz, int nr, gboolean reflectance_only,
       double photons, const Entry *entries, gsize n)
{
  const VgParamTable *all = &vg_fluence_operation.params;
  VgFluenceParams *params = (VgFluenceParams *) vg_params_new (all);
  VgContext context = {};
  VgFluenceRun *run;
  double ms, rd, tail;

  vg_param_parse (vg_params_find (all, "layers"), params, layers, NULL);
  params->reflectance_only = reflectance_only;
  params->photons = photons;
  params->dr_cm = 0.01;
  params->dz_cm = bin;
  params->nz = nz;
  params->nr = nr;
  context.params = params;
  run = vg_fluence_run_new (&context, NULL);
  printf ("%s, %.3g photons\n%-30s %10s %12s %9s %9s\n", title, photons, "score fine threads wait",
          "ms", "photons/ms", "last ms", "Rd");
  trace (run, &entries[0].variant, (guint64) photons / 10, 8192, &ms, &rd, &tail);
  for (gsize i = 0; i < n; i++)
    if (trace (run, &entries[i].variant, (guint64) photons, 16384, &ms, &rd, &tail))
      printf ("%-30s %10.2f %12.0f %9.2f %9.6f\n", entries[i].name, ms, photons / ms, tail, rd);
  fflush (stdout);
  vg_fluence_run_free (run);
  vg_params_free (all, params);
}

int
main (int argc, char **argv)
{
  double skin = argc > 1 ? atof (argv[1]) : 1e8, intralipid = argc > 2 ? atof (argv[2]) : 1e7;

  table ("skin, maps", "skin_600nm", 0.002, 500, 200, FALSE, skin, scoring, G_N_ELEMENTS (scoring));
  table ("skin, small map", "skin_600nm", 0.01, 100, 100, FALSE, skin, scoring, 1);
  table ("skin, reflectance only", "skin_600nm", 0.002, 500, 200, TRUE, skin, plain,
         G_N_ELEMENTS (plain));
  table ("intralipid 100 cm", "1.33,0.015,707.7,0.87,100", 0.01, 100, 100, FALSE, intralipid, fine,
         G_N_ELEMENTS (fine));
  return 0;
}
