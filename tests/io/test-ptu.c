/* SPDX-License-Identifier: MIT */
/* PicoQuant photon streams of every record type, scanned in every way. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <math.h>
#include <string.h>

enum {
  PICOHARP = 0x00010303,
  HYDRAHARP_1 = 0x00010304,
  HYDRAHARP_2 = 0x01010304,
  GENERIC = 0x00010307
};

static const guint record_types[] = { PICOHARP,   HYDRAHARP_1, HYDRAHARP_2,
                                      0x00010305, 0x00010306,  GENERIC };

static char *folder;

static char *
test_path (void)
{
  return g_build_filename (folder, "test.ptu", NULL);
}

static VgSource *
open_bytes (const GByteArray *bytes, const char *read_options, GError **error)
{
  g_autofree char *path = test_path ();

  fixture_write (path, bytes);
  return vg_source_open (path, &(VgSourceOptions){ .read_options = read_options }, error);
}

/* Image INDEX holds the photons of the frames from FIRST to before END. */
static void
check_image (VgSource *source, gint64 index, const PtuVariant *variant, const guint32 *counts,
             int which, int first, int end)
{
  g_autofree guint16 *frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  g_autoptr (GError) error = NULL;
  gsize n = (gsize) variant->width * (gsize) variant->height * (gsize) fixture_ptu_bins (variant);

  g_assert_cmpint (source->info.type, ==, VG_U16);
  g_assert_cmpuint (vg_image_info_frame_bytes (&source->info), ==, 2 * n);
  g_assert_true (vg_source_read (source, index, frame, &error));
  g_assert_no_error (error);
  for (gsize i = 0; i < n; i++)
    {
      guint32 sum = 0;

      for (int f = first; f < end; f++)
        sum += counts[((gsize) which * (gsize) variant->frames + (gsize) f) * n + i];
      g_assert_cmpuint (frame[i], ==, sum);
    }
}

/* Both detectors, all frames added up and each alone. */
static void
check_variant (const PtuVariant *variant)
{
  static guint32 seed = 1;
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = fixture_ptu (variant, seed++, &counts);

  for (int which = 0; which < 2; which++)
    {
      g_autofree char *all = g_strdup_printf ("channel=%d", which + 1),
                      *each = g_strconcat (all, " sum_frames=1", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) whole = open_bytes (bytes, all, &error);
      g_autoptr (VgSource) single = NULL;

      g_assert_no_error (error);
      g_assert_cmpint (whole->info.frames, ==, 1);
      g_assert_cmpint (whole->info.channels_available, ==, 2);
      check_image (whole, 0, variant, counts, which, 0, variant->frames);
      if (variant->frames == 1)
        continue;
      single = open_bytes (bytes, each, &error);
      g_assert_no_error (error);
      g_assert_cmpint (single->info.frames, ==, variant->frames);
      /* any order */
      for (int f = variant->frames - 1; f >= 0; f--)
        check_image (single, f, variant, counts, which, f, f + 1);
      g_assert_cmpfloat (single->info.frame_interval_s, >, 0);
    }
}

static void
test_records (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (record_types); i++)
    for (PtuFrames markers = PTU_FRAME_FIRST; markers <= PTU_FRAME_NONE; markers++)
      {
        PtuVariant variant = fixture_ptu_variant (record_types[i]);

        variant.markers = markers;
        check_variant (&variant);
      }
}

static void
test_scans (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (record_types); i += 3)
    {
      PtuVariant variant = fixture_ptu_variant (record_types[i]);

      variant.bidirectional = TRUE;
      check_variant (&variant);
      variant = fixture_ptu_variant (record_types[i]);
      variant.no_last_stop = TRUE;
      check_variant (&variant);
      variant = fixture_ptu_variant (record_types[i]);
      variant.no_stops = TRUE;
      check_variant (&variant);
      variant = fixture_ptu_variant (record_types[i]);
      variant.extra_lines = 2;
      check_variant (&variant);
      variant = fixture_ptu_variant (record_types[i]);
      variant.width = variant.height = 1;
      check_variant (&variant);
      variant = fixture_ptu_variant (record_types[i]);
      variant.frames = 1;
      variant.width = 257;
      variant.photons_per_line = 5000;
      /* a turn of the counter ends a line */
      variant.line_syncs = 65536;
      check_variant (&variant);
    }
}

