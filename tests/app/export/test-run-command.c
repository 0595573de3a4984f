/* SPDX-License-Identifier: MIT */
/* The command that the window copies computes the maps that the window exports, bit for bit: a
 * session of every operation is opened as in the window, changed, exported, and its command is run
 * by a shell. */
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>
#include "app/export/vg-methods-text.h"
#include "app/export/vg-run-command.h"
#include "app/opening/vg-opening.h"
#include "tests/support/app/pipeline-answer.h"
#include "tests/support/app/pipeline-watch.h"

typedef struct
{
  const char *name, *operation;
  const char *file; /* below tests/data; NULL: sample data or none */
  const char *read_options;
  const char *settings[5]; /* "id=value" */
} Case;

static const Case cases[] = {
  { "flow",
    "flow",
    "flow/pylsci_temporal_000-499.tif",
    "pixel_um=6.5 frame_interval_ms=40",
    { "method=temporal", "frames=9", "exposure_ms=7.3", "beta=0.6" } },
  { "lifetime", "lifetime", "lifetime/pytcspc_IRF.sdt", NULL, { "method=rld", "rld_gate_ns=1.5" } },
  { "fluence", "fluence", NULL, NULL, { "photons=3000", "beam=gaussian", "n_above=1.1" } },
  { "fluence-file",
    "fluence",
    "fluence/inputs/two_layer.mci",
    NULL,
    { "photons=2000", "n_below=1.1" } },
  { "perfusion", "perfusion", NULL, NULL, { "inputs=artery", "threshold=0.5" } },
  { "contour",
    "contour",
    "contour/dsb01.tif",
    "pixel_um=0.5",
    { "sensitivity=0.4", "iterations=30" } },
};

typedef struct
{
  Watch watch;
  VgSession *session;
  VgOpening *opening;
} Window;

static void
on_opened (Window *self)
{
  VgImageInfo info;
  gboolean has_info;

  if (!vg_opening_note_opened (self->opening) || !vg_opening_is_active (self->opening))
    return;
  has_info = vg_pipeline_get_info (self->watch.pipeline, &info);
  vg_opening_adopt (self->opening, has_info ? &info : NULL, FALSE);
  vg_opening_commit (self->opening, has_info ? &info : NULL);
}

static gboolean
has_completed (Watch *watch, gint64 window)
{
  return !vg_opening_is_active (((Window *) (gsize) window)->opening) || watch->failures > 0;
}

/* As the window opens the data of CASE. */
static void
open_window (Window *self, const Case *input)
{
  g_autofree char *path = input->file == NULL
                              ? NULL
                              : g_test_build_filename (G_TEST_DIST, "data", input->file, NULL);
  const char *inputs[] = { path, NULL };
  g_autoptr (GError) error = NULL;

  *self = (Window){ .session = vg_session_new (vg_operation_find (input->operation)) };
  watch_start (&self->watch, vg_pipeline_new (VG_BACKEND_CPU));
  vg_pipeline_set_playback (self->watch.pipeline, 0, FALSE);
  self->opening = vg_opening_new (self->session, FALSE);
  vg_opening_set_pipeline (self->opening, self->watch.pipeline);
  g_signal_connect_swapped (self->watch.pipeline, "opened", G_CALLBACK (on_opened), self);
  if (path != NULL)
    g_assert_true (vg_opening_open_files (self->opening, inputs, input->read_options, &error));
  else
    vg_opening_open (self->opening, NULL, input->read_options);
  g_assert_no_error (error);
  g_assert_true (watch_until (&self->watch, has_completed, (gint64) (gsize) self));
  g_assert_cmpint (self->watch.failures, ==, 0);
}

/* Sets the values of CASE as a user does, with what follows from them, and adds a region. */
static void
change_settings (Window *self, const Case *input)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgRegion region;

  for (guint i = 0; i < G_N_ELEMENTS (input->settings) && input->settings[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (input->settings[i], "=", 2);
      const VgParam *param = vg_params_find (&operation->params, parts[0]);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (param);
      vg_session_set_text (self->session, param, parts[1], &error);
      g_assert_no_error (error);
    }
  g_assert_true (vg_region_parse (&region, "polygon:3.5,4;12,9.25;2,11", NULL));
  vg_session_rename_region (self->session, vg_session_add_region (self->session, &region),
                            "it's \"a\" ü vein; $HOME");
  /* from the first frame on, with these settings: a baseline has the first frames */
  vg_opening_open_current (self->opening, FALSE);
  g_assert_true (watch_until (&self->watch, has_completed, (gint64) (gsize) self));
}

/* Exports the result into FOLDER; returns the command that writes into AGAIN, owned. */
static char *
export_window (Window *self, const char *folder, const char *again)
{
  g_autofree const VgNamedRegion **regions = vg_session_list_regions (self->session);
  g_autofree char *command = vg_run_command_new (self->session, again, NULL);
  const VgQuery query = {
    .kind = VG_QUERY_EXPORT, .folder = folder, .command = command, .regions = regions
  };
  g_autofree guint *n_maps = NULL;

  g_assert_true (watch_until (&self->watch, in_state, VG_PIPELINE_FINISHED));
  n_maps = answer_now (self->watch.pipeline, &query);
  g_assert_cmpuint (*n_maps, >, 0);
  return g_steal_pointer (&command);
}

