/* SPDX-License-Identifier: MIT */
/* Exports the maps of a single moment.  They share a few buffers from which they are written, and a
 * map that is needed later is read from the work again, so that memory never holds all maps. */
#include "app/export/vg-export-private.h"

/* Waits for a buffer from which no map is being written; its index. */
static int
take_slot (VgExport *self)
{
  int slot = -1;

  g_mutex_lock (&self->mutex);
  while (slot < 0)
    {
      for (int i = 0; i < VG_EXPORT_SLOTS && slot < 0; i++)
        if (!self->busy[i])
          slot = i;
      if (slot < 0)
        g_cond_wait (&self->idle, &self->mutex);
    }
  g_mutex_unlock (&self->mutex);
  return slot;
}

/* Reads map I from the work again, into *VALUES. */
static gboolean
read_again (VgExport *self, guint i, VgPlane *plane, float **values, gsize *capacity,
            GError **error)
{
  guint generation = vg_work_get_generation (self->work);
  GError *local = NULL;

  if (vg_work_read_output (self->work, i, plane, values, capacity, &local) &&
      vg_work_get_generation (self->work) == generation)
    return TRUE;
  if (local == NULL)
    g_set_error (&local, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                 "the GPU failed before all of %s was written; try again",
                 self->maps[i].output->id);
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
vg_export_load_plane (VgExport *self, guint i, VgPlane *plane, GError **error)
{
  if (self->maps == NULL || !self->maps[i].filled)
    return FALSE;
  if (self->once && self->looked != i)
    {
      self->looked = -1;
      if (!read_again (self, i, &self->look_plane, &self->look, &self->look_capacity, error))
        return FALSE;
      self->looked = i;
    }
  *plane = self->once ? self->look_plane : self->maps[i].plane;
  return TRUE;
}

gboolean
vg_export_get_plane (VgExport *self, guint i, VgPlane *plane)
{
  return vg_export_load_plane (self, i, plane, NULL);
}

/* Discards the maps that were written, because the GPU failed between two maps. */
static void
start_over (VgExport *self)
{
  vg_export_wait_idle (self);
  for (guint i = 0; i < self->n_maps; i++)
    {
      VgExportMap *map = &self->maps[i];
      g_autofree char *name = g_strconcat (map->output->id, ".tif", NULL);

      g_hash_table_remove (self->staged, name);
      g_clear_pointer (&map->writer, vg_tiff_writer_free);
      g_clear_pointer (&map->exact, vg_exact_free);
      g_clear_pointer (&map->path, g_free);
      g_clear_error (&map->error);
      map->filled = FALSE;
      map->pages = 0;
    }
}

/* Checks that the disk has room for all shown maps of this size. */
static gboolean
check_space_once (VgExport *self, VgWork *work, const VgPlane *plane, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  double bytes = (double) plane->width * plane->height * MAX (plane->slices, 1) * sizeof (float),
         maps = 0;

  for (guint i = 0; i < operation->n_outputs; i++)
    maps += operation->outputs[i].kind != VG_OUTPUT_TEXT && !operation->outputs[i].view_only &&
            vg_operation_output_is_shown (operation, i, vg_work_get_params (work));
  bytes *= MAX (maps, 1);
  return vg_staging_check_space (self->staging, bytes < 1e18 ? (guint64) bytes : G_MAXUINT64,
                                 error);
}

gboolean
vg_export_add_once (VgExport *self, VgWork *work, double *seconds, GError **error)
{
  guint generation = vg_work_get_generation (work);
  gboolean any = FALSE;

  for (guint i = 0; i < self->n_maps; i++)
    {
      VgExportMap *map = &self->maps[i];
      GError *local = NULL;
      gint64 start;

      map->filled = FALSE;
      if (map->output->kind == VG_OUTPUT_TEXT || map->output->view_only)
        continue;
      map->slot = take_slot (self);
      start = g_get_monotonic_time ();
      map->filled = vg_work_read_output (work, i, &map->plane, &self->slots[map->slot],
                                         &self->capacity[map->slot], &local);
      *seconds += (g_get_monotonic_time () - start) * 1e-6;
      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      if (vg_work_get_generation (work) != generation)
        {
          start_over (self);
          return FALSE;
        }
      if (!map->filled)
        continue;
      if ((!any && !check_space_once (self, work, &map->plane, error)) ||
          !vg_export_open_map (self, map, &map->plane, vg_work_get_operation (work), error))
        return FALSE;
      any = TRUE;
      vg_export_hand_over (self, map);
    }
  self->pages++;
  return TRUE;
}

gboolean
vg_export_hold (VgExport *self, guint i, GError **error)
{
  VgExportMap *map = &self->maps[i];

  self->looked = -1;
  return !self->once ||
         read_again (self, i, &map->plane, &map->values[0], &map->capacity[0], error);
}
