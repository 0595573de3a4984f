/* SPDX-License-Identifier: MIT */
/* Writes summary.json: settings, inputs, statistics of the maps, metrics and checksums.  Values
 * that are not known are null. */
#include <math.h>
#include "vg-config.h"
#include "app/provenance/vg-json-parameters.h"
#include "app/export/vg-export-private.h"
#include "app/reading/vg-reading.h"
#include "app/reading/vg-region-check.h"
#include "app/reading/vg-region-sums.h"
#include "app/region/vg-region-file.h"

static gboolean
is_noted (GPtrArray *notes, const char *text)
{
  for (guint i = 0; i < notes->len; i++)
    if (g_str_has_suffix (notes->pdata[i], text))
      return TRUE;
  return FALSE;
}

GPtrArray *
vg_export_notes (const VgExportInfo *info)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);
  const VgMetrics *metrics = info->metrics;

  for (guint i = 0; info->notes != NULL && i < info->notes->len; i++)
    g_ptr_array_add (notes, g_strdup (info->notes->pdata[i]));
  for (guint i = 0; i < metrics->items->len; i++)
    {
      const char *advice = g_array_index (metrics->items, VgMetric, i).advice;
      g_auto (GStrv) lines = g_strsplit (advice != NULL ? advice : "", "\n", -1);

      for (guint k = 0; lines[k] != NULL; k++)
        if (*lines[k] != '\0' && !is_noted (notes, lines[k]))
          g_ptr_array_add (notes, g_strdup (lines[k]));
    }
  return notes;
}

GPtrArray *
vg_export_warnings (const VgExportInfo *info)
{
  GPtrArray *notes = vg_export_notes (info);

  if (info->caution != NULL)
    g_ptr_array_insert (notes, 0, g_strdup (info->caution));
  if (info->incomplete != NULL)
    g_ptr_array_add (notes, g_strdup (info->incomplete));
  return notes;
}

static void
add_inputs (JsonBuilder *builder, const VgOperation *operation, const VgExportInfo *info)
{
  vg_json_begin_array (builder, "inputs");
  for (guint i = 0; info->inputs != NULL && info->inputs[i] != NULL; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (info->inputs[i], -1);

      json_builder_add_string_value (builder, valid);
    }
  json_builder_end_array (builder);
  if (info->synthetic == NULL)
    return;
  vg_json_begin_object (builder, "synthetic");
  vg_json_add_integer (builder, "width", info->synthetic->width);
  vg_json_add_integer (builder, "height", info->synthetic->height);
  vg_json_add_integer (builder, "frames", info->synthetic->frames);
  vg_json_add_integer (builder, "seed", (gint64) info->synthetic->seed);
  vg_json_add_string (builder, "sample", operation->synthetic->samples[info->synthetic->sample].id);
  json_builder_end_object (builder);
}

/* Of a live source: what became of the frames that its device sent. */
static void
add_live (JsonBuilder *builder, const VgLiveStatus *live, const char *details)
{
  if (live == NULL)
    return;
  vg_json_begin_object (builder, "live");
  vg_json_add_integer (builder, "received", (gint64) live->received);
  vg_json_add_integer (builder, "bad", (gint64) live->bad);
  vg_json_add_integer (builder, "lost", (gint64) live->lost);
  vg_json_add_string (builder, "details", details);
  json_builder_end_object (builder);
}

/* Adds the limit for the means of regions, and how often a mean fell below it. */
static void
add_alarms (JsonBuilder *builder, const VgOperation *operation, const VgExportInfo *info,
            const VgAlarmLog *alarms)
{
  if (alarms == NULL)
    return;
  vg_json_begin_object (builder, "alarms");
  vg_json_add_string (builder, "map", operation->outputs[info->preview_output].id);
  vg_json_add_number (builder, "below", info->options->alarm);
  vg_json_add_integer (builder, "alarms", vg_alarm_log_count (alarms));
  json_builder_end_object (builder);
}

static void
add_map (JsonBuilder *builder, const VgExportMap *map)
{
  vg_json_begin_object (builder, map->output->id);
  vg_json_add_string (builder, "label", map->output->label);
  vg_json_add_string (builder, "unit", map->output->unit);
  vg_json_add_integer (builder, "width", map->plane.width);
  vg_json_add_integer (builder, "height", map->plane.height);
  vg_json_add_integer (builder, "pages", map->pages);
  vg_json_add_number (builder, "min", vg_exact_min (map->exact));
  vg_json_add_number (builder, "median", vg_exact_median (map->exact));
  vg_json_add_number (builder, "mean", vg_exact_mean (map->exact));
  vg_json_add_number (builder, "max", vg_exact_max (map->exact));
  vg_json_add_integer (builder, "invalid", (gint64) map->exact->invalid);
  if (map->output->hints.categories != NULL)
    vg_json_add_strings (builder, "categories", map->output->hints.categories);
  json_builder_end_object (builder);
}

