/* SPDX-License-Identifier: MIT */
/* report.html: pictures, settings, results, regions, warnings, provenance and papers in one file.
 */
#include <math.h>
#include <string.h>
#include "vg-config.h"
#include "app/export/vg-export-private.h"
#include "app/export/vg-methods-text.h"
#include "app/figure/vg-curves-figure.h"
#include "app/figure/vg-map-figure.h"
#include "app/report/vg-page.h"

enum { PICTURE_PIXELS = 700, MOST_REGIONS = 50, REGIONS_ABREAST = 4, NAME_COLUMN = 2 };

#define MAP_MM 80
#define CURVES_MM 100
#define CURVES_HIGH_MM 62

typedef struct
{
  VgExport *export;
  VgWork *work;
  const VgExportInfo *info;
  VgPage *page;
} Report;

/* ---- pictures ---- */

static gboolean
add_picture (gpointer data, VgMapView *view, const VgExportInfo *info, GError **error)
{
  Report *self = data;
  g_autoptr (VgFigure) figure = NULL;
  g_autofree char *svg = NULL;

  view->longest = PICTURE_PIXELS;
  view->slice = info->options != NULL
                    ? CLAMP (info->options->slice, 0, MAX (view->plane->slices, 1) - 1)
                    : 0;
  figure = vg_map_figure_new (
      view, &(VgMapFigureSpec){ .width_mm = MAP_MM, .regions = info->regions }, error);
  if (figure == NULL)
    return FALSE;
  svg = vg_figure_to_svg (figure, FALSE);
  vg_page_add_figure (self->page, svg, view->output->help);
  return TRUE;
}

/* Every map that is kept, as the window displays it. */
static gboolean
add_pictures (Report *self, GError **error)
{
  const VgExportOptions *options = self->info->options;
  g_autoptr (VgSession) fresh = vg_session_new (vg_work_get_operation (self->work));

  vg_page_add_heading (self->page, "Maps");
  for (guint i = 0; i < self->export->n_maps; i++)
    {
      const VgExportMap *map = &self->export->maps[i];
      const VgDisplay *display = vg_export_find_display (options, fresh, i);

      if (map->writer != NULL && !vg_export_leaves_out (self->export, i, self->info) &&
          !vg_export_draw (self->export, i, self->work, self->info, display, add_picture, self,
                           error))
        return FALSE;
    }
  return TRUE;
}

static void
add_curves (Report *self, VgCurves *curves, const char *caption)
{
  g_autoptr (VgFigure) figure = curves != NULL && curves->series->len > 0
                                    ? vg_curves_figure_new (curves, CURVES_MM, CURVES_HIGH_MM)
                                    : NULL;
  g_autofree char *svg = figure != NULL ? vg_figure_to_svg (figure, FALSE) : NULL;

  if (svg != NULL)
    vg_page_add_figure (self->page, svg, caption);
}

