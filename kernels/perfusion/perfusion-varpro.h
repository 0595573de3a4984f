/* SPDX-License-Identifier: MIT */
#pragma once
#include "perfusion-formula.h"
/* Variable projection for two curves A and P in unknown non-negative amounts
 * (Golub and Pereyra 1973, in Kaufman's form): the amounts have a closed form
 * at every trial of rate and delays, and one pass over the frames gives all
 * products that amounts, cost, gradient and Gauss-Newton matrix need. */

enum
{
  VG_PERFUSION_AA, VG_PERFUSION_AP, VG_PERFUSION_PP, VG_PERFUSION_AY, VG_PERFUSION_PY,
  /* k: dA/dk of A and P; t: of the delay */
  VG_PERFUSION_A_AK, VG_PERFUSION_A_PK, VG_PERFUSION_P_AK, VG_PERFUSION_P_PK,
  VG_PERFUSION_A_AT, VG_PERFUSION_P_AT, VG_PERFUSION_A_PT, VG_PERFUSION_P_PT,
  VG_PERFUSION_AK_AK, VG_PERFUSION_AK_PK, VG_PERFUSION_PK_PK,
  VG_PERFUSION_AK_AT, VG_PERFUSION_AK_PT, VG_PERFUSION_PK_AT, VG_PERFUSION_PK_PT,
  VG_PERFUSION_AT_AT, VG_PERFUSION_AT_PT, VG_PERFUSION_PT_PT,
  VG_PERFUSION_AK_Y, VG_PERFUSION_PK_Y, VG_PERFUSION_AT_Y, VG_PERFUSION_PT_Y,
  VG_PERFUSION_PRODUCTS,
};

/* Adds one frame of weight W and measured value Y to the products, which
 * stand STRIDE apart. */
VG_SCALAR void
vg_perfusion_gather (VgPerfusionReal *s, int stride, VgPerfusionPoint a, VgPerfusionPoint p, VgPerfusionReal y, VgPerfusionReal w)
{
  VgPerfusionReal wa = w * a.value, wp = w * p.value, wak = w * a.by_k, wpk = w * p.by_k;
  VgPerfusionReal wat = w * a.by_delay, wpt = w * p.by_delay;

#define ADD(i, x) s[VG_PERFUSION_##i * stride] += (x)
  ADD (AA, wa * a.value);
  ADD (AP, wa * p.value);
  ADD (PP, wp * p.value);
  ADD (AY, wa * y);
  ADD (PY, wp * y);
  ADD (A_AK, wa * a.by_k);
  ADD (A_PK, wa * p.by_k);
  ADD (P_AK, wp * a.by_k);
  ADD (P_PK, wp * p.by_k);
  ADD (A_AT, wa * a.by_delay);
  ADD (P_AT, wp * a.by_delay);
  ADD (A_PT, wa * p.by_delay);
  ADD (P_PT, wp * p.by_delay);
  ADD (AK_AK, wak * a.by_k);
  ADD (AK_PK, wak * p.by_k);
  ADD (PK_PK, wpk * p.by_k);
  ADD (AK_AT, wak * a.by_delay);
  ADD (AK_PT, wak * p.by_delay);
  ADD (PK_AT, wpk * a.by_delay);
  ADD (PK_PT, wpk * p.by_delay);
  ADD (AT_AT, wat * a.by_delay);
  ADD (AT_PT, wat * p.by_delay);
  ADD (PT_PT, wpt * p.by_delay);
  ADD (AK_Y, wak * y);
  ADD (PK_Y, wpk * y);
  ADD (AT_Y, wat * y);
  ADD (PT_Y, wpt * y);
#undef ADD
}

