/* SPDX-License-Identifier: MIT */
/* Samples are gathered into a row of values and coloured as preview.png is. */
#include "render/vg-software.h"
#include <math.h>
#include <string.h>
#include "kernels/shared/vg-isolines.h"
#include "kernels/shared/vg-outlines-draw.h"

static guint8
to_byte (float value)
{
  return (guint8) lrintf (CLAMP (value, 0.f, 1.f) * 255);
}

/* The index of the sample that is displayed at (X, Y) of a slice. */
static gssize
sample_at (const VgScene *scene, const VgPlane *plane, int slice, int x, int y)
{
  int i = scene->swapped ? y : x, j = scene->swapped ? x : y;

  i = scene->turned[0] ? plane->width - 1 - i : i;
  j = scene->turned[1] ? plane->height - 1 - j : j;
  return ((gssize) slice * plane->height + j) * plane->width + i;
}

static int
seen_width (const VgScene *scene, const VgPlane *plane)
{
  return scene->swapped ? plane->height : plane->width;
}

static int
seen_height (const VgScene *scene, const VgPlane *plane)
{
  return scene->swapped ? plane->width : plane->height;
}

/* What a viewport column shows: the displayed x within a slice, or -1, and the mosaic's column. */
typedef struct
{
  int x, tile;
} Column;

static Column *
find_columns (const VgScene *scene, const VgPlane *plane, int width)
{
  Column *columns = g_new0 (Column, width);
  double stride = scene->mosaic.slices > 0 ? scene->mosaic.width + scene->mosaic.gap : 0;

  for (int i = 0; i < width; i++)
    {
      double x = floor (scene->center_x + (i + 0.5 - 0.5 * width) / scene->zoom);

      if (plane->mirrored && x < 0)
        x = -1 - x;
      if (stride > 0 && x >= 0 && x < stride * scene->mosaic.columns)
        columns[i].tile = (int) (x / stride);
      x -= columns[i].tile * stride;
      columns[i].x = x >= 0 && x < seen_width (scene, plane) ? (int) x : -1;
    }
  return columns;
}

/* Sets the sample that each pixel of line J shows, -1: background; FALSE: only background. */
static gboolean
find_samples (const VgScene *scene, const VgPlane *plane, int slice, const Column *columns, int j,
              int width, int height, gssize *samples)
{
  double y = floor (scene->center_y + (j + 0.5 - 0.5 * height) / vg_scene_zoom_y (scene)), stride;
  gboolean tiles = scene->mosaic.slices > 0;

  if (tiles)
    {
      stride = scene->mosaic.height + scene->mosaic.gap;
      slice = (int) CLAMP (floor (y / stride), -1, vg_mosaic_rows (&scene->mosaic));
      y -= slice * stride;
      slice *= scene->mosaic.columns;
    }
  if (!(y >= 0 && y < seen_height (scene, plane)) || slice < 0)
    return FALSE;
  for (int i = 0; i < width; i++)
    {
      int shown = slice + columns[i].tile;

      samples[i] = columns[i].x < 0 || (tiles && shown >= scene->mosaic.slices)
                       ? -1
                       : sample_at (scene, plane, shown, columns[i].x, (int) y);
    }
  return TRUE;
}

typedef struct
{
  const VgPlane *plane;
  int slice;
  const VgScene *scene;
} Samples;

static float
take_sample (gconstpointer data, double u, double v)
{
  const Samples *self = data;
  const VgPlane *plane = self->plane;
  int i = (int) u, j = (int) CLAMP (v, 0, seen_height (self->scene, plane) - 1);

  if (plane->mirrored && u < 0)
    i = (int) (-1 - u);
  i = CLAMP (i, 0, seen_width (self->scene, plane) - 1);
  return plane->data[sample_at (self->scene, plane, self->slice, i, j)];
}

