/* SPDX-License-Identifier: MIT */
#include "app/figure/vg-work-view.h"
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"

/* The outlines with their samples in host memory, none is `n` 0. */
static gboolean
read_outlines (VgWorkView *self, VgWork *work, GError **error)
{
  VgOutlines *outlines = &self->outlines;

  if (!vg_work_outlines (work, outlines, error))
    return FALSE;
  if (outlines->n == 0 || outlines->values.place == VG_HOST)
    return TRUE;
  self->samples = g_try_new (float, outlines->values.width);
  if (self->samples == NULL)
    {
      g_set_error_literal (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
          "there is not enough memory for the outlines of the preview; close other programs");
      return FALSE;
    }
  if (!vg_work_get_cuda (work)->download (&outlines->values, self->samples, error))
    return FALSE;
  outlines->values.data = self->samples;
  return TRUE;
}

/* The input under the map; NULL: none, or an error. */
static VgUnderlay *
find_underlay (VgWork *work, const VgWorkViewSpec *spec, const VgPlane *plane, GError **error)
{
  const VgImage *image = vg_work_get_series (work);
  double limits[2];

  if (!spec->display->underlay || spec->underlay != NULL)
    return spec->display->underlay ? vg_underlay_ref (spec->underlay) : NULL;
  if (image == NULL || image->data == NULL || !vg_underlay_fits (&image->info, plane))
    return NULL;
  if (!vg_display_get_window (spec->display, limits))
    vg_underlay_limits (&image->info, image->data, image->info.frames, limits);
  return vg_underlay_new (&image->info, image->data, image->info.frames, limits, error);
}

gboolean
vg_work_view_fill (VgWorkView *self, VgWork *work, const VgWorkViewSpec *spec, const VgPlane *plane,
                   GError **error)
{
  GError *local = NULL;

  self->overlay = vg_work_overlay (work, spec->index);
  self->map = (VgMapView){ .output = spec->output,
                           .plane = plane,
                           .display = spec->display,
                           .overlay = self->overlay,
                           .orientation = &self->orientation };
  self->map.underlay = self->underlay = find_underlay (work, spec, plane, &local);
  if (local != NULL)
    g_propagate_error (error, local);
  if (local != NULL || !read_outlines (self, work, error) ||
      !vg_work_compared (work, &self->compared, error))
    return FALSE;
  self->map.compared = self->compared.n > 0 ? &self->compared : NULL;
  self->map.outlines = self->outlines.n > 0 ? &self->outlines : NULL;
  if (spec->output->kind != VG_OUTPUT_LABELS &&
      vg_work_find_beside (work, VG_ROLE_LIMITS_MASK, spec->index, plane, &self->labels, &local) &&
      vg_work_copy_to_host (work, &self->labels, &self->marks, &local))
    self->map.limits_mask = &self->labels;
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  if (spec->output->hints.decades &&
      !vg_work_find_noise (work, spec->index, plane, &self->map.noise, &local) && local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  vg_display_get_orientation (vg_work_get_operation (work), vg_work_get_info (work), plane,
                              &self->orientation);
  if (spec->as_stored)
    self->orientation.turned[0] = self->orientation.turned[1] = self->orientation.swapped = FALSE;
  return TRUE;
}

void
vg_work_view_clear (VgWorkView *self)
{
  g_clear_pointer (&self->overlay, vg_overlay_free);
  g_clear_pointer (&self->underlay, vg_underlay_unref);
  g_clear_pointer (&self->samples, g_free);
  g_clear_pointer (&self->marks, g_free);
}

gboolean
vg_work_view_takes_annotations (VgWork *work, const VgPlane *plane)
{
  const VgImageInfo *data = vg_work_get_info (work);

  return data == NULL || (data->width == plane->width && data->height == plane->height);
}

gboolean
vg_work_view_takes_regions (VgWork *work, const VgPlane *plane)
{
  const VgImageInfo *data = vg_work_get_info (work);

  return data == NULL || (data->width == plane->width && data->height == plane->height);
}
