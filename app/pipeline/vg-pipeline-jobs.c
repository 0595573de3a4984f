/* SPDX-License-Identifier: MIT */
/* What is asked of the work from outside: curves behind a pixel, plots,
 * export.  Done on the compute thread between two steps. */
#include <math.h>
#include "kernels/base/vg-error.h"
#include "app/pipeline/vg-pipeline-private.h"

enum { MOST_LET_BY = 8 }; /* changes that go before a plot that waits */

typedef enum {
  JOB_SAMPLE,
  JOB_SAMPLE_REGION,
  JOB_PLOT,
  JOB_PROBE,
  JOB_EXPORT,
  JOB_KEEP,
  JOB_PLANE,
  JOB_TEXT,
  JOB_CHECKPOINT
} JobKind;

typedef struct
{
  JobKind kind;
  double x, y;
  int slice;
  guint plot;
  int output; /* JOB_PROBE, JOB_TEXT */
  char *folder;
  GPtrArray *regions, *notes; /* JOB_EXPORT; NULL: none */
  VgRegion *region;           /* JOB_SAMPLE_REGION */
  guint64 serial;             /* of the settings when it was asked for */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->folder);
  g_clear_pointer (&job->regions, g_ptr_array_unref);
  g_clear_pointer (&job->notes, g_ptr_array_unref);
  g_free (job->region);
  g_free (job);
}

static void
submit (VgPipeline *self, const Job *job, GCancellable *cancellable, GAsyncReadyCallback callback,
        gpointer data)
{
  GTask *task = g_task_new (self, cancellable, callback, data);
  Job *own = g_memdup2 (job, sizeof *job);

  g_task_set_task_data (task, own, job_free);
  g_mutex_lock (&self->lock);
  own->serial = self->wanted.serial;
  if (self->thread)
    {
      g_queue_push_tail (&self->jobs, task);
      g_cond_signal (&self->wake);
      task = NULL;
    }
  g_mutex_unlock (&self->lock);
  if (!task)
    return;
  g_task_return_new_error (task, VG_USAGE_ERROR, 0, "nothing is open");
  g_object_unref (task);
}

static void
run_curves (VgPipeline *self, const Job *job, GTask *task)
{
  VgCurves *curves = NULL;

  if (job->kind == JOB_SAMPLE)
    curves = vg_work_sample (self->work, job->x, job->y, job->slice);
  else if (job->kind == JOB_SAMPLE_REGION)
    curves = vg_work_sample_region (self->work, job->region);
  else if (job->plot < self->operation->n_plots)
    curves = vg_work_plot (self->work, job->plot);
  if (curves && job->kind == JOB_SAMPLE)
    vg_work_tell_values (self->work, curves, job->x, job->y, job->slice);
  else if (curves && curves->outputs)
    vg_work_tell_values (self->work, curves, NAN, NAN, 0);
  if (curves && job->kind == JOB_PLOT && self->reference &&
      vg_reference_get_operation (self->reference) == self->operation)
    vg_reference_add_curves (self->reference, job->plot, curves);
  if (curves)
    g_task_return_pointer (task, curves, (GDestroyNotify) vg_curves_free);
  else
    g_task_return_new_error (task, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "%s",
                             job->kind == JOB_PLOT ? "there is nothing to plot yet"
                                                   : "there is nothing to plot for this place");
}

static void
run_keep (VgPipeline *self, GTask *task)
{
  GError *error = NULL;
  VgReference *reference = vg_reference_new (self->work, &error);

  if (reference)
    g_task_return_pointer (task, reference, (GDestroyNotify) vg_reference_unref);
  else
    g_task_return_error (task, error);
}

static void
run_plane (VgPipeline *self, const Job *job, GTask *task)
{
  guint n = vg_followed_regions_n (self->followed);
  g_autofree VgRegion *regions = g_new (VgRegion, n + 1);
  GError *error = NULL;
  VgPlotPlane *plane = NULL;

  for (guint i = 0; i < n; i++)
    regions[i] = *vg_followed_regions_get (self->followed, i);
  if (job->plot < self->operation->n_plots && self->operation->plots[job->plot].plane)
    plane = vg_plot_plane_new (self->work, job->plot, job->x, job->y, job->slice, regions, n,
                               &error);
  if (plane)
    g_task_return_pointer (task, plane, (GDestroyNotify) vg_plot_plane_free);
  else if (error)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                             "there is nothing to plot yet");
}

