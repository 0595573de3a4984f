/* SPDX-License-Identifier: MIT */
/* A window with sessions or maps to write closes only when they are written. */
#include "ui/window/vg-window-private.h"

void
vg_window_begin_writing (VgWindow *self)
{
  self->writing.n++;
}

void
vg_window_end_writing (VgWindow *self, gboolean written)
{
  self->writing.n--;
  self->writing.closing = self->writing.closing && written;
  if (self->writing.closing && self->writing.n == 0)
    gtk_window_close (GTK_WINDOW (self));
}

gboolean
vg_window_may_close (VgWindow *self)
{
  if (self->writing.n == 0 || self->writing.closing)
    return TRUE;
  self->writing.closing = TRUE;
  vg_window_message (
      self, FALSE,
      "The window closes when what is being written is complete; close it again to give that up");
  return FALSE;
}
