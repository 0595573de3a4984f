/* SPDX-License-Identifier: MIT */
/* A photon stream that another program is still writing. */
#include "io/live/vg-live.h"
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/spc-fixture.h"
#include "tests/support/io/tiff-fixture.h"

enum { GENERIC = 0x00010307 };

static char *folder;

static VgSource *
watch (const char *read_options)
{
  g_autofree char *path = g_build_filename (folder, "test.ptu", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  g_autoptr (GError) error = NULL;
  VgSource *source = vg_live_open (address, &(VgSourceOptions){ .read_options = read_options },
                                   &error);

  g_assert_no_error (error);
  return source;
}

static guint64
sum_next (VgSource *source)
{
  g_autofree guint16 *frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  gsize n = vg_image_info_frame_bytes (&source->info) / 2;
  guint64 sum = 0, id;
  double time_s;

  g_assert_true (vg_source_next (source, frame, &id, &time_s, NULL));
  for (gsize i = 0; i < n; i++)
    sum += frame[i];
  return sum;
}

/* Each frame has all photons that the file has then; or, if scans are images, each scan once the
 * next has begun. */
static void
test_growing (void)
{
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree char *path = g_build_filename (folder, "test.ptu", NULL);
  gsize n = (gsize) variant.width * (gsize) variant.height * (gsize) fixture_ptu_bins (&variant);
  guint64 all = 0, first = 0;

  variant.frames = 3;
  bytes = fixture_ptu (&variant, 17, &counts);
  for (gsize i = 0; i < 3 * n; i++)
    {
      all += counts[i];
      first += i < n ? counts[i] : 0;
    }
  for (int split = 0; split < 2; split++)
    {
      g_autoptr (GByteArray) half = g_byte_array_new ();
      g_autoptr (VgSource) source = NULL;

      g_byte_array_append (half, bytes->data, bytes->len / 4 * 3 / 4 * 4);
      fixture_write (path, half);
      source = watch (split ? "channel=1 sum_frames=1" : "channel=1");
      g_assert_cmpint (source->info.frames, ==, -1);
      g_assert_cmpint (source->info.gathers, ==, !split);
      if (split)
        g_assert_cmpuint (sum_next (source), ==, first);
      else
        {
          guint64 part = sum_next (source);

          g_assert_cmpuint (part, >, 0);
          g_assert_cmpuint (part, <, all);
        }
      fixture_write (path, bytes);
      if (!split)
        g_assert_cmpuint (sum_next (source), ==, all);
      else
        g_assert_cmpuint (sum_next (source), >, 0);
    }
}

/* Without a complete frame there is nothing to deliver yet. */
static void
test_later (void)
{
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = fixture_ptu (&variant, 3, &counts);
  g_autofree char *path = g_build_filename (folder, "test.ptu", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  g_autoptr (GError) error = NULL;

  g_byte_array_set_size (bytes, 40);
  fixture_write (path, bytes);
  g_assert_null (vg_live_open (address, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
}

/* If a file does not give the size of its image, it is known once the first frame has ended. */
static void
test_size (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = fixture_spc (&variant, 5, &counts), part = g_byte_array_new ();
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  gsize n = SPC_BINS * (gsize) variant.height * (gsize) variant.width;
  guint64 all = 0, seen;

  for (gsize i = 0; i < (gsize) variant.frames * n; i++)
    all += counts[i];
  g_byte_array_append (part, bytes->data, bytes->len / 4 / 4 * 4);
  fixture_write (path, part);
  g_assert_null (vg_live_open (address, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  g_clear_error (&error);
  g_byte_array_set_size (part, 0);
  g_byte_array_append (part, bytes->data, bytes->len / 4 * 3 / 4 * 4 + 2); /* half a record */
  fixture_write (path, part);
  source = vg_live_open (address, &(VgSourceOptions){ .read_options = "channel=1" }, &error);
  g_assert_no_error (error);
  seen = sum_next (source);
  g_assert_cmpuint (seen, >, all / 4);
  g_assert_cmpuint (seen, <, all);
  fixture_write (path, bytes);
  g_assert_cmpuint (sum_next (source), ==, all);
}

/* Writes BYTES from the start to a part of FRACTION, and opens them as a growing file. */
static VgSource *
watch_part (const GByteArray *bytes, double fraction, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  g_autoptr (GByteArray) part = g_byte_array_new ();

  g_byte_array_append (part, bytes->data, (guint) (fraction * bytes->len) / 4 * 4);
  fixture_write (path, part);
  return vg_live_open (address, NULL, error);
}

/* A stream without any marker is one decay, once no marker is to be expected. */
static void
test_decay (void)
{
  enum { PHOTONS = 20000 }; /* in 4 s */
  g_autoptr (GByteArray) bytes = fixture_spc_header (500);
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  guint64 last = 0, sum = 0, id;
  guint32 decay[SPC_CONVERTER_BINS];
  double time_s;

  for (guint i = 0; i < PHOTONS; i++)
    fixture_spc_photon (bytes, &last, 4000 * (guint64) i, 1, i % SPC_CONVERTER_BINS);
  g_assert_null (watch_part (bytes, 0.45, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  g_clear_error (&error);
  source = watch_part (bytes, 0.55, &error);
  g_assert_no_error (error);
  g_assert_true (source->info.gathers);
  g_assert_cmpint (source->info.width * source->info.height, ==, 1);
  for (int all = 0; all < 2; all++, sum = 0)
    {
      if (all)
        fixture_write (path, bytes);
      g_assert_true (vg_source_next (source, decay, &id, &time_s, &error));
      for (guint i = 0; i < SPC_CONVERTER_BINS; i++)
        sum += decay[i];
      if (all)
        g_assert_cmpuint (sum, ==, PHOTONS);
      else
        g_assert_cmpuint (sum, <, PHOTONS);
    }
}

/* Lines without frames are one image of a complete file, but no image of a growing one. */
static void
test_no_frames (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (VgSource) file = NULL;
  g_autoptr (GError) error = NULL;

  variant.no_frames = TRUE;
  variant.back_ticks = 4000000000; /* 10 s from line to line */
  bytes = fixture_spc (&variant, 6, &counts);
  g_assert_null (watch_part (bytes, 0.3, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  g_clear_error (&error);
  g_assert_null (watch_part (bytes, 1, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "has no frame markers"));
  file = fixture_open (path, FALSE);
  g_assert_cmpint (file->info.width, ==, variant.width);
  g_assert_cmpint (file->info.height, ==, variant.height * variant.frames);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/growing/photons", test_growing);
  g_test_add_func ("/growing/later", test_later);
  g_test_add_func ("/growing/size", test_size);
  g_test_add_func ("/growing/decay", test_decay);
  g_test_add_func ("/growing/no-frames", test_no_frames);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
