/* SPDX-License-Identifier: MIT */
/* The batch loop.  A seekable input is started over when the GPU fails, so
 * that no result is half from one device and half from another; a live one
 * goes on with the frames its history needs. */
#include "vg-batch.h"
#include "vg-output-file.h"
#include "vg-reader.h"
#include "vg-region-log.h"
#include "vg-settings-file.h"
#include "vg-tile-run.h"
#include "vg-truth.h"

typedef struct
{
  const VgBatchJob *job;
  VgWork *work;
  const VgOperation *operation;
  VgStaging *staging;
  const char *prefix;        /* "run-2/" or "" */
  VgExport *export;
  VgRegionLog *log;          /* NULL: no regions */
  double seconds;
  gint64 total;              /* frames; -1: not known */
  GPtrArray *notes;          /* about the run's settings; NULL: none */
  const char *caution;       /* of the input; NULL: none */
} VgBatch;

typedef enum { PASS_DONE, PASS_FAILED, PASS_AGAIN } VgPass;

static const double step_budget_s = 0.03;

static gboolean
is_cancelled (VgBatch *self, GError **error)
{
  return self->job->cancellable != NULL && g_cancellable_set_error_if_cancelled (self->job->cancellable, error);
}

static void
tell (VgBatch *self, double fraction)
{
  g_autofree char *notice = vg_work_take_notice (self->work);

  if (notice != NULL && self->job->notice != NULL)
    self->job->notice (notice, self->job->user_data);
  if (self->job->progress != NULL)
    self->job->progress (fraction, self->export == NULL ? 0 : vg_export_get_pages (self->export), self->job->user_data);
}

/* Puts the values the user chose over those that came from a file. */
static void
keep_user_set (VgBatch *self, void *params)
{
  const VgParamTable *table = &self->operation->params;

  for (guint i = 0; i < table->n_items && self->job->user_set != NULL; i++)
    if (self->job->user_set[i])
      {
        g_autofree char *text = vg_param_format (&table->items[i], self->job->params);

        vg_param_parse (&table->items[i], params, text, NULL);
      }
}

/* PARAMS with what the input (INFO NULL: there is none) says of itself, where the user said nothing; nobody watches. */
static void *
adopt (VgBatch *self, const void *params, const VgImageInfo *info)
{
  void *adopted = vg_params_copy (&self->operation->params, params);

  if (self->operation->pace != NULL)
    vg_param_set_number (vg_params_find (&self->operation->params, self->operation->pace), adopted, 0);
  if (info != NULL && self->operation->adopt != NULL && self->job->user_set != NULL)
    {
      self->operation->adopt (adopted, info);
      keep_user_set (self, adopted);
    }
  return adopted;
}

static gboolean
prepare (VgBatch *self, const void *params, const VgImageInfo *info, VgImage *image, GError **error)
{
  if (!vg_work_prepare (self->work, params, info, image, error))
    return FALSE;
  tell (self, 0);
  return TRUE;
}

static void
start_export (VgBatch *self, gint64 pages)
{
  g_clear_pointer (&self->export, vg_export_free);
  g_clear_pointer (&self->log, vg_region_log_free);
  self->export = vg_export_new (self->staging, self->prefix, pages);
  self->log = vg_region_log_new (self->operation, self->job->regions);
  self->seconds = 0;
}

/* Steps until the fed frame, or the whole work, is done.  WAIT: no map. */
static VgStep
step_to_end (VgBatch *self, GError **error)
{
  for (;;)
    {
      gint64 start = g_get_monotonic_time ();
      VgStep step = vg_work_step (self->work, step_budget_s, error);

      self->seconds += (g_get_monotonic_time () - start) * 1e-6;
      if (step != VG_STEP_FAILED && is_cancelled (self, error))
        return VG_STEP_FAILED;
      if (step != VG_STEP_MORE)
        return step;
      if (self->operation->input != VG_INPUT_STREAM)
        tell (self, vg_work_progress (self->work));
    }
}

static gboolean
take_maps (VgBatch *self, const VgFrame *frame, GError **error)
{
  guint generation = vg_work_get_generation (self->work);

  if (!vg_export_add (self->export, self->work, &self->seconds, error))
    return FALSE;
  if (self->log != NULL && generation == vg_work_get_generation (self->work))
    vg_region_log_add (self->log, self->export, self->work, frame == NULL ? 0 : frame->index, frame == NULL ? 0 : frame->time_s);
  return TRUE;
}

