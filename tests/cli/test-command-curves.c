/* SPDX-License-Identifier: MIT */
/* A table of tissue curves, fitted from the command line, and its table of parameters. */
#include "tests/support/app/cli-fixture.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include <math.h>
#include <string.h>

enum { CURVES = 3, TIMES = 72 };

static const double inflow[CURVES] = { 60, 30, 20 }, outflow[CURVES] = { 300, 150, 60 };

/* Curves of one compartment, 2.5 s apart, with the population AIF from 20 s on. */
static void
put_table (CliFixture *f, const char *name, gboolean german)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autoptr (GString) text = g_string_new (german ? "\xef\xbb\xbfZeit (min);Leber;b;c\r\n"
                                                  : "time_s,liver,\"lesion, left\",=1+1\n");
  double c[CURVES] = { 0 };

  for (int i = 0; i < 125 * TIMES; i++)
    {
      double a = i < 50 * 18 ? 0 : vg_perfusion_population_artery (0.02 * i - 20) / 0.58;
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      if (i % 125 == 0)
        {
          g_autoptr (GString) row = g_string_new (NULL);

          g_ascii_dtostr (number, sizeof number, german ? 0.02 * i / 60 : 0.02 * i);
          g_string_append (row, number);
          for (int x = 0; x < CURVES; x++)
            g_string_append_printf (row, "%c%s", german ? ';' : ',',
                                    g_ascii_formatd (number, sizeof number, "%.7f", c[x]));
          if (german)
            g_string_replace (row, ".", ",", 0);
          g_string_append_printf (text, "%s%s", row->str, german ? "\r\n" : "\n");
        }
      for (int x = 0; x < CURVES; x++)
        c[x] += 0.02 / 6000 * (inflow[x] * a - outflow[x] * c[x]);
    }
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

#define SETTINGS " --inputs artery --delays none --backend cpu --out OUT"

/* The rows of parameters.csv, without the heading, and *KA its column of ka. */
static char **
run_table (CliFixture *f, const char *line, int *ka)
{
  g_autofree char *whole = g_strconcat ("vg run perfusion ", line, SETTINGS, NULL),
                  *path = g_build_filename (f->out, "parameters.csv", NULL), *text = NULL;
  g_auto (CliResult) run = cli_run (f, whole);
  g_auto (GStrv) headings = NULL, lines = NULL;

  if (run.status != 0)
    g_error ("%s: %s", line, run.errors);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + CURVES);
  headings = g_strsplit (lines[0], ",", -1);
  g_assert_cmpstr (headings[0], ==, "name");
  *ka = 0;
  while (headings[*ka] != NULL && !g_str_equal (headings[*ka], "ka [ml/100g/min]"))
    (*ka)++;
  g_assert_nonnull (headings[*ka]);
  return g_strdupv (lines + 1);
}

/* The number in column AT of ROW, counted from the end of its quoted name. */
static double
number_of (const char *row, int at)
{
  const char *c = strrchr (row, '"');
  g_auto (GStrv) cells = NULL;

  for (const char *next; (next = strstr (row, "\",")) != NULL && (c = next); row = next + 1)
    break;
  cells = g_strsplit (c + 2, ",", -1);
  return g_ascii_strtod (cells[at - 1], NULL);
}

static void
test_table (CliFixture *f, gconstpointer data)
{
  int ka;
  g_auto (GStrv) rows = NULL, german = NULL;

  put_table (f, "curves.csv", FALSE);
  put_table (f, "german.csv", TRUE);
  rows = run_table (f, "DIR/curves.csv --arrival-s 20", &ka);
  g_assert_true (g_str_has_prefix (rows[0], "\"liver\","));
  g_assert_true (g_str_has_prefix (rows[1], "\"lesion, left\","));
  /* no formula for a spreadsheet */
  g_assert_true (g_str_has_prefix (rows[2], "\"'=1+1\","));
  for (int x = 0; x < CURVES; x++)
    {
      g_assert_cmpfloat_with_epsilon (number_of (rows[x], ka), inflow[x], 0.03 * inflow[x]);
      g_assert_nonnull (strstr (rows[x], "\"Fitted\""));
    }
  german = run_table (f, "DIR/german.csv --arrival-s 20", &ka);
  g_assert_true (g_str_has_prefix (german[0], "\"Leber\","));
  for (int x = 0; x < CURVES; x++)
    g_assert_cmpfloat_with_epsilon (number_of (german[x], ka), number_of (rows[x], ka),
                                    1e-3 * inflow[x]);
}

