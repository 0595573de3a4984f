/* SPDX-License-Identifier: MIT */
#include "vg-object-list.h"
#include <math.h>
#include <string.h>
#include "vg-widgets.h"

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

char *
vg_object_row_describe (VgObjectRow *self, const VgObjectColumn *columns)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; columns[i].id != NULL; i++)
    {
      double value = vg_object_row_get_value (self, i);
      g_autofree char *label = g_utf8_strdown (columns[i].label, -1);
      g_autofree char *number = isnan (value) ? g_strdup (vg_object_row_get_text (self, i)) : g_strdup_printf ("%.3g", value);

      if (!columns[i].brief || *number == '\0')
        continue;
      if (i == VG_OBJECT_NUMBER)
        g_string_append_printf (text, "%s %u:", columns[i].label, vg_object_row_get_number (self));
      else
        g_string_append_printf (text, "%s%s %s%s%s", text->str[text->len - 1] == ':' ? " " : ", ", label, number,
                                columns[i].unit ? " " : "", columns[i].unit ? columns[i].unit : "");
    }
  return g_string_free (text, FALSE);
}

GPtrArray *
vg_object_rows_parse (const char *text, const VgObjectColumn *columns)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  while (columns[n].id != NULL)
    n++;
  for (guint i = 1; lines[0] != NULL && lines[i] != NULL; i++)   /* the first names the columns */
    {
      g_autoptr (VgObjectRow) row = g_object_new (VG_TYPE_OBJECT_ROW, NULL);
      double number;

      row->cells = g_strsplit (lines[i], ",", -1);
      row->n = MIN (g_strv_length (row->cells), n);
      number = vg_object_row_get_value (row, VG_OBJECT_NUMBER);
      if (row->n > VG_OBJECT_Y && number >= 1 && number <= G_MAXUINT32)
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
