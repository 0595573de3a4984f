/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-radius.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/net/contour-parts.h"
#include <math.h>
#include <string.h>
/* A threshold joins nuclei that stand in a common haze or touch, and then the radius of the joined
 * areas is taken for that of a nucleus.  The network, which separates them, shows it. */

enum { SIDE = 512, STEP = 128, SAMPLE = 4 }; /* of the part of the image that is looked at, px */
#define RADIUS_AT_ZOOM 10.0                  /* of nuclei in the scaled image, px */
/* Of the mean probability in nuclei: a finer scale that is worse by less is preferred. */
#define TOLERANCE 0.02
#define LEAST_SCALED_RADIUS 4.0 /* px: smaller parts of the scaled image are not nuclei */

typedef struct
{
  double probability; /* the mean in all nuclei */
  float radius;       /* of a typical nucleus, px; 0: there are none */
} Found;

/* The part of IMAGE, at most SIDE x SIDE, in which STAIN varies most. */
static VgContourWindow
most_varied (const VgImage *image, const float *stain)
{
  const int width = image->info.width, height = image->info.height;
  VgContourWindow best = { 0 };
  const int columns = (MAX (width - SIDE, 0) + STEP - 1) / STEP,
            rows = (MAX (height - SIDE, 0) + STEP - 1) / STEP;
  double most = -1.0;

  for (int j = 0; j <= rows; j++)
    for (int i = 0; i <= columns; i++)
      {
        const int x = MIN (i * STEP, MAX (width - SIDE, 0)),
                  y = MIN (j * STEP, MAX (height - SIDE, 0));
        VgContourWindow at = { x, y, MIN (x + SIDE, width), MIN (y + SIDE, height) };
        double n = 0.0, sum = 0.0, squares = 0.0;

        for (int v = at.y0; v < at.y1; v += SAMPLE)
          for (int u = at.x0; u < at.x1; u += SAMPLE)
            {
              double value = stain[(gsize) v * (gsize) width + (gsize) u];

              n++;
              sum += value;
              squares += value * value;
            }
        squares = squares / n - sum / n * (sum / n);
        if (squares > most)
          {
            most = squares;
            best = at;
          }
      }
  return best;
}

/* Copies a window of an image WIDTH wide with pixels of SIZE bytes. */
static void
cut (const void *from, int width, gsize size, VgContourWindow window, void *to)
{
  const gsize row = (gsize) (window.x1 - window.x0) * size;

  for (int y = window.y0; y < window.y1; y++)
    memcpy ((char *) to + (gsize) (y - window.y0) * row,
            (const char *) from + ((gsize) y * (gsize) width + (gsize) window.x0) * size, row);
}

/* FALSE: no memory. */
static gboolean
measure (const VgContourMaps *maps, int width, int height, double zoom, Found *found)
{
  const gsize n = (gsize) width * (gsize) height;
  const double least = G_PI * LEAST_SCALED_RADIUS * LEAST_SCALED_RADIUS / (zoom * zoom);
  g_autofree gint32 *labels = NULL;
  g_autoptr (GArray) parts = vg_contour_parts (maps->nucleus, maps->distance, width, height, 0.5f,
                                               VG_CONTOUR_PART_PEAK, VG_CONTOUR_PART_MEAN, &labels);
  g_autofree double *areas = parts == NULL ? NULL : g_try_new0 (double, parts->len + 1);
  double sum = 0.0, pixels = 0.0;
  guint kept = 0;

  if (areas == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    areas[labels[i]] += 1.0;
  for (gsize i = 0; i < n; i++)
    if (labels[i] > 0 && areas[labels[i]] >= least)
      {
        sum += (double) maps->nucleus[i];
        pixels += 1.0;
      }
  for (guint k = 1; k <= parts->len; k++)
    if (areas[k] >= least)
      areas[kept++] = areas[k];
  found->probability = sum / MAX (pixels, 1.0);
  found->radius = kept > 0 ? (float) vg_contour_typical_radius (areas, kept) : 0.0f;
  return TRUE;
}

/* Replaces *RADIUS by that of the nuclei at the finest scale at which the network is nearly as sure
 * of them as at any, if they are so small that the network would reduce the image less.  FALSE with
 * an error, or without one if CONTEXT is stopped. */
static gboolean
compare_scales (const VgContourNet *net, const VgImage *image, const VgContourParams *params,
                const VgContourScale *scale, const VgContourNetDevice *device,
                const VgContext *context, float *radius, GError **error)
{
  const double coarsest = vg_contour_maps_zoom (*radius);
  Found found[8] = { 0 };
  double most = 0.0;
  guint n = 0;

  for (double zoom = 1.0; zoom >= coarsest && n < G_N_ELEMENTS (found); zoom *= 0.5, n++)
    {
      VgContourMaps maps = { .window = { 0, 0, image->info.width, image->info.height },
                             .device = device };
      gboolean good = vg_contour_maps_init (&maps, net, image, params, scale, RADIUS_AT_ZOOM / zoom,
                                            context, error);

      if (good && !measure (&maps, image->info.width, image->info.height, zoom, &found[n]))
        good = vg_contour_no_memory (image->info.width, image->info.height, error);
      vg_contour_maps_clear (&maps);
      if (!good)
        return FALSE;
      most = MAX (most, found[n].probability);
    }
  for (guint k = 0; k < n; k++)
    if (found[k].radius > 0.0f && found[k].probability >= most - TOLERANCE)
      {
        if (vg_contour_maps_zoom (found[k].radius) > coarsest)
          *radius = found[k].radius;
        break;
      }
  return TRUE;
}

static gboolean
check_radius (const VgImage *image, const VgContourParams *params, const VgContourScale *scale,
              const float *stain, const VgContourNetDevice *device, const VgContext *context,
              float *radius, GError **error)
{
  const VgContourNet *net = vg_contour_net_get (NULL);
  const VgContourWindow window = most_varied (image, stain);
  const gsize pixels = (gsize) image->info.width * (gsize) image->info.height;
  g_autoptr (VgImage) part = NULL;
  VgImageInfo info = image->info;
  VgContext quiet = *context;

  if (net == NULL)
    return TRUE;
  info.width = window.x1 - window.x0;
  info.height = window.y1 - window.y0;
  part = vg_image_new (&info, image->name, error);
  if (part == NULL)
    return FALSE;
  cut (image->data, image->info.width, vg_image_info_page_bytes (&image->info) / pixels, window,
       part->data);
  quiet.report = NULL;
  quiet.part = NULL;
  return compare_scales (net, part, params, scale, device, &quiet, radius, error);
}

VgContourForeground *
vg_contour_find_foreground (const VgImage *image, const VgContourParams *params,
                            const VgContourScale *scale, const float *stain,
                            const VgContourNetDevice *device, const VgContext *context,
                            GError **error)
{
  const int width = image->info.width, height = image->info.height;
  g_autoptr (VgContourForeground) self = vg_contour_foreground_new (
      stain, width, height, params->radius_px, NULL, context, error);
  GError *fault = NULL;
  float radius;

  if (self == NULL || params->radius_px > 0.0f || params->force != VG_CONTOUR_FORCE_LEARNED ||
      vg_contour_maps_zoom (self->radius) >= 1.0 || vg_context_is_stopped (context))
    return g_steal_pointer (&self);
  radius = self->radius;
  if (!check_radius (image, params, scale, stain, device, context, &radius, &fault) &&
      fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  return radius == self->radius
             ? g_steal_pointer (&self)
             : vg_contour_foreground_new (stain, width, height, radius, NULL, context, error);
}
