/* SPDX-License-Identifier: MIT */
#include "app/figure/vg-map-picture.h"
#include <math.h>
#include <string.h>
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"
#include "kernels/shared/vg-isolines.h"
#include "kernels/shared/vg-outlines-draw.h"

enum { LONGEST = 2048, SHORTEST = 256 };

#define OUTLINE 1.5 /* width of outlines, pixels */

static const VgOrientation as_stored = { .known = FALSE };

/* What drawing needs besides the view, FACTOR samples of the plane for each that is drawn. */
typedef struct
{
  const VgOrientation *way;
  int factor, width, height; /* samples of a stored half, before it is turned */
  float *half, *whole;
  guint8 *colors; /* of the samples that are drawn */
  int zoom[2];
} Drawing;

gboolean
vg_map_picture_set_no_memory (GError **error)
{
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                       "there is not enough memory for the preview; close other programs");
  return FALSE;
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
reduce (const VgPlane *plane, int slice, gboolean labels, int factor, int width, int height)
{
  const float *samples = plane->data + (gsize) slice * (gsize) plane->width * (gsize) plane->height;
  float *reduced = g_try_new (float, (gsize) width *(gsize) height);

  for (int y = 0; reduced != NULL && y < height; y++)
    for (int x = 0; x < width; x++)
      {
        int size = labels ? 1 : factor, n = 0;
        int y1 = MIN (y * factor + size, plane->height), x1 = MIN (x * factor + size, plane->width);
        double sum = 0;

        for (int j = y * factor; j < y1; j++)
          for (int i = x * factor; i < x1; i++)
            {
              float value = samples[(gsize) j * plane->width + i];

              if (isfinite (value))
                sum += value, n++;
            }
        reduced[(gsize) y * width + x] = n == 0 ? NAN : (float) (sum / n);
      }
  return reduced;
}

/* Lines over the picture, whose samples have ZOOM pixels along each axis.  FALSE: no memory. */
static gboolean
draw_isolines (const VgMapPicture *self, const VgIsolines *lines, const float *values,
               const int zoom[2])
{
  /* as far both ways, also where samples are longer than wide */
  double pixels = MAX (1.5, MAX (zoom[0], zoom[1]));
  double reach[2] = { vg_isolines_reach (lines, zoom[0], pixels, 4),
                      vg_isolines_reach (lines, zoom[1], pixels, 4) };
  g_autofree double *at_x = g_new (double, self->width), *at_y = g_new (double, self->height);
  g_autofree float *field = g_try_new (float, (gsize) self->width *(gsize) self->height);

  for (int x = 0; x < self->width; x++)
    at_x[x] = (x + 0.5) / zoom[0];
  for (int y = 0; y < self->height; y++)
    at_y[y] = (y + 0.5) / zoom[1];
  if (field == NULL ||
      !vg_isolines_smooth_grid (lines, values, self->columns, self->rows, at_x, self->width, at_y,
                                self->height, reach[0], reach[1], field))
    return FALSE;
  vg_isolines_draw (lines, field, self->width, self->height, self->rgba);
  return TRUE;
}

/* Pixels per sample, WIDTH x HEIGHT of them: whole numbers, and with true proportions as far as
 * those and the longest picture allow. */
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

/* A pixel of the picture for a position in the plane's unit; what is infinite
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
draw_lines (const VgMapPicture *self, const VgOverlay *overlay, const VgPlane *plane)
{
  const double *per_sample = self->per_sample;
  int width = self->width, height = self->height;

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
          guint8 *at;

          if (x < 0 || y < 0 || x >= width || y >= height)
            continue;
          at = self->rgba + ((gsize) y * (gsize) width + x) * 4;
          for (int channel = 0; channel < 3; channel++)
            at[channel] = (guint8) ((at[channel] + 510) / 3);
        }
    }
}

/* FALSE: no memory. */
static gboolean
dim (guint8 *colors, const VgPlane *plane, int slice, const double limits[2], int factor, int width,
     int height, const VgOrientation *way)
{
  g_autofree float *half = reduce (plane, slice, FALSE, factor, width, height);
  g_autofree float *whole = plane->mirrored && half != NULL ? mirror (half, width, height) : NULL;

  if (half == NULL || (plane->mirrored && whole == NULL) || !turn (half, width, height, way))
    return FALSE;
  vg_coloring_dim (colors, whole ? whole : half, (gsize) (whole ? 2 * width : width) * height,
                   limits[0], limits[1]);
  return TRUE;
}