static VgPass
take_frame (VgBatch *self, VgFrame *frame, gboolean keep, GError **error)
{
  guint generation = vg_work_get_generation (self->work);
  gint64 start = g_get_monotonic_time ();
  VgStep step;

  if (!vg_work_feed (self->work, frame, error))
    return PASS_FAILED;
  self->seconds += (g_get_monotonic_time () - start) * 1e-6;
  if (vg_work_get_generation (self->work) != generation)
    return PASS_AGAIN;
  step = step_to_end (self, error);
  if (step == VG_STEP_FAILED)
    return PASS_FAILED;
  if (vg_work_get_generation (self->work) == generation && step == VG_STEP_DONE && keep && !take_maps (self, frame, error))
    return PASS_FAILED;
  return vg_work_get_generation (self->work) == generation ? PASS_DONE : PASS_AGAIN;
}

/* After the GPU failed at the newest of RECENT: the CPU sees the history first. */
static VgPass
feed_again (VgBatch *self, GQueue *recent, GError **error)
{
  VgPass pass = PASS_DONE;

  for (GList *l = recent->head; l != NULL && pass == PASS_DONE; l = l->next)
    pass = take_frame (self, l->data, l->next == NULL, error);
  return pass;
}

static VgPass
read_frames (VgBatch *self, VgReader *reader, gboolean live, GError **error)
{
  guint history = (guint) vg_work_get_history (self->work);
  GQueue recent = G_QUEUE_INIT;
  GError *local = NULL;
  VgPass pass = PASS_DONE;
  VgFrame *frame;

  while (pass == PASS_DONE && (frame = vg_reader_next (reader, &local)) != NULL)
    {
      pass = take_frame (self, frame, TRUE, &local);
      g_queue_push_tail (&recent, frame);
      if (pass == PASS_AGAIN && live)
        pass = feed_again (self, &recent, &local);
      tell (self, self->total > 0 ? (double) (frame->index + 1) / self->total : -1);
      while (recent.length > (live ? history : 0))
        vg_frame_unref (g_queue_pop_head (&recent));
    }
  g_queue_clear_full (&recent, (GDestroyNotify) vg_frame_unref);
  if (local == NULL)
    is_cancelled (self, &local);
  if (local == NULL)
    return pass;
  g_propagate_error (error, local);
  return PASS_FAILED;
}

G_GNUC_PRINTF (2, 3) static void
notify (VgBatch *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  if (self->job->notice == NULL)
    return;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->job->notice (text, self->job->user_data);
}

/* At once, and in the summary; CAUTION stays the input's. */
static void
tell_caution (VgBatch *self, const char *caution)
{
  self->caution = caution;
  if (caution != NULL)
    notify (self, "%s", caution);
}

/* Results that stay beside the new ones and do not belong to them. */
static void
name_old_results (VgBatch *self)
{
  static const char *const endings[] = { ".tif", VG_EXPORT_VOLUME };

  for (guint i = 0; i < 2 * self->operation->n_outputs; i++)
    {
      g_autofree char *name = g_strconcat (self->operation->outputs[i / 2].id, endings[i % 2], NULL);

      if (vg_staging_is_old (self->staging, name))
        notify (self, "%s in %s is from an earlier run; this one made no such map", name, self->job->folder);
    }
}

/* What looks odd, of a stream in its last frame; then the results. */
static void
tell_results (VgBatch *self, const VgExportInfo *info)
{
  g_autoptr (GPtrArray) notes = vg_export_notes (info, self->work);
  g_autoptr (VgNumbers) numbers = vg_work_results (self->work);

  for (guint i = 0; i < notes->len; i++)
    notify (self, "%s", (const char *) notes->pdata[i]);
  if (self->job->results != NULL)
    self->job->results (self->prefix, numbers, self->job->user_data);
}

