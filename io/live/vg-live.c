/* SPDX-License-Identifier: MIT */
/* What the drivers of live sources share. */
#include "io/live/vg-live-private.h"
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "kernels/base/vg-text.h"

/* A gap of more frames is a device that counts anew, not a loss. */
#define MOST_LOST G_GUINT64_CONSTANT (1000000)
/* The device's clock and the time of arrival differ by less, also when a computer is busy. */
#define JUMP_S 10.0

enum { MOST_OVERTAKEN = 64, MOST_LATE = 16 };

VgLive *
vg_live_new (gsize size, const VgSourceClass *class, const char *name, const char *format,
             GError **error)
{
  int cancel_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  VgLive *self;

  if (cancel_fd < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open \"%s\": %s", name,
                   g_strerror (errno));
      return NULL;
    }
  self = (VgLive *) vg_source_new (size, class, name, format, -1);
  self->parent.info.frames = -1;
  self->cancel_fd = cancel_fd;
  g_mutex_init (&self->lock);
  return self;
}

void
vg_live_clear (VgLive *self)
{
  close (self->cancel_fd);
  g_queue_clear_full (&self->wanted, g_free);
  g_clear_pointer (&self->features, vg_features_unref);
  g_mutex_clear (&self->lock);
}

/* The eventfd is never read, so every later wait returns at once too. */
void
vg_live_cancel (VgSource *source)
{
  eventfd_write (((VgLive *) source)->cancel_fd, 1);
}

void
vg_live_get_status (VgSource *source, VgLiveStatus *status)
{
  VgLive *self = (VgLive *) source;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  *status = self->status;
}

/* --- features --- */

VgFeatures *
vg_live_get_features (VgSource *source)
{
  VgLive *self = (VgLive *) source;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->features != NULL ? vg_features_ref (self->features) : NULL;
}

/* The place in the queue of a setting with NAME, or NULL: of a slider that moves, only the newest
 * value is set. */
static GList *
find_wanted (VgLive *self, const char *name)
{
  for (GList *link = self->wanted.head; link != NULL; link = link->next)
    {
      g_autofree char *other = vg_setting_name (link->data);

      if (g_strcmp0 (other, name) == 0)
        return link;
    }
  return NULL;
}

void
vg_live_set_feature (VgSource *source, const char *setting)
{
  VgLive *self = (VgLive *) source;
  g_autofree char *name = vg_setting_name (setting);
  g_autoptr (GMutexLocker) locker = NULL;
  GList *link;

  if (name == NULL)
    return;
  locker = g_mutex_locker_new (&self->lock);
  link = find_wanted (self, name);
  if (link != NULL)
    {
      g_free (link->data);
      g_queue_delete_link (&self->wanted, link);
    }
  g_queue_push_tail (&self->wanted, g_strdup (setting));
}

char *
vg_live_take_setting (VgLive *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_queue_pop_head (&self->wanted);
}

void
vg_live_report_features (VgLive *self, VgFeatures *features)
{
  gboolean is_new;
  VgFeatures *before;

  self->parent.exposure_ms = features->exposure_ms;
  if (g_strcmp0 (self->parent.settings, features->text) != 0)
    {
      g_clear_pointer (&self->parent.settings, g_ref_string_release);
      self->parent.settings = g_ref_string_new (features->text);
    }
  g_mutex_lock (&self->lock);
  before = self->features;
  self->status.exposures += self->has_id && before != NULL && before->exposure_ms > 0 &&
                            features->exposure_ms > 0 &&
                            features->exposure_ms != before->exposure_ms;
  features->serial = before != NULL ? before->serial + 1 : 1;
  self->features = features;
  is_new = features->caution != NULL && self->status.state == VG_LIVE_CONNECTED &&
           (before == NULL || g_strcmp0 (before->caution, features->caution) != 0);
  g_mutex_unlock (&self->lock);
  if (is_new)
    vg_live_report (self, VG_LIVE_CONNECTED, "\"%s\": %s", self->parent.name, features->caution);
  vg_features_unref (before);
}

/* --- frames --- */

gboolean
vg_live_wait (VgLive *self, int fd, gint64 timeout_us)
{
  struct pollfd fds[2] = { { .fd = self->cancel_fd, .events = POLLIN },
                           { .fd = fd, .events = POLLIN } };
  struct timespec timeout = { .tv_sec = timeout_us / 1000000,
                              .tv_nsec = timeout_us % 1000000 * 1000 };

  ppoll (fds, fd >= 0 ? 2 : 1, &timeout, NULL);
  return (fds[0].revents & POLLIN) == 0;
}

