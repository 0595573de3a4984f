/* SPDX-License-Identifier: MIT */
/* The ground is dark whatever the theme, as under a map: colours of the plane
 * are made to be seen on it. */
#include "ui/plot/vg-plane-scene.h"
#include <math.h>
#include <string.h>
#include "kernels/shared/vg-colormap.h"

enum { FONT_PX = 11, HANDLE = 4 };

static const VgPlotColor accent = { 1.0, 0.56, 0.78 };

typedef struct
{
  cairo_t *cr;
  PangoLayout *layout;
  double grey; /* of text outside of the plane */
} Pen;

VgPlotColor
vg_plane_scene_category (guint i)
{
  guint8 rgb[3];

  vg_colormap_category (i + 1, rgb);
  return (VgPlotColor){ rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0 };
}

cairo_surface_t *
vg_plane_scene_color (const VgPlotPlane *picture, const VgOutput *output)
{
  const VgPlane *plane = &picture->plane;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, plane->width,
                                                         plane->height);
  VgColoring coloring = { .colormap = vg_colormap_find (output->hints.colormap),
                          .gamma = 1,
                          .log_scale = output->hints.log_scale };
  gsize n = (gsize) plane->width;
  g_autofree guint8 *rgba = g_malloc (4 * n);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    return surface;
  if (coloring.colormap == NULL)
    coloring.colormap = vg_colormap_find ("viridis");
  /* one count stands out from nothing */
  coloring.low = output->hints.log_scale ? 0.4 : 0;
  coloring.high = isfinite (picture->highest) ? MAX (picture->highest, 2) : 1;
  for (int y = 0; y < plane->height; y++)
    {
      const float *values = plane->data + (gsize) y * n;
      guint32 *row = (guint32 *) (void *) (cairo_image_surface_get_data (surface) +
                                           (gsize) y *
                                               (gsize) cairo_image_surface_get_stride (surface));

      vg_coloring_apply (&coloring, values, n, rgba);
      for (gsize x = 0; x < n; x++)
        row[x] = isfinite (values[x]) ? 0xff000000u | (guint32) rgba[4 * x] << 16 |
                                            (guint32) rgba[4 * x + 1] << 8 | rgba[4 * x + 2]
                                      : 0;
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

void
vg_plane_scene_to_plane (const VgPlaneScene *self, double x, double y, double *px, double *py)
{
  *px = self->middle[0] + (x - self->box[0] - self->box[2] / 2) / self->scale;
  *py = self->middle[1] - (y - self->box[1] - self->box[3] / 2) / self->scale;
}

void
vg_plane_scene_to_pixel (const VgPlaneScene *self, double px, double py, double *x, double *y)
{
  *x = self->box[0] + self->box[2] / 2 + (px - self->middle[0]) * self->scale;
  *y = self->box[1] + self->box[3] / 2 - (py - self->middle[1]) * self->scale;
}

double
vg_plane_scene_sample (const VgPlaneScene *self, double px, double py)
{
  const VgPlane *plane = self->picture ? &self->picture->plane : NULL;
  double x, y;

  if (plane == NULL)
    return NAN;
  x = floor (vg_plane_image_point (plane, 0, px));
  y = floor (vg_plane_image_point (plane, 1, py));
  if (!(x >= 0) || !(y >= 0) || x >= plane->width || y >= plane->height)
    return NAN;
  return plane->data[(gsize) y * (gsize) plane->width + (gsize) x];
}

/* ALIGN_X, ALIGN_Y: 0 the point is left/top of the text, 1 right/bottom. */
static void
draw_text (Pen *pen, const char *text, double x, double y, double align_x, double align_y)
{
  int width, height;

  pango_layout_set_text (pen->layout, text, -1);
  pango_layout_get_pixel_size (pen->layout, &width, &height);
  cairo_move_to (pen->cr, round (x - align_x * width), round (y - align_y * height));
  pango_cairo_show_layout (pen->cr, pen->layout);
}

/* Returns where the numbers below end. */
static double
draw_axis (const VgPlaneScene *self, Pen *pen, int axis)
{
  const double *box = self->box;
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  VgPlotAxis scale = { 0 };
  double low[2], high[2], end = box[0] + box[2];
  int width;
  guint n;

  vg_plane_scene_to_plane (self, box[0], box[1] + box[3], &low[0], &low[1]);
  vg_plane_scene_to_plane (self, box[0] + box[2], box[1], &high[0], &high[1]);
  scale.min = low[axis];
  scale.max = high[axis];
  n = vg_plot_axis_ticks (&scale, MAX (2, (int) (box[2 + axis] / (axis ? 45 : 80))), ticks);
  cairo_set_source_rgba (pen->cr, pen->grey, pen->grey, pen->grey, 0.85);
  for (guint i = 0; i < n; i++)
    {
      double x, y;

      vg_plane_scene_to_pixel (self, axis ? low[0] : ticks[i].value, axis ? ticks[i].value : low[1],
                               &x, &y);
      if (axis == 0)
        draw_text (pen, ticks[i].label, x, box[1] + box[3] + 3, 0.5, 0);
      else
        draw_text (pen, ticks[i].label, box[0] - 5, y, 1, 0.5);
      pango_layout_get_pixel_size (pen->layout, &width, NULL);
      end = axis == 0 ? MAX (end, x + 0.5 * width) : end;
    }
  return end;
}

static void
draw_axes (const VgPlaneScene *self, Pen *pen)
{
  const char *const *names = self->output->hints.axes;
  const double *box = self->box;
  double end = draw_axis (self, pen, 0);

  draw_axis (self, pen, 1);
  draw_text (pen, names[0] ? names[0] : "x", end + 8, box[1] + box[3] + 3, 0, 0);
  draw_text (pen, names[1] ? names[1] : "y", 6, box[1] + box[3] / 2, 0, 0.5);
}

static void
draw_plane (const VgPlaneScene *self, cairo_t *cr)
{
  const VgPlane *plane = &self->picture->plane;
  double x0, y0, x1, y1;

  if (self->image == NULL || cairo_surface_status (self->image) != CAIRO_STATUS_SUCCESS)
    return;
  vg_plane_scene_to_pixel (self, vg_plane_position (plane, 0, 0), vg_plane_position (plane, 1, 0),
                           &x0, &y0);
  vg_plane_scene_to_pixel (self, vg_plane_position (plane, 0, plane->width),
                           vg_plane_position (plane, 1, plane->height), &x1, &y1);
  cairo_save (cr);
  cairo_translate (cr, x0, y0);
  cairo_scale (cr, (x1 - x0) / plane->width, (y1 - y0) / plane->height);
  cairo_set_source_surface (cr, self->image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), fabs (x1 - x0) < plane->width
                                                       ? CAIRO_FILTER_GOOD
                                                       : CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
draw_lines (const VgPlaneScene *self, cairo_t *cr, gboolean accented)
{
  const VgOverlay *overlay = self->picture->overlay;

  for (guint i = 0; i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double x, y;

      if (item->kind != VG_OVERLAY_LINE || item->accent != accented)
        continue;
      vg_plane_scene_to_pixel (self, item->x[0], item->y[0], &x, &y);
      cairo_move_to (cr, CLAMP (x, -1e5, 1e5), CLAMP (y, -1e5, 1e5));
      vg_plane_scene_to_pixel (self, item->x[1], item->y[1], &x, &y);
      cairo_line_to (cr, CLAMP (x, -1e5, 1e5), CLAMP (y, -1e5, 1e5));
    }
  if (accented)
    cairo_set_source_rgb (cr, accent.red, accent.green, accent.blue);
  else
    cairo_set_source_rgba (cr, 1, 1, 1, 0.75);
  cairo_set_line_width (cr, accented ? 2 : 1.2);
  cairo_stroke (cr);
}

/* Beside the point at (x, y), on its side RIGHT, unless it would lie over another label. */
static void
draw_label (Pen *pen, const char *text, double x, double y, gboolean right, GArray *boxes)
{
  int width, height;
  cairo_rectangle_int_t box;

  pango_layout_set_text (pen->layout, text, -1);
  pango_layout_get_pixel_size (pen->layout, &width, &height);
  box = (cairo_rectangle_int_t){ (int) x + (right ? 6 : -6 - width), (int) y - height + 3, width,
                                 height };
  for (guint i = 0; i < boxes->len; i++)
    {
      const cairo_rectangle_int_t *other = &g_array_index (boxes, cairo_rectangle_int_t, i);

      if (box.x < other->x + other->width && other->x < box.x + box.width &&
          box.y + 2 < other->y + other->height && other->y + 2 < box.y + box.height)
        return;
    }
  g_array_append_val (boxes, box);
  cairo_set_source_rgba (pen->cr, 0, 0, 0, 0.8);
  draw_text (pen, text, box.x + 1, box.y + 1, 0, 0);
  cairo_set_source_rgba (pen->cr, 1, 1, 1, 0.95);
  draw_text (pen, text, box.x, box.y, 0, 0);
}

/* Labels stand on the outer side of all points. */
static double
middle_of_points (const VgOverlay *overlay)
{
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < overlay->items->len; i++)
    if (g_array_index (overlay->items, VgOverlayItem, i).kind == VG_OVERLAY_POINT)
      {
        low = MIN (low, g_array_index (overlay->items, VgOverlayItem, i).x[0]);
        high = MAX (high, g_array_index (overlay->items, VgOverlayItem, i).x[0]);
      }
  return (low + high) / 2;
}

/* The last lie on top, and have their labels first: they are the most special. */
static void
draw_ticks (const VgPlaneScene *self, Pen *pen)
{
  const VgOverlay *overlay = self->picture->overlay;
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (cairo_rectangle_int_t));
  const double below = 16; /* a line's label stands under its beginning */
  double middle = middle_of_points (overlay);

  for (guint i = 0; i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double x, y;

      if (item->kind != VG_OVERLAY_POINT)
        continue;
      vg_plane_scene_to_pixel (self, item->x[0], item->y[0], &x, &y);
      cairo_arc (pen->cr, x, y, item->accent ? 3.5 : 2.5, 0, 2 * G_PI);
      cairo_set_source_rgb (pen->cr, item->accent ? accent.red : 1, item->accent ? accent.green : 1,
                            item->accent ? accent.blue : 1);
      cairo_fill (pen->cr);
    }
  for (guint i = overlay->items->len; i-- > 0;)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double x, y;

      if (item->label == NULL || item->kind == VG_OVERLAY_ARROW)
        continue;
      vg_plane_scene_to_pixel (self, item->x[0], item->y[0], &x, &y);
      if (!(fabs (x) < 1e5) || !(fabs (y) < 1e5))
        continue;
      if (item->kind == VG_OVERLAY_LINE)
        draw_label (pen, item->label, x, y + below, TRUE, boxes);
      else
        draw_label (pen, item->label, x, y, item->x[0] >= middle, boxes);
    }
}

