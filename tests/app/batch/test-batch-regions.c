/* SPDX-License-Identifier: MIT */
/* regions.csv of the batch loop: means, what the sum of a region has, which maps. */
#include <math.h>
#include <string.h>
#include "tests/support/app/batch-fixture.h"

static void
test_regions (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1, .window = 1, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };
  VgNamedRegion region = { .name = (char *) "vein \"a\"" };
  const VgNamedRegion *regions[] = { &region, NULL };
  g_autofree char *path = g_build_filename (f->out, "regions.csv", NULL), *text = NULL,
                  *want = NULL;
  g_auto (GStrv) lines = NULL;
  char *rest;

  g_assert_true (vg_region_parse (&region.region, "rect:1,0,2,1", NULL));
  g_assert_true (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_CPU, "7x3:u16", regions, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, FRAMES + 2);
  g_assert_cmpstr (lines[0], ==,
                   "frame,time_s,region,total [DN],total SD [DN],total median [DN],total q25 [DN],"
                   "total q75 [DN],total pixels");
  want = g_strdup_printf ("2,0,\"vein \"\"a\"\"\",%g,", (f->pixels[2][1] + f->pixels[2][2]) / 2.0);
  g_assert_true (g_str_has_prefix (lines[3], want));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (lines[3] + strlen (want), &rest),
                                  abs (f->pixels[2][1] - f->pixels[2][2]) / G_SQRT2, 1e-9);
  /* of two pixels the median is the mean */
  g_assert_cmpfloat (g_ascii_strtod (rest + 1, NULL), ==,
                     (f->pixels[2][1] + f->pixels[2][2]) / 2.0);
  g_assert_true (g_str_has_suffix (lines[3], ",2"));
  g_string_free (watch.notices, TRUE);
}

/* Of an operation that says of no map that it changes with time, all maps are followed. */
/* A name that a spreadsheet would take for a formula. */
static void
test_formula (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  FakeParams params = { .gain = 1, .window = 1, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };
  VgNamedRegion region = { .name = (char *) "=HYPERLINK(\"x\")" };
  const VgNamedRegion *regions[] = { &region, NULL };
  g_autofree char *path = g_build_filename (f->out, "regions.csv", NULL), *text = NULL;

  g_assert_true (vg_region_parse (&region.region, "rect:1,0,2,1", NULL));
  g_assert_true (
      batch_run (f, &fake_operation, params, &watch, VG_BACKEND_CPU, "7x3:u16", regions, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\n0,0,\"'=HYPERLINK(\"\"x\"\")\","));
  g_string_free (watch.notices, TRUE);
}

static void
test_regions_of_all (BatchFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree VgOutput *outputs = g_memdup2 (fake_operation.outputs,
                                            fake_operation.n_outputs * sizeof (VgOutput));
  VgOperation operation = fake_operation;
  FakeParams params = { .gain = 1, .window = 1, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };
  VgNamedRegion region = { .name = (char *) "a" };
  const VgNamedRegion *regions[] = { &region, NULL };
  g_autofree char *path = g_build_filename (f->out, "regions.csv", NULL), *text = NULL;
  g_autoptr (GString) head = g_string_new ("frame,time_s,region");

  for (guint i = 0; i < operation.n_outputs; i++)
    {
      outputs[i].time_course = FALSE;
      if (outputs[i].kind != VG_OUTPUT_MAP || outputs[i].view_only)
        continue;
      g_string_append_printf (head, ",%s", outputs[i].id);
      if (outputs[i].unit != NULL)
        g_string_append_printf (head, " [%s]", outputs[i].unit);
      g_string_append_printf (head, ",%s SD", outputs[i].id);
      if (outputs[i].unit != NULL)
        g_string_append_printf (head, " [%s]", outputs[i].unit);
      g_string_append_printf (head, ",%s median", outputs[i].id);
      if (outputs[i].unit != NULL)
        g_string_append_printf (head, " [%s]", outputs[i].unit);
      g_string_append_printf (head, ",%s q25", outputs[i].id);
      if (outputs[i].unit != NULL)
        g_string_append_printf (head, " [%s]", outputs[i].unit);
      g_string_append_printf (head, ",%s q75", outputs[i].id);
      if (outputs[i].unit != NULL)
        g_string_append_printf (head, " [%s]", outputs[i].unit);
      g_string_append_printf (head, ",%s pixels", outputs[i].id);
    }
  g_string_append_c (head, '\n');
  operation.outputs = outputs;
  g_assert_true (vg_region_parse (&region.region, "rect:1,0,2,1", NULL));
  g_assert_true (
      batch_run (f, &operation, params, &watch, VG_BACKEND_CPU, "7x3:u16", regions, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, head->str));
  g_string_free (watch.notices, TRUE);
}