/* A mirror that swings along a part of a sine: photons sent out at the middle
 * of each pixel come back in it. */
static void
test_sine (void)
{
  enum { WIDTH = 64, LINE = 100000 };
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  g_autofree guint16 *frame = NULL;
  guint64 overflow = 0;

  variant.width = WIDTH;
  variant.height = 1;
  bytes = fixture_ptu_header (&variant);
  fixture_ptu_tag (bytes, "ImgHdr_SinCorrection", 0x10000008, 80);
  fixture_ptu_tag (bytes, "Header_End", 0xffff0008, 0);
  fixture_ptu_marker (bytes, GENERIC, &overflow, 50, 1);
  for (int x = 0; x < WIDTH; x++)
    {
      double place = 0.8 * (2 * (x + 0.5) / WIDTH - 1),
             time = 0.5 * (asin (place) / asin (0.8) + 1);

      fixture_ptu_photon (bytes, GENERIC, &overflow, 50 + (guint64) (time * LINE), 0, 7);
    }
  fixture_ptu_marker (bytes, GENERIC, &overflow, 50 + LINE, 2);
  source = open_bytes (bytes, NULL, &error);
  g_assert_no_error (error);
  frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  g_assert_true (vg_source_read (source, 0, frame, &error));
  for (int x = 0; x < WIDTH; x++)
    g_assert_cmpuint (frame[7 * WIDTH + x], ==, 1);
  g_assert_nonnull (strstr (source->details, "80 % of the amplitude"));
}

