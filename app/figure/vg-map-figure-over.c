/* SPDX-License-Identifier: MIT */
/* What lies over the picture of a figure: regions, names of layers, sides of the patient, and the
 * scale bar. */
#include "app/figure/vg-map-figure-private.h"
#include <math.h>
#include <string.h>
#include "app/figure/vg-ticks.h"

#define SEAM 1.8 /* width of the dark line under that of a region */
#define LINE 0.9
#define THICK 2.0 /* height of the scale bar */

enum { ROUND = 64 }; /* points of an ellipse */

static void
place (const VgMapLayout *self, double x, double y, double at[2])
{
  const VgMapPicture *picture = self->picture;
  double pixel[2];

  vg_map_picture_place (picture, self->view, x, y, pixel);
  at[0] = self->left + CLAMP (pixel[0] / picture->width, 0, 1) * self->width;
  at[1] = self->top + CLAMP (pixel[1] / picture->height, 0, 1) * self->height;
}

/* The corners of REGION on the page; returns their number. */
static int
list_points (const VgMapLayout *self, const VgRegion *region, double *points)
{
  const double *x = region->x, *y = region->y;
  int n = region->n_points;

  switch (region->kind)
    {
    case VG_REGION_RECTANGLE:
      place (self, x[0], y[0], points);
      place (self, x[1], y[0], points + 2);
      place (self, x[1], y[1], points + 4);
      place (self, x[0], y[1], points + 6);
      return 4;
    case VG_REGION_ELLIPSE:
      for (int i = 0; i < ROUND; i++)
        place (self, x[0] + x[1] * cos (2 * G_PI * i / ROUND),
               y[0] + y[1] * sin (2 * G_PI * i / ROUND), points + 2 * i);
      return ROUND;
    case VG_REGION_POLYGON:
      for (int i = 0; i < n; i++)
        place (self, x[i], y[i], points + 2 * i);
      return n;
    case VG_REGION_NONE:
      break;
    }
  return 0;
}

static void
add_region (const VgMapLayout *self, const VgNamedRegion *named)
{
  double points[2 * VG_REGION_MAX_POINTS], corner[2] = { G_MAXDOUBLE, G_MAXDOUBLE };
  int n = list_points (self, &named->region, points);
  gint32 color = named->rgb[0] << 16 | named->rgb[1] << 8 | named->rgb[2];

  if (n == 0)
    return;
  vg_figure_add_path (
      self->figure, points, n,
      &(VgFigureStyle){ .fill = -1, .stroke = VG_MAP_FIGURE_BLACK, .width = SEAM, .closed = TRUE });
  vg_figure_add_path (self->figure, points, n,
                      &(VgFigureStyle){ .fill = -1,
                                        .stroke = color != 0 ? color : VG_MAP_FIGURE_WHITE,
                                        .width = LINE,
                                        .closed = TRUE });
  for (int i = 0; i < n; i++)
    {
      corner[0] = MIN (corner[0], points[2 * i]);
      corner[1] = MIN (corner[1], points[2 * i + 1]);
    }
  if (named->name != NULL && *named->name != '\0')
    vg_map_layout_add_panel (self, named->name, corner[0], corner[1] - VG_MAP_FIGURE_FONT - 4);
}

void
vg_map_layout_add_regions (const VgMapLayout *self)
{
  const VgNamedRegion *const *regions = self->spec->regions;

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    if (vg_region_is_in_slice (&regions[i]->region, self->view->slice))
      add_region (self, regions[i]);
}

void
vg_map_layout_add_sides (const VgMapLayout *self)
{
  const VgOrientation *orientation = self->view->orientation;

  if (orientation == NULL || !orientation->known)
    return;
  for (int axis = 0; axis < 2; axis++)
    for (int end = 0; end < 2; end++)
      {
        int stored = orientation->swapped ? 1 - axis : axis;
        const char text[2] = {
          orientation->ends[stored][orientation->turned[stored] ? 1 - end : end], '\0'
        };

        vg_map_layout_add_panel (
            self, text, self->left + (axis == 0 ? end * self->width : self->width / 2 - 4),
            self->top + (axis == 1 ? end * self->height : self->height / 2 - 5));
      }
}

/* Of lines across the picture, each below its line; only the first word where the next is near. */
void
vg_map_layout_add_names (const VgMapLayout *self)
{
  const VgOverlay *overlay = self->view->overlay;
  const VgPlane *plane = self->view->plane;
  double last = -G_MAXDOUBLE;

  for (guint i = 0; overlay != NULL && i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      double at[2];

      if (item->kind != VG_OVERLAY_LINE || item->label == NULL || item->y[0] != item->y[1] ||
          plane->pixel_size[1] == 0)
        continue;
      place (self, 0, vg_plane_image_point (plane, 1, item->y[0]), at);
      if (at[1] < last + VG_MAP_FIGURE_FONT + 3 || at[1] >= self->top + self->height)
        continue;
      last = at[1];
      vg_map_layout_add_panel (self, item->label, self->left, at[1] + 0.5);
    }
}

static gboolean
is_length (const char *unit)
{
  static const char *const lengths[] = { "nm", "µm", "mm", "cm", "m", NULL };

  return g_strv_contains (lengths, unit);
}

void
vg_map_layout_add_scale_bar (const VgMapLayout *self)
{
  const VgPlane *plane = self->view->plane;
  gboolean swapped = self->view->orientation != NULL && self->view->orientation->swapped;
  double pixel = fabs (plane->pixel_size[swapped]), per_unit, length, width, x, y;
  g_autofree char *text = NULL;

  if (!(pixel > 0) || !is_length (plane->unit) || !self->true_proportions ||
      vg_map_layout_has_axes (self))
    return;
  per_unit = self->width / (self->picture->width / self->picture->per_sample[0] * pixel);
  length = vg_ticks_round_down (0.3 * self->width / per_unit);
  text = vg_ticks_describe_length (length, plane->unit);
  width = MAX (length * per_unit, vg_figure_measure (text, VG_MAP_FIGURE_FONT, FALSE)) + 6;
  x = self->left + 4;
  y = self->top + self->height - 4 - THICK - VG_MAP_FIGURE_FONT - 6;
  vg_figure_add_box (self->figure, x, y, width, THICK + VG_MAP_FIGURE_FONT + 6,
                     &(VgFigureStyle){ .fill = VG_MAP_FIGURE_BLACK, .stroke = -1, .opacity = 0.6 });
  vg_figure_add_text (self->figure, text, x + 3, y + VG_MAP_FIGURE_FONT, VG_MAP_FIGURE_FONT,
                      VG_FIGURE_LEFT, FALSE, VG_MAP_FIGURE_WHITE);
  vg_figure_add_box (self->figure, x + 3, y + VG_MAP_FIGURE_FONT + 3, length * per_unit, THICK,
                     &(VgFigureStyle){ .fill = VG_MAP_FIGURE_WHITE, .stroke = -1, .opacity = 1 });
}
