/* SPDX-License-Identifier: MIT */
/* What a work has computed (planes in host memory, noise, metrics, outlines, curves, texts and
 * single values), and the getters of its state and its device. */
#include <math.h>
#include <string.h>
#include "app/compute/vg-work-private.h"
#include "app/session/vg-display.h"
#include "kernels/base/vg-memory.h"

gboolean
vg_work_copy_to_host (VgWork *self, VgPlane *plane, float **owned, GError **error)
{
  if (plane->place == VG_HOST)
    return TRUE;
  *owned = g_try_new (float, (gsize) plane->width * plane->height * MAX (plane->slices, 1));
  if (*owned == NULL)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                 "there is not enough memory for a copy of a map of %d x %d x %d pixels; close "
                 "other programs",
                 plane->width, plane->height, MAX (plane->slices, 1));
  if (*owned == NULL || !vg_work_get_cuda (self)->download (plane, *owned, error))
    return FALSE;
  plane->data = *owned;
  plane->place = VG_HOST;
  return TRUE;
}

gboolean
vg_work_copy_plane (VgWork *self, const VgPlane *plane, float *values, GError **error)
{
  gsize n = (gsize) plane->width * plane->height * MAX (plane->slices, 1);
  GError *local = NULL;

  if (plane->place == VG_HOST)
    memcpy (values, plane->data, n * sizeof (float));
  else if (!self->cuda->download (plane, values, &local))
    {
      vg_work_recover (self, local, error);
      return FALSE;
    }
  return TRUE;
}

gboolean
vg_work_read_output (VgWork *self, guint i, VgPlane *plane, float **values, gsize *capacity,
                     GError **error)
{
  GError *local = NULL;
  gsize n;

  if (!vg_work_output (self, i, plane, &local))
    {
      if (local != NULL)
        vg_work_recover (self, local, error);
      return FALSE;
    }
  n = (gsize) plane->width * plane->height * MAX (plane->slices, 1);
  if (n > *capacity)
    {
      g_autofree char *what = g_strdup_printf ("a copy of output %s",
                                               self->operation->outputs[i].id);
      float *grown;

      if (!vg_memory_check ((n - *capacity) * sizeof (float), what, error))
        return FALSE;
      grown = g_try_realloc_n (*values, n, sizeof (float));
      if (grown == NULL)
        {
          g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                       "there is not enough memory for a copy of output %s, %d x %d x %d",
                       self->operation->outputs[i].id, plane->width, plane->height, plane->slices);
          return FALSE;
        }
      *values = grown;
      *capacity = n;
    }
  if (!vg_work_copy_plane (self, plane, *values, error))
    return FALSE;
  plane->place = VG_HOST;
  plane->data = *values;
  plane->stream = NULL;
  return TRUE;
}

gboolean
vg_work_find_beside (VgWork *self, VgRole role, guint i, const VgPlane *plane, VgPlane *beside,
                     GError **error)
{
  int found = vg_operation_find_role (self->operation, role, self->operation->outputs[i].id);

  return found >= 0 && vg_work_output (self, (guint) found, beside, error) &&
         beside->width == plane->width && beside->height == plane->height &&
         beside->slices == plane->slices;
}

gboolean
vg_work_measure_region (VgWork *self, guint i, const VgPlane *plane, VgFollowedRegions *regions,
                        guint r, VgRegionStatistics *statistics, GError **error)
{
  const VgCuda *cuda = vg_work_get_cuda (self);
  GError *local = NULL;
  VgPlane numerator;

  if (!vg_followed_regions_compute (regions, r, plane, cuda, self->moment + i, statistics, error))
    return FALSE;
  if (vg_work_find_beside (self, VG_ROLE_NUMERATOR, i, plane, &numerator, &local))
    return vg_followed_regions_set_ratio (regions, r, plane, &numerator, cuda, statistics, error);
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

gboolean
vg_work_find_noise (VgWork *self, guint i, const VgPlane *plane, double *noise, GError **error)
{
  g_autofree float *values = NULL, *errors = NULL;
  VgPlane shown = *plane, deviation;

  if (vg_operation_find_relative_error (self->operation, i) < 0 ||
      !vg_work_find_beside (self, VG_ROLE_ERROR, i, plane, &deviation, error) ||
      !vg_work_copy_to_host (self, &deviation, &errors, error) ||
      !vg_work_copy_to_host (self, &shown, &values, error))
    return FALSE;
  *noise = vg_display_get_noise (&shown, &deviation);
  return TRUE;
}

gboolean
vg_work_check (VgWork *self, GError **error)
{
  g_autoptr (VgMetrics) metrics = vg_work_results (self, error);

  if (metrics == NULL)
    return FALSE;
  for (guint i = 0; i < metrics->items->len; i++)
    {
      const VgMetric *metric = &g_array_index (metrics->items, VgMetric, i);

      if (!(metric->flags & VG_NUMBER_EMPTY) || metric->advice == NULL)
        continue;
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, metric->advice);
      return FALSE;
    }
  return TRUE;
}

