/* SPDX-License-Identifier: MIT */
/* PicoQuant .bin, ZIP archives, decays as text, and TIFF stacks of bins. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "io/source/vg-bytes.h"
#include <string.h>
#include <tiffio.h>

static char *folder;

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static VgSource *
open_file (const char *name, const VgSourceOptions *options, GError **error)
{
  g_autofree char *path = path_of (name);

  return vg_source_open (path, options, error);
}

static void
write_file (const char *name, const GByteArray *bytes)
{
  g_autofree char *path = path_of (name);

  fixture_write (path, bytes);
}

/* --- PicoQuant .bin --- */

static void
check_pqbin (VgSource *source, int width, int height, int bins)
{
  g_autofree guint32 *frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (source->info.type, ==, VG_U32);
  g_assert_cmpint (source->info.width, ==, width);
  g_assert_cmpint (source->info.height, ==, height);
  g_assert_cmpint (source->info.bins, ==, bins);
  g_assert_true (vg_source_read (source, 0, frame, &error));
  g_assert_no_error (error);
  for (int bin = 0, i = 0; bin < bins; bin++)
    for (int pixel = 0; pixel < width * height; pixel++, i++)
      g_assert_cmpuint (frame[i], ==, (guint) (pixel * bins + bin) % 251);
}

static void
test_pqbin (void)
{
  static const int sizes[][3] = { { 1, 1, 8 }, { 7, 5, 64 }, { 300, 2, 33 }, { 3, 1, 65536 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GByteArray)
          bytes = fixture_pqbin (sizes[i][0], sizes[i][1], sizes[i][2], i % 2 ? 0.032f : 0);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;

      write_file ("test.bin", bytes);
      source = open_file ("test.bin", NULL, &error);
      g_assert_no_error (error);
      check_pqbin (source, sizes[i][0], sizes[i][1], sizes[i][2]);
      g_assert_cmpfloat_with_epsilon (source->info.bin_width_ns, i % 2 ? 0.032 : 0, 1e-6);
      g_assert_cmpint (strstr (source->details, "Bin width: not in the file") != NULL, ==,
                       i % 2 == 0);
      g_assert_cmpfloat (source->info.pixel_size[1], ==, 0.5);
    }
}

static void
test_pqbin_damage (void)
{
  g_autoptr (GByteArray) bytes = fixture_pqbin (7, 5, 64, 0.032f);
  guint whole = bytes->len;

  for (guint length = whole - 1; length > 0; length -= length > 1000 ? 333 : 1)
    {
      g_autoptr (GError) error = NULL;

      bytes->len = length;
      write_file ("test.bin", bytes);
      g_assert_null (open_file ("test.bin", NULL, &error));
      fixture_assert_message (error, "test.bin");
      if (length > 1000)
        fixture_assert_message (error, "cut short");
    }
  bytes->len = whole;
  /* sizes that lie: none accounts for the file */
  for (gsize at = 0; at < 16; at += at == 4 ? 8 : 4)
    for (int bit = 0; bit < 32; bit++)
      {
        g_autoptr (GError) error = NULL;
        guint32 before = vg_get_u32 (bytes->data + at);

        fixture_put (bytes, at, before ^ 1u << bit, 4);
        write_file ("test.bin", bytes);
        g_assert_null (open_file ("test.bin", NULL, &error));
        fixture_assert_message (error, "is not in a format that Vivograph knows");
        fixture_put (bytes, at, before, 4);
      }
}

/* --- ZIP --- */

static void
test_zip (void)
{
  for (int deflated = 0; deflated < 2; deflated++)
    {
      g_autoptr (GByteArray) inner = fixture_pqbin (7, 5, 64, 0.032f), other = g_byte_array_new (),
                             bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;

      g_byte_array_append (other, (const guint8 *) "read me", 7);
      bytes = fixture_zip (deflated, "read.me", other, "folder/image.bin", inner,
                           "__MACOSX/._image.bin", other, NULL);
      write_file ("test.zip", bytes);
      source = open_file ("test.zip", NULL, &error);
      g_assert_no_error (error);
      check_pqbin (source, 7, 5, 64);
      g_assert_cmpstr (source->name, ==, "folder/image.bin in test.zip");
      g_assert_nonnull (strstr (source->details, "ZIP archive"));
    }
}

