/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/model/perfusion-varpro.h"
/* The descent of the fit of one compartment, for both backends: bounds, damped steps, the final
 * steps, and the standard errors. */

/* Which delays the fit determines. */
typedef enum {
  VG_PERFUSION_DELAYS_FREE,
  VG_PERFUSION_DELAYS_SHARED, /* one for both inputs */
  VG_PERFUSION_DELAYS_NONE,   /* none: as the problem gives them */
} VgPerfusionDelays;

typedef struct
{
  double k_min, k_max, delay_min, delay_max; /* 1/s, s */
  VgPerfusionDelays delays;
} VgPerfusionBounds;

/* The same bounds for the fit, with the logarithm of the rate. */
typedef struct
{
  VgPerfusionReal log_k_min, log_k_max, delay_min, delay_max;
  VgPerfusionDelays delays;
} VgPerfusionRange;

static inline VgPerfusionRange
vg_perfusion_range (const VgPerfusionBounds *bounds)
{
  VgPerfusionRange range;

  range.log_k_min = (VgPerfusionReal) log (bounds->k_min);
  range.log_k_max = (VgPerfusionReal) log (bounds->k_max);
  range.delay_min = (VgPerfusionReal) bounds->delay_min;
  range.delay_max = (VgPerfusionReal) bounds->delay_max;
  range.delays = bounds->delays;
  return range;
}

/* Rules of the descent, for both backends: the largest damping; and the number of final steps
 * (vg_perfusion_corrected), which continue while a step predicts a decrease of more than this
 * fraction of the cost. */
#define VG_PERFUSION_LAMBDA_MAX 1e6
#define VG_PERFUSION_FINAL_STEPS 4
#define VG_PERFUSION_FINAL_TOLERANCE 1e-7

/* Remarks on a fit. */
enum {
  /* Parameters at a bound: an amount that is 0 (depending on the model ka, Ktrans or one of two
   * exponentials; kp, vp or the other exponential), a rate, a delay, the arterial fraction. */
  VG_PERFUSION_REMARK_FIRST_0 = 1 << 0,
  VG_PERFUSION_REMARK_SECOND_0 = 1 << 1,
  VG_PERFUSION_REMARK_RATE_LOW = 1 << 2,
  VG_PERFUSION_REMARK_RATE_HIGH = 1 << 3,
  VG_PERFUSION_REMARK_TAU_A_LOW = 1 << 4,
  VG_PERFUSION_REMARK_TAU_A_HIGH = 1 << 5,
  VG_PERFUSION_REMARK_TAU_P_LOW = 1 << 6,
  VG_PERFUSION_REMARK_TAU_P_HIGH = 1 << 7,
  VG_PERFUSION_REMARK_SHARE_LOW = 1 << 8,
  VG_PERFUSION_REMARK_SHARE_HIGH = 1 << 9,
  /* A delay at its bound is valid, so it is not among these. */
  VG_PERFUSION_REMARK_BOUNDS = VG_PERFUSION_REMARK_FIRST_0 | VG_PERFUSION_REMARK_SECOND_0 |
                               VG_PERFUSION_REMARK_RATE_LOW | VG_PERFUSION_REMARK_RATE_HIGH |
                               VG_PERFUSION_REMARK_SHARE_LOW | VG_PERFUSION_REMARK_SHARE_HIGH,
  /* From here on: parameters that are not determined, bits in the order of VG_PERFUSION_FIT_*. */
  VG_PERFUSION_REMARK_UNKNOWN = 10,
};

/* The remarks on a fit of one compartment. */
VG_SCALAR int
vg_perfusion_remarks (const VgPerfusionRange *bounds, int dual, VgPerfusionReal a,
                      VgPerfusionReal p, VgPerfusionReal log_k, VgPerfusionReal ta,
                      VgPerfusionReal tp)
{
  int delays = bounds->delays != VG_PERFUSION_DELAYS_NONE;
  int remarks = (a > 0 ? 0 : VG_PERFUSION_REMARK_FIRST_0) |
                (!dual || p > 0 ? 0 : VG_PERFUSION_REMARK_SECOND_0);

  remarks |= log_k <= bounds->log_k_min   ? VG_PERFUSION_REMARK_RATE_LOW
             : log_k >= bounds->log_k_max ? VG_PERFUSION_REMARK_RATE_HIGH
                                          : 0;
  if (delays && a > 0)
    remarks |= ta <= bounds->delay_min   ? VG_PERFUSION_REMARK_TAU_A_LOW
               : ta >= bounds->delay_max ? VG_PERFUSION_REMARK_TAU_A_HIGH
                                         : 0;
  if (delays && dual && p > 0)
    remarks |= tp <= bounds->delay_min   ? VG_PERFUSION_REMARK_TAU_P_LOW
               : tp >= bounds->delay_max ? VG_PERFUSION_REMARK_TAU_P_HIGH
                                         : 0;
  return remarks;
}

