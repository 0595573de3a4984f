/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-placement.h"
#include "kernels/base/vg-plane.h"
/* Sections through a volume: which of its axes run across and down, where a voxel lies in the
 * patient, and the samples of one section.  Only the section is copied, never the volume. */
G_BEGIN_DECLS

typedef enum {
  VG_SECTION_AXIAL,
  VG_SECTION_CORONAL,
  VG_SECTION_SAGITTAL,
  VG_N_SECTIONS
} VgSectionKind;

/* The voxels of a volume, and where they are. */
typedef struct
{
  int size[3];         /* along x, y, z */
  double step[3];      /* size of a voxel in `unit`; all 1 if one of them is not known */
  char unit[8];        /* "": not known */
  gboolean placed;     /* `matrix` holds the position in the patient, mm */
  double matrix[3][4]; /* from voxel numbers, as vg_placement_matrix gives it */
} VgVolumeGrid;

/* INFO describes the input; it is used if PLANE has its size. */
void vg_volume_grid_init (VgVolumeGrid *self, const VgPlane *plane, const VgImageInfo *info);
gsize vg_volume_grid_voxels (const VgVolumeGrid *self);
/* The index of voxel AT in a map. */
gsize vg_volume_grid_index (const VgVolumeGrid *self, const int at[3]);
/* The voxel nearest to AT. */
void vg_volume_grid_clamp (const VgVolumeGrid *self, int at[3]);
/* Position of the centre of voxel AT as text, owned: "R 12.5, A 3, S 40 mm" in the patient, else
 * "24, 20, 15 mm" from the first voxel's centre with lengths as the VgLength says; NULL: the size
 * of a voxel is not known. */
char *vg_volume_grid_describe (const VgVolumeGrid *self, const int at[3], int length);

typedef struct
{
  VgSectionKind kind;
  gboolean known; /* FALSE: the planes are those of the file, as the file gives no orientation */
  int axis[3];    /* of the volume: across, down and through the section */
  gboolean turned[2]; /* across and down are shown against the order of the file */
  char sides[2][2];   /* letters at the left and right, above and below; 0: not known */
} VgSection;

/* In the radiological convention, or with rows and columns AS_STORED. */
void vg_section_init (VgSection *self, VgSectionKind kind, const VgOrientation *orientation,
                      gboolean as_stored);
/* Copies the samples of BYTES (1 or 4) each of the section through voxel AT from VOLUME, row by row
 * in the order of the file. */
void vg_section_copy (const VgSection *self, const VgVolumeGrid *grid, const int at[3], gsize bytes,
                      const void *volume, void *samples);
/* Pixels per unit of length with which all three sections fit WIDTH x HEIGHT pixels. */
double vg_section_fit (const VgSection sections[VG_N_SECTIONS], const VgVolumeGrid *grid,
                       double width, double height);

G_END_DECLS
