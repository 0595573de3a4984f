/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* An axial slice of the upper abdomen, seen from below: the liver is at the left of the picture,
 * the spine at its bottom.  Rates are in ml/100g/min, delays in s. */
G_BEGIN_DECLS

typedef enum {
  VG_PERFUSION_AIR,
  VG_PERFUSION_FAT,
  VG_PERFUSION_MUSCLE,
  VG_PERFUSION_BONE,
  VG_PERFUSION_FLUID,
  VG_PERFUSION_BOWEL, /* the walls of stomach and bowel */
  VG_PERFUSION_PANCREAS,
  VG_PERFUSION_SPLEEN,
  VG_PERFUSION_CORTEX, /* of a kidney */
  VG_PERFUSION_MEDULLA,
  VG_PERFUSION_CAVA, /* blood of the inferior vena cava */
  VG_PERFUSION_CYST,
  VG_PERFUSION_LESION,
  VG_PERFUSION_LIVER,  /* its rates vary from place to place */
  VG_PERFUSION_ARTERY, /* blood, which has no rates */
  VG_PERFUSION_PORTAL,
  VG_PERFUSION_TISSUES
} VgPerfusionTissue;

enum { VG_PERFUSION_ABDOMEN_SLICES = 3, VG_PERFUSION_ABDOMEN_VALUES = 5 };

/* The width and height of a pixel in a picture of this size, which shows the whole body. */
double vg_perfusion_abdomen_pixel_mm (int width, int height);
/* The tissue of a voxel, and its MRI signal before the bolus. */
VgPerfusionTissue vg_perfusion_abdomen_voxel (int width, int height, int x, int y, int slice,
                                              double *baseline);
/* ka, kp, kl and the delays of artery and portal vein at a voxel of TISSUE. */
void vg_perfusion_abdomen_rates (VgPerfusionTissue tissue, int width, int height, int x, int y,
                                 double *value);
/* The text of a region (vg-region.h) inside the aorta, the portal vein, the lesion or, in all
 * slices, the liver; owned.  NULL: the picture is too small for it, and all of it is liver. */
char *vg_perfusion_abdomen_region (VgPerfusionTissue tissue, int width, int height);

G_END_DECLS
