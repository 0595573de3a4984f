/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-problem.h"
#include <string.h>
/* Times, inputs and weights in the layout of the fits. */

VgPerfusionBounds
vg_perfusion_bounds_default (void)
{
  return (VgPerfusionBounds){ 0.6 / VG_PERFUSION_RATE, 3000.0 / VG_PERFUSION_RATE, 0, 10,
                              VG_PERFUSION_DELAYS_FREE };
}

void
vg_perfusion_interpolate (int n, const double *times_s, const double *weights, double *curve)
{
  int before = -1;

  for (int i = 0; i < n; i++)
    {
      if (weights[i] <= 0)
        continue;
      for (int k = before + 1; k < i; k++)
        {
          double part = before < 0
                            ? 1
                            : (times_s[k] - times_s[before]) / (times_s[i] - times_s[before]);

          curve[k] = before < 0 ? curve[i] : curve[before] + part * (curve[i] - curve[before]);
        }
      before = i;
    }
  for (int k = before + 1; k < n; k++)
    curve[k] = before < 0 ? 0 : curve[before];
}

static void
pad (const VgPerfusionProblem *self, double *curve)
{
  for (int i = 1; i <= self->pad; i++)
    {
      curve[-i] = 0;
      curve[self->n - 1 + i] = curve[self->n - 1];
    }
}

/* Whether the times are even within a thousandth of a step and a millisecond, the rounding of
 * files.  This shifts no delay by more. */
static gboolean
is_even (const double *times, int n, double step)
{
  double most = MAX (1e-3 * step, MIN (1.1e-3, 2e-2 * step));

  for (int i = 0; i < n; i++)
    if (fabs (times[i] - times[0] - i * step) > most)
      return FALSE;
  return TRUE;
}

VgPerfusionProblem *
vg_perfusion_problem_new (VgPerfusionModel model, int n, const double *times_s,
                          const double *artery, const double *portal, const double *weights,
                          const VgPerfusionBounds *bounds)
{
  VgPerfusionProblem *self = g_new0 (VgPerfusionProblem, 1);
  double reach = fabs (bounds->delay_min) + fabs (bounds->delay_max);
  gsize length;

  self->model = model;
  self->dual = portal != NULL;
  self->n = n;
  self->bounds = *bounds;
  self->step_s = (times_s[n - 1] - times_s[0]) / MAX (n - 1, 1);
  self->even = n > 1 && is_even (times_s, n, self->step_s);
  self->pad = self->even ? (int) MIN (ceil (reach / self->step_s), 1e6) + 4 : 0;
  length = (gsize) n + 2 * (gsize) self->pad;
  self->memory = g_new0 (double, 2 * length + 2 * (gsize) n);
  self->artery = self->memory + self->pad;
  self->portal = self->artery + length;
  self->times_s = self->memory + 2 * length;
  self->weights = self->times_s + n;
  for (int i = 0; i < n; i++)
    self->times_s[i] = self->even ? times_s[0] + i * self->step_s : times_s[i];
  memcpy (self->artery, artery, sizeof (double) * (gsize) n);
  if (portal != NULL)
    memcpy (self->portal, portal, sizeof (double) * (gsize) n);
  for (int i = 0; i < n; i++)
    {
      self->weights[i] = weights != NULL ? weights[i] : 1;
      self->used += self->weights[i] > 0;
      self->weight_sum += self->weights[i];
    }
  vg_perfusion_interpolate (n, self->times_s, self->weights, self->artery);
  vg_perfusion_interpolate (n, self->times_s, self->weights, self->portal);
  pad (self, self->artery);
  pad (self, self->portal);
  return self;
}

void
vg_perfusion_problem_free (VgPerfusionProblem *self)
{
  if (self == NULL)
    return;
  g_free (self->memory);
  g_free (self);
}

static void
put (const VgPerfusionPoint *point, int i, double *value, double *by_k, double *by_delay)
{
  value[i] = point->value;
  if (by_k != NULL)
    by_k[i] = point->by_k;
  if (by_delay != NULL)
    by_delay[i] = point->by_delay;
}

void
vg_perfusion_curve (const VgPerfusionProblem *self, const double *input, VgPerfusionKind kind,
                    double k, double delay, double *value, double *by_k, double *by_delay)
{
  VgPerfusionPoint point = { 0, 0, 0 };

  if (self->even)
    {
      VgPerfusionColumn column = vg_perfusion_column (kind, k, delay, self->step_s,
                                                      1 / self->step_s);

      for (int i = MIN (0, -column.shift); i < self->n; i++)
        {
          int j = i + column.shift;

          if (j < 0)
            point = (VgPerfusionPoint){ 0, 0, 0 };
          else
            point = vg_perfusion_next (column, point, j, input[j - 1], input[j], input[j + 1]);
          if (i >= 0)
            put (&point, i, value, by_k, by_delay);
        }
      return;
    }
  VgPerfusionWalk walk = VG_PERFUSION_WALK_START;
  for (int i = 0; i < self->n; i++)
    {
      point = vg_perfusion_walk (&walk, kind, k, self->times_s[i] - delay, self->times_s, input,
                                 self->n);
      put (&point, i, value, by_k, by_delay);
    }
}
