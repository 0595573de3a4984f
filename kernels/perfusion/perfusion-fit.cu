/* SPDX-License-Identifier: MIT */
/* The default solver on the GPU, a voxel a thread.  Two kernels: the start
 * from the dictionary, its rates passing through shared memory one by one, and
 * the descent from both starts. */
#include "perfusion-cuda.cuh"
#include "perfusion-fit-private.h"

enum { THREADS = 128, RANK = VG_PERFUSION_RANK, DELAYS = VG_PERFUSION_GRID_DELAYS, RATES = VG_PERFUSION_RATES, FRAMES_AT_ONCE = 64 };

/* Squares and mean of a curve, and its products with the directions. */
__device__ static void
look (const PerfusionTables &t, const float *curve, gsize stride, bool live, float (*tile)[RANK], float *part, float2 *sums)
{
  float yy = 0, sum = 0;

  for (int r = 0; r < RANK; r++)
    part[r] = 0;
  for (int from = 0; from < t.n; from += FRAMES_AT_ONCE)
    {
      int frames = min (t.n - from, (int) FRAMES_AT_ONCE);

      __syncthreads ();
      for (int i = threadIdx.x; i < frames * RANK; i += THREADS)
        (&tile[0][0])[i] = t.directions[from * RANK + i];
      __syncthreads ();
      for (int i = 0; live && i < frames; i++)
        {
          float w = t.weights[from + i], y = w > 0 ? curve[(gsize) (from + i) * stride] : 0;

          yy += w * y * y;
          sum += w * y;
#pragma unroll
          for (int r = 0; r < RANK; r++)
            part[r] += tile[i][r] * y;
        }
    }
  *sums = make_float2 (yy, sum / t.weight_sum);
}

__device__ static float
compare (const float *atom, const float *part)
{
  float sum = 0;

#pragma unroll
  for (int r = 0; r < RANK; r++)
    sum += atom[r] * part[r];
  return sum;
}

__global__ static void __launch_bounds__ (THREADS, 4)
find_starts (PerfusionTables t, const float *curves, gsize stride, const float *status, float2 *sums, ushort2 *starts, gsize first, gsize count)
{
  __shared__ __align__ (16) float tile[FRAMES_AT_ONCE][RANK];   /* directions, then a rate's atoms */
  __shared__ float2 pairs[DELAYS * DELAYS];
  __shared__ float scores[RATES][THREADS];
  __shared__ unsigned char where[RATES][THREADS];
  gsize voxel = first + (gsize) blockIdx.x * THREADS + threadIdx.x;
  bool live = voxel < first + count && status[voxel] == VG_PERFUSION_FITTED;
  float part[RANK], p[DELAYS];
  float2 sum;

  static_assert (FRAMES_AT_ONCE >= 2 * DELAYS, "a rate's atoms fit");
  if (!__syncthreads_or (live))
    return;
  look (t, curves + voxel, stride, live, tile, part, &sum);
  for (int rate = 0; rate < RATES; rate++)
    {
      float best = 0;
      int best_pair = 0;

      __syncthreads ();
      for (int i = threadIdx.x; i < DELAYS * RANK; i += THREADS)
        {
          (&tile[0][0])[i] = t.a[rate * DELAYS * RANK + i];
          (&tile[DELAYS][0])[i] = t.p[rate * DELAYS * RANK + i];
        }
      for (int i = threadIdx.x; i < DELAYS * DELAYS; i += THREADS)
        pairs[i] = make_float2 (t.overlap[rate * DELAYS * DELAYS + i], t.inverse[rate * DELAYS * DELAYS + i]);
      __syncthreads ();
#pragma unroll
      for (int d = 0; d < DELAYS; d++)
        p[d] = compare (tile[DELAYS + d], part);
#pragma unroll 1
      for (int i = 0; i < DELAYS; i++)
        {
          float a = compare (tile[i], part);
#pragma unroll
          for (int k = 0; k < DELAYS; k++)
            {
              float2 pair = pairs[i * DELAYS + k];
              float score = vg_perfusion_pair_score (a, p[k], pair.x, pair.y);

              if (score > best)
                {
                  best = score;
                  best_pair = i * DELAYS + k;
                }
            }
        }
      scores[rate][threadIdx.x] = best;
      where[rate][threadIdx.x] = (unsigned char) best_pair;
    }
  if (!live)
    return;
  int one = 0, two = -1;
  for (int r = 1; r < RATES; r++)
    if (scores[r][threadIdx.x] > scores[one][threadIdx.x])
      one = r;
  for (int r = 0; r < RATES; r++)
    if (abs (r - one) > VG_PERFUSION_APART && (two < 0 || scores[r][threadIdx.x] > scores[two][threadIdx.x]))
      two = r;
  sums[voxel] = sum;
  starts[voxel] = make_ushort2 (one * DELAYS * DELAYS + where[one][threadIdx.x], two * DELAYS * DELAYS + where[two][threadIdx.x]);
}

