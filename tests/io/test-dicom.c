/* SPDX-License-Identifier: MIT */
/* DICOM folders that are made here: order, times, what is missing, what is damaged, and names that
 * lead out of the folder. */
#include "tests/support/io/dicom-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "io/dicom/vg-dicom-writer.h"
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

enum { SLICES = 3, TIMES = 4, VOXELS = 24 };

/* Writes a series in files whose names say nothing of the order. */
static void
write_series (const char *folder, const DicomVariant *like)
{
  for (int t = 0; t < TIMES; t++)
    for (int z = 0; z < SLICES; z++)
      {
        DicomVariant variant = *like;
        g_autofree char *name = g_strdup_printf ("%d-%d", (5 * t + 3 * z + 1) % 7, t * SLICES + z);

        variant.instance = 1 + t * SLICES + z;
        variant.z = 30 - 3.0 * z;
        variant.time_s = like->time_s < 0 ? -1 : like->time_s + 2.5 * t;
        variant.temporal = like->temporal > 0 ? t + 1 : 0;
        variant.base = (guint16) (100 * t + 1000 * z);
        fixture_dicom_write (folder, name, &variant);
      }
}

/* Checks that volume T has the samples of time TIME, its slices from the lowest up. */
static void
assert_volume (VgSource *source, int t, int time, double slope, double intercept)
{
  float values[SLICES * VOXELS];
  g_autoptr (GError) error = NULL;

  vg_source_read (source, t, values, &error);
  g_assert_no_error (error);
  for (int i = 0; i < SLICES * VOXELS; i++)
    {
      int z = SLICES - 1 - i / VOXELS, sample = 100 * time + 1000 * z + i % 6 + 10 * (i / 6 % 4);

      g_assert_cmpfloat_with_epsilon (values[i], slope * sample + intercept, 1e-3);
    }
}

static void
assert_size (const VgSource *source, int slices, int frames)
{
  g_assert_cmpint (source->info.width, ==, 6);
  g_assert_cmpint (source->info.height, ==, 4);
  g_assert_cmpint (source->info.slices, ==, slices);
  g_assert_cmpint (source->info.frames, ==, frames);
}

static void
test_series (void)
{
  for (int syntax = DICOM_EXPLICIT; syntax <= DICOM_BIG; syntax++)
    {
      char *folder = fixture_folder ();
      DicomVariant variant = fixture_dicom_variant ();
      g_autoptr (VgSource) source = NULL;
      static const double matrix[3][4] = { { -1.5, 0, 0, 10 }, { 0, -2, 0, 20 }, { 0, 0, 3, 24 } };

      variant.syntax = (DicomSyntax) syntax;
      variant.slope = 0.5;
      /* over midnight there would be a new day, which this series does not reach */
      variant.time_s = 86399 - 2.5 * TIMES;
      write_series (folder, &variant);
      source = fixture_open (folder, FALSE);
      assert_size (source, SLICES, TIMES);
      g_assert_null (source->caution);
      for (int t = 0; t < TIMES; t++)
        {
          g_assert_cmpfloat_with_epsilon (source->times_s[t], 2.5 * t, 1e-4);
          assert_volume (source, t, t, 0.5, -7);
        }
      g_assert_cmpfloat (source->info.repetition_ms, ==, 4.5);
      g_assert_cmpfloat (source->info.flip_deg, ==, 15);
      g_assert_cmpfloat_with_epsilon (source->info.pixel_size[2], 3, 1e-9);
      for (int i = 0; i < 12; i++)
        g_assert_cmpfloat_with_epsilon (source->info.placement.srow[i / 4][i % 4],
                                        matrix[i / 4][i % 4], 1e-6);
      fixture_remove_folder (folder);
    }
}

/* Without times the volumes are in the order of their instances, and the interval is not known. */
static void
test_no_times (void)
{
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (VgSource) source = NULL;

  variant.time_s = -1;
  write_series (folder, &variant);
  source = fixture_open (folder, FALSE);
  assert_size (source, SLICES, TIMES);
  g_assert_null (source->times_s);
  g_assert_cmpfloat (source->info.frame_interval_s, ==, 0);
  g_assert_nonnull (strstr (source->details, "not in the files"));
  assert_volume (source, 3, 3, 1, 0);
  fixture_remove_folder (folder);
}

/* The index of the time point says the reverse of the times. */
static void
test_contradiction (void)
{
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (VgSource) source = NULL;

  for (int t = 0; t < TIMES; t++)
    for (int z = 0; z < SLICES; z++)
      {
        g_autofree char *name = g_strdup_printf ("%d-%d", t, z);

        variant.instance = 1 + t * SLICES + z;
        variant.z = 30 - 3.0 * z;
        variant.time_s = 100 + t;
        variant.temporal = TIMES - t;
        variant.base = (guint16) (100 * t + 1000 * z);
        fixture_dicom_write (folder, name, &variant);
      }
  source = fixture_open (folder, FALSE);
  assert_volume (source, 0, 0, 1, 0);
  g_assert_nonnull (strstr (source->caution, "sort the volumes differently"));
  fixture_remove_folder (folder);
}

