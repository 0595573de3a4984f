/* SPDX-License-Identifier: MIT */
/* Becker & Hickl files of every variant, and the ways they can be wrong. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "io/source/vg-bytes.h"
#include <math.h>
#include <string.h>

static char *folder;

static char *
test_path (void)
{
  return g_build_filename (folder, "test.sdt", NULL);
}

/* The sample that STORED (block and routed channel) gives at (x, y, bin). */
static double
stored_value (const SdtVariant *variant, const double *values, int stored, int x, int y, gint64 bin)
{
  return values[(((gsize) stored * (gsize) variant->stored[1] + (gsize) y) *
                     (gsize) variant->stored[0] +
                 (gsize) x) *
                    (gsize) variant->bins +
                (gsize) bin];
}

static void
check_frame (VgSource *source, gint64 index, const SdtVariant *variant, const double *values,
             int stored)
{
  g_autoptr (GError) error = NULL;
  const VgImageInfo *info = &source->info;
  g_autofree void *frame = g_malloc (vg_image_info_frame_bytes (info));
  gsize i = 0;

  g_assert_true (vg_source_read (source, index, frame, &error));
  g_assert_no_error (error);
  for (gint64 slice = 0; slice < info->slices; slice++)
    for (gint64 bin = 0; bin < info->bins; bin++)
      for (int y = 0; y < info->height; y++)
        for (int x = 0; x < info->width; x++, i++)
          g_assert_cmpfloat (fixture_sample (info, frame, i), ==,
                             stored_value (variant, values, stored + (int) slice, x, y, bin));
}

/* Every channel of the file is what was written. */
static void
check_file (const SdtVariant *variant, int width, int height)
{
  static guint32 seed = 1;
  g_autofree char *path = test_path ();
  g_autofree double *values = NULL;
  g_autoptr (GByteArray) bytes = fixture_sdt (variant, seed++, &values);
  int channels = variant->blocks * variant->routed;

  fixture_write (path, bytes);
  for (int channel = 1; channel <= channels; channel++)
    {
      g_autofree char *read_options = g_strdup_printf ("channel=%d", channel);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = vg_source_open (
          path, &(VgSourceOptions){ .read_options = read_options }, &error);

      g_assert_no_error (error);
      g_assert_cmpint (source->info.width, ==, width);
      g_assert_cmpint (source->info.height, ==, height);
      g_assert_cmpint (source->info.bins, ==, variant->bins);
      g_assert_cmpint (source->info.channels_available, ==, channels > 1 ? channels : 0);
      g_assert_cmpint (source->info.channel, ==, channels > 1 ? channel : 0);
      check_frame (source, 0, variant, values, channel - 1);
    }
}

static void
test_variants (void)
{
  for (guint revision = 12; revision <= 15; revision++)
    for (SdtPacking packing = SDT_PLAIN; packing <= SDT_STORED; packing++)
      for (guint type = 0; type < 3; type++)
        for (int blocks = 1; blocks <= 3; blocks += 2)
          {
            SdtVariant variant = fixture_sdt_variant ();

            variant.revision = revision;
            variant.packing = packing;
            variant.type = type;
            variant.blocks = blocks;
            variant.entry = blocks > 1 ? "data_block_0000" : "data_block";
            check_file (&variant, 7, 5);
          }
}

static void
test_shapes (void)
{
  SdtVariant variant = fixture_sdt_variant ();

  /* the image's size, where the scan's is not what was stored */
  variant.scan[0] = variant.scan[1] = 4;
  check_file (&variant, 7, 5);
  /* filled up to powers of two */
  variant = fixture_sdt_variant ();
  variant.stored[0] = variant.stored[1] = 8;
  check_file (&variant, 7, 5);
  /* routed channels, one after the other */
  variant = fixture_sdt_variant ();
  variant.scan[2] = 2;
  variant.scan[3] = 3;
  variant.routed = 6;
  check_file (&variant, 7, 5);
  variant.packing = SDT_DEFLATED;
  check_file (&variant, 7, 5);
  /* curves without an image */
  variant = fixture_sdt_variant ();
  variant.stored[0] = 11;
  variant.stored[1] = 1;
  check_file (&variant, 11, 1);
  variant.stored[0] = 1;
  check_file (&variant, 1, 1);
  /* rows and decays longer than the pieces they are read in */
  variant = fixture_sdt_variant ();
  variant.scan[0] = variant.stored[0] = 307;
  variant.scan[1] = variant.stored[1] = 3;
  variant.bins = 1024;
  variant.packing = SDT_DEFLATED;
  check_file (&variant, 307, 3);
  /* 65536 bins are written as none */
  variant = fixture_sdt_variant ();
  variant.scan[0] = variant.stored[0] = 3;
  variant.scan[1] = variant.stored[1] = 1;
  variant.bins = 65536;
  check_file (&variant, 3, 1);
  /* an old description has no image, a long one more than is known */
  variant = fixture_sdt_variant ();
  variant.description_length = 203;
  check_file (&variant, 7, 5);
  variant.description_length = 2048;
  check_file (&variant, 7, 5);
}

