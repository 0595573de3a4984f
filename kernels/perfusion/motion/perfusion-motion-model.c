/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion-model.h"
#include <string.h>

enum { RANK = VG_PERFUSION_MOTION_RANK };
enum { SLOW = 2 }; /* times that coefficients are smoothed */

void
vg_motion_solve (const double *a, int size, double *b, int columns)
{
  double l[RANK * RANK] = { 0 }, trace = 0;

  for (int i = 0; i < size; i++)
    trace += a[i * size + i];
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++)
      {
        double sum = (a[i * size + j] + a[j * size + i]) / 2;

        for (int k = 0; k < j; k++)
          sum -= l[i * size + k] * l[j * size + k];
        if (i == j)
          l[i * size + i] = sum > 1e-12 * trace ? sqrt (sum) : 0;
        else
          l[i * size + j] = l[j * size + j] > 0 ? sum / l[j * size + j] : 0;
      }
  for (int c = 0; c < columns; c++)
    {
      double *x = b + (gsize) c * (gsize) size;

      for (int i = 0; i < size; i++)
        {
          for (int k = 0; k < i; k++)
            x[i] -= l[i * size + k] * x[k];
          x[i] = l[i * size + i] > 0 ? x[i] / l[i * size + i] : 0;
        }
      for (int i = size - 1; i >= 0; i--)
        {
          for (int k = i + 1; k < size; k++)
            x[i] -= l[k * size + i] * x[k];
          x[i] = l[i * size + i] > 0 ? x[i] / l[i * size + i] : 0;
        }
    }
}

void
vg_motion_model_init (VgMotionModel *self, int n, const double *weights)
{
  const gsize room = (gsize) n * RANK;

  *self = (VgMotionModel){ .n = n,
                           .rank = 1,
                           .c = g_new (double, room),
                           .q = g_new (double, room),
                           .old = g_new (double, room),
                           .weight = g_new (double, n),
                           .leverage = g_new0 (double, n),
                           .project = g_new (double, room),
                           .products = g_new (double, room + RANK * RANK) };
  for (int i = 0; i < n; i++)
    {
      self->c[i] = 1;
      self->weight[i] = weights[i] > 0;
    }
}

void
vg_motion_model_clear (VgMotionModel *self)
{
  for (gpointer *each = (gpointer[]){ self->c, self->q, self->old, self->weight, self->leverage,
                                      self->project, self->products, NULL };
       *each != NULL; each++)
    g_free (*each);
}

void
vg_motion_model_make_orthonormal (VgMotionModel *self)
{
  for (int k = 0; k < self->rank; k++)
    {
      double whole = 0, left = 0;

      for (int i = 0; i < self->n; i++)
        {
          double value = self->c[i * self->rank + k];

          self->q[i * self->rank + k] = value;
          whole += self->weight[i] * value * value;
        }
      for (int turn = 0; turn < 2; turn++)
        for (int j = 0; j < k; j++)
          {
            double dot = 0;

            for (int i = 0; i < self->n; i++)
              dot += self->weight[i] * self->q[i * self->rank + k] * self->q[i * self->rank + j];
            for (int i = 0; i < self->n; i++)
              self->q[i * self->rank + k] -= dot * self->q[i * self->rank + j];
          }
      for (int i = 0; i < self->n; i++)
        left += self->weight[i] * self->q[i * self->rank + k] * self->q[i * self->rank + k];
      left = left > 1e-20 * whole ? 1 / sqrt (left) : 0;
      for (int i = 0; i < self->n; i++)
        self->q[i * self->rank + k] *= left;
    }
}

void
vg_motion_model_add_component (VgMotionModel *self)
{
  int to = self->rank + 1;

  for (int i = self->n - 1; i >= 0; i--)
    {
      for (int k = self->rank - 1; k >= 0; k--)
        self->c[i * to + k] = self->c[i * self->rank + k];
      self->c[i * to + self->rank] = cos (G_PI * self->rank * (i + 0.5) / self->n);
    }
  self->rank = to;
}

void
vg_motion_model_keep_slow (VgMotionModel *self)
{
  int n = self->n, rank = self->rank;
  g_autofree double *from = g_new (double, n *rank);

  vg_motion_model_make_orthonormal (self);
  memcpy (self->c, self->q, sizeof *self->c * (gsize) (n * rank));
  for (int turn = 0; turn < SLOW; turn++)
    {
      memcpy (from, self->c, sizeof *from * (gsize) (n * rank));
      for (int i = 0; i < n; i++)
        for (int k = 0; k < rank; k++)
          self->c[i * rank + k] = (from[MAX (i - 1, 0) * rank + k] + 2 * from[i * rank + k] +
                                   from[MIN (i + 1, n - 1) * rank + k]) /
                                  4;
    }
  vg_motion_model_make_orthonormal (self);
}

gboolean
vg_motion_model_improve (VgMotionModel *self, const VgPerfusionMotionPasses *passes,
                         gpointer backend, GError **error)
{
  int n = self->n, rank = self->rank;

  if (self->slow)
    vg_motion_model_keep_slow (self);
  else
    vg_motion_model_make_orthonormal (self);
  for (int k = 0; k < rank; k++)
    for (int i = 0; i < n; i++)
      self->project[k * n + i] = self->weight[i] * self->q[i * rank + k];
  if (!passes->project (backend, self->project, rank, self->old, self->old_rank, self->products,
                        error))
    return FALSE;
  memcpy (self->c, self->products, sizeof (double) * (gsize) (n * rank));
  vg_motion_solve (self->products + n * rank, rank, self->c, n);
  for (int i = 0; i < n * rank; i++)
    if (!isfinite (self->c[i]))
      self->c[i] = 0;
  memcpy (self->old, self->c, sizeof (double) * (gsize) (n * rank));
  self->old_rank = rank;
  vg_motion_model_make_orthonormal (self);
  for (int i = 0; i < n; i++)
    {
      self->leverage[i] = 0;
      for (int k = 0; k < rank; k++)
        self->leverage[i] += self->weight[i] * self->q[i * rank + k] * self->q[i * rank + k];
      self->leverage[i] = MIN (self->leverage[i], 0.8);
    }
  return TRUE;
}
