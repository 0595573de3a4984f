/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Lines of an .mci or .mco file that hold data, with their numbers, for
 * messages.  Comments (from '#' to the end), blank lines and carriage returns
 * are skipped, and a byte order mark; a lone carriage return ends a line as
 * well.  Bytes beyond ASCII may be anywhere. */
G_BEGIN_DECLS

typedef struct
{
  const char *name; /* of the file */
  const char *next, *end;
  int number;     /* of the current line, from 1 */
  char *line;     /* its data, without comment and blanks at both ends; owned */
  gboolean glued; /* no blank stands before that '#' */
  char *comment;  /* what stands behind its '#', "" when nothing does; owned */
} VgFluenceLines;

void vg_fluence_lines_init (VgFluenceLines *self, const char *name, const char *text, gsize length);
void vg_fluence_lines_clear (VgFluenceLines *self);
/* Goes to the next line with data; FALSE at the end. */
gboolean vg_fluence_lines_next (VgFluenceLines *self);
/* The same where WHAT is expected: at the end an error. */
gboolean vg_fluence_lines_need (VgFluenceLines *self, const char *what, GError **error);
/* The first N numbers of the line, with blanks between them; what follows is
 * ignored.  Else an error that says what was expected: WHAT. */
gboolean vg_fluence_lines_numbers (const VgFluenceLines *self, double *values, int n,
                                   const char *what, GError **error);
/* The same for a layer's n, mua, mus, g and d, with their ranges. */
gboolean vg_fluence_lines_layer (const VgFluenceLines *self, double *values, const char *what,
                                 GError **error);
/* The file name that the line begins with (a '#' within a word is part of it), fit for a file in
 * any folder, into NAME (VG_FLUENCE_NAME bytes): its last part, by either slash, with .mco at the
 * end.  A letter A or B that stands alone behind it, the format, ends it. WHOLE (owned): as it
 * stands there. */
gboolean vg_fluence_lines_name (const VgFluenceLines *self, char *name, char **whole,
                                GError **error);
/* How many numbers the line begins with. */
int vg_fluence_lines_count (const VgFluenceLines *self);
/* "file:12: MESSAGE" as a format error. */
gboolean vg_fluence_lines_fail (const VgFluenceLines *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_END_DECLS
