/* SPDX-License-Identifier: MIT */
/* What the window's Export writes beside the maps: figures while kept results are compared, in
 * which a map of another grid or unit never has the present colours, and the report. */
#include <math.h>
#include "app/export/vg-export.h"
#include "kernels/base/vg-text.h"
#include "tests/support/io/tiff-fixture.h"

/* A small finished run of OPERATION with the values of SETTINGS, which has pairs and ends with
 * NULL. */
static VgWork *
compute (const char *id, const char *const *settings)
{
  const VgOperation *operation = vg_operation_find (id);
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 1, NULL);
  VgSyntheticSize size = operation->synthetic->live;
  g_autoptr (VgImage) image = NULL;
  g_autoptr (GError) error = NULL;
  void *params = vg_params_new (&operation->params);

  for (; *settings != NULL; settings += 2)
    g_assert_true (vg_param_parse (vg_params_find (&operation->params, settings[0]), params,
                                   settings[1], &error));
  size.width = 16;
  size.height = 12;
  if (operation->input.kind == VG_INPUT_DATASET)
    {
      image = vg_work_load_dataset (operation, params, NULL, NULL, &size, &error);
      g_assert_no_error (error);
    }
  g_assert_true (
      vg_work_prepare (work, params, image != NULL ? &image->info : NULL, image, &error));
  while (vg_work_step (work, 0.1, &error) == VG_STEP_MORE)
    ;
  g_assert_no_error (error);
  vg_params_free (&operation->params, params);
  return g_steal_pointer (&work);
}

typedef struct
{
  char *figure, *summary;
} Exported;

static void
exported_clear (Exported *self)
{
  g_free (self->figure);
  g_free (self->summary);
}

/* Exports WORK compared with N results that are KEPT and called "Kept 1", "Kept 2"... */
static Exported
export_compared (VgWork *work, VgCompare compare, VgLayout layout, VgReference **kept, guint n)
{
  g_autoptr (VgSession) session = vg_session_new (vg_work_get_operation (work));
  g_autofree char *folder = fixture_folder (), *figure = NULL, *summary = NULL;
  VgExportOptions options = { .formats = VG_FORMAT_NONE, .figures = VG_FIGURE_SVG, .slice = -1 };
  VgExportInfo info = { .options = &options };
  Exported exported = { 0 };
  g_autoptr (GError) error = NULL;
  guint n_maps;

  options.comparison = vg_export_comparison_new (session);
  options.comparison->compare = compare;
  options.comparison->layout = layout;
  options.comparison->wipe = 0.5;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("Kept %u", i + 1);

      vg_export_comparison_add (options.comparison, kept[i], name);
    }
  g_ptr_array_add (options.comparison->names, g_strdup ("Now"));
  g_assert_true (vg_export_current (folder, work, &info, &n_maps, &error));
  g_assert_no_error (error);
  figure = g_build_filename (folder, "figure.svg", NULL);
  summary = g_build_filename (folder, "summary.json", NULL);
  g_assert_true (g_file_get_contents (figure, &exported.figure, NULL, NULL));
  g_assert_true (g_file_get_contents (summary, &exported.summary, NULL, NULL));
  vg_export_comparison_free (options.comparison);
  fixture_remove_folder (g_steal_pointer (&folder));
  return exported;
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (const char *at = strstr (text, part); at != NULL; at = strstr (at + 1, part))
    n++;
  return n;
}

/* The pictures of EXPORTED without that of the colour bar; the figure and the summary both name
 * only what is shown. */
static void
check (Exported exported, guint pictures, const char *shown, const char *left_out,
       const char *reason)
{
  g_autofree char *in_title = shown != NULL ? g_strdup_printf (">%s<", shown) : NULL,
                  *out_of_title = g_strdup_printf (">%s<", left_out),
                  *note = g_strdup_printf ("The figure leaves out \\\"%s\\\": ", left_out);

  g_assert_cmpuint (count (exported.figure, "<image"), ==, pictures + 1);
  if (in_title != NULL)
    g_assert_nonnull (strstr (exported.figure, in_title));
  g_assert_null (strstr (exported.figure, out_of_title));
  g_assert_null (strstr (exported.figure, left_out)); /* nor in what the file says of itself */
  g_assert_nonnull (strstr (exported.summary, note));
  g_assert_nonnull (strstr (exported.summary, reason));
}

