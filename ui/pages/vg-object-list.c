/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-object-list.h"
#include <math.h>
#include <string.h>
#include "ui/common/vg-widgets.h"

struct _VgObjectRow
{
  GObject parent_instance;
  char **cells;
  guint n;
};

G_DEFINE_FINAL_TYPE (VgObjectRow, vg_object_row, G_TYPE_OBJECT)

double
vg_object_row_get_value (VgObjectRow *self, guint column)
{
  const char *text = vg_object_row_get_text (self, column);
  char *end;
  double value = g_ascii_strtod (text, &end);

  return end != text && *end == '\0' ? value : NAN;
}

guint32
vg_object_row_get_number (VgObjectRow *self)
{
  return (guint32) vg_object_row_get_value (self, VG_OBJECT_NUMBER);
}

const char *
vg_object_row_get_text (VgObjectRow *self, guint column)
{
  return column < self->n ? self->cells[column] : "";
}

/* "310 px²", with three digits at least; NULL: nothing is there. */
static char *
format_cell (VgObjectRow *self, const VgObjectColumn *columns, guint i)
{
  double value = vg_object_row_get_value (self, i);
  g_autofree char *number = isnan (value)
                                ? g_strdup (vg_object_row_get_text (self, i))
                                : g_strdup_printf (fabs (value) >= 100 ? "%.0f" : "%.3g", value);

  return *number == '\0' ? NULL
                         : g_strconcat (number, columns[i].unit ? " " : "", columns[i].unit, NULL);
}

/* The first that is the same as column I in another unit. */
static char *
format_twin (VgObjectRow *self, const VgObjectColumn *columns, guint i)
{
  for (guint k = 0; columns[k].id != NULL; k++)
    if (g_strcmp0 (columns[k].of, columns[i].id) == 0)
      return format_cell (self, columns, k);
  return NULL;
}

char *
vg_object_row_describe (VgObjectRow *self, const VgObjectColumn *columns)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; columns[i].id != NULL; i++)
    {
      g_autofree char *label = g_utf8_strdown (columns[i].label, -1), *cell = NULL, *twin = NULL;

      if (!columns[i].brief || (cell = format_cell (self, columns, i)) == NULL)
        continue;
      if (i == VG_OBJECT_NUMBER)
        {
          g_string_append_printf (text, "%s %u:", columns[i].label,
                                  vg_object_row_get_number (self));
          continue;
        }
      g_string_append_printf (text, "%s%s %s", text->str[text->len - 1] == ':' ? " " : ", ", label,
                              cell);
      if ((twin = format_twin (self, columns, i)) != NULL)
        g_string_append_printf (text, " (%s)", twin);
    }
  return g_string_free (text, FALSE);
}

/* The cells of LINE in the order of COLUMNS, by the names in HEAD; empty where there is none. */
static char **
take_cells (const char *line, char **head, const VgObjectColumn *columns, guint n)
{
  g_auto (GStrv) cells = g_strsplit (line, ",", -1);
  char **sorted = g_new0 (char *, n + 1);
  guint n_cells = g_strv_length (cells);

  for (guint i = 0; i < n; i++)
    {
      guint at = 0;

      while (at < n_cells && head[at] != NULL && strcmp (head[at], columns[i].id) != 0)
        at++;
      sorted[i] = g_strdup (at < n_cells && head[at] != NULL ? cells[at] : "");
    }
  return sorted;
}

GPtrArray *
vg_object_rows_parse (const char *text, const VgObjectColumn *columns)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) head = g_strsplit (lines[0] != NULL ? lines[0] : "", ",", -1);
  guint n = 0;

  while (columns[n].id != NULL)
    n++;
  for (guint i = 1; lines[0] != NULL && lines[i] != NULL; i++) /* the first names the columns */
    {
      g_autoptr (VgObjectRow) row = g_object_new (VG_TYPE_OBJECT_ROW, NULL);
      double number;

      row->cells = take_cells (lines[i], head, columns, n);
      row->n = n;
      number = vg_object_row_get_value (row, VG_OBJECT_NUMBER);
      if (n > VG_OBJECT_Y && *row->cells[VG_OBJECT_Y] != '\0' && number >= 1 &&
          number <= G_MAXUINT32)
        g_ptr_array_add (rows, g_steal_pointer (&row));
    }
  return rows;
}

static void
vg_object_row_finalize (GObject *object)
{
  g_strfreev (VG_OBJECT_ROW (object)->cells);
  G_OBJECT_CLASS (vg_object_row_parent_class)->finalize (object);
}

static void
vg_object_row_class_init (VgObjectRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_object_row_finalize;
}

static void
vg_object_row_init (VgObjectRow *self)
{
}