static void
test_zip_damage (void)
{
  g_autoptr (GByteArray) inner = fixture_pqbin (7, 5, 64, 0.032f),
                         bytes = fixture_zip (TRUE, "image.bin", inner, NULL);
  guint whole = bytes->len, directory = whole - 22 - 46 - 9;
  static const struct
  {
    gsize at;
    guint32 value;
    gsize size;
    const char *says;
  } lies[] = {
    { 24, 0x7fffffff, 4, "declares more data" },
    { 24, 0xfffffffe, 4, "declares more data" },
    { 24, 100, 4, "unpacks to more" },
    { 24, 9000, 4, "has less" },
    { 20, 0x7fffffff, 4, "cut short" },
    { 20, 5, 4, "declares more data" },
    { 20, 10, 4, "ends inside" },
    { 42, 0x7fffffff, 4, "cut short" },
    { 28, 0xffff, 2, "contains no file" },
    { 24, 0, 4, "contains no file" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autoptr (GByteArray) lying = g_byte_array_new ();
      g_autoptr (GError) error = NULL;

      g_byte_array_append (lying, bytes->data, bytes->len);
      fixture_put (lying, directory + lies[i].at, lies[i].value, lies[i].size);
      write_file ("test.zip", lying);
      g_assert_null (open_file ("test.zip", NULL, &error));
      fixture_assert_message (error, lies[i].says);
      fixture_assert_message (error, "test.zip");
    }
  for (guint length = whole - 1; length > 4; length -= MIN (length, 7))
    {
      g_autoptr (GError) error = NULL;

      bytes->len = length;
      write_file ("test.zip", bytes);
      g_assert_null (open_file ("test.zip", NULL, &error));
      fixture_assert_message (error, "test.zip");
    }
}

/* An archive in an archive is not followed. */
static void
test_zip_nested (void)
{
  g_autoptr (GByteArray) inner = fixture_pqbin (7, 5, 64, 0.032f),
                         once = fixture_zip (TRUE, "image.bin", inner, NULL);
  g_autoptr (GByteArray) twice = fixture_zip (TRUE, "image.bin", once, NULL);
  g_autoptr (GError) error = NULL;

  write_file ("test.zip", twice);
  g_assert_null (open_file ("test.zip", NULL, &error));
  fixture_assert_message (error, "is not in a format that Vivograph knows");
}

/* --- decays as text --- */

static void
test_curves (void)
{
  static const struct
  {
    const char *text;
    guint bins;
    double bin_ns;
    float first, last;
  } good[] = {
    { "1\n2\n3\n4\n", 4, 0, 1, 4 },
    { "0,10\n0.5,11\n1.0,12\n1.5,13\n2,14", 5, 0.5, 10, 14 },
    { "time (ps);counts\r\n0;10\r\n50;11\r\n100;12\r\n150;13,5\r\n", 4, 0.05, 10, 13.5 },
    { "t/ns\tn\n0\t1e3\n0.25\t2e3\n0.5\t3e3\n0.75\t4e3\n\n", 4, 0.25, 1000, 4000 },
    { "# bin,counts\n0,5\n1,6\n2,7\n3,8\n", 4, 0, 5, 8 },
    { "bin counts\n1 5\n2 6\n3 7\n4 8\n", 4, 0, 5, 8 },
    { "bin counts\n30 5\n31 6\n32 7\n33 8\n", 34, 0, 0, 8 },
    { "0,00\t7\n0,05\t8\n0,10\t9\n0,15\t10\n", 4, 0.05, 7, 10 },
    { "0 1\n1 2\n5 3\n6 4\n", 4, 0, 1, 4 },
  };
  static const char *const bad[] = { "1\n2\n3\n",        "1\n2\n-3\n4\n",
                                     "1\n2\nthree\n4\n", "1,2\n3\n4,5\n6,7\n",
                                     "hello\n",          "1e300\n2\n3\n4\n",
                                     "nan\n1\n2\n3\n",   "<html>\n<body>\n1\n2\n" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *path = path_of ("irf.csv");
      g_autoptr (GError) error = NULL;
      g_autoptr (VgImage) image = NULL;

      g_assert_true (g_file_set_contents (path, good[i].text, -1, NULL));
      image = vg_image_load (path, VG_FILE_IMAGE, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (image->info.bins, ==, good[i].bins);
      g_assert_cmpint (image->info.width * image->info.height, ==, 1);
      g_assert_cmpfloat_with_epsilon (image->info.bin_width_ns, good[i].bin_ns, 1e-9);
      g_assert_cmpfloat (((float *) image->data)[0], ==, good[i].first);
      g_assert_cmpfloat (((float *) image->data)[good[i].bins - 1], ==, good[i].last);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = path_of ("bad.csv");
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, bad[i], -1, NULL));
      g_assert_null (vg_image_load (path, VG_FILE_IMAGE, NULL, &error));
      fixture_assert_message (error, "is not in a format that Vivograph knows");
    }
}

