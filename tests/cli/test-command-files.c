/* SPDX-License-Identifier: MIT */
/* The built program's files: maps and summary of run and demo, series,
 * and that a run which fails leaves all as it was.  Works on whatever operations
 * are registered. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "vg-config.h"
#include "tests/support/data-file.h"
#include "tests/support/app/cli-fixture.h"

static void
check_parameters (const VgOperation *operation, JsonObject *parameters)
{
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      JsonNode *node = json_object_get_member (parameters, param->id);
      GType type;

      g_assert_nonnull (node);
      if (JSON_NODE_HOLDS_NULL (node))
        {
          g_assert_cmpint (param->kind, >=, VG_PARAM_FILE);
          continue;
        }
      type = json_node_get_value_type (node);
      switch (param->kind)
        {
        case VG_PARAM_INT:
        case VG_PARAM_ACTION:
          g_assert_true (type == G_TYPE_INT64);
          break;
        case VG_PARAM_FLOAT:
        case VG_PARAM_DOUBLE:
          g_assert_true (type == G_TYPE_DOUBLE);
          break;
        case VG_PARAM_BOOL:
          g_assert_true (type == G_TYPE_BOOLEAN);
          break;
        case VG_PARAM_CHOICE:
          g_assert_true (type == G_TYPE_STRING);
          break;
        default:
          break;
        }
    }
}

/* A program from a checkout names its commit if git reads it, and one from an archive has none. */
static void
check_commit (JsonObject *provenance)
{
  g_autofree char *root = g_build_filename (VG_SOURCE_EXAMPLES_DIR, "..", "..", NULL),
                  *checkout = g_build_filename (root, ".git", NULL);
  const char *describe[] = { "git", "-C", root, "describe", "--always", NULL };
  int status = 1;
  gboolean known = g_file_test (checkout, G_FILE_TEST_EXISTS) &&
                   g_spawn_sync (NULL, (char **) describe, NULL,
                                 G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                                     G_SPAWN_STDERR_TO_DEV_NULL,
                                 NULL, NULL, NULL, NULL, &status, NULL) &&
                   status == 0;

  g_assert_cmpint (json_object_has_member (provenance, "commit"), ==, known);
}

static void
test_summary (CliFixture *f, gconstpointer data)
{
  static const char *const keys[] = { "operation", "version",    "device",  "backend", "seconds",
                                      "inputs",    "parameters", "outputs", "results" };
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *png = NULL, *preview = g_build_filename (f->out, "preview.png", NULL);
  JsonObject *summary, *outputs;
  gint64 pages = 0;
  guint shown = 0;
  gsize length;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) run = cli_run (f, "vg run --backend=cpu OP TIFF --out OUT");

    g_assert_cmpint (run.status, ==, 0);
    root = cli_load_summary (f);
    cli_check_notes (json_node_get_object (root), run.errors);
  }
  summary = json_node_get_object (root);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_true (json_object_has_member (summary, keys[i]));
  g_assert_cmpstr (json_object_get_string_member (summary, "operation"), ==, f->stream->id);
  g_assert_cmpstr (json_object_get_string_member (summary, "backend"), ==, "cpu");
  g_assert_cmpstr (
      json_array_get_string_element (json_object_get_array_member (summary, "inputs"), 0), ==,
      f->tiff);
  g_assert_cmpfloat (json_object_get_double_member (summary, "seconds"), >, 0);
  check_commit (json_object_get_object_member (summary, "provenance"));
  check_parameters (f->stream, json_object_get_object_member (summary, "parameters"));
  outputs = json_object_get_object_member (summary, "outputs");
  for (guint i = 0; i < f->stream->n_outputs; i++)
    if (json_object_has_member (outputs, f->stream->outputs[i].id))
      {
        g_assert_false (f->stream->outputs[i].view_only);
        JsonObject *map = json_object_get_object_member (outputs, f->stream->outputs[i].id);

        cli_check_output (f, f->stream->outputs[i].id, map);
        /* page N is the same moment in every file, also of a map that begins later */
        if (shown++ == 0)
          pages = json_object_get_int_member (map, "pages");
        g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, pages);
      }
  g_assert_cmpuint (shown, ==, json_object_get_size (outputs));
  g_assert_cmpuint (shown, >, 0);
  g_assert_cmpuint (cli_count_entries (f->out), ==, shown + 2);
  g_assert_true (g_file_get_contents (preview, &png, &length, NULL));
  g_assert_true (length > 8 && memcmp (png, "\211PNG\r\n\032\n", 8) == 0);
}