/* The non-negative amounts that fit best; AA and PP may be 0. */
VG_SCALAR void
vg_perfusion_amounts (VgPerfusionReal aa, VgPerfusionReal ap, VgPerfusionReal pp, VgPerfusionReal ay, VgPerfusionReal py,
                      VgPerfusionReal *a, VgPerfusionReal *p)
{
  const VgPerfusionReal tiny = sizeof (VgPerfusionReal) > 4 ? (VgPerfusionReal) 1e-12 : (VgPerfusionReal) 1e-6;
  VgPerfusionReal det = aa * pp - ap * ap, safe = det > tiny * aa * pp ? det : 1;
  VgPerfusionReal both_a = (pp * ay - ap * py) / safe, both_p = (aa * py - ap * ay) / safe;
  VgPerfusionReal only_a = aa > 0 && ay > 0 ? ay / (aa > 0 ? aa : 1) : 0, only_p = pp > 0 && py > 0 ? py / (pp > 0 ? pp : 1) : 0;
  int both = det > tiny * aa * pp && both_a > 0 && both_p > 0, first = only_a * ay >= only_p * py;

  *a = both ? both_a : first ? only_a : 0;
  *p = both ? both_p : first ? 0 : only_p;
}

/* How much of a unit curve a pair of unit atoms with OVERLAP takes: A and P
 * are the atoms' products with it, INVERSE is 1 / (1 - overlap^2).  An overlap
 * that is not a number leaves the atoms alone. */
VG_SCALAR float
vg_perfusion_pair_score (float a, float p, float overlap, float inverse)
{
  float left_a = a - overlap * p, left_p = p - overlap * a, both = p * p + left_a * left_a * inverse;
  float one = a > p ? a : p;

  one = one > 0 ? one * one : 0;
  return left_a > 0 && left_p > 0 ? both : one;
}

/* Cost, and for log k and the two delays the gradient (g, downhill) and the
 * Gauss-Newton matrix with the amounts projected out.  c: products of A and P
 * with the three columns of the Jacobian; inverse: of the amounts' matrix. */
typedef struct
{
  VgPerfusionReal a, p, cost;
  VgPerfusionReal g0, g1, g2, h00, h01, h02, h11, h12, h22;
  VgPerfusionReal ca0, ca1, ca2, cp0, cp1, cp2, iaa, iap, ipp;
} VgPerfusionNormal;

VG_SCALAR VgPerfusionNormal
vg_perfusion_project (const VgPerfusionReal *s, int stride, VgPerfusionReal yy, VgPerfusionReal k)
{
#define S(i) s[VG_PERFUSION_##i * stride]
  VgPerfusionReal aa = S (AA), ap = S (AP), pp = S (PP), a, p, y0, y1, y2, det;
  VgPerfusionNormal n;
  int use_a, use_p;

  vg_perfusion_amounts (aa, ap, pp, S (AY), S (PY), &a, &p);
  n.a = a;
  n.p = p;
  n.cost = yy - a * S (AY) - p * S (PY);
  n.cost = n.cost > 0 ? n.cost : 0;
  n.ca0 = k * (a * S (A_AK) + p * S (A_PK));
  n.cp0 = k * (a * S (P_AK) + p * S (P_PK));
  n.ca1 = a * S (A_AT);
  n.cp1 = a * S (P_AT);
  n.ca2 = p * S (A_PT);
  n.cp2 = p * S (P_PT);
  y0 = k * (a * S (AK_Y) + p * S (PK_Y));
  y1 = a * S (AT_Y);
  y2 = p * S (PT_Y);
  n.g0 = y0 - a * n.ca0 - p * n.cp0;
  n.g1 = y1 - a * n.ca1 - p * n.cp1;
  n.g2 = y2 - a * n.ca2 - p * n.cp2;
  n.h00 = k * k * (a * a * S (AK_AK) + 2 * a * p * S (AK_PK) + p * p * S (PK_PK));
  n.h01 = k * a * (a * S (AK_AT) + p * S (PK_AT));
  n.h02 = k * p * (a * S (AK_PT) + p * S (PK_PT));
  n.h11 = a * a * S (AT_AT);
  n.h12 = a * p * S (AT_PT);
  n.h22 = p * p * S (PT_PT);
#undef S
  use_a = a > 0 && aa > 0;
  use_p = p > 0 && pp > 0;
  det = aa * pp - ap * ap;
  det = use_a && use_p && det > 0 ? det : 1;
  n.iaa = use_a ? (use_p ? pp / det : 1 / (use_a ? aa : 1)) : 0;
  n.ipp = use_p ? (use_a ? aa / det : 1 / (use_p ? pp : 1)) : 0;
  n.iap = use_a && use_p ? -ap / det : 0;
#define PROJECT(i, j) (n.ca##i * (n.iaa * n.ca##j + n.iap * n.cp##j) + n.cp##i * (n.iap * n.ca##j + n.ipp * n.cp##j))
  n.h00 -= PROJECT (0, 0);
  n.h01 -= PROJECT (0, 1);
  n.h02 -= PROJECT (0, 2);
  n.h11 -= PROJECT (1, 1);
  n.h12 -= PROJECT (1, 2);
  n.h22 -= PROJECT (2, 2);
#undef PROJECT
  return n;
}

