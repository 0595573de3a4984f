/* SPDX-License-Identifier: MIT */
/* Input curves that were saved and are read again, and the average of several tables. */
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"
#include <string.h>

/* A table of FRAMES times from BEGIN on, of curves that rise to A and P (0: no portal curve). */
static char *
table_of (const char *heading, double begin, double a, double p)
{
  GString *text = g_string_new (heading);

  for (int i = 0; i < FRAMES; i++)
    {
      g_string_append_printf (text, "%g,%g", begin + STEP * i, a * concentration (0, i));
      if (p > 0)
        g_string_append_printf (text, ",%g", p * concentration (0, i));
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* The study with input tables of the TEXTS, which are freed. */
static VgPerfusionStudy *
average_of (char **texts, gboolean dual, GError **error)
{
  static const char *const names[] = { "a.csv", "b.csv", "c.csv" };
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  g_autofree char *text = g_strjoinv ("\f", texts);
  VgImage *image = vg_image_new_text (g_strdup (text), strlen (text), "a.csv and more");
  guint n = g_strv_length (texts);
  VgPerfusionStudy *study;

  set (&f, "artery", "");
  f.params->inputs = !dual;
  if (n > 1)
    {
      image->names = g_new0 (char *, n + 1);
      for (guint i = 0; i < n; i++)
        image->names[i] = g_strdup (names[i]);
    }
  give (&f, "input_tables", image);
  study = study_of (&f, error);
  fixture_clear (&f);
  for (guint i = 0; i < n; i++)
    g_free (texts[i]);
  return study;
}

/* The curves of a run are those of the next that reads its file. */
static void
test_again (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  g_autoptr (VgPerfusionStudy) first = study_of (&f, NULL), again = NULL;
  g_autofree char *name = NULL;
  char *texts[] = { vg_perfusion_inputs_text (first, &name), NULL };

  g_assert_true (g_str_has_prefix (texts[0], "time_s,artery [mM],portal [mM]\n"));
  again = average_of (texts, TRUE, NULL);
  g_assert_cmpuint (again->averaged, ==, 1);
  g_assert_true (!again->population && !again->dispersed);
  for (int i = 0; i < FRAMES; i++)
    {
      g_assert_cmpfloat_with_epsilon (again->artery[i], first->artery[i], 1e-5);
      g_assert_cmpfloat_with_epsilon (again->portal[i], first->portal[i], 1e-5);
    }
  fixture_clear (&f);
}

static void
test_average (void)
{
  char *texts[] = { table_of ("time_s,artery [mM]\n", 0, 1, 0), table_of ("", 0, 2, 0),
                    table_of ("# by hand\nt;a [mM]\n", 0, 6, 0), NULL },
       *two[] = { table_of ("t,a,p\n", 0, 1, 0.5), table_of ("t,a,p\n", 0, 3, 1.5), NULL };
  g_autoptr (VgPerfusionStudy) artery = average_of (texts, TRUE, NULL),
                               both = average_of (two, TRUE, NULL);

  g_assert_true (artery->averaged == 3 && artery->dispersed && !artery->population);
  g_assert_true (both->averaged == 2 && !both->dispersed);
  for (int i = 0; i < FRAMES; i++)
    {
      g_assert_cmpfloat_with_epsilon (artery->artery[i], 3 * concentration (0, i), 1e-4);
      g_assert_cmpfloat_with_epsilon (both->artery[i], 2 * concentration (0, i), 1e-4);
      g_assert_cmpfloat_with_epsilon (both->portal[i], concentration (0, i), 1e-4);
    }
}

static void
test_refused (void)
{
  struct
  {
    char *texts[3];
    const char *message;
  } cases[] = {
    { { table_of ("t,a [mM]\n", 0, 1, 0), table_of ("t,a [mg/ml]\n", 0, 1, 0) },
      "but those of the data are in mM" },
    { { table_of ("t,a [ mg/ml ]\n", 0, 1, 0) }, "\"a.csv and more\" has concentrations in" },
    { { table_of ("", 0, 1, 0), table_of ("", 20, 1, 0) },
      "\"a.csv\" covers 0 to 60 s, but \"b.csv\" 20 to 80 s" },
    { { table_of ("", 0, 1, 0), table_of ("", 0, 1, 1) },
      "\"b.csv\" has a curve of the portal vein, but \"a.csv\" has none" },
    { { table_of ("", 0, 1, 0), g_strdup ("1\n2\n3\n") }, "\"b.csv\" has no times" },
    { { table_of ("", 0, 1, 0), g_strdup ("words\n") }, "\"b.csv\" has no row" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (average_of (cases[i].texts, FALSE, &error));
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

/* Of data in an unknown unit, the tables must agree among themselves. */
static void
test_units (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  g_autofree char *a = table_of ("t,a [mM]\n", 0, 1, 0), *b = table_of ("t,a [mg/ml]\n", 0, 1, 0),
                  *text = g_strjoin ("\f", a, b, NULL);
  VgImage *image = vg_image_new_text (g_strdup (text), strlen (text), "several");
  g_autoptr (GError) error = NULL;

  image->names = g_strsplit ("a.csv b.csv", " ", -1);
  set (&f, "artery", "");
  set (&f, "signal", "concentration");
  give (&f, "input_tables", image);
  g_assert_null (study_of (&f, &error));
  g_assert_nonnull (strstr (error->message, "but \"b.csv\" in"));
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-tables/again", test_again);
  g_test_add_func ("/perfusion-tables/average", test_average);
  g_test_add_func ("/perfusion-tables/refused", test_refused);
  g_test_add_func ("/perfusion-tables/units", test_units);
  return g_test_run ();
}
