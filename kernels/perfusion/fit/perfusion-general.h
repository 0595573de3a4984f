/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/model/perfusion-descent.h"
/* The models with a plasma space.  Each is a sum of two curves of one input with non-negative
 * amounts; the input is a mixture of artery and portal vein, each delayed:
 *   extended Tofts  Ktrans exp (-kep t) + vp
 *   Patlak          Ktrans + vp
 *   uptake          (F - F E) exp (-t / T) + F E, E = PS / (F + PS), T = vp / (F + PS)
 *   exchange        two exponentials
 * (Sourbron and Buckley, Phys. Med. Biol. 57, R1, 2012), where Ktrans and F E alone multiply the
 * integral and vp multiplies the input itself.  The parameters are log k1, log k2, the two delays
 * and the arterial fraction; those that a model does not have remain unchanged. */

#ifndef VG_PERFUSION_SAMPLE
#define VG_PERFUSION_SAMPLE VgPerfusionReal /* the type of a measured curve's samples */
#endif

#ifdef __CUDACC__
/* A separate function on the GPU.  With everything in one kernel nvcc 13.0 misplaced an array on
 * the stack, and a kernel that holds everything spills registers. */
#define VG_PERFUSION_NOINLINE [[maybe_unused]] __host__ __device__ static __noinline__
#ifdef __CUDA_ARCH__
/* so that small arrays are registers; and so that the code fits into the instruction cache */
#define VG_PERFUSION_UNROLL _Pragma ("unroll")
#define VG_PERFUSION_LOOP _Pragma ("unroll 1")
#else
#define VG_PERFUSION_UNROLL
#define VG_PERFUSION_LOOP
#endif
#define VG_PERFUSION_WITHIN __host__ __device__ static __forceinline__
#else
#define VG_PERFUSION_NOINLINE VG_SCALAR
#define VG_PERFUSION_UNROLL _Pragma ("GCC unroll 8")
#define VG_PERFUSION_LOOP
#define VG_PERFUSION_WITHIN static inline __attribute__ ((always_inline))
#endif

enum {
  VG_PERFUSION_LOG_K1,
  VG_PERFUSION_LOG_K2,
  VG_PERFUSION_TA,
  VG_PERFUSION_TP,
  VG_PERFUSION_SHARE,
  VG_PERFUSION_UNKNOWNS,
};

/* The data of a fit, in its precision. */
typedef struct
{
  int model, dual, n, even;
  VgPerfusionReal step;
  const VgPerfusionReal *times, *artery, *portal, *weights;
  VgPerfusionRange bounds;
} VgPerfusionTask;

/* An elementary curve, computed frame by frame. */
typedef struct
{
  VgPerfusionColumn column;
  VgPerfusionPoint point;
  VgPerfusionWalk walk;
  VgPerfusionKind kind;
  VgPerfusionReal k, delay;
  const VgPerfusionReal *input;
} VgPerfusionCursor;

VG_SCALAR void
vg_perfusion_cursor_next (const VgPerfusionTask *task, VgPerfusionCursor *self, int frame)
{
  int j = frame + self->column.shift;

  if (!task->even)
    self->point = vg_perfusion_walk (&self->walk, self->kind, self->k,
                                     task->times[frame] - self->delay, task->times, self->input,
                                     task->n);
  else if (j >= 0)
    self->point = vg_perfusion_next (self->column, self->point, j, self->input[j - 1],
                                     self->input[j], self->input[j + 1]);
}

VG_SCALAR VgPerfusionCursor
vg_perfusion_cursor (const VgPerfusionTask *task, const VgPerfusionReal *input,
                     VgPerfusionKind kind, VgPerfusionReal k, VgPerfusionReal delay)
{
  const VgPerfusionPoint none = { 0, 0, 0 };
  const VgPerfusionWalk start = VG_PERFUSION_WALK_START;
  VgPerfusionCursor self;

  self.column = vg_perfusion_column (kind, k, delay, task->even ? task->step : 1,
                                     task->even ? 1 / task->step : 1);
  self.point = none;
  self.walk = start;
  self.kind = kind;
  self.k = k;
  self.delay = delay;
  self.input = input;
  for (int frame = -self.column.shift; task->even && frame < 0; frame++)
    vg_perfusion_cursor_next (task, &self, frame);
  return self;
}

