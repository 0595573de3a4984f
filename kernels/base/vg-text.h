/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Reading and writing of numbers and names, independent of the locale. */
G_BEGIN_DECLS

/* Reads a finite decimal number at *CURSOR after blanks and moves *CURSOR behind it.  FALSE with
 * *CURSOR unchanged for anything else, such as "nan", "inf", hexadecimal numbers or 1e400. */
gboolean vg_text_read_number (const char **cursor, double *value);
/* TRUE if only blanks follow. */
gboolean vg_text_at_end (const char *cursor);
/* Reads "true", "yes", "on" or "1", or "false", "no", "off" or "0", in any case and between blanks.
 * FALSE: TEXT is another word. */
gboolean vg_text_read_bool (const char *text, gboolean *value);
/* Appends the shortest text that reads back as the same value. */
void vg_text_append_number (GString *string, double value);
void vg_text_append_float (GString *string, float value);
/* Appends VALUE, rounded to four decimals, in the format of vg_text_append_number. */
void vg_text_append_decimal (GString *string, double value);
/* "16.1 ± 1.6": VALUE and ERROR with the decimals that give two figures of ERROR; VALUE alone if
 * ERROR is not finite, and a dash without a value.  Owned. */
char *vg_text_with_error (double value, double error);
/* Appends TEXT as a quoted CSV cell.  Text that begins with = + - or @ and is not a number gets a
 * leading
 * ', because spreadsheets would run it as a formula. */
void vg_text_append_cell (GString *string, const char *text);
/* Copies TEXT to TO, which has SIZE bytes; if it is too long, whole characters of it and "…". */
void vg_text_copy (char *to, gsize size, const char *text);
/* TEXT in quotes for a message: one line, printable, shortened if long. */
char *vg_text_quote (const char *text);
/* The name of the file PATH without its folder and its ending, owned.  An ending may have two
 * parts, as in "x.nii.gz" and "x.ome.tif". */
char *vg_text_file_stem (const char *path);
/* Replaces each control character of TEXT by a space, because text from a file must not control the
 * terminal.  Returns TEXT. */
char *vg_text_clean (char *text);
/* TRUE if the names are equal apart from '-' and '_'. */
gboolean vg_text_same_name (const char *a, const char *b);
/* The name most similar to TEXT, for "did you mean"; NULL: none is similar. */
const char *vg_text_nearest (const char *const *names, guint n, const char *text);

G_END_DECLS
