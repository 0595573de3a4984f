/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Numbers and names as text, the same in every locale: what parameters,
 * regions, tables, sessions and the command line read and write. */
G_BEGIN_DECLS

/* Reads one finite decimal number at *CURSOR, blanks before it skipped, and
 * moves *CURSOR behind it.  FALSE, and *CURSOR where it was, for anything
 * else: nothing, "nan", "inf", hexadecimal, or beyond a double ("1e400"). */
gboolean vg_text_read_number (const char **cursor, double *value);
/* TRUE when only blanks are left. */
gboolean vg_text_at_end (const char *cursor);
/* The shortest text that reads back as the same value. */
void vg_text_append_number (GString *string, double value);
void vg_text_append_float (GString *string, float value);
/* TEXT as one cell of a CSV file, in quotes.  A spreadsheet takes what begins
 * with = + - or @ for a formula: such a text, unless it is a number, has a '
 * before it. */
void vg_text_append_cell (GString *string, const char *text);
/* TEXT in quotes for a message: one line, printable, cut when long. */
char *vg_text_quote (const char *text);
/* Names are equal when they differ in '-' and '_' only. */
gboolean vg_text_same_name (const char *a, const char *b);
/* The name nearest to TEXT, for "did you mean"; NULL when none is near. */
const char *vg_text_nearest (const char *const *names, guint n, const char *text);

G_END_DECLS
