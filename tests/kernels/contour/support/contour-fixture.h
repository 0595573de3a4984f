/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/engine/contour-run.h"
#include <math.h>
#include <string.h>
/* Ellipses in noise, and scenes on them. */

typedef struct
{
  double x, y, a, b, angle;
} ContourEllipse;

static inline gboolean
contour_inside (const ContourEllipse *e, double x, double y)
{
  double dx = x - e->x, dy = y - e->y, u = cos (e->angle) * dx + sin (e->angle) * dy,
         v = cos (e->angle) * dy - sin (e->angle) * dx;

  return u * u / (e->a * e->a) + v * v / (e->b * e->b) <= 1.0;
}

static inline double
contour_normal (GRand *rand)
{
  return sqrt (-2.0 * log (1.0 - g_rand_double (rand))) * cos (2.0 * G_PI * g_rand_double (rand));
}

/* Does all remaining iterations on the CPU. */
static inline gboolean
contour_run_to_end (VgContourRun *run)
{
  while (!run->standing.finished)
    if (!vg_contour_run_advance (run, vg_contour_run_chunk (run, G_MAXINT), NULL))
      return FALSE;
  return TRUE;
}

/* Grey value 0.2 outside, CONTRAST more inside any ellipse, Gaussian noise. */
static inline guint16 *
contour_picture (const ContourEllipse *ellipses, int n, int size, double contrast, double noise,
                 guint seed)
{
  GRand *rand = g_rand_new_with_seed (seed);
  guint16 *grey = g_new (guint16, size * size);

  for (int i = 0; i < size * size; i++)
    {
      double f = 0.2 + noise * contour_normal (rand);
      gboolean in = FALSE;

      for (int k = 0; k < n; k++)
        in |= contour_inside (&ellipses[k], i % size + 0.5, i / size + 0.5);
      grey[i] = (guint16) (CLAMP (f + (in ? contrast : 0.0), 0.0, 1.0) * VG_CONTOUR_UNIT + 0.5);
    }
  g_rand_free (rand);
  return grey;
}

static inline VgContourParams
contour_params (void)
{
  VgContourParams *defaults = vg_params_new (&vg_contour_operation.params), params = *defaults;

  vg_params_free (&vg_contour_operation.params, defaults);
  params.added = params.removed = NULL;
  /* contour-data tests the learned force, with its own least size */
  params.force = VG_CONTOUR_FORCE_CLASSICAL;
  params.smallest = 0.2f;
  params.seeds = params.truth = NULL;
  return params;
}

static inline gboolean
contour_has (const VgContourObject *object, int x, int y)
{
  x -= object->tile.x;
  y -= object->tile.y;
  return x >= 0 && y >= 0 && x < object->tile.width && y < object->tile.height &&
         object->phi[y * object->tile.width + x] > 0.0f;
}

static inline void
contour_iterate (VgContourScene *scene, int n)
{
  for (int i = 0; i < n; i += 10)
    {
      vg_contour_scene_iterate (scene, MIN (10, n - i));
      vg_contour_scene_grow (scene, NULL, NULL);
    }
}
