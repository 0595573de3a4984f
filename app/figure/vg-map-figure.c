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

/* ---- one picture or several ---- */

enum { MOST_PANELS = VG_FIGURE_MOST_BESIDE + 1 };

typedef struct
{
  VgMapView view;
  VgDisplay display; /* of a map beside: with the limits of the map */
  VgMapPicture picture;
  VgMapLayout layout;
} Panel;

/* The last panel is that of the map. */
typedef struct
{
  const VgMapFigureSpec *spec;
  Panel panels[MOST_PANELS];
  guint n, first; /* panels from FIRST are on the page, a wiped one is not */
  guint columns;
  double legend; /* width */
} Page;

static void
clear_page (Page *self)
{
  for (guint i = 0; i < self->n; i++)
    vg_map_picture_clear (&self->panels[i].picture);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Page, clear_page)

/* The pixels of the first picture over the left part of the last. */
static void
wipe (Page *self)
{
  const VgMapPicture *from = &self->panels[0].picture, *to = &self->panels[self->n - 1].picture;
  gsize row = (gsize) to->width * 4,
        part = 4 * (gsize) lround (CLAMP (self->spec->wipe, 0, 1) * to->width);

  if (from->width != to->width || from->height != to->height)
    return;
  for (int y = 0; y < to->height; y++)
    memcpy (to->rgba + (gsize) y * row, from->rgba + (gsize) y * row, part);
  self->first = self->n - 1;
}

static gboolean
draw_panels (Page *self, const VgMapView *view, GError **error)
{
  Panel *last = &self->panels[self->n - 1];
  const VgColoring *coloring = &last->picture.coloring;

  last->view = *view;
  if (!vg_map_picture_draw (&last->picture, &last->view, error))
    return FALSE;
  for (Panel *panel = self->panels; panel < last; panel++)
    {
      panel->view = self->spec->beside[panel - self->panels];
      panel->display = *panel->view.display;
      panel->display.auto_limits = FALSE;
      panel->display.low = MIN (coloring->low, coloring->high);
      panel->display.high = MAX (coloring->low, coloring->high);
      panel->view.display = &panel->display;
      if (!vg_map_picture_draw (&panel->picture, &panel->view, error))
        return FALSE;
    }
  if (self->spec->wipe > 0 && self->n == 2)
    wipe (self);
  return TRUE;
}

/* Sets the places of all pictures; *HEIGHT is that of the page. */
static void
lay_out (Page *self, double whole, double *height)
{
  const Panel *last = &self->panels[self->n - 1];
  guint shown = self->n - self->first;
  double left = 0, below = 0, aspect = 0, width, top = MARGIN + HEADING, bottom = top;

  for (guint i = self->first; i < self->n; i++)
    {
      Panel *panel = &self->panels[i];
      double own_left = 0, own_below = 0;

      panel->layout = (VgMapLayout){
        .view = &panel->view, .spec = self->spec, .picture = &panel->picture, .left = MARGIN
      };
      aspect = MAX (aspect, find_aspect (&panel->layout));
      if (vg_map_layout_has_axes (&panel->layout))
        vg_map_layout_measure_axes (&panel->layout, &own_left, &own_below);
      left = MAX (left, own_left);
      below = MAX (below, own_below);
    }
  self->legend = vg_map_layout_measure_legend (&last->layout);
  self->legend += self->legend > 0 ? GAP : 0;
  /* two wide maps are one below the other */
  self->columns = shown == 2 ? (aspect > 0.6 ? 2 : 1) : (guint) ceil (sqrt (shown));
  width = (whole - 2 * MARGIN - self->legend - (self->columns - 1) * GAP) / self->columns - left;
  width = MIN (MAX (width, whole / 4 / self->columns), whole * TALLEST / aspect);
  for (guint i = self->first; i < self->n; i++)
    {
      VgMapLayout *layout = &self->panels[i].layout;
      guint column = (i - self->first) % self->columns;

      if (column == 0 && i > self->first)
        top = bottom + GAP;
      layout->left = MARGIN + left + column * (width + left + GAP);
      layout->top = top;
      layout->width = width;
      layout->height = width * find_aspect (layout);
      bottom = MAX (bottom, top + layout->height + below);
    }
  *height = bottom + MARGIN;
}

