/* SPDX-License-Identifier: MIT */
/* A table of curves as text: times in the first column, one curve in each other column, and their
 * names in the first line.  It becomes one row of pixels, one for each curve, whose frames are the
 * lines. */
#include "io/source/vg-source-private.h"
#include "kernels/base/vg-text.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  MAX_BYTES = 256 << 20,
  MAX_CURVES = 65536,
  MAX_ROWS = 65536,
  HEAD_BYTES = 1024,
  NAME_BYTES = 256,
  NUMBER_BYTES = 64
};

typedef struct
{
  VgSource parent;
  GArray *values; /* float, row by row */
} VgTableSource;

typedef struct
{
  const char *name;
  char separator;
  gboolean decimal_comma;
  double unit_s;    /* unit of the times */
  guint line;       /* number of the line that is parsed, from 1 */
  GPtrArray *cells; /* of that line, borrowed from the text */
  GPtrArray *names; /* of the curves, owned; empty: the table has no heading */
  guint columns;
  GArray *times, *values; /* double; float, row by row */
} Table;

static gboolean
table_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  gsize n = (gsize) source->info.width;

  memcpy (frame, (float *) (void *) ((VgTableSource *) source)->values->data + (gsize) index * n,
          n * sizeof (float));
  return TRUE;
}

static void
table_source_clear (VgSource *source)
{
  g_array_unref (((VgTableSource *) source)->values);
}

static const VgSourceClass table_class = { .read = table_read, .clear = table_source_clear };

/* Sets the error "TABLE cannot be read as a table of curves: line N ..." */
static gboolean G_GNUC_PRINTF (3, 4)
    refuse (const Table *self, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\" cannot be read as a table of curves: line %u %s", self->name, self->line,
               what);
  return FALSE;
}

/* Chooses what separates the cells from the first LINE.  Quoted text does not count. */
static void
choose_separator (Table *self, const char *line)
{
  static const char separators[] = { ';', '\t', ',' };
  gboolean quoted = FALSE, found[G_N_ELEMENTS (separators)] = { FALSE };

  for (const char *c = line; *c != '\0'; c++)
    {
      quoted = quoted != (*c == '"');
      for (guint i = 0; i < G_N_ELEMENTS (separators) && !quoted; i++)
        found[i] = found[i] || *c == separators[i];
    }
  self->separator = ' ';
  for (guint i = G_N_ELEMENTS (separators); i-- > 0;)
    if (found[i])
      self->separator = separators[i];
  self->decimal_comma = self->separator == ';' || self->separator == '\t';
}

/* Ends the quoted text at QUOTED, which begins behind the quote, in place; what follows it. */
static char *
unquote (char *quoted)
{
  char *to = quoted, *from = quoted;

  while (*from != '\0' && (*from != '"' || from[1] == '"'))
    {
      from += *from == '"';
      *to++ = *from++;
    }
  from += *from == '"';
  if (to < from)
    *to = '\0';
  return from;
}

/* Splits LINE in place.  More cells than a table may have are not listed. */
static void
split (Table *self, char *line)
{
  g_ptr_array_set_size (self->cells, 0);
  for (char *cell = line; cell != NULL && self->cells->len <= MAX_CURVES + 2;)
    {
      char *end, *rest;

      while (*cell == ' ' || (*cell == '\t' && self->separator != '\t'))
        cell++;
      if (*cell == '\0' && self->separator == ' ')
        break;
      rest = *cell == '"' ? unquote (++cell) : cell;
      end = strchr (rest, self->separator);
      if (end != NULL)
        *end = '\0';
      g_ptr_array_add (self->cells, g_strchomp (cell));
      cell = end != NULL ? end + 1 : NULL;
    }
  /* Some programs write a separator after the last cell too. */
  if (self->cells->len > 1 && self->cells->len != self->columns &&
      *(char *) g_ptr_array_index (self->cells, self->cells->len - 1) == '\0')
    g_ptr_array_set_size (self->cells, (int) self->cells->len - 1);
}

static gboolean
read_cell (const Table *self, guint i, double *value)
{
  const char *cursor = g_ptr_array_index (self->cells, i);
  char number[NUMBER_BYTES];

  if (self->decimal_comma && strchr (cursor, '.') == NULL && strlen (cursor) < sizeof number)
    {
      g_strlcpy (number, cursor, sizeof number);
      cursor = g_strdelimit (number, ",", '.');
    }
  return vg_text_read_number (&cursor, value) && vg_text_at_end (cursor);
}

/* Sets the unit of the times from the last word of their HEADING, such as "time (min)" or "t_ms".
 * FALSE and an error: the word is in brackets and no unit that is known. */
