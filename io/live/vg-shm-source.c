/* SPDX-License-Identifier: MIT */
/* Frames of another program, from the ring in shared memory that vivograph-shm.h describes.
 *
 * The memory is read with pread and never mapped, so that a producer that cuts it short cannot end
 * this program by SIGBUS.  Nothing in it is believed before it is checked: each copy of a frame is
 * valid only if its slot has the same sequence number before and after. */
#include "io/live/vg-live-private.h"
#include "io/live/vivograph-shm.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  POLL_US = 500,      /* between two looks for a frame */
  WAITING_US = 50000, /* the same, while the producer is away */
  IDLE_US = 500000,   /* without a frame, until the producer is looked for */
};

typedef struct
{
  VgLive live;
  char *object; /* "/NAME" */
  vivograph_shm_header header;
  gsize frame_bytes;
  guint64 next;   /* frame of the ring to read next */
  guint64 passed; /* frames of the ring that were overwritten before they were read */
  gint64 idle_since_us;
} VgShmSource;

/* --- the object --- */

static gboolean
refuse (const char *name, const char *what, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "the shared memory of \"%s\" %s; compare the producer with vivograph-shm.h", name,
               what);
  return FALSE;
}

/* Sets INFO from the header of an object of SIZE bytes. */
static gboolean
check_header (const vivograph_shm_header *header, gint64 size, const char *name, VgImageInfo *info,
              GError **error)
{
  static const VgType types[] = { VG_U8, VG_U16, VG_U32, VG_F32 };
  guint64 least, ring;
  gsize bytes;

  if (memcmp (header->magic, VIVOGRAPH_SHM_MAGIC, sizeof header->magic) != 0)
    return refuse (name, "does not begin with " VIVOGRAPH_SHM_MAGIC, error);
  if (header->type >= G_N_ELEMENTS (types) || header->width == 0 || header->height == 0 ||
      header->width > G_MAXINT || header->height > G_MAXINT ||
      (header->channels != 1 && header->channels != 3) ||
      header->bits > 8 * vg_type_size (types[header->type]))
    return refuse (name, "declares an impossible frame size or sample type", error);
  *info = vg_image_info_grey (types[header->type], (int) header->width, (int) header->height);
  info->frames = -1;
  info->channels = (int) header->channels;
  info->significant_bits = header->bits > 0 ? (int) header->bits
                                            : 8 * (int) vg_type_size (info->type);
  info->frame_interval_s = isfinite (header->frame_interval_s) ? MAX (header->frame_interval_s, 0)
                                                               : 0;
  info->exposure_ms = isfinite (header->exposure_ms) ? MAX (header->exposure_ms, 0) : 0;
  if (isfinite (header->pixel_um) && header->pixel_um > 0)
    {
      info->pixel_size[0] = info->pixel_size[1] = header->pixel_um;
      g_strlcpy (info->pixel_unit, "µm", sizeof info->pixel_unit);
    }
  bytes = vg_source_frame_bytes (info, name, error);
  if (bytes == 0)
    return FALSE;
  least = sizeof (vivograph_shm_slot) + bytes;
  if (header->header_bytes < sizeof *header || header->header_bytes % 64 != 0 ||
      header->slots < 2 || header->slot_bytes < least || header->slot_bytes % 64 != 0 ||
      !g_uint64_checked_mul (&ring, header->slots, header->slot_bytes) ||
      !g_uint64_checked_add (&ring, ring, header->header_bytes) || ring > (guint64) size)
    return refuse (name, "has slots that do not match its frames or its size", error);
  return TRUE;
}

static void
set_later (const char *name, GError **error)
{
  g_set_error (
      error, VG_IO_ERROR, VG_IO_ERROR_LATER,
      "there is no shared memory \"%s\" yet; waiting for the program that sends the frames", name);
}

/* TRUE: the producer has created the object of SIZE bytes, and not yet written its header. */
static gboolean
is_begun (const vivograph_shm_header *header, gint64 size)
{
  static const char none[sizeof header->magic] = { 0 };

  return size == 0 || (size >= (gint64) sizeof *header &&
                       memcmp (header->magic, none, sizeof header->magic) == 0);
}