/* One step of Levenberg and Marquardt's method from (log_k, ta, tp), with damping LAMBDA, within
 * the bounds; a coordinate at its bound does not move.  GAIN receives the decrease of the cost
 * that the undamped step predicts. */
VG_SCALAR void
vg_perfusion_step (VgPerfusionNormal n, const VgPerfusionRange *bounds, VgPerfusionReal lambda,
                   VgPerfusionReal *log_k, VgPerfusionReal *ta, VgPerfusionReal *tp,
                   VgPerfusionReal *gain)
{
  const VgPerfusionReal log_k_min = bounds->log_k_min, log_k_max = bounds->log_k_max;
  const VgPerfusionReal tiny = sizeof (VgPerfusionReal) > 4 ? (VgPerfusionReal) 1e-30
                                                            : (VgPerfusionReal) 1e-20;
  int shared = bounds->delays == VG_PERFUSION_DELAYS_SHARED,
      fixed = bounds->delays == VG_PERFUSION_DELAYS_NONE;
  VgPerfusionReal g0 = n.g0, g1 = shared ? n.g1 + n.g2 : n.g1, g2 = n.g2;
  VgPerfusionReal h00 = n.h00, h01 = shared ? n.h01 + n.h02 : n.h01, h02 = n.h02;
  VgPerfusionReal h11 = shared ? n.h11 + n.h22 + 2 * n.h12 : n.h11, h12 = n.h12, h22 = n.h22;
  VgPerfusionReal l10, l20, l21, z0, z1, z2, damp = 1 + lambda, limit;
  int hold0 = !(h00 > tiny) || (*log_k <= log_k_min && g0 < 0) || (*log_k >= log_k_max && g0 > 0);
  int hold1 = fixed || !(h11 > tiny) || (*ta <= bounds->delay_min && g1 < 0) ||
              (*ta >= bounds->delay_max && g1 > 0);
  int hold2 = fixed || shared || !(h22 > tiny) || (*tp <= bounds->delay_min && g2 < 0) ||
              (*tp >= bounds->delay_max && g2 > 0);

  g0 = hold0 ? 0 : g0;
  g1 = hold1 ? 0 : g1;
  g2 = hold2 ? 0 : g2;
  h01 = hold0 || hold1 ? 0 : h01;
  h02 = hold0 || hold2 ? 0 : h02;
  h12 = hold1 || hold2 ? 0 : h12;
  h00 = hold0 ? 1 : h00 * damp;
  h11 = hold1 ? 1 : h11 * damp;
  h22 = hold2 ? 1 : h22 * damp;
  /* L D L': a pivot that rounding made too small is set to a fraction of its diagonal element. */
  l10 = h01 / h00;
  l20 = h02 / h00;
  z1 = h11 - l10 * h01;
  limit = h11 * (VgPerfusionReal) 1e-5;
  z1 = z1 > limit ? z1 : limit;
  l21 = (h12 - l10 * h02) / z1;
  z2 = h22 - l20 * h02 - l21 * l21 * z1;
  limit = h22 * (VgPerfusionReal) 1e-5;
  z2 = z2 > limit ? z2 : limit;
  z0 = g0;
  g1 -= l10 * z0;
  g2 -= l20 * z0 + l21 * g1;
  *gain = z0 * z0 / h00 + g1 * g1 / z1 + g2 * g2 / z2;
  z2 = g2 / z2;
  z1 = g1 / z1 - l21 * z2;
  z0 = z0 / h00 - l10 * z1 - l20 * z2;
  /* Limit the step to about half a decade in the rate and a few seconds in the delays. */
  z0 = z0 > 1 ? 1 : z0 < -1 ? -1 : z0;
  z1 = z1 > 4 ? 4 : z1 < -4 ? -4 : z1;
  z2 = shared ? z1 : z2 > 4 ? 4 : z2 < -4 ? -4 : z2;
  z0 += *log_k;
  *log_k = z0 < log_k_min ? log_k_min : z0 > log_k_max ? log_k_max : z0;
  z1 += *ta;
  *ta = z1 < bounds->delay_min   ? bounds->delay_min
        : z1 > bounds->delay_max ? bounds->delay_max
                                 : z1;
  z2 += *tp;
  *tp = z2 < bounds->delay_min   ? bounds->delay_min
        : z2 > bounds->delay_max ? bounds->delay_max
                                 : z2;
}

/* The previous step and the decrease of the gradient along it. */
typedef struct
{
  VgPerfusionReal s0, s1, s2, y0, y1, y2;
} VgPerfusionSecant;