/* The smoothed values at the centres of the viewport's pixels; NaN outside the plane. */
static float *
make_field (const VgIsolines *lines, const VgScene *scene, const VgPlane *plane, int slice,
            int width, int height)
{
  const VgMosaic *mosaic = &scene->mosaic;
  float *field = g_new (float, (gsize) width *height);
  double left = plane->mirrored ? -plane->width : 0, zoom_y = vg_scene_zoom_y (scene);
  double pixels = lines->log_scale ? 2 * MAX (scene->zoom, zoom_y) : 1.5,
         most = lines->log_scale ? 4 : 2;
  double reach_x = vg_isolines_reach (lines, scene->zoom, pixels, most),
         reach_y = vg_isolines_reach (lines, zoom_y, pixels, most);

#pragma omp parallel for schedule(dynamic, 16)
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      {
        double x = scene->center_x + (i + 0.5 - 0.5 * width) / scene->zoom;
        double y = scene->center_y + (j + 0.5 - 0.5 * height) / zoom_y, corner_x = 0, corner_y = 0;
        int shown = mosaic->slices > 0 ? vg_mosaic_slice_at (mosaic, x, y) : slice;
        gboolean inside;

        if (mosaic->slices > 0)
          vg_mosaic_corner (mosaic, MAX (shown, 0), &corner_x, &corner_y);
        x -= corner_x;
        y -= corner_y;
        inside = shown >= 0 && x >= left && x < seen_width (scene, plane) && y >= 0 &&
                 y < seen_height (scene, plane);
        field[(gsize) j * width + i] = inside
                                           ? vg_isolines_smooth (lines, take_sample,
                                                                 &(Samples){ plane, shown, scene },
                                                                 x, y, reach_x, reach_y)
                                           : NAN;
      }
  return field;
}

static void
draw_isolines (const VgScene *scene, const VgPlane *plane, int slice, int width, int height,
               guint8 *rgba)
{
  VgIsolines lines = { scene->isolines,
                       CLAMP (scene->n_isolines, 0, (int) G_N_ELEMENTS (scene->isolines)),
                       scene->coloring.log_scale, plane->mirrored, 0 };
  g_autofree float *field = make_field (&lines, scene, plane, slice, width, height);

  vg_isolines_draw (&lines, field, width, height, rgba);
}

static const float *
gather (const VgPlane *plane, const gssize *samples, int width, float *row)
{
  for (int i = 0; i < width; i++)
    row[i] = samples[i] >= 0 ? plane->data[samples[i]] : NAN;
  return row;
}

/* Blends a coloured line of the viewport over the underlay. */
static void
lay_over (const VgScene *scene, const guint8 *under, const float *values, const gssize *samples,
          int j, int width, guint8 *line)
{
  g_autofree guint8 *row = g_malloc ((gsize) width * 4);

  for (int i = 0; i < width; i++)
    memcpy (row + 4 * i,
            under + 4 * (scene->see_through ? (gssize) j * width + i : MAX (samples[i], 0)), 4);
  vg_underlay_mix (line, values, row, width, scene->opacity, scene->skip_zero);
}

/* Line J of the viewport.  ROW and SAMPLES have room for its pixels. */
static void
draw_line (const VgScene *scene, const VgPlane *plane, const VgPlane *brightness,
           const guint8 *under, int slice, const Column *columns, int j, int width, int height,
           float *row, gssize *samples, guint8 *line)
{
  gboolean inside = plane != NULL &&
                    find_samples (scene, plane, slice, columns, j, width, height, samples);

  if (inside)
    {
      vg_coloring_apply (&scene->coloring, gather (plane, samples, width, row), width, line);
      if (scene->brightness && brightness != NULL)
        vg_coloring_dim (line, gather (brightness, samples, width, row), width,
                         scene->brightness_low, scene->brightness_high);
      if (scene->underlay && under != NULL)
        lay_over (scene, under, gather (plane, samples, width, row), samples, j, width, line);
    }
  for (int i = 0; i < width; i++)
    if (!inside || samples[i] < 0)
      for (int k = 0; k < 4; k++)
        line[i * 4 + k] = k < 3 ? to_byte (scene->background[k]) : 255;
}

guint8 *
vg_software_draw (const VgScene *scene, const VgPlane *plane, const VgPlane *brightness,
                  const guint8 *under, int slice, int width, int height)
{
  guint8 *rgba = g_malloc_n ((gsize) width * height, 4);
  g_autofree Column *columns = plane != NULL ? find_columns (scene, plane, width) : NULL;

#pragma omp parallel
  {
    g_autofree float *row = g_new (float, width);
    g_autofree gssize *samples = g_new (gssize, width);

#pragma omp for schedule(dynamic, 16)
    for (int j = 0; j < height; j++)
      draw_line (scene, plane, brightness, under, slice, columns, j, width, height, row, samples,
                 rgba + (gsize) j * width * 4);
  }
  if (plane != NULL && scene->n_isolines > 0)
    draw_isolines (scene, plane, slice, width, height, rgba);
  return rgba;
}

