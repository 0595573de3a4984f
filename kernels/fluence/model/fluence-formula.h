/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include <string.h>
#include "kernels/fluence/model/fluence-random.h"
/* Physics of one photon packet, compiled by gcc and nvcc: Wang, Jacques and Zheng, MCML, Comput.
 * Methods Programs Biomed. 47, 131 (1995), and Alerstam et al., Biomed. Opt. Express 1, 658 (2010).
 * Differences:
 *
 * A packet's weight is a whole number, 2^31 at launch.  The weight that a collision absorbs is
 * rounded at random, so energy is conserved on average for every albedo.  After a boundary a new
 * step is drawn, as free paths have no memory.  The formulas of scattering angles and directions
 * have no cancellation for any g or direction. */
G_BEGIN_DECLS

#define VG_FLUENCE_UNIT 0x80000000u   /* a packet's weight at launch */
#define VG_FLUENCE_WEAK 214748u       /* 1e-4 of it: roulette */
enum { VG_FLUENCE_TALLY_SHIFT = 11 }; /* a tally's unit is 2^-20 of a packet */
#define VG_FLUENCE_TALLY_UNIT 1048576.0
enum {
  VG_FLUENCE_SQUARE_SHIFT = 38
}; /* a square's unit is 2^-24 of a packet's: 1e12 photons are the most that 64 bits hold */
#define VG_FLUENCE_SQUARE_UNIT 16777216.0
#define VG_FLUENCE_LUCKY 429496730u /* 0.1 * 2^32: survives roulette tenfold */
/* Number of events after which a packet is discarded and counted as lost.  Events are collisions
 * and boundaries; on the GPU, in layers that absorb, boundaries alone, as roulette ends packets
 * before that many collisions. */
#define VG_FLUENCE_MAX_EVENTS 10000000u
#define VG_FLUENCE_CLEAR_STEP -1e30f

/* One layer, or the medium above or below.  Depths in a layer count from its top, so their
 * precision does not depend on the layers above. */
typedef struct
{
  float n;
  float
      step; /* -ln 2 / (mua + mus), cm; clear layers: VG_FLUENCE_CLEAR_STEP, beyond any boundary */
  float thickness; /* cm */
  float fraction;  /* of its first bin of depth, the fraction above the layer */
  float hg_one_plus, hg_twice, hg_square; /* 1 + g, 2 g, (1 - g)^2 / 2 */
  /* 2^(32 + lost_shift) mua / (mua + mus), saturated: 32 digits however small it is */
  guint32 lost;
  guint32 lost_shift;
  guint32 lost_plain;      /* the same without the shift: enough for losses above 1e-4 */
  int row_first, row_last; /* of the tally: see fluence-medium.h */
  float slowness;          /* ps per cm: n / c */
} VgFluenceLayer;

/* The upper 23 bits of U as a number in the open interval (0, 1). */
VG_FLUENCE_SCALAR float
vg_fluence_uniform (guint32 u)
{
  guint32 bits = u >> 9 | 0x3f800000u;
  float f;

#ifdef __CUDA_ARCH__
  f = __uint_as_float (bits);
#else
  memcpy (&f, &bits, sizeof f);
#endif
  return f - 0.99999994f;
}

