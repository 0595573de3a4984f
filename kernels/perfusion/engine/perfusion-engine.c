/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/fit/perfusion-summary.h"
#include "kernels/perfusion/engine/perfusion-solve.h"
#include "kernels/perfusion/engine/perfusion-state.h"
#include "kernels/base/vg-memory.h"
#include <omp.h>
#include <string.h>
/* The functions of the CPU engine: batches of voxels until all are fitted. */

static void
state_free (gpointer data)
{
  VgPerfusionState *self = data;

  if (self == NULL)
    return;
  vg_perfusion_study_free (self->study);
  g_free (self->order);
  g_free (self->values);
  g_free (self->signal);
  g_free (self->derived);
  g_free (self);
}

/* A fitted voxel has at least one iteration.  Nothing else is written for other voxels, so that
 * their memory is not allocated. */
static gboolean
is_fitted (const VgPerfusionState *self, gsize voxel)
{
  return self->values[VG_PERFUSION_FIT_ITERATIONS * self->study->voxels + voxel] > 0;
}

/* Leaves this rank's batches of voxels in `order`, every so many, because fits take longer in some
 * regions than in others. */
static void
keep_part (VgPerfusionState *self)
{
  gsize all = self->n_order, kept = 0;

  for (gsize i = 0; i < all; i++)
    if ((int) (i / VG_PERFUSION_LANES % (gsize) self->ranks->size) == self->ranks->rank)
      self->order[kept++] = self->order[i];
  self->n_order = kept;
  if (self->ranks->rank > 0)
    self->counts[VG_PERFUSION_OUTSIDE] = 0;
}

/* Brings the parts of all ranks together.  What a rank has not fitted is 0 there. */
static void
merge_parts (VgPerfusionState *self)
{
  guint64 counts[VG_PERFUSION_N_COUNTS];

  for (int i = 0; i < VG_PERFUSION_N_COUNTS; i++)
    counts[i] = self->counts[i];
  self->ranks->sum (counts, VG_PERFUSION_N_COUNTS);
  for (int i = 0; i < VG_PERFUSION_N_COUNTS; i++)
    self->counts[i] = (gsize) counts[i];
  self->ranks->merge ((guint32 *) (void *) self->values,
                      self->study->voxels * VG_PERFUSION_FIT_VALUES);
  self->ranks->merge ((guint32 *) (void *) self->signal, self->study->voxels);
  self->ranks = NULL;
}

/* Starts again from the first voxel.  The values of a NEW state are 0. */
static void
restart (VgPerfusionState *self, gboolean new)
{
  gsize n = self->study->voxels;

  G_STATIC_ASSERT (VG_PERFUSION_FIT_ITERATIONS == VG_PERFUSION_FIT_STATUS + 1);
  if (!new)
    memset (self->values + n * VG_PERFUSION_FIT_STATUS, 0, 2 * n * sizeof (float));
  for (int i = 0; i < VG_PERFUSION_N_COUNTS; i++)
    self->counts[i] = 0;
  self->n_order = 0;
  for (gsize i = 0; i < n; i++)
    if (self->study->mask == NULL || self->study->mask[i])
      self->order[self->n_order++] = (guint32) i;
  self->counts[VG_PERFUSION_OUTSIDE] = n - self->n_order;
  if (self->ranks != NULL)
    keep_part (self);
  self->next = 0;
  self->seconds = 0;
  self->whole_signal = FALSE;
}

/* The mean signal of voxels outside the mask, which no fit has read. */
static void
complete_signal (VgPerfusionState *self)
{
  const VgPerfusionStudy *study = self->study;

  if (study->mask == NULL || self->whole_signal)
    return;
#pragma omp parallel num_threads(study->threads)
  {
    g_autofree double *curve = g_new (double, study->n);

#pragma omp for
    for (gsize k = 0; k < study->voxels; k++)
      if (!study->mask[k])
        vg_perfusion_study_read (study, k, curve, 1, &self->signal[k]);
  }
  self->whole_signal = TRUE;
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  VgPerfusionState *self;
  VgPerfusionStudy *study;
  gsize host, device;

  /* first, because the study has a part of it: the tables of deconvolution */
  vg_perfusion_memory (context->params, context->info, &host, &device);
  if (!vg_memory_check (host, "the maps", error))
    return NULL;
  study = vg_perfusion_study_new (context, error);
  if (study == NULL)
    return NULL;
  self = g_new0 (VgPerfusionState, 1);
  self->study = study;
  self->order = g_try_new (guint32, study->voxels);
  self->values = g_try_new0 (float, study->voxels *VG_PERFUSION_FIT_VALUES);
  self->signal = g_try_new0 (float, study->voxels);
  self->derived = g_try_new (float, study->voxels);
  if (self->order == NULL || self->values == NULL || self->signal == NULL || self->derived == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for maps of %" G_GSIZE_FORMAT
                   " voxels; crop the series",
                   study->voxels);
      state_free (self);
      return NULL;
    }
  self->ranks = context->ranks;
  restart (self, TRUE);
  return self;
}

