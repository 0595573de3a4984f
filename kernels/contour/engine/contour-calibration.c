/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-calibration.h"
#include "kernels/contour/model/contour-artefacts.h"
#include "kernels/contour/net/contour-radius.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/engine/contour-report.h"
#include "kernels/base/vg-error.h"
#include <math.h>

const VgImage *
vg_contour_find_file (const VgContext *context, const char *id)
{
  for (guint i = 0; i < context->n_files; i++)
    if (g_str_equal (context->files[i].param_id, id))
      return context->files[i].image;
  return NULL;
}

VgContourParams
vg_contour_seed_params (const VgContourParams *params)
{
  VgContourParams look = *params;

  if (look.smoothing_px <= 0.0f)
    look.smoothing_px = (float) VG_CONTOUR_BASE_SMOOTHING;
  return look;
}

/* GeoJSON coordinates are pixels of level 0. */
static gboolean
points_of_text (const VgImage *file, const VgImageInfo *info, GArray *points, guint *without,
                GError **error)
{
  g_autoptr (VgContourGeometry)
      geometry = vg_contour_geojson_read (file->name, file->text, file->text_length, error);
  VgContourPosition place = vg_contour_position_of (info, NULL);

  if (geometry == NULL)
    return FALSE;
  g_array_append_vals (points, geometry->points->data, geometry->points->len);
  for (guint i = 0; i < geometry->shapes->len; i++)
    *without += vg_contour_shape_seeds (geometry->shapes->pdata[i], points);
  for (guint i = 0; i < points->len; i++)
    {
      VgContourPoint *p = &g_array_index (points, VgContourPoint, i);

      p->x = (p->x - place.x) / place.scale;
      p->y = (p->y - place.y) / place.scale;
    }
  return TRUE;
}

GArray *
vg_contour_points_of_file (const VgImage *file, const VgImageInfo *info, guint *without,
                           GError **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));

  *without = 0;
  if (file->text != NULL)
    {
      if (!points_of_text (file, info, points, without, error))
        return NULL;
    }
  else
    {
      g_autofree gint32 *labels = vg_contour_labels_of_file (file, info->width, info->height,
                                                             error);
      g_autoptr (GPtrArray)
          masks = labels == NULL
                      ? NULL
                      : vg_contour_masks_of_labels (labels, info->width, info->height, error);

      if (masks == NULL && labels != NULL)
        g_prefix_error (error, "\"%s\" has no seeds: ", file->name);
      if (masks == NULL)
        return NULL;
      for (guint i = 0; i < masks->len; i++)
        {
          VgContourPoint centre = vg_contour_mask_centroid (vg_contour_mask_at (masks, i));

          g_array_append_val (points, centre);
        }
    }
  return g_steal_pointer (&points);
}

VgContourForeground *
vg_contour_calibrate (const VgImage *image, const VgContourParams *params, const VgContext *context,
                      VgContourScale *scale, GError **error)
{
  VgContourParams look = vg_contour_seed_params (params);
  g_autofree float *stain = vg_contour_grey (image, &look, scale, error);
  VgContourForeground *foreground;

  if (stain == NULL)
    return NULL;
  foreground = vg_contour_find_foreground (image, params, scale, stain, NULL, context, error);
  if (foreground == NULL)
    return NULL;
  g_clear_pointer (&foreground->mask, g_free);
  if (vg_contour_artefacts_calibrate (image, foreground->radius, scale))
    return foreground;
  vg_contour_foreground_free (foreground);
  vg_contour_no_memory (image->info.width, image->info.height, error);
  return NULL;
}

/* The calibration of a slide, stored with its reduced image. */
typedef struct
{
  VgContourParams params; /* of the calibration; tables and files are not used */
  VgContourScale scale;
  VgContourForeground *foreground;
} Look;

static void
look_free (gpointer data)
{
  Look *self = data;

  vg_contour_foreground_free (self->foreground);
  g_free (self);
}

const VgContourForeground *
vg_contour_calibrate_slide (VgImage *slide, const VgContourParams *params, const VgContext *context,
                            VgContourScale *scale, GError **error)
{
  Look *look = slide->measured;
  VgContourForeground *foreground;

  if (look == NULL || !vg_contour_same_grey (&look->params, params) ||
      look->params.radius_px != params->radius_px)
    {
      foreground = vg_contour_calibrate (slide, params, context, scale, error);
      if (foreground == NULL || vg_context_is_stopped (context))
        {
          vg_contour_foreground_free (foreground);
          return NULL;
        }
      g_clear_pointer (&slide->measured, look_free);
      slide->measured = look = g_new0 (Look, 1);
      slide->free_measured = look_free;
      look->params = *params;
      look->scale = *scale;
      look->foreground = foreground;
    }
  *scale = look->scale;
  return look->foreground;
}

static gboolean
look_at (VgContourCalibration *self, const VgContext *context, const VgImageInfo *whole,
         GError **error)
{
  const VgContourParams *params = context->params;
  const VgImage *seeds = vg_contour_find_file (context, "seeds"),
                *truth = vg_contour_find_file (context, "truth");

  if (params->grid == VG_CONTOUR_GRID_FULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "Grid is set to The whole image, which does not work with tiles; set it to A "
                   "tile per nucleus, or choose a slide region that fits in one tile");
      return FALSE;
    }
  if (seeds != NULL &&
      (self->seeds = vg_contour_points_of_file (seeds, whole, &self->without_area, error)) == NULL)
    return FALSE;
  if (truth != NULL && (self->truth = vg_contour_truth_of_file (truth, whole, error)) == NULL)
    return FALSE;
  self->areas = seeds == NULL && params->seeding == VG_CONTOUR_SEEDS_AUTOMATIC;
  self->measured = params->radius_px <= 0.0f;
  self->foreground = vg_contour_calibrate (context->image, params, context, &self->scale, error);
  if (self->foreground != NULL && params->force == VG_CONTOUR_FORCE_LEARNED)
    self->reach = (int) ceil (VG_CONTOUR_NET_REACH /
                              vg_contour_maps_zoom (self->foreground->radius));
  return self->foreground != NULL;
}

gpointer
vg_contour_calibration_new (const VgContext *context, const VgImageInfo *whole, GError **error)
{
  VgContourCalibration *self = g_new0 (VgContourCalibration, 1);
  gint64 start = g_get_monotonic_time ();

  if (look_at (self, context, whole, error))
    {
      self->seconds = (double) (g_get_monotonic_time () - start) * 1e-6;
      return self;
    }
  vg_contour_calibration_free (self);
  return NULL;
}

void
vg_contour_calibration_free (gpointer calibration)
{
  VgContourCalibration *self = calibration;

  if (self == NULL)
    return;
  vg_contour_foreground_free (self->foreground);
  g_clear_pointer (&self->seeds, g_array_unref);
  vg_contour_truth_free (self->truth);
  g_free (self);
}
