/* SPDX-License-Identifier: MIT */
/* The table of maps along a line holds the values of the TIFF files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support/app/cli-fixture.h"
#include "io/source/vg-source.h"

enum { ROW = 10 };

/* Row ROW of the last page of the map ID. */
static float *
load_row (CliFixture *f, const char *id)
{
  g_autofree char *name = g_strconcat (id, ".tif", NULL),
                  *path = g_build_filename (f->out, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
  g_autofree float *page = g_new (float, CLI_WIDTH *CLI_HEIGHT);

  g_assert_no_error (error);
  g_assert_true (vg_source_read (source, source->info.frames - 1, page, &error));
  return g_memdup2 (page + ROW * CLI_WIDTH, CLI_WIDTH * sizeof *page);
}

/* A line from pixel centre to pixel centre has the values of the pixels themselves. */
static void
test_values (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->out, "profile.csv", NULL), *text = NULL;
  g_autofree float *row = NULL;
  g_auto (GStrv) lines = NULL, titles = NULL;
  guint column = 1;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) run = cli_run (f, "vg run OP TIFF --profile 0.5,10.5,40.5,10.5 --out OUT");

    g_assert_cmpint (run.status, ==, 0);
  }
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, CLI_WIDTH + 1);
  titles = g_strsplit (lines[0], ",", -1);
  g_assert_true (g_str_has_prefix (titles[0], "\"distance ("));
  while (strstr (titles[column], f->stream->outputs[f->stream->view.first_output].id) == NULL)
    column++;
  row = load_row (f, f->stream->outputs[f->stream->view.first_output].id);
  for (int i = 0; i < CLI_WIDTH; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], ",", -1);
      gboolean has = *cells[column] != '\0';

      g_assert_cmpint (has, ==, isfinite (row[i]) != 0);
      if (has)
        g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[column], NULL), (double) row[i],
                                        1e-5 * fabs ((double) row[i]));
    }
}

static void
test_refused (CliFixture *f, gconstpointer data)
{
  static const char *const bad[] = { "1,2,3",      "1,2,1,2",     "1,2,3,4,0",  "1,2,3,4,999",
                                     "1,2,3,4@-1", "1,2,3,nan",   "1e9,0,0,0",  "1,2,3,4,5,6",
                                     "a,b,c,d",    "1,2,3,4,1.5", "1,2,3,4@0x1" };

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *line = g_strdup_printf ("vg run OP TIFF --profile %s --out OUT", bad[i]);
      g_auto (CliResult) run = cli_run (f, line);

      g_test_message ("%s", bad[i]);
      g_assert_cmpint (run.status, ==, 2);
      g_assert_nonnull (strstr (run.errors, "is not a line"));
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
    }
}

/* A row for each frame, of which the last is the profile of the last map. */
static void
test_kymograph (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->out, "vessel.csv", NULL),
                  *picture = g_build_filename (f->out, "kymograph.tif", NULL), *csv = NULL;
  g_auto (GStrv) lines = NULL;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) run = cli_run (f, "vg run OP TIFF --kymograph 4,4,30,20 --out OUT");

    g_assert_cmpint (run.status, ==, 0);
  }
  g_assert_true (g_file_get_contents (path, &csv, NULL, NULL));
  lines = g_strsplit (csv, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "frame,time_s,diameter ["));
  g_assert_cmpint (g_strv_length (lines), ==, CLI_FRAMES + 2);
  g_assert_true (g_file_test (picture, G_FILE_TEST_EXISTS));
}

/* Reads the means of the first map in the only region from regions.csv. */
static void
load_means (CliFixture *f, double *means)
{
  g_autofree char *path = g_build_filename (f->out, "regions.csv", NULL), *csv = NULL;
  g_auto (GStrv) lines = NULL, titles = NULL;
  guint column = 0;

  g_assert_true (g_file_get_contents (path, &csv, NULL, NULL));
  lines = g_strsplit (csv, "\n", -1);
  titles = g_strsplit (lines[0], ",", -1);
  while (titles[column] != NULL &&
         !g_str_has_prefix (titles[column], f->stream->outputs[f->stream->view.first_output].id))
    column++;
  g_assert_nonnull (titles[column]);
  for (int i = 0; i < CLI_FRAMES; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], ",", -1);

      means[i] = g_ascii_strtod (cells[column], NULL);
    }
}

