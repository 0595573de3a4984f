/* SPDX-License-Identifier: MIT */
/* From the session's view and the newest result follow the transform, the
 * scene and the bars.  Everything is derived in vg_image_scene_update(), which
 * is cheap and draws nothing by itself. */
#include "ui/picture/vg-image-view-private.h"
#include <math.h>
#include "ui/words/vg-translation.h"
#include "ui/layers/vg-color-bar.h"
#include "ui/layers/vg-outline-legend.h"
#include "app/session/vg-display.h"
#include "ui/picture/vg-picture.h"
#include "ui/picture/vg-point-layer.h"
#include "ui/picture/vg-region-layer.h"
#include "ui/picture/vg-stack-layer.h"
#include "ui/layers/vg-tint-layer.h"
#include "ui/annotate/vg-annotation-layer.h"
#include "ui/correct/vg-stroke-layer.h"
#include "ui/ruler/vg-ruler-layer.h"
#include "ui/layers/vg-scale-bar.h"
#include "app/compute/vg-steady-limits.h"

enum { BAR_INTERVAL_MS = 120 };

static const VgOutput *
shown_output (VgImageView *self)
{
  return vg_session_get_output (self->session);
}

/* A result of the output chosen before keeps its own colours until it is
 * replaced. */
static void
update_coloring (VgImageView *self)
{
  const VgView *view = vg_session_get_view (self->session);
  const VgDisplay *display = vg_session_get_display (self->session);
  const double *limits = self->result->brightness_limits;

  self->scene.brightness &= self->result->brightness.data != NULL;
  self->scene.underlay = display->underlay && self->result->underlay != NULL;
  /* seen closer than the part's own level: the slide has finer pixels */
  self->scene.see_through = self->scene.place.downsample > 1 && self->scene.zoom > 1;
  self->scene.opacity = display->opacity;
  if (self->result->output != view->output || (int) self->result->compare != view->compare)
    return;
  vg_steady_limits_get_coloring (vg_steady_limits_of (self->session), display, shown_output (self),
                                 view->compare, &self->result->statistics, &self->scene.coloring);
  self->scene.brightness = display->brightness && self->result->brightness.data != NULL &&
                           limits[1] > limits[0];
  self->scene.brightness_low = limits[0];
  self->scene.brightness_high = limits[1];
  self->scene.skip_zero = shown_output (self)->kind == VG_OUTPUT_LABELS;
  self->scene.n_isolines = vg_display_get_levels (display, &self->scene.coloring,
                                                  self->scene.isolines);
  self->scene.n_isolines = vg_display_drop_noise (display, self->result->noise,
                                                  self->scene.isolines, self->scene.n_isolines);
}

void
vg_image_scene_update_bar (VgImageView *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgOutput *output = shown_output (self);
  int light = self->scene.brightness && output != NULL
                  ? vg_operation_find_role (operation, VG_ROLE_BRIGHTNESS, output->id)
                  : -1;
  VgColorBarContent content = {
    .coloring = self->scene.coloring,
    .fixed = !vg_session_get_display (self->session)->auto_limits,
    .names = output != NULL ? output->hints.categories : NULL,
    .unit = output != NULL && output->unit != NULL ? output->unit : "",
    .dimmed_by = light >= 0 ? vg_translate (operation->outputs[light].label) : NULL,
    .opacity = self->scene.underlay ? self->scene.opacity : 1,
  };
  int bar;

  g_clear_handle_id (&self->bar_timeout, g_source_remove);
  if (self->result == NULL)
    return;
  bar = vg_display_get_bar (output, &self->scene.coloring, &self->result->statistics);
  gtk_widget_set_visible (self->color_bar, bar != VG_DISPLAY_NO_BAR && !self->result->input_only &&
                                               self->layer == NULL);
  content.labels = MAX (bar, 0);
  if (bar > 0)
    vg_display_get_shares (&self->result->statistics, content.shares);
  vg_color_bar_set (VG_COLOR_BAR (self->color_bar), &content);
}

static gboolean
on_bar_timeout (gpointer data)
{
  VgImageView *self = data;

  self->bar_timeout = 0;
  vg_image_scene_update_bar (self);
  vg_image_marks_update_labels (self);
  return G_SOURCE_REMOVE;
}

static void
update_scale_bar (VgImageView *self, const VgPlane *plane)
{
  double zoom = self->transform.zoom / self->transform.scale,
         size = plane->pixel_size[self->scene.swapped];

  if (self->slide != NULL && self->slide->expected) /* its pixel size is not known yet */
    vg_scale_bar_set (VG_SCALE_BAR (self->scale_bar), 0, "");
  else if (size > 0)
    vg_scale_bar_set (VG_SCALE_BAR (self->scale_bar), zoom / size,
                      *plane->unit == '\0' ? vg_image_slide_unit (self) : plane->unit);
  else
    vg_scale_bar_set (VG_SCALE_BAR (self->scale_bar), zoom, "px");
}

