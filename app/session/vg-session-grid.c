/* SPDX-License-Identifier: MIT */
/* Regions and annotations are in pixels.  Where settings change the size of these, as the bins of a
 * simulation, they stay where they are in the tissue. */
#include "app/annotation/vg-annotation.h"
#include "app/session/vg-session-private.h"

void
vg_session_get_grid (const VgDocument *document, double size[2])
{
  size[0] = size[1] = 0;
  if (document->operation->plane != NULL && document->operation->plane->pixel_size != NULL)
    document->operation->plane->pixel_size (document->params, size);
}

static void
scale_region (VgRegion *region, const double by[2])
{
  for (int i = 0; i < region->n_points; i++) /* an ellipse's radii, too */
    {
      region->x[i] *= by[0];
      region->y[i] *= by[1];
    }
}

static void
scale_annotation (VgAnnotation *annotation, const double by[2])
{
  for (guint i = 0; i < G_N_ELEMENTS (annotation->x); i++)
    {
      annotation->x[i] *= by[0];
      annotation->y[i] *= by[1];
    }
  annotation->size = CLAMP (annotation->size * by[1], 1e-3, VG_ANNOTATION_MOST_SIZE);
}

guint
vg_session_follow_grid (VgDocument *document, const double before[2])
{
  double now[2], by[2];

  vg_session_get_grid (document, now);
  if (!(before[0] > 0 && before[1] > 0 && now[0] > 0 && now[1] > 0) ||
      (before[0] == now[0] && before[1] == now[1]))
    return 0;
  for (int i = 0; i < 2; i++)
    by[i] = before[i] / now[i];
  for (guint i = 0; i < document->regions->len; i++)
    scale_region (&((VgNamedRegion *) document->regions->pdata[i])->region, by);
  for (guint i = 0; i < document->annotations->len; i++)
    scale_annotation (document->annotations->pdata[i], by);
  return (document->regions->len > 0 ? VG_CHANGED_REGIONS : 0) |
         (document->annotations->len > 0 ? VG_CHANGED_ANNOTATIONS : 0);
}
