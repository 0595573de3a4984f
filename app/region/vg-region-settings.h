/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "app/session/vg-session.h"
/* The regions and masks that are values of settings, such as the liver, among the named regions. */
G_BEGIN_DECLS

/* Whether IMAGE, the file of a setting, has one number for each voxel of DATA. */
gboolean vg_region_settings_is_mask (const VgImage *image, const VgImageInfo *data);
/* Whether NAME is the LABEL of a setting, in English or translated. */
gboolean vg_region_settings_is_label (const char *label, const char *name);
/* Whether the name of REGION, without its slice, is the LABEL of a setting. */
gboolean vg_region_settings_is_of (const VgNamedRegion *region, const char *label);
/* Those of REGIONS (NULL-terminated; NULL: none) that have the name of PARAM, owned, if they
 * contain exactly the voxels of the mask IMAGE; else NULL. */
GPtrArray *vg_region_settings_outlines (const VgParam *param, const VgImage *image,
                                        const VgNamedRegion *const *regions);
/* Added to the name of such a region if another region has the name. */
#define VG_REGION_OF_SETTING "%s (setting)"

/* REGIONS (NULL-terminated; NULL: none) and before them, if the operation of WORK finds regions in
 * its data, those of its settings: named like the setting, one for each slice in which they are.
 * They replace equal ones of the same name.  FOUND: ids of the parameters whose regions were found,
 * or NULL.  NOTES gets remarks, owned, on masks whose outlines had to be simplified: the maps use
 * the mask, tables of regions the outline.  The array is owned and NULL-terminated, and borrows
 * from REGIONS and from *OWN, owned.  NULL and an error. */
const VgNamedRegion **vg_region_settings_join (VgWork *work, const VgNamedRegion *const *regions,
                                               const GPtrArray *found, GPtrArray **own,
                                               GPtrArray *notes, GError **error);

G_END_DECLS