/* A series whose last slices are missing, and one that lacks a slice in the middle. */
static void
test_cut (void)
{
  static const char *const lost[] = { "6-11", "3-4" };
  static const char *const told[] = {
    "Only 3 of 4 volumes can be used, because slices are missing: volume 4 lacks slice ",
    "Only 3 of 4 volumes can be used, because slices are missing: volume 2 lacks slice ",
  };
  static const int last[] = { 2, 3 };

  for (int i = 0; i < 2; i++)
    {
      char *folder = fixture_folder ();
      DicomVariant variant = fixture_dicom_variant ();
      g_autoptr (GDir) dir = NULL;
      g_autoptr (VgSource) source = NULL;
      g_autofree char *path = NULL;
      const char *name;

      write_series (folder, &variant);
      dir = g_dir_open (folder, 0, NULL);
      while ((name = g_dir_read_name (dir)) != NULL && path == NULL)
        if (g_str_equal (strchr (name, '-'), strchr (lost[i], '-')))
          path = g_build_filename (folder, name, NULL);
      g_assert_cmpint (g_unlink (path), ==, 0);
      source = fixture_open (folder, FALSE);
      assert_size (source, SLICES, TIMES - 1);
      g_test_message ("%s", source->caution);
      g_assert_nonnull (strstr (source->caution, told[i]));
      g_assert_nonnull (strstr (source->caution, " mm. Copy the series again"));
      assert_volume (source, 0, 0, 1, 0);
      assert_volume (source, TIMES - 2, last[i], 1, 0);
      g_assert_cmpfloat_with_epsilon (source->times_s[TIMES - 2], 2.5 * last[i], 1e-4);
      fixture_remove_folder (folder);
    }
}

