/* SPDX-License-Identifier: MIT */
#include "ui/picture/vg-point-layer.h"
#include "ui/common/vg-object.h"
#include <math.h>

struct _VgPointLayer
{
  GtkWidget parent_instance;

  VgSession *session;
  VgPointDrawing *drawing;
  VgViewTransform transform;
  gboolean active;
};

G_DEFINE_FINAL_TYPE (VgPointLayer, vg_point_layer, GTK_TYPE_WIDGET)

static const double large = 4.5, small = 2;

/* A white disc with a dark rim, or a red cross on one. */
static void
draw_point (VgPointLayer *self, cairo_t *cr, VgPoint at, VgPoints kind, gboolean selected)
{
  double radius = self->active ? large : small;

  cairo_new_path (cr);
  if (selected && self->active)
    {
      cairo_arc (cr, at.x, at.y, radius + 3.5, 0, 2 * G_PI);
      cairo_set_source_rgb (cr, 0.38, 0.63, 0.95);
      cairo_set_line_width (cr, 2.5);
      cairo_stroke (cr);
    }
  cairo_arc (cr, at.x, at.y, radius, 0, 2 * G_PI);
  if (kind == VG_POINTS_SET)
    cairo_set_source_rgb (cr, 1, 1, 1);
  else
    cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.75);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  if (kind == VG_POINTS_SET)
    return;
  for (int k = -1; k <= 1; k += 2)
    {
      cairo_move_to (cr, at.x - 0.6 * radius, at.y - 0.6 * k * radius);
      cairo_line_to (cr, at.x + 0.6 * radius, at.y + 0.6 * k * radius);
    }
  cairo_set_source_rgb (cr, 1, 0.35, 0.3);
  cairo_set_line_width (cr, 1.8);
  cairo_stroke (cr);
}

static void
draw_table (VgPointLayer *self, cairo_t *cr, VgPoints kind)
{
  const VgParam *param = vg_point_drawing_find (self->session, kind);
  const VgTable *table = vg_point_drawing_table (self->session, param);
  VgPointRow selected = vg_point_drawing_get_selected (self->drawing);
  int width = gtk_widget_get_width (GTK_WIDGET (self)),
      height = gtk_widget_get_height (GTK_WIDGET (self));

  for (int row = 0; table != NULL && row < table->rows; row++)
    {
      const double *p = table->values + row * table->columns;
      VgPoint at;

      vg_view_transform_to_widget (&self->transform, p[0], p[1], &at.x, &at.y);
      if (at.x > -9 && at.y > -9 && at.x < width + 9 && at.y < height + 9)
        draw_point (self, cr, at, kind, selected.param == param && selected.row == row);
    }
}

static void
vg_point_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgPointLayer *self = VG_POINT_LAYER (widget);
  const VgTable *set = vg_point_drawing_table (
      self->session, vg_point_drawing_find (self->session, VG_POINTS_SET));
  const VgTable *out = vg_point_drawing_table (
      self->session, vg_point_drawing_find (self->session, VG_POINTS_TAKEN_OUT));
  cairo_t *cr;

  if (!(self->transform.zoom > 0) || (set == NULL && (out == NULL || !self->active)))
    return;
  cr = gtk_snapshot_append_cairo (
      snapshot,
      &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)));
  if (self->active)
    draw_table (self, cr, VG_POINTS_TAKEN_OUT);
  draw_table (self, cr, VG_POINTS_SET);
  cairo_destroy (cr);
}

static void
vg_point_layer_dispose (GObject *object)
{
  VgPointLayer *self = VG_POINT_LAYER (object);

  g_clear_object (&self->session);
  g_clear_object (&self->drawing);
  G_OBJECT_CLASS (vg_point_layer_parent_class)->dispose (object);
}

static void
vg_point_layer_class_init (VgPointLayerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_point_layer_dispose;
  GTK_WIDGET_CLASS (class)->snapshot = vg_point_layer_snapshot;
}

static void
vg_point_layer_init (VgPointLayer *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

static void
on_changed (VgPointLayer *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_PARAMS))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

GtkWidget *
vg_point_layer_new (VgSession *session, VgPointDrawing *drawing)
{
  VgPointLayer *self = g_object_new (VG_TYPE_POINT_LAYER, NULL);

  self->session = g_object_ref (session);
  self->drawing = g_object_ref (drawing);
  vg_connect (drawing, "changed", gtk_widget_queue_draw, self);
  vg_connect (session, "changed", on_changed, self);
  return GTK_WIDGET (self);
}

void
vg_point_layer_set_transform (VgPointLayer *self, const VgViewTransform *transform)
{
  self->transform = *transform;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_point_layer_set_active (VgPointLayer *self, gboolean active)
{
  self->active = active;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
