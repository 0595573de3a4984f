/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Numbers for people: four significant figures or as many as were chosen, counts whole, "–" for
 * NaN, thousands of numbers from 10 000 on apart by a narrow space that does not break, a power of
 * ten only where it has to be.  All results are owned by the caller. */
G_BEGIN_DECLS

enum { VG_LEAST_FIGURES = 3, VG_MOST_FIGURES = 6 };

/* How many significant figures all numbers have from now on. */
void vg_format_set_figures (int n);
/* "12.5": without zeros at the end. */
char *vg_format_number (double value);
/* "12.50": as wide for values of about the same size, in lines that change.  UNIT "%": those below
 * 0.001 are said to be so. */
char *vg_format_steady (double value, const char *unit);
/* "112 ± 113", "0.0414 ± 0.0021": as many decimals as give the error two
 * digits; without an error (NaN) as vg_format_number. */
char *vg_format_with_error (double value, double error);
/* "8.0 (5.2 to 14.1)": a median and its quartiles, all with the number of decimals that gives the
 * interquartile range two digits. */
char *vg_format_with_quartiles (double median, double q25, double q75);
/* "now VALUE, kept KEPT", or "now VALUE" if KEPT is NULL: of results that are compared. */
char *vg_format_compared (const char *value, const char *kept);
/* UNIT in the singular or the plural, as VALUE needs it: 1 map, 2 maps.  The result is static. */
const char *vg_format_unit (const char *unit, double value);
/* As vg_format_number for a voice: "20 000", without an exponent from 0.0001 up to 1e12. */
char *vg_format_words (double value);

/* How many decimals give a number as large as LARGEST four figures. */
int vg_format_decimals (double largest);
/* A number of a column of a table, which have the same decimals; those too large or too small to be
 * written so have a power of ten. */
char *vg_format_fixed (double value, int decimals);
/* A number with an exponent as in print: "2e-05" as 2×10⁻⁵, "1e+07" as 10⁷; owned. */
char *vg_format_raise (const char *text);
/* TEXT with its thousands apart. */
char *vg_format_group (const char *text);

G_END_DECLS