/* On the GPU these are approximations within 2 ulp; exact quantities are whole numbers. */
#ifdef __CUDA_ARCH__
VG_FLUENCE_SCALAR float
vg_fluence_reciprocal (float x)
{
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
VG_FLUENCE_SCALAR float
vg_fluence_root (float x)
{
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
VG_FLUENCE_SCALAR float
vg_fluence_ratio (float a, float b)
{
  return __fdividef (a, b);
}
#else
VG_FLUENCE_SCALAR float
vg_fluence_reciprocal (float x)
{
  return 1.0f / x;
}
VG_FLUENCE_SCALAR float
vg_fluence_root (float x)
{
  return sqrtf (x);
}
VG_FLUENCE_SCALAR float
vg_fluence_ratio (float a, float b)
{
  return a / b;
}
#endif

/* A free path: STEP (negative) times log2 (U / 2^32).  All bits of U count, so that it reaches 22
 * mean free paths. */
VG_FLUENCE_SCALAR float
vg_fluence_path (guint32 u, float step)
{
#ifdef __CUDA_ARCH__
  float log;

  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log) : "f"((float) (u | 1u)));
  return fmaf (log, step, -32.0f * step);
#else
  /* Polynomial of ln (1 + f) on sqrt(1/2)..sqrt(2) by Cephes' coefficients;
   * without a branch, so that a loop of it uses SIMD. */
  float x = ((float) (gint32) (u >> 8) + (float) (gint32) (u & 0xff) * 0.00390625f) *
                5.9604645e-8f +
            2.3283064e-10f;
  gint32 bits, e;
  float f, p;

  memcpy (&bits, &x, sizeof bits);
  e = (bits - 0x3f3504f3) >> 23;
  bits -= e * (1 << 23);
  memcpy (&f, &bits, sizeof f);
  f -= 1.0f;
  p = 7.0376836292e-2f;
  p = p * f - 1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f - 1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f - 1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f - 2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  p = (p * f - 0.5f) * f * f + f;
  return ((float) e + p * 1.44269504f) * step;
#endif
}

#ifdef __CUDACC__
/* The same with the precomputed OFFSET = -32 STEP. */
static __device__ __forceinline__ float
vg_fluence_path_offset (guint32 u, float step, float offset)
{
  float log;

  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log) : "f"((float) (u | 1u)));
  return fmaf (log, step, offset);
}
#endif

/* Cosine and sine of a random azimuth from the lower 16 bits of U; the polar angle uses the upper
 * bits. */
VG_FLUENCE_SCALAR void
vg_fluence_azimuth (guint32 u, float *cosine, float *sine)
{
#ifdef __CUDA_ARCH__
  /* 2^23 + the bits, as a float: 128 whole turns more do not matter */
  float angle = __uint_as_float ((u & 0xffffu) | 0x4b000000u) * 9.5873799e-5f;

  *cosine = __cosf (angle);
  *sine = __sinf (angle);
#else
  /* Taylor series of the half angle, |h| < pi / 2, then double it. */
  float t = (float) (gint32) (u & 0xffffu) * 1.52587890625e-5f - 0.49999237f, h = t * 3.14159265f,
        q = h * h;
  float s = -2.5052108e-8f, c = 2.0876757e-9f;

  s = s * q + 2.7557319e-6f;
  s = s * q - 1.9841270e-4f;
  s = s * q + 8.3333333e-3f;
  s = s * q - 1.6666667e-1f;
  s = (s * q + 1.0f) * h;
  c = c * q - 2.7557319e-7f;
  c = c * q + 2.4801587e-5f;
  c = c * q - 1.3888889e-3f;
  c = c * q + 4.1666667e-2f;
  c = c * q - 0.5f;
  c = c * q + 1.0f;
  *cosine = 1.0f - 2.0f * s * s;
  *sine = 2.0f * s * c;
#endif
}

/* Haversine, (1 - cos) / 2, of a Henyey-Greenstein angle.  With q = 1 + g - 2 g e,
 *   (1 - cos) / 2 = (1 - g)^2 / 2 e (q + 1 + g) / q^2,
 * a product of positive terms for every g; g = 0 gives e.  HALF_SQUARE is (1 - g)^2 / 2. */
VG_FLUENCE_SCALAR float
vg_fluence_scatter (float one_plus, float twice, float half_square, guint32 u)
{
  float e = vg_fluence_uniform (u);
  float q = one_plus - twice * e;
  float r = vg_fluence_reciprocal (q);

  return half_square * e * (q + one_plus) * r * r;
}

