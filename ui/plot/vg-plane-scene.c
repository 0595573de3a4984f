/* SPDX-License-Identifier: MIT */
#include "ui/plot/vg-plane-scene.h"
#include <math.h>
#include "kernels/shared/vg-colormap.h"
#include "ui/layers/vg-axes-layer.h"
#include "ui/common/vg-number-format.h"

enum { HANDLE = 4, FAR_PX = 100000 };

static const VgPlotColor accent = { 1.0, 0.56, 0.78 };

typedef struct
{
  cairo_t *cr;
  PangoLayout *layout;
  double left, right; /* edges of the space for labels, px */
} Pen;

double
vg_plane_scene_get_scale (const VgPlaneScene *self)
{
  return self->transform.zoom / self->transform.scale /
         fabs (self->plot->result->plane.pixel_size[0]);
}

void
vg_plane_scene_to_plane (const VgPlaneScene *self, double x, double y, double *px, double *py)
{
  const VgPlane *plane = &self->plot->result->plane;

  vg_view_transform_to_image (&self->transform, x, y, px, py);
  *px = vg_plane_position (plane, 0, *px);
  *py = vg_plane_position (plane, 1, *py);
}

void
vg_plane_scene_to_widget (const VgPlaneScene *self, double px, double py, double *x, double *y)
{
  const VgPlane *plane = &self->plot->result->plane;

  vg_view_transform_to_widget (&self->transform, vg_plane_image_point (plane, 0, px),
                               vg_plane_image_point (plane, 1, py), x, y);
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

static void
draw_lines (const VgPlaneScene *self, cairo_t *cr, gboolean accented)
{
  const VgOverlay *overlay = self->plot->result->overlay;

  for (guint i = 0; i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double x, y;

      if (item->kind != VG_OVERLAY_LINE || item->accent != accented)
        continue;
      vg_plane_scene_to_widget (self, item->x[0], item->y[0], &x, &y);
      cairo_move_to (cr, CLAMP (x, -FAR_PX, FAR_PX), CLAMP (y, -FAR_PX, FAR_PX));
      vg_plane_scene_to_widget (self, item->x[1], item->y[1], &x, &y);
      cairo_line_to (cr, CLAMP (x, -FAR_PX, FAR_PX), CLAMP (y, -FAR_PX, FAR_PX));
    }
  if (accented)
    cairo_set_source_rgb (cr, accent.red, accent.green, accent.blue);
  else
    cairo_set_source_rgba (cr, 1, 1, 1, 0.75);
  cairo_set_line_width (cr, accented ? 2 : 1.2);
  cairo_stroke (cr);
}

/* Draws TEXT beside the point at (x, y): to its RIGHT or left, or on the other side if there is no
 * space.  A text that would lie over another label is left out. */
static void
draw_label (Pen *pen, const char *text, double x, double y, gboolean right, GArray *boxes)
{
  int width, height;
  cairo_rectangle_int_t box;

  pango_layout_set_text (pen->layout, text, -1);
  pango_layout_get_pixel_size (pen->layout, &width, &height);
  if (right ? x + 6 + width > pen->right : x - 6 - width < pen->left)
    right = !right;
  x += right ? 6 : -6 - width; /* a long one fits on neither side */
  x = MAX (MIN (x, pen->right - width), pen->left);
  box = (cairo_rectangle_int_t){ (int) x, (int) y - height + 3, width, height };
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
  const VgOverlay *overlay = self->plot->result->overlay;
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (cairo_rectangle_int_t));
  int line; /* a line's label stands under its beginning */
  double middle = middle_of_points (overlay);

  pango_layout_set_text (pen->layout, "0", -1);
  pango_layout_get_pixel_size (pen->layout, NULL, &line);
  for (guint i = 0; i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double x, y;

      if (item->kind != VG_OVERLAY_POINT)
        continue;
      vg_plane_scene_to_widget (self, item->x[0], item->y[0], &x, &y);
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
      vg_plane_scene_to_widget (self, item->x[0], item->y[0], &x, &y);
      if (!(fabs (x) < FAR_PX) || !(fabs (y) < FAR_PX))
        continue;
      if (item->kind == VG_OVERLAY_LINE)
        draw_label (pen, item->label, x, y + line, TRUE, boxes);
      else
        draw_label (pen, item->label, x, y, item->x[0] >= middle, boxes);
    }
}

