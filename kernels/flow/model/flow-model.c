/* SPDX-License-Identifier: MIT */
#include "kernels/flow/model/flow-model.h"
#include <float.h>
#include <string.h>
/* Inversion of the contrast models (docs/flow.md).  For each entry of the table the model is
 * solved for x by false position in log x, to double precision. */

/* The logit of K^2 scaled to 0..1, which is nearly linear in log x.  FLOOR: K^2 of fast flow. */
static double
scaled_logit (double k2, double floor)
{
  double u = CLAMP ((k2 - floor) / (1.0 - floor), DBL_MIN, 1.0 - DBL_EPSILON / 2);

  return log (u / (1.0 - u));
}

double
vg_flow_model_solve (int model, double y, double rho)
{
  double floor = (1.0 - rho) * (1.0 - rho), goal = scaled_logit (y, floor);
  double low = -20.0, high = 20.0, middle = low, before = high; /* ln x */
  double above = scaled_logit (vg_flow_model_k2 (model, exp (low), rho), floor) - goal;
  double below = scaled_logit (vg_flow_model_k2 (model, exp (high), rho), floor) - goal;

  if (!(above > 0.0) || !(below < 0.0))
    return exp (above > 0.0 ? high : low);
  for (int i = 0, side = 0; i < 60 && fabs (middle - before) > 1e-14; i++)
    {
      double f;

      before = middle;
      middle = low + (high - low) * above / (above - below);
      f = scaled_logit (vg_flow_model_k2 (model, exp (middle), rho), floor) - goal;
      /* an end that stays for a second time counts half (Illinois), else it would stay for long */
      if (f > 0.0)
        {
          low = middle;
          above = f;
          below *= side > 0 ? 0.5 : 1.0;
          side = 1;
        }
      else
        {
          high = middle;
          below = f;
          above *= side < 0 ? 0.5 : 1.0;
          side = -1;
        }
    }
  return exp (middle);
}

/* Fills ROW with h = x u / w at u = (i / VG_FLOW_TABLE_SIZE)^2. */
static void
fill_row (float *row, int model, double rho)
{
  double r = 1.0 - rho;

  for (int i = 0; i <= VG_FLOW_TABLE_SIZE; i++)
    {
      /* h is a limit at both ends; a point near them has the same value within 1e-7. */
      double root = CLAMP (i / (double) VG_FLOW_TABLE_SIZE, 1e-4, 1.0 - 1e-7);
      double u = root * root;
      double x = vg_flow_model_solve (model, r * r + u * (1.0 - r * r), rho);
      double w = model == VG_FLOW_GAUSSIAN ? sqrt (1.0 - u) : 1.0 - u;

      row[i] = (float) (x * u / w);
    }
}

void
vg_flow_inversion_refresh (VgFlowInversion *inversion, const VgFlowParams *params)
{
  double rho = params->static_scattering == VG_FLOW_STATIC_GLOBAL ? params->dynamic_fraction : 1.0;
  double r = 1.0 - rho;

  inversion->model = params->model;
  inversion->inverse_beta = 1.0 / params->beta;
  inversion->floor = r * r;
  inversion->stretch = 1.0 / (1.0 - r * r);
  inversion->exposure_ms = params->exposure_ms;
  inversion->asymptote = (float) vg_flow_asymptote (params->model, rho);
}

gboolean
vg_flow_inversion_same_table (const VgFlowParams *a, const VgFlowParams *b)
{
  if (a->model != b->model || a->static_scattering != b->static_scattering)
    return FALSE;
  return a->static_scattering != VG_FLOW_STATIC_GLOBAL ||
         a->dynamic_fraction == b->dynamic_fraction;
}

gsize
vg_flow_table_floats (const VgFlowParams *params)
{
  return params->static_scattering == VG_FLOW_STATIC_MEASURED ? VG_FLOW_RHO_TABLE_FLOATS
                                                              : VG_FLOW_TABLE_FLOATS;
}

/* Fills the only ROW of a table.  The last one is kept, as solving it takes longer than the maps of
 * a small image. */
