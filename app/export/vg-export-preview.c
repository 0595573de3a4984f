/* SPDX-License-Identifier: MIT */
/* Prepares the preview and the figures of a map. */
#include "app/export/vg-export-private.h"
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"
#include "app/figure/vg-preview.h"

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

/* With their samples in host memory, none is `n` 0; *OWNED is freed by the caller.  A GPU
 * that fails here leaves a preview without them.  FALSE: no memory. */
static gboolean
read_outlines (VgWork *work, VgOutlines *outlines, float **owned, GError **error)
{
  if (!vg_work_outlines (work, outlines, error))
    return FALSE;
  if (outlines->n == 0 || outlines->values.place == VG_HOST)
    return TRUE;
  *owned = g_try_new (float, outlines->values.width);
  if (*owned == NULL)
    {
      g_set_error_literal (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
          "there is not enough memory for the outlines of the preview; close other programs");
      return FALSE;
    }
  if (!vg_work_get_cuda (work)->download (&outlines->values, *owned, NULL))
    outlines->n = 0;
  outlines->values.data = *owned;
  return TRUE;
}

/* The input under the preview; NULL: none, or an error. */
static VgUnderlay *
find_underlay (VgWork *work, const VgExportInfo *info, const VgDisplay *display,
               const VgPlane *plane, GError **error)
{
  const VgImage *image = vg_work_get_image (work);
  double limits[2];

  if (!display->underlay || info->underlay != NULL)
    return display->underlay ? vg_underlay_ref (info->underlay) : NULL;
  if (image == NULL || image->data == NULL || !vg_underlay_fits (&image->info, plane))
    return NULL;
  if (!vg_display_get_window (display, limits))
    vg_underlay_limits (&image->info, image->data, image->info.frames, limits);
  return vg_underlay_new (&image->info, image->data, image->info.frames, limits, error);
}

/* Regions lie over maps of the size of the data. */
static gboolean
has_regions (VgWork *work, const VgPlane *plane)
{
  const VgImageInfo *data = vg_work_get_info (work);

  return data != NULL && data->width == plane->width && data->height == plane->height &&
         !plane->mirrored;
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
  g_autoptr (VgOverlay) overlay = vg_work_overlay (work, i);
  g_autoptr (VgUnderlay) underlay = NULL;
  g_autofree float *samples = NULL, *marks = NULL;
  GError *local = NULL;
  VgExportInfo own = *info;
  VgPlane labels;
  VgOutlines outlines;
  VgOrientation orientation;
  gboolean ok;
  VgMapView view = { .output = map->output,
                     .plane = &map->plane,
                     .display = display,
                     .overlay = overlay,
                     .orientation = &orientation };

  if (!hold (self, i, brightness, error))
    return FALSE;
  view.underlay = underlay = find_underlay (work, info, display, &map->plane, &local);
  if (local != NULL)
    g_propagate_error (error, local);
  if (local != NULL || !read_outlines (work, &outlines, &samples, error))
    return FALSE;
  view.brightness = brightness != NULL ? &brightness->plane : NULL;
  view.outlines = outlines.n > 0 ? &outlines : NULL;
  if (map->output->kind != VG_OUTPUT_LABELS &&
      vg_work_find_beside (work, VG_ROLE_LIMITS_MASK, i, &map->plane, &labels) &&
      vg_work_copy_to_host (work, &labels, &marks))
    view.counted = &labels;
  if (map->output->hints.decades)
    vg_work_find_noise (work, i, &map->plane, &view.noise);
  vg_display_get_orientation (vg_work_get_operation (work), vg_work_get_info (work), &map->plane,
                              &orientation);
  if (info->as_stored)
    orientation.turned[0] = orientation.turned[1] = orientation.swapped = FALSE;
  if (!has_regions (work, &map->plane))
    own.regions = NULL;
  ok = draw (data, &view, &own, error);
  vg_export_release (self, i);
  if (brightness != NULL)
    vg_export_release (self, brightness->index);
  return ok;
}

/* The figures show the slice of the window, the preview the first. */
static gboolean
write_both (gpointer data, VgMapView *view, const VgExportInfo *info, GError **error)
{
  VgExport *self = data;
  g_autofree char *path = vg_export_stage (self, "preview.png", error);
  int slices = MAX (view->plane->slices, 1);

  if (path == NULL || !vg_preview_write (path, view, error))
    return FALSE;
  view->slice = info->options != NULL ? CLAMP (info->options->slice, 0, slices - 1) : 0;
  return vg_export_write_figures (self->staging, self->prefix, view, info, error);
}

gboolean
vg_export_write_pictures (VgExport *self, guint i, VgWork *work, const VgExportInfo *info,
                          const VgDisplay *display, GError **error)
{
  return vg_export_draw (self, i, work, info, display, write_both, self, error);
}
