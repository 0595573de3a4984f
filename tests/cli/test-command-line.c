/* SPDX-License-Identifier: MIT */
/* The built program as scripts use it: exit status, messages, files.  Works
 * on whatever operations are registered. */
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tiffio.h>
#include <unistd.h>
#include "vg-session.h"

enum { WIDTH = 41, HEIGHT = 29, FRAMES = 7 };

typedef struct
{
  char *folder, *out, *tiff, *cut;
  const VgOperation *stream;     /* one that takes frames; NULL: none is built */
} Fixture;

typedef struct
{
  int status;
  char *output, *errors;
} Run;

static void
run_clear (Run *run)
{
  g_free (run->output);
  g_free (run->errors);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Noise in a multi-page 16-bit TIFF. */
static void
write_stack (const char *path)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  TIFF *tiff = TIFFOpen (path, "w");
  guint16 row[WIDTH];

  for (int page = 0; page < FRAMES; page++)
    {
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 16);
      TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, HEIGHT);
      for (guint32 y = 0; y < HEIGHT; y++)
        {
          for (int x = 0; x < WIDTH; x++)
            row[x] = (guint16) g_rand_int_range (rand, 100, 4000);
          g_assert_cmpint (TIFFWriteScanline (tiff, row, y, 0), ==, 1);
        }
      TIFFWriteDirectory (tiff);
    }
  TIFFClose (tiff);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  g_autofree char *bytes = NULL;
  gsize length;

  for (guint i = 0; i < n && f->stream == NULL; i++)
    if (operations[i]->input == VG_INPUT_STREAM && operations[i]->synthetic != NULL)
      f->stream = operations[i];
  f->folder = g_dir_make_tmp ("vg-cli-XXXXXX", NULL);
  f->out = g_build_filename (f->folder, "out", NULL);
  f->tiff = g_build_filename (f->folder, "stack.tif", NULL);
  f->cut = g_build_filename (f->folder, "cut.tif", NULL);
  write_stack (f->tiff);
  /* as an interrupted copy leaves it */
  g_assert_true (g_file_get_contents (f->tiff, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (f->cut, bytes, (gssize) (length * 6 / 10), NULL));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", f->folder);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (f->folder);
  g_free (f->out);
  g_free (f->tiff);
  g_free (f->cut);
}

/* The words of LINE, with OP, OUT, TIFF, CUT and DIR replaced. */
static char **
make_argv (Fixture *f, const char *line)
{
  const char *const names[] = { "OP", "OUT", "TIFF", "CUT", "DIR" };
  const char *const values[] = { f->stream->id, f->out, f->tiff, f->cut, f->folder };
  char **argv = g_strsplit (line, " ", -1);
  const char *program = g_getenv ("VIVOGRAPH_PROGRAM");

  g_assert_nonnull (program);
  for (char **word = argv; *word != NULL; word++)
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      {
        g_auto (GStrv) parts = g_strsplit (*word, names[i], 2);
        g_autofree char *old = *word;

        *word = parts[0] != NULL && parts[1] != NULL ? g_strconcat (parts[0], values[i], parts[1], NULL) : g_strdup (old);
      }
  g_free (argv[0]);
  argv[0] = g_strdup (program);
  return argv;
}

/* LINE begins with the program's name. */
static Run
run_limited (Fixture *f, const char *line, GSpawnChildSetupFunc setup)
{
  g_auto (GStrv) argv = make_argv (f, line);
  g_autoptr (GError) error = NULL;
  Run run = { 0 };
  int wait_status = 0;

  g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, setup, NULL, &run.output, &run.errors, &wait_status, &error);
  g_assert_no_error (error);
  run.status = WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : 1000 + WTERMSIG (wait_status);
  return run;
}

static Run
run_line (Fixture *f, const char *line)
{
  return run_limited (f, line, NULL);
}

