/* SPDX-License-Identifier: MIT */
/* The answers to queries, which the compute thread gives between two steps. */
#include <math.h>
#include "app/region/vg-found-region.h"
#include "app/region/vg-region-settings.h"
#include "app/reading/vg-reading.h"
#include "app/reading/vg-region-sums.h"
#include "app/export/vg-export.h"
#include "app/export/vg-run-command.h"
#include "app/pipeline/vg-compute.h"
#include "app/profile/vg-line-profile.h"
#include "app/scatter/vg-map-pair.h"
#include "io/source/vg-frame-account.h"
#include "kernels/base/vg-error.h"

enum { MOST_CHANGES_FIRST = 8 }; /* changes of settings that are applied before a query */

/* The regions of a query that count as one, owned and borrowed from it; *N: their number. */
static const VgRegion **
list_parts (const VgQuery *query, guint *n)
{
  const VgRegion **parts;

  for (*n = 0; query->regions != NULL && query->regions[*n] != NULL;)
    ++*n;
  parts = g_new (const VgRegion *, *n + 1);
  for (guint i = 0; i < *n; i++)
    parts[i] = &query->regions[i]->region;
  return parts;
}

static VgCurves *
make_region_curves (VgWork *work, const VgQuery *query, GError **error)
{
  guint n;
  g_autofree const VgRegion **parts = list_parts (query, &n);
  VgCurves *curves = n > 1 ? vg_work_sample_regions (work, parts, n, error) : NULL;

  return curves != NULL || *error != NULL ? curves
                                          : vg_work_sample_region (work, query->region, error);
}

static VgReading *
make_region_reading (VgWork *work, const VgQuery *query, GError **error)
{
  guint n;
  g_autofree const VgRegion **parts = list_parts (query, &n);
  VgReading *reading = n > 1 ? vg_reading_new_regions (work, (guint) query->output, parts, n, error)
                             : NULL;

  return reading != NULL || *error != NULL
             ? reading
             : vg_reading_new_region (work, (guint) query->output, query->region, error);
}

static VgReference *
make_reference (VgWork *work, const VgQuery *query, GError **error)
{
  g_autoptr (VgReference) reference = vg_reference_new (work, error);

  return reference != NULL && vg_region_sums_keep (reference, work, query->regions, error)
             ? g_steal_pointer (&reference)
             : NULL;
}

static GArray *
list_fitted (VgPipeline *self, const VgQuery *query, GError **error)
{
  const VgReference *reference = self->compute->publisher.reference;

  if (query->output >= 0 && (guint) query->output < self->operation->n_outputs)
    return vg_region_sums_list (
        self->compute->work, (guint) query->output, query->regions,
        reference != NULL && vg_reference_get_operation (reference) == self->operation ? reference
                                                                                       : NULL,
        error);
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                       "there is no such map yet; wait for the first result");
  return NULL;
}

static VgCurves *
make_curves (VgPipeline *self, const VgQuery *query, GError **error)
{
  const VgReference *reference = self->compute->publisher.reference;
  VgWork *work = self->compute->work;
  gboolean pixel = query->kind == VG_QUERY_PIXEL_CURVES;
  g_autoptr (VgCurves) curves = NULL;

  if (pixel)
    curves = vg_work_sample (work, query->x, query->y, query->slice, error);
  else if (query->kind == VG_QUERY_REGION_CURVES)
    curves = make_region_curves (work, query, error);
  else if (query->plot < self->operation->n_plots)
    curves = vg_work_plot (work, query->plot, error);
  if (!curves && *error == NULL)
    g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                         query->kind == VG_QUERY_PLOT ? "Nothing to plot yet."
                                                      : "Nothing to plot at this position.");
  if (!curves || ((pixel || curves->outputs) &&
                  !vg_work_add_values (work, curves, pixel ? query->x : NAN, pixel ? query->y : NAN,
                                       pixel ? query->slice : 0, error)))
    return NULL;
  if (query->kind == VG_QUERY_PLOT && reference &&
      vg_reference_get_operation (reference) == self->operation)
    vg_reference_add_curves (reference, query->plot, curves);
  return g_steal_pointer (&curves);
}

static VgPlotPlane *
make_plane (VgPipeline *self, const VgQuery *query, GError **error)
{
  VgFollowedRegions *followed = self->compute->publisher.followed;
  guint n = vg_followed_regions_n (followed);
  g_autofree VgRegion *regions = g_new (VgRegion, n + 1);
  VgPlotPlane *plane = NULL;

  for (guint i = 0; i < n; i++)
    regions[i] = *vg_followed_regions_get (followed, i);
  if (query->plot < self->operation->n_plots && self->operation->plots[query->plot].plane)
    plane = vg_plot_plane_new (self->compute->work, query->plot, query->x, query->y, query->slice,
                               regions, n, error);
  if (!plane && *error == NULL)
    g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                         "Nothing to plot yet.");
  return plane;
}

