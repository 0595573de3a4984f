/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
#include "app/volume/vg-section.h"
/* The regions over a section: their outlines in the planes that they were drawn in, and their spans
 * in the two others. */
G_BEGIN_DECLS

typedef struct
{
  const VgSection *section;
  const VgVolumeGrid *grid;
  const int *at; /* the voxel of the crosshair */
  /* widget pixels at volume coordinate 0, and for each voxel, across and down */
  double origin[2], step[2];
} VgSectionPlace;

/* The spans of REGION along the section at PLACE, as pairs of volume coordinates along the axis of
 * the section that is not z; owned.  Empty: the section does not cross it. */
GArray *vg_section_region_spans (const VgSectionPlace *place, const VgRegion *region);
void vg_section_draw_regions (const VgSectionPlace *place, VgSession *session, cairo_t *cr);

G_END_DECLS