static gboolean
skip_without_stream (Fixture *f)
{
  if (f->stream == NULL)
    g_test_skip ("no operation that takes frames is built");
  return f->stream == NULL;
}

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

typedef struct { const char *line; int status; const char *message; } Case;

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
  { "vg run OP TIFF --out TIFF", 1, "--out" },
  { "vg run OP TIFF --out /proc/1/none", 1, "--out" },
  { "vg run --session DIR/absent.session --out OUT", 3, "absent.session" },
  { "vg demo OP TIFF --out OUT", 2, "takes no file" },
  { "vg demo OP --out OUT --size 0x7", 2, "--size" },
  { "vg demo OP --out OUT --size 70000x7", 2, "--size" },
  { "vg demo OP --out OUT --size 7x7x", 2, "--size" },
  { "vg describe nonsense", 2, "no operation" },
  { "vg describe OP --format pdf", 2, "text, md or json" },
  { "vg bench nonsense", 2, "no operation" },
  { "vg info", 2, "needs a file" },
  { "vg info DIR/absent.tif", 3, "absent.tif" },
  { "vg devises", 2, "did you mean devices?" },
};

/* Each gives its status, one line of text, and leaves no folder. */
static void
test_errors (Fixture *f, gconstpointer data)
{
  if (skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Run) run = run_line (f, cases[i].line);

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
test_ranges (Fixture *f, gconstpointer data)
{
  if (skip_without_stream (f))
    return;
  for (guint i = 0; i < f->stream->params.n_items; i++)
    {
      const VgParam *param = &f->stream->params.items[i];
      g_autofree char *name = vg_param_option_name (param), *line = NULL;

      if (param->kind > VG_PARAM_CHOICE)
        continue;
      line = g_strdup_printf ("vg run OP TIFF --out OUT --%s=%s", name, param->kind == VG_PARAM_CHOICE || param->kind == VG_PARAM_BOOL ? "sideways" : "-1e30");
      {
        g_auto (Run) run = run_line (f, line);

        g_assert_cmpint (run.status, ==, 2);
        g_assert_nonnull (strstr (run.errors, param->id));
      }
    }
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

/* The summary's figures of one output against its file, read by libtiff. */
static void
check_output (Fixture *f, const char *id, JsonObject *map)
{
  g_autofree char *name = g_strconcat (id, ".tif", NULL), *path = g_build_filename (f->out, name, NULL);
  gint64 width = json_object_get_int_member (map, "width"), height = json_object_get_int_member (map, "height");
  gint64 pages = json_object_get_int_member (map, "pages"), invalid = 0;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (float));
  g_autofree float *row = g_new (float, width);
  TIFF *tiff = TIFFOpen (path, "r");
  double sum = 0;

  g_assert_nonnull (tiff);
  for (gint64 page = 0; page < pages; page++)
    {
      guint32 w = 0, h = 0;

      g_assert_true (TIFFSetDirectory (tiff, (tdir_t) page));
      TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &w);
      TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &h);
      g_assert_cmpint (w, ==, width);
      g_assert_cmpint (h, ==, height);
      for (guint32 y = 0; y < h; y++)
        {
          g_assert_cmpint (TIFFReadScanline (tiff, row, y, 0), ==, 1);
          for (guint32 x = 0; x < w; x++)
            if (isfinite (row[x]))
              {
                g_array_append_val (values, row[x]);
                sum += row[x];
              }
            else
              invalid++;
        }
    }
  g_assert_false (TIFFReadDirectory (tiff));
  TIFFClose (tiff);
  g_assert_cmpint (json_object_get_int_member (map, "invalid"), ==, invalid);
  if (values->len == 0)
    {
      g_assert_true (json_object_get_null_member (map, "median"));
      return;
    }
  qsort (values->data, values->len, sizeof (float), compare);
  g_assert_cmpfloat (json_object_get_double_member (map, "min"), ==, g_array_index (values, float, 0));
  g_assert_cmpfloat (json_object_get_double_member (map, "max"), ==, g_array_index (values, float, values->len - 1));
  g_assert_cmpfloat (json_object_get_double_member (map, "median"), ==,
                     ((double) g_array_index (values, float, (values->len - 1) / 2) + g_array_index (values, float, values->len / 2)) / 2);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (map, "mean"), sum / values->len, 1e-9 * (1 + fabs (sum / values->len)));
}

