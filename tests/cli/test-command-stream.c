/* SPDX-License-Identifier: MIT */
/* The built program reads frames from standard input: all of them, half a
 * frame, and until it is told to stop.  Works on whatever operations are registered. */
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/support/app/cli-fixture.h"

/* Starts reading frames from standard input; *INPUT stays open. */
static GPid
start_stream (CliFixture *f, const char *strict, int *input)
{
  g_autofree char *line = g_strconcat ("vg run OP - --geometry 16x16:u16 --out OUT --backend cpu",
                                       strict, NULL);
  g_auto (GStrv) argv = cli_make_argv (f, line);
  g_autoptr (GError) error = NULL;
  GPid pid = 0;

  g_spawn_async_with_pipes (NULL, argv, NULL,
                            G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                                G_SPAWN_STDERR_TO_DEV_NULL,
                            NULL, NULL, &pid, input, NULL, NULL, &error);
  g_assert_no_error (error);
  return pid;
}

static void
write_frames (int fd, int n, gsize extra)
{
  guint16 frame[16 * 16];

  for (int i = 0; i < n; i++)
    {
      for (guint p = 0; p < G_N_ELEMENTS (frame); p++)
        frame[p] = (guint16) (100 + (p * 7919 + i * 31) % 997);
      g_assert_cmpint (write (fd, frame, sizeof frame), ==, sizeof frame);
    }
  if (extra > 0)
    g_assert_cmpint (write (fd, frame, extra), ==, (gssize) extra);
}

static int
wait_status (GPid pid)
{
  int status = 0;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1000 + WTERMSIG (status);
}

static void
test_stream (CliFixture *f, gconstpointer data)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *map;
  GPid pid;
  int fd;

  if (cli_skip_without_stream (f))
    return;
  pid = start_stream (f, NULL, &fd);
  write_frames (fd, 5, 0);
  close (fd);
  g_assert_cmpint (wait_status (pid), ==, 0);
  root = cli_load_summary (f);
  map = json_object_get_object_member (
      json_object_get_object_member (json_node_get_object (root), "outputs"),
      f->stream->outputs[0].id);
  g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, 5);
  cli_check_output (f, f->stream->outputs[0].id, map);
}

/* The maps of the whole frames are there, and it is said that they are not all. */
static void
check_incomplete (CliFixture *f, int pages, const char *note)
{
  g_autoptr (JsonNode) root = cli_load_summary (f);
  JsonObject *summary = json_node_get_object (root), *map;
  JsonArray *notes = json_object_get_array_member (summary, "notes");

  map = json_object_get_object_member (json_object_get_object_member (summary, "outputs"),
                                       f->stream->outputs[0].id);
  g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, pages);
  cli_check_output (f, f->stream->outputs[0].id, map);
  g_assert_false (json_object_get_boolean_member (summary, "complete"));
  g_assert_nonnull (
      strstr (json_array_get_string_element (notes, json_array_get_length (notes) - 1), note));
}

/* The producer dies inside a frame: those before it count, unless --strict. */
static void
test_half_frame (CliFixture *f, gconstpointer strict)
{
  GPid pid;
  int fd;

  if (cli_skip_without_stream (f))
    return;
  pid = start_stream (f, strict, &fd);
  write_frames (fd, 3, 77);
  close (fd);
  g_assert_cmpint (wait_status (pid), ==, strict != NULL ? 3 : 1);
  if (strict != NULL)
    g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  else
    check_incomplete (f, 3, "77 of 512 bytes of frame 4");
}

/* A file that ends before its end: what is there counts, unless --strict. */
static void
test_cut_file (CliFixture *f, gconstpointer strict)
{
  g_autofree char *path = g_build_filename (f->folder, "short.tif", NULL), *bytes = NULL;
  gsize length;

  if (cli_skip_without_stream (f))
    return;
  g_assert_true (g_file_get_contents (f->tiff, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length - 20, NULL));
  {
    g_auto (CliResult) result = cli_run (
        f, strict != NULL ? "vg run OP DIR/short.tif --strict --out OUT --backend cpu"
                          : "vg run OP DIR/short.tif --out OUT --backend cpu");

    g_assert_nonnull (strstr (result.errors, "cut short"));
    g_assert_cmpint (result.status, ==, strict != NULL ? 3 : 1);
  }
  if (strict != NULL)
    g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  else
    check_incomplete (f, CLI_FRAMES - 1, "cut short");
}

/* Not one whole frame: nothing to keep. */
static void
test_no_frame (CliFixture *f, gconstpointer data)
{
  GPid pid;
  int fd;

  if (cli_skip_without_stream (f))
    return;
  pid = start_stream (f, NULL, &fd);
  write_frames (fd, 0, 77);
  close (fd);
  g_assert_cmpint (wait_status (pid), ==, 3);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
}

/* A file with the first map's samples grows in the hidden folder of OUT. */
static gboolean
has_staged_map (CliFixture *f)
{
  g_autofree char *pattern = g_strdup_printf ("%s/.vivograph-*/new/.*.tif.*", f->out);
  gboolean found = FALSE;
  struct stat status;
  glob_t names;

  if (glob (pattern, 0, NULL, &names) == 0)
    for (gsize i = 0; i < names.gl_pathc; i++)
      found |= stat (names.gl_pathv[i], &status) == 0 && status.st_size > 512;
  globfree (&names);
  return found;
}

/* Ended by hand while it waits for a frame: maps that there are count. */
static void
test_stop (CliFixture *f, gconstpointer data)
{
  static const int signals[] = { SIGINT, SIGPIPE };

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      GPid pid;
      int fd;

      pid = start_stream (f, NULL, &fd);
      write_frames (fd, 1, 0);
      for (int tries = 0; tries < 5000 && !has_staged_map (f); tries++)
        g_usleep (10000);
      kill (pid, signals[i]);
      g_assert_cmpint (wait_status (pid), ==, 130);
      check_incomplete (f, 1, "stopped");
      close (fd);
    }
}

/* Asked not to keep what is not whole; while it waits for a frame, and while it computes. */
static void
test_cancel (CliFixture *f, gconstpointer data)
{
  static const int signals[] = { SIGINT, SIGTERM };

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      GPid pid;
      int fd;

      pid = start_stream (f, " --strict", &fd);
      write_frames (fd, 3, 0);
      /* the folder is there once the signals are listened to */
      for (int tries = 0; tries < 5000 && !g_file_test (f->out, G_FILE_TEST_EXISTS); tries++)
        g_usleep (10000);
      kill (pid, signals[i]);
      g_assert_cmpint (wait_status (pid), ==, 130);
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
      close (fd);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/stream", CliFixture, NULL, cli_set_up, test_stream, cli_tear_down);
  g_test_add ("/cli/half-frame", CliFixture, NULL, cli_set_up, test_half_frame, cli_tear_down);
  g_test_add ("/cli/half-frame/strict", CliFixture, " --strict", cli_set_up, test_half_frame,
              cli_tear_down);
  g_test_add ("/cli/cut-file", CliFixture, NULL, cli_set_up, test_cut_file, cli_tear_down);
  g_test_add ("/cli/cut-file/strict", CliFixture, " --strict", cli_set_up, test_cut_file,
              cli_tear_down);
  g_test_add ("/cli/half-frame/first", CliFixture, NULL, cli_set_up, test_no_frame, cli_tear_down);
  g_test_add ("/cli/stop", CliFixture, NULL, cli_set_up, test_stop, cli_tear_down);
  g_test_add ("/cli/cancel", CliFixture, NULL, cli_set_up, test_cancel, cli_tear_down);
  return g_test_run ();
}
