/* SPDX-License-Identifier: MIT */
/* NRRD files: types, orders, where samples are, what headers say of place and time, and damage. */
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-placement.h"
#include "tests/support/io/tiff-fixture.h"
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 3, HEIGHT = 2, SLICES = 2, FRAMES = 3, VOXELS = WIDTH * HEIGHT * SLICES };

static char *folder;

/* Sample I of frame T. */
static int
sample (int i, int t)
{
  return 1 + i + 20 * t;
}

/* Writes HEADER and behind it LENGTH bytes, as folder/NAME. */
static char *
write_file (const char *name, const char *header, const void *bytes, gsize length)
{
  g_autoptr (GByteArray) whole = g_byte_array_new ();
  char *path = g_build_filename (folder, name, NULL);

  g_byte_array_append (whole, (const guint8 *) header, (guint) strlen (header));
  g_byte_array_append (whole, bytes, (guint) length);
  fixture_put_file (path, whole->data, whole->len);
  return path;
}

static void
assert_frames (const char *path)
{
  g_autoptr (VgSource) source = fixture_open (path, FALSE);
  float values[VOXELS];
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (source->info.width, ==, WIDTH);
  g_assert_cmpint (source->info.height, ==, HEIGHT);
  g_assert_cmpint (source->info.slices, ==, SLICES);
  g_assert_cmpint (source->info.frames, ==, FRAMES);
  /* backwards too, which reads gzip again from its start */
  for (int k = 0; k < 2 * FRAMES; k++)
    {
      int t = k < FRAMES ? k : 2 * FRAMES - 1 - k;

      vg_source_read (source, t, values, &error);
      g_assert_no_error (error);
      for (int i = 0; i < VOXELS; i++)
        g_assert_cmpfloat (values[i], ==, sample (i, t));
    }
}

/* The samples as 16-bit numbers, time last or first, in either byte order. */
static void
fill (guint16 *to, gboolean first, gboolean big)
{
  for (int t = 0; t < FRAMES; t++)
    for (int i = 0; i < VOXELS; i++)
      {
        guint16 value = (guint16) sample (i, t);

        to[first ? i * FRAMES + t : t * VOXELS + i] = big ? GUINT16_TO_BE (value)
                                                          : GUINT16_TO_LE (value);
      }
}

static void
test_orders (void)
{
  guint16 samples[FRAMES * VOXELS];

  for (int first = 0; first < 2; first++)
    for (int big = 0; big < 2; big++)
      for (int ends = 0; ends < 2; ends++)
        {
          const char *end = ends ? "\r\n" : "\n";
          g_autofree char *header = g_strdup_printf (
              "NRRD0004%s# made here%stype: unsigned short%sdimension: 4%ssizes: %s%s"
              "kinds: %s%sendian: %s%sencoding: raw%s%s",
              end, end, end, end, first ? "3 3 2 2" : "3 2 2 3", end,
              first ? "list domain domain domain" : "domain domain domain list", end,
              big ? "big" : "little", end, end, end);
          g_autofree char *path = NULL;

          fill (samples, first, big);
          path = write_file ("a.nrrd", header, samples, sizeof samples);
          assert_frames (path);
        }
}

static void
test_types (void)
{
  static const struct
  {
    const char *name;
    gsize bytes;
  } types[] = { { "signed char", 1 }, { "uint8", 1 }, { "int", 4 },   { "uint32_t", 4 },
                { "int64", 8 },       { "float", 4 }, { "double", 8 } };

  for (guint k = 0; k < G_N_ELEMENTS (types); k++)
    {
      guint8 bytes[8 * FRAMES * VOXELS] = { 0 };
      g_autofree char *header = g_strdup_printf (
          "NRRD0005\ntype: %s\ndimension: 4\nsizes: 3 2 2 3\nendian: little\nencoding: raw\n\n",
          types[k].name);
      g_autofree char *path = NULL;

      for (int i = 0; i < FRAMES * VOXELS; i++)
        {
          int value = sample (i % VOXELS, i / VOXELS);

          if (g_str_equal (types[k].name, "float"))
            ((float *) bytes)[i] = (float) value;
          else if (g_str_equal (types[k].name, "double"))
            ((double *) bytes)[i] = value;
          else
            bytes[(gsize) i * types[k].bytes] = (guint8) value;
        }
      path = write_file ("t.nrrd", header, bytes, types[k].bytes * FRAMES * VOXELS);
      assert_frames (path);
    }
}

