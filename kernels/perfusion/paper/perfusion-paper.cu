/* SPDX-License-Identifier: MIT */
/* The paper's solver on the GPU, in double precision.  One warp fits one voxel, with curve,
 * spectrum and simplex in shared memory.  The forward transform leaves its rows in bit-reversed
 * order, and the inverse reads them in that order, so nothing is sorted.  Without a transform
 * (recursion, trapezoids, uneven frames) one thread fits one voxel. */
#include "kernels/perfusion/paper/perfusion-paper-cuda.cuh"
#include "kernels/perfusion/paper/perfusion-paper-error.h"

enum { WARP = 32, THREADS = 64 };

/* The input at the position PLACE, in samples. */
__device__ static double
delayed (const double *input, int n, double place)
{
  if (!(place >= 0))
    return 0;
  if (place >= n - 1)
    return input[n - 1];
  int j = (int) place;
  return input[j] + (place - j) * (input[j + 1] - input[j]);
}

__device__ static double
delayed_at (const PerfusionTables &t, const double *input, int frame, double delay)
{
  double time = t.times64[frame] - delay;
  int j = 0;

  if (t.even)
    return delayed (input, t.n, time < t.times64[0] ? -1 : fmax (frame - delay / (t.step64), 0.0));
  if (!(time >= t.times64[0]))
    return 0;
  if (time >= t.times64[t.n - 1])
    return input[t.n - 1];
  while (t.times64[j + 1] <= time)
    j++;
  return input[j] +
         (time - t.times64[j]) / (t.times64[j + 1] - t.times64[j]) * (input[j + 1] - input[j]);
}

/* Computes the mixture of artery and portal vein with the amounts and delays of X: n values, and
 * zeros to the end of the blocks.  All lanes of a warp take part. */
__device__ static void
mix_inputs (const PerfusionTables &t, const double *x, int length, double *samples)
{
  for (int i = threadIdx.x % WARP; i < length; i += WARP)
    samples[i] = i < t.n ? (x[0] * delayed_at (t, t.artery64, i, x[3]) +
                            (t.dual ? x[1] * delayed_at (t, t.portal64, i, x[4]) : 0)) /
                               VG_PERFUSION_RATE
                         : 0;
}

/* Q and P are compile-time constants, or 0. */
template <int Q, int P>
__device__ static void
block_forward (const PerfusionBlock &b, const double *samples, double2 *spectrum)
{
  const int q = Q > 0 ? Q : b.q, p = P > 0 ? P : b.p, lane = threadIdx.x % WARP;

  for (int at = lane; at < (q + 1) * p; at += WARP)
    {
      int k = at / p, i2 = at % p;
      double re = 0, im = 0;
      double2 w = b.twiddle[at];

      for (int i1 = 0; i1 < q; i1++)
        {
          double2 c = b.column[k * q + i1];
          double s = samples[p * i1 + i2];

          re += s * c.x;
          im -= s * c.y;
        }
      spectrum[at] = make_double2 (re * w.x + im * w.y, im * w.x - re * w.y);
    }
#pragma unroll
  for (int half = p / 2; half >= 1; half /= 2)
    {
      __syncwarp ();
      for (int at = lane; at < (q + 1) * p / 2; at += WARP)
        {
          int row = at / (p / 2), in = at % (p / 2), i = in % half;
          double2 *u = spectrum + row * p + in / half * 2 * half + i, *v = u + half, a = *u, c = *v,
                  w = b.root[i * (p / 2 / half)];
          double re = a.x - c.x, im = a.y - c.y;

          *u = make_double2 (a.x + c.x, a.y + c.y);
          *v = make_double2 (re * w.x + im * w.y, im * w.x - re * w.y);
        }
    }
  __syncwarp ();
}