/* Coefficients of the same haversine in fewer instructions, a / (q - twice e)^2 - b + linear e,
 * where e is larger by 1.  LINEAR is 0 except for |g| below VG_FLUENCE_EVEN_G: there a and b would
 * diverge, so they are limited and the linear term makes both ends and the mean exact. */
#define VG_FLUENCE_EVEN_G 0.005
typedef struct
{
  float q, twice, a, b, linear;
} VgFluenceAngle;

static inline VgFluenceAngle
vg_fluence_angle (double g)
{
  const double origin = 0.99999994; /* where e begins, as vg_fluence_uniform */
  double up, down, shape, a, linear;

  g = g > 0.999999 ? 0.999999 : g < -0.999999 ? -0.999999 : g;
  shape = fabs (g) < VG_FLUENCE_EVEN_G ? VG_FLUENCE_EVEN_G : g;
  up = 1.0 + shape;
  down = 1.0 - shape;
  a = g * up * up * down * down / (4.0 * shape * shape);
  linear = shape == g ? 0.0 : 1.0 - a * (1.0 / (down * down) - 1.0 / (up * up));
  return (VgFluenceAngle){ (float) (up + 2.0 * shape * origin), (float) (2.0 * shape), (float) a,
                           (float) (a / (up * up) + linear * origin), (float) linear };
}

VG_FLUENCE_SCALAR float
vg_fluence_scatter_short (VgFluenceAngle angle, gboolean even, guint32 u)
{
  guint32 bits = (u >> 9) + 0x3f800000u;
  float e, r, v;

#ifdef __CUDA_ARCH__
  e = __uint_as_float (bits);
#else
  memcpy (&e, &bits, sizeof e);
#endif
  r = vg_fluence_reciprocal (angle.q - angle.twice * e);
  v = angle.a * (r * r) - angle.b;
  return even ? v + angle.linear * e : v;
}

/* Turns the unit direction by the angle of haversine V at a random azimuth.  Uses an orthonormal
 * basis without a singularity at the poles (Duff et al., J. Comput. Graph. Tech. 6, 1, 2017),
 * without the signs that a random azimuth makes irrelevant. */
VG_FLUENCE_SCALAR void
vg_fluence_turn (float *ux, float *uy, float *uz, float v, guint32 u)
{
  float cosine, sine, norm, length, p, q, k, h, forth;

  /* One Newton step normalises the old direction, so that rounding errors do not accumulate.  NORM
   * is -2 times its factor and scales all terms below; the sign of a sine is irrelevant. */
  norm = *ux * *ux - 3.0f + *uy * *uy + *uz * *uz;
  length = vg_fluence_root (fabsf (v - v * v)) * norm;
  forth = (v - 0.5f) * norm;
  vg_fluence_azimuth (u, &cosine, &sine);
  p = length * cosine;
  q = length * sine;
  k = p * *ux + q * *uy;
  h = forth - k * vg_fluence_reciprocal (1.0f + fabsf (*uz));
  *ux = *ux * h + p;
  *uy = *uy * h + q;
#ifdef __CUDA_ARCH__
  k = __uint_as_float (__float_as_uint (k) ^ (__float_as_uint (*uz) & 0x80000000u));
#else
  k *= copysignf (1.0f, *uz);
#endif
  *uz = *uz * forth - k;
}

/* WEIGHT in units of the tally, rounded at random by the bits of U so that its mean is exact.  The
 * sum stays below 2^32, as weights are at most 2^31. */
VG_FLUENCE_SCALAR guint32
vg_fluence_tally (guint32 weight, guint32 u)
{
  return (weight + (u >> (32 - VG_FLUENCE_TALLY_SHIFT))) >> VG_FLUENCE_TALLY_SHIFT;
}

