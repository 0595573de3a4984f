/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fluence-device.cuh"
/* Variants of the photon walk on one GPU, as a table: how many photons wait
 * for a boundary, how large a block is, how much of the tally is shared.
 *   fluence-tune [SKIN_PHOTONS [INTRALIPID_PHOTONS]] */

extern "C" const VgOperation vg_fluence_operation;

#define V(score, threads, blocks, wait) \
  { #score " " #threads "x" #blocks " wait " #wait, { (const void *) vg_fluence_kernel<score, false, false, threads, blocks, wait>, threads, blocks } }
#define F(score, threads, blocks, wait) \
  { #score " " #threads "x" #blocks " wait " #wait, { (const void *) vg_fluence_kernel<score, false, true, threads, blocks, wait>, threads, blocks } }

typedef struct
{
  const char *name;
  VgFluenceVariant variant;
} Entry;

static const Entry scoring[] = {
  V (true, 1024, 1, 1), V (true, 1024, 1, 4), V (true, 1024, 1, 6), V (true, 1024, 1, 8), V (true, 1024, 1, 10),
  V (true, 1024, 1, 12), V (true, 896, 1, 8), V (true, 768, 1, 8), V (true, 640, 1, 8), V (true, 512, 1, 8), V (true, 512, 2, 8),
};
static const Entry plain[] = {
  V (false, 256, 4, 1), V (false, 256, 4, 4), V (false, 256, 4, 6), V (false, 256, 4, 8), V (false, 256, 4, 10), V (false, 256, 4, 12),
  V (false, 256, 5, 8), V (false, 256, 3, 8), V (false, 128, 10, 8),
};
static const Entry fine[] = { F (true, 1024, 1, 4), F (true, 1024, 1, 8), F (true, 1024, 1, 12), F (true, 768, 1, 8), F (true, 512, 2, 8) };

/* Milliseconds of the kernels alone, and Rd. */
static gboolean
trace (const VgFluenceRun *run, const VgFluenceVariant *variant, guint64 photons, int steps, double *ms, double *rd, double *tail)
{
  g_autoptr (GError) error = NULL;
  VgFluenceDevice *device = vg_fluence_device_new (0, 0, 1, run, variant, &error);
  gboolean ok = device != NULL;

  *ms = *rd = *tail = 0;
  for (int more = 1; ok && more;)
    {
      ok = vg_fluence_device_go (device, photons, steps, &error) && vg_fluence_device_wait (device, &error);
      *ms += device->ms;
      if (device->launched >= photons)
        *tail += device->ms;
      more = device->launched < photons || device->alive > 0;
    }
  for (gsize i = run->layout.reflected; ok && i < run->layout.transmitted; i++)
    *rd += (double) device->host[i];
  *rd *= (1.0 - run->medium->specular) / (VG_FLUENCE_TALLY_UNIT * (double) photons);
  if (!ok)
    printf ("%s\n", error->message);
  vg_fluence_device_free (device);
  return ok;
}

static void
table (const char *title, const char *layers, double bin, int nz, int nr, gboolean reflectance_only, double photons, const Entry *entries,
       gsize n)
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
  printf ("%s, %.3g photons\n%-26s %10s %12s %9s %9s\n", title, photons, "score threads wait", "ms", "photons/ms", "last ms", "Rd");
  trace (run, &entries[0].variant, (guint64) photons / 10, 8192, &ms, &rd, &tail);
  for (gsize i = 0; i < n; i++)
    if (trace (run, &entries[i].variant, (guint64) photons, 16384, &ms, &rd, &tail))
      printf ("%-26s %10.2f %12.0f %9.2f %9.6f\n", entries[i].name, ms, photons / ms, tail, rd);
  fflush (stdout);
  vg_fluence_run_free (run);
  vg_params_free (all, params);
}

int
main (int argc, char **argv)
{
  double skin = argc > 1 ? atof (argv[1]) : 1e8, intralipid = argc > 2 ? atof (argv[2]) : 1e7;

  table ("skin, maps", "skin_600nm", 0.002, 500, 200, FALSE, skin, scoring, G_N_ELEMENTS (scoring));
  table ("skin, small map", "skin_600nm", 0.01, 100, 100, FALSE, skin, scoring + 3, 1);
  table ("skin, reflectance only", "skin_600nm", 0.002, 500, 200, TRUE, skin, plain, G_N_ELEMENTS (plain));
  table ("intralipid 100 cm", "1.33,0.015,707.7,0.87,100", 0.01, 100, 100, FALSE, intralipid, fine, G_N_ELEMENTS (fine));
  return 0;
}
