/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "lifetime-params.h"
#include "vg-scalar.h"
/* From a pixel's sums to its lifetimes, for gcc and nvcc alike (docs/lifetime.md).
 *
 * Bins of width h, N_j photons in bin j of the n bins of the fit range, r =
 * exp (-h / tau).  A pixel's sums are linear in its histogram, so they are
 * binned over pixels and freed of a constant background after they are made.
 * Wu, Nowotny, Chen and Li, J. Biomed. Opt. 21, 017001 (2016), and docs/lifetime.md
 * for what is exact where the paper is not. */

#define VG_LIFETIME_NAN (__builtin_nanf (""))

/* The planes of sums.  First photons before a bin: bins are added one after the
 * other and what has come together at an event's bin is stored. */
enum
{
  VG_LIFETIME_SUM_TOTAL,          /* all bins of the window */
  VG_LIFETIME_SUM_TO_START,       /* before the fit range */
  VG_LIFETIME_SUM_TO_SECOND,      /* before its second bin */
  VG_LIFETIME_SUM_TO_END,         /* before its end */
  VG_LIFETIME_SUM_IEM_FIRST,      /* before the second gate of the integral */
  VG_LIFETIME_SUM_IEM_LAST,       /* before its last gate */
  VG_LIFETIME_SUM_IEM_END,        /* before the end of its last gate */
  VG_LIFETIME_SUM_GATE_1,         /* before the end of each gate of RLD */
  VG_LIFETIME_SUM_GATE_2,
  VG_LIFETIME_SUM_GATE_3,
  VG_LIFETIME_N_EVENTS,
  /* weighted by bin */
  VG_LIFETIME_SUM_COS = VG_LIFETIME_N_EVENTS,
  VG_LIFETIME_SUM_SIN,
  VG_LIFETIME_SUM_TIME,           /* j, in bins from the start of the range */
  VG_LIFETIME_SUM_IEM,            /* Simpson weights of the gates */
  VG_LIFETIME_SUM_B0,             /* Simpson weights C_j, C_j j, C_j j^2 / 2 of the bins */
  VG_LIFETIME_SUM_B1,
  VG_LIFETIME_SUM_B2,
  VG_LIFETIME_SUM_BAD,            /* 1: a saturated sample, else 0 */
  VG_LIFETIME_N_SUMS,
  VG_LIFETIME_N_WEIGHTS = VG_LIFETIME_SUM_BAD - VG_LIFETIME_N_EVENTS,
};

/* Nodes of the table that inverts the centre of mass. */
enum { VG_LIFETIME_CMM_CELLS = 1024 };

/* All that turns a pixel's sums into values; made once per frame by the plan. */
typedef struct
{
  VgLifetimeParams params;
  int width, height;
  int bins;                /* of the fit range */
  double h;                /* bin width, ns */
  double omega;            /* 2 pi harmonic / period, 1/ns */
  gboolean calibrated;     /* there is a response */
  gboolean irf;            /* and it lies in the fit range */
  double irf_g, irf_s;     /* its phasor; without one: 1, 0 */
  double origin;           /* with `irf`: its mean time in bins from the start of the range */
  int iem_gate, rld_gate;  /* bins */
  double background;       /* counts in a bin of a pixel */
  double ones[VG_LIFETIME_N_SUMS];   /* the sums of a histogram of ones */
  const double *table;     /* VG_LIFETIME_CMM_CELLS + 1 */
  const float *phasor;     /* of every pixel, filtered: G, then S; NULL: from the sums */
} VgLifetimeFinish;

typedef enum { VG_LIFETIME_FITTED, VG_LIFETIME_DARK, VG_LIFETIME_SATURATED, VG_LIFETIME_FAILED, VG_LIFETIME_N_STATUS } VgLifetimeStatus;

/* What a pixel's decay is found to be. */
typedef struct
{
  double lifetime, lifetime_1, lifetime_2, fraction;
} VgLifetimeValue;

VG_SCALAR int
vg_lifetime_is_bi (int method)
{
  return method == VG_LIFETIME_PHASOR_BI || method == VG_LIFETIME_BCMM;
}

/* Pixels added into pixel (x, y). */
VG_SCALAR int
vg_lifetime_window_pixels (int x, int y, int width, int height, int binning)
{
  int x0 = x > binning ? x - binning : 0, x1 = x + binning < width ? x + binning : width - 1;
  int y0 = y > binning ? y - binning : 0, y1 = y + binning < height ? y + binning : height - 1;

  return (x1 - x0 + 1) * (y1 - y0 + 1);
}

/* ---- Centre of mass ---- */

