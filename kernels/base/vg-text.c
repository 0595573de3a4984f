/* SPDX-License-Identifier: MIT */
/* Numbers and names as text.  Names are compared by edit distance with
 * transpositions (Damerau, Commun. ACM 7, 171, 1964), restricted to adjacent
 * ones, on names without case and with '-' taken as '_'. */
#include "kernels/base/vg-text.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum {
  QUOTE_MAX = 60,      /* characters of a quoted text */
  NAME_MAX_LENGTH = 64 /* longer names are near nothing */
};

gboolean
vg_text_read_number (const char **cursor, double *value)
{
  const char *start = *cursor, *digits;
  char *end;
  double v;

  while (g_ascii_isspace (*start))
    start++;
  digits = start + (*start == '-' || *start == '+');
  /* strtod would also take "inf", "nan" and "0x1p3" */
  if (!g_ascii_isdigit (*digits) && !(*digits == '.' && g_ascii_isdigit (digits[1])))
    return FALSE;
  if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
    return FALSE;
  v = g_ascii_strtod (start, &end);
  if (end == start || !isfinite (v))
    return FALSE;
  *value = v;
  *cursor = end;
  return TRUE;
}

gboolean
vg_text_at_end (const char *cursor)
{
  while (g_ascii_isspace (*cursor))
    cursor++;
  return *cursor == '\0';
}

gboolean
vg_text_read_bool (const char *text, gboolean *value)
{
  static const char *const words[] = { "false", "true", "no", "yes", "off", "on", "0", "1" };
  g_autofree char *word = g_strstrip (g_strdup (text));

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (word, words[i]) == 0)
      {
        *value = (gboolean) (i & 1);
        return TRUE;
      }
  return FALSE;
}

/* FALSE: no decimal number of so many DIGITS, 15 or 16, is read as VALUE; found without text. TRUE:
 * perhaps.  A decimal number is an integer divided by a power, both exact, so their quotient is
 * what its text is read as. */
static gboolean
may_have_digits (double value, int digits)
{
  static const double powers[] = { 1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                   1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16 };
  const double inexact = 9007199254740992.0 - 1; /* 2^53: above it, not all integers are doubles */
  double size = fabs (value), nearest;
  int whole = 0; /* digits before the point */

  if (!(size >= 1 && size < powers[14]))
    return TRUE;
  while (size >= powers[whole])
    whole++;
  nearest = rint (size * powers[digits - whole]);
  if (!(nearest < inexact))
    return TRUE;
  for (double integer = nearest - 1; integer <= nearest + 1; integer++) /* the product is rounded */
    if (integer / powers[digits - whole] == size)
      return TRUE;
  return FALSE;
}

void
vg_text_append_number (GString *string, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  const char *formats[] = { "%.15g", "%.16g", "%.17g" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      gboolean last = i + 1 == G_N_ELEMENTS (formats);

      if (!last && !may_have_digits (value, 15 + (int) i))
        continue;
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if (last || g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  g_string_append (string, buffer);
}

void
vg_text_append_float (GString *string, float value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  const char *formats[] = { "%.6g", "%.7g", "%.8g", "%.9g" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if ((float) g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  g_string_append (string, buffer);
}

/* Whole numbers of ten thousandths with at most 15 digits are the shortest text of their value.
 * Slides have hundreds of numbers per nucleus, and these are written ten times as fast. */
void
vg_text_append_decimal (GString *string, double value)
{
  const double parts = round (value * 1e4);
  char buffer[24];
  int at = sizeof buffer, digits = 0;
  guint64 rest;

  if (!(fabs (parts) < 1e15))
    {
      vg_text_append_number (string, parts / 1e4);
      return;
    }
  rest = (guint64) fabs (parts);
  for (; digits < 4 && rest % 10 == 0; digits++) /* no zeros at the end */
    rest /= 10;
  for (gboolean point = digits < 4; digits < 5 || rest > 0; digits++, rest /= 10)
    {
      if (digits == 4 && point)
        buffer[--at] = '.';
      buffer[--at] = (char) ('0' + rest % 10);
    }
  if (signbit (parts))
    buffer[--at] = '-';
  g_string_append_len (string, buffer + at, (gssize) sizeof buffer - at);
}

static gboolean
is_like_formula (const char *text)
{
  const char *end = text;
  double number;

  if (strchr ("=+-@\t\r", *text) == NULL || *text == '\0')
    return FALSE;
  return !vg_text_read_number (&end, &number) || !vg_text_at_end (end);
}

char *
vg_text_with_error (double value, double error)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE], spread[G_ASCII_DTOSTR_BUF_SIZE], format[8];
  int decimals = isfinite (error) && error > 0 ? 1 - (int) floor (log10 (error)) : 0;

  if (!isfinite (value))
    return g_strdup ("–");
  if (!isfinite (error) || error <= 0 || decimals > 9 || fabs (value) >= 1e9 || error >= 1e9)
    {
      g_ascii_formatd (text, sizeof text,
                       fabs (value) >= 1e4 && fabs (value) < 1e9 ? "%.0f" : "%.4g", value);
      if (!isfinite (error))
        return g_strdup (text);
      g_ascii_formatd (spread, sizeof spread, "%.2g", error);
      return g_strdup_printf ("%s ± %s", text, spread);
    }
  g_snprintf (format, sizeof format, "%%.%df", MAX (decimals, 0));
  g_ascii_formatd (text, sizeof text, format, value + 0.0);
  g_ascii_formatd (spread, sizeof spread, format, error);
  return g_strdup_printf ("%s ± %s", text, spread);
}

void
vg_text_append_cell (GString *string, const char *text)
{
  g_string_append (string, is_like_formula (text) ? "\"'" : "\"");
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (string, '"');
      g_string_append_c (string, *p);
    }
  g_string_append_c (string, '"');
}

void
vg_text_copy (char *to, gsize size, const char *text)
{
  static const char more[] = "…";
  char *end;

  if (size == 0 || g_strlcpy (to, text, size) < size)
    return;
  end = to + (size > sizeof more ? size - sizeof more : 0);
  while (end > to && (*end & 0xC0) == 0x80) /* within a character */
    end--;
  g_strlcpy (end, size >= sizeof more ? more : "", sizeof more);
}

char *
vg_text_quote (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) strnlen (text, 8 * QUOTE_MAX));
  GString *quoted = g_string_new ("\"");
  int n = 0;

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p), n++)
    {
      gunichar c = g_utf8_get_char (p);

      if (n == QUOTE_MAX)
        {
          g_string_append (quoted, "…");
          break;
        }
      g_string_append_unichar (quoted, g_unichar_isprint (c) ? c : '?');
    }
  g_string_append_c (quoted, '"');
  return g_string_free (quoted, FALSE);
}

