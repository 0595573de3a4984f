/* SPDX-License-Identifier: MIT */
#include "ui/layers/vg-tint-layer.h"

struct _VgTintLayer
{
  GtkWidget parent_instance;
  GdkTexture *texture; /* NULL: there is no tint */
  VgViewTransform transform;
  int width, height; /* of the slice, px; 0: there is no image */
  gboolean mirrored;
};

G_DEFINE_FINAL_TYPE (VgTintLayer, vg_tint_layer, GTK_TYPE_WIDGET)

/* Draws the texture over the slice; SIGN -1: over its mirror image at the left. */
static void
draw_slice (VgTintLayer *self, GtkSnapshot *snapshot, int sign)
{
  const graphene_rect_t pixels = GRAPHENE_RECT_INIT (0, 0, (float) self->width,
                                                     (float) self->height);
  double x, y, right_x, right_y, down_x, down_y;

  vg_view_transform_to_widget (&self->transform, 0, 0, &x, &y);
  vg_view_transform_to_widget (&self->transform, sign * self->width, 0, &right_x, &right_y);
  vg_view_transform_to_widget (&self->transform, 0, self->height, &down_x, &down_y);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  if (self->transform.swapped)
    {
      gtk_snapshot_rotate (snapshot, 90);
      gtk_snapshot_scale (snapshot, (float) ((right_y - y) / self->width),
                          (float) ((x - down_x) / self->height));
    }
  else
    gtk_snapshot_scale (snapshot, (float) ((right_x - x) / self->width),
                        (float) ((down_y - y) / self->height));
  gtk_snapshot_append_texture (snapshot, self->texture, &pixels);
  gtk_snapshot_restore (snapshot);
}

static void
vg_tint_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgTintLayer *self = VG_TINT_LAYER (widget);

  if (self->texture == NULL || self->width == 0 || !(self->transform.zoom > 0))
    return;
  draw_slice (self, snapshot, 1);
  if (self->mirrored)
    draw_slice (self, snapshot, -1);
}

void
vg_tint_layer_set_texture (VgTintLayer *self, GdkTexture *texture)
{
  if (g_set_object (&self->texture, texture))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_tint_layer_set_plane (VgTintLayer *self, const VgPlane *plane, const VgViewTransform *transform)
{
  self->transform = *transform;
  self->width = plane != NULL ? plane->width : 0;
  self->height = plane != NULL ? plane->height : 0;
  self->mirrored = plane != NULL && plane->mirrored;
  if (self->texture != NULL)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
vg_tint_layer_finalize (GObject *object)
{
  g_clear_object (&VG_TINT_LAYER (object)->texture);
  G_OBJECT_CLASS (vg_tint_layer_parent_class)->finalize (object);
}

static void
vg_tint_layer_class_init (VgTintLayerClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_tint_layer_finalize;
  GTK_WIDGET_CLASS (class)->snapshot = vg_tint_layer_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
vg_tint_layer_init (VgTintLayer *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
vg_tint_layer_new (void)
{
  return g_object_new (VG_TYPE_TINT_LAYER, NULL);
}
