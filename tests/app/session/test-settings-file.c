/* SPDX-License-Identifier: MIT */
/* Runs of one file and of several, and what a session keeps of them. */
#include <glib/gstdio.h>
#include <string.h>
#include "kernels/base/vg-error.h"
#include "app/session/vg-session.h"
#include "app/session/vg-settings-file.h"

static const VgOperation *fluence;

static char *
write_file (const char *folder, const char *name, int runs, double first)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GString) text = g_string_new ("1.0\n");

  g_string_append_printf (text, "%d\n", runs);
  for (int i = 0; i < runs; i++)
    g_string_append_printf (text,
                            "%s%d.mco A\n1000\n0.01 0.01\n10 %d 5\n1\n1\n1.4 %g 100 0.9 1\n1\n",
                            name, i, 10 + i, first + i);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

static double
read_mua (const char *const *inputs, int run, int *n, char **name)
{
  const VgParam *layers = vg_params_find (&fluence->params, "layers");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = vg_settings_file_load (fluence, inputs, NULL, &error);
  VgSettingsRun *settings = vg_settings_file_load_run (fluence, inputs, run, NULL, &error);
  const VgTable *table;
  double mua;

  g_assert_no_error (error);
  *n = (int) all->len;
  table = *(VgTable *const *) ((const char *) settings->params + layers->offset);
  mua = table->values[1];
  if (name != NULL)
    *name = g_strdup (settings->file);
  vg_settings_run_free (settings);
  return mua;
}

