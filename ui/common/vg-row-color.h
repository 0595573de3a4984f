/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* The colour of a row, from 0, of a table that lies in the image: there and in the table. */
G_BEGIN_DECLS

GdkRGBA vg_row_color (int row);

G_END_DECLS