static void
draw_points (const VgPlaneScene *self, cairo_t *cr)
{
  const VgPlanePoints *pixel = &self->picture->pixel;
  double x, y;

  for (guint i = 0; i < self->picture->n_regions; i++)
    {
      const VgPlanePoints *points = &self->picture->regions[i];
      VgPlotColor color = i < self->n_colors ? self->colors[i] : (VgPlotColor){ 1, 1, 1 };

      for (int k = 0; k < points->n; k++)
        {
          vg_plane_scene_to_pixel (self, points->x[k], points->y[k], &x, &y);
          if (fabs (x) < 1e5 && fabs (y) < 1e5)
            cairo_rectangle (cr, floor (x) - 1, floor (y) - 1, 2, 2);
        }
      cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.7);
      cairo_fill (cr);
    }
  if (pixel->n == 0)
    return;
  vg_plane_scene_to_pixel (self, pixel->x[0], pixel->y[0], &x, &y);
  for (int pass = 0; pass < 2; pass++)
    {
      cairo_move_to (cr, x - 8, y);
      cairo_line_to (cr, x + 8, y);
      cairo_move_to (cr, x, y - 8);
      cairo_line_to (cr, x, y + 8);
      cairo_set_source_rgba (cr, pass, pass, pass, 0.95);
      cairo_set_line_width (cr, pass ? 1.5 : 4);
      cairo_stroke (cr);
    }
}

