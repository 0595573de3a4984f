/* SPDX-License-Identifier: MIT */
/* Writes the corpus of lifetime files: DECAY-CORPUS FOLDER STAMP.  Each is
 * small, and begins with the byte that fuzz-source takes its options from. */
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/spc-fixture.h"

typedef struct
{
  const char *folder;
  int number;
} Corpus;

static void
put (Corpus *self, guint8 mode, GByteArray *bytes)
{
  g_autofree char *name = g_strdup_printf ("%02d", self->number++),
                  *path = g_build_filename (self->folder, name, NULL);

  g_byte_array_prepend (bytes, &mode, 1);
  if (bytes->len > 4096)
    g_error ("%s has %u bytes: more than the runner takes", name, bytes->len);
  fixture_write (path, bytes);
  g_byte_array_unref (bytes);
}

static void
put_sdt (Corpus *self)
{
  for (int i = 0; i < 6; i++)
    {
      SdtVariant variant = fixture_sdt_variant ();
      double *values;

      variant.description_length = i == 2 ? 203 : 512;
      variant.revision = i == 3 ? 15 : 14;
      variant.packing = (SdtPacking) (i % 3);
      variant.type = (guint) i % 3;
      variant.bins = 16;
      variant.blocks = i > 3 ? 2 : 1;
      variant.stored[0] = variant.scan[0] = 3;
      variant.stored[1] = variant.scan[1] = 4;
      put (self, (guint8) (i > 3 ? 8 * (i - 3) : 0), fixture_sdt (&variant, 1, &values));
      g_free (values);
    }
}

static void
put_ptu (Corpus *self)
{
  static const guint types[] = { 0x00010303, 0x00010304, 0x01010304, 0x00010307 };

  for (guint i = 0; i < 8; i++)
    {
      PtuVariant variant = fixture_ptu_variant (types[i % 4]);
      guint32 *counts;

      variant.width = 3;
      variant.height = 2;
      variant.frames = 2;
      variant.photons_per_line = 5;
      variant.line_syncs = 2000;
      variant.markers = (PtuFrames) (i % 3);
      variant.bidirectional = i == 5;
      variant.no_stops = i == 6;
      put (self, (guint8) (i < 4 ? 0 : i % 2 ? 24 : 8), fixture_ptu (&variant, 1, &counts));
      g_free (counts);
    }
}

static void
put_spc (Corpus *self)
{
  for (int i = 0; i < 4; i++)
    {
      SpcVariant variant = fixture_spc_variant ();
      guint32 *counts;

      variant.width = 3;
      variant.height = 2;
      variant.photons_per_line = 20;
      variant.no_pixels = i == 1;
      variant.no_frames = i == 2;
      variant.gaps = i;
      put (self, (guint8) (i % 2 ? 24 : 8), fixture_spc (&variant, 1, &counts));
      g_free (counts);
    }
}

int
main (int argc, char **argv)
{
  static const char curve[] = "time (ps),counts\n0,1\n50,2\n100,3.5\n150,4\n";
  Corpus self = { .folder = argv[1] };
  g_autoptr (GByteArray) inner = fixture_pqbin (3, 2, 16, 0.1f);

  if (argc != 3 || g_mkdir_with_parents (argv[1], 0755) != 0)
    return 2;
  put_sdt (&self);
  put_ptu (&self);
  put_spc (&self);
  put (&self, 0, fixture_zip (TRUE, "a.bin", inner, NULL));
  put (&self, 0, fixture_zip (FALSE, "a.bin", inner, NULL));
  put (&self, 0, fixture_pqbin (3, 2, 16, 0.1f));
  put (&self, 0,
       g_byte_array_append (g_byte_array_new (), (const guint8 *) curve, sizeof curve - 1));
  return g_file_set_contents (argv[2], "", 0, NULL) ? 0 : 1;
}