/* The alarms cover the frames whose means in regions.csv are below the limit. */
static void
test_alarm (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->out, "alarms.csv", NULL), *csv = NULL, *line = NULL;
  g_auto (GStrv) rows = NULL;
  g_autoptr (JsonNode) root = NULL;
  double means[CLI_FRAMES], low, high;
  guint n = 0;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) run = cli_run (f, "vg run OP TIFF --rois rect:4,4,12,12 --out OUT");

    g_assert_cmpint (run.status, ==, 0);
  }
  load_means (f, means);
  low = high = means[0];
  for (int i = 1; i < CLI_FRAMES; i++)
    {
      low = MIN (low, means[i]);
      high = MAX (high, means[i]);
    }
  g_assert_cmpfloat (low, <, high);
  line = g_strdup_printf ("vg run OP TIFF --rois rect:4,4,12,12 --alarm %.9g --out OUT",
                          (low + high) / 2);
  {
    g_auto (CliResult) run = cli_run (f, line);

    g_assert_cmpint (run.status, ==, 0);
    g_assert_nonnull (strstr (run.errors, "alarm: at "));
    g_assert_nonnull (strstr (run.errors, ", below the limit of "));
  }
  g_assert_true (g_file_get_contents (path, &csv, NULL, NULL));
  rows = g_strsplit (csv, "\n", -1);
  for (int i = 0; i < CLI_FRAMES; i++)
    {
      g_auto (GStrv) cells = NULL;
      double lowest = means[i];
      int first = i;

      if (!(means[i] < (low + high) / 2))
        continue;
      for (; i + 1 < CLI_FRAMES && means[i + 1] < (low + high) / 2; i++)
        lowest = MIN (lowest, means[i + 1]);
      cells = g_strsplit (rows[++n], ",", -1);
      g_assert_cmpuint (g_strv_length (cells), ==, 6);
      g_assert_cmpint (g_ascii_strtoll (cells[1], NULL, 10), ==, first);
      g_assert_cmpint (g_ascii_strtoll (cells[3], NULL, 10), ==, i);
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[5], NULL), lowest, 1e-6 * lowest);
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpstr (rows[n + 1], ==, "");
  root = cli_load_summary (f);
  g_assert_cmpint (
      json_object_get_int_member (
          json_object_get_object_member (json_node_get_object (root), "alarms"), "alarms"),
      ==, n);
}

static void
test_events_refused (CliFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *line, *says;
    int status;
  } cases[] = {
    { "vg run OP TIFF --events 1,x --out OUT", "is not a list of times", 2 },
    { "vg run OP TIFF --events 1 --out OUT", "--events needs regions; give them with --rois", 2 },
    { "vg run OP TIFF --alarm 1 --out OUT", "--alarm needs regions; give them with --rois", 2 },
    { "vg run contour TIFF --events 1 --rois rect:1,1,5,5 --out OUT",
      "--events has no effect with the operation contour", 2 },
    { "vg run contour TIFF --alarm 1 --rois rect:1,1,5,5 --out OUT",
      "--alarm has no effect with the operation contour", 2 },
    { "vg run OP TIFF --alarm 1 --rois rect:1,1,5,5 --send igtl-listen://0",
      "name a folder for it with --out", 2 },
    { "vg run OP TIFF --alarm 0 --rois rect:1,1,5,5 --out OUT", "above 0", 2 },
    { "vg run OP TIFF --alarm 3x --rois rect:1,1,5,5 --out OUT", "above 0", 2 },
    { "vg run OP TIFF --alarm inf --rois rect:1,1,5,5 --out OUT", "above 0", 2 },
    { "vg run OP TIFF --kymograph 1,2,1,2 --out OUT", "is not a line", 2 },
  };

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (CliResult) run = cli_run (f, cases[i].line);

      g_test_message ("%s: %d %s", cases[i].line, run.status, run.errors);
      g_assert_nonnull (strstr (run.errors, cases[i].says));
      g_assert_cmpint (run.status, ==, cases[i].status);
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/profile/values", CliFixture, NULL, cli_set_up, test_values, cli_tear_down);
  g_test_add ("/cli/profile/refused", CliFixture, NULL, cli_set_up, test_refused, cli_tear_down);
  g_test_add ("/cli/profile/kymograph", CliFixture, NULL, cli_set_up, test_kymograph,
              cli_tear_down);
  g_test_add ("/cli/profile/alarm", CliFixture, NULL, cli_set_up, test_alarm, cli_tear_down);
  g_test_add ("/cli/profile/events", CliFixture, NULL, cli_set_up, test_events_refused,
              cli_tear_down);
  return g_test_run ();
}
