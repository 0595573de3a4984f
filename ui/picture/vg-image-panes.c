/* SPDX-License-Identifier: MIT */
/* What is drawn where: the present result alone, or with results that are kept beside it, in cells
 * that all have the scene.  The viewport is the cell of the present result; a pointer in another
 * cell is taken to the same place there. */
#include "ui/picture/vg-image-view-private.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/compare/vg-wipe-handle.h"
#include "ui/picture/vg-picture.h"
#include <math.h>

enum { CELL_GAP = 4, NAME_GAP = 8, LENS_PX = 110, LEAST_PX = 48, NAME_LINES = 5 };

/* ---- what there is to show ---- */

gboolean
vg_image_panes_fits (VgImageView *self, const VgResult *result)
{
  const VgPlane *plane = self->result != NULL ? &self->result->plane : NULL;

  return plane != NULL && result != NULL && result->operation == self->result->operation &&
         result->output == self->result->output && result->plane.width == plane->width &&
         result->plane.height == plane->height && result->plane.slices == plane->slices;
}

/* TRUE: the chosen kept result can be shown beside the present one. */
static gboolean
is_comparable (VgImageView *self)
{
  const VgImageBeside *beside = self->beside;

  return self->layer == NULL && self->result != NULL && self->result->plane.data != NULL &&
         self->result->compare == VG_COMPARE_OFF && beside->n > 0 &&
         vg_image_panes_fits (self, beside->results[beside->chosen]);
}

static VgLayout
layout_of (VgImageView *self)
{
  return is_comparable (self) ? (VgLayout) vg_session_get_view (self->session)->layout
                              : VG_LAYOUT_SINGLE;
}

static gboolean
has_lens (VgImageView *self)
{
  return vg_session_get_view (self->session)->lens && self->result != NULL && self->layer == NULL &&
         layout_of (self) == VG_LAYOUT_SINGLE &&
         (is_comparable (self) || self->result->underlay != NULL);
}

static gboolean
is_shown (VgImageView *self, int i)
{
  VgLayout layout = layout_of (self);

  return i < self->beside->n && vg_image_panes_fits (self, self->beside->results[i]) &&
         (layout == VG_LAYOUT_GRID ||
          (i == self->beside->chosen &&
           (layout != VG_LAYOUT_SINGLE || (has_lens (self) && is_comparable (self)))));
}

VgResult *
vg_image_view_get_beside (VgImageView *self)
{
  return layout_of (self) != VG_LAYOUT_SINGLE || (has_lens (self) && is_comparable (self))
             ? self->beside->results[self->beside->chosen]
             : NULL;
}

/* ---- the cells ---- */

static double
aspect_of (VgImageView *self)
{
  double height = (self->extent.bottom - self->extent.top) *
                  (self->extent.aspect > 0 ? self->extent.aspect : 1);

  return height > 0 ? (self->extent.right - self->extent.left) / height : 1;
}

static VgCells
find_cells (VgImageView *self)
{
  VgLayout layout = layout_of (self);
  int n = layout == VG_LAYOUT_SIDE ? 2 : layout == VG_LAYOUT_GRID ? self->beside->n + 1 : 1;
  int bar = n > 1 ? self->beside->bar : 0, foot = n > 1 ? self->beside->foot : 0;

  return vg_cells_fit (n, gtk_widget_get_width (GTK_WIDGET (self)) - bar,
                       MAX (gtk_widget_get_height (GTK_WIDGET (self)) - foot, 1), CELL_GAP,
                       aspect_of (self));
}

/* The upper left corner of cell I; the last is that of the present result. */
static VgPoint
corner_of (VgImageView *self, int i)
{
  int x, y;

  vg_cells_corner (&self->beside->cells, i, &x, &y);
  return (VgPoint){ x, y };
}

int
vg_image_panes_count (VgImageView *self)
{
  return self->beside->cells.n;
}

int
vg_image_view_get_bar (VgImageView *self)
{
  return self->beside->bar;
}

VgPoint
vg_image_panes_corner (VgImageView *self, int i)
{
  return corner_of (self, i < 0 ? self->beside->cells.n - 1 : i);
}

VgPoint
vg_image_panes_enter (VgImageView *self, double x, double y)
{
  int cell = vg_cells_at (&self->beside->cells, x, y);
  VgPoint corner = vg_image_panes_corner (self, cell);

  self->beside->pointed = cell;
  return (VgPoint){ x - corner.x, y - corner.y };
}