/* In gzip, and in a file of its own. */
static void
test_detached (void)
{
  guint16 samples[FRAMES * VOXELS];
  static const char header[] = "NRRD0004\ntype: short\ndimension: 4\nsizes: 3 2 2 3\n"
                               "endian: little\nencoding: gzip\ndata file: b.raw.gz\n",
                    outside[] = "NRRD0004\ntype: short\ndimension: 4\nsizes: 3 2 2 3\n"
                                "endian: little\nencoding: raw\ndata file: ../b.raw\n";
  g_autoptr (GConverter)
      zlib = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6));
  guint8 packed[1024];
  gsize read, written;
  g_autofree char *path = NULL, *data = NULL, *away = NULL;
  g_autoptr (GError) error = NULL;

  fill (samples, FALSE, FALSE);
  g_assert_cmpint (g_converter_convert (zlib, samples, sizeof samples, packed, sizeof packed,
                                        G_CONVERTER_INPUT_AT_END, &read, &written, &error),
                   ==, G_CONVERTER_FINISHED);
  data = write_file ("b.raw.gz", "", packed, written);
  path = write_file ("b.nhdr", header, "", 0);
  assert_frames (path);
  g_unlink (data);
  g_assert_null (vg_source_open (path, NULL, &error));
  fixture_assert_message (error, "not in the same folder");
  g_clear_error (&error);
  away = write_file ("c.nhdr", outside, "", 0);
  g_assert_null (vg_source_open (away, NULL, &error));
  fixture_assert_message (error, "outside its folder");
}

/* Left and posterior become right and anterior; times of 3D Slicer are in ms. */
static void
test_place (void)
{
  guint16 samples[FRAMES * VOXELS];
  static const char header[] =
      "NRRD0005\ntype: short\ndimension: 4\nspace: left-posterior-superior\nsizes: 3 3 2 2\n"
      "space directions: none (2,0,0) (0,1.5,0) (0,0,-4)\nkinds: list domain domain domain\n"
      "endian: little\nencoding: raw\nspace origin: (10,20,30)\n"
      "MultiVolume.FrameLabels:=0,2500,6000\nMultiVolume.FrameIdentifyingDICOMTagUnits:=ms\n\n";
  static const double matrix[3][4] = { { -2, 0, 0, -10 }, { 0, -1.5, 0, -20 }, { 0, 0, -4, 30 } };
  g_autofree char *path = NULL;
  g_autoptr (VgSource) source = NULL;

  fill (samples, TRUE, FALSE);
  path = write_file ("p.nrrd", header, samples, sizeof samples);
  assert_frames (path);
  source = fixture_open (path, FALSE);
  g_assert_true (source->info.placement.known);
  for (int i = 0; i < 12; i++)
    g_assert_cmpfloat (source->info.placement.srow[i / 4][i % 4], ==, matrix[i / 4][i % 4]);
  g_assert_cmpfloat (source->info.pixel_size[2], ==, 4);
  g_assert_cmpfloat (source->times_s[1], ==, 2.5);
  g_assert_cmpfloat (source->times_s[2], ==, 6);
}

/* Labels of frames that are no times set none. */
static void
test_labels (void)
{
  static const char *const labels[] = {
    "MultiVolume.FrameLabels:=2,15,30\nMultiVolume.FrameIdentifyingDICOMTagUnits:=degrees\n",
    "MultiVolume.FrameLabels:=2,4,6\nMultiVolume.FrameIdentifyingDICOMTagName:=EchoTime\n"
    "MultiVolume.FrameIdentifyingDICOMTagUnits:=ms\n",
  };
  guint16 samples[FRAMES * VOXELS];

  fill (samples, FALSE, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      g_autofree char *header = g_strdup_printf ("NRRD0005\ntype: short\ndimension: 4\n"
                                                 "sizes: 3 2 2 3\nendian: little\nencoding: raw\n"
                                                 "%s\n",
                                                 labels[i]),
                      *path = write_file ("l.nrrd", header, samples, sizeof samples);
      g_autoptr (VgSource) source = fixture_open (path, FALSE);

      g_assert_cmpint (source->info.frames, ==, FRAMES);
      g_assert_null (source->times_s);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *header, *says;
  } files[] = {
    { "NRRD0004\ntype: block\ndimension: 3\nsizes: 1 1 1\nencoding: raw\n\n", "not supported" },
    { "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 1 1 1\nencoding: bzip2\n\n", "neither raw" },
    { "NRRD0004\ntype: uchar\ndimension: 9\nsizes: 1 1 1\nencoding: raw\n\n", "2 to 4 axes" },
    { "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 1 0 1\nencoding: raw\n\n", "impossible size" },
    { "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 60000 60000 60000\nencoding: raw\n\n",
      "truncated" },
    { "NRRD0004\ntype: double\ndimension: 3\nsizes: 60000 60000 60000\nencoding: gzip\n\nx",
      "truncated" },
    { "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 9 9 9\nencoding: raw\nbyte skip: -1\n\nx",
      "truncated" },
    { "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 1 1 1\nencoding: raw\n"
      "byte skip: 9223372036854775807\n\nx",
      "truncated" },
    { "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 3 9 9\nkinds: RGB-color domain domain\n"
      "encoding: raw\n\n",
      "colours" },
    { "NRRD0004\n", "not supported" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = write_file ("r.nrrd", files[i].header, "", 0);
      g_autoptr (GError) error = NULL;

      g_assert_null (vg_source_open (path, NULL, &error));
      fixture_assert_message (error, files[i].says);
    }
}

/* Each byte of a header changed: never more than an error of one line. */
static void
test_damage (void)
{
  guint16 samples[FRAMES * VOXELS];
  char header[] = "NRRD0004\ntype: short\ndimension: 4\nspace: RAS\nsizes: 3 2 2 3\n"
                  "space directions: (1,0,0) (0,1,0) (0,0,1) none\nendian: little\n"
                  "encoding: raw\nspace origin: (0,0,0)\nbyte skip: 0\n\n";

  fill (samples, FALSE, FALSE);
  for (gsize at = 9; at < sizeof header - 1; at++)
    for (int change = 1; change < 256; change *= 4)
      {
        g_autofree char *path = NULL;
        g_autoptr (GError) error = NULL;
        char right = header[at];

        header[at] = (char) (header[at] ^ change);
        if (header[at] == '\0')
          header[at] = ' ';
        path = write_file ("d.nrrd", header, samples, sizeof samples);
        error = fixture_read_all (path, NULL);
        if (error != NULL)
          fixture_assert_message (error, "");
        header[at] = right;
      }
}

/* The decompressed samples of the file PATH, which begin after the blank line. */
static GBytes *
unpack (const char *path)
{
  g_autofree char *bytes = NULL;
  const char *end;
  gsize length;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) packed = NULL, plain = NULL;
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  GBytes *samples;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  end = g_strstr_len (bytes, (gssize) length, "\n\n");
  g_assert_nonnull (end);
  packed = g_memory_input_stream_new_from_data (end + 2, (gssize) length - (end + 2 - bytes), NULL);
  plain = g_converter_input_stream_new (packed, G_CONVERTER (zlib));
  samples = g_input_stream_read_bytes (plain, 1 << 16, NULL, &error);
  g_assert_no_error (error);
  return samples;
}

