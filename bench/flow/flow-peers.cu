/* SPDX-License-Identifier: MIT */
/* Kernels to compare the engine with: the two separable kernels of the 2011 paper, with window sums
 * along rows and then along columns, and a simple kernel in which one thread sums every sample of a
 * pixel's window.  16-bit frames without padding; windows shrink at the edges. */
#include "bench/flow/flow-peers.cuh"
#include "kernels/flow/model/flow-sample.cuh"

enum { COLUMNS = 32, ROWS = 8 };

/* From sums, in float as the paper did. */
static __device__ __forceinline__ void
finish (float n, float s, float q, float scale, float *contrast, float *index)
{
  float k2 = n * fmaxf (n * q - s * s, 0.0f) / ((n - 1.0f) * s * s);

  *contrast = sqrtf (k2);
  *index = scale / k2;
}

static __global__ void
row_kernel (const guint16 *frame, int width, int height, int radius, int *sums, float *squares)
{
  int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;

  if (x >= width || y >= height)
    return;
  int s = 0;
  float q = 0;
  for (int i = max (x - radius, 0); i <= min (x + radius, width - 1); i++)
    {
      float v = frame[(gsize) y * width + i];
      s += (int) v;
      q += v * v;
    }
  sums[(gsize) y * width + x] = s;
  squares[(gsize) y * width + x] = q;
}

static __global__ void
column_kernel (const int *sums, const float *squares, int width, int height, int radius,
               float scale, float *contrast, float *index)
{
  int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;

  if (x >= width || y >= height)
    return;
  int y0 = max (y - radius, 0), y1 = min (y + radius, height - 1), s = 0;
  float q = 0;
  for (int j = y0; j <= y1; j++)
    {
      s += sums[(gsize) j * width + x];
      q += squares[(gsize) j * width + x];
    }
  int across = min (x + radius, width - 1) - max (x - radius, 0) + 1;
  gsize i = (gsize) y * width + x;
  finish (across * (y1 - y0 + 1), s, q, scale, &contrast[i], &index[i]);
}

static __global__ void
plain_kernel (const guint16 *frame, int width, int height, int radius, float scale, float *contrast,
              float *index)
{
  int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;

  if (x >= width || y >= height)
    return;
  int x0 = max (x - radius, 0), x1 = min (x + radius, width - 1), y0 = max (y - radius, 0),
      y1 = min (y + radius, height - 1);
  unsigned s = 0, n = (x1 - x0 + 1) * (y1 - y0 + 1);
  unsigned long long q = 0;
  for (int j = y0; j <= y1; j++)
    for (int i = x0; i <= x1; i++)
      {
        unsigned v = frame[(gsize) j * width + i];
        s += v;
        q += (unsigned long long) (v * v);
      }
  float d = flow_to_float (n * q - (unsigned long long) s * s), f = s;
  float k2 = n * d / ((n - 1.0f) * f * f);
  gsize at = (gsize) y * width + x;
  contrast[at] = sqrtf (k2);
  index[at] = scale / k2;
}

static dim3
grid_size (int width, int height)
{
  return dim3 ((width + COLUMNS - 1) / COLUMNS, (height + ROWS - 1) / ROWS);
}

void
flow_peer_paper (const guint16 *frame, int width, int height, int radius, float scale, int *sums,
                 float *squares, float *contrast, float *index, cudaStream_t stream)
{
  dim3 block (COLUMNS, ROWS), grid = grid_size (width, height);

  row_kernel<<<grid, block, 0, stream>>> (frame, width, height, radius, sums, squares);
  column_kernel<<<grid, block, 0, stream>>> (sums, squares, width, height, radius, scale, contrast,
                                             index);
}

void
flow_peer_plain (const guint16 *frame, int width, int height, int radius, float scale,
                 float *contrast, float *index, cudaStream_t stream)
{
  plain_kernel<<<grid_size (width, height), dim3 (COLUMNS, ROWS), 0, stream>>> (
      frame, width, height, radius, scale, contrast, index);
}
