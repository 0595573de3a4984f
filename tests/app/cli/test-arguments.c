/* SPDX-License-Identifier: MIT */
/* Arguments of a command, against a table of its own. */
#include "app/cli/vg-arguments.h"
#include "kernels/base/vg-error.h"

typedef struct
{
  float gain_db;
  int window;
  gboolean smooth;
} P;

static const VgParam items[] = {
  VG_FLOAT_PARAM (P, gain_db, .label = "Gain", .help = "Gain.", .unit = "dB", .min = -100,
                  .max = 100),
  VG_INT_PARAM (P, window, .label = "Window", .help = "Window.", .def = 1, .min = 1, .max = 9),
  VG_BOOL_PARAM (P, smooth, .label = "Soft edges", .help = "Smooth."),
};
static const VgParamTable table = { items, G_N_ELEMENTS (items), sizeof (P) };
static const VgOption options[] = { { "out", "DIR", "Folder." },
                                    { "quick", NULL, "Quick." },
                                    { "frames", "N", "Count." } };

static VgArguments *
parse (const char *line, GError **error)
{
  g_auto (GStrv) argv = g_strsplit (line, " ", -1);

  return vg_arguments_parse (*line == '\0' ? 0 : (int) g_strv_length (argv), argv, options,
                             G_N_ELEMENTS (options), &table, error);
}

static void
check_setting (VgArguments *self, guint i, const char *id, const char *text)
{
  g_assert_cmpuint (self->settings->len, >, i);
  g_assert_cmpstr (g_array_index (self->settings, VgSetting, i).param->id, ==, id);
  g_assert_cmpstr (g_array_index (self->settings, VgSetting, i).text, ==, text);
}

static void
test_forms (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgArguments) self = parse ("a.tif --gain-db -3.5 --out=x=y --window=4 --gain_db=2 "
                                        "--quick b.tif --smooth c.tif --smooth off - -- --d.tif",
                                        &error);

  g_assert_no_error (error);
  g_assert_cmpuint (self->settings->len, ==, 5);
  check_setting (self, 0, "gain_db", "-3.5");
  check_setting (self, 1, "window", "4");
  check_setting (self, 2, "gain_db", "2");
  check_setting (self, 3, "smooth", "on");
  check_setting (self, 4, "smooth", "off");
  g_assert_cmpstr (vg_arguments_get (self, "out"), ==, "x=y");
  g_assert_cmpstr (vg_arguments_get (self, "quick"), ==, "");
  g_assert_null (vg_arguments_get (self, "frames"));
  g_assert_cmpuint (self->plain->len, ==, 6);
  g_assert_cmpstr (self->plain->pdata[2], ==, "c.tif");
  g_assert_cmpstr (self->plain->pdata[3], ==, "-");
  g_assert_cmpstr (self->plain->pdata[4], ==, "--d.tif");
  g_assert_null (self->plain->pdata[5]);
}

typedef struct
{
  const char *line, *message;
} Bad;

static const Bad bad[] = {
  { "--windo 3", "did you mean --window?" },
  { "--zzzzzzzz 3", "--help lists all" },
  { "--soft-edges 1", "did you mean --smooth?" }, /* the name in the window */
  { "--window", "--window needs a value: 1 to 9" },
  { "--window --quick", "--window needs a value" },
  { "--out", "--out needs a value: DIR" },
  { "--out=", "--out needs a value" },
  { "--quick=1", "--quick takes no value" },
  { "-x", "unknown option -x" },
};

static void
test_bad (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgArguments) self = parse (bad[i].line, &error);

      g_assert_null (self);
      g_assert_error (error, VG_USAGE_ERROR, 0);
      if (strstr (error->message, bad[i].message) == NULL)
        g_error ("\"%s\" gives \"%s\"", bad[i].line, error->message);
    }
}

static void
test_integers (void)
{
  static const char *const wrong[] = { "--frames x", "--frames 0", "--frames 11", "--frames 3.5",
                                       "--frames 99999999999999999999" };
  gint64 value = 7;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (VgArguments) self = parse (wrong[i], NULL);
      g_autoptr (GError) error = NULL;

      g_assert_false (vg_arguments_get_integer (self, "frames", 1, 10, &value, &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
      g_assert_cmpint (value, ==, 7);
    }
  g_autoptr (VgArguments) right = parse ("--frames 10", NULL), none = parse ("", NULL);
  g_assert_true (vg_arguments_get_integer (none, "frames", 1, 10, &value, NULL));
  g_assert_cmpint (value, ==, 7);
  g_assert_true (vg_arguments_get_integer (right, "frames", 1, 10, &value, NULL));
  g_assert_cmpint (value, ==, 10);
}

static int
first (const char *line)
{
  static const char *const names[] = { "apple", "pear", NULL };
  g_auto (GStrv) argv = g_strsplit (line, " ", -1);

  return vg_arguments_first_plain ((int) g_strv_length (argv), argv, options,
                                   G_N_ELEMENTS (options), names);
}

static void
test_first_plain (void)
{
  g_assert_cmpint (first ("apple x.tif"), ==, 0);
  g_assert_cmpint (first ("--out DIR apple"), ==, 2);
  g_assert_cmpint (first ("--out=DIR --window 3 apple"), ==, 3);
  g_assert_cmpint (first ("--smooth pear"), ==, 1);
  g_assert_cmpint (first ("--quick appel x.tif"), ==, 1);
  g_assert_cmpint (first ("-- apple"), ==, 1);
  g_assert_cmpint (first ("--out DIR"), ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arguments/forms", test_forms);
  g_test_add_func ("/arguments/bad", test_bad);
  g_test_add_func ("/arguments/integers", test_integers);
  g_test_add_func ("/arguments/first-plain", test_first_plain);
  return g_test_run ();
}
