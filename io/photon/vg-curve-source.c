/* SPDX-License-Identifier: MIT */
/* A decay or an instrument response function as text: one count per line, or times and counts in
 * two columns (CSV, tabs or blanks), after up to 64 lines of words.  It becomes one pixel whose
 * time bins are the counts. */
#include "io/source/vg-source-private.h"
#include "kernels/base/vg-text.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_BYTES = 4 << 20, MAX_BINS = 65536, MIN_BINS = 4, HEAD_LINES = 64 };

typedef struct
{
  VgSource parent;
  GArray *counts; /* float */
} VgCurveSource;

typedef struct
{
  GArray *times, *counts; /* double; times is empty if the file has one column */
  double unit_ns;         /* unit of the times */
  gboolean said;          /* the file gives the unit */
  guint columns;
} Table;

static gboolean
curve_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  GArray *counts = ((VgCurveSource *) source)->counts;

  memcpy (frame, counts->data, counts->len * sizeof (float));
  return TRUE;
}

static void
curve_clear (VgSource *source)
{
  g_array_unref (((VgCurveSource *) source)->counts);
}

static const VgSourceClass curve_class = { .read = curve_read, .clear = curve_clear };

/* Parses up to MAX values of a line and returns how many numbers it has; 0: it has other text. */
static guint
read_line (char *line, double *values, guint max)
{
  /* a comma is a decimal point if semicolons or tabs separate the columns */
  gboolean decimal_comma = strchr (line, ';') || (strchr (line, '\t') && !strchr (line, '.'));
  const char *cursor;
  guint n = 0;

  g_strdelimit (line, decimal_comma ? ";\t" : ";,\t", ' ');
  if (decimal_comma)
    g_strdelimit (line, ",", '.');
  g_strchomp (line);
  cursor = line;
  while (!vg_text_at_end (cursor))
    {
      double value;

      if (!vg_text_read_number (&cursor, &value))
        return 0;
      if (n < max)
        values[n] = value;
      n++;
    }
  return n;
}

/* Sets the unit of the times from a heading such as "time (ps)" or "t/ns". */
static void
find_unit (Table *self, const char *line)
{
  static const struct
  {
    const char *unit;
    double ns;
  } units[] = { { "ps", 1e-3 }, { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 } };

  for (guint i = 0; i < G_N_ELEMENTS (units) && !self->said; i++)
    for (const char *at = strstr (line, units[i].unit); at && !self->said;
         at = strstr (at + 1, units[i].unit))
      if ((at == line || !g_ascii_isalpha (at[-1])) &&
          !g_ascii_isalpha (at[strlen (units[i].unit)]))
        {
          self->unit_ns = units[i].ns;
          self->said = TRUE;
        }
}

/* FALSE: TEXT is no table of counts. */
static gboolean
read_table (Table *self, char *text)
{
  guint words = 0;

  for (char *line = text, *next; line; line = next)
    {
      double values[2] = { 0, 0 };
      g_autofree char *copy = NULL;
      guint n;

      next = strchr (line, '\n');
      if (next)
        *next++ = '\0';
      if (vg_text_at_end (g_strchomp (line)))
        continue;
      copy = g_strdup (line);
      n = read_line (line, values, 2);
      if (n == 0)
        {
          if (self->counts->len > 0 || ++words > HEAD_LINES)
            return FALSE;
          find_unit (self, copy);
          continue;
        }
      if (self->columns == 0)
        self->columns = n;
      if (n != self->columns || self->counts->len >= MAX_BINS || values[n > 1] < 0 ||
          values[n > 1] > FLT_MAX)
        return FALSE;
      g_array_append_val (self->counts, values[n > 1]);
      if (n > 1)
        g_array_append_val (self->times, values[0]);
    }
  return self->counts->len >= MIN_BINS;
}

/* The constant step of the times, in their unit; 0: the steps differ. */
static double
even_step (const Table *self)
{
  guint n = self->times->len;
  const double *t = (const double *) self->times->data;
  double step = n > 1 ? (t[n - 1] - t[0]) / (n - 1) : 0;

  for (guint i = 0; i < n; i++)
    if (!(fabs (t[i] - t[0] - i * step) <= 0.3 * step))
      return 0;
  return step > 0 && isfinite (step) ? step : 0;
}

/* Number of empty bins before the first line.  Bins are numbered from 0, or from 1 if the first
 * number is 1. */
static guint
first_bin (const Table *self)
{
  double first = g_array_index (self->times, double, 0);

  return first >= 2 && first + self->counts->len <= MAX_BINS ? (guint) first : 0;
}

/* The file as text, owned; NULL: it has zero bytes or is too long. */
static char *
read_text (int fd, gint64 size)
{
  g_autofree char *text = size <= MAX_BYTES ? g_malloc ((gsize) size + 1) : NULL;

  if (!text || vg_pread_all (fd, text, (gsize) size, 0) != size ||
      memchr (text, '\0', (gsize) size))
    return NULL;
  text[size] = '\0';
  return g_steal_pointer (&text);
}

static gboolean
parse (int fd, gint64 size, Table *table)
{
  g_autofree char *text = read_text (fd, size);

  *table = (Table){ .unit_ns = 1,
                    .times = g_array_new (FALSE, FALSE, sizeof (double)),
                    .counts = g_array_new (FALSE, FALSE, sizeof (double)) };
  return text && read_table (table, text);
}

static void
table_clear (Table *self)
{
  g_array_unref (self->times);
  g_array_unref (self->counts);
}

gboolean
vg_curve_detect (int fd, gint64 size)
{
  Table table;
  gboolean good = parse (fd, size, &table);

  table_clear (&table);
  return good;
}

VgSource *
vg_curve_source_new (int fd, const char *name, gint64 size)
{
  VgSource *source = NULL;
  Table table;
  double step;
  gboolean numbers; /* the first column numbers the bins */
  guint left_out;

  if (!parse (fd, size, &table))
    {
      table_clear (&table);
      return NULL;
    }
  step = even_step (&table);
  numbers = step == 1 && !table.said;
  left_out = numbers ? first_bin (&table) : 0;
  source = vg_source_new (sizeof (VgCurveSource), &curve_class, name, "text table", -1);
  source->info.type = VG_F32;
  source->info.width = source->info.height = 1;
  source->info.bins = left_out + table.counts->len;
  ((VgCurveSource *) source)->counts = g_array_new (FALSE, TRUE, sizeof (float));
  g_array_set_size (((VgCurveSource *) source)->counts, left_out);
  for (guint i = 0; i < table.counts->len; i++)
    {
      float count = (float) g_array_index (table.counts, double, i);

      g_array_append_val (((VgCurveSource *) source)->counts, count);
    }
  source->info.bin_width_ns = numbers ? 0 : step * table.unit_ns;
  source->details = g_strdup_printf (
      "A decay of %u bins; %s.", left_out + table.counts->len,
      table.times->len == 0 ? "the bin width is not in the file"
      : step == 0           ? "its times are not evenly spaced, so set the bin width"
      : numbers             ? "bins are numbered, without times, so set the bin width"
      : table.said          ? "times are in the unit that the file gives"
                            : "times are assumed to be in ns");
  table_clear (&table);
  return source;
}
