/* SPDX-License-Identifier: MIT */
#include "bench/contour/contour-bench.h"
#include "kernels/contour/engine/contour-run.h"
#include "kernels/contour/evolve/contour-device.cuh"
#include "kernels/contour/net/contour-network.cuh"
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

/* ---- The network ---- */

enum { NET_SIDE = 512, NET_TARGET_MS = 2 };

typedef struct
{
  gpointer net;
  float *input, *maps;
  gboolean ok;
} Network;

static void
run_layers (gpointer data)
{
  Network *self = (Network *) data;

  self->ok = self->ok && vg_contour_net_cuda_repeat (self->net, NET_SIDE, NET_SIDE, NULL);
}

static void
run_network (gpointer data)
{
  Network *self = (Network *) data;

  self->ok = self->ok &&
             vg_contour_net_cuda.run (self->net, self->input, NET_SIDE, NET_SIDE, self->maps, NULL);
}

/* The time does not depend on the values. */
static void
measure_network (const VgContext *context, VgBench *bench)
{
  const VgContourNet *net = vg_contour_net_get (NULL);
  const gsize n = (gsize) NET_SIDE * NET_SIDE;
  Network work = { NULL, g_new0 (float, VG_CONTOUR_NET_INPUTS *n),
                   g_new (float, VG_CONTOUR_NET_OUTPUTS *n), TRUE };

  if (net != NULL)
    work.net = vg_contour_net_cuda.open (net, context->n_devices > 0 ? context->devices[0] : 0,
                                         NET_SIDE, NET_SIDE, NULL);
  if (work.net != NULL)
    {
      double whole = bench->time (bench, run_network, &work, 5),
             layers = bench->time (bench, run_layers, &work, 5);
      VgBenchRow rows[] = {
        { "network_512_cuda", "the network on 512x512, on the GPU", layers * 1e3, "ms",
          NET_TARGET_MS, "asked for" },
        { "network_512_host_cuda", "the same, host to host", whole * 1e3, "ms", NET_TARGET_MS,
          "asked for" },
      };

      for (guint i = 0; i < G_N_ELEMENTS (rows) && work.ok; i++)
        bench->add (bench, &rows[i]);
    }
  vg_contour_net_cuda.close (work.net);
  g_free (work.input);
  g_free (work.maps);
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
  measure_network (context, self);
}
