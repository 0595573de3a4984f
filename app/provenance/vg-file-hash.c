/* SPDX-License-Identifier: MIT */
/* Two threads that ask for one file share its reading: the second waits. */
#include "app/provenance/vg-file-hash.h"
#include <glib/gstdio.h>
#include <errno.h>
#include "kernels/base/vg-error.h"

enum { CHUNK = 1 << 15, MOST_KEPT = 4096 };

/* By path, size and time of the last change, which no program can set; the value is the hash, or ""
 * while a thread reads the file. */
static GMutex lock;
static GCond finished;
static GHashTable *kept;

/* The hash of KEY, owned; NULL: the caller has to read the file, and then calls store. */
static char *
find_or_claim (const char *key, GCancellable *cancellable)
{
  char *found;

  g_mutex_lock (&lock);
  if (kept == NULL || g_hash_table_size (kept) > MOST_KEPT)
    {
      g_clear_pointer (&kept, g_hash_table_unref);
      kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    }
  while ((found = g_hash_table_lookup (kept, key)) != NULL && *found == '\0' &&
         !g_cancellable_is_cancelled (cancellable))
    g_cond_wait_until (&finished, &lock, g_get_monotonic_time () + G_TIME_SPAN_SECOND / 10);
  found = found != NULL && *found != '\0' ? g_strdup (found) : NULL;
  if (found == NULL)
    g_hash_table_insert (kept, g_strdup (key), g_strdup (""));
  g_mutex_unlock (&lock);
  return found;
}

/* HASH NULL: the file could not be read. */
static void
store (const char *key, const char *hash)
{
  g_mutex_lock (&lock);
  if (hash != NULL)
    g_hash_table_insert (kept, g_strdup (key), g_strdup (hash));
  else
    g_hash_table_remove (kept, key);
  g_cond_broadcast (&finished);
  g_mutex_unlock (&lock);
}

static char *
read_hash (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guchar chunk[CHUNK];
  gssize n = -1;

  while (stream != NULL &&
         (n = g_input_stream_read (G_INPUT_STREAM (stream), chunk, CHUNK, cancellable, error)) > 0)
    g_checksum_update (checksum, chunk, n);
  return n == 0 ? g_strdup (g_checksum_get_string (checksum)) : NULL;
}

char *
vg_file_hash (const char *path, GCancellable *cancellable, guint64 *bytes, GError **error)
{
  g_autofree char *key = NULL;
  GStatBuf found;
  char *hash;

  *bytes = 0;
  if (g_stat (path, &found) != 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "\"%s\" cannot be read again: %s", path,
                   g_strerror (errno));
      return NULL;
    }
  if (!S_ISREG (found.st_mode))
    return NULL;
  *bytes = (guint64) found.st_size;
  key = g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld %s", *bytes,
                         (gint64) found.st_ctim.tv_sec, found.st_ctim.tv_nsec, path);
  hash = find_or_claim (key, cancellable);
  if (hash == NULL)
    {
      hash = read_hash (path, cancellable, error);
      store (key, hash);
    }
  return hash;
}

typedef struct
{
  GStrv paths;
  GCancellable *cancellable;
} Ahead;

static gpointer
read_ahead (gpointer data)
{
  Ahead *self = data;

  for (guint i = 0; self->paths[i] != NULL; i++)
    {
      guint64 bytes;

      /* a file that cannot be read is reported by the one who needs its hash */
      g_free (vg_file_hash (self->paths[i], self->cancellable, &bytes, NULL));
    }
  g_strfreev (self->paths);
  g_clear_object (&self->cancellable);
  g_free (self);
  return NULL;
}

void
vg_file_hash_ahead (const char *const *paths, GCancellable *cancellable)
{
  Ahead *self;

  if (paths == NULL || paths[0] == NULL)
    return;
  self = g_new0 (Ahead, 1);
  self->paths = g_strdupv ((char **) paths);
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  g_thread_unref (g_thread_new ("file-hash", read_ahead, self));
}