static void
test_read (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-settings-XXXXXX", NULL);
  g_autofree char *a = write_file (folder, "a.mci", 3, 1), *b = write_file (folder, "b.mci", 2, 10),
                  *bad = g_build_filename (folder, "bad.mci", NULL);
  const char *const one[] = { a, NULL }, *const two[] = { a, b, NULL },
                    *const broken[] = { a, bad, NULL };
  g_autoptr (GError) error = NULL;
  int n;

  for (int run = 0; run < 3; run++)
    {
      g_assert_cmpfloat (read_mua (one, run, &n, NULL), ==, 1 + run);
      g_assert_cmpint (n, ==, 3);
    }
  for (int run = 0; run < 5; run++)
    {
      g_autofree char *name = NULL;

      g_assert_cmpfloat (read_mua (two, run, &n, &name), ==, run < 3 ? 1 + run : 10 + run - 3);
      g_assert_cmpint (n, ==, 5);
      g_assert_cmpstr (name, ==, run < 3 ? a : b);
    }
  g_assert_null (vg_settings_file_load_run (fluence, two, 5, NULL, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_assert_nonnull (strstr (error->message, "no run 6; choose 1 to 5"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (bad, "1.0\n1\nx.mco A\n1000\n", -1, NULL));
  g_assert_null (vg_settings_file_load_run (fluence, broken, 0, NULL, &error));
  g_assert_nonnull (strstr (error->message, "bad.mci"));

  g_unlink (a);
  g_unlink (b);
  g_unlink (bad);
  g_rmdir (folder);
}

/* By its name, also when it is faulty, so that its own error is told; else by what is in it. */
/* A zero byte is told with its line, and not as if the file were a table. */
static void
test_zero (void)
{
  static const char text[] = "1.0\n1\nx.mco A\n10\0 0\n";
  g_autofree char *folder = g_dir_make_tmp ("vg-settings-XXXXXX", NULL),
                  *path = g_build_filename (folder, "zero.mci", NULL);
  const char *const inputs[] = { path, NULL };
  void *params = vg_params_new (&fluence->params);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, sizeof text - 1, NULL));
  g_assert_null (vg_settings_file_load (fluence, inputs, params, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "zero.mci\", line 4 has a zero byte"));
  vg_params_free (&fluence->params, params);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_find (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-settings-XXXXXX", NULL);
  g_autofree char *named = write_file (folder, "a.MCI", 1, 1),
                  *plain = write_file (folder, "plain.txt", 1, 1);

  g_assert_true (vg_settings_file_find (named) == fluence &&
                 vg_settings_file_claimed (named) == fluence);
  g_assert_true (vg_settings_file_find (plain) == fluence);
  g_assert_null (vg_settings_file_claimed (plain));
  g_assert_null (vg_settings_file_find (folder));
  for (int i = 0; i < 2; i++)
    {
      const char *text = i == 0 ? "1.0\n1\nx.mco A\n1000\n" : "II*\0\0";

      g_assert_true (g_file_set_contents (named, text, i == 0 ? -1 : 6, NULL) &&
                     g_file_set_contents (plain, text, i == 0 ? -1 : 6, NULL));
      g_assert_true (vg_settings_file_find (named) == fluence);
      g_assert_null (vg_settings_file_find (plain));
    }
  g_unlink (named);
  g_unlink (plain);
  g_assert_null (vg_settings_file_find (named));
  g_rmdir (folder);
}

/* Over a file "at first" is what its run says. */
static void
test_reset (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-settings-XXXXXX", NULL);
  g_autofree char *path = write_file (folder, "a.mci", 3, 1);
  const char *const inputs[] = { path, NULL };
  g_autoptr (VgSession) session = vg_session_new (fluence);
  const VgParam *nr = vg_params_find (&fluence->params, "nr");

  vg_session_set_inputs (session, inputs);
  vg_session_set_run (session, 2);
  vg_session_reset_params (session);
  g_assert_cmpfloat (vg_param_get_number (nr, vg_session_get_params (session)), ==, 12);
  vg_session_set_inputs (session, (const char *const[]){ NULL });
  vg_session_reset_params (session);
  g_assert_cmpfloat (vg_param_get_number (nr, vg_session_get_params (session)), ==, nr->def);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_session (void)
{
  g_autoptr (VgSession) session = vg_session_new (fluence), again = vg_session_new (fluence);
  const char *const inputs[] = { "/data/a.mci", NULL }, *const others[] = { "/data/b.mci", NULL };
  g_autofree char *text = NULL, *wrong = NULL;
  void *params = vg_params_new (&fluence->params);
  g_autoptr (GError) error = NULL;
  GString *edited;

  vg_session_set_inputs (session, inputs);
  vg_session_commit (session, "Open");
  g_assert_cmpint (vg_session_get_run (session), ==, 0);
  text = vg_session_to_text (session);
  g_assert_null (strstr (text, "\nrun="));
  g_clear_pointer (&text, g_free);
  vg_param_parse (vg_params_find (&fluence->params, "nr"), params, "7", NULL);
  vg_session_set_run (session, 2);
  vg_session_set_params (session, params);
  vg_session_commit (session, "Run");
  text = vg_session_to_text (session);
  g_assert_true (vg_session_from_text (again, text, strlen (text), &error));
  g_assert_no_error (error);
  g_assert_cmpint (vg_session_get_run (again), ==, 2);
  g_assert_true (vg_params_equal (&fluence->params, vg_session_get_params (again), params));
  vg_session_undo (session);
  g_assert_cmpint (vg_session_get_run (session), ==, 0);
  vg_session_redo (session);
  g_assert_cmpint (vg_session_get_run (session), ==, 2);
  vg_session_set_inputs (session, others);
  g_assert_cmpint (vg_session_get_run (session), ==, 0);
  edited = g_string_new (text);
  g_string_replace (edited, "run=3", "run=0", 1);
  wrong = g_string_free (edited, FALSE);
  g_assert_false (vg_session_from_text (again, wrong, strlen (wrong), &error));
  g_assert_nonnull (strstr (error->message, "run"));
  vg_params_free (&fluence->params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fluence = vg_operation_find ("fluence");
  g_test_add_func ("/settings-file/read", test_read);
  g_test_add_func ("/settings-file/zero", test_zero);
  g_test_add_func ("/settings-file/find", test_find);
  g_test_add_func ("/settings-file/reset", test_reset);
  g_test_add_func ("/settings-file/session", test_session);
  return g_test_run ();
}