/* With m the mean bin and x = n h / tau, m = r/(1-r) - n r^n/(1-r^n); with an
 * impulse response in continuous time p = m / n = 1/x - 1/(e^x - 1).  BASE is x
 * for an endless window and x = base (1 - y) q (y), y = m / ((n-1)/2) or 2p:
 * q is smooth and never 0, and comes from the table. */
VG_SCALAR double
vg_lifetime_cmm_base (double m, double n, int continuous)
{
  return continuous ? n / m : n * log1p (1.0 / m);
}

/* Mean bin for x; DM: its derivative by x. */
VG_SCALAR double
vg_lifetime_cmm_mean (double x, double n, int continuous, double *dm)
{
  double e = expm1 (x), a = continuous ? x : expm1 (x / n);

  if (x < 1e-3)   /* series about the flat decay */
    {
      double span = continuous ? 1.0 : 1.0 - 1.0 / (n * n);

      *dm = -n * span / 12.0;
      return 0.5 * (continuous ? n : n - 1.0) + x * *dm;
    }
  if (continuous)
    {
      *dm = n * (-1.0 / (x * x) + (1.0 + 1.0 / e) / e);
      return n * (1.0 / x - 1.0 / e);
    }
  *dm = -(1.0 + 1.0 / a) / (a * n) + n * (1.0 + 1.0 / e) / e;
  return 1.0 / a - n / e;
}

/* tau in bins from the mean bin M of N bins; NaN when no decay has it. */
VG_SCALAR double
vg_lifetime_cmm (double m, double n, int continuous, const double *table)
{
  double y = 2.0 * m / (continuous ? n : n - 1.0), p, q;
  int i;

  if (!(y > 0.0) || !(y < 1.0))
    return VG_LIFETIME_NAN;
  p = y * (double) VG_LIFETIME_CMM_CELLS;
  i = (int) p;
  p -= i;
  q = table[i] + p * (table[i + 1] - table[i]);
  return n / (vg_lifetime_cmm_base (m, n, continuous) * (1.0 - y) * q);
}

/* Cramer-Rao: sigma sqrt (N) / tau of a mono-exponential in a window of X = T / tau. */
VG_SCALAR double
vg_lifetime_crb (double x)
{
  double e = expm1 (x), lost;

  if (x > 600.0)
    return 1.0;
  lost = 1.0 - x * x * (1.0 + 1.0 / e) / e;
  return lost > 1e-12 ? 1.0 / sqrt (lost) : VG_LIFETIME_NAN;
}

/* ---- Phasor ---- */

/* tau from the phase of (g, s): with an impulse response taken out, tan = omega tau;
 * else by whole bins, where r = sin p / sin (p + omega h), p = phase - omega h / 2. */
VG_SCALAR double
vg_lifetime_by_phase (double g, double s, double omega, double h, int continuous)
{
  double t = omega * h, p, r;

  if (continuous)
    return g > 0.0 && s > 0.0 ? s / (g * omega) : (double) VG_LIFETIME_NAN;
  p = atan2 (s, g) - 0.5 * t;
  r = sin (p) / sin (p + t);
  return p > 0.0 && r > 0.0 && r < 1.0 ? -h / log (r) : (double) VG_LIFETIME_NAN;
}

/* The same from the modulation m^2 = g^2 + s^2 = (1-r)^2 / (1 - 2 r cos (omega h) + r^2). */
VG_SCALAR double
vg_lifetime_by_modulation (double g, double s, double omega, double h, int continuous)
{
  double m2 = g * g + s * s, a, b, r;

  if (!(m2 > 0.0) || !(m2 < 1.0))
    return VG_LIFETIME_NAN;
  if (continuous)
    return sqrt (1.0 / m2 - 1.0) / omega;
  a = 1.0 - m2;
  b = 1.0 - m2 * cos (omega * h);
  r = (b - sqrt (b * b - a * a)) / a;
  return r > 0.0 && r < 1.0 ? -h / log (r) : (double) VG_LIFETIME_NAN;
}

/* Amplitude share of tau_f in the mixture with g. */
VG_SCALAR double
vg_lifetime_phasor_fraction (double g, double tau_f, double tau_d, double omega)
{
  double a = tau_f / (1.0 + omega * omega * tau_f * tau_f), b = tau_d / (1.0 + omega * omega * tau_d * tau_d);

  /* g (f tau_f + (1-f) tau_d) = f a + (1-f) b */
  return (b - g * tau_d) / (g * (tau_f - tau_d) - (a - b));
}

