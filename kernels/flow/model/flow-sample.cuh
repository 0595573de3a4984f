/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/flow/model/flow-cuda.cuh"
/* Device functions: samples of the ring, and K and SFI from window sums. */

template <typename T>
static __device__ __forceinline__ T
flow_sample (const FlowRing &ring, int slot, int x, int y)
{
  const guint8 *row = ring.origin + slot * ring.slot_bytes + y * ring.pitch;

  return ((const T *) row)[x];
}

template <typename T>
static __device__ __forceinline__ bool
flow_is_bad (const FlowRing &ring, T value)
{
  return !((double) value < ring.saturation) || (double) value - (double) value != 0;
}

/* Dark level of pixel I in DN. */
static __device__ __forceinline__ double
flow_dark (const FlowRing &ring, gsize i)
{
  return ring.dark != NULL ? (double) ring.dark[i] : ring.level;
}

/* K and SFI in float:
 *   g = s^2 / D,  SFI = INDEX_FACTOR g,  K = CONTRAST_FACTOR / sqrt (g)
 * with INDEX_FACTOR = (n-1)/n / (2T) and CONTRAST_FACTOR = sqrt (n/(n-1)).
 * The quotient and the root start from the hardware's approximation and get one
 * Newton step, so each costs one rounding; with that of D this is vg_flow_k2 to
 * about 2.5e-7.  K is NaN when s <= 0 or D = 0; *INDEX is then not valid. */
static __device__ __forceinline__ void
flow_finish_quick (float d, float s, float contrast_factor, float index_factor, float *contrast,
                   float *index)
{
  float y, z;

  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(d));
  float t = s * y;
  t = fmaf (fmaf (-d, t, s), y, t);
  float g = fabsf (s) * t;
  *index = index_factor * g;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(z) : "f"(g));
  z = fmaf (0.5f * z, fmaf (-(g * z), z, 1.0f), z);
  *contrast = contrast_factor * z;
}

/* The same for all values: where D = 0, K is 0 and the index is NaN. */
static __device__ __forceinline__ void
flow_finish_float (float d, float s, float contrast_factor, float index_factor, float *contrast,
                   float *index)
{
  s = s > 0.0f ? s : VG_FLOW_NAN;
  flow_finish_quick (d, s, contrast_factor, index_factor, contrast, index);
  if (d == 0.0f)
    {
      *contrast = 0.0f * (s * contrast_factor);
      *index = VG_FLOW_NAN;
    }
}

static __device__ __forceinline__ float
flow_to_float (unsigned long long d)
{
  return fmaf (__uint2float_rn ((unsigned) (d >> 32)), 4294967296.0f,
               __uint2float_rn ((unsigned) d));
}

/* The exact D of N samples with sum S, less the part that camera noise adds to it:
 *   K^2 - noise = n / ((n-1) s^2) (D - (n-1) (shot s + floor n)) */
static __device__ __forceinline__ float
flow_noiseless_deviation (unsigned long long d, double n, double s, const FlowFinish &finish)
{
  if (finish.noisy)
    {
      double noise_part = (n - 1.0) * (finish.noise.shot * s + finish.noise.floor * n),
             rest = (double) d - noise_part;
      return rest > VG_FLOW_TIE * noise_part ? (float) rest : VG_FLOW_NAN;
    }
  return flow_to_float (d);
}

/* Calls FUNCTION<T> with the C type of VgType TYPE. */
#define FLOW_BY_TYPE(type, function, ...)                                                          \
  do                                                                                               \
    {                                                                                              \
      switch (type)                                                                                \
        {                                                                                          \
        case VG_U8:                                                                                \
          function<guint8> __VA_ARGS__;                                                            \
          break;                                                                                   \
        case VG_U16:                                                                               \
          function<guint16> __VA_ARGS__;                                                           \
          break;                                                                                   \
        case VG_U32:                                                                               \
          function<guint32> __VA_ARGS__;                                                           \
          break;                                                                                   \
        case VG_F32:                                                                               \
          function<float> __VA_ARGS__;                                                             \
          break;                                                                                   \
        }                                                                                          \
    }                                                                                              \
  while (0)
