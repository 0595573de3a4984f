/* SPDX-License-Identifier: MIT */
/* What is drawn where, from the scene. */
#include "ui/picture/vg-image-view-private.h"
#include "ui/picture/vg-picture.h"

void
vg_image_panes_update (VgImageView *self)
{
  const VgViewport *viewport = &self->viewport;
  VgPane pane = vg_pane_of (&self->scene, viewport->width * viewport->scale,
                            viewport->height * viewport->scale);

  vg_picture_set_panes (VG_PICTURE (self->picture), &pane, 1);
}
