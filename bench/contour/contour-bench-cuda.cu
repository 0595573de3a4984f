/* SPDX-License-Identifier: MIT */
#include "bench/contour/contour-bench.h"
#include "kernels/contour/engine/contour-run.h"
#include "kernels/contour/evolve/contour-device.cuh"
/* Rows of `vivograph bench contour` on the GPU. */

typedef struct
{
  VgContourDevice *device;
  VgContourScene *scene;
  int n;
  gboolean ok;
} Work;

/* Iterates in batches like the engine, and waits for each. */
static void
iterate (gpointer data)
{
  Work *work = (Work *) data;
  int most = work->scene->reinit_period * VG_CONTOUR_PERIODS;

  for (int done = 0; done < work->n && work->ok; done += most)
    work->ok = vg_contour_device_iterate (work->device, work->scene, MIN (most, work->n - done),
                                          NULL) &&
               vg_contour_device_wait (work->device, work->scene, NULL);
}

static void
measure (const VgContext *context, VgBench *bench, const char *id, const char *what, gboolean paper,
         int side, int n, int iterations, double limit, gboolean in_seconds)
{
  VgContourParams params;
  guint16 *grey = NULL;
  Work work = { NULL, NULL, bench->quick ? MAX (iterations / 10, 10) : iterations, TRUE };

  vg_contour_bench_params (&params, paper);
  work.scene = vg_contour_bench_scene (&params, side, side, n, 0, &grey);
  if (work.scene != NULL)
    work.device = vg_contour_device_new (context->n_devices > 0 ? context->devices[0] : 0,
                                         work.scene, NULL);
  if (work.device != NULL)
    {
      double seconds = bench->time (bench, iterate, &work, 5), scale = (double) iterations / work.n;
      VgBenchRow row = { id,
                         what,
                         in_seconds ? seconds * scale : work.n / seconds,
                         in_seconds ? "s" : "it/s",
                         limit,
                         "asked for" };

      if (work.ok)
        bench->add (bench, &row);
    }
  vg_contour_device_free (work.device);
  vg_contour_scene_free (work.scene);
  g_free (grey);
}

extern "C" void vg_contour_bench_cuda (const VgContext *context, VgBench *bench);

void
vg_contour_bench_cuda (const VgContext *context, VgBench *self)
{
  measure (context, self, "tiles_239_cuda", "239 nuclei in 512x512, prior every iteration", FALSE,
           512, 239, 2000, 15000, FALSE);
  measure (context, self, "tiles_5000_cuda", "5000 nuclei in 2048x2048, prior every iteration",
           FALSE, 2048, 5000, 500, 2500, FALSE);
  measure (context, self, "full_2_cuda",
           "the paper's form: two whole grids of 512x512, 2000 iterations", TRUE, 512, 2, 2000,
           0.10, TRUE);
}
