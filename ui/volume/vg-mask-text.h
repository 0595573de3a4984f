/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/volume/vg-mask.h"
/* What a mask is, in words. */
G_BEGIN_DECLS

/* "1200 voxels, 24 ml; mean ± SD 31 ± 4 ml/100g/min", owned.  MASK may be NULL, none; MAP NULL: no
 * values, else one per voxel in UNIT. */
char *vg_mask_describe (const VgMask *mask, const VgVolumeGrid *grid, const float *map,
                        const char *unit);

G_END_DECLS