static void
add_results (JsonBuilder *builder, const VgMetrics *metrics)
{
  vg_json_begin_object (builder, "results");
  for (guint i = 0; i < metrics->items->len; i++)
    {
      const VgMetric *number = &g_array_index (metrics->items, VgMetric, i);

      json_builder_set_member_name (builder, number->id);
      if (number->value == floor (number->value) && fabs (number->value) < 1e15)
        json_builder_add_int_value (builder, (gint64) number->value);
      else
        vg_json_add_number (builder, NULL, number->value);
    }
  json_builder_end_object (builder);
}

/* A text's file name, which the input may have given. */
static void
add_text (JsonBuilder *builder, const VgExportMap *map)
{
  g_autofree char *name = g_path_get_basename (map->path), *valid = g_utf8_make_valid (name, -1);

  vg_json_begin_object (builder, map->output->id);
  vg_json_add_string (builder, "file", valid);
  json_builder_end_object (builder);
}

static void
add_values (JsonBuilder *builder, const char *name, const double *values, int n)
{
  vg_json_begin_array (builder, name);
  for (int i = 0; i < n; i++)
    vg_json_add_number (builder, NULL, values[i]);
  json_builder_end_array (builder);
}

/* The bars of the operation's plots: few numbers each. */
static gboolean
add_bars (JsonBuilder *builder, VgWork *work, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  GError *local = NULL;

  vg_json_begin_object (builder, "bars");
  for (guint i = 0; i < operation->n_plots && local == NULL; i++)
    {
      g_autoptr (VgCurves) curves = vg_work_plot (work, i, &local);

      for (guint k = 0; curves != NULL && k < curves->series->len; k++)
        {
          const VgSeries *series = curves->series->pdata[k];

          if (series->style != VG_SERIES_BARS)
            continue;
          vg_json_begin_object (builder, operation->plots[i].id);
          add_values (builder, "x", series->x, series->n);
          add_values (builder, "y", series->y, series->n);
          if (series->error != NULL)
            add_values (builder, "error", series->error, series->n);
          json_builder_end_object (builder);
          break;
        }
    }
  json_builder_end_object (builder);
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

static void
add_notes (JsonBuilder *builder, const VgExportInfo *info)
{
  g_autoptr (GPtrArray) notes = vg_export_warnings (info);

  vg_json_begin_array (builder, "notes");
  for (guint i = 0; i < notes->len; i++)
    {
      g_autofree char *valid = g_utf8_make_valid (notes->pdata[i], -1);

      json_builder_add_string_value (builder, valid);
    }
  json_builder_end_array (builder);
}

/* The members "voxels", if their number is known, and "advice", if the values are to be doubted. */
static gboolean
add_doubts (JsonBuilder *builder, VgWork *work, const VgNamedRegion *const *regions,
            const VgRegionSum *sum, GError **error)
{
  const VgMetrics *metrics = sum->curves->metrics;
  const VgMetric *voxels = metrics != NULL ? vg_metrics_find (metrics, "voxels") : NULL;
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  g_autofree char *remark = NULL;
  GError *local = NULL;

  for (guint i = 0; i < sum->members->len; i++)
    g_ptr_array_add (parts, (gpointer) &regions[g_array_index (sum->members, guint, i)]->region);
  remark = vg_region_check_new (work, (const VgRegion *const *) parts->pdata, parts->len,
                                sum->curves, &local);
  if (voxels != NULL)
    vg_json_add_number (builder, "voxels", voxels->value);
  if (remark != NULL)
    vg_json_add_string (builder, "advice", g_strdelimit (remark, "\n", ' '));
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

static gboolean
add_region (JsonBuilder *builder, VgWork *work, const VgNamedRegion *const *regions,
            const VgRegionSum *sum, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const void *params = vg_work_get_params (work);
  g_autofree char *valid = g_utf8_make_valid (sum->name, -1);

  json_builder_begin_object (builder);
  vg_json_add_string (builder, "name", valid);
  if (!add_doubts (builder, work, regions, sum, error))
    return FALSE;
  vg_json_begin_object (builder, "values");
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      if (!isfinite (sum->values[i]) || operation->outputs[i].kind != VG_OUTPUT_MAP ||
          vg_reading_is_error (work, i) || !vg_operation_output_is_shown (operation, i, params))
        continue;
      vg_json_begin_object (builder, operation->outputs[i].id);
      vg_json_add_string (builder, "unit", vg_operation_output_unit (operation, i, params));
      vg_json_add_number (builder, "value", sum->values[i]);
      vg_json_add_number (builder, "error", sum->errors[i]);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  return TRUE;
}

/* The results of the sums of the regions' data, such as the fits of their mean curves. */
static gboolean
add_regions (JsonBuilder *builder, VgWork *work, const VgExportInfo *info, GError **error)
{
  gboolean anonymous = info->options != NULL && info->options->dicom_anonymous;
  g_autoptr (GPtrArray) renamed = NULL, sums = NULL;
  g_autofree const VgNamedRegion **hidden = anonymous ? vg_region_file_hide_names (info->regions,
                                                                                   &renamed)
                                                      : NULL;
  const VgNamedRegion *const *regions = anonymous ? hidden : info->regions;

  if (info->regions == NULL)
    return TRUE;
  sums = vg_region_sums_new (work, regions, error);
  if (sums == NULL || sums->len == 0)
    return sums != NULL;
  vg_json_begin_array (builder, "regions");
  for (guint i = 0; i < sums->len; i++)
    if (!add_region (builder, work, regions, sums->pdata[i], error))
      return FALSE;
  json_builder_end_array (builder);
  return TRUE;
}

typedef struct
{
  const char *name;
  char *path;
  guint64 bytes;
  guint32 checksum;
  GError *error;
} Listed;

static void
clear_listed (gpointer data)
{
  g_free (((Listed *) data)->path);
  g_clear_error (&((Listed *) data)->error);
}

/* Adds the member "files": the files of STAGING under PREFIX, with size in bytes and CRC-32.  Those
 * in a folder of their own have another summary. */
static gboolean
add_files (JsonBuilder *builder, VgStaging *staging, const char *prefix, GError **error)
{
  const GPtrArray *names = vg_staging_get_names (staging);
  g_autoptr (GArray) files = g_array_new (FALSE, TRUE, sizeof (Listed));

  g_array_set_clear_func (files, clear_listed);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      Listed file = { .name = name + strlen (prefix) };

      if (!g_str_has_prefix (name, prefix) || strchr (file.name, '/') != NULL ||
          g_str_equal (file.name, "summary.json"))
        continue;
      file.path = vg_staging_path (staging, name, error);
      if (file.path == NULL)
        return FALSE;
      g_array_append_val (files, file);
    }
#pragma omp parallel for schedule(dynamic, 1)
  for (guint i = 0; i < files->len; i++)
    {
      Listed *file = &g_array_index (files, Listed, i);

      vg_file_checksum (file->path, &file->bytes, &file->checksum, &file->error);
    }
  vg_json_begin_object (builder, "files");
  for (guint i = 0; i < files->len; i++)
    {
      Listed *file = &g_array_index (files, Listed, i);
      g_autofree char *valid = g_utf8_make_valid (file->name, -1),
                      *sum = g_strdup_printf ("%08x", file->checksum);

      if (file->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&file->error));
          return FALSE;
        }
      vg_json_begin_object (builder, valid);
      vg_json_add_integer (builder, "bytes", (gint64) file->bytes);
      vg_json_add_string (builder, "crc32", sum);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  return TRUE;
}

