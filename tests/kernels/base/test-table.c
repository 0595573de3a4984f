/* SPDX-License-Identifier: MIT */
/* Tables of numbers and their text. */
#include "kernels/base/vg-error.h"
#include "kernels/tables/vg-table.h"
#include <math.h>
#include <string.h>

static void
test_round_trip (void)
{
  for (int n = 0; n < 300; n++)
    {
      VgTable *table = vg_table_new (g_test_rand_int_range (1, 20), g_test_rand_int_range (1, 8));
      VgTable *copy, *back;
      g_autofree char *text = NULL;

      for (int i = 0; i < table->rows * table->columns; i++)
        table->values[i] = ldexp (g_test_rand_double_range (-1, 1),
                                  g_test_rand_int_range (-60, 60));
      copy = vg_table_copy (table);
      text = vg_table_format (table);
      back = vg_table_parse (text, table->columns, NULL);
      g_assert_nonnull (back);
      g_assert_cmpint (back->rows, ==, table->rows);
      g_assert_true (vg_table_equal (table, back));
      g_assert_true (vg_table_equal (table, copy));
      copy->values[0] += 1e-3 + fabs (copy->values[0]);
      g_assert_false (vg_table_equal (table, copy));
      vg_table_free (table);
      vg_table_free (copy);
      vg_table_free (back);
    }
}

static void
test_blanks (void)
{
  VgTable *table = vg_table_parse (" 1 , 2.5 ;\n -3,4e2 ", 2, NULL);
  double expected[] = { 1, 2.5, -3, 400 };

  g_assert_nonnull (table);
  g_assert_cmpint (table->rows, ==, 2);
  g_assert_cmpmem (table->values, sizeof expected, expected, sizeof expected);
  vg_table_free (table);
}

static void
test_refused (void)
{
  struct
  {
    const char *text, *names;
  } cases[] = {
    { "", "row 1" },
    { ";", "row 1" },
    { "1", "row 1" },
    { "1,2,3", "row 1" },
    { "1,2;3", "row 2" },
    { "1,2;", "row 2" },
    { "1,2;3,x", "row 2, column 2" },
    { "1,nan", "column 2" },
    { "1,1e400", "column 2" },
    { "1;2", "row 1" },
    { "1,,2", "column 2" },
    { "1,2 3", "row 1" },
    { "1,0x10", "column 2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (vg_table_parse (cases[i].text, 2, &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
      g_assert_nonnull (strstr (error->message, cases[i].names));
      g_assert_null (strchr (error->message, '\n'));
    }
}

static void
test_too_large (void)
{
  gsize n = 2 * (VG_TABLE_MAX_CELLS + 1);
  g_autofree char *text = g_malloc (n + 1);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < n; i++)
    text[i] = i & 1 ? ';' : '1';
  text[n - 1] = '\0';
  g_assert_null (vg_table_parse (text, 1, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
}

static void
test_empty (void)
{
  VgTable *table = vg_table_new (0, 3);
  g_autofree char *text = vg_table_format (table);

  g_assert_cmpstr (text, ==, "");
  g_assert_true (vg_table_equal (NULL, NULL));
  g_assert_false (vg_table_equal (table, NULL));
  g_assert_null (vg_table_copy (NULL));
  vg_table_free (table);
  vg_table_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table/round-trip", test_round_trip);
  g_test_add_func ("/table/blanks", test_blanks);
  g_test_add_func ("/table/refused", test_refused);
  g_test_add_func ("/table/too-large", test_too_large);
  g_test_add_func ("/table/empty", test_empty);
  return g_test_run ();
}