/* Beside a map per 100 g and minute, one per second would have its colours and scale. */
static void
test_unit (void)
{
  static const char *const one[] = { "rate_unit", "per_100g", NULL }, *const other[] = {
    "rate_unit", "per_s", NULL
  };
  g_autoptr (VgWork) now = compute ("perfusion", one), then = compute ("perfusion", other);
  g_autoptr (VgReference) same = vg_reference_new (now, NULL),
                          other_unit = vg_reference_new (then, NULL);
  VgReference *kept[] = { other_unit, same };
  Exported exported = export_compared (now, VG_COMPARE_OFF, VG_LAYOUT_GRID, kept, 2);

  check (exported, 2, "Kept 2", "Kept 1", "choose the same unit");
  exported_clear (&exported);
  exported = export_compared (now, VG_COMPARE_OFF, VG_LAYOUT_WIPE, kept, 1);
  check (exported, 1, NULL, "Kept 1", "choose the same unit");
  exported_clear (&exported);
}

/* The comparison ends when the present map has another grid.  What is exported before the window
 * has seen that is the map that it then shows. */
static void
test_ended (void)
{
  static const char *const one[] = { "photons", "200", "nz", "7", "nr", "5", NULL },
                           *const other[] = { "photons", "200", "nz", "7", "nr", "6", NULL };
  g_autoptr (VgWork) now = compute ("fluence", one), then = compute ("fluence", other);
  g_autoptr (VgReference) kept = vg_reference_new (then, NULL);

  for (VgCompare mode = VG_COMPARE_KEPT; mode <= VG_COMPARE_RATIO; mode++)
    {
      Exported exported = export_compared (now, mode, VG_LAYOUT_SINGLE, &kept, 1);

      check (exported, 1, "Fluence rate", "Kept 1", "set the same grid");
      exported_clear (&exported);
    }
}

/* Means of maps and of regions in the report are both weighted by volume, and say so. */
static void
test_report (void)
{
  static const char *const settings[] = { "photons", "3000", "nz", "7", "nr", "5", NULL };
  g_autoptr (VgWork) work = compute ("fluence", settings);
  g_autofree char *folder = fixture_folder (),
                  *path = g_build_filename (folder, "report.html", NULL), *text = NULL,
                  *cells = NULL, *mean = NULL;
  const VgExportOptions options = { .formats = VG_FORMAT_NONE, .report = TRUE, .slice = -1 };
  VgNamedRegion region = { .name = (char *) "Half" };
  const VgNamedRegion *regions[] = { &region, NULL };
  const VgExportInfo info = { .options = &options, .regions = regions };
  g_autofree float *values = NULL;
  double sum = 0, weight = 0;
  g_autoptr (GError) error = NULL;
  gsize capacity = 0;
  guint n_maps;
  VgPlane plane;

  g_assert_true (vg_region_parse (&region.region, "rect:0,0,3,7", NULL));
  g_assert_true (vg_export_current (folder, work, &info, &n_maps, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (vg_work_read_output (work, 0, &plane, &values, &capacity, NULL));
  for (int i = 0; i < plane.width * plane.height; i++)
    {
      sum += (i % plane.width + 0.5) * (double) values[i];
      weight += i % plane.width + 0.5;
    }
  mean = vg_text_with_error (sum / weight, NAN);
  cells = g_strdup_printf ("<td>%s</td>", mean);
  g_assert_nonnull (strstr (text, cells));
  g_assert_nonnull (strstr (text, "Medians and means are weighted by volume"));
  g_assert_nonnull (strstr (text, "the mean over the region, weighted by volume"));
  fixture_remove_folder (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export-current/unit", test_unit);
  g_test_add_func ("/export-current/ended", test_ended);
  g_test_add_func ("/export-current/report", test_report);
  return g_test_run ();
}
