/* SPDX-License-Identifier: MIT */
#include "vg-plane-view.h"
#include <math.h>
#include "vg-widgets.h"

enum { REACH_PX = 7 };
static const double least_radius = 1e-3, largest_radius = 2, first_radius_px = 28;

struct _VgPlaneView
{
  GtkWidget parent_instance;
  VgPlaneScene scene;
  VgPlotPlane *picture;
  VgPlotColor *colors;
  GArray *ellipses;          /* of VgEllipse */
  guint max;
  char *empty_text;
  gboolean dragging;
  VgEllipsePart part;        /* of the selected one that is dragged; OUTSIDE: the ground is */
  VgEllipse start;
  double press[2], start_middle[2];
};

enum { ELLIPSES_CHANGED, SELECTED, ZOOM_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (VgPlaneView, vg_plane_view, GTK_TYPE_WIDGET)

static VgEllipse *
ellipse_at (VgPlaneView *self, int i)
{
  return i >= 0 && (guint) i < self->ellipses->len ? &g_array_index (self->ellipses, VgEllipse, i) : NULL;
}

static void
vg_plane_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgPlaneView *self = VG_PLANE_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  self->scene.dark = color.red + color.green + color.blue > 1.5;
  vg_plane_scene_draw (&self->scene, cr, width, height);
  cairo_destroy (cr);
}

/* Ellipses may have moved in memory. */
static void
show_ellipses (VgPlaneView *self)
{
  g_autoptr(GString) text = g_string_new (NULL);

  self->scene.ellipses = (const VgEllipse *) (void *) self->ellipses->data;
  self->scene.n_ellipses = self->ellipses->len;
  for (guint i = 0; i < self->ellipses->len; i++)
    {
      const VgEllipse *e = ellipse_at (self, (int) i);

      g_string_append_printf (text, "%s%u at %.3f, %.3f, radii %.3f, %.3f, angle %.0f%s", i > 0 ? "; " : "", i + 1, e->x, e->y, e->a, e->b,
                              e->angle, (int) i == self->scene.selected ? ", selected" : "");
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->len > 0 ? text->str : "No ellipse", -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
changed (VgPlaneView *self, gboolean done)
{
  show_ellipses (self);
  g_signal_emit (self, signals[ELLIPSES_CHANGED], 0, done);
}

static void
choose (VgPlaneView *self, int i)
{
  if (i == self->scene.selected)
    return;
  self->scene.selected = i;
  show_ellipses (self);
  g_signal_emit (self, signals[SELECTED], 0);
}

/* The topmost ellipse there; the selected one's handles come first. */
static VgEllipsePart
part_at (VgPlaneView *self, double x, double y, int *i)
{
  double reach = REACH_PX / self->scene.scale, knob = VG_PLANE_KNOB_PX / self->scene.scale, px, py;
  VgEllipsePart part = VG_ELLIPSE_OUTSIDE;

  vg_plane_scene_to_plane (&self->scene, x, y, &px, &py);
  *i = self->scene.selected;
  if (ellipse_at (self, *i))
    part = vg_ellipse_hit (ellipse_at (self, *i), px, py, reach, knob, TRUE);
  if (part != VG_ELLIPSE_OUTSIDE)
    return part;
  for (*i = (int) self->ellipses->len - 1; *i >= 0; --*i)
    if ((part = vg_ellipse_hit (ellipse_at (self, *i), px, py, reach, knob, FALSE)) != VG_ELLIPSE_OUTSIDE)
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
      return "default";
    }
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, VgPlaneView *self)
{
  const double *box = self->scene.box;
  int i;

  if (self->picture == NULL || self->scene.scale == 0)
    return;
  self->scene.pointer[0] = self->scene.pointer[1] = NAN;
  if (x >= box[0] && x <= box[0] + box[2] && y >= box[1] && y <= box[1] + box[3])
    vg_plane_scene_to_plane (&self->scene, x, y, &self->scene.pointer[0], &self->scene.pointer[1]);
  if (!self->dragging)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), cursor_of (part_at (self, x, y, &i)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *motion, VgPlaneView *self)
{
  self->scene.pointer[0] = self->scene.pointer[1] = NAN;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, VgPlaneView *self)
{
  int i;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->picture == NULL || self->scene.scale == 0)
    return;
  self->part = part_at (self, x, y, &i);
  choose (self, self->part == VG_ELLIPSE_OUTSIDE ? -1 : i);
  if (self->part != VG_ELLIPSE_OUTSIDE)
    self->start = *ellipse_at (self, i);
  self->press[0] = x;
  self->press[1] = y;
  self->start_middle[0] = self->scene.middle[0];
  self->start_middle[1] = self->scene.middle[1];
  self->dragging = TRUE;
}

