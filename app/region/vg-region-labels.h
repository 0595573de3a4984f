/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-region.h"
/* Regions from a label image: the pixels of an object have its number, and 0 is background. */
G_BEGIN_DECLS

/* Outlines that need more corners than a region may have: their number, the voxels of their labels,
 * the voxels that they have instead, and the voxels that are in one but not in the other. */
typedef struct
{
  guint outlines;
  gint64 labelled, outlined, wrong;
} VgSimplified;

/* Sets the pixels of REGION to 1 in MASK, a slice; FALSE: it has none in the slice, or there is too
 * little memory. */
gboolean vg_region_mark (const VgRegion *region, int width, int height, guint8 *mask);
/* A remark on such outlines from the file PATH, owned; NULL: there are none. */
char *vg_simplified_describe (const VgSimplified *self, const char *path);

/* A VgNamedRegion such as "Label 7" for each label, in ascending order: a polygon with exactly the
 * pixels of the label.  An outline with more corners than a region may have loses its smallest
 * pieces and holes or is simplified, whichever changes fewer pixels, and is added to SIMPLIFIED.
 * NULL and an error that names PATH: MASK is no label image, or has more than MOST labels. */
GPtrArray *vg_region_labels (const VgImage *mask, const char *path, guint most,
                             VgSimplified *simplified, GError **error);

G_END_DECLS
