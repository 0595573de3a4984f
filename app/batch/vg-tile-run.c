/* SPDX-License-Identifier: MIT */
/* Several tiles are read and computed at the same time, each by its own thread.  They are merged
 * in order, so that the result does not depend on their number. */
#include "app/batch/vg-batch-private.h"
#include "app/batch/vg-tile-run.h"
#include "app/compute/vg-tile-sample.h"
#include "app/compute/vg-work-tiles.h"
#include "kernels/base/vg-memory.h"
#include <string.h>

/* A tile keeps a few threads busy, and memory grows with the number of tiles. */
enum { REPORT_MS = 50, THREADS_EACH = 4, MOST_AT_ONCE = 4 };

typedef struct
{
  VgBatch *batch;
  VgWork *work; /* of the batch */
  VgSource *source;
  const void *params;
  VgTiling tiling;
  int at_once; /* tiles that are computed at the same time */
  gpointer merge;
  VgTileFiles *files;
  GArray *holes; /* of VgHole, each cut to the core of its tile */
  GMutex mutex;
  GCond done;  /* a tile has been computed */
  gint failed; /* TRUE: a tile has failed, so the others are not needed */
} TileRun;

/* A tile, and the thread that reads and computes it. */
typedef struct
{
  TileRun *run;
  VgWork *work;
  GThread *thread; /* NULL: there is no tile */
  VgImageInfo info;
  int x, y;             /* in the part that the source is of */
  VgImage *image;       /* NULL and error */
  GArray *holes;        /* damaged places in it */
  gconstpointer result; /* NULL and error */
  GError *error;
  gint parts; /* progress: how many of FINE parts are computed */
  gboolean done;
} Tile;

enum { FINE = 1000 };

static gboolean
read_tile (Tile *self)
{
  VgSource *source = self->run->source;
  const VgPyramid *pyramid = source->pyramid;

  self->image = vg_image_new (&self->info, source->name, &self->error);
  self->holes = g_array_new (FALSE, FALSE, sizeof (VgHole));
  if (self->image != NULL &&
      !vg_source_read_around (source, pyramid->level, pyramid->x + self->x, pyramid->y + self->y,
                              self->info.width, self->info.height, self->image->data, self->holes,
                              &self->error))
    g_clear_pointer (&self->image, vg_image_unref);
  return self->image != NULL && !vg_batch_is_cancelled (self->run->batch, &self->error);
}

/* Seeds take about as long as contours, so they are half of the progress. */
static void
note_prepared (gpointer data, double done)
{
  g_atomic_int_set (&((Tile *) data)->parts, (gint) (FINE / 2 * done));
}

/* Computes the tile on the backend that is left. */
static void
step_to_end (Tile *self)
{
  while (self->result == NULL && self->error == NULL && !g_atomic_int_get (&self->run->failed))
    {
      VgStep step = vg_work_step (self->work, REPORT_MS * 1e-3, &self->error);

      if (step == VG_STEP_FAILED || vg_batch_is_cancelled (self->run->batch, &self->error))
        return;
      if (step == VG_STEP_DONE)
        self->result = vg_work_tile (self->work, &self->error);
      g_atomic_int_set (&self->parts,
                        (gint) (FINE / 2 * (1 + MAX (vg_work_progress (self->work), 0))));
    }
}

static gpointer
compute_tile (gpointer data)
{
  Tile *self = data;

  vg_work_set_report (self->work, note_prepared, self);
  if (read_tile (self) && vg_work_prepare_tile (self->work, self->run->params, self->image, self->x,
                                                self->y, &self->error))
    step_to_end (self);
  g_mutex_lock (&self->run->mutex);
  self->done = TRUE;
  g_cond_signal (&self->run->done);
  g_mutex_unlock (&self->run->mutex);
  return NULL;
}

/* Starts tile I with its halo, cut to the slide region. */
static void
start_tile (TileRun *run, int i, Tile *self)
{
  const VgTiling *tiling = &run->tiling;
  double scale = MAX (tiling->whole.downsample, 1);
  int x, y, width, height;

  vg_tiling_core (tiling, i, &x, &y, &width, &height);
  *self = (Tile){ .run = run,
                  .work = self->work,
                  .info = tiling->whole,
                  .x = MAX (x - tiling->halo, 0),
                  .y = MAX (y - tiling->halo, 0) };
  self->info.width = MIN (x + width + tiling->halo, tiling->whole.width) - self->x;
  self->info.height = MIN (y + height + tiling->halo, tiling->whole.height) - self->y;
  self->info.origin[0] += scale * self->x;
  self->info.origin[1] += scale * self->y;
  self->thread = g_thread_new ("tile", compute_tile, self);
}

