/* SPDX-License-Identifier: MIT */
#include "app/figure/vg-map-figure-private.h"
#include <math.h>
#include <string.h>

#define MARGIN 3.0
#define HEADING 13.0 /* height of the line with title and unit */
#define TITLE_SIZE 8.0
#define GAP 6.0      /* between picture and legend */
#define TALLEST 1.6  /* height of a picture over the width of the figure */
#define THINNEST 0.1 /* the same */

void
vg_map_layout_add_panel (const VgMapLayout *self, const char *text, double x, double y)
{
  double width = vg_figure_measure (text, VG_MAP_FIGURE_FONT, FALSE) + 4,
         height = VG_MAP_FIGURE_FONT + 3;

  x = CLAMP (x, self->left, MAX (self->left + self->width - width, self->left));
  y = CLAMP (y, self->top, MAX (self->top + self->height - height, self->top));
  vg_figure_add_box (self->figure, x, y, width, height,
                     &(VgFigureStyle){ .fill = VG_MAP_FIGURE_BLACK, .stroke = -1, .opacity = 0.6 });
  vg_figure_add_text (self->figure, text, x + 2, y + VG_MAP_FIGURE_FONT, VG_MAP_FIGURE_FONT,
                      VG_FIGURE_LEFT, FALSE, VG_MAP_FIGURE_WHITE);
}

/* Height over width of the picture on the page. */
static double
find_aspect (VgMapLayout *self)
{
  const VgPlane *plane = self->view->plane;
  const VgMapPicture *picture = self->picture;
  gboolean swapped = self->view->orientation != NULL && self->view->orientation->swapped;
  double across = fabs (plane->pixel_size[swapped]), down = fabs (plane->pixel_size[!swapped]),
         aspect, clamped;

  if (!(across > 0) || !(down > 0))
    across = down = 1;
  aspect = picture->height / picture->per_sample[1] * down /
           (picture->width / picture->per_sample[0] * across);
  clamped = CLAMP (aspect, THINNEST, TALLEST / THINNEST);
  self->true_proportions = clamped == aspect;
  return clamped;
}

/* The title at the left and the unit at the right, over the colour bar; a long title is smaller. */
static void
add_heading (const VgMapLayout *self, double right)
{
  const char *title = self->view->output->label, *own = self->view->output->unit,
             *unit = own != NULL && self->picture->bar == 0 ? own : "";
  double unit_width = *unit != '\0' ? vg_figure_measure (unit, VG_MAP_FIGURE_FONT, FALSE) + GAP : 0,
         width = vg_figure_measure (title, TITLE_SIZE, TRUE),
         room = MAX (right - self->left - unit_width, 10), baseline = self->top - 4;

  vg_figure_add_text (self->figure, title, self->left, baseline,
                      TITLE_SIZE * (width > room ? room / width : 1), VG_FIGURE_LEFT, TRUE, 0);
  if (*unit != '\0')
    vg_figure_add_text (self->figure, unit, right, baseline, VG_MAP_FIGURE_FONT, VG_FIGURE_RIGHT,
                        FALSE, 0);
}

static gboolean
fill (VgMapLayout *self, GError **error)
{
  const VgMapPicture *picture = self->picture;

  if (!vg_figure_add_image (self->figure, self->left, self->top, self->width, self->height,
                            picture->rgba, picture->width, picture->height))
    return vg_map_picture_set_no_memory (error);
  add_heading (self, self->figure->width - MARGIN);
  vg_map_layout_add_legend (self);
  if (vg_map_layout_has_axes (self))
    vg_map_layout_add_axes (self);
  vg_map_layout_add_names (self);
  vg_map_layout_add_regions (self);
  vg_map_layout_add_sides (self);
  vg_map_layout_add_scale_bar (self);
  vg_map_layout_add_annotations (self);
  if (self->spec->stamp != NULL)
    vg_map_layout_add_panel (self, self->spec->stamp, self->left + self->width, self->top);
  return TRUE;
}

VgFigure *
vg_map_figure_new (const VgMapView *view, const VgMapFigureSpec *spec, GError **error)
{
  g_auto (VgMapPicture) picture = { 0 };
  g_autoptr (VgFigure) figure = NULL;
  VgMapLayout layout = { .view = view, .spec = spec, .picture = &picture, .left = MARGIN };
  double whole = CLAMP (spec->width_mm, VG_FIGURE_LEAST_MM, VG_FIGURE_MOST_MM) *
                 VG_FIGURE_POINTS_PER_MM,
         aspect, legend, left = 0, below = 0;

  if (!vg_map_picture_draw (&picture, view, error))
    return NULL;
  aspect = find_aspect (&layout);
  legend = vg_map_layout_measure_legend (&layout);
  if (vg_map_layout_has_axes (&layout))
    vg_map_layout_measure_axes (&layout, &left, &below);
  layout.left = MARGIN + left;
  layout.top = MARGIN + HEADING;
  legend += legend > 0 ? GAP : 0;
  layout.width = MAX (whole - layout.left - legend - MARGIN, whole / 4);
  layout.width = MIN (layout.width, whole * TALLEST / aspect);
  layout.height = layout.width * aspect;
  figure = vg_figure_new (layout.left + layout.width + legend + MARGIN,
                          layout.top + layout.height + below + MARGIN);
  figure->title = g_strdup (view->output->label);
  if (spec->description != NULL) /* a command names files, whose names may be of any bytes */
    figure->description = g_utf8_make_valid (spec->description, -1);
  layout.figure = figure;
  return fill (&layout, error) ? g_steal_pointer (&figure) : NULL;
}