static void
draw_points (const VgPlaneScene *self, cairo_t *cr)
{
  const VgPlanePoints *pixel = &self->plot->pixel;
  double x, y;

  for (guint i = 0; i < self->plot->n_regions; i++)
    {
      const VgPlanePoints *points = &self->plot->regions[i];
      VgPlotColor color = i < self->n_colors ? self->colors[i] : (VgPlotColor){ 1, 1, 1 };

      for (int k = 0; k < points->n; k++)
        {
          vg_plane_scene_to_widget (self, points->x[k], points->y[k], &x, &y);
          if (fabs (x) < FAR_PX && fabs (y) < FAR_PX)
            cairo_rectangle (cr, floor (x) - 1, floor (y) - 1, 2, 2);
        }
      cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.7);
      cairo_fill (cr);
    }
  if (pixel->n == 0)
    return;
  vg_plane_scene_to_widget (self, pixel->x[0], pixel->y[0], &x, &y);
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
  guint8 rgb[3];
  gboolean selected = (int) i == self->selected;
  double x, y, scale = vg_plane_scene_get_scale (self);

  vg_colormap_category (i + 1, rgb);
  vg_plane_scene_to_widget (self, ellipse->x, ellipse->y, &x, &y);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, -ellipse->angle * G_PI / 180);
  cairo_scale (cr, ellipse->a * scale, ellipse->b * scale);
  cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
  cairo_restore (cr);
  cairo_set_source_rgba (cr, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0,
                         selected ? 0.12 : 0.07);
  cairo_fill_preserve (cr);
  cairo_set_source_rgb (cr, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0);
  cairo_set_line_width (cr, selected ? 2.5 : 1.8);
  cairo_stroke (cr);
  for (int k = 0; selected && k < VG_ELLIPSE_HANDLES; k++)
    {
      double px, py;

      vg_ellipse_handle (ellipse, k, VG_PLANE_KNOB_PX / scale, &px, &py);
      vg_plane_scene_to_widget (self, px, py, &x, &y);
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

/* Text in the upper left corner of the free part: "G 0.412  S 0.367  12 pixels". */
static void
draw_reading (const VgPlaneScene *self, Pen *pen)
{
  const VgResult *result = self->plot->result;
  const VgOutput *output = &result->operation->outputs[result->output];
  const char *const *names = output->hints.axes;
  const VgPlane *plane = &result->plane;
  g_autofree char *number = NULL, *text = NULL;
  float value = 0;
  int width, height;

  if (isnan (self->pointer[0]))
    return;
  vg_result_probe (self->plot->result,
                   (int) floor (vg_plane_image_point (plane, 0, self->pointer[0])),
                   (int) floor (vg_plane_image_point (plane, 1, self->pointer[1])), 0, &value);
  number = vg_format_number (isfinite (value) ? (double) value : 0.0);
  text = g_strdup_printf ("%s %.3f   %s %.3f   %s %s", names[0] ? names[0] : "x", self->pointer[0],
                          names[1] ? names[1] : "y", self->pointer[1], number,
                          output->unit ? output->unit : "");
  pango_layout_set_text (pen->layout, text, -1);
  pango_layout_get_pixel_size (pen->layout, &width, &height);
  cairo_rectangle (pen->cr, self->left, 0, width + 12, height + 6);
  cairo_set_source_rgba (pen->cr, 0.07, 0.07, 0.08, 0.8);
  cairo_fill (pen->cr);
  cairo_set_source_rgb (pen->cr, 0.95, 0.95, 0.95);
  draw_text (pen, text, self->left + 6, 3, 0, 0);
}

void
vg_plane_scene_draw (const VgPlaneScene *self, cairo_t *cr)
{
  g_autoptr (PangoLayout) layout = pango_cairo_create_layout (cr);
  Pen pen = { .cr = cr, .layout = layout };
  double top, bottom;

  cairo_clip_extents (cr, &pen.left, &top, &pen.right, &bottom);
  pen.left = MAX (pen.left, self->left);
  pango_layout_set_font_description (layout, self->font);
  for (int accented = 0; accented < 2 && self->plot->result->overlay != NULL; accented++)
    draw_lines (self, cr, accented);
  draw_points (self, cr);
  for (guint i = 0; i < self->n_ellipses; i++)
    draw_ellipse (self, cr, i);
  if (self->plot->result->overlay != NULL)
    draw_ticks (self, &pen);
  draw_reading (self, &pen);
}
