/* SPDX-License-Identifier: MIT */
/* What the image view draws over and beside the picture: room for the axes,
 * what the layer is given, where isolines get their values. */
#include <string.h>
#include "ui/layers/vg-axes-layer.h"
#include "ui/words/vg-translation.h"
#include "app/session/vg-display.h"
#include "ui/picture/vg-image-view-private.h"
#include "ui/layers/vg-isoline-labels.h"

enum { LABEL_WIDTH = 44, LABEL_HEIGHT = 18 };

G_STATIC_ASSERT (G_N_ELEMENTS (((VgScene *) NULL)->isolines) == VG_DISPLAY_LEVELS);

/* A scale bar takes their place where the left of the image is kept free, which is for people who
 * stand too far away to read axes. */
static gboolean
has_axes (VgImageView *self)
{
  return vg_image_view_has_bars (self) && self->result != NULL && !(self->free_left > 0) &&
         !(self->result->place.downsample > 0) && self->scene.mosaic.slices == 0 &&
         vg_session_get_view (self->session)->axes && self->result->plane.pixel_size[0] != 0 &&
         self->result->plane.pixel_size[1] != 0;
}

static gboolean
has_arrows (VgImageView *self)
{
  const VgOverlay *overlay = self->result != NULL && vg_image_view_has_bars (self) &&
                                     vg_session_get_view (self->session)->overlay
                                 ? self->result->overlay
                                 : NULL;

  for (guint i = 0; overlay != NULL && i < overlay->items->len; i++)
    if (g_array_index (overlay->items, VgOverlayItem, i).kind == VG_OVERLAY_ARROW)
      return TRUE;
  return FALSE;
}

/* What the fitted image does not need goes to the left. */
static void
keep_left_free (VgImageView *self)
{
  VgViewport *viewport = &self->viewport;
  double image = vg_viewport_fit_zoom (viewport, &self->extent) *
                 (self->extent.right - self->extent.left) / viewport->scale,
         spare = viewport->width - viewport->margin_left - viewport->margin_right - image;

  viewport->margin_left += (int) CLAMP (self->free_left * viewport->height, 0, MAX (spare, 0));
}

/* Axes and arrows find room beside a fitted picture, and kept results below it. */
void
vg_image_marks_set_margins (VgImageView *self)
{
  gboolean axes = has_axes (self);
  VgAxesRoom room = vg_axes_room (self->axes);

  self->viewport.margin_left = axes ? room.left : 0;
  self->viewport.margin_bottom = (axes ? room.bottom : 0) + vg_image_panes_get_foot (self);
  self->viewport.margin_top = has_arrows (self) ? room.arrows : 0;
  if (self->free_left > 0)
    keep_left_free (self);
  if (vg_image_view_has_bars (self) && !axes && !gtk_widget_get_child_visible (self->scale_bar))
    /* it has had no place while it was not there */
    gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_set_child_visible (self->scale_bar, vg_image_view_has_bars (self) && !axes);
}

const char vg_image_view_keys[] = N_ (
    "Arrows pan, plus and minus zoom, 1 shows true pixels, F fits, Enter draws with the chosen "
    "tool, N selects the next region or point, Control and arrows move it, Delete removes it");

