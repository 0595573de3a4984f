/* SPDX-License-Identifier: MIT */
/* Stacks: what descriptions say of axes and scales, one directory for many
 * pages, and lengths at which anything that walks or loads would be felt. */
#include "tests/support/io/tiff-fixture.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

static char *folder;

static char *
test_path (void)
{
  return g_build_filename (folder, "test.tif", NULL);
}

/* PAGES pages of 3x2 behind DESCRIPTION; every sample of page k is k. */
static VgSource *
open_described (const char *description, int pages)
{
  g_autofree char *path = test_path ();
  TIFF *tiff = TIFFOpen (path, "w");

  for (int page = 0; page < pages; page++)
    {
      guint16 samples[6];

      for (int i = 0; i < 6; i++)
        samples[i] = (guint16) page;
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 3);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 2);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 16);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 2);
      TIFFSetField (tiff, TIFFTAG_XRESOLUTION, 4.0);
      TIFFSetField (tiff, TIFFTAG_YRESOLUTION, 2.0);
      TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);
      if (page == 0)
        TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, description);
      TIFFWriteEncodedStrip (tiff, 0, samples, 12);
      TIFFWriteDirectory (tiff);
    }
  TIFFClose (tiff);
  return fixture_open (path, FALSE);
}

static void
assert_extents (const VgSource *source, gint64 bins, gint64 slices, gint64 frames)
{
  g_assert_cmpint (source->info.bins, ==, bins);
  g_assert_cmpint (source->info.slices, ==, slices);
  g_assert_cmpint (source->info.frames, ==, frames);
}

#define OME(pixels, inside)                                                                        \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME "                                                \
  "xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">"                                   \
  "<Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" Type=\"uint16\" SizeX=\"3\" SizeY=\"2\" " pixels  \
  ">" inside "</Pixels></Image></OME>"

/* Every order of the axes: page = where the description puts (c, z, t). */
static void
test_ome_orders (void)
{
  static const char *const orders[] = { "XYCZT", "XYCTZ", "XYZCT", "XYZTC", "XYTCZ", "XYTZC" };
  const int size_of[] = { ['C'] = 2, ['Z'] = 3, ['T'] = 4 };

  for (guint o = 0; o < G_N_ELEMENTS (orders); o++)
    {
      g_autofree char *text = g_strdup_printf (
          OME ("SizeC=\"2\" SizeZ=\"3\" SizeT=\"4\" DimensionOrder=\"%s\"",
               "<TiffData IFD=\"0\" PlaneCount=\"24\"/>"),
          orders[o]);
      g_autoptr (VgSource) source = open_described (text, 24);
      guint16 frame[6 * 6];

      assert_extents (source, 2, 3, 4);
      for (int t = 0; t < 4; t++)
        {
          g_assert_true (vg_source_read (source, t, frame, NULL));
          for (int z = 0; z < 3; z++)
            for (int c = 0; c < 2; c++)
              {
                int page = 0, stride = 1;

                for (int i = 2; i < 5; i++)
                  {
                    char axis = orders[o][i];

                    page += stride * (axis == 'C' ? c : axis == 'Z' ? z : t);
                    stride *= size_of[(int) axis];
                  }
                g_assert_cmpint (frame[(z * 2 + c) * 6], ==, page);
                g_assert_cmpint (frame[(z * 2 + c) * 6 + 5], ==, page);
              }
        }
    }
}

