/* SPDX-License-Identifier: MIT */
#include "bench/contour/contour-bench.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/engine/contour-run.h"
#include "kernels/base/vg-sort.h"
#include <math.h>
/* Rows of accuracy: overlapping ellipses whose outlines are known, and crops of
 * H&E with nuclei drawn by hand, where the data folder is there.  The limit is
 * what was asked for. */

enum { SIDE = 128, NOISES = 5, CROPS = 10 };
/* x, y, half axes, angle */
static const double ellipses[2][5] = { { 44, 64, 26, 19, 0.1 }, { 72, 68, 26, 17, 1.1 } };
static const double starts[2][2] = { { 40, 64 }, { 76, 72 } };
static const char *const crops[CROPS] = { "dsb01", "dsb02",  "dsb03",  "dsb04",  "dsb05",
                                          "dsb06", "monu01", "monu02", "monu03", "monu04" };

static gboolean
is_inside (const double *e, double x, double y)
{
  double dx = x - e[0], dy = y - e[1], u = cos (e[4]) * dx + sin (e[4]) * dy,
         v = cos (e[4]) * dy - sin (e[4]) * dx;

  return u * u / (e[2] * e[2]) + v * v / (e[3] * e[3]) <= 1.0;
}

static void
draw_pair (guint16 *grey, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (seed);

  for (int i = 0; i < SIDE * SIDE; i++)
    {
      double noise = sqrt (-2.0 * log (1.0 - g_rand_double (rand))) *
                     cos (2.0 * G_PI * g_rand_double (rand));
      gboolean in = is_inside (ellipses[0], i % SIDE + 0.5, i / SIDE + 0.5) ||
                    is_inside (ellipses[1], i % SIDE + 0.5, i / SIDE + 0.5);

      grey[i] = (guint16) (CLAMP (0.2 + 0.1 * noise + (in ? 0.55 : 0.0), 0.0, 1.0) *
                               VG_CONTOUR_UNIT +
                           0.5);
    }
  g_rand_free (rand);
}

/* Dice of either ellipse and of the zone they share. */
static void
score_pair (const VgContourScene *scene, double scores[3])
{
  double common[3] = { 0 }, both[3] = { 0 };

  for (int i = 0; i < SIDE * SIDE; i++)
    {
      gboolean t[3], f[3];

      for (int k = 0; k < 2; k++)
        {
          const VgContourObject *object = vg_contour_scene_object (scene, (guint) k);
          int x = i % SIDE - object->tile.x, y = i / SIDE - object->tile.y;

          t[k] = is_inside (ellipses[k], i % SIDE + 0.5, i / SIDE + 0.5);
          f[k] = x >= 0 && y >= 0 && x < object->tile.width && y < object->tile.height &&
                 object->phi[y * object->tile.width + x] > 0.0f;
        }
      t[2] = t[0] && t[1];
      f[2] = f[0] && f[1];
      for (int k = 0; k < 3; k++)
        {
          common[k] += t[k] && f[k];
          both[k] += t[k] + f[k];
        }
    }
  for (int k = 0; k < 3; k++)
    scores[k] = 2.0 * common[k] / both[k];
}

static void
bench_ellipses (VgBench *bench, const VgContext *context)
{
  VgContourParams params = *(const VgContourParams *) context->params;
  double worst = 1.0, overlap = 1.0;

  params.prior_weight = 0.04f; /* 0.02 at a radius of 20 */
  params.overlap_penalty = 0.0f;
  params.means = VG_CONTOUR_MEANS_GLOBAL;
  for (guint32 seed = 1; seed <= NOISES; seed++)
    {
      g_autofree guint16 *grey = g_new (guint16, SIDE * SIDE);
      VgContourScene *scene;
      double scores[3];

      draw_pair (grey, seed);
      scene = vg_contour_scene_new (grey, SIDE, SIDE, 20, &params, 1, NULL);
      if (scene == NULL)
        return;
      for (int k = 0; k < 2; k++)
        vg_contour_scene_add (scene, starts[k][0], starts[k][1]);
      vg_contour_scene_means (scene);
      for (int n = 0; n < 160; n += 10)
        {
          vg_contour_scene_iterate (scene, 10);
          vg_contour_scene_grow (scene, NULL, NULL);
        }
      score_pair (scene, scores);
      vg_contour_scene_free (scene);
      worst = MIN (worst, MIN (scores[0], scores[1]));
      overlap = MIN (overlap, scores[2]);
    }
  bench->add (bench, &(VgBenchRow){ "ellipses_dice",
                                    "two overlapping ellipses, noise 0.10, the worst of five",
                                    worst, "", 0.97, "what was asked for" });
  bench->add (bench, &(VgBenchRow){ "ellipses_overlap", "the same, Dice of the zone they share",
                                    overlap, "", 0.85, "what was asked for" });
}

