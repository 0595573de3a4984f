/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/flow/model/flow-params.h"
#include "kernels/base/vg-scalar.h"
/* Formulas of speckle contrast, compiled by gcc and nvcc (docs/flow.md).
 *
 * With s = sum I and q = sum I^2 over the n samples of a window,
 *   D  = n q - s^2                       (an integer for integer data)
 *   K^2 = n D / ((n - 1) s^2) - noise    (squared contrast, unbiased variance)
 *   SFI = 1 / (2 T K^2)                  (Yang, Cuccia and Choi 2011, T in s)
 * D is the same for I and for I minus a constant, so the dark level is
 * subtracted from s alone.  The result is NaN where the mean is not positive,
 * where n is 1, and where the contrast is below that of the camera noise. */

#define VG_FLOW_NAN (__builtin_nanf (""))
/* Relative difference below which two doubles are taken as equal, as rounding explains it. */
#define VG_FLOW_TIE 1e-12

/* Camera noise.  It adds shot / mean + floor / mean^2 to K^2; all in DN. */
typedef struct
{
  double shot;  /* gain, DN per electron */
  double floor; /* read noise squared, DN^2; plus 1/12 for quantisation, if set */
} VgFlowNoise;

VG_SCALAR VgFlowNoise
vg_flow_noise (const VgFlowParams *params)
{
  VgFlowNoise noise;

  noise.shot = params->gain_dn_per_e;
  noise.floor = (double) params->read_noise_dn * params->read_noise_dn +
                (params->quantisation ? 1.0 / 12.0 : 0.0);
  return noise;
}

/* D from the sums S and Q of N samples.  The whole part of the mean is subtracted first: then
 * every product stays below 2^53 and D is exact for samples of up to 16 bits in windows of up to
 * 961 pixels x 256 frames, for which n q would need 68 bits. */
VG_SCALAR double
vg_flow_deviation (double n, double s, double q)
{
  double m = floor (s / n);
  double rest = s - n * m;
  double centred = q - m * (s + rest);
  double d = n * centred - rest * rest;

  return d > 0.0 ? d : 0.0;
}

/* K^2 of a window of N samples with the dark-subtracted sum S.  NaN if it equals the camera noise
 * within rounding: this happens with integer samples, and compilers round it differently. */
VG_SCALAR double
vg_flow_k2 (double n, double s, double d, VgFlowNoise noise)
{
  double k2, mean, noise_part;

  if (!(s > 0.0) || n < 2.0)
    return VG_FLOW_NAN;
  k2 = n * d / ((n - 1.0) * s * s);
  if (noise.shot > 0.0 || noise.floor > 0.0)
    {
      mean = s / n;
      noise_part = noise.shot / mean + noise.floor / (mean * mean);
      k2 -= noise_part;
      if (!(k2 > VG_FLOW_TIE * noise_part))
        return VG_FLOW_NAN;
    }
  return k2;
}

/* 1 / (2 T) in 1/s: the speckle flow index is this divided by K^2. */
VG_SCALAR double
vg_flow_index_scale (const VgFlowParams *params)
{
  return 500.0 / (double) params->exposure_ms;
}

VG_SCALAR float
vg_flow_index (double k2, double scale)
{
  return k2 > 0.0 ? (float) (scale / k2) : VG_FLOW_NAN;
}

/* What a map of contrast K adds to the sum of a baseline: 1 / K^2, which is the flow index without
 * its scale; 0: nothing, as the map has no value there. */
VG_SCALAR double
vg_flow_baseline_term (float k)
{
  double k2 = (double) k * k;

  return k2 > 0.0 ? 1.0 / k2 : 0.0;
}

/* Flow index at contrast K in % of that of the baseline, whose mean 1 / K^2 is BASELINE.  Noise
 * biases both alike, so that flow at rest is 100 %. */
VG_SCALAR float
vg_flow_relative (float k, float baseline)
{
  float k2 = k * k;

  return k2 > 0.0f && baseline > 0.0f ? 100.0f / (k2 * baseline) : VG_FLOW_NAN;
}

