/* SPDX-License-Identifier: MIT */
/* Recording as the window sees it: begun, told while it runs, and how it has ended. */
#include "vg-window-private.h"
#include "vg-record-bar.h"

void
vg_window_start_record (VgWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  self->recording = vg_pipeline_record_start (self->pipeline, path, &error);
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
    vg_window_tell (self, report.dropped + report.missed > 0 ? VG_BANNER_WARNING : VG_BANNER_NOTICE, text);
  else
    vg_window_message (self, TRUE, error->message);
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
