/* SPDX-License-Identifier: MIT */
/* The recorder's ring and thread. */
#include "app/record/vg-recorder.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
#include "app/record/vg-part-mark.h"
#include "io/write/vg-frame-file.h"

enum { SYNC_US = 1000000, SYNC_BYTES = 64 << 20, LOOK_US = 250000, NICE = -10 };

/* N frames were dropped before frame ID.  INTERRUPTED: the connection was lost before one of them.
 */
typedef struct
{
  guint64 id, n;
  gboolean interrupted;
} Gap;

struct _VgRecorder
{
  GMutex lock;
  GCond wake;
  GThread *thread;
  GQueue ring; /* of VgFrame */
  guint ring_max;
  gboolean stop;   /* the thread is to end */
  gboolean closed; /* what comes is not part of it any more */
  gboolean begun;  /* a frame has come */
  guint past;      /* of the frames in the ring, those from before the recording */
  GQueue gaps;     /* of Gap, before frames in the ring */
  Gap dropped;     /* frames since the newest in the ring */
  VgRecording now;
  double first_s; /* time of the first frame kept */
  double past_s;  /* time of the first frame from before the recording */
  GString *marks; /* JSON of those that are still to be written, "" or "{...}, {...}" */
  GError *error;  /* the first; nothing is written after it */

  /* recorder thread, until it is joined */
  VgFrameFile *file;
  VgPartMark *mark; /* of the file while it is none yet; or NULL */
  VgImageInfo info;
  gint64 synced_us, looked_us;
  char *source;     /* what the first frame says of it; NULL: nothing, or it is written */
  char *settings;   /* of the camera, as they were written last, a GRefString; or NULL */
  char *last_text;  /* of the last frame in the file, without its marks; or NULL */
  char *last_marks; /* JSON of those that were written with it */

  VgRecorderEnded ended;
  gpointer data;
};

void
vg_recorder_go_first (void)
{
  static __thread gboolean has_tried;

  if (!has_tried && getpriority (PRIO_PROCESS, 0) > NICE) /* a user may have set a higher one */
    setpriority (PRIO_PROCESS, 0, NICE);
  has_tried = TRUE;
}

guint
vg_recorder_ring (const VgImageInfo *info)
{
  const gsize bytes = MAX (vg_image_info_frame_bytes (info), 1);

  return (guint) CLAMP (vg_memory_available () / 4 / bytes, 4, VG_RECORDER_FRAMES);
}

/* --- space --- */

static guint64
find_free (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct statvfs disk;

  return statvfs (folder, &disk) == 0 ? (guint64) disk.f_bavail * disk.f_frsize : G_MAXUINT64;
}

static gboolean
check_space (const char *path, const VgImageInfo *info, guint64 free_bytes, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path), *size = g_format_size (free_bytes),
                  *left = free_bytes > 0 ? g_strdup_printf ("only %s", size)
                                         : g_strdup ("no space");

  if (free_bytes >= VG_RECORDER_LEAST_FREE + vg_image_info_frame_bytes (info))
    return TRUE;
  g_set_error (
      error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
      "%s is free in \"%s\", too little to record; free some space, or choose another folder", left,
      folder);
  return FALSE;
}

/* --- the description of a page --- */

static void
add_number (GString *text, const char *name, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (value > 0)
    g_string_append_printf (text, ", \"%s\": %s", name,
                            g_ascii_dtostr (number, sizeof number, value));
}

/* TEXT as a string of JSON. */
static void
add_string (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *c = valid; *c != '\0'; c++)
    if ((guchar) *c < 0x20)
      g_string_append_printf (json, "\\u%04x", (guint) (guchar) *c);
    else
      g_string_append_printf (json, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  g_string_append_c (json, '"');
}

/* JSON of the marks that are still to be written, owned. */
static char *
take_marks (VgRecorder *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  char *marks = g_strdup (self->marks->str);

  g_string_set_size (self->marks, 0);
  return marks;
}

/* TEXT, of a frame, with its MARKS and its end, owned. */
static char *
end_text (const char *text, const char *marks)
{
  return *marks != '\0' ? g_strdup_printf ("%s, \"marks\": [%s]}", text, marks)
                        : g_strconcat (text, "}", NULL);
}