void
vg_map_picture_measure (const VgPlane *plane, const VgOutput *output, const VgPlane *brightness,
                        const VgPlane *limits_mask, VgStatistics *statistics, double limits[2])
{
  VgPlane volume = vg_display_get_volume (plane), light;
  VgStatistics of_light;

  limits[0] = limits[1] = 0;
  vg_statistics_compute (statistics, &volume, 0, 0);
  statistics->most = plane->most;
  if (output->hints.log_scale)
    vg_statistics_count_octaves (statistics, &volume, 0, 0);
  if (limits_mask != NULL)
    {
      VgPlane labels = vg_display_get_volume (limits_mask);

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

/* A slice of the underlay, its blocks averaged as those of the map are.  FALSE: no memory.
 */
static gboolean
lay_over (guint8 *colors, const float *values, const VgUnderlay *underlay, int slice, int factor,
          int width, int height, double opacity, gboolean skip_zero, const VgOrientation *way)
{
  gsize n = (gsize) width * (gsize) height,
        page = (gsize) underlay->width * (gsize) underlay->height * 4;
  const guint8 *input = underlay->rgba + (slice < underlay->slices ? (gsize) slice * page : 0);
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
              sums[k] += input[((gsize) j * underlay->width + i) * 4 + k];
        for (int k = 0; k < 4; k++)
          under[((gsize) y * width + x) * 4 + k] = (guint8) ((sums[k] + count / 2) / count);
      }
  if (!turn (under, width, height, way))
    return FALSE;
  vg_underlay_mix (colors, values, under, n, opacity, skip_zero);
  return TRUE;
}

static void
clear_drawing (Drawing *self)
{
  g_free (self->half);
  g_free (self->whole);
  g_free (self->colors);
}

/* The samples that are drawn, and the size of the picture.  FALSE: no memory. */
static gboolean
prepare (VgMapPicture *self, const VgMapView *view, Drawing *drawing)
{
  const VgPlane *plane = view->plane;
  gboolean swapped = drawing->way->swapped;
  int longest = MAX (plane->mirrored ? 2 * plane->width : plane->width, plane->height);
  int most = view->longest > 0 ? MIN (view->longest, LONGEST) : LONGEST;
  int factor = drawing->factor = (longest + most - 1) / most;
  int width = drawing->width = (plane->width + factor - 1) / factor,
      height = drawing->height = (plane->height + factor - 1) / factor;

  drawing->half = reduce (plane, view->slice, view->output->kind == VG_OUTPUT_LABELS, factor, width,
                          height);
  if (drawing->half != NULL && plane->mirrored)
    drawing->whole = mirror (drawing->half, width, height);
  if (drawing->half == NULL || (plane->mirrored && drawing->whole == NULL) ||
      !turn (drawing->half, width, height, drawing->way))
    return FALSE;
  self->columns = swapped ? height : plane->mirrored ? 2 * width : width;
  self->rows = swapped ? width : height;
  choose_zoom (plane, swapped, self->columns, self->rows, drawing->zoom);
  for (int axis = 0; axis < 2; axis++)
    self->per_sample[axis] = (double) drawing->zoom[axis] / factor;
  self->width = self->columns * drawing->zoom[0];
  self->height = self->rows * drawing->zoom[1];
  self->rgba = g_try_malloc ((gsize) self->width * (gsize) self->height * 4);
  drawing->colors = g_try_malloc ((gsize) self->columns * (gsize) self->rows * 4);
  return self->rgba != NULL && drawing->colors != NULL;
}

static const float *
get_values (const Drawing *self)
{
  return self->whole != NULL ? self->whole : self->half;
}

/* The colours of the samples.  FALSE: no memory. */
static gboolean
color (VgMapPicture *self, const VgMapView *view, Drawing *drawing)
{
  const VgPlane *plane = view->plane;
  const VgUnderlay *underlay = view->display->underlay ? view->underlay : NULL;
  VgStatistics statistics;
  double limits[2];

  vg_map_picture_measure (plane, view->output, view->brightness, view->limits_mask, &statistics,
                          limits);
  vg_display_get_coloring (view->display, view->output, &statistics, &self->coloring);
  self->bar = vg_display_get_bar (view->output, &self->coloring, &statistics);
  vg_coloring_apply (&self->coloring, get_values (drawing),
                     (gsize) self->columns * (gsize) self->rows, drawing->colors);
  if (limits[1] > limits[0] && view->display->brightness &&
      !dim (drawing->colors, view->brightness, view->slice, limits, drawing->factor, drawing->width,
            drawing->height, drawing->way))
    return FALSE;
  return underlay == NULL || drawing->whole != NULL || underlay->width != plane->width ||
         underlay->height != plane->height ||
         lay_over (drawing->colors, get_values (drawing), underlay, view->slice, drawing->factor,
                   drawing->width, drawing->height, view->display->opacity,
                   view->output->kind == VG_OUTPUT_LABELS, drawing->way);
}

static void
magnify (VgMapPicture *self, const Drawing *drawing)
{
  const guint32 *colors = (const guint32 *) (gconstpointer) drawing->colors;
  guint32 *pixels = (guint32 *) (gpointer) self->rgba;

  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      pixels[(gsize) y * (gsize) self->width + (gsize) x] =
          colors[(gsize) (y / drawing->zoom[1]) * (gsize) self->columns +
                 (gsize) (x / drawing->zoom[0])];
}

/* Isolines, outlines and overlay.  FALSE: no memory. */
static gboolean
draw_over (VgMapPicture *self, const VgMapView *view, const Drawing *drawing)
{
  const VgPlane *plane = view->plane;
  const VgOutlines *const outlines[] = { view->outlines, view->compared };
  double levels[VG_DISPLAY_LEVELS];
  VgIsolines lines = { levels, vg_display_get_levels (view->display, &self->coloring, levels),
                       self->coloring.log_scale, drawing->whole != NULL,
                       drawing->way->swapped ? drawing->height : drawing->width };

  lines.n_levels = vg_display_drop_noise (view->display, view->noise, levels, lines.n_levels);
  if (lines.n_levels > 0 && !draw_isolines (self, &lines, get_values (drawing), drawing->zoom))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (outlines); i++)
    if (outlines[i] != NULL && outlines[i]->width == plane->width &&
        outlines[i]->height == plane->height)
      vg_outlines_draw (
          outlines[i],
          &(VgOutlineStyle){ 0, 0, self->per_sample[0], self->per_sample[1], OUTLINE, 0 },
          self->rgba, self->width, self->height, (gsize) self->width * 4);
  if (view->overlay != NULL && plane->pixel_size[0] != 0 && plane->pixel_size[1] != 0)
    draw_lines (self, view->overlay, plane);
  return TRUE;
}

