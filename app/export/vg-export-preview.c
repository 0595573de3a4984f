/* SPDX-License-Identifier: MIT */
/* Prepares the preview and the figures of a map. */
#include "app/export/vg-export-private.h"
#include "app/figure/vg-preview.h"
#include "app/figure/vg-work-view.h"

const VgExportMap *
vg_export_choose (const VgExportMap *maps, guint n, const VgExportInfo *info, VgSession *fresh,
                  const VgDisplay **display)
{
  const VgExportMap *map = NULL;
  VgView view = *vg_session_get_view (fresh);

  for (guint i = 0; i < n; i++)
    if (maps[i].writer != NULL && (map == NULL || (int) maps[i].index == info->preview_output))
      map = &maps[i];
  if (map == NULL)
    return NULL;
  *display = info->display;
  if (*display == NULL || (int) map->index != info->preview_output)
    {
      view.output = (int) map->index;
      vg_session_set_view (fresh, &view);
      *display = vg_session_get_display (fresh);
    }
  return map;
}

/* The map that dims map I; NULL: none. */
static VgExportMap *
find_brightness (VgExport *self, guint i, VgWork *work)
{
  const char *id = vg_operation_get_role (vg_work_get_operation (work), VG_ROLE_BRIGHTNESS,
                                          self->maps[i].output->id);
  VgExportMap *found = NULL;

  for (guint k = 0; k < self->n_maps; k++)
    if (self->maps[k].writer != NULL && g_strcmp0 (self->maps[k].output->id, id) == 0)
      found = &self->maps[k];
  return found;
}

/* The samples of map I and of its BRIGHTNESS (or NULL). */
static gboolean
hold (VgExport *self, guint i, const VgExportMap *brightness, GError **error)
{
  return vg_export_hold (self, i, error) &&
         (brightness == NULL || vg_export_hold (self, brightness->index, error));
}

gboolean
vg_export_draw (VgExport *self, guint i, VgWork *work, const VgExportInfo *info,
                const VgDisplay *display, VgExportDraw draw, gpointer data, GError **error)
{
  VgExportMap *map = &self->maps[i], *brightness = find_brightness (self, i, work);
  const VgWorkViewSpec spec = { .output = map->output,
                                .index = i,
                                .display = display,
                                .underlay = info->underlay,
                                .as_stored = info->as_stored };
  g_auto (VgWorkView) view = { 0 };
  VgExportInfo own = *info;
  gboolean ok;

  if (!hold (self, i, brightness, error) ||
      !vg_work_view_fill (&view, work, &spec, &map->plane, error))
    return FALSE;
  view.map.brightness = brightness != NULL ? &brightness->plane : NULL;
  if (info->options != NULL && vg_work_view_takes_annotations (work, &map->plane))
    view.map.annotations = info->options->annotations;
  if (!vg_work_view_takes_regions (work, &map->plane))
    own.regions = NULL;
  ok = draw (data, &view.map, &own, error);
  vg_export_release (self, i);
  if (brightness != NULL)
    vg_export_release (self, brightness->index);
  return ok;
}

gboolean
vg_export_chooses_slice (const VgExportInfo *info, guint i)
{
  gboolean others = FALSE;

  for (guint k = 0; info->regions[k] != NULL && !others; k++)
    others = !info->regions[k]->of_setting;
  return !others || !info->regions[i]->of_setting;
}

int
vg_export_find_slice (const VgExportInfo *info, int slices)
{
  int best = slices / 2;
  guint most = 0;

  if (info->options != NULL && info->options->slice >= 0)
    return MIN (info->options->slice, slices - 1);
  for (guint i = 0; info->regions != NULL && info->regions[i] != NULL; i++)
    {
      int slice = info->regions[i]->region.slice;
      guint n = 0;

      for (guint k = 0; info->regions[k] != NULL; k++)
        n += vg_export_chooses_slice (info, k) && info->regions[k]->region.slice == slice;
      if (n > most && slice >= 0 && slice < slices)
        {
          most = n;
          best = slice;
        }
    }
  return best;
}

typedef struct
{
  VgExport *export;
  guint map;
} Pictures;

/* The figures show the slice of the window, the preview the first. */
static gboolean
write_both (gpointer data, VgMapView *view, const VgExportInfo *info, GError **error)
{
  const Pictures *pictures = data;
  VgExport *self = pictures->export;
  g_autofree char *path = vg_export_stage (self, "preview.png", error);
  int slices = MAX (view->plane->slices, 1);

  if (path == NULL || !vg_preview_write (path, view, error))
    return FALSE;
  view->slice = vg_export_find_slice (info, slices);
  return vg_export_write_shown (self, pictures->map, view, info, error);
}

gboolean
vg_export_write_pictures (VgExport *self, guint i, VgWork *work, const VgExportInfo *info,
                          const VgDisplay *display, GError **error)
{
  return vg_export_draw (self, i, work, info, display, write_both, &(Pictures){ self, i }, error);
}
