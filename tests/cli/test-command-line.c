/* SPDX-License-Identifier: MIT */
/* The built program's words: exit status, messages, sessions, help.  Works
 * on whatever operations are registered. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include "app/session/vg-settings-file.h"
#include "tests/support/app/cli-fixture.h"

typedef struct
{
  const char *line;
  int status;
  const char *message;
} Case;

static const Case cases[] = {
  { "vg run OP", 2, "--out is missing" },
  { "vg run --out OUT", 2, "needs an operation" },
  { "vg run OPx TIFF --out OUT", 2, "did you mean" },
  { "vg run OP --out OUT", 2, "input file" },
  { "vg run OP TIFF --out OUT --backent cpu", 2, "did you mean --backend?" },
  { "vg run OP TIFF --out OUT --backend gpu", 2, "auto, cpu or cuda" },
  { "vg run OP TIFF --out OUT --threads -1", 2, "whole number" },
  { "vg run OP TIFF --out", 2, "--out needs a value" },
  { "vg run OP DIR/absent.tif --out OUT", 3, "absent.tif" },
  { "vg run OP CUT --out OUT", 3, "cut.tif" },
  { "vg run OP DIR --out OUT", 3, "folder" },
  { "vg run OP TIFF DIR/absent.tif --out OUT", 3, "absent.tif" },
  { "vg run OP TIFF --out TIFF", 1, "another folder" },
  { "vg run OP TIFF --out /proc/1/none", 1, "another folder" },
  { "vg run --session DIR/absent.session --out OUT", 3, "absent.session" },
  { "vg demo OP TIFF --out OUT", 2, "accepts no file" },
  { "vg demo OP --out OUT --size 0x7", 2, "--size" },
  { "vg demo OP --out OUT --size 70000x7", 2, "--size" },
  { "vg demo OP --out OUT --size 7x7x", 2, "--size" },
  { "vg demo OP --out OUT --sample nonsense", 2, "choose" },
  { "vg run OP TIFF --out OUT --sample nonsense", 2, "--sample" },
  { "vg describe nonsense", 2, "no operation" },
  { "vg describe OP --format pdf", 2, "text, md, json or man" },
  { "vg describe OP --format man", 2, "omit the operation" },
  { "vg bench nonsense", 2, "no operation" },
  { "vg info", 2, "needs a file" },
  { "vg info DIR/absent.tif", 3, "absent.tif" },
  { "vg devices TIFF", 2, "takes no" },
  { "vg describe OP OP", 2, "one operation" },
  { "vg bench OP OP", 2, "one operation" },
  { "vg devises", 2, "did you mean devices?" },
};

/* Each gives its status, one line of text, and leaves no folder. */
static void
test_errors (CliFixture *f, gconstpointer data)
{
  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (CliResult) run = cli_run (f, cases[i].line);

      g_test_message ("%s -> %d %s", cases[i].line, run.status, run.errors);
      g_assert_cmpint (run.status, ==, cases[i].status);
      g_assert_true (g_str_has_prefix (run.errors, "vivograph: "));
      g_assert_true (strchr (run.errors, '\n') == run.errors + strlen (run.errors) - 1);
      g_assert_nonnull (strstr (run.errors, cases[i].message));
      g_assert_cmpstr (run.output, ==, "");
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
    }
}

/* Every number outside its hard range, and every choice that is none, is refused by name. */
static void
test_ranges (CliFixture *f, gconstpointer data)
{
  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < f->stream->params.n_items; i++)
    {
      const VgParam *param = &f->stream->params.items[i];
      g_autofree char *name = vg_param_option_name (param), *line = NULL;

      if (param->kind > VG_PARAM_CHOICE)
        continue;
      line = g_strdup_printf (
          "vg run OP TIFF --out OUT --%s=%s", name,
          param->kind == VG_PARAM_CHOICE || param->kind == VG_PARAM_BOOL ? "sideways" : "-1e30");
      {
        g_auto (CliResult) run = cli_run (f, line);

        g_assert_cmpint (run.status, ==, 2);
        g_assert_nonnull (strstr (run.errors, param->id));
      }
    }
}