struct Place
{
  float log_k, ta, tp;
};

__device__ static Place
place_of (const PerfusionTables &t, int pair)
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

  __device__ Stream (const PerfusionTables &t, const float *input, float k, float delay)
  {
    column = vg_perfusion_column (VG_PERFUSION_EXPONENTIAL, k, delay, t.step, 1 / t.step);
    point = { 0, 0, 0 };
    /* a negative delay begins within the input */
    int frame = min (0, -column.shift), j = frame + column.shift;
    f0 = input[j - 1];
    f1 = input[j];
    next = input + j + 1;
    for (; frame < 0; frame++)
      advance (t, frame);
  }

  __device__ void advance (const PerfusionTables &t, int frame)
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

  __device__ Stream (const PerfusionTables &, const float *in, float rate, float late)
    : walk VG_PERFUSION_WALK_START, point { 0, 0, 0 }, input (in), k (rate), delay (late) {}

  __device__ void advance (const PerfusionTables &t, int frame)
  {
    point = vg_perfusion_walk (&walk, VG_PERFUSION_EXPONENTIAL, k, t.times[frame] - delay, t.times, input, t.n);
  }
};

template <bool EVEN> __device__ static VgPerfusionNormal
try_place (const PerfusionTables &t, const float *artery, const float *portal, const float *weights, const float *curve, gsize stride,
           float yy, Place place)
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

/* The sum of squares itself: as what is left of yy it would have lost digits. */
template <bool EVEN> __device__ static float
cost_of (const PerfusionTables &t, const float *artery, const float *portal, const float *weights, const float *curve, gsize stride,
         Place place, float amount_a, float amount_p)
{
  float k = expf (place.log_k), cost = 0;
  Stream<EVEN> a (t, artery, k, place.ta), p (t, portal, k, place.tp);

  for (int i = 0; i < t.n; i++)
    {
      float w = weights[i];

      a.advance (t, i);
      p.advance (t, i);
      if (w > 0)
        {
          float left = curve[(gsize) i * stride] - amount_a * a.point.value - amount_p * p.point.value;

          cost += w * left * left;
        }
    }
  return cost;
}

__device__ static bool
at_bound (const PerfusionTables &t, const VgPerfusionNormal &n, Place place)
{
  const VgPerfusionRange &r = t.range;
  bool delays = r.delays != VG_PERFUSION_DELAYS_NONE;

  return place.log_k <= r.log_k_min || place.log_k >= r.log_k_max || !(n.a > 0) || (t.dual && !(n.p > 0))
         || (delays && (place.ta <= r.delay_min || place.ta >= r.delay_max))
         || (delays && t.dual && (place.tp <= r.delay_min || place.tp >= r.delay_max));
}

__device__ static void
put_values (const PerfusionTables &t, const VgPerfusionNormal &n, Place place, float2 sums, int passes, bool moving, float *out, gsize stride)
{
  const float rate = (float) VG_PERFUSION_RATE, none = nanf ("");
  float k = expf (place.log_k), spread = sums.x - t.weight_sum * sums.y * sums.y;
  bool empty = !(n.a > 0) && !(n.p > 0);
  VgPerfusionFitError e = vg_perfusion_fit_error (n, &t.range, t.dual, k, t.used);

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
  out[VG_PERFUSION_FIT_STATUS * stride] = empty ? VG_PERFUSION_NO_CURVE : moving ? VG_PERFUSION_NOT_CONVERGED
                                          : at_bound (t, n, place) ? VG_PERFUSION_AT_BOUND : VG_PERFUSION_FITTED;
}

