/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/pages/vg-object-list.h"
/* Rows as a list model whose items stay while their rows change: a view keeps the widgets of the
 * items that it shows, and each is found at once. */
G_BEGIN_DECLS

/* An item: the place of a row. */
#define VG_TYPE_ROW_PLACE (vg_row_place_get_type ())
G_DECLARE_FINAL_TYPE (VgRowPlace, vg_row_place, VG, ROW_PLACE, GObject)
/* Borrowed; NULL: the list has fewer rows now. */
VgObjectRow *vg_row_place_get (VgRowPlace *self);

#define VG_TYPE_ROW_LIST (vg_row_list_get_type ())
G_DECLARE_FINAL_TYPE (VgRowList, vg_row_list, VG, ROW_LIST, GObject)

VgRowList *vg_row_list_new (void);
/* The first N of ROWS (of VgObjectRow; NULL: none), or all if there are fewer.  Only the number of
 * items is told to those who follow the model. */
void vg_row_list_set (VgRowList *self, GPtrArray *rows, guint n);

G_END_DECLS
