/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-learn.h"
#include "kernels/contour/engine/contour-calibration.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/net/contour-parts.h"
/* The level sets evolve on the probability of a nucleus as they do on a stain; its parts about the
 * peaks of the distance from the border are the areas from which contours start. */

/* The parts of the maps, at the chosen sensitivity: 0.5 is what the network was trained for.
 * FOUND: only parts that are probable enough to be nuclei without a seed of the user. */
static GArray *
parts (const VgContourRun *self, gboolean found, gint32 **labels)
{
  float level = CLAMP (1.0f - self->params.sensitivity, 0.05f, 0.95f);
  float mean = found ? 1.0f - 2.0f * (1.0f - level) * (1.0f - VG_CONTOUR_PART_MEAN) : 0.0f;

  return vg_contour_parts (self->maps.nucleus, self->maps.distance, self->info.width,
                           self->info.height, level, 2.0f * level * VG_CONTOUR_PART_PEAK, mean,
                           labels);
}

gboolean
vg_contour_learn (VgContourRun *self, const VgContext *context, GError **error)
{
  const VgContourNet *net;

  if (self->params.force != VG_CONTOUR_FORCE_LEARNED)
    return TRUE;
  net = vg_contour_net_get (&self->without_net);
  self->maps.window = context->part != NULL && context->part->tiling != NULL
                          ? vg_contour_tile_window (context->part, self->info.width,
                                                    self->info.height)
                          : (VgContourWindow){ 0, 0, self->info.width, self->info.height };
  return net == NULL ||
         vg_contour_maps_init (&self->maps, net, context->image, &self->params, &self->scale,
                               self->foreground->radius, context, error);
}

gboolean
vg_contour_learned_seeds (VgContourRun *self, GError **error)
{
  g_autoptr (GArray) peaks = parts (self, TRUE, &self->areas);

  if (peaks == NULL)
    return vg_contour_no_memory (self->info.width, self->info.height, error);
  for (guint i = 0; i < MIN (peaks->len, VG_CONTOUR_MAX_OBJECTS); i++)
    {
      const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, i);
      VgContourPoint point = { peak->x, peak->y };

      g_array_append_val (self->base, point);
    }
  return TRUE;
}

/* The pixel of seed I; -1: it lies outside. */
static gssize
pixel_of (const VgContourRun *self, guint i)
{
  const VgContourPoint *p = &g_array_index (self->base, VgContourPoint, i);

  return p->x >= 0.0 && p->y >= 0.0 && p->x < self->info.width && p->y < self->info.height
             ? (gssize) p->y * self->info.width + (gssize) p->x
             : -1;
}

/* A part with a seed is that seed's area; one with several is shared between them. */
gboolean
vg_contour_learned_areas (VgContourRun *self, GError **error)
{
  const gsize n = (gsize) self->info.width * (gsize) self->info.height;
  g_autofree gint32 *labels = NULL, *areas = g_try_new0 (gint32, n);
  g_autofree guint8 *mask = g_try_new0 (guint8, n), *used = NULL;
  g_autoptr (GArray) peaks = parts (self, FALSE, &labels);

  used = peaks != NULL ? g_try_new0 (guint8, peaks->len + 1) : NULL;
  if (used == NULL || areas == NULL || mask == NULL)
    return vg_contour_no_memory (self->info.width, self->info.height, error);
  for (guint i = 0; i < self->base->len; i++)
    {
      gssize at = pixel_of (self, i);

      if (at < 0 || labels[at] == 0 || areas[at] > 0)
        continue;
      used[labels[at]] = 1;
      areas[at] = (gint32) i + 1;
    }
  for (gsize i = 0; i < n; i++)
    mask[i] = labels[i] > 0 && used[labels[i]];
  if (!vg_contour_flood (self->maps.distance, mask, areas, self->info.width, self->info.height))
    return vg_contour_no_memory (self->info.width, self->info.height, error);
  self->areas = g_steal_pointer (&areas);
  return TRUE;
}
