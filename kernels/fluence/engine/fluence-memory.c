/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/model/fluence-beam.h"
#include "kernels/fluence/model/fluence-medium.h"
#include "kernels/fluence/model/fluence-tally.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
/* Memory that a simulation needs. */

typedef struct
{
  gsize cells, exits, bins, tally, beam;
} Sizes;

gboolean
vg_fluence_has_wide_beam (const VgFluenceParams *params)
{
  return (params->beam == VG_FLUENCE_FLAT || params->beam == VG_FLUENCE_GAUSSIAN) &&
         params->beam_radius_cm > 0.0;
}

static Sizes
count (const VgFluenceParams *params)
{
  gsize rows = (gsize) params->nz + (gsize) (params->layers == NULL ? 0 : params->layers->rows),
        columns = (gsize) params->nr + 1;
  Sizes self = { .cells = rows * columns,
                 .exits = columns * (gsize) params->na,
                 .bins = (gsize) params->nz * (gsize) params->nr };

  self.tally = sizeof (guint64) * vg_fluence_layout (self.cells, params->nr + 1, params->na,
                                                     params->time_resolved ? params->gates : 0)
                                      .size;
  if (vg_fluence_has_wide_beam (params))
    self.beam = vg_fluence_beam_bytes (params->beam, params->beam_radius_cm, params->nr,
                                       params->dr_cm) +
                sizeof (float) * self.bins;
  return self;
}

/* Bytes of host memory on both backends. */
static gsize
shared_host (const VgFluenceParams *params, const Sizes *sizes)
{
  const gsize number_text = 13; /* of an .mco file */
  gsize maps = params->reflectance_only ? 0
               : params->compare        ? 8
                                        : 4,
        numbers = sizes->bins + 2 * sizes->exits;

  /* the tally, its cells at the end of the last batch, sums and squares, maps, this and the earlier
   * run's results, the text of the .mco file, the beam */
  return sizes->tally + sizeof (guint64) * sizes->cells +
         sizeof (float) * (4 + maps) * sizes->bins +
         sizeof (double) * numbers * (params->compare ? 2 : 1) + 2 * number_text * numbers +
         sizeof (double) * VG_FLUENCE_DEPTH_BATCHES * (gsize) params->nz + sizes->beam +
         ((gsize) 16 << 20);
}

/* A run on the GPU is traced as replicates at the same time, each with its own tally, so that the
 * standard errors do not depend on when launches end.  Successive batches would each have to wait
 * for their last photon. */
int
vg_fluence_replicates (const VgFluenceParams *params, int n_devices)
{
  const gsize most = (gsize) 256 << 20;
  enum { PARTS = 12 }; /* it divides the number of multiprocessors of many GPUs */

  if (params->reflectance_only || count (params).tally > most / PARTS)
    return n_devices;
  /* the same number on each GPU */
  return (PARTS + n_devices - 1) / n_devices * n_devices;
}

gsize
vg_fluence_host_bytes (const VgFluenceParams *params, int threads, int n_devices)
{
  Sizes sizes = count (params);
  gsize own = sizes.tally <= sizeof (guint64) * VG_FLUENCE_PRIVATE_CELLS
                  ? (gsize) MAX (threads - 1, 0) * sizes.tally
                  : 0;

  /* page-locked: two tallies for each replicate */
  return shared_host (params, &sizes) +
         (n_devices > 0 ? 2 * (gsize) vg_fluence_replicates (params, n_devices) * sizes.tally
                        : own);
}

void
vg_fluence_memory (const void *data, const VgImageInfo *info, gsize *host, gsize *device)
{
  const VgFluenceParams *params = data;
  Sizes sizes = count (params);

  /* prepare() knows the number of threads and GPUs and checks again */
  *host = vg_fluence_host_bytes (params, 1, 0);
  *device = (gsize) vg_fluence_replicates (params, 1) * sizes.tally +
            sizeof (float) * sizes.bins *
                (params->reflectance_only ? 0
                 : params->compare        ? (int) VG_FLUENCE_OUTPUT_MCO
                                          : 3) +
            ((gsize) 64 << 20);
}

gboolean
vg_fluence_check_memory (const VgFluenceParams *params, int threads, int n_devices, GError **error)
{
  gsize bytes = vg_fluence_host_bytes (params, threads, n_devices),
        available = vg_memory_available ();
  g_autofree char *need = NULL, *have = NULL;

  if (bytes <= available)
    return TRUE;
  need = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  have = g_format_size_full (available, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (
      error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
      "%d x %d bins and %d angles take %s of memory%s, but only %s is free; set fewer, larger bins",
      params->nz, params->nr, params->na, need,
      vg_fluence_has_wide_beam (params) ? " with a beam of this radius" : "", have);
  return FALSE;
}