/* Which delays are found by the fit. */
typedef enum
{
  VG_PERFUSION_DELAYS_FREE,
  VG_PERFUSION_DELAYS_SHARED,   /* one for both inputs */
  VG_PERFUSION_DELAYS_NONE,     /* as given */
} VgPerfusionDelays;

typedef struct
{
  double k_min, k_max, delay_min, delay_max;   /* 1/s, s */
  VgPerfusionDelays delays;
} VgPerfusionBounds;

/* The same as the fit reads it, the rate as its logarithm. */
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

/* One step of Levenberg and Marquardt from (log_k, ta, tp), damped by LAMBDA,
 * kept within the bounds: a coordinate that is held by its bound does not
 * move.  GAIN: the fall of the cost that the step promises without damping. */
VG_SCALAR void
vg_perfusion_step (VgPerfusionNormal n, const VgPerfusionRange *bounds, VgPerfusionReal lambda, VgPerfusionReal *log_k,
                   VgPerfusionReal *ta, VgPerfusionReal *tp, VgPerfusionReal *gain)
{
  const VgPerfusionReal log_k_min = bounds->log_k_min, log_k_max = bounds->log_k_max;
  const VgPerfusionReal tiny = sizeof (VgPerfusionReal) > 4 ? (VgPerfusionReal) 1e-30 : (VgPerfusionReal) 1e-20;
  int shared = bounds->delays == VG_PERFUSION_DELAYS_SHARED, fixed = bounds->delays == VG_PERFUSION_DELAYS_NONE;
  VgPerfusionReal g0 = n.g0, g1 = shared ? n.g1 + n.g2 : n.g1, g2 = n.g2;
  VgPerfusionReal h00 = n.h00, h01 = shared ? n.h01 + n.h02 : n.h01, h02 = n.h02;
  VgPerfusionReal h11 = shared ? n.h11 + n.h22 + 2 * n.h12 : n.h11, h12 = n.h12, h22 = n.h22;
  VgPerfusionReal l10, l20, l21, z0, z1, z2, damp = 1 + lambda, limit;
  int hold0 = !(h00 > tiny) || (*log_k <= log_k_min && g0 < 0) || (*log_k >= log_k_max && g0 > 0);
  int hold1 = fixed || !(h11 > tiny) || (*ta <= bounds->delay_min && g1 < 0) || (*ta >= bounds->delay_max && g1 > 0);
  int hold2 = fixed || shared || !(h22 > tiny) || (*tp <= bounds->delay_min && g2 < 0) || (*tp >= bounds->delay_max && g2 > 0);

  g0 = hold0 ? 0 : g0;
  g1 = hold1 ? 0 : g1;
  g2 = hold2 ? 0 : g2;
  h01 = hold0 || hold1 ? 0 : h01;
  h02 = hold0 || hold2 ? 0 : h02;
  h12 = hold1 || hold2 ? 0 : h12;
  h00 = hold0 ? 1 : h00 * damp;
  h11 = hold1 ? 1 : h11 * damp;
  h22 = hold2 ? 1 : h22 * damp;
  /* L D L': a pivot that rounding made too small is held to a part of its diagonal */
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
  /* no leap: half a decade of rate, a few seconds */
  z0 = z0 > 1 ? 1 : z0 < -1 ? -1 : z0;
  z1 = z1 > 4 ? 4 : z1 < -4 ? -4 : z1;
  z2 = shared ? z1 : z2 > 4 ? 4 : z2 < -4 ? -4 : z2;
  z0 += *log_k;
  *log_k = z0 < log_k_min ? log_k_min : z0 > log_k_max ? log_k_max : z0;
  z1 += *ta;
  *ta = z1 < bounds->delay_min ? bounds->delay_min : z1 > bounds->delay_max ? bounds->delay_max : z1;
  z2 += *tp;
  *tp = z2 < bounds->delay_min ? bounds->delay_min : z2 > bounds->delay_max ? bounds->delay_max : z2;
}