static void
draw_ellipse (const VgPlaneScene *self, cairo_t *cr, guint i)
{
  const VgEllipse *ellipse = &self->ellipses[i];
  VgPlotColor color = vg_plane_scene_category (i);
  gboolean selected = (int) i == self->selected;
  double x, y;

  vg_plane_scene_to_pixel (self, ellipse->x, ellipse->y, &x, &y);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, -ellipse->angle * G_PI / 180);
  cairo_scale (cr, ellipse->a * self->scale, ellipse->b * self->scale);
  cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
  cairo_restore (cr);
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, selected ? 0.12 : 0.07);
  cairo_fill_preserve (cr);
  cairo_set_source_rgb (cr, color.red, color.green, color.blue);
  cairo_set_line_width (cr, selected ? 2.5 : 1.8);
  cairo_stroke (cr);
  for (int k = 0; selected && k < VG_ELLIPSE_HANDLES; k++)
    {
      double px, py;

      vg_ellipse_handle (ellipse, k, VG_PLANE_KNOB_PX / self->scale, &px, &py);
      vg_plane_scene_to_pixel (self, px, py, &x, &y);
      if (k == VG_ELLIPSE_HANDLES - 1)
        cairo_arc (cr, x, y, HANDLE, 0, 2 * G_PI);
      else
        cairo_rectangle (cr, x - HANDLE + 0.5, y - HANDLE + 0.5, 2 * HANDLE - 1, 2 * HANDLE - 1);
      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_fill_preserve (cr);
      cairo_set_source_rgb (cr, 0.1, 0.1, 0.1);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
}

