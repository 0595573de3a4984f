/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/base/vg-memory.h"
#include "kernels/core/vg-operation.h"
#include "kernels/perfusion/motion/perfusion-motion-frames.h"
#include "kernels/perfusion/motion/perfusion-motion-model.h"
#include <string.h>
/* The registration, for both backends: the model of the series and the displacements are estimated
 * in turn, on images that become finer (docs/internals/perfusion.md). */

enum { LEVELS = 3, RANK = VG_PERFUSION_MOTION_RANK, SUMS = VG_PERFUSION_MOTION_SUMS };
enum { LEAST = 8 };      /* samples of an axis on a coarse level */
enum { FRAMES = 8 };     /* frames per component of the model */
#define PRIOR 10.0       /* expected displacement where an image says nothing, voxels */
#define CAUCHY 2.5       /* scale of the weights, in standard deviations */
#define LEAST_SHIFT 0.1f /* voxels; a smaller one is left uncorrected, as interpolation blurs */
#define SURE 3.0f        /* standard errors of a significant displacement */
/* See prefer_still. */
#define FOLLOWING 0.4
#define ALIKE 1.1
#define CERTAIN 3.0
#define SMALL 0.3 /* voxels */
/* Steps with each number of components on the coarsest level, and on the finer ones. */
static const int steps[RANK] = { 4, 3, 3, 3, 4 };
enum { FINER_STEPS = 5 };

typedef struct
{
  const VgPerfusionMotionTask *task;
  const VgPerfusionMotionPasses *passes;
  gpointer backend;
  VgPerfusionMotion *motion;
  VgMotionModel model;
  int n, groups, ranks, factor[3];
  float unit;
  double *sums;
  float *shift, *scaled, *sharp; /* voxels; voxels of the level; see vg_perfusion_motion_add */
  int done, steps;
} Work;

void
vg_perfusion_motion_free (VgPerfusionMotion *self)
{
  if (self == NULL)
    return;
  for (gpointer *each = (gpointer[]){ self->shift, self->error, self->found, self->misfit,
                                      self->left_out, self->before, self->after, NULL };
       *each != NULL; each++)
    g_free (*each);
  if (self->corrected != NULL)
    vg_image_unref (self->corrected);
  g_free (self);
}

void
vg_perfusion_motion_no_memory (int frames, GError **error)
{
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "there is not enough memory to correct the motion of %d frames; use fewer frames "
               "or a smaller area",
               frames);
}

void
vg_perfusion_motion_memory (const VgImageInfo *info, gsize *results, gsize *passes)
{
  gsize voxels = vg_image_info_page_samples (info) * (gsize) MAX (info->slices, 0),
        series = voxels * sizeof (float) * (gsize) MAX (info->frames, 0);

  *results = series + 2 * voxels * sizeof (float);
  /* The series as float, a coarser one, the corrected one, the model, and partial sums. */
  *passes = 2 * series + series / 2 + voxels * (sizeof (float) * (2 * RANK + 1) + 2) +
            (gsize) MAX (info->frames, 0) * (gsize) MAX (info->slices, 0) * SUMS *
                (VG_PERFUSION_MOTION_PARTS + 1) * sizeof (double);
}

/* The variance of the difference from the model at the edges of a group. */
static double
variance_of (const double *sums)
{
  double value = sums[VG_PERFUSION_MOTION_MISFIT] / sums[VG_PERFUSION_MOTION_STRUCTURE];

  return isfinite (value) ? value : 0;
}

/* The precision (inverse covariance) of a displacement in voxels of the level.  FALSE: the group
 * has no structure. */
static gboolean
precision_of (const double *sums, double *a)
{
  static const int at[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };
  double variance = variance_of (sums);

  /* Where the model fits exactly, every voxel has the rounding error of single precision. */
  variance = MAX (variance, 1e-12);
  for (int i = 0; i < 9; i++)
    a[i] = sums[at[i]] / variance;
  return isfinite (a[0] + a[4] + a[8]) && a[0] + a[4] + a[8] > 0;
}

static void
step_group (Work *self, int frame, int group)
{
  gsize at = (gsize) (frame * self->groups + group);
  const double *sums = self->sums + at * SUMS;
  double a[9], b[3], variance = MAX (variance_of (sums), 1e-12);
  float *shift = self->shift + at * 3;
  const VgImageInfo *info = &self->task->image->info;
  const double extent[3] = { info->width, info->height, (double) info->slices };

  self->sharp[at] = (float) MIN (1 / (CAUCHY * CAUCHY * variance), 1e12);
  if (!precision_of (sums, a))
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

      if (isfinite (step) && !(self->task->kind == VG_PERFUSION_MOTION_SLICES && i == 2))
        shift[i] = (float) CLAMP ((double) shift[i] + step, -limit, limit);
    }
}