char *
vg_text_clean (char *text)
{
  for (char *at = text; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  return text;
}

static char
fold (char c)
{
  return c == '-' ? '_' : g_ascii_tolower (c);
}

gboolean
vg_text_same_name (const char *a, const char *b)
{
  for (; *a != '\0' && *b != '\0'; a++, b++)
    if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
      return FALSE;
  return *a == *b;
}

static int
edit_distance (const char *a, int na, const char *b, int nb)
{
  int rows[3][NAME_MAX_LENGTH + 1];
  int *before = rows[0], *above = rows[1], *row = rows[2];

  for (int j = 0; j <= nb; j++)
    above[j] = j;
  for (int i = 1; i <= na; i++)
    {
      int *oldest = before;

      row[0] = i;
      for (int j = 1; j <= nb; j++)
        {
          int d = above[j - 1] + (fold (a[i - 1]) != fold (b[j - 1]));

          d = MIN (d, MIN (above[j], row[j - 1]) + 1);
          if (i > 1 && j > 1 && fold (a[i - 1]) == fold (b[j - 2]) &&
              fold (a[i - 2]) == fold (b[j - 1]))
            d = MIN (d, before[j - 2] + 1);
          row[j] = d;
        }
      before = above;
      above = row;
      row = oldest;
    }
  return above[nb];
}

static gboolean
starts_with (const char *name, const char *text, int n)
{
  for (int i = 0; i < n; i++)
    if (fold (name[i]) != fold (text[i]))
      return FALSE;
  return TRUE;
}

const char *
vg_text_nearest (const char *const *names, guint n, const char *text)
{
  int length = (int) strnlen (text, NAME_MAX_LENGTH + 1);
  int best = MAX (1, length / 3) + 1;
  const char *nearest = NULL;

  if (length == 0 || length > NAME_MAX_LENGTH)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      int name_length = (int) strnlen (names[i], NAME_MAX_LENGTH + 1);
      int d;

      if (name_length > NAME_MAX_LENGTH)
        continue;
      d = edit_distance (text, length, names[i], name_length);
      if (length >= 3 && name_length > length && starts_with (names[i], text, length))
        d = MIN (d, 1); /* the unit was left out: "exposure" */
      /* and the rest is misspelt: "exposre" */
      for (int k = length; length >= 5 && k <= MIN (length + 1, name_length); k++)
        d = MIN (d, 1 + edit_distance (text, length, names[i], k));
      if (d < best)
        {
          best = d;
          nearest = names[i];
        }
    }
  return nearest;
}

/* Cuts the last ending of NAME; "": it has none. */
static const char *
cut_ending (char *name)
{
  char *dot = *name != '\0' ? strrchr (name + 1, '.') : NULL;

  if (dot == NULL)
    return "";
  *dot = '\0';
  return dot + 1;
}

char *
vg_text_file_stem (const char *path)
{
  static const char *const packed[] = { "gz", "bz2", "xz", "zst" };
  char *name = g_path_get_basename (path);
  const char *ending = cut_ending (name);

  for (guint i = 0; i < G_N_ELEMENTS (packed); i++)
    if (g_ascii_strcasecmp (ending, packed[i]) == 0)
      {
        cut_ending (name);
        break;
      }
  ending = strrchr (name, '.');
  if (ending != NULL && g_ascii_strcasecmp (ending, ".ome") == 0)
    cut_ending (name);
  return name;
}
