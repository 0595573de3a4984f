/* SPDX-License-Identifier: MIT */
/* Reading settings: text and back, and what they do to frames of one page. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "io/source/vg-source-private.h"
#include <string.h>
#include <sys/stat.h>

static void
test_text (void)
{
  static const struct
  {
    const char *text, *again;
    int channel, pages, sum_frames;
    const char *geometry, *sample, *segment;
  } cases[] = {
    { NULL, NULL, 0, VG_PAGES_FILE, 0, NULL },
    { "", NULL, 0, VG_PAGES_FILE, 0, NULL },
    { "channel=1", "channel=1", 1, VG_PAGES_FILE, 0, NULL },
    { "channel=2", "channel=2", 2, VG_PAGES_FILE, 0, NULL },
    { "5x5:u16", "5x5:u16", 0, VG_PAGES_FILE, 0, "5x5:u16" },
    { "pages=bins  5x5:u16@8", "5x5:u16@8 pages=bins", 0, VG_PAGES_BINS, 0, "5x5:u16@8" },
    { "sum-frames=10 channel=3", "channel=3 sum_frames=10", 3, VG_PAGES_FILE, 10, NULL },
    { "pages=bins sample=grid", "pages=bins sample=grid", 0, VG_PAGES_BINS, 0, NULL, "grid" },
    { "sample=a sample=b", "sample=b", 0, VG_PAGES_FILE, 0, NULL, "b" },
    { "segment=Portal  vein channel=2 sample=b", "channel=2 segment=Portal vein sample=b", 2,
      VG_PAGES_FILE, 0, NULL, "b", "Portal vein" },
    { "5x5:u16 segment=2", "5x5:u16 segment=2", 0, VG_PAGES_FILE, 0, "5x5:u16", NULL, "2" },
    { "channel=3 channel=4", "channel=4", 4, VG_PAGES_FILE, 0, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *again = NULL;
      g_auto (VgReadOptions) read_options = { 0 };

      g_assert_true (vg_read_options_parse (&read_options, cases[i].text, &error));
      g_assert_no_error (error);
      again = vg_read_options_format (&read_options);
      g_assert_cmpstr (again, ==, cases[i].again);
      g_assert_cmpint (read_options.channel, ==, cases[i].channel);
      g_assert_cmpint (read_options.pages, ==, cases[i].pages);
      g_assert_cmpint (read_options.sum_frames, ==, cases[i].sum_frames);
      g_assert_cmpstr (read_options.geometry, ==, cases[i].geometry);
      g_assert_cmpstr (read_options.sample, ==, cases[i].sample);
      g_assert_cmpstr (read_options.segment, ==, cases[i].segment);
    }
}

static void
test_bad_text (void)
{
  static const char *const texts[] = { "channel=",
                                       "channel=0",
                                       "channel=1e9",
                                       "sample=",
                                       "segment=",
                                       "pages=tiles",
                                       "a=b",
                                       "=",
                                       "a b channel=2",
                                       "sum_frames=-1",
                                       "pages=bins\nchannel=2",
                                       "\xff=\xfe" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (VgReadOptions) read_options = { 0 };

      g_assert_false (vg_read_options_parse (&read_options, texts[i], &error));
      g_assert_cmpint (error->domain, ==, VG_USAGE_ERROR);
      fixture_assert_message (error, "");
      g_assert_cmpint (read_options.channel, ==, 0);
      g_assert_null (read_options.geometry);
      g_assert_null (read_options.sample);
    }
}

static void
test_set (void)
{
  const VgParam *channel = vg_params_find (&vg_read_options_table, "channel");
  g_autoptr (GError) error = NULL;
  g_autofree char *a = vg_read_options_set (NULL, channel, "2", &error),
                  *b = vg_read_options_set ("pages=bins channel=2", channel, "1", &error);
  g_autofree char *c = vg_read_options_set ("channel=2", channel, "1", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (a, ==, "channel=2");
  g_assert_cmpstr (b, ==, "channel=1 pages=bins");
  g_assert_cmpstr (c, ==, "channel=1");
  g_assert_null (vg_read_options_set (NULL, channel, "none", &error));
  g_assert_cmpint (error->domain, ==, VG_USAGE_ERROR);
}

/* Every bit belongs to the entry of the table it is named for. */
static void
test_bits (void)
{
  static const struct
  {
    VgReadOptionsBits bit;
    const char *id;
  } bits[] = {
    { VG_READ_OPTIONS_CHANNEL, "channel" },
    { VG_READ_OPTIONS_PAGES, "pages" },
    { VG_READ_OPTIONS_SUM_FRAMES, "sum_frames" },
    { VG_READ_OPTIONS_LEVEL, "level" },
    { VG_READ_OPTIONS_REGION, "region" },
    { VG_READ_OPTIONS_UNPACK, "unpack_gb" },
    { VG_READ_OPTIONS_PIXEL, "pixel_um" },
    { VG_READ_OPTIONS_FRAME_INTERVAL, "frame_interval_ms" },
    { VG_READ_OPTIONS_SERIES, "series" },
  };

  g_assert_cmpuint (vg_read_options_table.n_items, ==, G_N_ELEMENTS (bits));
  for (guint i = 0; i < G_N_ELEMENTS (bits); i++)
    g_assert_true (&vg_read_options_table.items[g_bit_nth_lsf (bits[i].bit, -1)] ==
                   vg_params_find (&vg_read_options_table, bits[i].id));
}

