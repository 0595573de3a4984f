/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/export/vg-export.h"
/* The mean of every followed output in every region, its standard deviation
 * over pixels and how many have a value, one row per map and region, and beside it, where the
 * operation gives it, what the output is of the region's sum as one pixel, with its standard error,
 * and the sum's own figures: regions.csv. */
G_BEGIN_DECLS

typedef struct _VgRegionLog VgRegionLog;

/* OPERATION has outputs that are followed in regions. */
gboolean vg_region_log_is_of (const VgOperation *operation);
/* REGIONS: NULL-terminated; NULL when there are none or nothing is followed. */
VgRegionLog *vg_region_log_new (const VgOperation *operation, const VgNamedRegion *const *regions);
/* The newest maps of EXPORT, which are those of WORK. */
void vg_region_log_add (VgRegionLog *self, VgExport *export, VgWork *work, gint64 frame,
                        double time_s);
/* The whole table, owned by the log. */
const char *vg_region_log_text (VgRegionLog *self, gsize *length);
void vg_region_log_free (VgRegionLog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgRegionLog, vg_region_log_free)

G_END_DECLS
