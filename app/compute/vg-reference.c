/* SPDX-License-Identifier: MIT */
#include "app/compute/vg-reference.h"
#include <math.h>
#include <string.h>
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"

struct _VgReference
{
  gatomicrefcount ref_count;
  const VgOperation *operation;
  VgPlane *planes;     /* one per output, in host memory; data NULL: there was none */
  const char **units;  /* of their values */
  VgOutlines outlines; /* in host memory, owned; n 0: none */
  VgCurves **plots;    /* one per plot of curves; NULL: there were none */
  void *params;        /* it was computed with */
  VgMetrics *metrics;
  GPtrArray *sums;    /* of the regions; NULL: none */
  gsize bytes;        /* of planes and outlines */
  gboolean corrected; /* the frames, for motion */
};

static gsize
count_samples (const VgPlane *plane)
{
  return (gsize) plane->width * (gsize) plane->height * (gsize) MAX (plane->slices, 1);
}

/* FALSE: an error, or the GPU failed. */
static gboolean
keep_outlines (VgReference *self, VgWork *work, GError **error)
{
  VgOutlines outlines;
  float *values;

  if (!vg_work_outlines (work, &outlines, error))
    return FALSE;
  if (outlines.n == 0)
    return TRUE;
  values = g_try_new (float, (gsize) outlines.values.width);
  if (values == NULL)
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                           "there is not enough memory to keep the outlines");
      return FALSE;
    }
  if (outlines.values.place == VG_HOST)
    memcpy (values, outlines.values.data, (gsize) outlines.values.width * sizeof (float));
  else if (!vg_work_get_cuda (work)->download (&outlines.values, values, error))
    {
      g_free (values);
      return FALSE;
    }
  self->outlines = outlines;
  self->outlines.items = g_memdup2 (outlines.items, outlines.n * sizeof (VgOutline));
  self->outlines.values.place = VG_HOST;
  self->outlines.values.data = values;
  self->outlines.values.stream = NULL;
  return TRUE;
}

/* FALSE: there is not enough memory for copies of all planes. */
static gboolean
count_bytes (VgReference *self, VgWork *work, GError **error)
{
  GError *local = NULL;
  VgOutlines outlines;
  VgPlane plane;

  for (guint i = 0; i < self->operation->n_outputs && local == NULL; i++)
    if (vg_work_output (work, i, &plane, &local))
      self->bytes += count_samples (&plane) * sizeof (float);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (!vg_work_outlines (work, &outlines, error))
    return FALSE;
  self->bytes += (gsize) (outlines.n > 0 ? outlines.values.width : 0) * sizeof (float);
  return vg_memory_check (self->bytes, "the kept result", error);
}

VgReference *
vg_reference_new (VgWork *work, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  g_autoptr (VgReference) self = g_new0 (VgReference, 1);
  guint generation = vg_work_get_generation (work);
  GError *local = NULL;
  gboolean any = FALSE;

  g_atomic_ref_count_init (&self->ref_count);
  self->operation = operation;
  self->params = vg_params_copy (&operation->params, vg_work_get_params (work));
  self->planes = g_new0 (VgPlane, MAX (operation->n_outputs, 1));
  self->units = g_new0 (const char *, MAX (operation->n_outputs, 1));
  for (guint i = 0; i < operation->n_outputs; i++)
    self->units[i] = vg_operation_output_unit (operation, i, vg_work_get_params (work));
  if (!count_bytes (self, work, error))
    return NULL;
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      float *values = NULL;
      gsize capacity = 0;

      if (vg_work_read_output (work, i, &self->planes[i], &values, &capacity, &local))
        {
          any = TRUE;
          continue;
        }
      g_free (values);
      self->planes[i].data = NULL;
      if (local != NULL)
        break;
    }
  self->corrected = vg_work_get_series (work) != vg_work_get_image (work);
  self->plots = g_new0 (VgCurves *, MAX (operation->n_plots, 1));
  for (guint i = 0; any && local == NULL && i < operation->n_plots; i++)
    if (operation->plots[i].plane == NULL)
      self->plots[i] = vg_work_plot (work, i, &local);
  if (local == NULL && vg_work_get_generation (work) != generation)
    g_set_error_literal (&local, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                         "the GPU failed before all maps were copied; try again");
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  self->metrics = vg_work_results (work, error);
  if (self->metrics == NULL)
    return NULL;
  if (any)
    return keep_outlines (self, work, error) ? g_steal_pointer (&self) : NULL;
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                       "there is no map to keep yet");
  return NULL;
}