static gboolean
add_plots (Report *self, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (self->work);
  const VgNamedRegion *const *regions = self->info->regions;
  GError *local = NULL;

  vg_page_add_heading (self->page, "Curves");
  for (guint i = 0; i < operation->n_plots && local == NULL; i++)
    {
      g_autoptr (VgCurves)
          curves = operation->plots[i].plane == NULL ? vg_work_plot (self->work, i, &local) : NULL;

      add_curves (self, curves, operation->plots[i].label);
    }
  for (guint i = 0; local == NULL && regions != NULL && regions[i] != NULL && i < MOST_REGIONS; i++)
    {
      g_autoptr (VgCurves) curves = vg_work_sample_region (self->work, &regions[i]->region, &local);
      g_autofree char *caption = g_strdup_printf ("Region %s", regions[i]->name);

      add_curves (self, curves, caption);
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* ---- tables ---- */

/* As many digits as the error has, or four. */
static char *
format_number (double value, double error)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE], spread[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    return g_strdup ("–");
  g_ascii_formatd (text, sizeof text, fabs (value) >= 1e4 && fabs (value) < 1e9 ? "%.0f" : "%.4g",
                   value);
  if (!isfinite (error))
    return g_strdup (text);
  g_ascii_formatd (spread, sizeof spread, "%.2g", error);
  return g_strdup_printf ("%s ± %s", text, spread);
}

static void
add_results (Report *self)
{
  static const char *const headings[] = { "Result", "Value", "Unit", "Advice" };
  const VgMetrics *metrics = self->info->metrics;

  vg_page_add_heading (self->page, "Results");
  vg_page_begin_table (self->page, headings, G_N_ELEMENTS (headings));
  for (guint i = 0; i < metrics->items->len; i++)
    {
      const VgMetric *metric = &g_array_index (metrics->items, VgMetric, i);
      const VgMetric *error = vg_metrics_find_error (metrics, metric);
      g_autofree char *value = format_number (metric->value, error != NULL ? error->value : NAN);
      const char *const cells[] = { metric->label, value, metric->unit, metric->advice };

      if (vg_metrics_is_shown (metrics, metric))
        vg_page_add_row (self->page, cells, G_N_ELEMENTS (cells));
    }
  vg_page_end_table (self->page);
}

/* The minimum, median, mean and maximum of each map. */
static void
add_statistics (Report *self)
{
  static const char *const headings[] = { "Map", "Unit", "Minimum", "Median", "Mean", "Maximum" };

  vg_page_begin_table (self->page, headings, G_N_ELEMENTS (headings));
  for (guint i = 0; i < self->export->n_maps; i++)
    {
      const VgExportMap *map = &self->export->maps[i];
      g_autofree char *least = NULL, *median = NULL, *mean = NULL, *most = NULL;

      if (map->writer == NULL || map->output->kind == VG_OUTPUT_LABELS ||
          vg_export_leaves_out (self->export, i, self->info))
        continue;
      least = format_number (vg_exact_min (map->exact), NAN);
      median = format_number (vg_exact_median (map->exact), NAN);
      mean = format_number (vg_exact_mean (map->exact), NAN);
      most = format_number (vg_exact_max (map->exact), NAN);
      {
        const char *const cells[] = {
          map->output->label, map->output->unit, least, median, mean, most
        };

        vg_page_add_row (self->page, cells, G_N_ELEMENTS (cells));
      }
    }
  vg_page_end_table (self->page);
}

/* The cells of a line of CSV, in which quotes are doubled; numbers have at most five digits. */
static GStrv
split_line (const char *line)
{
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();
  g_autoptr (GString) cell = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (const char *at = line;; at++)
    if (*at == '"' && quoted && at[1] == '"')
      g_string_append_c (cell, *at++);
    else if (*at == '"')
      quoted = !quoted;
    else if (*at == '\0' || (*at == ',' && !quoted))
      {
        char *end;
        double value = g_ascii_strtod (cell->str, &end);

        if (cell->len > 6 && *end == '\0')
          g_string_printf (cell, "%.5g", value);
        g_strv_builder_add (cells, cell->str);
        g_string_set_size (cell, 0);
        if (*at == '\0')
          return g_strv_builder_end (cells);
      }
    else
      g_string_append_c (cell, *at);
}

/* N regions, a column each, with a row for each quantity; HEADINGS and the cells of a region begin
 * with frame, time and name. */
static void
add_columns (Report *self, const GStrv headings, GStrv *regions, guint n)
{
  const char *cells[1 + REGIONS_ABREAST] = { "Quantity" };

  for (guint k = 0; k < n; k++)
    cells[1 + k] = regions[k][NAME_COLUMN];
  vg_page_begin_table (self->page, cells, n + 1);
  for (guint row = NAME_COLUMN + 1; headings[row] != NULL; row++)
    {
      cells[0] = headings[row];
      for (guint k = 0; k < n; k++)
        cells[1 + k] = row < g_strv_length (regions[k]) ? regions[k][row] : NULL;
      vg_page_add_row (self->page, cells, n + 1);
    }
  vg_page_end_table (self->page);
}

/* The newest rows of regions.csv, one for each region. */
static void
add_regions (Report *self)
{
  gsize length;
  const char *text = self->export->log != NULL ? vg_region_log_text (self->export->log, &length)
                                               : "";
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1), headings = NULL;
  g_autoptr (GPtrArray) regions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  guint n = g_strv_length (lines), rows = 0;

  while (n > 0 && *lines[n - 1] == '\0')
    n--;
  while (self->info->regions != NULL && self->info->regions[rows] != NULL)
    rows++;
  if (n < 2 || rows == 0)
    return;
  vg_page_add_heading (self->page, "Regions");
  headings = split_line (lines[0]);
  for (guint i = n > rows ? n - rows : 1; i < n; i++)
    {
      GStrv cells = split_line (lines[i]);

      g_ptr_array_add (regions, cells);
      if (g_strv_length (cells) <= NAME_COLUMN)
        g_ptr_array_set_size (regions, (int) regions->len - 1);
    }
  for (guint i = 0; i < regions->len; i += REGIONS_ABREAST)
    add_columns (self, headings, (GStrv *) regions->pdata + i,
                 MIN (regions->len - i, REGIONS_ABREAST));
  if (n - 1 > rows)
    vg_page_add_text (
        self->page,
        "These are the values of the last frame; regions.csv has the values of every frame.");
}