static void
fill_only_row (float *row, int model, double rho)
{
  static GMutex lock;
  static float last[VG_FLOW_TABLE_FLOATS];
  static int last_model = -1;
  static double last_rho;

  g_mutex_lock (&lock);
  if (model != last_model || rho != last_rho)
    fill_row (last, model, rho);
  last_model = model;
  last_rho = rho;
  memcpy (row, last, sizeof last);
  g_mutex_unlock (&lock);
}

void
vg_flow_inversion_build (VgFlowInversion *inversion, float *table, const VgFlowParams *params)
{
  double rho = params->static_scattering == VG_FLOW_STATIC_GLOBAL ? params->dynamic_fraction : 1.0;

  vg_flow_inversion_refresh (inversion, params);
  if (params->model <= VG_FLOW_BANDYOPADHYAY)
    return;
  if (params->static_scattering != VG_FLOW_STATIC_MEASURED)
    {
      fill_only_row (table, params->model, rho);
      return;
    }
#pragma omp parallel for schedule(dynamic)
  for (int j = 0; j <= VG_FLOW_TABLE_RHO; j++)
    fill_row (table + (gsize) j * VG_FLOW_TABLE_FLOATS, params->model,
              MAX (j / (double) VG_FLOW_TABLE_RHO, 1e-4));
}

double
vg_flow_field_correlation (double distance, double speckle)
{
  double v = G_PI * distance / speckle;
  double mu = v > 1e-6 ? 2.0 * j1 (v) / v : 1.0;

  return mu * mu;
}

double
vg_flow_field_window_factor (int radius, int frames, double speckle)
{
  int side = 2 * radius + 1;
  double n = (double) side * side, sum = 0.0;

  for (int dy = -side + 1; dy < side; dy++)
    for (int dx = -side + 1; dx < side; dx++)
      sum += (side - ABS (dx)) * (side - ABS (dy)) *
             vg_flow_field_correlation (hypot (dx, dy), speckle);
  /* Frames are independent, so pixels of different frames do not correlate. */
  return n * frames / (n * frames - 1.0) * (1.0 - sum / (n * n * frames));
}

/* vg_flow_field_window_factor for the window of PARAMS and speckle SPECKLE_SIZE pixels wide at half
 * maximum; 1 if the size is unknown. */
static double
window_factor (const VgFlowParams *params, double speckle_size)
{
  /* vg_flow_field_correlation() is 1/2 at a distance of 0.51448 times the speckle argument. */
  const double width = 2.0 * 0.51448;
  int frames = params->method == VG_FLOW_SPATIAL ? 1 : params->frames;

  if (params->method == VG_FLOW_TEMPORAL || !(speckle_size > 0.0))
    return 1.0;
  return vg_flow_field_window_factor (params->radius, frames, speckle_size / width);
}

float
vg_flow_effective_beta (const VgFlowParams *params, double speckle_size)
{
  if (params->window_bias != VG_FLOW_WINDOW_CORRECT)
    return params->beta;
  return (float) (params->beta * window_factor (params, speckle_size));
}

/* tau / T at K^2 / beta = Y; NaN if no correlation time gives it. */
static double
solve_tau (const VgFlowParams *params, double y)
{
  double rho = params->static_scattering == VG_FLOW_STATIC_GLOBAL ? params->dynamic_fraction : 1.0,
         r = 1.0 - rho;

  if (!(y > r * r) || !(y < 1.0))
    return NAN;
  if (params->model <= VG_FLOW_BANDYOPADHYAY)
    return (y - r * r) / (vg_flow_asymptote (params->model, rho) * (1.0 - r * r));
  return 1.0 / vg_flow_model_solve (params->model, y, rho);
}

double
vg_flow_window_bias (const VgFlowParams *params, double k, double speckle_size)
{
  double factor = window_factor (params, speckle_size), y = k * k / params->beta;

  if (params->method == VG_FLOW_TEMPORAL || params->window_bias != VG_FLOW_WINDOW_KEEP)
    return 0.0;
  if (!(speckle_size > 0.0))
    return NAN;
  return solve_tau (params, y) / solve_tau (params, y / factor) - 1.0;
}
