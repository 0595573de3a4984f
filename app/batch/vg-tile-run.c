/* SPDX-License-Identifier: MIT */
/* Several tiles are computed at the same time, each by its own thread, and the next one is read
 * meanwhile.  They are merged in order, so that the result does not depend on their number. */
#include "app/batch/vg-batch-private.h"
#include "app/batch/vg-tile-run.h"
#include "app/compute/vg-tile-sample.h"
#include "app/compute/vg-work-tiles.h"
#include <malloc.h>

/* A tile keeps a few threads busy, fewer if a GPU does much of the work.  Memory grows with the
 * number of tiles. */
enum { REPORT_MS = 50, THREADS_EACH = 4, MOST_AT_ONCE = 4, GPU_THREADS_EACH = 2, GPU_AT_ONCE = 8 };

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
  GCond changed; /* one of the following, or a tile's `done` */
  int taken;     /* tiles that are merged, */
  int freed;     /* and whose memory is free again */
  gboolean over; /* no tile is merged any more */
  GError *error; /* why the run ends early */
  gint stop;     /* atomic; TRUE: with that error, so no tile is needed any more */
} TileRun;

/* A tile, and the thread that reads and computes it, and frees its memory after it is merged. */
typedef struct
{
  TileRun *run;
  VgWork *work;
  GThread *thread; /* NULL: there is no tile */
  VgImageInfo info;
  int i;
  int x, y;             /* in the part that the source is of */
  VgImage *image;       /* NULL: the run ends */
  GArray *holes;        /* damaged places in it */
  gconstpointer result; /* NULL: the run ends */
  gint parts;           /* progress: how many of FINE parts are computed */
  gboolean done;
} Tile;

enum { FINE = 1000 };

/* Ends the run for ERROR, which is taken, unless it is NULL.  Errors after the first are its
 * consequences. */
static void
stop_for (TileRun *self, GError *error)
{
  if (error == NULL)
    return;
  g_mutex_lock (&self->mutex);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_atomic_int_set (&self->stop, TRUE);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_clear_error (&error);
}

static gboolean
read_tile (Tile *self, GError **error)
{
  VgSource *source = self->run->source;
  const VgPyramid *pyramid = source->pyramid;

  self->image = vg_image_new (&self->info, source->name, error);
  self->holes = g_array_new (FALSE, FALSE, sizeof (VgHole));
  if (self->image != NULL &&
      !vg_source_read_around (source, pyramid->level, pyramid->x + self->x, pyramid->y + self->y,
                              self->info.width, self->info.height, self->image->data, self->holes,
                              error))
    g_clear_pointer (&self->image, vg_image_unref);
  return self->image != NULL;
}

/* Waits until enough of the tiles before have been merged and freed, which bounds memory. */
static gboolean
wait_for_turn (const Tile *self)
{
  TileRun *run = self->run;
  gboolean go;

  g_mutex_lock (&run->mutex);
  while (self->i >= run->freed + run->at_once && run->error == NULL)
    g_cond_wait (&run->changed, &run->mutex);
  go = run->error == NULL;
  g_mutex_unlock (&run->mutex);
  return go;
}

/* Seeds take about as long as contours, so they are half of the progress. */
static void
note_prepared (gpointer data, double done)
{
  g_atomic_int_set (&((Tile *) data)->parts, (gint) (FINE / 2 * done));
}

static gboolean
note_step (gpointer data, GError **error)
{
  Tile *self = data;

  g_atomic_int_set (&self->parts, (gint) (FINE / 2 * (1 + MAX (vg_work_progress (self->work), 0))));
  return !g_atomic_int_get (&self->run->stop);
}

/* Frees the memory once the tile is merged.  This takes a while, so it is done in the tile's own
 * thread, and the next tile is merged meanwhile. */
static void
free_memory (Tile *self)
{
  TileRun *run = self->run;

  g_mutex_lock (&run->mutex);
  while (run->taken <= self->i && !run->over)
    g_cond_wait (&run->changed, &run->mutex);
  g_mutex_unlock (&run->mutex);
  vg_work_reset (self->work);
  g_clear_pointer (&self->image, vg_image_unref);
  g_clear_pointer (&self->holes, g_array_unref);
  /* otherwise each thread's share of the heap keeps the planes of its tiles */
  malloc_trim (0);
  g_mutex_lock (&run->mutex);
  run->freed++;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->mutex);
}

