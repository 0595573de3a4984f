/* SPDX-License-Identifier: MIT */
/* Statistics of planes in device memory: the twin of vg-statistics.c.
 *
 * Two passes over the samples: moments, then what needs them (the histogram
 * of a plane, the squares about the mean of a region).  Each block writes a
 * partial result and one block adds them in a fixed order, so a mean does not
 * depend on the scheduling.  One small copy and one wait at the end of each
 * look; labelled samples take up to five. */
#include "kernels/shared/vg-cuda-box.cuh"
#include "kernels/base/vg-statistics-formula.h"

/* Of the samples inside the box and its mask. */
typedef struct
{
  double sum, squares; /* squares: about the mean, second pass */
  guint64 valid, invalid;
  float min, max;
} Moments;

typedef struct
{
  Moments moments;
  unsigned long long histogram[VG_HISTOGRAM_BINS];
} Result;

static_assert (MAX_BLOCKS * sizeof (Moments) + sizeof (Result) <= VG_CUDA_SCRATCH_BYTES,
               "scratch is too small");

static __device__ Moments
merge (Moments a, const Moments &b)
{
  a.sum += b.sum;
  a.squares += b.squares;
  a.valid += b.valid;
  a.invalid += b.invalid;
  a.min = fminf (a.min, b.min);
  a.max = fmaxf (a.max, b.max);
  return a;
}

/* The block's total, in thread 0; a tree, so its order is fixed. */
static __device__ Moments
merge_block (const Moments &mine)
{
  __shared__ Moments all[THREADS];

  all[threadIdx.x] = mine;
  __syncthreads ();
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      if (threadIdx.x < half)
        all[threadIdx.x] = merge (all[threadIdx.x], all[threadIdx.x + half]);
      __syncthreads ();
    }
  return all[0];
}

static __global__ void
__launch_bounds__ (THREADS) moments_kernel (Box box, Moments *partial)
{
  Moments m = { 0, 0, 0, 0, INFINITY, -INFINITY };

  visit_box (box, [&] (float v) {
    if (vg_statistics_is_valid (v))
      {
        m.valid++;
        m.sum += v;
        m.min = fminf (m.min, v);
        m.max = fmaxf (m.max, v);
      }
    else
      m.invalid++;
  });
  m = merge_block (m);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = m;
}

/* Squares about the mean of the first pass; the other members stay neutral. */
static __global__ void
__launch_bounds__ (THREADS) squares_kernel (Box box, const Result *result, Moments *partial)
{
  Moments m = { 0, 0, 0, 0, INFINITY, -INFINITY };
  double mean = result->moments.sum / result->moments.valid;

  visit_box (box, [&] (float v) {
    if (vg_statistics_is_valid (v))
      m.squares += (v - mean) * (v - mean);
  });
  m = merge_block (m);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = m;
}

/* One block: adds the N partial results to RESULT. */
static __global__ void
__launch_bounds__ (THREADS) finish_kernel (const Moments *partial, int n, Result *result)
{
  Moments m = { 0, 0, 0, 0, INFINITY, -INFINITY };

  for (int i = threadIdx.x; i < n; i += THREADS)
    m = merge (m, partial[i]);
  m = merge_block (m);
  if (threadIdx.x == 0)
    result->moments = merge (result->moments, m);
}

static __global__ void
clear_kernel (Result *result)
{
  if (threadIdx.x == 0)
    result->moments = { 0, 0, 0, 0, INFINITY, -INFINITY };
  for (int i = threadIdx.x; i < VG_HISTOGRAM_BINS; i += blockDim.x)
    result->histogram[i] = 0;
}