/* Written volumes and series are read back with the same values and placement, and the samples have
 * the encoding of the header. */
static void
test_written (void)
{
  static const double matrix[3][4] = { { -2, 0.25, 0, -10 },
                                       { 0, 1.5, 0.5, -20 },
                                       { 0, 0, 4, 30 } };
  static const gint64 extent[] = { WIDTH, HEIGHT, SLICES };
  float values[FRAMES * VOXELS], again[VOXELS];

  for (int i = 0; i < FRAMES * VOXELS; i++)
    values[i] = i == 3 ? NAN : 0.1f * (float) (i * i);
  for (int frames = 1; frames <= FRAMES; frames += FRAMES - 1)
    for (int placed = 0; placed < 2; placed++)
      {
        VgImageInfo info = vg_image_info_grey (VG_F32, WIDTH, HEIGHT);
        g_autofree char *path = g_build_filename (folder, "w.nrrd", NULL);
        g_autoptr (VgTextFile) file = NULL;
        g_autoptr (VgSource) source = NULL;
        g_autoptr (GBytes) samples = NULL;
        g_autoptr (GError) error = NULL;

        info.slices = SLICES;
        info.frames = frames;
        info.placement.pixdim[1] = 2;
        info.placement.pixdim[2] = 1.5;
        info.placement.pixdim[3] = 4;
        info.placement.unit = 2;
        info.placement.known = placed;
        info.placement.sform_code = placed;
        memcpy (info.placement.srow, matrix, sizeof matrix);
        file = vg_nrrd_writer_new (path, &info, "ka", "Inflow", "ml/100g/min", &error);
        g_assert_no_error (error);
        g_assert_true (vg_text_file_add (file, (const char *) values,
                                         (gsize) frames * VOXELS * sizeof *values, &error));
        g_assert_true (vg_text_file_commit (file, &error));
        samples = unpack (path);
        g_assert_cmpmem (g_bytes_get_data (samples, NULL), g_bytes_get_size (samples), values,
                         (gsize) frames * VOXELS * sizeof *values);
        source = fixture_open (path, FALSE);
        g_assert_cmpint (source->info.slices, ==, SLICES);
        g_assert_cmpint (source->info.frames, ==, frames);
        g_assert_cmpint (source->info.placement.known, ==, placed);
        g_assert_cmpfloat (
            vg_placement_apart (&source->info.placement, &info.placement, extent, NULL), <, 1e-6);
        g_assert_cmpfloat_with_epsilon (source->info.pixel_size[2], placed ? sqrt (16.25) : 4,
                                        1e-6);
        for (int t = 0; t < frames; t++)
          {
            vg_source_read (source, t, again, &error);
            g_assert_no_error (error);
            g_assert_cmpmem (again, sizeof again, values + t * VOXELS, sizeof again);
          }
      }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/nrrd/orders", test_orders);
  g_test_add_func ("/nrrd/types", test_types);
  g_test_add_func ("/nrrd/detached", test_detached);
  g_test_add_func ("/nrrd/place", test_place);
  g_test_add_func ("/nrrd/labels", test_labels);
  g_test_add_func ("/nrrd/refused", test_refused);
  g_test_add_func ("/nrrd/damage", test_damage);
  g_test_add_func ("/nrrd/written", test_written);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
