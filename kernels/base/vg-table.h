/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A parameter that is a table of numbers: tissue layers, seeds.  Text form:
 * cells separated by commas, rows by semicolons. */
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
/* At least one row of COLUMNS finite numbers each; NULL and a usage error
 * that names the row and the column otherwise. */
VgTable *vg_table_parse (const char *text, int columns, GError **error);
char *vg_table_format (const VgTable *self);

G_END_DECLS
