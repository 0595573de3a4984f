/* SPDX-License-Identifier: MIT */
/* Files that are settings: of several channels the fullest, or the one that is named. */
#include <glib/gstdio.h>
#include "decay-fixture.h"
#include "vg-operation.h"
#include "vg-work-private.h"

typedef struct
{
  char *full, *first;
} Params;

static const VgParam items[] = {
  VG_FILE_PARAM (Params, full, .label = "Full", .file_kinds = VG_FILE_IMAGE, .fullest = TRUE),
  VG_FILE_PARAM (Params, first, .label = "First", .file_kinds = VG_FILE_IMAGE),
};
static const VgOperation operation = { .id = "test", .bins = TRUE, .params = { items, G_N_ELEMENTS (items), sizeof (Params) } };

/* Writes an .sdt of three channels; which of them, from 1, holds most. */
static int
write_channels (const char *path, guint32 seed)
{
  SdtVariant variant = fixture_sdt_variant ();
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree double *values = NULL;
  gsize n = 7 * 5 * 64;
  double most = -1;
  int best = 0;

  variant.routed = 3;
  variant.scan[2] = variant.image[2] = 3;
  bytes = fixture_sdt (&variant, seed, &values);
  fixture_write (path, bytes);
  for (int channel = 0; channel < 3; channel++)
    {
      double sum = 0;

      for (gsize i = 0; i < n; i++)
        sum += values[(gsize) channel * n + i];
      if (sum > most)
        {
          most = sum;
          best = channel + 1;
        }
    }
  return best;
}

static int
channel_of (VgFileCache *cache, guint i)
{
  guint n;
  const VgInputFile *files = vg_file_cache_get (cache, &n);

  g_assert_cmpuint (n, ==, 2);
  return files[i].image->info.channel;
}

static void
test_fullest (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vivograph-XXXXXX", NULL), *path = g_build_filename (folder, "three.sdt", NULL);
  g_autofree char *named = g_strconcat (path, "#channel=2", NULL);
  gboolean seen[3] = { FALSE, FALSE, FALSE };

  for (guint32 seed = 1; seed < 9; seed++)
    {
      g_autoptr (GError) error = NULL;
      VgFileCache *cache = vg_file_cache_new (&operation);
      int best = write_channels (path, seed);
      Params params = { path, path };

      vg_file_cache_load (cache, &params, &error);
      g_assert_no_error (error);
      g_assert_cmpint (channel_of (cache, 0), ==, best);
      g_assert_cmpint (channel_of (cache, 1), ==, 1);
      params.full = named;
      vg_file_cache_load (cache, &params, &error);
      g_assert_no_error (error);
      g_assert_cmpint (channel_of (cache, 0), ==, 2);
      seen[best - 1] = TRUE;
      vg_file_cache_free (cache);
    }
  g_assert_true (seen[1] || seen[2]);   /* else the first would do */
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-cache/fullest", test_fullest);
  return g_test_run ();
}
