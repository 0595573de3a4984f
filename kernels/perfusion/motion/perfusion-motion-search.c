/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion-search.h"
#include "kernels/core/vg-operation.h"
#include "kernels/perfusion/motion/perfusion-motion-frames.h"
#include "kernels/perfusion/motion/perfusion-motion-grid.h"
#include <string.h>
/* The search for the displacements: they and the model of the series are estimated in turn, on
 * images that become finer (docs/internals/perfusion.md). */

enum { LEVELS = 3, RANK = VG_PERFUSION_MOTION_RANK, SUMS = VG_PERFUSION_MOTION_SUMS };
enum { LEAST = 8 }; /* samples of an axis on a coarse level */
#define PRIOR 10.0  /* expected displacement where an image says nothing, voxels */
#define CAUCHY 2.5  /* scale of the weights, in standard deviations */
/* See vg_motion_search_prefer_still. */
#define FOLLOWING 0.4
#define ALIKE 1.1
/* Steps with each number of components on the coarsest level, or of a grid on it, and on the finer
 * ones. */
static const int steps[RANK] = { 4, 3, 3, 3, 4 };
enum { GRID_STEPS = 10, FINER_STEPS = 5 };

gboolean
vg_motion_search_precision (const double *sums, double *a)
{
  static const int at[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };
  double variance;
  gboolean known = vg_motion_frames_variance (sums, &variance);

  for (int i = 0; i < 9; i++)
    a[i] = sums[at[i]] / variance;
  return known;
}

static float
sharp_of (double variance)
{
  return (float) MIN (1 / (CAUCHY * CAUCHY * variance), 1e12);
}

static void
step_group (VgMotionSearch *self, int frame, int group)
{
  gsize at = (gsize) (frame * self->groups + group);
  const double *sums = self->sums + at * SUMS;
  double a[9], b[3], variance;
  float *shift = self->shift + at * 3;
  const VgImageInfo *info = &self->task->image->info;
  const double extent[3] = { info->width, info->height, (double) info->slices };

  vg_motion_frames_variance (sums, &variance);
  self->sharp[at] = sharp_of (variance);
  if (!vg_motion_search_precision (sums, a))
    return;
  for (int i = 0; i < 3; i++)
    {
      double prior = self->factor[i] / PRIOR;

      a[4 * i] += prior * prior;
      b[i] = -sums[VG_PERFUSION_MOTION_SLOPE + i] / variance -
             prior * prior * (double) shift[i] / self->factor[i];
    }
  vg_motion_solve (a, 3, b, 1);
  for (int i = 0; i < 3; i++)
    {
      /* The frame is a part of the model that it is compared with. */
      double step = CLAMP (b[i] / (1 - self->model.leverage[frame]), -1, 1) * self->factor[i],
             limit = extent[i] / 4;

      /* Along fewer than four voxels, a displacement would move most of the volume out of it. */
      if (isfinite (step) && limit >= 1 &&
          !(self->task->kind == VG_PERFUSION_MOTION_SLICES && i == 2))
        shift[i] = (float) CLAMP ((double) shift[i] + step, -limit, limit);
    }
}

/* Chooses the position of the median frame as the common one. */
static void
centre (VgMotionSearch *self)
{
  const int stride = self->groups * 3;

#pragma omp parallel num_threads(self->task->threads)
  {
    g_autofree double *values = g_new (double, self->n);

#pragma omp for
    for (int k = 0; k < stride; k++)
      {
        float middle;
        int used = 0;

        for (int i = 0; i < self->n; i++)
          if (self->model.weight[i] > 0)
            values[used++] = (double) self->shift[i * stride + k];
        middle = (float) vg_motion_median (values, used);
        for (int i = 0; i < self->n; i++)
          self->shift[i * stride + k] -= middle;
      }
  }
}

/* Keeps the deformation from folding. */
static void
unfold (VgMotionSearch *self)
{
#pragma omp parallel for num_threads(self->task->threads)
  for (int i = 0; i < self->n; i++)
    vg_motion_grid_unfold (self->grid, self->size, self->shift + (gsize) (i * self->groups) * 3);
}

void
vg_motion_search_rate (VgMotionSearch *self)
{
  vg_motion_frames_rate (self->sums, self->n, self->groups, self->model.leverage, self->factor[0],
                         self->motion->misfit);
}