static void
add_settings (Report *self)
{
  static const char *const headings[] = { "Group", "Setting", "Value", "Default" };
  const VgOperation *operation = vg_work_get_operation (self->work);
  const void *params = vg_work_get_params (self->work);
  void *defaults = vg_params_new (&operation->params);

  vg_page_add_heading (self->page, "Settings");
  vg_page_begin_table (self->page, headings, G_N_ELEMENTS (headings));
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *value = NULL, *usual = NULL;

      if (!vg_methods_text_tells (operation, param, params))
        continue;
      value = vg_methods_text_value (param, params);
      usual = vg_methods_text_value (param, defaults);
      vg_page_add_row (self->page,
                       (const char *const[]){ param->group, param->label, value,
                                              g_str_equal (value, usual) ? "" : usual },
                       4);
    }
  vg_page_end_table (self->page);
  vg_params_free (&operation->params, defaults);
}

/* ---- where it comes from ---- */

static void
add_warnings (Report *self)
{
  g_autoptr (GPtrArray) notes = vg_export_warnings (self->info);

  vg_page_add_heading (self->page, "Warnings");
  if (notes->len > 0)
    vg_page_add_list (self->page, notes, TRUE);
  else
    vg_page_add_text (self->page, "There are no warnings.");
}

/* As sha256sum writes them, which can check the files. */
static void
add_inputs (Report *self, JsonArray *inputs)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (inputs); i++)
    {
      JsonObject *input = json_array_get_object_element (inputs, i);

      g_string_append_printf (
          lines, "%s%s  %s", i > 0 ? "\n" : "",
          json_object_get_string_member_with_default (input, "sha256", "not known"),
          json_object_get_string_member (input, "file"));
    }
  vg_page_add_text (self->page, "SHA-256 of the inputs:");
  vg_page_add_code (self->page, lines->str);
}

/* The same as in summary.json. */
static gboolean
add_provenance (Report *self, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *program = NULL;
  JsonObject *provenance;
  const char *command, *options;

  json_builder_begin_object (builder);
  if (!vg_summary_add_provenance (builder, self->work, self->info, error))
    return FALSE;
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  provenance = json_object_get_object_member (json_node_get_object (root), "provenance");
  command = json_object_get_string_member (provenance, "command");
  options = json_object_get_string_member (provenance, "read_options");
  program = g_strdup_printf ("Vivograph %s on %s, %s",
                             json_object_get_string_member (provenance, "version"),
                             json_object_get_string_member (provenance, "device"),
                             json_object_get_string_member (provenance, "date"));
  vg_page_add_heading (self->page, "Provenance");
  vg_page_add_text (self->page, program);
  if (json_array_get_length (json_object_get_array_member (provenance, "inputs")) > 0)
    add_inputs (self, json_object_get_array_member (provenance, "inputs"));
  else
    vg_page_add_text (self->page, self->info->synthetic != NULL
                                      ? "The input is sample data that the program generated."
                                      : "There are no input files.");
  if (*options != '\0')
    {
      vg_page_add_text (self->page, "The inputs were read with these options:");
      vg_page_add_code (self->page, options);
    }
  if (*command != '\0')
    {
      vg_page_add_text (self->page, "This command computes the same results:");
      vg_page_add_code (self->page, command);
    }
  return TRUE;
}

static void
add_references (Report *self)
{
  g_autoptr (GPtrArray) references = vg_methods_text_references (vg_work_get_operation (self->work),
                                                                 vg_work_get_params (self->work));

  vg_page_add_heading (self->page, "References");
  vg_page_add_list (self->page, references, FALSE);
}

static VgPage *
begin_page (VgWork *work, const VgExportInfo *info)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const char *input = info->inputs != NULL ? info->inputs[0] : NULL;
  const char *made = operation->input.kind != VG_INPUT_NONE ? "sample data" : "simulation";
  g_autofree char *name = input != NULL ? g_path_get_basename (input) : g_strdup (made),
                  *valid = g_utf8_make_valid (name, -1),
                  *title = g_strdup_printf ("%s: %s", operation->title, valid);
  VgPage *page = vg_page_new (title);

  vg_page_add_text (page, operation->summary);
  return page;
}

gboolean
vg_export_write_report (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  g_autoptr (VgPage) page = NULL;
  g_autofree char *path = NULL, *html = NULL;
  Report report = { .export = self, .work = work, .info = info };

  if (info->options == NULL || !info->options->report)
    return TRUE;
  path = vg_export_stage (self, "report.html", error);
  if (path == NULL)
    return FALSE;
  report.page = page = begin_page (work, info);
  add_warnings (&report);
  if (!add_pictures (&report, error))
    return FALSE;
  add_results (&report);
  add_statistics (&report);
  add_regions (&report);
  if (!add_plots (&report, error))
    return FALSE;
  add_settings (&report);
  if (!add_provenance (&report, error))
    return FALSE;
  add_references (&report);
  html = vg_page_finish (g_steal_pointer (&page));
  return vg_write_bytes (path, html, strlen (html), error);
}
