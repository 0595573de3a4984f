/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-scalar.h"
#include <math.h>
/* Nelder and Mead's simplex by the rules of Lagarias et al., SIAM J. Optim. 9, 112 (1998), with
 * the start and the stop of Wang and Cao (2012).  It requests the cost of one point at a time, so
 * that both backends take the same steps:
 *   start; do f = cost (trial); while (vg_simplex_set_cost (f)); */

enum { VG_SIMPLEX_N = 5 };
enum { VG_SIMPLEX_MAX_ITERATIONS = 600 };

typedef enum {
  VG_SIMPLEX_FIRST,
  VG_SIMPLEX_REFLECT,
  VG_SIMPLEX_EXPAND,
  VG_SIMPLEX_OUTSIDE,
  VG_SIMPLEX_INSIDE,
  VG_SIMPLEX_SHRINK,
} VgSimplexPhase;

typedef struct
{
  double x[VG_SIMPLEX_N + 1][VG_SIMPLEX_N], f[VG_SIMPLEX_N + 1];
  double mean[VG_SIMPLEX_N], trial[VG_SIMPLEX_N], reflected[VG_SIMPLEX_N], reflected_f;
  int phase, vertex, iterations, evaluations;
} VgSimplex;

/* Starts at ka, kp, kl in ml/100 g/min and delays in s. */
VG_SCALAR void
vg_simplex_start (VgSimplex *self)
{
  const double start[VG_SIMPLEX_N] = { 10, 80, 200, 2, 3 };

  for (int v = 0; v <= VG_SIMPLEX_N; v++)
    for (int i = 0; i < VG_SIMPLEX_N; i++)
      self->x[v][i] = v == i + 1 ? start[i] * 1.05 : start[i];
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    self->trial[i] = start[i];
  self->phase = VG_SIMPLEX_FIRST;
  self->vertex = self->iterations = self->evaluations = 0;
}

/* Inserts a vertex at index I or lower, after those with an equal cost. */
VG_SCALAR void
vg_simplex_insert (VgSimplex *self, int i, const double *x, double f)
{
  double copy[VG_SIMPLEX_N];

  for (int k = 0; k < VG_SIMPLEX_N; k++)
    copy[k] = x[k];
  for (; i > 0 && self->f[i - 1] > f; i--)
    {
      self->f[i] = self->f[i - 1];
      for (int k = 0; k < VG_SIMPLEX_N; k++)
        self->x[i][k] = self->x[i - 1][k];
    }
  self->f[i] = f;
  for (int k = 0; k < VG_SIMPLEX_N; k++)
    self->x[i][k] = copy[k];
}

/* trial = mean + PART (point - mean) */
VG_SCALAR void
vg_simplex_along (VgSimplex *self, double part, const double *point)
{
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    self->trial[i] = self->mean[i] + part * (point[i] - self->mean[i]);
}

/* Begins the next iteration with a reflection; returns 0 at the end. */
VG_SCALAR int
vg_simplex_iterate (VgSimplex *self)
{
  if (self->f[VG_SIMPLEX_N] - self->f[0] < 1e-8 || self->iterations >= VG_SIMPLEX_MAX_ITERATIONS)
    return 0;
  self->iterations++;
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    {
      double sum = 0;

      for (int v = 0; v < VG_SIMPLEX_N; v++)
        sum += self->x[v][i];
      self->mean[i] = sum / (double) VG_SIMPLEX_N;
    }
  vg_simplex_along (self, -1, self->x[VG_SIMPLEX_N]);
  self->phase = VG_SIMPLEX_REFLECT;
  return 1;
}

VG_SCALAR int
vg_simplex_accept (VgSimplex *self, const double *x, double f)
{
  vg_simplex_insert (self, VG_SIMPLEX_N, x, f);
  return vg_simplex_iterate (self);
}

VG_SCALAR void
vg_simplex_set_vertex (VgSimplex *self)
{
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    self->trial[i] = self->x[self->vertex][i];
}

/* Moves vertices 2.. half way to the best, then requests their costs. */
VG_SCALAR int
vg_simplex_shrink (VgSimplex *self)
{
  for (int v = 1; v <= VG_SIMPLEX_N; v++)
    for (int i = 0; i < VG_SIMPLEX_N; i++)
      self->x[v][i] = self->x[0][i] + (self->x[v][i] - self->x[0][i]) / 2;
  self->phase = VG_SIMPLEX_SHRINK;
  self->vertex = 1;
  vg_simplex_set_vertex (self);
  return 1;
}

/* Handles the cost of the last of a set of vertices: sorts and continues. */
VG_SCALAR int
vg_simplex_next_vertex (VgSimplex *self, double f)
{
  self->f[self->vertex++] = f;
  if (self->vertex <= VG_SIMPLEX_N)
    {
      vg_simplex_set_vertex (self);
      return 1;
    }
  for (int v = 1; v <= VG_SIMPLEX_N; v++)
    vg_simplex_insert (self, v, self->x[v], self->f[v]);
  return vg_simplex_iterate (self);
}

VG_SCALAR int
vg_simplex_reflected (VgSimplex *self, double f)
{
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    self->reflected[i] = self->trial[i];
  self->reflected_f = f;
  if (f < self->f[0])
    {
      vg_simplex_along (self, -2, self->x[VG_SIMPLEX_N]);
      self->phase = VG_SIMPLEX_EXPAND;
      return 1;
    }
  if (f < self->f[VG_SIMPLEX_N - 1])
    return vg_simplex_accept (self, self->reflected, f);
  self->phase = f < self->f[VG_SIMPLEX_N] ? VG_SIMPLEX_OUTSIDE : VG_SIMPLEX_INSIDE;
  vg_simplex_along (self, 0.5,
                    self->phase == VG_SIMPLEX_OUTSIDE ? self->reflected : self->x[VG_SIMPLEX_N]);
  return 1;
}

/* Accepts the cost of `trial`.  Returns 0 when the simplex has ended; its best vertex is x[0]. */
VG_SCALAR int
vg_simplex_set_cost (VgSimplex *self, double f)
{
  f = f == f ? f : HUGE_VAL;
  self->evaluations++;
  switch (self->phase)
    {
    case VG_SIMPLEX_FIRST:
    case VG_SIMPLEX_SHRINK:
      return vg_simplex_next_vertex (self, f);
    case VG_SIMPLEX_REFLECT:
      return vg_simplex_reflected (self, f);
    case VG_SIMPLEX_EXPAND:
      if (f < self->reflected_f)
        return vg_simplex_accept (self, self->trial, f);
      return vg_simplex_accept (self, self->reflected, self->reflected_f);
    case VG_SIMPLEX_OUTSIDE:
      return f <= self->reflected_f ? vg_simplex_accept (self, self->trial, f)
                                    : vg_simplex_shrink (self);
    case VG_SIMPLEX_INSIDE:
    default:
      return f < self->f[VG_SIMPLEX_N] ? vg_simplex_accept (self, self->trial, f)
                                       : vg_simplex_shrink (self);
    }
}