guint
vg_work_get_generation (VgWork *self)
{
  return self->generation;
}

gboolean
vg_work_is_ready (VgWork *self)
{
  return self->state != NULL;
}

gboolean
vg_work_is_paced (VgWork *self)
{
  const VgOperation *operation = self->operation;

  return self->state != NULL && operation->view.step_param != NULL &&
         vg_param_get_number (vg_params_find (&operation->params, operation->view.step_param),
                              self->params) > 0;
}

const void *
vg_work_get_params (VgWork *self)
{
  return self->params;
}

const VgImage *
vg_work_get_file (VgWork *self, const char *id)
{
  guint n;
  const VgInputFile *files = vg_file_cache_get (self->files, &n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (files[i].param_id, id))
      return files[i].image;
  return NULL;
}

const VgImage *
vg_work_get_image (VgWork *self)
{
  return self->image;
}

const VgImageInfo *
vg_work_get_info (VgWork *self)
{
  return self->has_info ? &self->info : NULL;
}

const VgOperation *
vg_work_get_operation (VgWork *self)
{
  return self->operation;
}

int
vg_work_get_history (VgWork *self)
{
  return self->params != NULL ? vg_operation_get_history (self->operation, self->params) : 0;
}

VgBackend
vg_work_get_backend (VgWork *self)
{
  return self->gpu != NULL && self->engine == self->gpu ? VG_BACKEND_CUDA : VG_BACKEND_CPU;
}

const VgCuda *
vg_work_get_cuda (VgWork *self)
{
  return vg_work_get_backend (self) == VG_BACKEND_CUDA ? self->cuda : NULL;
}

const char *
vg_work_get_device (VgWork *self)
{
  return vg_work_get_backend (self) == VG_BACKEND_CUDA ? self->gpu_name : self->cpu_name;
}

char *
vg_work_take_notice (VgWork *self)
{
  return g_steal_pointer (&self->notice);
}

double
vg_work_progress (VgWork *self)
{
  return self->state == NULL || self->engine->progress == NULL
             ? -1
             : self->engine->progress (self->state);
}

VgMetrics *
vg_work_results (VgWork *self, GError **error)
{
  VgMetrics *metrics = vg_metrics_new ();

  if (self->state != NULL && self->engine->results != NULL &&
      !self->engine->results (self->state, metrics, error))
    g_clear_pointer (&metrics, vg_metrics_free);
  return metrics;
}

void
vg_work_set_checkpoint (VgWork *self, GBytes *checkpoint)
{
  g_clear_pointer (&self->checkpoint, g_bytes_unref);
  self->checkpoint = checkpoint == NULL ? NULL : g_bytes_ref (checkpoint);
}

GBytes *
vg_work_checkpoint (VgWork *self)
{
  const VgEngineResume *resume = self->engine->resume;

  return self->state == NULL || resume == NULL || resume->checkpoint == NULL
             ? NULL
             : resume->checkpoint (self->state);
}

VgOverlay *
vg_work_overlay (VgWork *self, guint output)
{
  return self->state == NULL || !vg_operation_has_overlay (self->operation)
             ? NULL
             : self->operation->plane->overlay (self->params, vg_work_get_info (self), output);
}

gboolean
vg_work_outlines (VgWork *self, VgOutlines *outlines, GError **error)
{
  GError *local = NULL;

  if (self->state == NULL || self->engine->objects == NULL ||
      !self->engine->objects->outlines (self->state, outlines, &local))
    outlines->n = 0;
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

gboolean
vg_work_probe (VgWork *self, guint i, const int xyz[3], float *value, GError **error)
{
  GError *local = NULL;
  VgPlane plane;

  if (i >= self->operation->n_outputs || !vg_work_output (self, i, &plane, &local) || xyz[0] < 0 ||
      xyz[1] < 0 || xyz[2] < 0 || xyz[0] >= plane.width || xyz[1] >= plane.height ||
      xyz[2] >= MAX (plane.slices, 1))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      else
        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                     "there is no value at %d, %d", xyz[0], xyz[1]);
      return FALSE;
    }
  if (plane.place != VG_HOST)
    return self->cuda->probe (&plane, xyz, 1, value, error);
  *value =
      plane.data[((gsize) xyz[2] * (gsize) plane.height + (gsize) xyz[1]) * (gsize) plane.width +
                 (gsize) xyz[0]];
  return TRUE;
}

