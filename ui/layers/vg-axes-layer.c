/* SPDX-License-Identifier: MIT */
/* An axis stands at the picture's edge, or at the window's where the picture
 * goes on beyond it; there its figures get a ground of their own. */
#include "ui/layers/vg-axes-layer.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>
#include "ui/layers/vg-overlay-drawing.h"
#include "ui/common/vg-plot-axis.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-number-format.h"

struct _VgAxesLayer
{
  GtkWidget parent_instance;

  VgAxes axes;
  VgOverlay *overlay; /* NULL: none */
  GArray *labels;     /* of VgAxesLabel */
};

G_DEFINE_FINAL_TYPE (VgAxesLayer, vg_axes_layer, GTK_TYPE_WIDGET)

enum { TICK = 5, GAP = 3 };

static const GdkRGBA ink = { 0.86, 0.86, 0.88, 1 };

static PangoLayout *
make_layout (GtkWidget *widget, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, NULL);
  g_autofree char *markup = g_markup_printf_escaped ("<small>%s</small>", text);

  pango_layout_set_markup (layout, markup, -1);
  return layout;
}

VgAxesRoom
vg_axes_room (GtkWidget *widget)
{
  g_autoptr (PangoLayout) figures = make_layout (widget, "0000.0");
  int width, height;

  pango_layout_get_pixel_size (figures, &width, &height);
  return (VgAxesRoom){ MAX (58, width + TICK + GAP + 2), MAX (26, height + TICK + GAP + 2),
                       MAX (40, height + 24) };
}

static void
draw_layout (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (round (x), round (y)));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

/* Positions at the picture's two ends, in the plane's unit. */
static void
ends_of (const VgAxes *axes, int axis, double *low, double *high)
{
  *low = vg_plane_position (&axes->plane, axis, axis == 0 ? axes->extent.left : 0);
  *high = vg_plane_position (&axes->plane, axis,
                             axis == 0 ? axes->extent.right : axes->extent.bottom);
}

/* Of both axes, however much of the picture is seen. */
static const char *
shown_unit (const VgAxes *axes, double *factor)
{
  VgLength length = axes->length;
  double reach = 0, low, high;

  for (int axis = 0; axis < 2 && axes->length == VG_LENGTH_OWN; axis++)
    {
      ends_of (axes, axis, &low, &high);
      reach = MAX (reach, MAX (fabs (low), fabs (high)));
    }
  if (length == VG_LENGTH_OWN)
    length = vg_length_choose (axes->plane.unit, reach);
  return vg_length_convert (axes->plane.unit, length, factor);
}

char *
vg_axes_title (const VgAxes *axes, int axis)
{
  double factor;
  const char *name = axes->names[axis] != NULL ? axes->names[axis] : axis == 0 ? "x" : "y";
  const char *unit = shown_unit (axes, &factor);

  return vg_plot_axis_title (name, unit);
}

/* The part of the widget that the picture covers. */
static gboolean
visible_part (VgAxesLayer *self, graphene_rect_t *visible)
{
  const VgAxes *axes = &self->axes;
  double x0, y0, x1, y1;

  if (!(axes->transform.zoom > 0))
    return FALSE;
  vg_view_transform_to_widget (&axes->transform, axes->extent.left, 0, &x0, &y0);
  vg_view_transform_to_widget (&axes->transform, axes->extent.right, axes->extent.bottom, &x1, &y1);
  graphene_rect_init (visible, x0, y0, x1 - x0, y1 - y0);
  return graphene_rect_intersection (
      visible,
      &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                           gtk_widget_get_height (GTK_WIDGET (self))),
      visible);
}

/* The plane's axis that is seen across (0) or down (1). */
static int
seen_axis (const VgAxes *axes, int direction)
{
  return axes->transform.swapped ? 1 - direction : direction;
}

/* Positions across or down, in the shown unit, between widget coordinates FROM and TO. */
static gboolean
make_axis (const VgAxes *axes, int direction, double from, double to, VgPlotAxis *plot)
{
  double image_x, image_y, low, high, factor;
  int axis = seen_axis (axes, direction);

  shown_unit (axes, &factor);
  vg_view_transform_to_image (&axes->transform, from, from, &image_x, &image_y);
  low = factor * vg_plane_position (&axes->plane, axis, axis == 0 ? image_x : image_y);
  vg_view_transform_to_image (&axes->transform, to, to, &image_x, &image_y);
  high = factor * vg_plane_position (&axes->plane, axis, axis == 0 ? image_x : image_y);
  *plot = low < high ? (VgPlotAxis){ .min = low, .max = high, .start = from, .end = to }
                     : (VgPlotAxis){ .min = high, .max = low, .start = to, .end = from };
  return plot->max > plot->min && isfinite (low) && isfinite (high);
}

