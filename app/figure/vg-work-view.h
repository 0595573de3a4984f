/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "app/figure/vg-map-picture.h"
/* A map of a work with all that lies under and over it. */
G_BEGIN_DECLS

typedef struct
{
  const VgOutput *output;
  guint index; /* of the output */
  const VgDisplay *display;
  VgUnderlay *underlay; /* if the display turns it on; NULL: made of the data set */
  gboolean as_stored;   /* rows and columns are as in the file */
} VgWorkViewSpec;

typedef struct
{
  VgMapView map; /* points to the members below */
  /* private */
  VgOverlay *overlay;
  VgUnderlay *underlay;
  VgOutlines outlines, compared;
  VgPlane labels;
  float *samples, *marks;
  VgOrientation orientation;
} VgWorkView;

/* SELF stays where it is.  Its map borrows PLANE, in host memory, the members of SPEC and, until
 * the next call of WORK, what the work lends; it has no brightness yet.  FALSE: no memory. */
gboolean vg_work_view_fill (VgWorkView *self, VgWork *work, const VgWorkViewSpec *spec,
                            const VgPlane *plane, GError **error);
void vg_work_view_clear (VgWorkView *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgWorkView, vg_work_view_clear)

/* Whether arrows and texts on the data's images lie over PLANE. */
gboolean vg_work_view_takes_annotations (VgWork *work, const VgPlane *plane);
/* Whether the regions lie over PLANE: it has the size of the data, or there are none. */
gboolean vg_work_view_takes_regions (VgWork *work, const VgPlane *plane);

G_END_DECLS
