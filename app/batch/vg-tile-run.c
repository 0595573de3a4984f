/* SPDX-License-Identifier: MIT */
/* One tile after the other.  A thread reads the next one while this one is computed. */
#include "app/batch/vg-batch-private.h"
#include "app/batch/vg-tile-run.h"
#include "app/compute/vg-tile-sample.h"
#include "kernels/base/vg-memory.h"
#include <string.h>

typedef struct
{
  VgBatch *batch;
  VgWork *work; /* of the batch */
  VgSource *source;
  const void *params;
  VgTiling tiling;
  gpointer merge;
  VgTileFiles *files;
  GArray *holes; /* of VgHole, each cut to the core of its tile */
} TileRun;

/* A tile that is read by a thread of its own. */
typedef struct
{
  VgSource *source;
  VgImageInfo info;
  int x, y;       /* in the part that the source is of */
  VgImage *image; /* NULL and error */
  GArray *holes;  /* damaged places in it */
  GError *error;
} TileRead;

static gpointer
read_tile (gpointer data)
{
  TileRead *self = data;
  const VgPyramid *pyramid = self->source->pyramid;

  self->image = vg_image_new (&self->info, self->source->name, &self->error);
  self->holes = g_array_new (FALSE, FALSE, sizeof (VgHole));
  if (self->image != NULL &&
      !vg_source_read_around (self->source, pyramid->level, pyramid->x + self->x,
                              pyramid->y + self->y, self->info.width, self->info.height,
                              self->image->data, self->holes, &self->error))
    g_clear_pointer (&self->image, vg_image_unref);
  return NULL;
}

/* Starts to read tile I with its halo, cut to the slide region. */
static GThread *
start_reading (const TileRun *self, int i, TileRead *read)
{
  const VgTiling *tiling = &self->tiling;
  double scale = MAX (tiling->whole.downsample, 1);
  int x, y, width, height;

  vg_tiling_core (tiling, i, &x, &y, &width, &height);
  *read = (TileRead){ .source = self->source,
                      .info = tiling->whole,
                      .x = MAX (x - tiling->halo, 0),
                      .y = MAX (y - tiling->halo, 0) };
  read->info.width = MIN (x + width + tiling->halo, tiling->whole.width) - read->x;
  read->info.height = MIN (y + height + tiling->halo, tiling->whole.height) - read->y;
  read->info.origin[0] += scale * read->x;
  read->info.origin[1] += scale * read->y;
  return g_thread_new ("tile", read_tile, read);
}

static void
clear_tile (TileRead *self)
{
  g_clear_pointer (&self->image, vg_image_unref);
  g_clear_pointer (&self->holes, g_array_unref);
  g_clear_error (&self->error);
}

/* Adds the damaged rectangles of tile I, cut to its core. */
static void
take_holes (TileRun *self, const TileRead *tile, int i)
{
  const VgPyramid *pyramid = self->source->pyramid;
  int x, y, width, height;

  vg_tiling_core (&self->tiling, i, &x, &y, &width, &height);
  for (guint k = 0; k < tile->holes->len; k++)
    {
      const VgHole *hole = &g_array_index (tile->holes, VgHole, k);
      gint64 x0 = MAX (hole->x, pyramid->x + x), y0 = MAX (hole->y, pyramid->y + y);
      gint64 x1 = MIN (hole->x + hole->width, pyramid->x + x + width),
             y1 = MIN (hole->y + hole->height, pyramid->y + y + height);
      VgHole cut = { x0, y0, (int) (x1 - x0), (int) (y1 - y0) };

      if (x1 > x0 && y1 > y0)
        g_array_append_val (self->holes, cut);
    }
}

/* The result of the tile, on whatever backend is left. */
static gconstpointer
compute (TileRun *self, const TileRead *tile, GError **error)
{
  double before_s = self->batch->seconds;
  gint64 start = g_get_monotonic_time ();
  gconstpointer result = NULL;
  GError *local = NULL;

  if (!vg_work_prepare_tile (self->work, self->params, tile->image, tile->x, tile->y, error))
    return NULL;
  while (result == NULL && local == NULL)
    if (vg_batch_step_to_end (self->batch, &local) == VG_STEP_DONE)
      result = vg_work_tile (self->work, &local);
  self->batch->seconds = before_s + (g_get_monotonic_time () - start) * 1e-6;
  if (local != NULL)
    g_propagate_error (error, local);
  return result;
}

static gboolean
run_tile (TileRun *self, const TileRead *tile, int i, GError **error)
{
  gconstpointer result;

  if (tile->error != NULL)
    {
      g_propagate_error (error, g_error_copy (tile->error));
      return FALSE;
    }
  take_holes (self, tile, i);
  vg_tile_files_add_image (self->files, tile->image, tile->x, tile->y);
  result = vg_batch_is_cancelled (self->batch, error) ? NULL : compute (self, tile, error);
  return result != NULL && self->batch->operation->tiled->merge (self->merge, result, i, error);
}

