/* SPDX-License-Identifier: MIT */
/* The file of one map: its name and type, and its pages on the writing threads. */
#include "app/export/vg-export-private.h"
#include "vg-config.h"

void
vg_export_write_page (gpointer data, gpointer user_data)
{
  VgExportMap *map = data;
  VgExport *self = user_data;
  gsize page = (gsize) map->plane.width * map->plane.height;
  int slices = MAX (map->plane.slices, 1);

  vg_exact_add (map->exact, map->plane.data, page * slices);
  for (int s = 0; s < slices && map->error == NULL; s++)
    vg_tiff_writer_add (map->writer, map->plane.data + s * page, &map->error);
  g_mutex_lock (&self->mutex);
  self->writing--;
  map->buffer->busy = FALSE;
  g_cond_signal (&self->idle);
  g_mutex_unlock (&self->mutex);
}

void
vg_export_wait_idle (VgExport *self)
{
  g_mutex_lock (&self->mutex);
  while (self->writing > 0)
    g_cond_wait (&self->idle, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

gboolean
vg_export_wait_until_written (VgExport *self, GError **error)
{
  vg_export_wait_idle (self);
  for (guint i = 0; i < self->n_maps; i++)
    if (self->maps[i].error != NULL)
      {
        g_propagate_error (error, g_steal_pointer (&self->maps[i].error));
        return FALSE;
      }
  return TRUE;
}

void
vg_export_hand_over (VgExport *self, VgExportMap *map)
{
  g_mutex_lock (&self->mutex);
  self->writing++;
  map->buffer->busy = TRUE;
  g_mutex_unlock (&self->mutex);
  map->pages += MAX (map->plane.slices, 1);
  g_thread_pool_push (self->pool, map, NULL);
}

char *
vg_export_stage (VgExport *self, const char *name, GError **error)
{
  g_autofree char *prefixed = g_strconcat (self->prefix, name, NULL);

  /* an engine may derive the name of a text from a file */
  if (!g_hash_table_add (self->staged, g_strdup (name)))
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "two results would be named \"%s\"; change the name that the input gives", name);
      return NULL;
    }
  return vg_staging_path (self->staging, prefixed, error);
}

char *
vg_export_describe (const VgOperation *operation, const VgOutput *output)
{
  return g_strdup_printf ("Vivograph %s\noperation=%s\noutput=%s\nlabel=%s\nunit=%s", VG_VERSION,
                          operation->id, output->id, output->label,
                          output->unit == NULL ? "" : output->unit);
}

gboolean
vg_export_write_plane (VgStaging *staging, const char *name, const VgOperation *operation,
                       const VgOutput *output, const VgPlane *plane, GError **error)
{
  g_autofree char *path = vg_staging_path (staging, name, error),
                  *description = vg_export_describe (operation, output);
  int slices = MAX (plane->slices, 1);
  g_autoptr (VgTiffWriter)
      writer = path == NULL
                   ? NULL
                   : vg_tiff_writer_new (path, plane->width, plane->height, slices, description,
                                         plane->pixel_size, plane->unit, error);

  for (int s = 0; writer != NULL && s < slices; s++)
    if (!vg_tiff_writer_add (writer, plane->data + (gsize) s * plane->width * plane->height, error))
      return FALSE;
  return writer != NULL && vg_tiff_writer_commit (writer, error);
}

/* The type of a label image: 16 bits if all its labels fit, 32 bits also for a stream, whose later
 * labels are not known. */
static VgType
type_for (const VgExport *self, const VgPlane *plane)
{
  gsize n = (gsize) plane->width * (gsize) plane->height * (gsize) MAX (plane->slices, 1);
  gboolean wide = !self->once;

  for (gsize i = 0; i < n && !wide; i++)
    wide = plane->data[i] > G_MAXUINT16;
  return wide ? VG_U32 : VG_U16;
}

gboolean
vg_export_measure (VgExportMap *map, GError **error)
{
  map->exact = vg_exact_new ();
  if (map->exact == NULL)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                 "there is not enough memory for the statistics of output %s", map->output->id);
  return map->exact != NULL;
}

gboolean
vg_export_open_map (VgExport *self, VgExportMap *map, const VgPlane *plane,
                    const VgOperation *operation, GError **error)
{
  g_autofree char *name = g_strconcat (map->output->id, ".tif", NULL);
  g_autofree char *description = vg_export_describe (operation, map->output);
  gint64 slices = MAX (plane->slices, 1);
  gint64 pages = self->pages_expected <= 0 || self->pages_expected > G_MAXINT32 / slices
                     ? G_MAXINT32
                     : self->pages_expected * slices;

  map->path = vg_export_stage (self, name, error);
  if (map->path == NULL)
    return FALSE;
  if (!vg_export_measure (map, error))
    return FALSE;
  map->writer = vg_tiff_writer_new (map->path, plane->width, plane->height, pages, description,
                                    plane->pixel_size, plane->unit, error);
  if (map->writer != NULL && map->output->kind == VG_OUTPUT_LABELS)
    vg_tiff_writer_set_whole (map->writer, type_for (self, plane));
  return map->writer != NULL;
}

gboolean
vg_export_leaves_out (VgExport *self, guint i, const VgExportInfo *info)
{
  return vg_export_options_leaves_out_map (info->options, self->maps[i].output->id);
}
