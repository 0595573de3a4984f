/* SPDX-License-Identifier: MIT */
/* The descent of the default solver on the GPU, with one thread per voxel, from both initial
 * values of perfusion-start.cu. */
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/fit/perfusion-fit-private.h"

enum { THREADS = PERFUSION_THREADS, DELAYS = VG_PERFUSION_GRID_DELAYS };

/* The tables of the descent. */
struct FitTables : PerfusionTables
{
  VgPerfusionRange range;
};

struct Place
{
  float log_k, ta, tp;
};

__device__ static Place
place_of (const FitTables &t, int pair)
{
  int shared = t.range.delays == VG_PERFUSION_DELAYS_SHARED;

  return { t.log_rate[pair / (DELAYS * DELAYS)], t.delay[vg_perfusion_pair_delay (pair, 0, shared)],
           t.delay[vg_perfusion_pair_delay (pair, 1, shared)] };
}

/* One input's curve, frame by frame. */
template <bool EVEN> struct Stream;

template <> struct Stream<true>
{
  VgPerfusionColumn column;
  VgPerfusionPoint point;
  float f0, f1;
  const float *next;

  __device__
  Stream (const FitTables &t, const float *input, float k, float delay)
  {
    column = vg_perfusion_column (VG_PERFUSION_EXPONENTIAL, k, delay, t.step, 1 / t.step);
    point = { 0, 0, 0 };
    /* With a negative delay the first frame lies within the input. */
    int frame = min (0, -column.shift), j = frame + column.shift;
    f0 = input[j - 1];
    f1 = input[j];
    next = input + j + 1;
    for (; frame < 0; frame++)
      advance (t, frame);
  }

  __device__ void
  advance (const FitTables &t, int frame)
  {
    float f2 = *next++;

    point = vg_perfusion_next (column, point, frame + column.shift, f0, f1, f2);
    f0 = f1;
    f1 = f2;
  }
};

template <> struct Stream<false>
{
  VgPerfusionWalk walk;
  VgPerfusionPoint point;
  const float *input;
  float k, delay;

  __device__
  Stream (const FitTables &, const float *in, float rate, float late)
      : walk VG_PERFUSION_WALK_START, point{ 0, 0, 0 }, input (in), k (rate), delay (late)
  {
  }

  __device__ void
  advance (const FitTables &t, int frame)
  {
    point = vg_perfusion_walk (&walk, VG_PERFUSION_EXPONENTIAL, k, t.times[frame] - delay, t.times,
                               input, t.n);
  }
};

/* A voxel that a thread fits. */
struct Voxel
{
  const float *curve;
  gsize stride;
  float yy;
  ushort2 starts;
};

/* The normal equations at PLACE; A and P: amounts near those of the minimum there, or 0. */
template <bool EVEN>
__device__ static VgPerfusionNormal
evaluate (const FitTables &t, const float *artery, const float *portal, const float *weights,
          const Voxel &voxel, Place place, float a, float p)
{
  float k = expf (place.log_k), rr = 0, s[VG_PERFUSION_PRODUCTS];
  Stream<EVEN> of_a (t, artery, k, place.ta), of_p (t, portal, k, place.tp);

#pragma unroll
  for (int i = 0; i < VG_PERFUSION_PRODUCTS; i++)
    s[i] = 0;
  for (int i = 0; i < t.n; i++)
    {
      float w = weights[i];

      of_a.advance (t, i);
      of_p.advance (t, i);
      if (w > 0)
        {
          float left = voxel.curve[(gsize) i * voxel.stride] - a * of_a.point.value -
                       p * of_p.point.value;

          rr += w * left * left;
          vg_perfusion_gather (s, 1, of_a.point, of_p.point, left, w);
        }
    }
  return vg_perfusion_project_left (s, rr, voxel.yy, a, p, k);
}

