/* SPDX-License-Identifier: MIT */
#include "io/live/vg-unpack.h"

gsize
vg_packed_bytes (VgPacking packing, gsize n)
{
  switch (packing)
    {
    case VG_PACKING_10P:
      return (n * 10 + 7) / 8;
    case VG_PACKING_12P:
      return (n * 12 + 7) / 8;
    case VG_PACKING_10_GIGE:
    case VG_PACKING_12_GIGE:
      return (n * 3 + 1) / 2;
    case VG_PACKING_NONE:
    default:
      return n * 2;
    }
}

/* Samples of BITS bits, from the lowest bit of the first byte on. */
static void
unpack_bits (const guint8 *from, guint16 *to, gsize n, guint bits)
{
  guint32 held = 0;
  guint n_held = 0;

  for (gsize i = 0; i < n; i++)
    {
      for (; n_held < bits; n_held += 8)
        held |= (guint32) *from++ << n_held;
      to[i] = (guint16) (held & ((1u << bits) - 1));
      held >>= bits;
      n_held -= bits;
    }
}

/* High 8 bits of the first sample, low bits of both, high 8 bits of the second. */
static void
unpack_gige (const guint8 *from, guint16 *to, gsize n, guint low)
{
  const guint mask = (1u << low) - 1;

  for (gsize i = 0; i < n; i++)
    {
      const guint8 *three = from + i / 2 * 3;

      to[i] = (guint16) (i % 2 == 0 ? (guint) three[0] << low | (three[1] & mask)
                                    : (guint) three[2] << low | (three[1] >> 4 & mask));
    }
}

void
vg_unpack (VgPacking packing, const guint8 *from, guint16 *to, gsize n)
{
  if (packing == VG_PACKING_10P || packing == VG_PACKING_12P)
    unpack_bits (from, to, n, packing == VG_PACKING_10P ? 10 : 12);
  else if (packing != VG_PACKING_NONE)
    unpack_gige (from, to, n, packing == VG_PACKING_10_GIGE ? 2 : 4);
}
