/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-number-format.h"
#include <math.h>
#include <string.h>
#include "ui/words/vg-translation.h"

enum { MOST = 7, GROUP = 3, FROM_DIGITS = 5 };

/* Significant figures. */
static int figures = 4;

#define NARROW_SPACE "\342\200\257"

void
vg_format_set_figures (int n)
{
  figures = CLAMP (n, VG_LEAST_FIGURES, VG_MOST_FIGURES);
}

static char *
group (const char *text, const char *space)
{
  const char *first = text + (*text == '-' || *text == '+');
  gsize digits = strspn (first, "0123456789");
  GString *grouped = g_string_new_len (text, first - text);

  if (digits < FROM_DIGITS)
    return g_string_append (grouped, first), g_string_free (grouped, FALSE);
  for (gsize i = 0; i < digits; i++)
    {
      if (i > 0 && (digits - i) % GROUP == 0)
        g_string_append (grouped, space);
      g_string_append_c (grouped, first[i]);
    }
  g_string_append (grouped, first + digits);
  return g_string_free (grouped, FALSE);
}

char *
vg_format_group (const char *text)
{
  return group (text, NARROW_SPACE);
}

/* VALUE with DECIMALS; -0 is 0. */
static char *
format_decimals (double value, int decimals)
{
  g_autofree char *text = g_strdup_printf ("%.*f", decimals, value + 0.0);

  return vg_format_group (text);
}

static gboolean
is_whole (double value)
{
  return value == round (value) && fabs (value) < 1e12;
}

char *
vg_format_raise (const char *text)
{
  static const char *const raised[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  const char *mark = strchr (text, 'e');
  GString *whole;

  if (mark == NULL)
    return g_strdup (text);
  whole = g_string_new_len (text, mark - text);
  if (g_str_equal (whole->str, "1") || g_str_equal (whole->str, "-1"))
    g_string_truncate (whole, whole->len - 1);
  else
    g_string_append (whole, "×");
  g_string_append (whole, mark[1] == '-' ? "10⁻" : "10");
  for (mark += 2; *mark == '0' && mark[1] != '\0'; mark++)
    ;
  for (; *mark != '\0'; mark++)
    g_string_append (whole, raised[*mark - '0']);
  return g_string_free (whole, FALSE);
}

/* With as many digits as %g gives. */
static char *
format_figures (double value)
{
  g_autofree char *text = g_strdup_printf ("%.*g", figures, value);

  return vg_format_raise (text);
}

char *
vg_format_number (double value)
{
  if (!isfinite (value))
    return g_strdup ("–");
  if (is_whole (value) || (fabs (value) >= pow (10, figures - 1) && fabs (value) < 1e7))
    return format_decimals (value, 0);
  return format_figures (value);
}

char *
vg_format_steady (double value, const char *unit)
{
  g_autofree char *text = NULL;
  double size = fabs (value);

  if (!isfinite (value))
    return g_strdup ("–");
  if (size > 0 && size < 0.001 && g_strcmp0 (unit, "%") == 0)
    return g_strdup (_ ("below 0.001"));
  if (is_whole (value))
    return format_decimals (value, 0);
  if (size >= 1e7 || size < 1e-4) /* as in vg_format_number and at axes */
    {
      text = g_strdup_printf ("%.*e", figures - 1, value);
      return vg_format_raise (text);
    }
  /* 0.99999 is 1.000 too */
  return format_decimals (
      value, MAX (figures - 1 - (int) floor (log10 (size * (1 + 0.5 * pow (10, -figures)))), 0));
}

char *
vg_format_words (double value)
{
  double size = fabs (value);
  g_autofree char *text = NULL;

  if (!isfinite (value))
    return g_strdup ("–");
  if ((size > 0 && size < 1e-4) || size >= 1e12)
    return g_strdup_printf ("%.*g", figures, value);
  text = g_strdup_printf ("%.*f", size > 0 ? MAX (figures - 1 - (int) floor (log10 (size)), 0) : 0,
                          value + 0.0);
  if (strpbrk (text, ".,") != NULL)
    {
      gsize length = strlen (text);

      while (text[length - 1] == '0')
        text[--length] = '\0';
      if (!g_ascii_isdigit (text[length - 1]))
        text[--length] = '\0';
    }
  return group (text, " ");
}

char *
vg_format_with_error (double value, double error)
{
  int decimals = isfinite (error) && error > 0 ? 1 - (int) floor (log10 (error)) : 0;
  g_autofree char *number = NULL, *range = NULL;

  if (!isfinite (value) || !isfinite (error))
    return vg_format_number (value);
  if (error <= 0 || decimals > 9 || fabs (value) >= 1e9 || error >= 1e9)
    {
      g_autofree char *text = g_strdup_printf ("%.2g", error);

      number = format_figures (value + 0.0);
      range = vg_format_raise (text);
      return g_strdup_printf ("%s ± %s", number, range);
    }
  number = format_decimals (value, MAX (decimals, 0));
  range = format_decimals (error, MAX (decimals, 0));
  return g_strdup_printf ("%s ± %s", number, range);
}

char *
vg_format_with_quartiles (double median, double q25, double q75)
{
  double range = q75 - q25;
  int decimals = range > 0 ? CLAMP (1 - (int) floor (log10 (range)), 0, MOST) : 0;
  g_autofree char *middle = vg_format_fixed (median, decimals),
                  *low = vg_format_fixed (q25, decimals), *high = vg_format_fixed (q75, decimals);

  return g_strdup_printf (_ ("%s (%s to %s)"), middle, low, high);
}

const char *
vg_format_unit (const char *unit, double value)
{
  static const char *const counted[][2] = {
    { N_ ("map"), "maps" },
    { N_ ("photon"), "photons" },
    { N_ ("pixel"), "pixels" },
    { N_ ("count"), "counts" },
  };

  for (guint i = 0; unit != NULL && value == 1 && i < G_N_ELEMENTS (counted); i++)
    if (g_str_equal (unit, counted[i][1]))
      return counted[i][0];
  return unit != NULL ? unit : "";
}

char *
vg_format_compared (const char *value, const char *kept)
{
  return kept != NULL ? g_strdup_printf (_ ("now %s, kept %s"), value, kept)
                      : g_strdup_printf (_ ("now %s"), value);
}

int
vg_format_decimals (double largest)
{
  if (!(largest > 0) || !isfinite (largest))
    return 0;
  return CLAMP (figures - 1 - (int) floor (log10 (largest)), 0, MOST);
}

char *
vg_format_fixed (double value, int decimals)
{
  if (!isfinite (value))
    return g_strdup ("–");
  if (fabs (value) >= 1e9 || (decimals == MOST && value != 0 && fabs (value) < 1e-4))
    {
      g_autofree char *text = g_strdup_printf ("%.*e", figures - 1, value);

      return vg_format_raise (text);
    }
  return format_decimals (value, decimals);
}