static VgSource *
open_bytes (const GByteArray *bytes, const char *read_options, GError **error)
{
  g_autofree char *path = test_path ();

  fixture_write (path, bytes);
  return vg_source_open (path, &(VgSourceOptions){ .read_options = read_options }, error);
}

static void
test_series (void)
{
  SdtVariant variant = fixture_sdt_variant ();
  g_autofree double *values = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) frames = NULL;
  g_autoptr (VgSource) slices = NULL;

  variant.blocks = 3;
  variant.packing = SDT_DEFLATED;
  bytes = fixture_sdt (&variant, 7, &values);
  frames = open_bytes (bytes, "pages=frames", &error);
  g_assert_no_error (error);
  g_assert_cmpint (frames->info.frames, ==, 3);
  for (int i = 0; i < 3; i++)
    check_frame (frames, i, &variant, values, i);
  slices = open_bytes (bytes, "pages=slices", &error);
  g_assert_no_error (error);
  g_assert_cmpint (slices->info.slices, ==, 3);
  check_frame (slices, 0, &variant, values, 0);
}

static void
test_times (void)
{
  static const struct
  {
    float range, rate;
    int gain;
    double bin_ns, period_ns;
  } cases[] = {
    { 5e-8f, 8e7f, 4, 50.0 / 256, 12.5 },
    { 5e-8f, 4e-42f, 4, 50.0 / 256, 0 },
    { 5e-8f, 9e8f, 4, 50.0 / 256, 0 },
    { 5e-8f, NAN, 0, 0, 0 },
    { INFINITY, 2e7f, 4, 0, 50 },
    { NAN, -1, -1, 0, 0 },
    { -1, 0, 1, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SdtVariant variant = fixture_sdt_variant ();
      g_autofree double *values = NULL;
      g_autoptr (GByteArray) bytes = NULL;
      g_autoptr (VgSource) source = NULL;

      variant.tac_range_s = cases[i].range;
      variant.sync_rate = cases[i].rate;
      variant.tac_gain = cases[i].gain;
      bytes = fixture_sdt (&variant, 3, &values);
      source = open_bytes (bytes, NULL, NULL);
      g_assert_nonnull (source);
      g_assert_cmpfloat_with_epsilon (source->info.bin_width_ns, cases[i].bin_ns, 1e-6);
      g_assert_cmpfloat_with_epsilon (source->info.period_ns, cases[i].period_ns, 1e-6);
      g_assert_cmpint (strstr (source->details, "Bin width: not in the file") != NULL, ==,
                       cases[i].bin_ns == 0);
      g_assert_cmpint (strstr (source->details, "period: not in the file") != NULL, ==,
                       cases[i].period_ns == 0);
    }
}

/* A cut file is refused; but a block before the cut can still be had. */
static void
test_truncated (void)
{
  for (int kind = 0; kind < 3; kind++)
    {
      SdtVariant variant = fixture_sdt_variant ();
      g_autofree double *values = NULL;
      g_autoptr (GByteArray) bytes = NULL;
      g_autofree char *path = test_path ();
      guint whole, step;

      variant.packing = kind == 0 ? SDT_PLAIN : SDT_DEFLATED;
      variant.stored[0] = variant.scan[0] = 60;
      variant.stored[1] = variant.scan[1] = 9;
      variant.blocks = kind == 2 ? 2 : 1;
      bytes = fixture_sdt (&variant, 5, &values);
      whole = bytes->len;
      step = 997;
      for (guint length = whole - 1; length > 0; length = length > step ? length - step : 0)
        {
          g_autoptr (GError) error = NULL;

          bytes->len = length;
          fixture_write (path, bytes);
          error = fixture_read_all (
              path, &(VgSourceOptions){ .read_options = kind == 2 ? "channel=2" : NULL });
          /* the last bits of deflated data say only that they are the last */
          if (error || length < whole - 4)
            fixture_assert_message (error, "test.sdt");
          if (error && kind == 2 && length > whole - 100)
            {
              g_autoptr (VgSource) first = vg_source_open (path, NULL, NULL);

              check_frame (first, 0, &variant, values, 0);
            }
          if (length < 1200)
            step = 1;
        }
      bytes->len = whole;
    }
}

typedef struct
{
  const char *what;
  /* in the header; in the block's header when BLOCK, in the description when DESCRIPTION */
  gsize at;
  enum { HEADER, BLOCK, DESCRIPTION } where;
  guint64 value;
  gsize size;
  const char *says;
} Trap;

static void
test_traps (void)
{
  static const Trap traps[] = {
    { "offset of the block", 14, HEADER, 0x7fffffff, 4, "lacks a data block" },
    { "offset into the header", 14, HEADER, 3, 4, "lacks a data block" },
    { "more blocks than there are", 18, HEADER, 2, 2, "lacks a data block" },
    { "very many blocks", 18, HEADER, 0x7ffe, 2, "lacks a data block" },
    { "no blocks", 18, HEADER, 0, 2, "has no decays" },
    { "description beyond the end", 24, HEADER, 0x7fffff00, 4,
      "lacks the measurement description" },
    { "negative description", 24, HEADER, 0xffffff00, 4, "lacks the measurement description" },
    { "short description", 30, HEADER, 80, 2, "lacks the measurement description" },
    { "description that is not there", 12, BLOCK, 7, 2, "lacks the measurement description" },
    { "data beyond the end", 2, BLOCK, 0x7fffffff, 4, "are missing" },
    { "length beyond the end", 18, BLOCK, 64 * 2 * 1000, 4, "declares" },
    { "length of 4 GB", 18, BLOCK, 0xffffff80, 4, "declares" },
    { "length of parts of decays", 18, BLOCK, 64 * 2 + 1, 4, "not a whole number of decays" },
    { "no length", 18, BLOCK, 0, 4, "not a whole number of decays" },
    { "FCS", 10, BLOCK, 0x23, 2, "has no decays" },
    { "MCS", 10, BLOCK, 0x53, 2, "has no decays" },
    { "LZ4", 10, BLOCK, 0x4013, 2, "LZ4" },
    { "unknown samples", 10, BLOCK, 0x0713, 2, "unknown type" },
    { "a ZIP that is none", 10, BLOCK, 0x1013, 2, "are missing or in an unknown form" },
    { "bins that do not fit", 82, DESCRIPTION, 63, 2, "not a whole number of decays" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (traps); i++)
    {
      SdtVariant variant = fixture_sdt_variant ();
      g_autofree double *values = NULL;
      g_autoptr (GByteArray) bytes = fixture_sdt (&variant, 11, &values);
      g_autoptr (GError) error = NULL;
      gsize start = traps[i].where == BLOCK         ? vg_get_u32 (bytes->data + 14)
                    : traps[i].where == DESCRIPTION ? vg_get_u32 (bytes->data + 24)
                                                    : 0;

      fixture_put (bytes, start + traps[i].at, traps[i].value, traps[i].size);
      g_assert_null (open_bytes (bytes, NULL, &error));
      if (!strstr (error->message, traps[i].says))
        g_error ("%s: \"%s\" does not say \"%s\"", traps[i].what, error->message, traps[i].says);
      if (strstr (error->message, ";;"))
        g_error ("%s: \"%s\" says nothing between two signs", traps[i].what, error->message);
      fixture_assert_message (error, "test.sdt");
    }
}

/* Deflated data that are less, more or far more than announced. */
static void
test_bombs (void)
{
  SdtVariant variant = fixture_sdt_variant ();
  g_autofree double *values = NULL;
  g_autofree char *path = test_path ();
  g_autoptr (GByteArray) bytes = NULL;
  gsize length;

  variant.packing = SDT_DEFLATED;
  bytes = fixture_sdt (&variant, 13, &values);
  length = vg_get_u32 (bytes->data + 14) + 18;
  for (int i = 0; i < 3; i++)
    {
      /* one decay less; one more; 1 GB */
      static const guint32 lengths[] = { 34 * 128, 36 * 128, 1u << 30 };
      static const char *const says[] = { "unpacks to more", "declares", "declares" };
      g_autoptr (GError) error = NULL;

      fixture_put (bytes, length, lengths[i], 4);
      fixture_write (path, bytes);
      error = fixture_read_all (path, NULL);
      fixture_assert_message (error, says[i]);
      g_assert_cmpint (error->domain, ==, VG_IO_ERROR);
    }
}

static void
test_mutated (void)
{
  SdtVariant variant = fixture_sdt_variant ();
  g_autofree double *values = NULL;
  g_autofree char *path = test_path ();
  g_autoptr (GByteArray) bytes = NULL;

  variant.packing = SDT_DEFLATED;
  variant.blocks = 2;
  bytes = fixture_sdt (&variant, 17, &values);
  fixture_mutate (path, bytes, 700, "channel=2", FALSE, 3000);
}

static void
test_refused (void)
{
  SdtVariant variant = fixture_sdt_variant ();
  g_autofree double *values = NULL;
  g_autoptr (GByteArray) bytes = fixture_sdt (&variant, 19, &values);
  static const struct
  {
    const char *read_options, *says;
  } cases[] = {
    { "channel=2", "has 1 channel" },
    { "pages=bins", "--pages has no effect" },
    { "sum_frames=3", "--sum-frames has no effect" },
    { "channel=0", "channel" },
    { "colour=red", "is not a read option" },
    { "channel=x", "channel" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_bytes (bytes, cases[i].read_options, &error));
      fixture_assert_message (error, cases[i].says);
      g_assert_cmpint (error->domain, ==, VG_USAGE_ERROR);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/sdt/variants", test_variants);
  g_test_add_func ("/sdt/shapes", test_shapes);
  g_test_add_func ("/sdt/series", test_series);
  g_test_add_func ("/sdt/times", test_times);
  g_test_add_func ("/sdt/truncated", test_truncated);
  g_test_add_func ("/sdt/traps", test_traps);
  g_test_add_func ("/sdt/bombs", test_bombs);
  g_test_add_func ("/sdt/mutated", test_mutated);
  g_test_add_func ("/sdt/refused", test_refused);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