/* A FILE parameter's text may say which channel. */
static void
test_path_reading (void)
{
  SdtVariant variant = fixture_sdt_variant ();
  g_autofree double *values = NULL;
  g_autofree char *path = path_of ("irf.sdt"), *second = g_strconcat (path, "#channel=2", NULL);
  g_autofree char *third = g_strconcat (path, "#channel=3", NULL),
                  *strange = path_of ("a#channel=2");
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = NULL, either = NULL;
  g_autoptr (VgSource) named = NULL;

  variant.stored[0] = variant.stored[1] = 1;
  variant.blocks = 2;
  bytes = fixture_sdt (&variant, 31, &values);
  fixture_write (path, bytes);
  image = vg_image_load (second, VG_FILE_IMAGE, NULL, &error);
  g_assert_no_error (error);
  for (int i = 0; i < variant.bins; i++)
    g_assert_cmpfloat (((guint16 *) image->data)[i], ==, values[variant.bins + i]);
  either = vg_image_load (second, VG_FILE_IMAGE | VG_FILE_TEXT, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (either->text);
  g_assert_null (vg_image_load (third, VG_FILE_IMAGE, NULL, &error));
  fixture_assert_message (error, "has 2 channels");
  g_clear_error (&error);
  /* a file of that very name is meant */
  fixture_write (strange, bytes);
  named = vg_source_open (strange, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (named->info.channel, ==, 1);
}

/* --- TIFF --- */

typedef struct
{
  const char *description, *read_options;
  gboolean bins_wanted;
  int pages;
  gint64 bins, slices, frames;
  int channels;
  double bin_ns;
  int page_of[3]; /* of the file: the bin, slice and frame that are last */
} TiffCase;

#define OME(order, c, z, t, more)                                                                  \
  "<?xml version=\"1.0\"?><OME "                                                                   \
  "xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\">"             \
  "<Pixels ID=\"Pixels:0\" Type=\"uint16\" SizeX=\"4\" SizeY=\"3\" DimensionOrder=\"" order        \
  "\" SizeC=\"" #c "\" SizeZ=\"" #z "\" SizeT=\"" #t "\"><TiffData/></Pixels></Image>" more        \
  "</OME>"
#define MODULO(what)                                                                               \
  "<StructuredAnnotations><XMLAnnotation><Value><Modulo>" what                                     \
  "</Modulo></Value></XMLAnnotation></StructuredAnnotations>"

static const TiffCase tiff_cases[] = {
  { NULL, NULL, FALSE, 6, 1, 1, 6, 0, 0, { 0, 0, 5 } },
  { NULL, "pages=bins", FALSE, 6, 6, 1, 1, 0, 0, { 5, 0, 0 } },
  { NULL, NULL, TRUE, 6, 6, 1, 1, 0, 0, { 5, 0, 0 } },
  { NULL, "pages=frames", TRUE, 6, 1, 1, 6, 0, 0, { 0, 0, 5 } },
  { NULL, "pages=slices", TRUE, 6, 1, 6, 1, 0, 0, { 0, 5, 0 } },
  { "ImageJ=1.53\nimages=6\nslices=6\n", NULL, TRUE, 6, 6, 1, 1, 0, 0, { 5, 0, 0 } },
  { OME ("XYZCT", 1, 1, 6, ""), NULL, FALSE, 6, 1, 1, 6, 0, 0, { 0, 0, 5 } },
  { OME ("XYZCT", 1, 1, 6, ""), NULL, TRUE, 6, 6, 1, 1, 0, 0, { 5, 0, 0 } },
  { OME ("XYZCT", 1, 1, 6, ""), "pages=bins", FALSE, 6, 6, 1, 1, 0, 0, { 5, 0, 0 } },
  { OME ("XYCZT", 2, 1, 6, ""), "pages=bins", FALSE, 12, 6, 1, 1, 2, 0, { 10, 0, 0 } },
  { OME ("XYTZC", 2, 1, 6, ""), "pages=bins channel=2", FALSE, 12, 6, 1, 1, 2, 0, { 11, 0, 0 } },
  { OME ("XYCTZ", 1, 3, 2, ""), "pages=bins", FALSE, 6, 2, 3, 1, 0, 0, { 1, 4, 0 } },
  { OME ("XYCZT", 1, 1, 6,
         MODULO (
             "<ModuloAlongT Type=\"lifetime\" Unit=\"ps\" Start=\"0\" Step=\"50\" End=\"250\"/>")),
    NULL,
    FALSE,
    6,
    6,
    1,
    1,
    0,
    0.05,
    { 5, 0, 0 } },
  { OME ("XYCZT", 1, 1, 12,
         MODULO (
             "<ModuloAlongT Type=\"lifetime\" Unit=\"ns\" Start=\"0\" Step=\"0.5\" End=\"2.5\"/>")),
    NULL,
    FALSE,
    12,
    6,
    1,
    2,
    0,
    0.5,
    { 5, 0, 6 } },
  { OME ("XYCZT", 2, 1, 6,
         MODULO ("<ModuloAlongT Type=\"lifetime\" Unit=\"ps\" Step=\"100\" End=\"500\"/>")),
    "channel=2",
    FALSE,
    12,
    6,
    1,
    1,
    2,
    0.1,
    { 11, 0, 0 } },
  { OME ("XYCZT", 12, 1, 1,
         MODULO ("<ModuloAlongC Type=\"lifetime\" Unit=\"ps\" Step=\"100\" End=\"500\"/>")),
    "channel=2",
    FALSE,
    12,
    6,
    1,
    1,
    2,
    0.1,
    { 11, 0, 0 } },
  { OME ("XYCZT", 1, 3, 1,
         MODULO ("<ModuloAlongZ Type=\"lifetime\" Unit=\"ps\"><Label>0</Label><Label>40</Label>"
                 "<Label>80</Label></ModuloAlongZ>")),
    NULL,
    FALSE,
    3,
    3,
    1,
    1,
    0,
    0.04,
    { 2, 0, 0 } },
  /* what does not fit is not followed */
  { OME ("XYCZT", 1, 1, 6,
         MODULO ("<ModuloAlongT Type=\"lifetime\" Unit=\"ps\" Step=\"50\" End=\"300\"/>")),
    NULL,
    FALSE,
    6,
    1,
    1,
    6,
    0,
    0,
    { 0, 0, 5 } },
  { OME ("XYCZT", 1, 1, 6,
         MODULO ("<ModuloAlongT Type=\"phase\" Unit=\"ps\" Step=\"50\" End=\"250\"/>")),
    NULL,
    FALSE,
    6,
    1,
    1,
    6,
    0,
    0,
    { 0, 0, 5 } },
};

static void
check_page (const TiffCase *test, VgSource *source, gint64 bin, gint64 slice, gint64 frame,
            int page, const double *values)
{
  const VgImageInfo *info = &source->info;
  g_autofree guint16 *samples = g_malloc (vg_image_info_frame_bytes (info));
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_source_read (source, frame, samples, &error));
  g_assert_no_error (error);
  for (gsize i = 0; i < 12; i++)
    g_assert_cmpfloat (samples[(gsize) (slice * info->bins + bin) * 12 + i], ==,
                       values[(gsize) page * 12 + i]);
}

static void
test_tiff (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (tiff_cases); i++)
    {
      const TiffCase *test = &tiff_cases[i];
      TiffVariant variant = fixture_variant (4, 3, test->pages);
      g_autofree char *path = path_of ("stack.tif");
      g_autofree double *values = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;
      const VgImageInfo *info;

      variant.description = test->description;
      values = fixture_write_tiff (path, &variant, i);
      source = vg_source_open (
          path, &(VgSourceOptions){ .read_options = test->read_options, .bins = test->bins_wanted },
          &error);
      g_assert_no_error (error);
      info = &source->info;
      g_assert_cmpint (info->bins, ==, test->bins);
      g_assert_cmpint (info->slices, ==, test->slices);
      g_assert_cmpint (info->frames, ==, test->frames);
      g_assert_cmpint (info->channels_available, ==, test->channels);
      g_assert_cmpfloat_with_epsilon (info->bin_width_ns, test->bin_ns, 1e-9);
      check_page (test, source, test->bins - 1, 0, 0, test->page_of[0], values);
      if (test->slices > 1)
        check_page (test, source, 0, test->slices - 1, 0, test->page_of[1], values);
      if (test->frames > 1)
        check_page (test, source, 0, 0, test->frames - 1, test->page_of[2], values);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/decay-files/pqbin", test_pqbin);
  g_test_add_func ("/decay-files/pqbin-damage", test_pqbin_damage);
  g_test_add_func ("/decay-files/zip", test_zip);
  g_test_add_func ("/decay-files/zip-damage", test_zip_damage);
  g_test_add_func ("/decay-files/zip-nested", test_zip_nested);
  g_test_add_func ("/decay-files/curves", test_curves);
  g_test_add_func ("/decay-files/path-reading", test_path_reading);
  g_test_add_func ("/decay-files/tiff", test_tiff);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
