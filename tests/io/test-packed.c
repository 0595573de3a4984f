/* SPDX-License-Identifier: MIT */
/* Samples of 10 and 12 bits as cameras pack them. */
#include "io/live/vg-unpack.h"

/* The first two samples are 0xabc and 0x123, or their upper ten bits, as the standards show them.
 */
static void
test_unpack (void)
{
  static const struct
  {
    VgPacking packing;
    guint8 bytes[4];
    guint16 first, second;
    gsize of_two, of_three;
  } cases[] = {
    { VG_PACKING_12P, { 0xbc, 0x3a, 0x12 }, 0xabc, 0x123, 3, 5 },
    { VG_PACKING_12_GIGE, { 0xab, 0x3c, 0x12 }, 0xabc, 0x123, 3, 5 },
    { VG_PACKING_10P, { 0xaf, 0x22, 0x01 }, 0x2af, 0x048, 3, 4 },
    { VG_PACKING_10_GIGE, { 0xab, 0x03, 0x12 }, 0x2af, 0x048, 3, 5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint16 samples[3] = { 0, 0, 0xffff };

      g_assert_cmpuint (vg_packed_bytes (cases[i].packing, 2), ==, cases[i].of_two);
      g_assert_cmpuint (vg_packed_bytes (cases[i].packing, 3), ==, cases[i].of_three);
      vg_unpack (cases[i].packing, cases[i].bytes, samples, 2);
      g_assert_cmphex (samples[0], ==, cases[i].first);
      g_assert_cmphex (samples[1], ==, cases[i].second);
      g_assert_cmphex (samples[2], ==, 0xffff);
    }
}

/* Where bit BIT of sample I is, in bits from the lowest of the first byte on. */
static gsize
place_of_bit (VgPacking packing, gsize i, guint bit)
{
  const guint bits = packing == VG_PACKING_10P || packing == VG_PACKING_10_GIGE ? 10 : 12,
              low = bits - 8;

  if (packing == VG_PACKING_10P || packing == VG_PACKING_12P)
    return i * bits + bit;
  /* of two samples: the upper 8 bits of the first; the lower ones of both; the upper 8 bits */
  if (bit >= low)
    return i / 2 * 24 + (i % 2) * 16 + bit - low;
  return i / 2 * 24 + 8 + (i % 2) * 4 + bit;
}

/* Random samples of any number, in memory that is not larger than they are. */
static void
test_unpack_random (void)
{
  for (int k = 0; k < 200; k++)
    {
      static const VgPacking packings[] = { VG_PACKING_10P, VG_PACKING_12P, VG_PACKING_10_GIGE,
                                            VG_PACKING_12_GIGE };
      const VgPacking packing = packings[k % 4];
      const guint bits = packing == VG_PACKING_10P || packing == VG_PACKING_10_GIGE ? 10 : 12;
      const gsize n = (gsize) (k < 40 ? 1 + k / 4 : g_test_rand_int_range (1, 5000)),
                  bytes = vg_packed_bytes (packing, n);
      g_autofree guint16 *wanted = g_new (guint16, n), *found = g_new (guint16, n);
      g_autofree guint8 *packed = g_malloc0 (bytes);

      for (gsize i = 0; i < n; i++)
        {
          wanted[i] = (guint16) g_test_rand_int_range (0, 1 << bits);
          for (guint bit = 0; bit < bits; bit++)
            {
              const gsize at = place_of_bit (packing, i, bit);

              g_assert_cmpuint (at / 8, <, bytes);
              packed[at / 8] |= (guint8) ((wanted[i] >> bit & 1) << at % 8);
            }
        }
      vg_unpack (packing, packed, found, n);
      g_assert_cmpmem (found, 2 * n, wanted, 2 * n);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/packed/standard", test_unpack);
  g_test_add_func ("/packed/random", test_unpack_random);
  return g_test_run ();
}
