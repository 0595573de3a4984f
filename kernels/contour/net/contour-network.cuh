/* SPDX-License-Identifier: MIT */
#pragma once
#include <cuda_fp16.h>
#include "kernels/contour/net/contour-network.h"
#include "kernels/shared/vg-cuda-util.cuh"
/* The network on a GPU, whose tensor cores multiply 16-bit floats.  The weights are such; a channel
 * of a pixel is the sum of two, so that products are as exact as with 32 bits.  The channels lie in
 * groups of 16: the upper halves of all 16, then the lower halves. */

enum { VG_CONTOUR_GROUP = 16, VG_CONTOUR_RECORD = 2 * VG_CONTOUR_GROUP };

/* One convolution of 3 x 3, whose negative results become 0.  Its inputs are the groups of `own`,
 * then those of `coarser`, which has half the size. */
typedef struct
{
  const __half *own, *coarser;
  int own_groups, coarser_groups;
  int width, height, outputs;
  /* [block of outputs][group of inputs][row, column][8 outputs][lane of a warp][4] */
  const __half *weights;
  const float *bias;
  __half *to;
} VgContourConvolution;

/* Outputs of one block of threads: 8 times this. */
static inline int
vg_contour_eights (int outputs)
{
  return outputs % 32 == 0 ? 4 : 2;
}

void vg_contour_launch_convolution (const VgContourConvolution *layer, cudaStream_t stream);
/* Three values per pixel to one group. */
void vg_contour_launch_input (const float *input, int width, int height, __half *to,
                              cudaStream_t stream);
/* The largest of four pixels, to half the size. */
void vg_contour_launch_pool (const __half *from, int width, int height, int groups, __half *to,
                             cudaStream_t stream);
/* The last layer: WEIGHTS [output][input], then the biases. */
void vg_contour_launch_head (const __half *from, int width, int height, int groups,
                             const float *weights, float *maps, cudaStream_t stream);

extern const VgContourNetDevice vg_contour_net_cuda;
/* Runs the layers again on the input of the last run, and waits; for the bench. */
gboolean vg_contour_net_cuda_repeat (gpointer self, int width, int height, GError **error);
