/* SPDX-License-Identifier: MIT */
/* Several files as one series: which belong together, and a damaged one. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "app/compute/vg-file-series.h"
#include <string.h>

static char *folder;

/* An .sdt of this TAC range (50 ns and 64 bins at gain 4 are 0.195 ns) and laser rate. */
static char *
write_sdt (const char *name, double tac_range_s, double sync_rate)
{
  SdtVariant variant = fixture_sdt_variant ();
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree double *values = NULL;
  char *path = g_build_filename (folder, name, NULL);

  variant.tac_range_s = (float) tac_range_s;
  variant.sync_rate = (float) sync_rate;
  bytes = fixture_sdt (&variant, 1, &values);
  fixture_write (path, bytes);
  return path;
}

/* Decays of unlike scales are no series: every file after the first would be read with the first
 * one's. */
static void
test_scales (void)
{
  static const struct
  {
    double range_s, rate;
    const char *says;
  } seconds[] = {
    { 5e-8, 8e7, NULL },
    { 2.5e-8, 8e7, "bin width of 0.19531" },
    { 5e-8, 4e7, "laser period of 12.5 ns" },
    { 5e-8, 8.0005e7, NULL },
  };
  g_autofree char *first = write_sdt ("first.sdt", 5e-8, 8e7);

  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      g_autofree char *second = write_sdt ("second.sdt", seconds[i].range_s, seconds[i].rate);
      const char *const files[] = { first, second, NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource)
          source = vg_file_series_open (files, &(VgSourceOptions){ .bins = TRUE }, &error);

      if (seconds[i].says == NULL)
        {
          g_assert_no_error (error);
          g_assert_cmpint (source->info.frames, ==, 2);
          continue;
        }
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
      fixture_assert_message (error, seconds[i].says);
      fixture_assert_message (error, "first.sdt");
      fixture_assert_message (error, "second.sdt");
      fixture_assert_message (error, "open them one by one");
    }
}

enum { SAMPLES = 7 * 5 * 64 };

/* Two channels of random counts, of which FULLEST (from 1) holds more; SUMS: what each does. */
static char *
write_two (const char *name, int brightest_channel, double sums[2])
{
  char *path = g_build_filename (folder, name, NULL);
  gboolean found = FALSE;

  for (guint32 seed = 1; !found; seed++)
    {
      SdtVariant variant = fixture_sdt_variant ();
      g_autoptr (GByteArray) bytes = NULL;
      g_autofree double *values = NULL;

      variant.blocks = 2;
      bytes = fixture_sdt (&variant, seed, &values);
      sums[0] = sums[1] = 0;
      for (int i = 0; i < 2 * SAMPLES; i++)
        sums[i / SAMPLES] += values[i];
      found = (sums[1] > sums[0]) == (brightest_channel == 2);
      if (found)
        fixture_write (path, bytes);
    }
  return path;
}

static double
sum_of (VgSource *source, gint64 frame)
{
  g_autofree guint16 *counts = g_malloc (vg_image_info_frame_bytes (&source->info));
  g_autoptr (GError) error = NULL;
  double sum = 0;

  g_assert_true (vg_source_read (source, frame, counts, &error));
  g_assert_no_error (error);
  for (int i = 0; i < SAMPLES; i++)
    sum += counts[i];
  return sum;
}

/* Unless one is asked for, the channel that holds most: of a series that of its first file. */
static void
test_fullest (void)
{
  static const struct
  {
    const char *read_options;
    int channel;
    gboolean told;
  } cases[] = { { NULL, 2, TRUE }, { "channel=1", 1, FALSE }, { "channel=2", 2, FALSE } };
  double sums[2][2];
  g_autofree char *second = write_two ("second-full.sdt", 2, sums[0]),
                  *first = write_two ("first-full.sdt", 1, sums[1]);
  const char *const files[] = { second, first, NULL }, *const alone[] = { first, NULL };
  g_autoptr (VgSource) single = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = vg_file_series_open (
          files,
          &(VgSourceOptions){
              .bins = TRUE, .brightest_channel = TRUE, .read_options = cases[i].read_options },
          &error);

      g_assert_no_error (error);
      g_assert_cmpint (source->info.channel, ==, cases[i].channel);
      g_assert_cmpint (source->caution != NULL &&
                           strstr (source->caution, "Channel 2 of 2") != NULL,
                       ==, cases[i].told);
      for (int k = 0; k < 2; k++)
        g_assert_cmpfloat (sum_of (source, k), ==, sums[k][cases[i].channel - 1]);
    }
  single = vg_file_series_open (
      alone, &(VgSourceOptions){ .bins = TRUE, .brightest_channel = TRUE }, NULL);
  g_assert_cmpint (single->info.channel, ==, 1);
  g_assert_null (single->caution);
}

/* A page that can't be decoded costs its frame of the series too. */
static void
test_damaged (void)
{
  char *files[4] = { NULL };
  TiffVariant variant = fixture_variant (8, 8, 1);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  guint16 frame[64];
  guint64 id;
  double time_s;

  variant.compression = 8; /* deflate */
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("s%d.tif", i), *bytes = NULL;
      gsize length;

      files[i] = g_build_filename (folder, name, NULL);
      g_free (fixture_write_tiff (files[i], &variant, (guint32) i));
      g_assert_true (g_file_get_contents (files[i], &bytes, &length, NULL));
      /* the samples follow the eight bytes of the header */
      if (i == 1)
        memset (bytes + 8, 0xff, 32);
      g_assert_true (g_file_set_contents (files[i], bytes, (gssize) length, NULL));
    }
  source = vg_file_series_open ((const char *const *) files, &(VgSourceOptions){ 0 }, &error);
  g_assert_no_error (error);
  g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
  g_clear_error (&error);
  g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_cmpuint (id, ==, 2);
  for (int i = 0; i < 3; i++)
    g_free (files[i]);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/file-series/scales", test_scales);
  g_test_add_func ("/file-series/fullest", test_fullest);
  g_test_add_func ("/file-series/damaged", test_damaged);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