/* A mosaic's columns are chosen while it is fitted, and stay while it is zoomed. */
static void
update_mosaic (VgImageView *self, const VgPlane *plane, const VgView *view)
{
  const VgViewport *viewport = &self->viewport;
  VgMosaic *mosaic = &self->scene.mosaic;
  VgPlane seen = *plane;
  double width = viewport->width - viewport->margin_right, height = viewport->height;

  self->extent = self->tile_extent;
  if (self->scene.swapped)
    {
      seen.width = plane->height;
      seen.height = plane->width;
      self->extent.right = self->tile_extent.bottom;
      self->extent.bottom = self->tile_extent.right;
      self->extent.aspect = 1 / (self->tile_extent.aspect > 0 ? self->tile_extent.aspect : 1);
    }
  if (!view->mosaic || plane->slices < 2 || plane->mirrored)
    *mosaic = (VgMosaic){ 0 };
  else if (!(view->zoom > 0) || mosaic->slices != plane->slices || mosaic->width != seen.width ||
           mosaic->height != seen.height)
    vg_mosaic_init (mosaic, &seen, MAX (width, 16), MAX (height, 16), self->extent.aspect);
  if (mosaic->slices == 0)
    return;
  self->extent.right = vg_mosaic_width (mosaic);
  self->extent.bottom = vg_mosaic_height (mosaic);
}

static void
update_tile (VgImageView *self)
{
  double x, y;

  vg_mosaic_corner (&self->scene.mosaic, self->slice, &x, &y);
  self->tile = self->transform;
  self->tile.origin_x += x * self->transform.zoom;
  self->tile.origin_y += y * self->transform.zoom_y;
  self->tile.swapped = self->scene.swapped;
  if (self->scene.turned[0])
    self->tile.turn_x = self->tile_extent.right;
  if (self->scene.turned[1])
    self->tile.turn_y = self->tile_extent.bottom;
}

/* Volumes are seen as radiologists do. */
static void
update_turned (VgImageView *self, const VgView *view)
{
  self->scene.swapped = self->result != NULL && !view->as_stored &&
                        self->result->orientation.swapped;
  for (int axis = 0; axis < 2; axis++)
    self->scene.turned[axis] = self->result != NULL && !view->as_stored &&
                               self->result->orientation.turned[axis];
}

/* What the overlay wants a fit to show, as it was for the first map of these bins: an edit of the
 * settings does not move the map. */
static void
remember_fit (VgImageView *self, const VgPlane *plane, const VgOverlay *overlay)
{
  const double bins[4] = { plane->width, plane->height, plane->pixel_size[0],
                           plane->pixel_size[1] };

  if (overlay != NULL && memcmp (bins, self->fit_bins, sizeof bins) == 0)
    return;
  self->fits_all = FALSE;
  for (int i = 0; i < 2; i++)
    self->fit_to[i] = overlay != NULL ? overlay->fit[i] : 0;
  memcpy (self->fit_bins, bins, sizeof bins);
}

/* A map of which only a small part has something to see is fitted to that part, unless the user has
 * asked for all of it.  A plot has a fit of its own. */
static void
update_fit (VgImageView *self, const VgPlane *plane)
{
  const double gain = 1.5; /* what is less is not worth the change */
  VgExtent fit = self->extent;

  if (self->layer != NULL)
    return;
  remember_fit (self, plane, self->result != NULL ? self->result->overlay : NULL);
  self->fit = (VgExtent){ 0 };
  if (!(self->fit_to[0] > 0 && plane->pixel_size[0] > 0 && plane->pixel_size[1] > 0) ||
      self->fits_all || plane->slices > 1)
    return;
  fit.right = MIN (fit.right, vg_plane_image_point (plane, 0, self->fit_to[0]));
  fit.left = MAX (fit.left, vg_plane_image_point (plane, 0, -self->fit_to[0]));
  fit.bottom = MIN (fit.bottom, vg_plane_image_point (plane, 1, self->fit_to[1]));
  if (fit.right > fit.left && fit.bottom > fit.top &&
      vg_viewport_fit_zoom (&self->viewport, &fit) >
          gain * vg_viewport_fit_zoom (&self->viewport, &self->extent))
    self->fit = fit;
}

/* What is shown, where it lies, how large it is. */
static void
update_transform (VgImageView *self, const VgPlane *plane, const VgSlidePlace *place,
                  const VgView *view)
{
  VgScene *scene = &self->scene;
  VgView fitted = *view;

  self->tile_extent = vg_extent_of_plane (plane);
  if (view->proportions)
    vg_extent_set_proportions (&self->tile_extent, plane);
  update_turned (self, view);
  update_mosaic (self, plane, view);
  if (place->downsample > 0)
    vg_image_slide_set_extent (self, place, &self->extent);
  self->slice = CLAMP (view->slice, 0, MAX (plane->slices, 1) - 1);
  vg_image_marks_set_margins (self);
  update_fit (self, plane);
  if (!(fitted.zoom > 0) && self->fit.right > self->fit.left)
    vg_view_show_area (&fitted, &self->fit, &self->viewport);
  vg_view_transform_init (&self->transform, &fitted, &self->extent, &self->viewport);
  update_tile (self);
  update_scale_bar (self, plane);
  vg_region_drawing_set_extent (
      self->drawing, place->downsample > 0 ? &self->extent : &self->tile_extent, self->slice);
  vg_point_drawing_set_extent (self->points, &self->tile_extent);
  scene->smooth = view->smooth;
  scene->outlines = view->outlines;
  scene->outline_width = view->outline_width * self->transform.scale;
  scene->zoom = self->transform.zoom;
  scene->aspect = self->extent.aspect;
  scene->place = *place;
  scene->center_x = (0.5 * self->viewport.width * self->viewport.scale - self->transform.origin_x) /
                    scene->zoom;
  scene->center_y = (0.5 * self->viewport.height * self->viewport.scale -
                     self->transform.origin_y) /
                    self->transform.zoom_y;
}

