/* SPDX-License-Identifier: MIT */
/* Figures as PDF and as pixels, drawn with cairo. */
#include "app/figure/vg-figure-private.h"
#include <cairo-pdf.h>
#include <math.h>
#include "kernels/base/vg-error.h"

/* A larger image needs more than half a gigabyte. */
enum { MOST_PIXELS = 1 << 27, LONGEST = 32767 };

static void
set_color (cairo_t *cr, gint32 color, double opacity)
{
  cairo_set_source_rgba (cr, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
                         (color & 255) / 255.0, opacity);
}

static void
draw_image (cairo_t *cr, const VgFigureItem *item)
{
  cairo_surface_t *surface = vg_figure_item_to_surface (item);

  cairo_save (cr);
  cairo_translate (cr, item->x, item->y);
  cairo_scale (cr, item->width / item->columns, item->height / item->rows);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_rectangle (cr, 0, 0, item->columns, item->rows);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);
}

static void
draw_path (cairo_t *cr, const VgFigureItem *item)
{
  const VgFigureStyle *style = &item->style;

  cairo_new_path (cr);
  for (int i = 0; i < item->n_points; i++)
    cairo_line_to (cr, item->points[2 * i], item->points[2 * i + 1]);
  if (style->closed)
    cairo_close_path (cr);
  if (style->fill >= 0)
    {
      set_color (cr, style->fill, style->opacity);
      cairo_fill_preserve (cr);
    }
  if (style->stroke >= 0)
    {
      set_color (cr, style->stroke, 1);
      cairo_set_line_width (cr, style->width);
      cairo_stroke (cr);
    }
  cairo_new_path (cr);
}

static void
draw_text (cairo_t *cr, const VgFigureItem *item)
{
  g_autoptr (PangoLayout) layout = vg_figure_layout_new (item->text, item->size, item->bold);
  double shift, baseline;
  int width;

  pango_layout_get_size (layout, &width, NULL);
  shift = (double) width / PANGO_SCALE *
          (item->anchor == VG_FIGURE_LEFT     ? 0
           : item->anchor == VG_FIGURE_MIDDLE ? 0.5
                                              : 1);
  baseline = (double) pango_layout_get_baseline (layout) / PANGO_SCALE;
  set_color (cr, item->style.fill, 1);
  cairo_move_to (cr, item->x - shift, item->y - baseline);
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr);
}

static void
draw (const VgFigure *self, cairo_t *cr)
{
  set_color (cr, 0xffffff, 1);
  cairo_paint (cr);
  for (guint i = 0; i < self->items->len; i++)
    {
      const VgFigureItem *item = &g_array_index (self->items, VgFigureItem, i);

      switch (item->kind)
        {
        case VG_FIGURE_IMAGE:
          draw_image (cr, item);
          break;
        case VG_FIGURE_PATH:
          draw_path (cr, item);
          break;
        case VG_FIGURE_TEXT:
          draw_text (cr, item);
          break;
        }
    }
}

static void
set_error (GError **error, cairo_status_t status)
{
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "the figure cannot be drawn: %s; choose fewer dots per inch, or a smaller figure",
               cairo_status_to_string (status));
}

GBytes *
vg_figure_to_pdf (const VgFigure *self, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (vg_figure_append, bytes,
                                                                  self->width, self->height);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  if (self->title != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, self->title);
  if (self->description != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, self->description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Vivograph");
  draw (self, cr);
  cairo_show_page (cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  set_error (error, status);
  return NULL;
}

/* From cairo's pixels. */
static guint8 *
copy_rgba (cairo_surface_t *surface, int columns, int rows)
{
  guint8 *rgba = g_try_malloc ((gsize) columns * (gsize) rows * 4);
  const guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (int y = 0; rgba != NULL && y < rows; y++)
    for (int x = 0; x < columns; x++)
      {
        guint32 pixel = *((const guint32 *) (gconstpointer) (data + (gsize) y * (gsize) stride) +
                          x);
        guint8 *at = rgba + ((gsize) y * (gsize) columns + (gsize) x) * 4;

        at[0] = (guint8) (pixel >> 16);
        at[1] = (guint8) (pixel >> 8);
        at[2] = (guint8) pixel;
        at[3] = 255;
      }
  return rgba;
}

guint8 *
vg_figure_to_rgba (const VgFigure *self, double dpi, int *columns, int *rows, GError **error)
{
  double wide = ceil (self->width * dpi / 72 - 1e-6), high = ceil (self->height * dpi / 72 - 1e-6);
  cairo_surface_t *surface;
  cairo_status_t status;
  guint8 *rgba = NULL;
  cairo_t *cr;

  if (wide > LONGEST || high > LONGEST || wide * high > MOST_PIXELS)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the figure would have %.0f x %.0f pixels; choose fewer dots per inch, or a "
                   "smaller figure",
                   wide, high);
      return NULL;
    }
  *columns = MAX ((int) wide, 1);
  *rows = MAX ((int) high, 1);
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, *columns, *rows);
  cr = cairo_create (surface);
  cairo_scale (cr, dpi / 72, dpi / 72);
  draw (self, cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    rgba = copy_rgba (surface, *columns, *rows);
  cairo_surface_destroy (surface);
  if (rgba == NULL)
    set_error (error, status != CAIRO_STATUS_SUCCESS ? status : CAIRO_STATUS_NO_MEMORY);
  return rgba;
}