VG_SCALAR VgLifetimeValue
vg_lifetime_phasor_bi (double g, double s, const VgLifetimeFinish *finish)
{
  double w = finish->omega, tau_d = finish->params.long_lifetime_ns, f = finish->params.short_lifetime_ns, b = w * tau_d;
  VgLifetimeValue value;

  if (!finish->params.fix_short)   /* the line from tau_d through (g, s) meets the semicircle again */
    f = (1.0 - g - s * b) / (w * (s - g * b));
  value.lifetime_1 = f;
  value.lifetime_2 = tau_d;
  value.fraction = vg_lifetime_phasor_fraction (g, f, tau_d, w);
  value.lifetime = value.fraction * f + (1.0 - value.fraction) * tau_d;
  return value;
}

/* ---- Bi-exponential centre of mass ---- */

/* What the moments of t^k / k!, k = 0, 1, 2, lack after time T, per amplitude. */
VG_SCALAR void
vg_lifetime_tails (double tau, double t, double amplitude, double *tails)
{
  double e = amplitude * tau * exp (-t / tau);

  tails[0] += e;
  tails[1] += e * (t + tau);
  tails[2] += e * (0.5 * t * t + t * tau + tau * tau);
}

/* Lifetimes (in bins) and share of the first from m_k = K sum f_i tau_i^k. */
VG_SCALAR VgLifetimeValue
vg_lifetime_prony (double k, const double *m, const VgLifetimeParams *params, double h)
{
  VgLifetimeValue value = { 0 };
  double f = params->short_lifetime_ns / h, d = params->long_lifetime_ns / h, sum, product;

  if (params->fix_long && !params->fix_short)
    f = (m[1] - d * m[0]) / (m[0] - d * k);
  else if (!params->fix_long && params->fix_short)
    d = (m[1] - f * m[0]) / (m[0] - f * k);
  else if (!params->fix_long)
    {
      sum = (k * m[2] - m[0] * m[1]) / (k * m[1] - m[0] * m[0]);
      product = (sum * m[0] - m[1]) / k;
      d = sqrt (0.25 * sum * sum - product);
      f = 0.5 * sum - d;
      d = 0.5 * sum + d;
    }
  value.lifetime_1 = f;
  value.lifetime_2 = d;
  value.fraction = (m[0] / k - d) / (f - d);
  return value;
}

/* N bins from t = 0, K in counts; the moments are Simpson sums over samples at
 * t_j = j.  CORRECT: adds what comes after the last sample, and turns shares of
 * samples into shares of amplitude (a bin holds tau (1 - r) of it). */
VG_SCALAR VgLifetimeValue
vg_lifetime_bcmm (double k, const double *sums, int bins, const VgLifetimeFinish *finish)
{
  enum { PASSES = 40 };
  const VgLifetimeParams *params = &finish->params;
  VgLifetimeValue value = vg_lifetime_prony (k, sums, params, finish->h);
  double last = bins - 1.0, most = 20.0 * bins, change = params->window_correction ? 1.0 : 0.0;

  for (int i = 0; i < PASSES && change > 1e-8; i++)
    {
      double f = value.lifetime_1, d = value.lifetime_2, share = value.fraction, tails[3] = { 0.0, 0.0, 0.0 };

      f = f > 0.05 ? (f < most ? f : most) : 0.05;   /* NaN: 0.05 */
      d = d > 0.05 ? (d < most ? d : most) : 0.05;
      share = share > 0.0 ? (share < 1.0 ? share : 1.0) : 0.0;
      vg_lifetime_tails (f, last, k * share, tails);
      vg_lifetime_tails (d, last, k * (1.0 - share), tails);
      for (int n = 0; n < 3; n++)
        tails[n] += sums[n];
      value = vg_lifetime_prony (k, tails, params, finish->h);
      change = fabs (value.lifetime_1 / f - 1.0) + fabs (value.lifetime_2 / d - 1.0);
    }
  if (!(change < 1e-5))   /* the window holds too little to say what comes after it */
    value.lifetime_1 = value.lifetime_2 = value.fraction = VG_LIFETIME_NAN;
  if (params->window_correction)
    {
      double f = value.lifetime_1, d = value.lifetime_2;
      double a = value.fraction / (f * -expm1 (-1.0 / f)), b = (1.0 - value.fraction) / (d * -expm1 (-1.0 / d));

      value.fraction = a / (a + b);
    }
  value.lifetime_1 *= finish->h;
  value.lifetime_2 *= finish->h;
  value.lifetime = value.fraction * value.lifetime_1 + (1.0 - value.fraction) * value.lifetime_2;
  return value;
}

