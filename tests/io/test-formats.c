/* SPDX-License-Identifier: MIT */
/* What a file is, by its content: TIFF in ZIP archives, archives that would
 * fill the disk, and formats that are known by name only. */
#include "io/source/vg-format.h"
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <tiffio.h>

static char *folder;

static char *
path_of (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static GByteArray *
bytes_of (const char *name)
{
  g_autofree char *path = path_of (name), *bytes = NULL;
  GByteArray *array = g_byte_array_new ();
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  return g_byte_array_append (array, (guint8 *) bytes, (guint) length);
}

static void
put (const char *name, const void *bytes, gsize length)
{
  g_autofree char *path = path_of (name);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
}

static VgSource *
open_file (const char *name, const char *read_options, GError **error)
{
  g_autofree char *path = path_of (name);

  return vg_source_open (path, &(VgSourceOptions){ .read_options = read_options }, error);
}

/* --- TIFF in archives --- */

static void
check_zipped (const TiffVariant *variant, gboolean deflated)
{
  g_autofree char *path = path_of ("stack.tif"), *zip = path_of ("stack.zip");
  g_autofree double *values = fixture_write_tiff (path, variant, 7);
  g_autoptr (GByteArray) inner = bytes_of ("stack.tif"), text = g_byte_array_new (), bytes = NULL;
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  gsize pixels = (gsize) variant->width * (gsize) variant->height;
  g_autofree void *frame = NULL;

  g_byte_array_append (text, (const guint8 *) "read me first", 13);
  bytes = fixture_zip (deflated, "read.me", text, "data/stack.tif", inner, NULL);
  put ("stack.zip", bytes->data, bytes->len);
  source = vg_source_open (zip, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, variant->pages);
  frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  for (gint64 k = 0; k < source->info.frames; k++)
    {
      g_assert_true (vg_source_read (source, k, frame, &error));
      for (gsize i = 0; i < pixels; i++)
        g_assert_cmpfloat (fixture_sample (&source->info, frame, i), ==,
                           values[(gsize) k * pixels + i]);
    }
}

static void
test_zipped_tiff (void)
{
  TiffVariant variants[5];

  for (int i = 0; i < 5; i++)
    variants[i] = fixture_variant (19, 13, 3);
  variants[1].compression = COMPRESSION_ADOBE_DEFLATE;
  variants[2].bits = 32;
  variants[2].format = SAMPLEFORMAT_IEEEFP;
  variants[3].big = TRUE;
  variants[3].tile = 16;
  variants[4].description = "<?xml version=\"1.0\"?><OME><Image><Pixels DimensionOrder=\"XYZCT\" "
                            "SizeX=\"19\" SizeY=\"13\" SizeZ=\"1\" "
                            "SizeC=\"1\" SizeT=\"3\" Type=\"uint16\"/></Image></OME>";
  for (int i = 0; i < 5; i++)
    for (int deflated = 0; deflated < 2; deflated++)
      check_zipped (&variants[i], deflated);
}

/* A file that nothing here reads is not unpacked, whatever it is called: with
 * a limit on what may be written its first bytes still tell what it is. */
static void
test_looked_at_first (void)
{
  enum { LIMIT = 1 << 20, BYTES = 12 << 20 };
  struct rlimit before, limit;
  g_autoptr (GByteArray) zeros = g_byte_array_new (), bytes = NULL;
  g_autoptr (GError) error = NULL;

  g_byte_array_set_size (zeros, BYTES);
  memset (zeros->data, 0, BYTES);
  bytes = fixture_zip (TRUE, "image.tif", zeros, NULL);
  put ("zeros.zip", bytes->data, bytes->len);
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &before);
  limit = before;
  limit.rlim_cur = LIMIT;
  setrlimit (RLIMIT_FSIZE, &limit);
  g_assert_null (open_file ("zeros.zip", NULL, &error));
  setrlimit (RLIMIT_FSIZE, &before);
  signal (SIGXFSZ, SIG_DFL);
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNKNOWN);
  fixture_assert_message (error, "image.tif in zeros.zip");
}