/* "G 0.412  S 0.367  12 pixels" in the upper corner, over a shade. */
static void
draw_reading (const VgPlaneScene *self, Pen *pen)
{
  const char *const *names = self->output->hints.axes;
  double value = vg_plane_scene_sample (self, self->pointer[0], self->pointer[1]);
  g_autofree char *text = NULL;
  int width, height;

  if (isnan (self->pointer[0]))
    return;
  text = g_strdup_printf ("%s %.3f   %s %.3f   %.4g %s", names[0] ? names[0] : "x",
                          self->pointer[0], names[1] ? names[1] : "y", self->pointer[1],
                          isfinite (value) ? value : 0,
                          self->output->unit ? self->output->unit : "");
  pango_layout_set_text (pen->layout, text, -1);
  pango_layout_get_pixel_size (pen->layout, &width, &height);
  cairo_rectangle (pen->cr, self->box[0], self->box[1], width + 12, height + 6);
  cairo_set_source_rgba (pen->cr, 0.07, 0.07, 0.08, 0.8);
  cairo_fill (pen->cr);
  cairo_set_source_rgb (pen->cr, 0.95, 0.95, 0.95);
  draw_text (pen, text, self->box[0] + 6, self->box[1] + 3, 0, 0);
}

static void
draw_inside (const VgPlaneScene *self, Pen *pen)
{
  cairo_t *cr = pen->cr;

  cairo_save (cr);
  cairo_rectangle (cr, self->box[0], self->box[1], self->box[2], self->box[3]);
  cairo_clip (cr);
  cairo_set_source_rgb (cr, 0.07, 0.07, 0.08);
  cairo_paint (cr);
  draw_plane (self, cr);
  for (int accented = 0; accented < 2 && self->picture->overlay != NULL; accented++)
    draw_lines (self, cr, accented);
  draw_points (self, cr);
  for (guint i = 0; i < self->n_ellipses; i++)
    draw_ellipse (self, cr, i);
  if (self->picture->overlay != NULL)
    draw_ticks (self, pen);
  cairo_restore (cr);
}

void
vg_plane_scene_draw (VgPlaneScene *self, cairo_t *cr, int width, int height)
{
  g_autoptr (PangoLayout) layout = pango_cairo_create_layout (cr);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans");
  Pen pen = { cr, layout, self->dark ? 0.95 : 0.12 };

  pango_font_description_set_absolute_size (font, FONT_PX * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  if (self->picture == NULL)
    {
      cairo_set_source_rgba (cr, pen.grey, pen.grey, pen.grey, 0.6);
      draw_text (&pen, self->empty_text ? self->empty_text : "", width / 2.0, height / 2.0, 0.5,
                 0.5);
      return;
    }
  vg_plane_scene_lay_out (self, width, height);
  draw_inside (self, &pen);
  draw_axes (self, &pen);
  draw_reading (self, &pen);
}
