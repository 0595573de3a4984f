/* SPDX-License-Identifier: MIT */
/* The parts of a job: settings, export, results, and the processing of data that are read at once.
 * When the GPU fails, a stored input is processed again from its start, so that no result mixes two
 * devices; a live one continues with the frames of its history. */
#include "app/batch/vg-batch-private.h"
#include "app/compute/vg-adopt.h"
#include "app/region/vg-region-settings.h"
#include "io/dicom/vg-dicom-writer.h"
#include "io/write/vg-output-file.h"
#include "app/session/vg-settings-file.h"
#include "kernels/base/vg-text.h"

static void
keep_user_values (VgBatch *self, void *params)
{
  const VgParamTable *table = &self->operation->params;

  for (guint i = 0; i < table->n_items && self->job->origins != NULL; i++)
    if (self->job->origins[i] >= VG_ORIGIN_DERIVED)
      vg_param_assign (&table->items[i], params, self->job->params);
}

void *
vg_batch_adopt (VgBatch *self, const void *params, const VgImageInfo *info)
{
  void *adopted = vg_adopt_params (self->operation, params,
                                   self->job->origins != NULL ? info : NULL, self->movie != NULL);

  if (info != NULL && self->operation->adopt != NULL)
    keep_user_values (self, adopted);
  return adopted;
}

/* A slice that does not exist would leave empty rows, and pages of the report about nothing. */
static gboolean
check_slices (const VgBatchJob *job, const VgImageInfo *info, GError **error)
{
  int slices = info != NULL ? MAX ((int) info->slices, 1) : 0;

  for (guint i = 0; slices > 0 && job->regions != NULL && job->regions[i] != NULL; i++)
    if (job->regions[i]->region.slice >= slices)
      {
        int slice = job->regions[i]->region.slice;
        g_autofree char *name = vg_text_quote (job->regions[i]->name);

        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                     "the region %s is in slice %d (@%d, counted from 0), but the data have %d "
                     "slice%s; correct the slice, or choose regions that were drawn on these data",
                     name, slice + 1, slice, slices, slices == 1 ? "" : "s");
        return FALSE;
      }
  return TRUE;
}

/* A mask of another image would measure the wrong pixels. */
static gboolean
check_regions (const VgBatchJob *job, const VgImageInfo *info, GError **error)
{
  const int *size = job->regions_size;

  if (size[0] == 0 || info == NULL || (size[0] == info->width && size[1] == info->height))
    return check_slices (job, info, error);
  g_set_error (
      error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
      "the label mask is %dx%d pixels, but the image is %dx%d; choose a mask of the same size",
      size[0], size[1], info->width, info->height);
  return FALSE;
}

static gboolean
wants_dicom (VgBatch *self)
{
  return self->staging != NULL &&
         vg_export_options_wants (self->job->options, VG_FORMAT_DICOM, FALSE);
}

/* Maps of several frames are no volume.  Called when the work is prepared. */
static gboolean
check_frames (VgBatch *self, GError **error)
{
  gint64 frames = self->live ? self->job->max_frames : self->total; /* 0: without an end */

  if (!wants_dicom (self) || self->operation->input.kind != VG_INPUT_STREAM ||
      self->job->at_frame > 0 || (frames > 0 && frames <= vg_work_get_history (self->work) + 1))
    return TRUE;
  g_set_error_literal (error, VG_USAGE_ERROR, 0,
                       "the maps cannot be written as DICOM, because there is one for each frame; "
                       "choose nifti or tiff, or a frame with --at-frame");
  return FALSE;
}

/* Lists the regions for tables and report: those of the job, and where regions are wanted also
 * those of the settings. */