VgReference *
vg_reference_ref (VgReference *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
vg_reference_unref (VgReference *self)
{
  if (!self || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < self->operation->n_outputs; i++)
    g_free ((gpointer) self->planes[i].data);
  for (guint i = 0; self->plots != NULL && i < self->operation->n_plots; i++)
    vg_curves_free (self->plots[i]);
  g_free (self->plots);
  g_free (self->planes);
  g_free (self->units);
  g_free ((gpointer) self->outlines.items);
  g_free ((gpointer) self->outlines.values.data);
  vg_params_free (&self->operation->params, self->params);
  g_clear_pointer (&self->metrics, vg_metrics_free);
  g_clear_pointer (&self->sums, g_ptr_array_unref);
  g_free (self);
}

const VgMetrics *
vg_reference_get_metrics (const VgReference *self)
{
  return self->metrics;
}

const char *
vg_reference_get_unit (const VgReference *self, guint i)
{
  return self->units[i];
}

void
vg_reference_set_sums (VgReference *self, GPtrArray *sums)
{
  g_clear_pointer (&self->sums, g_ptr_array_unref);
  self->sums = sums;
}

const GPtrArray *
vg_reference_get_sums (const VgReference *self)
{
  return self->sums;
}

const VgOperation *
vg_reference_get_operation (const VgReference *self)
{
  return self->operation;
}

const VgOutlines *
vg_reference_get_outlines (const VgReference *self)
{
  return &self->outlines;
}

gboolean
vg_reference_is_corrected (const VgReference *self)
{
  return self->corrected;
}

gboolean
vg_reference_get_plane (const VgReference *self, guint i, VgPlane *plane)
{
  *plane = self->planes[i];
  return plane->data != NULL;
}

gsize
vg_reference_get_bytes (const VgReference *self)
{
  return self->bytes;
}

const void *
vg_reference_get_params (const VgReference *self)
{
  return self->params;
}

static void
release (gpointer self)
{
  vg_reference_unref (self);
}

static void
compute_statistics (const VgReference *self, VgResult *result, gboolean octaves)
{
  VgPlane volume = vg_display_get_volume (&result->plane),
          light = vg_display_get_volume (&result->brightness);
  VgStatistics brightness = { 0 };

  vg_statistics_compute (&result->statistics, &volume, 0, 0);
  if (octaves)
    vg_statistics_count_octaves (&result->statistics, &volume, 0, 0);
  result->statistics.most = result->plane.most;
  if (result->brightness.data == NULL)
    return;
  vg_statistics_compute (&brightness, &light, 0, 0);
  vg_display_get_brightness (&brightness, result->brightness_limits);
  vg_statistics_weigh (&result->statistics, &volume, &light, 0, result->brightness_limits, 0);
}

VgResult *
vg_reference_get_result (VgReference *self, guint i, VgResultPool *pool)
{
  int light = vg_operation_find_role (self->operation, VG_ROLE_BRIGHTNESS,
                                      self->operation->outputs[i].id);
  VgResult *result;

  if (self->planes[i].data == NULL)
    return NULL;
  result = vg_result_pool_lend (pool, &self->planes[i], vg_reference_ref (self), release);
  result->operation = self->operation;
  result->output = (int) i;
  if (light >= 0 && self->planes[light].data != NULL &&
      count_samples (&self->planes[light]) == count_samples (&result->plane))
    result->brightness = self->planes[light];
  result->outlines = self->outlines;
  result->outlines.items = g_memdup2 (self->outlines.items, self->outlines.n * sizeof (VgOutline));
  compute_statistics (self, result, self->operation->outputs[i].hints.log_scale);
  return result;
}

static gboolean
is_color_used (const VgCurves *curves, int color)
{
  for (guint i = 0; i < curves->series->len; i++)
    {
      const VgSeries *series = curves->series->pdata[i];

      if ((series->color > 0 ? series->color : (int) i + 1) == color)
        return TRUE;
    }
  return FALSE;
}

/* The lowest colour number, from 1, that no series of CURVES uses: the palette has few colours. */
static int
find_free_color (const VgCurves *curves)
{
  int color = 1;

  while (is_color_used (curves, color))
    color++;
  return color;
}

void
vg_reference_add_curves (const VgReference *self, guint i, VgCurves *curves)
{
  const VgCurves *old = i < self->operation->n_plots ? self->plots[i] : NULL;

  if (old == NULL || g_strcmp0 (old->x_label, curves->x_label) != 0 ||
      g_strcmp0 (old->x_unit, curves->x_unit) != 0 ||
      g_strcmp0 (old->y_label, curves->y_label) != 0 ||
      g_strcmp0 (old->y_unit, curves->y_unit) != 0)
    return;
  for (guint k = 0; k < old->series->len; k++)
    {
      const VgSeries *series = old->series->pdata[k];
      g_autofree char *name = g_strdup_printf ("Kept: %s",
                                               series->name != NULL ? series->name : "");
      int color = find_free_color (curves);
      VgSeries *copy;

      if (series->below || series->n == 0)
        continue;
      /* bars would hide the current ones, and noisy lines in one colour would differ only by their
       * dashes */
      copy = vg_curves_add (curves, name,
                            series->style == VG_SERIES_BARS ? VG_SERIES_POINTS : series->style,
                            series->n);
      copy->color = color;
      copy->rgb = series->rgb;
      copy->divisor = series->divisor;
      copy->reference = TRUE;
      memcpy (copy->x, series->x, sizeof (double) * (gsize) series->n);
      memcpy (copy->y, series->y, sizeof (double) * (gsize) series->n);
    }
}

static gboolean
is_near (const double a[2], const double b[2])
{
  for (int k = 0; k < 2; k++)
    if (fabs (a[k] - b[k]) > 1e-6 * fmax (fabs (a[k]), fabs (b[k])))
      return FALSE;
  return TRUE;
}

static char *
describe (const VgPlane *plane)
{
  g_autofree char *slices = plane->slices > 1 ? g_strdup_printf (" x %d", plane->slices)
                                              : g_strdup ("");

  if (plane->pixel_size[0] > 0)
    return g_strdup_printf ("%d x %d%s pixels of %.4g x %.4g %s", plane->width, plane->height,
                            slices, plane->pixel_size[0], plane->pixel_size[1], plane->unit);
  return g_strdup_printf ("%d x %d%s pixels", plane->width, plane->height, slices);
}

gboolean
vg_reference_fits (const VgReference *self, guint i, const VgPlane *plane, const char *unit,
                   GError **error)
{
  const VgPlane *reference = &self->planes[i];
  g_autofree char *old = NULL, *new = NULL;

  if (reference->data == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the kept result has no map %s; keep a result that has it, or show another map",
                   self->operation->outputs[i].label);
      return FALSE;
    }
  if (strcmp (self->units[i], unit) != 0)
    {
      g_set_error (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
          "the kept map is in %s, but this one in %s; choose the same unit, or keep this result",
          self->units[i], unit);
      return FALSE;
    }
  if (reference->width == plane->width && reference->height == plane->height &&
      MAX (reference->slices, 1) == MAX (plane->slices, 1) &&
      is_near (reference->pixel_size, plane->pixel_size) &&
      is_near (reference->origin, plane->origin) && strcmp (reference->unit, plane->unit) == 0 &&
      reference->mirrored == plane->mirrored)
    return TRUE;
  old = describe (reference);
  new = describe (plane);
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "the kept map has %s, but this one has %s; set the same grid, or keep this result",
               old, new);
  return FALSE;
}

