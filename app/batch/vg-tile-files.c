/* SPDX-License-Identifier: MIT */
/* Writes maps block by block, each on a thread of its own, and texts piece by piece, then the
 * preview and the summary. */
#include <math.h>
#include <string.h>
#include "app/export/vg-export-private.h"
#include "app/figure/vg-preview.h"
#include "app/batch/vg-block-queue.h"
#include "app/batch/vg-tile-rings.h"
#include "app/batch/vg-tile-run.h"
#include "app/region/vg-region-objects.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"

enum { PREVIEW = 1024 };

/* Writes the blocks of one output. */
typedef struct
{
  VgTileFiles *files;
  guint output;
  VgBlockQueue *queue; /* NULL before the first block */
  GThread *thread;     /* that finishes the map */
  gboolean good;       /* it has */
  GError *error;       /* of this thread */
} Outlet;

struct _VgTileFiles
{
  VgStaging *staging;
  const char *prefix; /* of the files' names */
  const VgOperation *operation;
  VgTiling tiling;
  VgExportMap *maps;  /* one per output */
  Outlet *outlets;    /* likewise */
  VgTextFile **texts; /* likewise; in gzip: */
  gboolean gzip;
  const VgNamedRegion *const *regions; /* NULL: none */
  VgRegionColumn *column;              /* of the table of objects; NULL: none */
  float **small;                       /* of maps: what the preview is made of */
  guint8 *picture;                     /* RGB: the underlay of the preview */
  VgTileRings *rings;                  /* outlines of objects, between them */
  int factor, width, height;           /* of the preview */
};

static VgTiffWriter *
new_writer (VgTileFiles *self, VgExportMap *map, VgType type, GError **error)
{
  const VgImageInfo *whole = &self->tiling.whole;
  g_autofree char *description = vg_export_describe (self->operation, map->output);
  VgTiffWriter *writer = vg_tiff_writer_new_blocks (map->path, whole->width, whole->height,
                                                    VG_TILE_BLOCK, description, whole->pixel_size,
                                                    whole->pixel_unit, error);

  if (writer != NULL && type != VG_F32)
    vg_tiff_writer_set_whole (writer, type);
  return writer;
}

/* The number of objects is not known yet: labels have 32 bits. */
static gboolean
open_map (VgTileFiles *self, VgExportMap *map, GError **error)
{
  const VgImageInfo *whole = &self->tiling.whole;
  g_autofree char *name = g_strconcat (self->prefix, map->output->id, ".tif", NULL);

  map->path = vg_staging_path (self->staging, name, error);
  if (map->path == NULL)
    return FALSE;
  if (!vg_export_measure (map, error))
    return FALSE;
  map->pages = 1;
  map->plane = (VgPlane){ .place = VG_HOST,
                          .width = whole->width,
                          .height = whole->height,
                          .slices = 1,
                          .pixel_size = { whole->pixel_size[0], whole->pixel_size[1] } };
  g_strlcpy (map->plane.unit, whole->pixel_unit, sizeof map->plane.unit);
  self->small[map->index] = g_try_new0 (float, (gsize) self->width *(gsize) self->height);
  if (self->small[map->index] == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the preview of output %s", map->output->id);
      return FALSE;
    }
  map->writer = new_writer (self, map, map->output->kind == VG_OUTPUT_LABELS ? VG_U32 : VG_F32,
                            error);
  return map->writer != NULL;
}

void
vg_tile_files_add_image (VgTileFiles *self, const VgImage *tile, int x, int y)
{
  const VgImageInfo *info = &tile->info;

  for (int v = (self->factor - y % self->factor) % self->factor; v < info->height;
       v += self->factor)
    for (int u = (self->factor - x % self->factor) % self->factor; u < info->width;
         u += self->factor)
      memcpy (self->picture + 3 * ((gsize) ((y + v) / self->factor) * (gsize) self->width +
                                   (gsize) ((x + u) / self->factor)),
              (const guint8 *) tile->data + 3 * ((gsize) v * (gsize) info->width + (gsize) u), 3);
}

/* Width and height of the part of a block that is inside the slide region. */
static void
inside (const VgTileFiles *self, int x, int y, int *width, int *height)
{
  *width = MIN (VG_TILE_BLOCK, self->tiling.whole.width - x);
  *height = MIN (VG_TILE_BLOCK, self->tiling.whole.height - y);
}

static gboolean
write_block (gpointer data, int x, int y, const float *samples, GError **error)
{
  const Outlet *outlet = data;
  VgTileFiles *self = outlet->files;
  VgExportMap *map = &self->maps[outlet->output];
  float *small = self->small[outlet->output];
  int width, height;

  inside (self, x, y, &width, &height);
  for (int v = 0; v < height; v++)
    {
      vg_exact_add (map->exact, samples + v * VG_TILE_BLOCK, (gsize) width);
      if ((y + v) % self->factor == 0)
        for (int u = (self->factor - x % self->factor) % self->factor; u < width; u += self->factor)
          small[(gsize) ((y + v) / self->factor) * (gsize) self->width +
                (gsize) ((x + u) / self->factor)] = samples[v * VG_TILE_BLOCK + u];
    }
  return vg_tiff_writer_add_block (map->writer, x, y, samples, error);
}