static gboolean
list_regions (VgBatch *self, GError **error)
{
  const VgBatchJob *job = self->job;
  gboolean wanted = job->regions != NULL || job->find_regions ||
                    (job->options != NULL &&
                     (job->options->report || job->options->compared_run != NULL));
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free), given = g_ptr_array_new ();

  for (guint i = 0; job->regions != NULL && job->regions[i] != NULL; i++)
    g_ptr_array_add (given, (gpointer) job->regions[i]);
  if (self->outlines != NULL)
    g_ptr_array_extend (given, self->outlines, NULL, NULL);
  g_ptr_array_add (given, NULL);
  g_clear_pointer (&self->regions, g_free);
  g_clear_pointer (&self->own_regions, g_ptr_array_unref);
  if (wanted && self->staging != NULL)
    self->regions = vg_region_settings_join (self->work,
                                             (const VgNamedRegion *const *) given->pdata,
                                             self->found, &self->own_regions, notes, error);
  for (guint i = 0; i < notes->len; i++)
    vg_batch_add_note (self, g_steal_pointer (&notes->pdata[i]));
  if (self->regions != NULL && self->regions[0] == NULL)
    g_clear_pointer (&self->regions, g_free);
  return self->regions != NULL || self->own_regions != NULL || !wanted || self->staging == NULL;
}

gboolean
vg_batch_prepare (VgBatch *self, const void *params, const VgImageInfo *info, VgImage *image,
                  GError **error)
{
  if (!check_regions (self->job, info, error) ||
      (wants_dicom (self) && !vg_dicom_writer_accepts (info, error)) ||
      !vg_work_prepare (self->work, params, info, image, error) || !check_frames (self, error) ||
      !list_regions (self, error))
    return FALSE;
  vg_batch_report (self, 0);
  return TRUE;
}

void
vg_batch_start_export (VgBatch *self, gint64 pages)
{
  g_clear_pointer (&self->export, vg_export_free);
  if (self->movie != NULL)
    vg_movie_restart (self->movie);
  if (self->staging != NULL)
    self->export = vg_export_new (self->staging, self->prefix, self->operation, pages,
                                  self->regions);
  if (self->export != NULL && self->job->options != NULL && self->job->options->kymograph.width > 0)
    vg_export_follow_line (self->export, (guint) self->job->preview_output,
                           &self->job->options->kymograph);
  if (self->export != NULL && self->job->options != NULL && self->job->options->alarm > 0)
    vg_export_set_alarm (self->export, (guint) self->job->preview_output,
                         self->job->options->alarm);
  if (self->export != NULL)
    vg_export_set_marks (self->export, self->marks);
  self->seconds = 0;
}

gboolean
vg_batch_report_caution (VgBatch *self, const char *caution, gboolean cut, GError **error)
{
  if (cut && self->job->strict)
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, caution);
      return FALSE;
    }
  g_free (self->cut);
  self->cut = cut ? g_strdup (caution) : NULL; /* reported at the end */
  self->caution = cut ? NULL : caution;
  if (self->caution != NULL)
    vg_batch_notify (self, "%s", caution);
  return TRUE;
}

/* What looks odd, of a stream in its last frame; then the results. */
static void
report_results (VgBatch *self, const VgExportInfo *info)
{
  g_autoptr (GPtrArray) notes = vg_export_notes (info);

  for (guint i = 0; i < notes->len; i++)
    vg_batch_notify (self, "%s", (const char *) notes->pdata[i]);
  if (self->job->results != NULL)
    self->job->results (self->prefix, info->metrics, self->job->user_data);
}

static gboolean
finish (VgBatch *self, GError **error)
{
  const VgBatchJob *job = self->job;
  g_autofree char *incomplete = vg_batch_incomplete (self);
  g_autoptr (VgMetrics) metrics = vg_work_results (self->work, error);
  VgExportInfo info = { job->inputs, job->synthetic, self->seconds, job->display,
                        job->preview_output, .gzip = job->gzip, .options = job->options,
                        .regions = self->regions, .as_stored = job->as_stored, .notes = self->notes,
                        .found = self->found, .marks = self->marks, .caution = self->caution,
                        .incomplete = incomplete, .bad_frames = self->bad, .command = job->command,
                        .read_options = job->read_options, .settings_files = job->settings_files,
                        .metrics = metrics, .live = self->live ? &self->device.status : NULL,
                        .details = self->device.details,
                        /* the maps until then are written */
                        .cancellable = self->stopped ? NULL : job->cancellable };

  if (metrics == NULL)
    return FALSE;
  if (self->export != NULL &&
      (self->regions != NULL || (job->options != NULL && job->options->compared_run != NULL)))
    {
      g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_free);

      if (!vg_export_add_checks (self->work, &info, checks, error))
        return FALSE;
      for (guint i = 0; i < checks->len; i++)
        vg_batch_add_note (self, g_steal_pointer (&checks->pdata[i]));
      info.notes = self->notes;
    }
  if (self->movie != NULL && !vg_movie_finish (self->movie, error))
    return FALSE;
  if (self->export == NULL)
    return TRUE;
  if (!vg_export_finish (self->export, self->work, &info, error))
    return FALSE;
  if (vg_export_is_blank (self->export))
    vg_batch_notify (
        self,
        "no pixel has a value in any map; check the input, and the settings that exclude pixels");
  report_results (self, &info);
  return TRUE;
}