/* ---- The pixel ---- */

/* Takes sum WHICH of pixel I from the planes, N_PIXELS apart, less the background of PIXELS pixels. */
VG_SCALAR double
vg_lifetime_sum (const float *planes, size_t n_pixels, size_t i, int which, const VgLifetimeFinish *finish, double pixels)
{
  return planes[(size_t) which * n_pixels + i] - finish->background * pixels * finish->ones[which];
}

/* (u, v) with the impulse response taken out. */
VG_SCALAR void
vg_lifetime_calibrate (double u, double v, const VgLifetimeFinish *finish, double *g, double *s)
{
  double norm = finish->irf_g * finish->irf_g + finish->irf_s * finish->irf_s;

  *g = (u * finish->irf_g + v * finish->irf_s) / norm;
  *s = (v * finish->irf_g - u * finish->irf_s) / norm;
}

/* The calibrated phasor of pixel I. */
VG_SCALAR void
vg_lifetime_phasor (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish, double pixels, double *g, double *s)
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

/* The last cursor that holds (g, s), which is drawn on top, from 1; 0: none. */
VG_SCALAR int
vg_lifetime_cursor_at (double g, double s, const VgLifetimeParams *params)
{
  for (int i = params->n_cursors - 1; i >= 0; i--)
    {
      const VgLifetimeCursor *cursor = &params->cursor[i];
      double dg = g - cursor->g, ds = s - cursor->s;
      double a = dg * cursor->along[0] + ds * cursor->along[1], b = dg * cursor->across[0] + ds * cursor->across[1];

      if (a * a + b * b <= 1.0)
        return i + 1;
    }
  return 0;
}

#define VG_LIFETIME_SUM(which) vg_lifetime_sum (planes, n, i, VG_LIFETIME_SUM_##which, finish, pixels)

VG_SCALAR double
vg_lifetime_iem (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish, double pixels)
{
  double first = VG_LIFETIME_SUM (IEM_FIRST) - VG_LIFETIME_SUM (TO_START), last = VG_LIFETIME_SUM (IEM_END) - VG_LIFETIME_SUM (IEM_LAST);
  double drop = first - last, x;

  if (!(drop > 0.0))
    return VG_LIFETIME_NAN;
  if (finish->params.iem_form == VG_LIFETIME_IEM_SIMPSON)
    return finish->iem_gate * finish->h * VG_LIFETIME_SUM (IEM) / drop;
  x = drop / (VG_LIFETIME_SUM (IEM_LAST) - VG_LIFETIME_SUM (TO_START));
  return x < 1.0 ? -finish->iem_gate * finish->h / log1p (-x) : (double) VG_LIFETIME_NAN;
}

VG_SCALAR double
vg_lifetime_rld (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish, double pixels)
{
  double a = VG_LIFETIME_SUM (GATE_1), b = VG_LIFETIME_SUM (GATE_2), c = VG_LIFETIME_SUM (GATE_3);

  c -= b;
  b -= a;
  a -= VG_LIFETIME_SUM (TO_START);
  if (finish->params.rld_gates == VG_LIFETIME_RLD_THREE)   /* differences are free of a background */
    {
      a -= b;
      b -= c;
    }
  return b > 0.0 && a > b ? finish->rld_gate * finish->h / log (a / b) : (double) VG_LIFETIME_NAN;
}

/* Positive, finite, and of two lifetimes the first the shorter, with a share of
 * 0 to 1; a share between known lifetimes may stray, as its mean would be
 * biased else. */
VG_SCALAR int
vg_lifetime_is_possible (const VgLifetimeValue *value, const VgLifetimeParams *params)
{
  int bi = vg_lifetime_is_bi (params->method), known = params->fix_short && (params->fix_long || params->method == VG_LIFETIME_PHASOR_BI);

  if (!(value->lifetime > 0.0) || !(value->lifetime < 1e6))
    return 0;
  if (bi && (!(value->lifetime_1 > 0.0) || !(value->lifetime_1 < value->lifetime_2)))
    return 0;
  return !bi || known || (value->fraction >= 0.0 && value->fraction <= 1.0);
}

