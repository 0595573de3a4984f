/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/net/contour-weights.h"
/* The matrix product that both kinds of convolution use. */
G_BEGIN_DECLS

/* Pixels that are computed at once. */
enum { VG_CONTOUR_STEP = 6 };

/* For STEPS * VG_CONTOUR_STEP pixels: SUMS [pixel][lane] = START [lane] + the sum over ROWS rows of
 * N inputs, which lie side by side, and their WEIGHTS [row][input][lane].  PIXEL, ROW: floats
 * between the first inputs of two pixels and of two rows.  The order of a sum is fixed. */
void vg_contour_multiply (const float *in, gsize pixel, gsize row, int rows, int n,
                          const float *weights, const float *start, float *sums, int steps);

G_END_DECLS
