/* SPDX-License-Identifier: MIT */
/* The descent of the default solver on the GPU, with one thread per voxel, from both initial
 * values of perfusion-start.cu. */
#include "kernels/perfusion/fit/perfusion-device.cuh"
#include "kernels/perfusion/fit/perfusion-fit-private.h"

enum { THREADS = 128, DELAYS = VG_PERFUSION_GRID_DELAYS };

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

template <bool EVEN>
__device__ static VgPerfusionNormal
try_place (const FitTables &t, const float *artery, const float *portal, const float *weights,
           const float *curve, gsize stride, float yy, Place place)
{
  float k = expf (place.log_k), s[VG_PERFUSION_PRODUCTS];
  Stream<EVEN> a (t, artery, k, place.ta), p (t, portal, k, place.tp);

#pragma unroll
  for (int i = 0; i < VG_PERFUSION_PRODUCTS; i++)
    s[i] = 0;
  for (int i = 0; i < t.n; i++)
    {
      float w = weights[i];

      a.advance (t, i);
      p.advance (t, i);
      if (w > 0)
        vg_perfusion_gather (s, 1, a.point, p.point, curve[(gsize) i * stride], w);
    }
  return vg_perfusion_project (s, 1, yy, k);
}

/* The same, with cost and gradient from the residuals. */
template <bool EVEN>
__device__ static VgPerfusionNormal
look_closely (const FitTables &t, const float *artery, const float *portal, const float *weights,
              const float *curve, gsize stride, float yy, Place place)
{
  VgPerfusionNormal normal = try_place<EVEN> (t, artery, portal, weights, curve, stride, yy, place);
  float k = expf (place.log_k);
  Stream<EVEN> a (t, artery, k, place.ta), p (t, portal, k, place.tp);
  VgPerfusionLeft left = {};

  for (int i = 0; i < t.n; i++)
    {
      float w = weights[i];

      a.advance (t, i);
      p.advance (t, i);
      if (w > 0)
        vg_perfusion_add_left (&left, &normal, k, a.point, p.point, curve[(gsize) i * stride], w);
    }
  vg_perfusion_refine (&normal, &left);
  return normal;
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

/* Descends from both initial values; BEST receives the one with the lower cost. */
template <bool EVEN>
__device__ static int
descend (const FitTables &t, const float *artery, const float *portal, const float *weights,
         const float *curve, gsize stride, float yy, ushort2 starts, Descent options, Place *best,
         bool *moving)
{
  float best_cost = INFINITY;
  int passes = 0;

  *moving = false;
  for (int start = 0; start < options.starts; start++)
    {
      Place trial = place_of (t, start == 0 ? starts.x : starts.y), at = trial;
      VgPerfusionNormal normal = try_place<EVEN> (t, artery, portal, weights, curve, stride, yy,
                                                  trial);
      float lambda = 1e-3f, gain;
      bool over;

      for (int step = 1;; step++)
        {
          trial = at;
          vg_perfusion_step (normal, &t.range, lambda, &trial.log_k, &trial.ta, &trial.tp, &gain);
          over = !(gain > options.tolerance * normal.cost + 1e-8f * yy) ||
                 lambda >= (float) VG_PERFUSION_LAMBDA_MAX;
          passes++;
          if (over || step > options.iterations)
            break;
          VgPerfusionNormal next = try_place<EVEN> (t, artery, portal, weights, curve, stride, yy,
                                                    trial);
          if (next.cost < normal.cost)
            {
              at = trial;
              normal = next;
              lambda = fmaxf (lambda * 0.1f, 1e-9f);
            }
          else
            lambda = fmaxf (lambda, 1e-4f) * 10;
        }
      if (normal.cost < best_cost)
        {
          *best = at;
          best_cost = normal.cost;
          *moving = !over;
        }
    }
  return passes;
}

/* The final steps from PLACE (VG_PERFUSION_FINAL_*); returns the normal equations there.  MOVING
 * remains set if a step still predicts the decrease that the descent requires. */
template <bool EVEN>
__device__ static VgPerfusionNormal
finalise (const FitTables &t, const float *artery, const float *portal, const float *weights,
          const float *curve, gsize stride, float yy, float tolerance, Place *place, bool *moving,
          int *passes)
{
  VgPerfusionNormal normal = look_closely<EVEN> (t, artery, portal, weights, curve, stride, yy,
                                                 *place);
  VgPerfusionSecant last = {};
  float lambda = 0, gain;

  for (int i = 0;; i++)
    {
      Place trial = *place;

      vg_perfusion_step (vg_perfusion_corrected (normal, &last), &t.range, lambda, &trial.log_k,
                         &trial.ta, &trial.tp, &gain);
      if (i == VG_PERFUSION_FINAL_STEPS ||
          !(gain > (float) VG_PERFUSION_FINAL_TOLERANCE * normal.cost))
        break;
      VgPerfusionNormal next = look_closely<EVEN> (t, artery, portal, weights, curve, stride, yy,
                                                   trial);
      ++*passes;
      if (next.cost < normal.cost)
        {
          last = vg_perfusion_secant (&normal, &next, trial.log_k - place->log_k,
                                      trial.ta - place->ta, trial.tp - place->tp);
          *place = trial;
          normal = next;
          lambda /= 10;
        }
      else
        lambda = fmaxf (lambda, 0.1f) * 10;
    }
  *moving = *moving && gain > tolerance * normal.cost;
  return normal;
}

template <bool EVEN>
__global__ static void
__launch_bounds__ (THREADS)
    fit_voxels (FitTables t, Descent options, const float *curves, gsize stride, const float2 *sums,
                const ushort2 *starts, float *values, gsize first, gsize count)
{
  extern __shared__ float memory[];
  int length = t.n + 2 * t.pad;
  float *artery = memory + t.pad, *portal = artery + length, *weights = memory + 2 * length;
  gsize voxel = first + (gsize) blockIdx.x * THREADS + threadIdx.x;
  bool moving;
  Place best;

  for (int i = threadIdx.x; i < length; i += THREADS)
    {
      artery[i - t.pad] = t.artery[i - t.pad];
      portal[i - t.pad] = t.portal[i - t.pad];
    }
  for (int i = threadIdx.x; i < t.n; i += THREADS)
    weights[i] = t.weights[i];
  __syncthreads ();
  if (voxel >= first + count ||
      values[VG_PERFUSION_FIT_STATUS * stride + voxel] != VG_PERFUSION_FITTED)
    return;
  int passes = descend<EVEN> (t, artery, portal, weights, curves + voxel, stride, sums[voxel].x,
                              starts[voxel], options, &best, &moving);
  VgPerfusionNormal normal = finalise<EVEN> (t, artery, portal, weights, curves + voxel, stride,
                                             sums[voxel].x, options.tolerance, &best, &moving,
                                             &passes);
  put_values (t, normal, best, sums[voxel], passes, moving, values + voxel, stride);
}

gboolean
perfusion_fit_default (PerfusionDevice *self, const VgPerfusionFitOptions *options, gsize first,
                       gsize count, GError **error)
{
  FitTables t = { self->tables, vg_perfusion_range (&self->tables.bounds) };
  unsigned blocks = (unsigned) ((count + THREADS - 1) / THREADS);
  size_t shared = sizeof (float) * (2 * (size_t) (t.n + 2 * t.pad) + (size_t) t.n);
  Descent descent = { options->iterations, options->starts, (float) options->tolerance };
  auto kernel = t.even ? fit_voxels<true> : fit_voxels<false>;

  if (count == 0)
    return TRUE;
  if (shared > 48 * 1024 &&
      !VG_CUDA_OK (cudaFuncSetAttribute ((const void *) kernel,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared),
                   error))
    return FALSE;
  if (!perfusion_find_starts (self, first, count, error))
    return FALSE;
  kernel<<<blocks, THREADS, shared, self->stream>>> (
      t, descent, self->curves, self->count, self->sums, self->starts, self->values, first, count);
  return vg_cuda_launched ("fit_voxels", error);
}
