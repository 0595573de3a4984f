/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/base/vg-scalar.h"
/* A tissue curve from an input: dA/dt = f(t - delay) - k A, with A = 0 before the first sample.
 * The input is linear between its samples, 0 before the first and constant after the last, so A
 * is an exact recursion without quadrature, at any delay (docs/perfusion.md).  Both backends
 * compile it; VG_PERFUSION_REAL is the precision. */

#ifndef VG_PERFUSION_REAL
#define VG_PERFUSION_REAL double
#endif
typedef VG_PERFUSION_REAL VgPerfusionReal;

/* The factor from rates in 1/s to ml/100 g/min at 1 g/ml. */
#define VG_PERFUSION_RATE 6000.0

/* How an elementary curve depends on its input. */
typedef enum {
  VG_PERFUSION_EXPONENTIAL, /* the convolution with exp (-k t) */
  VG_PERFUSION_INTEGRAL,    /* the integral: k = 0 */
  VG_PERFUSION_INPUT,       /* the input itself: blood */
} VgPerfusionKind;

/* exp (-x) for 0 <= x to rounding error, without a function call, so that loops over voxels
 * vectorise. */
VG_SCALAR VgPerfusionReal
vg_perfusion_exp (VgPerfusionReal x)
{
#ifdef __CUDACC__
  return exp (-x);
#else
  union
  {
    unsigned long long i;
    double d;
  } scale;
  double clamped = x < 700.0 ? x : 700.0;
  /* Adding this number rounds to an integer. */
  double shifted = -clamped * 1.4426950408889634 + 6755399441055744.0;
  double n = shifted - 6755399441055744.0;
  double r = (-clamped - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10;
  double s = 1.0 / 6227020800.0;

  s = s * r + 1.0 / 479001600.0;
  s = s * r + 1.0 / 39916800.0;
  s = s * r + 1.0 / 3628800.0;
  s = s * r + 1.0 / 362880.0;
  s = s * r + 1.0 / 40320.0;
  s = s * r + 1.0 / 5040.0;
  s = s * r + 1.0 / 720.0;
  s = s * r + 1.0 / 120.0;
  s = s * r + 1.0 / 24.0;
  s = s * r + 1.0 / 6.0;
  s = s * r + 0.5;
  s = s * r + 1.0;
  s = s * r + 1.0;
  scale.d = shifted;
  scale.i = (scale.i + 1023) << 52;
  return s * scale.d;
#endif
}

/* Weights of the two ends of a linear piece over which a curve decays by x: the integrals of exp
 * (-x u) times u and 1 - u over u from 0 to 1, and their derivatives by x. */
typedef struct
{
  VgPerfusionReal decay, far_end, near_end, far_slope, near_slope;
} VgPerfusionPiece;

VG_SCALAR VgPerfusionPiece
vg_perfusion_piece (VgPerfusionReal x)
{
  const VgPerfusionReal one = 1, half = (VgPerfusionReal) 0.5;
  VgPerfusionReal small = x < one ? x : one, large = x > half ? x : half;
  /* phi3 = (1/2 - phi2) / x, by its series for small x; then phi2, phi1 and phi0 without
   * cancellation. */
  VgPerfusionReal s = sizeof (VgPerfusionReal) > 4 ? (VgPerfusionReal) (1.0 / 355687428096000.0)
                                                   : 0;
  VgPerfusionReal e = vg_perfusion_exp (x), p1, p2, p3;
  VgPerfusionPiece piece;

  if (sizeof (VgPerfusionReal) > 4)
    {
      s = (VgPerfusionReal) (1.0 / 20922789888000.0) - small * s;
      s = (VgPerfusionReal) (1.0 / 1307674368000.0) - small * s;
      s = (VgPerfusionReal) (1.0 / 87178291200.0) - small * s;
      s = (VgPerfusionReal) (1.0 / 6227020800.0) - small * s;
      s = (VgPerfusionReal) (1.0 / 479001600.0) - small * s;
    }
  s = (VgPerfusionReal) (1.0 / 39916800.0) - small * s;
  s = (VgPerfusionReal) (1.0 / 3628800.0) - small * s;
  s = (VgPerfusionReal) (1.0 / 362880.0) - small * s;
  s = (VgPerfusionReal) (1.0 / 40320.0) - small * s;
  s = (VgPerfusionReal) (1.0 / 5040.0) - small * s;
  s = (VgPerfusionReal) (1.0 / 720.0) - small * s;
  s = (VgPerfusionReal) (1.0 / 120.0) - small * s;
  s = (VgPerfusionReal) (1.0 / 24.0) - small * s;
  s = (VgPerfusionReal) (1.0 / 6.0) - small * s;
  p1 = (one - e) / large;
  p2 = (one - p1) / large;
  p3 = x < one ? s : (half - p2) / large;
  p2 = x < one ? half - x * p3 : p2;
  p1 = x < one ? one - x * p2 : p1;
  piece.decay = x < one ? one - x * p1 : e;
  piece.far_end = p1 - p2;
  piece.near_end = p2;
  piece.far_slope = -(p1 - 2 * p2 + 2 * p3);
  piece.near_slope = -(p2 - 2 * p3);
  return piece;
}

/* On an even grid of step T the delayed time of each frame has the same distance from the
 * previous sample, so that A <- decay A + c0 f[j] + c1 f[j+1] + c2 f[j+2] with constant
 * coefficients.  by_k: the same for dA/dk; by_delay: dA/ddelay = rate A + g0 f + g1 f. */
typedef struct
{
  int shift;                   /* frame i lies in interval i + shift of the input */
  VgPerfusionReal decay, step; /* for one frame; dA/dk loses step * decay * A */
  VgPerfusionReal c0, c1, c2, first, d0, d1, d2, first_d;
  VgPerfusionReal rate, g0, g1;
} VgPerfusionColumn;

VG_SCALAR VgPerfusionColumn
vg_perfusion_column (VgPerfusionKind kind, VgPerfusionReal k, VgPerfusionReal delay,
                     VgPerfusionReal step, VgPerfusionReal inverse_step)
{
  VgPerfusionReal place = -delay * inverse_step, whole = floor (place), w = place - whole;
  VgPerfusionReal rate = kind == VG_PERFUSION_EXPONENTIAL ? k : 0, h1 = (1 - w) * step,
                  h2 = w * step;
  VgPerfusionPiece p = vg_perfusion_piece (rate * h1), q = vg_perfusion_piece (rate * h2);
  VgPerfusionReal near = p.far_end * w + p.near_end, near_d = (p.far_slope * w + p.near_slope) * h1;
  VgPerfusionReal far = p.far_end * (1 - w), far_d = p.far_slope * (1 - w) * h1;
  VgPerfusionColumn c;

  c.shift = (int) whole;
  c.step = step;
  c.decay = p.decay * q.decay;
  c.first = h2 * (q.far_end + q.near_end * (1 - w));
  c.first_d = h2 * h2 * (q.far_slope + q.near_slope * (1 - w));
  c.c0 = q.decay * h1 * far;
  c.c1 = q.decay * h1 * near + c.first;
  c.c2 = h2 * q.near_end * w;
  c.d0 = q.decay * h1 * (far_d - h2 * far);
  c.d1 = q.decay * h1 * (near_d - h2 * near) + c.first_d;
  c.d2 = h2 * h2 * q.near_slope * w;
  c.rate = rate;
  c.g0 = w - 1;
  c.g1 = -w;
  if (kind == VG_PERFUSION_INPUT)
    {
      c.decay = c.c0 = c.d0 = c.d1 = c.d2 = c.first_d = 0;
      c.c1 = c.first = 1 - w;
      c.c2 = w;
      c.g0 = inverse_step;
      c.g1 = -inverse_step;
    }
  return c;
}

/* The curve and its derivatives at one frame. */
typedef struct
{
  VgPerfusionReal value, by_k, by_delay;
} VgPerfusionPoint;

/* Advances to the next frame, whose delayed time lies in interval J of the input; F0, F1, F2 are
 * the input at J - 1, J, J + 1. */
VG_SCALAR VgPerfusionPoint
vg_perfusion_next (VgPerfusionColumn c, VgPerfusionPoint last, int j, VgPerfusionReal f0,
                   VgPerfusionReal f1, VgPerfusionReal f2)
{
  VgPerfusionReal c1 = j > 0 ? c.c1 : c.first, d1 = j > 0 ? c.d1 : c.first_d;
  VgPerfusionReal a = c.decay * last.value + c.c0 * f0 + c1 * f1 + c.c2 * f2;
  VgPerfusionReal b = c.decay * (last.by_k - c.step * last.value) + c.d0 * f0 + d1 * f1 + c.d2 * f2;
  VgPerfusionPoint point;

  point.value = j >= 0 ? a : 0;
  point.by_k = j >= 0 ? b : 0;
  point.by_delay = j >= 0 ? c.rate * a + c.g0 * f1 + c.g1 * f2 : 0;
  return point;
}

/* Adds one linear piece of length H from F0 to F1, for uneven grids. */
VG_SCALAR void
vg_perfusion_advance (VgPerfusionReal k, VgPerfusionReal h, VgPerfusionReal f0, VgPerfusionReal f1,
                      VgPerfusionReal *a, VgPerfusionReal *b)
{
  VgPerfusionPiece p = vg_perfusion_piece (k * h);

  *b = p.decay * (*b - h * *a) + h * h * (p.far_slope * f0 + p.near_slope * f1);
  *a = p.decay * *a + h * (p.far_end * f0 + p.near_end * f1);
}

/* The recursion along an input with N samples F at increasing times T, for uneven grids.
 * Requested times must not decrease. */
typedef struct
{
  int next; /* the first sample after `time` */
  VgPerfusionReal time, f, a, b;
} VgPerfusionWalk;

/* clang-format off */
#define VG_PERFUSION_WALK_START { 0, 0, 0, 0, 0 }
/* clang-format on */

VG_SCALAR VgPerfusionPoint
vg_perfusion_walk (VgPerfusionWalk *self, VgPerfusionKind kind, VgPerfusionReal k,
                   VgPerfusionReal time, const VgPerfusionReal *t, const VgPerfusionReal *f, int n)
{
  VgPerfusionReal rate = kind == VG_PERFUSION_EXPONENTIAL ? k : 0, slope = 0;
  VgPerfusionPoint point = { 0, 0, 0 };

  if (time < t[0])
    return point;
  if (self->next == 0)
    {
      self->next = 1;
      self->time = t[0];
      self->f = f[0];
    }
  for (; self->next < n && t[self->next] <= time; self->next++)
    {
      vg_perfusion_advance (rate, t[self->next] - self->time, self->f, f[self->next], &self->a,
                            &self->b);
      self->time = t[self->next];
      self->f = f[self->next];
    }
  if (self->next < n)
    slope = (f[self->next] - f[self->next - 1]) / (t[self->next] - t[self->next - 1]);
  if (time > self->time)
    {
      VgPerfusionReal end = self->next < n ? f[self->next - 1] + slope * (time - t[self->next - 1])
                                           : self->f;

      vg_perfusion_advance (rate, time - self->time, self->f, end, &self->a, &self->b);
      self->time = time;
      self->f = end;
    }
  point.value = kind == VG_PERFUSION_INPUT ? self->f : self->a;
  point.by_k = kind == VG_PERFUSION_EXPONENTIAL ? self->b : 0;
  point.by_delay = kind == VG_PERFUSION_INPUT ? -slope : rate * self->a - self->f;
  return point;
}