VG_SCALAR VgPerfusionSecant
vg_perfusion_secant (const VgPerfusionNormal *from, const VgPerfusionNormal *to, VgPerfusionReal s0,
                     VgPerfusionReal s1, VgPerfusionReal s2)
{
  VgPerfusionSecant self = { s0, s1, s2, from->g0 - to->g0, from->g1 - to->g1, from->g2 - to->g2 };

  return self;
}

/* The Gauss-Newton matrix, updated with the curvature that the previous step measured (Broyden,
 * Fletcher, Goldfarb, Shanno).  Where the slopes of the inputs change within the noise the
 * Gauss-Newton matrix is inaccurate and converges slowly.  Without a previous step it is
 * unchanged. */
VG_SCALAR VgPerfusionNormal
vg_perfusion_corrected (VgPerfusionNormal n, const VgPerfusionSecant *last)
{
  const VgPerfusionReal s0 = last->s0, s1 = last->s1, s2 = last->s2, y0 = last->y0, y1 = last->y1,
                        y2 = last->y2;
  VgPerfusionReal b0 = n.h00 * s0 + n.h01 * s1 + n.h02 * s2,
                  b1 = n.h01 * s0 + n.h11 * s1 + n.h12 * s2;
  VgPerfusionReal b2 = n.h02 * s0 + n.h12 * s1 + n.h22 * s2, met = s0 * y0 + s1 * y1 + s2 * y2,
                  own = s0 * b0 + s1 * b1 + s2 * b2;

  if (!(own > 0) || !(met > (VgPerfusionReal) 0.1 * own))
    return n;
  met = 1 / met;
  own = 1 / own;
  n.h00 += met * y0 * y0 - own * b0 * b0;
  n.h01 += met * y0 * y1 - own * b0 * b1;
  n.h02 += met * y0 * y2 - own * b0 * b2;
  n.h11 += met * y1 * y1 - own * b1 * b1;
  n.h12 += met * y1 * y2 - own * b1 * b2;
  n.h22 += met * y2 * y2 - own * b2 * b2;
  return n;
}

/* Standard errors of amounts, rate and delays from the curvature at the minimum, and those of what
 * is computed from them: the sum of the amounts, the fraction a / (a + p) and the volume
 * (a + p) / k.  A parameter that is not determined has NaN, a fitted delay infinity (with NaN a
 * delay counts as given).  A parameter at its bound has no error and counts as known to the others,
 * because at a bound two parameters often have the same effect on the curve; a fraction of 0 or 1
 * and a volume with the rate at its bound have none either. */
typedef struct
{
  VgPerfusionReal a, p, k, ta, tp, total, fraction, volume;
} VgPerfusionFitError;

/* The inverse of the normal matrix of amounts (G), rate and delays, times DET: G^-1 + (G^-1 C) H^-1
 * (G^-1 C)' for the amounts, H^-1 for the others, and -(G^-1 C) H^-1 between them. */
typedef struct
{
  VgPerfusionReal iaa, iap, ipp, i00, i01, i02, i11, i12, i22;
  VgPerfusionReal a0, a1, a2, p0, p1, p2, s0; /* rows of G^-1 C; the scale of log k */
} VgPerfusionCovariance;

/* The square, times DET and without the variance of the noise, of the error of a value with the
 * derivatives BY_A, BY_P and BY_K by the amounts and log k. */
VG_SCALAR VgPerfusionReal
vg_perfusion_propagate (const VgPerfusionCovariance *c, VgPerfusionReal by_a, VgPerfusionReal by_p,
                        VgPerfusionReal by_k)
{
  VgPerfusionReal t0 = by_a * c->a0 + by_p * c->p0 - by_k * c->s0, t1 = by_a * c->a1 + by_p * c->p1,
                  t2 = by_a * c->a2 + by_p * c->p2;

  return by_a * by_a * c->iaa + 2 * by_a * by_p * c->iap + by_p * by_p * c->ipp + t0 * t0 * c->i00 +
         t1 * t1 * c->i11 + t2 * t2 * c->i22 +
         2 * (t0 * t1 * c->i01 + t0 * t2 * c->i02 + t1 * t2 * c->i12);
}

/* SQUARE: squared error of a delay, computed with the determinant DET, which rounding makes 0 or
 * less if there is no distinct minimum. */
VG_SCALAR VgPerfusionReal
vg_perfusion_delay_error (int fitted, VgPerfusionReal square, VgPerfusionReal det)
{
  return !fitted                    ? (VgPerfusionReal) NAN
         : det > 0 && !(square < 0) ? sqrt (square)
                                    : (VgPerfusionReal) INFINITY;
}