/* The kind of the first or SECOND curve. */
VG_SCALAR VgPerfusionKind
vg_perfusion_kind (int model, int second)
{
  if (!second)
    return model == 2 ? VG_PERFUSION_INTEGRAL : VG_PERFUSION_EXPONENTIAL;
  return model == 3   ? VG_PERFUSION_INTEGRAL
         : model == 4 ? VG_PERFUSION_EXPONENTIAL
                      : VG_PERFUSION_INPUT;
}

/* Returns RANGE with the bounds for MODEL.  Transit times of blood are a few seconds, so the upper
 * bound is eight times higher for the rate of the uptake model and the faster rate of the exchange
 * model.  Otherwise a fit would end at the bound although the minimum lies beyond it. */
VG_SCALAR VgPerfusionRange
vg_perfusion_general_range (int model, VgPerfusionRange range)
{
  range.log_k_max += model >= 3 ? (VgPerfusionReal) 2.0794415416798357 : 0;
  return range;
}

/* Whether the fit changes parameter Q. */
VG_SCALAR int
vg_perfusion_moves (const VgPerfusionTask *task, int q)
{
  switch (q)
    {
    case VG_PERFUSION_LOG_K1:
      return task->model != 2;
    case VG_PERFUSION_LOG_K2:
      return task->model == 4;
    case VG_PERFUSION_TA:
      return task->bounds.delays != VG_PERFUSION_DELAYS_NONE;
    case VG_PERFUSION_TP:
      return task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_FREE;
    default:
      return task->dual;
    }
}

/* Both curves of a model with one or two inputs. */
typedef struct
{
  VgPerfusionCursor ua, va, up, vp;
  VgPerfusionReal share, k1, k2;
  int dual, shared;
} VgPerfusionPair;

VG_SCALAR VgPerfusionPair
vg_perfusion_pair (const VgPerfusionTask *task, const VgPerfusionReal *x)
{
  VgPerfusionKind first = vg_perfusion_kind (task->model, 0),
                  second = vg_perfusion_kind (task->model, 1);
  VgPerfusionPair self;

  self.k1 = exp (x[VG_PERFUSION_LOG_K1]);
  self.k2 = exp (x[VG_PERFUSION_LOG_K2]);
  self.share = task->dual ? x[VG_PERFUSION_SHARE] : 1;
  self.dual = task->dual;
  self.shared = task->bounds.delays == VG_PERFUSION_DELAYS_SHARED;
  self.ua = vg_perfusion_cursor (task, task->artery, first, self.k1, x[VG_PERFUSION_TA]);
  self.va = vg_perfusion_cursor (task, task->artery, second, self.k2, x[VG_PERFUSION_TA]);
  self.up = self.ua;
  self.vp = self.va;
  if (task->dual)
    {
      self.up = vg_perfusion_cursor (task, task->portal, first, self.k1, x[VG_PERFUSION_TP]);
      self.vp = vg_perfusion_cursor (task, task->portal, second, self.k2, x[VG_PERFUSION_TP]);
    }
  return self;
}

VG_SCALAR void
vg_perfusion_pair_next (const VgPerfusionTask *task, VgPerfusionPair *self, int frame)
{
  vg_perfusion_cursor_next (task, &self->ua, frame);
  vg_perfusion_cursor_next (task, &self->va, frame);
  if (self->dual)
    {
      vg_perfusion_cursor_next (task, &self->up, frame);
      vg_perfusion_cursor_next (task, &self->vp, frame);
    }
}

VG_SCALAR VgPerfusionReal
vg_perfusion_mix (const VgPerfusionPair *self, VgPerfusionReal a, VgPerfusionReal p)
{
  return self->dual ? self->share * a + (1 - self->share) * p : a;
}

VG_SCALAR VgPerfusionReal
vg_perfusion_pair_u (const VgPerfusionPair *self)
{
  return vg_perfusion_mix (self, self->ua.point.value, self->up.point.value);
}

VG_SCALAR VgPerfusionReal
vg_perfusion_pair_v (const VgPerfusionPair *self)
{
  return vg_perfusion_mix (self, self->va.point.value, self->vp.point.value);
}

