/* SPDX-License-Identifier: MIT */
/* The buffers that maps are written from.  Each map of a stream has two: one is filled while the
 * other is written.  The maps of a single moment share a few, and a map that is needed later is
 * read from the work again, so that memory never holds all maps. */
#include "app/export/vg-export-private.h"

VgExportBuffer *
vg_export_take_buffer (VgExport *self, VgExportMap *map)
{
  g_autoptr (GMutexLocker) locker = NULL;

  if (!self->once)
    return &map->own[self->side];
  locker = g_mutex_locker_new (&self->mutex);
  for (;;)
    {
      for (guint i = 0; i < G_N_ELEMENTS (self->shared); i++)
        if (!self->shared[i].busy)
          return &self->shared[i];
      g_cond_wait (&self->idle, &self->mutex);
    }
}

/* Reads map I from the work again, into BUFFER. */
static gboolean
read_again (VgExport *self, guint i, VgPlane *plane, VgExportBuffer *buffer, GError **error)
{
  guint generation = vg_work_get_generation (self->work);
  GError *local = NULL;

  if (vg_work_read_output (self->work, i, plane, &buffer->values, &buffer->capacity, &local) &&
      vg_work_get_generation (self->work) == generation)
    return TRUE;
  if (local == NULL)
    g_set_error (&local, VG_GPU_ERROR, VG_GPU_ERROR_FAILED,
                 "the GPU failed before all of \"%s\" was written; try again",
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
      if (!read_again (self, i, &self->look_plane, &self->look, error))
        return FALSE;
      self->looked = i;
    }
  *plane = self->once ? self->look_plane : self->maps[i].plane;
  return TRUE;
}

gboolean
vg_export_look (VgExport *self, guint i, VgPlane *plane, gboolean *found, GError **error)
{
  GError *local = NULL;

  *found = vg_export_load_plane (self, i, plane, &local);
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

void
vg_export_start_over (VgExport *self)
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

void
vg_export_release (VgExport *self, guint i)
{
  VgExportMap *map = &self->maps[i];

  if (!self->once)
    return;
  g_clear_pointer (&map->own[0].values, g_free);
  map->own[0].capacity = 0;
  map->plane.data = NULL;
}

gboolean
vg_export_hold (VgExport *self, guint i, GError **error)
{
  VgExportMap *map = &self->maps[i];

  self->looked = -1;
  return !self->once || read_again (self, i, &map->plane, &map->own[0], error);
}
