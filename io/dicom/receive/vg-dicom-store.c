/* SPDX-License-Identifier: MIT */
#include "io/dicom/receive/vg-dicom-store.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "io/dicom/vg-dicom-reader.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"

/* That stay free on the disk; it is looked at after so many bytes of an object. */
enum { LEAST_FREE = 64 << 20, LOOK_BYTES = 8 << 20, FOLDER_MODE = 0700 };

struct _VgDicomStore
{
  char *folder;
  guint64 most_bytes;
  GMutex lock; /* guards what follows */
  VgDicomReceived state;
  GHashTable *names; /* of the files that were stored or repeated, at most VG_DICOM_MOST_NAMES */
  guint64 arriving;  /* bytes of objects that are not complete */
  guint told;        /* bit of each VgDicomTold that was told */
};

struct _VgDicomObject
{
  VgDicomStore *store;
  char *path;
  VgOutputFile *file; /* NULL: it is discarded */
  int fd;
  guint64 bytes, looked; /* written; when the disk was looked at */
  VgDicomStatus status;
  gboolean repeated;
};

VgDicomStore *
vg_dicom_store_new (const char *folder, guint64 most_bytes, GError **error)
{
  VgDicomStore *self;

  /* patients' data are for this user alone, unless the folder exists and says otherwise */
  if (g_mkdir_with_parents (folder, FOLDER_MODE) != 0 || g_access (folder, W_OK | X_OK) != 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   "cannot store images in \"%s\": %s; choose a folder that you can write to",
                   folder, g_strerror (errno));
      return NULL;
    }
  self = g_new0 (VgDicomStore, 1);
  self->folder = g_strdup (folder);
  self->most_bytes = most_bytes;
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&self->lock);
  return self;
}

void
vg_dicom_store_free (VgDicomStore *self)
{
  if (self == NULL)
    return;
  g_free (self->folder);
  g_hash_table_unref (self->names);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
vg_dicom_store_get_state (VgDicomStore *self, VgDicomReceived *state)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  *state = self->state;
}

GHashTable *
vg_dicom_store_list (VgDicomStore *self)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_hash_table_add (copy, g_strdup (name));
  return copy;
}

void
vg_dicom_store_count_open (VgDicomStore *self, int change)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  self->state.open += (guint) change;
}

/* The lock is held. */
static void
tell (VgDicomStore *self, VgDicomTold told, const char *sentence)
{
  if ((self->told >> told & 1) != 0)
    return;
  self->told |= 1u << told;
  vg_text_copy (self->state.sentences[self->state.said], sizeof self->state.sentences[0], sentence);
  self->state.said++;
}

void
vg_dicom_store_count_refused (VgDicomStore *self, VgDicomTold told, const char *sentence)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  self->state.refused++;
  tell (self, told, sentence);
}

void
vg_dicom_store_count_broken (VgDicomStore *self, VgDicomTold told, const char *sentence)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  self->state.broken++;
  tell (self, told, sentence);
}

/* ---- an object ---- */

static void
discard (VgDicomObject *self, VgDicomStatus status)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->file, vg_output_file_free);
  self->status = status;
  g_mutex_lock (&self->store->lock);
  self->store->arriving -= self->bytes;
  g_mutex_unlock (&self->store->lock);
  self->bytes = 0;
}

/* The disk or the limits have no room for it: ERROR, which is taken, or NULL. */
static void
refuse (VgDicomObject *self, VgDicomTold told, GError *error, const char *sentence)
{
  vg_dicom_store_count_refused (self->store, told, error != NULL ? error->message : sentence);
  g_clear_error (&error);
  discard (self, VG_DICOM_NO_ROOM);
}

/* Counts MORE bytes.  FALSE: they are beyond a limit, and are not counted. */
static gboolean
count_bytes (VgDicomObject *self, gsize more)
{
  VgDicomStore *store = self->store;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&store->lock);

  if (self->bytes + more > VG_DICOM_OBJECT_BYTES ||
      store->state.bytes + store->arriving + more > store->most_bytes ||
      store->state.stored >= VG_DICOM_MOST_NAMES)
    return FALSE;
  self->bytes += more;
  store->arriving += more;
  return TRUE;
}

