/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Cells that have grown on a cover slip, as a confocal microscope shows them. */
G_BEGIN_DECLS

typedef enum {
  VG_LIFETIME_MEDIUM, /* outside the cells */
  VG_LIFETIME_CYTOPLASM,
  VG_LIFETIME_MEMBRANE,
  VG_LIFETIME_NUCLEUS,
  VG_LIFETIME_VESICLE,
  VG_LIFETIME_PARTS
} VgLifetimePart;

/* Writes the part of a cell at each pixel (VgLifetimePart), and its relative brightness. */
void vg_lifetime_cells_draw (int width, int height, guint8 *part, float *brightness);

G_END_DECLS