static JsonNode *
load_json (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = json_from_string (text, &error);

  g_assert_no_error (error);
  g_assert_nonnull (node);
  return node;
}

static JsonNode *
load_summary (Fixture *f)
{
  g_autofree char *path = g_build_filename (f->out, "summary.json", NULL), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return load_json (text);
}

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
        case VG_PARAM_INT: case VG_PARAM_ACTION: g_assert_true (type == G_TYPE_INT64); break;
        case VG_PARAM_FLOAT: case VG_PARAM_DOUBLE: g_assert_true (type == G_TYPE_DOUBLE); break;
        case VG_PARAM_BOOL: g_assert_true (type == G_TYPE_BOOLEAN); break;
        case VG_PARAM_CHOICE: g_assert_true (type == G_TYPE_STRING); break;
        default: break;
        }
    }
}

static void
test_summary (Fixture *f, gconstpointer data)
{
  static const char *const keys[] = { "operation", "version", "device", "backend", "seconds", "inputs", "parameters", "outputs", "results" };
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *png = NULL, *preview = g_build_filename (f->out, "preview.png", NULL);
  JsonObject *summary, *outputs;
  guint shown = 0;
  gsize length;

  if (skip_without_stream (f))
    return;
  {
    g_auto (Run) run = run_line (f, "vg run --backend=cpu OP TIFF --out OUT");

    g_assert_cmpstr (run.errors, ==, "");
    g_assert_cmpint (run.status, ==, 0);
  }
  root = load_summary (f);
  summary = json_node_get_object (root);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_true (json_object_has_member (summary, keys[i]));
  g_assert_cmpstr (json_object_get_string_member (summary, "operation"), ==, f->stream->id);
  g_assert_cmpstr (json_object_get_string_member (summary, "backend"), ==, "cpu");
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (summary, "inputs"), 0), ==, f->tiff);
  g_assert_cmpfloat (json_object_get_double_member (summary, "seconds"), >, 0);
  check_parameters (f->stream, json_object_get_object_member (summary, "parameters"));
  outputs = json_object_get_object_member (summary, "outputs");
  for (guint i = 0; i < f->stream->n_outputs; i++)
    if (json_object_has_member (outputs, f->stream->outputs[i].id))
      {
        g_assert_false (f->stream->outputs[i].view_only);
        check_output (f, f->stream->outputs[i].id, json_object_get_object_member (outputs, f->stream->outputs[i].id));
        shown++;
      }
  g_assert_cmpuint (shown, ==, json_object_get_size (outputs));
  g_assert_cmpuint (shown, >, 0);
  g_assert_cmpuint (count_entries (f->out), ==, shown + 2);
  g_assert_true (g_file_get_contents (preview, &png, &length, NULL));
  g_assert_true (length > 8 && memcmp (png, "\211PNG\r\n\032\n", 8) == 0);
}

/* Two files are one series: as many more maps as the second has frames. */
static void
test_series (Fixture *f, gconstpointer data)
{
  gint64 pages[2];

  if (skip_without_stream (f) || f->stream->max_inputs == 1)
    return;
  for (int i = 0; i < 2; i++)
    {
      g_auto (Run) run = run_line (f, i == 0 ? "vg run OP TIFF --out OUT --backend cpu" : "vg run OP TIFF TIFF --out OUT --backend cpu");
      g_autoptr (JsonNode) root = NULL;
      JsonObject *outputs;

      g_assert_cmpint (run.status, ==, 0);
      root = load_summary (f);
      outputs = json_object_get_object_member (json_node_get_object (root), "outputs");
      pages[i] = json_object_get_int_member (json_object_get_object_member (outputs, f->stream->outputs[0].id), "pages");
    }
  g_assert_cmpint (pages[1], ==, pages[0] + FRAMES);
}

