/* SPDX-License-Identifier: MIT */
/* Writes the files of a result. */
#include "app/export/vg-export-private.h"
#include "app/export/vg-export-profile.h"
#include <gio/gio.h>
#include <math.h>

enum { MOST_ROWS = 1 << 20 /* of a kymograph: the newest are kept */ };

void
vg_export_protect_inputs (VgStaging *staging, const VgOperation *operation, const void *params,
                          const char *const *inputs)
{
  const VgParamTable *table = &operation->params;

  for (guint i = 0; inputs != NULL && inputs[i] != NULL; i++)
    vg_staging_protect (staging, inputs[i]);
  for (guint i = 0; i < table->n_items; i++)
    if (table->items[i].kind == VG_PARAM_FILE)
      {
        const char *path = *(const char *const *) ((const char *) params + table->items[i].offset);

        g_auto (GStrv) names = vg_param_split_files (&table->items[i], path != NULL ? path : "");

        for (guint k = 0; path != NULL && names[k] != NULL; k++)
          vg_staging_protect (staging, names[k]);
      }
}

VgExport *
vg_export_new (VgStaging *staging, const char *prefix, const VgOperation *operation,
               gint64 pages_expected, const VgNamedRegion *const *regions)
{
  VgExport *self = g_new0 (VgExport, 1);

  self->staging = staging;
  self->prefix = g_strdup (prefix);
  self->staged = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->pages_expected = pages_expected;
  self->log = vg_region_log_new (operation, regions);
  self->regions = regions;
  self->once = pages_expected == 1;
  self->looked = -1;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->idle);
  self->pool = g_thread_pool_new (vg_export_write_page, self, g_get_num_processors (), FALSE, NULL);
  return self;
}

void
vg_export_free (VgExport *self)
{
  if (self == NULL)
    return;
  vg_export_wait_idle (self);
  vg_region_log_free (self->log);
  vg_kymograph_unref (self->kymograph);
  vg_alarm_log_free (self->alarms);
  g_thread_pool_free (self->pool, FALSE, TRUE);
  for (guint i = 0; i < self->n_maps; i++)
    {
      VgExportMap *map = &self->maps[i];

      g_clear_pointer (&map->writer, vg_tiff_writer_free);
      vg_exact_free (map->exact);
      g_free (map->path);
      g_free (map->own[0].values);
      g_free (map->own[1].values);
      g_clear_error (&map->error);
    }
  g_free (self->maps);
  for (guint i = 0; i < G_N_ELEMENTS (self->shared); i++)
    g_free (self->shared[i].values);
  g_free (self->look.values);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->idle);
  g_hash_table_unref (self->staged);
  g_free (self->prefix);
  g_free (self);
}

gint64
vg_export_get_pages (VgExport *self)
{
  return self->pages;
}

gboolean
vg_export_is_blank (VgExport *self)
{
  for (guint i = 0; i < self->n_maps; i++)
    if (self->maps[i].exact != NULL)
      return self->maps[i].exact->valid == 0;
  return FALSE;
}

static void
list_maps (VgExport *self, const VgOperation *operation, const void *params)
{
  self->n_maps = operation->n_outputs;
  self->maps = g_new0 (VgExportMap, self->n_maps);
  for (guint i = 0; i < self->n_maps; i++)
    {
      self->maps[i].export = self;
      self->maps[i].named = operation->outputs[i];
      self->maps[i].named.label = vg_operation_output_label (operation, i, params);
      self->maps[i].named.unit = vg_operation_output_unit (operation, i, params);
      self->maps[i].output = &self->maps[i].named;
      self->maps[i].index = i;
    }
}

/* Adds empty pages to a map that appeared later, so that a page number is the same moment in all
 * files. */
