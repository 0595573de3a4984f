/* SPDX-License-Identifier: MIT */
#pragma once
/* The default solver uses float on the GPU, all others double. */
#ifndef VG_PERFUSION_REAL
#define VG_PERFUSION_REAL float
#endif
#include "kernels/perfusion/model/perfusion-choice.h"
#include "kernels/perfusion/fit/perfusion-deconvolve.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
#include "kernels/perfusion/model/perfusion-descent.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* The device memory of the fits, and the launches of their kernels on self->stream.  FIRST and
 * COUNT number the voxels of one device. */

/* The tables that the kernels read, in one block of device memory. */
struct PerfusionTables
{
  int n, even, dual, model, paper, pad, points, point_group, point_parts;
  float step, weight_sum;
  double step64, weight_sum64;
  int used;
  VgPerfusionBounds bounds;
  /* artery and portal can be read up to `pad` samples beyond both ends. */
  const float *times, *weights, *artery, *portal;
  const float *directions, *a, *p, *overlap, *inverse, *log_rate, *delay;
  const double *place;
  /* NULL for the exchange model, which uses place_pair and place_part */
  const float *point_u, *point_v, *point_overlap, *point_inverse;
  const VgPerfusionPointPair *point_pair;
  const float *point_part;
  const double *times64, *weights64, *artery64, *portal64;
  VgPerfusionDeconvolver deconvolver;
};

/* The factors of a Block-FFT on the device.  turn: e^(i pi j / n) for the frequency of each
 * element of the spectrum, whose rows are in bit-reversed order. */
struct PerfusionBlock
{
  int n, q, p;
  double scale;
  const double2 *column, *twiddle, *root, *turn;
  double2 *memory;
};

enum { PERFUSION_QUEUES = 2 };

/* One GPU's part of the voxels. */
struct PerfusionDevice
{
  int device;
  cudaStream_t stream;
  gsize first, count; /* range of voxels */
  guint8 *raw;        /* n frames of `count` samples */
  float *curves;      /* concentrations; equal to `raw` if the samples are concentrations */
  gboolean own_curves;
  guint8 *mask;
  float *t1_s, *cos_flip, *signal, *values, *derived; /* values: FIT_VALUES planes of `count` */
  float2 *sums;                                       /* of each curve: sum of squares, mean */
  ushort2 *starts;                                    /* pairs of the dictionary, or grid points */
  unsigned *queue; /* how many voxels the blocks of the exchange model have taken: PERFUSION_QUEUES
                      counts, one for each stream of its own */
  guint8 *tables_memory;
  gsize tables_bytes;
  PerfusionTables tables;
  PerfusionTables others[VG_PERFUSION_CANDIDATES]; /* if the best model is chosen, by model */
  PerfusionBlock block;                            /* for the paper's solver */
  void *scratch; /* for deconvolution, the choice of a model, and the paper's solver with cuFFT */
  gsize scratch_bytes;
};

/* Finds the initial values of the voxels. */
gboolean perfusion_find_starts (PerfusionDevice *self, gsize first, gsize count, GError **error);
/* Fits one compartment. */
gboolean perfusion_fit_default (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                                gsize first, gsize count, GError **error);
/* Makes `scratch` hold BYTES at least. */
gboolean perfusion_reserve_scratch (PerfusionDevice *self, gsize bytes, GError **error);
/* Deconvolution. */
gboolean perfusion_deconvolve (PerfusionDevice *self, gsize first, gsize count, GError **error);
/* Fits the other models; the exchange model in perfusion-exchange.cu. */
gboolean perfusion_fit_general (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                                gsize first, gsize count, GError **error);
gboolean perfusion_fit_exchange (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                                 gsize first, gsize count, GError **error);
/* Fits all models and keeps the preferred one (perfusion-choice.cu). */
gboolean perfusion_fit_best (PerfusionDevice *self, const VgPerfusionFitOptions *options,
                             double significance, gsize first, gsize count, GError **error);

/* Kernels in which a thread that has finished a voxel takes the next: voxels need very different
 * numbers of passes, so in a warp of neighbours most threads would wait for the slowest.  Each
 * block has a contiguous part of the voxels.  What a finished thread does next is the same
 * whatever the others do, so a voxel's result does not depend on its neighbours. */

enum {
  PERFUSION_THREADS = 128,
  PERFUSION_WARP = 32,
  /* Finished threads of a warp wait until there are so many: they store and begin together. */
  PERFUSION_WAITING = 8,
  /* Longer curves remain in global memory. */
  PERFUSION_MOST_SHARED = 100 * 1024,
};
#define PERFUSION_ALL_LANES 0xffffffffu

/* The inputs and the weights of the frames in shared memory, and what follows them there. */
template <class T> struct PerfusionShared
{
  const T *artery, *portal, *weights;
  float *staged;
};

/* Copies inputs, which can be read PAD samples beyond both of their ends, and WEIGHTS to MEMORY.
 * Called by all of THREADS, which wait afterwards. */
template <int THREADS, class T>
__device__ static inline PerfusionShared<T>
perfusion_share_inputs (T *memory, const T *artery, const T *portal, const T *weights, int n,
                        int pad)
{
  const int length = n + 2 * pad;

  for (int i = threadIdx.x; i < length; i += THREADS)
    {
      memory[i] = artery[i - pad];
      memory[length + i] = portal[i - pad];
    }
  for (int i = threadIdx.x; i < n; i += THREADS)
    memory[2 * length + i] = weights[i];
  return { memory + pad, memory + length + pad, memory + 2 * length,
           (float *) (memory + 2 * length + n) };
}

/* The distance of a curve's frames in the shared memory of a block of THREADS: threads read, and
 * warps write, different banks. */
constexpr int
perfusion_staged (int threads)
{
  return threads + 1;
}

/* Copies the N frames of VOXEL, of each lane that has TAKEN one, to shared memory.  Called by whole
 * warps, which copy one curve after the other. */
template <int THREADS>
__device__ static inline void
perfusion_stage (float *staged, const float *curves, gsize stride, gsize voxel, bool taken, int n)
{
  const int lane = (int) threadIdx.x % PERFUSION_WARP, warp = (int) threadIdx.x - lane;

  for (unsigned left = __ballot_sync (PERFUSION_ALL_LANES, taken); left != 0; left &= left - 1)
    {
      const int to = __ffs ((int) left) - 1;
      const float *curve = curves + __shfl_sync (PERFUSION_ALL_LANES, voxel, to);

      for (int i = lane; i < n; i += PERFUSION_WARP)
        staged[i * perfusion_staged (THREADS) + warp + to] = curve[(gsize) i * stride];
    }
  __syncwarp ();
}

/* The next voxel of the block's part, up to END, that is to be fitted; NEXT: a count in shared
 * memory; STATUS: the map. */
__device__ static inline gsize
perfusion_take (unsigned *next, gsize from, gsize end, const float *status)
{
  gsize at;

  do
    at = from + atomicAdd (next, 1);
  while (at < end && status[at] != VG_PERFUSION_FITTED);
  return at;
}

/* The number of blocks of THREADS that run at the same time on the current device, at most one for
 * each THREADS voxels of COUNT.  SHARED: the bytes of TABLES and, if they fit, of the curves
 * (IN_SHARED) for N frames; the kernel may then use them. */
gboolean perfusion_lasting_blocks (const void *kernel, int threads, size_t tables, int n,
                                   gsize count, unsigned *blocks, size_t *shared,
                                   gboolean *in_shared, GError **error);