/* Cells end above the foot, and a single picture is only fitted there.  In theatre mode, which
 * keeps room at the left, nothing lies below it. */
int
vg_image_panes_get_foot (VgImageView *self)
{
  return self->beside->cells.n == 1 && !(self->free_left > 0) ? self->beside->foot : 0;
}

void
vg_image_panes_set_viewport (VgImageView *self, int bar)
{
  VgImageBeside *beside = self->beside;

  beside->bar = bar;
  beside->cells = find_cells (self);
  self->viewport = (VgViewport){ .width = beside->cells.width,
                                 .height = beside->cells.height,
                                 .scale = gtk_widget_get_scale_factor (GTK_WIDGET (self)),
                                 .margin_right = beside->cells.n > 1 ? 0 : bar };
}

/* ---- names in the corners, and the handle of the wipe ---- */

static void
place_name (VgImageView *self, GtkWidget *label, VgPoint corner, int width, gboolean right)
{
  int least, natural, height;

  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  natural = MAX (MIN (natural, width - 2 * NAME_GAP), least);
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, natural, &height, NULL, NULL, NULL);
  gtk_widget_size_allocate (
      label,
      &(GtkAllocation){ (int) corner.x + (right ? width - NAME_GAP - natural : NAME_GAP),
                        (int) corner.y + self->viewport.margin_top + NAME_GAP, natural, height },
      -1);
}

void
vg_image_panes_allocate (VgImageView *self)
{
  VgImageBeside *beside = self->beside;
  VgLayout layout = layout_of (self);
  int width = self->viewport.width;

  gtk_widget_size_allocate (beside->handle,
                            &(GtkAllocation){ 0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                                              gtk_widget_get_height (GTK_WIDGET (self)) },
                            -1);
  for (int i = 0; i <= VG_IMAGE_MOST_BESIDE; i++)
    {
      int cell = i == 0 ? -1 : layout == VG_LAYOUT_GRID ? i - 1 : 0;

      if (layout == VG_LAYOUT_WIPE || layout == VG_LAYOUT_SINGLE)
        place_name (self, beside->names[i], (VgPoint){ 0, 0 }, width - self->viewport.margin_right,
                    i == 0);
      else if (cell < beside->cells.n)
        place_name (self, beside->names[i], vg_image_panes_corner (self, cell), width, FALSE);
    }
}

/* What is shown of the present result. */
static void
show_first_name (VgImageView *self)
{
  VgCompare compare = self->result != NULL ? self->result->compare : VG_COMPARE_OFF;
  const char *name = compare == VG_COMPARE_DIFFERENCE ? _ ("Now \342\210\222 kept")
                     : compare == VG_COMPARE_RATIO    ? _ ("Now / kept")
                                                      : _ ("Now");
  GtkLabel *label = GTK_LABEL (self->beside->names[0]);

  if (g_strcmp0 (gtk_label_get_text (label), name) != 0)
    gtk_label_set_text (label, name);
}

/* A name that has no room in its side of a wipe is not seen. */
static void
show_names (VgImageView *self)
{
  VgImageBeside *beside = self->beside;
  VgLayout layout = layout_of (self);
  double line = vg_session_get_view (self->session)->wipe * self->viewport.width;
  gboolean wipe = layout == VG_LAYOUT_WIPE,
           arithmetic = self->layer == NULL && self->result != NULL &&
                        self->result->compare >= VG_COMPARE_DIFFERENCE;

  show_first_name (self);
  for (int i = 0; i <= VG_IMAGE_MOST_BESIDE; i++)
    {
      double room = !wipe    ? self->viewport.width
                    : i == 0 ? self->viewport.width - self->viewport.margin_right - line
                             : line;
      gboolean shown = (layout != VG_LAYOUT_SINGLE || (i == 0 && arithmetic)) && room >= LEAST_PX &&
                       (i == 0 ||
                        (layout == VG_LAYOUT_GRID ? i <= beside->n : i - 1 == beside->chosen));

      if (gtk_widget_get_visible (beside->names[i]) != shown)
        gtk_widget_set_visible (beside->names[i], shown);
    }
  if (gtk_widget_get_visible (beside->handle) != wipe)
    gtk_widget_set_visible (beside->handle, wipe);
  if (wipe)
    gtk_range_set_value (GTK_RANGE (beside->handle),
                         100 * vg_session_get_view (self->session)->wipe);
}