/* The maps that have the input's size at one of its samples; NULL: there are none, or an error. */
static float *
values_at (VgWork *self, const int xyz[3], GError **error)
{
  const VgOperation *operation = self->operation;
  g_autofree float *values = g_new (float, operation->n_outputs);
  gboolean any = FALSE;

  for (guint i = 0; i < operation->n_outputs; i++)
    {
      GError *local = NULL;
      VgPlane plane;

      values[i] = NAN;
      if (operation->outputs[i].view_only || !self->has_info)
        continue;
      if (vg_work_output (self, i, &plane, &local) && plane.width == self->info.width &&
          plane.height == self->info.height && xyz[0] >= 0 && xyz[1] >= 0 && xyz[2] >= 0 &&
          xyz[0] < plane.width && xyz[1] < plane.height && xyz[2] < MAX (plane.slices, 1))
        any |= vg_work_probe (self, i, xyz, &values[i], &local);
      if (local != NULL)
        {
          g_propagate_error (error, local);
          return NULL;
        }
    }
  return any ? g_steal_pointer (&values) : NULL;
}

gboolean
vg_work_add_values (VgWork *self, VgCurves *curves, double x, double y, int slice, GError **error)
{
  GError *local = NULL;

  if (curves->outputs == NULL)
    curves->outputs = values_at (self, (const int[]){ (int) floor (x), (int) floor (y), slice },
                                 &local);
  if (local != NULL)
    g_propagate_error (error, local);
  if (curves->outputs == NULL)
    return local == NULL;
  if (curves->metrics == NULL)
    curves->metrics = vg_metrics_new ();
  vg_operation_add_outputs (self->operation, self->params, curves->outputs, curves->metrics);
  return TRUE;
}

/* No member is set without a state. */
static VgEngineCurves
get_curves (VgWork *self)
{
  return self->state != NULL && self->engine->curves != NULL ? *self->engine->curves
                                                             : (VgEngineCurves){ 0 };
}

VgImage *
vg_work_get_series (VgWork *self)
{
  const VgEngineCurves curves = get_curves (self);
  VgImage *corrected = curves.corrected != NULL ? curves.corrected (self->state) : NULL;

  return corrected != NULL ? corrected : self->image;
}

VgCurves *
vg_work_sample (VgWork *self, double x, double y, int slice, GError **error)
{
  const VgEngineCurves curves = get_curves (self);

  return curves.sample != NULL ? curves.sample (self->state, x, y, slice, error) : NULL;
}

VgCurves *
vg_work_sample_region (VgWork *self, const VgRegion *region, GError **error)
{
  const VgEngineCurves curves = get_curves (self);

  return curves.sample_region != NULL ? curves.sample_region (self->state, region, error) : NULL;
}

VgCurves *
vg_work_sample_regions (VgWork *self, const VgRegion *const *regions, guint n, GError **error)
{
  const VgEngineCurves curves = get_curves (self);

  return curves.sample_regions != NULL ? curves.sample_regions (self->state, regions, n, error)
                                       : NULL;
}

VgCurves *
vg_work_plot (VgWork *self, guint plot, GError **error)
{
  const VgEngineCurves curves = get_curves (self);

  g_return_val_if_fail (plot < self->operation->n_plots, NULL);

  return curves.plot != NULL ? curves.plot (self->state, plot, error) : NULL;
}

gboolean
vg_work_compared (VgWork *self, VgOutlines *outlines, GError **error)
{
  const VgEngineCurves curves = get_curves (self);
  GError *local = NULL;

  if (curves.compared == NULL || !curves.compared (self->state, outlines, &local))
    outlines->n = 0;
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

char *
vg_work_text (VgWork *self, guint i, char **file_name, GError **error)
{
  char *text;

  g_return_val_if_fail (self->state != NULL && self->engine->text != NULL, NULL);
  *file_name = NULL;
  text = self->engine->text (self->state, i, file_name, error);
  if (text != NULL && *file_name == NULL)
    *file_name = g_strdup (self->operation->outputs[i].id);
  return text;
}
