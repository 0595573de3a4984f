/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* Regions as a text file: on each line a shape as vg-region.h writes it, then a
 * blank and a name, or no name.  Empty lines and those that begin with '#'
 * say nothing.  Or a label mask (vg-region-labels.h): an image of any format
 * that is read. */
G_BEGIN_DECLS

/* As many labels as have a place in 16 bits. */
enum { VG_REGION_FILE_MOST = 65535 };

/* Of VgNamedRegion, at least one and of a mask at most MOST.  SIZE: the width
 * and height of the mask they are of, 0 and 0 of a list.  *NOTE: what is to be
 * told (g_free), or NULL.  Errors name file and line. */
GPtrArray *vg_region_file_load (const char *path, guint most, int size[2], char **note,
                                GError **error);

G_END_DECLS