VG_SCALAR VgPerfusionFitError
vg_perfusion_fit_error (VgPerfusionNormal n, const VgPerfusionRange *bounds, int dual,
                        VgPerfusionReal log_k, VgPerfusionReal ta, VgPerfusionReal tp, int frames)
{
  int shared = bounds->delays == VG_PERFUSION_DELAYS_SHARED && dual,
      fixed = bounds->delays == VG_PERFUSION_DELAYS_NONE;
  int use0 = log_k > bounds->log_k_min && log_k < bounds->log_k_max;
  int use1 = !fixed && (n.a > 0 || (shared && n.p > 0)) && ta > bounds->delay_min &&
             ta < bounds->delay_max;
  int use2 = !fixed && !shared && n.p > 0 && tp > bounds->delay_min && tp < bounds->delay_max;
  VgPerfusionReal h00 = use0 ? n.h00 : 1, h01 = shared ? n.h01 + n.h02 : n.h01,
                  h11 = shared ? n.h11 + n.h22 + 2 * n.h12 : n.h11, h02 = n.h02, h12 = n.h12;
  VgPerfusionReal ca1 = shared ? n.ca1 + n.ca2 : n.ca1, cp1 = shared ? n.cp1 + n.cp2 : n.cp1;
  VgPerfusionReal h22 = use2 ? n.h22 : 1, det, v, s0, s1, s2, sum = n.a + n.p, k = exp (log_k);
  int unknowns = use0 + (n.a > 0) + (n.p > 0) + use1 + use2;
  const VgPerfusionReal none = (VgPerfusionReal) NAN;
  VgPerfusionCovariance c;
  VgPerfusionFitError e;

  h01 = use0 && use1 ? h01 : 0;
  h11 = use1 ? h11 : 1;
  h02 = use0 && use2 ? h02 : 0;
  h12 = use1 && use2 ? h12 : 0;
  ca1 = use1 ? ca1 : 0;
  cp1 = use1 ? cp1 : 0;
  /* Scale to ones in the diagonal: the determinant for curves in a small unit underflows in
   * float. */
  s0 = h00 > 0 ? 1 / sqrt (h00) : 1;
  s1 = h11 > 0 ? 1 / sqrt (h11) : 1;
  s2 = h22 > 0 ? 1 / sqrt (h22) : 1;
  h00 *= s0 * s0;
  h01 *= s0 * s1;
  h02 *= s0 * s2;
  h11 *= s1 * s1;
  h12 *= s1 * s2;
  h22 *= s2 * s2;
  c.i00 = h11 * h22 - h12 * h12;
  c.i01 = h02 * h12 - h01 * h22;
  c.i02 = h01 * h12 - h02 * h11;
  c.i11 = h00 * h22 - h02 * h02;
  c.i12 = h01 * h02 - h00 * h12;
  c.i22 = h00 * h11 - h01 * h01;
  det = h00 * c.i00 + h01 * c.i01 + h02 * c.i02;
  v = frames > unknowns && det > 0 ? n.cost / (frames - unknowns) / det : none;
  c.i00 = use0 ? c.i00 : 0;
  c.i11 = use1 ? c.i11 : 0;
  c.i22 = use2 ? c.i22 : 0;
  c.i01 = use0 && use1 ? c.i01 : 0;
  c.i02 = use0 && use2 ? c.i02 : 0;
  c.i12 = use1 && use2 ? c.i12 : 0;
  c.a0 = s0 * (n.iaa * n.ca0 + n.iap * n.cp0);
  c.a1 = s1 * (n.iaa * ca1 + n.iap * cp1);
  c.a2 = use2 ? s2 * (n.iaa * n.ca2 + n.iap * n.cp2) : 0;
  c.p0 = s0 * (n.iap * n.ca0 + n.ipp * n.cp0);
  c.p1 = s1 * (n.iap * ca1 + n.ipp * cp1);
  c.p2 = use2 ? s2 * (n.iap * n.ca2 + n.ipp * n.cp2) : 0;
  c.s0 = s0;
  c.iaa = n.iaa * det;
  c.iap = n.iap * det;
  c.ipp = n.ipp * det;
  e.k = use0 ? k * s0 * sqrt (v * c.i00) : none;
  e.ta = s1 * vg_perfusion_delay_error (use1, v * c.i11, det);
  e.tp = shared ? e.ta : s2 * vg_perfusion_delay_error (use2, v * c.i22, det);
  e.a = n.a > 0 ? sqrt (v * vg_perfusion_propagate (&c, 1, 0, 0)) : none;
  e.p = n.p > 0 ? sqrt (v * vg_perfusion_propagate (&c, 0, 1, 0)) : none;
  e.total = sum > 0 ? sqrt (v * vg_perfusion_propagate (&c, 1, 1, 0)) : none;
  e.fraction = n.a > 0 && n.p > 0
                   ? sqrt (v * vg_perfusion_propagate (&c, n.p / sum, -n.a / sum, 0)) / sum
                   : none;
  e.volume = use0 && sum > 0 ? sqrt (v * vg_perfusion_propagate (&c, 1, 1, -sum)) / k : none;
  return e;
}
