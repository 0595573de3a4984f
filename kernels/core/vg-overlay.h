/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* What an operation draws over a map to say what is where: boundaries, the
 * beam.  Positions are in the plane's unit; for a mirrored plane x is signed. */
G_BEGIN_DECLS

typedef enum {
  VG_OVERLAY_LINE,  /* from x[0], y[0] to x[1], y[1]; infinite: to the map's edge */
  VG_OVERLAY_ARROW, /* light that enters downwards, its tip at x[0], y[0] */
  VG_OVERLAY_POINT, /* a source at x[0], y[0] */
} VgOverlayKind;

typedef struct
{
  VgOverlayKind kind;
  double x[2], y[2];
  double size; /* ARROW: length as part of the longest one's */
  /* owned; NULL: none.  Of a LINE it stands below, where there is little room its first word. */
  char *label;
  /* what settings ask for, beside what is always there: in a colour of its own on a plot's plane */
  gboolean accent;
} VgOverlayItem;

typedef struct
{
  GArray *items;   /* of VgOverlayItem */
  gboolean accent; /* of the items that are added next */
} VgOverlay;

VgOverlay *vg_overlay_new (void);
/* Shares the items, which must not change any more; NULL: NULL. */
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
