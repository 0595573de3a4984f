/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/model/fluence-medium.h"
#include "kernels/fluence/model/fluence-names.h"
#include "kernels/core/vg-overlay.h"
#include <math.h>
/* Overlay of the maps: boundaries of the layers, the light source, and where there is light. */

enum { FLAT_ARROWS = 3, GAUSS_ARROWS = 6 }; /* on either side of the middle one */

double
vg_fluence_depth (const VgFluenceParams *p, gboolean *endless)
{
  const VgTable *t = p->layers;
  double depth = 0.0;

  *endless = FALSE;
  for (int l = 0; t != NULL && l < t->rows; l++)
    {
      const double *v = t->values + l * VG_FLUENCE_COLUMNS;
      double mut = v[VG_FLUENCE_MUA] + v[VG_FLUENCE_MUS] * (1.0 - v[VG_FLUENCE_G]);
      double fade = v[VG_FLUENCE_MUA] > 0.0 ? 8.0 / sqrt (3.0 * v[VG_FLUENCE_MUA] * mut) : 1.0;

      depth += v[VG_FLUENCE_D] < VG_FLUENCE_DEEP_CM ? v[VG_FLUENCE_D] : CLAMP (fade, 1e-4, 100.0);
      *endless |= v[VG_FLUENCE_D] >= VG_FLUENCE_DEEP_CM;
    }
  return depth;
}

static void
add_layers (VgOverlay *overlay, const VgFluenceParams *params)
{
  const VgTable *layers = params->layers;
  g_auto (GStrv) names = vg_fluence_names_get (params);
  double depth = 0.0;

  for (int l = 0; l < layers->rows; l++)
    {
      const double *row = layers->values + (gsize) l * VG_FLUENCE_COLUMNS;
      gboolean clear = row[VG_FLUENCE_MUA] == 0.0 && row[VG_FLUENCE_MUS] == 0.0;
      g_autofree char *label = g_strdup_printf ("%d%s%s%s", l + 1, *names[l] != '\0' ? " " : "",
                                                names[l], clear ? " (clear)" : "");

      vg_overlay_line (overlay, -INFINITY, depth, INFINITY, depth, label);
      depth += row[VG_FLUENCE_D];
    }
  if (depth < VG_FLUENCE_DEEP_CM)
    vg_overlay_line (overlay, -INFINITY, depth, INFINITY, depth, NULL);
}

static void
add_beam (VgOverlay *overlay, const VgFluenceParams *params)
{
  double radius = params->beam_radius_cm;

  switch (params->beam)
    {
    case VG_FLUENCE_FLAT:
      for (int i = -FLAT_ARROWS; i <= FLAT_ARROWS; i++)
        vg_overlay_arrow (overlay, radius * i / FLAT_ARROWS, 0.0, 1.0, NULL);
      break;
    case VG_FLUENCE_GAUSSIAN:
      for (int i = -GAUSS_ARROWS; i <= GAUSS_ARROWS; i++)
        {
          double part = 1.5 * i / GAUSS_ARROWS; /* of the 1/e^2 radius */

          vg_overlay_arrow (overlay, radius * part, 0.0, exp (-2.0 * part * part), NULL);
        }
      break;
    case VG_FLUENCE_RING:
      vg_overlay_arrow (overlay, -radius, 0.0, 1.0, NULL);
      vg_overlay_arrow (overlay, radius, 0.0, 1.0, NULL);
      break;
    case VG_FLUENCE_POINT:
      vg_overlay_point (overlay, 0.0, params->source_depth_cm, "Source");
      break;
    default:
      vg_overlay_arrow (overlay, 0.0, 0.0, 1.0, NULL);
    }
}

VgOverlay *
vg_fluence_overlay (const void *data, const VgImageInfo *info, guint output)
{
  const VgFluenceParams *params = data;
  VgOverlay *overlay = vg_overlay_new ();
  gboolean endless;
  double depth;

  (void) info;
  (void) output;
  if (params->layers != NULL)
    add_layers (overlay, params);
  add_beam (overlay, params);
  depth = vg_fluence_depth (params, &endless);
  if (depth < VG_FLUENCE_DEEP_CM)
    {
      overlay->fit[0] = params->beam_radius_cm + 2.0 * depth;
      overlay->fit[1] = depth;
    }
  return overlay;
}
