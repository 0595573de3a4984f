/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A table of texts, as spreadsheets write it. */
G_BEGIN_DECLS

/* The rows (char **, NULL-terminated) of the text file PATH, with commas, semicolons or tabs
 * between the cells, as the first row has them, and perhaps quotes around them.  Blanks around a
 * cell are left out.  A row without any text has no cell.  VG_IO_ERROR: it cannot be read as such a
 * table. */
GPtrArray *vg_csv_load (const char *path, GError **error);

G_END_DECLS