static void
fill_output (gpointer data)
{
  dup2 (open ("/dev/full", O_WRONLY), STDOUT_FILENO);
}

/* A list that a full disk cut short is no success. */
static void
test_full_output (CliFixture *f, gconstpointer data)
{
  static const char *const lines[] = { "vg --help", "vg --version", "vg describe --format json",
                                       "vg info TIFF" };

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (CliResult) run = cli_run_limited (f, lines[i], fill_output);

      g_assert_cmpint (run.status, ==, 1);
      g_assert_nonnull (strstr (run.errors, "standard output"));
    }
}

static void
drop_display (gpointer data)
{
  static const char *const names[] = { "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_unsetenv (names[i]);
}

/* The window where there is no screen: one line, no words of GTK's. */
static void
test_no_display (CliFixture *f, gconstpointer data)
{
  g_auto (CliResult) run = { 0 };

  if (cli_skip_without_stream (f))
    return;
  run = cli_run_limited (f, "vg TIFF", drop_display);
  g_assert_cmpint (run.status, ==, 1);
  g_assert_true (g_str_has_prefix (run.errors, "vivograph: no display"));
  g_assert_true (strchr (run.errors, '\n') == run.errors + strlen (run.errors) - 1);
}

/* Of a file of several runs a session has taken one, and edited it: that one is computed, as it is
 * in the session. */
static void
test_session_run (CliFixture *f, gconstpointer data)
{
  const VgOperation *operation = vg_operation_find ("fluence");
  const VgParam *photons = operation != NULL ? vg_params_find (&operation->params, "photons")
                                             : NULL;
  g_autofree char *path = g_build_filename (f->folder, "a.session", NULL),
                  *file = g_build_filename (f->folder, "two.mci", NULL);
  const char *inputs[] = { file, NULL };
  g_autoptr (VgSession) session = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *parameters;

  if (photons == NULL)
    {
      g_test_skip ("no operation that reads settings is built");
      return;
    }
  g_assert_true (g_file_set_contents (
      file,
      "1.0\n2\none.mco A\n1000\n0.01 0.01\n20 10 10\n1\n1.0\n1.4 1 10 0.9 1\n1.0\n"
      "two.mco A\n1000\n0.01 0.01\n30 10 10\n1\n1.0\n1.4 1 10 0.9 1\n1.0\n",
      -1, NULL));
  session = vg_session_new (operation);
  runs = vg_settings_file_load (operation, inputs, NULL, NULL);
  g_assert_nonnull (runs);
  g_assert_cmpint (runs->len, ==, 2);
  vg_session_set_inputs (session, inputs);
  vg_session_set_run (session, 1);
  vg_session_set_params (session, ((VgSettingsRun *) runs->pdata[1])->params);
  vg_session_set_number (session, photons, 1500);
  g_assert_true (vg_session_save (session, path, NULL, NULL));
  {
    g_auto (CliResult) run = cli_run (f, "vg run --session DIR/a.session --out OUT --backend cpu");
    g_autofree char *text = g_build_filename (f->out, "two.mco", NULL);

    g_assert_cmpint (run.status, ==, 0);
    root = cli_load_summary (f);
    parameters = json_object_get_object_member (json_node_get_object (root), "parameters");
    g_assert_cmpint (json_object_get_int_member (parameters, "photons"), ==, 1500);
    g_assert_cmpint (json_object_get_int_member (parameters, "nz"), ==, 30);
    g_assert_true (g_file_test (text, G_FILE_TEST_EXISTS));
  }
}

/* What a session holds is used, and what is said as well wins. */
static void
test_session (CliFixture *f, gconstpointer data)
{
  g_autoptr (VgSession) session = NULL;
  g_autofree char *path = g_build_filename (f->folder, "a.session", NULL), *line = NULL,
                  *name = NULL, *csv = NULL, *table = NULL;
  const VgParam *chosen = NULL;
  const char *inputs[] = { f->tiff, NULL };
  g_autoptr (GError) error = NULL;
  VgRegion region;
  double value;

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < f->stream->params.n_items && chosen == NULL; i++)
    if (f->stream->params.items[i].kind == VG_PARAM_FLOAT)
      chosen = &f->stream->params.items[i];
  g_assert_nonnull (chosen);
  value = (chosen->def + chosen->max) / 2;
  session = vg_session_new (f->stream);
  vg_session_set_inputs (session, inputs);
  vg_session_set_number (session, chosen, value);
  g_assert_true (vg_region_parse (&region, "rect:3,4,10,10", NULL));
  vg_session_add_region (session, &region);
  g_assert_true (vg_session_save (session, path, NULL, &error));
  {
    g_auto (CliResult) run = cli_run (f, "vg run --session DIR/a.session --out OUT --backend cpu");
    g_autoptr (JsonNode) root = NULL;

    g_assert_cmpint (run.status, ==, 0);
    root = cli_load_summary (f);
    cli_check_notes (json_node_get_object (root), run.errors);
    g_assert_cmpfloat_with_epsilon (
        json_object_get_double_member (
            json_object_get_object_member (json_node_get_object (root), "parameters"), chosen->id),
        value, 1e-5 * fabs (value));
  }
  for (guint i = 0; i < f->stream->n_outputs; i++)
    if (f->stream->outputs[i].time_course && csv == NULL)
      {
        g_auto (GStrv) lines = NULL;

        csv = g_build_filename (f->out, "regions.csv", NULL);
        g_assert_true (g_file_get_contents (csv, &table, NULL, NULL));
        lines = g_strsplit (g_strchomp (table), "\n", -1);
        g_assert_cmpuint (g_strv_length (lines), ==, CLI_FRAMES + 1);
      }
  name = vg_param_option_name (chosen);
  line = g_strdup_printf ("vg run --session=DIR/a.session --out OUT --backend cpu --%s=%g", name,
                          chosen->def);
  {
    g_auto (CliResult) run = cli_run (f, line);
    g_autoptr (JsonNode) root = NULL;

    g_assert_cmpint (run.status, ==, 0);
    root = cli_load_summary (f);
    g_assert_cmpfloat_with_epsilon (
        json_object_get_double_member (
            json_object_get_object_member (json_node_get_object (root), "parameters"), chosen->id),
        chosen->def, 1e-5 * fabs (chosen->def));
  }
}