static gboolean
run_tiles (TileRun *self, GError **error)
{
  int n = self->batch->tiles = self->tiling.columns * self->tiling.rows;
  TileRead tiles[2];
  GThread *thread = start_reading (self, 0, &tiles[0]);
  gboolean ok = TRUE;

  for (int i = 0; i < n && ok; i++)
    {
      TileRead *tile = &tiles[i % 2];

      g_thread_join (thread);
      thread = i + 1 < n ? start_reading (self, i + 1, &tiles[(i + 1) % 2]) : NULL;
      ok = run_tile (self, tile, i, error);
      vg_work_reset (self->work);
      clear_tile (tile);
      self->batch->tiles_done++;
      vg_batch_report (self->batch, 0);
      if (!ok && thread != NULL)
        {
          g_thread_join (thread);
          clear_tile (&tiles[(i + 1) % 2]);
        }
    }
  return ok;
}

/* The largest usual core whose state takes at most half of the free memory. */
static int
choose_core (const TileRun *self, int halo)
{
  const VgOperation *operation = self->batch->operation;
  int core = VG_TILE_USUAL;
  gsize available = vg_memory_available ();

  for (; operation->memory != NULL && core > VG_TILE_LEAST; core /= 2)
    {
      VgImageInfo info = self->source->info;
      gsize host = 0, device = 0;

      info.width = MIN (info.width, core + 2 * halo);
      info.height = MIN (info.height, core + 2 * halo);
      operation->memory->estimate (self->params, &info, &host, &device);
      if (host <= available / 2)
        break;
    }
  return core;
}

static void
cut (TileRun *self)
{
  const VgBatchJob *job = self->batch->job;
  VgTiling *tiling = &self->tiling;
  int halo = job->overlap_px > 0
                 ? job->overlap_px
                 : self->batch->operation->tiled->halo (vg_work_get_calibration (self->work));
  int core = job->tile_px > 0 ? job->tile_px : choose_core (self, halo);

  core = MAX (core / VG_TILE_BLOCK, 1) * VG_TILE_BLOCK;
  *tiling = (VgTiling){ .whole = self->source->info, .core = core, .halo = halo };
  tiling->columns = (tiling->whole.width + core - 1) / core;
  tiling->rows = (tiling->whole.height + core - 1) / core;
}

static gboolean
calibrate (TileRun *self, GError **error)
{
  g_autoptr (VgImage) sample = vg_tile_sample (self->source, error);

  return sample != NULL && !vg_batch_is_cancelled (self->batch, error) &&
         vg_work_calibrate (self->work, self->params, &self->source->info, sample, error);
}

static gboolean
finish (TileRun *self, VgTileFiles *files, GError **error)
{
  const VgBatchJob *job = self->batch->job;
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  const VgImageInfo *whole = &self->tiling.whole;
  g_autofree char *damage = vg_source_describe_holes (self->source, self->source->pyramid->level,
                                                      self->holes,
                                                      (gint64) whole->width * whole->height);
  VgExportInfo info = { job->inputs,
                        NULL,
                        self->batch->seconds,
                        job->display,
                        job->preview_output,
                        .metrics = numbers,
                        .options = job->options,
                        .caution = damage,
                        .command = job->command,
                        .read_options = job->read_options,
                        .settings_files = job->settings_files,
                        .cancellable = job->cancellable };

  if (vg_holes_pixels (self->holes) == (gint64) whole->width * whole->height)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "this region of \"%s\" cannot be read because the file is damaged; choose "
                   "another region, or copy the file again",
                   self->source->name);
      return FALSE;
    }
  if (damage != NULL && job->notice != NULL)
    job->notice (damage, job->user_data);

  /* the metrics include times, so only the texts and the summary are written after them */
  if (!vg_tile_files_finish_maps (files, &info, error) ||
      !self->batch->operation->tiled->finish (self->merge, numbers, error))
    return FALSE;
  vg_metrics_add (numbers, "tile_px", "Tile", "px", self->tiling.core, NULL);
  vg_metrics_add (numbers, "overlap_px", "Overlap of tiles", "px", self->tiling.halo, NULL);
  if (!vg_tile_files_finish (files, self->work, &info, error))
    return FALSE;
  if (job->results != NULL)
    job->results (self->batch->prefix, numbers, job->user_data);
  if (self->batch->numbers != NULL)
    g_ptr_array_add (self->batch->numbers, g_steal_pointer (&numbers));
  return TRUE;
}

gboolean
vg_batch_run_tiles (VgBatch *self, VgSource *source, const void *params, GError **error)
{
  g_autoptr (GArray) holes = g_array_new (FALSE, FALSE, sizeof (VgHole));
  TileRun run = {
    .batch = self, .work = self->work, .source = source, .params = params, .holes = holes
  };
  g_autoptr (VgTileFiles) files = NULL;
  gboolean ok = calibrate (&run, error);
  VgTileSink sink;

  if (ok)
    {
      cut (&run);
      files = vg_tile_files_new (self->staging, self->prefix, self->operation, &run.tiling,
                                 self->job->gzip, &sink, error);
      run.files = files;
      if (files != NULL)
        run.merge = vg_work_new_merge (self->work, params, &run.tiling, &sink, error);
      ok = run.merge != NULL && run_tiles (&run, error) && finish (&run, files, error);
    }
  if (run.merge != NULL)
    self->operation->tiled->merge_free (run.merge);
  vg_work_end_tiles (self->work);
  return ok;
}
