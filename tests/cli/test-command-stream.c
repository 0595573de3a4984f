/* SPDX-License-Identifier: MIT */
/* The built program reads frames from standard input: all of them, half a
 * frame, and until it is told to stop.  Works on whatever operations are registered. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli-fixture.h"

/* Starts reading frames from standard input; *INPUT stays open. */
static GPid
start_stream (CliFixture *f, int *input)
{
  g_auto (GStrv) argv = cli_make_argv (f, "vg run OP - --geometry 16x16:u16 --out OUT --backend cpu");
  g_autoptr (GError) error = NULL;
  GPid pid = 0;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
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
  pid = start_stream (f, &fd);
  write_frames (fd, 5, 0);
  close (fd);
  g_assert_cmpint (wait_status (pid), ==, 0);
  root = cli_load_summary (f);
  map = json_object_get_object_member (json_object_get_object_member (json_node_get_object (root), "outputs"), f->stream->outputs[0].id);
  g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, 5);
  cli_check_output (f, f->stream->outputs[0].id, map);
}

static void
test_half_frame (CliFixture *f, gconstpointer data)
{
  GPid pid;
  int fd;

  if (cli_skip_without_stream (f))
    return;
  pid = start_stream (f, &fd);
  write_frames (fd, 3, 77);
  close (fd);
  g_assert_cmpint (wait_status (pid), ==, 3);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
}

/* While it waits for a frame, and while it computes. */
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

      pid = start_stream (f, &fd);
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
  g_test_add ("/cli/cancel", CliFixture, NULL, cli_set_up, test_cancel, cli_tear_down);
  return g_test_run ();
}