/* Flow INDEX in % of the way from ZERO to REFERENCE, all flow indices. */
VG_SCALAR float
vg_flow_perfusion (float index, float zero, float reference)
{
  return 100.0f * ((index - zero) / (reference - zero));
}

/* Static fraction 1 - rho from the covariance of successive frames a and b over a window of N
 * pixels or pairs of pixels: <ab> / (<a> <b>) - 1 = beta (1 - rho)^2.  0 if the covariance is not
 * positive, as noise around 0 is. */
VG_SCALAR float
vg_flow_static_fraction (double n, double sa, double sb, double sab, double beta)
{
  double c;

  if (!(sa > 0.0) || !(sb > 0.0) || n < 2.0)
    return VG_FLOW_NAN;
  c = (n * sab / (sa * sb) - 1.0) / beta;
  if (!(c > 0.0))
    return 0.0f;
  return c < 1.0 ? (float) sqrt (c) : 1.0f;
}

/* ---- Correlation time: K^2 / beta as a function of x = T / tau_c. ---- */

/* Intervals of the inversion table along sqrt (u), and along rho; it has one entry more. */
enum { VG_FLOW_TABLE_SIZE = 1024, VG_FLOW_TABLE_RHO = 64 };

/* Mean of |g1|^2 over the exposure time with triangular weight, for X = T / tau.  Below a = 0.02
 * a Taylor series avoids cancellation. */
VG_SCALAR double
vg_flow_decay (int model, double x)
{
  if (model == VG_FLOW_GAUSSIAN) /* g1 = exp (-(t/tau)^2) */
    {
      double a = 2.0 * x * x;

      if (a < 0.02)
        return 1.0 - a * (1.0 / 6.0 - a * (1.0 / 30.0 - a * (1.0 / 168.0 - a / 1080.0)));
      return (expm1 (-a) + sqrt (3.14159265358979323846 * a) * erf (sqrt (a))) / a;
    }
  else /* g1 = exp (-t/tau) */
    {
      double a = 2.0 * x;

      if (a < 0.02)
        return 1.0 - a * (1.0 / 3.0 - a * (1.0 / 12.0 - a * (1.0 / 60.0 - a / 360.0)));
      return 2.0 * (expm1 (-a) + a) / (a * a);
    }
}

/* K^2 / beta with a dynamic fraction RHO (Parthasarathy 2008): the dynamic term, the mixed term
 * of dynamic and static light, and the static term. */
VG_SCALAR double
vg_flow_model_k2 (int model, double x, double rho)
{
  double mixed = model == VG_FLOW_GAUSSIAN ? 0.70710678118654752440 : 0.5;
  double r = 1.0 - rho;

  return rho * rho * vg_flow_decay (model, x) + 2.0 * rho * r * vg_flow_decay (model, mixed * x) +
         r * r;
}

/* Conversion of K to the correlation time tau for given model, beta, rho and T.  y = K^2 / beta
 * lies between (1 - rho)^2 (fast flow) and 1 (slow flow); u is y scaled to 0..1.  For the exact
 * models tau = T u / (h w), where w = 1 - u (Gaussian: its square root) and h, a smooth function
 * of sqrt (u) near 1, comes from a table.  For the asymptotes tau = T u / h with a constant h. */
typedef struct
{
  int model;
  /* u = (K^2 inverse_beta - floor) stretch, in double against cancellation near the floor */
  double inverse_beta, floor, stretch;
  float exposure_ms;
  float asymptote; /* h of the asymptotes */
} VgFlowInversion;

/* Correlation time in ms at contrast K; NaN if no correlation time gives this contrast.  TABLE:
 * see vg_flow_inversion_build(). */
