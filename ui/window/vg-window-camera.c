/* SPDX-License-Identifier: MIT */
/* Opening a camera, what the window says of a live source, looking back in it, sending maps, and
 * receiving images. */
#include "ui/camera/vg-camera-dialog.h"
#include "ui/camera/vg-record-panel.h"
#include "ui/common/vg-object.h"
#include "ui/receive/vg-receive.h"
#include "ui/send/vg-send.h"
#include "ui/window/vg-window-private.h"

static void
open_source (VgWindow *self, const char *address)
{
  const char *const files[] = { address, NULL };

  vg_banner_hide (VG_BANNER (self->banner));
  vg_window_open_files (self, files, NULL);
}

static void
on_chosen (VgWindow *self, const char *address, const char *name)
{
  if (name != NULL)
    vg_camera_note_name (self->camera, address, name);
  open_source (self, address);
}

void
vg_window_choose_camera (VgWindow *self)
{
  GtkWidget *dialog = vg_camera_dialog_new (GTK_WINDOW (self),
                                            vg_session_get_inputs (self->session)[0]);

  vg_connect (dialog, "chosen", on_chosen, self);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_lost (VgWindow *self, const char *sentence)
{
  vg_window_show_banner (self, VG_BANNER_WARNING, sentence);
}

static void
on_back (VgWindow *self, const char *before, const char *sentence)
{
  vg_banner_withdraw (VG_BANNER (self->banner), before);
  if (!vg_banner_is_shown (VG_BANNER (self->banner)))
    vg_window_message (self, FALSE, sentence);
}

static void
on_set (VgWindow *self, const char *setting)
{
  vg_pipeline_set_feature (self->pipeline, setting);
}

static void
on_settings (VgWindow *self, const char *address)
{
  vg_session_note_live (self->session, address);
  vg_session_journal_changed (self->journal, VG_CHANGED_INPUTS, FALSE);
}

/* The exposure of the camera is that of the operation, unless the user has set another there. */
static void
on_timing (VgWindow *self, double exposure_ms, double frame_interval_s)
{
  VgImageInfo info;

  if (!vg_pipeline_set_timing (self->pipeline, exposure_ms, frame_interval_s, &info) ||
      vg_opening_is_active (self->opening))
    return;
  vg_session_adopt (self->session, &info, FALSE);
  vg_window_send_params (self); /* they are those for this exposure, also if they are the same */
}

static void
on_look_back (VgWindow *self, double time_s)
{
  vg_pipeline_look_back (self->pipeline, time_s);
}

static void
on_live (VgWindow *self)
{
  vg_pipeline_play (self->pipeline);
}

static VgSend *
get_send (VgWindow *self)
{
  return g_object_get_data (G_OBJECT (self), "vg-send");
}

void
vg_window_choose_send (VgWindow *self)
{
  vg_send_show_dialog (get_send (self), GTK_WINDOW (self));
}

void
vg_window_set_sender (VgWindow *self)
{
  VgSend *send = get_send (self);

  if (self->pipeline != NULL && send != NULL)
    vg_pipeline_set_sender (self->pipeline, vg_send_get_sender (send));
}

static void
add_send (VgWindow *self)
{
  VgSend *send = vg_send_new ();

  g_object_set_data_full (G_OBJECT (self), "vg-send", send, g_object_unref);
  vg_connect (send, "changed", vg_window_set_sender, self);
  vg_status_bar_add (VG_STATUS_BAR (self->status), vg_send_get_status (send));
}

/* ---- receiving images ---- */

static VgReceive *
get_receive (VgWindow *self)
{
  return g_object_get_data (G_OBJECT (self), "vg-receive");
}

void
vg_window_choose_receive (VgWindow *self)
{
  vg_receive_show_dialog (get_receive (self), GTK_WINDOW (self));
}

void
vg_window_receive (VgWindow *self, const char *address)
{
  g_autoptr (GError) error = NULL;

  if (vg_receive_start (get_receive (self), address, &error))
    vg_window_choose_receive (self); /* says where it listens */
  else
    vg_window_message (self, TRUE, error->message);
}

/* The series of PATH has more time points: it is opened, or, with the present settings and regions,
 * opened again.  Other data that the user has opened meanwhile stay. */
static void
on_arrived (VgWindow *self, const char *path, const char *opened)
{
  const char *const files[] = { path, NULL }, *input = vg_session_get_inputs (self->session)[0];
  gboolean again = g_strcmp0 (path, opened) == 0,
           shown = opened == NULL || g_strcmp0 (input, opened) == 0;

  if (vg_opening_is_active (self->opening))
    return;
  vg_receive_note_opened (get_receive (self));
  if (shown && again)
    vg_opening_open_current (self->opening, FALSE);
  else if (shown)
    vg_window_open_files (self, files, NULL);
}

static void
add_receive (VgWindow *self)
{
  VgReceive *receive = vg_receive_new ();

  g_object_set_data_full (G_OBJECT (self), "vg-receive", receive, g_object_unref);
  vg_connect (receive, "arrived", on_arrived, self);
  vg_connect (receive, "event", on_lost, self);
  vg_status_bar_add (VG_STATUS_BAR (self->status), vg_receive_get_status (receive));
}

void
vg_window_watch_camera (VgWindow *self)
{
  VgPastBar *past = vg_transport_get_past (VG_TRANSPORT (self->transport));

  self->camera = vg_camera_new ();
  g_object_set_data_full (G_OBJECT (self), "vg-camera", self->camera, g_object_unref);
  vg_connect (past, "look-back", on_look_back, self);
  vg_connect (past, "live", on_live, self);
  vg_window_watch_marks (self);
  vg_connect (self->camera, "lost", on_lost, self);
  vg_connect (self->camera, "set", on_set, self);
  vg_connect (self->camera, "settings", on_settings, self);
  vg_connect (self->camera, "reopen", open_source, self);
  vg_connect (self->camera, "timing", on_timing, self);
  self->record.panel = vg_record_panel_new (self->settings);
  vg_side_pane_put_first (VG_SIDE_PANE (self->side), self->record.panel);
  vg_side_pane_put_first (VG_SIDE_PANE (self->side), vg_camera_get_panel (self->camera));
  vg_connect (self->camera, "back", on_back, self);
  vg_status_bar_add (VG_STATUS_BAR (self->status), vg_camera_get_status (self->camera));
  add_send (self);
  add_receive (self);
}