/* The derivatives of a u + b v by the parameters. */
VG_SCALAR void
vg_perfusion_pair_slopes (const VgPerfusionPair *self, VgPerfusionReal a, VgPerfusionReal b,
                          VgPerfusionReal *j)
{
  VgPerfusionReal by_a = a * self->ua.point.by_delay + b * self->va.point.by_delay;
  VgPerfusionReal by_p = a * self->up.point.by_delay + b * self->vp.point.by_delay;

  j[VG_PERFUSION_LOG_K1] = a * self->k1 *
                           vg_perfusion_mix (self, self->ua.point.by_k, self->up.point.by_k);
  j[VG_PERFUSION_LOG_K2] = b * self->k2 *
                           vg_perfusion_mix (self, self->va.point.by_k, self->vp.point.by_k);
  j[VG_PERFUSION_TA] = self->share * by_a +
                       (self->shared && self->dual ? (1 - self->share) * by_p : 0);
  j[VG_PERFUSION_TP] = (1 - self->share) * by_p;
  j[VG_PERFUSION_SHARE] = a * (self->ua.point.value - self->up.point.value) +
                          b * (self->va.point.value - self->vp.point.value);
}

/* At X: amounts, cost, and the normal matrix of (a, b, X) with its gradient.  The row of a
 * parameter that is fixed or has no effect, or of an amount that is 0, is 0.  The matrix is
 * symmetric, and only its lower half is stored. */
enum {
  VG_PERFUSION_ALL = VG_PERFUSION_UNKNOWNS + 2,
  VG_PERFUSION_HALF = VG_PERFUSION_ALL * (VG_PERFUSION_ALL + 1) / 2,
};

/* The index of row Q and column R in the lower half of a matrix. */
#define VG_PERFUSION_AT(q, r) ((q) * ((q) + 1) / 2 + (r))
#define VG_PERFUSION_OF(q, r) ((q) > (r) ? VG_PERFUSION_AT (q, r) : VG_PERFUSION_AT (r, q))

typedef struct
{
  VgPerfusionReal a, b, cost;
  VgPerfusionReal m[VG_PERFUSION_HALF], g[VG_PERFUSION_ALL];
} VgPerfusionSystem;

/* Decomposes M, which is positive semidefinite, into L D L' in place: L below the diagonal, 1 / D
 * on it.  An unknown whose pivot is not positive is left out. */
VG_SCALAR void
vg_perfusion_decompose (VgPerfusionReal *m)
{
  VG_PERFUSION_UNROLL
  for (int i = 0; i < VG_PERFUSION_ALL; i++)
    {
      VgPerfusionReal pivot = m[VG_PERFUSION_AT (i, i)], inverse = pivot > 0 ? 1 / pivot : 0;

      VG_PERFUSION_UNROLL
      for (int r = i + 1; r < VG_PERFUSION_ALL; r++)
        {
          VgPerfusionReal factor = m[VG_PERFUSION_AT (r, i)] * inverse;

          VG_PERFUSION_UNROLL
          for (int c = i + 1; c <= r; c++)
            m[VG_PERFUSION_AT (r, c)] -= factor * m[VG_PERFUSION_AT (c, i)];
        }
      VG_PERFUSION_UNROLL
      for (int r = i + 1; r < VG_PERFUSION_ALL; r++)
        m[VG_PERFUSION_AT (r, i)] *= inverse;
      m[VG_PERFUSION_AT (i, i)] = inverse;
    }
}

/* Solves M X = B in place for a decomposed M; an unknown that is left out is 0. */
VG_SCALAR void
vg_perfusion_substitute (const VgPerfusionReal *m, VgPerfusionReal *b)
{
  VG_PERFUSION_UNROLL
  for (int i = 1; i < VG_PERFUSION_ALL; i++)
    {
      VG_PERFUSION_UNROLL
      for (int c = 0; c < i; c++)
        b[i] -= m[VG_PERFUSION_AT (i, c)] * b[c];
    }
  VG_PERFUSION_UNROLL
  for (int i = VG_PERFUSION_ALL - 1; i >= 0; i--)
    {
      b[i] *= m[VG_PERFUSION_AT (i, i)];
      VG_PERFUSION_UNROLL
      for (int r = i + 1; r < VG_PERFUSION_ALL; r++)
        b[i] -= m[VG_PERFUSION_AT (r, i)] * b[r];
    }
}

