/* SPDX-License-Identifier: MIT */
#include "bench/contour/contour-bench.h"
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/net/contour-network.h"
#include <math.h>
/* Rates of the iteration on the CPU.  The limit of a row is what the published
 * way reaches on one core: the reference prototype, and the paper's sequential
 * algorithm in C. */

VgContourScene *
vg_contour_bench_scene (VgContourParams *params, int width, int height, int n, int threads,
                        guint16 **grey)
{
  guint16 *picture = *grey = g_new (guint16, (gsize) width * (gsize) height);
  int columns = (int) ceil (sqrt ((double) n * width / height)), rows = (n + columns - 1) / columns;
  const double radius = n > 2 ? 10.5 : 20.0;
  VgContourScene *scene;

  for (gsize i = 0; i < (gsize) width * (gsize) height; i++)
    picture[i] = (guint16) (700 + (i * 2654435761u >> 8) % 300);
  for (int k = 0; k < n; k++)
    {
      double cx = (k % columns + 0.5) * width / columns + 2.0 * (k % 3 - 1),
             cy = (k / columns + 0.5) * height / rows + 2.0 * (k % 5 - 2);

      for (int y = MAX ((int) (cy - radius), 0); y < MIN ((int) (cy + radius) + 1, height); y++)
        for (int x = MAX ((int) (cx - radius), 0); x < MIN ((int) (cx + radius) + 1, width); x++)
          if (hypot ((x + 0.5 - cx) * 0.85, (y + 0.5 - cy) * 1.15) < radius)
            picture[(gsize) y * (gsize) width + (gsize) x] = (guint16) (2700 +
                                                                        (x * 7919 + y * 104729) %
                                                                            500);
    }
  scene = vg_contour_scene_new (picture, width, height, (float) radius, params, threads, NULL);
  for (int k = 0; k < n && scene != NULL; k++)
    vg_contour_scene_add (scene, (k % columns + 0.5) * width / columns + 2.0 * (k % 3 - 1),
                          (k / columns + 0.5) * height / rows + 2.0 * (k % 5 - 2));
  return scene;
}

void
vg_contour_bench_params (VgContourParams *params, gboolean paper)
{
  VgContourParams *defaults = vg_params_new (&vg_contour_operation.params);

  *params = *defaults;
  vg_params_free (&vg_contour_operation.params, defaults);
  params->added = params->removed = NULL;
  params->seeds = params->truth = NULL;
  params->prior_weight = 0.02f;
  params->tolerance_px = 0.0f; /* nothing stops: every iteration is whole */
  if (!paper)
    return;
  params->grid = VG_CONTOUR_GRID_FULL;
  params->means = VG_CONTOUR_MEANS_GLOBAL;
  params->step_rule = VG_CONTOUR_STEP_FIXED;
  params->reinit_period = 50;
}

typedef struct
{
  VgContourScene *scene;
  int n;
} Work;

static void
iterate (gpointer data)
{
  Work *work = data;

  vg_contour_scene_iterate (work->scene, work->n);
}

static void
measure (VgBench *bench, const char *id, const char *what, gboolean paper, gboolean prior, int n,
         int threads, int iterations, double peer, const char *peer_name)
{
  VgContourParams params;
  g_autofree guint16 *grey = NULL;
  Work work = { .n = bench->quick ? MAX (iterations / 10, 1) : iterations };

  vg_contour_bench_params (&params, paper);
  if (!prior)
    params.prior_weight = 0.0f;
  work.scene = vg_contour_bench_scene (&params, 512, 512, n, threads, &grey);
  if (work.scene != NULL)
    {
      double seconds = bench->time (bench, iterate, &work, 3);

      bench->add (bench, &(VgBenchRow){ id, what, work.n / seconds, "it/s", peer, peer_name });
      if (threads == 1 && prior && !paper)
        bench->add (bench, &(VgBenchRow){ "tiles_239_150_cpu_1_thread", "150 iterations of that",
                                          150.0 * seconds / work.n, "s", 0.97,
                                          "asked for: a third of the prototype" });
    }
  vg_contour_scene_free (work.scene);
}

/* ---- The network ---- */

enum { NET_SIDE = 512 };

typedef struct
{
  VgContourNetwork *network;
  float *input, *maps;
  int side;
} Network;

static void
run_network (gpointer data)
{
  Network *self = data;

  vg_contour_network_run (self->network, self->input, self->side, self->side,
                          (VgContourWindow){ 0, 0, self->side, self->side },
                          &(VgContext){ .threads = 1 }, self->maps);
}

/* The time does not depend on the values. */
static void
measure_network (VgBench *bench)
{
  const gsize n = (gsize) NET_SIDE * NET_SIDE;
  g_autofree float *input = g_new0 (float, VG_CONTOUR_NET_INPUTS *n),
                   *maps = g_new (float, VG_CONTOUR_NET_OUTPUTS *n);
  const VgContourNet *net = vg_contour_net_get (NULL);
  g_autoptr (VgContourNetwork) network = net != NULL ? vg_contour_network_new (net) : NULL;
  Network work = { network, input, maps, bench->quick ? NET_SIDE / 4 : NET_SIDE };
  const double parts = NET_SIDE * NET_SIDE / (double) (work.side * work.side);

  if (network != NULL)
    bench->add (bench,
                &(VgBenchRow){ "network_512_cpu_1_thread", "the network on 512x512, one thread",
                               bench->time (bench, run_network, &work, 1) * parts, "s", 1.5,
                               "asked for" });
}

void
vg_contour_bench (const VgContext *context, VgBench *bench)
{
  measure (bench, "tiles_239_cpu_1_thread",
           "239 nuclei in 512x512, prior every iteration, one thread", FALSE, TRUE, 239, 1, 50,
           51.7, "prototype, one core");
  measure (bench, "tiles_239_cpu", "the same, all threads", FALSE, TRUE, 239, context->threads, 50,
           51.7, "prototype, one core");
  measure (bench, "tiles_239_free_cpu_1_thread", "the same without prior, one thread", FALSE, FALSE,
           239, 1, 50, 107.0, "prototype, one core");
  measure (bench, "full_2_cpu_1_thread", "the paper's form: two whole grids of 512x512, one thread",
           TRUE, TRUE, 2, 1, 50, 82.0, "the paper's algorithm in C, one core");
  measure_network (bench);
}