__device__ static void
put_values (const FitTables &t, const VgPerfusionNormal &n, Place place, float2 sums, int passes,
            bool moving, float *out, gsize stride)
{
  const float rate = (float) VG_PERFUSION_RATE, none = nanf ("");
  float k = expf (place.log_k), spread = sums.x - t.weight_sum * sums.y * sums.y;
  bool empty = !(n.a > 0) && !(n.p > 0);
  int remarks = vg_perfusion_remarks (&t.range, t.dual, n.a, n.p, place.log_k, place.ta, place.tp);
  VgPerfusionFitError e = vg_perfusion_fit_error (n, &t.range, t.dual, place.log_k, place.ta,
                                                  place.tp, t.used);

  out[VG_PERFUSION_FIT_KA * stride] = n.a * rate;
  out[VG_PERFUSION_FIT_KP * stride] = t.dual ? n.p * rate : none;
  out[VG_PERFUSION_FIT_KL * stride] = empty ? none : k * rate;
  out[VG_PERFUSION_FIT_TAU_A * stride] = n.a > 0 ? place.ta : none;
  out[VG_PERFUSION_FIT_TAU_P * stride] = n.p > 0 ? place.tp : none;
  out[(VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_KA) * stride] = e.a * rate;
  out[(VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_KP) * stride] = e.p * rate;
  out[(VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_KL) * stride] = e.k * rate;
  out[(VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_TAU_A) * stride] = e.ta;
  out[(VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_TAU_P) * stride] = e.tp;
  out[VG_PERFUSION_FIT_INFLOW_ERROR * stride] = e.total * rate;
  out[VG_PERFUSION_FIT_FRACTION_ERROR * stride] = e.fraction;
  out[VG_PERFUSION_FIT_VOLUME_ERROR * stride] = e.volume;
  out[VG_PERFUSION_FIT_RESIDUAL * stride] = sqrtf (n.cost / t.weight_sum);
  out[VG_PERFUSION_FIT_R2 * stride] = spread > 0 ? 1 - n.cost / spread : none;
  out[VG_PERFUSION_FIT_ITERATIONS * stride] = passes;
  out[VG_PERFUSION_FIT_STATUS * stride] = empty    ? VG_PERFUSION_NO_CURVE
                                          : moving ? VG_PERFUSION_NOT_CONVERGED
                                          : remarks & VG_PERFUSION_REMARK_BOUNDS
                                              ? VG_PERFUSION_AT_BOUND
                                              : VG_PERFUSION_FITTED;
  out[VG_PERFUSION_FIT_REMARKS * stride] = (float) remarks;
}

struct Descent
{
  int iterations, starts;
  float tolerance;
};

/* What a thread does: it follows the first and the second initial value, and then takes the final
 * steps from the better end (VG_PERFUSION_FINAL_*). */
enum Phase { EMPTY, FIRST, SECOND, FINAL, DONE };

/* A fit between two evaluations. */
struct Fit
{
  Phase phase;
  Place at, trial, best;    /* the accepted place, the one to evaluate, the better end */
  VgPerfusionNormal normal; /* at `at` */
  VgPerfusionSecant last;
  float a, p; /* amounts near those of the next evaluation */
  float lambda, best_cost, best_a, best_p;
  int step, passes;
  bool moving;
};

__device__ static void
begin (Fit *self, Phase phase, Place place, float a, float p, float lambda)
{
  self->phase = phase;
  self->trial = place;
  self->a = a;
  self->p = p;
  self->lambda = lambda;
  self->step = 0;
}

__device__ static void
begin_voxel (Fit *self, const FitTables &t, const Voxel &voxel)
{
  /* All members: nvcc 13.0 otherwise takes the end of the second descent even if it is worse. */
  *self = {};
  self->best_cost = INFINITY;
  begin (self, FIRST, place_of (t, voxel.starts.x), 0, 0, 1e-3f);
}

/* Accepts or rejects the trial, whose equations are NEXT, and proposes another. */
__device__ static void
advance (Fit *self, const FitTables &t, const Voxel &voxel, Descent options,
         const VgPerfusionNormal &next)
{
  bool first = self->step == 0, final = self->phase == FINAL,
       better = first || next.cost < self->normal.cost;
  float gain;

  self->passes += !(final && first);
  if (better)
    {
      if (final && !first)
        self->last = vg_perfusion_secant (&self->normal, &next, self->trial.log_k - self->at.log_k,
                                          self->trial.ta - self->at.ta,
                                          self->trial.tp - self->at.tp);
      self->at = self->trial;
      self->normal = next;
      self->a = next.a;
      self->p = next.p;
    }
  if (!first)
    self->lambda = better ? fmaxf (self->lambda * 0.1f, final ? 0 : 1e-9f)
                          : fmaxf (self->lambda, final ? 0.1f : 1e-4f) * 10;
  self->trial = self->at;
  vg_perfusion_step (vg_perfusion_corrected (self->normal, &self->last), &t.range, self->lambda,
                     &self->trial.log_k, &self->trial.ta, &self->trial.tp, &gain);
  if (final)
    {
      /* Not converged: a step still predicts the decrease that the descent requires. */
      if (self->step == VG_PERFUSION_FINAL_STEPS ||
          !(gain > (float) VG_PERFUSION_FINAL_TOLERANCE * self->normal.cost))
        {
          self->phase = DONE;
          self->moving = self->moving && gain > options.tolerance * self->normal.cost;
        }
      self->step++;
      return;
    }
  bool over = !(gain > options.tolerance * self->normal.cost + 1e-8f * voxel.yy) ||
              self->lambda >= (float) VG_PERFUSION_LAMBDA_MAX;
  if (++self->step <= options.iterations && !over)
    return;
  if (self->normal.cost < self->best_cost)
    {
      self->best = self->at;
      self->best_cost = self->normal.cost;
      self->best_a = self->normal.a;
      self->best_p = self->normal.p;
      self->moving = !over;
    }
  if (self->phase == FIRST && options.starts > 1)
    begin (self, SECOND, place_of (t, voxel.starts.y), 0, 0, 1e-3f);
  else
    begin (self, FINAL, self->best, self->best_a, self->best_p, 0);
}

