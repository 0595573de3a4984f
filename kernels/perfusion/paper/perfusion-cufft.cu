/* SPDX-License-Identifier: MIT */
/* The paper's solver with convolutions by cuFFT: all voxels run in lockstep, each zero-padded to
 * twice its length. */
#include "kernels/perfusion/paper/perfusion-paper-cuda.cuh"
#include "kernels/shared/vg-cufft.cuh"

enum { THREADS = 256, WARP = 32 };

static gboolean
plan (VgCufft *fft, int length, int count, cudaStream_t stream, GError **error)
{
  return vg_cufft_init (fft, 1, &length, count, TRUE, "padded FFT", "Convolution to Block-FFT",
                        stream, error);
}

/* Multiplies V by the spectrum of the exponential at frequency J of 2 N. */
__device__ static double2
decayed (double2 v, int j, int n, double k, double step)
{
  double c, s, decay = exp (-k * step), rest = exp (-k * step * n);

  sincospi ((double) j / n, &s, &c);
  double re = 1 - decay * c, im = decay * s,
         scale = step * (1 - (j % 2 == 0 ? rest : -rest)) / (re * re + im * im) / (2 * n);
  return make_double2 (scale * (v.x * re + v.y * im), scale * (v.y * re - v.x * im));
}

__global__ static void
decay_all (double2 *spectrum, int n, gsize count, const VgSimplex *simplices, double k, double step)
{
  gsize at = (gsize) blockIdx.x * THREADS + threadIdx.x, voxel = at / (n + 1);

  if (voxel < count)
    spectrum[at] = decayed (spectrum[at], (int) (at % (n + 1)), n,
                            simplices != NULL ? simplices[voxel].trial[2] / VG_PERFUSION_RATE : k,
                            step);
}