void
vg_software_clear (const VgScene *scene, guint8 *rgba, int width, int height)
{
  for (gsize i = 0; i < (gsize) width * (gsize) height; i++)
    for (int k = 0; k < 4; k++)
      rgba[4 * i + (gsize) k] = k < 3 ? to_byte (scene->background[k]) : 255;
}

void
vg_software_place (const VgPane *pane, const guint8 *part, guint8 *rgba, int width, int height)
{
  for (int j = MAX (-pane->y, 0); j < MIN (pane->height, height - pane->y); j++)
    {
      double down = (2 * j + 1.) / pane->height - 1;
      int left = pane->round ? (int) ceil (0.5 * pane->width * (1 - sqrt (1 - down * down)) - 0.5)
                             : 0;
      int first = MAX (left, -pane->x), end = MIN (pane->width - left, width - pane->x);

      if (end > first)
        memcpy (rgba + 4 * ((gsize) (pane->y + j) * width + pane->x + first),
                part + 4 * ((gsize) j * pane->width + first), 4 * (gsize) (end - first));
    }
}

/* The viewport's pixels whose centres lie between FROM and TO on an axis of a plane. */
static void
find_span (double from, double to, double center, double zoom, int size, int *first, int *end)
{
  *first = (int) CLAMP (ceil (0.5 * size + (from - center) * zoom - 0.5), 0, size);
  *end = (int) CLAMP (ceil (0.5 * size + (to - center) * zoom - 0.5), *first, size);
}

static void
draw_tile (const VgScene *scene, const VgSlideTile *tile, const int inside[4], guint8 *rgba,
           int width, int height)
{
  const VgSlidePlace *place = &scene->place;
  double zoom_y = vg_scene_zoom_y (scene), step = (double) (1 << tile->level);
  int x0, y0, x1, y1;

  find_span ((tile->x - place->origin[0]) / place->downsample,
             (tile->right - place->origin[0]) / place->downsample, scene->center_x, scene->zoom,
             width, &x0, &x1);
  find_span ((tile->y - place->origin[1]) / place->downsample,
             (tile->bottom - place->origin[1]) / place->downsample, scene->center_y, zoom_y, height,
             &y0, &y1);
  for (int j = y0; j < y1; j++)
    for (int i = x0; i < x1; i++)
      {
        double x = (scene->center_x + (i + 0.5 - 0.5 * width) / scene->zoom) * place->downsample +
                   place->origin[0];
        double y = (scene->center_y + (j + 0.5 - 0.5 * height) / zoom_y) * place->downsample +
                   place->origin[1];
        int column = CLAMP ((int) ((x - tile->x) / step), 0, tile->width - 1),
            row = CLAMP ((int) ((y - tile->y) / step), 0, tile->height - 1);

        if (i < inside[0] || i >= inside[1] || j < inside[2] || j >= inside[3])
          memcpy (rgba + 4 * ((gsize) j * width + i),
                  tile->rgb + 3 * ((gsize) row * (gsize) tile->width + (gsize) column), 3);
      }
}

void
vg_software_draw_tiles (const VgScene *scene, const VgPlane *plane, GPtrArray *tiles, guint8 *rgba,
                        int width, int height)
{
  int inside[4] = { 0 };

  if (!(scene->place.downsample > 0) || !(scene->zoom > 0))
    return;
  if (plane != NULL)
    {
      find_span (0, plane->width, scene->center_x, scene->zoom, width, &inside[0], &inside[1]);
      find_span (0, plane->height, scene->center_y, vg_scene_zoom_y (scene), height, &inside[2],
                 &inside[3]);
    }
  for (guint i = 0; i < tiles->len; i++)
    draw_tile (scene, tiles->pdata[i], inside, rgba, width, height);
}

void
vg_software_draw_outlines (const VgScene *scene, const VgOutlines *outlines, guint8 *rgba,
                           int width, int height)
{
  double zoom_y = vg_scene_zoom_y (scene);
  VgOutlineStyle style = { scene->center_x - 0.5 * width / scene->zoom,
                           scene->center_y - 0.5 * height / zoom_y,
                           scene->zoom,
                           zoom_y,
                           scene->outline_width,
                           scene->selected };

  if (scene->outlines || outlines->plain)
    vg_outlines_draw (outlines, &style, rgba, width, height, (gsize) width * 4);
}