static void
run_text (VgPipeline *self, const Job *job, GTask *task)
{
  g_autofree char *name = NULL;
  GError *error = NULL;
  char *text = NULL;

  if (job->output >= 0 && (guint) job->output < self->operation->n_outputs &&
      self->operation->outputs[job->output].kind == VG_OUTPUT_TEXT)
    text = vg_work_text (self->work, (guint) job->output, &name, &error);

  if (text)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task,
                         error ? error
                               : g_error_new_literal (VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                                                      "there is no such text yet"));
}

static void
run_checkpoint (VgPipeline *self, GTask *task)
{
  GError *error = NULL;
  GHashTable *outcomes = vg_pipeline_gather (self, &error);

  if (outcomes)
    g_task_return_pointer (task, outcomes, (GDestroyNotify) g_hash_table_unref);
  else
    g_task_return_error (task, error);
}

static void
run_probe (VgPipeline *self, const Job *job, GTask *task)
{
  const int xyz[3] = { (int) job->x, (int) job->y, job->slice };
  GError *error = NULL;
  float value;

  if (vg_work_probe (self->work, (guint) job->output, xyz, &value, &error))
    g_task_return_pointer (task, g_memdup2 (&(double){ value }, sizeof (double)), g_free);
  else
    g_task_return_error (task, error);
}

static void
run_export (VgPipeline *self, const Job *job, GTask *task)
{
  GError *error = NULL;
  guint n_maps = 0;

  /* one that was too late to stop is told as what it is: done */
  g_task_set_check_cancellable (task, FALSE);
  if (vg_pipeline_export (self, job->folder, job->regions, job->notes,
                          g_task_get_cancellable (task), &n_maps, &error))
    g_task_return_int (task, n_maps);
  else
    g_task_return_error (task, error);
}

static void
run (VgPipeline *self, GTask *task)
{
  const Job *job = g_task_get_task_data (task);

  if (job->kind != JOB_EXPORT && g_task_return_error_if_cancelled (task))
    ;
  else if (job->kind == JOB_CHECKPOINT)
    run_checkpoint (self, task);
  else if (!self->work || !vg_work_is_ready (self->work))
    g_task_return_new_error (task, VG_USAGE_ERROR, 0, "%s",
                             self->work ? "there is no result yet" : "nothing is open");
  else if (job->kind == JOB_EXPORT)
    run_export (self, job, task);
  else if (job->kind == JOB_KEEP)
    run_keep (self, task);
  else if (job->kind == JOB_PLANE)
    run_plane (self, job, task);
  else if (job->kind == JOB_TEXT)
    run_text (self, job, task);
  else if (job->kind == JOB_PROBE)
    run_probe (self, job, task);
  else
    run_curves (self, job, task);
  g_object_unref (task);
}

/* One that keeps or writes, asked for with settings up to SERIAL, waits. */
static gboolean
must_run (VgPipeline *self, guint64 serial)
{
  for (const GList *link = self->jobs.head; link; link = link->next)
    {
      const Job *job = g_task_get_task_data (link->data);

      if ((job->kind == JOB_EXPORT || job->kind == JOB_KEEP || job->kind == JOB_CHECKPOINT) &&
          job->serial <= serial)
        return TRUE;
    }
  return FALSE;
}

gboolean
vg_pipeline_jobs_can_wait (VgPipeline *self)
{
  return !must_run (self, self->serial);
}

gboolean
vg_pipeline_has_job_to_keep (VgPipeline *self)
{
  return must_run (self, G_MAXUINT64);
}

/* Who moves a slider waits for the picture; a plot, which may take longer than the map, comes after
 * it, but does not wait for ever. So does what is to be kept or written of settings that were moved
 * just before. */
static gboolean
picture_comes_first (VgPipeline *self)
{
  gboolean first_step = self->one_step && self->stepping && !self->cancelled &&
                        vg_work_is_ready (self->work);

  return self->feed && self->wanted.operation == self->operation && self->let_by < MOST_LET_BY &&
         (vg_pipeline_has_params (self) ? vg_pipeline_jobs_can_wait (self) : first_step);
}

