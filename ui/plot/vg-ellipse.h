/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* An ellipse that is changed by dragging its parts: the geometry, without
 * widgets.  All lengths in the unit of the plane, which is the same both ways. */
G_BEGIN_DECLS

typedef struct
{
  double x, y, a, b; /* middle and radii */
  double angle;      /* degrees from x towards y of the first radius */
} VgEllipse;

typedef enum {
  VG_ELLIPSE_OUTSIDE,
  VG_ELLIPSE_INSIDE, /* dragging moves it */
  VG_ELLIPSE_EDGE,   /* scales both radii */
  VG_ELLIPSE_A,      /* the ends of the first radius change it, */
  VG_ELLIPSE_B,      /* those of the second that */
  VG_ELLIPSE_KNOB,   /* beyond the end of the first: turns */
} VgEllipsePart;

enum { VG_ELLIPSE_HANDLES = 5 }; /* both ends of A, both of B, the knob */

gboolean vg_ellipse_contains (const VgEllipse *self, double x, double y);
/* Handle I of VG_ELLIPSE_HANDLES; the knob is KNOB beyond the end of A. */
void vg_ellipse_handle (const VgEllipse *self, int i, double knob, double *x, double *y);
/* What lies at a point, to within REACH; HANDLES: they are shown. */
VgEllipsePart vg_ellipse_hit (const VgEllipse *self, double x, double y, double reach, double knob,
                              gboolean handles);
/* START with PART dragged from one point to another; radii stay within MIN and MAX. */
VgEllipse vg_ellipse_drag (const VgEllipse *start, VgEllipsePart part, double from_x, double from_y,
                           double to_x, double to_y, double min, double max);

G_END_DECLS