static gpointer
compute_tile (gpointer data)
{
  Tile *self = data;
  TileRun *run = self->run;
  GError *error = NULL;

  vg_work_set_report (self->work, note_prepared, self);
  if (read_tile (self, &error) && wait_for_turn (self) &&
      vg_work_prepare_tile (self->work, run->params, self->image, self->x, self->y, &error))
    /* again on the CPU if the GPU fails at the end */
    while (self->result == NULL && error == NULL &&
           vg_batch_step (run->batch, self->work, note_step, self, &error) == VG_STEP_DONE)
      self->result = vg_work_tile (self->work, &error);
  stop_for (run, error);
  g_atomic_int_set (&self->parts, FINE);
  g_mutex_lock (&run->mutex);
  self->done = TRUE;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->mutex);
  free_memory (self);
  return NULL;
}

static void
join_tile (Tile *self)
{
  g_clear_pointer (&self->thread, g_thread_join);
}

/* Starts tile I with its halo, cut to the slide region, in the place of an earlier one. */
static void
start_tile (TileRun *run, int i, Tile *self)
{
  const VgTiling *tiling = &run->tiling;
  double scale = MAX (tiling->whole.downsample, 1);
  int x, y, width, height;

  join_tile (self);
  vg_tiling_core (tiling, i, &x, &y, &width, &height);
  *self = (Tile){ .run = run,
                  .work = self->work,
                  .info = tiling->whole,
                  .i = i,
                  .x = MAX (x - tiling->halo, 0),
                  .y = MAX (y - tiling->halo, 0) };
  self->info.width = MIN (x + width + tiling->halo, tiling->whole.width) - self->x;
  self->info.height = MIN (y + height + tiling->halo, tiling->whole.height) - self->y;
  self->info.origin[0] += scale * self->x;
  self->info.origin[1] += scale * self->y;
  self->thread = g_thread_new ("tile", compute_tile, self);
}

/* Reports the progress, including that of unfinished tiles. */
static void
report (const TileRun *run, const Tile *tiles, int slots)
{
  double parts = 0;

  for (int k = 0; k < slots; k++)
    if (tiles[k].thread != NULL && tiles[k].i >= run->batch->tiles_done)
      parts += g_atomic_int_get (&tiles[k].parts);
  vg_batch_report (run->batch, parts / FINE);
}

/* FALSE: the run ends. */
static gboolean
wait_for (TileRun *run, const Tile *tiles, int slots, const Tile *self)
{
  gboolean ok;

  g_mutex_lock (&run->mutex);
  while (!self->done && run->error == NULL)
    {
      GError *error = NULL;

      g_cond_wait_until (&run->changed, &run->mutex,
                         g_get_monotonic_time () + REPORT_MS * G_TIME_SPAN_MILLISECOND);
      g_mutex_unlock (&run->mutex);
      report (run, tiles, slots);
      vg_batch_is_cancelled (run->batch, &error);
      stop_for (run, error);
      g_mutex_lock (&run->mutex);
    }
  ok = run->error == NULL;
  g_mutex_unlock (&run->mutex);
  return ok;
}

/* Adds the damaged rectangles of the tile, cut to its core. */
static void
take_holes (TileRun *self, const Tile *tile)
{
  const VgPyramid *pyramid = self->source->pyramid;
  int x, y, width, height;

  vg_tiling_core (&self->tiling, tile->i, &x, &y, &width, &height);
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
take_tile (TileRun *self, Tile *tile)
{
  GError *error = NULL;
  gboolean ok;

  vg_work_take_tile (self->work, tile->work);
  take_holes (self, tile);
  vg_tile_files_add_image (self->files, tile->image, tile->x, tile->y);
  ok = self->batch->operation->tiled->merge (self->merge, tile->result, tile->i, &error);
  stop_for (self, error);
  return ok;
}

static void
note_taken (TileRun *self)
{
  g_mutex_lock (&self->mutex);
  self->taken++;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static gboolean
run_tiles (TileRun *self, GError **error)
{
  const int n = self->batch->tiles = self->tiling.columns * self->tiling.rows,
            threads = vg_work_get_threads (self->work),
            slots = self->at_once + 2; /* one tile is read, and one is freed */
  g_autofree Tile *tiles = g_new0 (Tile, slots);
  gint64 start = g_get_monotonic_time ();
  gboolean ok = TRUE;

  for (int k = 0; k < slots; k++)
    tiles[k].work = vg_work_new_for_tiles (
        self->work, (threads + self->at_once - 1) / self->at_once, &self->stop);
  for (int i = 0; i < MIN (n, slots - 1); i++)
    start_tile (self, i, &tiles[i]);
  for (int i = 0; i < n; i++)
    {
      Tile *tile = &tiles[i % slots];

      ok = wait_for (self, tiles, slots, tile) && take_tile (self, tile);
      if (!ok)
        break;
      note_taken (self);
      self->batch->tiles_done++;
      if (i + slots - 1 < n)
        start_tile (self, i + slots - 1, &tiles[(i + slots - 1) % slots]);
      report (self, tiles, slots);
    }
  g_mutex_lock (&self->mutex);
  self->over = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  for (int k = 0; k < slots; k++)
    {
      join_tile (&tiles[k]);
      vg_work_free (tiles[k].work);
    }
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&self->error));
  self->batch->seconds += (double) (g_get_monotonic_time () - start) * 1e-6;
  return ok;
}