/* Where no bins are taken, channels of a file and samples of a pixel are chosen from; the first by
 * default. */
static void
test_channels (void)
{
  static const struct
  {
    int pages, samples;
    const char *description;
    gboolean separate;
  } files[] = {
    { 6, 1, "ImageJ=1.53t\nimages=6\nchannels=3\nframes=2\nhyperstack=true\n", FALSE },
    { 6, 1,
      "<?xml version=\"1.0\"?><OME><Image><Pixels DimensionOrder=\"XYCZT\" SizeX=\"5\" SizeY=\"4\" "
      "SizeZ=\"1\" SizeC=\"3\" SizeT=\"2\" "
      "Type=\"uint16\"/></Image></OME>",
      FALSE },
    { 2, 3, NULL, FALSE },
    { 2, 3, NULL, TRUE },
  };
  g_autofree char *folder = fixture_folder (),
                  *path = g_build_filename (folder, "channels.tif", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      TiffVariant variant = fixture_variant (5, 4, files[i].pages);
      g_autofree double *values = NULL;

      variant.samples = files[i].samples;
      variant.separate = files[i].separate;
      variant.description = files[i].description;
      values = fixture_write_tiff (path, &variant, i);
      for (int channel = 0; channel <= 4; channel++)
        {
          g_autofree char *read_options = channel > 0 ? g_strdup_printf ("channel=%d", channel)
                                                      : NULL;
          g_autoptr (GError) error = NULL;
          g_autoptr (VgSource) source = vg_source_open (
              path,
              &(VgSourceOptions){ .read_options = read_options, .colour = TRUE, .channels = TRUE },
              &error);
          int c = MAX (channel, 1) - 1, samples = files[i].samples;
          guint16 frame[20];

          if (channel == 4)
            {
              g_assert_error (error, VG_USAGE_ERROR, 0);
              continue;
            }
          g_assert_no_error (error);
          g_assert_cmpint (source->info.bins, ==, 1);
          g_assert_cmpint (source->info.frames, ==, 2);
          g_assert_cmpint (source->info.channels, ==, 1);
          g_assert_cmpint (source->info.channels_available, ==, 3);
          g_assert_cmpint (source->info.channel, ==, c + 1);
          g_assert_nonnull (strstr (source->details, "One channel is read"));
          for (int f = 0; f < 2; f++)
            {
              g_assert_true (vg_source_read (source, f, frame, &error));
              for (int k = 0; k < 20; k++)
                g_assert_cmpfloat (frame[k], ==,
                                   samples == 1 ? values[(f * 3 + c) * 20 + k]
                                                : values[(f * 20 + k) * 3 + c]);
            }
        }
      /* a decay's bins they stay */
      {
        g_autoptr (VgSource) plain = fixture_open (path, TRUE);

        g_assert_cmpint (plain->info.bins, ==, 3);
      }
    }
  fixture_remove_folder (g_steal_pointer (&folder));
}