/* Regions from a list: a row for each frame and region, with its name; the error for what is no
 * list names file and line. */
static void
test_rois (CliFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *text, *says;
  } wrong[] = { { "rect:1,2,3,4\nrect:1,2,nonsense\n", "line 2" },
                { "# nothing\n\n", "no region" },
                { "rect:1,2,0,4", "line 1" },
                { "\377\376", "not a list" } };
  g_autofree char *path = g_build_filename (f->folder, "rois.txt", NULL),
                  *csv = g_build_filename (f->out, "regions.csv", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (cli_skip_without_stream (f))
    return;
  g_assert_true (g_file_set_contents (
      path, "# cells\nrect:2,3,10,9 the \"first\" one\n\n  ellipse:20,14,5,4\n", -1, NULL));
  {
    g_auto (CliResult)
        run = cli_run (f, "vg run --backend=cpu OP TIFF --rois DIR/rois.txt --out OUT");

    g_assert_cmpint (run.status, ==, 0);
  }
  g_assert_true (g_file_get_contents (csv, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "frame,time_s,region,"));
  g_assert_nonnull (strstr (lines[1], ",\"the \"\"first\"\" one\","));
  g_assert_nonnull (strstr (lines[2], ",\"Region 2\","));
  /* the head, two for each frame, and the end */
  g_assert_cmpuint (g_strv_length (lines) % 2, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_auto (CliResult) run = { 0 };

      g_assert_true (g_file_set_contents (path, wrong[i].text, -1, NULL));
      run = cli_run (f, "vg run --backend=cpu OP TIFF --rois DIR/rois.txt --out OUT");
      g_assert_cmpint (run.status, ==, 3);
      g_assert_nonnull (strstr (run.errors, wrong[i].says));
      g_assert_nonnull (strstr (run.errors, "rois.txt"));
    }
  {
    g_auto (CliResult) other = cli_run (f, "vg run --backend=cpu OP TIFF --out OUT");

    g_assert_cmpint (other.status, ==, 0);
    g_assert_false (g_file_test (csv, G_FILE_TEST_EXISTS)); /* it was the other run's */
  }
}

/* Two files are one series: as many more maps as the second has frames. */
static void
test_series (CliFixture *f, gconstpointer data)
{
  gint64 pages[2];

  if (cli_skip_without_stream (f) || f->stream->input.files[1] == 1)
    return;
  for (int i = 0; i < 2; i++)
    {
      g_auto (CliResult) run = cli_run (f, i == 0 ? "vg run OP TIFF --out OUT --backend cpu"
                                                  : "vg run OP TIFF TIFF --out OUT --backend cpu");
      g_autoptr (JsonNode) root = NULL;
      JsonObject *outputs;

      g_assert_cmpint (run.status, ==, 0);
      root = cli_load_summary (f);
      outputs = json_object_get_object_member (json_node_get_object (root), "outputs");
      pages[i] = json_object_get_int_member (
          json_object_get_object_member (outputs, f->stream->outputs[0].id), "pages");
    }
  g_assert_cmpint (pages[1], ==, pages[0] + CLI_FRAMES);
}

