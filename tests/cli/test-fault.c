/* SPDX-License-Identifier: MIT */
/* One call of a run fails, or the run is killed, at the first, the second and so on of its kind:
 * its folder then holds what was there before or what the run makes, whole, and nothing else, and
 * one line says what went wrong.  Memory for anything the size of an image fails in every
 * operation; disks in the one that computes its sample soonest.  With VIVOGRAPH_FAULT_ALL every
 * call fails once, in all operations; without it no more than MOST_RUNS of a kind, spread over all.
 */
#include "app/staging/vg-staging.h"
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/support/sanitized.h"
#include "app/staging/vg-manifest.h"
#include "kernels/core/vg-operation.h"

typedef struct
{
  const char *operation, *call;
  gboolean plain;
} Fault;

typedef struct
{
  char *folder, *out, *before, *after, *count;
} Fixture;

enum { MOST_RUNS = 25, NO_FAULT = 1000000 };

static void
run_shell (const char *format, ...)
{
  g_autofree char *command = NULL;
  va_list arguments;
  int status;

  va_start (arguments, format);
  command = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

/* Small, and the quickest that an operation has.  SEED: other results. */
static char **
make_argv (const char *operation, int seed, const char *out)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *number = g_strdup_printf ("%d", seed);

  g_strv_builder_add_many (builder, g_getenv ("VIVOGRAPH_PROGRAM"), "demo", operation, "--out", out,
                           "--backend", "cpu", "--threads", "1", "--seed", number, NULL);
  if (g_str_equal (operation, "flow"))
    g_strv_builder_add_many (builder, "--size", "160x128x4", NULL);
  else if (g_str_equal (operation, "fluence"))
    g_strv_builder_add_many (builder, "--photons", "2000", NULL);
  else if (g_str_equal (operation, "contour"))
    g_strv_builder_add_many (builder, "--size", "160x160", "--iterations", "20", "--force",
                             "classical", NULL);
  else if (g_str_equal (operation, "lifetime"))
    g_strv_builder_add_many (builder, "--size", "160x128x1", NULL);
  else
    g_strv_builder_add_many (builder, "--size", "24x24", NULL);
  return g_strv_builder_end (builder);
}

/* The exit status, above 1000 a signal; *CALLS, or -1: how many there were. */
static int
run_job (Fixture *f, const Fault *fault, int at, int seed, const char *out, long *calls,
         char **errors)
{
  g_auto (GStrv) argv = make_argv (fault->operation, seed, out), environment = g_get_environ ();
  g_autofree char *which = g_strdup_printf ("%d", at), *text = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_unlink (f->count);
  if (at > 0)
    {
      environment = g_environ_setenv (environment, "LD_PRELOAD", g_getenv ("VIVOGRAPH_INJECT"),
                                      TRUE);
      environment = g_environ_setenv (environment, "VG_FAULT_CALL", fault->call, TRUE);
      environment = g_environ_setenv (environment, "VG_FAULT_AT", which, TRUE);
      environment = g_environ_setenv (environment, "VG_FAULT_COUNT", f->count, TRUE);
      if (fault->plain)
        environment = g_environ_setenv (environment, "VG_FAULT_PLAIN", "1", TRUE);
    }
  g_spawn_sync (NULL, argv, environment, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, errors,
                &status, &error);
  g_assert_no_error (error);
  *calls = g_file_get_contents (f->count, &text, NULL, NULL) ? atol (text) : -1;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1000 + WTERMSIG (status);
}

static gboolean
same_bytes (const char *a, const char *b)
{
  g_autofree char *x = NULL, *y = NULL;
  gsize n, m;

  return g_file_get_contents (a, &x, &n, NULL) && g_file_get_contents (b, &y, &m, NULL) && n == m &&
         memcmp (x, y, n) == 0;
}

/* All files of REFERENCE and no others are in OUT; the summary, which holds times, is checked by
 * the others. */
static gboolean
is_same (const char *out, const char *reference)
{
  g_autoptr (GDir) here = g_dir_open (out, 0, NULL), there = g_dir_open (reference, 0, NULL);
  g_autofree char *text = NULL;
  const char *name;
  int balance = 0;

  while ((name = g_dir_read_name (there)) != NULL)
    {
      g_autofree char *a = g_build_filename (out, name, NULL),
                      *b = g_build_filename (reference, name, NULL);

      balance++;
      if (!g_str_equal (name, "summary.json") && !same_bytes (a, b))
        return FALSE;
    }
  while ((name = g_dir_read_name (here)) != NULL)
    balance -= !g_str_has_prefix (name, ".vivograph-");
  return balance == 0 && vg_manifest_check (out, &text, NULL);
}

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Every line is ours, one of them says what failed.  Where GLib ended the process only the command
 * line could say so in order: the window would be gone. */
