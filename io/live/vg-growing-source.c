/* SPDX-License-Identifier: MIT */
/* A file that another program is still writing, such as a photon stream.  It is opened again as it
 * grows.  Where it holds one image of photon counts, each frame has all photons so far; else each
 * frame is delivered once the next one has begun. */
#include "io/live/vg-live-private.h"
#include <string.h>
#include <sys/stat.h>
#include "io/source/vg-read-options.h"

enum {
  LOOK_US = 100000, /* between two looks at the file */
  MOST_BUSY = 3,    /* reading a long file again takes at most one part of so many of the time */
  REST_S = 30,      /* after which a file that does not change has been completed */
};

typedef struct
{
  VgLive live;
  char *path, *read_options;
  VgSourceOptions options;
  VgSource *file;  /* as it was opened last; or NULL */
  gint64 next;     /* index of the frame to deliver */
  gint64 size;     /* of the file when it was opened last; -1: never */
  gint64 after_us; /* before which it is not opened again */
  gint64 changed_ns;
  gboolean sums; /* one image of photon counts, to which the file adds */
} VgGrowingSource;

/* TRUE: the file has changed since it was opened. */
static gboolean
has_grown (VgGrowingSource *self)
{
  struct stat found;

  if (stat (self->path, &found) != 0 || !S_ISREG (found.st_mode))
    {
      vg_live_report (&self->live, VG_LIVE_WAITING,
                      "the file \"%s\" is gone; waiting until it is there again", self->path);
      return FALSE;
    }
  if (found.st_size == self->size)
    return FALSE;
  if (found.st_size < self->size)
    self->next = 0; /* another file of this name */
  self->size = found.st_size;
  self->changed_ns = (gint64) found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
  return TRUE;
}

/* Opens the file as it is now; FALSE: its reader refuses it, as ERROR says. */
static gboolean
open_again (VgGrowingSource *self, GError **error)
{
  gint64 begin_us = g_get_monotonic_time ();

  g_clear_pointer (&self->file, vg_source_close);
  self->file = vg_source_open (self->path, &self->options, error);
  self->after_us = g_get_monotonic_time () + MOST_BUSY * (g_get_monotonic_time () - begin_us);
  return self->file != NULL;
}

/* The frame that can be delivered now; -1: none. */
static gint64
find_frame (const VgGrowingSource *self)
{
  if (self->file == NULL)
    return -1;
  if (self->sums)
    return self->next == 0 ? 0 : -1;
  return self->next < self->file->info.frames - 1 ? self->next : -1;
}

/* Waits for a frame that can be delivered.  FALSE: cancelled, or an error. */
static gboolean
wait_for_frame (VgGrowingSource *self, GError **error)
{
  while (find_frame (self) < 0)
    {
      if (!vg_live_wait (&self->live, -1, LOOK_US))
        return FALSE;
      /* a file that could not be opened may be good without another change of its size */
      if (g_get_monotonic_time () < self->after_us || !(has_grown (self) || self->file == NULL) ||
          !open_again (self, NULL))
        continue;
      if (!vg_live_check_same (&self->live, &self->file->info, error))
        return FALSE;
      if (self->sums)
        self->next = 0;
    }
  return TRUE;
}

static gboolean
growing_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  VgGrowingSource *self = (VgGrowingSource *) source;
  gboolean good;

  if (!wait_for_frame (self, error))
    return FALSE;
  good = vg_source_read (self->file, self->next++, frame, error);
  source->device_ns = self->changed_ns;
  *id = vg_live_count (&self->live, VG_LIVE_NO_NUMBER, 0, !good);
  *time_s = self->sums ? vg_live_time (&self->live, self->changed_ns)
                       : (double) (self->next - 1) * self->file->info.frame_interval_s;
  if (good)
    vg_live_report_connected (&self->live);
  else if (error != NULL && *error != NULL)
    {
      (*error)->domain = VG_IO_ERROR; /* later frames can be read */
      (*error)->code = VG_IO_ERROR_FRAME;
    }
  return good;
}

static void
growing_clear (VgSource *source)
{
  VgGrowingSource *self = (VgGrowingSource *) source;

  vg_source_close (self->file);
  g_free (self->path);
  g_free (self->read_options);
  vg_live_clear (&self->live);
}

static const VgSourceClass growing_class = {
  .next = growing_next,
  .cancel = vg_live_cancel,
  .clear = growing_clear,
  .get_status = vg_live_get_status,
};

/* The channel that was chosen stays, although another may have more photons later. */
static void
keep_channel (VgGrowingSource *self)
{
  g_autofree char *number = g_strdup_printf ("%d", self->file->info.channel),
                  *before = self->read_options;

  if (self->file->info.channels_available > 1)
    self->options.read_options = self->read_options = vg_read_options_set (
        before, vg_params_find (&vg_read_options_table, "channel"), number, NULL);
  else
    self->read_options = g_steal_pointer (&before);
}

/* TRUE: the scans of a file are to be several images. */
static gboolean
is_split (const VgGrowingSource *self)
{
  g_auto (VgReadOptions) read_options = { 0 };

  return vg_read_options_parse (&read_options, self->read_options, NULL) &&
         read_options.sum_frames > 0;
}

/* A recording may have ended before the size of its image was certain.  FALSE: it has not rested,
 * or ERROR, which is that of the opening before. */
static gboolean
open_at_rest (VgGrowingSource *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (g_get_real_time () - self->changed_ns / 1000 < REST_S * G_USEC_PER_SEC)
    return FALSE;
  self->options.growing = FALSE;
  if (!open_again (self, &local))
    return FALSE;
  self->live.parent.caution = g_strdup_printf (
      "the file \"%s\" has not changed for %d s, so it is read as a complete recording; if the "
      "file grows and the size of its image changes, open it again",
      self->path, REST_S);
  g_clear_error (error);
  return TRUE;
}

VgSource *
vg_growing_source_open (const VgLiveRequest *request, GError **error)
{
  VgGrowingSource *self = (VgGrowingSource *) vg_live_new (sizeof (VgGrowingSource), &growing_class,
                                                           request->name, "growing file", error);
  g_autoptr (VgSource) source = (VgSource *) self;
  g_autoptr (GError) local = NULL;

  if (self == NULL)
    return NULL;
  self->path = g_strdup (request->address);
  self->read_options = g_strdup (request->options->read_options);
  self->options = *request->options;
  self->options.read_options = self->read_options;
  self->options.growing = TRUE;
  self->size = -1;
  if (has_grown (self) &&
      (open_again (self, &local) ||
       (g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_LATER) && open_at_rest (self, &local))))
    self->sums = self->file->info.frames == 1 && self->file->info.bins > 1 && !is_split (self);
  if (g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_STREAM))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  if (self->file == NULL || (!self->sums && self->file->info.frames < 2))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER,
                   "waiting for a complete frame in the file \"%s\"%s%s", self->path,
                   local != NULL ? ": " : "", local != NULL ? local->message : "");
      return NULL;
    }
  source->info = self->file->info;
  source->info.frames = -1;
  source->info.gathers = self->sums;
  source->details = g_strdup (self->file->details);
  keep_channel (self);
  return g_steal_pointer (&source);
}
