/* SPDX-License-Identifier: MIT */
/* Writes small DICOM files, to fuzz with: FOLDER STAMP. */
#include "tests/support/io/dicom-fixture.h"
#include <glib/gstdio.h>

int
main (int argc, char **argv)
{
  static const char *const names[] = { "DICOM\\IM1", "..\\SECRET" };
  DicomVariant variant = fixture_dicom_variant ();
  static const DicomSegmentFrame frames[] = { { 1, 0, { 1, 2, 4 } },
                                              { 4, 6, { 7, 0, 0 } },
                                              { 4, 0, { 0, 0, 255 } } };
  g_autoptr (GByteArray) listing = fixture_dicomdir (names, 2);
  g_autoptr (GByteArray) segments = fixture_dicom_segments (frames, G_N_ELEMENTS (frames));
  g_autofree char *path = NULL, *segmentation = NULL;

  if (argc != 3)
    g_error ("usage: dicom-corpus FOLDER STAMP");
  path = g_build_filename (argv[1], "listing", NULL);
  segmentation = g_build_filename (argv[1], "segments", NULL);
  g_mkdir_with_parents (argv[1], 0700);
  for (int syntax = DICOM_EXPLICIT; syntax <= DICOM_BIG; syntax++)
    {
      char name[2] = { (char) ('a' + syntax), '\0' };

      variant.syntax = (DicomSyntax) syntax;
      fixture_dicom_write (argv[1], name, &variant);
    }
  variant.declared = 3;
  fixture_dicom_write (argv[1], "frames", &variant);
  return g_file_set_contents (path, (const char *) listing->data, (gssize) listing->len, NULL) &&
                 g_file_set_contents (segmentation, (const char *) segments->data,
                                      (gssize) segments->len, NULL) &&
                 g_file_set_contents (argv[2], "", 0, NULL)
             ? 0
             : 1;
}
