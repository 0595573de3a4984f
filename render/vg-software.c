/* SPDX-License-Identifier: MIT */
/* Samples are gathered into a row of values and coloured as preview.png is. */
#include "render/vg-software.h"
#include <math.h>
#include <string.h>
#include "kernels/shared/vg-isolines.h"
#include "kernels/shared/vg-outlines-draw.h"

enum { MOST_SMOOTHED = 1 << 25 }; /* samples of a slice, for isolines */

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

/* The first of N pixels along an axis whose coordinate is at least LEAST.  Coordinates are 1 / ZOOM
 * apart, and CENTER in the middle. */
static int
first_pixel (double center, double zoom, int n, double least)
{
  return (int) CLAMP (ceil ((least - center) * zoom + 0.5 * n - 0.5), 0, n);
}

/* Sets FIELD, which has WIDTH columns, where SLICE is shown with its corner at CORNER_X, CORNER_Y.
 * A slice has no lines without memory, or if so many of its samples are in view that smoothing
 * would stop the window. */
static void
smooth_slice (const VgIsolines *lines, const VgScene *scene, const VgPlane *plane, int slice,
              double corner_x, double corner_y, int width, int height, float *field)
{
  const double zoom[2] = { scene->zoom, vg_scene_zoom_y (scene) };
  const double center[2] = { scene->center_x - corner_x, scene->center_y - corner_y };
  const int n[2] = { width, height }, least[2] = { plane->mirrored ? -plane->width : 0, 0 },
            most[2] = { seen_width (scene, plane), seen_height (scene, plane) };
  const double pixels = lines->log_scale ? 2 * MAX (zoom[0], zoom[1]) : 1.5;
  g_autofree double *at[2] = { NULL, NULL };
  g_autofree float *samples = NULL, *part = NULL;
  VgIsolines here = *lines;
  double reach[2];
  int first[2], count[2], begin[2], end[2];

  for (int k = 0; k < 2; k++)
    {
      reach[k] = vg_isolines_reach (lines, zoom[k], pixels, lines->log_scale ? 4 : 2);
      first[k] = first_pixel (center[k], zoom[k], n[k], least[k]);
      count[k] = first_pixel (center[k], zoom[k], n[k], most[k]) - first[k];
      if (count[k] <= 0)
        return;
      at[k] = g_new (double, count[k]);
      for (int i = 0; i < count[k]; i++)
        at[k][i] = center[k] + (first[k] + i + 0.5 - 0.5 * n[k]) / zoom[k];
      begin[k] = MAX ((int) floor (at[k][0] - 2 * reach[k]), least[k]);
      end[k] = MIN ((int) ceil (at[k][count[k] - 1] + 2 * reach[k]) + 1, most[k]);
      for (int i = 0; i < count[k]; i++)
        at[k][i] -= begin[k];
    }
  if ((gsize) (end[0] - begin[0]) * (gsize) (end[1] - begin[1]) > MOST_SMOOTHED)
    return;
  samples = g_try_new (float, (gsize) (end[0] - begin[0]) * (gsize) (end[1] - begin[1]));
  part = g_try_new (float, (gsize) count[0] * (gsize) count[1]);
  if (samples == NULL || part == NULL)
    return;
#pragma omp parallel for
  for (int v = begin[1]; v < end[1]; v++)
    for (int u = begin[0]; u < end[0]; u++)
      samples[(gsize) (v - begin[1]) * (end[0] - begin[0]) + (u - begin[0])] =
          plane->data[sample_at (scene, plane, slice, u < 0 ? -1 - u : u, v)];
  here.column -= begin[0];
  if (!vg_isolines_smooth_grid (&here, samples, end[0] - begin[0], end[1] - begin[1], at[0],
                                count[0], at[1], count[1], reach[0], reach[1], part))
    return;
  for (int j = 0; j < count[1]; j++)
    memcpy (field + (gsize) (first[1] + j) * width + first[0], part + (gsize) j * count[0],
            (gsize) count[0] * sizeof *part);
}

/* The smoothed values at the centres of the viewport's pixels; NaN outside the plane. */
static float *
make_field (const VgIsolines *lines, const VgScene *scene, const VgPlane *plane, int slice,
            int width, int height)
{
  const VgMosaic *mosaic = &scene->mosaic;
  float *field = g_new (float, (gsize) width *height);

  for (gsize i = 0; i < (gsize) width * (gsize) height; i++)
    field[i] = NAN;
  if (mosaic->slices <= 0)
    smooth_slice (lines, scene, plane, slice, 0, 0, width, height, field);
  for (int shown = 0; shown < mosaic->slices; shown++)
    {
      double x, y;

      vg_mosaic_corner (mosaic, shown, &x, &y);
      smooth_slice (lines, scene, plane, shown, x, y, width, height, field);
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
