/* SPDX-License-Identifier: MIT */
/* Writes the corpus of NIfTI files: NIFTI-CORPUS FOLDER STAMP.  Each is
 * small, and begins with the byte that fuzz-source takes its options from. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/nifti-fixture.h"
#include <string.h>

int
main (int argc, char **argv)
{
  static const int types[] = { 2, 4, 8, 16, 64, 128, 256, 512, 768, 1024, 1280, 2304 };

  if (argc != 3 || g_mkdir_with_parents (argv[1], 0755) != 0)
    return 2;
  for (guint i = 0; i < 2 * G_N_ELEMENTS (types); i++)
    {
      NiftiVariant variant = fixture_nifti_variant (4, 3, i % 3 ? 2 : 1, 3);
      guint8 mode = (guint8) (i % 2 | (i % 5 == 1 ? 8 : i % 3 == 0 ? 16 : 0));
      g_autofree char *name = g_strdup_printf ("%02u", i),
                      *path = g_build_filename (argv[1], name, NULL);
      g_autoptr (GByteArray) bytes = NULL;

      variant.type = types[i % G_N_ELEMENTS (types)];
      variant.version = 1 + (i / 2) % 2;
      variant.big = i % 3 == 1;
      variant.members = i < G_N_ELEMENTS (types) ? 0 : 1 + (int) i % 2;
      variant.slope = i % 4 ? 1 : 0.5;
      if (i % 5 == 1)
        {
          variant.axes = 5;
          variant.extent[4] = 2;
        }
      bytes = fixture_nifti (&variant, i, NULL);
      if (i % 4 == 3) /* as a pair; every other one as Analyze */
        {
          mode |= 64;
          bytes->data[variant.version == 2 ? 5 : 345] = 'i';
          fixture_nifti_put (bytes, &variant, variant.version == 2 ? 168 : 108, 0,
                             variant.version == 2 ? 8 : 4);
          if (i % 8 == 3 && variant.version == 1)
            memcpy (bytes->data + 344, "\0\0\0", 4);
          bytes->data[38] = 'r';
        }
      g_byte_array_prepend (bytes, &mode, 1);
      fixture_write (path, bytes);
    }
  return g_file_set_contents (argv[2], "", 0, NULL) ? 0 : 1;
}
