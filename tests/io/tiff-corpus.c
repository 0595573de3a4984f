/* SPDX-License-Identifier: MIT */
/* Writes the corpus of TIFF files: TIFF-CORPUS FOLDER STAMP.  There is one of each type of samples,
 * of each order of axes and modulo axis of OME-TIFF, and of each other kind of text.  Each is
 * small, and begins with the byte that fuzz-source takes its options from. */
#include <glib/gstdio.h>
#include <tiffio.h>
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/tiff-fixture.h"

/* Writes number I from VARIANT. */
static void
put (const char *folder, int i, guint8 mode, const TiffVariant *variant)
{
  g_autofree char *name = g_strdup_printf ("%02d", i),
                  *path = g_build_filename (folder, name, NULL), *bytes = NULL;
  g_autoptr (GByteArray) all = g_byte_array_new ();
  gsize length;

  g_free (fixture_write_tiff (path, variant, (guint32) i));
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_byte_array_append (all, &mode, 1);
  g_byte_array_append (all, (const guint8 *) bytes, (guint) length);
  fixture_write (path, all);
}

static int
put_types (const char *folder, int i)
{
  static const struct
  {
    guint bits, format;
  } types[] = { { 8, SAMPLEFORMAT_UINT },    { 8, SAMPLEFORMAT_INT },
                { 12, SAMPLEFORMAT_UINT },   { 16, SAMPLEFORMAT_UINT },
                { 16, SAMPLEFORMAT_INT },    { 32, SAMPLEFORMAT_UINT },
                { 32, SAMPLEFORMAT_INT },    { 16, SAMPLEFORMAT_IEEEFP },
                { 32, SAMPLEFORMAT_IEEEFP }, { 64, SAMPLEFORMAT_IEEEFP },
                { 1, SAMPLEFORMAT_UINT },    { 10, SAMPLEFORMAT_UINT } };

  for (guint k = 0; k < 2 * G_N_ELEMENTS (types); k++)
    {
      TiffVariant variant = fixture_variant (5, 4, 2);

      variant.bits = types[k / 2].bits;
      variant.format = types[k / 2].format;
      variant.other_endian = k % 2;
      variant.big = k % 4 == 3;
      variant.rows_per_strip = k % 3;
      put (folder, i++, k % 2 ? 16 : 0, &variant);
    }
  return i;
}

static int
put_axes (const char *folder, int i)
{
  static const char *const orders[] = { "XYZCT", "XYZTC", "XYCZT", "XYCTZ", "XYTZC", "XYTCZ" },
                           *const modulos[] = { "ModuloAlongT", "ModuloAlongC", "ModuloAlongZ" },
                           *const kinds[] = { "lifetime", "Lambda", "phase" };

  for (guint k = 0; k < G_N_ELEMENTS (orders); k++)
    {
      TiffVariant variant = fixture_variant (4, 3, 8);
      const char *modulo = modulos[k % G_N_ELEMENTS (modulos)];
      g_autofree char *text = g_strdup_printf (
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
          "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\">"
          "<Pixels ID=\"Pixels:0\" DimensionOrder=\"%s\" Type=\"uint16\" SizeX=\"4\" SizeY=\"3\" "
          "SizeZ=\"2\" SizeC=\"%d\" SizeT=\"%d\" TimeIncrement=\"2\" PhysicalSizeX=\"0.5\">"
          "<TiffData IFD=\"0\" FirstZ=\"1\" PlaneCount=\"4\"/><Plane TheT=\"1\" DeltaT=\"2\"/>"
          "</Pixels></Image><StructuredAnnotations><XMLAnnotation ID=\"A:0\"><Value><Modulo>"
          "<%s Type=\"%s\" Unit=\"ps\" Start=\"0\" Step=\"50\" End=\"50\"/></Modulo></Value>"
          "</XMLAnnotation></StructuredAnnotations></OME>",
          orders[k], k % 2 ? 1 : 2, k % 2 ? 4 : 2, modulo, kinds[k % G_N_ELEMENTS (kinds)]);

      variant.description = text;
      put (folder, i++, k == 1 ? 8 : 0, &variant);
    }
  return i;
}

/* Texts of ImageJ, tifffile and this program, with as many pages as they name or with one. */
static int
put_texts (const char *folder, int i)
{
  static const struct
  {
    int pages, samples;
    guint8 mode;
    const char *text;
  } kinds[] = {
    { 6, 1, 0,
      "ImageJ=1.53t\nimages=6\nslices=2\nframes=3\nhyperstack=true\nunit=um\nspacing=2\n"
      "finterval=0.5\n" },
    { 6, 1, 8, "ImageJ=1.53t\nimages=6\nchannels=2\nframes=3\nhyperstack=true\nfps=5\n" },
    { 6, 1, 32, "ImageJ=1.53t\nimages=6\nchannels=2\nframes=3\nhyperstack=true\nfps=5\n" },
    { 6, 1, 32, "ImageJ=1.53t\nimages=6\nslices=6\nunit=inch\n" },
    { 1, 1, 0, "ImageJ=1.53t\nimages=4\nframes=4\n" },
    { 1, 1, 0, "ImageJ=1.53t\nimages=1\nframes=1\n" },
    { 1, 1, 0, "{\"shape\": [1, 3, 4], \"truncated\": true}" },
    { 1, 1, 0, "{\"shape\": [5, 3, 4], \"truncated\": true}" },
    { 4, 1, 0, "{\"shape\": [4, 3, 4], \"bits\": 4}" },
    { 4, 1, 0,
      "Recorded by Vivograph.\nframe_interval_s=0.5\nexposure_ms=5\nsignificant_bits=12\n" },
    { 4, 1, 0, "{\"recorded_by\": \"Vivograph\", \"frame\": 7, \"time_s\": 0.25, \"bits\": 12}" },
    { 2, 2, 8, NULL },
    { 2, 3, 1, NULL },
    { 3, 1, 32, NULL },
  };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      TiffVariant variant = fixture_variant (4, 3, kinds[k].pages);

      variant.samples = kinds[k].samples;
      variant.separate = variant.samples > 1;
      variant.description = kinds[k].text;
      variant.resolution = k % 3 * 2000.0;
      variant.resolution_unit = k % 2 ? RESUNIT_CENTIMETER : RESUNIT_INCH;
      put (folder, i++, kinds[k].mode, &variant);
    }
  return i;
}

int
main (int argc, char **argv)
{
  if (argc != 3 || g_mkdir_with_parents (argv[1], 0755) != 0)
    return 2;
  put_texts (argv[1], put_axes (argv[1], put_types (argv[1], 0)));
  return g_file_set_contents (argv[2], "", 0, NULL) ? 0 : 1;
}