/* Opens OBJECT and checks it; -1: an error. */
static int
open_object (const char *object, const char *name, vivograph_shm_header *header, VgImageInfo *info,
             GError **error)
{
  int fd = shm_open (object, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  struct stat status;
  gboolean good = FALSE;

  if (fd < 0 && errno == ENOENT)
    {
      set_later (name, error);
      return -1;
    }
  if (fd < 0)
    {
      g_set_error (
          error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
          "cannot open the shared memory \"%s\": %s. Start the program that sends the frames", name,
          g_strerror (errno));
      return -1;
    }
  memset (header, 0, sizeof *header);
  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode) ||
      (status.st_size > 0 && vg_pread_all (fd, header, sizeof *header, 0) != sizeof *header))
    refuse (name, "is shorter than its header", error);
  else if (is_begun (header, status.st_size))
    set_later (name, error);
  else
    good = check_header (header, status.st_size, name, info, error);
  if (good)
    return fd;
  close (fd);
  return -1;
}

/* --- reading --- */

/* The number of complete frames and the state.  A counter that is being stored while it is copied
 * is read again. */
static gboolean
read_control (VgShmSource *self, guint64 *written, guint32 *state)
{
  guint64 control[2][2] = { { 0 }, { 1 } };

  for (int i = 0; i < 8; i++)
    {
      if (vg_pread_all (self->live.parent.fd, control[i % 2], sizeof control[0],
                        offsetof (vivograph_shm_header, written)) != sizeof control[0])
        return FALSE;
      if (i > 0 && memcmp (control[0], control[1], sizeof control[0]) == 0)
        break;
    }
  __atomic_thread_fence (__ATOMIC_ACQUIRE);
  *written = control[0][0];
  memcpy (state, &control[0][1], sizeof *state);
  return TRUE;
}

/* Begins with the oldest frame that is still in the ring. */
static void
begin_ring (VgShmSource *self)
{
  guint64 written = 0;
  guint32 state;

  self->next = 0;
  if (read_control (self, &written, &state) && written >= self->header.slots)
    self->next = written - self->header.slots + 1;
  self->idle_since_us = g_get_monotonic_time ();
}

/* The producer has started again. */
static void
begin_again (VgShmSource *self)
{
  vg_live_count_interruption (&self->live);
  begin_ring (self);
}

typedef enum { COPY_DONE, COPY_OVERWRITTEN, COPY_BROKEN, COPY_CUT } CopyResult;

static CopyResult
copy_frame (VgShmSource *self, void *frame, vivograph_shm_slot *slot)
{
  const int fd = self->live.parent.fd;
  const gint64 at = (gint64) (self->header.header_bytes +
                              self->next % self->header.slots * self->header.slot_bytes);
  const guint64 complete = 2 * self->next + 2;
  guint64 after = 0;

  if (vg_pread_all (fd, slot, sizeof *slot, at) != sizeof *slot)
    return COPY_CUT;
  if (slot->sequence != complete)
    return slot->sequence > complete ? COPY_OVERWRITTEN : COPY_BROKEN;
  __atomic_thread_fence (__ATOMIC_ACQUIRE);
  if (vg_pread_all (fd, frame, self->frame_bytes, at + (gint64) sizeof *slot) !=
      (gssize) self->frame_bytes)
    return COPY_CUT;
  __atomic_thread_fence (__ATOMIC_ACQUIRE);
  if (vg_pread_all (fd, &after, sizeof after, at) != sizeof after)
    return COPY_CUT;
  return after == complete ? COPY_DONE : COPY_OVERWRITTEN;
}

/* Looks for a producer that has started again.  FALSE and an error: its frames are others. */
static gboolean
find_again (VgShmSource *self, GError **error)
{
  VgSource *source = &self->live.parent;
  vivograph_shm_header header;
  struct stat here, there;
  VgImageInfo info;
  int fd = open_object (self->object, source->name, &header, &info, NULL);

  if (fd >= 0 && fstat (fd, &there) == 0 && fstat (source->fd, &here) == 0 &&
      here.st_ino != there.st_ino)
    {
      if (!vg_live_check_same (&self->live, &info, error))
        {
          close (fd);
          return FALSE;
        }
      close (source->fd);
      source->fd = fd;
      self->header = header;
      begin_again (self);
      vg_live_report_connected (&self->live);
      return TRUE;
    }
  if (fd >= 0)
    close (fd);
  if (fd < 0 || (self->header.pid > 0 && self->header.pid <= G_MAXINT32 &&
                 kill ((pid_t) self->header.pid, 0) != 0 && errno == ESRCH))
    {
      vg_live_count_interruption (&self->live);
      vg_live_report (&self->live, VG_LIVE_WAITING,
                      "the program that sends \"%s\" exited without ending the stream; waiting "
                      "until it starts again",
                      source->name);
    }
  return TRUE;
}

