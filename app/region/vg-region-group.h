/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Regions that count as one because they have one name in several slices, such as a lesion. */
G_BEGIN_DECLS

typedef struct
{
  char *name;
  GPtrArray *parts; /* of VgRegion, borrowed */
  GArray *members;  /* of guint: their numbers among the regions */
} VgRegionGroup;

/* REGIONS (NULL-terminated; NULL: none) as groups (VgRegionGroup) in the order of their first
 * members; owned.  With JOIN, regions whose names without the slice (vg_region_file_label) are the
 * same in different slices form one group with that name; each other region is alone. */
GPtrArray *vg_region_groups_new (const VgNamedRegion *const *regions, gboolean join);

/* The regions of SESSION that count as one with its region I, NULL-terminated and borrowed in an
 * owned array; NULL: it is alone. */
const VgNamedRegion **vg_region_group_with (VgSession *session, guint i);

G_END_DECLS
