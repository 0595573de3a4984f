/* SPDX-License-Identifier: MIT */
/* preview.png: a map with its colour bar and limits in a dot font, because the command line must
 * work where no font is installed. */
#include "app/figure/vg-preview.h"
#include <math.h>
#include <string.h>
#include "app/figure/vg-preview-axes.h"
#include "app/session/vg-display.h"
#include "io/write/vg-output-file.h"

enum { BAR = 14, GAP = 8, GLYPHS = 9 };

static void
put_number (VgCanvas *self, int x, int y, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  vg_canvas_put_text (self, x, y, g_ascii_formatd (text, sizeof text, "%.3g", value));
}

/* Which side of the patient is where, on a dark ground, inside of the map's edges. */
static void
put_sides (VgCanvas *self, const VgOrientation *orientation, int width, int height)
{
  static const guint8 ground[3] = { 30, 30, 30 };

  if (!orientation->known || width < 5 * VG_CANVAS_GLYPH_W || height < 5 * VG_CANVAS_GLYPH_H)
    return;
  for (int axis = 0; axis < 2; axis++)
    for (int end = 0; end < 2; end++)
      {
        int last_x = width - VG_CANVAS_GLYPH_W - 4, last_y = height - VG_CANVAS_GLYPH_H - 4;
        int x = axis == 1 ? last_x / 2 : end * last_x, y = axis == 0 ? last_y / 2 : end * last_y;
        int stored = orientation->swapped ? 1 - axis : axis;
        const char text[2] = {
          orientation->ends[stored][orientation->turned[stored] ? 1 - end : end], '\0'
        };

        for (int j = 0; j < VG_CANVAS_GLYPH_H + 4; j++)
          for (int i = 0; i < VG_CANVAS_GLYPH_W + 4; i++)
            vg_canvas_put_pixel (self, x + i, y + j, ground);
        vg_canvas_put_text (self, x + 2, y + 2, text);
      }
}

static void
put_bar (VgCanvas *canvas, const VgColoring *coloring, int x, int top, int bottom)
{
  for (int y = top; y < bottom; y++)
    {
      double t = bottom - top < 2 ? 0.5 : 1 - (double) (y - top) / (bottom - top - 1);
      const guint8 *rgb = coloring->colormap->rgb[(int) lround (t * 255)];

      for (int i = 0; i < BAR; i++)
        vg_canvas_put_pixel (canvas, x + i, y, rgb);
    }
}

/* Label 1 lowest, each number beside the middle of its colour. */
static void
put_labels (VgCanvas *canvas, const VgColoring *coloring, int n, int x, int top, int bottom)
{
  for (int y = top; y < bottom; y++)
    {
      float label = (float) (n - (y - top) * n / (bottom - top));
      guint8 rgba[4];

      vg_coloring_apply (coloring, &label, 1, rgba);
      for (int i = 0; i < BAR; i++)
        vg_canvas_put_pixel (canvas, x + i, y, rgba);
    }
  for (int label = 1; label <= n; label++)
    put_number (canvas, x + BAR + GAP,
                bottom - (2 * label - 1) * (bottom - top) / (2 * n) - VG_CANVAS_GLYPH_H / 2, label);
}

/* BAR as vg_display_get_bar gives it. */
static void
put_scale (VgCanvas *canvas, const VgColoring *coloring, int bar, int x)
{
  if (bar > 0)
    put_labels (canvas, coloring, bar, x, VG_CANVAS_GLYPH_H / 2,
                canvas->height - VG_CANVAS_GLYPH_H / 2);
  else if (bar == 0 && isfinite (coloring->low) && isfinite (coloring->high))
    {
      put_bar (canvas, coloring, x, VG_CANVAS_GLYPH_H / 2, canvas->height - VG_CANVAS_GLYPH_H / 2);
      put_number (canvas, x + BAR + GAP, 0, coloring->high);
      put_number (canvas, x + BAR + GAP, canvas->height - VG_CANVAS_GLYPH_H, coloring->low);
    }
}

/* The picture at the upper left of a larger canvas, where a legend, or names of what lies over the
 * map, stand beside it.  FALSE: no memory. */
static gboolean
begin (VgCanvas *canvas, const VgMapPicture *picture, gboolean beside)
{
  static const guint8 background[3] = { 30, 30, 30 };

  canvas->width = picture->width +
                  (beside ? GAP + BAR + GAP + GLYPHS * (VG_CANVAS_GLYPH_W + 1) : 0);
  canvas->height = MAX (picture->height, MAX (picture->bar + 1, 4) * (VG_CANVAS_GLYPH_H + 2));
  canvas->rgba = g_try_malloc ((gsize) canvas->width * (gsize) canvas->height * 4);
  if (canvas->rgba == NULL)
    return FALSE;
  for (int y = 0; y < canvas->height; y++)
    for (int x = 0; x < canvas->width; x++)
      vg_canvas_put_pixel (canvas, x, y, background);
  for (int y = 0; y < picture->height; y++)
    memcpy (canvas->rgba + (gsize) y * (gsize) canvas->width * 4,
            picture->rgba + (gsize) y * (gsize) picture->width * 4, (gsize) picture->width * 4);
  return TRUE;
}

gboolean
vg_preview_write (const char *path, const VgMapView *view, GError **error)
{
  g_auto (VgMapPicture) picture = { 0 };
  g_autofree guint8 *rgba = NULL, *framed = NULL;
  VgCanvas canvas;

  if (!vg_map_picture_draw (&picture, view, error))
    return FALSE;
  if (!begin (&canvas, &picture, picture.bar != VG_DISPLAY_NO_BAR || view->overlay != NULL))
    return vg_map_picture_set_no_memory (error);
  rgba = canvas.rgba;
  if (view->orientation != NULL)
    put_sides (&canvas, view->orientation, picture.width, picture.height);
  put_scale (&canvas, &picture.coloring, picture.bar, picture.width + GAP);
  if (view->overlay != NULL)
    vg_preview_put_names (&canvas, view->overlay, view->plane, picture.per_sample[1],
                          picture.height);
  if (!vg_preview_frame (&canvas, view->output, view->plane, picture.per_sample, picture.width,
                         picture.height, &framed))
    return vg_map_picture_set_no_memory (error);
  return vg_write_png (path, canvas.rgba, canvas.width, canvas.height, error);
}
