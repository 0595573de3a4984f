/* SPDX-License-Identifier: MIT */
#include "app/compute/vg-plot-plane.h"
#include <math.h>
#include "app/compute/vg-result-pool.h"
#include "kernels/base/vg-error.h"

/* Both maps that say where pixels lie in the plane. */
typedef struct
{
  VgPlane plane;
  float *values[2];
} Maps;

static void
points_clear (VgPlanePoints *points)
{
  g_free (points->x);
  g_free (points->y);
}

void
vg_plot_plane_free (VgPlotPlane *self)
{
  g_clear_pointer (&self->result, vg_result_unref);
  points_clear (&self->pixel);
  for (guint i = 0; i < self->n_regions; i++)
    points_clear (&self->regions[i]);
  g_free (self->regions);
  g_free (self);
}

/* Pixels of REGION, EVERY-th of them, into POINTS unless NULL; returns how many. */
static gsize
gather (const Maps *maps, const VgRegion *region, gsize every, VgPlanePoints *points)
{
  const VgPlane *plane = &maps->plane;
  int x0, y0, x1, y1;
  gsize found = 0;

  if (region->slice < 0 || region->slice >= MAX (plane->slices, 1) ||
      !vg_region_bounds (region, plane->width, plane->height, &x0, &y0, &x1, &y1))
    return 0;
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      {
        gsize i = ((gsize) region->slice * (gsize) plane->height + (gsize) y) *
                      (gsize) plane->width +
                  (gsize) x;

        if (!isfinite (maps->values[0][i]) || !isfinite (maps->values[1][i]) ||
            !vg_region_contains (region, x + 0.5, y + 0.5))
          continue;
        if (points && found % every == 0)
          {
            points->x[points->n] = maps->values[0][i];
            points->y[points->n++] = maps->values[1][i];
          }
        found++;
      }
  return found;
}

static void
add_points (VgPlanePoints *points, const Maps *maps, const VgRegion *region)
{
  gsize n = gather (maps, region, 1, NULL),
        every = MAX ((n + VG_PLANE_POINTS_MAX - 1) / VG_PLANE_POINTS_MAX, 1);

  points->x = g_new (float, n / every + 1);
  points->y = g_new (float, n / every + 1);
  gather (maps, region, every, points);
}

static gboolean
read_map (VgWork *work, const char *id, Maps *maps, int k, GError **error)
{
  int output = id ? vg_operation_find_output (vg_work_get_operation (work), id) : -1;
  gsize capacity = 0;

  return output >= 0 && vg_work_read_output (work, (guint) output, &maps->plane, &maps->values[k],
                                             &capacity, error);
}

/* If the parameters do not give both maps, there are no points.  FALSE: an error. */
static gboolean
find_points (VgPlotPlane *self, VgWork *work, const VgPlot *plot, const VgRegion *pixel,
             const VgRegion *regions, GError **error)
{
  GError *local = NULL;
  Maps maps = { 0 };

  if ((pixel || self->n_regions > 0) && read_map (work, plot->plane->points[0], &maps, 0, &local) &&
      read_map (work, plot->plane->points[1], &maps, 1, &local))
    {
      if (pixel)
        add_points (&self->pixel, &maps, pixel);
      for (guint i = 0; i < self->n_regions; i++)
        add_points (&self->regions[i], &maps, &regions[i]);
    }
  g_free (maps.values[0]);
  g_free (maps.values[1]);
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* The plane of OUTPUT as the window shows it; NULL and perhaps an error: there is none. */
static VgResult *
make_result (VgWork *work, int output, GError **error)
{
  VgResultPool *pool = vg_result_pool_new ();
  g_autofree float *values = NULL;
  VgResult *result = NULL;
  gsize capacity = 0;
  VgPlane plane;

  if (output >= 0 && vg_work_read_output (work, (guint) output, &plane, &values, &capacity, error))
    result = vg_result_pool_copy (pool, &plane, NULL, error);
  if (result != NULL)
    {
      result->operation = vg_work_get_operation (work);
      result->output = output;
      result->overlay = vg_work_overlay (work, (guint) output);
      vg_statistics_compute (&result->statistics, &plane, 0, 1);
    }
  vg_result_pool_unref (pool);
  return result;
}

VgPlotPlane *
vg_plot_plane_new (VgWork *work, guint plot, double x, double y, int slice, const VgRegion *regions,
                   guint n_regions, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  gboolean has_pixel = isfinite (x) && isfinite (y);
  VgRegion pixel = { .kind = VG_REGION_RECTANGLE, .slice = slice, .n_points = 2 };
  VgPlotPlane *self = g_new0 (VgPlotPlane, 1);

  self->result = make_result (
      work, vg_operation_find_output (operation, operation->plots[plot].plane->output), error);
  if (self->result == NULL)
    {
      if (error && *error == NULL)
        g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                             "Nothing to plot yet.");
      vg_plot_plane_free (self);
      return NULL;
    }
  self->n_regions = n_regions;
  self->regions = g_new0 (VgPlanePoints, n_regions + 1);
  if (has_pixel)
    {
      pixel.x[0] = floor (x);
      pixel.y[0] = floor (y);
      pixel.x[1] = pixel.x[0] + 1;
      pixel.y[1] = pixel.y[0] + 1;
    }
  if (!find_points (self, work, &operation->plots[plot], has_pixel ? &pixel : NULL, regions, error))
    g_clear_pointer (&self, vg_plot_plane_free);
  return self;
}