gboolean
vg_summary_write (VgStaging *staging, const char *prefix, VgWork *work, const VgExportInfo *info,
                  const VgExportMap *maps, const VgAlarmLog *alarms, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *name = g_strconcat (prefix, "summary.json", NULL),
                  *path = vg_staging_path (staging, name, error), *text = NULL;
  gsize length;

  if (path == NULL)
    return FALSE;
  json_builder_begin_object (builder);
  vg_json_add_string (builder, "operation", operation->id);
  vg_json_add_string (builder, "version", VG_VERSION);
  vg_json_add_string (builder, "device", vg_work_get_device (work));
  vg_json_add_string (builder, "backend",
                      vg_work_get_backend (work) == VG_BACKEND_CUDA ? "cuda" : "cpu");
  vg_json_add_number (builder, "seconds", info->seconds);
  json_builder_set_member_name (builder, "complete");
  json_builder_add_boolean_value (builder, info->incomplete == NULL);
  vg_json_add_integer (builder, "bad_frames", info->bad_frames);
  add_inputs (builder, operation, info);
  add_live (builder, info->live, info->details);
  add_alarms (builder, operation, info, alarms);
  if (!vg_summary_add_provenance (builder, work, info, error))
    return FALSE;
  vg_json_add_parameters (builder, operation, vg_work_get_params (work));
  vg_json_begin_object (builder, "outputs");
  for (guint i = 0; i < operation->n_outputs; i++)
    if (maps[i].exact != NULL)
      add_map (builder, &maps[i]);
    else if (maps[i].path != NULL)
      add_text (builder, &maps[i]);
  json_builder_end_object (builder);
  add_results (builder, info->metrics);
  if (!add_regions (builder, work, info, error) || !add_bars (builder, work, error))
    return FALSE;
  add_notes (builder, info);
  if (!add_files (builder, staging, prefix, error))
    return FALSE;
  json_builder_end_object (builder);
  text = vg_json_to_text (builder, &length);
  return vg_write_bytes (path, text, length, error);
}
