/* SPDX-License-Identifier: MIT */
/* The parts of a plane that are worth seeing. */
#include <math.h>
#include "ui/plot/vg-plane-scene.h"

/* Beside the range, and above and below it for labels, as fractions of it. */
static const double margin = 0.05, label_margin = 0.08;

/* How far samples widen a fit on each side, as a fraction of the range of the guides. */
static const double most_wider = 0.1;

/* RANGE: x from and to, y from and to. */
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

/* The range in pixels of PLANE, with a margin of WIDER and HIGHER units on each side. */
static VgExtent
to_extent (const VgPlane *plane, const double range[4], double wider, double higher)
{
  double x[] = { vg_plane_image_point (plane, 0, range[0] - wider),
                 vg_plane_image_point (plane, 0, range[1] + wider) },
         y[] = { vg_plane_image_point (plane, 1, range[2] - higher),
                 vg_plane_image_point (plane, 1, range[3] + higher) };

  return (VgExtent){ .left = MIN (x[0], x[1]),
                     .right = MAX (x[0], x[1]),
                     .top = MIN (y[0], y[1]),
                     .bottom = MAX (y[0], y[1]) };
}

/* Where the sums of a direction begin and end, without the outermost 0.5 % on either side. */
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

/* The range of most samples; left as it is if there are none. */
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

/* Within LOW to HIGH as it is; else to the next tenth beyond, so that live data do not make the
 * view tremble. */
static double
outwards (double value, double low, double high)
{
  return value < low ? 0.1 * floor (10 * value) : value > high ? 0.1 * ceil (10 * value) : value;
}

static void
include_ellipse (double range[4], const VgEllipse *ellipse)
{
  /* a huge one need not be seen completely */
  double reach = MIN (MAX (ellipse->a, ellipse->b), 0.3);

  if (ellipse->x >= range[0] && ellipse->x <= range[1] && ellipse->y >= range[2] &&
      ellipse->y <= range[3])
    return; /* the view stays as it is when one is drawn in it */
  include (range, ellipse->x - reach, ellipse->y - reach);
  include (range, ellipse->x + reach, ellipse->y + reach);
}

/* Limits the range BULK to that of the guides, widened by MOST; without guides it stays. */
static void
limit (double bulk[4], const double guides[4], double most)
{
  for (int i = 0; i < 4; i++)
    {
      const double *range = guides + i / 2 * 2, wider = most * (range[1] - range[0]);

      if (range[1] > range[0] && isfinite (wider))
        bulk[i] = CLAMP (bulk[i], range[0] - wider, range[1] + wider);
    }
}

/* MOST: how far samples widen the range of the guides. */
static VgExtent
find_extent (const VgPlaneScene *self, double most)
{
  const VgOverlay *overlay = self->plot->result->overlay;
  const VgPlane *plane = &self->plot->result->plane;
  double bulk[4] = { INFINITY, -INFINITY, INFINITY, -INFINITY },
         range[4] = { INFINITY, -INFINITY, INFINITY, -INFINITY };

  for (guint i = 0; overlay != NULL && i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);

      include (range, item->x[0], item->y[0]);
      if (item->kind == VG_OVERLAY_LINE)
        include (range, item->x[1], item->y[1]);
    }
  find_bulk_range (plane, bulk);
  limit (bulk, range, most);
  for (int i = 0; i < 2; i++)
    include (range, outwards (bulk[i], range[0], range[1]),
             outwards (bulk[2 + i], range[2], range[3]));
  for (guint i = 0; i < self->n_ellipses; i++)
    include_ellipse (range, &self->ellipses[i]);
  if (!(range[1] > range[0]) || !(range[3] > range[2]))
    return vg_extent_of_plane (plane);
  return to_extent (plane, range, margin * (range[1] - range[0]),
                    label_margin * (range[3] - range[2]));
}

VgExtent
vg_plane_scene_get_fit (const VgPlaneScene *self)
{
  return find_extent (self, most_wider);
}

VgExtent
vg_plane_scene_get_all (const VgPlaneScene *self)
{
  return find_extent (self, INFINITY);
}

double
vg_plane_scene_get_outside (const VgPlaneScene *self)
{
  const VgPlane *plane = &self->plot->result->plane;
  const VgExtent fit = vg_plane_scene_get_fit (self);
  double all = 0, outside = 0;

  for (int y = 0; y < plane->height; y++)
    for (int x = 0; x < plane->width; x++)
      {
        float value = plane->data[(gsize) y * (gsize) plane->width + (gsize) x];

        if (!(value > 0) || !isfinite (value))
          continue;
        all += value;
        if (x + 0.5 < fit.left || x + 0.5 > fit.right || y + 0.5 < fit.top || y + 0.5 > fit.bottom)
          outside += value;
      }
  return all > 0 ? outside / all : 0;
}

gboolean
vg_plane_scene_get_data (const VgPlaneScene *self, VgExtent *area)
{
  const double least = 0.02; /* fraction of the width that a fit shows, for samples in one pixel */
  const VgPlane *plane = &self->plot->result->plane;
  VgExtent fit = vg_plane_scene_get_fit (self);
  double range[4] = { INFINITY, -INFINITY, INFINITY, -INFINITY }, size[2],
         whole = (fit.right - fit.left) * fabs (plane->pixel_size[0]) / (1 + 2 * margin);

  find_bulk_range (plane, range);
  if (!isfinite (range[0]))
    return FALSE;
  for (int i = 0; i < 2; i++)
    size[i] = MAX (range[2 * i + 1] - range[2 * i], least * whole);
  *area = to_extent (plane, range, 0.5 * ((1 + 4 * margin) * size[0] - (range[1] - range[0])),
                     0.5 * ((1 + 4 * margin) * size[1] - (range[3] - range[2])));
  return TRUE;
}