gboolean
vg_pipeline_run_job (VgPipeline *self)
{
  GTask *task = picture_comes_first (self) ? NULL : g_queue_pop_head (&self->jobs);

  if (!task)
    return FALSE;
  self->let_by = 0;
  self->busy_us = 0; /* has its own way to say so */
  g_mutex_unlock (&self->lock);
  run (self, task);
  g_mutex_lock (&self->lock);
  return TRUE;
}

void
vg_pipeline_end_jobs (GQueue *jobs)
{
  GTask *task;

  while ((task = g_queue_pop_head (jobs)))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               "given up: what it was asked of has been closed");
      g_object_unref (task);
    }
}

void
vg_pipeline_sample_async (VgPipeline *self, double x, double y, int slice,
                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  const Job job = { .kind = JOB_SAMPLE, .x = x, .y = y, .slice = slice };

  submit (self, &job, cancellable, callback, data);
}

void
vg_pipeline_sample_region_async (VgPipeline *self, const VgRegion *region,
                                 GCancellable *cancellable, GAsyncReadyCallback callback,
                                 gpointer data)
{
  const Job job = { .kind = JOB_SAMPLE_REGION, .region = g_memdup2 (region, sizeof *region) };

  submit (self, &job, cancellable, callback, data);
}

void
vg_pipeline_plot_async (VgPipeline *self, guint plot, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer data)
{
  const Job job = { .kind = JOB_PLOT, .plot = plot };

  submit (self, &job, cancellable, callback, data);
}

VgCurves *
vg_pipeline_curves_finish (VgPipeline *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
vg_pipeline_plane_async (VgPipeline *self, guint plot, double x, double y, int slice,
                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  const Job job = { .kind = JOB_PLANE, .plot = plot, .x = x, .y = y, .slice = slice };

  submit (self, &job, cancellable, callback, data);
}

VgPlotPlane *
vg_pipeline_plane_finish (VgPipeline *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
free_region (gpointer data)
{
  VgNamedRegion *region = data;

  if (region == NULL) /* the end of the list */
    return;
  g_free (region->name);
  g_free (region);
}

static GPtrArray *
copy_regions (const VgNamedRegion *const *regions)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func (free_region);

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    {
      VgNamedRegion *copy = g_memdup2 (regions[i], sizeof *copy);

      copy->name = g_strdup (regions[i]->name);
      g_ptr_array_add (copies, copy);
    }
  g_ptr_array_add (copies, NULL);
  return copies;
}

void
vg_pipeline_export_async (VgPipeline *self, const char *folder, const VgNamedRegion *const *regions,
                          GPtrArray *notes, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer data)
{
  const Job job = { .kind = JOB_EXPORT,
                    .folder = g_strdup (folder),
                    .regions = copy_regions (regions),
                    .notes = notes != NULL ? g_ptr_array_ref (notes) : NULL };

  submit (self, &job, cancellable, callback, data);
}

gboolean
vg_pipeline_export_finish (VgPipeline *self, GAsyncResult *result, guint *n_maps, GError **error)
{
  gssize n = g_task_propagate_int (G_TASK (result), error);

  if (n >= 0 && n_maps)
    *n_maps = (guint) n;
  return n >= 0;
}

void
vg_pipeline_keep_async (VgPipeline *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                        gpointer data)
{
  const Job job = { .kind = JOB_KEEP };

  submit (self, &job, cancellable, callback, data);
}

VgReference *
vg_pipeline_keep_finish (VgPipeline *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
vg_pipeline_probe_async (VgPipeline *self, int output, int x, int y, int slice,
                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  const Job job = { .kind = JOB_PROBE, .output = output, .x = x, .y = y, .slice = slice };

  submit (self, &job, cancellable, callback, data);
}

void
vg_pipeline_text_async (VgPipeline *self, int output, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer data)
{
  const Job job = { .kind = JOB_TEXT, .output = output };

  submit (self, &job, cancellable, callback, data);
}

char *
vg_pipeline_text_finish (VgPipeline *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
vg_pipeline_checkpoint_async (VgPipeline *self, GAsyncReadyCallback callback, gpointer data)
{
  const Job job = { .kind = JOB_CHECKPOINT };

  submit (self, &job, NULL, callback, data);
}

GHashTable *
vg_pipeline_checkpoint_finish (VgPipeline *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

double
vg_pipeline_probe_finish (VgPipeline *self, GAsyncResult *result, GError **error)
{
  g_autofree double *value = g_task_propagate_pointer (G_TASK (result), error);

  return value ? *value : NAN;
}