/* The name of map I, which ends at the part AT of the width: names of layers begin at the left. */
static void
add_name (const Page *self, const VgMapLayout *layout, guint i, double at)
{
  const char *name = self->spec->names != NULL ? self->spec->names[i] : NULL;

  if (name != NULL)
    vg_map_layout_add_panel (layout, name,
                             layout->left + at * layout->width -
                                 vg_figure_measure (name, VG_MAP_FIGURE_FONT, FALSE) - 6,
                             layout->top + 2);
}

static gboolean
is_same_grid (const VgPlane *a, const VgPlane *b)
{
  return a->width == b->width && a->height == b->height && a->pixel_size[0] == b->pixel_size[0] &&
         a->pixel_size[1] == b->pixel_size[1];
}

/* What lies over and beside the picture of panel I. */
static void
fill_panel (const Page *self, guint i)
{
  const VgMapLayout *layout = &self->panels[i].layout;

  if (vg_map_layout_has_axes (layout))
    vg_map_layout_add_axes (layout);
  vg_map_layout_add_names (layout);
  if (is_same_grid (layout->view->plane, self->panels[self->n - 1].view.plane))
    vg_map_layout_add_regions (layout);
  vg_map_layout_add_sides (layout);
  vg_map_layout_add_scale_bar (layout);
  vg_map_layout_add_annotations (layout);
  if (self->n > 1)
    add_name (self, layout, i, 1);
}

static gboolean
fill (const Page *self, GError **error)
{
  const VgMapLayout *first = &self->panels[self->first].layout,
                    *last = &self->panels[self->n - 1].layout;
  VgMapLayout all = *last; /* of the first row, with the colours of the map */

  all.left = first->left;
  all.top = first->top;
  all.height = first->height;
  all.width = self->panels[self->first + self->columns - 1].layout.left + first->width -
              first->left;
  for (guint i = self->first; i < self->n; i++)
    {
      const VgMapLayout *layout = &self->panels[i].layout;
      const VgMapPicture *picture = layout->picture;

      if (!vg_figure_add_image (layout->figure, layout->left, layout->top, layout->width,
                                layout->height, picture->rgba, picture->width, picture->height))
        return vg_map_picture_set_no_memory (error);
    }
  add_heading (&all, all.figure->width - MARGIN);
  vg_map_layout_add_legend (&all);
  for (guint i = self->first; i < self->n; i++)
    fill_panel (self, i);
  if (self->first > 0)
    {
      double x = last->left + CLAMP (self->spec->wipe, 0, 1) * last->width;

      vg_figure_add_box (
          last->figure, x - 0.4, last->top, 0.8, last->height,
          &(VgFigureStyle){ .fill = VG_MAP_FIGURE_WHITE, .stroke = -1, .opacity = 1 });
      add_name (self, last, 0, CLAMP (self->spec->wipe, 0, 1));
    }
  if (self->spec->stamp != NULL)
    vg_map_layout_add_panel (last, self->spec->stamp, last->left + last->width, last->top);
  return TRUE;
}

VgFigure *
vg_map_figure_new (const VgMapView *view, const VgMapFigureSpec *spec, GError **error)
{
  g_auto (Page) page = { .spec = spec, .n = 1 + MIN (spec->n_beside, VG_FIGURE_MOST_BESIDE) };
  g_autoptr (VgFigure) figure = NULL;
  const VgMapLayout *last = &page.panels[page.n - 1].layout;
  double whole = CLAMP (spec->width_mm, VG_FIGURE_LEAST_MM, VG_FIGURE_MOST_MM) *
                 VG_FIGURE_POINTS_PER_MM,
         height;

  if (!draw_panels (&page, view, error))
    return NULL;
  lay_out (&page, whole, &height);
  figure = vg_figure_new (page.panels[page.first + page.columns - 1].layout.left + last->width +
                              page.legend + MARGIN,
                          height);
  for (guint i = page.first; i < page.n; i++)
    page.panels[i].layout.figure = figure;
  figure->title = g_strdup (view->output->label);
  if (spec->description != NULL) /* a command names files, whose names may be of any bytes */
    figure->description = g_utf8_make_valid (spec->description, -1);
  return fill (&page, error) ? g_steal_pointer (&figure) : NULL;
}