/* A failing run leaves what was there, to the byte. */
static void
check_old_files_stay (Fixture *f, const char *line, int status, GSpawnChildSetupFunc setup)
{
  g_autofree char *name = g_strconcat (f->stream->outputs[0].id, ".tif", NULL);
  g_autofree char *old = g_build_filename (f->out, name, NULL), *text = NULL;

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0777), ==, 0);
  g_assert_true (g_file_set_contents (old, "as it was", -1, NULL));
  {
    g_auto (Run) run = run_limited (f, line, setup);

    g_test_message ("%s -> %d %s", line, run.status, run.errors);
    g_assert_cmpint (run.status, ==, status);
    g_assert_true (g_str_has_prefix (run.errors, "vivograph: "));
  }
  g_assert_true (g_file_get_contents (old, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "as it was");
  g_assert_cmpuint (count_entries (f->out), ==, 1);
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
test_atomic (Fixture *f, gconstpointer data)
{
  if (skip_without_stream (f))
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

/* Two more than the demo's settings need for a map. */
static int
demo_frames (const VgOperation *operation)
{
  void *params = vg_params_new (&operation->params);
  int history;

  if (operation->synthetic->settings != NULL)
    operation->synthetic->settings (params);
  history = operation->history == NULL ? 0 : operation->history (params);
  vg_params_free (&operation->params, params);
  return history + 3;
}

/* The same seed gives the same bytes, also with another number of threads; another seed does not. */
static void
test_demo (Fixture *f, gconstpointer data)
{
  g_autofree char *name = NULL, *truth = NULL, *first = NULL, *second = NULL, *third = NULL, *second_folder = NULL, *third_folder = NULL;
  gboolean has_truth = FALSE;
  g_autoptr (GDir) dir = NULL;
  const char *entry;

  if (skip_without_stream (f))
    return;
  second_folder = g_build_filename (f->folder, "second", NULL);
  third_folder = g_build_filename (f->folder, "third", NULL);
  {
    int frames = demo_frames (f->stream);
    g_autofree char *line_a = g_strdup_printf ("vg demo OP --out OUT --size 48x40x%d --seed 3 --backend cpu --threads 1", frames);
    g_autofree char *line_b = g_strdup_printf ("vg demo OP --out DIR/second --size 48x40x%d --seed 3 --backend cpu --threads 2", frames);
    g_autofree char *line_c = g_strdup_printf ("vg demo OP --out DIR/third --size 48x40x%d --seed 4 --backend cpu", frames);
    g_auto (Run) a = run_line (f, line_a);
    g_auto (Run) b = run_line (f, line_b);
    g_auto (Run) c = run_line (f, line_c);

    g_assert_cmpstr (a.errors, ==, "");
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

/* Starts reading frames from standard input; *INPUT stays open. */
static GPid
start_stream (Fixture *f, int *input)
{
  g_auto (GStrv) argv = make_argv (f, "vg run OP - --geometry 16x16:u16 --out OUT --backend cpu");
  g_autoptr (GError) error = NULL;
  GPid pid = 0;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &pid, input, NULL, NULL, &error);
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
test_stream (Fixture *f, gconstpointer data)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *map;
  GPid pid;
  int fd;

  if (skip_without_stream (f))
    return;
  pid = start_stream (f, &fd);
  write_frames (fd, 5, 0);
  close (fd);
  g_assert_cmpint (wait_status (pid), ==, 0);
  root = load_summary (f);
  map = json_object_get_object_member (json_object_get_object_member (json_node_get_object (root), "outputs"), f->stream->outputs[0].id);
  g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, 5);
  check_output (f, f->stream->outputs[0].id, map);
}

static void
test_half_frame (Fixture *f, gconstpointer data)
{
  GPid pid;
  int fd;

  if (skip_without_stream (f))
    return;
  pid = start_stream (f, &fd);
  write_frames (fd, 3, 77);
  close (fd);
  g_assert_cmpint (wait_status (pid), ==, 3);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
}

/* While it waits for a frame, and while it computes. */
static void
test_cancel (Fixture *f, gconstpointer data)
{
  static const int signals[] = { SIGINT, SIGTERM };

  if (skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      gint64 start;
      GPid pid;
      int fd;

      pid = start_stream (f, &fd);
      write_frames (fd, 3, 0);
      /* the folder is there once the signals are listened to */
      for (int tries = 0; tries < 500 && !g_file_test (f->out, G_FILE_TEST_EXISTS); tries++)
        g_usleep (10000);
      start = g_get_monotonic_time ();
      kill (pid, signals[i]);
      g_assert_cmpint (wait_status (pid), ==, 130);
      g_assert_cmpint (g_get_monotonic_time () - start, <, 2 * G_USEC_PER_SEC);
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
      close (fd);
    }
}

/* What a session holds is used, and what is said as well wins. */
static void
test_session (Fixture *f, gconstpointer data)
{
  g_autoptr (VgSession) session = NULL;
  g_autofree char *path = g_build_filename (f->folder, "a.session", NULL), *line = NULL, *name = NULL, *csv = NULL, *table = NULL;
  const VgParam *chosen = NULL;
  const char *inputs[] = { f->tiff, NULL };
  g_autoptr (GError) error = NULL;
  VgRegion region;
  double value;

  if (skip_without_stream (f))
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
  g_assert_true (vg_session_save (session, path, &error));
  {
    g_auto (Run) run = run_line (f, "vg run --session DIR/a.session --out OUT --backend cpu");
    g_autoptr (JsonNode) root = NULL;

    g_assert_cmpstr (run.errors, ==, "");
    g_assert_cmpint (run.status, ==, 0);
    root = load_summary (f);
    g_assert_cmpfloat_with_epsilon (json_object_get_double_member (json_object_get_object_member (json_node_get_object (root), "parameters"), chosen->id),
                                    value, 1e-5 * fabs (value));
  }
  for (guint i = 0; i < f->stream->n_outputs; i++)
    if (f->stream->outputs[i].time_course && csv == NULL)
      {
        g_auto (GStrv) lines = NULL;

        csv = g_build_filename (f->out, "regions.csv", NULL);
        g_assert_true (g_file_get_contents (csv, &table, NULL, NULL));
        lines = g_strsplit (g_strchomp (table), "\n", -1);
        g_assert_cmpuint (g_strv_length (lines), ==, FRAMES + 1);
      }
  name = vg_param_option_name (chosen);
  line = g_strdup_printf ("vg run --session=DIR/a.session --out OUT --backend cpu --%s=%g", name, chosen->def);
  {
    g_auto (Run) run = run_line (f, line);
    g_autoptr (JsonNode) root = NULL;

    g_assert_cmpint (run.status, ==, 0);
    root = load_summary (f);
    g_assert_cmpfloat_with_epsilon (json_object_get_double_member (json_object_get_object_member (json_node_get_object (root), "parameters"), chosen->id),
                                    chosen->def, 1e-5 * fabs (chosen->def));
  }
}

/* Every operation says everything, and its page in docs is what it says now. */
static void
test_describe (Fixture *f, gconstpointer data)
{
  static const char *const formats[] = { "text", "md", "json" };
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  if (skip_without_stream (f))
    return;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (formats); k++)
      {
        g_autofree char *line = g_strdup_printf ("vg describe %s --format %s", operations[i]->id, formats[k]);
        g_auto (Run) run = run_line (f, line);

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
            g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "docs", "operations", file, NULL);

            if (!g_file_get_contents (path, &page, NULL, NULL) || g_strcmp0 (page, run.output) != 0)
              g_error ("docs/operations/%s is stale: run scripts/update-docs", file);
          }
        if (k == 2)
          {
            g_autoptr (JsonNode) root = load_json (run.output);

            g_assert_cmpint (json_array_get_length (json_object_get_array_member (json_node_get_object (root), "parameters")), ==, operations[i]->params.n_items);
          }
      }
}

