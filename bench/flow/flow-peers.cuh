/* SPDX-License-Identifier: MIT */
#pragma once
#include <cuda_runtime.h>
#include <glib.h>
/* Peers for the bench (flow-peers.cu); all memory on the device. */

/* SUMS, SQUARES: a plane each. */
void flow_peer_paper (const guint16 *frame, int width, int height, int radius, float scale,
                      int *sums, float *squares, float *contrast, float *index,
                      cudaStream_t stream);
void flow_peer_plain (const guint16 *frame, int width, int height, int radius, float scale,
                      float *contrast, float *index, cudaStream_t stream);