/* The arrival is fitted to the curves, and the artery may be one of them. */
static void
test_inputs (CliFixture *f, gconstpointer data)
{
  int ka;
  g_auto (GStrv) rows = NULL;
  g_autoptr (JsonNode) summary = NULL;
  g_autofree char *text = NULL;

  put_table (f, "curves.csv", FALSE);
  rows = run_table (f, "DIR/curves.csv --arrival tissue", &ka);
  for (int x = 0; x < CURVES; x++)
    g_assert_cmpfloat_with_epsilon (number_of (rows[x], ka), inflow[x], 0.05 * inflow[x]);
  summary = cli_load_summary (f);
  text = json_to_string (summary, FALSE);
  g_assert_nonnull (strstr (text, "\"arrival_s\""));
  g_assert_nonnull (strstr (text, "\"arrival_error_s\""));
  g_strfreev (g_steal_pointer (&rows));
  rows = run_table (f, "DIR/curves.csv --artery rect:0,0,1,1", &ka);
  g_assert_cmpuint (g_strv_length (rows), ==, CURVES);
}

/* The inputs of one run are averaged with those of another, and are those of a third. */
static void
test_saved (CliFixture *f, gconstpointer data)
{
  int ka;
  g_auto (GStrv) first = NULL, again = NULL;
  g_autofree char *saved = g_build_filename (f->out, "input_curves.csv", NULL),
                  *kept = g_build_filename (f->folder, "saved.csv", NULL), *text = NULL,
                  *line = NULL;

  put_table (f, "curves.csv", FALSE);
  first = run_table (f, "DIR/curves.csv --arrival-s 20", &ka);
  g_assert_true (g_file_get_contents (saved, &text, NULL, NULL) &&
                 g_file_set_contents (kept, text, -1, NULL));
  line = g_strdup_printf ("DIR/curves.csv --input-tables %s;%s", kept, kept);
  again = run_table (f, line, &ka);
  for (int x = 0; x < CURVES; x++)
    g_assert_cmpfloat_with_epsilon (number_of (again[x], ka), number_of (first[x], ka),
                                    1e-3 * inflow[x]);
}

/* The answer comes first, what it comes from is in the appendix, and defaults are folded. */
static void
check_order (const char *report)
{
  static const char *const parts[] = { "<h2>Warnings</h2>",
                                       "<h2>Regions</h2>",
                                       "<td>Total inflow, ml/100g/min</td>",
                                       "<h2>Map</h2>",
                                       "<h2>Curves</h2>",
                                       "<h1>Appendix</h1>",
                                       "<h2>Results</h2>",
                                       "<td>R²</td>",
                                       "<h2>Settings</h2>",
                                       "<td>Transit delays</td>",
                                       "<details>",
                                       "<td>Haematocrit</td>",
                                       "</details>",
                                       "<h2>Provenance</h2>",
                                       "<h2>Maps</h2>" };
  const char *at = report;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      const char *found = strstr (at, parts[i]);

      if (found == NULL)
        g_error ("\"%s\" is not in its place: %s", parts[i], at);
      at = found;
    }
}

enum { ONE = 60, ALL = 90 };

/* Curves of two tissues, and a region of one and of both. */
static void
put_mixed (CliFixture *f)
{
  g_autofree char *path = g_build_filename (f->folder, "curves.csv", NULL), *text = NULL,
                  *rois = g_build_filename (f->folder, "rois.txt", NULL);
  g_autoptr (GString) table = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  put_table (f, "curves.csv", FALSE);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

      g_string_append (table, cells[0]);
      for (int x = 0; x < ALL; x++)
        g_string_append_printf (table, ",%s", cells[x < ONE ? 2 : 1]);
      g_string_append_c (table, '\n');
    }
  g_assert_true (g_file_set_contents (path, table->str, -1, NULL));
  g_assert_true (g_file_set_contents (rois, "rect:0,0,60,1 Pure\nrect:0,0,90,1 Mixed\n", -1, NULL));
}

/* A region of different tissues is told of, in the messages, the summary and the report; a region
 * of one tissue is not. */
static void
test_mixed (CliFixture *f, gconstpointer data)
{
  g_autofree char *html = g_build_filename (f->out, "report.html", NULL), *report = NULL,
                  *notes = NULL;
  g_autoptr (JsonNode) summary = NULL;
  g_auto (CliResult) run = { 0 };

  put_mixed (f);
  run = cli_run (
      f, "vg run perfusion DIR/curves.csv --arrival-s 20 --rois DIR/rois.txt --report" SETTINGS);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.errors, "Mixed: Total inflow is "));
  g_assert_nonnull (strstr (run.errors, "different tissues"));
  g_assert_null (strstr (run.errors, "Pure: "));
  summary = cli_load_summary (f);
  notes = json_to_string (summary, FALSE);
  g_assert_nonnull (strstr (notes, "Mixed: Total inflow is "));
  g_assert_true (g_file_get_contents (html, &report, NULL, NULL));
  g_assert_nonnull (strstr (report, "Mixed: Total inflow is "));
  check_order (report);
}