static gboolean
update (gpointer data, const void *params)
{
  VgPerfusionState *self = data;

  if (vg_perfusion_study_set_units (self->study, params))
    return TRUE;
  if (!vg_perfusion_study_update (self->study, params, NULL))
    return FALSE;
  restart (self, FALSE);
  return TRUE;
}

/* Fits the voxels [START, END) of `order`, at most VG_PERFUSION_LANES. */
static void
fit_some (VgPerfusionState *self, gsize start, gsize end, double *curves, double *scratch,
          double *values, gsize *counts)
{
  const VgPerfusionStudy *study = self->study;
  VgPerfusionStatus status[VG_PERFUSION_LANES];
  gsize voxel[VG_PERFUSION_LANES];
  int count = 0;

  for (gsize i = start; i < end; i++)
    {
      voxel[count] = self->order[i];
      status[count] = vg_perfusion_study_read (study, voxel[count], curves + count,
                                               VG_PERFUSION_LANES, &self->signal[voxel[count]]);
      if (status[count] == VG_PERFUSION_FITTED)
        count++;
      else
        {
          self->values[VG_PERFUSION_FIT_STATUS * study->voxels + voxel[count]] = (float)
              status[count];
          counts[status[count]]++;
        }
    }
  if (count == 0)
    return;
  for (int l = count; l < VG_PERFUSION_LANES; l++)
    for (int i = 0; i < study->n; i++)
      curves[i * VG_PERFUSION_LANES + l] = 0;
  vg_perfusion_solve (study, curves, count, scratch, values);
  for (int l = 0; l < count; l++)
    {
      for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
        self->values[(gsize) i * study->voxels + voxel[l]] = (float)
            values[i * VG_PERFUSION_LANES + l];
      self->values[(gsize) VG_PERFUSION_FIT_ITERATIONS * study->voxels + voxel[l]] = (float) MAX (
          values[VG_PERFUSION_FIT_ITERATIONS * VG_PERFUSION_LANES + l], 1);
      counts[(int) values[VG_PERFUSION_FIT_STATUS * VG_PERFUSION_LANES + l]]++;
      counts[VG_PERFUSION_COUNT_UNKNOWN] += vg_perfusion_is_unknown (
          self->values + voxel[l], study->voxels, VG_PERFUSION_FIT_EXCHANGE);
    }
}

/* Fits BATCHES batches from `next` on. */
static void
fit_batches (VgPerfusionState *self, gsize batches)
{
  gsize n_curves = (gsize) self->study->n * VG_PERFUSION_LANES,
        n_scratch = vg_perfusion_solve_scratch (self->study);
  gsize left = (self->n_order - self->next + VG_PERFUSION_LANES - 1) / VG_PERFUSION_LANES;

  batches = MIN (batches, left);
#pragma omp parallel num_threads(self->study->threads)
  {
    g_autofree double *memory = g_new (double, n_curves + n_scratch +
                                                   VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES);
    gsize counts[VG_PERFUSION_N_COUNTS] = { 0 };

#pragma omp for schedule(dynamic)
    for (gsize b = 0; b < batches; b++)
      {
        gsize start = self->next + b * VG_PERFUSION_LANES;

        fit_some (self, start, MIN (start + VG_PERFUSION_LANES, self->n_order), memory,
                  memory + n_curves, memory + n_curves + n_scratch, counts);
      }
#pragma omp critical
    for (int i = 0; i < VG_PERFUSION_N_COUNTS; i++)
      self->counts[i] += counts[i];
  }
  self->next = MIN (self->next + batches * VG_PERFUSION_LANES, self->n_order);
}

static VgStep
step (gpointer data, double budget_s, GError **error)
{
  VgPerfusionState *self = data;
  double start = omp_get_wtime (), spent = 0;
  gsize batches = (gsize) self->study->threads;

  (void) error;
  while (self->next < self->n_order)
    {
      double before = spent;

      fit_batches (self, batches);
      spent = omp_get_wtime () - start;
      if (spent >= budget_s)
        break;
      /* Use up to half of the remaining time for the next batches. */
      if (spent - before < (budget_s - spent) / 4)
        batches *= 2;
      else if (spent - before > (budget_s - spent) / 2)
        batches = MAX (batches / 2, (gsize) self->study->threads);
    }
  self->seconds += spent;
  if (self->next == self->n_order && self->ranks != NULL)
    merge_parts (self);
  return self->next < self->n_order ? VG_STEP_MORE : VG_STEP_DONE;
}

/* Sets the map of OUTPUT, which is computed from the curves, for voxels that have been looked at.
 */
