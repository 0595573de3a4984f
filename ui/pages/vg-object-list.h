/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "kernels/core/vg-operation.h"
/* The objects of a result as rows, from the text that lists them
 * (VgObjects). */
G_BEGIN_DECLS

enum {
  VG_OBJECT_NUMBER,
  VG_OBJECT_SEED_X,
  VG_OBJECT_SEED_Y,
  VG_OBJECT_X,
  VG_OBJECT_Y,
  VG_OBJECT_FIRST_OTHER
};

#define VG_TYPE_OBJECT_ROW (vg_object_row_get_type ())
G_DECLARE_FINAL_TYPE (VgObjectRow, vg_object_row, VG, OBJECT_ROW, GObject)

guint32 vg_object_row_get_number (VgObjectRow *self);
/* NaN: the cell is no number. */
double vg_object_row_get_value (VgObjectRow *self, guint column);
const char *vg_object_row_get_text (VgObjectRow *self, guint column); /* "": none */
/* The same in the user's language, if it is a word. */
const char *vg_object_row_get_words (VgObjectRow *self, guint column);
/* Name of the object, such as "Nucleus 12", owned by the caller. */
char *vg_object_row_name (VgObjectRow *self, const VgObjectColumn *columns);
/* Appends name and value of each column but the number to CELLS, of char *.  "Nucleus 12", owned.
 */
char *vg_object_row_add_cells (VgObjectRow *self, const VgObjectColumn *columns, GPtrArray *cells);

/* Of VgObjectRow; rows that are no objects are left out. */
GPtrArray *vg_object_rows_parse (const char *text, const VgObjectColumn *columns);
/* Decimals (int) of the numbers of each column, new: none of whole numbers; of others as many as
 * give the largest four figures. */
GArray *vg_object_rows_find_decimals (GPtrArray *rows, const VgObjectColumn *columns);

G_END_DECLS
