/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/base/vg-text.h"
#include <string.h>
/* The files of a study: images, and text tables of numbers. */

const VgImage *
vg_perfusion_study_file (const VgPerfusionStudy *self, const char *id)
{
  for (int i = 0; i < self->n_files; i++)
    if (g_str_equal (self->files[i].id, id))
      return self->files[i].image;
  return NULL;
}

/* Appends the numbers of a line, separated by blanks, commas, semicolons or tabs, to VALUES;
 * returns how many, or -1 if the line contains anything else. */
static int
read_line (const char *line, GArray *values)
{
  int n = 0;

  for (;;)
    {
      double value;

      while (*line == ' ' || *line == '\t' || *line == ',' || *line == ';' || *line == '\r')
        line++;
      if (*line == '\0')
        return n;
      if (!vg_text_read_number (&line, &value))
        return -1;
      if (*line != '\0' && strchr (" \t,;\r", *line) == NULL)
        return -1;
      if (values != NULL)
        g_array_append_val (values, value);
      n++;
    }
}

double *
vg_perfusion_read_table (const VgImage *file, int *rows, int *columns, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (file->text != NULL ? file->text : "", "\n", -1);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  *rows = *columns = 0;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      int n = *line == '#' ? 0 : read_line (line, NULL);

      if (n == 0 || (n < 0 && *rows == 0))
        continue;
      if (n < 0 || (*rows > 0 && n != *columns) || *rows >= 1 << 20)
        {
          g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                       "line %u of \"%s\" is not a row of %d numbers like the rows above it; "
                       "correct the table",
                       i + 1, file->name, *columns);
          return NULL;
        }
      *columns = n;
      (*rows)++;
      read_line (line, values);
    }
  if (*rows == 0)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" has no row that consists of numbers only; write one row per frame: its "
                   "time in s, and for an input the concentration (for the portal vein in a third "
                   "column, if the table has both)",
                   file->name);
      return NULL;
    }
  return (double *) g_array_free (g_steal_pointer (&values), FALSE);
}
