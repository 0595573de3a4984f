/* SPDX-License-Identifier: MIT */
/* NIfTI and Analyze in two files, and what lies beside them. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/nifti-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <glib/gstdio.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 5, SLICES = 3, FRAMES = 4, VOXELS = WIDTH * HEIGHT * SLICES };

static char *folder;

static void
put (const char *name, const guint8 *bytes, gsize length, int members)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GByteArray) plain = g_byte_array_new (), packed = NULL;

  g_byte_array_append (plain, bytes, (guint) length);
  packed = members > 0 ? fixture_gzip (plain, members) : g_byte_array_ref (plain);
  fixture_write (path, packed);
}

static void
clean (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
}

static VgSource *
try_open (const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return vg_source_open (path, &(VgSourceOptions){ .colour = FALSE }, error);
}

static void
assert_refused (const char *name, const char *what)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (try_open (name, &error));
  fixture_assert_message (error, what);
}

/* The halves of a volume as a pair; ANALYZE: without NIfTI's own fields.  Where the samples begin.
 */
static gsize
split (GByteArray *bytes, const NiftiVariant *variant, gboolean analyze)
{
  gsize size = variant->version == 2 ? 540 : 348;

  bytes->data[variant->version == 2 ? 5 : 345] = 'i';
  if (variant->version == 2)
    fixture_nifti_put (bytes, variant, 168, 0, 8);
  else
    fixture_nifti_real (bytes, variant, 108, 0);
  if (analyze)
    {
      memset (bytes->data + 344, 0, 4);
      bytes->data[38] = 'r';
      fixture_nifti_put (bytes, variant, 252, 0x31323334, 4); /* a patient's number, no code */
    }
  return size;
}

static void
assert_samples (VgSource *source, const double *values)
{
  g_autofree float *frame = g_new (float, VOXELS);

  for (int i = FRAMES - 1; i >= 0; i--)
    {
      g_autoptr (GError) error = NULL;

      vg_source_read (source, i, frame, &error);
      g_assert_no_error (error);
      for (int k = 0; k < VOXELS; k++)
        g_assert_cmpfloat (frame[k], ==, (float) values[i * VOXELS + k]);
    }
}

static void
test_pairs (void)
{
  static const int types[] = { 2, 4, 16, 64 };
  static const char *const names[][2] = {
    { "a.hdr", "a.img" }, { "a.hdr", "a.img.gz" }, { "a.hdr.gz", "a.img.gz" }, { "A.HDR", "A.IMG" }
  };

  for (guint run = 0; run < 48; run++)
    {
      NiftiVariant variant = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, FRAMES);
      gboolean analyze = run % 3 == 0;
      const char *const *name = names[run / 12];
      g_autofree double *values = NULL;
      g_autoptr (GByteArray) bytes = NULL;
      gsize head;

      clean ();
      variant.type = types[run % G_N_ELEMENTS (types)];
      variant.version = run % 3 == 1 ? 2 : 1;
      variant.big = run & 1;
      variant.slope = analyze ? 1 : 0.5;
      bytes = fixture_nifti (&variant, run, &values);
      head = split (bytes, &variant, analyze);
      if (analyze)
        fixture_nifti_real (bytes, &variant, 112, run % 2 ? 0.25 : 1.4e-45);
      put (name[0], bytes->data, head, g_str_has_suffix (name[0], ".gz"));
      put (name[1], bytes->data + head + 4, bytes->len - head - 4,
           g_str_has_suffix (name[1], ".gz") ? 2 : 0);
      for (int half = 0; half < 2; half++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (VgSource) source = try_open (name[half], &error);

          g_assert_no_error (error);
          g_assert_nonnull (strstr (source->format, analyze ? "Analyze 7.5" : "pair"));
          g_assert_cmpint (source->info.slices, ==, SLICES);
          g_assert_cmpint (source->info.frames, ==, FRAMES);
          g_assert_cmpfloat_with_epsilon (source->info.pixel_size[1], 2.5, 1e-6);
          g_assert_true (source->info.placement.known);
          g_assert_cmpint (source->info.placement.sform_code, ==, analyze ? 0 : 2);
          g_assert_cmpint (source->info.placement.qform_code, ==, analyze ? 0 : 1);
          if (analyze)
            g_assert_true ((strstr (source->details, "is ignored") != NULL) == (run % 2 == 1));
          assert_samples (source, values);
        }
    }
  clean ();
}