/* A warning about an unusual input is printed and is in the summary. */
static void
test_caution (CliFixture *f, gconstpointer data)
{
  static const char *const names[] = { "v2.tif", "v10.tif" };
  g_autofree char *bytes = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *notes;
  gsize length;

  if (cli_skip_without_stream (f) || f->stream->input.files[1] == 1)
    return;
  g_assert_true (g_file_get_contents (f->tiff, &bytes, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (f->folder, names[i], NULL);

      g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
    }
  {
    g_auto (CliResult)
        run = cli_run (f, "vg run OP DIR/v10.tif DIR/v2.tif --out OUT --backend cpu");

    g_assert_cmpint (run.status, ==, 0);
    g_assert_nonnull (strstr (run.errors, "v2.tif\" comes after"));
  }
  root = cli_load_summary (f);
  notes = json_object_get_array_member (json_node_get_object (root), "notes");
  g_assert_cmpuint (json_array_get_length (notes), >, 0);
  g_assert_nonnull (strstr (json_array_get_string_element (notes, 0), "v2.tif\" comes after"));
}

/* A failing run leaves what was there, to the byte. */
static void
check_old_files_stay (CliFixture *f, const char *line, int status, GSpawnChildSetupFunc setup)
{
  g_autofree char *name = g_strconcat (f->stream->outputs[0].id, ".tif", NULL);
  g_autofree char *old = g_build_filename (f->out, name, NULL), *text = NULL;

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0777), ==, 0);
  g_assert_true (g_file_set_contents (old, "as it was", -1, NULL));
  {
    g_auto (CliResult) run = cli_run_limited (f, line, setup);

    g_test_message ("%s -> %d %s", line, run.status, run.errors);
    g_assert_cmpint (run.status, ==, status);
    g_assert_true (g_str_has_prefix (run.errors, "vivograph: "));
  }
  g_assert_true (g_file_get_contents (old, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "as it was");
  g_assert_cmpuint (cli_count_entries (f->out), ==, 1);
}

/* A disk that is full after 2 KiB of any file. */
static void
limit_file_size (gpointer data)
{
  struct rlimit limit = { 2048, 2048 };

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
}

static void
test_atomic (CliFixture *f, gconstpointer data)
{
  if (cli_skip_without_stream (f))
    return;
  check_old_files_stay (f, "vg run OP CUT --out OUT", 3, NULL);
  check_old_files_stay (f, "vg run OP TIFF --out OUT", 1, limit_file_size);
}

static char *
checksum (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, length);
}

/* A warning names a map that is left from an earlier run, and a map without any value. */
static void
test_notices (CliFixture *f, gconstpointer data)
{
  g_autofree char *zeros = NULL, *path = NULL;

  if (cli_skip_without_stream (f))
    return;
  zeros = g_malloc0 (64);
  path = g_build_filename (f->folder, "zeros.raw", NULL);
  g_assert_true (g_file_set_contents (path, zeros, 64, NULL));
  {
    g_auto (CliResult) first = cli_run (f, "vg run OP TIFF --out OUT --backend cpu");
    g_auto (CliResult)
        second = cli_run (f, "vg run OP DIR/zeros.raw --geometry 8x8:u8 --out OUT --backend cpu");

    g_assert_null (strstr (first.errors, "earlier run"));
    g_assert_cmpint (second.status, ==, 0);
    g_assert_nonnull (strstr (second.errors, "no pixel has a value"));
    for (guint i = 0; i < f->stream->n_outputs; i++)
      {
        g_autofree char *name = g_strconcat (f->stream->outputs[i].id, ".tif", NULL),
                        *full = g_build_filename (f->out, name, NULL);
        g_autoptr (JsonNode) root = cli_load_summary (f);
        JsonObject *outputs = json_object_get_object_member (json_node_get_object (root),
                                                             "outputs");
        gboolean old = g_file_test (full, G_FILE_TEST_EXISTS) &&
                       !json_object_has_member (outputs, f->stream->outputs[i].id);

        g_assert_true ((strstr (second.errors, name) != NULL) == old);
      }
  }
}

/* A run names the files that it replaced, unless an earlier run had written them. */
static void
test_replaced (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->out, "summary.json", NULL);

  if (cli_skip_without_stream (f))
    return;
  g_assert_cmpint (g_mkdir (f->out, 0777), ==, 0);
  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
  {
    g_auto (CliResult) first = cli_run (f, "vg run OP TIFF --out OUT --backend cpu");
    g_auto (CliResult) second = cli_run (f, "vg run OP TIFF --out OUT --backend cpu");

    g_assert_cmpint (first.status, ==, 0);
    g_assert_nonnull (strstr (first.errors, "no earlier run wrote were replaced: summary.json\n"));
    g_assert_cmpint (second.status, ==, 0);
    g_assert_null (strstr (second.errors, "replaced"));
  }
}