void
vg_live_report (VgLive *self, VgLiveState state, const char *format, ...)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  char sentence[sizeof self->status.sentence];
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  vg_text_copy (sentence, sizeof sentence, text);
  if (state == self->status.state && strcmp (sentence, self->status.sentence) == 0)
    return;
  self->status.state = state;
  memcpy (self->status.sentence, sentence, sizeof sentence);
  self->status.said++;
}

void
vg_live_count_interruption (VgLive *self)
{
  g_mutex_lock (&self->lock);
  self->status.interrupted += !self->is_lost;
  g_mutex_unlock (&self->lock);
  self->is_lost = TRUE;
}

void
vg_live_report_connected (VgLive *self)
{
  gboolean waited;

  self->is_lost = FALSE;
  g_mutex_lock (&self->lock);
  waited = self->status.state == VG_LIVE_WAITING;
  g_mutex_unlock (&self->lock);
  if (waited)
    vg_live_report (self, VG_LIVE_CONNECTED, "\"%s\" delivers frames again", self->parent.name);
}

gboolean
vg_live_is_late (VgLive *self, guint64 number)
{
  const guint64 back = self->last_number - number;

  if (!self->has_number || number == VG_LIVE_NO_NUMBER || back == 0 || back >= MOST_OVERTAKEN ||
      (self->seen >> back & 1) != 0 || self->late == MOST_LATE)
    return FALSE;
  self->seen |= G_GUINT64_CONSTANT (1) << back;
  self->late++;
  if (back > self->behind) /* no gap in the numbers has counted it */
    {
      self->last_id++;
      g_mutex_lock (&self->lock);
      self->status.lost++;
      g_mutex_unlock (&self->lock);
    }
  return TRUE;
}

/* NUMBER comes after the last one; or the device counts ANEW. */
static void
remember_number (VgLive *self, guint64 number, gboolean anew)
{
  const guint64 step = number - self->last_number;

  self->seen = !anew && step < MOST_OVERTAKEN ? self->seen << step | 1 : 1;
  self->behind = anew ? 0 : self->behind + step;
  self->late = 0;
  self->last_number = number;
}

guint64
vg_live_count (VgLive *self, guint64 number, guint64 skipped, gboolean bad)
{
  guint64 missing = MIN (self->has_id ? skipped : 0, MOST_LOST);
  gboolean anew = FALSE;

  if (number == VG_LIVE_NO_NUMBER)
    number = self->last_number + 1 + missing;
  else
    {
      anew = !self->has_number || number <= self->last_number ||
             number - self->last_number - 1 > MOST_LOST;
      if (!anew)
        missing = MAX (missing, number - self->last_number - 1);
      self->has_number = TRUE;
    }
  remember_number (self, number, anew);
  self->last_id = self->has_id ? self->last_id + 1 + missing : 0;
  self->has_id = TRUE;
  g_mutex_lock (&self->lock);
  *(bad ? &self->status.bad : &self->status.received) += 1;
  self->status.lost += missing;
  g_mutex_unlock (&self->lock);
  return self->last_id;
}

double
vg_live_time (VgLive *self, gint64 device_ns)
{
  gint64 now_us = g_get_monotonic_time ();
  double arrived_s = (double) (now_us - self->last_arrival_us) * 1e-6;
  /* as doubles, because the difference of two wild stamps need not fit an integer */
  double step_s = ((double) device_ns - (double) self->last_device_ns) * 1e-9;

  if (device_ns != 0 && self->last_device_ns != 0 && ABS (step_s) < 9e6) /* near ones, exactly */
    step_s = (double) (device_ns - self->last_device_ns) * 1e-9;
  if (device_ns == 0 || self->last_device_ns == 0 || !(step_s > 0) ||
      fabs (step_s - arrived_s) > JUMP_S)
    step_s = arrived_s;
  self->last_time_s = self->has_time ? self->last_time_s + step_s : 0;
  self->has_time = TRUE;
  self->last_device_ns = device_ns;
  self->last_arrival_us = now_us;
  return self->last_time_s;
}

gboolean
vg_live_check_same (const VgLive *self, const VgImageInfo *info, GError **error)
{
  const VgImageInfo *first = &self->parent.info;
  g_autofree char *before = NULL, *now = NULL;

  if (first->type == info->type && first->width == info->width && first->height == info->height &&
      first->channels == info->channels && first->bins == info->bins &&
      first->slices == info->slices)
    return TRUE;
  before = vg_image_info_to_string (first);
  now = vg_image_info_to_string (info);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
               "\"%s\" changed its frames from %s to %s; open it again", self->parent.name, before,
               now);
  return FALSE;
}