/* SOURCE NULL: the work was not a stream. */
static gboolean
finish (VgBatch *self, VgSource *source, GError **error)
{
  const VgBatchJob *job = self->job;
  VgExportInfo info = { job->inputs, job->synthetic, self->seconds, job->display, job->preview_output, .as_stored = job->as_stored, .notes = self->notes, .caution = self->caution };
  g_autofree char *name = g_strconcat (self->prefix, "regions.csv", NULL), *path = NULL;
  const char *text;
  gsize length;

  if (source != NULL && vg_export_get_pages (self->export) == 0)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "%s has too few frames for these settings, which need %d; choose a smaller window or record more",
                   source->name, vg_work_get_history (self->work) + 1);
      return FALSE;
    }
  if (!vg_export_finish (self->export, self->work, &info, error))
    return FALSE;
  if (vg_export_is_blank (self->export))
    notify (self, "no pixel has a value in any map; check the input, and the settings that leave pixels out");
  tell_results (self, &info);
  if (self->log == NULL)
    return TRUE;
  text = vg_region_log_text (self->log, &length);
  path = vg_staging_path (self->staging, name, error);
  return path != NULL && vg_write_bytes (path, text, length, error);
}

static void
stop_reader (GCancellable *cancellable, gpointer reader)
{
  vg_reader_stop (reader);
}

/* Once through the whole input. */
static VgPass
pass_source (VgBatch *self, VgSource *source, GError **error)
{
  VgReader *reader = vg_reader_new (source, vg_work_get_cuda (self->work));
  gulong handler = 0;
  VgPass pass;

  start_export (self, source->info.frames);
  if (self->job->cancellable != NULL)
    handler = g_cancellable_connect (self->job->cancellable, G_CALLBACK (stop_reader), reader, NULL);
  pass = read_frames (self, reader, source->info.frames < 0, error);
  if (handler != 0)
    g_cancellable_disconnect (self->job->cancellable, handler);
  if (pass == PASS_DONE && !finish (self, source, error))
    pass = PASS_FAILED;
  /* the engine may hold frames, which belong to the reader */
  if (pass != PASS_AGAIN)
    vg_work_reset (self->work);
  vg_reader_free (reader);
  return pass;
}

static gboolean
run_stream (VgBatch *self, const void *params, const char *const *inputs, GError **error)
{
  const VgBatchJob *job = self->job;
  g_autoptr (VgSource) source = vg_work_open_source (self->operation, params, inputs, job->reading, job->synthetic, error);
  void *adopted;
  gboolean ok;
  VgPass pass;

  if (source == NULL)
    return FALSE;
  self->total = source->info.frames;
  tell_caution (self, source->caution);
  adopted = adopt (self, params, &source->info);
  ok = prepare (self, adopted, &source->info, NULL, error);
  vg_params_free (&self->operation->params, adopted);
  if (!ok)
    return FALSE;
  do
    pass = pass_source (self, source, error);
  while (pass == PASS_AGAIN);
  return pass == PASS_DONE;
}

/* A data set, or nothing but parameters: steps to the end, one set of maps. */
static gboolean
run_whole (VgBatch *self, const void *params, const char *const *inputs, GError **error)
{
  const VgBatchJob *job = self->job;
  g_autoptr (VgImage) image = NULL;
  void *adopted;
  gboolean ok;

  if (self->operation->input == VG_INPUT_DATASET)
    {
      image = vg_work_load_dataset (self->operation, params, inputs, job->reading, job->synthetic, error);
      if (image == NULL)
        return FALSE;
      tell_caution (self, image->caution);
    }
  adopted = adopt (self, params, image == NULL ? NULL : &image->info);
  ok = !is_cancelled (self, error) && prepare (self, adopted, image == NULL ? NULL : &image->info, image, error);
  vg_params_free (&self->operation->params, adopted);
  if (!ok)
    return FALSE;

  start_export (self, 1);
  while (vg_export_get_pages (self->export) == 0)
    if (step_to_end (self, error) == VG_STEP_FAILED || !vg_work_check (self->work, error) || !take_maps (self, NULL, error))
      return FALSE;
  ok = finish (self, NULL, error);
  vg_work_reset (self->work);
  return ok;
}

/* A slide: tile by tile. */
static gboolean
run_slide (VgBatch *self, VgSource *source, GError **error)
{
  void *adopted = adopt (self, self->job->params, &source->info);
  gboolean ok;

  if (self->job->regions != NULL && self->job->regions[0] != NULL)
    notify (self, "regions are measured in pictures in one piece; there is no regions.csv for a slide");
  ok = vg_tile_run (self->job, self->work, source, adopted, self->staging, error);
  vg_params_free (&self->operation->params, adopted);
  return ok;
}