/* What happened before FRAME: other settings of the camera, an outage, dropped frames.  TRUE: there
 * was an outage. */
static gboolean
add_events (VgRecorder *self, const VgFrame *frame, GString *text)
{
  const Gap *gap;
  gboolean interrupted = frame->interrupted;

  if (self->source != NULL)
    {
      g_string_append (text, ", \"source\": ");
      add_string (text, self->source);
      g_clear_pointer (&self->source, g_free);
    }
  if (frame->settings && g_strcmp0 (frame->settings, self->settings) != 0)
    {
      g_string_append (text, ", \"camera\": ");
      add_string (text, frame->settings);
      g_clear_pointer (&self->settings, g_ref_string_release);
      self->settings = g_ref_string_acquire (frame->settings);
    }
  g_mutex_lock (&self->lock);
  gap = g_queue_peek_head (&self->gaps);
  if (gap != NULL && gap->id == frame->id)
    {
      g_string_append_printf (text, ", \"dropped\": %" G_GUINT64_FORMAT, gap->n);
      interrupted |= gap->interrupted;
      g_free (g_queue_pop_head (&self->gaps));
    }
  g_mutex_unlock (&self->lock);
  if (interrupted)
    g_string_append (text, ", \"interrupted\": true");
  return interrupted;
}

/* The text of FRAME without marks and end, owned.  *INTERRUPTED: the connection was lost before it.
 */
static char *
describe (VgRecorder *self, const VgFrame *frame, gboolean *interrupted)
{
  const VgImageInfo *info = &self->info;
  GString *text = g_string_new (NULL);
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  gint64 arrived_us = g_get_real_time () - (g_get_monotonic_time () - frame->time_us);
  g_autoptr (GDateTime) whole = g_date_time_new_from_unix_utc (arrived_us / 1000000);
  g_autofree char *date = whole ? g_date_time_format (whole, "%Y-%m-%dT%H:%M:%S") : g_strdup ("");

  g_string_append_printf (
      text, VG_RECORDED ", \"frame\": %" G_GUINT64_FORMAT ", \"time_s\": %s, \"utc\": \"%s.%06dZ\"",
      frame->id, g_ascii_formatd (seconds, sizeof seconds, "%.6f", frame->time_s), date,
      (int) (arrived_us % 1000000));
  if (frame->device_ns != 0)
    g_string_append_printf (text, ", \"device_ns\": %" G_GINT64_FORMAT, frame->device_ns);
  add_number (text, "frame_interval_s", info->frame_interval_s);
  add_number (text, "exposure_ms", frame->exposure_ms > 0 ? frame->exposure_ms : info->exposure_ms);
  add_number (text, "significant_bits", info->significant_bits);
  add_number (text, "bins", info->bins > 1 ? (double) info->bins : 0);
  add_number (text, "slices", info->slices > 1 ? (double) info->slices : 0);
  if (info->pixel_size[0] > 0 && info->pixel_unit[0] != '\0')
    {
      add_number (text, "pixel_width", info->pixel_size[0]);
      add_number (text, "pixel_height", info->pixel_size[1]);
      g_string_append_printf (text, ", \"pixel_unit\": \"%s\"", info->pixel_unit);
    }
  *interrupted = add_events (self, frame, text);
  return g_string_free (text, FALSE);
}

void
vg_recorder_set_source (VgRecorder *self, const char *details, const char *name)
{
  self->source = details != NULL ? g_strndup (details, strcspn (details, "\n")) : g_strdup (name);
  g_strdelimit (self->source, "\"\\", '\'');
}

/* --- the thread --- */

/* Sets *FRAME, or returns FALSE when all is written and no more will come. */
static gboolean
next_frame (VgRecorder *self, VgFrame **frame)
{
  g_mutex_lock (&self->lock);
  while (self->ring.length == 0 && !self->stop)
    g_cond_wait (&self->wake, &self->lock);
  *frame = g_queue_pop_head (&self->ring);
  /* The room for the frames of before shrinks with the queue, so new ones find place meanwhile. */
  self->past = MIN (self->past, self->ring.length);
  g_mutex_unlock (&self->lock);
  return *frame != NULL;
}

