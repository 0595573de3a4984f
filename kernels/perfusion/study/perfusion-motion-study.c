/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/base/vg-sort.h"
#include "kernels/perfusion/model/perfusion-choice.h"
#include <string.h>
/* The motion correction of a study. */

/* The edges of the mask count too, and what lies within this many voxels of them. */
enum { MARGIN = 3 };
/* Motion is looked for in about this many voxels along an axis, in this many frames or more. */
enum { COARSE = 16, COARSE_SLICES = 8, FEWEST_FRAMES = 16 };
/* Less is also removed from a body without motion whose frames have little structure. */
#define LEAST_REMOVED 0.15

/* Widens MASK along an axis, whose N samples are STRIDE apart. */
static void
widen (guint8 *mask, const guint8 *from, gsize voxels, gsize n, gsize stride)
{
  for (gsize v = 0; v < voxels; v++)
    {
      gsize i = v / stride % n, first = i - MIN (i, (gsize) MARGIN), last = MIN (i + MARGIN, n - 1);

      mask[v] = 0;
      for (gsize k = first; k <= last; k++)
        mask[v] |= from[v + k * stride - i * stride];
    }
}

/* Sets *RESULT to the mask and its surroundings, owned; NULL: there is no mask. */
static gboolean
surroundings (const VgPerfusionStudy *self, guint8 **result, GError **error)
{
  const VgImageInfo *info = &self->image->info;
  const gsize extent[3] = { (gsize) info->width, (gsize) info->height, (gsize) info->slices };
  g_autofree guint8 *from = NULL;
  guint8 *mask;
  gsize stride = 1;

  *result = NULL;
  if (self->mask == NULL)
    return TRUE;
  from = g_try_malloc (self->voxels);
  *result = mask = g_try_malloc (self->voxels);
  if (from == NULL || mask == NULL)
    {
      vg_perfusion_motion_no_memory (self->n, error);
      return FALSE;
    }
  memcpy (from, self->mask, self->voxels);
  for (int axis = 0; axis < 3; axis++)
    {
      widen (mask, from, self->voxels, extent[axis], stride);
      stride *= extent[axis];
      memcpy (from, mask, self->voxels);
    }
  return TRUE;
}

gboolean
vg_perfusion_correct_motion (VgPerfusionStudy *self, const VgContext *context,
                             VgPerfusionMotionFind find, GError **error)
{
  g_autofree guint8 *mask = NULL;
  VgPerfusionMotionTask task = { .image = self->image,
                                 .kind = (VgPerfusionMotionKind) self->params->motion,
                                 .weights = self->weights,
                                 .spacing = (double) self->params->motion_spacing_mm,
                                 .threads = self->threads,
                                 .stop = context->stop,
                                 .report = context->report,
                                 .report_data = context->report_data };

  if (task.kind == VG_PERFUSION_MOTION_OFF)
    return TRUE;
  if (!surroundings (self, &mask, error))
    return FALSE;
  task.mask = mask;
  self->motion = find != NULL
                     ? find (&task, context->n_devices > 0 ? context->devices[0] : 0, error)
                     : vg_perfusion_motion_find (&task, error);
  if (self->motion == NULL)
    return FALSE;
  if (self->motion->corrected == NULL)
    return TRUE;
  self->motion->corrected->times_s = g_memdup2 (
      self->image->times_s, self->image->times_s != NULL ? sizeof (double) * (gsize) self->n : 0);
  self->motion->corrected->names = g_strdupv (self->image->names);
  vg_image_unref (self->image);
  self->image = vg_image_ref (self->motion->corrected);
  return TRUE;
}

static gboolean
is_stopped (const VgPerfusionStudy *self)
{
  return self->motion_stop != NULL && g_atomic_int_get (self->motion_stop) != 0;
}

/* The series with means over FACTOR voxels along each axis; incomplete if the search is stopped.
 * NULL: there is too little memory. */
