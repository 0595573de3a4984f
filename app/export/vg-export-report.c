/* SPDX-License-Identifier: MIT */
/* report.html: pictures, settings, results, regions, warnings, provenance and papers in one file.
 */
#include <math.h>
#include <string.h>
#include "vg-config.h"
#include "app/export/vg-export-private.h"
#include "app/figure/vg-curves-figure.h"
#include "app/figure/vg-map-figure.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-group.h"
#include "app/report/vg-anonymous-text.h"
#include "app/report/vg-reading-table.h"
#include "io/dicom/vg-dicom-writer.h"
#include "kernels/base/vg-text.h"

enum { PICTURE_PIXELS = 700, MOST_REGIONS = 50, MOST_SLICES = 6, FIRST_SLICES = 2 };

#define MAP_MM 80
#define CURVES_MM 100
#define CURVES_HIGH_MM 62

typedef enum { PART_ANSWER, PART_APPENDIX } Part;

typedef struct
{
  VgExport *export;
  VgWork *work;
  const VgExportInfo *info;
  VgPage *page;
  Part part;          /* which is being written */
  guint shown;        /* index of the map that the preview shows */
  gboolean anonymous; /* nothing that may identify the patient is told */
  GPtrArray *groups;  /* of VgRegionGroup: those that are shown, in their order */
  /* of the regions that have values: names, borrowed, names without the slice, and VgReading */
  GPtrArray *names, *labels, *readings;
} Report;

/* ---- pictures ---- */

/* Slice SLICE of the map of VIEW. */
static gboolean
add_slice (Report *self, VgMapView *view, const VgExportInfo *info, int slice, GError **error)
{
  g_autoptr (VgFigure) figure = NULL;
  g_autofree char *svg = NULL, *caption = NULL;

  view->longest = PICTURE_PIXELS;
  view->slice = slice;
  figure = vg_map_figure_new (
      view, &(VgMapFigureSpec){ .width_mm = MAP_MM, .regions = info->regions }, error);
  if (figure == NULL)
    return FALSE;
  svg = vg_figure_to_svg (figure, FALSE);
  caption = view->plane->slices > 1 ? g_strdup_printf ("%s Slice %d of %d.", view->output->help,
                                                       slice + 1, view->plane->slices)
                                    : g_strdup (view->output->help);
  vg_page_add_figure (self->page, svg, caption);
  return TRUE;
}

static gboolean
has_region (const VgExportInfo *info, int slice)
{
  for (guint i = 0; info->regions != NULL && info->regions[i] != NULL; i++)
    if (vg_export_chooses_slice (info, i) && info->regions[i]->region.slice == slice)
      return TRUE;
  return FALSE;
}

/* One slice of each map; of the map of the preview also the others in which a region lies, all but
 * the first in the appendix. */
static gboolean
add_picture (gpointer data, VgMapView *view, const VgExportInfo *info, GError **error)
{
  Report *self = data;
  gboolean is_first = view->output == self->export->maps[self->shown].output;
  int slices = MAX (view->plane->slices, 1), first = vg_export_find_slice (info, slices), n = 1;

  if ((!is_first || self->part == PART_ANSWER) && !add_slice (self, view, info, first, error))
    return FALSE;
  for (int z = 0; z < slices && n < MOST_SLICES && is_first; z++)
    if (z != first && has_region (self->info, z))
      {
        gboolean early = n++ < FIRST_SLICES;

        if (early == (self->part == PART_ANSWER) && !add_slice (self, view, info, z, error))
          return FALSE;
      }
  return TRUE;
}

/* Map I, as the window displays it, if it is kept. */
static gboolean
add_map (Report *self, guint i, VgSession *fresh, GError **error)
{
  const VgDisplay *display = vg_export_find_display (self->info->options, fresh, i);

  return self->export->maps[i].writer == NULL ||
         vg_export_leaves_out (self->export, i, self->info) ||
         vg_export_draw (self->export, i, self->work, self->info, display, add_picture, self,
                         error);
}

