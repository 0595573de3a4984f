/* SPDX-License-Identifier: MIT */
/* A folder into which another program writes files: each is read when it is complete, in the order
 * in which they appear; those that appear together, in the order of their names.
 *
 * A file is complete when it was renamed into the folder, when its writer has closed it, or when it
 * has not changed for a second; and when its reader accepts it.  Inotify tells of the first two at
 * once.  The folder is also listed now and then, because inotify hears nothing of a file that
 * another computer writes. */
#include "io/live/vg-live-private.h"
#include "io/vg-formats.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  LIST_US = 500000,  /* between two looks at the folder */
  REST_US = 1000000, /* without a change: a file is complete */
};

typedef struct
{
  char *name;
  gint64 size, changed_ns; /* when it was last looked at */
  gint64 same_since_us;    /* monotonic time since which both are so */
  gboolean closed;         /* by its writer, or renamed into the folder */
} VgWatchedFile;

typedef struct
{
  VgLive live;
  char *folder;
  char *read_options;
  VgSourceOptions options;
  GHashTable *seen; /* names */
  GQueue waiting;   /* of VgWatchedFile, in the order in which they appeared */
  gint64 listed_us;
  VgSource *file; /* that is being read; or NULL */
  gint64 index, changed_ns;
  gint64 first_ns; /* time of change of the first file that was read */
  double last_s;
  gboolean begun; /* a frame has come */
  guint64 frames;
} VgWatchSource;

static void
watched_free (gpointer data)
{
  g_free (((VgWatchedFile *) data)->name);
  g_free (data);
}

/* --- the folder --- */

static gboolean
is_wanted (const char *name)
{
  return name[0] != '.' && !g_str_has_suffix (name, "~") && vg_format_has_suffix (name) &&
         strstr (name, ".part.") == NULL;
}

static gboolean
look_at (const VgWatchSource *self, VgWatchedFile *file)
{
  g_autofree char *path = g_build_filename (self->folder, file->name, NULL);
  gint64 changed_ns;
  struct stat found;

  if (stat (path, &found) != 0 || !S_ISREG (found.st_mode))
    return FALSE;
  changed_ns = (gint64) found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
  if (file->size != found.st_size || file->changed_ns != changed_ns)
    file->same_since_us = g_get_monotonic_time ();
  file->size = found.st_size;
  file->changed_ns = changed_ns;
  return TRUE;
}

static gboolean
has_rested (const VgWatchedFile *file)
{
  return g_get_monotonic_time () - file->same_since_us >= REST_US ||
         g_get_real_time () - file->changed_ns / 1000 >= REST_US;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const VgWatchedFile *x = *(VgWatchedFile *const *) a, *y = *(VgWatchedFile *const *) b;
  g_autofree char *shown_x = g_filename_display_name (x->name),
                  *shown_y = g_filename_display_name (y->name);
  g_autofree char *key_x = g_utf8_collate_key_for_filename (shown_x, -1),
                  *key_y = g_utf8_collate_key_for_filename (shown_y, -1);

  return strcmp (key_x, key_y);
}

/* A file of this name that was not seen before; NULL: it is none. */
static VgWatchedFile *
note_file (VgWatchSource *self, const char *name)
{
  VgWatchedFile *file;

  if (!is_wanted (name) || g_hash_table_contains (self->seen, name))
    return NULL;
  file = g_new0 (VgWatchedFile, 1);
  file->name = g_strdup (name);
  g_hash_table_add (self->seen, g_strdup (name));
  return file;
}

/* Adds the files that are new to those that wait.  FALSE: the folder cannot be read. */
static gboolean
list_folder (VgWatchSource *self, GError **error)
{
  g_autoptr (GDir) folder = g_dir_open (self->folder, 0, error);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  const char *name;

  self->listed_us = g_get_monotonic_time ();
  if (folder == NULL)
    return FALSE;
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      VgWatchedFile *file = note_file (self, name);

      if (file != NULL)
        g_ptr_array_add (found, file);
    }
  g_ptr_array_sort (found, compare_names);
  for (guint i = 0; i < found->len; i++)
    g_queue_push_tail (&self->waiting, found->pdata[i]);
  return TRUE;
}

