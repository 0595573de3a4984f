/* SPDX-License-Identifier: MIT */
/* One conversion function per sample format.  Steps are in samples, so that interleaved channels
 * can be separated. */
#include "io/tiff/vg-tiff-samples.h"
#include <string.h>

#define DEFINE_CONVERT(name, From, To)                                                             \
  static void name (const VgTiffSamples *self, const void *from, gsize from_step, void *to,        \
                    gsize to_step, gsize n)                                                        \
  {                                                                                                \
    const From *source = from;                                                                     \
    To *target = to;                                                                               \
    for (gsize i = 0; i < n; i++)                                                                  \
      target[i * to_step] = (To) source[i * from_step];                                            \
  }

DEFINE_CONVERT (u8_to_u8, guint8, guint8)
DEFINE_CONVERT (u16_to_u16, guint16, guint16)
DEFINE_CONVERT (u32_to_u32, guint32, guint32)
DEFINE_CONVERT (f32_to_f32, float, float)
DEFINE_CONVERT (i8_to_f32, gint8, float)
DEFINE_CONVERT (i16_to_f32, gint16, float)
DEFINE_CONVERT (i32_to_f32, gint32, float)
DEFINE_CONVERT (f64_to_f32, double, float)

/* IEEE 754 binary16. */
static float
half_to_float (guint16 half)
{
  guint32 sign = (guint32) (half & 0x8000) << 16, exponent = (half >> 10) & 31,
          fraction = half & 0x3ff, bits;
  float value;

  if (exponent == 0)
    {
      value = (float) fraction * 0x1p-24f;
      memcpy (&bits, &value, sizeof bits);
      bits |= sign;
    }
  else
    bits = sign | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static void
f16_to_f32 (const VgTiffSamples *self, const void *from, gsize from_step, void *to, gsize to_step,
            gsize n)
{
  const guint16 *source = from;
  float *target = to;

  for (gsize i = 0; i < n; i++)
    target[i * to_step] = half_to_float (source[i * from_step]);
}

/* Unpacks a row of integers; the first is in the highest bits of the first byte. */
static void
packed_to_integer (const VgTiffSamples *self, const void *from, gsize from_step, void *to,
                   gsize to_step, gsize n)
{
  const guint8 *source = from;
  guint32 window = 0;
  guint held = 0;

  for (gsize i = 0; i < n; i++)
    {
      guint32 value;

      for (; held < self->bits; held += 8)
        window = window << 8 | *source++;
      held -= self->bits;
      value = window >> held & ((1u << self->bits) - 1);
      if (self->type == VG_U8)
        ((guint8 *) to)[i * to_step] = (guint8) value;
      else
        ((guint16 *) to)[i * to_step] = (guint16) value;
    }
}

gboolean
vg_tiff_samples_init (VgTiffSamples *self, guint bits, guint format)
{
  enum { UNSIGNED = 1, SIGNED = 2, FLOAT = 3, UNTYPED = 4 };
  static const struct
  {
    guint bits, format;
    VgTiffSamples samples;
  } kinds[] = {
    { 8, UNSIGNED, { VG_U8, 8, TRUE, FALSE, NULL, u8_to_u8 } },
    { 16, UNSIGNED, { VG_U16, 16, TRUE, FALSE, NULL, u16_to_u16 } },
    { 32, UNSIGNED, { VG_U32, 32, TRUE, FALSE, NULL, u32_to_u32 } },
    { 32, FLOAT, { VG_F32, 32, TRUE, FALSE, NULL, f32_to_f32 } },
    { 8,
      SIGNED,
      { VG_F32, 8, FALSE, FALSE, "Signed 8-bit samples are converted to 32-bit float exactly.",
        i8_to_f32 } },
    { 16,
      SIGNED,
      { VG_F32, 16, FALSE, FALSE, "Signed 16-bit samples are converted to 32-bit float exactly.",
        i16_to_f32 } },
    { 32,
      SIGNED,
      { VG_F32, 32, FALSE, FALSE,
        "Signed 32-bit samples are converted to 32-bit float, exact to 24 bits.", i32_to_f32 } },
    { 16,
      FLOAT,
      { VG_F32, 16, FALSE, FALSE, "16-bit float samples are converted to 32-bit float exactly.",
        f16_to_f32 } },
    { 64,
      FLOAT,
      { VG_F32, 64, FALSE, FALSE, "64-bit float samples are rounded to 32-bit float.",
        f64_to_f32 } },
  };

  if (format == UNTYPED || format == 0)
    format = UNSIGNED;
  if (format == UNSIGNED && bits >= 1 && bits < 16 && bits != 8)
    {
      *self = (VgTiffSamples){
        bits < 8 ? VG_U8 : VG_U16, bits, FALSE, TRUE, "Packed samples are unpacked to whole bytes.",
        packed_to_integer
      };
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].bits == bits && kinds[i].format == format)
      {
        *self = kinds[i].samples;
        return TRUE;
      }
  return FALSE;
}

void
vg_tiff_samples_invert (const VgTiffSamples *self, void *samples, gsize n)
{
  guint32 mask = self->bits >= 32 ? G_MAXUINT32 : (1u << self->bits) - 1;

  if (self->type == VG_U8)
    for (gsize i = 0; i < n; i++)
      ((guint8 *) samples)[i] ^= (guint8) mask;
  else if (self->type == VG_U16)
    for (gsize i = 0; i < n; i++)
      ((guint16 *) samples)[i] ^= (guint16) mask;
  else if (self->type == VG_U32)
    for (gsize i = 0; i < n; i++)
      ((guint32 *) samples)[i] ^= mask;
}

int
vg_tiff_samples_bits_used (VgType type, const void *samples, gsize n)
{
  guint32 all = 0;

  if (type == VG_U8)
    for (gsize i = 0; i < n; i++)
      all |= ((const guint8 *) samples)[i];
  else if (type == VG_U16)
    for (gsize i = 0; i < n; i++)
      all |= ((const guint16 *) samples)[i];
  else if (type == VG_U32)
    for (gsize i = 0; i < n; i++)
      all |= ((const guint32 *) samples)[i];
  return all ? (int) g_bit_storage (all) : 0;
}