static void
summarise (VgPerfusionState *self, int output)
{
  const VgPerfusionStudy *study = self->study;
  const float *status = self->values + VG_PERFUSION_FIT_STATUS * study->voxels;
  g_autofree float *times = g_new (float, study->n), *weights = g_new (float, study->n);
  VgPerfusionFrames frames = { times, weights, study->n,
                               vg_perfusion_onset (study->weights, study->signal.baseline_last) };

  for (int i = 0; i < study->n; i++)
    {
      times[i] = (float) study->times_s[i];
      weights[i] = (float) study->weights[i];
    }
#pragma omp parallel num_threads(study->threads)
  {
    g_autofree double *curve = g_new (double, study->n);
    g_autofree float *samples = g_new (float, study->n);
    float mean;

#pragma omp for
    for (gsize k = 0; k < study->voxels; k++)
      {
        self->derived[k] = (float) NAN;
        if (status[k] == VG_PERFUSION_OUTSIDE || status[k] == VG_PERFUSION_INVALID)
          continue;
        vg_perfusion_study_read (study, k, curve, 1, &mean);
        for (int i = 0; i < study->n; i++)
          samples[i] = (float) curve[i];
        self->derived[k] = vg_perfusion_summary (&frames, samples, 1, output);
      }
  }
}

static gboolean
output (gpointer data, guint i, VgPlane *plane, GError **error)
{
  VgPerfusionState *self = data;
  const VgPerfusionStudy *study = self->study;
  const VgImageInfo *info = &study->image->info;
  float factor = vg_perfusion_output_factor ((int) i, study->params->rate_unit,
                                             study->params->density);
  float limit = study->paper != NULL ? HUGE_VALF
                                     : vg_perfusion_delay_error_limit (study->params->delay_min_s,
                                                                       study->params->delay_max_s);
  const float *values = self->values, *own;
  gboolean on_host = vg_perfusion_host_plane (study, (int) i, &own);

  if (i >= VG_PERFUSION_OUTPUT_INPUTS || (on_host && own == NULL))
    return FALSE;
  *plane = (VgPlane){ .place = VG_HOST,
                      .data = self->derived,
                      .width = info->width,
                      .height = info->height,
                      .slices = (int) info->slices };
  plane->pixel_size[0] = info->pixel_size[0];
  plane->pixel_size[1] = info->pixel_size[1];
  memcpy (plane->unit, info->pixel_unit, sizeof plane->unit);
  if (on_host)
    plane->data = own;
  else if (i == VG_PERFUSION_OUTPUT_SIGNAL)
    {
      complete_signal (self);
      plane->data = self->signal;
    }
  else if (i == VG_PERFUSION_OUTPUT_STATUS)
    {
#pragma omp parallel for num_threads(self->study->threads)
      for (gsize k = 0; k < study->voxels; k++)
        self->derived[k] = vg_perfusion_derived (values + k, study->voxels, (int) i,
                                                 study->params->model, study->problem->dual, limit);
    }
  else if (vg_perfusion_is_summary ((int) i))
    summarise (self, (int) i);
  else
    {
#pragma omp parallel for num_threads(self->study->threads)
      for (gsize k = 0; k < study->voxels; k++)
        self->derived[k] = is_fitted (self, k)
                               ? factor * vg_perfusion_derived (values + k, study->voxels, (int) i,
                                                                study->params->model,
                                                                study->problem->dual, limit)
                           : i >= VG_PERFUSION_OUTPUT_BOUND || i == VG_PERFUSION_OUTPUT_MODEL ? 0
                                                                                              : NAN;
    }
  return TRUE;
}

static double
progress (gpointer data)
{
  const VgPerfusionState *self = data;

  return self->n_order > 0 ? (double) self->next / (double) self->n_order : 1;
}

static gboolean
results (gpointer data, VgMetrics *metrics, GError **error)
{
  const VgPerfusionState *self = data;

  vg_perfusion_report (metrics, self->study, self->counts, self->seconds);
  return TRUE;
}

static VgCurves *
sample (gpointer data, double x, double y, int slice, GError **error)
{
  const VgPerfusionState *self = data;
  gssize voxel = vg_perfusion_voxel_at (self->study, x, y, slice);
  double values[VG_PERFUSION_FIT_VALUES];

  if (voxel < 0)
    return NULL;
  for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
    values[i] = is_fitted (self, (gsize) voxel) || i >= VG_PERFUSION_FIT_STATUS
                    ? self->values[(gsize) i * self->study->voxels + (gsize) voxel]
                    : NAN;
  return vg_perfusion_plot_voxel (self->study, x, y, slice, values);
}

static const VgEngineCurves curves = { .sample = sample,
                                       .sample_region = vg_perfusion_state_region,
                                       .sample_regions = vg_perfusion_state_regions,
                                       .plot = vg_perfusion_state_plot,
                                       .corrected = vg_perfusion_state_corrected };

const VgEngine vg_perfusion_cpu_engine = {
  .prepare = prepare,
  .update = update,
  .step = step,
  .output = output,
  .progress = progress,
  .results = results,
  .text = vg_perfusion_state_text,
  .free = state_free,
  .curves = &curves,
};
