/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/model/lifetime-sums-formula.h"
/* Lifetimes from the moments and phasors of one decay: centre of mass, phasor, two exponentials. */

/* ---- Centre of mass ---- */

/* With m the mean bin and x = n h / tau, m = r/(1-r) - n r^n/(1-r^n); with an IRF, in continuous
 * time, p = m / n = 1/x - 1/(e^x - 1).  The base is x for an infinite window.  x = base (1 - y) q
 * (y) with y = m / ((n-1)/2) or 2p: q is smooth and never 0, and is tabulated. */
VG_SCALAR double
vg_lifetime_cmm_base (double m, double n, int continuous)
{
  return continuous ? n / m : n * log1p (1.0 / m);
}

/* The mean bin for x; DM receives its derivative by x. */
VG_SCALAR double
vg_lifetime_cmm_mean (double x, double n, int continuous, double *dm)
{
  double e = expm1 (x), a = continuous ? x : expm1 (x / n);

  if (x < 1e-3) /* series at the flat decay */
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

/* The lifetime in bins from the mean bin M of N bins; NaN if no decay has this mean. */
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

/* The Cramer-Rao bound sigma sqrt (N) / tau of a mono-exponential in a window of X = T / tau. */
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

/* The lifetime from the phase of (g, s).  With an IRF, tan = omega tau; without one, for whole
 * bins, r = sin p / sin (p + omega h) with p = phase - omega h / 2. */
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

/* The lifetime from the modulation m^2 = g^2 + s^2 = (1-r)^2 / (1 - 2 r cos (omega h) + r^2). */
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

/* The amplitude fraction of tau_f in the mixture whose phasor is nearest to (g, s).  Noise
 * perpendicular to the line between the two lifetimes' phasors contains no information on the
 * fraction. */
VG_SCALAR double
vg_lifetime_phasor_fraction (double g, double s, double tau_f, double tau_d, double omega)
{
  double p = omega * tau_f, q = omega * tau_d, a = 1.0 + p * p, b = 1.0 + q * q;
  double along_g = 1.0 / a - 1.0 / b, along_s = p / a - q / b;
  /* The intensity fraction: (g, s) lies at this fraction of the way from tau_d to tau_f. */
  double light = ((g - 1.0 / b) * along_g + (s - q / b) * along_s) /
                 (along_g * along_g + along_s * along_s);

  /* light = f tau_f / (f tau_f + (1-f) tau_d) */
  return light * tau_d / (light * tau_d + (1.0 - light) * tau_f);
}

VG_SCALAR VgLifetimeValue
vg_lifetime_phasor_bi (double g, double s, const VgLifetimeFinish *finish)
{
  double w = finish->omega, tau_d = finish->params.long_lifetime_ns,
         f = finish->params.short_lifetime_ns, b = w * tau_d;
  VgLifetimeValue value;

  /* The line from tau_d through (g, s) meets the semicircle again at the phasor of tau_f. */
  if (!finish->params.fix_short)
    f = (1.0 - g - s * b) / (w * (s - g * b));
  value.lifetime_1 = f;
  value.lifetime_2 = tau_d;
  value.fraction = vg_lifetime_phasor_fraction (g, s, f, tau_d, w);
  value.lifetime = value.fraction * f + (1.0 - value.fraction) * tau_d;
  return value;
}

/* ---- Bi-exponential centre of mass ---- */

/* The parts of the moments of t^k / k!, k = 0, 1, 2, after time T, per amplitude. */
VG_SCALAR void
vg_lifetime_tails (double tau, double t, double amplitude, double *tails)
{
  double e = amplitude * tau * exp (-t / tau);

  tails[0] += e;
  tails[1] += e * (t + tau);
  tails[2] += e * (0.5 * t * t + t * tau + tau * tau);
}

/* The lifetimes (in bins) and the first one's fraction from m_k = K sum f_i tau_i^k. */
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

/* N bins from t = 0, K in counts.  The moments are Simpson sums over samples at t_j = j.  CORRECT
 * adds the part after the last sample and converts fractions of samples to amplitude fractions (a
 * bin contains tau (1 - r) of it). */
VG_SCALAR VgLifetimeValue
vg_lifetime_bcmm (double k, const double *sums, int bins, const VgLifetimeFinish *finish)
{
  enum { PASSES = 40 };
  const VgLifetimeParams *params = &finish->params;
  VgLifetimeValue value = vg_lifetime_prony (k, sums, params, finish->h);
  double last = bins - 1.0, most = 20.0 * bins, change = params->window_correction ? 1.0 : 0.0;

  for (int i = 0; i < PASSES && change > 1e-8; i++)
    {
      double f = value.lifetime_1, d = value.lifetime_2, share = value.fraction,
             tails[3] = { 0.0, 0.0, 0.0 };

      f = f > 0.05 ? (f < most ? f : most) : 0.05; /* NaN becomes 0.05. */
      d = d > 0.05 ? (d < most ? d : most) : 0.05;
      share = share > 0.0 ? (share < 1.0 ? share : 1.0) : 0.0;
      vg_lifetime_tails (f, last, k * share, tails);
      vg_lifetime_tails (d, last, k * (1.0 - share), tails);
      for (int n = 0; n < 3; n++)
        tails[n] += sums[n];
      value = vg_lifetime_prony (k, tails, params, finish->h);
      change = fabs (value.lifetime_1 / f - 1.0) + fabs (value.lifetime_2 / d - 1.0);
    }
  if (!(change < 1e-5)) /* The window contains too little of the decay to extrapolate. */
    value.lifetime_1 = value.lifetime_2 = value.fraction = VG_LIFETIME_NAN;
  if (params->window_correction)
    {
      double f = value.lifetime_1, d = value.lifetime_2;
      double a = value.fraction / (f * -expm1 (-1.0 / f)),
             b = (1.0 - value.fraction) / (d * -expm1 (-1.0 / d));

      value.fraction = a / (a + b);
    }
  value.lifetime_1 *= finish->h;
  value.lifetime_2 *= finish->h;
  value.lifetime = value.fraction * value.lifetime_1 + (1.0 - value.fraction) * value.lifetime_2;
  return value;
}