static void
divide (VgTiling *self, int core)
{
  self->core = MAX (core / VG_TILE_BLOCK, 1) * VG_TILE_BLOCK;
  self->columns = (self->whole.width + self->core - 1) / self->core;
  self->rows = (self->whole.height + self->core - 1) / self->core;
}

/* The core decides how nuclei are numbered, so it does not depend on the number of threads.  A GPU
 * needs so little time for a tile that more and smaller tiles keep the CPU cores busier.  If
 * memory is short, fewer tiles are computed at the same time; only if not even one fits is the core
 * smaller, unless the user has chosen it. */
static void
cut (TileRun *self)
{
  const VgBatchJob *job = self->batch->job;
  VgTiling *tiling = &self->tiling;
  const gboolean gpu = vg_work_may_use_gpu (self->work);
  const int threads = vg_work_get_threads (self->work);
  int core = job->tile_px > 0 ? job->tile_px
             : gpu            ? VG_TILE_GPU
                              : VG_TILE_USUAL,
      most = gpu ? CLAMP (threads / GPU_THREADS_EACH, 1, GPU_AT_ONCE)
                 : CLAMP (threads / THREADS_EACH, 1, MOST_AT_ONCE);

  tiling->whole = self->source->info;
  tiling->halo = job->overlap_px > 0
                     ? job->overlap_px
                     : self->batch->operation->tiled->halo (vg_work_get_calibration (self->work));
  do
    {
      VgImageInfo tile = tiling->whole;

      divide (tiling, core);
      tile.width = MIN (tile.width, tiling->core + 2 * tiling->halo);
      tile.height = MIN (tile.height, tiling->core + 2 * tiling->halo);
      self->at_once = vg_work_count_tiles (self->work, self->params, &tile,
                                           MIN (most, tiling->columns * tiling->rows));
      core /= 2;
    }
  while (self->at_once == 0 && job->tile_px == 0 && core >= VG_TILE_LEAST);
  self->at_once = MAX (self->at_once, 1);
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
vg_batch_run_tiles (VgBatch *self, VgSource *source, const void *params,
                    const VgNamedRegion *const *regions, GError **error)
{
  g_autoptr (GArray) holes = g_array_new (FALSE, FALSE, sizeof (VgHole));
  TileRun run = {
    .batch = self, .work = self->work, .source = source, .params = params, .holes = holes
  };
  g_autoptr (VgTileFiles) files = NULL;
  gboolean ok = calibrate (&run, error);
  VgTileSink sink;

  g_mutex_init (&run.mutex);
  g_cond_init (&run.changed);
  if (ok)
    {
      cut (&run);
      files = vg_tile_files_new (self->staging, self->prefix, self->operation, &run.tiling,
                                 self->job->gzip, &sink, error);
      run.files = files;
      if (files != NULL && regions != NULL)
        vg_tile_files_set_regions (files, regions);
      if (files != NULL)
        run.merge = vg_work_new_merge (self->work, params, &run.tiling, &sink, error);
      ok = run.merge != NULL && run_tiles (&run, error) && finish (&run, files, error);
    }
  g_mutex_clear (&run.mutex);
  g_cond_clear (&run.changed);
  g_clear_error (&run.error);
  if (run.merge != NULL)
    self->operation->tiled->merge_free (run.merge);
  vg_work_end_tiles (self->work);
  return ok;
}