/* A histogram per warp in shared memory: neighbours mostly share a bin. */
static __global__ void
__launch_bounds__ (THREADS) histogram_kernel (Box box, Result *result)
{
  __shared__ unsigned counts[THREADS / 32][VG_HISTOGRAM_BINS];
  double min = result->moments.min, scale = vg_statistics_scale (min, result->moments.max);

  for (int i = threadIdx.x; i < THREADS / 32 * VG_HISTOGRAM_BINS; i += THREADS)
    (&counts[0][0])[i] = 0;
  __syncthreads ();
  visit_box (box, [&] (float v) {
    if (vg_statistics_is_valid (v))
      atomicAdd (&counts[threadIdx.x / 32][vg_statistics_bin (v, min, scale)], 1u);
  });
  __syncthreads ();
  unsigned long long total = 0;
  for (int warp = 0; warp < THREADS / 32; warp++)
    total += counts[warp][threadIdx.x];
  if (total > 0)
    atomicAdd (&result->histogram[threadIdx.x], total);
}
static_assert (THREADS == (int) VG_HISTOGRAM_BINS, "a thread adds up one bin");

/* What a place with a valid value weighs by its brightness, and the bin of its value. */
struct ByLight
{
  const float *light;
  double min, scale, low, light_scale;

  __device__ unsigned
  weight (float, gsize at) const
  {
    return vg_statistics_weight (light[at], low, light_scale);
  }
  __device__ int
  bin (float v) const
  {
    return vg_statistics_bin (v, min, scale);
  }
};

/* By its label. */
struct ByLabel
{
  const float *labels;
  double low, high, scale;

  __device__ unsigned
  weight (float, gsize at) const
  {
    return labels[at] == 1;
  }
  __device__ int
  bin (float v) const
  {
    return vg_statistics_open_bin (v, low, high, scale);
  }
};

/* 1 if it has a place on a logarithmic scale, by eighths of an octave. */
struct ByOctave
{
  int top;

  __device__ unsigned
  weight (float v, gsize) const
  {
    return vg_statistics_has_octave (v);
  }
  __device__ int
  bin (float v) const
  {
    return vg_statistics_octave_bin (v, top);
  }
};

/* The same of weights; whole planes without pitch, so that a place is one in the other plane too.
 */
template <typename By>
static __global__ void
__launch_bounds__ (THREADS) weigh_kernel (Box box, By by, unsigned long long *weighed)
{
  __shared__ unsigned long long sums[THREADS / 32][VG_HISTOGRAM_BINS];

  for (int i = threadIdx.x; i < THREADS / 32 * VG_HISTOGRAM_BINS; i += THREADS)
    (&sums[0][0])[i] = 0;
  __syncthreads ();
  for (int y = blockIdx.x; y < box.height; y += gridDim.x)
    for (int x = threadIdx.x; x < box.width; x += THREADS)
      {
        float v = box.data[y * box.pitch + x];
        unsigned weight = by.weight (v, y * box.pitch + x);

        if (weight > 0 && vg_statistics_is_valid (v))
          atomicAdd (&sums[threadIdx.x / 32][by.bin (v)], (unsigned long long) weight);
      }
  __syncthreads ();
  unsigned long long total = 0;
  for (int warp = 0; warp < THREADS / 32; warp++)
    total += sums[warp][threadIdx.x];
  if (total > 0)
    atomicAdd (&weighed[threadIdx.x], total);
}

/* Enqueues the first pass over BOX and leaves its moments in RESULT. */
static gboolean
enqueue_moments (const Box &box, Moments *partial, Result *result, int blocks, cudaStream_t stream,
                 GError **error)
{
  clear_kernel<<<1, THREADS, 0, stream>>> (result);
  moments_kernel<<<blocks, THREADS, 0, stream>>> (box, partial);
  finish_kernel<<<1, THREADS, 0, stream>>> (partial, blocks, result);
  return vg_cuda_launched ("moments_kernel", error);
}

static gboolean
fetch (VgCudaScratch *scratch, const Result *result, gsize bytes, cudaStream_t stream,
       GError **error)
{
  return vg_cuda_copy (scratch->pinned, result, bytes, stream, error) &&
         vg_cuda_scratch_wait (scratch, stream, error);
}