static gboolean
find_unit (Table *self, const char *heading, GError **error)
{
  static const struct
  {
    const char *const names[6];
    double s;
  } units[] = { { { "ms", "msec", "msecs", "millisecond", "milliseconds" }, 1e-3 },
                { { "min", "mins", "minute", "minutes" }, 60 },
                { { "s", "sec", "secs", "second", "seconds" }, 1 } };
  const char *end = heading + strlen (heading), *begin;
  g_autofree char *word = NULL, *quoted = NULL;

  while (end > heading && !g_ascii_isalpha (end[-1]) && (guchar) end[-1] < 0x80)
    end--;
  for (begin = end; begin > heading && (g_ascii_isalpha (begin[-1]) || (guchar) begin[-1] >= 0x80);)
    begin--;
  word = g_ascii_strdown (begin, end - begin);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_strv_contains (units[i].names, word))
      {
        self->unit_s = units[i].s;
        return TRUE;
      }
  quoted = vg_text_quote (word);
  return begin == heading || strchr ("([", begin[-1]) == NULL ||
         refuse (self, error, "has the times in an unknown unit, %s; write them in s, ms or min",
                 quoted);
}

/* REST follows the first line after MAX_ROWS times; NULL: nothing does. */
static gboolean
refuse_rest (const Table *self, const char *rest, GError **error)
{
  guint lines = self->line;

  for (const char *c = rest; c != NULL && *c != '\0'; lines++)
    {
      c = strchr (c, '\n');
      if (c != NULL)
        c++;
    }
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "\"%s\" has %u lines, but a table of curves may have at most %d times; split it, or "
               "leave out lines",
               self->name, lines, MAX_ROWS);
  return FALSE;
}

/* The first line: the names of the curves, unless it begins with a number. */
static gboolean
read_heading (Table *self, char *line, gboolean *taken, GError **error)
{
  g_autofree char *copy = g_strdup (line);
  double value;

  choose_separator (self, line);
  split (self, copy);
  self->columns = self->cells->len;
  if (self->columns > MAX_CURVES + 1)
    return refuse (self, error, "has more than %d curves; split the table", MAX_CURVES);
  if (self->columns < 2)
    return refuse (
        self, error,
        "has one column; write the times in the first column and one curve in each other "
        "column, with commas, semicolons or tabs between them");
  *taken = !read_cell (self, 0, &value);
  if (!*taken)
    return TRUE;
  if (!find_unit (self, g_ptr_array_index (self->cells, 0), error))
    return FALSE;
  for (guint i = 1; i < self->columns; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (g_ptr_array_index (self->cells, i), -1);
      char name[NAME_BYTES];

      vg_text_copy (name, sizeof name, vg_text_clean (valid));
      g_ptr_array_add (self->names, g_strdup (name));
    }
  return TRUE;
}

static gboolean
read_row (Table *self, char *line, GError **error)
{
  double value = 0, last;

  split (self, line);
  if (self->cells->len != self->columns)
    return refuse (self, error,
                   "has %u cells, but the first line has %u; give each line a time "
                   "and a value of every curve",
                   self->cells->len, self->columns);
  for (guint i = 0; i < self->columns; i++)
    {
      const char *cell = g_ptr_array_index (self->cells, i);
      g_autofree char *quoted = NULL, *curve = NULL;

      if (read_cell (self, i, &value) && fabs (value) <= FLT_MAX)
        {
          float narrow = (float) value;

          if (i > 0)
            g_array_append_val (self->values, narrow);
          else
            {
              value *= self->unit_s;
              last = self->times->len > 0
                         ? g_array_index (self->times, double, self->times->len - 1)
                         : -HUGE_VAL;
              if (!(value > last))
                return refuse (self, error,
                               "is at %g s, but the line before it at %g s; sort the table by time",
                               value, last);
              g_array_append_val (self->times, value);
            }
          continue;
        }
      quoted = *cell == '\0' ? NULL : vg_text_quote (cell);
      if (i == 0)
        return refuse (self, error, "has %s as its time; write the times in s in the first column",
                       quoted == NULL ? "no text" : quoted);
      curve = self->names->len > 0 ? vg_text_quote (g_ptr_array_index (self->names, i - 1))
                                   : g_strdup_printf ("%u", i);
      return refuse (self, error,
                     "has %s in curve %s, not a number; correct the cell, or leave out "
                     "the curve or the line",
                     quoted == NULL ? "an empty cell" : quoted, curve);
    }
  return TRUE;
}

