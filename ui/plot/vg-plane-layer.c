/* SPDX-License-Identifier: MIT */
#include "ui/plot/vg-plane-layer.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/layers/vg-axes-layer.h"

enum { REACH_PX = 7, FIRST_RADIUS_PX = 28, LEAST_DRAG_PX = 2 };

/* Radii, in the plane's unit. */
static const double least_radius = 1e-3, largest_radius = 2;

struct _VgPlaneLayer
{
  GtkWidget parent_instance;
  VgImageView *view; /* the parent */
  VgPlaneScene scene;
  VgPlotPlane *plot;
  VgPlotColor *colors;
  GArray *ellipses; /* of VgEllipse */
  guint max;
  gboolean dragging;
  VgEllipsePart part; /* of the selected ellipse, that is dragged */
  VgEllipse start;    /* as it was when the drag began */
  double press[2];    /* where, in widget coordinates */
};

G_DEFINE_FINAL_TYPE (VgPlaneLayer, vg_plane_layer, GTK_TYPE_WIDGET)

static VgEllipse *
ellipse_at (VgPlaneLayer *self, int i) /* NULL: there is none */
{
  return i >= 0 && (guint) i < self->ellipses->len ? &g_array_index (self->ellipses, VgEllipse, i)
                                                   : NULL;
}

/* FALSE: nothing is shown yet. */
static gboolean
update_transform (VgPlaneLayer *self)
{
  self->scene.transform = *vg_image_view_get_transform (self->view);
  return self->plot != NULL && self->scene.transform.zoom > 0;
}

static void
vg_plane_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgPlaneLayer *self = VG_PLANE_LAYER (widget);
  cairo_t *cr;

  if (!update_transform (self))
    return;
  cr = gtk_snapshot_append_cairo (
      snapshot,
      &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)));
  self->scene.font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  self->scene.left = vg_axes_room (widget).left;
  vg_plane_scene_draw (&self->scene, cr);
  cairo_destroy (cr);
}

static void
update_fit (VgPlaneLayer *self)
{
  VgExtent fit = { 0 };

  if (self->plot != NULL)
    fit = vg_plane_scene_get_fit (&self->scene);
  vg_image_view_set_fit (self->view, &fit);
}

