/* SPDX-License-Identifier: MIT */
/* Figures as SVG.  It is written here and not by cairo, whose SVG has the outlines of letters in
 * place of text. */
#include "app/figure/vg-figure-private.h"
#include <string.h>

/* A number with at most three decimals, without zeros at the end. */
static void
add_number (GString *svg, const char *before, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  gsize length;

  g_ascii_formatd (text, sizeof text, "%.3f", value);
  length = strlen (text);
  while (text[length - 1] == '0')
    length--;
  if (text[length - 1] == '.')
    length--;
  g_string_append (svg, before);
  g_string_append_len (svg, text, (gssize) length);
}

/* XML has no control characters, not even escaped. */
static void
add_escaped (GString *svg, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1), *escaped = NULL;

  for (char *at = valid; *at != '\0'; at++)
    if ((guchar) *at < ' ' && *at != '\n' && *at != '\t')
      *at = ' ';
  escaped = g_markup_escape_text (valid, -1);
  g_string_append (svg, escaped);
}

static void
add_image (GString *svg, const VgFigureItem *item)
{
  cairo_surface_t *surface = vg_figure_item_to_surface (item);
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_autofree char *encoded = NULL;

  cairo_surface_write_to_png_stream (surface, vg_figure_append, png);
  cairo_surface_destroy (surface);
  encoded = g_base64_encode (png->data, png->len);
  add_number (svg, "<image x=\"", item->x);
  add_number (svg, "\" y=\"", item->y);
  add_number (svg, "\" width=\"", item->width);
  add_number (svg, "\" height=\"", item->height);
  g_string_append (svg, "\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                        "xlink:href=\"data:image/png;base64,");
  g_string_append (svg, encoded);
  g_string_append (svg, "\"/>\n");
}

/* Black is the colour of the page that the figure is in. */
static void
add_color (GString *svg, const char *name, gint32 color)
{
  if (color < 0)
    g_string_append_printf (svg, " %s=\"none\"", name);
  else if (color == 0)
    g_string_append_printf (svg, " %s=\"currentColor\"", name);
  else
    g_string_append_printf (svg, " %s=\"#%06x\"", name, (guint) color);
}

static void
add_path (GString *svg, const VgFigureItem *item)
{
  const VgFigureStyle *style = &item->style;

  g_string_append (svg, "<path d=\"");
  for (int i = 0; i < item->n_points; i++)
    {
      add_number (svg, i == 0 ? "M" : "L", item->points[2 * i]);
      add_number (svg, " ", item->points[2 * i + 1]);
    }
  g_string_append (svg, style->closed ? "Z\"" : "\"");
  add_color (svg, "fill", style->fill);
  if (style->fill >= 0 && style->opacity < 1)
    {
      add_number (svg, " fill-opacity=\"", style->opacity);
      g_string_append_c (svg, '"');
    }
  add_color (svg, "stroke", style->stroke);
  if (style->stroke >= 0)
    {
      add_number (svg, " stroke-width=\"", style->width);
      g_string_append_c (svg, '"');
    }
  g_string_append (svg, "/>\n");
}

static void
add_text (GString *svg, const VgFigureItem *item)
{
  static const char *const anchors[] = { "start", "middle", "end" };

  add_number (svg, "<text x=\"", item->x);
  add_number (svg, "\" y=\"", item->y);
  add_number (svg, "\" font-size=\"", item->size);
  g_string_append_printf (svg, "\" text-anchor=\"%s\"%s", anchors[item->anchor],
                          item->bold ? " font-weight=\"bold\"" : "");
  add_color (svg, "fill", item->style.fill);
  g_string_append_c (svg, '>');
  add_escaped (svg, item->text);
  g_string_append (svg, "</text>\n");
}

static void
add_head (GString *svg, const VgFigure *self, gboolean standalone)
{
  if (standalone)
    g_string_append (svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  g_string_append (svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                        "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"");
  add_number (svg, " width=\"", self->width / VG_FIGURE_POINTS_PER_MM);
  add_number (svg, "mm\" height=\"", self->height / VG_FIGURE_POINTS_PER_MM);
  add_number (svg, "mm\" viewBox=\"0 0 ", self->width);
  add_number (svg, " ", self->height);
  g_string_append_printf (svg, "\" font-family=\"DejaVu Sans, Verdana, sans-serif\"%s>\n",
                          standalone ? " color=\"#000\"" : " role=\"img\"");
  if (self->title != NULL)
    {
      g_string_append (svg, "<title>");
      add_escaped (svg, self->title);
      g_string_append (svg, "</title>\n");
    }
  if (self->description != NULL)
    {
      g_string_append (svg, "<desc>");
      add_escaped (svg, self->description);
      g_string_append (svg, "</desc>\n");
    }
  if (standalone)
    g_string_append (svg, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

char *
vg_figure_to_svg (const VgFigure *self, gboolean standalone)
{
  GString *svg = g_string_new (NULL);

  add_head (svg, self, standalone);
  for (guint i = 0; i < self->items->len; i++)
    {
      const VgFigureItem *item = &g_array_index (self->items, VgFigureItem, i);

      switch (item->kind)
        {
        case VG_FIGURE_IMAGE:
          add_image (svg, item);
          break;
        case VG_FIGURE_PATH:
          add_path (svg, item);
          break;
        case VG_FIGURE_TEXT:
          add_text (svg, item);
          break;
        }
    }
  g_string_append (svg, "</svg>\n");
  return g_string_free (svg, FALSE);
}
