/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/fit/perfusion-dictionary.h"
#include <string.h>
/* The grid, its curves, and the directions that span them.  It takes a millisecond on one thread;
 * several threads would wait for each other so often that a busy machine takes a hundred times as
 * long, and each move of a region waits for it. */

/* Range of the grid's rates, ml/100 g/min. */
#define VG_PERFUSION_GRID_LOW 20.0
#define VG_PERFUSION_GRID_HIGH 2500.0
static void
fill_grid (VgPerfusionDictionary *self, const VgPerfusionBounds *bounds)
{
  double low = log (MAX (bounds->k_min, VG_PERFUSION_GRID_LOW / VG_PERFUSION_RATE)),
         high = log (MIN (bounds->k_max, VG_PERFUSION_GRID_HIGH / VG_PERFUSION_RATE));

  if (!(high > low))
    {
      low = log (bounds->k_min);
      high = log (bounds->k_max);
    }
  for (int i = 0; i < VG_PERFUSION_RATES; i++)
    self->rate[i] = exp (low + (high - low) * i / (VG_PERFUSION_RATES - 1));
  for (int i = 0; i < VG_PERFUSION_GRID_DELAYS; i++)
    {
      /* The grid is finer at the short delays of the liver's inputs. */
      double part = pow ((double) i / (VG_PERFUSION_GRID_DELAYS - 1), 1.3);

      self->delay[i] = bounds->delays == VG_PERFUSION_DELAYS_NONE
                           ? 0
                           : bounds->delay_min + part * (bounds->delay_max - bounds->delay_min);
    }
}

static double
dot (const double *a, const double *b, int n)
{
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;

  /* Four independent sums, so that the additions overlap. */
  for (; i + 4 <= n; i += 4)
    {
      s0 += a[i] * b[i];
      s1 += a[i + 1] * b[i + 1];
      s2 += a[i + 2] * b[i + 2];
      s3 += a[i + 3] * b[i + 3];
    }
  for (; i < n; i++)
    s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

/* Computes all curves, of unit length in the metric of the weights. */
static void
make_curves (const VgPerfusionDictionary *self, const VgPerfusionProblem *problem,
             const double *root_weights, double *curves)
{
  for (int c = 0; c < 2 * VG_PERFUSION_CURVES; c++)
    {
      const double *input = c < VG_PERFUSION_CURVES ? problem->artery : problem->portal;
      int at = c % VG_PERFUSION_CURVES;
      double *curve = curves + (gsize) c * (gsize) self->n, length;

      vg_perfusion_curve (problem, input, VG_PERFUSION_EXPONENTIAL,
                          self->rate[at / VG_PERFUSION_GRID_DELAYS],
                          self->delay[at % VG_PERFUSION_GRID_DELAYS], curve, NULL, NULL);
      for (int i = 0; i < self->n; i++)
        curve[i] *= root_weights[i];
      length = sqrt (dot (curve, curve, self->n));
      for (int i = 0; i < self->n; i++)
        curve[i] = length > 0 ? curve[i] / length : 0;
    }
}

static void
make_pairs (VgPerfusionDictionary *self, const double *curves)
{
  const double *portal = curves + (gsize) VG_PERFUSION_CURVES * (gsize) self->n;

  for (int i = 0; i < VG_PERFUSION_PAIRS; i++)
    {
      int a = i / VG_PERFUSION_GRID_DELAYS,
          p = a / VG_PERFUSION_GRID_DELAYS * VG_PERFUSION_GRID_DELAYS +
              i % VG_PERFUSION_GRID_DELAYS;
      double overlap = dot (curves + (gsize) a * (gsize) self->n,
                            portal + (gsize) p * (gsize) self->n, self->n);

      self->overlap[i] = self->shared &&
                                 a % VG_PERFUSION_GRID_DELAYS != i % VG_PERFUSION_GRID_DELAYS
                             ? NAN
                             : (float) overlap;
      self->inverse[i] = (float) (1 / MAX (1 - overlap * overlap, 1e-5));
    }
}

/* Gram-Schmidt orthogonalisation, each time with the curve of the largest remainder.  Overwrites
 * REST. */
static int
make_directions (double *rest, double *directions, int n, double *worst)
{
  int count = 0;

  for (;; count++)
    {
      double most = 0, *direction = directions + (gsize) count * (gsize) n;
      int which = 0;

      for (int c = 0; c < 2 * VG_PERFUSION_CURVES; c++)
        {
          double left = dot (rest + (gsize) c * (gsize) n, rest + (gsize) c * (gsize) n, n);

          if (left > most)
            {
              most = left;
              which = c;
            }
        }
      *worst = most;
      if (count == VG_PERFUSION_RANK || most < 1e-10)
        return count;
      for (int i = 0; i < n; i++)
        direction[i] = rest[(gsize) which * (gsize) n + (gsize) i] / sqrt (most);
      for (int c = 0; c < 2 * VG_PERFUSION_CURVES; c++)
        {
          double *curve = rest + (gsize) c * (gsize) n, part = dot (curve, direction, n);

          for (int i = 0; i < n; i++)
            curve[i] -= part * direction[i];
        }
    }
}

static void
project (VgPerfusionDictionary *self, const double *curves, const double *directions, int count)
{
  for (int c = 0; c < 2 * VG_PERFUSION_CURVES; c++)
    {
      float *to = c < VG_PERFUSION_CURVES ? self->a[c] : self->p[c - VG_PERFUSION_CURVES];

      for (int r = 0; r < count; r++)
        to[r] = (float) dot (curves + (gsize) c * (gsize) self->n,
                             directions + (gsize) r * (gsize) self->n, self->n);
    }
}

VgPerfusionDictionary *
vg_perfusion_dictionary_new (const VgPerfusionProblem *problem)
{
  g_autoptr (VgPerfusionDictionary) self = g_try_new0 (VgPerfusionDictionary, 1);
  gsize n = (gsize) problem->n, all = 2 * VG_PERFUSION_CURVES * n;
  g_autofree double *curves = g_try_new (double, all), *rest = g_try_new (double, all),
                    *root_weights = g_try_new (double, n);
  g_autofree double *directions = g_try_new0 (double, (VG_PERFUSION_RANK + 1) * n);
  int count;

  if (self != NULL)
    self->directions = g_try_new0 (float, n *VG_PERFUSION_RANK);
  if (self == NULL || self->directions == NULL || curves == NULL || rest == NULL ||
      root_weights == NULL || directions == NULL)
    return NULL;
  self->n = problem->n;
  self->shared = problem->bounds.delays == VG_PERFUSION_DELAYS_SHARED;
  fill_grid (self, &problem->bounds);
  for (gsize i = 0; i < n; i++)
    root_weights[i] = sqrt (problem->weights[i]);
  make_curves (self, problem, root_weights, curves);
  make_pairs (self, curves);
  memcpy (rest, curves, sizeof (double) * all);
  count = make_directions (rest, directions, self->n, &self->captured);
  self->captured = 1 - self->captured;
  project (self, curves, directions, count);
  for (gsize i = 0; i < n; i++)
    for (int r = 0; r < VG_PERFUSION_RANK; r++)
      self->directions[i * VG_PERFUSION_RANK + (gsize) r] = (float) (directions[(gsize) r * n + i] *
                                                                     root_weights[i]);
  return g_steal_pointer (&self);
}

void
vg_perfusion_dictionary_free (VgPerfusionDictionary *self)
{
  if (self == NULL)
    return;
  g_free (self->directions);
  g_free (self);
}
