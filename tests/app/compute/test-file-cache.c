/* SPDX-License-Identifier: MIT */
/* Files that are settings: of several channels the fullest, or the one that is named; several files
 * as one image. */
#include <glib/gstdio.h>
#include <string.h>
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/nifti-fixture.h"
#include "kernels/core/vg-operation.h"
#include "app/compute/vg-work-private.h"

typedef struct
{
  char *full, *first;
} Params;

static const VgParam items[] = {
  VG_FILE_PARAM (Params, full, .label = "Full", .file.kinds = VG_FILE_IMAGE,
                 .file.brightest_channel = TRUE),
  VG_FILE_PARAM (Params, first, .label = "First", .file.kinds = VG_FILE_IMAGE),
};
static const VgOperation operation = { .id = "test",
                                       .input.bins = { 2, 0 },
                                       .params = { items, G_N_ELEMENTS (items), sizeof (Params) } };

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
  g_autofree char *folder = g_dir_make_tmp ("vivograph-XXXXXX", NULL),
                  *path = g_build_filename (folder, "three.sdt", NULL);
  g_autofree char *named = g_strconcat (path, "#channel=2", NULL);
  gboolean seen[3] = { FALSE, FALSE, FALSE };

  for (guint32 seed = 1; seed < 9; seed++)
    {
      g_autoptr (GError) error = NULL;
      VgFileCache *cache = vg_file_cache_new (&operation);
      int best = write_channels (path, seed);
      Params params = { path, path };

      vg_file_cache_load (cache, &params, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (channel_of (cache, 0), ==, best);
      g_assert_cmpint (channel_of (cache, 1), ==, 1);
      params.full = named;
      vg_file_cache_load (cache, &params, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (channel_of (cache, 0), ==, 2);
      seen[best - 1] = TRUE;
      vg_file_cache_free (cache);
    }
  g_assert_true (seen[1] || seen[2]); /* else the first would do */
  g_unlink (path);
  g_rmdir (folder);
}

typedef struct
{
  char *list;
} Listed;

static const VgParam listed_items[] = {
  VG_FILE_PARAM (Listed, list, .label = "List", .file.kinds = VG_FILE_IMAGE, .file.multiple = TRUE),
};
static const VgOperation listed = { .id = "listed",
                                    .params = { listed_items, 1, sizeof (Listed) } };

static void
write_volume (const char *folder, int i, int width, const char *beside)
{
  enum { FORM_CODES = 252 };
  NiftiVariant variant = fixture_nifti_variant (width, 4, 3, 1);
  g_autoptr (GByteArray) bytes = fixture_nifti (&variant, (guint32) i, NULL);
  g_autofree char *path = g_strdup_printf ("%s/v_%d.nii", folder, i),
                  *json = g_strdup_printf ("%s/v_%d.json", folder, i);

  if (width != 5)
    memset (bytes->data + FORM_CODES, 0, 4); /* its position is not known */
  fixture_write (path, bytes);
  g_assert_true (g_file_set_contents (json, beside, -1, NULL));
}

static const VgImage *
load_listed (VgFileCache *cache, const char *list, GError **error)
{
  Listed params = { (char *) list };
  guint n;

  return vg_file_cache_load (cache, &params, NULL, error) ? vg_file_cache_get (cache, &n)[0].image
                                                          : NULL;
}

/* Frames follow each other as named, with the angle that stands beside each. */
static void
test_several (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vivograph-XXXXXX", NULL),
                  *list = g_strdup_printf ("%s/v_3.nii; %s/v_1.nii;%s/v_2.nii", folder, folder,
                                           folder);
  g_autofree char *other = g_strdup_printf ("%s/v_1.nii;%s/v_4.nii", folder, folder),
                  *json = g_build_filename (folder, "v_2.json", NULL);
  g_autoptr (GError) error = NULL;
  VgFileCache *cache = vg_file_cache_new (&listed);
  const VgImage *image;

  for (int i = 1; i <= 3; i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"RepetitionTime\": 0.005, \"FlipAngle\": %d}",
                                               10 * i);

      write_volume (folder, i, 5, text);
    }
  write_volume (folder, 4, 6, "{}");
  image = load_listed (cache, list, &error);
  g_assert_no_error (error);
  g_assert_cmpint (image->info.frames, ==, 3);
  g_assert_cmpfloat_with_epsilon (image->info.repetition_ms, 5, 1e-12);
  for (int i = 0; i < 3; i++)
    {
      static const int order[] = { 3, 1, 2 };
      g_autofree char *path = g_strdup_printf ("%s/v_%d.nii", folder, order[i]);
      g_autoptr (VgImage) one = vg_image_load (path, VG_FILE_IMAGE, NULL, NULL);
      gsize bytes = vg_image_info_frame_bytes (&one->info);

      g_assert_cmpfloat (image->flips_deg[i], ==, 10 * order[i]);
      g_assert_cmpmem ((char *) image->data + (gsize) i * bytes, bytes, one->data, bytes);
    }
  g_assert_true (load_listed (cache, list, NULL) == image); /* not read again */
  g_assert_null (load_listed (cache, other, &error));
  g_assert_true (g_str_has_prefix (error->message, "List: "));
  g_assert_nonnull (strstr (error->message, "v_4.nii"));
  /* one angle that is not known: none is */
  g_assert_true (g_file_set_contents (json, "{\"RepetitionTime\": 0.006}", -1, NULL));
  vg_file_cache_free (cache);
  cache = vg_file_cache_new (&listed);
  image = load_listed (cache, list, NULL);
  g_assert_null (image->flips_deg);
  g_assert_cmpfloat (image->info.repetition_ms, ==, 0);
  vg_file_cache_free (cache);
  for (int i = 1; i <= 4; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/v_%d.nii", folder, i),
                      *beside = g_strdup_printf ("%s/v_%d.json", folder, i);

      g_unlink (path);
      g_unlink (beside);
    }
  g_rmdir (folder);
}

static const VgParam texts_items[] = {
  VG_FILE_PARAM (Listed, list, .label = "Tables", .file.kinds = VG_FILE_TEXT,
                 .file.multiple = TRUE),
};
static const VgOperation texts = { .id = "texts", .params = { texts_items, 1, sizeof (Listed) } };

/* Several texts are one, whose parts have the names of the files. */
static void
test_texts (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vivograph-XXXXXX", NULL),
                  *list = g_strdup_printf ("%s/a.csv;%s/b.csv", folder, folder),
                  *missing = g_strdup_printf ("%s/a.csv;%s/c.csv", folder, folder);
  static const char *const names[] = { "a.csv", "b.csv" };
  g_autoptr (GError) error = NULL;
  VgFileCache *cache = vg_file_cache_new (&texts);
  const VgImage *image;

  for (int i = 0; i < 2; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_true (g_file_set_contents (path, i == 0 ? "0,1\n" : "2,3\n", -1, NULL));
    }
  image = load_listed (cache, list, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (image->text, ==, "0,1\n\f2,3\n");
  g_assert_cmpuint (image->text_length, ==, strlen (image->text));
  for (int i = 0; i < 2; i++)
    g_assert_cmpstr (image->names[i], ==, names[i]);
  g_assert_null (image->names[2]);
  g_assert_null (load_listed (cache, missing, &error));
  g_assert_true (g_str_has_prefix (error->message, "Tables: "));
  vg_file_cache_free (cache);
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-cache/fullest", test_fullest);
  g_test_add_func ("/file-cache/several", test_several);
  g_test_add_func ("/file-cache/texts", test_texts);
  return g_test_run ();
}