static void
check_errors (const Fault *fault, const char *errors, int at)
{
  g_auto (GStrv) lines = g_strsplit (errors, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), >=, 2);
  if (g_str_equal (fault->operation, "contour") &&
      strstr (errors, "there is not enough memory;") != NULL)
    g_error ("at call %d: memory was taken for granted: %s", at, errors);
  for (int i = 0; lines[i + 1] != NULL; i++)
    if (!g_str_has_prefix (lines[i], "vivograph: "))
      g_error ("at call %d: %s", at, lines[i]);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  const Fault *fault = data;
  g_autofree char *errors = NULL;
  long calls;

  f->folder = g_dir_make_tmp ("vg-fault-XXXXXX", NULL);
  f->out = g_build_filename (f->folder, "out", NULL);
  f->before = g_build_filename (f->folder, "before", NULL);
  f->after = g_build_filename (f->folder, "after", NULL);
  f->count = g_build_filename (f->folder, "count", NULL);
  g_assert_cmpint (run_job (f, fault, 0, 1, f->before, &calls, &errors), ==, 0);
  g_free (errors);
  g_assert_cmpint (run_job (f, fault, 0, 2, f->after, &calls, &errors), ==, 0);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  run_shell ("rm -rf '%s'", f->folder);
  g_free (f->folder);
  g_free (f->out);
  g_free (f->before);
  g_free (f->after);
  g_free (f->count);
}

/* After a SIGKILL: what was told of a half-replaced folder is true, and the next one there puts it
 * right. */
static void
settle_killed (Fixture *f, const Fault *fault, int at)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!is_same (f->out, f->before) && !is_same (f->out, f->after) &&
      vg_manifest_check (f->out, &text, &error))
    g_error ("killed at %d: old and new results are mixed, and it is not told", at);
  if (!fault->plain)
    g_assert_no_error (error);
  vg_staging_free (vg_staging_new (f->out, NULL));
}

static void
check_call (Fixture *f, const Fault *fault, int at, int status, const char *errors, long calls)
{
  gboolean killed = g_str_equal (fault->call, "kill"), old = is_same (f->out, f->before);

  g_test_message ("%s %s %d of %ld: %d %s", fault->operation, fault->call, at, calls, status,
                  errors);
  if (killed)
    g_assert_true (status == 0 || status == 1000 + SIGKILL);
  else if (status != 0 && status != 1 && !(status == 3 && g_str_equal (fault->call, "read")))
    g_error ("%s %s at %d: ended with %d: %s", fault->operation, fault->call, at, status, errors);
  if (!killed && status != 0)
    check_errors (fault, errors, at);
  g_assert_true (old || is_same (f->out, f->after));
  if (status == 0)
    g_assert_true (is_same (f->out, f->after));
  g_assert_cmpuint (count_entries (f->out), ==, count_entries (old ? f->before : f->after));
  g_assert_cmpuint (count_entries (f->folder), ==, calls >= 0 ? 4 : 3);
}

static void
test_fault (Fixture *f, gconstpointer data)
{
  const Fault *fault = data;
  g_autofree char *first = NULL;
  long all, every;
  int failed = 0;

  g_assert_cmpint (run_job (f, fault, NO_FAULT, 2, f->out, &all, &first), ==, 0);
  g_assert_cmpint (all, >, 0);
  every = g_getenv ("VIVOGRAPH_FAULT_ALL") != NULL ? 1 : MAX (1, (all + MOST_RUNS - 1) / MOST_RUNS);
  for (long at = 1; at <= all; at += every)
    {
      g_autofree char *errors = NULL;
      long calls;
      int status;

      run_shell ("rm -rf '%s'", f->out);
      run_shell ("cp -a '%s' '%s'", f->before, f->out);
      status = run_job (f, fault, (int) at, 2, f->out, &calls, &errors);
      if (status == 1000 + SIGKILL)
        settle_killed (f, fault, (int) at);
      check_call (f, fault, (int) at, status, errors, calls);
      failed += status != 0;
    }
  g_test_message ("%s %s: %d runs failed", fault->operation, fault->call, failed);
  g_assert_cmpint (failed, >, 0);
}

static void
add (const char *operation, const char *call, gboolean plain)
{
  const Fault fault = { operation, call, plain };
  g_autofree char *path = g_strdup_printf ("/fault/%s/%s%s", operation, call,
                                           plain ? "/plain" : "");

  g_test_add (path, Fixture, g_memdup2 (&fault, sizeof fault), set_up, test_fault, tear_down);
}

static void
skip (void)
{
  g_test_skip ("a sanitizer has its own memory functions");
}

int
main (int argc, char **argv)
{
  static const char *const disk[] = { "write", "fsync", "rename", "kill", "read" };
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  g_test_init (&argc, &argv, NULL);
  if (SANITIZED)
    {
      g_test_add_func ("/fault/skipped", skip);
      return g_test_run ();
    }
  for (guint i = 0; i < n; i++)
    if (operations[i]->synthetic != NULL || operations[i]->input.kind == VG_INPUT_NONE)
      {
        add (operations[i]->id, "malloc", FALSE);
        for (guint k = 0;
             k < G_N_ELEMENTS (disk) && (g_str_equal (operations[i]->id, "perfusion") ||
                                         g_getenv ("VIVOGRAPH_FAULT_ALL") != NULL);
             k++)
          {
            add (operations[i]->id, disk[k], FALSE);
            if (g_str_equal (disk[k], "rename") || g_str_equal (disk[k], "kill"))
              add (operations[i]->id, disk[k], TRUE);
          }
      }
  return g_test_run ();
}