struct Descent
{
  int iterations, starts;
  float tolerance;
};

/* Down from both starts; what is left in BEST has the lower cost. */
template <bool EVEN> __device__ static int
descend (const PerfusionTables &t, const float *artery, const float *portal, const float *weights, const float *curve, gsize stride,
         float yy, ushort2 starts, Descent options, Place *best, bool *moving)
{
  float best_cost = INFINITY;
  int passes = 0;

  *moving = false;
  for (int start = 0; start < options.starts; start++)
    {
      Place trial = place_of (t, start == 0 ? starts.x : starts.y), at = trial;
      VgPerfusionNormal normal = try_place<EVEN> (t, artery, portal, weights, curve, stride, yy, trial);
      float lambda = 1e-3f, gain;
      bool small, lost;

      for (int step = 1;; step++)
        {
          trial = at;
          vg_perfusion_step (normal, &t.range, lambda, &trial.log_k, &trial.ta, &trial.tp, &gain);
          small = !(gain > options.tolerance * normal.cost + 1e-8f * yy);
          lost = lambda >= 1e6f;
          passes++;
          if (small || lost || step > options.iterations)
            break;
          VgPerfusionNormal next = try_place<EVEN> (t, artery, portal, weights, curve, stride, yy, trial);
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
          /* a step too small to be looked at is still one in the right direction */
          *best = small && lambda <= 1e-3f ? trial : at;
          best_cost = normal.cost;
          *moving = !small && !lost;
        }
    }
  return passes;
}

template <bool EVEN> __global__ static void __launch_bounds__ (THREADS)
fit_voxels (PerfusionTables t, Descent options, const float *curves, gsize stride, const float2 *sums, const ushort2 *starts, float *values,
            gsize first, gsize count)
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
  if (voxel >= first + count || values[VG_PERFUSION_FIT_STATUS * stride + voxel] != VG_PERFUSION_FITTED)
    return;
  int passes = descend<EVEN> (t, artery, portal, weights, curves + voxel, stride, sums[voxel].x, starts[voxel], options, &best, &moving);
  VgPerfusionNormal normal = try_place<EVEN> (t, artery, portal, weights, curves + voxel, stride, sums[voxel].x, best);
  normal.cost = cost_of<EVEN> (t, artery, portal, weights, curves + voxel, stride, best, normal.a, normal.p);
  put_values (t, normal, best, sums[voxel], passes, moving, values + voxel, stride);
}

gboolean
perfusion_fit_default (PerfusionDevice *self, const VgPerfusionFitOptions *options, gsize first, gsize count, GError **error)
{
  const PerfusionTables &t = self->tables;
  unsigned blocks = (unsigned) ((count + THREADS - 1) / THREADS);
  size_t shared = sizeof (float) * (2 * (size_t) (t.n + 2 * t.pad) + (size_t) t.n);
  Descent descent = { options->iterations, options->starts, (float) options->tolerance };
  auto kernel = t.even ? fit_voxels<true> : fit_voxels<false>;

  if (count == 0)
    return TRUE;
  if (shared > 48 * 1024 && !VG_CUDA_OK (cudaFuncSetAttribute ((const void *) kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared), error))
    return FALSE;
  find_starts<<<blocks, THREADS, 0, self->stream>>> (t, self->curves, self->count, self->values + VG_PERFUSION_FIT_STATUS * self->count,
                                                     self->sums, self->starts, first, count);
  if (!vg_cuda_launched ("find_starts", error))
    return FALSE;
  kernel<<<blocks, THREADS, shared, self->stream>>> (t, descent, self->curves, self->count, self->sums, self->starts, self->values, first, count);
  return vg_cuda_launched ("fit_voxels", error);
}
