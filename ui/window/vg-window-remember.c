/* SPDX-License-Identifier: MIT */
/* What a window leaves for the next one: its size, its panes and its session. */
#include "ui/window/vg-window-private.h"

void
vg_window_restore_size (VgWindow *self)
{
  int width = vg_settings_get_int (self->settings, "width", 1280, 600, 16384),
      height = vg_settings_get_int (self->settings, "height", 800, 400, 16384);

  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  vg_panes_restore (VG_PANES (self->panes), self->settings);
  if (vg_settings_get_int (self->settings, "maximized", 0, 0, 1))
    gtk_window_maximize (GTK_WINDOW (self));
}

void
vg_window_remember (VgWindow *self)
{
  g_autofree char *text = NULL;
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  vg_settings_set_int (self->settings, "width", width);
  vg_settings_set_int (self->settings, "height", height);
  vg_settings_set_int (self->settings, "maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  vg_panes_remember (VG_PANES (self->panes), self->settings);
  vg_session_commit_waiting (self->session);
  vg_window_note_frame (self);
  text = vg_session_to_text (self->session);
  vg_settings_save_text (self->settings, VG_LAST_SESSION, text);
  vg_settings_flush (self->settings);
}
