/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/model/lifetime-methods-formula.h"
/* Computes the values of outputs from a pixel's sums, for gcc and nvcc. */

/* Sum WHICH of pixel I, from planes N_PIXELS apart, less the background of PIXELS pixels. */
VG_SCALAR double
vg_lifetime_sum (const float *planes, size_t n_pixels, size_t i, int which,
                 const VgLifetimeFinish *finish, double pixels)
{
  return planes[(size_t) which * n_pixels + i] - finish->background * pixels * finish->ones[which];
}

/* Divides the phasor (u, v) by that of the IRF. */
VG_SCALAR void
vg_lifetime_calibrate (double u, double v, const VgLifetimeFinish *finish, double *g, double *s)
{
  double norm = finish->irf_g * finish->irf_g + finish->irf_s * finish->irf_s;

  *g = (u * finish->irf_g + v * finish->irf_s) / norm;
  *s = (v * finish->irf_g - u * finish->irf_s) / norm;
}

/* The calibrated phasor of pixel I. */
VG_SCALAR void
vg_lifetime_phasor (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish,
                    double pixels, double *g, double *s)
{
  double total = vg_lifetime_sum (planes, n, i, VG_LIFETIME_SUM_TOTAL, finish, pixels);
  double u = vg_lifetime_sum (planes, n, i, VG_LIFETIME_SUM_COS, finish, pixels) / total;
  double v = vg_lifetime_sum (planes, n, i, VG_LIFETIME_SUM_SIN, finish, pixels) / total;

  if (finish->phasor != NULL)
    {
      *g = finish->phasor[i];
      *s = finish->phasor[n + i];
      return;
    }
  vg_lifetime_calibrate (total > 0.0 ? u : (double) VG_LIFETIME_NAN, v, finish, g, s);
}

/* The last cursor that contains (g, s), 1-based, which is drawn on top; 0: none. */
VG_SCALAR int
vg_lifetime_cursor_at (double g, double s, const VgLifetimeParams *params)
{
  for (int i = params->n_cursors - 1; i >= 0; i--)
    {
      const VgLifetimeCursor *cursor = &params->cursor[i];
      double dg = g - cursor->g, ds = s - cursor->s;
      double a = dg * cursor->along[0] + ds * cursor->along[1],
             b = dg * cursor->across[0] + ds * cursor->across[1];

      if (a * a + b * b <= 1.0)
        return i + 1;
    }
  return 0;
}

/* The number of standard deviations by which a signal must differ from the noise of constant
 * light: one in 40 pixels of constant light passes.  A larger number would select pixels with few
 * photons by their lifetime and bias the mean. */
#define VG_LIFETIME_SIGMAS 2.0

/* Whether (g, s) is longer than the noise of constant light, whose two parts each have half of
 * the photons as variance. */
VG_SCALAR int
vg_lifetime_phasor_is_known (const float *planes, size_t n, size_t i,
                             const VgLifetimeFinish *finish, double pixels, double g, double s)
{
  double total = vg_lifetime_sum (planes, n, i, VG_LIFETIME_SUM_TOTAL, finish, pixels),
         counted = planes[VG_LIFETIME_SUM_TOTAL * n + i];
  double norm = finish->irf_g * finish->irf_g + finish->irf_s * finish->irf_s;

  return (g * g + s * s) * norm * total * total > VG_LIFETIME_SIGMAS * VG_LIFETIME_SIGMAS * counted;
}

