/* SPDX-License-Identifier: MIT */
#include "ui/plot/vg-plane-view-private.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-object.h"

static const double first_radius_px = 28;

G_DEFINE_FINAL_TYPE (VgPlaneView, vg_plane_view, GTK_TYPE_WIDGET)

VgEllipse *
vg_plane_view_ellipse_at (VgPlaneView *self, int i)
{
  return i >= 0 && (guint) i < self->ellipses->len ? &g_array_index (self->ellipses, VgEllipse, i)
                                                   : NULL;
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
  g_autoptr (GString) text = g_string_new (NULL);

  self->scene.ellipses = (const VgEllipse *) (void *) self->ellipses->data;
  self->scene.n_ellipses = self->ellipses->len;
  for (guint i = 0; i < self->ellipses->len; i++)
    {
      const VgEllipse *e = vg_plane_view_ellipse_at (self, (int) i);

      g_string_append_printf (text, _ ("%s%u at %.3f, %.3f, radii %.3f, %.3f, angle %.0f%s"),
                              i > 0 ? "; " : "", i + 1, e->x, e->y, e->a, e->b, e->angle,
                              (int) i == self->scene.selected ? ", selected" : "");
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->len > 0 ? text->str : "No ellipse", -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_plane_view_changed (VgPlaneView *self, gboolean done)
{
  show_ellipses (self);
  g_signal_emit_by_name (self, "ellipses-changed", done);
}

void
vg_plane_view_choose (VgPlaneView *self, int i)
{
  if (i == self->scene.selected)
    return;
  self->scene.selected = i;
  show_ellipses (self);
  g_signal_emit_by_name (self, "selected");
}

void
vg_plane_view_zoomed (VgPlaneView *self)
{
  self->scene.zoomed = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "zoom-changed");
}

void
vg_plane_view_add_at (VgPlaneView *self, double x, double y)
{
  double radius = CLAMP (first_radius_px / self->scene.scale, VG_PLANE_LEAST_RADIUS,
                         VG_PLANE_LARGEST_RADIUS);
  VgEllipse ellipse = { .x = x, .y = y, .a = radius, .b = radius };

  if (self->ellipses->len >= self->max)
    return;
  g_array_append_val (self->ellipses, ellipse);
  vg_plane_view_choose (self, (int) self->ellipses->len - 1);
  vg_plane_view_changed (self, TRUE);
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
        double px = vg_plane_position (plane, 0, x + 0.5),
               py = vg_plane_position (plane, 1, y + 0.5), sum = 0;
        gboolean held = FALSE;

        for (int k = 0; k < 9; k++)
          {
            float value = plane->data[(gsize) (y + k / 3 - 1) * (gsize) plane->width +
                                      (gsize) (x + k % 3 - 1)];
            sum += isfinite (value) ? value : 0;
          }
        if (sum <= most)
          continue;
        for (guint i = 0; i < self->ellipses->len && !held; i++)
          held = vg_ellipse_contains (vg_plane_view_ellipse_at (self, (int) i), px, py);
        if (held)
          continue;
        most = sum;
        if (sum > 0)
          {
            best_x = px;
            best_y = py;
          }
      }
  vg_plane_view_add_at (self, best_x, best_y);
  gtk_widget_grab_focus (GTK_WIDGET (self)); /* for the keys that change it */
}

void
vg_plane_view_remove_selected (VgPlaneView *self)
{
  int i = self->scene.selected;

  if (vg_plane_view_ellipse_at (self, i) == NULL)
    return;
  g_array_remove_index (self->ellipses, (guint) i);
  vg_plane_view_choose (self, MIN (i, (int) self->ellipses->len - 1));
  vg_plane_view_changed (self, TRUE);
}

void
vg_plane_view_set (VgPlaneView *self, VgPlotPlane *picture, const VgOutput *output,
                   const VgPlotColor *colors, guint n_colors)
{
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
  self->max = max;
  if (n == self->ellipses->len &&
      (n == 0 || memcmp (self->ellipses->data, ellipses, n * sizeof *ellipses) == 0))
    return;
  g_array_set_size (self->ellipses, 0);
  g_array_append_vals (self->ellipses, ellipses, n);
  if (self->scene.selected >= (int) n)
    vg_plane_view_choose (self, -1);
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
  self->scene.zoomed = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "zoom-changed");
}

void
vg_plane_view_zoom_data (VgPlaneView *self)
{
  if (vg_plane_scene_zoom_data (&self->scene))
    vg_plane_view_zoomed (self);
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
  vg_signal_new (VG_TYPE_PLANE_VIEW, "ellipses-changed", 1, G_TYPE_BOOLEAN);
  vg_signal_new (VG_TYPE_PLANE_VIEW, "selected", 0);
  vg_signal_new (VG_TYPE_PLANE_VIEW, "zoom-changed", 0);
}

static void
vg_plane_view_init (VgPlaneView *self)
{
  self->ellipses = g_array_new (FALSE, FALSE, sizeof (VgEllipse));
  self->scene.selected = -1;
  self->scene.pointer[0] = self->scene.pointer[1] = NAN;
  vg_plane_view_add_controllers (self);
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
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  accessible_name, -1);
  show_ellipses (self);
  return GTK_WIDGET (self);
}