/* `info` goes on after a file that it cannot read. */
static void
test_several (CliFixture *f, gconstpointer data)
{
  g_auto (CliResult) result = cli_run (f, "vg info DIR/a.tif TIFF DIR/b.tif");
  g_autofree char *name = g_path_get_basename (f->tiff);

  g_assert_cmpint (result.status, ==, 3);
  g_assert_true (g_str_has_prefix (result.output, "file: "));
  g_assert_nonnull (strstr (result.output, name));
  g_assert_nonnull (strstr (result.errors, "a.tif"));
  g_assert_nonnull (strstr (result.errors, "b.tif"));
}

/* Options of reading change what info prints, and are refused where they have no meaning. */
static void
test_reading (CliFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *options;
    int status;
    const char *says;
  } cases[] = {
    { "", 0, "8x8, 8-bit, 2 frames" },
    { " --pages bins", 0, "8x8, 8-bit, 2 bins, 1 frame" },
    { " --pages slices", 0, "2 slices" },
    { " --pages tiles", 2, "pages" },
    { " --channel 2", 2, "--channel has no effect" },
    { " --channel 0", 2, "channel" },
    { " --sum-frames 3", 2, "--sum-frames has no effect" },
  };
  g_autofree char *zeros = g_malloc0 (128), *path = g_build_filename (f->folder, "zeros.raw", NULL);

  g_assert_true (g_file_set_contents (path, zeros, 128, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = g_strconcat ("vg info DIR/zeros.raw --geometry 8x8:u8",
                                           cases[i].options, NULL);
      g_auto (CliResult) result = cli_run (f, line);

      g_assert_cmpint (result.status, ==, cases[i].status);
      g_assert_nonnull (strstr (cases[i].status ? result.errors : result.output, cases[i].says));
    }
}

/* The results of a recording of a terabyte, a sparse file, do not fit on the disk: the run fails
 * before it computes, because it knows their size from the number of frames. */
static void
test_huge (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = NULL;
  int fd;

  if (cli_skip_without_stream (f))
    return;
  path = g_build_filename (f->folder, "huge.raw", NULL);
  fd = g_open (path, O_CREAT | O_WRONLY, 0600);
  if (ftruncate (fd, (off_t) 1 << 40) != 0)
    {
      close (fd);
      g_test_skip ("the temporary folder takes no file of a terabyte");
      return;
    }
  close (fd);
  {
    g_auto (CliResult)
        run = cli_run (f, "vg run OP DIR/huge.raw --geometry 256x256:u8 --out OUT --backend cpu");

    g_assert_cmpint (run.status, ==, 1);
    g_assert_nonnull (strstr (run.errors, " left; "));
    g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  }
}

/* A result never takes the place of what it was computed from. */
static void
test_own_input (CliFixture *f, gconstpointer data)
{
  g_autofree char *name = NULL, *input = NULL, *before = NULL, *after = NULL, *line = NULL;

  if (cli_skip_without_stream (f))
    return;
  name = g_strconcat (f->stream->outputs[0].id, ".tif", NULL);
  input = g_build_filename (f->folder, name, NULL);
  g_assert_cmpint (g_rename (f->tiff, input), ==, 0);
  before = checksum (f->folder, name);
  line = g_strdup_printf ("vg run OP DIR/%s --out DIR --backend cpu", name);
  {
    g_auto (CliResult) run = cli_run (f, line);

    g_assert_cmpint (run.status, ==, 2);
    g_assert_nonnull (strstr (run.errors, name));
  }
  after = checksum (f->folder, name);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpuint (cli_count_entries (f->folder), ==, 2);
}

