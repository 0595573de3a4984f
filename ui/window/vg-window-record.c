/* SPDX-License-Identifier: MIT */
/* Recording as the window sees it: begun, told while it runs, and how it has ended. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include <glib/gstdio.h>
#include "ui/panels/vg-record-bar.h"
#include "io/source/vg-source.h"

void
vg_window_start_record (VgWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  self->recording = vg_pipeline_record_start (self->pipeline, path, &error);
  vg_banner_hide (VG_BANNER (self->recorded));
  if (error)
    vg_window_message (self, TRUE, error->message);
  vg_window_show_record (self);
  vg_window_enable_actions (self);
}

void
vg_window_end_record (VgWindow *self)
{
  vg_pipeline_record_end (self->pipeline);
  vg_window_show_record (self);
}

/* Told in a banner of its own, until somebody has read it: a view that opens takes the words about
 * what was there before from the other. */
void
vg_window_take_record (VgWindow *self)
{
  g_auto (VgRecording) report = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gboolean written;

  if (!self->recording)
    return;
  written = vg_pipeline_record_stop (self->pipeline, &report, &error);
  self->recording = FALSE;
  text = vg_recording_to_text (&report);
  if (written)
    vg_banner_show (VG_BANNER (self->recorded),
                    report.dropped + report.missed > 0 ? VG_BANNER_WARNING : VG_BANNER_NOTICE,
                    text);
  else
    vg_banner_show (VG_BANNER (self->recorded), VG_BANNER_ERROR, error->message);
  vg_banner_stay (VG_BANNER (self->recorded));
  vg_window_show_record (self);
  vg_window_enable_actions (self);
}

void
vg_window_show_record (VgWindow *self)
{
  g_auto (VgRecording) now = { 0 };
  gboolean runs = self->recording && vg_pipeline_record_look (self->pipeline, &now);

  vg_record_bar_set (VG_RECORD_BAR (self->record_bar), runs ? &now : NULL);
}

/* ---- what was broken off ---- */

static void
offer (VgWindow *self)
{
  g_autofree char *shown = NULL, *date = NULL, *frames = NULL, *text = NULL;
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GDateTime) time = NULL;
  GStatBuf status = { 0 };
  const char *part;

  if (self->left_recordings->len == 0)
    {
      vg_banner_hide (VG_BANNER (self->broken_off));
      return;
    }
  part = vg_part_mark_get_part (self->left_recordings->pdata[0]);
  source = vg_source_open (part, &(VgSourceOptions){ .colour = TRUE }, NULL);
  g_stat (part, &status);
  time = g_date_time_new_from_unix_local (status.st_mtime);
  date = g_date_time_format (time, "%-d %B %Y, %H:%M");
  shown = g_filename_display_name (part);
  frames = source ? g_strdup_printf ("%" G_GINT64_FORMAT " whole frames", source->info.frames)
                  : g_strdup ("no whole frame");
  text = g_strdup_printf (_ ("A recording was interrupted on %s. %s holds %s."), date, shown,
                          frames);
  vg_banner_show (VG_BANNER (self->broken_off), VG_BANNER_WARNING, text);
  vg_banner_set_more (VG_BANNER (self->broken_off), "Keep Recording");
  vg_banner_set_second (VG_BANNER (self->broken_off), "Discard Recording");
}

static void
decide (VgWindow *self, gboolean keep)
{
  VgPartMark *mark = self->left_recordings->len > 0
                         ? g_ptr_array_steal_index (self->left_recordings, 0)
                         : NULL;
  g_autofree char *path = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!mark)
    return;
  if (keep)
    path = vg_part_mark_keep (mark, &error);
  else
    vg_part_mark_discard (mark, &error);
  text = error  ? g_strdup (error->message)
         : keep ? g_strdup_printf (_ ("Kept the recording as %s"), path)
                : g_strdup_printf (_ ("Moved %s to the trash"), vg_part_mark_get_part (mark));
  vg_window_message (self, error != NULL, text);
  /* what could not be done is offered again at the next start */
  (error ? vg_part_mark_leave : vg_part_mark_free) (mark);
  offer (self);
}

static void
on_keep (VgWindow *self)
{
  decide (self, TRUE);
}

static void
on_discard (VgWindow *self)
{
  decide (self, FALSE);
}

void
vg_window_offer_recordings (VgWindow *self)
{
  self->left_recordings = vg_part_mark_find_left ();
  g_signal_connect_object (self->broken_off, "more", G_CALLBACK (on_keep), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->broken_off, "second", G_CALLBACK (on_discard), self,
                           G_CONNECT_SWAPPED);
  offer (self);
}