/* Waits for a frame of the ring.  FALSE: the stream has ended, was cancelled, or ERROR. */
static gboolean
wait_for_frame (VgShmSource *self, GError **error)
{
  gint64 looked_us = g_get_monotonic_time ();
  gboolean away = FALSE;

  for (;;)
    {
      guint64 written = 0;
      guint32 state = 0;
      gboolean cut = !read_control (self, &written, &state);
      gint64 now = g_get_monotonic_time ();

      if (!cut && written > self->next)
        return TRUE;
      if (!cut && written < self->next)
        begin_again (self);
      if (!cut && state == VIVOGRAPH_SHM_ENDED)
        {
          vg_live_report (&self->live, VG_LIVE_ENDED, "\"%s\" has ended", self->live.parent.name);
          return FALSE;
        }
      if (now - self->idle_since_us > IDLE_US && now - looked_us > IDLE_US / 2)
        {
          VgLiveStatus status;

          if (!find_again (self, error))
            return FALSE;
          vg_live_get_status (&self->live.parent, &status);
          away = status.state == VG_LIVE_WAITING;
          looked_us = now;
        }
      if (!vg_live_wait (&self->live, -1, away ? WAITING_US : POLL_US))
        return FALSE;
    }
}

/* Moves over the frames that are overwritten already, or may be at any moment. */
static void
pass_overwritten (VgShmSource *self)
{
  guint64 written = 0, oldest;
  guint32 state;

  if (!read_control (self, &written, &state) || written < self->header.slots)
    return;
  oldest = written - self->header.slots + 1;
  if (self->next < oldest)
    {
      self->passed += oldest - self->next;
      self->next = oldest;
    }
}

static gboolean
shm_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  VgShmSource *self = (VgShmSource *) source;
  vivograph_shm_slot slot;

  while (wait_for_frame (self, error))
    {
      CopyResult result;

      pass_overwritten (self);
      result = copy_frame (self, frame, &slot);
      self->idle_since_us = g_get_monotonic_time ();
      if (result == COPY_CUT)
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
                       "the producer of \"%s\" shortened its shared memory; restart the producer",
                       source->name);
          return FALSE;
        }
      self->next++;
      if (result == COPY_DONE && vg_live_is_late (&self->live, slot.id))
        continue;
      if (result == COPY_OVERWRITTEN)
        {
          self->passed++;
          continue;
        }
      *id = vg_live_count (&self->live, result == COPY_DONE ? slot.id : VG_LIVE_NO_NUMBER,
                           self->passed, result != COPY_DONE);
      self->passed = 0;
      if (result == COPY_BROKEN)
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
                       "a frame of \"%s\" was announced before it was complete", source->name);
          return FALSE;
        }
      *time_s = vg_live_time (&self->live, slot.device_ns != 0 ? slot.device_ns : slot.host_ns);
      source->device_ns = slot.device_ns;
      vg_live_report_connected (&self->live);
      return TRUE;
    }
  return FALSE;
}

static void
shm_clear (VgSource *source)
{
  VgShmSource *self = (VgShmSource *) source;

  g_free (self->object);
  vg_live_clear (&self->live);
}

static const VgSourceClass shm_class = {
  .next = shm_next,
  .cancel = vg_live_cancel,
  .clear = shm_clear,
  .get_status = vg_live_get_status,
};

static VgSource *
shm_open_source (const VgLiveRequest *request, GError **error)
{
  g_autofree char *object = g_strconcat ("/", request->address, NULL);
  vivograph_shm_header header;
  VgImageInfo info;
  VgShmSource *self;
  int fd;

  if (strchr (request->address, '/') != NULL || strlen (request->address) > 200 ||
      request->address[0] == '.')
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\" cannot be the name of a shared memory; use at most 200 characters, no / "
                   "and no dot at the beginning",
                   request->name);
      return NULL;
    }
  fd = open_object (object, request->name, &header, &info, error);
  if (fd < 0)
    return NULL;
  self = (VgShmSource *) vg_live_new (sizeof (VgShmSource), &shm_class, request->name,
                                      "shared memory", error);
  if (self == NULL)
    {
      close (fd);
      return NULL;
    }
  self->live.parent.fd = fd;
  self->live.parent.info = info;
  self->object = g_steal_pointer (&object);
  self->header = header;
  self->frame_bytes = vg_image_info_frame_bytes (&info);
  begin_ring (self);
  return &self->live.parent;
}

const VgLiveDriver vg_shm_driver = { VG_LIVE_ABI, "shm", shm_open_source, NULL };