static void
zoomed (VgPlaneView *self)
{
  self->scene.zoomed = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[ZOOM_CHANGED], 0);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, VgPlaneView *self)
{
  VgEllipse *ellipse = ellipse_at (self, self->scene.selected);
  double from[2], to[2];

  if (!self->dragging || (fabs (dx) < 2 && fabs (dy) < 2))
    return;
  if (self->part == VG_ELLIPSE_OUTSIDE)
    {
      self->scene.middle[0] = self->start_middle[0] - dx / self->scene.scale;
      self->scene.middle[1] = self->start_middle[1] + dy / self->scene.scale;
      zoomed (self);
      return;
    }
  if (ellipse == NULL)
    return;
  self->scene.zoomed = TRUE;   /* the ground does not follow what is dragged over it */
  vg_plane_scene_to_plane (&self->scene, self->press[0], self->press[1], &from[0], &from[1]);
  vg_plane_scene_to_plane (&self->scene, self->press[0] + dx, self->press[1] + dy, &to[0], &to[1]);
  *ellipse = vg_ellipse_drag (&self->start, self->part, from[0], from[1], to[0], to[1], least_radius, largest_radius);
  changed (self, FALSE);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, VgPlaneView *self)
{
  gboolean moved = self->dragging && self->part != VG_ELLIPSE_OUTSIDE && (fabs (dx) >= 2 || fabs (dy) >= 2);

  self->dragging = FALSE;
  if (moved)
    {
      g_signal_emit (self, signals[ZOOM_CHANGED], 0);
      changed (self, TRUE);
    }
}

static void
add_at (VgPlaneView *self, double x, double y)
{
  double radius = CLAMP (first_radius_px / self->scene.scale, least_radius, largest_radius);
  VgEllipse ellipse = { .x = x, .y = y, .a = radius, .b = radius };

  if (self->ellipses->len >= self->max)
    return;
  g_array_append_val (self->ellipses, ellipse);
  choose (self, (int) self->ellipses->len - 1);
  changed (self, TRUE);
}

void
vg_plane_view_add (VgPlaneView *self)
{
  const VgPlane *plane = self->picture ? &self->picture->plane : NULL;
  double best_x, best_y, most = -1;

  if (plane == NULL || self->scene.scale == 0)
    return;
  best_x = self->scene.middle[0];
  best_y = self->scene.middle[1];
  /* every other cell of a smoothed plane will do: the user moves it */
  for (int y = 1; y + 1 < plane->height; y++)
    for (int x = 1; x + 1 < plane->width; x++)
      {
        double px = vg_plane_position (plane, 0, x + 0.5), py = vg_plane_position (plane, 1, y + 0.5), sum = 0;
        gboolean held = FALSE;

        for (int k = 0; k < 9; k++)
          {
            float value = plane->data[(gsize) (y + k / 3 - 1) * (gsize) plane->width + (gsize) (x + k % 3 - 1)];
            sum += isfinite (value) ? value : 0;
          }
        if (sum <= most)
          continue;
        for (guint i = 0; i < self->ellipses->len && !held; i++)
          held = vg_ellipse_contains (ellipse_at (self, (int) i), px, py);
        if (held)
          continue;
        most = sum;
        if (sum > 0)
          {
            best_x = px;
            best_y = py;
          }
      }
  add_at (self, best_x, best_y);
  gtk_widget_grab_focus (GTK_WIDGET (self));   /* for the keys that change it */
}

void
vg_plane_view_remove_selected (VgPlaneView *self)
{
  int i = self->scene.selected;

  if (ellipse_at (self, i) == NULL)
    return;
  g_array_remove_index (self->ellipses, (guint) i);
  choose (self, MIN (i, (int) self->ellipses->len - 1));
  changed (self, TRUE);
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, VgPlaneView *self)
{
  double px, py;
  int i;

  if (n_press != 2 || self->picture == NULL || part_at (self, x, y, &i) != VG_ELLIPSE_OUTSIDE)
    return;
  vg_plane_scene_to_plane (&self->scene, x, y, &px, &py);
  if (self->max > 0)
    add_at (self, px, py);
  else
    vg_plane_view_zoom_fit (self);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, VgPlaneView *self)
{
  double factor = pow (1.2, -dy), x = self->scene.pointer[0], y = self->scene.pointer[1];

  if (self->picture == NULL || isnan (x))
    return GDK_EVENT_PROPAGATE;
  factor = CLAMP (self->scene.scale * factor, 20, 1e5) / self->scene.scale;
  self->scene.middle[0] = x + (self->scene.middle[0] - x) / factor;
  self->scene.middle[1] = y + (self->scene.middle[1] - y) / factor;
  self->scene.scale *= factor;
  zoomed (self);
  return GDK_EVENT_STOP;
}

