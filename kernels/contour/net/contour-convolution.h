/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/net/contour-weights.h"
/* Planes of channels and the steps of a network on them. */
G_BEGIN_DECLS

/* The channels of a pixel lie side by side.  A border of zeros surrounds the pixels: 1 above and to
 * the left, VG_CONTOUR_BELOW below, and VG_CONTOUR_SPARE to the right. */
enum { VG_CONTOUR_SPARE = 7, VG_CONTOUR_BELOW = 4 };
typedef struct
{
  int width, height, channels;
  int first; /* the row of the image that is the first row here */
  gsize row; /* floats per row */
  float *data;
  gsize room; /* bytes */
} VgContourChannels;

gsize vg_contour_channels_bytes (int width, int height, int channels);
/* Sets the size of SELF, which is all 0 at first, and clears its border; the pixels are not set.
 * FALSE: no memory. */
gboolean vg_contour_channels_init (VgContourChannels *self, int width, int height, int channels);
void vg_contour_channels_clear (VgContourChannels *self);

static inline float *
vg_contour_channels_at (const VgContourChannels *self, int x, int y)
{
  return self->data + (gsize) (y - self->first + 1) * self->row +
         (gsize) (x + 1) * (gsize) self->channels;
}

/* Pixels from x0, y0 to before x1, y1. */
typedef struct
{
  int x0, y0, x1, y1;
} VgContourWindow;

/* Threads, and `room` floats for each to work in. */
typedef struct
{
  int threads;
  float *work;
  gsize room;
} VgContourTeam;

/* Writes the layer's outputs for the pixels in WINDOW to the channels of TO; negative ones become
 * 0, except those of a layer of 1 x 1.  The inputs are the channels of FROM, and then, unless it is
 * NULL, those of COARSE at half the size. */
void vg_contour_convolve (const VgContourLayer *layer, const VgContourChannels *from,
                          const VgContourChannels *coarse, const VgContourChannels *to,
                          VgContourWindow window, const VgContourTeam *team);
/* Sets each pixel in WINDOW of TO, of half the size, to the largest of four pixels of FROM. */
void vg_contour_pool (const VgContourChannels *from, const VgContourChannels *to,
                      VgContourWindow window, const VgContourTeam *team);

G_END_DECLS