static void
test_groups (void)
{
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  variant.frames = 7;
  bytes = fixture_ptu (&variant, 99, &counts);
  source = open_bytes (bytes, "channel=2 sum_frames=3", &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 3);
  check_image (source, 0, &variant, counts, 1, 0, 3);
  check_image (source, 1, &variant, counts, 1, 3, 6);
  check_image (source, 2, &variant, counts, 1, 6, 7);
  g_assert_nonnull (
      strstr (source->details, "7 scans; 3 are summed to one image, fewer in the last image"));
  g_assert_nonnull (strstr (source->details, "Channel 2: detector 3, "));
  g_assert_cmpfloat_with_epsilon (source->info.period_ns, 12.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (source->info.bin_width_ns, 0.1, 1e-9);
  g_assert_cmpfloat (source->info.pixel_size[0], ==, 0.25);
}

/* A recording that begins inside a frame: its first lines are the frame's last. */
static void
test_first_frame (void)
{
  PtuVariant variant = fixture_ptu_variant (PICOHARP), part = variant;
  g_autofree guint32 *counts = NULL, *none = NULL;
  g_autoptr (GByteArray) bytes = fixture_ptu (&variant, 5, &counts),
                         head = fixture_ptu_header (&variant), early = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  guint header = head->len + 48;

  part.height = 2;
  part.frames = 1;
  early = fixture_ptu (&part, 6, &none);
  fixture_ptu_tag (head, "Header_End", 0xffff0008, 0);
  g_byte_array_append (head, early->data + header, early->len - header);
  g_byte_array_append (head, bytes->data + header, bytes->len - header);
  source = open_bytes (head, "sum_frames=1", &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 3);
  for (int f = 0; f < 3; f++)
    check_image (source, f, &variant, counts, 0, f, f + 1);
  g_assert_nonnull (strstr (source->details, "The first frame has only its last 2 lines"));
}

/* No line marker, no image: the photons make a decay. */
static void
test_decay (void)
{
  for (int image = 0; image < 2; image++)
    {
      PtuVariant variant = fixture_ptu_variant (HYDRAHARP_2);
      g_autoptr (GByteArray) bytes = image ? fixture_ptu_header (&variant) : g_byte_array_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;
      guint32 decay[125], expected[125] = { 0 };
      g_autofree char *late_text = NULL;
      guint64 overflow = 0;
      guint late = 0;
      GRand *random = g_rand_new_with_seed (3);

      if (!image)
        {
          g_byte_array_append (bytes,
                               (const guint8 *) "PQTTTR\0\0"
                                                "1.0.00\0\0",
                               16);
          fixture_ptu_real (bytes, "MeasDesc_Resolution", 1e-10);
          fixture_ptu_real (bytes, "MeasDesc_GlobalResolution", 1.25e-8);
          fixture_ptu_tag (bytes, "TTResultFormat_TTTRRecType", 0x10000008, HYDRAHARP_2);
          fixture_ptu_tag (bytes, "Measurement_SubMode", 0x10000008, 1);
        }
      fixture_ptu_tag (bytes, "Header_End", 0xffff0008, 0);
      for (guint i = 0; i < 5000; i++)
        {
          guint dtime = g_rand_int (random) % 128;

          fixture_ptu_photon (bytes, HYDRAHARP_2, &overflow, 37 * i, 0, dtime);
          if (dtime < 125)
            expected[dtime]++;
          else
            late++;
        }
      g_rand_free (random);
      source = open_bytes (bytes, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (source->info.width * source->info.height, ==, 1);
      g_assert_cmpint (source->info.type, ==, VG_U32);
      g_assert_cmpint (source->info.bins, ==, 125);
      g_assert_true (vg_source_read (source, 0, decay, &error));
      g_assert_cmpmem (decay, sizeof decay, expected, sizeof expected);
      g_assert_nonnull (
          strstr (source->details, image ? "no line markers" : "Not recorded as an image"));
      late_text = g_strdup_printf ("5000 photons, %u of them ignored (after the laser period)",
                                   late);
      g_assert_cmpuint (late, >, 0);
      g_assert_nonnull (strstr (source->details, late_text));
    }
}

/* Times that are not in the header, or cannot be. */
static void
test_times (void)
{
  static const struct
  {
    double bin_s, period_s;
    gint64 bins;
    const char *says;
  } cases[] = {
    { 0, 1.25e-8, 128, "Bin width: not in the file" },
    { 1e-10, 0, 128, "period: not in the file" },
    { 1e-10, 1e300, 128, "ends at the latest photon" },
    { 1e-300, 1e-8, 128, "ends at the latest photon" },
    { -1, -1, 128, "Bin width" },
    { 1e-10, 1e-10, 1, "TestHarp 1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      PtuVariant variant = fixture_ptu_variant (GENERIC);
      g_autofree guint32 *counts = NULL;
      g_autoptr (GByteArray) bytes = fixture_ptu (&variant, 8, &counts);
      g_autoptr (GByteArray) head = fixture_ptu_header (&variant);
      guint header = head->len + 48;
      g_autoptr (VgSource) source = NULL;
      g_autofree void *frame = NULL;
      g_autoptr (GError) error = NULL;

      /* the later tag counts */
      fixture_ptu_real (head, "MeasDesc_Resolution", cases[i].bin_s);
      fixture_ptu_real (head, "MeasDesc_GlobalResolution", cases[i].period_s);
      fixture_ptu_tag (head, "Header_End", 0xffff0008, 0);
      g_byte_array_append (head, bytes->data + header, bytes->len - header);
      source = open_bytes (head, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (source->info.bins, ==, cases[i].bins);
      g_assert_nonnull (strstr (source->details, cases[i].says));
      frame = g_malloc (vg_image_info_frame_bytes (&source->info));
      g_assert_true (vg_source_read (source, 0, frame, &error));
    }
}

static void
test_refused (void)
{
  static const guint t2[] = {
    0x00010203, 0x00010204, 0x01010204, 0x00010205, 0x00010206, 0x00010207
  };

  for (guint i = 0; i <= G_N_ELEMENTS (t2); i++)
    {
      PtuVariant variant = fixture_ptu_variant (i < G_N_ELEMENTS (t2) ? t2[i] : 0x12345678);
      g_autoptr (GByteArray) bytes = fixture_ptu_header (&variant);
      g_autoptr (GError) error = NULL;

      fixture_ptu_tag (bytes, "Header_End", 0xffff0008, 0);
      g_assert_null (open_bytes (bytes, NULL, &error));
      fixture_assert_message (error, i < G_N_ELEMENTS (t2) ? "T2 mode" : "0x12345678");
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
    }
}

/* Tags that lie about their length or never end. */
static void
test_headers (void)
{
  static const guint64 lengths[] = { G_MAXUINT64, G_MAXINT64, 1u << 30, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      PtuVariant variant = fixture_ptu_variant (GENERIC);
      g_autoptr (GByteArray) bytes = fixture_ptu_header (&variant);
      g_autoptr (GError) error = NULL;

      fixture_ptu_tag (bytes, "File_Comment", 0x4001FFFF, lengths[i]);
      fixture_ptu_tag (bytes, "Header_End", 0xffff0008, 0);
      g_assert_null (open_bytes (bytes, NULL, &error));
      fixture_assert_message (error, i < 3 ? "a tag that is longer than the file"
                                           : "ends inside its header");
    }
}

/* A picture that would not fit is refused before any of it is made. */
static void
test_huge (void)
{
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  guint64 overflow = 0;

  variant.width = variant.height = 65535;
  variant.bin_s = 1e-12;
  variant.period_s = 2e-8;
  bytes = fixture_ptu_header (&variant);
  fixture_ptu_tag (bytes, "Header_End", 0xffff0008, 0);
  fixture_ptu_marker (bytes, GENERIC, &overflow, 5, 1);
  fixture_ptu_photon (bytes, GENERIC, &overflow, 6, 0, 7);
  g_assert_null (open_bytes (bytes, NULL, &error));
  fixture_assert_message (error, "4 GiB");
}

/* More records than the header announces are not read; fewer are what a
 * recording that was broken off left, which is read and said. */
static void
test_announced (void)
{
  for (int more = -1; more <= 1; more++)
    {
      PtuVariant variant = fixture_ptu_variant (PICOHARP);
      g_autofree guint32 *counts = NULL;
      g_autoptr (GByteArray) bytes = fixture_ptu (&variant, 25, &counts),
                             head = fixture_ptu_header (&variant);
      guint header = head->len + 48, records = (bytes->len - header) / 4;
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;

      fixture_ptu_tag (head, "TTResult_NumberOfRecords", 0x10000008,
                       (guint64) (records + (guint) more));
      fixture_ptu_tag (head, "Header_End", 0xffff0008, 0);
      g_byte_array_append (head, bytes->data + header, bytes->len - header);
      source = open_bytes (head, NULL, &error);
      g_assert_no_error (error);
      g_assert_true ((strstr (source->details, "cut short") != NULL) == (more > 0));
      g_assert_true ((source->caution != NULL &&
                      strstr (source->caution, "cut short: it declares ") != NULL) == (more > 0));
      /* the last record is a marker */
      check_image (source, 0, &variant, counts, 0, 0, 3);
    }
}

static void
test_truncated (void)
{
  PtuVariant variant = fixture_ptu_variant (PICOHARP);
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = fixture_ptu (&variant, 21, &counts),
                         head = fixture_ptu_header (&variant);
  g_autofree char *path = test_path ();
  guint whole = bytes->len, header = head->len + 48;

  for (guint length = whole - 1; length > 0; length -= length > header + 64 ? 61 : 1)
    {
      g_autoptr (GError) error = NULL;

      bytes->len = length;
      fixture_write (path, bytes);
      error = fixture_read_all (path, NULL);
      if (length < header)
        fixture_assert_message (error, "test.ptu");
      else
        g_assert_no_error (error);
    }
  bytes->len = whole;
}

static void
test_mutated (void)
{
  PtuVariant variant = fixture_ptu_variant (HYDRAHARP_1);
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree char *path = test_path ();

  variant.photons_per_line = 20;
  bytes = fixture_ptu (&variant, 23, &counts);
  fixture_mutate (path, bytes, bytes->len, "sum_frames=1", TRUE, 4000);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/ptu/records", test_records);
  g_test_add_func ("/ptu/scans", test_scans);
  g_test_add_func ("/ptu/sine", test_sine);
  g_test_add_func ("/ptu/groups", test_groups);
  g_test_add_func ("/ptu/first-frame", test_first_frame);
  g_test_add_func ("/ptu/decay", test_decay);
  g_test_add_func ("/ptu/times", test_times);
  g_test_add_func ("/ptu/refused", test_refused);
  g_test_add_func ("/ptu/headers", test_headers);
  g_test_add_func ("/ptu/huge", test_huge);
  g_test_add_func ("/ptu/announced", test_announced);
  g_test_add_func ("/ptu/truncated", test_truncated);
  g_test_add_func ("/ptu/mutated", test_mutated);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