static gboolean
read_table (Table *self, char *text, GError **error)
{
  gboolean begun = FALSE;

  /* the mark of UTF-8, and line ends of old programs */
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    text += 3;
  if (strchr (text, '\n') == NULL)
    g_strdelimit (text, "\r", '\n');
  for (char *line = text, *next; line != NULL; line = next)
    {
      gboolean taken = FALSE;

      next = strchr (line, '\n');
      if (next != NULL)
        *next++ = '\0';
      self->line++;
      if (strlen (line) > 0 && line[strlen (line) - 1] == '\r')
        line[strlen (line) - 1] = '\0';
      if (vg_text_at_end (line) || *line == '#')
        continue;
      if (self->times->len >= MAX_ROWS)
        return refuse_rest (self, next, error);
      if (!begun && !read_heading (self, line, &taken, error))
        return FALSE;
      begun = TRUE;
      if (!taken && !read_row (self, line, error))
        return FALSE;
    }
  return self->times->len >= 2 ||
         refuse (self, error, "is the last, after %u times; a curve needs at least two",
                 self->times->len);
}

static void
table_clear (Table *self)
{
  g_ptr_array_unref (self->cells);
  g_ptr_array_unref (self->names);
  g_array_unref (self->times);
  g_array_unref (self->values);
}

static VgSource *
source_new (Table *table)
{
  VgSource *source = vg_source_new (sizeof (VgTableSource), &table_class, table->name,
                                    "table of curves", -1);
  guint n = table->columns - 1;

  ((VgTableSource *) source)->values = g_array_ref (table->values);
  source->info.type = VG_F32;
  source->info.width = (int) n;
  source->info.height = 1;
  source->info.frames = table->times->len;
  source->info.curves = TRUE;
  source->names = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const char *name = table->names->len > 0 ? g_ptr_array_index (table->names, i) : "";

      source->names[i] = *name != '\0' ? g_strdup (name) : g_strdup_printf ("curve %u", i + 1);
    }
  source->details = g_strdup_printf ("A table of %u curves at %u times, which are %s.", n,
                                     table->times->len,
                                     table->unit_s == 60 ? "in min"
                                     : table->unit_s < 1 ? "in ms"
                                                         : "taken as s");
  vg_source_set_times (source, g_memdup2 (table->times->data, table->times->len * sizeof (double)));
  return source;
}

/* Whether HEAD, the first bytes of a file, is text that may be a table. */
static gboolean
is_text (const guint8 *head, gsize length)
{
  gsize first = length >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  for (gsize i = 0; i < length; i++)
    if (head[i] < 0x20 && head[i] != '\t' && head[i] != '\n' && head[i] != '\r')
      return FALSE;
  while (first < length && g_ascii_isspace (head[first]))
    first++;
  return first < length && strchr ("{<%", head[first]) == NULL;
}

/* The columns of the first line with text in HEAD. */
static guint
count_columns (const guint8 *head, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) head, length);
  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", -1);
  Table table = { .cells = g_ptr_array_new () };
  guint columns = 0;

  for (guint i = 0; lines[i] != NULL && columns == 0; i++)
    if (!vg_text_at_end (lines[i]) && *lines[i] != '#')
      {
        choose_separator (&table, lines[i]);
        split (&table, lines[i]);
        columns = table.cells->len;
      }
  g_ptr_array_unref (table.cells);
  return columns;
}

gboolean
vg_table_detect (int fd, guint *columns)
{
  guint8 head[HEAD_BYTES];
  gssize n = vg_pread_all (fd, head, sizeof head, 0);
  gboolean wide = n >= 2 &&
                  (memcmp (head, "\xff\xfe", 2) == 0 || memcmp (head, "\xfe\xff", 2) == 0);

  *columns = !wide && n > 0 && is_text (head, (gsize) n) ? count_columns (head, (gsize) n) : 0;
  return wide || *columns > 0;
}

VgSource *
vg_table_source_new (const VgSourceFile *file, GError **error)
{
  Table table = { .name = file->name, .unit_s = 1 };
  g_autofree char *text = file->size <= MAX_BYTES ? g_try_malloc ((gsize) file->size + 1) : NULL;
  VgSource *source = NULL;

  if (file->options->in_series)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" is a table of curves, which is a whole series; open it alone", file->name);
  else if (text == NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" is too large for a table of curves, or for the free memory; split it",
                 file->name);
  else if (vg_pread_all (file->fd, text, (gsize) file->size, 0) != file->size)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" became shorter while it was read; open it again", file->name);
  else if (memchr (text, '\0', (gsize) file->size) != NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" contains zero bytes, so it is not plain text; save it as CSV in UTF-8",
                 file->name);
  else
    {
      text[file->size] = '\0';
      table.cells = g_ptr_array_new ();
      table.names = g_ptr_array_new_with_free_func (g_free);
      table.times = g_array_new (FALSE, FALSE, sizeof (double));
      table.values = g_array_new (FALSE, FALSE, sizeof (float));
      if (read_table (&table, text, error))
        source = source_new (&table);
      table_clear (&table);
    }
  return source;
}
