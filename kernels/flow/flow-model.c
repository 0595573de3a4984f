/* SPDX-License-Identifier: MIT */
#include "flow-model.h"
/* The inversion of the contrast models (docs/flow.md): for every entry of the
 * table the model is solved for x by bisection in log x, to double precision. */

double
vg_flow_model_solve (int model, double y, double rho)
{
  double low = -20.0, high = 20.0;   /* ln x */

  for (int i = 0; i < 60; i++)
    {
      double middle = 0.5 * (low + high);

      if (vg_flow_model_k2 (model, exp (middle), rho) > y)
        low = middle;
      else
        high = middle;
    }
  return exp (0.5 * (low + high));
}

/* x (1 - w)... h = x u / w at u = (i / SIZE)^2, and its limits at both ends. */
static void
fill_row (float *row,
          int    model,
          double rho)
{
  double r = 1.0 - rho;

  for (int i = 0; i <= VG_FLOW_TABLE_SIZE; i++)
    {
      /* The ends are limits; a point very near is the limit to 1e-7. */
      double root = CLAMP (i / (double) VG_FLOW_TABLE_SIZE, 1e-4, 1.0 - 1e-7);
      double u = root * root;
      double x = vg_flow_model_solve (model, r * r + u * (1.0 - r * r), rho);
      double w = model == VG_FLOW_GAUSSIAN ? sqrt (1.0 - u) : 1.0 - u;

      row[i] = (float) (x * u / w);
    }
}

void
vg_flow_inversion_refresh (VgFlowInversion    *inversion,
                           const VgFlowParams *params)
{
  double rho = params->static_scattering == VG_FLOW_STATIC_GLOBAL ? params->dynamic_fraction : 1.0;
  double r = 1.0 - rho;

  inversion->model = params->model;
  inversion->inverse_beta = (float) (1.0 / params->beta);
  inversion->floor = (float) (r * r);
  inversion->stretch = (float) (1.0 / (1.0 - r * r));
  inversion->exposure_ms = params->exposure_ms;
  inversion->asymptote = (float) vg_flow_asymptote (params->model, rho);
}

gboolean
vg_flow_inversion_same_table (const VgFlowParams *a,
                              const VgFlowParams *b)
{
  if (a->model != b->model || a->static_scattering != b->static_scattering)
    return FALSE;
  return a->static_scattering != VG_FLOW_STATIC_GLOBAL || a->dynamic_fraction == b->dynamic_fraction;
}

void
vg_flow_inversion_build (VgFlowInversion    *inversion,
                         float              *table,
                         const VgFlowParams *params)
{
  double rho = params->static_scattering == VG_FLOW_STATIC_GLOBAL ? params->dynamic_fraction : 1.0;

  vg_flow_inversion_refresh (inversion, params);
  if (params->model <= VG_FLOW_BANDYOPADHYAY)
    return;
  if (params->static_scattering != VG_FLOW_STATIC_MEASURED)
    {
      fill_row (table, params->model, rho);
      return;
    }
#pragma omp parallel for schedule(dynamic)
  for (int j = 0; j <= VG_FLOW_TABLE_RHO; j++)
    fill_row (table + (gsize) j * VG_FLOW_TABLE_FLOATS, params->model, MAX (j / (double) VG_FLOW_TABLE_RHO, 1e-4));
}
