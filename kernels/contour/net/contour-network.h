/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/net/contour-convolution.h"
#include "kernels/core/vg-engine.h"
/* The network on the CPU: its outputs for each pixel of an image. */
G_BEGIN_DECLS

/* The sides of an image are multiples of this. */
enum { VG_CONTOUR_NET_GRAIN = 1 << (VG_CONTOUR_DEPTH - 1) };
/* Distance, px, up to which a pixel changes the output of others: the sum over all convolutions. */
enum { VG_CONTOUR_NET_REACH = 112 };

/* Outputs of the network, one plane each: probability of a nucleus, and of the border between two
 * touching nuclei; distance from the border, 0 to 1 in the middle of a nucleus. */
enum { VG_CONTOUR_MAP_NUCLEUS, VG_CONTOUR_MAP_BORDER, VG_CONTOUR_MAP_DISTANCE };

/* Bytes that a run on WIDTH x HEIGHT needs beside its input and output. */
gsize vg_contour_network_bytes (const VgContourNet *net, int width, int height);
/* Runs NET on the CPU, on images of any size one after the other. */
typedef struct _VgContourNetwork VgContourNetwork;
VgContourNetwork *vg_contour_network_new (const VgContourNet *net);
void vg_contour_network_free (VgContourNetwork *self);
/* INPUT: three values of 0 (background) to 1 per pixel, interleaved.  MAPS: VG_CONTOUR_NET_OUTPUTS
 * planes, one after the other, of which the pixels in WINDOW are set.  WIDTH, HEIGHT: multiples of
 * VG_CONTOUR_NET_GRAIN.  A pixel that is set has the same value for each WINDOW, but for rounding,
 * and the same bits for each number of threads of CONTEXT.  FALSE: no memory, or the context is
 * stopped. */
gboolean vg_contour_network_run (VgContourNetwork *self, const float *input, int width, int height,
                                 VgContourWindow window, const VgContext *context, float *maps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgContourNetwork, vg_contour_network_free)

/* What runs the network in place of the CPU. */
typedef struct
{
  /* For pictures of at most WIDTH x HEIGHT on the GPU number DEVICE.  NULL and an error; NULL
   * without one: this GPU cannot, the CPU does the work. */
  gpointer (*open) (const VgContourNet *net, int device, int width, int height, GError **error);
  /* As vg_contour_network_run() of all pixels, within 1e-3; the same bits in every run.  FALSE and
   * an error. */
  gboolean (*run) (gpointer self, const float *input, int width, int height, float *maps,
                   GError **error);
  void (*close) (gpointer self); /* accepts NULL */
} VgContourNetDevice;

G_END_DECLS