gboolean
vg_batch_starts_over (VgBatch *self, guint generation, GError *failure, GError **error)
{
  if (failure->domain != VG_GPU_ERROR || self->live || self->movie != NULL || self->sender != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (vg_work_get_generation (self->work) == generation)
    return vg_work_recover (self->work, failure, error);
  g_error_free (failure);
  return TRUE;
}

gboolean
vg_batch_finish (VgBatch *self, gboolean *finished, GError **error)
{
  guint generation = vg_work_get_generation (self->work),
        n_notes = self->notes != NULL ? self->notes->len : 0;
  GError *local = NULL;

  *finished = finish (self, &local);
  if (!*finished && self->notes != NULL)
    g_ptr_array_set_size (self->notes, (int) n_notes); /* those of the maps are found again */
  return *finished || vg_batch_starts_over (self, generation, local, error);
}

/* Adds the final maps if there is a result.  *ADDED: FALSE if the GPU failed, after which the work
 * begins again. */
static gboolean
add_whole (VgBatch *self, gboolean *added, GError **error)
{
  guint generation = vg_work_get_generation (self->work);
  GError *local = NULL;

  *added = vg_work_check (self->work, &local);
  if (!*added)
    return vg_batch_starts_over (self, generation, local, error);
  if (!vg_batch_film_whole (self, error) || !vg_batch_send (self, NULL, error))
    return FALSE;
  *added = vg_work_get_generation (self->work) == generation;
  if (!*added || self->export == NULL)
    return TRUE;
  *added = vg_export_add (self->export, self->work, NULL, &self->seconds, &local);
  if (!*added)
    return vg_batch_starts_over (self, generation, local, error);
  vg_batch_notify_alarms (self);
  *added = vg_export_get_pages (self->export) > 0;
  return TRUE;
}

gboolean
vg_batch_run_whole (VgBatch *self, const void *params, const char *const *inputs, GError **error)
{
  const VgBatchJob *job = self->job;
  g_autoptr (VgImage) image = NULL;
  void *adopted;
  gboolean ok;

  if (self->operation->input.kind == VG_INPUT_DATASET)
    {
      image = vg_work_load_dataset (self->operation, params, inputs, job->read_options,
                                    job->synthetic, error);
      if (image == NULL || !vg_batch_report_caution (self, image->caution, image->cut, error))
        return FALSE;
    }
  adopted = vg_batch_adopt (self, params, image == NULL ? NULL : &image->info);
  ok = !vg_batch_is_cancelled (self, error) &&
       (!job->find_regions || vg_batch_find_regions (self, adopted, image, error)) &&
       vg_batch_prepare (self, adopted, image == NULL ? NULL : &image->info, image, error) &&
       (self->movie == NULL || vg_movie_accepts (self->movie, self->work, error));
  vg_params_free (&self->operation->params, adopted);
  if (!ok)
    return FALSE;

  for (gboolean finished = FALSE; !finished;)
    {
      gboolean added;

      vg_batch_start_export (self, 1);
      if (vg_batch_step_to_end (self, error) == VG_STEP_FAILED ||
          !add_whole (self, &added, error) || (added && !vg_batch_finish (self, &finished, error)))
        return FALSE;
    }
  vg_work_reset (self->work);
  return TRUE;
}

gboolean
vg_batch_run_slide (VgBatch *self, VgSource *source, GError **error)
{
  const VgExportOptions *options = self->job->options;
  const VgNamedRegion *const *regions = self->job->regions;
  void *adopted;
  gboolean ok;

  /* drawn on one slide region, they have no place in several */
  if (self->numbers != NULL || (regions != NULL && regions[0] == NULL))
    regions = NULL;
  if (regions != NULL && !check_regions (self->job, &source->info, error))
    return FALSE;
  if (options != NULL && options->formats != 0 && options->formats != VG_FORMAT_TIFF)
    {
      g_set_error_literal (error, VG_USAGE_ERROR, 0,
                           "a slide that is processed in tiles can only be written as TIFF; omit "
                           "--format, or choose a smaller slide region with --in-one-piece");
      return FALSE;
    }
  if (options != NULL && options->report)
    {
      g_set_error_literal (error, VG_USAGE_ERROR, 0,
                           "a slide that is processed in tiles has no report; omit --report, or "
                           "choose a smaller slide region with --in-one-piece");
      return FALSE;
    }
  if (self->movie != NULL)
    {
      g_set_error_literal (error, VG_USAGE_ERROR, 0,
                           "a slide that is processed in tiles has no movie; omit --movie, or "
                           "choose a smaller slide region with --in-one-piece");
      return FALSE;
    }
  if (self->sender != NULL)
    {
      g_set_error_literal (error, VG_USAGE_ERROR, 0,
                           "a slide that is processed in tiles cannot be sent; omit --send, or "
                           "choose a smaller slide region with --in-one-piece");
      return FALSE;
    }
  if (self->job->regions != NULL && self->job->regions[0] != NULL)
    vg_batch_notify (
        self,
        "regions are not measured if a slide is processed in tiles, so there is no regions.csv");
  adopted = vg_batch_adopt (self, self->job->params, &source->info);
  ok = vg_batch_run_tiles (self, source, adopted, regions, error);
  vg_params_free (&self->operation->params, adopted);
  return ok;
}

VgSource *
vg_batch_open_slide (VgBatch *self, GError **error)
{
  const VgBatchJob *job = self->job;
  gboolean one = job->synthetic == NULL && job->inputs != NULL && job->inputs[0] != NULL &&
                 job->inputs[1] == NULL;
  g_autoptr (VgSource) source = NULL;

  if (self->operation->tiled != NULL && one)
    {
      source = vg_work_open_source (self->operation, job->params, job->inputs, job->read_options,
                                    NULL, error);
      if (source == NULL)
        return NULL;
    }
  if (source != NULL && source->pyramid != NULL && job->in_one_piece && job->tile_px == 0 &&
      job->overlap_px == 0)
    {
      vg_batch_notify (self, "this slide region is processed in one piece, as in the window; with "
                             "--tile it is processed in tiles");
      return NULL;
    }
  if (source != NULL && source->pyramid != NULL && job->options != NULL && job->options->alarm > 0)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "--alarm does not follow a slide that is processed in tiles; process it with "
                   "--in-one-piece and without --tile, or omit --alarm");
      return NULL;
    }
  if (source != NULL && source->pyramid != NULL)
    return g_steal_pointer (&source);
  if (job->tile_px > 0 || job->overlap_px > 0)
    g_set_error (error, VG_USAGE_ERROR, 0, "--tile and --overlap are for whole slides; %s",
                 self->operation->tiled == NULL ? "this operation processes its data in one piece"
                                                : "this image is read in one piece");
  return NULL;
}