static void
test_ome_scales (void)
{
  g_autoptr (VgSource) source = open_described (
      OME ("SizeC=\"1\" SizeZ=\"2\" SizeT=\"3\" DimensionOrder=\"XYZCT\" PhysicalSizeX=\"0.5\" "
           "PhysicalSizeY=\"0.25\" "
           "PhysicalSizeZ=\"2\" SignificantBits=\"12\"",
           "<Plane TheC=\"0\" TheZ=\"0\" TheT=\"0\" DeltaT=\"10\" DeltaTUnit=\"ms\" "
           "ExposureTime=\"0.005\"/>"
           "<Plane TheC=\"0\" TheZ=\"0\" TheT=\"2\" DeltaT=\"90\" DeltaTUnit=\"ms\"/>"),
      6);
  const VgImageInfo *info = &source->info;

  assert_extents (source, 1, 2, 3);
  g_assert_cmpfloat (info->pixel_size[0], ==, 0.5);
  g_assert_cmpfloat (info->pixel_size[1], ==, 0.25);
  g_assert_cmpfloat (info->pixel_size[2], ==, 2);
  g_assert_cmpstr (info->pixel_unit, ==, "µm");
  g_assert_cmpfloat_with_epsilon (info->exposure_ms, 5, 1e-12);
  g_assert_cmpfloat_with_epsilon (info->frame_interval_s, 0.04, 1e-12);
  g_assert_cmpint (info->significant_bits, ==, 12);
}

/* What does not fit the pages, or is not XML to its end, harms nothing. */
static void
test_ome_junk (void)
{
  static const char *const texts[] = {
    OME ("SizeC=\"2\" SizeZ=\"3\" SizeT=\"4\" DimensionOrder=\"XYCZT\"", ""),
    OME ("SizeC=\"-2\" SizeZ=\"99999999999999999999\" SizeT=\"nan\" DimensionOrder=\"XYCCC\"", ""),
    OME ("SizeC=\"1\" SizeZ=\"1\" SizeT=\"5\" DimensionOrder=\"XYCZT\"",
         "<TiffData IFD=\"4\" FirstT=\"0\"/>"),
    OME ("SizeC=\"1\" SizeZ=\"1\" SizeT=\"5\" PhysicalSizeX=\"inf\" PhysicalSizeXUnit=\"furlong\"",
         "<Plane ExposureTime=\"-1\"/>"),
    "<OME><Image><Pixels SizeC=\"5\" DimensionOrder=\"XYC",
    "<OME>\xff\xfe</nonsense>",
    "<?xml OME",
    "<OME",
    "OME",
    "{\"bits\": 99}",
    "{\"bits\": 0}",
    "{\"bits\": ",
    "ImageJ=",
    "ImageJ=1\nimages=-4\nslices=0\nframes=\nhyperstack=true",
    "ImageJ=1\nimages=5\nchannels=2\nframes=77\nhyperstack=true\nunit=\\u00B5m\nfinterval=inf\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (VgSource) source = open_described (texts[i], 5);
      guint16 frame[6];

      assert_extents (source, 1, 1, 5);
      g_assert_cmpint (source->info.significant_bits, ==, 16);
      g_assert_cmpfloat (source->info.exposure_ms, ==, 0);
      g_assert_cmpfloat (source->info.frame_interval_s, ==, 0);
      for (int k = 0; k < 5; k++)
        {
          g_assert_true (vg_source_read (source, k, frame, NULL));
          g_assert_cmpint (frame[5], ==, k);
        }
    }
}

static void
test_imagej (void)
{
  g_autoptr (VgSource) source = open_described (
      "ImageJ=1.53t\nimages=12\nchannels=2\nslices=3\nframes=2\nhyperstack=true\n"
      "unit=micron\nspacing=1.5\nfinterval=0.25\nloop=false\n",
      12);
  guint16 frame[36];

  assert_extents (source, 2, 3, 2);
  g_assert_true (vg_source_read (source, 1, frame, NULL));
  for (int page = 0; page < 6; page++)
    g_assert_cmpint (frame[6 * page], ==, 6 + page);
  g_assert_cmpfloat (source->info.frame_interval_s, ==, 0.25);
  g_assert_cmpfloat (source->info.pixel_size[0], ==, 0.25);
  g_assert_cmpfloat (source->info.pixel_size[1], ==, 0.5);
  g_assert_cmpfloat (source->info.pixel_size[2], ==, 1.5);
  g_assert_cmpstr (source->info.pixel_unit, ==, "µm");
}