/* Over 1 GB is unpacked only when asked; the archive says how much it is before any of it is. */
static void
test_limit (void)
{
  g_autofree char *path = path_of ("small.tif");
  TiffVariant variant = fixture_variant (4, 4, 1);
  g_autoptr (GByteArray) inner = NULL, padded = g_byte_array_new (), bytes = NULL;
  g_autoptr (GError) error = NULL;
  guint directory;

  g_free (fixture_write_tiff (path, &variant, 1));
  inner = bytes_of ("small.tif");
  g_byte_array_append (padded, inner->data, inner->len);
  /* incompressible, so that the packed size can stand for more than a gigabyte */
  g_byte_array_set_size (padded, 3 << 20);
  for (guint i = inner->len, x = 1; i < padded->len; i++, x = x * 1664525 + 1013904223)
    padded->data[i] = (guint8) (x >> 24);
  bytes = fixture_zip (TRUE, "small.tif", padded, NULL);
  directory = bytes->len - 22 - 46 - 9;
  fixture_put (bytes, directory + 24, 1500000000, 4);
  put ("large.zip", bytes->data, bytes->len);
  g_assert_null (open_file ("large.zip", NULL, &error));
  fixture_assert_message (error, "1.5");
  fixture_assert_message (error, "above the limit of");
  g_clear_error (&error);
  g_assert_null (open_file ("large.zip", "unpack_gb=2", &error));
  fixture_assert_message (error, "has less");
  g_clear_error (&error);
  g_assert_null (open_file ("small.tif", "unpack_gb=2", &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
}

/* --- known by name only --- */

static void
test_foreign (void)
{
  static const struct
  {
    const char *name, *bytes;
    gsize length;
    const char *is, *way_out;
  } files[] = {
    { "a.pt3",
      "PicoHarp 300\0\0\0\0"
      "2.0\0\0\0",
      22, "PicoQuant", "SymPhoTime" },
    { "b.dat",
      "HydraHarp\0\0\0\0\0\0\0"
      "1.0\0\0\0",
      22, "PicoQuant", "SymPhoTime" },
    { "c.thd",
      "TimeHarp 200\0\0\0\0"
      "6.0\0\0\0",
      22, "PicoQuant", "text" },
    { "d.ht3", "\1\2\3\4\5\6\7\10", 8, "PicoQuant", ".ptu" },
    { "e.ref", "\0\0\200?\0\0\0\0", 8, "SimFCS", "TIFF stack of time bins" },
    { "f.r64", "x\x9c\1\2\3\4\5\6", 8, "SimFCS", "TIFF stack of time bins" },
    { "g.z64", "x\x9c\1\2\3\4\5\6", 8, "SimFCS", "TIFF stack of time bins" },
    { "h.ifli", "VISTA\1\2\3\4", 9, "ISS VistaVision", "page per time bin" },
    { "i.flif", "\211FLF\r\n0\n", 8, "FlimFast", "TIFF" },
    { "j.spc", "\1\2\3\4\5\6\7\10", 8, "Becker & Hickl photon stream", ".sdt" },
    { "k.lif", "\x70\0\0\0\x20\0\0\0\x2a\0\0\0", 12, "Leica LIF", "LAS X" },
    { "l.json", "{\"header\": {\"laser_period_ns\": 25.0}, \"data\": []}", 50, "FLIM LABS",
      "page per time bin" },
    { "m.json", "{\"RepetitionTime\": 2}", 21, "a JSON file", "" },
    { "o.mha", "ObjectType = Image\n", 19, "MetaImage", "NIfTI" },
    { "p.h5", "\211HDF\r\n\032\n", 8, "HDF5", "TIFF" },
    { "q.czi", "ZISRAWFILE\0\0", 12, "Zeiss CZI", "OME-TIFF" },
    { "r.nd2", "\xda\xce\xbe\x0a", 4, "Nikon ND2", "OME-TIFF" },
    { "s.gif", "GIF89a\1\0\1\0", 10, "GIF image", "PNG or TIFF" },
    { "t.npy", "\223NUMPY\1\0", 8, "NumPy", "TIFF" },
    { "u.bmp", "BM\1\2\3\4", 6, "BMP image", "PNG or TIFF" },
    { "v.avi", "RIFF\1\2\3\4AVI LIST", 16, "video", "TIFF stack" },
  };
  guint8 dicom[200] = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) unknown = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) local = NULL;

      put (files[i].name, files[i].bytes, files[i].length);
      g_assert_null (open_file (files[i].name, NULL, &local));
      g_assert_error (local, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
      fixture_assert_message (local, files[i].name);
      fixture_assert_message (local, files[i].is);
      fixture_assert_message (local, files[i].way_out);
    }
  memcpy (dicom + 128, "DICM", 4);
  put ("IM0001", dicom, sizeof dicom);
  g_assert_null (open_file ("IM0001", NULL, &error));
  fixture_assert_message (error, "DICOM");
  put ("what.raw", "\1\2\3\4\5\6\7\10", 8);
  g_assert_null (open_file ("what.raw", NULL, &unknown));
  g_assert_error (unknown, VG_IO_ERROR, VG_IO_ERROR_UNKNOWN);
  g_assert_null (strstr (unknown->message, "--geometry"));
}