/* The title stands at the right end, and the figures leave it room. */
static void
draw_bottom (VgAxesLayer *self, GtkSnapshot *snapshot, const graphene_rect_t *visible, double left)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double right = visible->origin.x + visible->size.width, height = gtk_widget_get_height (widget);
  double y = MIN (visible->origin.y + visible->size.height, height - vg_axes_room (widget).bottom);
  g_autofree char *title = vg_axes_title (&self->axes, seen_axis (&self->axes, 0));
  g_autoptr (PangoLayout) name = make_layout (widget, title);
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  VgPlotAxis axis;
  int title_width;
  guint n;

  if (right - left < 60 || !make_axis (&self->axes, 0, left, right, &axis))
    return;
  pango_layout_get_pixel_size (name, &title_width, NULL);
  gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (left, y, right - left, 1));
  /* the last letter may be wider than its advance */
  draw_layout (snapshot, name, MIN (right, gtk_widget_get_width (widget) - 3) - title_width,
               y + TICK + GAP);
  n = vg_plot_axis_ticks (&axis, CLAMP ((int) ((right - left) / 80), 2, 12), ticks);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PangoLayout) layout = make_layout (widget, ticks[i].label);
      double x = vg_plot_axis_to_pixel (&axis, ticks[i].value);
      int width;

      pango_layout_get_pixel_size (layout, &width, NULL);
      gtk_snapshot_append_color (snapshot, &ink,
                                 &GRAPHENE_RECT_INIT (MIN (round (x), right - 1), y, 1, TICK));
      if (x + 0.5 * width < right - title_width - 6)
        draw_layout (snapshot, layout, x - 0.5 * width, y + TICK + GAP);
    }
}

/* The title stands above the figures, or in their place where the picture
 * begins at or above the window's edge. */
static void
draw_left (VgAxesLayer *self, GtkSnapshot *snapshot, const graphene_rect_t *visible, double bottom)
{
  GtkWidget *widget = GTK_WIDGET (self);
  VgAxesRoom room = vg_axes_room (widget);
  double x = MAX (visible->origin.x, room.left), top = visible->origin.y, title_y;
  g_autofree char *title = vg_axes_title (&self->axes, seen_axis (&self->axes, 1));
  g_autoptr (PangoLayout) name = make_layout (widget, title);
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  VgPlotAxis axis;
  int width, line;
  guint n;

  if (bottom - top < 40 || !make_axis (&self->axes, 1, top, bottom, &axis))
    return;
  pango_layout_get_pixel_size (name, &width, &line);
  title_y = MAX (top - line - 6, 2);
  gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (x - 1, top, 1, bottom - top));
  draw_layout (snapshot, name, x - TICK - GAP - width, title_y);
  n = vg_plot_axis_ticks (&axis, CLAMP ((int) ((bottom - top) / 48), 2, 12), ticks);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (PangoLayout) layout = make_layout (widget, ticks[i].label);
      double y = vg_plot_axis_to_pixel (&axis, ticks[i].value);
      int height;

      pango_layout_get_pixel_size (layout, &width, &height);
      gtk_snapshot_append_color (
          snapshot, &ink, &GRAPHENE_RECT_INIT (x - TICK, MIN (round (y), bottom - 1), TICK, 1));
      if (y - 0.5 * height > title_y + line - 2)
        draw_layout (snapshot, layout, x - TICK - GAP - width, y - 0.5 * height);
    }
}

static void
draw_axes (VgAxesLayer *self, GtkSnapshot *snapshot, const graphene_rect_t *visible)
{
  static const GdkRGBA ground = { 0.06, 0.06, 0.07, 0.78 };
  double width = gtk_widget_get_width (GTK_WIDGET (self)),
         height = gtk_widget_get_height (GTK_WIDGET (self));
  VgAxesRoom room = vg_axes_room (GTK_WIDGET (self));
  double left = MAX (visible->origin.x, room.left);
  double bottom = MIN (visible->origin.y + visible->size.height, height - room.bottom);

  if (visible->origin.x < left)
    gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (0, 0, left, height));
  if (visible->origin.y + visible->size.height > bottom)
    gtk_snapshot_append_color (
        snapshot, &ground,
        &GRAPHENE_RECT_INIT (visible->origin.x < left ? left : 0, bottom, width, height - bottom));
  draw_bottom (self, snapshot, visible, left);
  draw_left (self, snapshot, visible, bottom);
}

