/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/base/vg-memory.h"
#include "kernels/core/vg-operation.h"
#include "kernels/perfusion/motion/perfusion-motion-frames.h"
#include "kernels/perfusion/motion/perfusion-motion-grid.h"
#include "kernels/perfusion/motion/perfusion-motion-search.h"
#include <string.h>
/* The motion correction, for both backends: the search for displacements of the volume or of
 * slices, then for deformations, and what is kept of them. */

enum { RANK = VG_PERFUSION_MOTION_RANK, SUMS = VG_PERFUSION_MOTION_SUMS };
enum { FRAMES = 8 };     /* frames per component of the model */
#define LEAST_SHIFT 0.1f /* voxels; a smaller one is left uncorrected, as interpolation blurs */
#define SURE 3.0f        /* standard errors of a significant displacement */
/* See vg_motion_search_prefer_still. */
#define CERTAIN 3.0
#define SMALL 0.3 /* voxels */

void
vg_perfusion_motion_free (VgPerfusionMotion *self)
{
  if (self == NULL)
    return;
  for (gpointer *each =
           (gpointer[]){ self->shift, self->error, self->found, self->misfit, self->left_out,
                         self->before, self->after, self->deformation, self->deformed,
                         self->jacobian_low, self->jacobian_high, NULL };
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
vg_perfusion_motion_memory (const VgImageInfo *info, double spacing, gsize *results, gsize *passes)
{
  gsize page = vg_image_info_page_samples (info), frames = (gsize) MAX (info->frames, 0),
        slices = (gsize) MAX (info->slices, 0), voxels = page * slices,
        series = voxels * sizeof (float) * frames;

  *results = series + 2 * voxels * sizeof (float);
  /* The series as float, a coarser one, the corrected one, the model, and partial sums. */
  *passes = 2 * series + series / 2 + voxels * (sizeof (float) * (2 * RANK + 1) + 2) +
            frames * slices * SUMS * (VG_PERFUSION_MOTION_PARTS + 1) * sizeof (double);
  if (spacing > 0)
    {
      VgPerfusionControlGrid grid = vg_perfusion_motion_grid (info, spacing);
      const int extent[3] = { info->width, info->height, (int) slices };
      gsize points = (gsize) grid.points[0] * (gsize) grid.points[1] * (gsize) grid.points[2],
            terms, added;

      vg_perfusion_motion_scratch (extent, &grid, &terms, &added);
      /* The displacements of the points, four times, their sums, and two maps. */
      *results += frames * points * (4 * 3 * sizeof (float) + SUMS * sizeof (double)) +
                  2 * voxels * sizeof (float);
      /* The displacements and sums again, and the terms of a frame, also added along axes. */
      *passes += frames * points * (3 * sizeof (float) + SUMS * sizeof (double)) +
                 SUMS * sizeof (float) * (terms + added);
    }
}

/* Sets to 0 what is not significant, and counts what remains. */
static void
keep_significant (VgMotionSearch *self)
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
          gboolean known = vg_motion_search_precision (self->sums + at * SUMS, a);

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

/* Finds displacements of the groups, and those that are significant. */
static gboolean
find (VgMotionSearch *self, GError **error)
{
  if (!vg_motion_search (self, error) ||
      (self->grid == NULL && !vg_motion_search_prefer_still (self, 0, SMALL, CERTAIN, error)) ||
      !vg_motion_search_apply (self, 2, error))
    return FALSE;
  if (self->grid != NULL)
    vg_motion_grid_settle (self);
  else
    keep_significant (self);
  return TRUE;
}

/* Makes room for the displacements of GROUPS in each frame. */
static gboolean
begin (VgMotionSearch *self, gsize groups, GError **error)
{
  const gsize all = (gsize) self->n * groups;

  self->groups = (int) groups;
  self->sums = g_try_new0 (double, all *SUMS);
  self->shift = g_try_new0 (float, all * 3);
  self->scaled = g_try_new0 (float, all * 3);
  self->sharp = g_try_new0 (float, all);
  if (self->sums != NULL && self->shift != NULL && self->scaled != NULL && self->sharp != NULL)
    return TRUE;
  vg_perfusion_motion_no_memory (self->n, error);
  return FALSE;
}

static void
end (VgMotionSearch *self)
{
  g_clear_pointer (&self->sums, g_free);
  g_clear_pointer (&self->shift, g_free);
  g_clear_pointer (&self->scaled, g_free);
  g_clear_pointer (&self->sharp, g_free);
}

/* Finds the deformation that remains after the displacement of the volume. */
static gboolean
deform (VgMotionSearch *self, GError **error)
{
  VgPerfusionMotion *motion = self->motion;
  const gsize voxels = vg_image_info_page_samples (&self->task->image->info) *
                       (gsize) self->task->image->info.slices,
              points = (gsize) vg_perfusion_control_points (&motion->grid);

  end (self);
  self->grid = &motion->grid;
  self->model.slow = TRUE;
  motion->deformation = g_try_new0 (float, (gsize) self->n *points * 3);
  motion->deformed = g_new0 (float, self->n);
  motion->jacobian_low = g_try_new0 (float, voxels);
  motion->jacobian_high = g_try_new0 (float, voxels);
  if (motion->deformation == NULL || motion->jacobian_low == NULL || motion->jacobian_high == NULL)
    {
      vg_perfusion_motion_no_memory (self->n, error);
      return FALSE;
    }
  if (!begin (self, points, error))
    return FALSE;
  for (gsize i = 0; i < (gsize) self->n * points * 3; i++)
    self->shift[i] = motion->shift[i / (points * 3) * 3 + i % 3];
  return find (self, error);
}

/* The residuals of the series as it was, and of the corrected one, which is kept. */
static gboolean
finish (VgMotionSearch *self, GError **error)
{
  VgPerfusionMotion *motion = self->motion;
  VgImageInfo info = self->task->image->info;
  const gsize voxels = vg_image_info_page_samples (&info) * (gsize) info.slices;

  self->model.old_rank = 0;
  self->model.slow = FALSE;
  if (!vg_motion_search_apply (self, 2, error) ||
      !self->passes->residual (self->backend, self->model.c, self->model.rank, motion->after,
                               error))
    return FALSE;
  vg_motion_search_rate (self);
  if (self->ranks > 1)
    motion->n_left_out = vg_motion_frames_leave_out (motion->misfit, self->n, self->task->weights,
                                                     motion->left_out);
  if (self->grid != NULL && !vg_motion_grid_jacobian (self, error))
    return FALSE;
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
  memset (self->shift, 0, sizeof (float) * (gsize) self->n * (gsize) self->groups * 3);
  self->model.old_rank = 0;
  return vg_motion_search_apply (self, 2, error) &&
         self->passes->residual (self->backend, self->model.c, self->model.rank, motion->before,
                                 error);
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
  const gboolean deformed = task->kind == VG_PERFUSION_MOTION_DEFORMATION;
  g_autoptr (VgPerfusionMotion) motion = g_new0 (VgPerfusionMotion, 1);
  const gsize n = (gsize) info->frames, groups = (gsize) vg_perfusion_motion_groups (task),
              all = n * groups;
  VgMotionSearch self = { .task = task, .passes = passes, .backend = backend, .motion = motion };
  gboolean ok;

  if (deformed)
    motion->grid = vg_perfusion_motion_grid (info, task->spacing);
  if (MAX (all, deformed ? n * (gsize) vg_perfusion_control_points (&motion->grid) : 0) >
      G_MAXINT / 64)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   deformed ? "\"%s\" has too many voxels for this control point spacing; "
                              "increase the spacing"
                            : "\"%s\" has too many slices to correct the motion of each; correct "
                              "the whole volume",
                   task->image->name);
      return NULL;
    }
  motion->n = self.n = (int) n;
  motion->groups = (int) groups;
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
  self.steps = vg_motion_search_steps (self.ranks, FALSE) +
               (deformed ? vg_motion_search_steps (self.ranks, TRUE) : 0);
  self.unit = unit_of (task->image);
  vg_perfusion_motion_size (info, self.size);
  vg_motion_model_init (&self.model, self.n, task->weights);
  ok = begin (&self, groups, error) && find (&self, error) &&
       (!deformed || deform (&self, error)) && finish (&self, error);
  end (&self);
  vg_motion_model_clear (&self.model);
  return ok ? g_steal_pointer (&motion) : NULL;
}
