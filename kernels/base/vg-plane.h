/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* One output of an engine: float samples, row-major, tightly packed, in host
 * or device memory.  Borrowed: valid until the engine's next call. */
G_BEGIN_DECLS

typedef enum { VG_HOST, VG_DEVICE } VgPlace;

typedef struct
{
  VgPlace place;
  const float *data; /* slices * height * width; NaN where there is no value */
  int width, height, slices;
  void *stream;         /* VG_DEVICE: the cudaStream_t whose work must end first */
  double origin[2];     /* physical position of the first pixel's centre, in unit */
  double pixel_size[2]; /* 0: not known; negative: the position falls along the axis */
  char unit[8];
  gboolean mirrored; /* x is a radius from 0 on: shown mirrored about its left edge */
  /* automatic limits of its colours go no higher, whatever stray values there are; 0: as high as
   * those */
  double most;
} VgPlane;

/* The physical position, along x (AXIS 0) or y (1), of an image point whose
 * pixels' corners are at whole numbers; a radius left of 0 is negative. */
static inline double
vg_plane_position (const VgPlane *self, int axis, double at)
{
  double first = self->mirrored && axis == 0 ? 0
                                             : self->origin[axis] - 0.5 * self->pixel_size[axis];

  return first + at * self->pixel_size[axis];
}

/* The image point at a physical position: the inverse. */
static inline double
vg_plane_image_point (const VgPlane *self, int axis, double position)
{
  return (position - vg_plane_position (self, axis, 0)) / self->pixel_size[axis];
}

G_END_DECLS
