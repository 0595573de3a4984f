/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include <math.h>
#include "kernels/base/vg-plane.h"
/* All slices of a volume side by side: where each has its tile on a canvas of
 * image pixels, row by row from the upper left, with a gap between tiles. */
G_BEGIN_DECLS

typedef struct
{
  int slices; /* 0: no mosaic, the shown slice is the canvas */
  int columns, gap;
  int width, height; /* of a tile */
} VgMosaic;

static inline int
vg_mosaic_rows (const VgMosaic *self)
{
  return (self->slices + self->columns - 1) / self->columns;
}

/* Of the whole canvas. */
static inline double
vg_mosaic_width (const VgMosaic *self)
{
  return (double) self->columns * (self->width + self->gap) - self->gap;
}

static inline double
vg_mosaic_height (const VgMosaic *self)
{
  return (double) vg_mosaic_rows (self) * (self->height + self->gap) - self->gap;
}

/* As many columns as make the tiles largest on an area of WIDTH x HEIGHT
 * pixels, where an image pixel is ASPECT times as high as wide. */
static inline void
vg_mosaic_init (VgMosaic *self, const VgPlane *plane, double width, double height, double aspect)
{
  double best = 0;
  int columns = 1;

  self->slices = plane->slices;
  self->width = plane->width;
  self->height = plane->height;
  self->gap = 1 + MAX (plane->width, plane->height) / 64;
  for (int i = 1; i <= plane->slices; i++)
    {
      double zoom;

      self->columns = i;
      zoom = MIN (width / vg_mosaic_width (self), height / (aspect * vg_mosaic_height (self)));
      if (zoom > best)
        {
          best = zoom;
          columns = i;
        }
    }
  self->columns = columns;
}

/* The canvas point of the upper left corner of a slice's tile. */
static inline void
vg_mosaic_corner (const VgMosaic *self, int slice, double *x, double *y)
{
  *x = self->slices > 0 ? slice % self->columns * (self->width + self->gap) : 0;
  *y = self->slices > 0 ? slice / self->columns * (self->height + self->gap) : 0;
}

/* The slice whose tile holds a canvas point; -1: none. */
static inline int
vg_mosaic_slice_at (const VgMosaic *self, double x, double y)
{
  double column = floor (x / (self->width + self->gap)),
         row = floor (y / (self->height + self->gap));
  double slice = row * self->columns + column;

  if (!(x >= 0 && y >= 0) || column >= self->columns || slice >= self->slices ||
      x - column * (self->width + self->gap) >= self->width ||
      y - row * (self->height + self->gap) >= self->height)
    return -1;
  return (int) slice;
}

G_END_DECLS