/* What is drawn has no accessible of its own: a picture has no children there. */
static void
describe_marks (VgImageView *self, const VgAxes *axes, const VgOverlay *overlay)
{
  g_autofree char *marks = vg_axes_describe (axes, overlay);
  g_autofree char *text = g_strconcat (marks, ". ", _ (vg_image_view_keys), NULL);

  if (self->layer != NULL || g_strcmp0 (marks, self->marks) == 0)
    return;
  g_free (self->marks);
  self->marks = g_steal_pointer (&marks);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

/* In the upper left corner of each tile that has room for it. */
static void
number_tiles (VgImageView *self)
{
  const VgMosaic *mosaic = &self->scene.mosaic;
  double zoom = self->transform.zoom / self->transform.scale,
         zoom_y = self->transform.zoom_y / self->transform.scale;
  gboolean room = mosaic->width * zoom >= LABEL_WIDTH &&
                  mosaic->height * zoom_y >= 2 * LABEL_HEIGHT;
  g_autofree VgAxesLabel *labels = g_new0 (VgAxesLabel, mosaic->slices);

  for (int i = 0; room && i < mosaic->slices; i++)
    {
      vg_mosaic_corner (mosaic, i, &labels[i].x, &labels[i].y);
      labels[i].x += 0.4 * LABEL_WIDTH / zoom;
      labels[i].y += 0.7 * LABEL_HEIGHT / zoom_y;
      g_snprintf (labels[i].text, sizeof labels[i].text, "%d", i + 1);
    }
  vg_axes_layer_set_labels (VG_AXES_LAYER (self->axes), labels, room ? (guint) mosaic->slices : 0);
}

static void
set_sides (VgImageView *self, VgAxes *axes)
{
  const VgOrientation *orientation = &self->result->orientation;

  axes->unknown_sides = self->result->volume && !orientation->known;
  for (int axis = 0; axis < 2; axis++)
    for (int end = 0; end < 2 && self->result->volume; end++)
      {
        int stored = self->scene.swapped ? 1 - axis : axis;

        axes->sides[axis][end] =
            orientation->ends[stored][self->scene.turned[stored] ? 1 - end : end];
      }
}

/* Where a part of the map is fitted, its axes and lines end with it. */
static void
keep_margins (VgImageView *self, VgExtent *extent)
{
  const VgViewport *viewport = &self->viewport;
  VgPoint first, last;

  if (!vg_image_panes_keep_margins (self))
    return;
  first = vg_image_view_to_image (self, (VgPoint){ viewport->margin_left, viewport->margin_top });
  last = vg_image_view_to_image (self, (VgPoint){ viewport->width - viewport->margin_right,
                                                  viewport->height - viewport->margin_bottom });
  extent->left = MAX (extent->left, first.x);
  extent->right = MIN (extent->right, last.x);
  extent->bottom = MIN (extent->bottom, last.y);
}

void
vg_image_marks_update (VgImageView *self)
{
  const VgView *view = vg_session_get_view (self->session);
  const VgOutput *output = vg_session_get_output (self->session);
  const VgOverlay *overlay = self->result != NULL ? self->result->overlay : NULL;
  VgAxes axes;

  memset (&axes, 0, sizeof axes); /* compared byte by byte */
  if (self->result != NULL)
    {
      axes.transform = self->scene.mosaic.slices > 0 ? self->transform : self->tile;
      axes.extent = self->scene.swapped && self->scene.mosaic.slices == 0 ? self->tile_extent
                                                                          : self->extent;
      keep_margins (self, &axes.extent);
      axes.plane = self->result->plane;
      axes.mosaic = self->scene.mosaic;
      axes.plane.data = NULL;
      axes.plane.stream = NULL;
      axes.axes = has_axes (self);
      axes.overlay = view->overlay && axes.plane.pixel_size[0] != 0 &&
                     axes.plane.pixel_size[1] != 0;
      axes.names[0] = output->hints.axes[0];
      axes.names[1] = output->hints.axes[1];
      axes.length = view->length_unit;
      set_sides (self, &axes);
    }
  vg_axes_layer_set (VG_AXES_LAYER (self->axes), &axes, overlay);
  if (self->result != NULL && self->scene.mosaic.slices > 0)
    number_tiles (self);
  else if (self->numbered)
    vg_axes_layer_set_labels (VG_AXES_LAYER (self->axes), NULL, 0);
  self->numbered = self->result != NULL && self->scene.mosaic.slices > 0;
  describe_marks (self, &axes, overlay);
}

void
vg_image_marks_update_labels (VgImageView *self)
{
  VgAxesLabel labels[G_N_ELEMENTS (self->scene.isolines)];
  double zoom = self->transform.zoom / self->transform.scale;
  VgIsolineSearch search = { self->scene.isolines, self->scene.n_isolines,
                             self->scene.coloring.log_scale, self->extent };
  VgPoint first = vg_image_view_to_image (self, (VgPoint){ self->viewport.margin_left, 0 });
  VgPoint last = vg_image_view_to_image (
      self, (VgPoint){ self->viewport.width - self->viewport.margin_right,
                       self->viewport.height - self->viewport.margin_bottom });
  guint n = 0;

  if (self->scene.mosaic.slices > 0)
    return; /* the tiles have numbers in their place */
  search.left = MAX (MIN (first.x, last.x), self->extent.left);
  search.top = MAX (MIN (first.y, last.y), 0);
  search.right = MIN (MAX (first.x, last.x), self->extent.right);
  search.bottom = MIN (MAX (first.y, last.y), self->extent.bottom);
  search.width = LABEL_WIDTH / zoom;
  search.height = LABEL_HEIGHT * self->transform.scale / self->transform.zoom_y;
  if (self->result != NULL && vg_image_view_has_bars (self))
    n = vg_isoline_labels_find (&search, self->result, self->slice, labels);
  vg_axes_layer_set_labels (VG_AXES_LAYER (self->axes), labels, n);
}
