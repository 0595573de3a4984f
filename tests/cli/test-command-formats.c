/* SPDX-License-Identifier: MIT */
/* The formats of the maps: NIfTI, CSV and PNG hold the values of the TIFF files. */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include "tests/support/app/cli-fixture.h"
#include "app/session/vg-display.h"
#include "io/source/vg-source.h"

enum { SAMPLES = CLI_WIDTH * CLI_HEIGHT };

static char *
path_of (CliFixture *f, const char *id, const char *ending)
{
  g_autofree char *name = g_strconcat (id, ending, NULL);

  return g_build_filename (f->out, name, NULL);
}

/* All samples of a file, in order. */
static float *
load (const char *path, gsize *n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
  gsize frame;
  float *values;

  g_assert_no_error (error);
  g_assert_cmpint (source->info.type, ==, VG_F32);
  frame = vg_image_info_frame_bytes (&source->info) / sizeof (float);
  *n = frame * (gsize) source->info.frames;
  values = g_new (float, *n);
  for (gint64 i = 0; i < source->info.frames; i++)
    g_assert_true (vg_source_read (source, i, values + frame * (gsize) i, NULL));
  return values;
}

static void
assert_same (float a, float b)
{
  g_assert_true (a == b || (isnan (a) && isnan (b)));
}

/* Page, column, row and value of each line, after the heading. */
static void
check_csv (const char *path, const char *heading, const float *values, gsize n)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gboolean paged = n > SAMPLES;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], paged ? "page,x_px,y_px," : "x_px,y_px,"));
  g_assert_true (g_str_has_suffix (lines[0], heading));
  g_assert_cmpuint (g_strv_length (lines), ==, n + 2);
  for (gsize i = 0; i < n; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], ",", -1);
      const char *value = cells[g_strv_length (cells) - 1];
      gint64 page = g_ascii_strtoll (cells[0], NULL, 10);

      g_assert_cmpint (paged ? page : 1, ==, i / SAMPLES + 1);
      g_assert_cmpint (atoi (cells[paged]), ==, i % CLI_WIDTH);
      g_assert_cmpint (atoi (cells[paged + 1]), ==, i % SAMPLES / CLI_WIDTH);
      assert_same (*value == '\0' ? NAN : (float) g_ascii_strtod (value, NULL), values[i]);
    }
}

/* The colours of the last page, with the limits that the window has at first. */
static void
check_png (const char *path, const VgOperation *operation, guint i, const float *values)
{
  g_autoptr (VgSession) session = vg_session_new (operation);
  VgPlane plane = { .data = values, .width = CLI_WIDTH, .height = CLI_HEIGHT, .slices = 1 };
  png_image image = { .version = PNG_IMAGE_VERSION };
  VgStatistics statistics;
  VgColoring coloring;
  guint8 rgba[SAMPLES * 4], want[SAMPLES * 4];

  g_assert_true (png_image_begin_read_from_file (&image, path));
  g_assert_cmpint (image.width, ==, CLI_WIDTH);
  g_assert_cmpint (image.height, ==, CLI_HEIGHT);
  image.format = PNG_FORMAT_RGBA;
  g_assert_true (png_image_finish_read (&image, NULL, rgba, 0, NULL));
  vg_statistics_compute (&statistics, &plane, 0, 0);
  if (operation->outputs[i].hints.log_scale)
    vg_statistics_count_octaves (&statistics, &plane, 0, 0);
  vg_display_get_coloring (vg_session_get_display_of (session, (int) i), &operation->outputs[i],
                           &statistics, &coloring);
  vg_coloring_apply (&coloring, values, SAMPLES, want);
  g_assert_cmpmem (rgba, sizeof rgba, want, sizeof want);
}

