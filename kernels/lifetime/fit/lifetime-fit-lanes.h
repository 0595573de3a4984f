/* SPDX-License-Identifier: MIT */
#pragma once
#include <float.h>
#include <glib.h>
#include <math.h>
#include <string.h>
/* One pixel is one lane.  A lane is a thread in CUDA; for gcc 16 lanes are one vector (AVX-512,
 * AVX2 or SSE).  The fits are written once in terms of VgLanes, without branches on values of a
 * pixel, so both backends take the same steps to the same minimum. */

#ifdef __CUDACC__

#define VG_LANES static __host__ __device__ __forceinline__
#ifdef __CUDA_ARCH__
#define VG_LANES_UNROLL _Pragma ("unroll")
#define VG_LANES_SMALL _Pragma ("unroll")
#define VG_LANES_BINS _Pragma ("unroll 4")
#else
#define VG_LANES_UNROLL
#define VG_LANES_SMALL
#define VG_LANES_BINS
#endif
typedef float VgLanes;
typedef double VgWide;
typedef bool VgMask;
enum { VG_N_LANES = 1 };

VG_LANES VgLanes
vg_lanes (float a)
{
  return a;
}
VG_LANES VgWide
vg_widen (VgLanes a)
{
  return a;
}
VG_LANES VgLanes
vg_narrow (VgWide a)
{
  return (float) a;
}
VG_LANES VgMask
vg_not (VgMask m)
{
  return !m;
}
VG_LANES VgLanes
vg_select (VgMask m, VgLanes a, VgLanes b)
{
  return m ? a : b;
}
VG_LANES bool
vg_any (VgMask m)
{
  return m;
}
VG_LANES VgLanes
vg_max (VgLanes a, VgLanes b)
{
  return fmaxf (a, b);
}
VG_LANES VgLanes
vg_min (VgLanes a, VgLanes b)
{
  return fminf (a, b);
}

VG_LANES VgLanes
vg_reciprocal (VgLanes a)
{
#ifdef __CUDA_ARCH__
  return __fdividef (1.0f, a);
#else
  return 1.0f / a;
#endif
}

VG_LANES VgLanes
vg_exp (VgLanes x)
{
  return expf (fminf (fmaxf (x, -87.0f), 88.0f));
}
VG_LANES VgLanes
vg_log (VgLanes x)
{
  return logf (x);
}

/* ln x with a relative error of about 2.4e-7, enough to compare objectives. */
VG_LANES VgLanes
vg_log_fast (VgLanes x)
{
#ifdef __CUDA_ARCH__
  return __logf (x);
#else
  return logf (x);
#endif
}

#else /* gcc */

/* Vectors are passed between inlined functions only. */
#pragma GCC diagnostic ignored "-Wpsabi"
#define VG_LANES static inline __attribute__ ((always_inline))
/* In the loop over bins sums stay in registers. */
#define VG_LANES_UNROLL _Pragma ("GCC unroll 8")
#define VG_LANES_BINS /* Only CUDA needs a request to load several bins in advance. */
/* Only CUDA gains from unrolling elsewhere, as it cannot index registers. */
#define VG_LANES_SMALL
enum { VG_N_LANES = 16 };
typedef float VgLanes __attribute__ ((vector_size (64)));
typedef double VgWide __attribute__ ((vector_size (128)));
typedef gint32 VgMask __attribute__ ((vector_size (64))); /* -1: true, 0: false */

VG_LANES VgLanes
vg_lanes (float a)
{
  return (VgLanes){} + a;
}
VG_LANES VgWide
vg_widen (VgLanes a)
{
  return __builtin_convertvector(a, VgWide);
}
VG_LANES VgLanes
vg_narrow (VgWide a)
{
  return __builtin_convertvector(a, VgLanes);
}
VG_LANES VgMask
vg_not (VgMask m)
{
  return ~m;
}

