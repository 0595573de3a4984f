/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "kernels/base/vg-image.h"
/* Regions from a label image: the pixels of an object have its number, and 0 is background. */
G_BEGIN_DECLS

/* A VgNamedRegion such as "Label 7" for each label, in ascending order: a polygon with exactly the
 * pixels of the label.  An outline with more corners than a region may have is simplified by as
 * little as possible; *NOTE, owned, then has the number of such labels, else it is NULL.  NULL and
 * an error that names PATH: MASK is no label image, or has more than MOST labels. */
GPtrArray *vg_region_labels (const VgImage *mask, const char *path, guint most, char **note,
                             GError **error);

G_END_DECLS
