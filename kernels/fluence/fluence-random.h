/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "vg-scalar.h"
/* Random numbers of a photon, a function of the seed and of the photon's
 * index alone: whoever traces it, on how many threads or devices, it takes
 * the same path.
 *
 * Philox 4x32-10 (Salmon et al., SC11) of (index, seed) gives the photon's
 * starting state, and a multiply-with-carry generator with the exclusive or
 * of both halves as output (MWC64X, D. Thomas; passes BigCrush) the numbers
 * along its path: one multiplication each, where a whole Philox would cost as
 * much as the rest of a step.  The period of about 2^63 makes overlaps of
 * 1e8 paths of 2000 numbers as rare as a few pairs. */
G_BEGIN_DECLS

/* Loops over photons become SIMD code only when all of this is inside them. */
#ifdef __CUDACC__
#define VG_FLUENCE_SCALAR static __host__ __device__ __forceinline__
#else
#define VG_FLUENCE_SCALAR __attribute__ ((always_inline)) VG_SCALAR
#endif

#define VG_FLUENCE_MWC 4294883355u

VG_FLUENCE_SCALAR void
vg_fluence_philox (guint32 counter[4], guint32 key0, guint32 key1)
{
  for (int round = 0; round < 10; round++)
    {
      guint64 a = (guint64) 0xD2511F53u * counter[0], b = (guint64) 0xCD9E8D57u * counter[2];
      guint32 c1 = counter[1], c3 = counter[3];

      counter[0] = (guint32) (b >> 32) ^ c1 ^ key0;
      counter[1] = (guint32) b;
      counter[2] = (guint32) (a >> 32) ^ c3 ^ key1;
      counter[3] = (guint32) a;
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
}

/* The state of photon INDEX; *SPARE is one more number, for its launch. */
VG_FLUENCE_SCALAR guint64
vg_fluence_seed (guint32 seed, guint64 index, guint32 spare[2])
{
  guint32 counter[4] = { (guint32) index, (guint32) (index >> 32), 0, 0 };
  guint32 x, carry;

  vg_fluence_philox (counter, seed, 0x56474d43u);
  x = counter[0];
  carry = counter[1];
  /* the carry stays below the multiplier, and 0 is a fixed point */
  carry = carry >= VG_FLUENCE_MWC ? carry - VG_FLUENCE_MWC : carry;
  x |= (guint32) (carry == 0);
  spare[0] = counter[2];
  spare[1] = counter[3];
  return (guint64) carry << 32 | x;
}

VG_FLUENCE_SCALAR guint32
vg_fluence_draw (guint64 *state)
{
  guint32 x = (guint32) *state, carry = (guint32) (*state >> 32);

#ifdef __CUDA_ARCH__
  asm ("{ .reg .u64 wide; cvt.u64.u32 wide, %2; mad.wide.u32 %0, %1, 4294883355, wide; }" : "=l"(*state) : "r"(x), "r"(carry));
#else
  *state = (guint64) x * VG_FLUENCE_MWC + carry;
#endif
  return x ^ carry;
}

G_END_DECLS
