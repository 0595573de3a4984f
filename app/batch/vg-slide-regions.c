/* SPDX-License-Identifier: MIT */
/* Several regions of one slide: each has the files of a run of its own; their tables, outlines and
 * metrics are joined.  Texts are joined line by line, so that memory does not grow with them. */
#include "app/batch/vg-batch-private.h"
#include "app/region/vg-region-objects.h"
#include "app/export/vg-export-private.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>

/* GeoJSON */
#define HEAD "{\"type\": \"FeatureCollection\", \"features\": [\n"
#define FEATURE "{\"type\": \"Feature\""
#define END "\n]}\n"

typedef struct
{
  VgBatch *batch;
  GArray *infos;      /* of VgImageInfo: the place of each region */
  GPtrArray *numbers; /* of VgMetrics */
} Regions;

/* ---- Texts ---- */

/* The lines of PATH, which may be compressed with gzip. */
static GDataInputStream *
open_lines (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autoptr (GConverter) inflate = NULL;
  g_autoptr (GInputStream) plain = NULL;

  if (stream == NULL)
    return NULL;
  if (g_str_has_suffix (path, ".gz"))
    {
      inflate = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
      plain = g_converter_input_stream_new (G_INPUT_STREAM (stream), inflate);
    }
  return g_data_input_stream_new (plain != NULL ? plain : G_INPUT_STREAM (stream));
}

static gboolean
add_text (VgTextFile *to, const GString *text, GError **error)
{
  return vg_text_file_add (to, text->str, text->len, error);
}

/* The feature in LINE, if there is one: the operation writes each into a line of its own. */
static gboolean
add_feature (const char *line, gboolean *first, VgTextFile *to, GError **error)
{
  g_autoptr (GString) text = g_string_new (*first ? "" : ",\n");

  if (!g_str_has_prefix (line, FEATURE))
    return TRUE;
  g_string_append (text, line);
  if (text->str[text->len - 1] == ',')
    g_string_truncate (text, text->len - 1);
  *first = FALSE;
  return add_text (to, text, error);
}

/* The row of a table with the number of its region; the heading is that of the first. */
static gboolean
add_row (const char *line, guint k, gboolean heading, VgTextFile *to, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (heading && k > 0)
    return TRUE;
  if (heading)
    g_string_append_printf (text, "region,%s\n", line);
  else
    g_string_append_printf (text, "%u,%s\n", k + 1, line);
  return add_text (to, text, error);
}

