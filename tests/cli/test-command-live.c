/* SPDX-License-Identifier: MIT */
/* The built program reads live sources: a watched folder and their limits.  Works on whatever
 * operations are registered. */
#include <string.h>
#include "tests/support/app/cli-fixture.h"

/* The folder of the fixture has a whole stack and a file that was cut. */
static void
test_watch (CliFixture *f, gconstpointer data)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *summary, *live, *map;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult)
        result = cli_run (f, "vg run OP watch:DIR --max-frames 7 --out OUT --backend cpu");

    g_assert_cmpint (result.status, ==, 0);
    g_assert_nonnull (strstr (result.errors, "no complete file yet"));
  }
  root = cli_load_summary (f);
  summary = json_node_get_object (root);
  live = json_object_get_object_member (summary, "live");
  g_assert_cmpint (json_object_get_int_member (live, "received"), ==, CLI_FRAMES);
  g_assert_cmpint (json_object_get_int_member (live, "bad"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (live, "lost"), ==, 0);
  map = json_object_get_object_member (json_object_get_object_member (summary, "outputs"),
                                       f->stream->outputs[0].id);
  g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, CLI_FRAMES);
  cli_check_output (f, f->stream->outputs[0].id, map);
}

/* A limit ends a stack as well, and its maps are those of a shorter stack. */
static void
test_limits (CliFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *line, *says;
    int status;
  } cases[] = {
    { "vg run OP TIFF --max-frames 0 --out OUT", "max-frames", 2 },
    { "vg run OP TIFF --seconds x --out OUT", "--seconds is", 2 },
    { "vg run OP TIFF --seconds 1 --out OUT", "--max-frames", 2 },
    { "vg run OP shm:vg-no-such-memory --out OUT", "Start the program", 3 },
    { "vg run OP shm:a/b --out OUT", "no name of a shared memory", 2 },
    { "vg run OP watch:DIR/none --out OUT", "cannot watch", 3 },
    { "vg run OP watch:DIR TIFF --out OUT", "name one", 2 },
  };
  g_autoptr (JsonNode) root = NULL;
  JsonObject *outputs;

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (CliResult) result = cli_run (f, cases[i].line);

      g_assert_cmpint (result.status, ==, cases[i].status);
      g_assert_nonnull (strstr (result.errors, cases[i].says));
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
    }
  {
    g_auto (CliResult) result = cli_run (f, "vg run OP TIFF --max-frames 3 --out OUT "
                                            "--backend cpu");

    g_assert_cmpint (result.status, ==, 0);
  }
  root = cli_load_summary (f);
  outputs = json_object_get_object_member (json_node_get_object (root), "outputs");
  g_assert_cmpint (json_object_get_int_member (
                       json_object_get_object_member (outputs, f->stream->outputs[0].id), "pages"),
                   ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/command-live/watch", CliFixture, NULL, cli_set_up, test_watch, cli_tear_down);
  g_test_add ("/command-live/limits", CliFixture, NULL, cli_set_up, test_limits, cli_tear_down);
  return g_test_run ();
}
