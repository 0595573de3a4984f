/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-session.h"
/* Regions as a text file: on each line a shape as vg-region.h writes it, then a
 * blank and a name, or no name.  Empty lines and those that begin with '#'
 * say nothing. */
G_BEGIN_DECLS

/* Of VgNamedRegion, at least one.  Errors name file and line. */
GPtrArray *vg_region_file_load (const char *path, GError **error);

G_END_DECLS