template <int Q, int P>
__device__ static void
block_inverse (const PerfusionBlock &b, double2 *spectrum, double *samples)
{
  const int q = Q > 0 ? Q : b.q, p = P > 0 ? P : b.p, n = q * p, lane = threadIdx.x % WARP;

#pragma unroll
  for (int half = 1; half < p; half *= 2)
    {
      __syncwarp ();
      for (int at = lane; at < (q + 1) * p / 2; at += WARP)
        {
          int row = at / (p / 2), in = at % (p / 2), i = in % half;
          double2 *u = spectrum + row * p + in / half * 2 * half + i, *v = u + half, a = *u, c = *v,
                  w = b.root[i * (p / 2 / half)];
          double re = c.x * w.x - c.y * w.y, im = c.y * w.x + c.x * w.y;

          *u = make_double2 (a.x + re, a.y + im);
          *v = make_double2 (a.x - re, a.y - im);
        }
    }
  __syncwarp ();
  for (int at = lane; at < (q + 1) * p; at += WARP)
    {
      double2 a = spectrum[at], w = b.twiddle[at];

      spectrum[at] = make_double2 (a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x);
    }
  __syncwarp ();
  for (int at = lane; at < n; at += WARP)
    {
      int i1 = at / p, i2 = at % p;
      double sum = spectrum[i2].x + (i1 % 2 == 0 ? 1 : -1) * spectrum[q * p + i2].x;

      for (int k = 1; k < q; k++)
        {
          double2 c = b.column[k * q + i1], a = spectrum[k * p + i2];

          sum += 2 * (a.x * c.x - a.y * c.y);
        }
      samples[at] = sum * b.scale;
    }
  __syncwarp ();
}

template <int Q, int P>
__device__ static void
block_decay (const PerfusionBlock &b, double k, double step, double2 *spectrum)
{
  const int q = Q > 0 ? Q : b.q, p = P > 0 ? P : b.p, n = q * p;
  double decay = exp (-k * step), rest = exp (-k * step * n);

  for (int at = threadIdx.x % WARP; at < (q + 1) * p; at += WARP)
    {
      double2 e = b.turn[at], v = spectrum[at];
      double re = 1 - decay * e.x, im = decay * e.y,
             scale = step * (1 - ((at / p) % 2 == 0 ? rest : -rest)) / (re * re + im * im);

      spectrum[at] = make_double2 (scale * (v.x * re + v.y * im), scale * (v.y * re - v.x * im));
    }
  __syncwarp ();
}

__device__ static void
put (const PerfusionTables &t, const VgSimplex &s, double yy, double mean, float *out, gsize stride)
{
  double spread = yy - t.weight_sum * mean * mean;

  for (int i = 0; i < VG_SIMPLEX_N; i++)
    out[(gsize) i * stride] = !t.dual && (i == VG_PERFUSION_FIT_KP || i == VG_PERFUSION_FIT_TAU_P)
                                  ? nanf ("")
                                  : (float) s.x[0][i];
  out[(gsize) VG_PERFUSION_FIT_RESIDUAL * stride] = (float) sqrt (s.f[0] / t.weight_sum);
  out[(gsize) VG_PERFUSION_FIT_R2 * stride] = spread > 0 ? (float) (1 - s.f[0] / spread)
                                                         : nanf ("");
  out[(gsize) VG_PERFUSION_FIT_ITERATIONS * stride] = s.iterations;
  out[(gsize) VG_PERFUSION_FIT_STATUS * stride] = vg_perfusion_paper_status (
      s.x[0], s.iterations, t.dual, t.times64[t.n - 1] - t.times64[0]);
}

