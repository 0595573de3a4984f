/* SPDX-License-Identifier: MIT */
/* Reads the pages of a map's file again, for its median and other formats; this checks them too. */
#include "app/export/vg-export-private.h"

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