/* ---- Crops ---- */

static double
median_radius (const GPtrArray *truth)
{
  g_autofree double *radii = g_new (double, truth->len);

  for (guint i = 0; i < truth->len; i++)
    radii[i] = sqrt ((double) vg_contour_mask_at (truth, i)->area / G_PI);
  vg_sort_doubles (radii, truth->len);
  return radii[truth->len / 2];
}

static gboolean
score_crop (VgBench *bench, const VgContext *context, const char *name, gboolean clicks,
            VgContourMetrics *metrics)
{
  g_autofree char *path = g_strdup_printf ("contour/%s.tif", name),
                  *label_path = g_strdup_printf ("contour/%s_label.tif", name);
  g_autoptr (VgImage) image = bench->picture (bench, path, TRUE),
                      labels = bench->picture (bench, label_path, FALSE);
  g_autoptr (GPtrArray) truth = NULL, found = NULL;
  VgContourParams params = *(const VgContourParams *) context->params;
  VgInputFile files[] = { { "seeds", labels } };
  VgContourRun *run;

  if (image == NULL || labels == NULL)
    return FALSE;
  truth = vg_contour_masks_of_file (labels, &image->info, NULL, NULL);
  if (truth == NULL)
    return FALSE;
  if (clicks) /* every click is meant */
    {
      params.radius_px = (float) median_radius (truth);
      params.smallest = params.contrast = 0.0f;
    }
  run = vg_contour_run_new (&(VgContext){ .params = &params,
                                          .info = &image->info,
                                          .image = image,
                                          .files = files,
                                          .n_files = clicks,
                                          .threads = context->threads },
                            NULL);
  if (run == NULL)
    return FALSE;
  found = vg_contour_run_finish (run, NULL) ? vg_contour_masks_of_scene (run->scene) : NULL;
  vg_contour_run_free (run);
  return found != NULL &&
         vg_contour_metrics (found, truth, image->info.width, image->info.height, metrics);
}

static void
bench_crops (VgBench *bench, const VgContext *context, gboolean clicks)
{
  double aji = 0.0, f1 = 0.0;

  for (int i = 0; i < CROPS; i++)
    {
      VgContourMetrics metrics;

      if (!score_crop (bench, context, crops[i], clicks, &metrics))
        return;
      aji += metrics.aji / CROPS;
      f1 += metrics.f1 / CROPS;
    }
  bench->add (bench, &(VgBenchRow){ clicks ? "crops_clicks_aji" : "crops_automatic_aji",
                                    clicks ? "ten crops of H&E, a click per nucleus: mean AJI"
                                           : "ten crops of H&E, automatic seeds: mean AJI",
                                    aji, "", clicks ? 0.66 : 0.56, "what was asked for" });
  bench->add (bench,
              &(VgBenchRow){ clicks ? "crops_clicks_f1" : "crops_automatic_f1", "the same: mean F1",
                             f1, "", clicks ? 0.83 : 0.66, "what was asked for" });
}

void
vg_contour_bench_scores (const VgContext *context, VgBench *bench)
{
  bench_ellipses (bench, context);
  if (bench->picture == NULL || bench->quick)
    return;
  bench_crops (bench, context, TRUE);
  bench_crops (bench, context, FALSE);
}
