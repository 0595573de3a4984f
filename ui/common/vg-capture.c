/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-capture.h"
#include "render/vg-renderer.h"

/* Where it is in WIDGET, which it is below. */
static void
add_part (GtkWidget *widget, GtkWidget *part, GtkSnapshot *snapshot)
{
  GtkWidget *parent = gtk_widget_get_parent (part);
  double x = 0, y = 0;

  if (!gtk_widget_get_mapped (part) ||
      !gtk_widget_translate_coordinates (parent, widget, 0, 0, &x, &y))
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_widget_snapshot_child (parent, part, snapshot);
  gtk_snapshot_restore (snapshot);
}

GdkTexture *
vg_widgets_capture (GtkWidget *widget, GtkWidget *const *parts, const GdkRGBA *ground,
                    GError **error)
{
  int scale = gtk_widget_get_scale_factor (widget), width = gtk_widget_get_width (widget),
      height = gtk_widget_get_height (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  if (!gtk_widget_get_mapped (widget) || width < 1 || height < 1)
    {
      g_set_error_literal (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                           "the image is not on the screen; show its window first");
      return NULL;
    }
  gtk_snapshot_scale (snapshot, (float) scale, (float) scale);
  gtk_snapshot_append_color (snapshot, ground, &GRAPHENE_RECT_INIT (0, 0, width, height));
  for (guint i = 0; parts[i] != NULL; i++)
    add_part (widget, parts[i], snapshot);
  node = gtk_snapshot_to_node (snapshot);
  return gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)),
                                      node,
                                      &GRAPHENE_RECT_INIT (0, 0, width * scale, height * scale));
}
