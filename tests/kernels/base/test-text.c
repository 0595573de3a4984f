/* SPDX-License-Identifier: MIT */
/* Numbers and names as text. */
#include "kernels/base/vg-text.h"
#include <locale.h>
#include <math.h>
#include <string.h>

static double
random_double (void)
{
  union
  {
    guint64 bits;
    double value;
  } u;

  do
    u.bits = (guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
  while (!isfinite (u.value));
  return u.value;
}

static float
random_float (void)
{
  union
  {
    guint32 bits;
    float value;
  } u;

  do
    u.bits = (guint32) g_test_rand_int ();
  while (!isfinite (u.value));
  return u.value;
}

static void
test_round_trip (void)
{
  for (int i = 0; i < 20000; i++)
    {
      g_autoptr (GString) string = g_string_new (NULL);
      double value = random_double (), back = NAN;
      float single = random_float ();
      const char *cursor;

      vg_text_append_number (string, value);
      cursor = string->str;
      g_assert_true (vg_text_read_number (&cursor, &back));
      g_assert_true (vg_text_at_end (cursor));
      g_assert_true (back == value);

      g_string_truncate (string, 0);
      vg_text_append_float (string, single);
      cursor = string->str;
      g_assert_true (vg_text_read_number (&cursor, &back));
      g_assert_true ((float) back == single);
      g_assert_cmpuint (string->len, <=, 16);
    }
}

static void
test_short (void)
{
  struct
  {
    double value;
    const char *text;
  } cases[] = {
    { 0, "0" },        { 0.1, "0.1" }, { -2.5, "-2.5" },
    { 1e21, "1e+21" }, { 100, "100" }, { 1.0 / 3, "0.3333333333333333" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) string = g_string_new (NULL);

      vg_text_append_number (string, cases[i].value);
      g_assert_cmpstr (string->str, ==, cases[i].text);
    }
}

static void
test_refused (void)
{
  const char *texts[] = {
    "",   " ",  "x",    "nan",    "NaN",   "inf",          "-inf", "infinity", "+",  "-",       ".",
    "-.", "e5", "0x10", "-0X1p3", "1e400", "-1e999999999", "+-1",  "--1",      ",1", "\xff\xfe"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *cursor = texts[i];
      double value = 42;

      g_assert_false (vg_text_read_number (&cursor, &value));
      g_assert_true (cursor == texts[i]);
      g_assert_cmpfloat (value, ==, 42);
    }
}

static void
test_cursor (void)
{
  const char *text = "  1.5e3,+2 .25x", *cursor = text;
  double value;

  g_assert_true (vg_text_read_number (&cursor, &value));
  g_assert_cmpfloat (value, ==, 1500);
  g_assert_cmpint (*cursor, ==, ',');
  cursor++;
  g_assert_true (vg_text_read_number (&cursor, &value));
  g_assert_cmpfloat (value, ==, 2);
  g_assert_false (vg_text_at_end (cursor));
  g_assert_true (vg_text_read_number (&cursor, &value));
  g_assert_cmpfloat (value, ==, 0.25);
  g_assert_cmpstr (cursor, ==, "x");
}

/* The first of 15, 16 and 17 digits that is read back as VALUE. */
static char *
format_by_reading (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  const char *formats[] = { "%.15g", "%.16g", "%.17g" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  return g_strdup (buffer);
}

static void
test_shortest (void)
{
  for (int i = 0; i < 50000; i++)
    {
      double power = pow (10, g_test_rand_int_range (-2, 16)),
             value = g_test_rand_double_range (-10, 10) * power;
      g_autoptr (GString) string = g_string_new (NULL);
      g_autofree char *expected = NULL;

      if (i % 3 == 1) /* beside a power of ten */
        value = nextafter (power, i % 2 != 0 ? 0 : INFINITY);
      else if (i % 3 == 2) /* with fewer digits */
        value = rint (value * 1e3) / 1e3;
      expected = format_by_reading (value);
      vg_text_append_number (string, value);
      g_assert_cmpstr (string->str, ==, expected);
    }
}

/* A locale with a decimal comma changes nothing, where one is installed. */
static void
test_locale (void)
{
  const char *cursor = "2.5";
  double value;
  g_autoptr (GString) string = g_string_new (NULL);

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL &&
      setlocale (LC_NUMERIC, "fr_FR.UTF-8") == NULL)
    {
      g_test_skip ("no locale with a decimal comma is installed");
      return;
    }
  g_assert_true (vg_text_read_number (&cursor, &value));
  vg_text_append_number (string, value);
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpfloat (value, ==, 2.5);
  g_assert_cmpstr (string->str, ==, "2.5");
}

static void
test_quote (void)
{
  g_autofree char *plain = vg_text_quote ("abc");
  g_autofree char *lines = vg_text_quote ("a\nb\x1b[0m\xff");
  g_autofree char *long_text = g_strnfill (100000, 'x');
  g_autofree char *cut = vg_text_quote (long_text);

  g_assert_cmpstr (plain, ==, "\"abc\"");
  g_assert_null (strpbrk (lines, "\n\x1b"));
  g_assert_true (g_utf8_validate (lines, -1, NULL));
  g_assert_cmpuint (strlen (cut), <, 80);
}

static void
test_clean (void)
{
  g_autofree char *text = g_strdup ("a\x1b[0m\r\n\x7f\tb \xc3\xa4");

  g_assert_cmpstr (vg_text_clean (text), ==, "a [0m    b \xc3\xa4");
}

static void
test_same_name (void)
{
  g_assert_true (vg_text_same_name ("exposure_ms", "exposure-ms"));
  g_assert_true (vg_text_same_name ("", ""));
  g_assert_false (vg_text_same_name ("exposure", "exposure_ms"));
  g_assert_false (vg_text_same_name ("exposure_ms", "exposure"));
  g_assert_false (vg_text_same_name ("a", "A"));
}

static void
test_nearest (void)
{
  const char *const names[] = { "exposure_ms", "radius", "frames", "dark_level", "method" };
  struct
  {
    const char *text, *nearest;
  } cases[] = {
    { "exposure-ms", "exposure_ms" },
    { "exposre_ms", "exposure_ms" },
    { "exposure", "exposure_ms" },
    { "exposre", "exposure_ms" },
    { "Radius", "radius" },
    { "raduis", "radius" },
    { "frame", "frames" },
    { "metod", "method" },
    { "darklevel", "dark_level" },
    { "wavelength", NULL },
    { "", NULL },
    { "x", NULL },
    { "zz", NULL },
  };
  g_autofree char *endless = g_strnfill (1 << 20, 'r');

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (vg_text_nearest (names, G_N_ELEMENTS (names), cases[i].text), ==,
                     cases[i].nearest);
  g_assert_null (vg_text_nearest (names, G_N_ELEMENTS (names), endless));
  g_assert_null (vg_text_nearest (NULL, 0, "radius"));
}

/* One random slip in a name always leads back to it. */
static void
test_slips (void)
{
  const char *const names[] = { "exposure_ms", "wavelength_nm", "iterations", "background" };

  for (int i = 0; i < 500; i++)
    {
      const char *name = names[g_test_rand_int_range (0, G_N_ELEMENTS (names))];
      g_autoptr (GString) slip = g_string_new (name);
      int at = g_test_rand_int_range (0, (int) slip->len - 1);
      char swapped = slip->str[at];

      switch (g_test_rand_int_range (0, 4))
        {
        case 0:
          g_string_erase (slip, at, 1);
          break;
        case 1:
          g_string_insert_c (slip, at, (char) g_test_rand_int_range ('a', 'z'));
          break;
        case 2:
          slip->str[at] = (char) g_test_rand_int_range ('a', 'z');
          break;
        default:
          slip->str[at] = slip->str[at + 1];
          slip->str[at + 1] = swapped;
        }
      g_assert_cmpstr (vg_text_nearest (names, G_N_ELEMENTS (names), slip->str), ==, name);
    }
}

/* The same text as that of the shortest number that reads back. */
static void
test_decimals (void)
{
  static const double values[] = { 0.0,   -0.0,        -0.00001, 0.00005,  0.0001,     -0.00125,
                                   1.0,   10.0,        -100.0,   12.5,     1234.5678,  0.1,
                                   1e10,  99999.99995, 1e11,     -3e12,    1e15 + 0.5, 1e22,
                                   1e300, NAN,         INFINITY, -INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (values) + 20000; i++)
    {
      double value = i < G_N_ELEMENTS (values) ? values[i]
                                               : pow (10.0, g_test_rand_double_range (-6.0, 14.0)) *
                                                     (g_test_rand_bit () ? 1.0 : -1.0);
      g_autoptr (GString) fast = g_string_new ("x"), slow = g_string_new ("x");

      vg_text_append_decimal (fast, value);
      vg_text_append_number (slow, round (value * 1e4) / 1e4);
      g_assert_cmpstr (fast->str, ==, slow->str);
    }
}

/* A spreadsheet takes none of them for a formula, and each is one cell. */
static void
test_cells (void)
{
  static const char *const cells[][2] = {
    { "vein", "\"vein\"" },
    { "vein \"a\", left", "\"vein \"\"a\"\", left\"" },
    { "=1+1", "\"'=1+1\"" },
    { "+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\"" },
    { "-left", "\"'-left\"" },
    { "@SUM(A1)", "\"'@SUM(A1)\"" },
    { "\t=1", "\"'\t=1\"" },
    { "-5", "\"-5\"" },
    { "+1.5e3 ", "\"+1.5e3 \"" },
    { "a=b", "\"a=b\"" },
    { "", "\"\"" },
    { "-", "\"'-\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      vg_text_append_cell (text, cells[i][0]);
      g_assert_cmpstr (text->str, ==, cells[i][1]);
    }
}

/* A text that is cut ends with a whole character and "…". */
static void
test_copy (void)
{
  static const struct
  {
    gsize size;
    const char *text, *copy;
  } cases[] = { { 8, "abcdefg", "abcdefg" }, { 8, "abcdefgh", "abcd…" },
                { 8, "abcµµµ", "abc…" },     { 8, "µµµµ", "µµ…" },
                { 5, "µµµ", "…" },           { 4, "abcd", "…" },
                { 3, "abcd", "" },           { 1, "a", "" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char copy[16] = "###############";

      vg_text_copy (copy, cases[i].size, cases[i].text);
      g_assert_cmpstr (copy, ==, cases[i].copy);
      g_assert_cmpint (copy[cases[i].size], ==, '#');
    }
}

static void
test_bool (void)
{
  static const char *const words[] = { "false", "TRUE", " No ", "yes", "off", "On", "0", "1" };
  gboolean value = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_assert_true (vg_text_read_bool (words[i], &value));
      g_assert_cmpint (value, ==, i & 1);
    }
  g_assert_false (vg_text_read_bool ("", &value));
  g_assert_false (vg_text_read_bool ("maybe", &value));
}

static void
test_file_stem (void)
{
  static const char *const cases[][2] = {
    { "/a.b/conc_4d.nii", "conc_4d" },
    { "/a.b/conc_4d.nii.gz", "conc_4d" },
    { "Cells.OME.TIF", "Cells" },
    { "cells.ome.tif", "cells" },
    { "stack.tif.GZ", "stack" },
    { "a.b.tif", "a.b" },
    { ".hidden", ".hidden" },
    { "plain", "plain" },
    { "x.gz", "x" },
    { "/", "/" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *stem = vg_text_file_stem (cases[i][0]);

      g_assert_cmpstr (stem, ==, cases[i][1]);
    }
}

/* A value has as many decimals as two figures of its error. */
static void
test_with_error (void)
{
  static const struct
  {
    double value, error;
    const char *text;
  } cases[] = {
    { 16.114, 1.6, "16.1 ± 1.6" },
    { 16.114, 0.163, "16.11 ± 0.16" },
    { 120.4, 23.7, "120 ± 24" },
    { 1234.5, 250.2, "1234 ± 250" },
    { 0.3, 0.00093, "0.30000 ± 0.00093" },
    { -0.04, 0.5, "-0.04 ± 0.50" },
    { 5, 0, "5 ± 0" },
    { 16.114, NAN, "16.11" },
    { 123456, INFINITY, "123456" },
    { NAN, 1, "–" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = vg_text_with_error (cases[i].value, cases[i].error);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/round-trip", test_round_trip);
  g_test_add_func ("/text/shortest", test_shortest);
  g_test_add_func ("/text/cells", test_cells);
  g_test_add_func ("/text/decimals", test_decimals);
  g_test_add_func ("/text/short", test_short);
  g_test_add_func ("/text/refused", test_refused);
  g_test_add_func ("/text/cursor", test_cursor);
  g_test_add_func ("/text/locale", test_locale);
  g_test_add_func ("/text/with-error", test_with_error);
  g_test_add_func ("/text/quote", test_quote);
  g_test_add_func ("/text/clean", test_clean);
  g_test_add_func ("/text/copy", test_copy);
  g_test_add_func ("/text/bool", test_bool);
  g_test_add_func ("/text/file-stem", test_file_stem);
  g_test_add_func ("/text/same-name", test_same_name);
  g_test_add_func ("/text/nearest", test_nearest);
  g_test_add_func ("/text/slips", test_slips);
  return g_test_run ();
}
