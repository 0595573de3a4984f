/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Reads regions from a text file or from a label image (vg-region-labels.h) of any format.  A line
 * of the text has a shape as in vg-region.h, then a space and a name, or no name.  Empty lines and
 * lines that begin with '#' are ignored. */
G_BEGIN_DECLS

/* The largest 16-bit label. */
enum { VG_REGION_FILE_MOST = 65535 };

/* At least one VgNamedRegion, of a label image at most MOST.  SIZE: width and height of the label
 * image, 0 for a text.  *NOTE: a remark, owned, or NULL.  NULL and an error that names file and
 * line. */
GPtrArray *vg_region_file_load (const char *path, guint most, int size[2], char **note,
                                GError **error);

/* Whether TEXT has such lines itself and is not the name of a file. */
gboolean vg_region_file_is_list (const char *text);
/* The regions of TEXT; NULL and an error that names the line. */
GPtrArray *vg_region_file_parse (const char *text, GError **error);

G_END_DECLS
