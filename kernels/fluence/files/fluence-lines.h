/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Reads the data lines of an .mci or .mco file, with line numbers for messages.  It skips comments
 * (from '#' to the end of the line), blank lines and a byte order mark.  Lines end with a line
 * feed, a carriage return, or both.  Bytes beyond ASCII are allowed. */
G_BEGIN_DECLS

typedef struct
{
  const char *name; /* of the file */
  const char *next, *end;
  int number;     /* of the current line, from 1 */
  char *line;     /* without comment and surrounding blanks; owned */
  gboolean glued; /* there is no blank before the '#' */
  char *comment;  /* text after the '#', or ""; owned */
} VgFluenceLines;

void vg_fluence_lines_init (VgFluenceLines *self, const char *name, const char *text, gsize length);
void vg_fluence_lines_clear (VgFluenceLines *self);
/* Reads the next line with data; FALSE at the end. */
gboolean vg_fluence_lines_next (VgFluenceLines *self);
/* The same, with an error at the end that names WHAT was expected. */
gboolean vg_fluence_lines_need (VgFluenceLines *self, const char *what, GError **error);
/* Reads the first N numbers of the line, separated by blanks, and ignores the rest.  FALSE and an
 * error that names WHAT was expected. */
gboolean vg_fluence_lines_numbers (const VgFluenceLines *self, double *values, int n,
                                   const char *what, GError **error);
/* The same for a layer's n, mua, mus, g and d, and checks their ranges. */
gboolean vg_fluence_lines_layer (const VgFluenceLines *self, double *values, const char *what,
                                 GError **error);
/* Reads the output file's name at the beginning of the line, where a '#' within a word is part of
 * it. A single letter A or B, the format, ends it.  NAME (VG_FLUENCE_NAME bytes): the name without
 * folders, with .mco at its end.  *WHOLE: the name as written, owned by the caller. */
gboolean vg_fluence_lines_name (const VgFluenceLines *self, char *name, char **whole,
                                GError **error);
/* Number of numbers at the beginning of the line. */
int vg_fluence_lines_count (const VgFluenceLines *self);
/* Sets the error VG_IO_ERROR_FORMAT, "file:12: message"; returns FALSE. */
gboolean vg_fluence_lines_fail (const VgFluenceLines *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_END_DECLS
