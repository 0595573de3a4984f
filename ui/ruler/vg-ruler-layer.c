/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-length.h"
#include "ui/common/vg-number-format.h"
#include "ui/ruler/vg-ruler-layer.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include <math.h>

enum { REACH = 10, MARGIN = 8, TICK = 6, STEP = 1 };

typedef struct
{
  double x, y;
} Point;

struct _VgRulerLayer
{
  GtkWidget parent_instance;

  VgViewTransform transform;
  VgPlane plane; /* without its samples; width 0: there is no image */
  Point ends[2]; /* image pixels */
  gboolean active, has_line;
  int held;     /* the end that the pointer moves */
  Point before; /* of the press, on the widget */
};

G_DEFINE_FINAL_TYPE (VgRulerLayer, vg_ruler_layer, GTK_TYPE_WIDGET)

double
vg_ruler_layer_get_pixels (VgRulerLayer *self)
{
  return self->has_line
             ? hypot (self->ends[1].x - self->ends[0].x, self->ends[1].y - self->ends[0].y)
             : 0;
}

gboolean
vg_ruler_layer_get_line (VgRulerLayer *self, double x[2], double y[2])
{
  for (int i = 0; i < 2 && self->has_line; i++)
    {
      x[i] = self->ends[i].x;
      y[i] = self->ends[i].y;
    }
  return self->has_line;
}

/* As a length if the plane has a scale, owned. */
static char *
describe (VgRulerLayer *self)
{
  double pixels = vg_ruler_layer_get_pixels (self);
  double across = (self->ends[1].x - self->ends[0].x) * self->plane.pixel_size[0],
         down = (self->ends[1].y - self->ends[0].y) * self->plane.pixel_size[1];
  g_autofree char *length = NULL;
  const char *unit;
  double factor;

  if (self->plane.pixel_size[0] == 0 || self->plane.pixel_size[1] == 0 ||
      self->plane.unit[0] == '\0')
    return g_strdup_printf ("%.1f px", pixels);
  unit = vg_length_convert (self->plane.unit,
                            vg_length_tell (self->plane.unit, hypot (across, down)), &factor);
  length = vg_format_number (factor * hypot (across, down));
  return g_strdup_printf ("%s %s (%.1f px)", length, unit, pixels);
}

static void
changed (VgRulerLayer *self)
{
  g_autofree char *length = self->has_line ? describe (self) : NULL,
                  *name = length != NULL ? g_strdup_printf (_ ("Ruler: %s"), length)
                                         : g_strdup (_ ("Ruler"));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_line (VgRulerLayer *self, gboolean has_line)
{
  self->has_line = has_line;
  changed (self);
  g_signal_emit_by_name (self, "changed");
}

/* ---- positions ---- */

static Point
to_widget (VgRulerLayer *self, Point at)
{
  Point point;

  vg_view_transform_to_widget (&self->transform, at.x, at.y, &point.x, &point.y);
  return point;
}

static Point
to_image (VgRulerLayer *self, Point at)
{
  Point point;

  vg_view_transform_to_image (&self->transform, at.x, at.y, &point.x, &point.y);
  point.x = CLAMP (point.x, self->plane.mirrored ? -self->plane.width : 0, self->plane.width);
  point.y = CLAMP (point.y, 0, self->plane.height);
  return point;
}

static gboolean
has_image (VgRulerLayer *self)
{
  return self->plane.width > 0 && self->transform.zoom > 0;
}

/* ---- pointer ---- */

static void
on_begin (VgRulerLayer *self, double x, double y, GtkGesture *gesture)
{
  if (!has_image (self))
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (gtk_widget_get_parent (GTK_WIDGET (self)));
  self->before = (Point){ x, y };
  self->held = -1;
  for (int i = 0; i < 2 && self->has_line; i++)
    {
      Point end = to_widget (self, self->ends[i]);

      if (hypot (end.x - x, end.y - y) <= REACH)
        self->held = i;
    }
}

static void
on_update (VgRulerLayer *self, double dx, double dy)
{
  Point at = { self->before.x + dx, self->before.y + dy };

  if (!has_image (self))
    return;
  if (self->held < 0)
    {
      if (hypot (dx, dy) < REACH)
        return;
      self->ends[0] = to_image (self, self->before);
      self->held = 1;
    }
  self->ends[self->held] = to_image (self, at);
  set_line (self, TRUE);
}

/* ---- keyboard ---- */

/* Across the middle half of what is visible. */
static void
place (VgRulerLayer *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)),
         height = gtk_widget_get_height (GTK_WIDGET (self));

  self->ends[0] = to_image (self, (Point){ 0.25 * width, 0.5 * height });
  self->ends[1] = to_image (self, (Point){ 0.75 * width, 0.5 * height });
  set_line (self, TRUE);
}

/* Moves end I by a pixel of the image along an axis of the screen. */
static void
nudge (VgRulerLayer *self, int i, int dx, int dy)
{
  Point at = to_widget (self, self->ends[i]), zero = to_widget (self, (Point){ 0, 0 }),
        one = to_widget (self, (Point){ 1, 1 });

  at.x += dx * STEP * fabs (one.x - zero.x);
  at.y += dy * STEP * fabs (one.y - zero.y);
  self->ends[i] = to_image (self, at);
  set_line (self, TRUE);
}