/* What the pixel's method says; NaN for what no decay is. */
VG_SCALAR VgLifetimeValue
vg_lifetime_solve (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish, double pixels)
{
  const VgLifetimeParams *params = &finish->params;
  double range = VG_LIFETIME_SUM (TO_END) - VG_LIFETIME_SUM (TO_START), g, s, m;
  VgLifetimeValue value = { 0 };

  switch (params->method)
    {
    case VG_LIFETIME_IEM:
      value.lifetime = vg_lifetime_iem (planes, n, i, finish, pixels);
      break;
    case VG_LIFETIME_RLD:
      value.lifetime = vg_lifetime_rld (planes, n, i, finish, pixels);
      break;
    case VG_LIFETIME_PHASOR:
      vg_lifetime_phasor (planes, n, i, finish, pixels, &g, &s);
      value.lifetime = params->phasor_form == VG_LIFETIME_BY_PHASE ? vg_lifetime_by_phase (g, s, finish->omega, finish->h, finish->calibrated)
                                                                   : vg_lifetime_by_modulation (g, s, finish->omega, finish->h, finish->calibrated);
      break;
    case VG_LIFETIME_PHASOR_BI:
      vg_lifetime_phasor (planes, n, i, finish, pixels, &g, &s);
      value = vg_lifetime_phasor_bi (g, s, finish);
      break;
    case VG_LIFETIME_BCMM:
      {
        double sums[3] = { VG_LIFETIME_SUM (B0), VG_LIFETIME_SUM (B1), VG_LIFETIME_SUM (B2) };

        value = vg_lifetime_bcmm (VG_LIFETIME_SUM (TO_SECOND) - VG_LIFETIME_SUM (TO_START), sums, finish->bins, finish);
      }
      break;
    case VG_LIFETIME_CMM:
    default:
      m = VG_LIFETIME_SUM (TIME) / range - finish->origin;
      if (finish->irf)
        m += 0.5;
      if (params->window_correction)
        value.lifetime = finish->h * vg_lifetime_cmm (m, finish->irf ? finish->bins - finish->origin : finish->bins, finish->irf, finish->table);
      else
        value.lifetime = finish->h * (finish->irf ? m : m + 0.5);
      break;
    }
  if (!vg_lifetime_is_possible (&value, params))
    value.lifetime = value.lifetime_1 = value.lifetime_2 = value.fraction = VG_LIFETIME_NAN;
  return value;
}

/* Counts in the first bin of a decay of one or two lifetimes that has RANGE photons in T ns, per h. */
VG_SCALAR double
vg_lifetime_amplitude (const VgLifetimeValue *value, double range, double t, double h, int bi)
{
  double tau = value->lifetime;

  if (!bi)
    return range * h / (tau * -expm1 (-t / tau));
  return range * h / (value->fraction * value->lifetime_1 * -expm1 (-t / value->lifetime_1)
                      + (1.0 - value->fraction) * value->lifetime_2 * -expm1 (-t / value->lifetime_2));
}

VG_SCALAR VgLifetimeStatus
vg_lifetime_status (const float *planes, size_t n, size_t i, const VgLifetimeFinish *finish)
{
  double range = planes[VG_LIFETIME_SUM_TO_END * n + i] - planes[VG_LIFETIME_SUM_TO_START * n + i];

  if (planes[VG_LIFETIME_SUM_BAD * n + i] > 0.0f)
    return VG_LIFETIME_SATURATED;
  if (range <= 0.0 || range < finish->params.threshold)
    return VG_LIFETIME_DARK;
  return VG_LIFETIME_FITTED;   /* NaN and what has no lifetime fail later */
}

/* Output WHICH (but intensity and density) of pixel (x, y) of a slice whose first pixel is BASE; *STATUS: why. */
VG_SCALAR float
vg_lifetime_value (int which, const float *planes, size_t n, size_t base, int x, int y, const VgLifetimeFinish *finish, int *status)
{
  size_t i = base + (size_t) y * (size_t) finish->width + (size_t) x;
  double pixels = vg_lifetime_window_pixels (x, y, finish->width, finish->height, finish->params.bin);
  double range = VG_LIFETIME_SUM (TO_END) - VG_LIFETIME_SUM (TO_START), t, g, s;
  int bi = vg_lifetime_is_bi (finish->params.method);
  VgLifetimeValue value;

  *status = vg_lifetime_status (planes, n, i, finish);
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
      return (float) ((value.fraction * value.lifetime_1 * value.lifetime_1 + (1.0 - value.fraction) * value.lifetime_2 * value.lifetime_2)
                      / value.lifetime);
    case VG_LIFETIME_OUTPUT_AMPLITUDE:
      return (float) vg_lifetime_amplitude (&value, range, t, finish->h, bi);
    case VG_LIFETIME_OUTPUT_ERROR:
      return (float) (value.lifetime * vg_lifetime_crb (t / value.lifetime) / sqrt (range));
    case VG_LIFETIME_OUTPUT_LIFETIME:
    default:
      return (float) value.lifetime;
    }
}