/* Two echoes in one series, and a file that is there twice. */
static void
test_mixed (void)
{
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  const VgSourceOptions second = { .read_options = "series=2" },
                        one_of_several = { .in_series = TRUE },
                        by_uid = { .read_options = "series=1.2.3.4.6" },
                        absent = { .read_options = "series=9" };
  g_autoptr (VgSource) source = NULL, echo = NULL, other = NULL, own = NULL, alone = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "other", NULL);

  write_series (folder, &variant);
  fixture_dicom_write (folder, "copy", &variant);
  fixture_dicom_write (folder, "copy2", &variant);
  variant.echo_ms = 3;
  variant.instance = 500;
  fixture_dicom_write (folder, "echo", &variant);
  variant.series = 6;
  fixture_dicom_write (folder, "other", &variant);
  source = fixture_open (folder, FALSE);
  g_assert_cmpint (source->info.series, ==, 1);
  g_assert_cmpint (source->info.series_available, ==, 3);
  assert_size (source, SLICES, TIMES);
  g_assert_nonnull (strstr (source->caution, "3 series"));
  g_assert_nonnull (strstr (source->details, "copies"));
  echo = vg_source_open (folder, &second, &error);
  g_assert_no_error (error);
  assert_size (echo, 1, 1);
  other = vg_source_open (folder, &by_uid, &error);
  g_assert_no_error (error);
  g_assert_cmpint (other->info.series, ==, 3);
  own = fixture_open (path, FALSE);
  g_assert_cmpint (own->info.series, ==, 3);
  alone = vg_source_open (path, &one_of_several, &error);
  g_assert_no_error (error);
  g_assert_cmpint (alone->info.series_available, ==, 0);
  g_assert_null (vg_source_open (folder, &absent, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  fixture_assert_message (error, "does not have this series");
  fixture_remove_folder (folder);
}

/* A program that removes names may give two images the same one; they are images all the same. */
static void
test_same_name (void)
{
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (VgSource) source = NULL;

  fixture_dicom_write (folder, "a", &variant);
  variant.width = 8;
  fixture_dicom_write (folder, "b", &variant);
  source = fixture_open (folder, FALSE);
  g_assert_cmpint (source->info.series_available, ==, 2);
  fixture_remove_folder (folder);
}

/* Two frames of 2 x 2 tiles, whose number is in an element, in Siemens' own header, in an element
 * that was moved, or, in the last case, not there: the element is of another maker. */
static void
test_mosaic (void)
{
  enum { WIDE = 3, HIGH = 2, TILES = 4 };

  for (int way = 0; way < 4; way++)
    {
      char *folder = fixture_folder ();
      DicomVariant variant = fixture_dicom_variant ();
      g_autoptr (VgSource) source = NULL;
      float values[TILES * WIDE * HIGH];
      g_autoptr (GError) error = NULL;

      variant.tiles = TILES;
      variant.csa = way == 1;
      variant.owner = way >= 2 ? "SOMEONE ELSE" : NULL;
      variant.block = way == 2 ? 0xfe : 0;
      variant.declared = variant.stored = 2;
      fixture_dicom_write (folder, "a", &variant);
      source = fixture_open (folder, FALSE);
      g_assert_cmpint (source->info.width, ==, way == 3 ? 2 * WIDE : WIDE);
      g_assert_cmpint (source->info.height, ==, way == 3 ? 2 * HIGH : HIGH);
      g_assert_cmpint (source->info.slices, ==, way == 3 ? 1 : TILES);
      g_assert_cmpint (source->info.frames, ==, 2);
      for (int t = 0; t < 2 && way < 3; t++)
        {
          vg_source_read (source, t, values, &error);
          g_assert_no_error (error);
          for (int i = 0; i < TILES * WIDE * HIGH; i++)
            {
              int tile = i / (WIDE * HIGH), x = i % WIDE + tile % 2 * WIDE,
                  y = i / WIDE % HIGH + tile / 2 * HIGH;

              g_assert_cmpfloat (values[i], ==, x + 10 * y + 1000 * t);
            }
        }
      fixture_remove_folder (folder);
    }
}

/* A small file that declares 4 million tiles takes no memory for them. */
static void
test_many_tiles (void)
{
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (VgSource) source = NULL;

  variant.width = variant.height = 64;
  variant.tiles = 64 * 64;
  variant.declared = 1000;
  fixture_dicom_write (folder, "a", &variant);
  source = fixture_open (folder, FALSE);
  g_assert_cmpint (source->info.frames, <, 100);
  g_assert_nonnull (strstr (source->details, "too many"));
  fixture_remove_folder (folder);
}

static void
test_gap (void)
{
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  static const double places[] = { 0, 3, 9, 12 };
  g_autoptr (VgSource) source = NULL;

  for (int i = 0; i < 4; i++)
    {
      char name[2] = { (char) ('a' + i), '\0' };

      variant.z = places[i];
      variant.instance = 1 + i;
      fixture_dicom_write (folder, name, &variant);
    }
  source = fixture_open (folder, FALSE);
  assert_size (source, 4, 1);
  g_assert_nonnull (strstr (source->caution,
                            "Slices 2 and 3 are 6 mm apart, the others 3 mm: a slice at 6 mm may "
                            "be missing. The slices are used as if all were 4 mm apart"));
  fixture_remove_folder (folder);
}

static void
test_no_places (void)
{
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (VgSource) source = NULL;

  variant.placed = FALSE;
  write_series (folder, &variant);
  source = fixture_open (folder, FALSE);
  assert_size (source, SLICES * TIMES, 1);
  g_assert_false (source->info.placement.known);
  g_assert_nonnull (strstr (source->details, "no positions"));
  fixture_remove_folder (folder);
}

/* A DICOMDIR that lists a file in its folder, one that is not there, and two outside. */
static void
test_directory (void)
{
  char *outer = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  static const char *const names[] = { "DICOM\\IM1", "DICOM\\IM2", "..\\SECRET", "LINK" };
  g_autoptr (GByteArray) listing = fixture_dicomdir (names, 4),
                         outside = fixture_dicomdir (names + 2, 2);
  g_autofree char *disc = g_build_filename (outer, "disc", NULL),
                  *images = g_build_filename (disc, "DICOM", NULL),
                  *path = g_build_filename (disc, "DICOMDIR", NULL),
                  *link = g_build_filename (disc, "LINK", NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (disc, 0700) | g_mkdir (images, 0700), ==, 0);
  fixture_dicom_write (images, "IM1", &variant);
  fixture_dicom_write (outer, "SECRET", &variant);
  g_assert_cmpint (symlink ("../SECRET", link), ==, 0);
  fixture_put_file (path, listing->data, listing->len);
  source = fixture_open (path, FALSE);
  assert_size (source, 1, 1);
  g_assert_nonnull (strstr (source->details, "1 files of the DICOMDIR do not exist, and 2"));
  fixture_put_file (path, outside->data, outside->len);
  g_assert_null (vg_source_open (path, NULL, &error));
  fixture_assert_message (error, "outside its folder");
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *gone = g_build_filename (i ? outer : images, i ? "SECRET" : "IM1", NULL);

      g_unlink (gone);
    }
  g_unlink (link);
  g_unlink (path);
  g_rmdir (images);
  g_rmdir (disc);
  fixture_remove_folder (outer);
}

/* Cut at every length, and each byte changed: never more than an error of one line.  DCMTK runs in
 * this process, because each file would need a child of its own. */
