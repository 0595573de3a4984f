/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/vessels/perfusion-vessels.h"
#include "kernels/base/vg-sort.h"
/* The enhancement of single voxels. */

enum { FEWEST_FRAMES = 8 };

gboolean
vg_perfusion_voxels_stopped (const VgPerfusionVoxels *self, GError **error)
{
  if (!vg_context_is_stopped (self->context))
    return FALSE;
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "cancelled");
  return TRUE;
}

static void
set_memory_error (gsize voxels, GError **error)
{
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "there is not enough memory to search %" G_GSIZE_FORMAT
               " voxels for vessels; close other programs",
               voxels);
}

gpointer
vg_perfusion_voxels_alloc (const VgPerfusionVoxels *self, gsize bytes, GError **error)
{
  gpointer block = g_try_malloc0 (bytes);

  if (block == NULL)
    set_memory_error (self->study->voxels, error);
  return block;
}

static double
sample (const VgPerfusionVoxels *self, gsize voxel, int i)
{
  return vg_image_sample (self->study->image,
                          (gsize) self->frames[i] * self->study->voxels + voxel);
}

gboolean
vg_perfusion_voxels_read (const VgPerfusionVoxels *self, gsize voxel, double *curve)
{
  if (!isfinite (self->base[voxel]))
    return FALSE;
  for (int i = 0; i < self->n; i++)
    curve[i] = sample (self, voxel, i) - (double) self->base[voxel];
  return TRUE;
}

double
vg_perfusion_curve_peak (const VgPerfusionVoxels *self, const double *curve, double *half_s)
{
  int peak = 0, i = 0;

  for (int k = 1; k < self->n; k++)
    if (curve[k] > curve[peak])
      peak = k;
  while (i < peak && curve[i] < curve[peak] / 2)
    i++;
  *half_s = self->times_s[i];
  if (i > 0 && curve[peak] > 0)
    *half_s -= (curve[i] - curve[peak] / 2) / (curve[i] - curve[i - 1]) *
               (self->times_s[i] - self->times_s[i - 1]);
  return curve[peak];
}

/* The range of a voxel's curve after a mean over three frames; NAN: not all samples are numbers. */
static float
range_of (const VgPerfusionVoxels *self, gsize voxel)
{
  double low = HUGE_VAL, high = -HUGE_VAL;

  for (int i = 1; i < self->n - 1; i++)
    {
      double mean = (sample (self, voxel, i - 1) + sample (self, voxel, i) +
                     sample (self, voxel, i + 1)) /
                    3;

      if (!isfinite (mean))
        return (float) NAN;
      low = MIN (low, mean);
      high = MAX (high, mean);
    }
  return (float) (high - low);
}

/* The range that only 2 % of the voxels exceed. */
static float
strong_range (const float *range, gsize n, float *sorted)
{
  gsize m = 0;

  for (gsize i = 0; i < n; i++)
    if (isfinite (range[i]))
      sorted[m++] = range[i];
  if (m == 0)
    return HUGE_VALF;
  vg_sort_floats (sorted, m);
  return sorted[m - 1 - m / 50];
}

/* The number of frames before the bolus: those before the mean curve of the voxels that change most
 * reaches a tenth of its peak, except the last of them, in which the rise may have begun. */
static int
find_before (const VgPerfusionVoxels *self, const float *range)
{
  float strong = strong_range (range, self->study->voxels, self->values);
  g_autofree double *mean = g_new0 (double, self->n);
  int peak = 0, at = 0;

  if (self->study->params->baseline_last > 0)
    {
      while (at < self->n && self->frames[at] < self->study->params->baseline_last)
        at++;
      return CLAMP (at, 1, self->n);
    }
  for (gsize voxel = 0; voxel < self->study->voxels; voxel++)
    for (int i = 0; i < self->n && range[voxel] >= strong; i++)
      mean[i] += sample (self, voxel, i);
  for (int i = 1; i < self->n; i++)
    if (mean[i] > mean[peak])
      peak = i;
  while (at < peak && mean[at] - mean[0] < 0.1 * (mean[peak] - mean[0]))
    at++;
  return MAX (at - 1, 1);
}

static void
describe (VgPerfusionVoxels *self, gsize voxel, double *curve, double *steps)
{
  double base = 0, half_s;

  for (int i = 0; i < self->before; i++)
    base += sample (self, voxel, i) / self->before;
  self->base[voxel] = (float) base;
  if (!vg_perfusion_voxels_read (self, voxel, curve))
    return;
  self->noise[voxel] = (float) vg_perfusion_noise (curve, self->n, steps);
  self->peak[voxel] = (float) vg_perfusion_curve_peak (self, curve, &half_s);
  self->half_s[voxel] = (float) half_s;
}

VgPerfusionVoxels *
vg_perfusion_voxels_new (const VgPerfusionStudy *study, const VgContext *context, GError **error)
{
  g_autoptr (VgPerfusionVoxels) self = g_new0 (VgPerfusionVoxels, 1);

  self->study = study;
  self->context = context;
  self->frames = g_new (int, study->n);
  self->times_s = g_new (double, study->n);
  for (int i = MAX (study->params->baseline_first - 1, 0); i < study->n; i++)
    if (study->weights[i] > 0)
      {
        self->frames[self->n] = i;
        self->times_s[self->n++] = study->times_s[i];
      }
  if (self->n < FEWEST_FRAMES)
    {
      g_set_error (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
          "the search for vessels needs at least %d frames from the first baseline frame on, but "
          "\"%s\" has %d; draw the regions",
          FEWEST_FRAMES, study->image->name, self->n);
      return NULL;
    }
  self->base = g_try_new (float, study->voxels);
  self->noise = g_try_new (float, study->voxels);
  self->peak = g_try_new (float, study->voxels);
  self->half_s = g_try_new (float, study->voxels);
  self->values = g_try_new (float, study->voxels);
  self->queue = g_try_new (gsize, study->voxels);
  if (self->base == NULL || self->noise == NULL || self->peak == NULL || self->half_s == NULL ||
      self->values == NULL || self->queue == NULL)
    {
      set_memory_error (study->voxels, error);
      return NULL;
    }
#pragma omp parallel for num_threads(study->threads)
  for (gsize i = 0; i < study->voxels; i++)
    self->base[i] = vg_context_is_stopped (context) ? (float) NAN : range_of (self, i);
  if (vg_perfusion_voxels_stopped (self, error))
    return NULL;
  self->before = find_before (self, self->base);
#pragma omp parallel num_threads(study->threads)
  {
    g_autofree double *curve = g_new (double, self->n), *steps = g_new (double, self->n);

#pragma omp for
    for (gsize i = 0; i < study->voxels; i++)
      if (isfinite (self->base[i]) && !vg_context_is_stopped (context))
        describe (self, i, curve, steps);
  }
  return vg_perfusion_voxels_stopped (self, error) ? NULL : g_steal_pointer (&self);
}

void
vg_perfusion_voxels_free (VgPerfusionVoxels *self)
{
  if (self == NULL)
    return;
  g_free (self->frames);
  g_free (self->times_s);
  g_free (self->base);
  g_free (self->noise);
  g_free (self->peak);
  g_free (self->half_s);
  g_free (self->values);
  g_free (self->queue);
  g_free (self);
}