static VgImage *
reduce (const VgPerfusionStudy *self, const int factor[3])
{
  const VgImageInfo *info = &self->image->info;
  const double share = 1. / (factor[0] * factor[1] * factor[2]);
  VgImageInfo coarse = vg_image_info_grey (VG_F32, info->width / factor[0],
                                           info->height / factor[1]);
  VgImage *image;

  coarse.slices = info->slices / factor[2];
  coarse.frames = info->frames;
  image = vg_image_new (&coarse, self->image->name, NULL);
#pragma omp parallel for num_threads(self->threads)
  for (int frame = 0; frame < (image != NULL ? self->n : 0); frame++)
    {
      const int rows = coarse.height * factor[1], slices = (int) coarse.slices * factor[2];

      for (int k = 0; k < rows * slices && !is_stopped (self); k++)
        {
          const int y = k % rows, z = k / rows;
          gsize from = (gsize) frame * self->voxels +
                       ((gsize) z * (gsize) info->height + (gsize) y) * (gsize) info->width;
          float *to = (float *) image->data +
                      (((gsize) frame * (gsize) coarse.slices + (gsize) (z / factor[2])) *
                           (gsize) coarse.height +
                       (gsize) (y / factor[1])) *
                          (gsize) coarse.width;

          for (int x = 0; x < coarse.width; x++)
            for (int i = 0; i < factor[0]; i++)
              to[x] += (float) (share * vg_image_sample (self->image, from++));
        }
    }
  return image;
}

/* The part of the differences of the series from its model that the correction has removed. */
static double
removed_by (const VgPerfusionMotion *motion, const VgImageInfo *info)
{
  gsize n = (gsize) info->width * (gsize) info->height * (gsize) info->slices;
  double before = 0, after = 0;

  for (gsize i = 0; i < n; i++)
    if (isfinite (motion->before[i]) && isfinite (motion->after[i]))
      {
        before += (double) motion->before[i] * (double) motion->before[i];
        after += (double) motion->after[i] * (double) motion->after[i];
      }
  return before > 0 ? 1 - sqrt (after / before) : 0;
}

/* Looks at a coarse series.  NaN: it was stopped, or failed. */
static double
look_for_motion (const VgPerfusionStudy *self)
{
  const VgImageInfo *info = &self->image->info;
  const int factor[3] = { info->width / COARSE, info->height / COARSE,
                          MAX ((int) info->slices / COARSE_SLICES, 1) };
  g_autoptr (VgImage) coarse = reduce (self, factor);
  const VgPerfusionMotionTask task = { .image = coarse,
                                       .kind = VG_PERFUSION_MOTION_VOLUME,
                                       .weights = self->weights,
                                       .threads = self->threads,
                                       .stop = self->motion_stop };
  g_autoptr (VgPerfusionMotion)
      motion = coarse != NULL && !is_stopped (self) ? vg_perfusion_motion_find (&task, NULL) : NULL;
  g_autofree double *shift = g_new (double, self->n);
  double size[3], sum = 0;

  if (motion == NULL)
    return NAN;
  if (removed_by (motion, &coarse->info) < LEAST_REMOVED)
    return 0;
  vg_perfusion_motion_size (info, size);
  for (int axis = 0; axis < 3; axis++)
    {
      int n = 0;

      for (int i = 0; i < motion->n; i++)
        if (!motion->left_out[i])
          shift[n++] = size[axis] * factor[axis] * (double) motion->shift[3 * i + axis];
      vg_sort_doubles (shift, (gsize) n);
      sum += n > 0 ? pow (shift[n - 1 - n / 10] - shift[n / 10], 2) : 0;
    }
  return sqrt (sum);
}

double
vg_perfusion_apparent_motion (VgPerfusionStudy *self)
{
  const VgImageInfo *info = &self->image->info;

  if (self->params->motion != VG_PERFUSION_MOTION_OFF || self->n < FEWEST_FRAMES ||
      info->width < COARSE || info->height < COARSE)
    return 0;
  if (isnan (self->apparent_motion))
    self->apparent_motion = look_for_motion (self);
  return self->apparent_motion;
}

void
vg_perfusion_leave_out (VgPerfusionStudy *self)
{
  int used = 0, needed = vg_perfusion_unknowns (self->params->model, self->params->inputs == 0,
                                                self->params->delays) +
                         1;

  if (self->motion == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    used += self->weights[i] > 0 && !self->motion->left_out[i];
  /* If hardly any frame fits, the model of the series is not to be trusted. */
  for (int i = 0; i < self->n && used >= MAX (needed, self->n / 2); i++)
    if (self->motion->left_out[i])
      self->weights[i] = 0;
}