static char *
make_text (VgPipeline *self, const VgQuery *query, GError **error)
{
  g_autofree char *name = NULL;
  char *text = NULL;

  if (query->output >= 0 && (guint) query->output < self->operation->n_outputs &&
      self->operation->outputs[query->output].kind == VG_OUTPUT_TEXT)
    text = vg_work_text (self->compute->work, (guint) query->output, &name, error);
  if (!text && *error == NULL)
    g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                         "there is no such text yet");
  return text;
}

static double *
read_value (VgPipeline *self, const VgQuery *query, GError **error)
{
  const int xyz[3] = { (int) query->x, (int) query->y, query->slice };
  float value;

  return vg_work_probe (self->compute->work, (guint) query->output, xyz, &value, error)
             ? g_memdup2 (&(double){ value }, sizeof (double))
             : NULL;
}

static VgMapPair *
read_pair (VgPipeline *self, const VgQuery *query, GError **error)
{
  int n = (int) self->operation->n_outputs;

  if (query->output >= 0 && query->output < n && query->other_output >= 0 &&
      query->other_output < n)
    return vg_map_pair_read (self->compute->work, (guint) query->output,
                             (guint) query->other_output, query->slice, error);
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                       "there is no such map yet; wait for the first result");
  return NULL;
}

/* Exports the present maps with the writer of `run`, so that both write the same files. */
static guint *
export_maps (VgPipeline *self, const VgQuery *query, GCancellable *cancellable, GError **error)
{
  const VgPublisher *publisher = &self->compute->publisher;
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) own_regions = NULL;
  g_autofree const VgNamedRegion **regions = NULL;
  VgExportInfo info = { .cancellable = cancellable,
                        .replace = query->replace,
                        .notes = notes,
                        .options = query->options,
                        .marks = query->options != NULL ? query->options->marks : NULL,
                        .frame = g_queue_peek_tail (&self->compute->recent),
                        .preview_output = publisher->output,
                        .reference = publisher->reference,
                        .underlay = publisher->underlay };
  g_auto (GStrv) inputs = NULL;
  g_autofree char *caution = NULL, *read_options = NULL, *command = NULL, *details = NULL;
  VgSyntheticSize size;
  VgMeasured compute;
  VgDisplay display;
  VgLiveStatus status = { 0 };
  gboolean is_live;
  guint n_maps = 0;

  if (query->regions != NULL)
    {
      regions = vg_region_settings_join (self->compute->work, query->regions, NULL, &own_regions,
                                         notes, error);
      if (regions == NULL)
        return NULL;
      info.regions = regions;
    }
  for (guint i = 0; query->notes != NULL && i < query->notes->len; i++)
    g_ptr_array_add (notes, g_strdup (query->notes->pdata[i]));
  g_mutex_lock (&self->lock);
  is_live = self->input->queue.live;
  info.inputs = (const char *const *) (inputs = g_strdupv (self->input->inputs));
  info.caution = caution = g_strdup (self->input->caution);
  info.read_options = read_options = g_strdup (self->input->read_options);
  info.details = details = g_strdup (self->input->details);
  vg_input_account (self->input, &status);
  if (vg_operation_cycles_exposures (self->operation, vg_work_get_params (self->compute->work)))
    status.exposures = 0;
  vg_account_warn (&self->input->info, &status, notes);
  info.live = is_live && status.received > 0 ? &status : NULL;
  compute = self->mailbox.compute_ms;
  display = self->wanted.display;
  info.display = self->wanted.has_display ? &display : NULL;
  info.as_stored = self->wanted.as_stored;
  if (!inputs[0] && self->operation->synthetic)
    {
      size = self->operation->synthetic->live;
      vg_source_choose_sample (self->operation, self->input->read_options, &size, NULL);
      info.synthetic = &size;
    }
  g_mutex_unlock (&self->lock);
  info.seconds = vg_measured_quantile (&compute, 0.5) * 1e-3;
  info.command = command = vg_run_command_finish (
      query->command, vg_work_get_backend (self->compute->work),
      info.frame != NULL && !is_live ? info.frame->index + 1 : 0);
  return vg_export_current (query->folder, self->compute->work, &info, &n_maps, error)
             ? g_memdup2 (&n_maps, sizeof n_maps)
             : NULL;
}

/* The next task resets `stop`. */
static GPtrArray *
find_regions (VgPipeline *self, const VgQuery *query, GCancellable *cancellable, GError **error)
{
  const VgParamTable *table = &self->operation->params;
  void *params = vg_found_regions_forget (table, vg_work_get_params (self->compute->work),
                                          query->regions);
  gulong handler = cancellable != NULL
                       ? g_cancellable_connect (cancellable, G_CALLBACK (vg_work_raise_stop),
                                                &self->stop, NULL)
                       : 0;
  GPtrArray *findings = vg_work_find (self->compute->work, params, NULL, error);

  g_cancellable_disconnect (cancellable, handler);
  vg_params_free (table, params);
  return findings;
}