/* Two more than the demo's settings need for a map. */
static int
demo_frames (const VgOperation *operation)
{
  void *params = vg_params_new (&operation->params);
  int history;

  if (operation->synthetic->settings != NULL)
    operation->synthetic->settings (&operation->synthetic->batch, params);
  history = vg_operation_get_history (operation, params);
  vg_params_free (&operation->params, params);
  return history + 3;
}

/* The same seed gives the same bytes, also with another number of threads; another seed does not.
 */
static void
test_demo (CliFixture *f, gconstpointer data)
{
  g_autofree char *name = NULL, *first = NULL, *second = NULL, *third = NULL, *second_folder = NULL,
                  *third_folder = NULL;
  gboolean has_truth = FALSE;
  g_autoptr (GDir) dir = NULL;
  const char *entry;

  if (cli_skip_without_stream (f))
    return;
  second_folder = g_build_filename (f->folder, "second", NULL);
  third_folder = g_build_filename (f->folder, "third", NULL);
  {
    int frames = demo_frames (f->stream);
    g_autofree char *line_a = g_strdup_printf (
        "vg demo OP --out OUT --size 48x40x%d --seed 3 --backend cpu --threads 1", frames);
    g_autofree char *line_b = g_strdup_printf (
        "vg demo OP --out DIR/second --size 48x40x%d --seed 3 --backend cpu --threads 2", frames);
    g_autofree char *line_c = g_strdup_printf (
        "vg demo OP --out DIR/third --size 48x40x%d --seed 4 --backend cpu", frames);
    g_auto (CliResult) a = cli_run (f, line_a);
    g_auto (CliResult) b = cli_run (f, line_b);
    g_auto (CliResult) c = cli_run (f, line_c);

    g_autoptr (JsonNode) root = cli_load_summary (f);

    cli_check_notes (json_node_get_object (root), a.errors);
    g_assert_cmpstr (
        json_object_get_string_member (
            json_object_get_object_member (json_node_get_object (root), "synthetic"), "sample"),
        ==, f->stream->synthetic->samples[0].id);
    g_assert_cmpint (a.status, ==, 0);
    g_assert_cmpint (b.status, ==, 0);
    g_assert_cmpint (c.status, ==, 0);
  }
  name = g_strconcat (f->stream->outputs[0].id, ".tif", NULL);
  first = checksum (f->out, name);
  second = checksum (second_folder, name);
  third = checksum (third_folder, name);
  g_assert_cmpstr (first, ==, second);
  g_assert_cmpstr (first, !=, third);
  dir = g_dir_open (f->out, 0, NULL);
  while ((entry = g_dir_read_name (dir)) != NULL)
    has_truth |= g_str_has_prefix (entry, "truth_");
  g_assert_true (has_truth == (f->stream->synthetic->truth != NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/rois", CliFixture, NULL, cli_set_up, test_rois, cli_tear_down);
  g_test_add ("/cli/summary", CliFixture, NULL, cli_set_up, test_summary, cli_tear_down);
  g_test_add ("/cli/series", CliFixture, NULL, cli_set_up, test_series, cli_tear_down);
  g_test_add ("/cli/caution", CliFixture, NULL, cli_set_up, test_caution, cli_tear_down);
  g_test_add ("/cli/atomic", CliFixture, NULL, cli_set_up, test_atomic, cli_tear_down);
  g_test_add ("/cli/notices", CliFixture, NULL, cli_set_up, test_notices, cli_tear_down);
  g_test_add ("/cli/replaced", CliFixture, NULL, cli_set_up, test_replaced, cli_tear_down);
  g_test_add ("/cli/several", CliFixture, NULL, cli_set_up, test_several, cli_tear_down);
  g_test_add ("/cli/huge", CliFixture, NULL, cli_set_up, test_huge, cli_tear_down);
  g_test_add ("/cli/reading", CliFixture, NULL, cli_set_up, test_reading, cli_tear_down);
  g_test_add ("/cli/own-input", CliFixture, NULL, cli_set_up, test_own_input, cli_tear_down);
  g_test_add ("/cli/demo", CliFixture, NULL, cli_set_up, test_demo, cli_tear_down);
  return g_test_run ();
}
