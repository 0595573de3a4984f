/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/volume/vg-section.h"
/* A mask that the user paints in a volume, stroke by stroke.  Strokes can be undone one by one;
 * the oldest are discarded when they need more than a fixed amount of memory.  Main thread only. */
G_BEGIN_DECLS

typedef struct _VgMask VgMask;

typedef struct
{
  double radius; /* in the unit of the grid */
  gboolean ball; /* in all slices that it reaches; FALSE: a disc in the section */
  gboolean erase;
  gboolean limited; /* only voxels whose value is from LOW to HIGH */
  double low, high;
} VgBrush;

/* NULL and an error: there is not enough memory, or the volume is too large. */
VgMask *vg_mask_new (const VgVolumeGrid *grid, GError **error);
/* The voxels of IMAGE, U8 without frames, that are not 0.  NULL and an error as above. */
VgMask *vg_mask_new_from_image (const VgImage *image, GError **error);
void vg_mask_free (VgMask *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgMask, vg_mask_free)
/* One byte for each voxel, 0 or 1. */
const guint8 *vg_mask_get_voxels (const VgMask *self);
gsize vg_mask_count (const VgMask *self);

/* Begins a stroke; what follows belongs to it until the next one begins. */
void vg_mask_begin (VgMask *self);
/* Paints about voxel AT of SECTION.  VALUES are those of the volume, or NULL: without limits. */
void vg_mask_paint (VgMask *self, const VgSection *section, const int at[3], const VgBrush *brush,
                    const float *values);
/* Also paints the voxels between FROM and TO, so that a fast drag leaves no gaps. */
void vg_mask_paint_line (VgMask *self, const VgSection *section, const int from[3], const int to[3],
                         const VgBrush *brush, const float *values);
/* Fills all voxels within the brush's limits that are connected with AT by their faces: in the
 * section, or for a ball in the volume.  FALSE and an error, and nothing is changed: AT is outside
 * the limits, or the region is larger than VG_MASK_MOST_FILLED voxels. */
enum { VG_MASK_MOST_FILLED = 1 << 23 };
gboolean vg_mask_fill (VgMask *self, const VgSection *section, const int at[3],
                       const VgBrush *brush, const float *values, GError **error);
gboolean vg_mask_can_undo (const VgMask *self);
void vg_mask_undo (VgMask *self);
/* Clears the mask, as one stroke. */
void vg_mask_clear (VgMask *self);

/* Saves the mask as NIfTI with the placement of INFO, which describes its data. */
gboolean vg_mask_save (const VgMask *self, const VgImageInfo *info, const char *path,
                       GError **error);
/* Replaces the mask by the voxels of the image at PATH that are not 0, as one stroke.  FALSE and
 * an error, and nothing is changed: it cannot be read, or has another size. */
gboolean vg_mask_load (VgMask *self, const char *path, GError **error);
/* The mean and the standard deviation of the finite VALUES inside; FALSE: there are none. */
gboolean vg_mask_measure (const VgMask *self, const float *values, double *mean, double *sd);

G_END_DECLS