__device__ static double
warp_sum (double value)
{
  for (int offset = WARP / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync (0xffffffff, value, offset);
  return value;
}

template <int Q, int P>
__global__ static void
__launch_bounds__ (WARP) fit_block (PerfusionTables t, PerfusionBlock b, const float *curves,
                                    gsize stride, float *values, gsize first)
{
  extern __shared__ double2 memory[];
  __shared__ VgSimplex simplex;
  double2 *spectrum = memory;
  double *samples = (double *) (spectrum + (b.q + 1) * b.p), *curve = samples + b.n;
  gsize voxel = first + blockIdx.x;
  double yy = 0, sum = 0, step = t.step64;

  if (values[VG_PERFUSION_FIT_STATUS * stride + voxel] != VG_PERFUSION_FITTED)
    return;
  for (int i = threadIdx.x; i < t.n; i += WARP)
    {
      curve[i] = t.weights64[i] > 0 ? (double) curves[(gsize) i * stride + voxel] : 0;
      yy += t.weights64[i] * curve[i] * curve[i];
      sum += t.weights64[i] * curve[i];
    }
  yy = warp_sum (yy);
  sum = warp_sum (sum);
  if (threadIdx.x == 0)
    vg_simplex_start (&simplex);
  __syncwarp ();
  for (int more = 1; more;)
    {
      double cost = 0;

      mix_inputs (t, simplex.trial, b.n, samples);
      __syncwarp ();
      block_forward<Q, P> (b, samples, spectrum);
      block_decay<Q, P> (b, simplex.trial[2] / VG_PERFUSION_RATE, step, spectrum);
      block_inverse<Q, P> (b, spectrum, samples);
      for (int i = threadIdx.x; i < t.n; i += WARP)
        cost += t.weights64[i] * (curve[i] - samples[i]) * (curve[i] - samples[i]);
      cost = warp_sum (cost);
      if (threadIdx.x == 0)
        more = vg_simplex_set_cost (&simplex, cost);
      more = __shfl_sync (0xffffffff, more, 0);
      __syncwarp ();
    }
  if (threadIdx.x == 0)
    put (t, simplex, yy, sum / t.weight_sum, values + voxel, stride);
}

__global__ static void
__launch_bounds__ (THREADS) fit_recursion (PerfusionTables t, bool trapezoid, const float *curves,
                                           gsize stride, float *values, gsize first, gsize count)
{
  gsize voxel = first + (gsize) blockIdx.x * THREADS + threadIdx.x;
  double yy = 0, mean = 0, even_step = t.step64, cost;
  VgSimplex simplex;

  if (voxel >= first + count ||
      values[VG_PERFUSION_FIT_STATUS * stride + voxel] != VG_PERFUSION_FITTED)
    return;
  for (int i = 0; i < t.n; i++)
    {
      double y = t.weights64[i] > 0 ? (double) curves[(gsize) i * stride + voxel] : 0;

      yy += t.weights64[i] * y * y;
      mean += t.weights64[i] * y / t.weight_sum;
    }
  vg_simplex_start (&simplex);
  do
    {
      const double *x = simplex.trial;
      double k = x[2] / VG_PERFUSION_RATE, decay = exp (-k * even_step), sum = 0, last = 0;

      cost = 0;
      for (int i = 0; i < t.n; i++)
        {
          double step = t.even || i == 0 ? even_step : t.times64[i] - t.times64[i - 1], left;
          double f = (x[0] * delayed_at (t, t.artery64, i, x[3]) +
                      (t.dual ? x[1] * delayed_at (t, t.portal64, i, x[4]) : 0)) /
                     VG_PERFUSION_RATE;

          if (!t.even)
            decay = exp (-k * step);
          if (!trapezoid)
            sum = sum * decay + step * f;
          else if (i > 0)
            sum = sum * decay + step / 2 * (last * decay + f);
          last = f;
          left = t.weights64[i] > 0 ? (double) curves[(gsize) i * stride + voxel] - sum : 0;
          cost += t.weights64[i] * left * left;
        }
    }
  while (vg_simplex_set_cost (&simplex, cost));
  put (t, simplex, yy, mean, values + voxel, stride);
}

/* Adds the standard errors at the ends of the simplexes, by recursion for every convolution. */
__global__ static void
__launch_bounds__ (THREADS) add_errors (PerfusionTables t, bool trapezoid, float *values,
                                        gsize stride, gsize first, gsize count)
{
  gsize voxel = first + (gsize) blockIdx.x * THREADS + threadIdx.x;
  double x[VG_SIMPLEX_N], error[VG_PERFUSION_PAPER_ERRORS],
      h = VG_PERFUSION_PAPER_DELAY_PART * t.step64;
  VgPerfusionPaperSlopes slopes;

  if (voxel >= first + count || !(values[VG_PERFUSION_FIT_ITERATIONS * stride + voxel] > 0))
    return;
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    x[i] = values[(gsize) i * stride + voxel];
  vg_perfusion_paper_slopes_start (&slopes, trapezoid, x);
  for (int i = 0; i < t.n; i++)
    {
      double step = t.even || i == 0 ? t.step64 : t.times64[i] - t.times64[i - 1], p = 0, by_p = 0,
             ta = slopes.x[3], tp = slopes.x[4];
      double by_a = (delayed_at (t, t.artery64, i, ta + h) -
                     delayed_at (t, t.artery64, i, ta - h)) /
                    (2 * h);

      if (t.dual)
        {
          p = delayed_at (t, t.portal64, i, tp);
          by_p = (delayed_at (t, t.portal64, i, tp + h) - delayed_at (t, t.portal64, i, tp - h)) /
                 (2 * h);
        }
      vg_perfusion_paper_slopes_next (&slopes, step, t.weights64[i],
                                      delayed_at (t, t.artery64, i, ta), p, by_a, by_p);
    }
  double residual = values[VG_PERFUSION_FIT_RESIDUAL * stride + voxel];
  vg_perfusion_paper_errors (&slopes, t.dual, residual * residual * t.weight_sum64, t.used, error);
  for (int i = 0; i < VG_PERFUSION_PAPER_ERRORS; i++)
    values[(gsize) vg_perfusion_paper_slot (i) * stride + voxel] = (float) error[i];
}

/* The factors of a transform in one block of device memory. */
gboolean
perfusion_block_set (PerfusionBlock *self, const VgBlockFft *fft, cudaStream_t stream,
                     GError **error)
{
  if (self->memory != NULL && self->q == fft->q && self->p == fft->p)
    return TRUE;
  cudaFree (self->memory);
  *self = {};
  int q = fft->q, p = fft->p, columns = (q + 1) * q, rows = (q + 1) * p, at = 0;
  gsize count = (gsize) (columns + 2 * rows + p / 2);
  double2 *host = g_new (double2, count);

  self->n = fft->n;
  self->q = q;
  self->p = p;
  self->scale = 1.0 / (2.0 * fft->n);
  if (!vg_cuda_alloc ((void **) &self->memory, count * sizeof (double2), "the transform's factors",
                      error))
    {
      g_free (host);
      return FALSE;
    }
  for (int i = 0; i < columns; i++)
    host[at++] = make_double2 (fft->column[2 * i], fft->column[2 * i + 1]);
  for (int i = 0; i < rows; i++)
    host[at++] = make_double2 (fft->twiddle[2 * i], fft->twiddle[2 * i + 1]);
  for (int i = 0; i < p / 2; i++)
    host[at++] = make_double2 (fft->root[2 * i], fft->root[2 * i + 1]);
  /* The angle of frequency k1 + 2 q k2; rows are in bit-reversed order. */
  for (int i = 0; i < rows; i++)
    {
      int j = i / p + 2 * q * fft->reversed[i % p];

      host[at++] = make_double2 (cos (G_PI * j / fft->n), sin (G_PI * j / fft->n));
    }
  self->column = self->memory;
  self->twiddle = self->memory + columns;
  self->root = self->twiddle + rows;
  self->turn = self->root + p / 2;
  gboolean ok = VG_CUDA_OK (cudaMemcpyAsync (self->memory, host, count * sizeof (double2),
                                             cudaMemcpyHostToDevice, stream),
                            error);
  g_free (host);
  return ok;
}

/* Chooses the kernel for the paper's sizes, or the one for any size. */
#define CHOOSE(kernel, q, p)                                                                       \
  ((q) == 2 && (p) == 16   ? kernel<2, 16>                                                         \
   : (q) == 3 && (p) == 16 ? kernel<3, 16>                                                         \
   : (q) == 2 && (p) == 32 ? kernel<2, 32>                                                         \
   : (q) == 3 && (p) == 32 ? kernel<3, 32>                                                         \
   : (q) == 2 && (p) == 64 ? kernel<2, 64>                                                         \
   : (q) == 4 && (p) == 64 ? kernel<4, 64>                                                         \
   : (q) == 5 && (p) == 64 ? kernel<5, 64>                                                         \
   : (q) == 7 && (p) == 64 ? kernel<7, 64>                                                         \
                           : kernel<0, 0>)

/* One block per curve: a forward, then an inverse transform, with or without the convolution. */
template <int Q, int P>
__global__ static void
__launch_bounds__ (WARP) convolve_block (PerfusionBlock b, const double *in, double k, double step,
                                         double *out, bool convolve)
{
  extern __shared__ double2 memory[];
  double2 *spectrum = memory;
  double *samples = (double *) (spectrum + (b.q + 1) * b.p);

  for (int i = threadIdx.x; i < b.n; i += WARP)
    samples[i] = in[(gsize) blockIdx.x * b.n + i];
  __syncwarp ();
  block_forward<Q, P> (b, samples, spectrum);
  if (convolve)
    block_decay<Q, P> (b, k, step, spectrum);
  block_inverse<Q, P> (b, spectrum, samples);
  for (int i = threadIdx.x; i < b.n; i += WARP)
    out[(gsize) blockIdx.x * b.n + i] = samples[i];
}

double
perfusion_time_block (int q, int p, int n, const double *in, double k, double step_s, double *out,
                      double *round_trip, GError **error)
{
  g_autoptr (VgBlockFft) fft = vg_block_fft_new_with (q, p);
  size_t bytes = sizeof (double) * (size_t) n * (size_t) fft->n,
         shared = sizeof (double2) * (size_t) ((q + 1) * p) + sizeof (double) * (size_t) fft->n;
  double *device_in = NULL, *device_out = NULL, seconds = -1;
  PerfusionBlock block = {};
  auto kernel = CHOOSE (convolve_block, q, p);
  cudaEvent_t start = NULL, end = NULL;
  float ms;

  if (VG_CUDA_OK (cudaMalloc (&device_in, bytes), error) &&
      VG_CUDA_OK (cudaMalloc (&device_out, bytes), error) &&
      VG_CUDA_OK (cudaEventCreate (&start), error) && VG_CUDA_OK (cudaEventCreate (&end), error) &&
      perfusion_block_set (&block, fft, 0, error) &&
      VG_CUDA_OK (cudaMemcpy (device_in, in, bytes, cudaMemcpyHostToDevice), error))
    {
      kernel<<<(unsigned) n, WARP, shared>>> (block, device_in, k, step_s, device_out, false);
      cudaMemcpy (round_trip, device_out, bytes, cudaMemcpyDeviceToHost);
      cudaEventRecord (start);
      for (int i = 0; i < 10; i++)
        kernel<<<(unsigned) n, WARP, shared>>> (block, device_in, k, step_s, device_out, true);
      cudaEventRecord (end);
      if (VG_CUDA_OK (cudaEventSynchronize (end), error) &&
          VG_CUDA_OK (cudaEventElapsedTime (&ms, start, end), error) &&
          VG_CUDA_OK (cudaMemcpy (out, device_out, bytes, cudaMemcpyDeviceToHost), error))
        seconds = ms * 1e-4;
    }
  cudaFree (device_in);
  cudaFree (device_out);
  cudaFree (block.memory);
  if (start != NULL)
    cudaEventDestroy (start);
  if (end != NULL)
    cudaEventDestroy (end);
  return seconds;
}

static gboolean
fit_by_blocks (PerfusionDevice *self, const VgPerfusionPaper *paper, gsize first, gsize count,
               GError **error)
{
  const VgBlockFft *fft = paper->fft;
  size_t shared = sizeof (double2) * (size_t) ((fft->q + 1) * fft->p) +
                  sizeof (double) * (size_t) (fft->n + paper->problem->n);

  auto kernel = CHOOSE (fit_block, fft->q, fft->p);

  if (!perfusion_block_set (&self->block, fft, self->stream, error) ||
      (shared > 40 * 1024 &&
       !VG_CUDA_OK (cudaFuncSetAttribute ((const void *) kernel,
                                          cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          (int) shared),
                    error)))
    return FALSE;
  kernel<<<(unsigned) count, WARP, shared, self->stream>>> (self->tables, self->block, self->curves,
                                                            self->count, self->values, first);
  return vg_cuda_launched ("fit_block", error);
}

static gboolean
fit_by_convolution (PerfusionDevice *self, const VgPerfusionPaper *paper, bool trapezoid,
                    gsize first, gsize count, GError **error)
{
  if (paper->fft != NULL)
    return fit_by_blocks (self, paper, first, count, error);
  if (paper->padded != NULL)
    return perfusion_fit_cufft (self, paper, first, count, error);
  fit_recursion<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
      self->tables, trapezoid, self->curves, self->count, self->values, first, count);
  return vg_cuda_launched ("fit_recursion", error);
}

gboolean
perfusion_fit_paper (PerfusionDevice *self, const VgPerfusionPaper *paper, gsize first, gsize count,
                     GError **error)
{
  bool trapezoid = paper->convolution == VG_PERFUSION_CONVOLUTION_TRAPEZOID;

  if (!fit_by_convolution (self, paper, trapezoid, first, count, error))
    return FALSE;
  add_errors<<<(unsigned) ((count + THREADS - 1) / THREADS), THREADS, 0, self->stream>>> (
      self->tables, trapezoid, self->values, self->count, first, count);
  return vg_cuda_launched ("add_errors", error);
}
