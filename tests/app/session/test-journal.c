/* SPDX-License-Identifier: MIT */
/* The journal of unsaved work: what a program that was killed left is found
 * once, what a living one holds is not, and a clean end leaves nothing. */
#include "app/session/vg-journal.h"
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Another program that writes TEXT into its journal and then waits to be killed. */
static pid_t
begin_other (const char *folder, const char *text, const char *path)
{
  int ready[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe (ready), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      VgJournal *journal = vg_journal_new (folder, NULL);

      if (journal == NULL || (text != NULL && !vg_journal_write (journal, text, path, NULL)) ||
          write (ready[1], "r", 1) != 1)
        _exit (1);
      for (;;)
        pause ();
    }
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  close (ready[1]);
  return pid;
}

static void
kill_other (pid_t pid)
{
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}

static void
test_killed (void)
{
  g_autofree char *top = g_dir_make_tmp ("vg-journal-XXXXXX", NULL),
                  *folder = g_build_filename (top, "state", NULL);
  pid_t pid = begin_other (folder, "[session]\nfirst\n", "/data/a b.vivograph"),
        empty = begin_other (folder, NULL, NULL);
  g_autofree char *text = NULL;

  {
    g_autoptr (GPtrArray) left = vg_journal_find_left (folder);

    g_assert_cmpuint (left->len, ==, 0); /* both live */
  }
  kill_other (pid);
  kill_other (empty);
  {
    g_autoptr (GPtrArray) left = vg_journal_find_left (folder),
                          again = vg_journal_find_left (folder);

    g_assert_cmpuint (left->len, ==, 1);
    g_assert_cmpuint (again->len, ==, 0); /* held by the first */
    g_assert_true (g_file_get_contents (vg_journal_get_file (left->pdata[0]), &text, NULL, NULL));
    g_assert_cmpstr (text, ==, "[session]\nfirst\n");
    g_assert_cmpstr (vg_journal_get_path (left->pdata[0]), ==, "/data/a b.vivograph");
    g_assert_cmpint (
        ABS (vg_journal_get_time (left->pdata[0]) - g_get_real_time () / G_USEC_PER_SEC), <, 600);
  }
  {
    g_autoptr (GPtrArray) left = vg_journal_find_left (folder);

    g_assert_cmpuint (left->len, ==, 1); /* it was let go, not dropped */
    vg_journal_free (g_ptr_array_steal_index (left, 0));
  }
  g_assert_cmpuint (count_files (folder), ==, 0);
  g_rmdir (folder);
  g_rmdir (top);
}

/* Written over and over while somebody reads: never a part, and nothing after the end. */
static void
test_whole (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-journal-XXXXXX", NULL);
  g_autofree char *large = g_strnfill (300000, 'x');
  pid_t pid = begin_other (folder, large, NULL);
  g_autoptr (GError) error = NULL;
  VgJournal *journal = vg_journal_new (folder, &error);

  g_assert_no_error (error);
  g_assert_true (vg_journal_write (journal, "one", NULL, &error) &&
                 vg_journal_write (journal, "two", "/x.vivograph", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_files (folder), ==, 4);
  vg_journal_clear (journal);
  g_assert_cmpuint (count_files (folder), ==, 3);
  vg_journal_free (journal);
  g_assert_cmpuint (count_files (folder), ==, 2);
  kill_other (pid);
  {
    g_autoptr (GPtrArray) left = vg_journal_find_left (folder);
    g_autofree char *text = NULL;

    g_assert_cmpuint (left->len, ==, 1);
    g_assert_true (g_file_get_contents (vg_journal_get_file (left->pdata[0]), &text, NULL, NULL));
    g_assert_cmpstr (text, ==, large);
    g_assert_null (vg_journal_get_path (left->pdata[0]));
    vg_journal_free (g_ptr_array_steal_index (left, 0));
  }
  g_rmdir (folder);
}

static void
test_nowhere (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) left = vg_journal_find_left ("/nowhere/at/all");

  g_assert_cmpuint (left->len, ==, 0);
  g_assert_null (vg_journal_new ("/proc/nowhere", &error));
  g_assert_nonnull (strstr (error->message, "cannot create the folder"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/journal/killed", test_killed);
  g_test_add_func ("/journal/whole", test_whole);
  g_test_add_func ("/journal/nowhere", test_nowhere);
  return g_test_run ();
}