/* A parameter hides a command's option of the same name, so these must stay free. */
static void
test_reserved_names (Fixture *f, gconstpointer data)
{
  static const char *const reserved[] = { "out", "backend", "threads", "session", "geometry", "size", "help", "version", "operation", "display", "json", "quick" };
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (reserved); k++)
      g_assert_null (vg_params_find (&operations[i]->params, reserved[k]));
}

static void
test_about (Fixture *f, gconstpointer data)
{
  static const char *const lines[] = { "vg --help", "vg --version", "vg devices", "vg info TIFF", "vg describe", "vg describe --format json",
                                       "vg run --help", "vg run OP --help", "vg demo --help", "vg bench --help", "vg info --help", "vg describe --help", "vg devices --help" };

  if (skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (Run) run = run_line (f, lines[i]);

      g_test_message ("%s", lines[i]);
      g_assert_cmpint (run.status, ==, 0);
      g_assert_cmpuint (strlen (run.output), >, 5);
      g_assert_cmpstr (run.errors, ==, "");
      if (i == 3)
        g_assert_nonnull (strstr (run.output, "41x29"));
      if (i == 5)
        {
          g_autoptr (JsonNode) root = load_json (run.output);

          g_assert_true (JSON_NODE_HOLDS_ARRAY (root));
        }
    }
}