/* Delays at their bound are no reason for doubt about the voxels. */
static void
test_mixed_delays (CliFixture *f, gconstpointer data)
{
  g_auto (CliResult) run = { 0 };

  put_mixed (f);
  run = cli_run (f, "vg run perfusion DIR/curves.csv --arrival-s 21 --rois DIR/rois.txt "
                    "--inputs artery --backend cpu --out OUT");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.errors, "Mixed: Total inflow is "));
  g_assert_nonnull (strstr (run.errors, "ended at a bound (Arterial delay at its minimum)"));
  g_assert_null (strstr (run.errors, "of the voxels are at a bound"));
}

/* A study has a line for each value of each region, with its error and the advice. */
static void
test_study (CliFixture *f, gconstpointer data)
{
  g_autofree char *study = g_build_filename (f->folder, "study.csv", NULL),
                  *table = g_build_filename (f->out, "regions.csv", NULL), *text = NULL,
                  *notes = g_build_filename (f->out, "notes.csv", NULL), *said = NULL;
  const char *line;
  char *rest;
  double value, error;
  g_auto (CliResult) run = { 0 };

  put_mixed (f);
  g_assert_true (
      g_file_set_contents (study, "file,name,rois\ncurves.csv,one,rois.txt\n", -1, NULL));
  run = cli_run (f, "vg run perfusion --list DIR/study.csv --arrival-s 20 --format none" SETTINGS);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_file_get_contents (table, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (
      text, "name,run,file,region,quantity,unit,value,standard error,voxels,advice\n\"one\",,"));
  line = strstr (text, ",\"Pure\",ka,\"ml/100g/min\",");
  g_assert_nonnull (line);
  value = g_ascii_strtod (line + strlen (",\"Pure\",ka,\"ml/100g/min\","), &rest);
  error = g_ascii_strtod (rest + 1, &rest);
  g_assert_cmpfloat_with_epsilon (value, 30, 0.3);
  g_assert_cmpfloat (error, >, 0);
  g_assert_true (g_str_has_prefix (rest, ",60,\n")); /* no advice */
  line = strstr (text, ",\"Mixed\",ka,\"ml/100g/min\",");
  g_assert_nonnull (line);
  g_assert_nonnull (strstr (line, ",90,\"Total inflow is "));
  g_assert_true (g_file_get_contents (notes, &said, NULL, NULL));
  g_assert_true (g_str_has_prefix (said, "name,run,file,note\n"));
  g_assert_nonnull (strstr (said, ",\"Mixed: Total inflow is "));
}

static void
test_bad (CliFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *text, *message;
  } tables[] = {
    { "t,a\n0,1\n1,nan\n2,1\n", "line 3 has \"nan\" in curve \"a\", not a number" },
    { "t,a\n0,1\n1,2\n", "2 time points" },
    { "a\n1\n2\n", "line 1 has one column" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *path = g_build_filename (f->folder, "bad.csv", NULL);
      g_auto (CliResult) run = { 0 };

      g_assert_true (g_file_set_contents (path, tables[i].text, -1, NULL));
      run = cli_run (f, "vg run perfusion DIR/bad.csv" SETTINGS);
      g_assert_cmpint (run.status, !=, 0);
      g_assert_cmpint (run.status, <, 1000);
      g_assert_nonnull (strstr (run.errors, tables[i].message));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/command-curves/table", CliFixture, NULL, cli_set_up, test_table, cli_tear_down);
  g_test_add ("/command-curves/inputs", CliFixture, NULL, cli_set_up, test_inputs, cli_tear_down);
  g_test_add ("/command-curves/saved", CliFixture, NULL, cli_set_up, test_saved, cli_tear_down);
  g_test_add ("/command-curves/mixed", CliFixture, NULL, cli_set_up, test_mixed, cli_tear_down);
  g_test_add ("/command-curves/mixed-delays", CliFixture, NULL, cli_set_up, test_mixed_delays,
              cli_tear_down);
  g_test_add ("/command-curves/study", CliFixture, NULL, cli_set_up, test_study, cli_tear_down);
  g_test_add ("/command-curves/bad", CliFixture, NULL, cli_set_up, test_bad, cli_tear_down);
  return g_test_run ();
}
