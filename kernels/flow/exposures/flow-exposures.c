/* SPDX-License-Identifier: MIT */
#include "kernels/flow/exposures/flow-exposures.h"
#include "kernels/tables/vg-table.h"
#include "kernels/base/vg-error.h"
#include <string.h>

struct _VgFlowExposures
{
  int n, threads;
  gsize pixels;
  float *means; /* a plane of mean K^2 for each exposure */
  int counts[VG_FLOW_MOST_EXPOSURES];
};

static int
count_exposures (const VgFlowParams *params)
{
  return params->exposures != NULL ? MIN (params->exposures->rows, VG_FLOW_MOST_EXPOSURES) : 0;
}

void
vg_flow_exposures_fit (const VgFlowParams *params, VgFlowExposureFit *fit)
{
  double low = HUGE_VAL, high = 0.0, mixed;

  memset (fit, 0, sizeof *fit);
  fit->model = params->model == VG_FLOW_GAUSSIAN ? VG_FLOW_GAUSSIAN : VG_FLOW_LORENTZIAN;
  fit->n = count_exposures (params);
  for (int i = 0; i < fit->n; i++)
    {
      fit->ms[i] = params->exposures->values[i];
      low = MIN (low, fit->ms[i]);
      high = MAX (high, fit->ms[i]);
    }
  mixed = fit->model == VG_FLOW_GAUSSIAN ? G_SQRT2 / 2.0 : 0.5;
  for (int t = 0; t < VG_FLOW_GRID_TAU; t++)
    {
      fit->tau_ms[t] = low / 30.0 * pow (900.0 * high / low, t / (VG_FLOW_GRID_TAU - 1.0));
      for (int g = 0; g < VG_FLOW_GRID_RHO; g++)
        for (int i = 0; i < fit->n; i++)
          {
            double rho = vg_flow_grid_rho (g), x = fit->ms[i] / fit->tau_ms[t];

            fit->shape[(t * VG_FLOW_GRID_RHO + g) * VG_FLOW_MOST_EXPOSURES + i] = (float) log (
                rho * rho * vg_flow_decay (fit->model, x) +
                2 * rho * (1 - rho) * vg_flow_decay (fit->model, mixed * x) +
                (1 - rho) * (1 - rho));
          }
    }
}

int
vg_flow_exposures_number (const VgFlowParams *params, gint64 index)
{
  int n = count_exposures (params), number = n > 0 ? (int) (index % n) : 0;

  return number < 0 ? number + n : number;
}

float
vg_flow_exposures_share (const VgFlowParams *params, int *counts, int number)
{
  counts[number] = MIN (counts[number] + 1, MAX (params->cycles, 1));
  return 1.0f / (float) counts[number];
}

gsize
vg_flow_exposures_bytes (const VgFlowParams *params, const VgImageInfo *info)
{
  gsize pixels = (gsize) MAX (info->width, 0) * (gsize) MAX (info->height, 0);

  return (gsize) count_exposures (params) * pixels * sizeof (float);
}

VgFlowExposures *
vg_flow_exposures_new (const VgFlowParams *params, const VgImageInfo *info, int threads,
                       GError **error)
{
  VgFlowExposures *self = g_new0 (VgFlowExposures, 1);

  self->n = count_exposures (params);
  self->threads = threads;
  self->pixels = (gsize) info->width * (gsize) info->height;
  self->means = g_try_malloc_n (self->pixels, (gsize) self->n * sizeof (float));
  if (self->means == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "%d exposures of %dx%d need %.1f MB of memory; use fewer, or a smaller image",
                   self->n, info->width, info->height,
                   (double) vg_flow_exposures_bytes (params, info) / 1e6);
      vg_flow_exposures_free (self);
      return NULL;
    }
  vg_flow_exposures_restart (self);
  return self;
}

void
vg_flow_exposures_free (VgFlowExposures *self)
{
  if (self == NULL)
    return;
  g_free (self->means);
  g_free (self);
}

void
vg_flow_exposures_restart (VgFlowExposures *self)
{
  memset (self->counts, 0, sizeof self->counts);
  for (gsize i = 0; i < self->pixels * (gsize) self->n; i++)
    self->means[i] = VG_FLOW_NAN;
}

void
vg_flow_exposures_add (VgFlowExposures *self, const VgFlowParams *params, const float *contrast,
                       gint64 index)
{
  int number = vg_flow_exposures_number (params, index);
  float share = vg_flow_exposures_share (params, self->counts, number);
  float *mean = self->means + (gsize) number * self->pixels;

#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    mean[i] = vg_flow_exposure_mean (mean[i], contrast[i], share);
}

void
vg_flow_exposures_map (const VgFlowExposures *self, const VgFlowParams *params,
                       VgFlowFitValue which, float *map)
{
  g_autofree VgFlowExposureFit *fit = g_new (VgFlowExposureFit, 1);

  vg_flow_exposures_fit (params, fit);
#pragma omp parallel for num_threads(self->threads) schedule(dynamic, 256)
  for (gsize i = 0; i < self->pixels; i++)
    {
      float k2[VG_FLOW_MOST_EXPOSURES];

      for (int k = 0; k < self->n; k++)
        k2[k] = self->means[(gsize) k * self->pixels + i];
      map[i] = vg_flow_exposure_value (fit, k2, which);
    }
}
