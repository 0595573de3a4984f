/* SPDX-License-Identifier: MIT */
/* Which file of a folder is read: the one that the user named, also a hidden one, and the one that
 * was opened last. */
#include "tests/support/io/dicom-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "io/dicom/vg-dicom-scan.h"

enum { VOXELS = 24, BASE = 700 };

/* A hidden file is read if it is named, alone and beside the longer series of others, and left out
 * if its folder is. */
static void
test_hidden (void)
{
  for (int others = 0; others < 4; others += 3)
    {
      char *folder = fixture_folder ();
      g_autofree char *path = g_build_filename (folder, ".a.dcm", NULL);
      DicomVariant variant = fixture_dicom_variant ();
      g_autoptr (VgSource) source = NULL;
      g_autoptr (GPtrArray) files = NULL;
      g_autoptr (GError) error = NULL;
      float values[VOXELS];

      for (int i = 0; i < others; i++)
        {
          g_autofree char *name = g_strdup_printf ("%d.dcm", i);

          variant.instance = 1 + i;
          variant.z = 3.0 * i;
          fixture_dicom_write (folder, name, &variant);
        }
      variant.series = 9;
      variant.base = BASE;
      fixture_dicom_write (folder, ".a.dcm", &variant);
      source = fixture_open (path, FALSE);
      g_assert_cmpint (source->info.slices, ==, 1);
      vg_source_read (source, 0, values, &error);
      g_assert_no_error (error);
      for (int i = 0; i < VOXELS; i++)
        g_assert_cmpfloat (values[i], ==, BASE + i % 6 + 10 * (i / 6));
      files = vg_dicom_list_files (path);
      g_assert_cmpint (files->len, ==, others + 1);
      if (others > 0)
        {
          g_clear_pointer (&source, vg_source_close);
          source = fixture_open (folder, FALSE);
          g_assert_cmpint (source->info.slices, ==, others);
          g_assert_cmpint (source->info.series_available, ==, 0);
        }
      fixture_remove_folder (folder);
    }
}

/* A folder of compressed files says so. */
static void
test_compressed (void)
{
  char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "a.dcm.gz", NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;

  fixture_put_file (path, "\x1f\x8b\x08", 3);
  source = vg_source_open (folder, &(VgSourceOptions){ 0 }, &error);
  g_assert_null (source);
  fixture_assert_message (error, "compressed files such as \"a.dcm.gz\"; unpack them first");
  fixture_remove_folder (folder);
}

/* Reading samples of another file does not change what a file says of itself. */
static void
test_two_files (void)
{
  char *folder = fixture_folder ();
  g_autofree char *small = g_build_filename (folder, "small", NULL),
                  *large = g_build_filename (folder, "large", NULL);
  DicomVariant variant = fixture_dicom_variant ();
  g_autoptr (VgDicomReader) reader = vg_dicom_reader_new ();
  const VgDicomHead *head;
  g_autoptr (GError) error = NULL;
  float values[2 * VOXELS];

  fixture_dicom_write (folder, "small", &variant);
  variant.width *= 2;
  fixture_dicom_write (folder, "large", &variant);
  for (int i = 0; i < 2; i++)
    {
      head = vg_dicom_reader_open (reader, small, &error);
      g_assert_no_error (error);
      g_assert_cmpint (head->first.width, ==, 6);
      vg_dicom_reader_read (reader, large, 0, values, 2 * VOXELS, &error);
      g_assert_no_error (error);
      head = vg_dicom_reader_open (reader, large, &error);
      g_assert_no_error (error);
      g_assert_cmpint (head->first.width, ==, 12);
    }
  fixture_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dicom-scan/hidden", test_hidden);
  g_test_add_func ("/dicom-scan/two-files", test_two_files);
  g_test_add_func ("/dicom-scan/compressed", test_compressed);
  return g_test_run ();
}
