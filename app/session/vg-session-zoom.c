/* SPDX-License-Identifier: MIT */
/* A zoom that is not saved. */
#include "app/session/vg-document.h"

void
vg_view_copy_zoom (VgView *self, const VgView *from)
{
  self->zoom = from->zoom;
  self->center_x = from->center_x;
  self->center_y = from->center_y;
  self->part_x = from->part_x;
  self->part_y = from->part_y;
  self->part_scale = from->part_scale;
}

void
vg_document_hide_zoom (VgDocument *self)
{
  if (self->before != NULL)
    return;
  self->before = g_memdup2 (&self->view, sizeof self->view);
  self->view.zoom = 0;
}

void
vg_document_show_zoom (VgDocument *self)
{
  if (self->before != NULL)
    vg_view_copy_zoom (&self->view, self->before);
  g_clear_pointer (&self->before, g_free);
}
