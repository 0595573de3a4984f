/* SPDX-License-Identifier: MIT */
/* What all sources share: argument checks, the end of a stack, reading whole blocks. */
#include "io/source/vg-source-private.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

VgSource *
vg_source_new (gsize size, const VgSourceClass *class, const char *name, const char *format, int fd)
{
  VgSource *self = g_malloc0 (size);

  self->class = class;
  self->name = g_strdup (name);
  self->format = g_strdup (format);
  self->fd = fd;
  self->info = vg_image_info_grey (VG_U8, 0, 0);
  return self;
}

int
vg_open_regular (const char *path, gint64 *size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;

  *size = 0;
  if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    {
      *size = status.st_size;
      return fd;
    }
  if (fd >= 0)
    close (fd);
  return -1;
}

gssize
vg_read_head (const char *path, guint8 head[VG_FORMAT_HEAD_BYTES], gint64 *size)
{
  int fd = vg_open_regular (path, size);
  gssize n = fd >= 0 ? vg_pread_all (fd, head, VG_FORMAT_HEAD_BYTES, 0) : -1;

  if (fd >= 0)
    close (fd);
  return n;
}

gssize
vg_pread_all (int fd, void *buffer, gsize length, gint64 offset)
{
  gsize done = 0;

  while (done < length)
    {
      gssize n = pread (fd, (char *) buffer + done, length - done, offset + (gint64) done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      done += (gsize) n;
    }
  return (gssize) done;
}

void
vg_swap_samples (void *samples, gsize n, gsize size)
{
  if (size == 2)
    for (guint16 *p = samples, *end = p + n; p < end; p++)
      *p = GUINT16_SWAP_LE_BE (*p);
  else if (size == 4)
    for (guint32 *p = samples, *end = p + n; p < end; p++)
      *p = GUINT32_SWAP_LE_BE (*p);
  else if (size == 8)
    for (guint64 *p = samples, *end = p + n; p < end; p++)
      *p = GUINT64_SWAP_LE_BE (*p);
}

gsize
vg_source_frame_bytes (const VgImageInfo *info, const char *name, GError **error)
{
  gsize bytes = vg_image_info_frame_bytes (info);

  if (bytes > 0 && bytes <= VG_SOURCE_MAX_FRAME_BYTES)
    return bytes;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "a frame of \"%s\", %dx%d with %" G_GINT64_FORMAT
               " pages, is larger than the 4 GiB that can be read at once; crop or bin it, or "
               "check the given size",
               name, info->width, info->height, info->bins * info->slices);
  return 0;
}

gboolean
vg_source_check_claim (const VgImageInfo *info, gint64 size, const char *name, GError **error)
{
  const double most = 5000; /* beyond what deflate, LZW and JPEG reach */
  gsize bytes = vg_source_frame_bytes (info, name, error);

  if (bytes == 0 || bytes < (64 << 20) || (double) bytes <= most * (double) size)
    return bytes > 0;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\" declares a frame of %" G_GSIZE_FORMAT " bytes in a file of %" G_GINT64_FORMAT
               " bytes; it is damaged, so copy it again",
               name, bytes, size);
  return FALSE;
}

gboolean
vg_source_next_by_read (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (self->position >= self->info.frames)
    return FALSE;
  if (!vg_source_read (self, self->position, frame, &local))
    {
      self->position += g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_FRAME);
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  *id = (guint64) self->position;
  *time_s = self->times_s ? self->times_s[self->position]
                          : (double) self->position * self->info.frame_interval_s;
  self->position++;
  return TRUE;
}

gboolean
vg_source_set_channel (VgSource *self, const VgSourceFile *file, guint available,
                       guint brightest_channel, GError **error)
{
  const VgReadOptions *read_options = file->read_options;

  if (read_options->channel > 0 && (guint) read_options->channel > available)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\" has %u channel%s, but Channel is %d; choose 1 to %u", self->name,
                   available, available == 1 ? "" : "s", read_options->channel, available);
      return FALSE;
    }
  self->info.channel = available < 2                      ? 0
                       : read_options->channel > 0        ? read_options->channel
                       : file->options->brightest_channel ? (int) brightest_channel
                                                          : 1;
  self->info.channels_available = available > 1 ? (int) available : 0;
  if (read_options->channel == 0 && self->info.channel > 1 && self->caution == NULL)
    self->caution = g_strdup_printf ("Channel %u of %u in \"%s\" is read because it has the most "
                                     "photons. To read another, set Channel.",
                                     brightest_channel, available, self->name);
  return TRUE;
}