/* ImageJ calls the pages of any plain stack slices. */
static void
test_imagej_plain (void)
{
  g_autoptr (VgSource)
      slices = open_described ("ImageJ=1.53t\nimages=9\nslices=9\nloop=false\n", 9);
  g_autoptr (VgSource) channels = NULL;

  assert_extents (slices, 1, 1, 9);
  g_assert_nonnull (strstr (slices->details, "read as frames"));
  channels = open_described (
      "ImageJ=1.11a\nimages=9\nchannels=9\nhyperstack=true\nmode=grayscale\n", 9);
  assert_extents (channels, 1, 1, 9);
}

/* "bits" counts only as long as the samples keep to it. */
static void
test_bits (void)
{
  g_autoptr (VgSource) good = open_described ("{\"camera\": \"x\", \"bits\": 4}", 16);
  g_autoptr (VgSource) bad = NULL;
  g_autoptr (GError) error = NULL;
  guint16 frame[6];

  g_assert_cmpint (good->info.significant_bits, ==, 4);
  g_assert_true (vg_source_read (good, 15, frame, &error));
  bad = open_described ("{\"bits\": 4}", 17);
  g_assert_false (vg_source_read (bad, 16, frame, &error));
  fixture_assert_message (error, "frame 17 of \"test.tif\" has values beyond the 4 bits");
}

/* One directory that stands for more pages than the file holds. */
static void
test_promises (void)
{
  static const char *const texts[] = {
    "ImageJ=1.53\nimages=3000\nframes=3000\nhyperstack=true\n",
    "{\"shape\": [3000, 2, 3], \"truncated\": true}",
    "{\"shape\": [99999999, 99999999, 99999999, 2, 3], \"truncated\": true}",
  };
  g_autofree char *path = test_path ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      TiffVariant variant = fixture_variant (3, 2, 1);
      g_autoptr (GError) short_error = NULL, packed_error = NULL;

      variant.description = texts[i];
      g_free (fixture_write_tiff (path, &variant, 1));
      short_error = fixture_read_all (path, NULL);
      fixture_assert_message (short_error, "is cut short");
      variant.compression = COMPRESSION_LZW;
      g_free (fixture_write_tiff (path, &variant, 1));
      packed_error = fixture_read_all (path, NULL);
      fixture_assert_message (packed_error, "declares");
    }
}

/* A number in /proc/self/status, in KiB. */
static glong
resident_kib (void)
{
  g_autofree char *text = NULL;
  const char *at;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  at = strstr (text, "VmRSS:");
  return strtol (at + 6, NULL, 10);
}

/* Bytes that have been asked for so far; 0: the system does not say. */
static gint64
bytes_read (void)
{
  g_autofree char *text = NULL;
  const char *at = g_file_get_contents ("/proc/self/io", &text, NULL, NULL)
                       ? strstr (text, "rchar:")
                       : NULL;

  return at ? strtoll (at + 6, NULL, 10) : 0;
}

static void
put (int fd, const void *bytes, gsize length, gint64 offset)
{
  g_assert_cmpint (pwrite (fd, bytes, length, offset), ==, (gssize) length);
}

