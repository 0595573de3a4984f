/* SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>
#include <string.h>
#include "tests/support/device-plane.h"

void
device_plane_init (VgPlane *plane, const float *host, int width, int height, int slices)
{
  gsize bytes = (gsize) width * height * slices * sizeof (float);
  void *memory = NULL;
  cudaStream_t stream = NULL;

  memset (plane, 0, sizeof *plane);
  g_assert_cmpint (cudaSetDevice (0), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking), ==, cudaSuccess);
  g_assert_cmpint (cudaMalloc (&memory, bytes), ==, cudaSuccess);
  g_assert_cmpint (cudaMemcpyAsync (memory, host, bytes, cudaMemcpyHostToDevice, stream), ==,
                   cudaSuccess);
  plane->place = VG_DEVICE;
  plane->data = (const float *) memory;
  plane->width = width;
  plane->height = height;
  plane->slices = slices;
  plane->stream = stream;
}

void
device_plane_clear (VgPlane *plane)
{
  g_assert_cmpint (cudaStreamSynchronize ((cudaStream_t) plane->stream), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamDestroy ((cudaStream_t) plane->stream), ==, cudaSuccess);
  g_assert_cmpint (cudaFree ((void *) plane->data), ==, cudaSuccess);
  memset (plane, 0, sizeof *plane);
}
