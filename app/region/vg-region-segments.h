/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "app/session/vg-session.h"
#include "io/dicom/vg-dicom-writer.h"
/* The regions of a result as the segments of one DICOM file: those of the settings first, then the
 * named ones.  Regions with the same name, such as those of one organ in several slices, form one
 * segment. */
G_BEGIN_DECLS

typedef struct _VgRegionSegments VgRegionSegments;

/* The segments of the settings of WORK and of REGIONS (NULL-terminated, or NULL), both borrowed.
 * FOUND: ids of the parameters whose regions the operation found; NULL: none.  NULL: no region
 * contains a voxel of the data. */
VgRegionSegments *vg_region_segments_new (VgWork *work, const VgNamedRegion *const *regions,
                                          const GPtrArray *found);
/* Writes them as the file PATH. */
gboolean vg_region_segments_write (const VgRegionSegments *self, VgDicomWriter *dicom,
                                   const char *path, GError **error);
void vg_region_segments_free (VgRegionSegments *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgRegionSegments, vg_region_segments_free)

G_END_DECLS