/* Every operation says everything, and its page in docs is what it says now. */
static void
test_describe (CliFixture *f, gconstpointer data)
{
  static const char *const formats[] = { "text", "md", "json" };
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (formats); k++)
      {
        g_autofree char *line = g_strdup_printf ("vg describe %s --format %s", operations[i]->id,
                                                 formats[k]);
        g_auto (CliResult) run = cli_run (f, line);

        g_assert_cmpint (run.status, ==, 0);
        for (guint p = 0; p < operations[i]->params.n_items; p++)
          {
            g_autofree char *name = vg_param_option_name (&operations[i]->params.items[p]);

            g_assert_nonnull (strstr (run.output, name));
          }
        for (guint o = 0; o < operations[i]->n_outputs; o++)
          g_assert_nonnull (strstr (run.output, operations[i]->outputs[o].id));
        if (k == 1)
          {
            g_autofree char *file = g_strconcat (operations[i]->id, ".md", NULL), *page = NULL;
            g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "docs", "operations",
                                                           file, NULL);

            if (!g_file_get_contents (path, &page, NULL, NULL) || g_strcmp0 (page, run.output) != 0)
              g_error ("docs/operations/%s is stale: run scripts/update-docs", file);
          }
        if (k == 2)
          {
            g_autoptr (JsonNode) root = cli_load_json (run.output);

            g_assert_cmpint (json_array_get_length (json_object_get_array_member (
                                 json_node_get_object (root), "parameters")),
                             ==, operations[i]->params.n_items);
          }
      }
}

/* The manual page is what the tables say now, of every command and operation. */
static void
test_man (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "docs", "vivograph.1", NULL),
                  *page = NULL;
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  g_auto (CliResult) run = { 0 };

  if (cli_skip_without_stream (f))
    return;
  run = cli_run (f, "vg describe --format man");
  g_assert_cmpint (run.status, ==, 0);
  for (guint i = 0; i < n; i++)
    g_assert_nonnull (strstr (run.output, operations[i]->id));
  g_assert_nonnull (strstr (run.output, "\\-\\-sum\\-frames"));
  if (!g_file_get_contents (path, &page, NULL, NULL) || g_strcmp0 (page, run.output) != 0)
    g_error ("docs/vivograph.1 is stale: run scripts/update-docs");
}