/* Clears the row and column of unknown Q if HOLD is set. */
VG_SCALAR void
vg_perfusion_hold (VgPerfusionReal *m, VgPerfusionReal *g, int q, int hold)
{
  VG_PERFUSION_UNROLL
  for (int r = 0; r < VG_PERFUSION_ALL; r++)
    m[VG_PERFUSION_OF (q, r)] = hold ? 0 : m[VG_PERFUSION_OF (q, r)];
  g[q] = hold ? 0 : g[q];
}

/* Adds a frame of weight W to the normal matrix and to the gradient.  J:
 * derivatives; LEFT: residual.  Rows of fixed parameters are not used (vg_perfusion_complete). */
VG_SCALAR void
vg_perfusion_add_slopes (const VgPerfusionTask *task, VgPerfusionSystem *out,
                         const VgPerfusionReal *j, VgPerfusionReal left, VgPerfusionReal w)
{
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    {
      if (q >= 2 && !vg_perfusion_moves (task, q - 2))
        continue;
      out->g[q] += w * j[q] * left;
      VG_PERFUSION_UNROLL
      for (int r = 0; r <= q; r++)
        out->m[VG_PERFUSION_AT (q, r)] += w * j[q] * j[r];
    }
}

VG_SCALAR void
vg_perfusion_clear (VgPerfusionSystem *out)
{
  out->cost = 0;
  for (int q = 0; q < VG_PERFUSION_HALF; q++)
    out->m[q] = 0;
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    out->g[q] = 0;
}

/* Clears the rows of fixed parameters. */
VG_SCALAR void
vg_perfusion_complete (const VgPerfusionTask *task, VgPerfusionSystem *out)
{
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    vg_perfusion_hold (out->m, out->g, q,
                       !(out->m[VG_PERFUSION_AT (q, q)] > 0) ||
                           (q == 0   ? !(out->a > 0)
                            : q == 1 ? !(out->b > 0)
                                     : !vg_perfusion_moves (task, q - 2)));
}

VG_SCALAR void
vg_perfusion_general_system (const VgPerfusionTask *task, const VgPerfusionReal *x,
                             const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionSystem *out)
{
  VgPerfusionReal uu = 0, uv = 0, vv = 0, uy = 0, vy = 0, j[VG_PERFUSION_ALL];
  VgPerfusionPair start = vg_perfusion_pair (task, x), pair = start;

  for (int i = 0; i < task->n; i++)
    {
      VgPerfusionReal u, v, w = task->weights[i], here = w > 0 ? y[i * stride] : 0;

      vg_perfusion_pair_next (task, &pair, i);
      u = vg_perfusion_pair_u (&pair);
      v = vg_perfusion_pair_v (&pair);
      uu += w * u * u;
      uv += w * u * v;
      vv += w * v * v;
      uy += w * u * here;
      vy += w * v * here;
    }
  vg_perfusion_amounts (uu, uv, vv, uy, vy, &out->a, &out->b);
  vg_perfusion_clear (out);
  pair = start;
  for (int i = 0; i < task->n; i++)
    {
      VgPerfusionReal w = task->weights[i], left, here = w > 0 ? y[i * stride] : 0;

      vg_perfusion_pair_next (task, &pair, i);
      j[0] = vg_perfusion_pair_u (&pair);
      j[1] = vg_perfusion_pair_v (&pair);
      left = here - out->a * j[0] - out->b * j[1];
      out->cost += w * left * left;
      vg_perfusion_pair_slopes (&pair, out->a, out->b, j + 2);
      vg_perfusion_add_slopes (task, out, j, left, w);
    }
  vg_perfusion_complete (task, out);
}

VG_SCALAR VgPerfusionReal
vg_perfusion_general_bound (const VgPerfusionTask *task, int q, int high)
{
  if (q <= VG_PERFUSION_LOG_K2)
    return high ? task->bounds.log_k_max : task->bounds.log_k_min;
  if (q <= VG_PERFUSION_TP)
    return high ? task->bounds.delay_max : task->bounds.delay_min;
  return high;
}

/* X with MOVE added to its parameter Q, within the bounds. */
VG_SCALAR VgPerfusionReal
vg_perfusion_moved (const VgPerfusionTask *task, const VgPerfusionReal *x, int q,
                    VgPerfusionReal move)
{
  VgPerfusionReal low = vg_perfusion_general_bound (task, q, 0),
                  high = vg_perfusion_general_bound (task, q, 1);

  return !vg_perfusion_moves (task, q) ? x[q]
         : x[q] + move < low           ? low
         : x[q] + move > high          ? high
                                       : x[q] + move;
}