void
vg_reference_compare (const VgReference *self, guint i, VgCompare mode, const VgPlane *plane,
                      float *values)
{
  const float *reference = self->planes[i].data;
  gsize n = count_samples (plane);

  if (mode == VG_COMPARE_KEPT)
    memcpy (values, reference, n * sizeof (float));
  else if (mode == VG_COMPARE_DIFFERENCE)
    {
#pragma omp parallel for simd schedule(static) if (n > 1 << 16)
      for (gsize k = 0; k < n; k++)
        values[k] -= reference[k];
    }
  else if (mode == VG_COMPARE_RATIO)
    {
#pragma omp parallel for simd schedule(static) if (n > 1 << 16)
      for (gsize k = 0; k < n; k++)
        values[k] = reference[k] != 0 ? values[k] / reference[k] : NAN;
    }
}

int
vg_reference_find_error (const VgReference *self, guint i)
{
  return vg_operation_find_relative_error (self->operation, i);
}

/* Errors that are not known anywhere (the work has only begun) say nothing. */
static void
hide_noise (const float *errors, gsize n, float *values)
{
  const float most = 30;
  gboolean known = FALSE;

  for (gsize k = 0; k < n && !known; k++)
    known = isfinite (errors[k]);
#pragma omp parallel for simd schedule(static) if (n > 1 << 16)
  for (gsize k = 0; k < n; k++)
    values[k] = !known || errors[k] <= most ? values[k] : NAN;
}

void
vg_reference_hide_noise (const VgReference *self, guint i, const VgPlane *plane,
                         const float *errors, float *values)
{
  int error = vg_reference_find_error (self, i);
  const VgPlane *reference = error >= 0 ? &self->planes[error] : NULL;

  if (reference == NULL)
    return;
  if (errors != NULL)
    hide_noise (errors, count_samples (plane), values);
  if (reference->data != NULL && count_samples (reference) == count_samples (plane))
    hide_noise (reference->data, count_samples (plane), values);
}

char *
vg_reference_differs (const VgReference *self, const void *params, const char *except)
{
  const VgParamTable *table = &self->operation->params;
  g_autoptr (GString) labels = g_string_new (NULL);

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      g_autofree char *reference = NULL, *now = NULL;

      if (param->kind == VG_PARAM_ACTION || g_strcmp0 (param->id, except) == 0)
        continue;
      reference = vg_param_format (param, self->params);
      now = vg_param_format (param, params);
      if (g_strcmp0 (reference, now) != 0)
        g_string_append_printf (labels, "%s%s", labels->len > 0 ? ", " : "", param->label);
    }
  return labels->len > 0 ? g_string_free (g_steal_pointer (&labels), FALSE) : NULL;
}
