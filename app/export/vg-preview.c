/* SPDX-License-Identifier: MIT */
/* preview.png.  Small maps are magnified, huge ones reduced by averaging. */
#include "app/export/vg-preview.h"
#include <math.h>
#include <string.h>
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"
#include "kernels/shared/vg-isolines.h"
#include "kernels/shared/vg-outlines-draw.h"
#include "io/write/vg-output-file.h"
#include "app/export/vg-preview-axes.h"

enum { LONGEST = 2048, SHORTEST = 256, BAR = 14, GAP = 8, GLYPHS = 9 };

#define OUTLINE 1.5 /* width of outlines, pixels */

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

/* Elements of four bytes, columns and rows the other way round; then, where they are swapped, rows
 * of HEIGHT. FALSE: no memory. */
static gboolean
turn (void *elements, int width, int height, const VgOrientation *way)
{
  const gboolean *turned = way->turned;
  guint32 *a = elements;
  g_autofree guint32 *before = NULL;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        gsize from = (gsize) y * width + x, to = (gsize) (turned[1] ? height - 1 - y : y) * width +
                                                 (turned[0] ? width - 1 - x : x);
        guint32 element = a[from];

        if (to <= from)
          continue;
        a[from] = a[to];
        a[to] = element;
      }
  if (!way->swapped)
    return TRUE;
  before = g_try_new (guint32, (gsize) width * height);
  if (before == NULL)
    return FALSE;
  memcpy (before, a, sizeof *a * (gsize) width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      a[(gsize) x * height + y] = before[(gsize) y * width + x];
  return TRUE;
}

/* The mean of the valid samples of each FACTOR x FACTOR block; of LABELS, which have no mean, the
 * first sample.  NULL: no memory. */
static float *
reduce (const VgPlane *plane, gboolean labels, int factor, int width, int height)
{
  float *reduced = g_try_new (float, (gsize) width *height);

  for (int y = 0; reduced != NULL && y < height; y++)
    for (int x = 0; x < width; x++)
      {
        int size = labels ? 1 : factor, n = 0;
        int y1 = MIN (y * factor + size, plane->height), x1 = MIN (x * factor + size, plane->width);
        double sum = 0;

        for (int j = y * factor; j < y1; j++)
          for (int i = x * factor; i < x1; i++)
            {
              float value = plane->data[(gsize) j * plane->width + i];

              if (isfinite (value))
                sum += value, n++;
            }
        reduced[(gsize) y * width + x] = n == 0 ? NAN : (float) (sum / n);
      }
  return reduced;
}

static void
put_map (VgCanvas *canvas, const guint8 *colors, int width, int height, const int zoom[2])
{
  for (int y = 0; y < height * zoom[1]; y++)
    for (int x = 0; x < width * zoom[0]; x++)
      vg_canvas_put_pixel (canvas, x, y,
                           colors + ((gsize) (y / zoom[1]) * width + x / zoom[0]) * 4);
}

/* Lines over the map that is already there; its pixels are ZOOM wide and high.  FALSE: no memory.
 */
static gboolean
put_isolines (VgCanvas *canvas, const VgIsolines *lines, const float *values, int width, int height,
              const int zoom[2])
{
  int w = width * zoom[0], h = height * zoom[1];
  /* as far both ways, also where samples are longer than wide */
  double pixels = MAX (1.5, MAX (zoom[0], zoom[1]));
  double reach[2] = { vg_isolines_reach (lines, zoom[0], pixels, 4),
                      vg_isolines_reach (lines, zoom[1], pixels, 4) };
  g_autofree double *at_x = g_new (double, w), *at_y = g_new (double, h);
  g_autofree float *field = g_try_new (float, (gsize) w *h);
  g_autofree guint8 *picture = g_try_malloc ((gsize) w * h * 4);

  for (int x = 0; x < w; x++)
    at_x[x] = (x + 0.5) / zoom[0];
  for (int y = 0; y < h; y++)
    at_y[y] = (y + 0.5) / zoom[1];
  if (field == NULL || picture == NULL ||
      !vg_isolines_smooth_grid (lines, values, width, height, at_x, w, at_y, h, reach[0], reach[1],
                                field))
    return FALSE;
  for (int y = 0; y < h; y++)
    memcpy (picture + (gsize) y * w * 4, canvas->rgba + (gsize) y * canvas->width * 4,
            (gsize) w * 4);
  vg_isolines_draw (lines, field, w, h, picture);
  for (int y = 0; y < h; y++)
    memcpy (canvas->rgba + (gsize) y * canvas->width * 4, picture + (gsize) y * w * 4,
            (gsize) w * 4);
  return TRUE;
}

