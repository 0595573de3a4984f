/* SPDX-License-Identifier: MIT */
/* The figures of what is on the screen while a map is compared with kept results. */
#include "app/export/vg-export-private.h"
#include "app/figure/vg-map-figure.h"

/* Map I of REFERENCE, which fits VIEW and is shown as that is.  Its samples are PLANE, its
 * brightness is BRIGHTNESS. */
static void
view_kept (VgMapView *self, const VgMapView *view, const VgReference *reference, guint i,
           VgPlane *plane, VgPlane *brightness)
{
  const VgOperation *operation = vg_reference_get_operation (reference);
  int light = vg_operation_find_role (operation, VG_ROLE_BRIGHTNESS, operation->outputs[i].id);
  const VgOutlines *outlines = vg_reference_get_outlines (reference);

  *self = (VgMapView){ .output = view->output,
                       .plane = plane,
                       .underlay = view->underlay,
                       .longest = view->longest,
                       .display = view->display,
                       .orientation = view->orientation,
                       .noise = view->noise };
  vg_reference_get_plane (reference, i, plane);
  self->slice = MIN (view->slice, MAX (plane->slices, 1) - 1);
  if (light >= 0 && vg_reference_get_plane (reference, (guint) light, brightness))
    self->brightness = brightness;
  self->outlines = outlines->n > 0 ? outlines : NULL;
}

/* Notes why the figure shows less than the window was to show, which WHY says. */
static void
note_omission (const VgExportInfo *info, const char *name, const GError *why)
{
  g_ptr_array_add (info->notes,
                   g_strdup_printf ("The figure leaves out \"%s\": %s.", name, why->message));
}

/* Kept maps beside the present one, whose colours and scale all have.  Those of another unit or
 * grid are left out. */
static gboolean
write_beside (VgExport *self, guint i, const VgMapView *view, const VgExportInfo *info,
              GError **error)
{
  const VgExportComparison *comparison = info->options->comparison;
  const GPtrArray *kept = comparison->kept, *names = comparison->names;
  g_autoptr (GPtrArray) fitting = g_ptr_array_new (), fitting_names = g_ptr_array_new ();
  VgExportComparison shown = *comparison;
  VgMapView beside[VG_FIGURE_MOST_BESIDE];
  VgPlane planes[VG_FIGURE_MOST_BESIDE], brightness[VG_FIGURE_MOST_BESIDE];

  shown.kept = fitting;
  shown.names = fitting_names;
  for (guint k = 0; k < kept->len && fitting->len < VG_FIGURE_MOST_BESIDE; k++)
    {
      guint n = fitting->len;
      g_autoptr (GError) why = NULL;

      if (!vg_reference_fits (kept->pdata[k], i, view->plane, view->output->unit, &why))
        {
          note_omission (info, names->pdata[k], why);
          continue;
        }
      view_kept (&beside[n], view, kept->pdata[k], i, &planes[n], &brightness[n]);
      g_ptr_array_add (fitting, kept->pdata[k]);
      g_ptr_array_add (fitting_names, names->pdata[k]);
    }
  g_ptr_array_add (fitting_names, names->pdata[kept->len]);
  return vg_export_write_figures (self->staging, self->prefix, view, beside,
                                  fitting->len > 0 ? &shown : NULL, info, error);
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
    {
      view_kept (&compared, view, reference, i, &plane, &brightness);
      return vg_export_write_figures (self->staging, self->prefix, &compared, NULL, comparison,
                                      info, error);
    }
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
  return vg_export_write_figures (self->staging, self->prefix, &compared, NULL, comparison, info,
                                  error);
}

gboolean
vg_export_write_shown (VgExport *self, guint i, const VgMapView *view, const VgExportInfo *info,
                       GError **error)
{
  const VgExportComparison *comparison = info->options != NULL ? info->options->comparison : NULL;
  g_autoptr (GError) why = NULL;

  if (!vg_export_comparison_is_shown (comparison) || info->options->figures == 0 ||
      vg_reference_get_operation (comparison->kept->pdata[0]) != vg_work_get_operation (self->work))
    return vg_export_write_figures (self->staging, self->prefix, view, NULL, NULL, info, error);
  if (comparison->compare == VG_COMPARE_OFF)
    return write_beside (self, i, view, info, error);
  /* a setting that ends the comparison may have changed since the dialog was opened */
  if (vg_reference_fits (comparison->kept->pdata[0], i, view->plane, view->output->unit, &why))
    return write_compared (self, i, view, info, error);
  note_omission (info, comparison->names->pdata[0], why);
  return vg_export_write_figures (self->staging, self->prefix, view, NULL, NULL, info, error);
}
