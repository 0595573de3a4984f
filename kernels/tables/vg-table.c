/* SPDX-License-Identifier: MIT */
/* A table of numbers and its text: cells by commas, rows by semicolons. */
#include "kernels/tables/vg-table.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <string.h>

VgTable *
vg_table_new (int rows, int columns)
{
  VgTable *self;

  g_return_val_if_fail (rows >= 0 && columns >= 1, NULL);
  g_return_val_if_fail (rows <= VG_TABLE_MAX_CELLS / columns, NULL);
  self = g_new0 (VgTable, 1);
  self->rows = rows;
  self->columns = columns;
  self->values = g_new0 (double, MAX ((gsize) rows * (gsize) columns, 1));
  return self;
}

VgTable *
vg_table_copy (const VgTable *self)
{
  VgTable *copy;

  if (self == NULL)
    return NULL;
  copy = vg_table_new (self->rows, self->columns);
  memcpy (copy->values, self->values, sizeof (double) * (gsize) self->rows * (gsize) self->columns);
  return copy;
}

void
vg_table_free (VgTable *self)
{
  if (self == NULL)
    return;
  g_free (self->values);
  g_free (self);
}

gboolean
vg_table_equal (const VgTable *a, const VgTable *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  if (a->rows != b->rows || a->columns != b->columns)
    return FALSE;
  for (int i = 0; i < a->rows * a->columns; i++)
    if (a->values[i] != b->values[i])
      return FALSE;
  return TRUE;
}

static void
set_cell_error (GError **error, const char *cursor, int row, int column)
{
  g_autofree char *quoted = vg_text_quote (cursor);

  g_set_error (
      error, VG_USAGE_ERROR, 0,
      "row %d, column %d: %s is not a number; write cells as 1,2.5,3 and separate rows with ;",
      row + 1, column + 1, quoted);
}

VgTable *
vg_table_parse (const char *text, int columns, GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const char *cursor = text;
  VgTable *self;
  int rows = 0;

  g_return_val_if_fail (columns >= 1, NULL);
  for (char separator = ';'; separator == ';'; rows++)
    for (int column = 0; column < columns; column++)
      {
        gboolean last = column == columns - 1;
        double value;

        if ((int) values->len >= VG_TABLE_MAX_CELLS)
          {
            g_set_error (error, VG_USAGE_ERROR, 0, "row %d: a table can have at most %d cells",
                         rows + 1, VG_TABLE_MAX_CELLS);
            return NULL;
          }
        if (!vg_text_read_number (&cursor, &value))
          {
            set_cell_error (error, cursor, rows, column);
            return NULL;
          }
        g_array_append_val (values, value);
        while (g_ascii_isspace (*cursor))
          cursor++;
        separator = *cursor;
        if (last ? separator != ';' && separator != '\0' : separator != ',')
          {
            g_autofree char *quoted = vg_text_quote (cursor);

            g_set_error (error, VG_USAGE_ERROR, 0,
                         "row %d must have %d cells, but %s follows cell %d", rows + 1, columns,
                         *cursor == '\0' ? "the end" : quoted, column + 1);
            return NULL;
          }
        if (separator != '\0')
          cursor++;
      }
  self = vg_table_new (rows, columns);
  memcpy (self->values, values->data, sizeof (double) * values->len);
  return self;
}

char *
vg_table_format (const VgTable *self)
{
  GString *string = g_string_new (NULL);

  for (int i = 0; i < self->rows * self->columns; i++)
    {
      if (i > 0)
        g_string_append_c (string, i % self->columns == 0 ? ';' : ',');
      vg_text_append_number (string, self->values[i]);
    }
  return g_string_free (string, FALSE);
}
