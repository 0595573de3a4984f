/* SPDX-License-Identifier: MIT */
/* The slide that contains the analysed region: conversion between its pixels and those of the
 * region, and the tiles that are visible. */
#include "ui/picture/vg-image-view-private.h"
#include <math.h>
#include <string.h>
#include "ui/picture/vg-picture.h"
#include "ui/common/vg-object.h"

void
vg_image_slide_add_signals (GType type)
{
  vg_signal_new (type, "slide-shown", 0);
  vg_signal_new (type, "slide-trouble", 1, G_TYPE_STRING);
  vg_signal_new (type, "outside-part", 0);
}

void
vg_image_slide_free (VgImageSlide *self)
{
  if (self == NULL)
    return;
  vg_tile_cache_close (self->cache); /* from here on nobody wakes the source */
  g_source_destroy (self->arrived);
  g_source_unref (self->arrived);
  g_free (self->path);
  g_free (self);
}

gboolean
vg_image_view_has_slide (VgImageView *self, const char *path)
{
  return self->slide != NULL && (path == NULL || strcmp (self->slide->path, path) == 0);
}

/* ---- places ---- */

gboolean
vg_image_slide_is_known (VgImageView *self)
{
  return self->slide != NULL && self->slide->width > 0;
}

VgSlidePlace
vg_image_slide_place (VgImageView *self)
{
  const VgSlidePlace none = { .downsample = 0 };

  if (!vg_image_slide_is_known (self))
    return none;
  if (self->result != NULL)
    return self->result->place;
  if (self->slide->expected)
    return (VgSlidePlace){ { 0, 0 }, 1 };
  return (VgSlidePlace){ { self->slide->info.origin[0], self->slide->info.origin[1] },
                         self->slide->info.downsample };
}

VgPlane
vg_image_slide_part (VgImageView *self)
{
  const VgImageInfo *info = &self->slide->info;
  VgPlane plane = { .width = info->width,
                    .height = info->height,
                    .slices = 1,
                    .pixel_size = { info->pixel_size[0], info->pixel_size[1] } };

  if (self->slide->expected)
    return (VgPlane){ .width = (int) self->slide->width,
                      .height = (int) self->slide->height,
                      .slices = 1 };
  g_strlcpy (plane.unit, info->pixel_unit, sizeof plane.unit);
  return plane;
}

const char *
vg_image_slide_unit (VgImageView *self)
{
  return self->slide != NULL ? self->slide->info.pixel_unit : "";
}

gboolean
vg_image_slide_has_part (VgImageView *self)
{
  return vg_image_slide_is_known (self) && !self->slide->expected;
}

gboolean
vg_image_slide_refuses (VgImageView *self, VgPoint at)
{
  VgPlane part;

  if (!vg_image_slide_has_part (self))
    return FALSE;
  part = vg_image_slide_part (self);
  if (at.x >= 0 && at.y >= 0 && at.x < part.width && at.y < part.height)
    return FALSE;
  g_signal_emit_by_name (self, "outside-part");
  return TRUE;
}

void
vg_image_slide_set_extent (VgImageView *self, const VgSlidePlace *place, VgExtent *extent)
{
  extent->left = -place->origin[0] / place->downsample;
  extent->top = -place->origin[1] / place->downsample;
  extent->right = (self->slide->width - place->origin[0]) / place->downsample;
  extent->bottom = (self->slide->height - place->origin[1]) / place->downsample;
  extent->slide = TRUE;
}

/* The view, which may be of another part, as one of the part at PLACE: the
 * screen shows the same of the slide.  FALSE: it is that already. */
gboolean
vg_image_slide_follow (VgImageView *self, const VgSlidePlace *place)
{
  VgView view = *vg_session_get_view (self->session);
  double scale = view.part_scale / place->downsample;

  if (!(place->downsample > 0) ||
      (view.part_scale == place->downsample && view.part_x == place->origin[0] &&
       view.part_y == place->origin[1]))
    return FALSE;
  if (view.part_scale > 0)
    {
      view.center_x = view.center_x * scale + (view.part_x - place->origin[0]) / place->downsample;
      view.center_y = view.center_y * scale + (view.part_y - place->origin[1]) / place->downsample;
      view.zoom /= scale;
    }
  else
    view.zoom = 0;
  if (view.center_x < -place->origin[0] / place->downsample ||
      view.center_x > (self->slide->width - place->origin[0]) / place->downsample ||
      view.center_y < -place->origin[1] / place->downsample ||
      view.center_y > (self->slide->height - place->origin[1]) / place->downsample)
    view.zoom = 0; /* of another slide */
  view.part_x = place->origin[0];
  view.part_y = place->origin[1];
  view.part_scale = place->downsample;
  vg_session_set_view (self->session, &view);
  return TRUE;
}

/* ---- what is visible ---- */

static VgTileLook
look_of (VgImageView *self, const VgSlidePlace *place)
{
  const VgImageSlide *slide = self->slide;
  double x0, y0, x1, y1;

  vg_view_transform_to_image (&self->transform, 0, 0, &x0, &y0);
  vg_view_transform_to_image (&self->transform, self->viewport.width, self->viewport.height, &x1,
                              &y1);
  return (VgTileLook){ CLAMP (x0 * place->downsample + place->origin[0], 0, slide->width),
                       CLAMP (y0 * place->downsample + place->origin[1], 0, slide->height),
                       CLAMP (x1 * place->downsample + place->origin[0], 0, slide->width),
                       CLAMP (y1 * place->downsample + place->origin[1], 0, slide->height),
                       place->downsample / MIN (self->transform.zoom, self->transform.zoom_y) };
}

void
vg_image_slide_look (VgImageView *self)
{
  VgImageSlide *slide = self->slide;
  VgSlidePlace place = vg_image_slide_place (self);
  g_autoptr (GPtrArray) tiles = NULL;
  VgTileLook look;

  if (slide == NULL)
    return;
  if (!(place.downsample > 0) || !(self->transform.zoom > 0) || self->viewport.width < 1 ||
      self->viewport.height < 1)
    {
      vg_picture_set_tiles (VG_PICTURE (self->picture), NULL);
      slide->look = (VgTileLook){ 0 };
      return;
    }
  look = look_of (self, &place);
  if (!slide->stale && memcmp (&look, &slide->look, sizeof look) == 0)
    return;
  tiles = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_slide_tile_unref);
  vg_tile_cache_look (slide->cache, &look, tiles);
  vg_picture_set_tiles (VG_PICTURE (self->picture), tiles);
  slide->stale = FALSE;
  if (memcmp (&look, &slide->look, sizeof look) == 0)
    return;
  slide->look = look;
  g_signal_emit_by_name (self, "slide-shown");
}

gboolean
vg_image_view_get_shown (VgImageView *self, double *x0, double *y0, double *x1, double *y1)
{
  const VgTileLook *look;

  if (self->slide == NULL || !(self->slide->look.x1 > self->slide->look.x0) ||
      !(self->slide->look.y1 > self->slide->look.y0))
    return FALSE;
  look = &self->slide->look;
  *x0 = look->x0;
  *y0 = look->y0;
  *x1 = look->x1;
  *y1 = look->y1;
  return TRUE;
}
