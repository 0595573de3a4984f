/* SPDX-License-Identifier: MIT */
/* Boundaries as lines with their names at the left, where the names make room
 * for each other; arrows of light above the map; sources. */
#include "ui/layers/vg-overlay-drawing.h"
#include <math.h>
#include <string.h>

enum { PAD_X = 5, PAD_Y = 1, INDENT = 8, GAP = 2, ARROW = 34, HEAD = 5, APART = 7, RADIUS = 5 };

static const GdkRGBA ink = { 0.96, 0.96, 0.96, 1 }, ground = { 0, 0, 0, 0.55 };
static const GdkRGBA line = { 1, 1, 1, 0.65 }, halo = { 0, 0, 0, 0.35 },
                     light = { 1, 0.82, 0.30, 1 };

static PangoLayout *
make_layout (GtkWidget *widget, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, NULL);
  g_autofree char *markup = g_markup_printf_escaped ("<small>%s</small>", text);

  pango_layout_set_markup (layout, markup, -1);
  return layout;
}

void
vg_overlay_text_size (GtkWidget *widget, const char *text, int *width, int *height)
{
  g_autoptr (PangoLayout) layout = make_layout (widget, text);

  pango_layout_get_pixel_size (layout, width, height);
  *width += 2 * PAD_X;
  *height += 2 * PAD_Y;
}

int
vg_overlay_draw_text (GtkWidget *widget, GtkSnapshot *snapshot, const char *text, double x,
                      double y)
{
  g_autoptr (PangoLayout) layout = make_layout (widget, text);
  GskRoundedRect pill;
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  x = round (x);
  y = round (y - 0.5 * height - PAD_Y);
  gsk_rounded_rect_init_from_rect (
      &pill, &GRAPHENE_RECT_INIT (x, y, width + 2 * PAD_X, height + 2 * PAD_Y), 4);
  gtk_snapshot_push_rounded_clip (snapshot, &pill);
  gtk_snapshot_append_color (snapshot, &ground, &pill.bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x + PAD_X, y + PAD_Y));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
  return width + 2 * PAD_X;
}

/* A widget coordinate of a position in the plane's unit; what is infinite
 * lies just outside of the picture. */
static double
to_widget (const VgAxes *axes, int axis, double position, const graphene_rect_t *visible)
{
  double origin = axis == 0 ? axes->transform.origin_x : axes->transform.origin_y;
  double zoom = axis == 0 ? axes->transform.zoom : axes->transform.zoom_y;
  double low = axis == 0 ? visible->origin.x : visible->origin.y;
  double high = low + (axis == 0 ? visible->size.width : visible->size.height);

  if (!isfinite (position))
    return position < 0 ? low : high;
  return (vg_plane_image_point (&axes->plane, axis, position) * zoom + origin) /
         axes->transform.scale;
}

static void
draw_slanted (GtkSnapshot *snapshot, double x0, double y0, double x1, double y1,
              const graphene_rect_t *visible)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (MIN (x0, x1) - 2, MIN (y0, y1) - 2,
                                               fabs (x1 - x0) + 4, fabs (y1 - y0) + 4);
  cairo_t *cr;

  if (!graphene_rect_intersection (&bounds, visible, &bounds))
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  gdk_cairo_set_source_rgba (cr, &halo);
  cairo_set_line_width (cr, 3);
  cairo_stroke_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &line);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_line (GtkSnapshot *snapshot, double x0, double y0, double x1, double y1,
           const graphene_rect_t *visible)
{
  graphene_rect_t thin = GRAPHENE_RECT_INIT (floor (MIN (x0, x1)), floor (MIN (y0, y1)),
                                             MAX (round (fabs (x1 - x0)), 1),
                                             MAX (round (fabs (y1 - y0)), 1));
  graphene_rect_t wide = thin;

  if (y0 != y1 && x0 != x1)
    {
      draw_slanted (snapshot, x0, y0, x1, y1, visible);
      return;
    }
  graphene_rect_inset (&wide, x0 == x1 ? -1 : 0, x0 == x1 ? 0 : -1);
  if (graphene_rect_intersection (&wide, visible, &wide))
    gtk_snapshot_append_color (snapshot, &halo, &wide);
  if (graphene_rect_intersection (&thin, visible, &thin))
    gtk_snapshot_append_color (snapshot, &line, &thin);
}

/* A place of WIDTH x HEIGHT from X on that is free of those in PLACES (of
 * graphene_rect_t), which it joins; further right where it is not.  FALSE when
 * that is beyond RIGHT. */
static gboolean
take_place (GArray *places, double *left, double y, int width, int height, double right)
{
  graphene_rect_t place;
  double x = *left;

  for (guint i = 0; i < places->len; i++)
    {
      const graphene_rect_t *other = &g_array_index (places, graphene_rect_t, i);

      if (y < other->origin.y + other->size.height && other->origin.y < y + height &&
          x < other->origin.x + other->size.width + GAP && other->origin.x < x + width)
        x = other->origin.x + other->size.width + GAP;
    }
  if (x > *left && x + width > right)
    return FALSE;
  *left = x;
  place = GRAPHENE_RECT_INIT (x, y, width, height);
  g_array_append_val (places, place);
  return TRUE;
}