static void
weigh (VgMotionSearch *self)
{
  vg_motion_search_rate (self);
  vg_motion_frames_weigh (self->motion->misfit, self->n, self->task->weights, self->model.weight);
}

gboolean
vg_motion_search_is_stopped (const VgMotionSearch *self, GError **error)
{
  if (self->task->stop == NULL || g_atomic_int_get (self->task->stop) == 0)
    return FALSE;
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                       "the motion correction was stopped");
  return TRUE;
}

gboolean
vg_motion_search_apply (VgMotionSearch *self, int sweeps, GError **error)
{
  if (vg_motion_search_is_stopped (self, error))
    return FALSE;
  for (int i = 0; i < self->n * self->groups * 3; i++)
    self->scaled[i] = self->shift[i] / (float) self->factor[i % 3];
  if (!self->passes->shift (self->backend, self->scaled, error))
    return FALSE;
  for (int k = 0; k < sweeps; k++)
    if (!vg_motion_model_improve (&self->model, self->passes, self->backend, error))
      return FALSE;
  return self->passes->sums (self->backend, self->model.c, self->model.rank, self->unit,
                             self->sharp, self->sums, error);
}

/* The part of a displacement that the search does not change: a deformation keeps that of the
 * volume. */
static float
kept_of (const VgMotionSearch *self, int frame, int k)
{
  return self->grid != NULL ? self->motion->shift[frame * 3 + k % 3] : 0;
}

/* Removes what follows the time courses of the model from the displacements; if LIMIT is not 0,
 * only along axes where that is most of them and they are smaller than LIMIT (root mean square).
 * FALSE: there is no such axis. */
static gboolean
remove_following (VgMotionSearch *self, double limit)
{
  gboolean any = FALSE;

  if (self->grid != NULL)
    vg_motion_model_keep_slow (&self->model);
  else
    vg_motion_model_make_orthonormal (&self->model);
#pragma omp parallel for num_threads(self->task->threads) reduction(|| : any)
  for (int k = 0; k < self->groups * 3; k++)
    {
      const int stride = self->groups * 3;
      double dots[RANK] = { 0 }, whole = 0, rest = 0, total = 0;

      for (int i = 0; i < self->n; i++)
        {
          double value = (double) (self->shift[i * stride + k] - kept_of (self, i, k));

          total += self->model.weight[i];
          whole += self->model.weight[i] * value * value;
          for (int q = 0; q < self->model.rank; q++)
            dots[q] += self->model.weight[i] * self->model.q[i * self->model.rank + q] * value;
        }
      rest = whole;
      for (int q = 0; q < self->model.rank; q++)
        rest -= dots[q] * dots[q];
      if (whole == 0 || (limit > 0 && (rest > FOLLOWING * whole || whole > limit * limit * total)))
        continue;
      any = TRUE;
      for (int i = 0; i < self->n; i++)
        for (int q = 0; q < self->model.rank; q++)
          self->shift[i * stride + k] -= (float) (dots[q] *
                                                  self->model.q[i * self->model.rank + q]);
    }
  return any;
}

/* All frames of a deformation have one scale of their differences, that of the median frame, so
 * that enhancement which is not in the model does not look like a deformation of its frame. */
static void
step_grid (VgMotionSearch *self)
{
  g_autofree double *variances = g_new (double, self->n);
  float sharp;

#pragma omp parallel for num_threads(self->task->threads)
  for (int i = 0; i < self->n; i++)
    {
      const double *sums = self->sums + (gsize) (i * self->groups) * SUMS;
      double all[SUMS] = { 0 };

      for (int g = 0; g < self->groups; g++)
        for (int k = 0; k < SUMS; k++)
          all[k] += sums[g * SUMS + k];
      vg_motion_frames_variance (all, &variances[i]);
      vg_motion_grid_step (self, i);
    }
  sharp = sharp_of (vg_motion_median (variances, self->n));
  for (int i = 0; i < self->n; i++)
    self->sharp[i] = sharp;
  remove_following (self, 0);
}

