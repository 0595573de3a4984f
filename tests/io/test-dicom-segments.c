/* SPDX-License-Identifier: MIT */
/* DICOM segmentations that are made here: their segments, slices without a frame, and how a segment
 * is chosen beside a series of images. */
#include "tests/support/io/dicom-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "io/source/vg-source.h"
#include <string.h>

enum { VOXELS = 24 };

static const DicomSegmentFrame frames[] = { { 4, 9, { 1, 2, 4 } },
                                            { 1, 3, { 255, 255, 255 } },
                                            { 4, 0, { 0, 0, 128 } } };

/* Writes the first N frames, and a series of images beside them. */
static char *
write_files (char *folder, guint n)
{
  g_autoptr (GByteArray) bytes = fixture_dicom_segments (frames, n);
  char *path = g_build_filename (folder, "segments", NULL);
  DicomVariant variant = fixture_dicom_variant ();

  fixture_put_file (path, bytes->data, bytes->len);
  for (int z = 0; z < 2; z++)
    {
      variant.instance = z + 1;
      variant.z = 3.0 * z;
      fixture_dicom_write (folder, z == 0 ? "a" : "b", &variant);
    }
  return path;
}

static VgImage *
load (const char *path, const char *options, const char *label, GError **error)
{
  const VgSourceOptions all = { .read_options = options, .segment = label };

  return vg_image_load (path, VG_FILE_IMAGE, &all, error);
}

/* Slices without a frame are there, and their voxels are 0. */
static void
test_gaps (void)
{
  char *folder = fixture_folder ();
  g_autofree char *path = write_files (folder, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = load (path, "segment=4", NULL, &error);
  const guint8 *voxels;

  g_assert_no_error (error);
  g_assert_cmpstr (image->info.segment, ==, "Portal vein");
  g_assert_cmpint (image->info.type, ==, VG_U8);
  g_assert_cmpint (image->info.slices, ==, 4);
  g_assert_cmpfloat (image->info.pixel_size[2], ==, 3);
  g_assert_cmpfloat (image->info.placement.srow[2][3], ==, 0);
  voxels = image->data;
  for (int i = 0; i < 4 * VOXELS; i++)
    g_assert_cmpint (voxels[i], ==,
                     i == 23 || i == 3 * VOXELS || i == 3 * VOXELS + 9 || i == 3 * VOXELS + 18);
  fixture_remove_folder (folder);
}

static void
test_choice (void)
{
  static const struct
  {
    const char *options, *label, *found; /* found NULL: an error with the words */
    const char *words;
  } cases[] = {
    { "segment=1", NULL, "Artery", NULL },
    { "segment=portal vein", NULL, "Portal vein", NULL },
    { "segment=1", "Portal vein", "Artery", NULL },
    { "series=2", NULL, "Portal vein", NULL },
    { NULL, NULL, "Artery", NULL },
    { NULL, "Portal vein", "Portal vein", NULL },
    { NULL, "Liver", NULL, "has 2 segments" },
    { "segment=2", NULL, NULL, "does not have this segment" },
    { "segment=Portal", NULL, NULL, "Segment 4: Portal vein" },
    { "series=3", NULL, NULL, "does not have this series" },
  };
  char *folder = fixture_folder ();
  g_autofree char *path = write_files (folder, 3), *image = g_build_filename (folder, "a", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgImage) found = load (path, cases[i].options, cases[i].label, &error);

      if (cases[i].found != NULL)
        g_assert_no_error (error);
      else
        fixture_assert_message (error, cases[i].words);
      g_assert_cmpstr (found != NULL ? found->info.segment : NULL, ==, cases[i].found);
    }
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (VgImage) none = load (image, "segment=1", NULL, &error);
    g_autoptr (VgSource) all = fixture_open (folder, FALSE);

    g_assert_null (none);
    fixture_assert_message (error, "does not have this segment");
    /* of a folder the images are read */
    g_assert_cmpstr (all->info.segment, ==, "");
    g_assert_cmpint (all->info.slices, ==, 2);
    g_assert_nonnull (strstr (all->details, "(segment 4: Portal vein)"));
  }
  fixture_remove_folder (folder);
}

/* The only segment is the one that a setting takes, whatever its label. */
static void
test_alone (void)
{
  char *folder = fixture_folder ();
  g_autofree char *path = write_files (folder, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = load (path, NULL, "Liver", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (image->info.segment, ==, "Portal vein");
  g_assert_cmpint (image->info.slices, ==, 1);
  fixture_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dicom-segments/gaps", test_gaps);
  g_test_add_func ("/dicom-segments/choice", test_choice);
  g_test_add_func ("/dicom-segments/alone", test_alone);
  return g_test_run ();
}
