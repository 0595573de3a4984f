/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include <math.h>
#include "kernels/base/vg-plane.h"
/* The mosaic: all slices of a volume side by side on a canvas of image pixels, row by row from the
 * upper left, with gaps between them. */
G_BEGIN_DECLS

typedef struct
{
  int slices; /* 0: no mosaic, the canvas is the displayed slice */
  int columns, gap;
  int width, height; /* of one slice, px */
} VgMosaic;

static inline int
vg_mosaic_rows (const VgMosaic *self)
{
  return (self->slices + self->columns - 1) / self->columns;
}

/* Width and height of the canvas, px. */
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

/* Chooses the number of columns that displays slices largest in WIDTH x HEIGHT pixels, where an
 * image pixel is ASPECT times as high as wide. */
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

/* Canvas coordinates of the upper left corner of a slice. */
static inline void
vg_mosaic_corner (const VgMosaic *self, int slice, double *x, double *y)
{
  *x = self->slices > 0 ? slice % self->columns * (self->width + self->gap) : 0;
  *y = self->slices > 0 ? slice / self->columns * (self->height + self->gap) : 0;
}

/* The slice at a canvas point; -1: none. */
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