static gboolean
add_lines (const Regions *self, guint k, const char *name, gboolean table, gboolean *first,
           VgTextFile *to, GError **error)
{
  g_autofree char *own = g_strdup_printf ("run-%u/%s", k + 1, name),
                  *path = vg_staging_path (self->batch->staging, own, error);
  g_autoptr (GDataInputStream) lines = path != NULL ? open_lines (path, error) : NULL;
  GError *local = NULL;
  gboolean heading = TRUE;

  if (lines == NULL)
    return FALSE;
  for (;;)
    {
      g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &local);

      if (line == NULL)
        break;
      if (table ? !add_row (line, k, heading, to, error) : !add_feature (line, first, to, error))
        return FALSE;
      heading = FALSE;
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* Joins the files NAME of the regions.  *PATH, owned: that of the new file. */
static gboolean
join_text (const Regions *self, const char *name, char **path, GError **error)
{
  const gboolean gzip = g_str_has_suffix (name, ".gz"), table = strstr (name, ".csv") != NULL;
  g_autoptr (VgTextFile) file = NULL;
  gboolean first = TRUE;

  *path = vg_staging_path (self->batch->staging, name, error);
  if (*path == NULL || (file = vg_text_file_new (*path, gzip, error)) == NULL ||
      (!table && !vg_text_file_add (file, HEAD, strlen (HEAD), error)))
    return FALSE;
  for (guint k = 0; k < self->infos->len; k++)
    if (!add_lines (self, k, name, table, &first, file, error))
      return FALSE;
  return (table || vg_text_file_add (file, END, strlen (END), error)) &&
         vg_text_file_commit (file, error);
}

/* The name of OUTPUT's text in the first region, without the folder, owned; NULL: none. */
static char *
find_text (const Regions *self, const VgOutput *output)
{
  const GPtrArray *names = vg_staging_get_names (self->batch->staging);
  g_autofree char *start = g_strdup_printf ("run-1/%s.", output->id);

  for (guint i = 0; i < names->len && output->kind == VG_OUTPUT_TEXT; i++)
    if (g_str_has_prefix (names->pdata[i], start))
      return g_strdup ((const char *) names->pdata[i] + strlen ("run-1/"));
  return NULL;
}

/* The corner and the size of region K, px of level 0. */
static VgHole
place_of (const Regions *self, guint k)
{
  const VgImageInfo *info = &g_array_index (self->infos, VgImageInfo, k);
  const double scale = info->downsample > 0.0 ? info->downsample : 1.0;

  return (VgHole){ (gint64) info->origin[0], (gint64) info->origin[1],
                   (int) round (scale * info->width), (int) round (scale * info->height) };
}

/* regions.geojson: the rectangles, as annotations of QuPath. */
static gboolean
write_frames (const Regions *self, GError **error)
{
  const VgImageInfo slide = { .downsample = 1 };
  const guint n = self->infos->len;
  g_autofree char *path = vg_staging_path (self->batch->staging, "regions.geojson", error),
                  *text = NULL;
  g_autofree VgNamedRegion *frames = g_new0 (VgNamedRegion, n + 1);
  g_autofree const VgNamedRegion **list = g_new0 (const VgNamedRegion *, n + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint k = 0; k < n; k++)
    {
      const VgHole at = place_of (self, k);

      frames[k].name = g_strdup_printf ("Region %u", k + 1);
      g_ptr_array_add (names, frames[k].name);
      frames[k].region = (VgRegion){ .kind = VG_REGION_RECTANGLE,
                                     .n_points = 2,
                                     .x = { (double) at.x, (double) at.x + at.width },
                                     .y = { (double) at.y, (double) at.y + at.height } };
      list[k] = &frames[k];
    }
  text = vg_region_objects_to_geojson (list, &slide);
  return path != NULL && vg_write_bytes (path, text, strlen (text), error);
}

/* ---- Metrics ---- */

static void
add_number (GString *text, const VgMetrics *metrics, const char *id)
{
  const VgMetric *metric = vg_metrics_find (metrics, id);

  g_string_append_c (text, ',');
  if (metric != NULL && isfinite (metric->value))
    vg_text_append_number (text, metric->value);
}

/* results.csv: the place and the metrics of each region, and the metrics of all together. */
static gboolean
write_results (const Regions *self, const VgMetrics *all, GError **error)
{
  g_autofree char *path = vg_staging_path (self->batch->staging, "results.csv", error);
  g_autoptr (GString) text = g_string_new ("region,x,y,width,height");

  if (path == NULL)
    return FALSE;
  for (guint i = 0; i < all->items->len; i++)
    g_string_append_printf (text, ",%s", g_array_index (all->items, VgMetric, i).id);
  for (guint k = 0; k <= self->infos->len; k++)
    {
      const VgMetrics *metrics = k < self->infos->len ? self->numbers->pdata[k] : all;

      if (k < self->infos->len)
        {
          const VgHole at = place_of (self, k);

          g_string_append_printf (text, "\n%u,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%d,%d",
                                  k + 1, at.x, at.y, at.width, at.height);
        }
      else
        g_string_append (text, "\nall,,,,");
      for (guint i = 0; i < all->items->len; i++)
        add_number (text, metrics, g_array_index (all->items, VgMetric, i).id);
    }
  g_string_append_c (text, '\n');
  return vg_write_bytes (path, text->str, text->len, error);
}

/* Writes the joined files and their summary. */
static gboolean
join (const Regions *self, GError **error)
{
  VgBatch *batch = self->batch;
  const VgBatchJob *job = batch->job;
  const VgOperation *operation = batch->operation;
  g_autoptr (VgMetrics) all = vg_metrics_new ();
  g_autofree VgExportMap *maps = g_new0 (VgExportMap, operation->n_outputs);
  VgExportInfo info = { job->inputs,
                        NULL,
                        batch->seconds,
                        job->display,
                        job->preview_output,
                        .metrics = all,
                        .options = job->options,
                        .command = job->command,
                        .settings_files = job->settings_files,
                        .cancellable = job->cancellable };
  gboolean ok = TRUE;

  operation->tiled->sum ((const VgMetrics *const *) self->numbers->pdata, self->numbers->len, all);
  for (guint i = 0; i < operation->n_outputs && ok; i++)
    {
      g_autofree char *name = find_text (self, &operation->outputs[i]);

      maps[i].output = &operation->outputs[i];
      ok = name == NULL || join_text (self, name, &maps[i].path, error);
    }
  ok = ok && write_results (self, all, error) && write_frames (self, error) &&
       vg_summary_write (batch->staging, "", batch->work, &info, maps, NULL, error);
  for (guint i = 0; i < operation->n_outputs; i++)
    g_free (maps[i].path);
  if (ok && job->results != NULL)
    job->results ("all regions", all, job->user_data);
  return ok;
}

/* ---- Regions ---- */

static gboolean
run_region (Regions *self, GError **error)
{
  VgBatch *batch = self->batch;
  GError *local = NULL;
  g_autoptr (VgSource) source = vg_batch_open_slide (batch, &local);

  if (source == NULL && local == NULL)
    g_set_error (&local, VG_USAGE_ERROR, 0,
                 "several slide regions need a whole slide; omit --each-region, or give one "
                 "--region");
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_array_append_val (self->infos, source->info);
  return vg_batch_run_slide (batch, source, error);
}

gboolean
vg_batch_run_regions (VgBatch *self, GError **error)
{
  const VgBatchJob *whole = self->job;
  VgBatchJob job = *whole;
  g_autoptr (GArray) infos = g_array_new (FALSE, FALSE, sizeof (VgImageInfo));
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_metrics_free);
  Regions regions = { self, infos, numbers };
  double seconds = 0;
  gboolean ok = TRUE;

  self->job = &job;
  self->numbers = numbers;
  for (guint k = 0; whole->slide_regions[k] != NULL && ok; k++)
    {
      g_autofree char *prefix = g_strdup_printf ("run-%u/", k + 1);

      self->prefix = prefix;
      self->tiles = self->tiles_done = 0;
      self->seconds = 0;
      job.read_options = whole->slide_regions[k];
      ok = run_region (&regions, error);
      seconds += self->seconds;
    }
  self->seconds = seconds;
  self->prefix = "";
  self->numbers = NULL;
  self->job = whole;
  return ok && join (&regions, error);
}