/* Chooses the position of the median frame as the common one. */
static void
centre (Work *self)
{
  g_autofree double *values = g_new (double, self->n);

  for (int k = 0; k < self->groups * 3; k++)
    {
      double middle;
      int used = 0;

      for (int i = 0; i < self->n; i++)
        if (self->model.weight[i] > 0)
          values[used++] = (double) self->shift[i * self->groups * 3 + k];
      middle = vg_motion_median (values, used);
      for (int i = 0; i < self->n; i++)
        self->shift[i * self->groups * 3 + k] -= (float) middle;
    }
}

static void
rate (Work *self)
{
  vg_motion_frames_rate (self->sums, self->n, self->groups, self->model.leverage, self->factor[0],
                         self->motion->misfit);
}

static void
weigh (Work *self)
{
  rate (self);
  vg_motion_frames_weigh (self->motion->misfit, self->n, self->task->weights, self->model.weight);
}

static gboolean
is_stopped (const Work *self, GError **error)
{
  if (self->task->stop == NULL || g_atomic_int_get (self->task->stop) == 0)
    return FALSE;
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                       "the motion correction was stopped");
  return TRUE;
}

/* Corrects the series by the present displacements and improves its model. */
static gboolean
apply (Work *self, int sweeps, GError **error)
{
  if (is_stopped (self, error))
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

static gboolean
iterate (Work *self, int count, GError **error)
{
  for (int k = 0; k < count; k++)
    {
      if (!apply (self, 1, error))
        return FALSE;
      for (int i = 0; i < self->n; i++)
        for (int g = 0; g < self->groups; g++)
          step_group (self, i, g);
      centre (self);
      self->done++;
      if (self->task->report != NULL)
        self->task->report (self->task->report_data, (double) self->done / self->steps);
    }
  return TRUE;
}

static gboolean
begin_level (Work *self, int level, GError **error)
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
  return self->passes->level (self->backend, self->factor, error);
}

/* The difference from the model at the edges of each group, over all frames. */
static void
misfit_of_groups (const Work *self, double *misfit)
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

/* Removes what follows the time courses of the model from the displacements; if LIMIT is not 0,
 * only along axes where that is most of them and they are smaller than LIMIT (root mean square).
 * FALSE: there is no such axis. */
