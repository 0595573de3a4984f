/* SPDX-License-Identifier: MIT */
/* A kept result as a small picture. */
#include "ui/picture/vg-image-view-private.h"
#include "ui/picture/vg-picture-software.h"

GdkTexture *
vg_image_view_draw_small (VgImageView *self, VgResult *result, int width, int height)
{
  VgPane pane = vg_pane_of (&self->scene, width, height);
  VgPictureSource source = { .result = result, .slice = self->slice };
  VgExtent extent = self->tile_extent;
  double aspect = self->scene.aspect > 0 ? self->scene.aspect : 1;
  g_autoptr (GBytes) bytes = NULL;

  if (result == NULL || self->result == NULL || result->operation != self->result->operation ||
      result->output != self->result->output)
    return NULL;
  if (!vg_image_panes_fits (self, result)) /* it has another grid */
    {
      extent = vg_extent_of_plane (&result->plane);
      if (vg_session_get_view (self->session)->proportions)
        vg_extent_set_proportions (&extent, &result->plane);
      aspect = extent.aspect > 0 ? extent.aspect : 1;
      pane.scene.aspect = extent.aspect;
      source.slice = MIN (self->slice, MAX (result->plane.slices, 1) - 1);
    }
  if (self->scene.swapped)
    {
      double right = extent.right;

      extent.right = extent.bottom;
      extent.bottom = right;
    }
  pane.scene.mosaic = (VgMosaic){ 0 };
  pane.scene.n_isolines = 0;
  pane.scene.underlay = pane.scene.see_through = FALSE;
  pane.scene.brightness &= result->brightness.data != NULL;
  pane.scene.outlines = FALSE;
  pane.scene.zoom = MIN (width / (extent.right - extent.left), height / (extent.bottom * aspect));
  pane.scene.center_x = 0.5 * (extent.left + extent.right);
  pane.scene.center_y = 0.5 * extent.bottom;
  bytes = g_bytes_new_take (
      vg_picture_draw_software (&pane, 1, &source, NULL, self->beside->cuda, width, height, NULL),
      (gsize) (width * height * 4));
  return gdk_memory_texture_new (width, height, GDK_MEMORY_R8G8B8A8, bytes, (gsize) width * 4);
}
