/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/net/contour-convolution.h"
/* Convolutions of 3 x 3 with fewer products (Winograd's F(4x4, 3x3); Lavin and Gray, CVPR 2016). */
G_BEGIN_DECLS

/* Prepares the weights of LAYER for the next functions, if it is such a convolution. */
void vg_contour_winograd_prepare (VgContourLayer *layer);
/* Floats that a thread needs. */
gsize vg_contour_winograd_work (const VgContourLayer *layer);
/* As vg_contour_convolve, for a prepared layer. */
void vg_contour_winograd (const VgContourLayer *layer, const VgContourChannels *from,
                          const VgContourChannels *coarse, const VgContourChannels *to,
                          VgContourWindow window, const VgContourTeam *team);

G_END_DECLS