static void
draw_labels (VgAxesLayer *self, GtkSnapshot *snapshot, const graphene_rect_t *visible)
{
  for (guint i = 0; i < self->labels->len; i++)
    {
      const VgAxesLabel *label = &g_array_index (self->labels, VgAxesLabel, i);
      graphene_rect_t box;
      int width, height;
      double x, y;

      vg_view_transform_to_widget (&self->axes.transform, label->x, label->y, &x, &y);
      vg_overlay_text_size (GTK_WIDGET (self), label->text, &width, &height);
      graphene_rect_init (&box, x - 0.5 * width, y - 0.5 * height, width, height);
      if (graphene_rect_contains_rect (visible, &box))
        vg_overlay_draw_text (GTK_WIDGET (self), snapshot, label->text, box.origin.x, y);
    }
}

enum { SIDE_ROOM = 72 };

/* Letters at the middles of the edges that are seen. */
static void
draw_sides (VgAxesLayer *self, GtkSnapshot *snapshot, const graphene_rect_t *part)
{
  static const double places[2][2][2] = { { { 0, 0.5 }, { 1, 0.5 } }, { { 0.5, 0 }, { 0.5, 1 } } };

  if (part->size.width < SIDE_ROOM || part->size.height < SIDE_ROOM)
    return;
  for (int axis = 0; axis < 2; axis++)
    for (int end = 0; end < 2; end++)
      {
        char text[2] = { self->axes.sides[axis][end], '\0' };
        const double *place = places[axis][end];
        int width, height;

        if (text[0] == '\0')
          continue;
        vg_overlay_text_size (GTK_WIDGET (self), text, &width, &height);
        vg_overlay_draw_text (GTK_WIDGET (self), snapshot, text,
                              part->origin.x + 2 + place[0] * (part->size.width - width - 4),
                              part->origin.y + 2 + 0.5 * height +
                                  place[1] * (part->size.height - height - 4));
      }
}

static void
draw_unknown (VgAxesLayer *self, GtkSnapshot *snapshot, const graphene_rect_t *visible)
{
  const char *text = _ ("orientation unknown");
  int width, height;

  vg_overlay_text_size (GTK_WIDGET (self), text, &width, &height);
  if (visible->size.width > width + 4 && visible->size.height > SIDE_ROOM)
    vg_overlay_draw_text (GTK_WIDGET (self), snapshot, text,
                          visible->origin.x + 0.5 * (visible->size.width - width),
                          visible->origin.y + visible->size.height - 0.5 * height - 2);
}

/* The part of a slice's tile that is seen; FALSE: none. */
static gboolean
visible_tile (VgAxesLayer *self, int slice, const graphene_rect_t *visible, graphene_rect_t *part)
{
  const VgMosaic *mosaic = &self->axes.mosaic;
  double x, y, x1, y1;

  *part = *visible;
  if (mosaic->slices == 0)
    return TRUE;
  vg_mosaic_corner (mosaic, slice, &x, &y);
  vg_view_transform_to_widget (&self->axes.transform, x + mosaic->width, y + mosaic->height, &x1,
                               &y1);
  vg_view_transform_to_widget (&self->axes.transform, x, y, &x, &y);
  return graphene_rect_intersection (&GRAPHENE_RECT_INIT (x, y, x1 - x, y1 - y), visible, part);
}

static void
draw_overlay (VgAxesLayer *self, GtkSnapshot *snapshot, int slice, const graphene_rect_t *visible)
{
  const VgMosaic *mosaic = &self->axes.mosaic;
  graphene_rect_t part = *visible;
  VgAxes tile = self->axes;
  double x, y;

  vg_mosaic_corner (mosaic, slice, &x, &y);
  tile.transform.origin_x += x * tile.transform.zoom;
  tile.transform.origin_y += y * tile.transform.zoom_y;
  if (mosaic->slices > 0)
    {
      tile.extent.right = mosaic->width;
      tile.extent.bottom = mosaic->height;
      vg_view_transform_to_widget (&tile.transform, 0, 0, &x, &y);
      if (!graphene_rect_intersection (
              &GRAPHENE_RECT_INIT (x, y, mosaic->width * tile.transform.zoom / tile.transform.scale,
                                   mosaic->height * tile.transform.zoom_y / tile.transform.scale),
              visible, &part))
        return;
    }
  vg_overlay_draw (GTK_WIDGET (self), snapshot, &tile, self->overlay, &part);
}

