/* SPDX-License-Identifier: MIT */
#include "ui/picture/vg-picture-software.h"
#include "app/session/vg-display.h"
#include "ui/picture/vg-picture.h"
#include "render/vg-software.h"

VgPlane
vg_picture_part (const VgPlane *plane, int slice)
{
  VgPlane part = *plane;

  if (slice == VG_PICTURE_ALL_SLICES || plane->data == NULL)
    return vg_display_get_volume (plane);
  part.data += (gsize) plane->width * plane->height * CLAMP (slice, 0, MAX (plane->slices, 1) - 1);
  part.slices = 1;
  return part;
}

/* The shown part of SHOWN in host memory; *OWNED is freed by the caller. */
static gboolean
host_part (const VgPlane *shown, int slice, const VgCuda *cuda, VgPlane *plane, float **owned,
           GError **error)
{
  *plane = vg_picture_part (shown, slice);
  if (plane->place == VG_HOST)
    return TRUE;
  if (cuda == NULL)
    return FALSE;
  *owned = g_new (float, (gsize) plane->width * plane->height);
  if (!cuda->download (plane, *owned, error))
    return FALSE;
  plane->data = *owned;
  plane->place = VG_HOST;
  return TRUE;
}

/* Over the picture that is there. */
static void
draw_outlines (const VgScene *scene, const VgOutlines *given, const VgPlane *plane,
               const VgCuda *cuda, guint8 *rgba, int width, int height, GError **error)
{
  g_autofree float *owned = NULL;
  VgOutlines outlines = *given;

  if (outlines.n > 0 && outlines.width == plane->width && outlines.height == plane->height &&
      host_part (&given->values, 0, cuda, &outlines.values, &owned, error))
    vg_software_draw_outlines (scene, &outlines, rgba, width, height);
}

static guint8 *
draw_slide (const VgScene *scene, GPtrArray *tiles, int width, int height)
{
  guint8 *rgba = vg_software_draw (scene, NULL, NULL, NULL, 0, width, height);

  if (tiles != NULL)
    vg_software_draw_tiles (scene, NULL, tiles, rgba, width, height);
  return rgba;
}

static const guint8 *
under_part (const VgUnderlay *underlay, const VgPlane *plane, int slice)
{
  if (underlay == NULL || underlay->width != plane->width || underlay->height != plane->height)
    return NULL;
  return underlay->rgba +
         (gsize) CLAMP (slice, 0, underlay->slices - 1) * underlay->width * underlay->height * 4;
}

static guint8 *
draw_scene (const VgScene *scene, const VgResult *result, int slice, const VgUnderlay *underlay,
            GPtrArray *tiles, const VgCuda *cuda, int width, int height, GError **error)
{
  g_autofree float *owned = NULL, *owned_light = NULL;
  VgPlane plane, light = { .data = NULL };
  g_autofree guint8 *below = NULL;
  g_autoptr (GError) failure = NULL;
  guint8 *rgba;

  if (result == NULL || scene->coloring.colormap == NULL || !(scene->zoom > 0) ||
      !host_part (&result->plane, slice, cuda, &plane, &owned, error))
    return draw_slide (scene, tiles, width, height);
  if (scene->brightness && result->brightness.data != NULL &&
      !host_part (&result->brightness, slice, cuda, &light, &owned_light, &failure))
    light.data = NULL;
  if (scene->mosaic.slices > 0)
    plane.height = light.height = result->plane.height; /* of a slice again */
  if (scene->underlay && scene->see_through)
    below = draw_slide (scene, tiles, width, height);
  rgba = vg_software_draw (scene, &plane, light.data != NULL ? &light : NULL,
                           below != NULL ? below : under_part (underlay, &result->plane, slice), 0,
                           width, height);
  if (tiles != NULL)
    vg_software_draw_tiles (scene, &plane, tiles, rgba, width, height);
  draw_outlines (scene, &result->outlines, &result->plane, cuda, rgba, width, height,
                 failure == NULL ? &failure : NULL);
  draw_outlines (scene, &result->second_outlines, &result->plane, cuda, rgba, width, height,
                 failure == NULL ? &failure : NULL);
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return rgba;
}

guint8 *
vg_picture_draw_software (const VgPane *panes, int n, const VgPictureSource *sources,
                          GPtrArray *tiles, const VgCuda *cuda, int width, int height,
                          GError **error)
{
  guint8 *rgba = g_malloc ((gsize) width * (gsize) height * 4);
  const VgUnderlay *underlay = sources->result != NULL ? sources->result->underlay : NULL;

  vg_software_clear (&panes->scene, rgba, width, height);
  for (int i = 0; i < n; i++)
    {
      const VgPictureSource *source = &sources[panes[i].source];
      g_autofree guint8 *part = NULL;

      if (panes[i].width < 1 || panes[i].height < 1)
        continue;
      part = draw_scene (&panes[i].scene, source->result, source->slice, underlay, tiles, cuda,
                         panes[i].width, panes[i].height,
                         error != NULL && *error == NULL ? error : NULL);
      vg_software_place (&panes[i], part, rgba, width, height);
    }
  return rgba;
}