/* Pixels of the preview per sample, WIDTH x HEIGHT of them: whole numbers, and
 * with true proportions as far as those and the longest preview allow. */
static void
choose_zoom (const VgPlane *plane, gboolean swapped, int width, int height, int zoom[2])
{
  double aspect = plane->pixel_size[0] > 0 && plane->pixel_size[1] > 0
                      ? plane->pixel_size[!swapped] / plane->pixel_size[swapped]
                      : 1;
  double wide = MAX (width, height * aspect), tall = MAX (width / aspect, height);

  /* the finer axis sets the scale */
  zoom[aspect >= 1 ? 0 : 1] = (int) MAX (1, aspect >= 1 ? SHORTEST / wide : SHORTEST / tall);
  if (aspect >= 1)
    zoom[1] = CLAMP ((int) lround (zoom[0] * aspect), 1, MAX (zoom[0], LONGEST / height));
  else
    zoom[0] = CLAMP ((int) lround (zoom[1] / aspect), 1, MAX (zoom[1], LONGEST / width));
}

/* The left half that a mirrored plane has beside it; NULL: no memory. */
static float *
mirror (const float *values, int width, int height)
{
  float *both = g_try_new (float, (gsize) 2 * width * height);

  for (int y = 0; both != NULL && y < height; y++)
    for (int x = 0; x < width; x++)
      both[((gsize) 2 * y + 1) * width + x] = both[((gsize) 2 * y + 1) * width - 1 - x] =
          values[(gsize) y * width + x];
  return both;
}

/* A pixel of the preview for a position in the plane's unit; what is infinite
 * or outside lies at the edge of the map. */
static double
to_pixel (const VgPlane *plane, int axis, double position, double per_sample, int size)
{
  double at = isfinite (position) ? vg_plane_image_point (plane, axis, position)
                                  : copysign (1e9, position * plane->pixel_size[axis]);

  if (plane->mirrored && axis == 0)
    at += plane->width;
  return CLAMP (at * per_sample, -1, size);
}

