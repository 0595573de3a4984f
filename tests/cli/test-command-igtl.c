/* SPDX-License-Identifier: MIT */
/* The built program between two peers that use the reference library of OpenIGTLink: its images
 * are read, and it checks the maps that are sent. */
#include <gio/gio.h>
#include <string.h>
#include "tests/support/app/cli-fixture.h"

/* Of the images some may be lost on a busy machine, and of the maps most replaced by newer ones. */
enum { FRAMES = 40 };

static GSubprocess *
start (const char *what, int port, const char *const *more)
{
  g_autofree char *number = g_strdup_printf ("%d", port);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  GSubprocess *peer;

  g_ptr_array_add (words, (gpointer) g_getenv ("VIVOGRAPH_IGTL_PEER"));
  g_ptr_array_add (words, (gpointer) what);
  g_ptr_array_add (words, number);
  for (guint i = 0; more[i] != NULL; i++)
    g_ptr_array_add (words, (gpointer) more[i]);
  g_ptr_array_add (words, NULL);
  peer = g_subprocess_newv ((const char *const *) words->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                            NULL);
  g_assert_nonnull (peer);
  return peer;
}

static gboolean
is_free (int port)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();

  return g_socket_listener_add_inet_port (listener, (guint16) port, NULL, NULL);
}

/* Below the ports that the system gives to programs that connect.  This one and the next are free:
 * the program waits for ever for a server that cannot have its port. */
static int
find_port (void)
{
  int port;

  do
    port = g_random_int_range (20000, 32000);
  while (!is_free (port) || !is_free (port + 1));
  return port;
}

static void
test_peers (CliFixture *f, gconstpointer data)
{
  const int port = find_port ();
  const char *const images[] = { "64", "48", "20", "300", NULL }, *const maps[] = { "5", NULL };
  g_autoptr (GSubprocess) server = NULL, receiver = NULL;
  g_autofree char *line = g_strdup_printf (
                      "vg run OP igtl://127.0.0.1:%d --send igtl-listen://%d --max-frames %d "
                      "--rois rect:4,4,20,20 --backend cpu",
                      port, port + 1, FRAMES),
                  *got = NULL;

  if (cli_skip_without_stream (f))
    return;
  server = start ("serve", port, images);
  receiver = start ("receive", port + 1, maps);
  {
    g_auto (CliResult) result = cli_run (f, line);

    g_assert_nonnull (strstr (result.errors, "maps to \"igtl-listen://"));
    g_assert_cmpint (result.status, ==, 0);
  }
  g_assert_true (g_subprocess_communicate_utf8 (receiver, NULL, NULL, &got, NULL, NULL));
  g_test_message ("%s", got);
  g_assert_true (g_subprocess_get_successful (receiver));
  g_assert_nonnull (strstr (got, "64x48x1 type 10 spacing 0.5 0.25 at 10"));
  g_assert_nonnull (strstr (got, "good SENSOR"));
  g_assert_nonnull (strstr (got, "good STRING 1 "));
  g_subprocess_force_exit (server);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/command-igtl/peers", CliFixture, NULL, cli_set_up, test_peers, cli_tear_down);
  return g_test_run ();
}
