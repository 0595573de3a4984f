/* SPDX-License-Identifier: MIT */
#include "app/volume/vg-mask-store.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"

enum { HASH_CHARS = 12, MOST_NAME = 80 };
#define NAME_CHARS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_"
#define SUFFIX ".nii.gz"

/* Owned. */
static char *
folder_of (void)
{
  return g_build_filename (g_get_user_data_dir (), "vivograph", "masks", NULL);
}

static gboolean
is_key (const char *key)
{
  gsize length = strlen (key);
  const char *dash = length > HASH_CHARS ? key + length - HASH_CHARS - 1 : key;

  return length > HASH_CHARS + 1 && length <= MOST_NAME + HASH_CHARS + 1 && *dash == '-' &&
         strspn (key, NAME_CHARS) == length && strspn (dash + 1, "0123456789abcdef") == HASH_CHARS;
}

char *
vg_mask_store_path (const char *key)
{
  g_autofree char *folder = folder_of ();

  return is_key (key) ? g_strdup_printf ("%s/%s" SUFFIX, folder, key) : NULL;
}

char *
vg_mask_store_key (const char *path)
{
  g_autofree char *base = g_path_get_basename (path), *full = NULL;

  if (!g_str_has_suffix (base, SUFFIX))
    return NULL;
  base[strlen (base) - strlen (SUFFIX)] = '\0';
  full = vg_mask_store_path (base);
  return g_strcmp0 (full, path) == 0 ? g_steal_pointer (&base) : NULL;
}

/* "Liver" and the first figures of the SHA-256 of the LENGTH bytes at DATA; owned. */
static char *
make_key (const char *name, const void *data, gsize length)
{
  g_autofree char *hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, data, length);

  return g_strdup_printf ("%.*s-%.*s", MOST_NAME, *name != '\0' ? name : "mask", HASH_CHARS, hash);
}

char *
vg_mask_store_add (const VgMask *mask, const VgImageInfo *info, const char *name, GError **error)
{
  g_autofree char *folder = folder_of (), *plain = g_strdup (name), *first = NULL, *data = NULL,
                  *key = NULL, *path = NULL, *unique = g_uuid_string_random ();
  gsize length = 0;

  g_strcanon (plain, NAME_CHARS, '_');
  /* several runs may store their masks at the same time */
  first = g_strdup_printf ("%s/.%.*s-%s" SUFFIX, folder, MOST_NAME, plain, unique);
  g_mkdir_with_parents (folder, 0700); /* a failure is reported by what follows */
  if (!vg_mask_save (mask, info, first, error) ||
      !g_file_get_contents (first, &data, &length, error))
    return NULL;
  key = make_key (plain, data, length);
  path = vg_mask_store_path (key);
  if (g_rename (first, path) == 0)
    return g_steal_pointer (&path);
  g_unlink (first);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
               "the mask cannot be stored as \"%s\": %s; save it, and choose the file", path,
               g_strerror (errno));
  return NULL;
}

char *
vg_mask_store_pack (const char *key)
{
  g_autofree char *path = vg_mask_store_path (key), *data = NULL;
  gsize length = 0;
  GStatBuf status;

  if (path == NULL || g_stat (path, &status) != 0 || !S_ISREG (status.st_mode) ||
      status.st_size > VG_MASK_STORE_MOST || !g_file_get_contents (path, &data, &length, NULL))
    return NULL;
  return g_base64_encode ((const guchar *) data, length);
}

gboolean
vg_mask_store_unpack (const char *key, const char *text, GError **error)
{
  g_autofree char *folder = folder_of (), *path = vg_mask_store_path (key), *expected = NULL;
  gsize length = 0;
  g_autofree guchar *data = NULL;

  if (path != NULL && strlen (text) / 4 * 3 <= VG_MASK_STORE_MOST + 3)
    data = g_base64_decode (text, &length);
  if (data != NULL)
    {
      g_autofree char *name = g_strndup (key, strlen (key) - HASH_CHARS - 1);

      expected = make_key (name, data, length);
    }
  if (g_strcmp0 (expected, key) != 0)
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                           "the mask is cut short or damaged; remove the line, and the names of "
                           "the mask");
      return FALSE;
    }
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_mkdir_with_parents (folder, 0700); /* a failure is reported by what follows */
  return vg_write_bytes (path, data, length, error);
}
