/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "ui/pages/vg-object-list.h"
/* A row for each object, sorted by the column whose head is clicked. */
G_BEGIN_DECLS

#define VG_TYPE_OBJECT_TABLE (vg_object_table_get_type ())
G_DECLARE_FINAL_TYPE (VgObjectTable, vg_object_table, VG, OBJECT_TABLE, VgBin)
/* signals:
 *   "chosen"    (guint number)   another row was selected by hand
 *   "activated" (guint number)   double click or Enter */

GtkWidget *vg_object_table_new (void);
/* NULL: this operation lists no objects. */
void vg_object_table_set_columns (VgObjectTable *self, const VgObjects *objects);
/* Of VgObjectRow, with DECIMALS (vg_object_rows_find_decimals), both of which must not change any
 * more; SELECTED of them is selected from now on, 0: none.  How they are sorted stays. */
void vg_object_table_set_rows (VgObjectTable *self, GPtrArray *rows, GArray *decimals,
                               guint selected);
/* What is written below the table; NULL: nothing. */
void vg_object_table_set_note (VgObjectTable *self, const char *note);
/* 0: none. */
void vg_object_table_select (VgObjectTable *self, guint number);

G_END_DECLS