static void
on_wiped (VgImageView *self)
{
  VgView view = *vg_session_get_view (self->session);

  view.wipe = gtk_range_get_value (GTK_RANGE (self->beside->handle)) / 100;
  vg_session_set_view (self->session, &view);
}

double
vg_image_view_get_wipe (VgImageView *self)
{
  const VgExtent *extent = &self->extent;
  const double wipe = vg_session_get_view (self->session)->wipe;
  double x, y;

  if (!(self->transform.zoom > 0) || !(extent->right > extent->left))
    return wipe;
  vg_view_transform_to_image (&self->transform, wipe * self->viewport.width, 0, &x, &y);
  /* 0 would be no wipe */
  return CLAMP ((x - extent->left) / (extent->right - extent->left), 1e-9, 1);
}

/* ---- the panes ---- */

/* The scene for a kept result. */
static VgPane
pane_of_kept (const VgPane *pane, const VgResult *result, int i)
{
  VgPane kept = *pane;

  kept.source = 1 + i;
  kept.scene.brightness &= result->brightness.data != NULL;
  kept.scene.selected = 0;
  return kept;
}

static int
add_cells (VgImageView *self, const VgPane *whole, VgPane *panes)
{
  const VgImageBeside *beside = self->beside;
  int scale = self->viewport.scale, n = 0;

  for (int i = 0; i < beside->cells.n; i++)
    {
      VgPoint corner = corner_of (self, i);
      VgPane pane = *whole;
      int k = beside->cells.n == beside->n + 1 && layout_of (self) == VG_LAYOUT_GRID
                  ? i
                  : beside->chosen;

      pane.x = (int) corner.x * scale;
      pane.y = (int) corner.y * scale;
      if (i == beside->cells.n - 1)
        panes[n++] = pane;
      else if (k < beside->n && vg_image_panes_fits (self, beside->results[k]))
        panes[n++] = pane_of_kept (&pane, beside->results[k], k);
    }
  return n;
}

/* A disc about the pointer, or the middle for the keyboard, with the chosen kept result, or else
 * the input. */
static VgPane
find_lens (VgImageView *self, const VgPane *whole)
{
  const VgImageBeside *beside = self->beside;
  int scale = self->viewport.scale, radius = LENS_PX * scale;
  VgPoint middle = { 0.5 * self->viewport.width, 0.5 * self->viewport.height };
  VgPoint at = self->pointer_inside ? self->pointer : middle;
  /* not cut at the edge of the picture, so that it stays round */
  VgPane lens = *whole;

  lens.x = (int) (at.x * scale) - radius;
  lens.y = (int) (at.y * scale) - radius;
  lens.width = lens.height = 2 * radius;
  lens.round = TRUE;
  vg_pane_to_image (whole, at.x * scale, at.y * scale, &lens.scene.center_x, &lens.scene.center_y);
  if (is_comparable (self))
    return pane_of_kept (&lens, beside->results[beside->chosen], beside->chosen);
  lens.scene.underlay = TRUE;
  lens.scene.opacity = 0;
  lens.scene.n_isolines = 0;
  lens.scene.outlines = lens.scene.brightness = FALSE;
  return lens;
}

gboolean
vg_image_panes_hold_lens (VgImageView *self, gboolean held)
{
  VgView view = *vg_session_get_view (self->session);

  if (held)
    view.beside = self->beside->n > 0 ? VG_BESIDE_KEPT : VG_BESIDE_INPUT;
  view.lens = held;
  vg_session_set_view (self->session, &view);
  return TRUE;
}

static void
show_sources (VgImageView *self)
{
  int slice = self->scene.mosaic.slices > 0 ? VG_PICTURE_ALL_SLICES : self->slice;

  for (int i = 0; i < VG_IMAGE_MOST_BESIDE; i++)
    vg_picture_show (VG_PICTURE (self->picture), 1 + i,
                     is_shown (self, i) ? self->beside->results[i] : NULL, slice);
}

gboolean
vg_image_panes_keep_margins (VgImageView *self)
{
  return self->layer == NULL && self->fit.right > self->fit.left && self->beside->cells.n == 1 &&
         !(vg_session_get_view (self->session)->zoom > 0);
}