static gboolean
add_first_map (Report *self, GError **error)
{
  g_autoptr (VgSession) fresh = vg_session_new (vg_work_get_operation (self->work));

  if (self->shown >= self->export->n_maps)
    return TRUE;
  vg_page_add_heading (self->page, "Map");
  return add_map (self, self->shown, fresh, error);
}

/* Other slices of the first map, then all other maps but the standard errors, which tables have. */
static gboolean
add_other_maps (Report *self, GError **error)
{
  g_autoptr (VgSession) fresh = vg_session_new (vg_work_get_operation (self->work));

  vg_page_add_heading (self->page, "Maps");
  if (self->shown < self->export->n_maps && !add_map (self, self->shown, fresh, error))
    return FALSE;
  for (guint i = 0; i < self->export->n_maps; i++)
    if (i != self->shown && !vg_reading_is_error (self->work, i) &&
        !add_map (self, i, fresh, error))
      return FALSE;
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

/* The texts of marks may identify the patient. */
static void
add_course (Report *self, VgCurves *course)
{
  GArray *marks = course->marks;

  if (self->anonymous)
    course->marks = NULL;
  add_curves (self, course,
              course->marks != NULL ? "Means of the regions against time, with the marks"
                                    : "Means of the regions against time");
  course->marks = marks;
}

/* Whether CURVES show anything: those of what was not computed are flat. */
static gboolean
has_shape (const VgCurves *curves)
{
  for (guint s = 0; curves != NULL && s < curves->series->len; s++)
    {
      const VgSeries *series = curves->series->pdata[s];

      for (int i = 1; i < series->n; i++)
        if (series->y[i] < series->y[0] || series->y[i] > series->y[0])
          return TRUE;
    }
  return FALSE;
}

static gboolean
add_plots (Report *self, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (self->work);
  const GPtrArray *courses = self->info->options->courses;
  GError *local = NULL;

  vg_page_add_heading (self->page, "Curves");
  for (guint i = 0; courses != NULL && i < courses->len; i++)
    add_course (self, courses->pdata[i]);
  for (guint i = 0; i < operation->n_plots && local == NULL; i++)
    {
      g_autoptr (VgCurves)
          curves = operation->plots[i].plane == NULL ? vg_work_plot (self->work, i, &local) : NULL;

      if (has_shape (curves))
        add_curves (self, curves, operation->plots[i].label);
    }
  for (guint i = 0; local == NULL && i < self->groups->len; i++)
    {
      const VgRegionGroup *region = self->groups->pdata[i];
      const VgRegion *const *parts = (const VgRegion *const *) region->parts->pdata;
      g_autoptr (VgCurves)
          curves = region->parts->len > 1
                       ? vg_work_sample_regions (self->work, parts, region->parts->len, &local)
                       : vg_work_sample_region (self->work, parts[0], &local);
      g_autofree char *caption = g_strdup_printf ("Region %s", region->name);

      add_curves (self, curves, caption);
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* ---- tables ---- */

/* TEXT, without what may identify the patient; owned. */
static char *
tell (const Report *self, const char *text)
{
  return self->anonymous ? vg_anonymous_text (text, self->info->inputs, self->info->settings_files)
                         : g_strdup (text);
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
      g_autofree char *value = vg_text_with_error (metric->value,
                                                   error != NULL ? error->value : NAN);
      g_autofree char *advice = metric->advice != NULL ? tell (self, metric->advice) : NULL;
      const char *const cells[] = { metric->label, value, metric->unit, advice };

      if (vg_metrics_is_shown (metrics, metric))
        vg_page_add_row (self->page, cells, G_N_ELEMENTS (cells));
    }
  vg_page_end_table (self->page);
}

/* Whether READING has a value of the shown map; the inputs, for example, have none. */
static gboolean
has_answer (const Report *self, const VgReading *reading)
{
  const char *id = self->shown < self->export->n_maps ? self->export->maps[self->shown].output->id
                                                      : NULL;

  for (guint i = 0; i < reading->items->len; i++)
    {
      const VgReadingItem *item = &g_array_index (reading->items, VgReadingItem, i);

      if (g_strcmp0 (item->id, id) == 0 && isfinite (item->value))
        return TRUE;
    }
  return FALSE;
}

/* Takes the first of GROUPS with their READINGS, those that have an answer before the others. */
static void
take_regions (Report *self, const GPtrArray *groups, GPtrArray *readings)
{
  g_autofree gboolean *early = g_new (gboolean, groups->len);

  for (guint i = 0; i < groups->len; i++)
    early[i] = readings->pdata[i] != NULL && has_answer (self, readings->pdata[i]);
  for (int pass = 0; pass < 2; pass++)
    for (guint i = 0; i < groups->len && self->groups->len < MOST_REGIONS; i++)
      {
        VgRegionGroup *region = groups->pdata[i];
        guint first = g_array_index (region->members, guint, 0);

        if (early[i] != (pass == 0))
          continue;
        g_ptr_array_add (self->groups, region);
        if (readings->pdata[i] == NULL)
          continue;
        g_ptr_array_add (self->names, region->name);
        g_ptr_array_add (self->labels, vg_region_file_label (self->info->regions[first]));
        g_ptr_array_add (self->readings, g_steal_pointer (&readings->pdata[i]));
      }
}

/* Reads the values of all maps in each of GROUPS. */
static gboolean
read_regions (Report *self, const GPtrArray *groups, GError **error)
{
  g_autoptr (GPtrArray)
      readings = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_reading_free);
  GError *local = NULL;

  g_ptr_array_set_size (readings, (int) groups->len);
  for (guint i = 0; self->export->log != NULL && i < groups->len; i++)
    {
      const VgRegionGroup *region = groups->pdata[i];
      const VgRegion *const *parts = (const VgRegion *const *) region->parts->pdata;
      VgReading *reading = region->parts->len > 1
                               ? vg_reading_new_regions (self->work, self->shown, parts,
                                                         region->parts->len, &local)
                               : vg_reading_new_region (self->work, self->shown, parts[0], &local);

      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      readings->pdata[i] = reading;
    }
  take_regions (self, groups, readings);
  return TRUE;
}

/* The regions side by side, and what is compared with them. */
static void
add_regions (Report *self)
{
  const VgOperation *operation = vg_work_get_operation (self->work);
  const VgImageInfo *data = vg_work_get_info (self->work);
  const VgExportComparison *comparison = self->info->options->comparison;
  const char *const *names = (const char *const *) self->names->pdata;
  VgReading *const *readings = (VgReading *const *) self->readings->pdata;

  if (self->names->len == 0)
    return;
  vg_page_add_heading (self->page, "Regions");
  vg_page_add_readings (
      self->page, names, readings, self->names->len,
      self->shown < self->export->n_maps ? self->export->maps[self->shown].output->id : NULL,
      data != NULL && data->slices > 1);
  if (vg_export_get_pages (self->export) > 1 && !self->export->once)
    vg_page_add_text (
        self->page,
        "These are the values of the last frame; regions.csv has the values of every frame.");
  for (guint i = 0; comparison != NULL && i < comparison->kept->len; i++)
    {
      const VgReference *kept = comparison->kept->pdata[i];
      g_autofree char *name = tell (self, self->anonymous ? "an earlier result"
                                                          : comparison->names->pdata[i]);

      if (vg_reference_get_operation (kept) == operation)
        vg_page_add_comparison (self->page, (const char *const *) self->labels->pdata, readings,
                                self->names->len, kept, name);
    }
}

static void
add_warnings (Report *self)
{
  g_autoptr (GPtrArray) notes = vg_export_warnings (self->info);

  for (guint i = 0; i < notes->len; i++)
    {
      g_autofree char *note = notes->pdata[i];

      notes->pdata[i] = tell (self, note);
    }
  vg_page_add_heading (self->page, "Warnings");
  if (notes->len > 0)
    vg_page_add_list (self->page, notes, TRUE);
  else
    vg_page_add_text (self->page, "There are no warnings.");
}

static void
begin_page (Report *self)
{
  const VgOperation *operation = vg_work_get_operation (self->work);
  const VgExportInfo *info = self->info;
  const char *input = info->inputs != NULL ? info->inputs[0] : NULL;
  const char *made = operation->input.kind != VG_INPUT_NONE ? "sample data" : "simulation";
  g_autofree char *name = self->anonymous ? g_strdup ("anonymous")
                          : input != NULL ? g_path_get_basename (input)
                                          : g_strdup (made),
                  *valid = g_utf8_make_valid (name, -1),
                  *title = g_strdup_printf ("%s: %s", operation->title, valid),
                  *patient = self->anonymous || input == NULL
                                 ? NULL
                                 : vg_dicom_describe_patient (info->inputs, info->read_options);
  g_auto (GStrv) lines = patient != NULL ? g_strsplit (patient, "\n", -1) : NULL;

  self->page = vg_page_new (title);
  if (self->anonymous)
    vg_page_add_text (self->page, "Patient and study: left out");
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    vg_page_add_text (self->page, lines[i]);
}

/* The map that the preview shows, which comes first. */
static guint
find_shown (const VgExport *export, const VgExportInfo *info, VgSession *fresh)
{
  const VgDisplay *display;
  const VgExportMap *map = vg_export_choose (export->maps, export->n_maps, info, fresh, &display);

  return map != NULL ? map->index : 0;
}

/* The answer comes first: on paper it is the first sheet. */
static gboolean
fill_page (Report *self, const GPtrArray *groups, GError **error)
{
  begin_page (self);
  add_warnings (self);
  if (!read_regions (self, groups, error))
    return FALSE;
  add_regions (self);
  self->part = PART_ANSWER;
  if (!add_first_map (self, error) || !add_plots (self, error))
    return FALSE;
  vg_page_add_marks (self->page, self->info->marks, self->anonymous);
  vg_page_begin_appendix (self->page);
  vg_page_add_text (self->page, vg_work_get_operation (self->work)->summary);
  self->part = PART_APPENDIX;
  add_results (self);
  vg_page_add_other_readings (self->page, (const char *const *) self->names->pdata,
                              (VgReading *const *) self->readings->pdata, self->names->len);
  if (!vg_export_add_origin (self->page, self->work, self->info, self->anonymous, error) ||
      !add_other_maps (self, error) ||
      !vg_export_add_statistics (self->export, self->info, self->page, error))
    return FALSE;
  return TRUE;
}

gboolean
vg_export_write_report (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  g_autoptr (VgSession) fresh = NULL;
  g_autofree char *path = NULL, *html = NULL;
  g_autoptr (GPtrArray) renamed = NULL, groups = NULL, shown = NULL, names = NULL, labels = NULL,
                        readings = NULL;
  const VgEngineCurves *curves = vg_work_get_operation (work)->cpu->curves;
  g_autofree const VgNamedRegion **hidden = NULL;
  VgExportInfo nameless = *info;
  Report report = { .export = self, .work = work, .info = info };

  if (info->options == NULL || !info->options->report)
    return TRUE;
  path = vg_export_stage (self, "report.html", error);
  if (path == NULL)
    return FALSE;
  fresh = vg_session_new (vg_work_get_operation (work));
  report.shown = find_shown (self, info, fresh);
  report.anonymous = info->options->dicom_anonymous;
  if (report.anonymous)
    {
      nameless.regions = hidden = vg_region_file_hide_names (info->regions, &renamed);
      report.info = &nameless;
    }
  groups = vg_region_groups_new (report.info->regions,
                                 curves != NULL && curves->sample_regions != NULL);
  shown = report.groups = g_ptr_array_new ();
  names = report.names = g_ptr_array_new ();
  labels = report.labels = g_ptr_array_new_with_free_func (g_free);
  readings = report.readings = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_reading_free);
  if (!fill_page (&report, groups, error))
    {
      vg_page_free (report.page);
      return FALSE;
    }
  html = vg_page_finish (report.page);
  return vg_write_bytes (path, html, strlen (html), error);
}
