/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/export/vg-export.h"
/* The table profile.csv: the newest maps along a line, a row for each pixel of its length, with the
 * numbers that the window plots. */
G_BEGIN_DECLS

/* The table of those maps of EXPORT that have the size of the first, owned; NULL: no map has been
 * kept completely. */
char *vg_export_profile_to_csv (VgExport *export, VgWork *work, const VgProfileLine *line);

G_END_DECLS
