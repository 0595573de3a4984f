/* SPDX-License-Identifier: MIT */
/* The figures of what is on the screen while a map is compared with kept results. */
#include "app/export/vg-export-private.h"
#include "app/figure/vg-map-figure.h"

/* Map I of REFERENCE, whose brightness is BRIGHTNESS and whose samples are PLANE, shown as the
 * present VIEW is.  FALSE: it has none. */
static gboolean
view_kept (VgMapView *self, const VgMapView *view, const VgReference *reference, guint i,
           VgPlane *plane, VgPlane *brightness)
{
  const VgOperation *operation = vg_reference_get_operation (reference);
  int light = vg_operation_find_role (operation, VG_ROLE_BRIGHTNESS, operation->outputs[i].id);
  const VgOutlines *outlines = vg_reference_get_outlines (reference);

  *self = (VgMapView){ .output = view->output,
                       .plane = plane,
                       .longest = view->longest,
                       .display = view->display,
                       .orientation = view->orientation,
                       .noise = view->noise };
  if (!vg_reference_get_plane (reference, i, plane))
    return FALSE;
  self->slice = MIN (view->slice, MAX (plane->slices, 1) - 1);
  if (light >= 0 && vg_reference_get_plane (reference, (guint) light, brightness))
    self->brightness = brightness;
  if (plane->width == view->plane->width && plane->height == view->plane->height)
    self->underlay = view->underlay;
  self->outlines = outlines->n > 0 ? outlines : NULL;
  return TRUE;
}

/* Kept maps beside the present one. */
static gboolean
write_beside (VgExport *self, guint i, const VgMapView *view, const VgExportInfo *info,
              GError **error)
{
  const GPtrArray *kept = info->options->comparison->kept;
  VgMapView beside[VG_FIGURE_MOST_BESIDE];
  VgPlane planes[VG_FIGURE_MOST_BESIDE], brightness[VG_FIGURE_MOST_BESIDE];
  guint n = MIN (kept->len, VG_FIGURE_MOST_BESIDE);

  for (guint k = 0; k < n; k++)
    if (!view_kept (&beside[k], view, kept->pdata[k], i, &planes[k], &brightness[k]))
      n = 0; /* this is another map than the one on the screen */
  return vg_export_write_figures (self->staging, self->prefix, view, beside, n, info, error);
}

/* The kept map, the difference from it or the ratio to it. */
static gboolean
write_compared (VgExport *self, guint i, const VgMapView *view, const VgExportInfo *info,
                GError **error)
{
  const VgExportComparison *comparison = info->options->comparison;
  const VgReference *reference = comparison->kept->pdata[0];
  g_autoptr (VgSession) session = vg_session_new (vg_reference_get_operation (reference));
  VgView shown = *vg_session_get_view (session);
  g_autofree float *values = NULL;
  VgPlane plane = *view->plane, brightness;
  VgMapView compared = *view;
  VgOutput output;

  if (comparison->compare == VG_COMPARE_KEPT)
    return !view_kept (&compared, view, reference, i, &plane, &brightness) ||
           vg_export_write_figures (self->staging, self->prefix, &compared, NULL, 0, info, error);
  values = vg_export_compare (self, reference, i, comparison->compare, view->plane, error);
  if (values == NULL)
    return FALSE;
  shown.output = (int) i;
  shown.compare = (int) comparison->compare;
  vg_session_set_view (session, &shown);
  output = *vg_session_get_output (session);
  if (comparison->compare == VG_COMPARE_DIFFERENCE)
    output.unit = view->output->unit;
  plane.data = values;
  compared.plane = &plane;
  compared.output = &output;
  compared.display = &comparison->display;
  compared.limits_mask = NULL;
  return vg_export_write_figures (self->staging, self->prefix, &compared, NULL, 0, info, error);
}

gboolean
vg_export_write_shown (VgExport *self, guint i, const VgMapView *view, const VgExportInfo *info,
                       GError **error)
{
  const VgExportComparison *comparison = info->options != NULL ? info->options->comparison : NULL;

  if (!vg_export_comparison_is_shown (comparison) || info->options->figures == 0 ||
      vg_reference_get_operation (comparison->kept->pdata[0]) != vg_work_get_operation (self->work))
    return vg_export_write_figures (self->staging, self->prefix, view, NULL, 0, info, error);
  if (comparison->compare == VG_COMPARE_OFF)
    return write_beside (self, i, view, info, error);
  if (!vg_reference_fits (comparison->kept->pdata[0], i, view->plane, view->output->unit, error))
    return FALSE;
  return write_compared (self, i, view, info, error);
}
