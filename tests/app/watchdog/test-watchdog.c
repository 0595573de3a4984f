/* SPDX-License-Identifier: MIT */
/* A loop that is blocked on purpose: the log names the function that blocks it, and the end. */
#include "app/watchdog/vg-watchdog.h"
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATIENCE_S = 50 };

static char *folder, *path;

/* Of the log, or an empty text. */
static char *
read_log (void)
{
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

static gboolean
says (const char *what)
{
  g_autofree char *text = read_log ();

  return strstr (text, what) != NULL;
}

/* Blocks the thread until the log says WHAT, but not for ever: if a busy machine made the loop
 * silent before, that silence is in the log, and only another one is told. */
gboolean wait_in_vain (gpointer what);

gboolean
wait_in_vain (gpointer what)
{
  for (int i = 0; i < 500 && !says (what); i++)
    g_usleep (10000);
  return says (what) ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static void
run_until (const char *what)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;

  while (!says (what) && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
  if (!says (what))
    {
      g_autofree char *text = read_log ();

      g_error ("the log does not say \"%s\": %s", what, text);
    }
}

static void
test_blocked (void)
{
  g_autoptr (VgWatchdog) watchdog = vg_watchdog_new (folder);

  for (int i = 0; i < 2; i++) /* once more: nothing of the first time is left */
    {
      g_idle_add (wait_in_vain, (gpointer) "wait_in_vain");
      run_until ("wait_in_vain");
      run_until ("answers again after ");
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

/* A log that has grown too long begins anew. */
static void
test_long (void)
{
  g_autofree char *text = g_strnfill (300000, 'x');
  g_autoptr (VgWatchdog) watchdog = NULL;
  struct stat status;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  watchdog = vg_watchdog_new (folder);
  g_idle_add (wait_in_vain, (gpointer) "does not answer");
  run_until ("does not answer");
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_size, <, 300000);
  g_assert_false (says ("xx"));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* A log that cannot be written stops nothing. */
static void
test_nowhere (void)
{
  g_autoptr (VgWatchdog) watchdog = vg_watchdog_new ("/dev/null/nowhere");

  g_usleep (1500000);
}

int
main (int argc, char **argv)
{
  g_autofree char *top = g_dir_make_tmp ("vg-watchdog-XXXXXX", NULL);
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_build_filename (top, "state", NULL);
  path = g_build_filename (folder, "silences.log", NULL);
  g_test_add_func ("/watchdog/blocked", test_blocked);
  g_test_add_func ("/watchdog/long", test_long);
  g_test_add_func ("/watchdog/nowhere", test_nowhere);
  status = g_test_run ();
  g_rmdir (folder);
  g_rmdir (top);
  g_free (folder);
  g_free (path);
  return status;
}
