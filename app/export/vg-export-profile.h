/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/export/vg-export.h"
/* The table profile.csv: the newest maps along a line, a row for each pixel of its length, with the
 * numbers that the window plots. */
G_BEGIN_DECLS

/* Sets *CSV to the table of those maps of EXPORT that have the size of the first, owned, or to NULL
 * if no map has been kept completely.  FALSE: they cannot be read. */
gboolean vg_export_profile_to_csv (VgExport *export, VgWork *work, const VgProfileLine *line,
                                   char **csv, GError **error);

G_END_DECLS