/* What the axes leave free: names do not hide behind them. */
static void
open_part (VgAxesLayer *self, graphene_rect_t *part)
{
  GtkWidget *widget = GTK_WIDGET (self);
  VgAxesRoom room = vg_axes_room (widget);

  if (self->axes.axes)
    graphene_rect_intersection (part,
                                &GRAPHENE_RECT_INIT (room.left, 0, gtk_widget_get_width (widget),
                                                     gtk_widget_get_height (widget) - room.bottom),
                                part);
}

static void
vg_axes_layer_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgAxesLayer *self = VG_AXES_LAYER (widget);
  graphene_rect_t visible;

  if (!visible_part (self, &visible))
    return;
  draw_labels (self, snapshot, &visible);
  if (self->axes.overlay && self->overlay != NULL)
    {
      graphene_rect_t open = visible;

      open_part (self, &open);
      for (int slice = 0; slice < MAX (self->axes.mosaic.slices, 1); slice++)
        draw_overlay (self, snapshot, slice, &open);
    }
  if (self->axes.axes)
    draw_axes (self, snapshot, &visible);
  open_part (self, &visible);
  for (int slice = 0; slice < MAX (self->axes.mosaic.slices, 1); slice++)
    {
      graphene_rect_t part;

      if (visible_tile (self, slice, &visible, &part))
        draw_sides (self, snapshot, &part);
    }
  if (self->axes.unknown_sides)
    draw_unknown (self, snapshot, &visible);
}

static void
vg_axes_layer_finalize (GObject *object)
{
  g_clear_pointer (&VG_AXES_LAYER (object)->overlay, vg_overlay_free);
  g_array_unref (VG_AXES_LAYER (object)->labels);
  G_OBJECT_CLASS (vg_axes_layer_parent_class)->finalize (object);
}

static void
vg_axes_layer_class_init (VgAxesLayerClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_axes_layer_finalize;
  GTK_WIDGET_CLASS (class)->snapshot = vg_axes_layer_snapshot;
}

static void
vg_axes_layer_init (VgAxesLayer *self)
{
  self->labels = g_array_new (FALSE, FALSE, sizeof (VgAxesLabel));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
vg_axes_layer_new (void)
{
  return g_object_new (VG_TYPE_AXES_LAYER, NULL);
}

char *
vg_axes_describe (const VgAxes *axes, const VgOverlay *overlay)
{
  g_autoptr (GString) text = g_string_new (axes->axes ? _ ("Axes") : _ ("No axes"));
  double factor, low, high;

  shown_unit (axes, &factor);
  for (int axis = 0; axes->axes && axis < 2; axis++)
    {
      g_autofree char *title = vg_axes_title (axes, axis), *from = NULL, *to = NULL;

      ends_of (axes, axis, &low, &high);
      from = vg_format_words (factor * low);
      to = vg_format_words (factor * high);
      g_string_append_printf (text, _ ("%s %s %s to %s"), axis == 0 ? ":" : ";", title, from, to);
    }
  if (axes->mosaic.slices > 0)
    g_string_append_printf (text, _ ("; %d slices side by side"), axes->mosaic.slices);
  if (axes->sides[0][0] != '\0')
    g_string_append_printf (text, _ ("; %c at the left, %c at the right, %c above, %c below"),
                            axes->sides[0][0], axes->sides[0][1], axes->sides[1][0],
                            axes->sides[1][1]);
  if (axes->unknown_sides)
    g_string_append (text, _ ("; orientation unknown"));
  for (guint i = 0; axes->overlay && overlay != NULL && i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);

      if (item->label != NULL)
        g_string_append_printf (text, "; %s", item->label);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
vg_axes_layer_set (VgAxesLayer *self, const VgAxes *axes, const VgOverlay *overlay)
{
  gboolean same_axes = memcmp (&self->axes, axes, sizeof *axes) == 0;

  if (same_axes && vg_overlay_equal (self->overlay, overlay))
    return;
  self->axes = *axes;
  g_clear_pointer (&self->overlay, vg_overlay_free);
  self->overlay = vg_overlay_copy (overlay);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_axes_layer_set_labels (VgAxesLayer *self, const VgAxesLabel *labels, guint n)
{
  if (self->labels->len == n &&
      (n == 0 || memcmp (self->labels->data, labels, n * sizeof *labels) == 0))
    return;
  g_array_set_size (self->labels, 0);
  g_array_append_vals (self->labels, labels, n);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