/* What lies between the lines at AT and END has its name there, at the left.
 * Where there is no room for it stands the name's first word, in the middle
 * between the lines and beside those that are there already: of thin layers
 * the numbers in a row, of very many those that fit into the left third. */
static void
draw_name (GtkWidget *widget, GtkSnapshot *snapshot, const char *name, double at, double end,
           const graphene_rect_t *visible, GArray *places)
{
  double left = visible->origin.x + INDENT, bottom = visible->origin.y + visible->size.height, top;
  g_autofree char *first = g_strndup (name, strcspn (name, " "));
  int width, height;

  if (at >= bottom)
    return;
  at = MAX (at, visible->origin.y); /* its line may be above what is seen */
  end = MIN (end, bottom);
  vg_overlay_text_size (widget, name, &width, &height);
  top = at + GAP;
  for (guint i = 0; i < places->len; i++)
    {
      const graphene_rect_t *other = &g_array_index (places, graphene_rect_t, i);

      top = MAX (top, other->origin.y + other->size.height + GAP);
    }
  if (top + height > end)
    {
      name = first;
      vg_overlay_text_size (widget, name, &width, &height);
      top = CLAMP (0.5 * (at + end - height), visible->origin.y, bottom - height);
    }
  if (take_place (places, &left, top, width, height, left + visible->size.width / 3))
    vg_overlay_draw_text (widget, snapshot, name, left, top + 0.5 * height);
}

static void
draw_arrow (GtkSnapshot *snapshot, double x, double y, double size)
{
  double length = MAX (ARROW * size, HEAD);
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (floor (x) - HEAD - 2, floor (y - length) - 2, 2 * HEAD + 5,
                                     ceil (length) + 4));

  x = floor (x) + 0.5;
  y -= 1;
  cairo_move_to (cr, x, y - length);
  cairo_line_to (cr, x, y - HEAD);
  gdk_cairo_set_source_rgba (cr, &light);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x - HEAD + 1, y - HEAD - 2);
  cairo_line_to (cr, x + HEAD - 1, y - HEAD - 2);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_destroy (cr);
}

static void
draw_point (GtkWidget *widget, GtkSnapshot *snapshot, double x, double y, const char *label)
{
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (floor (x) - RADIUS - 3, floor (y) - RADIUS - 3, 2 * RADIUS + 6,
                                     2 * RADIUS + 6));

  cairo_arc (cr, x, y, RADIUS, 0, 2 * G_PI);
  gdk_cairo_set_source_rgba (cr, &light);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.9);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_destroy (cr);
  if (label != NULL)
    vg_overlay_draw_text (widget, snapshot, label, x + RADIUS + 5, y);
}

/* What is not a line. */
static void
draw_light (GtkWidget *widget, GtkSnapshot *snapshot, const VgOverlayItem *item, double x, double y,
            const graphene_rect_t *visible, double *last)
{
  double left = visible->origin.x, right = left + visible->size.width;

  if (x < left || x > right || y < 0 || y > visible->origin.y + visible->size.height)
    return;
  if (item->kind == VG_OVERLAY_POINT)
    draw_point (widget, snapshot, x, y, item->label);
  /* arrows on top of each other say nothing more */
  else if (item->size >= 0.02 && fabs (x - *last) >= APART)
    {
      draw_arrow (snapshot, x, y, MIN (item->size, 1));
      *last = x;
    }
}

/* Where what line I names comes to its end: at the next line. */
static double
end_of (const VgAxes *axes, const VgOverlay *overlay, guint i, const graphene_rect_t *visible)
{
  const VgOverlayItem *next = i + 1 < overlay->items->len
                                  ? &g_array_index (overlay->items, VgOverlayItem, i + 1)
                                  : NULL;

  return next != NULL && next->kind == VG_OVERLAY_LINE ? to_widget (axes, 1, next->y[0], visible)
                                                       : INFINITY;
}

void
vg_overlay_draw (GtkWidget *widget, GtkSnapshot *snapshot, const VgAxes *axes,
                 const VgOverlay *overlay, const graphene_rect_t *visible)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  double last = -INFINITY;

  for (guint i = 0; i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double x0 = to_widget (axes, 0, item->x[0], visible),
             y0 = to_widget (axes, 1, item->y[0], visible);

      if (item->kind == VG_OVERLAY_LINE)
        draw_line (snapshot, x0, y0, to_widget (axes, 0, item->x[1], visible),
                   to_widget (axes, 1, item->y[1], visible), visible);
    }
  for (guint i = 0; i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double x = to_widget (axes, 0, item->x[0], visible),
             y = to_widget (axes, 1, item->y[0], visible);

      if (item->kind != VG_OVERLAY_LINE)
        draw_light (widget, snapshot, item, x, y, visible, &last);
      else if (item->label != NULL && end_of (axes, overlay, i, visible) > visible->origin.y)
        draw_name (widget, snapshot, item->label, y, end_of (axes, overlay, i, visible), visible,
                   places);
    }
}