/* Sample K of the second output is that of the first over 1 + K. */
static gboolean
divided (gpointer state, guint i, VgPlane *plane, GError **error)
{
  static float ratios[PIXELS];

  if (!fake_operation.cpu->output (state, 0, plane, error))
    return FALSE;
  for (int k = 0; k < PIXELS; k++)
    ratios[k] = plane->data[k] / (float) (1 + k);
  plane->data = i == 1 ? ratios : plane->data;
  return TRUE;
}

/* The mean of a ratio is the sum of its numerators divided by the sum of its denominators. */
static void
test_ratio (BatchFixture *f, gconstpointer data)
{
  static const VgOutput outputs[] = {
    { .id = "total", .label = "Total", .unit = "DN", .time_course = TRUE },
    { .id = "part", .label = "Part", .unit = "%", .time_course = TRUE },
  };
  static const VgOutputRole roles[] = { { VG_ROLE_NUMERATOR, "part", "total" }, { 0 } };
  g_autoptr (GError) error = NULL;
  VgOperation operation = fake_operation;
  VgEngine engine = *fake_operation.cpu;
  FakeParams params = { .gain = 1, .window = 1, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };
  VgNamedRegion region = { .name = (char *) "a" };
  const VgNamedRegion *regions[] = { &region, NULL };
  g_autofree char *path = g_build_filename (f->out, "regions.csv", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL, cells = NULL;

  engine.output = divided;
  operation.cpu = &engine;
  operation.outputs = outputs;
  operation.roles = roles;
  operation.n_outputs = G_N_ELEMENTS (outputs);
  g_assert_true (vg_region_parse (&region.region, "rect:1,0,2,1", NULL));
  g_assert_true (
      batch_run (f, &operation, params, &watch, VG_BACKEND_CPU, "7x3:u16", regions, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  cells = g_strsplit (lines[3], ",", -1);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[9], NULL),
                                  (f->pixels[2][1] + f->pixels[2][2]) / 5.0, 1e-3);
  g_string_free (watch.notices, TRUE);
}

/* Values of a region's sum: 5 of the map, 0.5 of its error, and 12 of something. */
static VgCurves *
sample_region (gpointer state, const VgRegion *region, GError **error)
{
  VgCurves *curves = vg_curves_new ("Sum", "x", "", "y", "");

  (void) state;
  (void) region;
  curves->outputs = g_new (float, 3);
  curves->outputs[0] = 5.0f;
  curves->outputs[1] = 0.5f;
  curves->outputs[2] = 7.0f;
  curves->metrics = vg_metrics_new ();
  vg_metrics_add (curves->metrics, "dozen", "Dozen", "", 12, NULL);
  return curves;
}

/* Beside the mean of a region's pixels there is what its sum has, with the standard error and
 * further figures; an error that two maps share stands behind the last. */
static void
test_sums (BatchFixture *f, gconstpointer data)
{
  static const VgOutput outputs[] = {
    { .id = "total", .label = "Total", .unit = "DN", .time_course = TRUE },
    { .id = "total_error", .label = "Error", .unit = "DN" },
    { .id = "other", .label = "Other", .unit = "", .time_course = TRUE },
  };
  static const VgOutputRole roles[] = { { VG_ROLE_ERROR, "other", "total_error" }, { 0 } };
  g_autoptr (GError) error = NULL;
  VgOperation operation = fake_operation;
  VgEngine engine = *fake_operation.cpu;
  FakeParams params = { .gain = 1, .window = 1, .steps = 1 };
  BatchWatch watch = { .notices = g_string_new (NULL) };
  VgNamedRegion region = { .name = (char *) "a" };
  const VgNamedRegion *regions[] = { &region, NULL };
  g_autofree char *path = g_build_filename (f->out, "regions.csv", NULL), *text = NULL,
                  *want = NULL;
  g_auto (GStrv) lines = NULL;

  engine.curves = &(const VgEngineCurves){ .sample_region = sample_region };
  operation.cpu = &engine;
  operation.outputs = outputs;
  operation.roles = roles;
  operation.n_outputs = data != NULL ? G_N_ELEMENTS (outputs) : 2;
  g_assert_true (vg_region_parse (&region.region, "rect:1,0,2,1", NULL));
  g_assert_true (
      batch_run (f, &operation, params, &watch, VG_BACKEND_CPU, "7x3:u16", regions, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpstr (lines[0], ==,
                   data != NULL
                       ? "frame,time_s,region,dozen,total mean of pixels [DN],total SD of pixels "
                         "[DN],total median of pixels [DN],total q25 of pixels [DN],total q75 of "
                         "pixels [DN],total pixels,total of the sum [DN],"
                         "other mean of pixels,other SD of pixels,other median of pixels,other "
                         "q25 of pixels,other q75 of pixels,other "
                         "pixels,other of the sum,total_error of the sum [DN]"
                       : "frame,time_s,region,dozen,total mean of pixels [DN],total SD of pixels "
                         "[DN],total median of pixels [DN],total q25 of pixels [DN],total q75 of "
                         "pixels [DN],total pixels,total of the sum [DN],"
                         "total_error of the sum [DN]");
  want = g_strdup_printf ("2,0,\"a\",12,%g,", (f->pixels[2][1] + f->pixels[2][2]) / 2.0);
  g_assert_true (g_str_has_prefix (lines[3], want));
  g_assert_nonnull (strstr (lines[3], data != NULL ? ",2,5," : ",2,5,0.5"));
  g_assert_true (data == NULL || g_str_has_suffix (lines[3], ",7,0.5"));
  g_string_free (watch.notices, TRUE);
}

static gboolean plot_fails;

/* The GPU fails once. */
static VgCurves *
plot (gpointer state, guint i, GError **error)
{
  if (plot_fails)
    g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "fell off the bus");
  plot_fails = FALSE;
  return NULL;
}

static VgCurves *
sample_doubtful_region (gpointer state, const VgRegion *region, GError **error)
{
  VgCurves *curves = sample_region (state, region, error);

  vg_metrics_add (curves->metrics, "fit", "Fit", "", 1, "the fit is to be doubted");
  return curves;
}

/* When the GPU fails after the regions were checked, the notes about them are those of the second
 * pass alone. */
static void
test_notes (BatchFixture *f, gconstpointer data)
{
  static const VgPlot plots[] = { { "plot", "Plot" } };
  const VgEngineCurves curves = { .sample_region = sample_doubtful_region, .plot = plot };
  VgOperation operation = fake_operation;
  VgEngine engine = *fake_operation.cpu, gpu = fake_gpu_engine;
  FakeParams params = { .gain = 1, .window = 1, .steps = 1 };
  VgNamedRegion region = { .name = (char *) "Area" };
  const VgNamedRegion *regions[] = { &region, NULL };
  const char *inputs[] = { f->input, NULL };
  const VgExportOptions options = { .report = TRUE, .slice = -1 };
  const VgBatchJob job = { .params = &params,
                           .inputs = inputs,
                           .read_options = "7x3:u16",
                           .folder = f->out,
                           .regions = regions,
                           .options = &options };
  g_autofree char *path = g_build_filename (f->out, "summary.json", NULL), *text = NULL;
  g_autoptr (VgWork) work = NULL;
  g_autoptr (GError) error = NULL;
  const char *note;

  engine.curves = gpu.curves = &curves;
  operation.cpu = &engine;
  operation.plots = plots;
  operation.n_plots = G_N_ELEMENTS (plots);
  g_assert_true (vg_region_parse (&region.region, "rect:0,0,7,3", NULL));
  work = vg_work_new_with_engines (&operation, &engine, &gpu, NULL, VG_BACKEND_AUTO, 1, &error);
  plot_fails = TRUE;
  g_assert_true (vg_batch_run (&job, work, &error));
  g_assert_no_error (error);
  g_assert_false (plot_fails);
  g_assert_cmpint (vg_work_get_backend (work), ==, VG_BACKEND_CPU);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  note = strstr (text, "Area: the fit is to be doubted");
  g_assert_nonnull (note);
  g_assert_null (strstr (note + 1, "Area: the fit is to be doubted"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/batch/regions", BatchFixture, NULL, batch_set_up, test_regions, batch_tear_down);
  g_test_add ("/batch/regions-of-all", BatchFixture, NULL, batch_set_up, test_regions_of_all,
              batch_tear_down);
  g_test_add ("/batch/regions/ratio", BatchFixture, NULL, batch_set_up, test_ratio,
              batch_tear_down);
  g_test_add ("/batch/sums/one", BatchFixture, NULL, batch_set_up, test_sums, batch_tear_down);
  g_test_add ("/batch/sums/shared-error", BatchFixture, "shared", batch_set_up, test_sums,
              batch_tear_down);
  g_test_add ("/batch/regions/formula", BatchFixture, NULL, batch_set_up, test_formula,
              batch_tear_down);
  g_test_add ("/batch/regions/notes", BatchFixture, NULL, batch_set_up, test_notes,
              batch_tear_down);
  return g_test_run ();
}
