/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/base/vg-image.h"
/* Regions from a label mask: an image of whole numbers in which the pixels of
 * one object have its number, and 0 is no object. */
G_BEGIN_DECLS

/* Of VgNamedRegion ("Label 7"), in the order of the numbers: polygons that
 * hold the pixels of their label and no other.  An outline that needs more
 * corners than a region has is simplified, as few pixels as that takes; *NOTE
 * then says of how many labels (g_free), else it is NULL.  NULL and an error
 * that names PATH: no mask, or more labels than MOST. */
GPtrArray *vg_region_labels (const VgImage *mask, const char *path, guint most, char **note,
                             GError **error);

G_END_DECLS