static gboolean
sync_now_and_then (VgRecorder *self, GError **error)
{
  gint64 now = g_get_monotonic_time ();

  if (now - self->synced_us < SYNC_US && vg_frame_file_in_memory (self->file) < SYNC_BYTES)
    return TRUE;
  if (!vg_frame_file_sync (self->file, error))
    return FALSE;
  self->synced_us = g_get_monotonic_time ();
  return TRUE;
}

static gboolean
look_at_space (VgRecorder *self, GError **error)
{
  gint64 now = g_get_monotonic_time ();
  guint64 free_bytes;

  if (now - self->looked_us < LOOK_US)
    return TRUE;
  self->looked_us = now;
  free_bytes = find_free (vg_frame_file_path (self->file));
  g_mutex_lock (&self->lock);
  self->now.free_bytes = free_bytes;
  g_mutex_unlock (&self->lock);
  return check_space (vg_frame_file_path (self->file), &self->info, free_bytes, error);
}

static void
keep (VgRecorder *self, const VgFrame *frame)
{
  gboolean interrupted;
  g_autofree char *begin = describe (self, frame, &interrupted), *marks = take_marks (self),
                  *text = end_text (begin, marks);
  GError *error = NULL;
  gboolean kept = look_at_space (self, &error) &&
                  vg_frame_file_add (self->file, frame->data, text, &error);

  g_mutex_lock (&self->lock);
  if (kept)
    {
      self->first_s = self->now.kept == 0 ? frame->time_s : self->first_s;
      vg_recording_add (&self->now, frame->time_s - self->first_s, interrupted);
      self->now.bytes = vg_frame_file_bytes (self->file);
    }
  else
    self->now.dropped++;
  g_mutex_unlock (&self->lock);
  if (kept)
    {
      g_free (self->last_text);
      g_free (self->last_marks);
      self->last_text = g_steal_pointer (&begin);
      self->last_marks = g_steal_pointer (&marks);
      sync_now_and_then (self, &error);
    }
  if (!error)
    return;
  g_mutex_lock (&self->lock);
  self->error = error;
  self->stop = TRUE;
  self->now.dropped += self->ring.length;
  g_queue_clear_full (&self->ring, (GDestroyNotify) vg_frame_unref);
  g_mutex_unlock (&self->lock);
}

/* Adds the marks that were set after the last frame to its text. */
static void
keep_last_marks (VgRecorder *self, GError **error)
{
  g_autofree char *marks = take_marks (self), *all = NULL, *text = NULL;

  if (*marks == '\0' || self->last_text == NULL)
    return;
  all = g_strconcat (self->last_marks, *self->last_marks != '\0' ? ", " : "", marks, NULL);
  text = end_text (self->last_text, all);
  vg_frame_file_set_last_text (self->file, text, error);
}

/* Completes the file with the frames written so far, whatever ended the recording. */
static void
complete (VgRecorder *self)
{
  GError *error = NULL;
  gboolean done;

  keep_last_marks (self, self->error == NULL ? &self->error : NULL);
  done = vg_frame_file_commit (self->file, &error);

  /* a part that could not be renamed is offered at the next start; without a frame there is none */
  (done || self->now.kept == 0 ? vg_part_mark_free
                               : vg_part_mark_leave) (g_steal_pointer (&self->mark));
  g_mutex_lock (&self->lock);
  if (done && self->error)
    g_set_error (&error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "%s; the file contains the %" G_GUINT64_FORMAT " frames recorded before",
                 self->error->message, self->now.kept);
  if (!self->error || done)
    {
      g_clear_error (&self->error);
      self->error = error;
    }
  else
    g_clear_error (&error);
  g_free (self->now.path);
  self->now.path = g_strdup (vg_frame_file_path (self->file));
  self->now.bytes = vg_frame_file_bytes (self->file);
  self->now.ended = TRUE;
  g_mutex_unlock (&self->lock);
}

static gpointer
record (gpointer data)
{
  VgRecorder *self = data;
  VgFrame *frame;

  vg_recorder_go_first ();
  while (next_frame (self, &frame))
    {
      keep (self, frame);
      vg_frame_unref (frame);
    }
  complete (self);
  if (self->ended)
    self->ended (self->data);
  return NULL;
}

/* --- the other threads --- */