static gboolean
iterate (VgMotionSearch *self, int count, GError **error)
{
  for (int k = 0; k < count; k++)
    {
      if (!vg_motion_search_apply (self, 1, error))
        return FALSE;
      if (self->grid != NULL)
        step_grid (self);
      else
        for (int i = 0; i < self->n; i++)
          for (int g = 0; g < self->groups; g++)
            step_group (self, i, g);
      centre (self);
      if (self->grid != NULL)
        unfold (self);
      self->done++;
      if (self->task->report != NULL)
        self->task->report (self->task->report_data, (double) self->done / self->steps);
    }
  return TRUE;
}

static gboolean
begin_level (VgMotionSearch *self, int level, GError **error)
{
  const VgImageInfo *info = &self->task->image->info;
  const gint64 extent[3] = { info->width, info->height, info->slices };

  for (int a = 0; a < 3; a++)
    {
      self->factor[a] = 1 << level;
      while (self->factor[a] > 1 && extent[a] / self->factor[a] < LEAST)
        self->factor[a] /= 2;
    }
  if (self->task->kind == VG_PERFUSION_MOTION_SLICES)
    self->factor[2] = 1;
  self->model.old_rank = 0;
  return self->passes->level (self->backend, self->factor, self->grid, error);
}

/* The difference from the model at the edges of each group, over all frames. */
static void
misfit_of_groups (const VgMotionSearch *self, double *misfit)
{
  for (int g = 0; g < self->groups; g++)
    {
      double sum = 0, structure = 0;

      for (int i = 0; i < self->n; i++)
        {
          const double *sums = self->sums + (gsize) (i * self->groups + g) * SUMS;

          if (self->model.weight[i] > 0 && isfinite (sums[VG_PERFUSION_MOTION_MISFIT]))
            {
              sum += sums[VG_PERFUSION_MOTION_MISFIT];
              structure += sums[VG_PERFUSION_MOTION_STRUCTURE];
            }
        }
      misfit[g] = structure > 0 ? sum / structure : 0;
    }
}

gboolean
vg_motion_search_prefer_still (VgMotionSearch *self, int count, double limit, double tolerated,
                               GError **error)
{
  gsize size = sizeof (float) * (gsize) (self->n * self->groups * 3);
  g_autofree float *with = NULL;
  g_autofree double *misfit = g_new (double, self->groups), *without = g_new (double, self->groups);

  if (!iterate (self, count, error) || !vg_motion_search_apply (self, 1, error))
    return FALSE;
  misfit_of_groups (self, misfit);
  with = g_memdup2 (self->shift, size);
  if (!remove_following (self, limit))
    return TRUE;
  if (!vg_motion_search_apply (self, 2, error) || !iterate (self, count, error) ||
      !vg_motion_search_apply (self, 1, error))
    return FALSE;
  misfit_of_groups (self, without);
  for (int g = 0; g < self->groups; g++)
    {
      if (!(without[g] <= tolerated * misfit[g]))
        for (int i = 0; i < self->n; i++)
          memcpy (self->shift + (i * self->groups + g) * 3, with + (i * self->groups + g) * 3,
                  3 * sizeof (float));
    }
  return TRUE;
}

int
vg_motion_search_steps (int ranks, gboolean deformed)
{
  int all = deformed ? GRID_STEPS + (LEVELS - 1) * FINER_STEPS : (LEVELS + 1) * FINER_STEPS;

  for (int k = 0; k < ranks && !deformed; k++)
    all += steps[k];
  return all;
}

/* The search on the coarsest level, while the model becomes complete. */
static gboolean
search_coarse (VgMotionSearch *self, GError **error)
{
  for (int k = 0; k < self->ranks; k++)
    {
      if (k > 0)
        vg_motion_model_add_component (&self->model);
      if (!iterate (self, steps[k], error))
        return FALSE;
    }
  return vg_motion_search_prefer_still (self, FINER_STEPS, 0, ALIKE, error);
}

gboolean
vg_motion_search (VgMotionSearch *self, GError **error)
{
  for (int level = LEVELS - 1; level >= 0; level--)
    {
      if (!begin_level (self, level, error))
        return FALSE;
      if (level < LEVELS - 1   ? !iterate (self, FINER_STEPS, error)
          : self->grid != NULL ? !iterate (self, GRID_STEPS, error)
                               : !search_coarse (self, error))
        return FALSE;
      /* Frames of the bolus, to which the slow time courses fit less well, keep their weights. */
      if (self->grid == NULL)
        weigh (self);
    }
  return TRUE;
}