/* Every map of a stream in all formats, and the size of pixels in the file. */
static void
test_values (CliFixture *f, gconstpointer data)
{
  guint checked = 0;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) run = cli_run (f, "vg run OP TIFF --pixel-um 2.5 --format "
                                         "tiff,nifti,csv,png --out OUT");

    g_assert_cmpint (run.status, ==, 0);
  }
  for (guint i = 0; i < f->stream->n_outputs; i++)
    {
      const VgOutput *output = &f->stream->outputs[i];
      g_autofree char *tiff = path_of (f, output->id, ".tif"),
                      *nifti = path_of (f, output->id, ".nii.gz"),
                      *csv = path_of (f, output->id, ".csv"),
                      *png = path_of (f, output->id, ".png");
      g_autofree char *heading = *output->unit != '\0'
                                     ? g_strdup_printf (",x [µm],y [µm],%s [%s]", output->id,
                                                        output->unit)
                                     : g_strdup_printf (",x [µm],y [µm],%s", output->id);
      g_autofree float *values = NULL, *again = NULL;
      gsize n, n_again;

      if (!g_file_test (tiff, G_FILE_TEST_EXISTS))
        continue;
      values = load (tiff, &n);
      again = load (nifti, &n_again);
      g_assert_cmpuint (n, ==, n_again);
      for (gsize k = 0; k < n; k++)
        assert_same (values[k], again[k]);
      check_csv (csv, heading, values, n);
      check_png (png, f->stream, i, values + n - SAMPLES);
      checked++;
    }
  g_assert_cmpuint (checked, >, 1);
}

/* Without TIFF the summary still has the figures of every map, and lists the files there are. */
static void
test_alone (CliFixture *f, gconstpointer data)
{
  static const char *const formats[] = { "csv", "none" };

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *line = g_strdup_printf ("vg run OP TIFF --format %s --out OUT", formats[i]);
      g_auto (CliResult) run = cli_run (f, line);
      g_autoptr (JsonNode) root = cli_load_summary (f);
      JsonObject *summary = json_node_get_object (root);
      JsonObject *files = json_object_get_object_member (summary, "files"),
                 *outputs = json_object_get_object_member (summary, "outputs");
      g_autoptr (GList) names = json_object_get_members (outputs);
      const VgOutput *first = &f->stream->outputs[f->stream->view.first_output];
      g_autofree char *tiff = g_strconcat (first->id, ".tif", NULL),
                      *csv = g_strconcat (first->id, ".csv", NULL);

      g_assert_cmpint (run.status, ==, 0);
      g_assert_cmpuint (g_list_length (names), >, 1);
      g_assert_false (json_object_has_member (files, tiff));
      g_assert_cmpint (json_object_has_member (files, csv), ==, i == 0);
      g_assert_true (json_object_has_member (files, "preview.png"));
      g_assert_cmpuint (json_object_get_size (files) + 1, ==, cli_count_entries (f->out));
    }
}

/* The figure of a run has the regions and the command. */
static void
test_figure (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->out, "figure.svg", NULL), *text = NULL;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) run = cli_run (f, "vg run OP TIFF --pixel-um 2.5 --format none --figure "
                                         "png,svg,pdf --figure-mm 60 --figure-dpi 100 --rois "
                                         "rect:4,4,9,9 --out OUT");

    g_assert_cmpint (run.status, ==, 0);
  }
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "width=\"60mm\""));
  g_assert_nonnull (strstr (text, "--figure-mm 60"));
  g_assert_nonnull (strstr (text, "µm</text>"));
  g_assert_nonnull (strstr (text, "Region 1</text>"));
  {
    g_autoptr (JsonNode) root = cli_load_summary (f);
    JsonObject *files = json_object_get_object_member (json_node_get_object (root), "files");

    g_assert_true (json_object_has_member (files, "figure.png"));
    g_assert_true (json_object_has_member (files, "figure.pdf"));
  }
}

/* A table with as many rows as the default one, but another value, is no default, and the report
 * lists its rows. */
static void
test_report_table (CliFixture *f, gconstpointer data)
{
  const VgOperation *operation = vg_operation_find ("fluence");
  const VgParam *layers = operation != NULL ? vg_params_find (&operation->params, "layers") : NULL;
  g_autofree char *path = g_build_filename (f->out, "report.html", NULL), *html = NULL,
                  *text = NULL, *line = NULL, *cell = NULL, *name = NULL;
  const char *fold;
  void *params;
  VgTable *table;

  if (layers == NULL)
    {
      g_test_skip ("no operation with layers is built");
      return;
    }
  params = vg_params_new (&operation->params);
  table = *(VgTable **) ((char *) params + layers->offset);
  {
    g_auto (GStrv) names = layers->table.row_names (params);
    double *last = &table->values[(table->rows - 1) * table->columns + 1];

    name = g_strdup_printf ("<td>%s</td>", names[0]);
    cell = g_strdup_printf ("<td>12.25 (default %.7g)</td>", *last);
    *last = 12.25;
  }
  text = vg_table_format (table);
  vg_params_free (&operation->params, params);
  line = g_strdup_printf ("vg demo fluence --photons 1000 --layers %s --out OUT --format none "
                          "--backend cpu --report",
                          text);
  {
    g_auto (CliResult) run = cli_run (f, line);

    g_assert_cmpint (run.status, ==, 0);
  }
  g_assert_true (g_file_get_contents (path, &html, NULL, NULL));
  g_assert_nonnull (strstr (html, "<th>Absorption (1/cm)</th>"));
  g_assert_nonnull (strstr (html, name));
  g_assert_nonnull (strstr (html, cell));
  fold = strstr (html, "Settings with their default values");
  g_assert_nonnull (fold);
  g_assert_null (strstr (fold, "<td>Layers</td>"));
}