static void
test_damage (void)
{
  NiftiVariant variant = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, FRAMES);
  g_autoptr (GByteArray) bytes = fixture_nifti (&variant, 1, NULL);
  gsize head = split (bytes, &variant, FALSE), length = bytes->len - head - 4;

  put ("a.hdr", bytes->data, head, 0);
  assert_refused ("a.hdr", "\"a.img\" (or .img.gz) is missing");
  put ("a.img", bytes->data + head + 4, length - 1, 0);
  assert_refused ("a.hdr", "cut short");
  assert_refused ("a.img", "cut short");
  put ("a.img", bytes->data + head + 4, length, 0);
  put ("a.hdr", bytes->data, head - 1, 0);
  assert_refused ("a.hdr", "");
  fixture_nifti_real (bytes, &variant, 108, -4);
  put ("a.hdr", bytes->data, head, 0);
  assert_refused ("a.img", "impossible start of its samples");
  fixture_nifti_real (bytes, &variant, 108, 0);
  /* a header by another name has lost its half; samples without a header are nothing */
  put ("b.dat", bytes->data, head, 0);
  assert_refused ("b.dat", "has another name");
  put ("c.img", bytes->data + head + 4, length, 0);
  assert_refused ("c.img", "is not in a format that Vivograph knows");
  clean ();
}

/* What goes into settings: the pulses' times from BIDS, and MADYM's words. */
static void
test_beside (void)
{
  static const struct
  {
    const char *name, *text;
    double repetition_ms, flip_deg, acquired_s;
  } cases[] = {
    { "a.json", "{\"RepetitionTime\": 0.008012, \"FlipAngle\": 12}", 8.012, 12, 0 },
    { "a.json",
      "{\"RepetitionTime\": 4.5, \"RepetitionTimeExcitation\": 0.004, \"FlipAngle\": 200}", 4, 0,
      0 },
    { "a.json", "{\"RepetitionTime\": 2.5, \"AcquisitionTime\": \"10:00:01.5\"}", 0, 0, 36001.5 },
    { "a.json", "{\"RepetitionTime\": \"x\", \"FlipAngle\": -3}", 0, 0, 0 },
    { "a.xtr", "TimeStamp 123410.140625\nFlipAngle 20.0\nTR 4.0\nXmm 2.9\n", 4, 20, 45250.140625 },
    { "a.xtr",
      "voxel dimensions:\t2.9 2.9 4\r\nflip angle:\t10.000000\r\nTR:\t4.000000\r\ntimestamp:\t12 "
      "34 10.25 123410.25\r\n",
      4, 10, 45250.25 },
    { "a.xtr", "TR\nFlipAngle inf\nTimeStamp nan\n", 0, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      NiftiVariant variant = fixture_nifti_variant (WIDTH, HEIGHT, SLICES, 1);
      g_autoptr (GByteArray) bytes = fixture_nifti (&variant, 1, NULL);
      gsize head = split (bytes, &variant, TRUE);
      g_autoptr (VgSource) source = NULL;

      put ("a.hdr", bytes->data, head, 0);
      put ("a.img", bytes->data + head + 4, bytes->len - head - 4, 0);
      put (cases[i].name, (const guint8 *) cases[i].text, strlen (cases[i].text), 0);
      source = try_open ("a.img", NULL);
      g_assert_cmpfloat_with_epsilon (source->info.repetition_ms, cases[i].repetition_ms, 1e-12);
      g_assert_cmpfloat (source->info.flip_deg, ==, cases[i].flip_deg);
      g_assert_cmpfloat_with_epsilon (source->acquired_s, cases[i].acquired_s, 1e-9);
      g_assert_true ((strstr (source->details, cases[i].name) != NULL) ==
                     (cases[i].repetition_ms > 0));
      clean ();
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("vg-pair-XXXXXX", NULL);
  g_test_add_func ("/nifti-pair/pairs", test_pairs);
  g_test_add_func ("/nifti-pair/damage", test_damage);
  g_test_add_func ("/nifti-pair/beside", test_beside);
  status = g_test_run ();
  clean ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