static gboolean
has_room (VgDicomObject *self, gsize more)
{
  struct statvfs disk;

  if (!count_bytes (self, more))
    {
      refuse (self, VG_DICOM_TOLD_ROOM, NULL,
              "the limit for received images is reached, so further images are refused; stop "
              "receiving, and start again with another folder");
      return FALSE;
    }
  if (self->bytes > more && self->bytes < self->looked + LOOK_BYTES)
    return TRUE;
  self->looked = self->bytes;
  if (statvfs (self->store->folder, &disk) == 0 &&
      (guint64) disk.f_bavail * disk.f_frsize < LEAST_FREE + (guint64) LOOK_BYTES)
    {
      refuse (self, VG_DICOM_TOLD_DISK, NULL,
              "less than 64 MB of the disk is free, so images are refused; free some space");
      return FALSE;
    }
  return TRUE;
}

static void
open_file (VgDicomObject *self)
{
  g_autoptr (GError) error = NULL;

  self->file = vg_output_file_new_as (self->path, "received", &error);
  if (self->file != NULL)
    self->fd = open (vg_output_file_temporary (self->file), O_WRONLY | O_CLOEXEC);
  if (self->file == NULL || self->fd < 0)
    refuse (self, VG_DICOM_TOLD_DISK, g_steal_pointer (&error),
            "a received image cannot be stored; choose another folder");
}

VgDicomObject *
vg_dicom_store_begin (VgDicomStore *self, const VgDicomCommand *command, const char *syntax)
{
  VgDicomObject *object = g_new0 (VgDicomObject, 1);
  g_autofree char *name = g_strconcat (command->instance, ".dcm", NULL);
  g_autoptr (GByteArray) head = vg_dicom_file_head (command, syntax);

  object->store = self;
  object->fd = -1;
  object->path = g_build_filename (self->folder, name, NULL);
  object->repeated = g_file_test (object->path, G_FILE_TEST_EXISTS);
  if (!object->repeated)
    open_file (object);
  vg_dicom_object_add (object, head->data, head->len);
  return object;
}

void
vg_dicom_object_add (VgDicomObject *self, const guint8 *bytes, gsize n)
{
  if (self->fd < 0 || !has_room (self, n))
    return;
  while (n > 0)
    {
      gssize written = write (self->fd, bytes, n);

      if (written < 0 && errno != EINTR)
        {
          refuse (self, VG_DICOM_TOLD_DISK, NULL,
                  "a received image cannot be stored; check the disk, or choose another folder");
          return;
        }
      bytes += MAX (written, 0);
      n -= (gsize) MAX (written, 0);
    }
}

/* The file appears, unless another connection has stored the object meanwhile. */
static void
commit (VgDicomObject *self)
{
  VgDicomStore *store = self->store;
  g_autoptr (GError) error = NULL;
  gboolean exists;

  if (vg_output_file_commit_new (self->file, &exists, &error))
    {
      g_mutex_lock (&store->lock);
      store->state.stored++;
      store->state.bytes += self->bytes;
      store->arriving -= self->bytes;
      g_mutex_unlock (&store->lock);
      self->bytes = 0;
      return;
    }
  self->repeated = exists;
  if (exists)
    discard (self, VG_DICOM_SUCCESS);
  else
    refuse (self, VG_DICOM_TOLD_DISK, g_steal_pointer (&error), NULL);
}

VgDicomStatus
vg_dicom_object_end (VgDicomObject *self)
{
  VgDicomStore *store = self->store;
  VgDicomStatus status;

  if (self->file != NULL)
    commit (self);
  status = self->status;
  if (status == VG_DICOM_SUCCESS)
    {
      g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&store->lock);

      store->state.repeated += self->repeated ? 1 : 0;
      store->state.last_us = g_get_monotonic_time ();
      if (g_hash_table_size (store->names) < VG_DICOM_MOST_NAMES)
        g_hash_table_add (store->names, g_path_get_basename (self->path));
    }
  vg_dicom_object_drop (self);
  return status;
}

void
vg_dicom_object_drop (VgDicomObject *self)
{
  if (self == NULL)
    return;
  discard (self, VG_DICOM_SUCCESS);
  g_free (self->path);
  g_free (self);
}
