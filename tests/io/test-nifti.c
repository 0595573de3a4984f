/* SPDX-License-Identifier: MIT */
/* NIfTI files: every type, order and version, what they say of time and
 * place, damage, and the maps that are written. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/nifti-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "io/write/vg-output-file.h"
#include "io/source/vg-read-options.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static char *folder;

static VgSource *
open_bytes (const GByteArray *bytes, const VgSourceOptions *options, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "test.nii", NULL);

  fixture_write (path, bytes);
  return vg_source_open (path, options, error);
}

static VgSource *
open_good (const GByteArray *bytes, const char *read_options)
{
  g_autoptr (GError) error = NULL;
  VgSource *source = open_bytes (bytes, &(VgSourceOptions){ .read_options = read_options }, &error);

  g_assert_no_error (error);
  return source;
}

static void
assert_refused (const GByteArray *bytes, const char *read_options, const char *what)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_bytes (bytes, &(VgSourceOptions){ .read_options = read_options }, &error));
  fixture_assert_message (error, what);
}

static void
assert_frame (VgSource *source, gint64 frame, const double *values)
{
  gsize n = vg_image_info_frame_bytes (&source->info) / sizeof (float);
  g_autofree float *samples = g_new (float, n);
  g_autoptr (GError) error = NULL;

  vg_source_read (source, frame, samples, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < n; i++)
    if (samples[i] != (float) values[i])
      g_error ("voxel %" G_GSIZE_FORMAT " of frame %" G_GINT64_FORMAT " is %.9g, not %.9g", i,
               frame, samples[i], values[i]);
}

static void
test_types (void)
{
  static const int types[] = { 2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (int kind = 0; kind < 16; kind++)
      {
        NiftiVariant variant = fixture_nifti_variant (7, 5, 3, 4);
        g_autoptr (GByteArray) bytes = NULL;
        g_autoptr (VgSource) source = NULL;
        g_autofree double *values = NULL;

        variant.type = types[i];
        variant.version = 1 + kind % 2;
        variant.big = (kind & 2) != 0;
        variant.members = kind & 4 ? 1 + kind % 3 : 0;
        variant.extension = kind & 2 ? 32 : 0;
        if (kind & 8)
          {
            variant.slope = 0.5;
            variant.intercept = -17;
          }
        bytes = fixture_nifti (&variant, i * 16 + (guint) kind, &values);
        source = open_good (bytes, NULL);
        g_assert_cmpint (source->info.type, ==, VG_F32);
        g_assert_cmpint (source->info.slices, ==, 3);
        g_assert_cmpint (source->info.frames, ==, 4);
        for (int frame = 0; frame < 4; frame++)
          assert_frame (source, frame, values + 105 * frame);
      }
}

static void
test_scale (void)
{
  static const double slopes[] = { 0, NAN, INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (slopes); i++)
    {
      NiftiVariant variant = fixture_nifti_variant (3, 2, 1, 1);
      g_autofree double *values = NULL;
      g_autoptr (GByteArray) bytes = fixture_nifti (&variant, 1, &values);
      g_autoptr (VgSource) source = NULL;

      fixture_nifti_real (bytes, &variant, 112, slopes[i]);
      fixture_nifti_real (bytes, &variant, 116, 5);
      source = open_good (bytes, NULL);
      assert_frame (source, 0, values);
    }
}

/* A compressed file is read in any order. */
static void
test_order (void)
{
  static const int order[] = { 8, 0, 3, 3, 7, 1, 2, 8 };
  NiftiVariant variant = fixture_nifti_variant (131, 97, 3, 9);
  g_autofree double *values = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (VgSource) source = NULL;

  variant.members = 4;
  bytes = fixture_nifti (&variant, 1, &values);
  /* padding behind the last member, as tapes leave it */
  g_byte_array_append (bytes, (const guint8[100]){ 0 }, 100);
  source = open_good (bytes, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    assert_frame (source, order[i], values + 131 * 97 * 3 * order[i]);
}

static void
test_times (void)
{
  static const struct
  {
    double interval;
    int units;
    double expected;
    const char *note;
  } cases[] = {
    { 2.37, 8, 2.37, "Frame interval: 2.37 s, from the file" },
    { 2370, 16, 2.37, "2.37 s" },
    { 2.37e6, 24, 2.37, "2.37 s" },
    { 2.37, 0, 2.37, "s is assumed" },
    { 1, 8, 1, "Check the frame interval" },
    { 0.008012, 8, 0, "repetition time" },
    { 8.012, 16, 0, "repetition time" },
    { 2370, 8, 0, "is not used" },
    { -2, 8, 0, "is not used" },
    { 0, 8, 0, "Frame interval: not in the file" },
    { NAN, 8, 0, "Frame interval: not in the file" },
    { 3, 32, 0, "Frame interval: not in the file" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int version = 1; version < 3; version++)
      {
        NiftiVariant variant = fixture_nifti_variant (3, 2, 2, 3);
        g_autoptr (GByteArray) bytes = NULL;
        g_autoptr (VgSource) source = NULL;

        variant.version = version;
        variant.interval = cases[i].interval;
        variant.units = cases[i].units | 2;
        bytes = fixture_nifti (&variant, 1, NULL);
        source = open_good (bytes, NULL);
        g_assert_cmpfloat_with_epsilon (source->info.frame_interval_s, cases[i].expected, 1e-6);
        g_assert_nonnull (strstr (source->details, cases[i].note));
        g_assert_cmpint (source->info.frame_interval_claimed_s != 0, ==,
                         strstr (source->details, "is not used") != NULL);
      }
}

static void
test_place (void)
{
  static const char *const units[] = { "mm", "m", "mm", "µm" };

  for (int unit = 0; unit < 4; unit++)
    for (int kind = 0; kind < 4; kind++)
      {
        NiftiVariant variant = fixture_nifti_variant (3, 2, 2, 3);
        g_autoptr (GByteArray) bytes = NULL;
        g_autoptr (VgSource) source = NULL;
        const VgPlacement *place;

        variant.version = 1 + kind % 2;
        variant.big = kind > 1;
        variant.units = unit | 8;
        bytes = fixture_nifti (&variant, 1, NULL);
        source = open_good (bytes, NULL);
        place = &source->info.placement;
        g_assert_true (place->known);
        g_assert_cmpint (place->unit, ==, unit);
        g_assert_cmpint (place->qform_code, ==, 1);
        g_assert_cmpint (place->sform_code, ==, 2);
        g_assert_cmpfloat (place->pixdim[0], ==, -1);
        for (int i = 0; i < 3; i++)
          {
            g_assert_cmpfloat (place->pixdim[i + 1], ==, variant.voxel[i]);
            g_assert_cmpfloat (source->info.pixel_size[i], ==, variant.voxel[i]);
            g_assert_cmpfloat (place->quatern[i], ==, 0.25 * i - 1);
            g_assert_cmpfloat (place->offset[i], ==, 0.25 * (i + 3) - 1);
            for (int k = 0; k < 4; k++)
              g_assert_cmpfloat (place->srow[i][k], ==, 0.25 * (6 + 4 * i + k) - 1);
          }
        g_assert_cmpstr (source->info.pixel_unit, ==, units[unit]);
      }
}

static void
test_axes (void)
{
  NiftiVariant variant = fixture_nifti_variant (3, 2, 1, 5);
  g_autofree double *values = NULL;
  g_autoptr (GByteArray) bytes = fixture_nifti (&variant, 1, &values), five = NULL, flat = NULL;
  g_autoptr (VgSource) source = open_good (bytes, "pages=slices"), other = NULL;

  g_assert_cmpint (source->info.slices, ==, 5);
  g_assert_cmpint (source->info.frames, ==, 1);
  g_assert_false (source->info.placement.known);
  assert_frame (source, 0, values);
  vg_source_close (g_steal_pointer (&source));
  source = open_good (bytes, "pages=bins");
  g_assert_cmpint (source->info.bins, ==, 5);
  assert_frame (source, 0, values);
  g_clear_pointer (&values, g_free);
  /* the fifth axis is chosen from */
  variant.axes = 5;
  variant.extent[2] = 2;
  variant.extent[4] = 3;
  five = fixture_nifti (&variant, 2, &values);
  other = open_good (five, "channel=2");
  g_assert_cmpint (other->info.channels_available, ==, 3);
  g_assert_cmpint (other->info.frames, ==, 5);
  for (int frame = 0; frame < 5; frame++)
    assert_frame (other, frame, values + 60 + 12 * frame);
  assert_refused (five, "channel=4", "choose 1 to 3");
  assert_refused (five, "pages=bins", "has no effect");
  /* axes that are not there */
  variant = fixture_nifti_variant (4, 3, 1, 1);
  variant.axes = 2;
  flat = fixture_nifti (&variant, 3, NULL);
  fixture_nifti_put (flat, &variant, 40 + 2 * 3, 0, 2);
  vg_source_close (g_steal_pointer (&source));
  source = open_good (flat, NULL);
  g_assert_cmpint (source->info.slices * source->info.frames, ==, 1);
}

static void
test_colour (void)
{
  for (int alpha = 0; alpha < 2; alpha++)
    {
      NiftiVariant variant = fixture_nifti_variant (5, 4, 1, 1);
      g_autoptr (GByteArray) bytes = NULL;
      g_autoptr (VgSource) source = NULL;
      g_autoptr (GError) error = NULL;
      guint8 frame[80];

      variant.type = alpha ? 2304 : 128;
      bytes = fixture_nifti (&variant, 1, NULL);
      assert_refused (bytes, NULL, "a grey one is needed");
      source = open_bytes (bytes, &(VgSourceOptions){ .colour = TRUE }, &error);
      g_assert_no_error (error);
      g_assert_cmpint (source->info.channels, ==, 3 + alpha);
      g_assert_true (vg_source_read (source, 0, frame, NULL));
      g_assert_cmpmem (frame, (gsize) (20 * (3 + alpha)), bytes->data + 352,
                       (gsize) (20 * (3 + alpha)));
    }
}

/* Opens and reads all of it; what fails says so properly. */
static gboolean
try_all (const GByteArray *bytes)
{
  g_autofree char *path = g_build_filename (folder, "test.nii", NULL);
  g_autoptr (GError) error = NULL;

  fixture_write (path, bytes);
  error = fixture_read_all (path, &(VgSourceOptions){ .colour = FALSE });
  if (error)
    fixture_assert_message (error, "");
  return error == NULL;
}

static void
test_truncated (void)
{
  for (int members = 0; members < 3; members++)
    {
      NiftiVariant variant = fixture_nifti_variant (7, 5, 2, 4);
      g_autoptr (GByteArray) bytes = NULL;
      guint whole;

      variant.members = members;
      bytes = fixture_nifti (&variant, 1, NULL);
      whole = bytes->len;
      g_assert_true (try_all (bytes));
      for (guint length = whole - 1; length > 0; length -= MIN (length, 7))
        {
          bytes->len = length;
          /* the last bytes of a member are its check, which is not waited for */
          g_assert_true (!try_all (bytes) || (members > 0 && length > whole - 9));
        }
      bytes->len = whole;
    }
}

static void
test_absurd (void)
{
  static const gint64 extents[] = { -1, -32768, 32767, 0, 12345 };

  for (int version = 1; version < 3; version++)
    for (int members = 0; members < 2; members++)
      for (gsize axis = 0; axis < 8; axis++)
        for (guint i = 0; i < G_N_ELEMENTS (extents); i++)
          {
            NiftiVariant variant = fixture_nifti_variant (7, 5, 2, 4);
            g_autoptr (GByteArray) plain = NULL, packed = NULL;
            gsize wide = version == 2 ? 8 : 2, at = (version == 2 ? 16 : 40) + axis * wide;
            gint64 extent = version == 2 && i < 3 ? extents[i] * G_GINT64_CONSTANT (0x100000001)
                                                  : extents[i];

            variant.version = version;
            plain = fixture_nifti (&variant, 1, NULL);
            fixture_nifti_put (plain, &variant, at, extent, wide);
            packed = fixture_gzip (plain, 1);
            /* no axis, or one beyond the fourth, may be anything */
            if (axis >= 5 || (axis >= 2 && extent == 0))
              try_all (members ? packed : plain);
            else
              assert_refused (members ? packed : plain, NULL,
                              extent > 0 && axis > 0 && extent < 40000 ? "cut short" : "damaged");
          }
}

static void
test_kinds (void)
{
  NiftiVariant variant = fixture_nifti_variant (7, 5, 2, 4);
  g_autoptr (GByteArray) pair = fixture_nifti (&variant, 1, NULL),
                         analyze = fixture_nifti (&variant, 1, NULL), text = g_byte_array_new ();
  g_autoptr (GByteArray) packed = NULL, two = NULL;

  memcpy (pair->data + 344, "ni1", 4);
  assert_refused (pair, NULL, "rename both files");
  memset (analyze->data + 344, 0, 4);
  analyze->data[38] = 'r';
  g_byte_array_set_size (analyze, 348);
  assert_refused (analyze, NULL, "rename both files");
  g_byte_array_append (text, (const guint8 *) "this is a letter", 16);
  packed = fixture_gzip (text, 1);
  assert_refused (packed, NULL, "does not contain NIfTI");
  variant.version = 2;
  two = fixture_nifti (&variant, 1, NULL);
  two->data[8] = '\n';
  assert_refused (two, NULL, "copied as text");
  variant.version = 1;
  for (guint i = 0; i < 3; i++)
    {
      static const int types[] = { 32, 1536, 1 };
      g_autoptr (GByteArray) bytes = NULL;

      variant.type = types[i];
      bytes = fixture_nifti (&variant, 1, NULL);
      assert_refused (bytes, NULL, i == 0 ? "magnitude" : "32-bit float");
    }
}

/* Every bit of the header wrong, one at a time. */
static void
test_bits (void)
{
  for (int version = 1; version < 3; version++)
    {
      NiftiVariant variant = fixture_nifti_variant (7, 5, 2, 4);
      g_autoptr (GByteArray) bytes = NULL;

      variant.version = version;
      bytes = fixture_nifti (&variant, 1, NULL);
      for (guint bit = 0; bit < (version == 2 ? 544u : 352u) * 8; bit++)
        {
          bytes->data[bit / 8] ^= (guint8) (1 << bit % 8);
          try_all (bytes);
          bytes->data[bit / 8] ^= (guint8) (1 << bit % 8);
        }
    }
}

/* Adds the slices one by one, as an export does. */
static gboolean
write_volume (const char *path, const VgImageInfo *info, const float *values, GError **error)
{
  VgImageInfo map = *info;
  gsize page = (gsize) info->width * (gsize) info->height;
  g_autoptr (VgNiftiWriter) writer = NULL;

  map.frames = 1;
  writer = vg_nifti_writer_new (path, &map, "ka, ml/100g/min", error);
  for (gint64 s = 0; s < info->slices && writer != NULL; s++)
    if (!vg_nifti_writer_add (writer, values + (gsize) s * page, page, error))
      return FALSE;
  return writer != NULL && vg_nifti_writer_commit (writer, error);
}

static void
test_written (void)
{
  NiftiVariant variant = fixture_nifti_variant (37, 23, 5, 2);
  g_autoptr (GByteArray) bytes = fixture_nifti (&variant, 1, NULL);
  g_autoptr (VgSource) source = open_good (bytes, NULL), map = NULL;
  g_autofree char *path = g_build_filename (folder, "map.nii.gz", NULL),
                  *none = g_build_filename (folder, "absent", "map.nii.gz", NULL);
  g_autoptr (GError) error = NULL, absent = NULL;
  gsize n = 37 * 23 * 5;
  g_autofree float *values = g_new (float, n), *again = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    values[i] = i % 7 == 0 ? NAN : (float) i * 0.3f;
  g_assert_true (vg_nifti_can_write (&source->info));
  write_volume (path, &source->info, values, &error);
  g_assert_no_error (error);
  map = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (map->format, ==, "NIfTI-1, float32, gzip");
  g_assert_cmpint (map->info.frames, ==, 1);
  g_assert_cmpmem (&map->info.placement, sizeof (VgPlacement), &source->info.placement,
                   sizeof (VgPlacement));
  g_assert_true (vg_source_read (map, 0, again, &error));
  for (gsize i = 0; i < n; i++)
    g_assert_true (again[i] == values[i] || (isnan (again[i]) && isnan (values[i])));
  g_assert_false (write_volume (none, &source->info, values, &absent));
  fixture_assert_message (absent, "cannot write");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/nifti/types", test_types);
  g_test_add_func ("/nifti/scale", test_scale);
  g_test_add_func ("/nifti/order", test_order);
  g_test_add_func ("/nifti/times", test_times);
  g_test_add_func ("/nifti/place", test_place);
  g_test_add_func ("/nifti/axes", test_axes);
  g_test_add_func ("/nifti/colour", test_colour);
  g_test_add_func ("/nifti/truncated", test_truncated);
  g_test_add_func ("/nifti/absurd", test_absurd);
  g_test_add_func ("/nifti/kinds", test_kinds);
  g_test_add_func ("/nifti/bits", test_bits);
  g_test_add_func ("/nifti/written", test_written);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
