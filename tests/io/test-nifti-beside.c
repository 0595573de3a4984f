/* SPDX-License-Identifier: MIT */
/* NIfTI files with what stands beside them, and long stretches of nothing. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/nifti-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <glib/gstdio.h>
#include <string.h>

static char *folder;

/* The series of FRAMES with the header's INTERVAL and TEXT beside it. */
static VgSource *
open_beside (int frames, double interval, const char *text)
{
  NiftiVariant variant = fixture_nifti_variant (4, 3, 2, frames);
  g_autofree char *json = g_build_filename (folder, "test.json", NULL);
  g_autofree char *path = g_build_filename (folder, "test.nii", NULL);
  g_autoptr (GError) error = NULL;
  VgSource *source;

  variant.interval = interval;
  g_autoptr (GByteArray) bytes = fixture_nifti (&variant, 1, NULL);
  g_assert_true (g_file_set_contents (json, text, -1, NULL));
  fixture_write (path, bytes);
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_unlink (json);
  return source;
}

static void
assert_times (int frames, double interval, const char *text, gboolean times, double expected,
              const char *note)
{
  g_autoptr (VgSource) source = open_beside (frames, interval, text);

  g_assert_true ((source->times_s != NULL) == times);
  g_assert_cmpfloat_with_epsilon (source->info.frame_interval_s, expected, 1e-6);
  if (note == NULL || source->details == NULL || strstr (source->details, note) == NULL)
    g_assert_cmpstr (source->details, ==, note);
}

/* What dcm2niix and BIDS put beside a file. */
static void
test_sidecar (void)
{
  static const char *const clocks[] = { "13:00:01.25", "00:00:00", "25:01:01", "1:2", "", "x" };
  static const double seconds[] = { 46801.25, 86400, 0, 0, 0, 0 };
  /* the parser also takes comments and other quotes */
  static const char *const before[] = { "", "/*\"*/", "//\"\n", "'\"'", "#\"\n" };
  g_autofree char *deep = g_strnfill (200000, '[');

  assert_times (3, 0.008, "{\"VolumeTiming\": [0, 2.5, 6]}", TRUE, 3,
                "0 to 6 s, from VolumeTiming in test.json");
  assert_times (3, 2, "{\"FrameTimesStart\": [10, 12, 13.5], \"VolumeTiming\": [0, 1, 2]}", TRUE,
                1.75, "FrameTimesStart");
  assert_times (3, 2, "{\"VolumeTiming\": [0, 2.5]}", FALSE, 2, "has 2 times for 3 frames");
  assert_times (3, 2, "{\"VolumeTiming\": 7}", FALSE, 2, "has 0 times for 3 frames");
  assert_times (3, 2, "{\"VolumeTiming\": [0, 2.5, 2.5]}", FALSE, 2,
                "does not increase at frame 3");
  assert_times (3, 2, "{\"VolumeTiming\": [0, \"x\", {}]}", FALSE, 2,
                "does not increase at frame 2");
  assert_times (3, 0, "{\"RepetitionTime\": 4.5}", FALSE, 4.5,
                "Frame interval: 4.5 s, from RepetitionTime in test.json");
  assert_times (3, 2, "{\"RepetitionTime\": 4.5}", FALSE, 2, "is 4.5 s. Check the frame interval");
  assert_times (3, 0.008, "{\"RepetitionTime\": 0.008}", FALSE, 0, "is that of the pulses");
  assert_times (3, 2, "no json", FALSE, 2, "test.json beside the file cannot be read as JSON");
  assert_times (3, 2, "[1, 2]", FALSE, 2, "cannot be read");
  {
    g_autoptr (VgSource) broken = open_beside (3, 2, "{\"FrameTimesStart\": [0, 1");
    g_autoptr (VgSource) good = open_beside (3, 2, "{}");

    g_assert_nonnull (strstr (broken->caution, "\"test.json\" beside \"test.nii\" is damaged"));
    g_assert_null (good->caution);
  }
  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    {
      g_autofree char *text = g_strconcat (before[i], deep, NULL);

      assert_times (3, 2, text, FALSE, 2, "cannot be read");
    }
  for (int ct = 0; ct < 2; ct++)
    {
      g_autoptr (VgSource)
          series = open_beside (3, 2, ct ? "{\"Modality\": \"CT\"}" : "{\"Modality\": [\"CT\"]}");

      g_assert_cmpint (series->info.ct, ==, ct);
      g_assert_true ((series->details != NULL &&
                      strstr (series->details,
                              "Values are CT numbers, according to Modality in test.json")) == ct);
    }
  for (guint i = 0; i < G_N_ELEMENTS (clocks); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"AcquisitionTime\": \"%s\"}", clocks[i]);
      g_autoptr (VgSource) single = open_beside (1, 0, text);

      g_assert_cmpfloat (single->acquired_s, ==, seconds[i]);
    }
}

/* Zeros are zeros in memory that held something else; among them is what is not. */
static void
test_zeros (void)
{
  NiftiVariant variant = fixture_nifti_variant (64, 64, 40, 2);
  g_autoptr (GByteArray) plain = fixture_nifti (&variant, 1, NULL), packed = NULL;
  gsize volume = 64 * 64 * 40, first = plain->len - 2 * volume * sizeof (float);
  g_autofree float *frame = g_new (float, volume);
  g_autofree char *path = g_build_filename (folder, "zeros.nii.gz", NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  float one = 1;

  memset (plain->data + first, 0, 2 * volume * sizeof (float));
  memcpy (plain->data + first + (volume + 50000) * sizeof (float), &one, sizeof one);
  packed = fixture_gzip (plain, 1);
  fixture_write (path, packed);
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 2; i++)
    {
      for (gsize k = 0; k < volume; k++)
        frame[k] = k % 3 == 0;
      g_assert_true (vg_source_read (source, i, frame, &error));
      for (gsize k = 0; k < volume; k++)
        g_assert_cmpfloat (frame[k], ==, i == 1 && k == 50000);
    }
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/nifti/zeros", test_zeros);
  g_test_add_func ("/nifti/sidecar", test_sidecar);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