/* A part of the map that is fitted leaves the margins free, into which the rest would reach. */
static void
keep_margins (VgImageView *self, VgPane *pane)
{
  const VgViewport *viewport = &self->viewport;
  int scale = viewport->scale, left = viewport->margin_left * scale,
      top = viewport->margin_top * scale,
      width = viewport->width * scale - left - viewport->margin_right * scale,
      height = viewport->height * scale - top - viewport->margin_bottom * scale;

  if (vg_image_panes_keep_margins (self) && width > 0 && height > 0)
    *pane = vg_pane_cut (pane, pane->x + left, pane->y + top, width, height);
}

void
vg_image_panes_update (VgImageView *self)
{
  const VgViewport *viewport = &self->viewport;
  VgPane whole = vg_pane_of (&self->scene, viewport->width * viewport->scale,
                             viewport->height * viewport->scale),
         panes[VG_IMAGE_MOST_BESIDE + 2] = { whole };
  VgCells cells = find_cells (self);
  int n = 1;

  keep_margins (self, &panes[0]);
  if (cells.n != self->beside->cells.n || cells.columns != self->beside->cells.columns)
    gtk_widget_queue_allocate (GTK_WIDGET (self)); /* and this is called again */
  if (layout_of (self) == VG_LAYOUT_WIPE)
    {
      vg_panes_wipe (panes, &whole, 1 + self->beside->chosen,
                     vg_session_get_view (self->session)->wipe, FALSE);
      panes[0] = pane_of_kept (&panes[0], self->beside->results[self->beside->chosen],
                               self->beside->chosen);
      n = 2;
    }
  else if (self->beside->cells.n > 1)
    n = add_cells (self, &whole, panes);
  else if (has_lens (self))
    panes[n++] = find_lens (self, &whole);
  show_sources (self);
  vg_picture_set_panes (VG_PICTURE (self->picture), panes, n);
  show_names (self);
}

/* ---- the results beside ---- */

void
vg_image_view_set_beside (VgImageView *self, VgResult *const *results, const char *const *names,
                          int n, int chosen)
{
  VgImageBeside *beside = self->beside;
  gboolean same = beside->n == n && beside->chosen == chosen;

  g_return_if_fail (n >= 0 && n <= VG_IMAGE_MOST_BESIDE && (n == 0 || chosen < n));

  for (int i = 0; i < VG_IMAGE_MOST_BESIDE; i++)
    {
      VgResult *result = i < n ? results[i] : NULL;

      if (i < n && g_strcmp0 (gtk_label_get_text (GTK_LABEL (beside->names[1 + i])), names[i]) != 0)
        gtk_label_set_text (GTK_LABEL (beside->names[1 + i]), names[i]);
      if (result == beside->results[i])
        continue;
      same = FALSE;
      if (result != NULL)
        vg_result_ref (result);
      g_clear_pointer (&beside->results[i], vg_result_unref);
      beside->results[i] = result;
    }
  beside->n = n;
  beside->chosen = chosen;
  if (!same)
    vg_image_panes_update (self);
}

void
vg_image_view_set_foot (VgImageView *self, int foot)
{
  if (self->beside->foot == foot)
    return;
  self->beside->foot = foot;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

VgImageBeside *
vg_image_beside_new (VgImageView *view)
{
  VgImageBeside *self = g_new0 (VgImageBeside, 1);

  self->cells = (VgCells){ .n = 1, .columns = 1 };
  self->pointed = -1;
  self->handle = vg_wipe_handle_new ();
  gtk_widget_set_visible (self->handle, FALSE);
  vg_connect (self->handle, "value-changed", on_wiped, view);
  for (int i = 0; i <= VG_IMAGE_MOST_BESIDE; i++)
    {
      self->names[i] = vg_label_new (i == 0 ? _ ("Now") : "", "vg-pane-name");
      g_object_set (self->names[i], "wrap", TRUE, "lines", NAME_LINES, NULL);
      gtk_widget_set_can_target (self->names[i], FALSE);
      gtk_widget_set_visible (self->names[i], FALSE);
    }
  return self;
}

void
vg_image_beside_free (VgImageBeside *self)
{
  for (int i = 0; i < VG_IMAGE_MOST_BESIDE; i++)
    g_clear_pointer (&self->results[i], vg_result_unref);
  g_free (self);
}

void
vg_image_panes_add_layers (VgImageView *self)
{
  for (int i = 0; i <= VG_IMAGE_MOST_BESIDE; i++)
    gtk_widget_set_parent (self->beside->names[i], GTK_WIDGET (self));
  gtk_widget_set_parent (self->beside->handle, GTK_WIDGET (self));
}