VG_LANES VgLanes
vg_select (VgMask m, VgLanes a, VgLanes b)
{
  return (VgLanes) ((m & (VgMask) a) | (~m & (VgMask) b));
}

VG_LANES gboolean
vg_any (VgMask m)
{
  gint32 any = 0;

  for (int i = 0; i < VG_N_LANES; i++)
    any |= m[i];
  return any != 0;
}

VG_LANES VgLanes
vg_max (VgLanes a, VgLanes b)
{
  return vg_select (a > b, a, b);
}
VG_LANES VgLanes
vg_min (VgLanes a, VgLanes b)
{
  return vg_select (a < b, a, b);
}
VG_LANES VgLanes
vg_reciprocal (VgLanes a)
{
  return 1.0f / a;
}

/* e^x for -87 <= x <= 88, clamped; 1 ulp.  x = n ln 2 + f. */
VG_LANES VgLanes
vg_exp (VgLanes x)
{
  const float magic = 12582912.0f; /* 1.5 * 2^23: adding it rounds to an integer */
  VgLanes k, n, f, p;

  x = vg_min (vg_max (x, vg_lanes (-87.0f)), vg_lanes (88.0f));
  k = x * 1.44269504f + magic;
  n = k - magic;
  f = x - n * 0.693359375f + n * 2.12194440e-4f;
  p = f * (1.0f / 5040) + 1.0f / 720;
  p = p * f + 1.0f / 120;
  p = p * f + 1.0f / 24;
  p = p * f + 1.0f / 6;
  p = p * f + 0.5f;
  p = p * f * f + f + 1.0f;
  return (VgLanes) ((VgMask) p + ((VgMask) k << 23));
}

/* ln x of a positive normal number: 2 atanh ((m - 1) / (m + 1)) + n ln 2, m in [0.71, 1.42). */
VG_LANES VgLanes
vg_log (VgLanes x)
{
  VgMask bits = (VgMask) x - 0x3f3504f3;
  VgMask exponent = bits >> 23;
  VgLanes m = (VgLanes) ((bits & 0x007fffff) + 0x3f3504f3) - 1.0f;
  VgLanes s = m / (m + 2.0f), z = s * s;
  VgLanes p = z * (1.0f / 9) + 1.0f / 7;

  p = p * z + 1.0f / 5;
  p = p * z + 1.0f / 3;
  p = p * z * s + s;
  return __builtin_convertvector(exponent, VgLanes) * 0.69314718f + 2.0f * p;
}

VG_LANES VgLanes
vg_log_fast (VgLanes x)
{
  return vg_log (x);
}

#endif

VG_LANES VgLanes
vg_clamp (VgLanes a, VgLanes low, VgLanes high)
{
  return vg_min (vg_max (a, low), high);
}

VG_LANES VgLanes
vg_abs (VgLanes a)
{
  return vg_max (a, -a);
}

/* 1 - e^-x without cancellation, x >= 0. */
VG_LANES VgLanes
vg_one_minus_exp (VgLanes x)
{
  VgLanes p = x * (1.0f / 720) - 1.0f / 120;

  p = p * x + 1.0f / 24;
  p = p * x - 1.0f / 6;
  p = p * x + 0.5f;
  return vg_select (x < 0.25f, x * (1.0f - x * p), 1.0f - vg_exp (-x));
}

/* Half of one bin's Poisson deviance, Y - N + N ln (N / Y), without cancellation for close
 * values: s = (Y - N) / (Y + N). */
VG_LANES VgLanes
vg_half_deviance (VgLanes n, VgLanes y)
{
  VgLanes d = y - n, s = d * vg_reciprocal (y + n), z = s * s;
  VgLanes p = z * (1.0f / 9) + 1.0f / 7;

  p = p * z + 1.0f / 5;
  p = p * z + 1.0f / 3;
  return vg_select (z < 0.03f, s * (d - 2.0f * n * z * p),
                    d + n * vg_log (vg_max (n * vg_reciprocal (y), vg_lanes (1e-30f))));
}
