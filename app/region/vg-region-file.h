/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/region/vg-region-labels.h"
#include "app/session/vg-session.h"
/* Reads regions from a text file, from a label image (vg-region-labels.h) of any format, or, one
 * for each slice, from the segments of a DICOM segmentation or the labels of a volume, such as a
 * NIfTI mask.  A line of the text has a shape as in vg-region.h, then a space and a name, or no
 * name.  Empty lines and lines that begin with '#' are ignored. */
G_BEGIN_DECLS

/* The largest 16-bit label. */
enum { VG_REGION_FILE_MOST = 65535 };

/* The name of a segment that has voxels in several slices, in the slice with this number. */

/* At least one VgNamedRegion, of images at most MOST.  Segments and volumes are placed on the grid
 * of DATA; NULL leaves them on their own.  SIZE: width and height of the image, 0 for a text.
 * *NOTE: a remark, owned, or NULL.  NULL and an error that names file and line. */
GPtrArray *vg_region_file_load (const char *path, guint most, const VgImageInfo *data, int size[2],
                                char **note, GError **error);
/* A VgNamedRegion for each slice, or page, in which voxels of MASK are not 0, named NAME; counts
 * the SIMPLIFIED outlines.  NULL and an error. */
GPtrArray *vg_region_file_outline (const VgImage *mask, const char *name, VgSimplified *simplified,
                                   GError **error);
/* The name of REGION without the slice that VG_REGION_IN_SLICE adds; owned. */
char *vg_region_file_label (const VgNamedRegion *region);
/* REGIONS (NULL-terminated, or NULL) with "Region 1" and so on in the place of names that come from
 * the names of files; owned.  It borrows from REGIONS and from *RENAMED, owned. */
const VgNamedRegion **vg_region_file_hide_names (const VgNamedRegion *const *regions,
                                                 GPtrArray **renamed);
/* Whether the file is a segmentation or a volume, whose regions depend on the data. */
gboolean vg_region_file_needs_data (const char *path);

/* Whether TEXT has such lines itself, or such shapes separated by semicolons, and is not the name
 * of a file. */
gboolean vg_region_file_is_list (const char *text);
/* The regions of TEXT; NULL and an error that names the line. */
GPtrArray *vg_region_file_parse (const char *text, GError **error);

G_END_DECLS
