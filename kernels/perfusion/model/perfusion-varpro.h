/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/model/perfusion-formula.h"
/* Variable projection for two curves A and P with unknown non-negative amounts (Golub and Pereyra
 * 1973, in Kaufman's form).  The amounts have a closed form for each trial of rate and delays,
 * and one pass over the frames gives all products for amounts, cost, gradient and Gauss-Newton
 * matrix. */

enum {
  VG_PERFUSION_AA,
  VG_PERFUSION_AP,
  VG_PERFUSION_PP,
  VG_PERFUSION_AY,
  VG_PERFUSION_PY,
  /* k: the derivatives of A and P by k; t: those by the delay. */
  VG_PERFUSION_A_AK,
  VG_PERFUSION_A_PK,
  VG_PERFUSION_P_AK,
  VG_PERFUSION_P_PK,
  VG_PERFUSION_A_AT,
  VG_PERFUSION_P_AT,
  VG_PERFUSION_A_PT,
  VG_PERFUSION_P_PT,
  VG_PERFUSION_AK_AK,
  VG_PERFUSION_AK_PK,
  VG_PERFUSION_PK_PK,
  VG_PERFUSION_AK_AT,
  VG_PERFUSION_AK_PT,
  VG_PERFUSION_PK_AT,
  VG_PERFUSION_PK_PT,
  VG_PERFUSION_AT_AT,
  VG_PERFUSION_AT_PT,
  VG_PERFUSION_PT_PT,
  VG_PERFUSION_AK_Y,
  VG_PERFUSION_PK_Y,
  VG_PERFUSION_AT_Y,
  VG_PERFUSION_PT_Y,
  VG_PERFUSION_PRODUCTS,
};

/* Adds one frame of weight W and measured value Y to the products, which are STRIDE apart. */
VG_SCALAR void
vg_perfusion_gather (VgPerfusionReal *s, int stride, VgPerfusionPoint a, VgPerfusionPoint p,
                     VgPerfusionReal y, VgPerfusionReal w)
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

/* The non-negative amounts of least squares; AA and PP may be 0. */
VG_SCALAR void
vg_perfusion_amounts (VgPerfusionReal aa, VgPerfusionReal ap, VgPerfusionReal pp,
                      VgPerfusionReal ay, VgPerfusionReal py, VgPerfusionReal *a,
                      VgPerfusionReal *p)
{
  const VgPerfusionReal tiny = sizeof (VgPerfusionReal) > 4 ? (VgPerfusionReal) 1e-12
                                                            : (VgPerfusionReal) 1e-6;
  VgPerfusionReal det = aa * pp - ap * ap, safe = det > tiny * aa * pp ? det : 1;
  VgPerfusionReal both_a = (pp * ay - ap * py) / safe, both_p = (aa * py - ap * ay) / safe;
  VgPerfusionReal only_a = aa > 0 && ay > 0 ? ay / (aa > 0 ? aa : 1) : 0,
                  only_p = pp > 0 && py > 0 ? py / (pp > 0 ? pp : 1) : 0;
  int both = det > tiny * aa * pp && both_a > 0 && both_p > 0, first = only_a * ay >= only_p * py;

  *a = both ? both_a : first ? only_a : 0;
  *p = both ? both_p : first ? 0 : only_p;
}

/* The fraction of a unit curve that a pair of unit atoms with OVERLAP explains: A and P are the
 * atoms' products with it, and INVERSE is 1 / (1 - overlap^2).  If the overlap is NaN, the better
 * atom alone counts. */
VG_SCALAR float
vg_perfusion_pair_score (float a, float p, float overlap, float inverse)
{
  float left_a = a - overlap * p, left_p = p - overlap * a,
        both = p * p + left_a * left_a * inverse;
  float one = a > p ? a : p;

  one = one > 0 ? one * one : 0;
  return left_a > 0 && left_p > 0 ? both : one;
}

/* Cost, and for log k and the two delays the gradient (g, downhill) and the Gauss-Newton matrix
 * with the amounts projected out.  c: products of A and P with the three columns of the Jacobian;
 * inverse: of the amounts' matrix. */
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
#define PROJECT(i, j)                                                                              \
  (n.ca##i * (n.iaa * n.ca##j + n.iap * n.cp##j) + n.cp##i * (n.iap * n.ca##j + n.ipp * n.cp##j))
  n.h00 -= PROJECT (0, 0);
  n.h01 -= PROJECT (0, 1);
  n.h02 -= PROJECT (0, 2);
  n.h11 -= PROJECT (1, 1);
  n.h12 -= PROJECT (1, 2);
  n.h22 -= PROJECT (2, 2);
#undef PROJECT
  return n;
}

/* As vg_perfusion_project, from products that vg_perfusion_gather summed with the residuals of the
 * amounts A and P in place of the measured curve; RR: the sum of squares of these residuals.  S is
 * overwritten.  Amounts, cost and gradient are those amounts' plus small changes.  Differences of
 * products with the whole curve would cancel digits in float. */
VG_SCALAR VgPerfusionNormal
vg_perfusion_project_left (VgPerfusionReal *s, VgPerfusionReal rr, VgPerfusionReal yy,
                           VgPerfusionReal a, VgPerfusionReal p, VgPerfusionReal k)
{
#define S(i) s[VG_PERFUSION_##i]
  /* products of the residuals */
  const VgPerfusionReal ar = S (AY), pr = S (PY), akr = S (AK_Y), pkr = S (PK_Y), atr = S (AT_Y),
                        ptr = S (PT_Y);
  VgPerfusionReal da, dp, left_a, left_p, j0, j1, j2;
  VgPerfusionNormal n;

  S (AY) += a * S (AA) + p * S (AP);
  S (PY) += a * S (AP) + p * S (PP);
  S (AK_Y) += a * S (A_AK) + p * S (P_AK);
  S (PK_Y) += a * S (A_PK) + p * S (P_PK);
  S (AT_Y) += a * S (A_AT) + p * S (P_AT);
  S (PT_Y) += a * S (A_PT) + p * S (P_PT);
  n = vg_perfusion_project (s, 1, yy, k);
  /* the residuals of the new amounts, and what they change */
  da = n.a - a;
  dp = n.p - p;
  left_a = ar - da * S (AA) - dp * S (AP);
  left_p = pr - da * S (AP) - dp * S (PP);
  j0 = k *
       (n.a * (akr - da * S (A_AK) - dp * S (P_AK)) + n.p * (pkr - da * S (A_PK) - dp * S (P_PK)));
  j1 = n.a * (atr - da * S (A_AT) - dp * S (P_AT));
  j2 = n.p * (ptr - da * S (A_PT) - dp * S (P_PT));
  rr -= da * (ar + left_a) + dp * (pr + left_p);
  da = n.iaa * left_a + n.iap * left_p;
  dp = n.iap * left_a + n.ipp * left_p;
  n.cost = rr - da * left_a - dp * left_p;
  n.cost = n.cost > 0 ? n.cost : 0;
  n.g0 = j0 - da * n.ca0 - dp * n.cp0;
  n.g1 = j1 - da * n.ca1 - dp * n.cp1;
  n.g2 = j2 - da * n.ca2 - dp * n.cp2;
  n.a = n.a + da > 0 ? n.a + da : n.a;
  n.p = n.p + dp > 0 ? n.p + dp : n.p;
#undef S
  return n;
}
