/* SPDX-License-Identifier: MIT */
/* Reads the pages of a map's file again, for its median and other formats, which checks them too;
 * and the table of the maps in the report. */
#include <math.h>
#include "app/export/vg-export-private.h"
#include "kernels/base/vg-statistics.h"
#include "kernels/base/vg-text.h"

static gboolean
read_back (VgExportMap *map, VgExportTake take, gpointer data, GError **error)
{
  VgSourceOptions options = { .own = TRUE };
  g_autoptr (VgSource) source = vg_source_open (map->path, &options, error);
  g_autofree void *frame = NULL;
  g_autofree float *values = NULL;
  gsize bytes, n;

  if (source == NULL)
    return FALSE;
  bytes = vg_image_info_frame_bytes (&source->info);
  n = bytes / vg_type_size (source->info.type);
  frame = g_try_malloc (bytes);
  values = source->info.type == VG_F32 ? NULL : g_try_new (float, n);
  if (frame == NULL || (values == NULL && source->info.type != VG_F32))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory to read \"%s\" again", map->path);
      return FALSE;
    }
  if (source->info.frames * (gint64) n != (gint64) (map->exact->valid + map->exact->invalid))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   "\"%s\" does not contain all the data that were written to it; check the disk",
                   map->path);
      return FALSE;
    }
  for (gint64 i = 0; i < source->info.frames; i++)
    {
      if (!vg_source_read (source, i, frame, error))
        return FALSE;
      for (gsize k = 0; k < n && values != NULL; k++)
        values[k] = (float) vg_image_sample (&(VgImage){ .info = source->info, .data = frame }, k);
      if (!take (data, values != NULL ? values : frame, n, error))
        return FALSE;
    }
  return TRUE;
}

void
vg_export_blame_disk (GError **error, const char *id, GError *failure)
{
  g_autoptr (GError) local = failure;

  if (local->domain == VG_IO_ERROR && local->code != VG_IO_ERROR_WRITE)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "\"%s.tif\" could not be read back after it was written: %s; check the disk, or "
                 "choose another folder",
                 id, local->message);
  else
    g_propagate_error (error, g_steal_pointer (&local));
}

gboolean
vg_export_read_back (VgExportMap *map, VgExportTake take, gpointer data, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (read_back (map, take, data, &local))
    return TRUE;
  vg_export_blame_disk (error, map->output->id, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
count_again (gpointer exact, const float *values, gsize n, GError **error)
{
  vg_exact_again (exact, values, n);
  return TRUE;
}

gboolean
vg_export_find_median (VgExportMap *map, GError **error)
{
  if (!vg_exact_rewind (map->exact))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the median of output %s", map->output->id);
      return FALSE;
    }
  return vg_export_read_back (map, count_again, map->exact, error);
}

/* ---- the table ---- */

/* Median and mean of MAP, whose pixels are rings, by their volume. */
static gboolean
weigh (VgExport *self, const VgExportMap *map, double *median, double *mean, GError **error)
{
  const VgPlane *plane = &map->plane;
  VgRegionStatistics statistics;

  if (!vg_export_hold (self, map->index, error))
    return FALSE;
  vg_region_statistics_compute (&statistics, plane, NULL, 0, 0, plane->width, plane->height, 0);
  vg_region_statistics_add_quartiles (&statistics, plane, NULL, 0, 0, plane->width, plane->height,
                                      0, 0);
  vg_export_release (self, map->index);
  *median = statistics.median;
  *mean = statistics.mean;
  return TRUE;
}

static gboolean
add_map (VgExport *self, const VgExportMap *map, VgPage *page, GError **error)
{
  double median = vg_exact_median (map->exact), mean = vg_exact_mean (map->exact);
  g_autofree char *least = NULL, *half = NULL, *average = NULL, *most = NULL;

  if (map->plane.mirrored && !weigh (self, map, &median, &mean, error))
    return FALSE;
  least = vg_text_with_error (vg_exact_min (map->exact), NAN);
  half = vg_text_with_error (median, NAN);
  average = vg_text_with_error (mean, NAN);
  most = vg_text_with_error (vg_exact_max (map->exact), NAN);
  {
    const char *const cells[] = {
      map->output->label, map->output->unit, least, half, average, most
    };

    vg_page_add_row (page, cells, G_N_ELEMENTS (cells));
  }
  return TRUE;
}

gboolean
vg_export_add_statistics (VgExport *self, const VgExportInfo *info, VgPage *page, GError **error)
{
  static const char *const headings[] = { "Map", "Unit", "Minimum", "Median", "Mean", "Maximum" };
  gboolean rings = FALSE;

  vg_page_begin_table (page, headings, G_N_ELEMENTS (headings));
  for (guint i = 0; i < self->n_maps; i++)
    {
      const VgExportMap *map = &self->maps[i];

      if (map->writer == NULL || map->output->kind == VG_OUTPUT_LABELS ||
          vg_export_leaves_out (self, i, info))
        continue;
      if (!add_map (self, map, page, error))
        return FALSE;
      rings |= map->plane.mirrored;
    }
  vg_page_end_table (page);
  if (rings)
    vg_page_add_text (page, "Medians and means are weighted by volume, because a pixel is a ring "
                            "about the axis. Those in summary.json count every pixel alike.");
  return TRUE;
}
