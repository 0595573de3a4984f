/* SPDX-License-Identifier: MIT */
/* Any bytes as packed samples of a camera; the first byte is the packing.  The result is compared
 * with bits that are taken one by one, and nothing beyond the bytes is read. */
#include "tests/fuzz/fuzz.h"
#include "io/live/vg-unpack.h"

static guint
bit_of (const guint8 *bytes, gsize bit)
{
  return bytes[bit / 8] >> (bit % 8) & 1;
}

/* Sample I; the bits of GigE Vision lie high bits first outside, and low bits in the middle. */
static guint
expect (VgPacking packing, const guint8 *bytes, gsize i)
{
  guint bits = packing == VG_PACKING_10P || packing == VG_PACKING_10_GIGE ? 10 : 12, value = 0;
  gboolean second = i % 2;

  if (packing == VG_PACKING_10P || packing == VG_PACKING_12P)
    for (guint b = 0; b < bits; b++)
      value |= bit_of (bytes, i * bits + b) << b;
  else
    for (guint b = 0; b < bits; b++)
      value |= (b < bits - 8 ? bit_of (bytes, (i / 2 * 3 + 1) * 8 + (second ? 4 : 0) + b)
                             : bit_of (bytes, (i / 2 * 3 + (second ? 2 : 0)) * 8 + b - (bits - 8)))
               << b;
  return value;
}

void
fuzz_one (const guint8 *data, gsize length)
{
  VgPacking packing = length > 0 ? (VgPacking) (data[0] % (VG_PACKING_12_GIGE + 1)) : 0;
  g_autofree guint8 *bytes = NULL;
  g_autofree guint16 *samples = NULL;
  gsize n = length > 0 ? length - 1 : 0; /* at least a byte for each sample */

  while (n > 0 && vg_packed_bytes (packing, n) > length - 1)
    n--;
  if (packing == VG_PACKING_NONE || n == 0)
    return;
  bytes = g_memdup2 (data + 1, vg_packed_bytes (packing, n));
  samples = g_new (guint16, n);
  vg_unpack (packing, bytes, samples, n);
  for (gsize i = 0; i < n; i++)
    fuzz_require (samples[i] == expect (packing, bytes, i), "a wrong sample");
}
