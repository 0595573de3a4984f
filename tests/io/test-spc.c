/* SPDX-License-Identifier: MIT */
/* Becker & Hickl's photon streams: images and decays, with and without each kind of marker. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/spc-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <glib/gstdio.h>
#include <unistd.h>
#include <string.h>

static char *folder;

static VgSource *
open_bytes (const GByteArray *bytes, const char *read_options, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);

  fixture_write (path, bytes);
  return vg_source_open (path, &(VgSourceOptions){ .read_options = read_options }, error);
}

/* Image INDEX has the photons of the frames from FIRST to before END. */
static void
check_image (VgSource *source, gint64 index, const SpcVariant *variant, const guint32 *counts,
             int which, int first, int end)
{
  g_autofree guint16 *image = g_malloc (vg_image_info_frame_bytes (&source->info));
  gsize n = SPC_BINS * (gsize) variant->height * (gsize) variant->width;

  g_assert_cmpint (source->info.width, ==, variant->width);
  g_assert_cmpint (source->info.height, ==, variant->height);
  g_assert_cmpint (source->info.bins, ==, SPC_BINS);
  g_assert_cmpuint (vg_image_info_frame_bytes (&source->info), ==, 2 * n);
  g_assert_true (vg_source_read (source, index, image, NULL));
  for (gsize i = 0; i < n; i++)
    {
      guint32 sum = 0;

      for (int f = first; f < end; f++)
        sum += counts[((gsize) which * (gsize) variant->frames + (gsize) f) * n + i];
      g_assert_cmpuint (image[i], ==, sum);
    }
}

/* Reads both detectors, with all frames summed and frame by frame. */
static void
check_variant (const SpcVariant *variant, guint32 seed)
{
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = fixture_spc (variant, seed, &counts);

  for (int which = 0; which < 2; which++)
    {
      g_autofree char *all = g_strdup_printf ("channel=%d", which + 1),
                      *each = g_strconcat (all, " sum_frames=1", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) whole = open_bytes (bytes, all, &error);
      g_autoptr (VgSource) single = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (whole->format, ==, "Becker & Hickl SPC");
      check_image (whole, 0, variant, counts, which, 0, variant->frames);
      if (variant->frames == 1)
        continue;
      single = open_bytes (bytes, each, &error);
      g_assert_no_error (error);
      g_assert_cmpint (single->info.frames, ==, variant->frames);
      for (int f = variant->frames - 1; f >= 0; f--)
        check_image (single, f, variant, counts, which, f, f + 1);
      g_assert_cmpfloat_with_epsilon (
          single->info.frame_interval_s,
          2.5e-9 * variant->height *
              (variant->width * (double) variant->pixel_ticks + variant->back_ticks),
          1e-9);
    }
}

static void
test_images (void)
{
  SpcVariant variant = fixture_spc_variant ();

  check_variant (&variant, 1);
  variant.frames = 5;
  variant.pixel_ticks = 9; /* many pixels between two overflows of the counter */
  variant.back_ticks = 40;
  check_variant (&variant, 2);
  variant.pixel_ticks = 50000; /* many overflows in a pixel */
  check_variant (&variant, 3);
  variant = fixture_spc_variant ();
  variant.width = 131;
  variant.height = 67;
  variant.photons_per_line = 2000;
  check_variant (&variant, 4);
  variant.frames = 1;
  check_variant (&variant, 5);
  variant.no_frames = TRUE;
  check_variant (&variant, 6);
  variant = fixture_spc_variant ();
  variant.end_frames = TRUE;
  check_variant (&variant, 17);
  variant.frames = 1;
  check_variant (&variant, 18);
  variant = fixture_spc_variant ();
  variant.width = variant.height = 1; /* the length of a pixel is not known */
  variant.back_ticks = 0;
  check_variant (&variant, 7);
}

/* Of the two parts of a scan before and after its only frame marker, the one with more lines gives
 * the height. */
static void
test_one_frame_marker (void)
{
  enum { LINES = 7, TICKS = 100 };

  for (int before = 0; before <= LINES; before++)
    {
      g_autoptr (GByteArray) bytes = fixture_spc_header (250);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;
      guint64 last = 0;

      for (int i = 0; i < 3 * LINES; i++)
        {
          guint64 time = 10 + TICKS * (guint64) i;

          if (i == 3 * before)
            fixture_spc_marker (bytes, &last, time, 4);
          if (i % 3 == 0)
            fixture_spc_marker (bytes, &last, time, 3);
          fixture_spc_photon (bytes, &last, time + TICKS / 2, 1, 9);
        }
      if (before == LINES)
        fixture_spc_marker (bytes, &last, last + TICKS, 4);
      source = open_bytes (bytes, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (source->info.height, ==, MAX (before, LINES - before));
      g_assert_cmpint (source->info.width, ==, 1);
    }
}

/* A file that becomes shorter while it is read is refused: its end is not the end of the stream. */
static void
test_shorter (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);
  g_autoptr (GByteArray) bytes = NULL;

  variant.width = 31;
  variant.height = 17;
  variant.photons_per_line = 2000; /* more than the reader keeps in memory */
  bytes = fixture_spc (&variant, 19, &counts);
  for (int each = 0; each < 2; each++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource)
          source = open_bytes (bytes, each ? "channel=1 sum_frames=1" : "channel=1", &error);
      g_autofree void *image = NULL;

      g_assert_no_error (error);
      image = g_malloc (vg_image_info_frame_bytes (&source->info));
      g_assert_cmpint (truncate (path, bytes->len / 4), ==, 0);
      g_assert_false (vg_source_read (source, 0, image, &error));
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, "\"test.spc\""));
      g_assert_nonnull (strstr (error->message, "shorter"));
      fixture_write (path, bytes); /* into the same file, so it can be read again */
      check_image (source, 0, &variant, counts, 0, 0, each ? 1 : 2);
    }
}

