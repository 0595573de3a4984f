/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A table of numbers as the value of a parameter, such as tissue layers or seeds.  Text form:
 * commas between cells, semicolons between rows. */
G_BEGIN_DECLS

enum { VG_TABLE_MAX_CELLS = 1 << 20 };

typedef struct
{
  int rows, columns;
  double *values; /* rows * columns */
} VgTable;

VgTable *vg_table_new (int rows, int columns);
VgTable *vg_table_copy (const VgTable *self);
void vg_table_free (VgTable *self);
gboolean vg_table_equal (const VgTable *a, const VgTable *b);
/* A table of at least one row of COLUMNS finite numbers; NULL with a usage error that names the row
 * and the column. */
VgTable *vg_table_parse (const char *text, int columns, GError **error);
char *vg_table_format (const VgTable *self);

G_END_DECLS