/* 20 GB behind a single directory, as ImageJ writes it, big endian. */
static void
test_contiguous (void)
{
  const int pages = 5000, width = 2000, height = 1000;
  const gint64 page_bytes = (gint64) width * height * 2;
  g_autofree char *path = test_path ();
  g_autofree char *description = g_strdup_printf (
      "ImageJ=1.53t\nimages=%d\nframes=%d\nhyperstack=true\n", pages, pages);
  g_autofree guint16 *zeros = g_new0 (guint16, (gsize) width * height);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  TIFF *tiff = TIFFOpen (path, "wb");
  guint64 first;
  gint64 start_us, read_before;
  glong before;
  int fd;

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, width);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, height);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 16);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, height);
  TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, description);
  TIFFCheckpointDirectory (tiff);
  TIFFWriteEncodedStrip (tiff, 0, zeros, page_bytes);
  TIFFClose (tiff);
  tiff = TIFFOpen (path, "r");
  first = TIFFGetStrileOffset (tiff, 0);
  TIFFClose (tiff);
  fd = open (path, O_WRONLY | O_CLOEXEC);
  if (ftruncate (fd, (gint64) first + pages * page_bytes) != 0)
    {
      close (fd);
      g_test_skip ("no sparse file of 20 GB here");
      return;
    }
  put (fd, "\x12\x34", 2, (gint64) first + (pages - 1) * page_bytes + page_bytes - 2);

  before = resident_kib ();
  read_before = bytes_read ();
  start_us = g_get_monotonic_time ();
  source = fixture_open (path, FALSE);
  assert_extents (source, 1, 1, pages);
  g_assert_true (vg_source_read (source, pages - 1, zeros, &error));
  g_assert_cmpint (zeros[(gsize) width * height - 1], ==, 0x1234);
  g_assert_true (vg_source_read (source, 0, zeros, &error));
  g_assert_cmpint (bytes_read () - read_before, <, 4 * page_bytes);
  g_assert_cmpint (resident_kib () - before, <, 20 * 1024);
  g_test_message ("opened and read in %" G_GINT64_FORMAT " us", g_get_monotonic_time () - start_us);

  /* a page less than announced */
  g_clear_pointer (&source, vg_source_close);
  g_assert_cmpint (ftruncate (fd, (gint64) first + pages * page_bytes - 1), ==, 0);
  close (fd);
  g_assert_null (vg_source_open (path, NULL, &error));
  fixture_assert_message (error, "is cut short");
}

/* 20 000 directories by hand in a sparse file of 20 GB: page k of 1 MB begins
 * with the number k. */
static void
test_many_pages (void)
{
  enum {
    PAGES = 20000,
    ENTRIES = 8,
    WIDTH = 1250,
    HEIGHT = 800,
    PITCH = 1000000,
    DIRECTORY = 8 + ENTRIES * 20 + 8
  };
  static const guint16 tags[ENTRIES] = { TIFFTAG_IMAGEWIDTH,    TIFFTAG_IMAGELENGTH,
                                         TIFFTAG_BITSPERSAMPLE, TIFFTAG_COMPRESSION,
                                         TIFFTAG_PHOTOMETRIC,   TIFFTAG_STRIPOFFSETS,
                                         TIFFTAG_ROWSPERSTRIP,  TIFFTAG_STRIPBYTECOUNTS };
  g_autofree char *path = test_path ();
  g_autofree guint8 *frame = g_malloc (WIDTH * HEIGHT);
  const gint64 pitch = PITCH + DIRECTORY + 8;
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start_us, opened_us, read_before;
  glong before;
  int fd = open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  put (fd, "II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0", 16, 0);
  for (guint32 page = 0; page < PAGES; page++)
    {
      gint64 at = 16 + page * pitch;
      guint64 block[(DIRECTORY + 8) / 8] = { ENTRIES };
      const guint64 values[ENTRIES] = {
        WIDTH,  HEIGHT, 8, COMPRESSION_NONE, PHOTOMETRIC_MINISBLACK, (guint64) at + DIRECTORY,
        HEIGHT, PITCH
      };

      for (int i = 0; i < ENTRIES; i++)
        {
          guint8 *entry = (guint8 *) block + 8 + i * 20;
          const guint16 type = TIFF_LONG8;
          const guint64 count = 1;
          gboolean is_short = tags[i] == TIFFTAG_BITSPERSAMPLE || tags[i] == TIFFTAG_COMPRESSION ||
                              tags[i] == TIFFTAG_PHOTOMETRIC;

          memcpy (entry, &tags[i], 2);
          memcpy (entry + 2, is_short ? &(guint16){ TIFF_SHORT } : &type, 2);
          memcpy (entry + 4, &count, 8);
          memcpy (entry + 12, &values[i], 8);
        }
      memcpy ((guint8 *) block + DIRECTORY - 8,
              &(guint64){ page + 1 < PAGES ? (guint64) (at + pitch) : 0 }, 8);
      memcpy ((guint8 *) block + DIRECTORY, &page, 4);
      put (fd, block, sizeof block, at);
    }
  g_assert_cmpint (ftruncate (fd, 16 + PAGES * pitch), ==, 0);
  close (fd);

  before = resident_kib ();
  read_before = bytes_read ();
  start_us = g_get_monotonic_time ();
  source = fixture_open (path, FALSE);
  opened_us = g_get_monotonic_time () - start_us;
  g_test_message ("%" G_GINT64_FORMAT " bytes read of %d directories", bytes_read () - read_before,
                  PAGES);
  g_assert_cmpint (bytes_read () - read_before, <, PAGES * 2048);
  assert_extents (source, 1, 1, PAGES);
  for (guint32 i = 0; i < 100; i++)
    {
      guint32 k = i % 2 ? PAGES - 1 - i * 97 : i * 87, number;

      g_assert_true (vg_source_read (source, k, frame, &error));
      memcpy (&number, frame, 4);
      g_assert_cmpuint (number, ==, k);
    }
  g_test_message (
      "opened in %" G_GINT64_FORMAT " us, 100 pages in %" G_GINT64_FORMAT " us, %ld KiB more",
      opened_us, g_get_monotonic_time () - start_us - opened_us, resident_kib () - before);
  g_assert_cmpint (resident_kib () - before, <, 20 * 1024);
}

