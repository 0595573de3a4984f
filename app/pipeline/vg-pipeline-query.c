/* SPDX-License-Identifier: MIT */
/* The answers to queries.  The compute thread gives them between two steps. */
#include <math.h>
#include "app/pipeline/vg-compute.h"
#include "kernels/base/vg-error.h"

enum { MOST_CHANGES_FIRST = 8 }; /* changes of settings that are applied before a query */

static void
run_curves (VgPipeline *self, const VgQuery *query, GTask *task)
{
  VgCurves *curves = NULL;

  if (query->kind == VG_QUERY_PIXEL_CURVES)
    curves = vg_work_sample (self->compute->work, query->x, query->y, query->slice);
  else if (query->kind == VG_QUERY_REGION_CURVES)
    curves = vg_work_sample_region (self->compute->work, query->region);
  else if (query->plot < self->operation->n_plots)
    curves = vg_work_plot (self->compute->work, query->plot);
  if (curves && query->kind == VG_QUERY_PIXEL_CURVES)
    vg_work_tell_values (self->compute->work, curves, query->x, query->y, query->slice);
  else if (curves && curves->outputs)
    vg_work_tell_values (self->compute->work, curves, NAN, NAN, 0);
  if (curves && query->kind == VG_QUERY_PLOT && self->compute->publisher.reference &&
      vg_reference_get_operation (self->compute->publisher.reference) == self->operation)
    vg_reference_add_curves (self->compute->publisher.reference, query->plot, curves);
  if (curves)
    g_task_return_pointer (task, curves, (GDestroyNotify) vg_curves_free);
  else
    g_task_return_new_error (task, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "%s",
                             query->kind == VG_QUERY_PLOT
                                 ? "there is nothing to plot yet"
                                 : "there is nothing to plot for this place");
}

static void
run_reference (VgPipeline *self, GTask *task)
{
  GError *error = NULL;
  VgReference *reference = vg_reference_new (self->compute->work, &error);

  if (reference)
    g_task_return_pointer (task, reference, (GDestroyNotify) vg_reference_unref);
  else
    g_task_return_error (task, error);
}

static void
run_plane (VgPipeline *self, const VgQuery *query, GTask *task)
{
  guint n = vg_followed_regions_n (self->compute->publisher.followed);
  g_autofree VgRegion *regions = g_new (VgRegion, n + 1);
  GError *error = NULL;
  VgPlotPlane *plane = NULL;

  for (guint i = 0; i < n; i++)
    regions[i] = *vg_followed_regions_get (self->compute->publisher.followed, i);
  if (query->plot < self->operation->n_plots && self->operation->plots[query->plot].plane)
    plane = vg_plot_plane_new (self->compute->work, query->plot, query->x, query->y, query->slice,
                               regions, n, &error);
  if (plane)
    g_task_return_pointer (task, plane, (GDestroyNotify) vg_plot_plane_free);
  else if (error)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                             "there is nothing to plot yet");
}

static void
run_text (VgPipeline *self, const VgQuery *query, GTask *task)
{
  g_autofree char *name = NULL;
  GError *error = NULL;
  char *text = NULL;

  if (query->output >= 0 && (guint) query->output < self->operation->n_outputs &&
      self->operation->outputs[query->output].kind == VG_OUTPUT_TEXT)
    text = vg_work_text (self->compute->work, (guint) query->output, &name, &error);

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
  GHashTable *checkpoints = vg_pipeline_collect_checkpoints (self, &error);

  if (checkpoints)
    g_task_return_pointer (task, checkpoints, (GDestroyNotify) g_hash_table_unref);
  else
    g_task_return_error (task, error);
}

static void
run_probe (VgPipeline *self, const VgQuery *query, GTask *task)
{
  const int xyz[3] = { (int) query->x, (int) query->y, query->slice };
  GError *error = NULL;
  float value;

  if (vg_work_probe (self->compute->work, (guint) query->output, xyz, &value, &error))
    g_task_return_pointer (task, g_memdup2 (&(double){ value }, sizeof (double)), g_free);
  else
    g_task_return_error (task, error);
}

static void
run_export (VgPipeline *self, const VgQuery *query, GTask *task)
{
  GError *error = NULL;
  guint n_maps = 0;

  /* an export that was cancelled too late is reported as done */
  g_task_set_check_cancellable (task, FALSE);
  if (vg_pipeline_export (self, query, g_task_get_cancellable (task), &n_maps, &error))
    g_task_return_pointer (task, g_memdup2 (&n_maps, sizeof n_maps), g_free);
  else
    g_task_return_error (task, error);
}

void
vg_pipeline_answer_query (VgPipeline *self, GTask *task)
{
  const VgQuery *query = g_task_get_task_data (task);

  if (query->kind != VG_QUERY_EXPORT && g_task_return_error_if_cancelled (task))
    ;
  else if (query->kind == VG_QUERY_CHECKPOINTS)
    run_checkpoint (self, task);
  else if (!self->compute->work || !vg_work_is_ready (self->compute->work))
    g_task_return_new_error (task, VG_USAGE_ERROR, 0, "%s",
                             self->compute->work ? "there is no result yet" : "nothing is open");
  else if (query->kind == VG_QUERY_EXPORT)
    run_export (self, query, task);
  else if (query->kind == VG_QUERY_REFERENCE)
    run_reference (self, task);
  else if (query->kind == VG_QUERY_PLOT_PLANE)
    run_plane (self, query, task);
  else if (query->kind == VG_QUERY_TEXT)
    run_text (self, query, task);
  else if (query->kind == VG_QUERY_VALUE)
    run_probe (self, query, task);
  else
    run_curves (self, query, task);
  g_object_unref (task);
}

/* A moved slider shows its map before a query, which may take longer, is answered; a few changes of
 * the settings may come first, not all.  A query that saves is answered with the settings of its
 * request. */
static gboolean
map_comes_first (VgPipeline *self)
{
  gboolean first_step = self->compute->one_step && self->compute->stepping && !self->cancelled &&
                        vg_work_is_ready (self->compute->work);

  return self->input && self->wanted.operation == self->operation &&
         self->queries.changes_first < MOST_CHANGES_FIRST &&
         (vg_pipeline_has_params (self) ? !vg_query_queue_saves (&self->queries, self->serial)
                                        : first_step);
}

GTask *
vg_pipeline_next_query (VgPipeline *self)
{
  return map_comes_first (self) ? NULL : vg_query_queue_pop (&self->queries);
}

void
vg_pipeline_query_async (VgPipeline *self, const VgQuery *query, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);

  g_mutex_lock (&self->lock);
  if (self->thread)
    {
      vg_query_queue_push (&self->queries, g_object_ref (task), query, self->wanted.serial);
      g_cond_signal (&self->wake);
    }
  else
    g_task_return_new_error (task, VG_USAGE_ERROR, 0, "nothing is open");
  g_mutex_unlock (&self->lock);
}

gpointer
vg_pipeline_query_finish (VgPipeline *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