VgRecorder *
vg_recorder_new (const VgImageInfo *info, const char *path, gboolean replace, VgRecorderEnded ended,
                 gpointer data, GError **error)
{
  guint64 free_bytes = find_free (path);
  VgFrameFile *file = check_space (path, info, free_bytes, error)
                          ? vg_frame_file_new (path, replace, info, error)
                          : NULL;
  VgRecorder *self;

  if (!file)
    return NULL;
  self = g_new0 (VgRecorder, 1);
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  self->ring_max = vg_recorder_ring (info);
  self->now.path = g_strdup (vg_frame_file_path (file));
  self->now.free_bytes = free_bytes;
  self->info = *info;
  self->marks = g_string_new (NULL);
  self->synced_us = self->looked_us = g_get_monotonic_time ();
  self->file = file;
  self->mark = vg_part_mark_new (vg_frame_file_path (file), path);
  self->ended = ended;
  self->data = data;
  self->thread = g_thread_new ("vg-recorder", record, self);
  return self;
}

void
vg_recorder_push (VgRecorder *self, VgFrame *frame)
{
  g_mutex_lock (&self->lock);
  self->begun = TRUE;
  if (!self->closed && (self->ring.length >= self->ring_max + self->past || self->stop))
    {
      self->now.dropped++;
      self->dropped.n++;
      self->dropped.interrupted |= frame->interrupted;
    }
  else if (!self->closed)
    {
      if (self->dropped.n > 0)
        {
          self->dropped.id = frame->id;
          g_queue_push_tail (&self->gaps, g_memdup2 (&self->dropped, sizeof (Gap)));
          self->dropped = (Gap){ 0 };
        }
      g_queue_push_tail (&self->ring, vg_frame_ref (frame));
      g_cond_signal (&self->wake);
    }
  g_mutex_unlock (&self->lock);
}

void
vg_recorder_push_past (VgRecorder *self, VgFrame *frame)
{
  g_mutex_lock (&self->lock);
  if (!self->begun)
    self->past_s = frame->time_s;
  self->now.before_s = frame->time_s - self->past_s;
  self->begun = TRUE;
  self->past++;
  g_queue_push_tail (&self->ring, vg_frame_ref (frame));
  g_mutex_unlock (&self->lock);
}

gboolean
vg_recorder_is_full (VgRecorder *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->ring.length >= self->ring_max + self->past && !self->stop;
}

void
vg_recorder_add_missed (VgRecorder *self, guint64 n)
{
  g_mutex_lock (&self->lock);
  if (self->begun && !self->closed)
    self->now.missed += n;
  g_mutex_unlock (&self->lock);
}

void
vg_recorder_add_mark (VgRecorder *self, double time_s, const char *text)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_mutex_lock (&self->lock);
  if (!self->closed)
    {
      g_string_append_printf (self->marks,
                              "%s{\"time_s\": %s, \"text\": ", self->marks->len > 0 ? ", " : "",
                              g_ascii_formatd (number, sizeof number, "%.6f", time_s));
      add_string (self->marks, text);
      g_string_append_c (self->marks, '}');
    }
  g_mutex_unlock (&self->lock);
}

void
vg_recorder_get_status (VgRecorder *self, VgRecording *now)
{
  g_mutex_lock (&self->lock);
  *now = self->now;
  now->path = g_strdup (self->now.path);
  g_mutex_unlock (&self->lock);
}

void
vg_recorder_end (VgRecorder *self)
{
  g_mutex_lock (&self->lock);
  self->stop = self->closed = TRUE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

gboolean
vg_recorder_stop (VgRecorder *self, VgRecording *now, GError **error)
{
  gboolean done;

  vg_recorder_end (self);
  g_thread_join (self->thread);
  if (now)
    vg_recorder_get_status (self, now);
  done = self->error == NULL;
  if (!done)
    g_propagate_error (error, g_steal_pointer (&self->error));
  vg_frame_file_free (self->file);
  vg_recording_clear (&self->now);
  g_string_free (self->marks, TRUE);
  g_queue_clear_full (&self->gaps, g_free);
  g_clear_pointer (&self->settings, g_ref_string_release);
  g_free (self->source);
  g_free (self->last_text);
  g_free (self->last_marks);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_free (self);
  return done;
}
