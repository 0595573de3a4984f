/* SPDX-License-Identifier: MIT */
/* Synthetic data of an operation as a source.  A live source behaves like a camera: frame k is due
 * at start + k * interval, and a reader that is late gets the newest frame and a gap in the ids. */
#include "io/source/vg-source-private.h"
#include "io/source/vg-read-options.h"
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MIN_RATE 0.01 /* frames per second */
#define MAX_RATE 1e4

typedef struct
{
  VgSource parent;
  const VgSynthetic *synthetic;
  gpointer data;
  int cancel_fd;
  gint64 start_us;   /* when frame 0 was due */
  double interval_s; /* frame interval of the data; the source may be slower */
} VgSyntheticSource;

static gboolean
synthetic_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  VgSyntheticSource *self = (VgSyntheticSource *) source;

  return self->synthetic->read (self->data, index, frame, error);
}

/* Sleeps until DUE_US; FALSE: cancelled. */
static gboolean
wait_until (VgSyntheticSource *self, gint64 due_us)
{
  struct pollfd fd = { .fd = self->cancel_fd, .events = POLLIN };
  int n;

  do
    {
      gint64 left_us = MAX (due_us - g_get_monotonic_time (), 0);
      struct timespec timeout = { .tv_sec = left_us / 1000000,
                                  .tv_nsec = left_us % 1000000 * 1000 };

      n = ppoll (&fd, 1, &timeout, NULL);
    }
  while (n < 0 && errno == EINTR);
  return n == 0;
}

static gboolean
synthetic_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  VgSyntheticSource *self = (VgSyntheticSource *) source;
  double interval_us = source->info.frame_interval_s * 1e6;
  gint64 index = source->position;

  if (source->info.frames >= 0)
    return vg_source_next_by_read (source, frame, id, time_s, error);
  if (self->start_us == 0)
    self->start_us = g_get_monotonic_time ();
  if (interval_us > 0)
    index = MAX (
        index, (gint64) floor ((double) (g_get_monotonic_time () - self->start_us) / interval_us));
  if (!wait_until (self, self->start_us + (gint64) ((double) index * interval_us)) ||
      !self->synthetic->read (self->data, index, frame, error))
    return FALSE;
  *id = (guint64) index;
  *time_s = (double) index * source->info.frame_interval_s;
  source->position = index + 1;
  return TRUE;
}

static void
synthetic_cancel (VgSource *source)
{
  eventfd_write (((VgSyntheticSource *) source)->cancel_fd, 1);
}

static void
synthetic_clear (VgSource *source)
{
  VgSyntheticSource *self = (VgSyntheticSource *) source;

  if (self->data)
    self->synthetic->close (self->data);
  if (self->cancel_fd >= 0)
    close (self->cancel_fd);
}

/* Converts the time from the frame interval of the data to that of the source. */
static double
synthetic_trigger (VgSource *source, gboolean on)
{
  VgSyntheticSource *self = (VgSyntheticSource *) source;
  double time_s = self->synthetic->trigger (self->data, on);

  return self->interval_s > 0 ? time_s * source->info.frame_interval_s / self->interval_s : time_s;
}

static const VgSourceClass synthetic_class = {
  .read = synthetic_read,
  .next = synthetic_next,
  .cancel = synthetic_cancel,
  .clear = synthetic_clear,
  .trigger = synthetic_trigger,
};

gboolean
vg_source_choose_sample (const VgOperation *operation, const char *read_options,
                         VgSyntheticSize *size, GError **error)
{
  g_auto (VgReadOptions) self = { 0 };

  return vg_read_options_parse (&self, read_options, error) &&
         vg_operation_choose_sample (operation, self.sample, size, error);
}

/* Slows a live source to the frames per second in VIVOGRAPH_SAMPLE_RATE, so that a test of the
 * window leaves the processor to others.  Frames of a finite series keep their times. */
static void
limit_rate (VgImageInfo *info)
{
  const char *text = g_getenv ("VIVOGRAPH_SAMPLE_RATE");
  double rate = text != NULL ? g_ascii_strtod (text, NULL) : 0;

  if (info->frames < 0 && rate >= MIN_RATE && rate <= MAX_RATE)
    info->frame_interval_s = MAX (info->frame_interval_s, 1 / rate);
}

VgSource *
vg_source_open_synthetic (const VgOperation *operation, const void *params,
                          const VgSyntheticSize *size, GError **error)
{
  g_autofree char *name = g_strdup_printf ("sample data of %s", operation->id);
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgSyntheticSource), &synthetic_class, name, "synthetic", -1);
  VgSyntheticSource *self = (VgSyntheticSource *) source;

  self->cancel_fd = eventfd (0, EFD_CLOEXEC);
  self->synthetic = operation->synthetic;
  if (!self->synthetic || self->cancel_fd < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "%s has no sample data%s; open a file", operation->id,
                   self->synthetic ? " now, because too many files are open" : "");
      return NULL;
    }
  source->info.frames = size->frames;
  self->data = self->synthetic->open (params, size, &source->info, error);
  if (!self->data || !vg_source_frame_bytes (&source->info, source->name, error))
    return NULL;
  self->interval_s = source->info.frame_interval_s;
  limit_rate (&source->info);
  if (source->info.frames < 0 && self->synthetic->trigger != NULL)
    source->event = self->synthetic->samples[size->sample].event;
  return g_steal_pointer (&source);
}
