/* SPDX-License-Identifier: MIT */
/* Regions under the hand.  Rectangle and ellipse are treated alike, by the box
 * around them. */
#include "ui/layers/vg-region-shape.h"
#include <math.h>

void
vg_region_shape_box (const VgRegion *self, VgPoint *low, VgPoint *high)
{
  if (self->kind == VG_REGION_ELLIPSE)
    {
      *low = (VgPoint){ self->x[0] - self->x[1], self->y[0] - self->y[1] };
      *high = (VgPoint){ self->x[0] + self->x[1], self->y[0] + self->y[1] };
      return;
    }
  *low = *high = (VgPoint){ self->x[0], self->y[0] };
  for (int i = 1; i < self->n_points; i++)
    {
      low->x = MIN (low->x, self->x[i]);
      low->y = MIN (low->y, self->y[i]);
      high->x = MAX (high->x, self->x[i]);
      high->y = MAX (high->y, self->y[i]);
    }
}

static void
set_box (VgRegion *self, VgPoint low, VgPoint high)
{
  self->n_points = 2;
  if (self->kind == VG_REGION_ELLIPSE)
    {
      self->x[0] = 0.5 * (low.x + high.x);
      self->y[0] = 0.5 * (low.y + high.y);
      self->x[1] = 0.5 * (high.x - low.x);
      self->y[1] = 0.5 * (high.y - low.y);
      return;
    }
  self->x[0] = low.x;
  self->y[0] = low.y;
  self->x[1] = high.x;
  self->y[1] = high.y;
}

int
vg_region_shape_handles (const VgRegion *self, VgPoint *handles)
{
  VgPoint low, high;
  double x, y;

  if (self->kind == VG_REGION_POLYGON)
    {
      for (int i = 0; i < self->n_points; i++)
        handles[i] = (VgPoint){ self->x[i], self->y[i] };
      return self->n_points;
    }
  if (self->kind == VG_REGION_NONE)
    return 0;
  vg_region_shape_box (self, &low, &high);
  x = 0.5 * (low.x + high.x);
  y = 0.5 * (low.y + high.y);
  handles[0] = low;
  handles[1] = (VgPoint){ x, low.y };
  handles[2] = (VgPoint){ high.x, low.y };
  handles[3] = (VgPoint){ high.x, y };
  handles[4] = high;
  handles[5] = (VgPoint){ x, high.y };
  handles[6] = (VgPoint){ low.x, high.y };
  handles[7] = (VgPoint){ low.x, y };
  return 8;
}

void
vg_region_shape_from_corners (VgRegion *self, VgRegionKind kind, VgPoint from, VgPoint to,
                              gboolean square)
{
  VgPoint low, high;

  from = (VgPoint){ round (from.x), round (from.y) };
  to = (VgPoint){ round (to.x), round (to.y) };
  if (square)
    {
      double side = MAX (fabs (to.x - from.x), fabs (to.y - from.y));

      to = (VgPoint){ from.x + copysign (side, to.x - from.x),
                      from.y + copysign (side, to.y - from.y) };
    }
  low = (VgPoint){ MIN (from.x, to.x), MIN (from.y, to.y) };
  high = (VgPoint){ MAX (from.x, to.x), MAX (from.y, to.y) };
  self->kind = kind;
  set_box (self, low, high);
}

void
vg_region_shape_move_handle (VgRegion *self, const VgRegion *start, int handle, VgPoint to,
                             gboolean square)
{
  VgPoint low, high, fixed;
  gboolean corner = handle % 2 == 0;

  *self = *start;
  if (start->kind == VG_REGION_POLYGON)
    {
      if (handle < 0 || handle >= start->n_points)
        return;
      self->x[handle] = round (to.x * 10) / 10;
      self->y[handle] = round (to.y * 10) / 10;
      return;
    }
  vg_region_shape_box (start, &low, &high);
  /* the opposite corner, or the far edge, stays */
  fixed.x = handle == 0 || handle >= 6 ? high.x : low.x;
  fixed.y = handle <= 2 ? high.y : low.y;
  if (handle == 1 || handle == 5)
    to.x = high.x;
  if (handle == 3 || handle == 7)
    to.y = high.y;
  if (corner)
    {
      vg_region_shape_from_corners (self, start->kind, fixed, to, square);
      return;
    }
  to = (VgPoint){ round (to.x), round (to.y) };
  set_box (self, (VgPoint){ MIN (fixed.x, to.x), MIN (fixed.y, to.y) },
           (VgPoint){ MAX (fixed.x, to.x), MAX (fixed.y, to.y) });
}

void
vg_region_shape_translate (VgRegion *self, double dx, double dy)
{
  int n = self->kind == VG_REGION_ELLIPSE ? 1 : self->n_points;

  for (int i = 0; i < n; i++)
    {
      self->x[i] += dx;
      self->y[i] += dy;
    }
}

void
vg_region_shape_grow (VgRegion *self, double dx, double dy)
{
  VgPoint low, high;
  double width, height;

  vg_region_shape_box (self, &low, &high);
  width = MAX (high.x - low.x + dx, 1);
  height = MAX (high.y - low.y + dy, 1);
  if (self->kind != VG_REGION_POLYGON)
    {
      set_box (self, low, (VgPoint){ low.x + width, low.y + height });
      return;
    }
  for (int i = 0; i < self->n_points; i++)
    {
      if (high.x > low.x)
        self->x[i] = low.x + (self->x[i] - low.x) * width / (high.x - low.x);
      if (high.y > low.y)
        self->y[i] = low.y + (self->y[i] - low.y) * height / (high.y - low.y);
    }
}

double
vg_region_shape_reach (const VgRegion *self, VgPoint at, double aspect, double reach)
{
  VgPoint low, high;

  if (!vg_region_contains (self, at.x, at.y))
    return reach;
  vg_region_shape_box (self, &low, &high);
  return MIN (reach, 0.24 * MIN (high.x - low.x, (high.y - low.y) * (aspect > 0 ? aspect : 1)));
}