gboolean
vg_cuda_statistics (const VgPlane *plane, int slice, VgStatistics *statistics, GError **error)
{
  int device;

  if (!vg_cuda_use_plane (plane, slice, &device, error))
    return FALSE;
  VgCudaScratch *scratch = vg_cuda_scratch_take (device, error);
  if (scratch == NULL)
    return FALSE;
  cudaStream_t stream = (cudaStream_t) plane->stream;
  gsize area = (gsize) plane->width * plane->height;
  Box box = {
    plane->data + slice * area, (gsize) plane->width, plane->width, plane->height, NULL, 0
  };
  Moments *partial = (Moments *) scratch->partial;
  Result *result = (Result *) (partial + MAX_BLOCKS);
  int blocks = MIN (plane->height, MAX_BLOCKS);
  gboolean ok = enqueue_moments (box, partial, result, blocks, stream, error);
  if (ok)
    {
      histogram_kernel<<<blocks, THREADS, 0, stream>>> (box, result);
      ok = vg_cuda_launched ("histogram_kernel", error) &&
           fetch (scratch, result, sizeof *result, stream, error);
    }
  if (ok)
    {
      const Result *r = (const Result *) scratch->pinned;
      gboolean any = r->moments.valid > 0;
      statistics->min = any ? r->moments.min : NAN;
      statistics->max = any ? r->moments.max : NAN;
      statistics->mean = any ? r->moments.sum / r->moments.valid : NAN;
      statistics->weight = 0;
      memset (statistics->octaves, 0, sizeof statistics->octaves);
      statistics->valid = r->moments.valid;
      statistics->invalid = r->moments.invalid;
      for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
        statistics->histogram[i] = r->histogram[i];
    }
  vg_cuda_scratch_give (scratch);
  return ok;
}

static gboolean
same_size (const VgPlane *a, const VgPlane *b)
{
  return a->width == b->width && a->height == b->height && a->slices == b->slices;
}

/* Scratch of the device of both planes, when what is still written on the other's own stream is
 * there. */
static VgCudaScratch *
take_scratch (const VgPlane *plane, const VgPlane *other, int slice, GError **error)
{
  int device, others;

  if (!vg_cuda_use_plane (other, slice, &others, error) ||
      !vg_cuda_use_plane (plane, slice, &device, error) ||
      (other->stream != plane->stream &&
       !VG_CUDA_OK (cudaStreamSynchronize ((cudaStream_t) other->stream), error)))
    return NULL;
  return vg_cuda_scratch_take (device, error);
}

/* One look at the plane: the weights in each of BINS. */
template <typename By>
static gboolean
count (VgCudaScratch *scratch, const VgPlane *plane, int slice, const By &by, guint64 *bins,
       GError **error)
{
  cudaStream_t stream = (cudaStream_t) plane->stream;
  gsize area = (gsize) plane->width * plane->height;
  Box box = {
    plane->data + slice * area, (gsize) plane->width, plane->width, plane->height, NULL, 0
  };
  unsigned long long *weighed = (unsigned long long *) scratch->partial;
  gsize bytes = VG_HISTOGRAM_BINS * sizeof *weighed;

  if (!VG_CUDA_OK (cudaMemsetAsync (weighed, 0, bytes, stream), error))
    return FALSE;
  weigh_kernel<<<MIN (plane->height, MAX_BLOCKS), THREADS, 0, stream>>> (box, by, weighed);
  if (!vg_cuda_launched ("weigh_kernel", error) ||
      !vg_cuda_copy (scratch->pinned, weighed, bytes, stream, error) ||
      !vg_cuda_scratch_wait (scratch, stream, error))
    return FALSE;
  for (int i = 0; i < VG_HISTOGRAM_BINS; i++)
    bins[i] = ((const unsigned long long *) scratch->pinned)[i];
  return TRUE;
}

gboolean
vg_cuda_count_octaves (const VgPlane *plane, int slice, VgStatistics *statistics, GError **error)
{
  ByOctave by = { vg_statistics_eighth ((float) statistics->max) };
  VgCudaScratch *scratch;
  int device;
  gboolean ok;

  memset (statistics->octaves, 0, sizeof statistics->octaves);
  if (statistics->valid == 0 || !(statistics->max > 0))
    return TRUE;
  if (!vg_cuda_use_plane (plane, slice, &device, error) ||
      (scratch = vg_cuda_scratch_take (device, error)) == NULL)
    return FALSE;
  ok = count (scratch, plane, slice, by, statistics->octaves, error);
  vg_cuda_scratch_give (scratch);
  return ok;
}