/* The answer, owned, which *DESTROY frees; NULL and an error. */
static gpointer
answer (VgPipeline *self, const VgQuery *query, GCancellable *cancellable, GDestroyNotify *destroy,
        GError **error)
{
  *destroy = g_free;
  if (query->kind == VG_QUERY_CHECKPOINTS)
    {
      *destroy = (GDestroyNotify) g_hash_table_unref;
      return vg_pipeline_collect_checkpoints (self, error);
    }
  if (!self->compute->work || !vg_work_is_ready (self->compute->work))
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "%s",
                   self->compute->work ? "there is no result yet" : "nothing is open");
      return NULL;
    }
  if ((query->kind == VG_QUERY_EXPORT || query->kind == VG_QUERY_REFERENCE) &&
      vg_work_is_mixed (self->compute->work))
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                           "there is no map of this moment, because its frames are from before and "
                           "after a lost connection or a changed exposure time; try again a little "
                           "later, or go to a later frame");
      return NULL;
    }
  switch (query->kind)
    {
    case VG_QUERY_EXPORT:
      return export_maps (self, query, cancellable, error);
    case VG_QUERY_TEXT:
      return make_text (self, query, error);
    case VG_QUERY_VALUE:
      return read_value (self, query, error);
    case VG_QUERY_READING:
      *destroy = (GDestroyNotify) vg_reading_free;
      return query->region != NULL
                 ? make_region_reading (self->compute->work, query, error)
                 : vg_reading_new_pixel (self->compute->work, (guint) query->output, query->x,
                                         query->y, query->slice, error);
    case VG_QUERY_FITTED:
      *destroy = (GDestroyNotify) g_array_unref;
      return list_fitted (self, query, error);
    case VG_QUERY_MAP_PAIR:
      *destroy = (GDestroyNotify) vg_map_pair_unref;
      return read_pair (self, query, error);
    case VG_QUERY_PROFILE:
      *destroy = (GDestroyNotify) vg_curves_free;
      return vg_line_profile_read (self->compute->work, (guint) query->output, &query->line, error);
    case VG_QUERY_FINDINGS:
      *destroy = (GDestroyNotify) g_ptr_array_unref;
      return find_regions (self, query, cancellable, error);
    case VG_QUERY_REFERENCE:
      *destroy = (GDestroyNotify) vg_reference_unref;
      return make_reference (self->compute->work, query, error);
    case VG_QUERY_PLOT_PLANE:
      *destroy = (GDestroyNotify) vg_plot_plane_free;
      return make_plane (self, query, error);
    case VG_QUERY_PIXEL_CURVES:
    case VG_QUERY_REGION_CURVES:
    case VG_QUERY_PLOT:
    case VG_QUERY_CHECKPOINTS:
      break;
    }
  *destroy = (GDestroyNotify) vg_curves_free;
  return make_curves (self, query, error);
}

/* After a query that failed with ERROR, or NULL: a GPU that has failed gives no later answer
 * either, so the map is computed again on another device, if the user lets it.  Some queries move
 * the work there themselves. */
static void
leave_failed_gpu (VgPipeline *self, const GError *error)
{
  VgWork *work = self->compute->work;
  g_autoptr (GError) failure = NULL;

  if (work == NULL || !vg_work_is_ready (work))
    return;
  if (vg_work_get_generation (work) != self->compute->generation)
    vg_pipeline_recompute (self, VG_WORK_PREPARED);
  else if (error == NULL || error->domain != VG_GPU_ERROR || error->code == VG_GPU_ERROR_MEMORY)
    return;
  else if (vg_work_recover (work, g_error_copy (error), &failure))
    vg_pipeline_recompute (self, VG_WORK_PREPARED);
  else if (!vg_work_is_ready (work))
    vg_pipeline_fail (self, failure);
}

void
vg_pipeline_answer_query (VgPipeline *self, GTask *task)
{
  const VgQuery *query = g_task_get_task_data (task);
  GDestroyNotify destroy;
  GError *error = NULL;
  gpointer result;

  /* an export that was cancelled too late is reported as done */
  if (query->kind == VG_QUERY_EXPORT)
    g_task_set_check_cancellable (task, FALSE);
  if (query->kind == VG_QUERY_EXPORT || !g_task_return_error_if_cancelled (task))
    {
      result = answer (self, query, g_task_get_cancellable (task), &destroy, &error);
      leave_failed_gpu (self, error);
      if (result)
        g_task_return_pointer (task, result, destroy);
      else
        g_task_return_error (task, error);
    }
  g_object_unref (task);
}

gboolean
vg_pipeline_owes_map (VgPipeline *self)
{
  return self->compute->one_step && self->compute->stepping && !self->cancelled &&
         vg_work_is_ready (self->compute->work);
}

/* A moved slider shows its map before a query, which may take longer, is answered; a few changes of
 * the settings may come first, not all.  A query that saves is answered with the settings of its
 * request. */
static gboolean
map_comes_first (VgPipeline *self)
{
  return self->input && self->wanted.operation == self->operation &&
         self->queries.changes_first < MOST_CHANGES_FIRST &&
         (vg_pipeline_owes_map (self) || vg_pipeline_may_change (self));
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
      vg_query_queue_push (&self->queries, g_object_ref (task), query, self->wanted.serial,
                           self->wanted.operation,
                           vg_pipeline_has_params (self) ? self->wanted.params : NULL);
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