static void
put_lines (VgCanvas *canvas, const VgOverlay *overlay, const VgPlane *plane,
           const double per_sample[2], int width, int height)
{
  for (guint i = 0; i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double x0 = to_pixel (plane, 0, item->x[0], per_sample[0], width),
             x1 = to_pixel (plane, 0, item->x[1], per_sample[0], width);
      double y0 = to_pixel (plane, 1, item->y[0], per_sample[1], height),
             y1 = to_pixel (plane, 1, item->y[1], per_sample[1], height);
      int steps = (int) MAX (fabs (x1 - x0), fabs (y1 - y0)) + 1;

      for (int k = 0; item->kind == VG_OVERLAY_LINE && k <= steps; k++)
        {
          int x = (int) floor (x0 + k * (x1 - x0) / steps),
              y = (int) floor (y0 + k * (y1 - y0) / steps);
          guint8 *at = canvas->rgba + ((gsize) y * canvas->width + x) * 4;

          if (x < 0 || y < 0 || x >= width || y >= height)
            continue;
          vg_canvas_put_pixel (
              canvas, x, y,
              (const guint8[3]){ (at[0] + 510) / 3, (at[1] + 510) / 3, (at[2] + 510) / 3 });
        }
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

/* FALSE: no memory. */
static gboolean
dim (guint8 *colors, const VgPlane *plane, const double limits[2], int factor, int width,
     int height, const VgOrientation *way)
{
  g_autofree float *half = reduce (plane, FALSE, factor, width, height);
  g_autofree float *whole = plane->mirrored && half != NULL ? mirror (half, width, height) : NULL;

  if (half == NULL || (plane->mirrored && whole == NULL) || !turn (half, width, height, way))
    return FALSE;
  vg_coloring_dim (colors, whole ? whole : half, (gsize) (whole ? 2 * width : width) * height,
                   limits[0], limits[1]);
  return TRUE;
}

void
vg_preview_measure (const VgPlane *plane, const VgOutput *output, const VgPlane *brightness,
                    const VgPlane *counted, VgStatistics *statistics, double limits[2])
{
  VgPlane volume = vg_display_get_volume (plane), light;
  VgStatistics of_light;

  limits[0] = limits[1] = 0;
  vg_statistics_compute (statistics, &volume, 0, 0);
  statistics->most = plane->most;
  if (output->hints.log_scale)
    vg_statistics_count_octaves (statistics, &volume, 0, 0);
  if (counted != NULL)
    {
      VgPlane labels = vg_display_get_volume (counted);

      vg_statistics_count_labelled (statistics, &volume, &labels, 0, 0);
    }
  if (brightness == NULL || brightness->width != plane->width ||
      brightness->height != plane->height)
    return;
  light = vg_display_get_volume (brightness);
  vg_statistics_compute (&of_light, &light, 0, 0);
  vg_display_get_brightness (&of_light, limits);
  vg_statistics_weigh (statistics, &volume, &light, 0, limits, 0);
}

/* The first slice of the underlay, its blocks averaged as those of the map are.  FALSE: no memory.
 */
static gboolean
lay_over (guint8 *colors, const float *values, const VgUnderlay *underlay, int factor, int width,
          int height, double opacity, gboolean skip_zero, const VgOrientation *way)
{
  gsize n = (gsize) width * height;
  g_autofree guint8 *under = g_try_malloc (n * 4);

  if (under == NULL)
    return FALSE;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        int y1 = MIN ((y + 1) * factor, underlay->height),
            x1 = MIN ((x + 1) * factor, underlay->width);
        guint sums[4] = { 0 }, count = (guint) ((y1 - y * factor) * (x1 - x * factor));

        for (int j = y * factor; j < y1; j++)
          for (int i = x * factor; i < x1; i++)
            for (int k = 0; k < 4; k++)
              sums[k] += underlay->rgba[((gsize) j * underlay->width + i) * 4 + k];
        for (int k = 0; k < 4; k++)
          under[((gsize) y * width + x) * 4 + k] = (guint8) ((sums[k] + count / 2) / count);
      }
  if (!turn (under, width, height, way))
    return FALSE;
  vg_underlay_mix (colors, values, under, n, opacity, skip_zero);
  return TRUE;
}

static gboolean
set_no_memory (GError **error)
{
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                       "there is not enough memory for the preview; close other programs");
  return FALSE;
}

