/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "render/vg-mosaic.h"
#include "kernels/core/vg-overlay.h"
#include "ui/layers/vg-view-transform.h"
/* Around and over the picture: physical axes beside its left and lower edge
 * (at the window's edge where the picture goes on), what the operation draws
 * over its map, and the values of isolines.  Takes no input. */
G_BEGIN_DECLS

#define VG_TYPE_AXES_LAYER (vg_axes_layer_get_type ())
G_DECLARE_FINAL_TYPE (VgAxesLayer, vg_axes_layer, VG, AXES_LAYER, GtkWidget)

/* Widget pixels that axes need beside a fitted picture, and arrows above it. */
typedef struct
{
  int left, bottom, arrows;
} VgAxesRoom;
/* In the font of WIDGET. */
VgAxesRoom vg_axes_room (GtkWidget *widget);

typedef struct
{
  VgViewTransform transform;
  VgExtent extent;
  VgPlane plane;          /* its geometry only */
  VgMosaic mosaic;        /* what is drawn over the map is on each tile */
  gboolean axes, overlay; /* to be drawn */
  const char *names[2];   /* static strings */
  /* VG_LENGTH_OWN: figures of 1000 and more are given in a larger unit */
  VgLength length;
  /* of the patient at the left and right, upper and lower edge, "RL" and "AP"; 0: none */
  char sides[2][2];
  gboolean unknown_sides; /* and that is to be said */
} VgAxes;

typedef struct
{
  double x, y; /* image point */
  char text[24];
} VgAxesLabel;

GtkWidget *vg_axes_layer_new (void);
/* OVERLAY: must not change any more; NULL: none. */
void vg_axes_layer_set (VgAxesLayer *self, const VgAxes *axes, const VgOverlay *overlay);
void vg_axes_layer_set_labels (VgAxesLayer *self, const VgAxesLabel *labels, guint n);
/* "r (cm)"; owned by the caller */
char *vg_axes_title (const VgAxes *axes, int axis);
/* "Axes: r (mm) -5 to 5; z (mm) 0 to 1; Layer 1; Layer 2": for those who do not
 * see them. */
char *vg_axes_describe (const VgAxes *axes, const VgOverlay *overlay);

G_END_DECLS
