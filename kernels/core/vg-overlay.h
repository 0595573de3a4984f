/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Lines, arrows and points that an operation draws over a map, such as layer
 * boundaries and the beam.  Positions are in the plane's unit; x of a mirrored
 * plane has a sign. */
G_BEGIN_DECLS

typedef enum {
  VG_OVERLAY_LINE,  /* from x[0], y[0] to x[1], y[1]; infinity is the map's edge */
  VG_OVERLAY_ARROW, /* light that enters from above, with the tip at x[0], y[0] */
  VG_OVERLAY_POINT, /* a source at x[0], y[0] */
} VgOverlayKind;

typedef struct
{
  VgOverlayKind kind;
  double x[2], y[2];
  double size; /* ARROW: its length as a fraction of the longest arrow's */
  /* Owned; NULL: none.  A LINE has it below, or only its first word where there is little room. */
  char *label;
  /* The settings ask for this item; it has a colour of its own on the plane of a plot. */
  gboolean accent;
} VgOverlayItem;

typedef struct
{
  GArray *items;   /* of VgOverlayItem */
  gboolean accent; /* applies to the items that are added next */
  /* The part of the map that a fit shows: from -fit[0] to fit[0] horizontally, down to fit[1]; 0:
   * the whole map. */
  double fit[2];
} VgOverlay;

VgOverlay *vg_overlay_new (void);
/* Shares the items, which must not change from then on.  NULL gives NULL. */
VgOverlay *vg_overlay_copy (const VgOverlay *self);
void vg_overlay_free (VgOverlay *self);
/* LABEL is copied; NULL: none. */
void vg_overlay_line (VgOverlay *self, double x0, double y0, double x1, double y1,
                      const char *label);
void vg_overlay_arrow (VgOverlay *self, double x, double y, double size, const char *label);
void vg_overlay_point (VgOverlay *self, double x, double y, const char *label);
gboolean vg_overlay_equal (const VgOverlay *a, const VgOverlay *b); /* either may be NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgOverlay, vg_overlay_free)

G_END_DECLS