static void
test_damage (void)
{
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (GByteArray) whole = fixture_dicom (&variant);
  g_autofree char *path = g_build_filename (folder, "a.dcm", NULL);

  g_setenv ("VIVOGRAPH_FENCE", "off", TRUE);
  for (guint length = 1; length < whole->len; length += 5)
    {
      g_autoptr (GError) error = NULL;

      fixture_put_file (path, whole->data, length);
      error = fixture_read_all (path, NULL);
      g_assert_nonnull (error);
      fixture_assert_message (error, "");
    }
  for (guint at = 132; at < whole->len; at++)
    {
      g_autoptr (GError) error = NULL;
      guint8 right = whole->data[at];

      whole->data[at] ^= (guint8) (at % 3 == 0 ? 0xff : at % 3);
      fixture_put_file (path, whole->data, whole->len);
      error = fixture_read_all (path, NULL);
      if (error != NULL)
        fixture_assert_message (error, "");
      whole->data[at] = right;
    }
  variant.declared = 1000000;
  variant.width = variant.height = 2000;
  whole->data[0] = 0;
  {
    g_autoptr (GByteArray) small = fixture_dicom (&variant);
    g_autoptr (GError) error = NULL;

    fixture_put_file (path, small->data, 4096);
    error = fixture_read_all (path, NULL);
    g_assert_nonnull (error);
  }
  g_unsetenv ("VIVOGRAPH_FENCE");
  fixture_remove_folder (folder);
}

/* Sequences in sequences, deeper than the stack. */
static void
test_deep (void)
{
  static const guint8 level[] = { 0xe1, 0x7f, 1,    0x10, 'S', 'Q',  0,    0,    0xff, 0xff,
                                  0xff, 0xff, 0xfe, 0xff, 0,   0xe0, 0xff, 0xff, 0xff, 0xff };
  char *folder = fixture_folder ();
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (GByteArray) whole = fixture_dicom (&variant);
  g_autofree char *path = g_build_filename (folder, "a.dcm", NULL);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 60000; i++)
    g_byte_array_append (whole, level, sizeof level);
  fixture_put_file (path, whole->data, whole->len);
  error = fixture_read_all (path, NULL);
  fixture_assert_message (error, "too deep");
  fixture_remove_folder (folder);
}

/* Compressed without loss by DCMTK's own programs, a series has the same samples. */
static void
test_compressed (void)
{
  static const char *const programs[] = { "dcmcrle", "dcmcjpls", "dcmcjpeg" };

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *program = g_find_program_in_path (programs[i]), *path = NULL;
      DicomVariant variant = fixture_dicom_variant ();
      char *folder;
      g_autoptr (VgSource) source = NULL;
      float values[VOXELS];
      g_autoptr (GError) error = NULL;
      int status = 1;

      if (program == NULL)
        {
          g_test_skip ("the programs of DCMTK are not installed: apt install dcmtk");
          return;
        }
      folder = fixture_folder ();
      path = g_build_filename (folder, "a", NULL);
      fixture_dicom_write (folder, "a", &variant);
      g_spawn_sync (NULL, (char *[]){ program, path, path, NULL }, NULL, 0, NULL, NULL, NULL, NULL,
                    &status, &error);
      g_assert_no_error (error);
      g_assert_cmpint (status, ==, 0);
      source = fixture_open (folder, FALSE);
      vg_source_read (source, 0, values, &error);
      g_assert_no_error (error);
      for (int k = 0; k < VOXELS; k++)
        g_assert_cmpfloat (values[k], ==, k % 6 + 10 * (k / 6));
      fixture_remove_folder (folder);
    }
}

/* Maps are not written without their patient when the source images are gone. */
static void
test_removed (void)
{
  char *folder = fixture_folder ();
  const char *const inputs[] = { folder, NULL };
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;

  write_series (folder, &variant);
  source = fixture_open (folder, FALSE);
  vg_dicom_writer_free (vg_dicom_writer_new (inputs, NULL, &source->info, FALSE, &error));
  g_assert_no_error (error);
  fixture_remove_folder (g_strdup (folder));
  g_assert_null (vg_dicom_writer_new (inputs, NULL, &source->info, FALSE, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "patient and study"));
  g_free (folder);
}

static void
add (const char *name, GTestFunc test)
{
  g_autofree char *path = g_strconcat ("/dicom/", name, NULL);

  g_test_add_func (path, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("series", test_series);
  add ("no-times", test_no_times);
  add ("contradiction", test_contradiction);
  add ("cut", test_cut);
  add ("mixed", test_mixed);
  add ("same-name", test_same_name);
  add ("mosaic", test_mosaic);
  add ("many-tiles", test_many_tiles);
  add ("gap", test_gap);
  add ("no-places", test_no_places);
  add ("directory", test_directory);
  add ("damage", test_damage);
  add ("deep", test_deep);
  add ("compressed", test_compressed);
  add ("removed", test_removed);
  return g_test_run ();
}