/* The file NAME is closed: it is among those that wait, or the next of them. */
static void
take_closed (VgWatchSource *self, const char *name)
{
  VgWatchedFile *file = note_file (self, name);

  if (file != NULL)
    g_queue_push_tail (&self->waiting, file);
  for (GList *l = self->waiting.tail; l != NULL; l = l->prev)
    if (g_str_equal (((VgWatchedFile *) l->data)->name, name))
      {
        ((VgWatchedFile *) l->data)->closed = TRUE;
        return;
      }
}

/* The files that inotify names are closed.  TRUE: there was an event. */
static gboolean
take_events (VgWatchSource *self)
{
  union
  {
    struct inotify_event event;
    char bytes[4096];
  } buffer;
  gboolean any = FALSE;
  gssize n;

  while ((n = read (self->live.parent.fd, &buffer, sizeof buffer)) > 0)
    for (const char *at = buffer.bytes; at < buffer.bytes + n;)
      {
        const struct inotify_event *event = (gconstpointer) at;

        any = TRUE;
        if (event->len > 0)
          take_closed (self, event->name);
        at += sizeof *event + event->len;
      }
  return any;
}

/* --- a file --- */

/* Sets the info of SELF from its first file, or checks that the next has the same. */
static gboolean
take_info (VgWatchSource *self, const VgSource *file, GError **error)
{
  VgSource *source = &self->live.parent;

  if (source->info.width > 0)
    return vg_live_check_same (&self->live, &file->info, error);
  source->info = file->info;
  source->info.frames = -1;
  source->details = g_strdup (file->details);
  source->caution = g_strdup (file->caution);
  if (file->info.channels_available > 1)
    {
      g_autofree char *number = g_strdup_printf ("%d", file->info.channel),
                      *before = self->read_options;

      self->options.read_options = self->read_options = vg_read_options_set (
          before, vg_params_find (&vg_read_options_table, "channel"), number, NULL);
    }
  return TRUE;
}

typedef enum { OPEN_DONE, OPEN_LATER, OPEN_GONE, OPEN_BAD, OPEN_FAILED } OpenResult;

/* Opens the file that waits longest.  BAD: its reader refuses it, as ERROR says. */
static OpenResult
open_first (VgWatchSource *self, GError **error)
{
  VgWatchedFile *file = g_queue_peek_head (&self->waiting);
  g_autofree char *path = NULL;
  g_autoptr (VgSource) opened = NULL;
  gboolean rested;

  if (file == NULL)
    return OPEN_LATER;
  if (!look_at (self, file))
    {
      /* a file that comes back under this name is a new one */
      g_hash_table_remove (self->seen, file->name);
      watched_free (g_queue_pop_head (&self->waiting));
      return OPEN_GONE;
    }
  rested = has_rested (file);
  if (!file->closed && !rested)
    return OPEN_LATER;
  path = g_build_filename (self->folder, file->name, NULL);
  opened = vg_source_open (path, &self->options, rested ? error : NULL);
  if ((opened == NULL || opened->cut) && !rested)
    {
      file->closed = FALSE;
      return OPEN_LATER;
    }
  self->changed_ns = file->changed_ns;
  watched_free (g_queue_pop_head (&self->waiting));
  if (opened != NULL && opened->info.frames < 1)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME, "\"%s\" has no frames; export it again",
                   opened->name);
      return OPEN_BAD;
    }
  if (opened == NULL)
    return OPEN_BAD;
  if (!take_info (self, opened, error))
    return OPEN_FAILED;
  self->file = g_steal_pointer (&opened);
  self->index = 0;
  return OPEN_DONE;
}

/* Waits until a file is open.  FALSE without an error: cancelled. */
static gboolean
wait_for_file (VgWatchSource *self, guint64 *id, GError **error)
{
  VgSource *source = &self->live.parent;

  while (self->file == NULL)
    {
      g_autoptr (GError) local = NULL;
      OpenResult result = open_first (self, &local);

      if (result == OPEN_FAILED || result == OPEN_BAD)
        {
          if (result == OPEN_BAD)
            {
              *id = vg_live_count (&self->live, self->frames++, 0, TRUE);
              g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FRAME, local->message);
            }
          else
            g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (result != OPEN_LATER)
        continue;
      if (!vg_live_wait (&self->live, source->fd, LIST_US / 5))
        return FALSE;
      if (take_events (self) || g_get_monotonic_time () - self->listed_us < LIST_US)
        continue;
      if (!list_folder (self, NULL))
        vg_live_report (
            &self->live, VG_LIVE_WAITING,
            "the folder \"%s\" can no longer be read; waiting until it is available again",
            self->folder);
      else
        vg_live_report_connected (&self->live);
    }
  return TRUE;
}