/* The report has every map and the input's name as text, whatever that is. */
static void
test_report (CliFixture *f, gconstpointer data)
{
  g_autofree char *input = g_build_filename (f->folder, "<b>&\"ü.tif", NULL), *html = NULL,
                  *path = g_build_filename (f->out, "report.html", NULL);
  g_autofree char *line = g_strdup_printf (
      "vg run OP %s --out OUT --format none --report --rois rect:4,4,9,9", input);
  guint figures = 0;

  if (cli_skip_without_stream (f))
    return;
  g_assert_cmpint (rename (f->tiff, input), ==, 0);
  {
    g_auto (CliResult) run = cli_run (f, line);

    g_assert_cmpint (run.status, ==, 0);
  }
  g_assert_true (g_file_get_contents (path, &html, NULL, NULL));
  g_assert_true (g_utf8_validate (html, -1, NULL));
  g_assert_null (strstr (html, "<b>"));
  g_assert_nonnull (strstr (html, "&lt;b&gt;&amp;&quot;ü.tif</h1>"));
  g_assert_nonnull (strstr (html, "<th>Region 1</th>"));
  g_assert_nonnull (strstr (html, f->stream->citation));
  g_assert_null (strstr (html, "src="));
  for (const char *at = html; (at = strstr (at, "<figure>")) != NULL; at++)
    figures++;
  g_assert_cmpuint (figures, >, 2);
  for (guint i = 0; i < f->stream->params.n_items; i++)
    if (f->stream->params.items[i].shown_when.id == NULL &&
        f->stream->params.items[i].kind == VG_PARAM_FLOAT)
      {
        g_autofree char *cell = g_strdup_printf ("<td>%s</td>", f->stream->params.items[i].label);

        g_assert_nonnull (strstr (html, cell));
      }
}

static void
test_refused (CliFixture *f, gconstpointer data)
{
  static const char *const lines[] = {
    "vg run OP TIFF --format jpeg --out OUT",
    "vg run OP TIFF --format csv,, --out OUT",
    "vg run OP TIFF --format csv,none --out OUT",
  };

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (CliResult) run = cli_run (f, lines[i]);

      g_assert_cmpint (run.status, ==, 2);
      g_assert_nonnull (strstr (run.errors, "--format "));
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
    }
}

/* Report, figure and summary call a map by the name that it has with the settings. */
static void
test_exact_name (CliFixture *f, gconstpointer data)
{
  const char *const names[] = { "report.html", "figure.svg", "summary.json" };
  g_auto (CliResult) run = { 0 };

  if (vg_operation_find ("lifetime") == NULL)
    {
      g_test_skip ("there is no operation lifetime");
      return;
    }
  run = cli_run (f, "vg demo lifetime --method mle_bi --backend cpu --format none --report "
                    "--figure svg --out OUT");
  g_assert_cmpint (run.status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (f->out, names[i], NULL), *text = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_nonnull (strstr (text, "Amplitude-weighted lifetime"));
      g_assert_null (strstr (text, "<td>Lifetime</td>"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cli/formats/values", CliFixture, NULL, cli_set_up, test_values, cli_tear_down);
  g_test_add ("/cli/formats/alone", CliFixture, NULL, cli_set_up, test_alone, cli_tear_down);
  g_test_add ("/cli/formats/figure", CliFixture, NULL, cli_set_up, test_figure, cli_tear_down);
  g_test_add ("/cli/formats/report", CliFixture, NULL, cli_set_up, test_report, cli_tear_down);
  g_test_add ("/cli/formats/report-table", CliFixture, NULL, cli_set_up, test_report_table,
              cli_tear_down);
  g_test_add ("/cli/formats/refused", CliFixture, NULL, cli_set_up, test_refused, cli_tear_down);
  g_test_add ("/cli/formats/exact-name", CliFixture, NULL, cli_set_up, test_exact_name,
              cli_tear_down);
  return g_test_run ();
}