/* A voxel needs from 4 to 40 evaluations.  IN_SHARED: whether the curves fit into shared memory. */
template <bool EVEN, bool IN_SHARED>
__global__ static void
__launch_bounds__ (THREADS, 4)
    fit_voxels (FitTables t, Descent options, const float *curves, gsize stride, const float2 *sums,
                const ushort2 *starts, float *values, gsize first, gsize count)
{
  extern __shared__ float memory[];
  __shared__ unsigned next;
  gsize from = first + count * blockIdx.x / gridDim.x,
        end = first + count * (blockIdx.x + 1) / gridDim.x, at = end;
  Voxel voxel = { curves, stride };
  Fit fit;

  const auto [artery, portal, weights, staged] = perfusion_share_inputs<THREADS> (
      memory, t.artery, t.portal, t.weights, t.n, t.pad);
  if (threadIdx.x == 0)
    next = 0;
  __syncthreads ();
  fit.phase = EMPTY;
  for (;;)
    {
      const bool idle = fit.phase == EMPTY || fit.phase == DONE;

      if (__popc (__ballot_sync (PERFUSION_ALL_LANES, idle)) >= PERFUSION_WAITING)
        {
          if (fit.phase == DONE)
            put_values (t, fit.normal, fit.at, sums[at], fit.passes, fit.moving, values + at,
                        stride);
          if (idle)
            {
              at = perfusion_take (&next, from, end, values + VG_PERFUSION_FIT_STATUS * stride);
              fit.phase = EMPTY;
            }
          const bool taken = idle && at < end;
          if (IN_SHARED)
            perfusion_stage<THREADS> (staged, curves, stride, at, taken, t.n);
          if (taken)
            {
              voxel = { IN_SHARED ? staged + threadIdx.x : curves + at,
                        IN_SHARED ? (gsize) perfusion_staged (THREADS) : stride, sums[at].x,
                        starts[at] };
              begin_voxel (&fit, t, voxel);
            }
          if (!__any_sync (PERFUSION_ALL_LANES, fit.phase != EMPTY))
            return;
        }
      if (fit.phase != EMPTY && fit.phase != DONE)
        advance (&fit, t, voxel, options,
                 evaluate<EVEN> (t, artery, portal, weights, voxel, fit.trial, fit.a, fit.p));
    }
}

gboolean
perfusion_fit_default (PerfusionDevice *self, const VgPerfusionFitOptions *options, gsize first,
                       gsize count, GError **error)
{
  FitTables t = { self->tables, vg_perfusion_range (&self->tables.bounds) };
  size_t tables = sizeof (float) * (2 * (size_t) (t.n + 2 * t.pad) + (size_t) t.n), shared;
  Descent descent = { options->iterations, options->starts, (float) options->tolerance };
  auto kernel = t.even ? fit_voxels<true, true> : fit_voxels<false, true>;
  gboolean in_shared;
  unsigned blocks;

  if (count == 0)
    return TRUE;
  if (!perfusion_lasting_blocks ((const void *) kernel, THREADS, tables, t.n, count, &blocks,
                                 &shared, &in_shared, error))
    return FALSE;
  if (!in_shared)
    {
      kernel = t.even ? fit_voxels<true, false> : fit_voxels<false, false>;
      if (!perfusion_lasting_blocks ((const void *) kernel, THREADS, tables, t.n, count, &blocks,
                                     &shared, &in_shared, error))
        return FALSE;
    }
  if (!perfusion_find_starts (self, first, count, error))
    return FALSE;
  kernel<<<blocks, THREADS, shared, self->stream>>> (
      t, descent, self->curves, self->count, self->sums, self->starts, self->values, first, count);
  return vg_cuda_launched ("fit_voxels", error);
}
