/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The memory of one output: float samples, row by row without padding, in host or device memory.
 * Borrowed: valid until the next call of the engine. */
G_BEGIN_DECLS

typedef enum { VG_HOST, VG_DEVICE } VgPlace;

typedef struct
{
  VgPlace place;
  const float *data; /* slices * height * width samples; NaN: missing value */
  int width, height, slices;
  void *stream;     /* VG_DEVICE: the cudaStream_t that computes the samples; wait for it to read */
  double origin[2]; /* centre of the first pixel, in `unit` */
  double pixel_size[2]; /* in `unit`; 0: unknown; negative: the position falls along the axis */
  char unit[8];
  gboolean mirrored; /* x is a radius from 0: the display mirrors the plane about its left edge */
  /* upper bound of automatic colour limits; 0: none */
  double most;
} VgPlane;

/* Position, in `unit`, of the image coordinate AT (pixel i covers i to i + 1) along x (AXIS 0) or y
 * (1).  A radius left of 0 is negative. */
static inline double
vg_plane_position (const VgPlane *self, int axis, double at)
{
  double first = self->mirrored && axis == 0 ? 0
                                             : self->origin[axis] - 0.5 * self->pixel_size[axis];

  return first + at * self->pixel_size[axis];
}

/* Image coordinate of a position: the inverse. */
static inline double
vg_plane_image_point (const VgPlane *self, int axis, double position)
{
  return (position - vg_plane_position (self, axis, 0)) / self->pixel_size[axis];
}

G_END_DECLS