#define VG_LIFETIME_SUM(which)                                                                     \
  vg_lifetime_sum (planes, n, i, VG_LIFETIME_SUM_##which, finish, pixels)

VG_SCALAR double
vg_lifetime_iem (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish,
                 double pixels)
{
  double first = VG_LIFETIME_SUM (IEM_FIRST) - VG_LIFETIME_SUM (TO_START),
         last = VG_LIFETIME_SUM (IEM_END) - VG_LIFETIME_SUM (IEM_LAST);
  double drop = first - last, x;

  if (!(drop > 0.0))
    return VG_LIFETIME_NAN;
  if (finish->params.iem_form == VG_LIFETIME_IEM_SIMPSON)
    return finish->iem_gate * finish->h * VG_LIFETIME_SUM (IEM) / drop;
  x = drop / (VG_LIFETIME_SUM (IEM_LAST) - VG_LIFETIME_SUM (TO_START));
  return x < 1.0 ? -finish->iem_gate * finish->h / log1p (-x) : (double) VG_LIFETIME_NAN;
}

VG_SCALAR double
vg_lifetime_rld (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish,
                 double pixels)
{
  double a = VG_LIFETIME_SUM (GATE_1), b = VG_LIFETIME_SUM (GATE_2), c = VG_LIFETIME_SUM (GATE_3);

  c -= b;
  b -= a;
  a -= VG_LIFETIME_SUM (TO_START);
  /* Differences of gates do not contain the background. */
  if (finish->params.rld_gates == VG_LIFETIME_RLD_THREE)
    {
      a -= b;
      b -= c;
    }
  return b > 0.0 && a > b ? finish->rld_gate * finish->h / log (a / b) : (double) VG_LIFETIME_NAN;
}

/* Whether the lifetimes are positive and finite and, of two, the first is shorter with a fraction
 * of 0 to 1.  A fraction between known lifetimes may exceed these limits, as its mean would be
 * biased otherwise. */
VG_SCALAR int
vg_lifetime_is_possible (const VgLifetimeValue *value, int method, const VgLifetimeParams *params)
{
  int bi = vg_lifetime_is_biexponential (method),
      known = params->fix_short && (params->fix_long || method == VG_LIFETIME_PHASOR_TWO);

  if (!(value->lifetime > 0.0) || !(value->lifetime < 1e6))
    return 0;
  if (bi && (!(value->lifetime_1 > 0.0) || !(value->lifetime_1 < value->lifetime_2)))
    return 0;
  return !bi || known || (value->fraction >= 0.0 && value->fraction <= 1.0);
}

/* Whether the RANGE photons come earlier than those of constant light by more than the noise.
 * With an IRF the window has no end.  The standard error of the remaining lifetimes is at most
 * 0.7 of the lifetime. */
VG_SCALAR int
vg_lifetime_falls (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish,
                   double pixels, double range)
{
  double bins = finish->bins - finish->origin, counted = planes[VG_LIFETIME_SUM_TO_END * n + i] -
                                                         planes[VG_LIFETIME_SUM_TO_START * n + i];
  double middle = finish->irf ? finish->origin + 0.5 * (bins - 1.0) : 0.5 * (bins - 1.0);
  double early = middle * range - VG_LIFETIME_SUM (TIME);

  return early > 0.0 && 12.0 * early * early >
                            VG_LIFETIME_SIGMAS * VG_LIFETIME_SIGMAS * counted * (bins * bins - 1.0);
}

/* The result of METHOD in the pixel; NaN if there is no decay.  With a constant METHOD the
 * compiler drops the others. */
VG_SCALAR VgLifetimeValue
vg_lifetime_solve_by (int method, const float *planes, size_t n, size_t i,
                      const VgLifetimeFinish *finish, double pixels)
{
  const VgLifetimeParams *params = &finish->params;
  double range = VG_LIFETIME_SUM (TO_END) - VG_LIFETIME_SUM (TO_START), g, s, m;
  VgLifetimeValue value = { 0 };
  int known = 0;

  switch (method)
    {
    case VG_LIFETIME_IEM:
      value.lifetime = vg_lifetime_iem (planes, n, i, finish, pixels);
      break;
    case VG_LIFETIME_RLD:
      value.lifetime = vg_lifetime_rld (planes, n, i, finish, pixels);
      break;
    case VG_LIFETIME_PHASOR:
      vg_lifetime_phasor (planes, n, i, finish, pixels, &g, &s);
      known = vg_lifetime_phasor_is_known (planes, n, i, finish, pixels, g, s);
      value.lifetime = params->phasor_form == VG_LIFETIME_BY_PHASE
                           ? vg_lifetime_by_phase (g, s, finish->omega, finish->h,
                                                   finish->calibrated)
                           : vg_lifetime_by_modulation (g, s, finish->omega, finish->h,
                                                        finish->calibrated);
      break;
    case VG_LIFETIME_PHASOR_TWO:
      vg_lifetime_phasor (planes, n, i, finish, pixels, &g, &s);
      known = vg_lifetime_phasor_is_known (planes, n, i, finish, pixels, g, s);
      value = vg_lifetime_phasor_bi (g, s, finish);
      break;
    case VG_LIFETIME_BCMM:
      {
        double sums[3] = { VG_LIFETIME_SUM (B0), VG_LIFETIME_SUM (B1), VG_LIFETIME_SUM (B2) };

        value = vg_lifetime_bcmm (VG_LIFETIME_SUM (TO_SECOND) - VG_LIFETIME_SUM (TO_START), sums,
                                  finish->bins, finish);
      }
      break;
    case VG_LIFETIME_CMM:
    default:
      m = VG_LIFETIME_SUM (TIME) / range - finish->origin;
      if (finish->irf)
        m += 0.5;
      if (params->window_correction)
        value.lifetime = finish->h * vg_lifetime_cmm (m,
                                                      finish->irf ? finish->bins - finish->origin
                                                                  : finish->bins,
                                                      finish->irf, finish->table);
      else
        value.lifetime = finish->h * (finish->irf ? m : m + 0.5);
      break;
    }
  if (method == VG_LIFETIME_CMM && !params->window_correction)
    known = 1; /* the mean time, for every decay */
  else if (method != VG_LIFETIME_PHASOR && method != VG_LIFETIME_PHASOR_TWO)
    known = vg_lifetime_falls (planes, n, i, finish, pixels, range);
  if (!known || !vg_lifetime_is_possible (&value, method, params))
    value.lifetime = value.lifetime_1 = value.lifetime_2 = value.fraction = VG_LIFETIME_NAN;
  return value;
}

VG_SCALAR VgLifetimeValue
vg_lifetime_solve (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish,
                   double pixels)
{
  return vg_lifetime_solve_by (finish->params.method, planes, n, i, finish, pixels);
}

/* The counts per h in the first bin of a decay of one or two lifetimes with RANGE photons in T
 * ns. */
VG_SCALAR double
vg_lifetime_amplitude (const VgLifetimeValue *value, double range, double t, double h, int bi)
{
  double tau = value->lifetime;

  if (!bi)
    return range * h / (tau * -expm1 (-t / tau));
  return range * h /
         (value->fraction * value->lifetime_1 * -expm1 (-t / value->lifetime_1) +
          (1.0 - value->fraction) * value->lifetime_2 * -expm1 (-t / value->lifetime_2));
}

VG_SCALAR VgLifetimeStatus
vg_lifetime_status (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish)
{
  double range = planes[VG_LIFETIME_SUM_TO_END * n + i] - planes[VG_LIFETIME_SUM_TO_START * n + i];

  if (planes[VG_LIFETIME_SUM_BAD * n + i] > 0.0f)
    return VG_LIFETIME_SATURATED;
  if (range <= 0.0 || range < finish->params.threshold)
    return VG_LIFETIME_DARK;
  return VG_LIFETIME_FITTED; /* NaN and pixels without a lifetime fail later. */
}

/* Output WHICH, except intensity and density, of pixel (x, y) in the slice whose first pixel is
 * BASE; *STATUS receives the reason for a missing value. */
VG_SCALAR float
vg_lifetime_value (int which, const float *planes, size_t n, size_t base, int x, int y,
                   const VgLifetimeFinish *finish, int *status)
{
  size_t i = base + (size_t) y * (size_t) finish->width + (size_t) x;
  double pixels = vg_lifetime_window_pixels (x, y, finish->width, finish->height,
                                             finish->params.bin);
  double range = VG_LIFETIME_SUM (TO_END) - VG_LIFETIME_SUM (TO_START), t, g, s;
  int bi = vg_lifetime_is_biexponential (finish->params.method);
  VgLifetimeValue value;

  *status = vg_lifetime_status (planes, n, i, finish);
  if (which == VG_LIFETIME_OUTPUT_PHOTONS_FITTED)
    return (float) range;
  if (which == VG_LIFETIME_OUTPUT_CURSOR && finish->params.n_cursors == 0)
    return 0.0f;
  if (*status != VG_LIFETIME_FITTED)
    return which == VG_LIFETIME_OUTPUT_CURSOR ? 0.0f : VG_LIFETIME_NAN;
  if (which == VG_LIFETIME_OUTPUT_CURSOR)
    {
      vg_lifetime_phasor (planes, n, i, finish, pixels, &g, &s);
      return (float) vg_lifetime_cursor_at (g, s, &finish->params);
    }
  if (which == VG_LIFETIME_OUTPUT_PHASOR_G || which == VG_LIFETIME_OUTPUT_PHASOR_S)
    {
      vg_lifetime_phasor (planes, n, i, finish, pixels, &g, &s);
      return (float) (which == VG_LIFETIME_OUTPUT_PHASOR_G ? g : s);
    }
  value = vg_lifetime_solve (planes, n, i, finish, pixels);
  if (!(value.lifetime > 0.0))
    {
      *status = VG_LIFETIME_FAILED;
      return VG_LIFETIME_NAN;
    }
  t = finish->h * (finish->irf ? finish->bins - finish->origin : finish->bins);
  switch (which)
    {
    case VG_LIFETIME_OUTPUT_LIFETIME_1:
      return (float) value.lifetime_1;
    case VG_LIFETIME_OUTPUT_LIFETIME_2:
      return (float) value.lifetime_2;
    case VG_LIFETIME_OUTPUT_FRACTION:
      return (float) value.fraction;
    case VG_LIFETIME_OUTPUT_WEIGHTED:
      return (float) ((value.fraction * value.lifetime_1 * value.lifetime_1 +
                       (1.0 - value.fraction) * value.lifetime_2 * value.lifetime_2) /
                      value.lifetime);
    case VG_LIFETIME_OUTPUT_AMPLITUDE:
      return (float) vg_lifetime_amplitude (&value, range, t, finish->h, bi);
    case VG_LIFETIME_OUTPUT_ERROR:
      return (float) (value.lifetime * vg_lifetime_crb (t / value.lifetime) / sqrt (range));
    case VG_LIFETIME_OUTPUT_LIFETIME:
    default:
      return (float) value.lifetime;
    }
}
