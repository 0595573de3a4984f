/* SPDX-License-Identifier: MIT */
/* Works on the tiles of a slide region. */
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
  return self->operation->tiled->merge_new (self->calibration, &context, tiling, sink, error);
}

gboolean
vg_work_prepare_tile (VgWork *self, const void *params, VgImage *tile, int x, int y, GError **error)
{
  self->part = (VgPart){ x, y, self->calibration };
  return vg_work_prepare (self, params, &tile->info, tile, error);
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
  self->part = (VgPart){ 0, 0, NULL };
}
