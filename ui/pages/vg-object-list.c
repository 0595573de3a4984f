/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-object-list.h"
#include <math.h>
#include <string.h>
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-number-format.h"

struct _VgObjectRow
{
  GObject parent_instance;
  double *values;  /* a block with all that follows; NaN: no number */
  guint32 *starts; /* where the text of each cell is */
  char *text;
  guint n;
};

G_DEFINE_FINAL_TYPE (VgObjectRow, vg_object_row, G_TYPE_OBJECT)

double
vg_object_row_get_value (VgObjectRow *self, guint column)
{
  return column < self->n ? self->values[column] : NAN;
}

guint32
vg_object_row_get_number (VgObjectRow *self)
{
  return (guint32) vg_object_row_get_value (self, VG_OBJECT_NUMBER);
}

const char *
vg_object_row_get_text (VgObjectRow *self, guint column)
{
  return column < self->n ? self->text + self->starts[column] : "";
}

const char *
vg_object_row_get_words (VgObjectRow *self, guint column)
{
  const char *text = vg_object_row_get_text (self, column);

  return g_ascii_isalpha (*text) ? vg_translate (text) : text;
}

/* "310.2 px²"; NULL: nothing is there. */
static char *
format_cell (VgObjectRow *self, const VgObjectColumn *columns, guint i)
{
  double value = vg_object_row_get_value (self, i);
  g_autofree char *number = isnan (value) ? g_strdup (vg_object_row_get_words (self, i))
                                          : vg_format_number (value);

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
vg_object_row_name (VgObjectRow *self, const VgObjectColumn *columns)
{
  return g_strdup_printf ("%s %u", vg_translate (columns[VG_OBJECT_NUMBER].label),
                          vg_object_row_get_number (self));
}

static double
to_number (const char *text)
{
  char *end;
  double value = g_ascii_strtod (text, &end);

  return end != text && *end == '\0' ? value : NAN;
}

/* Removes the quotation marks of CELL.  The comma after it; NULL: it is the last. */
static char *
unquote (char *cell)
{
  char *from = cell + 1, *to = cell;

  while (*from != '\0' && (*from != '"' || from[1] == '"'))
    {
      from += *from == '"';
      *to++ = *from++;
    }
  from += *from == '"';
  *to = '\0';
  return *from == ',' ? from : NULL;
}

/* Of LINE up to END; PLACES has the column of each of its N_CELLS cells, -1: of none. */
static VgObjectRow *
row_new (const char *line, const char *end, const int *places, guint n_cells, guint n)
{
  VgObjectRow *self = g_object_new (VG_TYPE_OBJECT_ROW, NULL);
  gsize length = (gsize) (end - line);
  char *cell;

  self->n = n;
  self->values = g_malloc (n * (sizeof *self->values + sizeof *self->starts) + length + 1);
  self->starts = (guint32 *) (self->values + n);
  self->text = (char *) (self->starts + n);
  memcpy (self->text, line, length);
  self->text[length] = '\0';
  for (guint i = 0; i < n; i++)
    {
      self->values[i] = NAN;
      self->starts[i] = (guint32) length;
    }
  cell = self->text;
  for (guint i = 0; i < n_cells && cell != NULL; i++)
    {
      char *next = *cell == '"' ? unquote (cell) : strchr (cell, ',');

      if (next != NULL)
        *next++ = '\0';
      if (places[i] >= 0)
        {
          self->starts[places[i]] = (guint32) (cell - self->text);
          self->values[places[i]] = to_number (cell);
        }
      cell = next;
    }
  return self;
}

/* The column of each cell of the heading LINE, -1: of none. */
static int *
find_places (const char *line, const char *end, const VgObjectColumn *columns, guint *n_cells)
{
  g_autofree char *head = g_strndup (line, (gsize) (end - line));
  g_auto (GStrv) names = g_strsplit (head, ",", -1);
  int *places;

  *n_cells = g_strv_length (names);
  places = g_new (int, *n_cells + 1);
  for (guint i = 0; i < *n_cells; i++)
    {
      places[i] = -1;
      for (int k = 0; columns[k].id != NULL && places[i] < 0; k++)
        if (strcmp (columns[k].id, names[i]) == 0)
          places[i] = k;
    }
  return places;
}

GPtrArray *
vg_object_rows_parse (const char *text, const VgObjectColumn *columns)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  const char *end = strchrnul (text, '\n');
  guint n_cells, n = 0;
  g_autofree int *places = find_places (text, end, columns, &n_cells);

  while (columns[n].id != NULL)
    n++;
  while (*end != '\0') /* the first line names the columns */
    {
      const char *line = end + 1;
      g_autoptr (VgObjectRow) row = NULL;
      double number;

      end = strchrnul (line, '\n');
      row = row_new (line, end, places, n_cells, n);
      number = vg_object_row_get_value (row, VG_OBJECT_NUMBER);
      if (n > VG_OBJECT_Y && *vg_object_row_get_text (row, VG_OBJECT_Y) != '\0' && number >= 1 &&
          number <= G_MAXUINT32)
        g_ptr_array_add (rows, g_steal_pointer (&row));
    }
  return rows;
}

GArray *
vg_object_rows_find_decimals (GPtrArray *rows, const VgObjectColumn *columns)
{
  GArray *decimals = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint column = 0; columns[column].id != NULL; column++)
    {
      double largest = 0;
      gboolean broken = FALSE;
      int n;

      for (guint i = 0; i < rows->len; i++)
        {
          double value = vg_object_row_get_value (rows->pdata[i], column);

          if (!isfinite (value))
            continue;
          largest = fmax (largest, fabs (value));
          broken |= value != floor (value);
        }
      n = broken ? vg_format_decimals (largest) : 0;
      g_array_append_val (decimals, n);
    }
  return decimals;
}

static void
vg_object_row_finalize (GObject *object)
{
  g_free (VG_OBJECT_ROW (object)->values);
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

char *
vg_object_row_add_cells (VgObjectRow *self, const VgObjectColumn *columns, GPtrArray *cells)
{
  for (guint i = VG_OBJECT_NUMBER + 1; columns[i].id != NULL; i++)
    {
      g_autofree char *cell = columns[i].of == NULL ? format_cell (self, columns, i) : NULL;
      g_autofree char *twin = cell != NULL ? format_twin (self, columns, i) : NULL;

      if (cell == NULL)
        continue;
      g_ptr_array_add (cells, g_strdup (vg_translate (columns[i].label)));
      if (twin != NULL && columns[i].unit != NULL) /* as in the table, not in px too */
        g_ptr_array_add (cells, g_steal_pointer (&twin));
      else
        g_ptr_array_add (cells, twin != NULL ? g_strdup_printf ("%s (%s)", cell, twin)
                                             : g_steal_pointer (&cell));
    }
  return vg_object_row_name (self, columns);
}