static gboolean
take_block (gpointer data, guint output, int x, int y, const float *samples, GError **error)
{
  VgTileFiles *self = data;
  Outlet *outlet = &self->outlets[output];

  if (outlet->queue == NULL)
    {
      if (!open_map (self, &self->maps[output], error))
        return FALSE;
      outlet->queue = vg_block_queue_new (write_block, outlet);
    }
  return vg_block_queue_add (outlet->queue, x, y, samples, error);
}

static gboolean
take_text (gpointer data, guint output, const char *ending, const char *text, gsize length,
           GError **error)
{
  VgTileFiles *self = data;
  VgExportMap *map = &self->maps[output];

  if (self->texts[output] == NULL)
    {
      g_autofree char *name = g_strconcat (self->prefix, map->output->id, ending,
                                           self->gzip ? ".gz" : NULL, NULL);

      map->path = vg_staging_path (self->staging, name, error);
      if (map->path == NULL)
        return FALSE;
      self->texts[output] = vg_text_file_new (map->path, self->gzip, error);
      if (self->texts[output] == NULL)
        return FALSE;
    }
  if (self->column != NULL && (int) output == vg_operation_find_objects (self->operation))
    {
      g_autoptr (GString) named = g_string_new (NULL);

      vg_region_column_add (self->column, text, named);
      return vg_text_file_add (self->texts[output], named->str, named->len, error);
    }
  return vg_text_file_add (self->texts[output], text, length, error);
}

static void
take_ring (gpointer data, guint32 id, const double *points, guint n)
{
  VgTileFiles *self = data;

  vg_tile_rings_add (self->rings, id, points, n);
}

VgTileFiles *
vg_tile_files_new (VgStaging *staging, const char *prefix, const VgOperation *operation,
                   const VgTiling *tiling, gboolean gzip, VgTileSink *sink, GError **error)
{
  g_autoptr (VgTileFiles) self = g_new0 (VgTileFiles, 1);
  int longest = MAX (tiling->whole.width, tiling->whole.height);

  self->staging = staging;
  self->prefix = prefix;
  self->operation = operation;
  self->tiling = *tiling;
  self->gzip = gzip;
  self->factor = (longest + PREVIEW - 1) / PREVIEW;
  self->width = (tiling->whole.width + self->factor - 1) / self->factor;
  self->height = (tiling->whole.height + self->factor - 1) / self->factor;
  self->maps = g_new0 (VgExportMap, operation->n_outputs);
  self->outlets = g_new0 (Outlet, operation->n_outputs);
  self->texts = g_new0 (VgTextFile *, operation->n_outputs);
  self->small = g_new0 (float *, operation->n_outputs);
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      self->maps[i].output = &operation->outputs[i];
      self->maps[i].index = i;
      self->outlets[i] = (Outlet){ .files = self, .output = i };
    }
  self->rings = vg_tile_rings_new (self->width, self->height, self->factor);
  self->picture = g_try_malloc0 (3 * (gsize) self->width * (gsize) self->height);
  if (self->picture == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for a preview of %d x %d px; close other programs",
                   self->width, self->height);
      return NULL;
    }
  *sink = (VgTileSink){ self, take_block, take_text, take_ring };
  return g_steal_pointer (&self);
}

void
vg_tile_files_set_regions (VgTileFiles *self, const VgNamedRegion *const *regions)
{
  self->regions = regions;
  self->column = vg_region_column_new (regions, &self->tiling.whole);
}

typedef struct
{
  VgTileFiles *files;
  VgExportMap *map;
  VgTiffWriter *narrow; /* the file anew; NULL: it stays */
} Again;

static void
add_block_again (gpointer data, int x, int y, const float *samples)
{
  Again *self = data;
  int width, height;

  inside (self->files, x, y, &width, &height);
  for (int v = 0; v < height; v++)
    vg_exact_again (self->map->exact, samples + v * VG_TILE_BLOCK, (gsize) width);
  if (self->narrow != NULL)
    /* commit reports a failure */
    vg_tiff_writer_add_block (self->narrow, x, y, samples, NULL);
}

/* Reads a map again if its median is not known yet; labels that fit into 16 bits are written again
 * with 16. */