static gboolean
on_key (VgRulerLayer *self, guint key, guint code, GdkModifierType state)
{
  int end = (state & GDK_SHIFT_MASK) != 0 ? 0 : 1;
  gboolean control = (state & GDK_CONTROL_MASK) != 0 && self->has_line;

  if (!self->active || !has_image (self))
    return FALSE;
  if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter)
    {
      if (!self->has_line)
        place (self);
    }
  else if (key == GDK_KEY_Delete && self->has_line)
    set_line (self, FALSE);
  else if (control && key == GDK_KEY_Left)
    nudge (self, end, -1, 0);
  else if (control && key == GDK_KEY_Right)
    nudge (self, end, 1, 0);
  else if (control && key == GDK_KEY_Up)
    nudge (self, end, 0, -1);
  else if (control && key == GDK_KEY_Down)
    nudge (self, end, 0, 1);
  else
    return FALSE;
  return TRUE;
}

/* ---- drawing ---- */

/* A line with a short line across each end. */
static void
trace (cairo_t *cr, Point a, Point b)
{
  double length = MAX (hypot (b.x - a.x, b.y - a.y), 1e-6);
  double across_x = -TICK * (b.y - a.y) / length, across_y = TICK * (b.x - a.x) / length;

  cairo_move_to (cr, a.x - across_x, a.y - across_y);
  cairo_line_to (cr, a.x + across_x, a.y + across_y);
  cairo_move_to (cr, a.x, a.y);
  cairo_line_to (cr, b.x, b.y);
  cairo_move_to (cr, b.x - across_x, b.y - across_y);
  cairo_line_to (cr, b.x + across_x, b.y + across_y);
}

static void
draw_label (VgRulerLayer *self, GtkSnapshot *snapshot, Point a, Point b)
{
  g_autofree char *length = describe (self);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), length);
  GskRoundedRect pill;
  int width, height;
  double x, y;

  pango_layout_get_pixel_size (layout, &width, &height);
  x = CLAMP (0.5 * (a.x + b.x) - 0.5 * width, MARGIN,
             MAX (MARGIN, gtk_widget_get_width (GTK_WIDGET (self)) - width - MARGIN));
  y = CLAMP (0.5 * (a.y + b.y) + MARGIN + TICK, MARGIN,
             MAX (MARGIN, gtk_widget_get_height (GTK_WIDGET (self)) - height - MARGIN));
  gsk_rounded_rect_init_from_rect (
      &pill, &GRAPHENE_RECT_INIT (floor (x) - 6, floor (y) - 2, width + 12, height + 4), 4);
  gtk_snapshot_push_rounded_clip (snapshot, &pill);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 0, 0, 0, 0.7 }, &pill.bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (floor (x), floor (y)));
  gtk_snapshot_append_layout (snapshot, layout, &(GdkRGBA){ 1, 1, 1, 1 });
  gtk_snapshot_restore (snapshot);
}

static void
vg_ruler_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgRulerLayer *self = VG_RULER_LAYER (widget);
  const graphene_rect_t view = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget),
                                                   gtk_widget_get_height (widget));
  graphene_rect_t bounds;
  Point a, b;
  cairo_t *cr;

  if (!self->has_line || !has_image (self))
    return;
  a = to_widget (self, self->ends[0]);
  b = to_widget (self, self->ends[1]);
  bounds = GRAPHENE_RECT_INIT (floor (MIN (a.x, b.x)) - MARGIN, floor (MIN (a.y, b.y)) - MARGIN,
                               ceil (fabs (b.x - a.x)) + 2 * MARGIN + 1,
                               ceil (fabs (b.y - a.y)) + 2 * MARGIN + 1);
  if (!graphene_rect_intersection (&bounds, &view, &bounds))
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  trace (cr, a, b);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_set_line_width (cr, 4);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 0.85, 0.1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_destroy (cr);
  draw_label (self, snapshot, a, b);
}

/* ---- the widget ---- */

void
vg_ruler_layer_set_active (VgRulerLayer *self, gboolean active)
{
  self->active = active;
  gtk_widget_set_can_target (GTK_WIDGET (self), active);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), active ? "crosshair" : NULL);
}

/* Whether both are maps of a simulation, whose bins have another size now. */
static gboolean
is_regridded (const VgPlane *a, const VgPlane *b)
{
  return a->mirrored && b->mirrored && g_str_equal (a->unit, b->unit) && b->pixel_size[0] > 0 &&
         b->pixel_size[1] > 0 &&
         (a->pixel_size[0] != b->pixel_size[0] || a->pixel_size[1] != b->pixel_size[1]);
}

void
vg_ruler_layer_set_plane (VgRulerLayer *self, const VgPlane *plane,
                          const VgViewTransform *transform)
{
  VgPlane before = self->plane;

  self->transform = *transform;
  if (plane != NULL)
    {
      self->plane = *plane;
      self->plane.data = NULL;
      self->plane.stream = NULL;
      if (self->has_line && is_regridded (&before, plane))
        for (int i = 0; i < 2; i++)
          {
            self->ends[i].x *= before.pixel_size[0] / plane->pixel_size[0];
            self->ends[i].y *= before.pixel_size[1] / plane->pixel_size[1];
          }
      else if (self->has_line && (plane->width != before.width || plane->height != before.height))
        set_line (self, FALSE);
    }
  if (self->has_line)
    changed (self);
}

static void
vg_ruler_layer_class_init (VgRulerLayerClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = vg_ruler_layer_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "changed", 0);
}

static void
vg_ruler_layer_init (VgRulerLayer *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
vg_ruler_layer_new (GtkWidget *view)
{
  VgRulerLayer *self = g_object_new (VG_TYPE_RULER_LAYER, NULL);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *key = gtk_event_controller_key_new ();

  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (on_begin), self, G_CONNECT_SWAPPED);
  vg_connect (drag, "drag-update", on_update, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  /* before the view's own keys */
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  vg_connect (key, "key-pressed", on_key, self);
  gtk_widget_add_controller (view, key);
  changed (self);
  return GTK_WIDGET (self);
}
