/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-study.h"
#include "app/batch/vg-csv.h"
#include "io/live/vg-live.h"
#include "kernels/base/vg-text.h"
#include <string.h>

enum { LONGEST_NAME = 200 }; /* bytes; file systems allow 255 */

static const char *const own_columns[] = { "file", "name", "operation", NULL };

gboolean
vg_study_is_own_column (const char *column)
{
  return *column == '#' || g_strv_contains (own_columns, column);
}

static void
row_free (gpointer data)
{
  VgStudyRow *self = data;

  g_free (self->name);
  g_free (self->command);
  g_strfreev (self->inputs);
  g_strfreev (self->cells);
  g_free (self);
}

void
vg_study_free (VgStudy *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->folder);
  g_strfreev (self->columns);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

char *
vg_study_resolve (const VgStudy *self, const char *path)
{
  return vg_live_is_address (path) ? g_strdup (path) : g_canonicalize_filename (path, self->folder);
}

/* The cell of ROW in the column NAME; "" without such a column. */
static const char *
get (const VgStudy *self, const VgStudyRow *row, const char *name)
{
  for (guint i = 0; self->columns[i] != NULL; i++)
    if (g_str_equal (self->columns[i], name))
      return row->cells[i];
  return "";
}

static gboolean
check_columns (const VgStudy *self, GError **error)
{
  for (guint i = 0; self->columns[i] != NULL; i++)
    {
      if (*self->columns[i] == '\0')
        {
          g_set_error (error, VG_USAGE_ERROR, 0,
                       "\"%s\": column %u has no name in row 1; name it, or remove it", self->path,
                       i + 1);
          return FALSE;
        }
      for (guint k = 0; k < i; k++)
        if (vg_text_same_name (self->columns[i], self->columns[k]))
          {
            g_autofree char *quoted = vg_text_quote (self->columns[i]);

            g_set_error (error, VG_USAGE_ERROR, 0,
                         "\"%s\": columns %u and %u are both named %s; remove one", self->path,
                         k + 1, i + 1, quoted);
            return FALSE;
          }
    }
  return TRUE;
}

/* A name of a folder that is not hidden and lies in that of the results. */
static gboolean
check_name (const VgStudy *self, const VgStudyRow *row, GError **error)
{
  static const char *const tables[] = { "results.csv", "regions.csv", "notes.csv" };
  const char *name = row->name, *wrong = NULL;

  if (*name == '\0' || *name == '.')
    wrong = *name == '\0' ? "is empty" : "begins with a dot";
  else if (strlen (name) > LONGEST_NAME)
    wrong = "has more than 200 bytes";
  for (const char *at = name; *at != '\0' && wrong == NULL; at++)
    if (*at == '/' || g_ascii_iscntrl (*at))
      wrong = "has a slash or a line break";
  for (guint i = 0; i < G_N_ELEMENTS (tables) && wrong == NULL; i++)
    if (g_str_has_prefix (name, tables[i]))
      wrong = "is that of a table of the study";
  if (wrong != NULL)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "\"%s\", row %u: the name of the run %s; give another one in the column \"name\"",
                 self->path, row->number, wrong);
  return wrong == NULL;
}

static gboolean
fill_row (const VgStudy *self, VgStudyRow *row, const VgOperation *operation, GError **error)
{
  const char *id = get (self, row, "operation"), *file = get (self, row, "file"),
             *name = get (self, row, "name");
  g_autoptr (GStrvBuilder) inputs = g_strv_builder_new ();

  row->operation = *id != '\0' ? vg_operation_find (id) : operation;
  if (row->operation == NULL)
    {
      g_autofree char *quoted = vg_text_quote (id);

      if (*id == '\0')
        g_set_error (error, VG_USAGE_ERROR, 0,
                     "\"%s\", row %u names no operation; name one after run, as in vivograph run "
                     "flow --list, or in a column \"operation\"",
                     self->path, row->number);
      else
        g_set_error (error, VG_USAGE_ERROR, 0,
                     "\"%s\", row %u: no operation %s; vivograph describe lists all", self->path,
                     row->number, quoted);
      return FALSE;
    }
  if (*file != '\0')
    {
      g_autofree char *path = vg_study_resolve (self, file);

      g_strv_builder_add (inputs, path);
    }
  row->inputs = g_strv_builder_end (inputs);
  row->name = *name != '\0'   ? g_strdup (name)
              : *file != '\0' ? vg_text_file_stem (file)
                              : g_strdup ("");
  return check_name (self, row, error);
}

/* Results of two rows would replace each other. */
static gboolean
check_distinct (const VgStudy *self, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->rows->len; i++)
    {
      VgStudyRow *row = self->rows->pdata[i], *other = g_hash_table_lookup (seen, row->name);

      if (other != NULL)
        {
          g_set_error (error, VG_USAGE_ERROR, 0,
                       "\"%s\": rows %u and %u both have the name \"%s\"; remove one, or give each "
                       "row a name of its own in a column \"name\"",
                       self->path, other->number, row->number, row->name);
          return FALSE;
        }
      g_hash_table_insert (seen, row->name, row);
    }
  return TRUE;
}

static gboolean
add_row (VgStudy *self, guint number, char **cells, const VgOperation *operation, GError **error)
{
  guint columns = g_strv_length (self->columns), n = g_strv_length (cells);
  VgStudyRow *row;

  if (n == 0)
    return TRUE;
  if (n > columns)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\", row %u has %u cells, but row 1 names %u column%s; name the others, or "
                   "put quotes around a cell with commas",
                   self->path, number, n, columns, columns == 1 ? "" : "s");
      return FALSE;
    }
  row = g_new0 (VgStudyRow, 1);
  g_ptr_array_add (self->rows, row);
  row->number = number;
  row->cells = g_new0 (char *, columns + 1);
  for (guint i = 0; i < columns; i++)
    row->cells[i] = g_strdup (i < n ? cells[i] : "");
  return fill_row (self, row, operation, error);
}

VgStudy *
vg_study_load (const char *path, const VgOperation *operation, GError **error)
{
  g_autoptr (VgStudy) self = g_new0 (VgStudy, 1);
  g_autoptr (GPtrArray) lines = NULL;
  g_autofree char *whole = g_canonicalize_filename (path, NULL);

  self->path = g_strdup (path);
  self->folder = g_path_get_dirname (whole);
  self->rows = g_ptr_array_new_with_free_func (row_free);
  lines = vg_csv_load (path, error);
  if (lines == NULL)
    return NULL;
  self->columns = g_strdupv (lines->len > 0 ? lines->pdata[0] : (char *[]){ NULL });
  if (!g_strv_contains ((const char *const *) self->columns, "file") &&
      !g_strv_contains ((const char *const *) self->columns, "name"))
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\": row 1 names no column \"file\"; the first row must name the columns, "
                   "such as file,exposure-ms",
                   path);
      return NULL;
    }
  if (!check_columns (self, error))
    return NULL;
  for (guint i = 1; i < lines->len; i++)
    if (!add_row (self, i + 1, lines->pdata[i], operation, error))
      return NULL;
  if (self->rows->len == 0)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\" has no rows below row 1; add one for each file", path);
      return NULL;
    }
  return check_distinct (self, error) ? g_steal_pointer (&self) : NULL;
}