/* FALSE: the key means nothing here. */
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
on_key (GtkEventControllerKey *key, guint value, guint code, GdkModifierType state, VgPlaneView *self)
{
  VgEllipse *ellipse = ellipse_at (self, self->scene.selected);

  if (ellipse == NULL || state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  if (value == GDK_KEY_Delete || value == GDK_KEY_BackSpace)
    {
      vg_plane_view_remove_selected (self);
      return GDK_EVENT_STOP;
    }
  if (!change_by_key (ellipse, value, state & GDK_SHIFT_MASK ? 0.001 : 0.01))
    return GDK_EVENT_PROPAGATE;
  changed (self, TRUE);
  return GDK_EVENT_STOP;
}

void
vg_plane_view_set (VgPlaneView *self, VgPlotPlane *picture, const VgOutput *output, const VgPlotColor *colors, guint n_colors)
{
  g_return_if_fail (VG_IS_PLANE_VIEW (self));
  g_clear_pointer (&self->scene.image, cairo_surface_destroy);
  g_clear_pointer (&self->picture, vg_plot_plane_free);
  g_free (self->colors);
  self->picture = picture;
  self->colors = g_memdup2 (colors, n_colors * sizeof *colors);
  self->scene.picture = picture;
  self->scene.output = output;
  self->scene.colors = self->colors;
  self->scene.n_colors = n_colors;
  if (picture != NULL)
    self->scene.image = vg_plane_scene_color (picture, output);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_plane_view_set_ellipses (VgPlaneView *self, const VgEllipse *ellipses, guint n, guint max)
{
  g_return_if_fail (VG_IS_PLANE_VIEW (self));
  self->max = max;
  if (n == self->ellipses->len && (n == 0 || memcmp (self->ellipses->data, ellipses, n * sizeof *ellipses) == 0))
    return;
  g_array_set_size (self->ellipses, 0);
  g_array_append_vals (self->ellipses, ellipses, n);
  if (self->scene.selected >= (int) n)
    choose (self, -1);
  show_ellipses (self);
}

const VgEllipse *
vg_plane_view_get_ellipses (VgPlaneView *self, guint *n)
{
  *n = self->ellipses->len;
  return (const VgEllipse *) (void *) self->ellipses->data;
}

gboolean
vg_plane_view_is_dragging (VgPlaneView *self)
{
  return self->dragging && self->part != VG_ELLIPSE_OUTSIDE;
}

int
vg_plane_view_get_selected (VgPlaneView *self)
{
  return self->scene.selected;
}

gboolean
vg_plane_view_is_zoomed (VgPlaneView *self)
{
  return self->scene.zoomed;
}

void
vg_plane_view_zoom_fit (VgPlaneView *self)
{
  g_return_if_fail (VG_IS_PLANE_VIEW (self));
  self->scene.zoomed = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[ZOOM_CHANGED], 0);
}

const VgPlaneScene *
vg_plane_view_get_scene (VgPlaneView *self)
{
  return &self->scene;
}

static void
vg_plane_view_finalize (GObject *object)
{
  VgPlaneView *self = VG_PLANE_VIEW (object);

  g_clear_pointer (&self->scene.image, cairo_surface_destroy);
  g_clear_pointer (&self->picture, vg_plot_plane_free);
  g_array_unref (self->ellipses);
  g_free (self->colors);
  g_free (self->empty_text);
  G_OBJECT_CLASS (vg_plane_view_parent_class)->finalize (object);
}

static void
vg_plane_view_class_init (VgPlaneViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = vg_plane_view_finalize;
  widget_class->snapshot = vg_plane_view_snapshot;
  gtk_widget_class_set_css_name (widget_class, "plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[ELLIPSES_CHANGED] = g_signal_new ("ellipses-changed", VG_TYPE_PLANE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[SELECTED] = g_signal_new ("selected", VG_TYPE_PLANE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ZOOM_CHANGED] = g_signal_new ("zoom-changed", VG_TYPE_PLANE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
add_controllers (VgPlaneView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new (), *key = gtk_event_controller_key_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
vg_plane_view_init (VgPlaneView *self)
{
  self->ellipses = g_array_new (FALSE, FALSE, sizeof (VgEllipse));
  self->scene.selected = -1;
  self->scene.pointer[0] = self->scene.pointer[1] = NAN;
  add_controllers (self);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self), 160, 200);
}

GtkWidget *
vg_plane_view_new (const char *accessible_name, const char *empty_text)
{
  VgPlaneView *self = g_object_new (VG_TYPE_PLANE_VIEW, NULL);

  self->empty_text = g_strdup (empty_text);
  self->scene.empty_text = self->empty_text;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, accessible_name, -1);
  show_ellipses (self);
  return GTK_WIDGET (self);
}