/* The input when it is a slide that can be worked on by tiles; else NULL, and perhaps an error. */
static VgSource *
open_slide (VgBatch *self, GError **error)
{
  const VgBatchJob *job = self->job;
  gboolean one = job->synthetic == NULL && job->inputs != NULL && job->inputs[0] != NULL && job->inputs[1] == NULL;
  g_autoptr (VgSource) source = NULL;

  if (self->operation->tiled != NULL && one)
    {
      source = vg_work_open_source (self->operation, job->params, job->inputs, job->reading, NULL, error);
      if (source == NULL)
        return NULL;
    }
  if (source != NULL && source->pyramid != NULL && job->in_one_piece && job->tile_px == 0 && job->overlap_px == 0)
    {
      notify (self, "this part of the slide is worked on in one piece, as the session has it; with --tile by tiles, anew");
      return NULL;
    }
  if (source != NULL && source->pyramid != NULL)
    return g_steal_pointer (&source);
  if (job->tile_px > 0 || job->overlap_px > 0)
    g_set_error (error, VG_USAGE_ERROR, 0, "--tile and --overlap are for whole slides; %s",
                 self->operation->tiled == NULL ? "this operation works on its data in one piece" : "this picture is read in one piece");
  return NULL;
}

/* What the user said over a file's settings, with what goes along with it. */
static void
put_user_set (VgBatch *self, void *params)
{
  if (self->job->user_set == NULL)
    return;
  keep_user_set (self, params);
  if (self->operation->follow != NULL && self->job->changed != NULL)
    self->operation->follow (params, self->job->changed);
}

/* Inputs of settings: run by run, with the user-set values on top. */
static gboolean
run_settings (VgBatch *self, GPtrArray *runs, GError **error)
{
  guint first = self->job->run > 0 ? (guint) self->job->run - 1 : 0, end = self->job->run > 0 ? first + 1 : runs->len;

  for (guint i = first; i < end; i++)
    put_user_set (self, ((VgSettingsRun *) runs->pdata[i])->params);
  for (guint i = first; i < end; i++)
    {
      const VgSettingsRun *run = runs->pdata[i];
      g_autofree char *prefix = end - first == 1 ? g_strdup ("") : g_strdup_printf ("run-%u/", i + 1);

      self->prefix = prefix;
      self->notes = run->notes;
      if (!run_whole (self, run->params, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_all (VgBatch *self, GError **error)
{
  const VgBatchJob *job = self->job;
  gboolean named = job->synthetic == NULL && job->inputs != NULL && job->inputs[0] != NULL;
  g_autoptr (GPtrArray) runs = NULL;
  gboolean ok;

  if (self->operation->input == VG_INPUT_STREAM)
    return run_stream (self, job->params, job->inputs, error);
  if (self->operation->read_settings == NULL || !named)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (VgSource) slide = open_slide (self, &local);

      if (local == NULL)
        return slide != NULL ? run_slide (self, slide, error) : run_whole (self, job->params, job->inputs, error);
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  runs = vg_settings_file_load (self->operation, job->inputs, job->params, error);
  if (runs == NULL)
    return FALSE;
  if (job->run > (int) runs->len)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "%s: there is no run %d; choose 1 to %u", job->inputs[0], job->run, runs->len);
      return FALSE;
    }
  ok = run_settings (self, runs, error);
  self->notes = NULL;
  return ok;
}

gboolean
vg_batch_run (const VgBatchJob *job, VgWork *work, GError **error)
{
  VgBatch self = { .job = job, .work = work, .operation = vg_work_get_operation (work), .prefix = "", .total = -1 };
  gboolean ok;

  self.staging = vg_staging_new (job->folder, error);
  if (self.staging == NULL)
    return FALSE;
  vg_export_protect_inputs (self.staging, self.operation, job->params, job->inputs);
  ok = run_all (&self, error)
       && (job->synthetic == NULL || vg_truth_write (self.staging, self.operation, job->params, job->synthetic, error))
       && !is_cancelled (&self, error)
       && vg_staging_commit (self.staging, error);
  if (ok)
    name_old_results (&self);
  if (ok && job->files != NULL)
    job->files (vg_staging_get_names (self.staging), job->user_data);
  vg_work_reset (work);
  g_clear_pointer (&self.export, vg_export_free);
  g_clear_pointer (&self.log, vg_region_log_free);
  vg_staging_free (self.staging);
  return ok;
}