/* libvips' default is no size; the same words by this program's own maps are. */
static void
test_centimetres (void)
{
  static const struct
  {
    float per_cm;
    const char *software;
    double size;
    const char *unit;
  } cases[] = {
    { 10, NULL, 0, "" },     { 10, "libvips", 0, "" },   { 10, "Vivograph", 1, "mm" },
    { 20, NULL, 0.5, "mm" }, { 20000, NULL, 0.5, "µm" }, { 1, NULL, 0, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = test_path ();
      g_autoptr (VgSource) source = NULL;
      guint8 samples[6] = { 0 };
      TIFF *tiff = TIFFOpen (path, "w");

      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 3);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 2);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 2);
      TIFFSetField (tiff, TIFFTAG_XRESOLUTION, cases[i].per_cm);
      TIFFSetField (tiff, TIFFTAG_YRESOLUTION, cases[i].per_cm);
      TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
      if (cases[i].software != NULL)
        TIFFSetField (tiff, TIFFTAG_SOFTWARE, cases[i].software);
      TIFFWriteEncodedStrip (tiff, 0, samples, 6);
      TIFFClose (tiff);
      source = fixture_open (path, FALSE);
      g_assert_cmpfloat_with_epsilon (source->info.pixel_size[0], cases[i].size, 1e-9);
      g_assert_cmpfloat_with_epsilon (source->info.pixel_size[1], cases[i].size, 1e-9);
      g_assert_cmpstr (source->info.pixel_unit, ==, cases[i].unit);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  TIFFSetWarningHandler (NULL);
  folder = fixture_folder ();
  g_test_add_func ("/tiff-stack/ome-orders", test_ome_orders);
  g_test_add_func ("/tiff-stack/ome-scales", test_ome_scales);
  g_test_add_func ("/tiff-stack/ome-junk", test_ome_junk);
  g_test_add_func ("/tiff-stack/imagej", test_imagej);
  g_test_add_func ("/tiff-stack/imagej-plain", test_imagej_plain);
  g_test_add_func ("/tiff-stack/centimetres", test_centimetres);
  g_test_add_func ("/tiff-stack/bits", test_bits);
  g_test_add_func ("/tiff-stack/promises", test_promises);
  g_test_add_func ("/tiff-stack/contiguous", test_contiguous);
  g_test_add_func ("/tiff-stack/many-pages", test_many_pages);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
