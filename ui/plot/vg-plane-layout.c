/* SPDX-License-Identifier: MIT */
/* What of a plane is in view: all that is drawn over it and its counts, in true proportions. */
#include "ui/plot/vg-plane-scene.h"
#include <math.h>

enum { LEFT = 54, RIGHT = 26, TOP = 8, BOTTOM = 22 };
enum { LABEL = 40, LINE = 14 }; /* room about the range for the labels of its points */

static const double margin = 0.1; /* beside the range, as part of it */

static void
include (double range[4], double x, double y)
{
  if (!isfinite (x) || !isfinite (y))
    return;
  range[0] = MIN (range[0], x);
  range[1] = MAX (range[1], x);
  range[2] = MIN (range[2], y);
  range[3] = MAX (range[3], y);
}

/* Where the counts of a direction begin and end, less the outermost 0.5 % either side. */
static void
find_bulk (const double *sums, int n, int *first, int *last)
{
  double all = 0, below = 0;

  for (int i = 0; i < n; i++)
    all += sums[i];
  for (*first = 0; *first < n - 1 && below + sums[*first] <= 0.005 * all; ++*first)
    below += sums[*first];
  below = 0;
  for (*last = n - 1; *last > *first && below + sums[*last] <= 0.005 * all; --*last)
    below += sums[*last];
}

/* Within LOW to HIGH as it is; else to the next tenth beyond. */
static double
outwards (double value, double low, double high)
{
  return value < low ? 0.1 * floor (10 * value) : value > high ? 0.1 * ceil (10 * value) : value;
}

/* Of the plane's counts but the outermost; left as it is without any. */
static void
find_bulk_range (const VgPlane *plane, double range[4])
{
  g_autofree double *columns = g_new0 (double, plane->width),
                    *rows = g_new0 (double, plane->height);
  int x0, x1, y0, y1;

  for (int y = 0; y < plane->height; y++)
    for (int x = 0; x < plane->width; x++)
      {
        float value = plane->data[(gsize) y * (gsize) plane->width + (gsize) x];

        if (!(value > 0) || !isfinite (value))
          continue;
        columns[x] += value;
        rows[y] += value;
      }
  find_bulk (columns, plane->width, &x0, &x1);
  find_bulk (rows, plane->height, &y0, &y1);
  if (columns[x0] > 0)
    for (int i = 0; i < 2; i++)
      include (range, vg_plane_position (plane, 0, i ? x1 + 1 : x0),
               vg_plane_position (plane, 1, i ? y1 + 1 : y0));
}

/* In steps, so that live data do not make the view tremble. */
static void
include_data (const VgPlane *plane, double range[4])
{
  double bulk[4] = { INFINITY, -INFINITY, INFINITY, -INFINITY };

  find_bulk_range (plane, bulk);
  for (int i = 0; i < 2; i++)
    include (range, outwards (bulk[i], range[0], range[1]),
             outwards (bulk[2 + i], range[2], range[3]));
}

static void
find_range (VgPlaneScene *self)
{
  const VgOverlay *overlay = self->picture->overlay;
  const VgPlane *plane = &self->picture->plane;
  double *range = self->range;

  range[0] = range[2] = INFINITY;
  range[1] = range[3] = -INFINITY;
  for (guint i = 0; overlay != NULL && i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);

      include (range, item->x[0], item->y[0]);
      if (item->kind == VG_OVERLAY_LINE)
        include (range, item->x[1], item->y[1]);
    }
  if (isfinite (self->picture->highest))
    include_data (plane, range);
  for (guint i = 0; i < self->n_ellipses; i++)
    {
      const VgEllipse *ellipse = &self->ellipses[i];
      /* a huge one need not be seen whole */
      double reach = MIN (MAX (ellipse->a, ellipse->b), 0.3);

      if (ellipse->x >= range[0] && ellipse->x <= range[1] && ellipse->y >= range[2] &&
          ellipse->y <= range[3])
        continue; /* the view stays as it is when one is drawn in it */
      include (range, ellipse->x - reach, ellipse->y - reach);
      include (range, ellipse->x + reach, ellipse->y + reach);
    }
  if (!(range[1] > range[0]) || !(range[3] > range[2]))
    {
      include (range, vg_plane_position (plane, 0, 0), vg_plane_position (plane, 1, 0));
      include (range, vg_plane_position (plane, 0, plane->width),
               vg_plane_position (plane, 1, plane->height));
    }
}

void
vg_plane_scene_lay_out (VgPlaneScene *self, int width, int height)
{
  double inner, across, up, per_unit;

  if (!self->zoomed || self->range[1] == self->range[0])
    find_range (self);
  self->box[0] = LEFT;
  self->box[1] = TOP;
  self->box[3] = MAX (height - TOP - BOTTOM, 1);
  across = (1 + 2 * margin) * (self->range[1] - self->range[0]);
  up = self->range[3] - self->range[2];
  inner = MAX (self->box[3] - 2 * LINE, 1);
  self->box[2] = CLAMP (width - LEFT - RIGHT, 1, inner * across / up + 2 * LABEL);
  per_unit = MIN (MAX (self->box[2] - 2 * LABEL, 1) / across, inner / up);
  if (self->zoomed)
    return;
  self->middle[0] = (self->range[0] + self->range[1]) / 2;
  self->middle[1] = (self->range[2] + self->range[3]) / 2;
  self->scale = per_unit;
}

gboolean
vg_plane_scene_zoom_data (VgPlaneScene *self)
{
  const double least = 0.02; /* of the whole range, for counts in one cell */
  double range[4] = { INFINITY, -INFINITY, INFINITY, -INFINITY }, across, up;

  if (self->picture == NULL || self->scale == 0)
    return FALSE;
  find_bulk_range (&self->picture->plane, range);
  if (!isfinite (range[0]))
    return FALSE;
  across = MAX (range[1] - range[0], least * (self->range[1] - self->range[0]));
  up = MAX (range[3] - range[2], least * (self->range[1] - self->range[0]));
  self->middle[0] = (range[0] + range[1]) / 2;
  self->middle[1] = (range[2] + range[3]) / 2;
  self->scale = MIN (self->box[2] / across, self->box[3] / up) / (1 + 4 * margin);
  self->zoomed = TRUE;
  return TRUE;
}