static gboolean
finish_map (VgTileFiles *self, VgExportMap *map, GError **error)
{
  Again again = { self, map, NULL };
  GError *local = NULL;
  gboolean narrow, ok;

  if (!vg_tiff_writer_commit (map->writer, error))
    return FALSE;
  narrow = map->output->kind == VG_OUTPUT_LABELS && vg_exact_max (map->exact) <= G_MAXUINT16;
  if (!narrow && vg_exact_is_complete (map->exact))
    return TRUE;
  if (!vg_exact_rewind (map->exact))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the median of output %s", map->output->id);
      return FALSE;
    }
  if (narrow && (again.narrow = new_writer (self, map, VG_U16, error)) == NULL)
    return FALSE;
  ok = vg_tiff_read_blocks (map->path, add_block_again, &again, &local);
  if (!ok)
    vg_export_blame_disk (error, map->output->id, local);
  ok = ok && (!narrow || vg_tiff_writer_commit (again.narrow, error));
  vg_tiff_writer_free (again.narrow);
  return ok;
}

static gboolean
write_preview (VgTileFiles *self, const VgExportInfo *info, GError **error)
{
  g_autoptr (VgSession) fresh = vg_session_new (self->operation);
  const VgDisplay *display;
  const VgExportMap *map = vg_export_choose (self->maps, self->operation->n_outputs, info, fresh,
                                             &display);
  g_autofree char *name = g_strconcat (self->prefix, "preview.png", NULL), *path = NULL;
  VgImageInfo small = { .type = VG_U8,
                        .width = self->width,
                        .height = self->height,
                        .channels = 3,
                        .bins = 1,
                        .slices = 1,
                        .frames = 1 };
  g_autoptr (VgUnderlay) underlay = NULL;
  double limits[2];
  VgPlane plane;
  VgMapView view = { .plane = &plane };

  if (map == NULL)
    return TRUE;
  plane = map->plane;
  plane.pixel_size[0] *= (double) plane.width / self->width;
  plane.pixel_size[1] *= (double) plane.height / self->height;
  plane.width = self->width;
  plane.height = self->height;
  plane.data = self->small[map->index];
  path = vg_staging_path (self->staging, name, error);
  vg_underlay_limits (&small, self->picture, 1, limits);
  vg_tile_rings_lay (self->rings, self->picture);
  underlay = display->underlay ? vg_underlay_new (&small, self->picture, 1, limits, error) : NULL;
  if (display->underlay && underlay == NULL)
    return FALSE;
  view.display = display;
  view.underlay = underlay;
  view.output = map->output;
  return path != NULL && vg_preview_write (path, &view, error) &&
         vg_export_write_figures (self->staging, self->prefix, &view, NULL, 0, info, error);
}

static gpointer
finish_outlet (gpointer data)
{
  Outlet *self = data;

  self->good = vg_block_queue_finish (self->queue, &self->error) &&
               finish_map (self->files, &self->files->maps[self->output], &self->error);
  return NULL;
}

gboolean
vg_tile_files_finish_maps (VgTileFiles *self, const VgExportInfo *info, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < self->operation->n_outputs; i++)
    if (self->outlets[i].queue != NULL)
      self->outlets[i].thread = g_thread_new ("map", finish_outlet, &self->outlets[i]);
  for (guint i = 0; i < self->operation->n_outputs; i++)
    {
      Outlet *outlet = &self->outlets[i];

      g_clear_pointer (&outlet->thread, g_thread_join);
      if (outlet->queue == NULL || outlet->good)
        continue;
      if (ok && outlet->error != NULL)
        g_propagate_error (error, g_steal_pointer (&outlet->error));
      ok = FALSE;
    }
  return ok && write_preview (self, info, error);
}

static gboolean
write_regions (VgTileFiles *self, GError **error)
{
  g_autofree char *name = g_strconcat (self->prefix, "regions.geojson", NULL),
                  *path = vg_staging_path (self->staging, name, error),
                  *shapes = vg_region_objects_to_geojson (self->regions, &self->tiling.whole);

  return path != NULL && vg_write_bytes (path, shapes, strlen (shapes), error);
}

gboolean
vg_tile_files_finish (VgTileFiles *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  for (guint i = 0; i < self->operation->n_outputs; i++)
    if (self->texts[i] != NULL && !vg_text_file_commit (self->texts[i], error))
      return FALSE;
  if (self->regions != NULL && !write_regions (self, error))
    return FALSE;
  return vg_summary_write (self->staging, self->prefix, work, info, self->maps, NULL, error);
}

void
vg_tile_files_free (VgTileFiles *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->operation->n_outputs; i++)
    {
      vg_block_queue_free (self->outlets[i].queue);
      g_clear_error (&self->outlets[i].error);
      g_clear_pointer (&self->maps[i].writer, vg_tiff_writer_free);
      g_clear_pointer (&self->maps[i].exact, vg_exact_free);
      g_free (self->maps[i].path);
      g_free (self->small[i]);
      g_clear_pointer (&self->texts[i], vg_text_file_free);
    }
  vg_region_column_free (self->column);
  vg_tile_rings_free (self->rings);
  g_free (self->picture);
  g_free (self->maps);
  g_free (self->outlets);
  g_free (self->texts);
  g_free (self->small);
  g_free (self);
}
