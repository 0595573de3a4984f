/* SPDX-License-Identifier: MIT */
/* What a recording holds, also in words, in English; the window translates them by
 * vg_recording_patterns. */
#include "app/record/vg-recorder.h"

#include <math.h>

void
vg_recording_clear (VgRecording *self)
{
  g_clear_pointer (&self->path, g_free);
}

void
vg_recording_add (VgRecording *self, double seconds, gboolean interrupted)
{
  if (interrupted && self->kept > 0)
    {
      self->outage_at_s = self->outages++ == 0 ? self->seconds : self->outage_at_s;
      self->outage_s += seconds - self->seconds;
    }
  self->kept++;
  self->seconds = seconds;
}

static char *
format_duration (double seconds)
{
  if (seconds < 60)
    return g_strdup_printf ("%.1f s", seconds);
  if (seconds < 5400)
    return g_strdup_printf ("%d min %02d s", (int) seconds / 60, (int) seconds % 60);
  return seconds < 360000
             ? g_strdup_printf ("%d h %02d min", (int) (seconds / 3600), (int) (seconds / 60) % 60)
             : g_strdup ("more than 100 h");
}

/* What is not in the file, and why; "" when nothing is missing. */
static char *
describe_missing (const VgRecording *self)
{
  guint64 n = self->missed + self->dropped;

  if (n == 0)
    return g_strdup ("");
  if (n == 1)
    return g_strdup (self->dropped == 0
                         ? "1 frame was lost or bad"
                         : "1 frame was not written because the disk was too slow or full");
  if (self->dropped == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " frames were lost or bad", n);
  if (self->missed == 0)
    return g_strdup_printf (
        "%" G_GUINT64_FORMAT " frames were not written because the disk was too slow or full", n);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " frames are missing: %" G_GUINT64_FORMAT
                          " lost or bad, %" G_GUINT64_FORMAT
                          " not written because the disk was too slow or full",
                          n, self->missed, self->dropped);
}

static char *
describe_before (const VgRecording *self)
{
  g_autofree char *time = format_duration (self->before_s);

  return self->before_s > 0 ? g_strdup_printf (", of which %s from memory", time) : g_strdup ("");
}

static char *
describe_space (const VgRecording *self)
{
  g_autofree char *left = g_format_size (self->free_bytes), *time = NULL;
  double per_s = self->seconds > 0 ? (double) self->bytes / self->seconds : 0;

  if (self->free_bytes == G_MAXUINT64)
    return g_strdup ("");
  if (!(per_s > 0) || self->free_bytes <= VG_RECORDER_LEAST_FREE)
    return g_strdup_printf (" · %s free", left);
  time = format_duration ((double) (self->free_bytes - VG_RECORDER_LEAST_FREE) / per_s);
  return g_strdup_printf (" · %s free, enough for %s", left, time);
}

char *
vg_recording_to_line (const VgRecording *self)
{
  g_autofree char *name = g_path_get_basename (self->path), *shown = g_filename_display_name (name),
                  *time = format_duration (self->seconds);
  g_autofree char *size = g_format_size (self->bytes), *missing = describe_missing (self),
                  *space = describe_space (self), *before = describe_before (self);

  /* what is missing stands in front, so that a narrow bar does not cut it off */
  return g_strdup_printf ("Recording %s · %" G_GUINT64_FORMAT " frames%s%s · %s%s · %s%s", shown,
                          self->kept, *missing ? " · " : "", missing, time, before, size, space);
}

char *
vg_outages_to_text (guint n, double at_s, double length_s)
{
  return n == 1
             ? g_strdup_printf ("the connection was lost at %.1f s, for %.1f s", at_s, length_s)
             : g_strdup_printf ("the connection was lost %u times, for %.1f s in all", n, length_s);
}

char *
vg_recording_to_text (const VgRecording *self)
{
  g_autofree char *shown = g_filename_display_name (self->path),
                  *time = format_duration (self->seconds), *missing = describe_missing (self),
                  *before = describe_before (self), *lost = NULL;

  if (self->outages > 0)
    lost = vg_outages_to_text (self->outages, self->outage_at_s, self->outage_s);
  return g_strdup_printf ("Recorded %" G_GUINT64_FORMAT " frames in %s%s as \"%s\"; %s%s%s",
                          self->kept, time, before, shown,
                          *missing ? missing : "no frame is missing", lost != NULL ? "; " : "",
                          lost != NULL ? lost : "");
}