gboolean
vg_map_picture_draw (VgMapPicture *self, const VgMapView *view, GError **error)
{
  Drawing drawing = { .way = view->orientation != NULL ? view->orientation : &as_stored };
  gboolean ok;

  *self = (VgMapPicture){ 0 };
  ok = prepare (self, view, &drawing) && color (self, view, &drawing);
  if (ok)
    {
      magnify (self, &drawing);
      ok = draw_over (self, view, &drawing);
    }
  clear_drawing (&drawing);
  if (!ok)
    vg_map_picture_clear (self);
  return ok || vg_map_picture_set_no_memory (error);
}

void
vg_map_picture_clear (VgMapPicture *self)
{
  g_clear_pointer (&self->rgba, g_free);
}

void
vg_map_picture_place (const VgMapPicture *self, const VgMapView *view, double x, double y,
                      double at[2])
{
  const VgOrientation *way = view->orientation != NULL ? view->orientation : &as_stored;
  double position[2] = { x, y };

  if (view->plane->mirrored)
    position[0] += view->plane->width;
  for (int axis = 0; axis < 2; axis++)
    {
      int drawn = way->swapped ? 1 - axis : axis; /* axis of the picture */
      double extent = drawn == 0 ? self->width : self->height;

      at[drawn] = position[axis] * self->per_sample[drawn];
      if (way->turned[axis])
        at[drawn] = extent - at[drawn];
    }
}
