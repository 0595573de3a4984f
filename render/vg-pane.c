/* SPDX-License-Identifier: MIT */
#include "render/vg-pane.h"
#include <math.h>

VgPane
vg_pane_of (const VgScene *scene, int width, int height)
{
  return (VgPane){ .width = width, .height = height, .scene = *scene };
}

VgPane
vg_pane_cut (const VgPane *self, int x, int y, int width, int height)
{
  VgPane pane = *self;
  int right = MIN (x + width, self->x + self->width),
      bottom = MIN (y + height, self->y + self->height);

  pane.x = MAX (x, self->x);
  pane.y = MAX (y, self->y);
  pane.width = MAX (right - pane.x, 0);
  pane.height = MAX (bottom - pane.y, 0);
  if (self->scene.zoom > 0)
    vg_pane_to_image (self, pane.x + 0.5 * pane.width, pane.y + 0.5 * pane.height,
                      &pane.scene.center_x, &pane.scene.center_y);
  return pane;
}

static gboolean
shows (const VgPane *self, double x, double y)
{
  double across = (x - self->x) / self->width, down = (y - self->y) / self->height;

  if (!(across >= 0 && across < 1 && down >= 0 && down < 1))
    return FALSE;
  return !self->round || hypot (2 * across - 1, 2 * down - 1) <= 1;
}

int
vg_panes_find (const VgPane *panes, int n, double x, double y)
{
  while (--n >= 0 && !shows (&panes[n], x, y))
    ;
  return n;
}

void
vg_pane_to_image (const VgPane *self, double x, double y, double *image_x, double *image_y)
{
  *image_x = self->scene.center_x + (x - self->x - 0.5 * self->width) / self->scene.zoom;
  *image_y = self->scene.center_y +
             (y - self->y - 0.5 * self->height) / vg_scene_zoom_y (&self->scene);
}

void
vg_panes_wipe (VgPane panes[2], const VgPane *whole, int first, double position, gboolean down)
{
  int size = down ? whole->height : whole->width,
      split = (int) lrint (CLAMP (position, 0, 1) * size);

  if (down)
    {
      panes[0] = vg_pane_cut (whole, whole->x, whole->y, whole->width, split);
      panes[1] = vg_pane_cut (whole, whole->x, whole->y + split, whole->width, size - split);
    }
  else
    {
      panes[0] = vg_pane_cut (whole, whole->x, whole->y, split, whole->height);
      panes[1] = vg_pane_cut (whole, whole->x + split, whole->y, size - split, whole->height);
    }
  panes[0].source = first;
}

/* --- cells --- */

static VgCells
in_columns (int n, int columns, int width, int height, int gap)
{
  int rows = (n + columns - 1) / columns;

  return (VgCells){ .n = n,
                    .columns = columns,
                    .gap = gap,
                    .width = MAX ((width - (columns - 1) * gap) / columns, 1),
                    .height = MAX ((height - (rows - 1) * gap) / rows, 1) };
}

VgCells
vg_cells_fit (int n, int width, int height, int gap, double aspect)
{
  VgCells best = in_columns (n, 1, width, height, gap);

  for (int columns = 2; columns <= n; columns++)
    {
      VgCells cells = in_columns (n, columns, width, height, gap);

      if (MIN (cells.width, cells.height * aspect) > MIN (best.width, best.height * aspect))
        best = cells;
    }
  return best;
}

void
vg_cells_corner (const VgCells *self, int cell, int *x, int *y)
{
  *x = cell % self->columns * (self->width + self->gap);
  *y = cell / self->columns * (self->height + self->gap);
}

int
vg_cells_at (const VgCells *self, double x, double y)
{
  double column = floor (x / (self->width + self->gap)),
         row = floor (y / (self->height + self->gap));

  if (!(x >= 0 && y >= 0) || column >= self->columns || row * self->columns + column >= self->n ||
      x - column * (self->width + self->gap) >= self->width ||
      y - row * (self->height + self->gap) >= self->height)
    return -1;
  return (int) (row * self->columns + column);
}