/* Ellipses may have moved in memory. */
static void
show_ellipses (VgPlaneLayer *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  self->scene.ellipses = (const VgEllipse *) (void *) self->ellipses->data;
  self->scene.n_ellipses = self->ellipses->len;
  for (guint i = 0; i < self->ellipses->len; i++)
    {
      const VgEllipse *e = ellipse_at (self, (int) i);

      g_string_append_printf (text, _ ("%s%u at %.3f, %.3f, radii %.3f, %.3f, angle %.0f%s"),
                              i > 0 ? "; " : "", i + 1, e->x, e->y, e->a, e->b, e->angle,
                              (int) i == self->scene.selected ? _ (", selected") : "");
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->len > 0 ? text->str : _ ("No ellipse"), -1);
  update_fit (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
end_change (VgPlaneLayer *self, gboolean done)
{
  show_ellipses (self);
  g_signal_emit_by_name (self, "ellipses-changed", done);
}

static void
choose (VgPlaneLayer *self, int i)
{
  if (i == self->scene.selected)
    return;
  self->scene.selected = i;
  show_ellipses (self);
  g_signal_emit_by_name (self, "selected");
}

static void
add_at (VgPlaneLayer *self, double x, double y)
{
  double radius = CLAMP (FIRST_RADIUS_PX / vg_plane_scene_get_scale (&self->scene), least_radius,
                         largest_radius);
  VgEllipse ellipse = { .x = x, .y = y, .a = radius, .b = radius };

  if (self->ellipses->len >= self->max)
    return;
  g_array_append_val (self->ellipses, ellipse);
  choose (self, (int) self->ellipses->len - 1);
  end_change (self, TRUE);
}

static gboolean
is_held (VgPlaneLayer *self, double x, double y)
{
  for (guint i = 0; i < self->ellipses->len; i++)
    if (vg_ellipse_contains (ellipse_at (self, (int) i), x, y))
      return TRUE;
  return FALSE;
}

void
vg_plane_layer_add (VgPlaneLayer *self)
{
  const VgPlane *plane = self->plot ? &self->plot->result->plane : NULL;
  double best_x, best_y, most = -1;

  if (!update_transform (self))
    return;
  vg_plane_scene_to_plane (&self->scene, 0.5 * gtk_widget_get_width (GTK_WIDGET (self)),
                           0.5 * gtk_widget_get_height (GTK_WIDGET (self)), &best_x, &best_y);
  for (int y = 1; y + 1 < plane->height; y++)
    for (int x = 1; x + 1 < plane->width; x++)
      {
        double px = vg_plane_position (plane, 0, x + 0.5),
               py = vg_plane_position (plane, 1, y + 0.5), sum = 0;

        for (int k = 0; k < 9; k++)
          {
            float value = plane->data[(gsize) (y + k / 3 - 1) * (gsize) plane->width +
                                      (gsize) (x + k % 3 - 1)];
            sum += isfinite (value) ? value : 0;
          }
        if (sum <= most || is_held (self, px, py))
          continue;
        most = sum;
        if (sum > 0)
          {
            best_x = px;
            best_y = py;
          }
      }
  add_at (self, best_x, best_y);
  gtk_widget_grab_focus (GTK_WIDGET (self->view)); /* for the keys that change it */
}

void
vg_plane_layer_remove_selected (VgPlaneLayer *self)
{
  int i = self->scene.selected;

  if (ellipse_at (self, i) == NULL)
    return;
  g_array_remove_index (self->ellipses, (guint) i);
  choose (self, MIN (i, (int) self->ellipses->len - 1));
  end_change (self, TRUE);
}

/* ---- pointer and keys ---- */

/* The topmost ellipse at a point; the handles of the selected one come first. */
static VgEllipsePart
part_at (VgPlaneLayer *self, double x, double y, int *i)
{
  double scale = vg_plane_scene_get_scale (&self->scene), reach = REACH_PX / scale,
         knob = VG_PLANE_KNOB_PX / scale, px, py;
  VgEllipsePart part = VG_ELLIPSE_OUTSIDE;

  vg_plane_scene_to_plane (&self->scene, x, y, &px, &py);
  *i = self->scene.selected;
  if (ellipse_at (self, *i))
    part = vg_ellipse_hit (ellipse_at (self, *i), px, py, reach, knob, TRUE);
  if (part != VG_ELLIPSE_OUTSIDE)
    return part;
  for (*i = (int) self->ellipses->len - 1; *i >= 0; --*i)
    if ((part = vg_ellipse_hit (ellipse_at (self, *i), px, py, reach, knob, FALSE)) !=
        VG_ELLIPSE_OUTSIDE)
      return part;
  return VG_ELLIPSE_OUTSIDE;
}

static const char *
cursor_of (VgEllipsePart part)
{
  switch (part)
    {
    case VG_ELLIPSE_INSIDE:
      return "move";
    case VG_ELLIPSE_EDGE:
    case VG_ELLIPSE_A:
    case VG_ELLIPSE_B:
      return "nwse-resize";
    case VG_ELLIPSE_KNOB:
      return "grab";
    case VG_ELLIPSE_OUTSIDE:
    default:
      return NULL;
    }
}

static void
on_motion (VgPlaneLayer *self, double x, double y)
{
  int i;

  if (!update_transform (self))
    return;
  vg_plane_scene_to_plane (&self->scene, x, y, &self->scene.pointer[0], &self->scene.pointer[1]);
  if (!self->dragging)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor_of (part_at (self, x, y, &i)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (VgPlaneLayer *self)
{
  self->scene.pointer[0] = self->scene.pointer[1] = NAN;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A drag beside the ellipses is the view's, which pans. */
static void
on_drag_begin (VgPlaneLayer *self, double x, double y, GtkGesture *gesture)
{
  int i;

  self->part = update_transform (self) ? part_at (self, x, y, &i) : VG_ELLIPSE_OUTSIDE;
  self->dragging = self->part != VG_ELLIPSE_OUTSIDE;
  choose (self, self->dragging ? i : -1);
  gtk_gesture_set_state (gesture,
                         self->dragging ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED);
  if (!self->dragging)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  self->start = *ellipse_at (self, i);
  self->press[0] = x;
  self->press[1] = y;
}

static gboolean
is_moved (double dx, double dy)
{
  return fabs (dx) >= LEAST_DRAG_PX || fabs (dy) >= LEAST_DRAG_PX;
}

static void
on_drag_update (VgPlaneLayer *self, double dx, double dy)
{
  VgEllipse *ellipse = ellipse_at (self, self->scene.selected);
  double from[2], to[2];

  if (!self->dragging || ellipse == NULL || !is_moved (dx, dy))
    return;
  /* the image does not follow what is dragged over it */
  vg_image_view_zoom_to (self->view, vg_image_view_get_zoom (self->view));
  update_transform (self);
  vg_plane_scene_to_plane (&self->scene, self->press[0], self->press[1], &from[0], &from[1]);
  vg_plane_scene_to_plane (&self->scene, self->press[0] + dx, self->press[1] + dy, &to[0], &to[1]);
  *ellipse = vg_ellipse_drag (&self->start, self->part, from[0], from[1], to[0], to[1],
                              least_radius, largest_radius);
  end_change (self, FALSE);
}

static void
on_drag_end (VgPlaneLayer *self, double dx, double dy)
{
  gboolean moved = self->dragging && is_moved (dx, dy);

  self->dragging = FALSE;
  if (moved)
    end_change (self, TRUE);
}

static void
on_double_click (VgPlaneLayer *self, double x, double y)
{
  if (self->max == 0)
    vg_image_view_zoom_fit (self->view);
  else if (update_transform (self))
    add_at (self, vg_plane_position (&self->plot->result->plane, 0, x),
            vg_plane_position (&self->plot->result->plane, 1, y));
}

/* FALSE: the key has no effect on an ellipse. */
static gboolean
change_by_key (VgEllipse *ellipse, guint value, double step)
{
  switch (value)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      ellipse->x += value == GDK_KEY_Left ? -step : step;
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      ellipse->y += value == GDK_KEY_Down ? -step : step;
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_KP_Add:
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      {
        double factor = value == GDK_KEY_plus || value == GDK_KEY_KP_Add ? 1.05 : 1 / 1.05;

        ellipse->a = CLAMP (ellipse->a * factor, least_radius, largest_radius);
        ellipse->b = CLAMP (ellipse->b * factor, least_radius, largest_radius);
        return TRUE;
      }
    case GDK_KEY_bracketleft:
    case GDK_KEY_bracketright:
      ellipse->angle = remainder (ellipse->angle + (value == GDK_KEY_bracketleft ? 5 : -5), 360);
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
on_key (VgPlaneLayer *self, guint value, guint code, GdkModifierType state)
{
  VgEllipse *ellipse = ellipse_at (self, self->scene.selected);

  if (ellipse == NULL || state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  if (value == GDK_KEY_Delete || value == GDK_KEY_BackSpace)
    {
      vg_plane_layer_remove_selected (self);
      return GDK_EVENT_STOP;
    }
  if (!change_by_key (ellipse, value, state & GDK_SHIFT_MASK ? 0.001 : 0.01))
    return GDK_EVENT_PROPAGATE;
  end_change (self, TRUE);
  return GDK_EVENT_STOP;
}

/* ---- the widget ---- */

void
vg_plane_layer_set (VgPlaneLayer *self, VgPlotPlane *plot, const VgPlotColor *colors,
                    guint n_colors)
{
  g_clear_pointer (&self->plot, vg_plot_plane_free);
  g_free (self->colors);
  self->plot = plot;
  self->colors = g_memdup2 (colors, n_colors * sizeof *colors);
  self->scene.plot = plot;
  self->scene.colors = self->colors;
  self->scene.n_colors = n_colors;
  update_fit (self);
  vg_image_view_show (self->view, plot != NULL ? plot->result : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_plane_layer_set_ellipses (VgPlaneLayer *self, const VgEllipse *ellipses, guint n, guint max)
{
  self->max = max;
  if (n == self->ellipses->len &&
      (n == 0 || memcmp (self->ellipses->data, ellipses, n * sizeof *ellipses) == 0))
    return;
  g_array_set_size (self->ellipses, 0);
  g_array_append_vals (self->ellipses, ellipses, n);
  if (self->scene.selected >= (int) n)
    choose (self, -1);
  show_ellipses (self);
}

const VgEllipse *
vg_plane_layer_get_ellipses (VgPlaneLayer *self, guint *n)
{
  *n = self->ellipses->len;
  return (const VgEllipse *) (void *) self->ellipses->data;
}

gboolean
vg_plane_layer_is_dragging (VgPlaneLayer *self)
{
  return self->dragging;
}

int
vg_plane_layer_get_selected (VgPlaneLayer *self)
{
  return self->scene.selected;
}

void
vg_plane_layer_zoom_data (VgPlaneLayer *self)
{
  VgExtent area;

  if (self->plot != NULL && vg_plane_scene_get_data (&self->scene, &area))
    vg_image_view_show_area (self->view, &area);
}

void
vg_plane_layer_zoom_all (VgPlaneLayer *self)
{
  VgExtent area;

  if (self->plot == NULL)
    return;
  area = vg_plane_scene_get_all (&self->scene);
  vg_image_view_show_area (self->view, &area);
}

double
vg_plane_layer_get_outside (VgPlaneLayer *self)
{
  return self->plot != NULL ? vg_plane_scene_get_outside (&self->scene) : 0;
}

GskRenderNode *
vg_plane_layer_render (VgPlaneLayer *self)
{
  VgPlaneScene scene = self->scene;
  GskRenderNode *node;

  self->scene.selected = -1;
  self->scene.pointer[0] = NAN;
  gtk_widget_queue_draw (GTK_WIDGET (self)); /* else the node of the last frame is used */
  node = vg_image_view_render (self->view, 1);
  self->scene = scene;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return node;
}

static void
vg_plane_layer_finalize (GObject *object)
{
  VgPlaneLayer *self = VG_PLANE_LAYER (object);

  g_clear_pointer (&self->plot, vg_plot_plane_free);
  g_array_unref (self->ellipses);
  g_free (self->colors);
  G_OBJECT_CLASS (vg_plane_layer_parent_class)->finalize (object);
}

static void
vg_plane_layer_class_init (VgPlaneLayerClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_plane_layer_finalize;
  GTK_WIDGET_CLASS (class)->snapshot = vg_plane_layer_snapshot;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "plot");
  vg_signal_new (VG_TYPE_PLANE_LAYER, "ellipses-changed", 1, G_TYPE_BOOLEAN);
  vg_signal_new (VG_TYPE_PLANE_LAYER, "selected", 0);
}

static void
vg_plane_layer_init (VgPlaneLayer *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->ellipses = g_array_new (FALSE, FALSE, sizeof (VgEllipse));
  self->scene.selected = -1;
  self->scene.pointer[0] = self->scene.pointer[1] = NAN;
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
vg_plane_layer_new (VgImageView *view)
{
  VgPlaneLayer *self = g_object_new (VG_TYPE_PLANE_LAYER, NULL);
  GtkEventController *key = gtk_event_controller_key_new ();

  self->view = view;
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE); /* before the view's keys */
  vg_connect (key, "key-pressed", on_key, self);
  gtk_widget_add_controller (GTK_WIDGET (view), key);
  vg_connect (view, "double-clicked", on_double_click, self);
  vg_image_view_set_layer (view, GTK_WIDGET (self));
  show_ellipses (self);
  return GTK_WIDGET (self);
}