gboolean
vg_cuda_weigh (const VgPlane *plane, const VgPlane *light, int slice, const double limits[2],
               VgStatistics *statistics, GError **error)
{
  double scale = vg_statistics_scale (statistics->min, statistics->max),
         light_scale = vg_statistics_scale (limits[0], limits[1]);
  ByLight by = { light->data + (gsize) slice * plane->width * plane->height, statistics->min, scale,
                 limits[0], light_scale };
  VgCudaScratch *scratch;
  gboolean ok;

  memset (statistics->weighed, 0, sizeof statistics->weighed);
  statistics->weight = 0;
  if (statistics->valid == 0 || light_scale == 0 || !same_size (plane, light))
    return TRUE;
  scratch = take_scratch (plane, light, slice, error);
  if (scratch == NULL)
    return FALSE;
  ok = count (scratch, plane, slice, by, statistics->weighed, error);
  for (int i = 0; i < VG_HISTOGRAM_BINS && ok; i++)
    statistics->weight += statistics->weighed[i];
  vg_cuda_scratch_give (scratch);
  return ok;
}

gboolean
vg_cuda_count_labelled (const VgPlane *plane, const VgPlane *labels, int slice,
                        VgStatistics *statistics, GError **error)
{
  ByLabel by = { labels->data + (gsize) slice * plane->width * plane->height, statistics->min,
                 statistics->max, 0 };
  int left = VG_STATISTICS_LOOKS;
  VgCudaScratch *scratch;
  gboolean ok;

  statistics->weight = 0;
  if (statistics->valid == 0 || !same_size (plane, labels))
    return TRUE;
  scratch = take_scratch (plane, labels, slice, error);
  if (scratch == NULL)
    return FALSE;
  do
    {
      by.scale = vg_statistics_scale (by.low, by.high);
      ok = count (scratch, plane, slice, by, statistics->weighed, error);
    }
  while (ok && vg_statistics_narrow (statistics, &by.low, &by.high) && --left > 0);
  vg_cuda_scratch_give (scratch);
  return ok;
}

gboolean
vg_cuda_region_statistics (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1, int y1,
                           int slice, VgRegionStatistics *statistics, GError **error)
{
  int device;
  Box box;

  *statistics = VG_REGION_STATISTICS_NONE;
  if (!vg_cuda_use_plane (plane, slice, &device, error))
    return FALSE;
  if (!find_box (&box, plane, &mask, x0, y0, x1, y1, slice))
    return TRUE;
  VgCudaScratch *scratch = vg_cuda_scratch_take (device, error);
  if (scratch == NULL)
    return FALSE;
  cudaStream_t stream = (cudaStream_t) plane->stream;
  Moments *partial = (Moments *) scratch->partial;
  Result *result = (Result *) (partial + MAX_BLOCKS);
  int blocks = MIN (box.height, MAX_BLOCKS);
  gboolean ok = send_mask (scratch, mask, &box, stream, error) &&
                enqueue_moments (box, partial, result, blocks, stream, error);
  if (ok)
    {
      squares_kernel<<<blocks, THREADS, 0, stream>>> (box, result, partial);
      finish_kernel<<<1, THREADS, 0, stream>>> (partial, blocks, result);
      ok = vg_cuda_launched ("squares_kernel", error) &&
           fetch (scratch, result, sizeof result->moments, stream, error);
    }
  if (ok)
    {
      const Moments *m = &((const Result *) scratch->pinned)->moments;
      statistics->valid = m->valid;
      statistics->invalid = m->invalid;
      statistics->mean = m->valid > 0 ? m->sum / m->valid : NAN;
      statistics->sd = m->valid > 1 ? sqrt (m->squares / (m->valid - 1)) : NAN;
      statistics->min = m->valid > 0 ? m->min : NAN;
      statistics->max = m->valid > 0 ? m->max : NAN;
    }
  vg_cuda_scratch_give (scratch);
  return ok;
}