/* Standard errors of amounts, rate and delays from the curvature at the
 * minimum; NaN where the data say nothing of a quantity. */
typedef struct
{
  VgPerfusionReal a, p, k, ta, tp;
} VgPerfusionFitError;

VG_SCALAR VgPerfusionFitError
vg_perfusion_fit_error (VgPerfusionNormal n, const VgPerfusionRange *bounds, int dual, VgPerfusionReal k, int frames)
{
  int shared = bounds->delays == VG_PERFUSION_DELAYS_SHARED && dual, fixed = bounds->delays == VG_PERFUSION_DELAYS_NONE;
  int use1 = !fixed && (n.a > 0 || (shared && n.p > 0)), use2 = !fixed && !shared && n.p > 0;
  VgPerfusionReal h01 = shared ? n.h01 + n.h02 : n.h01, h11 = shared ? n.h11 + n.h22 + 2 * n.h12 : n.h11, h02 = n.h02, h12 = n.h12;
  VgPerfusionReal ca1 = shared ? n.ca1 + n.ca2 : n.ca1, cp1 = shared ? n.cp1 + n.cp2 : n.cp1;
  VgPerfusionReal h22 = use2 ? n.h22 : 1, i00, i01, i02, i11, i12, i22, det, v, a0, a1, a2, p0, p1, p2;
  int unknowns = 1 + (n.a > 0) + (n.p > 0) + use1 + use2;
  VgPerfusionFitError e;

  h01 = use1 ? h01 : 0;
  h11 = use1 ? h11 : 1;
  h02 = use2 ? h02 : 0;
  h12 = use1 && use2 ? h12 : 0;
  ca1 = use1 ? ca1 : 0;
  cp1 = use1 ? cp1 : 0;
  i00 = h11 * h22 - h12 * h12;
  i01 = h02 * h12 - h01 * h22;
  i02 = h01 * h12 - h02 * h11;
  i11 = n.h00 * h22 - h02 * h02;
  i12 = h01 * h02 - n.h00 * h12;
  i22 = n.h00 * h11 - h01 * h01;
  det = n.h00 * i00 + h01 * i01 + h02 * i02;
  v = frames > unknowns && det > 0 ? n.cost / (frames - unknowns) / det : (VgPerfusionReal) NAN;
  i11 = use1 ? i11 : 0;
  i22 = use2 ? i22 : 0;
  i01 = use1 ? i01 : 0;
  i02 = use2 ? i02 : 0;
  i12 = use1 && use2 ? i12 : 0;
  /* amounts: G^-1 + (G^-1 C) H^-1 (G^-1 C)' */
  a0 = n.iaa * n.ca0 + n.iap * n.cp0;
  a1 = n.iaa * ca1 + n.iap * cp1;
  a2 = use2 ? n.iaa * n.ca2 + n.iap * n.cp2 : 0;
  p0 = n.iap * n.ca0 + n.ipp * n.cp0;
  p1 = n.iap * ca1 + n.ipp * cp1;
  p2 = use2 ? n.iap * n.ca2 + n.ipp * n.cp2 : 0;
  e.k = k * sqrt (v * i00);
  e.ta = use1 ? sqrt (v * i11) : (VgPerfusionReal) NAN;
  e.tp = shared ? e.ta : use2 ? sqrt (v * i22) : (VgPerfusionReal) NAN;
  e.a = n.a > 0 ? sqrt (v * (n.iaa * det + a0 * a0 * i00 + a1 * a1 * i11 + a2 * a2 * i22 + 2 * (a0 * a1 * i01 + a0 * a2 * i02 + a1 * a2 * i12)))
                : (VgPerfusionReal) NAN;
  e.p = n.p > 0 ? sqrt (v * (n.ipp * det + p0 * p0 * i00 + p1 * p1 * i11 + p2 * p2 * i22 + 2 * (p0 * p1 * i01 + p0 * p2 * i02 + p1 * p2 * i12)))
                : (VgPerfusionReal) NAN;
  return e;
}
