/* SPDX-License-Identifier: MIT */
/* What the main thread asks a live source. */
#include "app/pipeline/vg-pipeline-private.h"

/* The live source in use, or NULL; the lock is held.  Its thread closes it only after it has left
 * the input. */
static VgSource *
get_source (VgPipeline *self)
{
  return self->input != NULL && self->input->queue.live ? self->input->source : NULL;
}

gboolean
vg_pipeline_get_live (VgPipeline *self, VgLiveStatus *status)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  VgSource *source = get_source (self);

  if (source == NULL || source->class->get_status == NULL)
    return FALSE;
  vg_source_get_status (source, status);
  return TRUE;
}

VgFeatures *
vg_pipeline_get_features (VgPipeline *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  VgSource *source = get_source (self);

  return source != NULL ? vg_source_get_features (source) : NULL;
}

void
vg_pipeline_set_feature (VgPipeline *self, const char *setting)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  VgSource *source = get_source (self);

  if (source != NULL)
    vg_source_set_feature (source, setting);
}

gboolean
vg_pipeline_set_timing (VgPipeline *self, double exposure_ms, double frame_interval_s,
                        VgImageInfo *info)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (get_source (self) == NULL)
    return FALSE;
  self->input->info.exposure_ms = exposure_ms;
  self->input->info.frame_interval_s = frame_interval_s;
  *info = self->input->info;
  return TRUE;
}
