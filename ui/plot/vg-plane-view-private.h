/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/plot/vg-plane-view.h"
/* Shared by the widget (vg-plane-view.c) and its hands (vg-plane-input.c). */
G_BEGIN_DECLS

/* Of an ellipse, in the plane's unit. */
#define VG_PLANE_LEAST_RADIUS 1e-3
#define VG_PLANE_LARGEST_RADIUS 2.0

struct _VgPlaneView
{
  GtkWidget parent_instance;
  VgPlaneScene scene;
  VgPlotPlane *picture;
  VgPlotColor *colors;
  GArray *ellipses; /* of VgEllipse */
  guint max;
  char *empty_text;
  gboolean dragging;
  VgEllipsePart part; /* of the selected one that is dragged; OUTSIDE: the ground is */
  VgEllipse start;
  double press[2], start_middle[2];
};

VgEllipse *vg_plane_view_ellipse_at (VgPlaneView *self, int i); /* NULL: there is none */
void vg_plane_view_choose (VgPlaneView *self, int i);
/* an ellipse, by hand */
void vg_plane_view_changed (VgPlaneView *self, gboolean done);
/* by hand, or moved; says so */
void vg_plane_view_zoomed (VgPlaneView *self);
void vg_plane_view_add_at (VgPlaneView *self, double x, double y);

/* vg-plane-input.c */
void vg_plane_view_add_controllers (VgPlaneView *self);

G_END_DECLS
