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
  const float *data;     /* slices * height * width; NaN where there is no value */
  int width, height, slices;
  void *stream;          /* VG_DEVICE: the cudaStream_t whose work must end first */
  double origin[2];      /* physical position of the first pixel's centre, in unit */
  double pixel_size[2];  /* 0: not known */
  char unit[8];
  gboolean mirrored;     /* x is a radius: shown mirrored about its left edge */
} VgPlane;

G_END_DECLS
