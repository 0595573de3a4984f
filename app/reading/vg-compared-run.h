/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "app/compute/vg-work.h"
/* The regions of another run, such as that of an earlier examination, compared with those of this
 * one. */
G_BEGIN_DECLS

/* FALSE and an error: PATH, the summary.json of a run or its folder, is none of OPERATION, or has
 * no regions. */
gboolean vg_compared_run_check (const char *path, const VgOperation *operation, GError **error);
/* The values of REGIONS (NULL-terminated) in WORK beside those of the regions with the same names
 * in the run at PATH, as CSV, owned: each quantity that has a standard error in both, and its
 * change.  Regions of only one run have no rows.  NULL and an error: as above, or the device has
 * failed. */
char *vg_compared_run_to_csv (const char *path, VgWork *work, const VgNamedRegion *const *regions,
                              GError **error);

/* Adds remarks to NOTES, owned, if no region is in both runs, or if their settings differ. */
gboolean vg_compared_run_add_notes (const char *path, VgWork *work,
                                    const VgNamedRegion *const *regions, GPtrArray *notes,
                                    GError **error);

G_END_DECLS
