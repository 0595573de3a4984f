/* SPDX-License-Identifier: MIT */
/* Works on the tiles of a slide region. */
#include "app/compute/vg-work-tiles.h"
#include "app/compute/vg-work-private.h"

static void
drop_calibration (VgWork *self)
{
  if (self->calibration != NULL)
    self->operation->tiled->calibration_free (self->calibration);
  self->calibration = NULL;
}

gboolean
vg_work_calibrate (VgWork *self, const void *params, const VgImageInfo *whole,
                   const VgImage *sample, GError **error)
{
  VgContext context = { .params = params,
                        .info = &sample->info,
                        .image = sample,
                        .threads = self->threads,
                        .stop = self->stop };

  if (!vg_work_check_params (self, params, self->has_info ? &self->info : NULL, error))
    return FALSE;
  context.files = vg_file_cache_get (self->files, &context.n_files);
  vg_work_end_tiles (self);
  vg_work_limit_threads (self);
  self->calibration = self->operation->tiled->calibrate (&context, whole, error);
  return self->calibration != NULL;
}

gconstpointer
vg_work_get_calibration (VgWork *self)
{
  return self->calibration;
}

gpointer
vg_work_new_merge (VgWork *self, const void *params, const VgTiling *tiling, const VgTileSink *sink,
                   GError **error)
{
  VgContext context = {
    .params = params, .info = &tiling->whole, .threads = self->threads, .stop = self->stop
  };

  context.files = vg_file_cache_get (self->files, &context.n_files);
  self->tiling = *tiling;
  return self->operation->tiled->merge_new (self->calibration, &context, tiling, sink, error);
}

gboolean
vg_work_prepare_tile (VgWork *self, const void *params, VgImage *tile, int x, int y, GError **error)
{
  const VgWork *whole = self->whole != NULL ? self->whole : self;

  self->part = (VgPart){ x, y, whole->calibration, &whole->tiling };
  return vg_work_prepare (self, params, &tile->info, tile, error);
}

int
vg_work_get_threads (VgWork *self)
{
  return self->threads > 0 ? self->threads : (int) g_get_num_processors ();
}

VgWork *
vg_work_new_for_tiles (VgWork *self, int threads)
{
  VgWork *other = vg_work_new_with_engines (self->operation, self->cpu, self->gpu, self->cuda,
                                            self->gpu != NULL ? self->backend : VG_BACKEND_CPU,
                                            threads, NULL);

  vg_file_cache_free (other->files);
  other->files = self->files;
  other->stop = self->stop;
  other->whole = self;
  other->gpu_failed = self->gpu_failed;
  return other;
}

void
vg_work_take_tile (VgWork *self, VgWork *other)
{
  g_autofree char *notice = g_steal_pointer (&other->notice);

  if (notice != NULL && !self->gpu_failed && self->notice == NULL)
    self->notice = g_steal_pointer (&notice);
  self->gpu_failed = self->gpu_failed || other->gpu_failed;
  self->engine = other->engine;
  vg_params_free (&self->operation->params, self->params);
  self->params = vg_params_copy (&self->operation->params, other->params);
}

gconstpointer
vg_work_tile (VgWork *self, GError **error)
{
  GError *local = NULL;
  gconstpointer tile = self->engine->objects->tile (self->state, &local);

  if (tile == NULL)
    vg_work_recover (self, local, error);
  return tile;
}

void
vg_work_end_tiles (VgWork *self)
{
  vg_work_reset (self);
  drop_calibration (self);
  self->part = (VgPart){ 0 };
}