static gboolean
catch_up (VgExport *self, VgExportMap *map, GError **error)
{
  gsize n = (gsize) map->plane.width * map->plane.height;
  gint64 missing = self->pages * MAX (map->plane.slices, 1);
  g_autofree float *empty = missing > 0 ? g_try_new (float, n) : NULL;

  if (missing > 0 && empty == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for an empty page of output %s", map->output->id);
      return FALSE;
    }
  for (gsize i = 0; missing > 0 && i < n; i++)
    empty[i] = NAN;
  for (; map->pages < missing; map->pages++)
    {
      vg_exact_add (map->exact, empty, n);
      if (!vg_tiff_writer_add (map->writer, empty, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
vg_export_add_blank (VgExport *self, GError **error)
{
  if (!vg_export_wait_until_written (self, error))
    return FALSE;
  self->pages++;
  for (guint i = 0; i < self->n_maps; i++)
    if (self->maps[i].writer != NULL && !catch_up (self, &self->maps[i], error))
      return FALSE;
  return TRUE;
}

/* Checks that the disk has room for all shown maps of the size of PLANE. */
static gboolean
check_space (VgExport *self, VgWork *work, const VgPlane *plane, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  double bytes = (double) plane->width * plane->height * MAX (plane->slices, 1) * sizeof (float),
         maps = 0;

  for (guint i = 0; i < operation->n_outputs; i++)
    maps += operation->outputs[i].kind != VG_OUTPUT_TEXT && !operation->outputs[i].view_only &&
            vg_operation_output_is_shown (operation, i, vg_work_get_params (work));
  bytes *= MAX (maps, 1) * (double) self->pages_expected;
  return vg_staging_check_space (self->staging, bytes < 1e18 ? (guint64) bytes : G_MAXUINT64,
                                 error);
}

/* Queues the page of MAP that has been read into BUFFER for the writing threads. */
static gboolean
write_next (VgExport *self, VgWork *work, VgExportMap *map, VgExportBuffer *buffer, GError **error)
{
  const VgPlane *next = &map->next, *first = &map->plane;

  if (map->writer == NULL)
    {
      map->plane = *next;
      if (!vg_export_open_map (self, map, next, vg_work_get_operation (work), error) ||
          !catch_up (self, map, error))
        return FALSE;
    }
  else if (next->width != first->width || next->height != first->height ||
           next->slices != first->slices)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                   "map %" G_GINT64_FORMAT " of %s is %d x %d, but the first is %d x %d",
                   self->pages, map->output->id, next->width, next->height, first->width,
                   first->height);
      return FALSE;
    }
  map->plane = *next;
  map->buffer = buffer;
  vg_export_hand_over (self, map);
  return TRUE;
}

/* Reads all maps, adds the time to *SECONDS, and queues those of a single moment at once.  FALSE
 * without an error: the GPU failed and nothing was added. */
static gboolean
read_maps (VgExport *self, VgWork *work, double *seconds, GError **error)
{
  guint generation = vg_work_get_generation (work);
  gboolean any = self->pages > 0 || self->pages_expected <= 0;

  for (guint i = 0; i < self->n_maps; i++)
    {
      VgExportMap *map = &self->maps[i];
      VgExportBuffer *buffer;
      GError *local = NULL;
      gint64 start;

      map->filled = FALSE;
      if (map->output->kind == VG_OUTPUT_TEXT || map->output->view_only)
        continue;
      buffer = vg_export_take_buffer (self, map);
      start = g_get_monotonic_time ();
      map->filled = vg_work_read_output (work, i, &map->next, &buffer->values, &buffer->capacity,
                                         &local);
      *seconds += (g_get_monotonic_time () - start) * 1e-6;
      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      if (vg_work_get_generation (work) != generation)
        {
          if (self->once)
            vg_export_start_over (self);
          return FALSE;
        }
      if (!map->filled)
        continue;
      if ((!any && !check_space (self, work, &map->next, error)) ||
          (self->once && !write_next (self, work, map, buffer, error)))
        return FALSE;
      any = TRUE;
    }
  return TRUE;
}

static gboolean
add_maps (VgExport *self, VgWork *work, double *seconds, GError **error)
{
  GError *local = NULL;

  if (self->maps == NULL)
    list_maps (self, vg_work_get_operation (work), vg_work_get_params (work));
  self->work = work;
  if (!read_maps (self, work, seconds, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return local == NULL;
    }
  if (!self->once && !vg_export_wait_until_written (self, error))
    return FALSE;
  for (guint i = 0; i < self->n_maps && !self->once; i++)
    if (self->maps[i].filled &&
        !write_next (self, work, &self->maps[i], &self->maps[i].own[self->side], error))
      return FALSE;
  self->side = !self->side;
  self->pages++;
  return TRUE;
}

static gboolean
follow_alarm (VgExport *self, VgWork *work, const VgPlane *plane, gint64 frame, double time_s,
              GError **error)
{
  GError *local = NULL;
  VgPlane numerator;
  gboolean ratio = vg_work_find_beside (work, VG_ROLE_NUMERATOR, self->alarm_output, plane,
                                        &numerator, &local);

  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  return vg_alarm_log_add (self->alarms, plane, ratio ? &numerator : NULL, vg_work_get_cuda (work),
                           frame, time_s, error);
}

gboolean
vg_export_add (VgExport *self, VgWork *work, const VgFrame *frame, double *seconds, GError **error)
{
  guint generation = vg_work_get_generation (work);
  gint64 index = frame == NULL ? 0 : frame->index;
  double own = 0, time_s = frame == NULL ? 0 : frame->time_s;
  gboolean found;
  VgPlane plane;

  if (!add_maps (self, work, seconds != NULL ? seconds : &own, error))
    return FALSE;
  if (generation != vg_work_get_generation (work))
    return TRUE;
  if (self->kymograph != NULL &&
      !vg_export_look (self, vg_kymograph_get_output (self->kymograph), &plane, &found, error))
    return FALSE;
  if (self->kymograph != NULL && found)
    vg_kymograph_add (self->kymograph, &plane, vg_work_get_operation (work), index, time_s);
  if (self->alarm > 0 && self->alarms == NULL)
    self->alarms = vg_alarm_log_new (self->maps[self->alarm_output].output, self->alarm,
                                     self->regions);
  if (self->alarms != NULL && (!vg_export_look (self, self->alarm_output, &plane, &found, error) ||
                               (found && !follow_alarm (self, work, &plane, index, time_s, error))))
    return FALSE;
  return self->log == NULL || vg_region_log_add (self->log, self, work, index, time_s, error);
}

/* Completes the files and reads them back for the medians, on one thread each. */
static gboolean
finish_maps (VgExport *self, GError **error)
{
  if (!vg_export_wait_until_written (self, error))
    return FALSE;
#pragma omp parallel for schedule(dynamic, 1)
  for (guint i = 0; i < self->n_maps; i++)
    if (self->maps[i].writer != NULL &&
        vg_tiff_writer_commit (self->maps[i].writer, &self->maps[i].error))
      vg_export_find_median (&self->maps[i], &self->maps[i].error);
  return vg_export_wait_until_written (self, error);
}

static gboolean
write_pictures (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  g_autoptr (VgSession) fresh = vg_session_new (vg_work_get_operation (work));
  const VgDisplay *display;
  const VgExportMap *map = vg_export_choose (self->maps, self->n_maps, info, fresh, &display);

  return map == NULL || vg_export_write_pictures (self, map->index, work, info, display, error);
}

static gboolean
write_profile (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  g_autofree char *csv = NULL, *path = NULL;

  if (info->options == NULL || info->options->profile.width == 0)
    return TRUE;
  if (!vg_export_profile_to_csv (self, work, &info->options->profile, &csv, error))
    return FALSE;
  if (csv == NULL)
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                           "there is no map for --profile; omit the option, or compute the maps in "
                           "one piece with --in-one-piece");
      return FALSE;
    }
  path = vg_export_stage (self, "profile.csv", error);
  return path != NULL && vg_write_bytes (path, csv, strlen (csv), error);
}

void
vg_export_follow_line (VgExport *self, guint i, const VgProfileLine *line)
{
  self->kymograph = vg_kymograph_new (i, line, MOST_ROWS);
}

/* Without any map of the line, the table has its heading alone. */
static gboolean
write_kymograph (VgExport *self, VgWork *work, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  g_autofree char *name = g_strconcat (self->prefix, "kymograph.tif", NULL), *path = NULL,
                  *csv = NULL;
  g_autofree float *owned = NULL;
  VgPlane plane;

  if (self->kymograph == NULL)
    return TRUE;
  csv = vg_kymograph_to_csv (self->kymograph, FALSE);
  path = vg_export_stage (self, "vessel.csv", error);
  if (path == NULL || !vg_write_bytes (path, csv, strlen (csv), error))
    return FALSE;
  return !vg_kymograph_get_plane (self->kymograph, &plane, NULL, &owned) ||
         vg_export_write_plane (self->staging, name, operation,
                                &operation->outputs[vg_kymograph_get_output (self->kymograph)],
                                &plane, error);
}

/* The means of regions, averaged around events. */
static gboolean
write_events (VgExport *self, const VgExportInfo *info, GError **error)
{
  g_autofree char *csv = NULL, *path = NULL;

  if (info->options == NULL || info->options->events == NULL || self->log == NULL)
    return TRUE;
  csv = vg_region_log_average (self->log, info->options->events, &info->options->around_events);
  path = vg_export_stage (self, "events.csv", error);
  return path != NULL && vg_write_bytes (path, csv, strlen (csv), error);
}

void
vg_export_set_alarm (VgExport *self, guint i, double limit)
{
  self->alarm_output = i;
  self->alarm = limit;
}

void
vg_export_set_marks (VgExport *self, const GArray *marks)
{
  if (self->log != NULL)
    vg_region_log_set_marks (self->log, marks);
}

char *
vg_export_take_alarm (VgExport *self)
{
  return self->alarms != NULL ? vg_alarm_log_take_sentence (self->alarms) : NULL;
}

static gboolean
write_alarms (VgExport *self, GError **error)
{
  g_autofree char *csv = NULL, *path = NULL;

  if (self->alarms == NULL)
    return TRUE;
  csv = vg_alarm_log_to_csv (self->alarms);
  path = vg_export_stage (self, "alarms.csv", error);
  return path != NULL && vg_write_bytes (path, csv, strlen (csv), error);
}

/* Maps that are not wanted are written first, as tables and regions are made of them. */
static void
discard_left_out (VgExport *self, const VgExportInfo *info)
{
  char **left_out = info->options != NULL ? info->options->left_out : NULL;

  for (guint i = 0; left_out != NULL && left_out[i] != NULL; i++)
    {
      g_autofree char *name = g_strconcat (self->prefix, left_out[i], NULL);

      vg_staging_discard (self->staging, name);
      for (guint k = 0; k < self->n_maps; k++)
        {
          g_autofree char *own = self->maps[k].path != NULL
                                     ? g_path_get_basename (self->maps[k].path)
                                     : NULL;

          if (g_strcmp0 (own, left_out[i]) != 0)
            continue;
          g_clear_pointer (&self->maps[k].exact, vg_exact_free);
          g_clear_pointer (&self->maps[k].writer, vg_tiff_writer_free);
          g_clear_pointer (&self->maps[k].path, g_free);
        }
    }
}

static gboolean
finish_summary (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  vg_export_discard_tiff (self, info);
  discard_left_out (self, info);
  return vg_summary_write (self->staging, self->prefix, work, info, self->maps, self->alarms,
                           error);
}

gboolean
vg_export_finish (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  if (self->maps == NULL)
    list_maps (self, vg_work_get_operation (work), vg_work_get_params (work));
  return finish_maps (self, error) && vg_export_write_formats (self, work, info, error) &&
         vg_export_write_pngs (self, work, info, error) &&
         vg_export_write_curves (self, work, error) &&
         vg_export_write_texts (self, work, info->gzip, error) &&
         vg_export_write_regions (self, work, error) &&
         vg_export_write_comparison (self, work, info, error) &&
         write_profile (self, work, info, error) && write_kymograph (self, work, error) &&
         write_events (self, info, error) && write_alarms (self, error) &&
         write_pictures (self, work, info, error) &&
         vg_export_write_report (self, work, info, error) &&
         finish_summary (self, work, info, error);
}
