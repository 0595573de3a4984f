/* SPDX-License-Identifier: MIT */
/* Works on the tiles of a slide region. */
#include "app/compute/vg-work-tiles.h"
#include "app/compute/vg-work-private.h"
#include "kernels/base/vg-memory.h"

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

  if (!vg_work_check_params (self, params, whole, error))
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

int
vg_work_count_tiles (VgWork *self, const void *params, const VgImageInfo *tile, int most)
{
  gsize image = vg_image_info_frame_bytes (tile), host = 0, device = 0,
        free_host = vg_memory_available () / 2, n = (gsize) most;
  VgCudaDevice info;

  if (self->operation->memory == NULL)
    return most;
  self->operation->memory->estimate (params, tile, &host, &device);
  /* one more is read meanwhile */
  n = MIN (n, (free_host - MIN (free_host, image)) / MAX (host + image, 1));
  if (n > 1 && device > 0 && vg_work_may_use_gpu (self) && self->cuda != NULL &&
      self->cuda->device_info (self->devices[0], &info, NULL))
    n = CLAMP (info.memory_free / 2 / device, 1, n);
  return (int) n;
}

VgWork *
vg_work_new_for_tiles (VgWork *self, int threads, const gint *stop)
{
  VgWork *other = vg_work_new_with_engines (self->operation, self->cpu, self->gpu, self->cuda,
                                            self->gpu != NULL ? self->backend : VG_BACKEND_CPU,
                                            threads, NULL);

  vg_file_cache_free (other->files);
  other->files = self->files;
  other->stop = stop;
  other->whole = self;
  /* notices name the threads of the whole run */
  g_free (other->cpu_name);
  other->cpu_name = g_strdup (self->cpu_name);
  return other;
}

void
vg_work_take_tile (VgWork *self, VgWork *other)
{
  g_autofree char *notice = g_steal_pointer (&other->notice);

  if (self->notice == NULL)
    self->notice = g_steal_pointer (&notice);
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

gboolean
vg_work_set_ranks (VgWork *self, const VgRanks *ranks, gboolean *idle, GError **error)
{
  const VgOperation *operation = self->operation;
  guint64 without = self->gpu == NULL;

  *idle = FALSE;
  if (operation->input.kind == VG_INPUT_STREAM || operation->tiled != NULL)
    {
      *idle = ranks->rank > 0;
      return TRUE;
    }
  self->ranks = ranks;
  self->devices[0] = self->devices[ranks->local % self->n_devices];
  self->n_devices = 1;
  ranks->sum (&without, 1);
  if (without == 0 || without == (guint64) ranks->size)
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "%u of %d ranks have no GPU, and the results of CPUs and GPUs are not equal bit for "
               "bit; start ranks only on machines with a GPU, or choose --backend cpu",
               (guint) without, ranks->size);
  return FALSE;
}