guint
vg_source_channel (const VgSource *self)
{
  return (guint) MAX (self->info.channel, 1) - 1;
}

gboolean
vg_source_read (VgSource *self, gint64 index, void *frame, GError **error)
{
  if (!self->class->read || self->info.frames < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" is live, so its frames can only be read in order", self->name);
      return FALSE;
    }
  if (index < 0 || index >= self->info.frames)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" has no frame %" G_GINT64_FORMAT "; it has %" G_GINT64_FORMAT " frames",
                   self->name, index + 1, self->info.frames);
      return FALSE;
    }
  return self->class->read (self, index, frame, error);
}

gint64
vg_source_find_frame (const VgSource *self, double time_s)
{
  const gint64 last = MAX (self->info.frames, 1) - 1;
  const double interval_s = self->info.frame_interval_s;
  gint64 low = 0, high = last;

  if (self->times_s == NULL) /* without an interval the time is the number of the frame */
    return (gint64) CLAMP (round (interval_s > 0 ? time_s / interval_s : time_s), 0, (double) last);
  while (low < high)
    {
      const gint64 middle = low + (high - low) / 2;

      if (self->times_s[middle] < time_s)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && time_s - self->times_s[low - 1] < self->times_s[low] - time_s ? low - 1 : low;
}

static int
compare_indices (const void *a, const void *b)
{
  const gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

gboolean
vg_source_is_interrupted (const VgSource *self, gint64 index)
{
  return self->outages != NULL &&
         g_array_binary_search (self->outages, &index, compare_indices, NULL);
}

double
vg_source_find_exposure (const VgSource *self, gint64 index)
{
  return self->exposures != NULL && index >= 0 && index < (gint64) self->exposures->len
             ? g_array_index (self->exposures, double, index)
             : 0;
}

gboolean
vg_source_next (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error)
{
  return self->class->next ? self->class->next (self, frame, id, time_s, error)
                           : vg_source_next_by_read (self, frame, id, time_s, error);
}

void
vg_source_get_status (VgSource *self, VgLiveStatus *status)
{
  *status = (VgLiveStatus){ 0 };
  if (self->class->get_status)
    self->class->get_status (self, status);
}

VgFeatures *
vg_source_get_features (VgSource *self)
{
  return self->class->get_features ? self->class->get_features (self) : NULL;
}

void
vg_source_set_feature (VgSource *self, const char *setting)
{
  if (self->class->set_feature)
    self->class->set_feature (self, setting);
}

double
vg_source_trigger (VgSource *self, gboolean on)
{
  self->event_on = on;
  return self->class->trigger (self, on);
}

void
vg_source_cancel (VgSource *self)
{
  if (self->class->cancel)
    self->class->cancel (self);
}

void
vg_source_close (VgSource *self)
{
  if (!self)
    return;
  if (self->class->clear)
    self->class->clear (self);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->name);
  g_free (self->format);
  g_free (self->details);
  g_strfreev (self->series);
  g_free (self->caution);
  g_free (self->times_s);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_pointer (&self->outages, g_array_unref);
  g_clear_pointer (&self->exposures, g_array_unref);
  g_free (self->flips_deg);
  g_free (self->inversions_ms);
  g_strfreev (self->names);
  g_clear_pointer (&self->settings, g_ref_string_release);
  g_clear_pointer (&self->holes, g_array_unref);
  g_free (self);
}

void
vg_source_set_times (VgSource *self, double *times_s)
{
  gint64 n = self->info.frames;

  g_free (self->times_s);
  self->times_s = times_s;
  self->info.frame_interval_s = (times_s[n - 1] - times_s[0]) / (double) (n - 1);
  self->info.frame_interval_claimed_s = 0;
}
