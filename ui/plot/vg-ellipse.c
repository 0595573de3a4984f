/* SPDX-License-Identifier: MIT */
#include "ui/plot/vg-ellipse.h"
#include <math.h>

/* A point along and across the first radius. */
static void
to_own (const VgEllipse *self, double x, double y, double *along, double *across)
{
  double angle = self->angle * G_PI / 180, dx = x - self->x, dy = y - self->y;

  *along = dx * cos (angle) + dy * sin (angle);
  *across = -dx * sin (angle) + dy * cos (angle);
}

/* 1 on the edge. */
static double
distance (const VgEllipse *self, double x, double y)
{
  double along, across;

  to_own (self, x, y, &along, &across);
  return hypot (along / self->a, across / self->b);
}

gboolean
vg_ellipse_contains (const VgEllipse *self, double x, double y)
{
  return distance (self, x, y) <= 1;
}

void
vg_ellipse_handle (const VgEllipse *self, int i, double knob, double *x, double *y)
{
  const double along[] = { self->a, -self->a, 0, 0, self->a + knob },
               across[] = { 0, 0, self->b, -self->b, 0 };
  double angle = self->angle * G_PI / 180;

  *x = self->x + along[i] * cos (angle) - across[i] * sin (angle);
  *y = self->y + along[i] * sin (angle) + across[i] * cos (angle);
}

VgEllipsePart
vg_ellipse_hit (const VgEllipse *self, double x, double y, double reach, double knob,
                gboolean handles)
{
  static const VgEllipsePart parts[VG_ELLIPSE_HANDLES] = { VG_ELLIPSE_A, VG_ELLIPSE_A, VG_ELLIPSE_B,
                                                           VG_ELLIPSE_B, VG_ELLIPSE_KNOB };
  double r = distance (self, x, y);

  for (int i = 0; handles && i < VG_ELLIPSE_HANDLES; i++)
    {
      double hx, hy;

      vg_ellipse_handle (self, i, knob, &hx, &hy);
      if (hypot (x - hx, y - hy) <= reach)
        return parts[i];
    }
  if (fabs (r - 1) * MIN (self->a, self->b) <= 0.6 * reach && r > 0.5)
    return VG_ELLIPSE_EDGE;
  return r < 1 ? VG_ELLIPSE_INSIDE : VG_ELLIPSE_OUTSIDE;
}

VgEllipse
vg_ellipse_drag (const VgEllipse *start, VgEllipsePart part, double from_x, double from_y,
                 double to_x, double to_y, double min, double max)
{
  VgEllipse moved = *start;
  double along, across, factor;

  to_own (start, to_x, to_y, &along, &across);
  switch (part)
    {
    case VG_ELLIPSE_INSIDE:
      moved.x += to_x - from_x;
      moved.y += to_y - from_y;
      break;
    case VG_ELLIPSE_EDGE:
      factor = distance (start, to_x, to_y) / MAX (distance (start, from_x, from_y), 1e-6);
      moved.a = CLAMP (start->a * factor, min, max);
      moved.b = CLAMP (start->b * factor, min, max);
      break;
    case VG_ELLIPSE_A:
      moved.a = CLAMP (fabs (along), min, max);
      break;
    case VG_ELLIPSE_B:
      moved.b = CLAMP (fabs (across), min, max);
      break;
    case VG_ELLIPSE_KNOB:
      moved.angle = atan2 (to_y - start->y, to_x - start->x) * 180 / G_PI;
      break;
    case VG_ELLIPSE_OUTSIDE:
    default:
      break;
    }
  return moved;
}