/* Adds to X the MOVES, of which each counts up to a largest one: of a logarithm, a delay and the
 * arterial fraction. */
VG_SCALAR void
vg_perfusion_move (const VgPerfusionTask *task, VgPerfusionReal *x, const VgPerfusionReal *moves,
                   VgPerfusionReal most_log, VgPerfusionReal most_delay, VgPerfusionReal most_share)
{
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    {
      VgPerfusionReal most = q <= VG_PERFUSION_LOG_K2 ? most_log
                             : q <= VG_PERFUSION_TP   ? most_delay
                                                      : most_share,
                      move = moves[q];

      x[q] = vg_perfusion_moved (task, x, q, move > most ? most : move < -most ? -most : move);
    }
  if (task->dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED)
    x[VG_PERFUSION_TP] = x[VG_PERFUSION_TA];
}

/* Whether parameter Q of X is at a bound that the step downhill D would cross. */
VG_SCALAR int
vg_perfusion_blocked (const VgPerfusionTask *task, const VgPerfusionReal *x, int q,
                      VgPerfusionReal d)
{
  return (x[q] <= vg_perfusion_general_bound (task, q, 0) && d < 0) ||
         (x[q] >= vg_perfusion_general_bound (task, q, 1) && d > 0);
}

/* A damped step from X; returns the predicted decrease of the cost. */
VG_PERFUSION_NOINLINE VgPerfusionReal
vg_perfusion_general_step (const VgPerfusionTask *task, const VgPerfusionSystem *system,
                           VgPerfusionReal lambda, VgPerfusionReal *x)
{
  VgPerfusionReal m[VG_PERFUSION_HALF], d[VG_PERFUSION_ALL], gain = 0;

  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_HALF; q++)
    m[q] = system->m[q];
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_ALL; q++)
    d[q] = system->g[q];
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    {
      vg_perfusion_hold (m, d, q + 2, vg_perfusion_blocked (task, x, q, d[q + 2]));
      m[VG_PERFUSION_AT (q + 2, q + 2)] *= 1 + lambda;
    }
  vg_perfusion_decompose (m);
  vg_perfusion_substitute (m, d);
  VG_PERFUSION_UNROLL
  for (int q = 0; q < VG_PERFUSION_UNKNOWNS; q++)
    gain += vg_perfusion_moves (task, q) ? d[q + 2] * system->g[q + 2] : 0;
  vg_perfusion_move (task, x, d + 2, 1, 4, (VgPerfusionReal) 0.5);
  return gain;
}

/* Converts amounts (1/s, or a volume) and parameters to the model's values: flow or Ktrans and PS
 * in 1/s, vp, the delays, ve, the arterial fraction, in the order of VG_PERFUSION_FIT_*. */
VG_PERFUSION_NOINLINE void
vg_perfusion_general_values (int model, VgPerfusionReal a, VgPerfusionReal b,
                             const VgPerfusionReal *x, VgPerfusionReal *value)
{
  VgPerfusionReal k1 = exp (x[VG_PERFUSION_LOG_K1]), k2 = exp (x[VG_PERFUSION_LOG_K2]),
                  flow = a + b, ps, slope;

  value[0] = a;
  value[1] = 0;
  value[2] = b;
  value[3] = x[VG_PERFUSION_TA];
  value[4] = x[VG_PERFUSION_TP];
  value[5] = a / k1;
  value[6] = x[VG_PERFUSION_SHARE];
  if (model == 3)
    {
      /* b / a = E / (1 - E) = PS / F */
      ps = a > 0 ? flow * b / a : 0;
      value[0] = flow;
      value[1] = ps;
      value[2] = a > 0 ? (flow + ps) / k1 : flow / k1;
      value[5] = 0;
    }
  else if (model == 4)
    {
      /* Of the impulse response: value and derivative at 0, integral less vp (in a form that is 0
       * for a single exponential), product of the rates. */
      slope = a * k1 + b * k2;
      value[0] = flow;
      value[2] = flow * flow / slope;
      value[5] = a * b * (k1 - k2) * (k1 - k2) / (k1 * k2 * slope);
      value[1] = k1 * k2 * value[2] * value[5] / flow;
    }
}