/* Without markers of pixels, a line lasts until the next one and has as many pixels as the image
 * has lines. */
static void
test_no_pixels (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  variant.width = variant.height = 8;
  variant.back_ticks = 0;
  variant.no_pixels = TRUE;
  bytes = fixture_spc (&variant, 9, &counts);
  source = open_bytes (bytes, "channel=1 sum_frames=1", &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (source->details, "no pixel markers"));
  check_image (source, 0, &variant, counts, 0, 0, 1);
}

/* Without lines, all photons form one decay with all bins of the converter. */
static void
test_decay (void)
{
  g_autoptr (GByteArray) bytes = fixture_spc_header (500);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  guint32 decay[SPC_CONVERTER_BINS], expected[SPC_CONVERTER_BINS] = { 0 };
  GRand *random = g_rand_new_with_seed (11);
  guint64 last = 0;

  for (guint i = 0; i < 20000; i++)
    {
      guint dtime = g_rand_int (random) % SPC_CONVERTER_BINS;

      fixture_spc_photon (bytes, &last, 3 + 317 * (guint64) i, 1, dtime);
      expected[dtime]++;
    }
  g_rand_free (random);
  source = open_bytes (bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.width * source->info.height, ==, 1);
  g_assert_cmpint (source->info.bins, ==, SPC_CONVERTER_BINS);
  g_assert_true (vg_source_read (source, 0, decay, &error));
  g_assert_cmpmem (decay, sizeof decay, expected, sizeof expected);
  g_assert_nonnull (strstr (source->details, "Bin width: not in the file"));
}

/* The settings beside the stream give the width of a bin. */
static void
test_settings (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autofree char *path = g_build_filename (folder, "test.set", NULL);
  g_autoptr (GByteArray) bytes = fixture_spc (&variant, 12, &counts),
                         settings = fixture_spc_settings (12.5e-9);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  fixture_write (path, settings);
  source = open_bytes (bytes, NULL, &error);
  g_unlink (path);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (source->info.bin_width_ns, 12.5 / SPC_BINS, 1e-7);
  g_assert_nonnull (strstr (source->details, "Bin width: from \"test.set\""));
}

/* Lost photons are counted and reported. */
static void
test_gaps (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  variant.gaps = 3;
  bytes = fixture_spc (&variant, 13, &counts);
  source = open_bytes (bytes, "channel=1", &error);
  g_assert_no_error (error);
  check_image (source, 0, &variant, counts, 0, 0, 2);
  g_assert_nonnull (strstr (source->caution, "lost photons 3 times"));
}

/* Other files are not recognised as .spc: hardly any random file, and no file with few records,
 * which its suffix then describes. */
static void
test_others (void)
{
  GRand *random = g_rand_new_with_seed (14);
  g_autoptr (GByteArray) few = fixture_spc_header (250);
  g_autoptr (GError) error = NULL;
  guint64 last = 0;

  for (int i = 0; i < 2000; i++)
    {
      g_autoptr (GByteArray) bytes = fixture_spc_header (250);
      g_autoptr (VgSource) source = NULL;

      for (int k = 0; k < 64; k++)
        fixture_add (bytes, g_rand_int (random), 4);
      source = open_bytes (bytes, NULL, NULL);
      g_assert_null (source);
    }
  g_rand_free (random);
  fixture_spc_photon (few, &last, 7, 1, 9);
  g_assert_null (open_bytes (few, NULL, &error));
  fixture_assert_message (error, "SPC-600");
}

static void
test_mutated (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);
  g_autoptr (GByteArray) bytes = fixture_spc (&variant, 15, &counts);

  fixture_mutate (path, bytes, bytes->len, "sum_frames=1", TRUE, 4000);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/spc/images", test_images);
  g_test_add_func ("/spc/one-frame-marker", test_one_frame_marker);
  g_test_add_func ("/spc/shorter", test_shorter);
  g_test_add_func ("/spc/no-pixels", test_no_pixels);
  g_test_add_func ("/spc/decay", test_decay);
  g_test_add_func ("/spc/settings", test_settings);
  g_test_add_func ("/spc/gaps", test_gaps);
  g_test_add_func ("/spc/others", test_others);
  g_test_add_func ("/spc/mutated", test_mutated);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
