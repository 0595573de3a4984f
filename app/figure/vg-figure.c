/* SPDX-License-Identifier: MIT */
#include "app/figure/vg-figure-private.h"
#include <string.h>

static void
clear_item (gpointer data)
{
  VgFigureItem *item = data;

  g_free (item->rgba);
  g_free (item->points);
  g_free (item->text);
}

VgFigure *
vg_figure_new (double width, double height)
{
  VgFigure *self = g_new0 (VgFigure, 1);

  self->width = width;
  self->height = height;
  self->items = g_array_new (FALSE, FALSE, sizeof (VgFigureItem));
  g_array_set_clear_func (self->items, clear_item);
  return self;
}

void
vg_figure_free (VgFigure *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_free (self->title);
  g_free (self->description);
  g_free (self);
}

gboolean
vg_figure_add_image (VgFigure *self, double x, double y, double width, double height,
                     const guint8 *rgba, int columns, int rows)
{
  gsize bytes = (gsize) columns * (gsize) rows * 4;
  VgFigureItem item = { .kind = VG_FIGURE_IMAGE,
                        .x = x,
                        .y = y,
                        .width = width,
                        .height = height,
                        .rgba = g_try_malloc (bytes),
                        .columns = columns,
                        .rows = rows };

  if (item.rgba == NULL)
    return FALSE;
  memcpy (item.rgba, rgba, bytes);
  g_array_append_val (self->items, item);
  return TRUE;
}

void
vg_figure_add_path (VgFigure *self, const double *points, int n, const VgFigureStyle *style)
{
  VgFigureItem item = { .kind = VG_FIGURE_PATH,
                        .points = g_memdup2 (points, sizeof (double) * 2 * (gsize) n),
                        .n_points = n,
                        .style = *style };

  g_array_append_val (self->items, item);
}

void
vg_figure_add_line (VgFigure *self, double x0, double y0, double x1, double y1, double width)
{
  vg_figure_add_path (self, (const double[]){ x0, y0, x1, y1 }, 2,
                      &(VgFigureStyle){ .fill = -1, .stroke = 0, .width = width });
}

void
vg_figure_add_box (VgFigure *self, double x, double y, double width, double height,
                   const VgFigureStyle *style)
{
  const double points[] = { x, y, x + width, y, x + width, y + height, x, y + height };
  VgFigureStyle closed = *style;

  closed.closed = TRUE;
  vg_figure_add_path (self, points, 4, &closed);
}

void
vg_figure_add_text (VgFigure *self, const char *text, double x, double y, double size,
                    VgFigureAnchor anchor, gboolean bold, gint32 color)
{
  VgFigureItem item = { .kind = VG_FIGURE_TEXT,
                        .x = x,
                        .y = y,
                        .text = g_utf8_make_valid (text, -1),
                        .size = size,
                        .anchor = anchor,
                        .bold = bold,
                        .style = { .fill = color, .stroke = -1 } };

  g_array_append_val (self->items, item);
}

PangoLayout *
vg_figure_layout_new (const char *text, double size, gboolean bold)
{
  /* the font map of this thread, because a new one would search the fonts again, which takes longer
   * than everything else in a frame of a movie */
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string (bold ? "Sans Bold" : "Sans");
  cairo_font_options_t *options = cairo_font_options_create ();
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  PangoLayout *layout;

  /* the same widths at every resolution */
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_cairo_context_set_resolution (context, 72);
  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  layout = pango_layout_new (context);
  g_object_unref (context);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_text (layout, valid, -1);
  return layout;
}

double
vg_figure_measure (const char *text, double size, gboolean bold)
{
  g_autoptr (PangoLayout) layout = vg_figure_layout_new (text, size, bold);
  int width;

  pango_layout_get_size (layout, &width, NULL);
  return (double) width / PANGO_SCALE;
}

cairo_surface_t *
vg_figure_item_to_surface (const VgFigureItem *item)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, item->columns,
                                                         item->rows);
  guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (int y = 0; data != NULL && y < item->rows; y++)
    for (int x = 0; x < item->columns; x++)
      {
        const guint8 *rgba = item->rgba + ((gsize) y * (gsize) item->columns + (gsize) x) * 4;
        guint32 *pixel = (guint32 *) (gpointer) (data + (gsize) y * (gsize) stride) + x;

        *pixel = (guint32) rgba[0] << 16 | (guint32) rgba[1] << 8 | rgba[2];
      }
  cairo_surface_mark_dirty (surface);
  return surface;
}

cairo_status_t
vg_figure_append (void *bytes, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}
