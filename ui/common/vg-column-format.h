/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Numbers of a column of a table, which have the same decimals. */
G_BEGIN_DECLS

/* How many decimals give a number as large as LARGEST four figures. */
int vg_format_decimals (double largest);
/* "–" for NaN; numbers too large or too small to be written so have a power of ten. */
char *vg_format_fixed (double value, int decimals);

G_END_DECLS