gboolean
vg_batch_run_settings (VgBatch *self, GPtrArray *runs, GError **error)
{
  guint first = self->job->run > 0 ? (guint) self->job->run - 1 : 0,
        end = self->job->run > 0 ? first + 1 : runs->len;

  for (guint i = first; i < end; i++)
    {
      VgSettingsRun *run = runs->pdata[i];
      void *given = vg_params_copy (&self->operation->params, run->params);

      keep_user_values (self, run->params);
      if (self->operation->on_params_changed != NULL && self->job->changed != NULL)
        self->operation->on_params_changed (run->params, self->job->changed);
      if (!vg_params_equal (&self->operation->params, given, run->params))
        g_ptr_array_set_size (run->notes, 0); /* they are of other settings */
      vg_params_free (&self->operation->params, given);
    }
  for (guint i = first; i < end; i++)
    {
      const VgSettingsRun *run = runs->pdata[i];
      g_autofree char *prefix = end - first == 1 ? g_strdup ("")
                                                 : g_strdup_printf ("run-%u/", i + 1);

      self->prefix = prefix;
      g_clear_pointer (&self->notes, g_ptr_array_unref);
      self->notes = g_ptr_array_ref (run->notes);
      if (!vg_batch_run_whole (self, run->params, NULL, error))
        return FALSE;
    }
  return TRUE;
}
