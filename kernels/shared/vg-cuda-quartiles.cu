/* SPDX-License-Identifier: MIT */
/* The exact median and quartiles of a region of a plane in device memory, by radix selection: the
 * samples are counted by one digit of eight bits after the other, the highest first, and each count
 * decides the next digit of the sample of the wanted rank.  It needs no copy of the samples, and
 * whole numbers are counted, so the result does not depend on the scheduling. */
#include "kernels/shared/vg-cuda-box.cuh"
#include "kernels/base/vg-statistics-formula.h"

enum { DIGITS = 256 };

/* A sample as a whole number; these have the order of the samples. */
static __device__ unsigned
sample_key (float value)
{
  unsigned bits = __float_as_uint (value);

  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float
key_sample (unsigned key)
{
  unsigned bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* Counts the digit from bit SHIFT on of the samples whose higher bits are HIGHER. */
static __global__ void
__launch_bounds__ (THREADS) digit_kernel (Box box, int shift, unsigned higher, unsigned *counts)
{
  __shared__ unsigned mine[DIGITS];

  mine[threadIdx.x] = 0;
  __syncthreads ();
  visit_box (box, [&] (float v) {
    unsigned key = sample_key (v);

    if (vg_statistics_is_valid (v) && (unsigned) ((guint64) key >> (shift + 8)) == higher)
      atomicAdd (&mine[(key >> shift) & (DIGITS - 1)], 1u);
  });
  __syncthreads ();
  if (mine[threadIdx.x] > 0)
    atomicAdd (&counts[threadIdx.x], mine[threadIdx.x]);
}
static_assert (THREADS == (int) DIGITS, "a thread adds up one digit");

/* Sets *VALUE to the sample of RANK, from 0, and *LEFT to the number of further samples of the same
 * value. */
static gboolean
select_rank (VgCudaScratch *scratch, const Box &box, guint64 rank, cudaStream_t stream,
             float *value, guint64 *left, GError **error)
{
  unsigned *counts = (unsigned *) scratch->partial, key = 0;
  const unsigned *fetched = (const unsigned *) scratch->pinned;
  gsize bytes = DIGITS * sizeof *counts;

  for (int shift = 24; shift >= 0; shift -= 8)
    {
      unsigned digit = 0;

      if (!VG_CUDA_OK (cudaMemsetAsync (counts, 0, bytes, stream), error))
        return FALSE;
      digit_kernel<<<MIN (box.height, MAX_BLOCKS), THREADS, 0, stream>>> (box, shift, key, counts);
      if (!vg_cuda_launched ("digit_kernel", error) ||
          !vg_cuda_copy (scratch->pinned, counts, bytes, stream, error) ||
          !vg_cuda_scratch_wait (scratch, stream, error))
        return FALSE;
      for (; digit < DIGITS - 1 && rank >= fetched[digit]; digit++)
        rank -= fetched[digit];
      key = key << 8 | digit;
      *left = fetched[digit] - MIN ((guint64) fetched[digit], rank + 1);
    }
  *value = key_sample (key);
  return TRUE;
}

/* Sets *VALUE to the value below which a fraction Q of the N valid samples lies, as
 * vg_region_statistics_add_quartiles does. */
static gboolean
find_quantile (VgCudaScratch *scratch, const Box &box, guint64 n, double q, cudaStream_t stream,
               double *value, GError **error)
{
  double at = q * (double) (n - 1), part = at - floor (at);
  guint64 left, rank = (guint64) at;
  float below, above;

  if (!select_rank (scratch, box, rank, stream, &below, &left, error))
    return FALSE;
  above = below;
  if (part > 0 && left == 0 && !select_rank (scratch, box, rank + 1, stream, &above, &left, error))
    return FALSE;
  *value = (1 - part) * below + part * above;
  return TRUE;
}

gboolean
vg_cuda_region_quartiles (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1, int y1,
                          int slice, VgRegionStatistics *statistics, GError **error)
{
  guint64 n = statistics->valid;
  int device;
  Box box;

  if (!vg_cuda_use_plane (plane, slice, &device, error))
    return FALSE;
  if (n == 0 || !find_box (&box, plane, &mask, x0, y0, x1, y1, slice))
    return TRUE;
  VgCudaScratch *scratch = vg_cuda_scratch_take (device, error);
  if (scratch == NULL)
    return FALSE;
  cudaStream_t stream = (cudaStream_t) plane->stream;
  gboolean ok = send_mask (scratch, mask, &box, stream, error) &&
                find_quantile (scratch, box, n, 0.25, stream, &statistics->q25, error) &&
                find_quantile (scratch, box, n, 0.5, stream, &statistics->median, error) &&
                find_quantile (scratch, box, n, 0.75, stream, &statistics->q75, error);
  vg_cuda_scratch_give (scratch);
  return ok;
}
