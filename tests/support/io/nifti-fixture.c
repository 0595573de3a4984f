/* SPDX-License-Identifier: MIT */
#include "tests/support/io/nifti-fixture.h"
#include <math.h>
#include <string.h>
#include <zlib.h>

NiftiVariant
fixture_nifti_variant (int width, int height, int slices, int frames)
{
  return (NiftiVariant){ .version = 1,
                         .type = 16,
                         .axes = 4,
                         .extent = { width, height, slices, frames },
                         .slope = 1,
                         .units = 2 | 8,
                         .interval = 2,
                         .voxel = { 1.5, 2.5, 4 } };
}

void
fixture_nifti_put (GByteArray *bytes, const NiftiVariant *variant, gsize at, gint64 value,
                   gsize size)
{
  g_assert_cmpuint (at + size, <=, bytes->len);
  for (gsize i = 0; i < size; i++)
    bytes->data[at + (variant->big ? size - 1 - i : i)] = (guint8) ((guint64) value >> 8 * i);
}

static void
put_double (GByteArray *bytes, const NiftiVariant *variant, gsize at, double value)
{
  gint64 bits;

  memcpy (&bits, &value, sizeof bits);
  fixture_nifti_put (bytes, variant, at, bits, 8);
}

static void
put_float (GByteArray *bytes, const NiftiVariant *variant, gsize at, double value)
{
  float narrow = (float) value;
  gint32 bits;

  memcpy (&bits, &narrow, sizeof bits);
  fixture_nifti_put (bytes, variant, at, bits, 4);
}

void
fixture_nifti_real (GByteArray *bytes, const NiftiVariant *variant, gsize at, double value)
{
  (variant->version == 2 ? put_double : put_float) (bytes, variant, at, value);
}

static gsize
type_size (int type)
{
  switch (type)
    {
    case 2:
    case 256:
      return 1;
    case 4:
    case 512:
      return 2;
    case 8:
    case 16:
    case 768:
    case 2304:
      return 4;
    case 128:
      return 3;
    case 32:
    case 64:
    case 1024:
    case 1280:
      return 8;
    default:
      return 16;
    }
}

static void
fill_header (GByteArray *bytes, const NiftiVariant *variant, gsize first)
{
  gboolean two = variant->version == 2;
  gsize wide = two ? 8 : 2, real = two ? 8 : 4, dim = two ? 16 : 40, pixdim = two ? 104 : 76;

  fixture_nifti_put (bytes, variant, 0, two ? 540 : 348, 4);
  memcpy (bytes->data + (two ? 4 : 344), two ? "n+2\0\r\n\032\n" : "n+1", two ? 8 : 4);
  fixture_nifti_put (bytes, variant, dim, variant->axes, wide);
  for (gsize i = 0; i < 7; i++)
    fixture_nifti_put (bytes, variant, dim + (i + 1) * wide,
                       MAX (variant->extent[i], (int) i >= variant->axes), wide);
  fixture_nifti_put (bytes, variant, two ? 12 : 70, variant->type, 2);
  fixture_nifti_put (bytes, variant, two ? 14 : 72, (gint64) (8 * type_size (variant->type)), 2);
  fixture_nifti_real (bytes, variant, pixdim, -1);
  for (gsize i = 0; i < 3; i++)
    fixture_nifti_real (bytes, variant, pixdim + (i + 1) * real, variant->voxel[i]);
  fixture_nifti_real (bytes, variant, pixdim + 4 * real, variant->interval);
  if (two)
    fixture_nifti_put (bytes, variant, 168, (gint64) first, 8);
  else
    fixture_nifti_real (bytes, variant, 108, (double) first);
  fixture_nifti_real (bytes, variant, two ? 176 : 112, variant->slope);
  fixture_nifti_real (bytes, variant, two ? 184 : 116, variant->intercept);
  fixture_nifti_put (bytes, variant, two ? 500 : 123, variant->units, two ? 4 : 1);
  /* qform 1, sform 2, and numbers that tell the fields apart */
  fixture_nifti_put (bytes, variant, two ? 344 : 252, 1, two ? 4 : 2);
  fixture_nifti_put (bytes, variant, two ? 348 : 254, 2, two ? 4 : 2);
  for (gsize i = 0; i < 18; i++)
    fixture_nifti_real (bytes, variant, (two ? 352 : 256) + i * real, 0.25 * (double) i - 1);
}