void
vg_image_scene_update (VgImageView *self)
{
  VgScene *scene = &self->scene;
  VgSlidePlace place = vg_image_slide_place (self);
  VgPlane plane = { 0 };

  if (vg_image_slide_follow (self, &place))
    return; /* the view has changed, and all has been updated by that */
  if (!vg_image_view_has_picture (self))
    {
      scene->zoom = 0;
      self->transform.zoom = self->tile.zoom = 0;
      vg_picture_show (VG_PICTURE (self->picture), 0, NULL, 0);
    }
  else
    {
      plane = self->result != NULL ? self->result->plane : vg_image_slide_part (self);
      update_transform (self, &plane, &place, vg_session_get_view (self->session));
      if (self->result != NULL)
        update_coloring (self);
      vg_picture_show (VG_PICTURE (self->picture), 0, self->result,
                       scene->mosaic.slices > 0 ? VG_PICTURE_ALL_SLICES : self->slice);
    }
  vg_image_panes_update (self);
  vg_image_slide_look (self);
  vg_image_marks_update (self);
  vg_region_layer_set_transform (VG_REGION_LAYER (self->regions), &self->transform, &self->tile,
                                 self->slice, &scene->mosaic);
  vg_region_layer_set_part (
      VG_REGION_LAYER (self->regions),
      place.downsample > 0 && vg_image_slide_has_part (self) ? &self->tile_extent : NULL);
  vg_point_layer_set_transform (VG_POINT_LAYER (self->point_layer), &self->tile);
  vg_stack_layer_set_plane (VG_STACK_LAYER (self->stack),
                            self->result != NULL && self->layer == NULL &&
                                    scene->mosaic.slices == 0 && !(place.downsample > 0)
                                ? &plane
                                : NULL,
                            &self->tile);
  vg_ruler_layer_set_plane (VG_RULER_LAYER (self->ruler),
                            vg_image_view_has_picture (self) ? &plane : NULL, &self->tile);
  vg_stroke_layer_set_plane (VG_STROKE_LAYER (self->strokes),
                             vg_image_view_has_picture (self) ? &plane : NULL, &self->tile);
  vg_annotation_layer_set_plane (VG_ANNOTATION_LAYER (self->annotations),
                                 vg_image_view_has_picture (self) && self->layer == NULL ? &plane
                                                                                         : NULL,
                                 &self->tile, self->slice);
  vg_tint_layer_set_plane (VG_TINT_LAYER (self->tint),
                           vg_image_view_has_picture (self) ? &plane : NULL, &self->tile);
  if (self->layer != NULL)
    gtk_widget_queue_draw (self->layer);
}

void
vg_image_scene_update_all (VgImageView *self)
{
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  vg_image_scene_update (self);
  vg_image_scene_queue_bars (self);
}

void
vg_image_view_set_fit (VgImageView *self, const VgExtent *area)
{
  self->fit = *area;
  self->fit.aspect = self->extent.aspect;
  vg_image_scene_update (self);
}

void
vg_image_view_set_free (VgImageView *self, double left, int bottom)
{
  self->free_left = left;
  self->free_bottom = bottom;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  vg_image_scene_update (self);
}

/* The bar and the labels follow a little later: they need not keep up with
 * every result. */
void
vg_image_scene_queue_bars (VgImageView *self)
{
  if (self->bar_timeout == 0)
    self->bar_timeout = g_timeout_add (BAR_INTERVAL_MS, on_bar_timeout, self);
}

void
vg_image_view_show (VgImageView *self, VgResult *result)
{
  gboolean had_bars, had_result;

  had_bars = vg_image_view_has_bars (self);
  had_result = self->result != NULL;
  if (result != NULL)
    vg_result_ref (result);
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
  vg_outline_legend_set (VG_OUTLINE_LEGEND (self->legend),
                         result != NULL ? &result->outlines : NULL,
                         result != NULL ? &result->second_outlines : NULL);
  if (vg_image_view_has_bars (self) != had_bars || (result != NULL) != had_result)
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  vg_image_scene_update (self);
  if (!had_result)
    vg_image_scene_update_bar (self);
  vg_image_scene_queue_bars (self);
  if (self->pointer_inside || gtk_widget_has_visible_focus (GTK_WIDGET (self)))
    vg_image_view_queue_probe (self);
}
