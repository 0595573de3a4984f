/* SPDX-License-Identifier: MIT */
#include "tests/support/app/cli-fixture.h"
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tiffio.h>

void
cli_result_clear (CliResult *run)
{
  g_free (run->output);
  g_free (run->errors);
}

/* Noise in a multi-page 16-bit TIFF. */
static void
write_stack (const char *path)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  TIFF *tiff = TIFFOpen (path, "w");
  guint16 row[CLI_WIDTH];

  for (int page = 0; page < CLI_FRAMES; page++)
    {
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, CLI_WIDTH);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, CLI_HEIGHT);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 16);
      TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, CLI_HEIGHT);
      for (guint32 y = 0; y < CLI_HEIGHT; y++)
        {
          for (int x = 0; x < CLI_WIDTH; x++)
            row[x] = (guint16) g_rand_int_range (rand, 100, 4000);
          g_assert_cmpint (TIFFWriteScanline (tiff, row, y, 0), ==, 1);
        }
      TIFFWriteDirectory (tiff);
    }
  TIFFClose (tiff);
}

void
cli_set_up (CliFixture *f, gconstpointer data)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  g_autofree char *bytes = NULL;
  gsize length;

  for (guint i = 0; i < n && f->stream == NULL; i++)
    if (operations[i]->input.kind == VG_INPUT_STREAM && operations[i]->synthetic != NULL)
      f->stream = operations[i];
  f->folder = g_dir_make_tmp ("vg-cli-XXXXXX", NULL);
  f->out = g_build_filename (f->folder, "out", NULL);
  f->tiff = g_build_filename (f->folder, "stack.tif", NULL);
  f->cut = g_build_filename (f->folder, "cut.tif", NULL);
  write_stack (f->tiff);
  /* as a copy leaves it that was interrupted before the first page was whole */
  g_assert_true (g_file_get_contents (f->tiff, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (f->cut, bytes, (gssize) MIN (length, 1000), NULL));
}

void
cli_tear_down (CliFixture *f, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", f->folder);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (f->folder);
  g_free (f->out);
  g_free (f->tiff);
  g_free (f->cut);
}

char **
cli_make_argv (CliFixture *f, const char *line)
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

        *word = parts[0] != NULL && parts[1] != NULL
                    ? g_strconcat (parts[0], values[i], parts[1], NULL)
                    : g_strdup (old);
      }
  g_free (argv[0]);
  argv[0] = g_strdup (program);
  return argv;
}

CliResult
cli_run_limited (CliFixture *f, const char *line, GSpawnChildSetupFunc setup)
{
  g_auto (GStrv) argv = cli_make_argv (f, line);
  g_autoptr (GError) error = NULL;
  CliResult run = { 0 };
  int wait_status = 0;

  g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, setup, NULL, &run.output, &run.errors,
                &wait_status, &error);
  g_assert_no_error (error);
  run.status = WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : 1000 + WTERMSIG (wait_status);
  return run;
}

CliResult
cli_run (CliFixture *f, const char *line)
{
  return cli_run_limited (f, line, NULL);
}

gboolean
cli_skip_without_stream (CliFixture *f)
{
  if (f->stream == NULL)
    g_test_skip ("no operation that takes frames is built");
  return f->stream == NULL;
}

guint
cli_count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

JsonNode *
cli_load_json (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = json_from_string (text, &error);

  g_assert_no_error (error);
  g_assert_nonnull (node);
  return node;
}

JsonNode *
cli_load_summary (CliFixture *f)
{
  g_autofree char *path = g_build_filename (f->out, "summary.json", NULL), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return cli_load_json (text);
}

void
cli_check_notes (JsonObject *summary, const char *errors)
{
  JsonArray *notes = json_object_get_array_member (summary, "notes");
  g_autoptr (GString) expected = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (notes); i++)
    g_string_append_printf (expected, "vivograph: %s\n", json_array_get_string_element (notes, i));
  g_assert_cmpstr (errors, ==, expected->str);
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

void
cli_check_output (CliFixture *f, const char *id, JsonObject *map)
{
  g_autofree char *name = g_strconcat (id, ".tif", NULL),
                  *path = g_build_filename (f->out, name, NULL);
  gint64 width = json_object_get_int_member (map, "width"),
         height = json_object_get_int_member (map, "height");
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
  g_assert_cmpfloat (json_object_get_double_member (map, "min"), ==,
                     g_array_index (values, float, 0));
  g_assert_cmpfloat (json_object_get_double_member (map, "max"), ==,
                     g_array_index (values, float, values->len - 1));
  g_assert_cmpfloat (json_object_get_double_member (map, "median"), ==,
                     ((double) g_array_index (values, float, (values->len - 1) / 2) +
                      g_array_index (values, float, values->len / 2)) /
                         2);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (map, "mean"), sum / values->len,
                                  1e-9 * (1 + fabs (sum / values->len)));
}