/* A parameter hides a command's option of the same name, so these must stay free. */
static void
test_reserved_names (CliFixture *f, gconstpointer data)
{
  static const char *const reserved[] = { "out",      "backend", "threads", "session",
                                          "geometry", "channel", "pages",   "sum_frames",
                                          "size",     "help",    "version", "operation",
                                          "display",  "json",    "quick" };
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (reserved); k++)
      g_assert_null (vg_params_find (&operations[i]->params, reserved[k]));
}

static void
test_about (CliFixture *f, gconstpointer data)
{
  static const char *const lines[] = { "vg --help",         "vg --version",
                                       "vg devices",        "vg info TIFF",
                                       "vg describe",       "vg describe --format json",
                                       "vg run --help",     "vg run OP --help",
                                       "vg demo --help",    "vg bench --help",
                                       "vg info --help",    "vg describe --help",
                                       "vg devices --help", "vg TIFF --help" };

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (CliResult) run = cli_run (f, lines[i]);

      g_test_message ("%s", lines[i]);
      g_assert_cmpint (run.status, ==, 0);
      g_assert_cmpuint (strlen (run.output), >, 5);
      g_assert_cmpstr (run.errors, ==, "");
      if (i == 3)
        g_assert_nonnull (strstr (run.output, "41x29"));
      if (i == 5)
        {
          g_autoptr (JsonNode) root = cli_load_json (run.output);

          g_assert_true (JSON_NODE_HOLDS_ARRAY (root));
        }
    }
}

static void
test_bench (CliFixture *f, gconstpointer data)
{
  static const char *const keys[] = { "id", "work", "value", "unit", "limit", "limit_by", "ratio" };
  g_autofree char *path = g_build_filename (f->folder, "bench.json", NULL), *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *rows;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) run = cli_run (f, "vg bench OP --quick --backend cpu --json DIR/bench.json");

    g_assert_cmpstr (run.errors, ==, "");
    g_assert_cmpint (run.status, ==, 0);
    g_assert_nonnull (strstr (run.output, "host_copy"));
  }
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  root = cli_load_json (text);
  g_assert_true (json_object_has_member (json_node_get_object (root), "device"));
  rows = json_object_get_array_member (json_node_get_object (root), "rows");
  g_assert_cmpuint (json_array_get_length (rows), >, 0);
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);

      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        g_assert_true (json_object_has_member (row, keys[k]));
      g_assert_cmpfloat (json_object_get_double_member (row, "value"), >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/errors", CliFixture, NULL, cli_set_up, test_errors, cli_tear_down);
  g_test_add ("/cli/ranges", CliFixture, NULL, cli_set_up, test_ranges, cli_tear_down);
  g_test_add ("/cli/full-output", CliFixture, NULL, cli_set_up, test_full_output, cli_tear_down);
  g_test_add ("/cli/no-display", CliFixture, NULL, cli_set_up, test_no_display, cli_tear_down);
  g_test_add ("/cli/session", CliFixture, NULL, cli_set_up, test_session, cli_tear_down);
  g_test_add ("/cli/session/run", CliFixture, NULL, cli_set_up, test_session_run, cli_tear_down);
  g_test_add ("/cli/man", CliFixture, NULL, cli_set_up, test_man, cli_tear_down);
  g_test_add ("/cli/describe", CliFixture, NULL, cli_set_up, test_describe, cli_tear_down);
  g_test_add ("/cli/reserved-names", CliFixture, NULL, cli_set_up, test_reserved_names,
              cli_tear_down);
  g_test_add ("/cli/about", CliFixture, NULL, cli_set_up, test_about, cli_tear_down);
  g_test_add ("/cli/bench", CliFixture, NULL, cli_set_up, test_bench, cli_tear_down);
  return g_test_run ();
}