/* The command in the provenance of the export in FOLDER: with frame and backend. */
static char *
read_command (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "summary.json", NULL), *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *provenance;
  JsonArray *inputs;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  root = json_from_string (text, NULL);
  provenance = json_object_get_object_member (json_node_get_object (root), "provenance");
  inputs = json_object_get_array_member (provenance, "inputs");
  for (guint i = 0; i < json_array_get_length (inputs); i++)
    {
      JsonObject *input = json_array_get_object_element (inputs, i);
      const char *file = json_object_get_string_member (input, "file");
      g_autofree char *bytes = NULL, *hash = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (file, &bytes, &length, NULL));
      hash = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) bytes, length);
      g_assert_cmpstr (json_object_get_string_member (input, "sha256"), ==, hash);
      g_assert_cmpint (json_object_get_int_member (input, "bytes"), ==, (gint64) length);
    }
  return g_strdup (json_object_get_string_member (provenance, "command"));
}

/* Runs COMMAND by a shell that finds the built program. */
static void
run_command (const char *command, const char *root)
{
  g_autofree char *link = g_build_filename (root, "vivograph", NULL),
                  *path = g_strdup_printf ("%s:%s", root, g_getenv ("PATH")), *errors = NULL;
  const char *argv[] = { "sh", "-c", command, NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "PATH", path, TRUE);
  g_autoptr (GError) error = NULL;
  int status;

  g_assert_cmpint (symlink (g_getenv ("VIVOGRAPH_PROGRAM"), link), ==, 0);
  g_test_message ("%s", command);
  g_spawn_sync ("/", (char **) argv, environment, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                NULL, NULL, NULL, &errors, &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s", errors);
}

/* Every map and table that the window wrote; returns their number. */
static guint
compare (const char *window, const char *again)
{
  g_autoptr (GDir) dir = g_dir_open (window, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *a = g_build_filename (window, name, NULL),
                      *b = g_build_filename (again, name, NULL), *x = NULL, *y = NULL;
      gsize n_x, n_y;

      if (!g_str_has_suffix (name, ".tif") && !g_str_equal (name, "regions.csv"))
        continue;
      g_assert_true (g_file_get_contents (a, &x, &n_x, NULL));
      if (!g_file_get_contents (b, &y, &n_y, NULL))
        g_error ("the command wrote no %s", name);
      if (n_x != n_y || memcmp (x, y, n_x) != 0)
        g_error ("%s differs", name);
      n++;
    }
  return n;
}

static void
test_same (gconstpointer data)
{
  const Case *input = data;
  g_autofree char *root = g_dir_make_tmp ("vg-command-XXXXXX", NULL),
                  *away = g_strdup_printf ("rm -rf '%s'", root);
  g_autofree char *first = g_build_filename (root, "window", NULL),
                  *again = g_build_filename (root, "it's again", NULL), *copied = NULL,
                  *command = NULL;
  Window window;
  guint n;

  open_window (&window, input);
  change_settings (&window, input);
  copied = export_window (&window, first, again);
  command = read_command (first);
  g_assert_true (g_str_has_prefix (command, copied));
  run_command (command, root);
  n = compare (first, again);
  g_test_message ("%u files are the same", n);
  g_assert_cmpuint (n, >, 0);
  vg_opening_set_pipeline (window.opening, NULL);
  g_clear_object (&window.opening);
  g_signal_handlers_disconnect_by_data (window.watch.pipeline, &window);
  watch_end (&window.watch);
  g_clear_object (&window.session);
  g_assert_true (g_spawn_command_line_sync (away, NULL, NULL, NULL, NULL));
}

/* The text for a paper has the settings with their units, the version and the paper. */
static void
test_methods (void)
{
  const VgOperation *operation = vg_operation_find ("flow");
  g_autoptr (VgSession) session = NULL;
  g_autofree char *text = NULL;

  if (operation == NULL)
    return;
  session = vg_session_new (operation);
  vg_session_set_number (session, vg_params_find (&operation->params, "exposure_ms"), 7.3);
  text = vg_methods_text_new (session, "CPU, 2 threads");
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "with Vivograph "));
  g_assert_nonnull (strstr (text, "(CPU, 2 threads)"));
  g_assert_nonnull (strstr (text, "Exposure time: 7.3 ms"));
  g_assert_nonnull (strstr (text, operation->citation));
}

static void
test_quote (void)
{
  const char *words[] = { "a b", "", "it's", "$HOME", "plain-1.5,x", "--x=ü\n" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *quoted = vg_shell_quote (words[i]), *back = g_shell_unquote (quoted, NULL);

      g_assert_cmpstr (back, ==, words[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-command/quote", test_quote);
  g_test_add_func ("/run-command/methods", test_methods);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (vg_operation_find (cases[i].operation) != NULL)
      {
        g_autofree char *path = g_strconcat ("/run-command/", cases[i].name, NULL);

        g_test_add_data_func (path, &cases[i], test_same);
      }
  return g_test_run ();
}