/* Bare frames as bins or slices of one. */
static void
test_regroup (void)
{
  g_autofree char *folder = fixture_folder (),
                  *path = g_build_filename (folder, "frames.raw", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint16 frame[4 * 6];
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 4 * (6 + 1); i++)
    fixture_add (bytes, (guint64) i, 2);
  fixture_write (path, bytes);
  for (int slices = 0; slices < 2; slices++)
    {
      /* two bytes before each frame */
      g_autoptr (VgSource) source = vg_source_open (
          path,
          &(VgSourceOptions){ .read_options = slices ? "3x2:u16+2 pages=slices"
                                                     : "pages=bins 3x2:u16+2" },
          &error);

      g_assert_no_error (error);
      g_assert_cmpint (source->info.frames, ==, 1);
      g_assert_cmpint (slices ? source->info.slices : source->info.bins, ==, 4);
      g_assert_true (vg_source_read (source, 0, frame, &error));
      for (int page = 0; page < 4; page++)
        for (int i = 0; i < 6; i++)
          g_assert_cmpuint (frame[6 * page + i], ==, 7 * page + 1 + i);
    }
  fixture_remove_folder (g_steal_pointer (&folder));
}

/* Typed scales go over those of the file, and mean nothing where there are none to say. */
static void
test_scales (void)
{
  g_autofree char *folder = fixture_folder (),
                  *path = g_build_filename (folder, "frames.raw", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  double um[2];

  for (int i = 0; i < 3 * 6; i++)
    fixture_add (bytes, (guint64) i, 2);
  fixture_write (path, bytes);
  {
    g_autoptr (VgSource)
        plain = vg_source_open (path, &(VgSourceOptions){ .read_options = "3x2:u16" }, &error);

    g_assert_no_error (error);
    g_assert_false (vg_image_info_pixel_um (&plain->info, um));
    g_assert_cmpfloat (plain->info.frame_interval_s, ==, 0);
  }
  {
    g_autoptr (VgSource) typed = vg_source_open (
        path, &(VgSourceOptions){ .read_options = "3x2:u16 pixel_um=6.5 frame_interval_ms=20" },
        &error);
    guint16 frame[6];
    guint64 id;
    double time_s = 0;

    g_assert_no_error (error);
    g_assert_true (vg_image_info_pixel_um (&typed->info, um));
    g_assert_cmpfloat (um[0], ==, 6.5);
    g_assert_cmpfloat (um[1], ==, 6.5);
    g_assert_cmpfloat_with_epsilon (typed->info.frame_interval_s, 0.02, 1e-9);
    typed->position = 2;
    g_assert_true (vg_source_next (typed, frame, &id, &time_s, &error));
    g_assert_cmpfloat_with_epsilon (time_s, 0.04, 1e-9);
  }
  {
    /* one image has no frames apart */
    g_autoptr (VgSource) one = vg_source_open (
        path, &(VgSourceOptions){ .read_options = "3x2:u16 pages=slices frame_interval_ms=20" },
        &error);

    g_assert_null (one);
    g_assert_error (error, VG_USAGE_ERROR, 0);
    g_assert_nonnull (strstr (error->message, "--frame-interval-ms"));
  }
  {
    /* what a camera sends through a pipe */
    g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
    g_autoptr (VgSource) live = NULL;

    g_clear_error (&error);
    g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
    live = vg_source_open (
        pipe, &(VgSourceOptions){ .read_options = "3x2:u16 pixel_um=6.5 frame_interval_ms=20" },
        &error);
    g_assert_no_error (error);
    g_assert_cmpint (live->info.frames, ==, -1);
    g_assert_true (vg_image_info_pixel_um (&live->info, um));
    g_assert_cmpfloat_with_epsilon (live->info.frame_interval_s, 0.02, 1e-9);
  }
  fixture_remove_folder (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reading/text", test_text);
  g_test_add_func ("/reading/bad-text", test_bad_text);
  g_test_add_func ("/reading/set", test_set);
  g_test_add_func ("/reading/bits", test_bits);
  g_test_add_func ("/reading/channels", test_channels);
  g_test_add_func ("/reading/regroup", test_regroup);
  g_test_add_func ("/reading/scales", test_scales);
  return g_test_run ();
}