static void
clear_tile (Tile *self)
{
  if (self->thread != NULL)
    g_thread_join (self->thread);
  self->thread = NULL;
  vg_work_reset (self->work);
  g_clear_pointer (&self->image, vg_image_unref);
  g_clear_pointer (&self->holes, g_array_unref);
  g_clear_error (&self->error);
}

/* Reports the progress, including that of unfinished tiles. */
static void
report (const TileRun *run, const Tile *tiles)
{
  double parts = 0;

  for (int k = 0; k < run->at_once; k++)
    if (tiles[k].thread != NULL)
      parts += g_atomic_int_get (&tiles[k].parts);
  vg_batch_report (run->batch, parts / FINE);
}

static void
wait_for (TileRun *run, const Tile *tiles, const Tile *self)
{
  g_mutex_lock (&run->mutex);
  while (!self->done)
    {
      g_cond_wait_until (&run->done, &run->mutex,
                         g_get_monotonic_time () + REPORT_MS * G_TIME_SPAN_MILLISECOND);
      g_mutex_unlock (&run->mutex);
      report (run, tiles);
      g_mutex_lock (&run->mutex);
    }
  g_mutex_unlock (&run->mutex);
}

/* Adds the damaged rectangles of tile I, cut to its core. */
static void
take_holes (TileRun *self, const Tile *tile, int i)
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

static gboolean
take_tile (TileRun *self, Tile *tile, int i, GError **error)
{
  if (tile->result == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&tile->error));
      return FALSE;
    }
  vg_work_take_tile (self->work, tile->work);
  take_holes (self, tile, i);
  vg_tile_files_add_image (self->files, tile->image, tile->x, tile->y);
  return self->batch->operation->tiled->merge (self->merge, tile->result, i, error);
}

static gboolean
run_tiles (TileRun *self, GError **error)
{
  const int n = self->batch->tiles = self->tiling.columns * self->tiling.rows,
            threads = vg_work_get_threads (self->work);
  g_autofree Tile *tiles = g_new0 (Tile, self->at_once);
  gint64 start = g_get_monotonic_time ();
  gboolean ok = TRUE;

  for (int k = 0; k < self->at_once; k++)
    tiles[k].work = vg_work_new_for_tiles (self->work,
                                           (threads + self->at_once - 1) / self->at_once);
  for (int i = 0; i < MIN (n, self->at_once); i++)
    start_tile (self, i, &tiles[i]);
  for (int i = 0; i < n && ok; i++)
    {
      Tile *tile = &tiles[i % self->at_once];

      wait_for (self, tiles, tile);
      ok = take_tile (self, tile, i, error);
      clear_tile (tile);
      if (ok && i + self->at_once < n)
        start_tile (self, i + self->at_once, tile);
      self->batch->tiles_done++;
      report (self, tiles);
    }
  g_atomic_int_set (&self->failed, !ok);
  for (int k = 0; k < self->at_once; k++)
    {
      clear_tile (&tiles[k]);
      vg_work_free (tiles[k].work);
    }
  self->batch->seconds += (double) (g_get_monotonic_time () - start) * 1e-6;
  return ok;
}

/* The largest usual core with which the tiles in memory take at most half of the free memory. */
static int
choose_core (const TileRun *self, int halo)
{
  const VgOperation *operation = self->batch->operation;
  int core = self->at_once > 1 ? VG_TILE_USUAL / 3 : VG_TILE_USUAL;
  gsize available = vg_memory_available ();

  for (; operation->memory != NULL && core > VG_TILE_LEAST; core /= 2)
    {
      VgImageInfo info = self->source->info;
      gsize host = 0, device = 0;

      info.width = MIN (info.width, core + 2 * halo);
      info.height = MIN (info.height, core + 2 * halo);
      operation->memory->estimate (self->params, &info, &host, &device);
      if (host <= available / 2 / (gsize) self->at_once)
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
  int core;

  self->at_once = CLAMP (vg_work_get_threads (self->work) / THREADS_EACH, 1, MOST_AT_ONCE);
  core = job->tile_px > 0 ? job->tile_px : choose_core (self, halo);
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

  g_mutex_init (&run.mutex);
  g_cond_init (&run.done);
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
  g_mutex_clear (&run.mutex);
  g_cond_clear (&run.done);
  if (run.merge != NULL)
    self->operation->tiled->merge_free (run.merge);
  vg_work_end_tiles (self->work);
  return ok;
}