/* The same for a sum of weights. */
VG_FLUENCE_SCALAR guint64
vg_fluence_tally_sum (guint64 sum, guint32 u)
{
  return (sum + (u >> (32 - VG_FLUENCE_TALLY_SHIFT))) >> VG_FLUENCE_TALLY_SHIFT;
}

/* Square of a weight in units of 2^-24 of a full packet's square, rounded as the tally is.  At
 * least 1, so that weak light has a standard error too. */
VG_FLUENCE_SCALAR guint32
vg_fluence_tally_square (guint32 weight, guint32 u)
{
  guint32 square = (guint32) (((guint64) weight * weight +
                               ((guint64) u << (VG_FLUENCE_SQUARE_SHIFT - 32))) >>
                              VG_FLUENCE_SQUARE_SHIFT);

  return square > 1 ? square : 1;
}

/* Unpolarised Fresnel reflectance from N1 into N2 at the (positive) cosine
 * CA1; *CA2 is the refracted one's. */
VG_FLUENCE_SCALAR float
vg_fluence_fresnel (float n1, float n2, float ca1, float *ca2)
{
  float ratio = vg_fluence_ratio (n1, n2), sine2 = (1.0f - ca1 * ca1) * ratio * ratio, rs, rp;

  *ca2 = ca1;
  if (n1 == n2)
    return 0.0f;
  if (sine2 >= 1.0f)
    return 1.0f;
  *ca2 = vg_fluence_root (1.0f - sine2);
  rs = vg_fluence_ratio (n1 * ca1 - n2 * *ca2, n1 * ca1 + n2 * *ca2);
  rp = vg_fluence_ratio (n1 * *ca2 - n2 * ca1, n1 * *ca2 + n2 * ca1);
  return fminf (0.5f * (rs * rs + rp * rp), 1.0f);
}

/* The same from RATIO = n1 / n2 and REST = 1 - RATIO^2, with one division.  At total reflection
 * *CA2 is not set. */
VG_FLUENCE_SCALAR float
vg_fluence_reflect (float ratio, float rest, float ca1, float *ca2)
{
  float square = ratio * ratio * ca1 * ca1 + rest, b, d, r, rs, rp;

  if (!(square > 0.0f))
    return 1.0f;
  *ca2 = vg_fluence_root (square);
  b = ratio * ca1 + *ca2;
  d = ratio * *ca2 + ca1;
  r = vg_fluence_reciprocal (b * d);
  rs = (ratio * ca1 - *ca2) * d * r;
  rp = (ratio * *ca2 - ca1) * b * r;
  return 0.5f * (rs * rs + rp * rp);
}

/* Refracts (TRUE) or reflects (FALSE) a photon at the boundary from refractive index N1 to N2. */
VG_FLUENCE_SCALAR gboolean
vg_fluence_pass (float n1, float n2, float *ux, float *uy, float *uz, guint64 *random)
{
  float ca2, reflectance = vg_fluence_fresnel (n1, n2, fminf (fabsf (*uz), 1.0f), &ca2);

  if (reflectance > 0.0f &&
      (reflectance >= 1.0f || vg_fluence_uniform (vg_fluence_draw (random)) <= reflectance))
    {
      *uz = -*uz;
      return FALSE;
    }
  *ux *= vg_fluence_ratio (n1, n2);
  *uy *= vg_fluence_ratio (n1, n2);
  *uz = copysignf (ca2, *uz);
  return TRUE;
}

/* Bin of the exit angle: 0 at the normal. */
VG_FLUENCE_SCALAR int
vg_fluence_angle_bin (float uz, int na)
{
  int bin = (int) (acosf (fminf (fabsf (uz), 1.0f)) * 0.63661977f * (float) na);

  return bin < na ? bin : na - 1;
}

/* Column of the radius RADIAL = sqrt (x^2 + y^2) / dr; NR: outside the grid. */
VG_FLUENCE_SCALAR int
vg_fluence_column (float radial, int nr)
{
  return (int) fminf (radial, (float) nr);
}

G_END_DECLS