/* Seconds since the first file, by the times at which the files were last changed; it only rises.
 */
static double
find_time (VgWatchSource *self)
{
  const VgSource *file = self->file;
  double within = file->times_s != NULL ? file->times_s[self->index]
                                        : (double) self->index * file->info.frame_interval_s;
  double time_s;

  if (!self->begun)
    self->first_ns = self->changed_ns;
  time_s = ((double) self->changed_ns - (double) self->first_ns) * 1e-9 + within;
  if (self->begun && !(time_s > self->last_s))
    time_s = self->last_s + MAX (file->info.frame_interval_s, 1e-6);
  self->begun = TRUE;
  self->last_s = time_s;
  return time_s;
}

static gboolean
watch_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  VgWatchSource *self = (VgWatchSource *) source;
  gboolean good;

  if (self->file != NULL && self->index >= self->file->info.frames)
    g_clear_pointer (&self->file, vg_source_close);
  if (!wait_for_file (self, id, error))
    return FALSE;
  *time_s = find_time (self);
  source->device_ns = self->changed_ns;
  good = vg_source_read (self->file, self->index++, frame, error);
  *id = vg_live_count (&self->live, self->frames++, 0, !good);
  if (!good && error != NULL && *error != NULL)
    {
      (*error)->domain = VG_IO_ERROR; /* the other files can be read */
      (*error)->code = VG_IO_ERROR_FRAME;
    }
  return good;
}

static void
watch_clear (VgSource *source)
{
  VgWatchSource *self = (VgWatchSource *) source;

  vg_source_close (self->file);
  g_queue_clear_full (&self->waiting, watched_free);
  g_clear_pointer (&self->seen, g_hash_table_unref);
  g_free (self->folder);
  g_free (self->read_options);
  vg_live_clear (&self->live);
}

static const VgSourceClass watch_class = {
  .next = watch_next,
  .cancel = vg_live_cancel,
  .clear = watch_clear,
  .get_status = vg_live_get_status,
};

/* Begins to watch, then lists the files that are there, so that none falls between. */
static gboolean
begin_to_watch (VgWatchSource *self, GError **error)
{
  self->live.parent.fd = inotify_init1 (IN_CLOEXEC | IN_NONBLOCK);
  if (self->live.parent.fd >= 0)
    inotify_add_watch (self->live.parent.fd, self->folder, IN_CLOSE_WRITE | IN_MOVED_TO);
  return list_folder (self, error);
}

static VgSource *
watch_folder (const VgLiveRequest *request, GError **error)
{
  VgWatchSource *self = (VgWatchSource *) vg_live_new (sizeof (VgWatchSource), &watch_class,
                                                       request->name, "watched folder", error);
  g_autoptr (VgSource) source = (VgSource *) self;
  g_autoptr (GError) local = NULL;
  OpenResult result;

  if (self == NULL)
    return NULL;
  self->folder = g_strdup (request->address);
  self->read_options = g_strdup (request->options->read_options);
  self->options = *request->options;
  self->options.read_options = self->read_options;
  self->options.in_series = TRUE;
  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  source->info.width = 0;
  if (!begin_to_watch (self, &local))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot watch the folder \"%s\": %s",
                   self->folder, local->message);
      return NULL;
    }
  while ((result = open_first (self, &local)) == OPEN_BAD || result == OPEN_GONE)
    {
      if (result == OPEN_BAD)
        vg_live_count (&self->live, self->frames++, 0, TRUE);
      g_clear_error (&local);
    }
  if (result == OPEN_DONE)
    return g_steal_pointer (&source);
  if (result == OPEN_FAILED)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER,
                 "the folder \"%s\" contains no complete, readable file yet; waiting for one",
                 self->folder);
  return NULL;
}

static VgSource *
watch_open (const VgLiveRequest *request, GError **error)
{
  return g_file_test (request->address, G_FILE_TEST_IS_REGULAR)
             ? vg_growing_source_open (request, error)
             : watch_folder (request, error);
}

const VgLiveDriver vg_watch_driver = { VG_LIVE_ABI, "watch", watch_open, NULL };