static gboolean
remove_following (Work *self, double limit)
{
  gboolean any = FALSE;

  vg_motion_model_make_orthonormal (&self->model);
  for (int k = 0; k < self->groups * 3; k++)
    {
      const int stride = self->groups * 3;
      double dots[RANK] = { 0 }, whole = 0, rest = 0, total = 0;

      for (int i = 0; i < self->n; i++)
        {
          double value = (double) self->shift[i * stride + k];

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

/* Enhancement and a displacement with the same time course look alike, and the model can take on
 * the one for the other.  So the displacements of a group are compared with those without this
 * part, after COUNT more steps of both, which are chosen if the misfit is then at most TOLERATED
 * times as large.  See remove_following for LIMIT. */
static gboolean
prefer_still (Work *self, int count, double limit, double tolerated, GError **error)
{
  gsize size = sizeof (float) * (gsize) (self->n * self->groups * 3);
  g_autofree float *with = NULL;
  g_autofree double *misfit = g_new (double, self->groups), *without = g_new (double, self->groups);

  if (!iterate (self, count, error) || !apply (self, 1, error))
    return FALSE;
  misfit_of_groups (self, misfit);
  with = g_memdup2 (self->shift, size);
  if (!remove_following (self, limit))
    return TRUE;
  if (!apply (self, 2, error) || !iterate (self, count, error) || !apply (self, 1, error))
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

static gboolean
find_shifts (Work *self, GError **error)
{
  self->steps = (LEVELS + 1) * FINER_STEPS;
  for (int k = 0; k < self->ranks; k++)
    self->steps += steps[k];
  for (int level = LEVELS - 1; level >= 0; level--)
    {
      if (!begin_level (self, level, error))
        return FALSE;
      if (level < LEVELS - 1)
        {
          if (!iterate (self, FINER_STEPS, error))
            return FALSE;
          weigh (self);
          continue;
        }
      for (int k = 0; k < self->ranks; k++)
        {
          if (k > 0)
            vg_motion_model_add_component (&self->model);
          if (!iterate (self, steps[k], error))
            return FALSE;
        }
      if (!prefer_still (self, FINER_STEPS, 0, ALIKE, error))
        return FALSE;
      weigh (self);
    }
  return TRUE;
}

/* Sets to 0 what is not significant, and counts what remains. */
static void
keep_significant (Work *self)
{
  VgPerfusionMotion *motion = self->motion;

  memcpy (motion->found, self->shift, sizeof (float) * (gsize) (self->n * self->groups * 3));
  for (int i = 0; i < self->n; i++)
    {
      gboolean moved = FALSE;

      for (int g = 0; g < self->groups; g++)
        {
          gsize at = (gsize) (i * self->groups + g);
          double a[9];
          gboolean known = precision_of (self->sums + at * SUMS, a);

          for (int k = 0; k < 3; k++)
            {
              double unit[3] = { k == 0, k == 1, k == 2 };
              float *shift = &self->shift[at * 3 + (gsize) k], sigma;

              if (known)
                vg_motion_solve (a, 3, unit, 1);
              sigma = known && unit[k] > 0
                          ? (float) (sqrt (unit[k]) / (1 - self->model.leverage[i]))
                          : (float) INFINITY;
              motion->error[at * 3 + (gsize) k] = sigma;
              if (fabsf (*shift) < LEAST_SHIFT || !(fabsf (*shift) >= SURE * sigma))
                *shift = 0;
              moved = moved || *shift != 0;
            }
        }
      motion->moved += moved;
    }
  memcpy (motion->shift, self->shift, sizeof (float) * (gsize) (self->n * self->groups * 3));
}

/* The residuals of the series as it was, and of the corrected one, which is kept. */
static gboolean
finish (Work *self, GError **error)
{
  VgPerfusionMotion *motion = self->motion;
  VgImageInfo info = self->task->image->info;
  const gsize voxels = vg_image_info_page_samples (&info) * (gsize) info.slices;

  if (!prefer_still (self, 0, SMALL, CERTAIN, error) || !apply (self, 2, error))
    return FALSE;
  keep_significant (self);
  self->model.old_rank = 0;
  if (!apply (self, 2, error) || !self->passes->residual (self->backend, self->model.c,
                                                          self->model.rank, motion->after, error))
    return FALSE;
  rate (self);
  if (self->ranks > 1)
    motion->n_left_out = vg_motion_frames_leave_out (motion->misfit, self->n, self->task->weights,
                                                     motion->left_out);
  if (motion->moved == 0)
    {
      memcpy (motion->before, motion->after, voxels * sizeof (float));
      return TRUE;
    }
  info.type = VG_F32;
  info.significant_bits = 32;
  motion->corrected = vg_image_new (&info, self->task->image->name, error);
  if (motion->corrected == NULL ||
      !self->passes->fetch (self->backend, motion->corrected->data, error))
    return FALSE;
  memset (self->shift, 0, sizeof (float) * (gsize) (self->n * self->groups * 3));
  self->model.old_rank = 0;
  return apply (self, 2, error) && self->passes->residual (self->backend, self->model.c,
                                                           self->model.rank, motion->before, error);
}

/* 1 over the mean size of the samples. */
static float
unit_of (const VgImage *image)
{
  gsize n = vg_image_info_page_samples (&image->info) *
            (gsize) (image->info.slices * image->info.frames),
        stride = MAX (n / 100003, 1), used = 0;
  double sum = 0;

  for (gsize i = 0; i < n; i += stride)
    {
      double value = fabs (vg_image_sample (image, i));

      if (isfinite (value))
        {
          sum += value;
          used++;
        }
    }
  sum /= (double) MAX (used, 1);
  return sum > 1e-30 && sum < 1e30 ? (float) (1 / sum) : 1;
}

VgPerfusionMotion *
vg_perfusion_motion_run (const VgPerfusionMotionTask *task, const VgPerfusionMotionPasses *passes,
                         gpointer backend, GError **error)
{
  const VgImageInfo *info = &task->image->info;
  const gsize voxels = vg_image_info_page_samples (info) * (gsize) info->slices;
  g_autoptr (VgPerfusionMotion) motion = g_new0 (VgPerfusionMotion, 1);
  const gsize n = (gsize) info->frames, groups = (gsize) vg_perfusion_motion_groups (task),
              all = n * groups;
  Work self = { .task = task, .passes = passes, .backend = backend, .motion = motion };
  gboolean ok;

  if (all > G_MAXINT / 64)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" has too many slices to correct the motion of each; correct the whole "
                   "volume",
                   task->image->name);
      return NULL;
    }
  motion->n = self.n = (int) n;
  motion->groups = self.groups = (int) groups;
  motion->shift = g_new0 (float, all * 3);
  motion->error = g_new0 (float, all * 3);
  motion->found = g_new0 (float, all * 3);
  motion->misfit = g_new0 (double, n);
  motion->left_out = g_new0 (guint8, n);
  motion->before = g_try_new0 (float, voxels);
  motion->after = g_try_new0 (float, voxels);
  if (motion->before == NULL || motion->after == NULL)
    {
      vg_perfusion_motion_no_memory (self.n, error);
      return NULL;
    }
  self.ranks = (int) CLAMP (n / FRAMES, 1, RANK);
  self.unit = unit_of (task->image);
  self.sums = g_new0 (double, all *SUMS);
  self.shift = g_new0 (float, all * 3);
  self.scaled = g_new0 (float, all * 3);
  self.sharp = g_new0 (float, all);
  vg_motion_model_init (&self.model, self.n, task->weights);
  ok = find_shifts (&self, error) && finish (&self, error);
  vg_motion_model_clear (&self.model);
  for (gpointer *each = (gpointer[]){ self.sums, self.shift, self.scaled, self.sharp, NULL };
       *each != NULL; each++)
    g_free (*each);
  return ok ? g_steal_pointer (&motion) : NULL;
}