/* Phasor coordinates are pages that do not go together; that is not what is wrong with them. */
static void
test_phasors (void)
{
  static const char description[] = "<?xml version=\"1.0\"?><OME><Image ID=\"Image:0\" "
                                    "Name=\"Phasor mean\"><Pixels SizeX=\"8\" SizeY=\"6\"/></Image>"
                                    "<Image ID=\"Image:1\" Name=\"Phasor real\"/><Image "
                                    "ID=\"Image:2\" Name=\"Phasor imag\"/></OME>";

  for (int sizes = 1; sizes <= 2; sizes++)
    {
      g_autofree char *path = path_of ("phasors.ome.tif");
      g_autoptr (GError) error = NULL;
      TIFF *tiff = TIFFOpen (path, "w");
      float zeros[48] = { 0 };

      for (int page = 0; page < 4; page++)
        {
          guint32 side = sizes == 2 && page == 3 ? 1 : 6;

          TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, side);
          TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, side);
          TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 32);
          TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
          TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
          TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, side);
          if (page == 0)
            TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, description);
          TIFFWriteEncodedStrip (tiff, 0, zeros, (tmsize_t) (4 * side * side));
          TIFFWriteDirectory (tiff);
        }
      TIFFClose (tiff);
      g_assert_null (open_file ("phasors.ome.tif", NULL, &error));
      fixture_assert_message (error, "phasor coordinates (PhasorPy)");
      fixture_assert_message (error, "Open the recording");
    }
}

/* --- formats that are turned off --- */

/* Opens a TIFF, in a ZIP archive or not, while VIVOGRAPH_FORMATS is LIST.  REFUSAL: NULL, or a part
 * of the message. */
static void
check_switch (const char *list, const char *name, const char *refusal)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  g_setenv ("VIVOGRAPH_FORMATS", list, TRUE);
  source = open_file (name, NULL, &error);
  g_unsetenv ("VIVOGRAPH_FORMATS");
  if (refusal == NULL)
    g_assert_no_error (error);
  g_assert_cmpint (source != NULL, ==, refusal == NULL);
  if (refusal != NULL)
    fixture_assert_message (error, refusal);
}

static void
test_switch (void)
{
  static const VgFormat *const all[] = {
    &vg_zip_format,  &vg_tiff_format, &vg_nifti_format, &vg_ptu_format, &vg_sdt_format,
    &vg_spc_format,  &vg_png_format,  &vg_jpeg_format,  &vg_rls_format, &vg_pqbin_format,
    &vg_nrrd_format, &vg_foil_format, &vg_dicom_format,
  };
  const TiffVariant variant = {
    3, 2, 2, 1, .bits = 16, .format = SAMPLEFORMAT_UINT, .photometric = PHOTOMETRIC_MINISBLACK
  };
  g_autofree char *path = path_of ("switch.tif");
  g_autofree double *values = fixture_write_tiff (path, &variant, 7);
  g_autoptr (GByteArray) inner = bytes_of ("switch.tif"), zip = NULL;

  zip = fixture_zip (FALSE, "switch.tif", inner, NULL);
  put ("switch.zip", zip->data, zip->len);
  check_switch ("-dicom,-slide", "switch.tif", NULL);
  check_switch ("tiff", "switch.tif", NULL);
  check_switch ("png,-tiff", "switch.tif", "give a list such as");
  check_switch ("-tiff", "switch.tif", "turns the format tiff off");
  check_switch ("nifti,dicom", "switch.tif", "turns the format tiff off");
  check_switch ("tif", "switch.tif", "give a list such as");
  check_switch ("-and", "switch.tif", "give a list such as");
  check_switch ("", "switch.tif", NULL);
  check_switch ("zip,tiff", "switch.zip", NULL);
  check_switch ("tiff", "switch.zip", "turns the format zip off");
  check_switch ("-tiff", "switch.zip", "turns the format tiff off");
  check_switch ("-dicom", ".", "turns the format dicom off");
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autofree char *list = g_strconcat ("-", all[i]->id, NULL);
      g_autoptr (GError) error = NULL;

      g_setenv ("VIVOGRAPH_FORMATS", list, TRUE);
      g_assert_false (vg_format_is_on (all[i]->id, "a file", &error));
      g_unsetenv ("VIVOGRAPH_FORMATS");
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/formats/zipped-tiff", test_zipped_tiff);
  g_test_add_func ("/formats/looked-at-first", test_looked_at_first);
  g_test_add_func ("/formats/limit", test_limit);
  g_test_add_func ("/formats/foreign", test_foreign);
  g_test_add_func ("/formats/phasors", test_phasors);
  g_test_add_func ("/formats/switch", test_switch);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