static void
test_bench (Fixture *f, gconstpointer data)
{
  static const char *const keys[] = { "id", "work", "value", "unit", "limit", "limit_by", "ratio" };
  g_autofree char *path = g_build_filename (f->folder, "bench.json", NULL), *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *rows;

  if (skip_without_stream (f))
    return;
  {
    g_auto (Run) run = run_line (f, "vg bench OP --quick --backend cpu --json DIR/bench.json");

    g_assert_cmpstr (run.errors, ==, "");
    g_assert_cmpint (run.status, ==, 0);
    g_assert_nonnull (strstr (run.output, "host_copy"));
  }
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  root = load_json (text);
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
  g_test_add ("/cli/errors", Fixture, NULL, set_up, test_errors, tear_down);
  g_test_add ("/cli/ranges", Fixture, NULL, set_up, test_ranges, tear_down);
  g_test_add ("/cli/summary", Fixture, NULL, set_up, test_summary, tear_down);
  g_test_add ("/cli/series", Fixture, NULL, set_up, test_series, tear_down);
  g_test_add ("/cli/atomic", Fixture, NULL, set_up, test_atomic, tear_down);
  g_test_add ("/cli/demo", Fixture, NULL, set_up, test_demo, tear_down);
  g_test_add ("/cli/stream", Fixture, NULL, set_up, test_stream, tear_down);
  g_test_add ("/cli/half-frame", Fixture, NULL, set_up, test_half_frame, tear_down);
  g_test_add ("/cli/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  g_test_add ("/cli/session", Fixture, NULL, set_up, test_session, tear_down);
  g_test_add ("/cli/describe", Fixture, NULL, set_up, test_describe, tear_down);
  g_test_add ("/cli/reserved-names", Fixture, NULL, set_up, test_reserved_names, tear_down);
  g_test_add ("/cli/about", Fixture, NULL, set_up, test_about, tear_down);
  g_test_add ("/cli/bench", Fixture, NULL, set_up, test_bench, tear_down);
  return g_test_run ();
}