gboolean
vg_preview_write (const char *path, const VgOutput *output, const VgPlane *plane,
                  const VgPlane *brightness, const VgPlane *counted, const VgUnderlay *underlay,
                  const VgDisplay *display, const VgOverlay *overlay, const VgOutlines *outlines,
                  const VgOrientation *orientation, double noise, GError **error)
{
  int longest = MAX (plane->mirrored ? 2 * plane->width : plane->width, plane->height);
  int factor = (longest + LONGEST - 1) / LONGEST;
  int width = (plane->width + factor - 1) / factor, height = (plane->height + factor - 1) / factor;
  g_autofree float *half = reduce (plane, output->kind == VG_OUTPUT_LABELS, factor, width, height);
  g_autofree float *whole = plane->mirrored && half != NULL ? mirror (half, width, height) : NULL;
  const float *reduced = whole ? whole : half;
  int shown = whole ? 2 * width : width, zoom[2];
  g_autofree guint8 *colors = g_try_malloc ((gsize) shown * height * 4), *rgba = NULL,
                    *framed = NULL;
  static const guint8 background[3] = { 30, 30, 30 };
  static const VgOrientation as_stored = { .known = FALSE };
  const VgOrientation *way = orientation != NULL ? orientation : &as_stored;
  VgStatistics statistics;
  double levels[VG_DISPLAY_LEVELS], limits[2];
  int bar;
  VgIsolines lines;
  VgColoring coloring;
  VgCanvas canvas;
  int down = way->swapped ? width : height; /* SHOWN columns of DOWN samples */

  if (half == NULL || (plane->mirrored && whole == NULL) || colors == NULL ||
      !turn (half, width, height, way))
    return set_no_memory (error);
  shown = way->swapped ? height : shown;
  choose_zoom (plane, way->swapped, shown, down, zoom);
  vg_preview_measure (plane, output, brightness, counted, &statistics, limits);
  vg_display_get_coloring (display, output, &statistics, &coloring);
  bar = vg_display_get_bar (output, &coloring, &statistics);
  /* a legend, or names of what lies over the map, stand beside it */
  canvas.width = shown * zoom[0] + (bar == VG_DISPLAY_NO_BAR && overlay == NULL
                                        ? 0
                                        : GAP + BAR + GAP + GLYPHS * (VG_CANVAS_GLYPH_W + 1));
  canvas.height = MAX (down * zoom[1], MAX (bar + 1, 4) * (VG_CANVAS_GLYPH_H + 2));
  canvas.rgba = rgba = g_try_malloc ((gsize) canvas.width * canvas.height * 4);
  if (rgba == NULL)
    return set_no_memory (error);
  for (int y = 0; y < canvas.height; y++)
    for (int x = 0; x < canvas.width; x++)
      vg_canvas_put_pixel (&canvas, x, y, background);
  vg_coloring_apply (&coloring, reduced, (gsize) shown * down, colors);
  if (limits[1] > limits[0] && display->brightness &&
      !dim (colors, brightness, limits, factor, width, height, way))
    return set_no_memory (error);
  if (underlay != NULL && display->underlay && whole == NULL && underlay->width == plane->width &&
      underlay->height == plane->height &&
      !lay_over (colors, reduced, underlay, factor, width, height, display->opacity,
                 output->kind == VG_OUTPUT_LABELS, way))
    return set_no_memory (error);
  put_map (&canvas, colors, shown, down, zoom);
  lines = (VgIsolines){ levels, vg_display_get_levels (display, &coloring, levels),
                        coloring.log_scale, whole != NULL, way->swapped ? height : width };
  lines.n_levels = vg_display_drop_noise (display, noise, levels, lines.n_levels);
  if (lines.n_levels > 0 && !put_isolines (&canvas, &lines, reduced, shown, down, zoom))
    return set_no_memory (error);
  if (outlines != NULL && outlines->width == plane->width && outlines->height == plane->height)
    vg_outlines_draw (
        outlines,
        &(VgOutlineStyle){ 0, 0, (double) zoom[0] / factor, (double) zoom[1] / factor, OUTLINE, 0 },
        canvas.rgba, shown * zoom[0], down * zoom[1], (gsize) canvas.width * 4);
  if (overlay != NULL && plane->pixel_size[0] != 0 && plane->pixel_size[1] != 0)
    put_lines (&canvas, overlay, plane,
               (const double[2]){ (double) zoom[0] / factor, (double) zoom[1] / factor },
               shown * zoom[0], down * zoom[1]);
  if (orientation != NULL)
    put_sides (&canvas, orientation, shown * zoom[0], down * zoom[1]);
  put_scale (&canvas, &coloring, bar, shown * zoom[0] + GAP);
  if (overlay != NULL)
    vg_preview_put_names (&canvas, overlay, plane, (double) zoom[1] / factor, down * zoom[1]);
  if (!vg_preview_frame (&canvas, output, plane,
                         (const double[2]){ (double) zoom[0] / factor, (double) zoom[1] / factor },
                         shown * zoom[0], down * zoom[1], &framed))
    return set_no_memory (error);
  return vg_write_png (path, canvas.rgba, canvas.width, canvas.height, error);
}