/* What a whole number of a type's range becomes there. */
static double
draw (GRand *rand, int type)
{
  switch (type)
    {
    case 2:
      return g_rand_int_range (rand, 0, 256);
    case 256:
      return g_rand_int_range (rand, -128, 128);
    case 4:
      return g_rand_int_range (rand, -32768, 32768);
    case 512:
      return g_rand_int_range (rand, 0, 65536);
    case 8:
      return g_rand_int_range (rand, G_MININT32, G_MAXINT32);
    case 768:
      return g_rand_int (rand);
    case 1024:
      return floor (g_rand_double_range (rand, -1e15, 1e15));
    case 1280:
      return floor (g_rand_double_range (rand, 0, 1e15));
    case 16:
      return (float) g_rand_double_range (rand, -1000, 1000);
    default:
      return g_rand_double_range (rand, -1000, 1000);
    }
}

static void
put_voxel (GByteArray *bytes, const NiftiVariant *variant, gsize at, double value, GRand *rand)
{
  gsize size = type_size (variant->type);

  if (variant->type == 16)
    put_float (bytes, variant, at, value);
  else if (variant->type == 64)
    put_double (bytes, variant, at, value);
  else if (size <= 8 && variant->type != 128 && variant->type != 2304 && variant->type != 32)
    fixture_nifti_put (bytes, variant, at, (gint64) value, size);
  else
    for (gsize i = 0; i < size; i++)
      bytes->data[at + i] = (guint8) g_rand_int (rand);
}

GByteArray *
fixture_gzip (const GByteArray *bytes, int members)
{
  GByteArray *packed = g_byte_array_new ();

  for (int i = 0; i < members; i++)
    {
      gsize from = (gsize) bytes->len * (gsize) i / (gsize) members,
            to = (gsize) bytes->len * (gsize) (i + 1) / (gsize) members;
      z_stream stream = { .next_in = bytes->data + from, .avail_in = (uInt) (to - from) };
      guint before = packed->len;

      g_assert_cmpint (deflateInit2 (&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
                       ==, Z_OK);
      g_byte_array_set_size (packed, before + (guint) deflateBound (&stream, to - from));
      stream.next_out = packed->data + before;
      stream.avail_out = packed->len - before;
      g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
      g_byte_array_set_size (packed, before + (guint) stream.total_out);
      deflateEnd (&stream);
    }
  return packed;
}

GByteArray *
fixture_nifti (const NiftiVariant *variant, guint32 seed, double **values)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gsize first = (gsize) (variant->version == 2 ? 544 : 352) + (gsize) variant->extension, n = 1,
        size = type_size (variant->type);
  g_autofree double *meant = NULL;
  GRand *rand = g_rand_new_with_seed (seed);

  for (int i = 0; i < variant->axes; i++)
    n *= (gsize) variant->extent[i];
  meant = g_new (double, n);
  g_byte_array_set_size (bytes, (guint) (first + n * size));
  memset (bytes->data, 0, bytes->len);
  fill_header (bytes, variant, first);
  for (gsize i = 0; i < n; i++)
    {
      double value = draw (rand, variant->type);
      double slope = variant->slope == 0 || isnan (variant->slope) ? 1 : variant->slope;

      put_voxel (bytes, variant, first + i * size, value, rand);
      meant[i] = slope * value + (slope == 1 && variant->slope != 1 ? 0 : variant->intercept);
    }
  g_rand_free (rand);
  if (values)
    *values = g_steal_pointer (&meant);
  return variant->members > 0 ? fixture_gzip (bytes, variant->members) : g_steal_pointer (&bytes);
}
