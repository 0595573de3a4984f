/* SPDX-License-Identifier: MIT */
/* Samples are gathered into a row of values and coloured as preview.png is. */
#include "vg-software.h"
#include <math.h>
#include <string.h>
#include "vg-isolines.h"
#include "vg-outlines-draw.h"

static guint8
to_byte (float value)
{
  return (guint8) lrintf (CLAMP (value, 0.f, 1.f) * 255);
}

/* Per viewport column the sample it shows, or -1. */
static int *
column_samples (const VgScene *scene, const VgPlane *plane, int width)
{
  int *columns = g_new (int, width);

  for (int i = 0; i < width; i++)
    {
      double x = floor (scene->center_x + (i + 0.5 - 0.5 * width) / scene->zoom);

      if (plane->mirrored && x < 0)
        x = -1 - x;
      columns[i] = x >= 0 && x < plane->width ? (int) x : -1;
    }
  return columns;
}

static float
sample (const VgPlane *plane, int slice, double x, double y)
{
  int i = (int) x, j = (int) CLAMP (y, 0, plane->height - 1);

  if (plane->mirrored && x < 0)
    i = (int) (-1 - x);
  return plane->data[((gsize) slice * plane->height + j) * plane->width + CLAMP (i, 0, plane->width - 1)];
}

typedef struct
{
  const VgPlane *plane;
  int slice;
} Samples;

static float
take_sample (gconstpointer data, double u, double v)
{
  const Samples *self = data;

  return sample (self->plane, self->slice, u, v);
}

/* What isolines follow at the middles of the viewport's pixels; NaN outside the plane. */
static float *
make_field (const VgScene *scene, const VgPlane *plane, int slice, int width, int height)
{
  float *field = g_new (float, (gsize) width * height);
  const Samples samples = { plane, slice };
  double left = plane->mirrored ? -plane->width : 0, zoom_y = vg_scene_zoom_y (scene);
  double reach_x = CLAMP (1.5 / scene->zoom, 1, 2), reach_y = CLAMP (1.5 / zoom_y, 1, 2);

  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      {
        double x = scene->center_x + (i + 0.5 - 0.5 * width) / scene->zoom;
        double y = scene->center_y + (j + 0.5 - 0.5 * height) / zoom_y;
        gboolean inside = x >= left && x < plane->width && y >= 0 && y < plane->height;

        field[(gsize) j * width + i] = inside ? vg_isolines_smooth (take_sample, &samples, x, y, reach_x, reach_y) : NAN;
      }
  return field;
}

static void
draw_isolines (const VgScene *scene, const VgPlane *plane, int slice, int width, int height, guint8 *rgba)
{
  VgIsolines lines = { scene->isolines, CLAMP (scene->n_isolines, 0, (int) G_N_ELEMENTS (scene->isolines)),
                       scene->coloring.log_scale };
  g_autofree float *field = make_field (scene, plane, slice, width, height);

  vg_isolines_draw (&lines, field, width, height, rgba);
}

/* The samples under a line of the viewport at row Y. */
static const float *
gather (const VgPlane *plane, int slice, double y, const int *columns, int width, float *row)
{
  const float *samples = plane->data + ((gsize) slice * plane->height + (gsize) y) * plane->width;

  for (int i = 0; i < width; i++)
    row[i] = columns[i] >= 0 ? samples[columns[i]] : NAN;
  return row;
}

/* Lays a line of the viewport that is coloured already over what is under it. */
static void
lay_over (const VgScene *scene, const VgPlane *plane, const guint8 *under, const float *values, double y, const int *columns, int width,
          guint8 *line)
{
  g_autofree guint8 *row = g_malloc ((gsize) width * 4);

  for (int i = 0; i < width; i++)
    memcpy (row + 4 * i, under + ((gsize) y * plane->width + (gsize) MAX (columns[i], 0)) * 4, 4);
  vg_underlay_mix (line, values, row, width, scene->opacity, scene->skip_zero);
}

guint8 *
vg_software_draw (const VgScene *scene, const VgPlane *plane, const VgPlane *brightness, const guint8 *under, int slice, int width,
                  int height)
{
  guint8 *rgba = g_malloc_n ((gsize) width * height, 4);
  g_autofree float *row = g_new (float, width);
  g_autofree int *columns = NULL;

  if (plane != NULL)
    columns = column_samples (scene, plane, width);
  for (int j = 0; j < height; j++)
    {
      guint8 *line = rgba + (gsize) j * width * 4;
      double y = floor (scene->center_y + (j + 0.5 - 0.5 * height) / vg_scene_zoom_y (scene));
      gboolean outside = plane == NULL || !(y >= 0 && y < plane->height);

      if (!outside)
        {
          vg_coloring_apply (&scene->coloring, gather (plane, slice, y, columns, width, row), width, line);
          if (scene->brightness && brightness != NULL)
            vg_coloring_dim (line, gather (brightness, slice, y, columns, width, row), width, scene->brightness_low, scene->brightness_high);
          if (scene->underlay && under != NULL)
            lay_over (scene, plane, under, gather (plane, slice, y, columns, width, row), y, columns, width, line);
        }
      for (int i = 0; i < width; i++)
        if (outside || columns[i] < 0)
          for (int k = 0; k < 4; k++)
            line[i * 4 + k] = k < 3 ? to_byte (scene->background[k]) : 255;
    }
  if (plane != NULL && scene->n_isolines > 0)
    draw_isolines (scene, plane, slice, width, height, rgba);
  return rgba;
}

void
vg_software_draw_outlines (const VgScene *scene, const VgOutlines *outlines, guint8 *rgba, int width, int height)
{
  double zoom_y = vg_scene_zoom_y (scene);
  VgOutlineStyle style = { scene->center_x - 0.5 * width / scene->zoom, scene->center_y - 0.5 * height / zoom_y, scene->zoom, zoom_y,
                           scene->outline_width, scene->selected };

  if (scene->outlines)
    vg_outlines_draw (outlines, &style, rgba, width, height, (gsize) width * 4);
}