VG_SCALAR float
vg_flow_correlation_time (const VgFlowInversion *inversion, const float *table, float k)
{
  float u = (float) (((double) k * k * inversion->inverse_beta - inversion->floor) *
                     inversion->stretch);
  float h, w, p;
  int i;

  if (!(u > 0.0f) || !(u < 1.0f))
    return VG_FLOW_NAN;
  if (inversion->model <= VG_FLOW_BANDYOPADHYAY)
    return inversion->exposure_ms * u / inversion->asymptote;
  p = sqrtf (u) * (float) VG_FLOW_TABLE_SIZE;
  i = (int) p;
  if (i > VG_FLOW_TABLE_SIZE - 1)
    i = VG_FLOW_TABLE_SIZE - 1;
  p -= (float) i;
  h = table[i] + p * (table[i + 1] - table[i]);
  w = inversion->model == VG_FLOW_GAUSSIAN ? sqrtf (1.0f - u) : 1.0f - u;
  return inversion->exposure_ms * u / (h * w);
}

/* h of the asymptotes at dynamic fraction RHO, for which K^2 / beta - (1 - rho)^2 = c / x. */
VG_SCALAR double
vg_flow_asymptote (int model, double rho)
{
  double r = 1.0 - rho;
  double c = model == VG_FLOW_FERCHER_BRIERS ? 0.5 * rho * rho + 2.0 * rho * r
                                             : rho * rho + 4.0 * rho * r;

  return c / (1.0 - r * r);
}

/* The same at dynamic fraction RHO of the pixel.  TABLE has VG_FLOW_TABLE_RHO + 1 rows of
 * VG_FLOW_TABLE_SIZE + 1 entries, for rho from 0 (as a limit) to 1. */
VG_SCALAR float
vg_flow_correlation_time_rho (const VgFlowInversion *inversion, const float *table, float k,
                              float rho)
{
  double r = 1.0 - rho;
  float u, h, w, p, a, b, t;
  const float *row;
  int i, j;

  u = (float) (((double) k * k * inversion->inverse_beta - r * r) / (1.0 - r * r));
  if (!(rho > 0.0f) || !(u > 0.0f) || !(u < 1.0f))
    return VG_FLOW_NAN;
  if (inversion->model <= VG_FLOW_BANDYOPADHYAY)
    return inversion->exposure_ms * u / (float) vg_flow_asymptote (inversion->model, rho);
  t = rho * (float) VG_FLOW_TABLE_RHO;
  j = (int) t;
  if (j > VG_FLOW_TABLE_RHO - 1)
    j = VG_FLOW_TABLE_RHO - 1;
  t -= (float) j;
  p = sqrtf (u) * (float) VG_FLOW_TABLE_SIZE;
  i = (int) p;
  if (i > VG_FLOW_TABLE_SIZE - 1)
    i = VG_FLOW_TABLE_SIZE - 1;
  p -= (float) i;
  row = table + (size_t) j * (VG_FLOW_TABLE_SIZE + 1) + i;
  a = row[0] + p * (row[1] - row[0]);
  row += VG_FLOW_TABLE_SIZE + 1;
  b = row[0] + p * (row[1] - row[0]);
  h = a + t * (b - a);
  w = inversion->model == VG_FLOW_GAUSSIAN ? sqrtf (1.0f - u) : 1.0f - u;
  return inversion->exposure_ms * u / (h * w);
}

/* Converts contrast K from the exposure time of INVERSION to TO_MS, for the same flow.  The static
 * fraction is FIXED if PER_PIXEL, else that of INVERSION.  If no correlation time gives K, K is
 * returned: the scatterers are static or very fast, and the exposure time has no influence. */
VG_SCALAR float
vg_flow_contrast_at (const VgFlowInversion *inversion, const float *table, float k, int per_pixel,
                     float fixed, double to_ms)
{
  double floor = per_pixel ? (double) fixed * fixed : inversion->floor, y;
  float tau = per_pixel ? vg_flow_correlation_time_rho (inversion, table, k, 1.0f - fixed)
                        : vg_flow_correlation_time (inversion, table, k);

  if (!(tau > 0.0f))
    return k;
  if (inversion->model <= VG_FLOW_BANDYOPADHYAY)
    y = floor + ((double) k * k * inversion->inverse_beta - floor) * inversion->exposure_ms / to_ms;
  else
    y = vg_flow_model_k2 (inversion->model, to_ms / tau, 1.0 - sqrt (floor));
  return (float) sqrt (y / inversion->inverse_beta);
}