__global__ static void
pad (const double *in, double *out, int n, gsize count)
{
  gsize at = (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (at < count * 2 * n)
    out[at] = at % (2 * n) < n ? in[at / (2 * n) * n + at % (2 * n)] : 0;
}

__global__ static void
unpad (const double *in, double *out, int n, gsize count)
{
  gsize at = (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (at < count * n)
    out[at] = in[at / n * 2 * n + at % n];
}

double
perfusion_time_cufft (int length, int n, const double *in, double k, double step_s, double *out,
                      GError **error)
{
  gsize samples = (gsize) n * (gsize) length, bytes = sizeof (double) * samples;
  double *device_in = NULL, *padded = NULL, seconds = -1;
  double2 *spectrum = NULL;
  cudaEvent_t start = NULL, end = NULL;
  VgCufft fft = {};
  float ms;
  gboolean ok = VG_CUDA_OK (cudaMalloc (&device_in, bytes), error) &&
                VG_CUDA_OK (cudaMalloc (&padded, 2 * bytes), error) &&
                VG_CUDA_OK (
                    cudaMalloc (&spectrum, sizeof (double2) * (gsize) n * (gsize) (length + 1)),
                    error) &&
                VG_CUDA_OK (cudaEventCreate (&start), error) &&
                VG_CUDA_OK (cudaEventCreate (&end), error) &&
                VG_CUDA_OK (cudaMemcpy (device_in, in, bytes, cudaMemcpyHostToDevice), error) &&
                plan (&fft, 2 * length, n, 0, error);

  /* The first pass is not timed. */
  for (int pass = 0; ok && pass <= 10; pass++)
    {
      if (pass == 1)
        cudaEventRecord (start);
      pad<<<(unsigned) ((2 * samples + THREADS - 1) / THREADS), THREADS>>> (device_in, padded,
                                                                            length, n);
      ok = vg_cufft_forward (&fft, padded, spectrum, error);
      decay_all<<<(unsigned) (((gsize) n * (length + 1) + THREADS - 1) / THREADS), THREADS>>> (
          spectrum, length, n, NULL, k, step_s);
      ok = ok && vg_cufft_inverse (&fft, spectrum, padded, error);
      if (pass == 10)
        cudaEventRecord (end);
    }
  if (ok)
    unpad<<<(unsigned) ((samples + THREADS - 1) / THREADS), THREADS>>> (padded, device_in, length,
                                                                        n);
  if (ok && VG_CUDA_OK (cudaEventSynchronize (end), error) &&
      VG_CUDA_OK (cudaEventElapsedTime (&ms, start, end), error) &&
      VG_CUDA_OK (cudaMemcpy (out, device_in, bytes, cudaMemcpyDeviceToHost), error))
    seconds = ms * 1e-4;
  vg_cufft_clear (&fft);
  cudaFree (device_in);
  cudaFree (padded);
  cudaFree (spectrum);
  if (start != NULL)
    cudaEventDestroy (start);
  if (end != NULL)
    cudaEventDestroy (end);
  return seconds;
}

/* ---- The solver in lockstep ---- */

__device__ static double
delayed (const PerfusionTables &t, const double *input, int frame, double delay, double step)
{
  double time = t.times64[frame] - delay, place = fmax (frame - delay / step, 0.0);
  int j = (int) fmin (place, (double) t.n);

  if (!(time >= t.times64[0]))
    return 0;
  return place >= t.n - 1 ? input[t.n - 1] : input[j] + (place - j) * (input[j + 1] - input[j]);
}

__global__ static void
begin (VgSimplex *simplices, guint8 *alive, const float *status, gsize count)
{
  gsize voxel = (gsize) blockIdx.x * THREADS + threadIdx.x;

  if (voxel >= count)
    return;
  vg_simplex_start (&simplices[voxel]);
  alive[voxel] = status[voxel] == VG_PERFUSION_FITTED;
}

__global__ static void
mix (PerfusionTables t, const VgSimplex *simplices, const guint8 *alive, double *padded,
     gsize count, double step)
{
  gsize at = (gsize) blockIdx.x * THREADS + threadIdx.x, voxel = at / (2 * t.n);
  int frame = (int) (at % (2 * t.n));

  if (voxel >= count || !alive[voxel])
    return;
  const double *x = simplices[voxel].trial;
  padded[at] = frame >= t.n ? 0
                            : (x[0] * delayed (t, t.artery64, frame, x[3], step) +
                               (t.dual ? x[1] * delayed (t, t.portal64, frame, x[4], step) : 0)) /
                                  VG_PERFUSION_RATE;
}

/* One warp per voxel: computes the cost, advances the simplex, and stores the result at its end. */
__global__ static void
evaluate (PerfusionTables t, VgSimplex *simplices, guint8 *alive, const double *padded,
          const float *curves, gsize stride, float *values, gsize count, unsigned *left)
{
  gsize voxel = ((gsize) blockIdx.x * THREADS + threadIdx.x) / WARP;
  int lane = threadIdx.x % WARP;
  double cost = 0, yy = 0, mean = 0;

  if (voxel >= count || !alive[voxel])
    return;
  for (int i = lane; i < t.n; i += WARP)
    {
      double w = t.weights64[i], y = w > 0 ? (double) curves[(gsize) i * stride + voxel] : 0,
             difference = y - padded[voxel * 2 * t.n + i];

      cost += w * difference * difference;
      yy += w * y * y;
      mean += w * y / t.weight_sum;
    }
  for (int offset = WARP / 2; offset > 0; offset /= 2)
    {
      cost += __shfl_xor_sync (0xffffffff, cost, offset);
      yy += __shfl_xor_sync (0xffffffff, yy, offset);
      mean += __shfl_xor_sync (0xffffffff, mean, offset);
    }
  if (lane != 0)
    return;
  VgSimplex *s = &simplices[voxel];
  if (vg_simplex_set_cost (s, cost))
    {
      atomicAdd (left, 1);
      return;
    }
  alive[voxel] = 0;
  double spread = yy - t.weight_sum * mean * mean;
  for (int i = 0; i < VG_SIMPLEX_N; i++)
    values[(gsize) i * stride + voxel] = !t.dual && (i == VG_PERFUSION_FIT_KP ||
                                                     i == VG_PERFUSION_FIT_TAU_P)
                                             ? nanf ("")
                                             : (float) s->x[0][i];
  values[(gsize) VG_PERFUSION_FIT_RESIDUAL * stride + voxel] = (float) sqrt (s->f[0] /
                                                                             t.weight_sum);
  values[(gsize) VG_PERFUSION_FIT_R2 * stride + voxel] = spread > 0 ? (float) (1 - s->f[0] / spread)
                                                                    : nanf ("");
  values[(gsize) VG_PERFUSION_FIT_ITERATIONS * stride + voxel] = s->iterations;
  values[(gsize) VG_PERFUSION_FIT_STATUS * stride + voxel] = vg_perfusion_paper_status (
      s->x[0], s->iterations, t.dual, t.times64[t.n - 1] - t.times64[0]);
}

static gboolean
walk_all (PerfusionDevice *self, VgCufft *fft, gsize first, int count, guint8 *memory,
          GError **error)
{
  const PerfusionTables &t = self->tables;
  gsize n = (gsize) t.n, voxels = (gsize) count;
  VgSimplex *simplices = (VgSimplex *) memory;
  double2 *spectrum = (double2 *) (memory + voxels * sizeof (VgSimplex) / 256 * 256 + 256);
  double *padded = (double *) (spectrum + voxels * (n + 1)), step = t.step64;
  unsigned *left = (unsigned *) (padded + 2 * n * voxels), remaining = 1;
  guint8 *alive = (guint8 *) (left + 2);
  auto blocks = [] (gsize threads) { return (unsigned) ((threads + THREADS - 1) / THREADS); };

  begin<<<blocks (voxels), THREADS, 0, self->stream>>> (
      simplices, alive, self->values + VG_PERFUSION_FIT_STATUS * self->count + first, voxels);
  /* The spectra of voxels that have ended must be finite too. */
  if (!VG_CUDA_OK (cudaMemsetAsync (padded, 0, 2 * n * voxels * sizeof (double), self->stream),
                   error))
    return FALSE;
  for (int pass = 0; remaining > 0 && pass < 20 * VG_SIMPLEX_MAX_ITERATIONS; pass++)
    {
      if (!VG_CUDA_OK (cudaMemsetAsync (left, 0, sizeof *left, self->stream), error))
        return FALSE;
      mix<<<blocks (2 * n * voxels), THREADS, 0, self->stream>>> (t, simplices, alive, padded,
                                                                  voxels, step);
      if (!vg_cufft_forward (fft, padded, spectrum, error))
        return FALSE;
      decay_all<<<blocks ((n + 1) * voxels), THREADS, 0, self->stream>>> (spectrum, t.n, voxels,
                                                                          simplices, 0, step);
      if (!vg_cufft_inverse (fft, spectrum, padded, error))
        return FALSE;
      evaluate<<<blocks (WARP * voxels), THREADS, 0, self->stream>>> (
          t, simplices, alive, padded, self->curves + first, self->count, self->values + first,
          voxels, left);
      if (pass % 8 == 7 && (!VG_CUDA_OK (cudaMemcpyAsync (&remaining, left, sizeof remaining,
                                                          cudaMemcpyDeviceToHost, self->stream),
                                         error) ||
                            !VG_CUDA_OK (cudaStreamSynchronize (self->stream), error)))
        return FALSE;
    }
  return vg_cuda_launched ("evaluate", error);
}

gboolean
perfusion_fit_cufft (PerfusionDevice *self, const VgPerfusionPaper *paper, gsize first, gsize count,
                     GError **error)
{
  enum { AT_ONCE = 65536 };
  gsize most = MIN (count, (gsize) AT_ONCE), n = (gsize) paper->problem->n;
  gsize bytes = most * (sizeof (VgSimplex) + sizeof (double2) * (n + 1) + sizeof (double) * 2 * n +
                        1) +
                1024;
  gboolean ok = TRUE;

  if (!perfusion_reserve_scratch (self, bytes, error))
    return FALSE;
  for (gsize done = 0; ok && done < count; done += most)
    {
      int now = (int) MIN (most, count - done);
      VgCufft fft;

      ok = plan (&fft, 2 * paper->problem->n, now, self->stream, error) &&
           walk_all (self, &fft, first + done, now, (guint8 *) self->scratch, error) &&
           VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
      vg_cufft_clear (&fft);
    }
  return ok;
}
