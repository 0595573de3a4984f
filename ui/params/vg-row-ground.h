/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* What lies below a row of a table whose rows lie in the image (VgStack): the row's colour there,
 * and a ground for the chosen one. */
G_BEGIN_DECLS

/* Of ROW, from 0, in two lines of GRID from LINE on, COLUMNS wide; the swatch is in column 0. */
GtkWidget *vg_row_ground_new (GtkGrid *grid, int row, int line, int columns);
void vg_row_ground_set_chosen (GtkWidget *self, gboolean chosen);
/* Brings the row into sight in the pane that scrolls up and down. */
void vg_row_ground_scroll_to (GtkWidget *self);

G_END_DECLS
