/* SPDX-License-Identifier: MIT */
/* A job from its staging folder to the committed results. */
#include "app/batch/vg-batch-private.h"
#include "app/batch/vg-truth.h"
#include "app/provenance/vg-file-hash.h"
#include "app/session/vg-settings-file.h"

/* Files of others that were replaced, and results that stay beside the new ones and do not belong
 * to them. */
static void
name_old_files (VgBatch *self)
{
  g_autofree char *unlisted = vg_staging_list_unlisted (self->staging);
  static const char *const endings[] = { ".tif", VG_EXPORT_VOLUME, ".nrrd", ".dcm" };

  if (unlisted != NULL)
    vg_batch_notify (self, "files in \"%s\" that no earlier run wrote were replaced: %s",
                     self->job->folder, unlisted);
  for (guint i = 0; i < G_N_ELEMENTS (endings) * self->operation->n_outputs; i++)
    {
      guint output = i / G_N_ELEMENTS (endings);
      g_autofree char *name = g_strconcat (self->operation->outputs[output].id,
                                           endings[i % G_N_ELEMENTS (endings)], NULL);

      if (vg_staging_is_old (self->staging, name))
        vg_batch_notify (self, "\"%s\" in \"%s\" is from an earlier run; this run made no such map",
                         name, self->job->folder);
    }
}

static gboolean
run_all (VgBatch *self, GError **error)
{
  const VgBatchJob *job = self->job;
  gboolean named = job->synthetic == NULL && job->inputs != NULL && job->inputs[0] != NULL;
  g_autoptr (GPtrArray) runs = NULL;

  if (self->operation->input.kind == VG_INPUT_STREAM)
    return vg_batch_run_stream (self, job->params, job->inputs, error);
  if (job->slide_regions != NULL)
    return vg_batch_run_regions (self, error);
  if (self->operation->import == NULL || !named)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (VgSource) slide = vg_batch_open_slide (self, &local);

      if (local == NULL)
        return slide != NULL ? vg_batch_run_slide (self, slide, error)
                             : vg_batch_run_whole (self, job->params, job->inputs, error);
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  runs = vg_settings_file_load (self->operation, job->inputs, job->params, error);
  if (runs == NULL)
    return FALSE;
  if (job->run > (int) runs->len)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "%s: there is no run %d; choose 1 to %u",
                   job->inputs[0], job->run, runs->len);
      return FALSE;
    }
  return vg_batch_run_settings (self, runs, error);
}

/* Sets the error of a run that is incomplete, after its results have been moved into place. */
static gboolean
set_incomplete_error (VgBatch *self, GError **error)
{
  g_autofree char *incomplete = vg_batch_incomplete (self);

  if (self->stopped)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, incomplete);
  else if (incomplete != NULL)
    g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INCOMPLETE, incomplete);
  return incomplete == NULL;
}

static gboolean
run_and_commit (VgBatch *self, GError **error)
{
  const VgBatchJob *job = self->job;
  g_autoptr (GError) local = NULL;

  if ((job->synthetic == NULL || self->staging == NULL ||
       vg_truth_write (self->staging, self->operation, job->params, job->synthetic, &local)) &&
      run_all (self, &local) && (self->stopped || !vg_batch_is_cancelled (self, &local)) &&
      (self->staging == NULL || vg_staging_commit (self->staging, &local)) &&
      (self->movie == NULL || vg_movie_commit (self->movie, &local)))
    return TRUE;
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled; nothing was written");
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
vg_batch_run (const VgBatchJob *job, VgWork *work, GError **error)
{
  VgBatch self = {
    .job = job, .work = work, .operation = vg_work_get_operation (work), .prefix = "", .total = -1
  };
  gboolean ok;

  self.staging = job->folder != NULL ? vg_staging_new (job->folder, error) : NULL;
  if (job->folder != NULL && self.staging == NULL)
    return FALSE;
  self.bad_numbers = g_string_new (NULL);
  if (self.staging != NULL)
    {
      vg_export_protect_inputs (self.staging, self.operation, job->params, job->inputs);
      for (guint i = 0; job->settings_files != NULL && job->settings_files[i] != NULL; i++)
        vg_staging_protect (self.staging, job->settings_files[i]);
      vg_file_hash_ahead (job->inputs, job->cancellable);
    }
  ok = vg_batch_open_movie (&self, error) && vg_batch_open_sender (&self, error) &&
       run_and_commit (&self, error);
  vg_batch_close_sender (&self);
  if (ok && self.staging != NULL)
    name_old_files (&self);
  if (ok && self.staging != NULL && job->files != NULL)
    job->files (vg_staging_get_names (self.staging), job->user_data);
  ok = ok && set_incomplete_error (&self, error);
  vg_work_reset (work);
  g_clear_pointer (&self.export, vg_export_free);
  g_clear_pointer (&self.movie, vg_movie_free);
  g_string_free (self.bad_numbers, TRUE);
  g_clear_error (&self.first_bad);
  g_free (self.broken_off);
  g_free (self.cut);
  g_clear_pointer (&self.notes, g_ptr_array_unref);
  vg_batch_forget_found (&self);
  g_clear_pointer (&self.regions, g_free);
  g_clear_pointer (&self.own_regions, g_ptr_array_unref);
  g_clear_pointer (&self.staging, vg_staging_free);
  return ok;
}
