/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/events/vg-event-average.h"
#include "app/export/vg-export.h"
/* The table regions.csv: for each frame and region one row with the mean, standard deviation,
 * median, quartiles and number of valid pixels of each followed output, and with the most frequent
 * category of each map of categories.  Regions that have one name in several slices have another
 * row with this name for all of them together, without quartiles and categories.  Where the
 * operation analyses the sum of a region as one pixel, the row also has the result of that analysis
 * and its standard error; where it counts the objects in a region, their figures. */
G_BEGIN_DECLS

typedef struct _VgRegionLog VgRegionLog;

/* Whether OPERATION has outputs that are followed in regions, or figures of regions. */
gboolean vg_region_log_is_of (const VgOperation *operation);
/* Whether OPERATION has a map of which it has means. */
gboolean vg_region_log_has_means (const VgOperation *operation);
/* A table of REGIONS (NULL-terminated); NULL: there are no regions or no followed outputs. */
VgRegionLog *vg_region_log_new (const VgOperation *operation, const VgNamedRegion *const *regions);
/* As vg_export_set_marks.  The column "mark" comes last; the text of a mark is in the rows of the
 * first frame at or after it. */
void vg_region_log_set_marks (VgRegionLog *self, const GArray *marks);
/* Adds the rows of the newest maps of EXPORT, which WORK computed.  FALSE: they cannot be read. */
gboolean vg_region_log_add (VgRegionLog *self, VgExport *export, VgWork *work, gint64 frame,
                            double time_s, GError **error);
/* The table events.csv: the means of each output and region against the time from EVENTS (of
 * double), averaged over these, with their standard errors; owned.  If no event
 * counts, it has its heading alone. */
char *vg_region_log_average (VgRegionLog *self, const GArray *events, const VgEventWindow *window);
/* The whole table, owned by the log. */
const char *vg_region_log_text (VgRegionLog *self, gsize *length);
void vg_region_log_free (VgRegionLog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgRegionLog, vg_region_log_free)

G_END_DECLS
