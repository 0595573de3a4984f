/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/perfusion/model/perfusion-choice.h"
#include <string.h>
/* The motion correction of a study. */

/* The edges of the mask count too, and what lies within this many voxels of them. */
enum { MARGIN = 3 };

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
