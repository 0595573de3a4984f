/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Regions that an operation finds in its data (VgFind). */
G_BEGIN_DECLS

/* Sets the parameter to TEXT: a region (vg-region.h), or a mask of all slices that was kept.
 * OUTLINES (VgNamedRegion, with the name of the parameter) are exactly the voxels of that mask, one
 * for each slice; NULL: TEXT is a region. */
typedef gboolean (*VgFoundRegionSet) (gpointer data, const VgParam *param, const char *text,
                                      GPtrArray *outlines, GError **error);
/* Keeps IMAGE, the mask of all slices for PARAM.  The value of the parameter, owned; NULL and an
 * error. */
typedef char *(*VgFoundMaskKeep) (gpointer data, const VgParam *param, VgImage *image,
                                  GError **error);

/* What is done with findings. */
typedef struct
{
  VgFoundRegionSet set;
  VgFoundRegionSet propose; /* for doubtful regions; NULL: nothing */
  VgFoundMaskKeep keep;     /* NULL: among the user's data (vg-mask-store.h) */
  gpointer data;
} VgFoundRegionUser;

/* A copy of PARAMS, owned, without the values that are among REGIONS (NULL-terminated; NULL: none),
 * were found and have not been changed since: a new search finds them again.  A stored mask is
 * among them if the found regions of its parameter contain exactly its voxels. */
void *vg_found_regions_forget (const VgParamTable *table, const void *params,
                               const VgNamedRegion *const *regions);

/* USER sets each region in FINDINGS whose parameter is empty in PARAMS, a struct of TABLE that it
 * may change, and proposes doubtful ones.  Removes the findings for
 * parameters that are not empty.  If a region does not follow its mask exactly, its note says so.
 * *N: the number of regions that were set or proposed. */
gboolean vg_found_regions_use (const VgParamTable *table, GPtrArray *findings, const void *params,
                               const VgFoundRegionUser *user, guint *n, GError **error);
/* The note of FINDING in one line, owned, with NEXT, what to do about a doubtful region.  TRANSLATE
 * translates a sentence; NULL: none. */
char *vg_found_region_describe (const VgFinding *finding, const char *next,
                                const char *(*translate) (const char *) );

G_END_DECLS
