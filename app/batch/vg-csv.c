/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-csv.h"
#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"

enum { MOST_BYTES = 64 << 20 };

/* What stands most often between the names in the first line. */
static char
find_separator (const char *text)
{
  static const char separators[] = { ',', ';', '\t' };
  guint best = 0, counts[G_N_ELEMENTS (separators)] = { 0 };

  for (; *text != '\0' && *text != '\n'; text++)
    for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
      counts[i] += *text == separators[i];
  for (guint i = 1; i < G_N_ELEMENTS (separators); i++)
    best = counts[i] > counts[best] ? i : best;
  return separators[best];
}

/* Reads a cell at *CURSOR, which moves to what ends it.  NULL: a quote is not closed. */
static char *
read_cell (const char **cursor, char separator)
{
  GString *cell = g_string_new (NULL);
  const char *at = *cursor;
  gboolean quoted;

  while (*at == ' ')
    at++;
  quoted = *at == '"';
  at += quoted;
  for (; *at != '\0' && (quoted || (*at != separator && *at != '\n')); at++)
    if (quoted && at[0] == '"' && at[1] == '"')
      g_string_append_c (cell, *at++);
    else if (quoted && *at == '"')
      quoted = FALSE; /* what follows up to the separator belongs to it too */
    else
      g_string_append_c (cell, *at);
  *cursor = at;
  if (quoted)
    return g_string_free (cell, TRUE);
  return g_strstrip (g_string_free (cell, FALSE));
}

static GPtrArray *
parse (const char *path, const char *text, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  const char *at = g_str_has_prefix (text, "\357\273\277") ? text + 3 : text;
  char separator = find_separator (at);

  while (*at != '\0')
    {
      g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
      gboolean blank = TRUE, last = FALSE;

      while (!last)
        {
          char *cell = read_cell (&at, separator);

          if (cell == NULL)
            {
              g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                           "\"%s\": a quote in row %u is not closed; close it", path,
                           rows->len + 1);
              return NULL;
            }
          g_ptr_array_add (cells, cell);
          blank = blank && *cell == '\0';
          last = *at != separator;
          at += *at != '\0';
        }
      if (blank)
        g_ptr_array_set_size (cells, 0);
      g_ptr_array_add (cells, NULL);
      g_ptr_array_add (rows, g_ptr_array_steal (cells, NULL));
    }
  return g_steal_pointer (&rows);
}

/* Reads all of STREAM, but no more than MOST_BYTES + 1 bytes, and adds a null.  NULL without an
 * error: there is not enough memory. */
static char *
read_all (GInputStream *stream, gsize *length, GError **error)
{
  g_autofree char *text = NULL;
  gsize size = 1 << 12, n = 1;

  for (*length = 0; n > 0 && *length <= MOST_BYTES; size *= 2)
    {
      char *larger = g_try_realloc (text, size + 1);

      if (larger == NULL)
        return NULL;
      text = larger;
      if (!g_input_stream_read_all (stream, text + *length, MIN (size, MOST_BYTES + 1) - *length,
                                    &n, NULL, error))
        return NULL;
      *length += n;
    }
  text[*length] = '\0';
  return g_steal_pointer (&text);
}

/* The bytes of the file or pipe PATH, with a null after them.  NULL and an error, also if there are
 * more than MOST_BYTES. */
static char *
read_text (const char *path, gsize *length, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) local = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &local);
  g_autofree char *text = stream != NULL ? read_all (G_INPUT_STREAM (stream), length, &local)
                                         : NULL;

  if (local != NULL)
    {
      const char *why = access (path, R_OK) == 0 ? local->message : g_strerror (errno);

      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                   "cannot read the table \"%s\": %s; choose a table that can be read", path, why);
    }
  else if (text == NULL)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                 "there is not enough memory for the table \"%s\"; close other programs", path);
  else if (*length > MOST_BYTES)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" has more than 64 MiB, so it is no table of files; choose another file",
                 path);
  else
    return g_steal_pointer (&text);
  return NULL;
}

GPtrArray *
vg_csv_load (const char *path, GError **error)
{
  gsize length = 0;
  g_autofree char *text = read_text (path, &length, error);

  if (text == NULL)
    return NULL;
  if (strlen (text) != length || !g_utf8_validate (text, -1, NULL))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" is not text in UTF-8; save the table as CSV in UTF-8", path);
      return NULL;
    }
  return parse (path, text, error);
}
