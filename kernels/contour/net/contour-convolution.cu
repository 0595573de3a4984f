/* SPDX-License-Identifier: MIT */
#include <cuda_pipeline.h>
#include "kernels/contour/net/contour-network.cuh"
/* A convolution is a matrix product: the rows are pixels, the columns outputs, and they are
 * summed over inputs and places of the kernel.  A block of threads brings 16 inputs of its tile, a
 * pixel more on each side, and their weights into shared memory, while it computes the 16 before.
 * Each sum has the same order wherever its pixel lies, so results do not depend on tiles. */

enum { ACROSS = 16, WARPS = 4, THREADS = 32 * WARPS, PLACES = 9 };
/* Halves of a pixel in shared memory, so that eight pixels lie in different banks. */
enum { PADDED = VG_CONTOUR_RECORD + 8 };
/* Fewer blocks than this leave multiprocessors of a large GPU without work. */
enum { FEW_BLOCKS = 128 };

/* A warp computes ROWS rows of the tile and EIGHTS times 8 outputs. */
template <int ROWS, int EIGHTS> struct Stage
{
  static constexpr int high = ROWS * WARPS + 2, wide = ACROSS + 2;
  static constexpr int weight_halves = PLACES * EIGHTS * 128;
  alignas (16) __half pixels[high * wide * PADDED];
  alignas (16) __half weights[weight_halves];
};

/* What is outside of the image is 0. */
template <int ROWS, int EIGHTS>
static __device__ void
load (Stage<ROWS, EIGHTS> *stage, const VgContourConvolution &layer, int k)
{
  typedef Stage<ROWS, EIGHTS> S;
  const bool own = k < layer.own_groups;
  const int shift = own ? 0 : 1, groups = own ? layer.own_groups : layer.coarser_groups,
            group = own ? k : k - layer.own_groups, width = layer.width >> shift;
  const __half *from = own ? layer.own : layer.coarser;
  const __half *weights = layer.weights +
                          ((size_t) blockIdx.z * (layer.own_groups + layer.coarser_groups) + k) *
                              S::weight_halves;

  for (int i = threadIdx.x; i < S::high * S::wide * 4; i += THREADS)
    {
      const int pixel = i / 4, x = (int) blockIdx.x * ACROSS - 1 + pixel % S::wide,
                y = (int) blockIdx.y * ROWS * WARPS - 1 + pixel / S::wide;
      const bool inside = x >= 0 && y >= 0 && x < layer.width && y < layer.height;
      const size_t at = ((size_t) (y >> shift) * width + (x >> shift)) * groups + group;

      __pipeline_memcpy_async (stage->pixels + pixel * PADDED + i % 4 * 8,
                               from + (inside ? at * VG_CONTOUR_RECORD + i % 4 * 8 : 0), 16,
                               inside ? 0 : 16);
    }
  for (int i = threadIdx.x; i < S::weight_halves / 8; i += THREADS)
    __pipeline_memcpy_async (stage->weights + i * 8, weights + i * 8, 16);
}

/* Four matrices of 8 x 8; the lanes have the addresses of their rows. */
static __device__ void
load_matrices (unsigned a[4], const __half *at)
{
#if __CUDA_ARCH__ >= 800
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"((unsigned) __cvta_generic_to_shared (at))
               : "memory");
#endif
}

/* SUM (16 x 8) += A (16 x 16) B (16 x 8). */
static __device__ void
multiply (float sum[4], const unsigned a[4], uint2 b)
{
#if __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b.x), "r"(b.y));
#endif
}

template <int ROWS, int EIGHTS>
static __device__ void
add_products (float sum[ROWS][EIGHTS][4], const Stage<ROWS, EIGHTS> *stage)
{
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * ROWS;

#pragma unroll
  for (int place = 0; place < PLACES; place++)
    {
      uint2 b[EIGHTS];

#pragma unroll
      for (int j = 0; j < EIGHTS; j++)
        b[j] = *(const uint2 *) (stage->weights + ((place * EIGHTS + j) * 32 + lane) * 4);
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        {
          const int pixel = (row + r + place / 3) * Stage<ROWS, EIGHTS>::wide + lane % 16 +
                            place % 3;

#pragma unroll
          for (int half = 0; half < 2; half++)
            {
              unsigned a[4];

              load_matrices (a, stage->pixels + pixel * PADDED + half * VG_CONTOUR_GROUP +
                                    lane / 16 * 8);
#pragma unroll
              for (int j = 0; j < EIGHTS; j++)
                multiply (sum[r][j], a, b[j]);
            }
        }
    }
}

/* The upper and the lower half of a value. */
static __device__ void
split (float value, __half *upper, __half *lower)
{
  value = fminf (value, 65504.0f); /* the largest 16-bit float */
  *upper = __float2half_rn (value);
  *lower = __float2half_rn (value - __half2float (*upper));
}

/* Two neighbouring channels. */
static __device__ void
store (__half *at, float a, float b)
{
  __half2 upper, lower;

  split (a, &upper.x, &lower.x);
  split (b, &upper.y, &lower.y);
  *(__half2 *) at = upper;
  *(__half2 *) (at + VG_CONTOUR_GROUP) = lower;
}

template <int ROWS, int EIGHTS>
static __global__ void
__launch_bounds__ (THREADS) convolve (VgContourConvolution layer)
{
  __shared__ Stage<ROWS, EIGHTS> stages[2];
  const int lane = threadIdx.x % 32, groups = layer.own_groups + layer.coarser_groups;
  const int first = (int) blockIdx.z * EIGHTS * 8 + lane % 4 * 2; /* output of column 0 */
  float sum[ROWS][EIGHTS][4];

#pragma unroll
  for (int r = 0; r < ROWS; r++)
#pragma unroll
    for (int j = 0; j < EIGHTS; j++)
      {
        sum[r][j][0] = sum[r][j][2] = layer.bias[first + j * 8];
        sum[r][j][1] = sum[r][j][3] = layer.bias[first + j * 8 + 1];
      }
  load (&stages[0], layer, 0);
  __pipeline_commit ();
  for (int k = 0; k < groups; k++)
    {
      if (k + 1 < groups)
        load (&stages[(k + 1) % 2], layer, k + 1);
      __pipeline_commit ();
      __pipeline_wait_prior (1);
      __syncthreads ();
      add_products<ROWS, EIGHTS> (sum, &stages[k % 2]);
      __syncthreads ();
    }
#pragma unroll
  for (int i = 0; i < ROWS * EIGHTS * 2; i++)
    {
      const int r = i / 2 / EIGHTS, j = i / 2 % EIGHTS, lower = i % 2, output = first + j * 8;
      const int x = (int) blockIdx.x * ACROSS + lane / 4 + lower * 8,
                y = ((int) blockIdx.y * WARPS + threadIdx.x / 32) * ROWS + r;
      const size_t at = ((size_t) y * layer.width + x) * (layer.outputs / VG_CONTOUR_GROUP) +
                        output / VG_CONTOUR_GROUP;

      if (x < layer.width && y < layer.height)
        store (layer.to + at * VG_CONTOUR_RECORD + output % VG_CONTOUR_GROUP,
               fmaxf (sum[r][j][2 * lower], 0.0f), fmaxf (sum[r][j][2 * lower + 1], 0.0f));
    }
}

template <int ROWS, int EIGHTS>
static void
launch (const VgContourConvolution *layer, cudaStream_t stream)
{
  const dim3 grid ((layer->width + ACROSS - 1) / ACROSS,
                   (layer->height + ROWS * WARPS - 1) / (ROWS * WARPS),
                   layer->outputs / (8 * EIGHTS));

  convolve<ROWS, EIGHTS><<<grid, THREADS, 0, stream>>> (*layer);
}

void
vg_contour_launch_convolution (const VgContourConvolution *layer, cudaStream_t stream)
{
  const int eights = vg_contour_eights (layer->outputs);
  const int blocks = (layer->width + ACROSS - 1) / ACROSS *
                     ((layer->height + 2 * WARPS - 1) / (2 * WARPS)) *
                     (layer->outputs / (8 * eights));
  const bool few = blocks < FEW_BLOCKS;

  if (eights == 4)
    few ? launch<1, 4> (layer, stream) : launch<2, 4> (layer, stream);
  else
    few ? launch<1, 2> (layer, stream) : launch<2, 2> (layer, stream);
}

/* ---- Input, pooling, output ---- */

static __global__ void
spread (const float *input, size_t n, __half *to)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  __align__ (16) __half record[VG_CONTOUR_RECORD];

  if (i >= n)
    return;
#pragma unroll
  for (int c = 0; c < VG_CONTOUR_GROUP; c++)
    split (c < VG_CONTOUR_NET_INPUTS ? input[i * VG_CONTOUR_NET_INPUTS + c] : 0.0f, &record[c],
           &record[c + VG_CONTOUR_GROUP]);
#pragma unroll
  for (int k = 0; k < 4; k++)
    ((uint4 *) (to + i * VG_CONTOUR_RECORD))[k] = ((const uint4 *) record)[k];
}

static __device__ float2
value_of (const __half *at)
{
  const float2 upper = __half22float2 (*(const __half2 *) at),
               lower = __half22float2 (*(const __half2 *) (at + VG_CONTOUR_GROUP));

  return make_float2 (upper.x + lower.x, upper.y + lower.y);
}

/* A thread has two channels of a pixel of the result; WIDTH is that of the result. */
static __global__ void
pool (const __half *from, int width, size_t n, int groups, __half *to)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const int pair = (int) (i % 8) * 2, group = (int) (i / 8 % groups);
  const size_t pixel = i / 8 / groups, x = pixel % width, y = pixel / width;
  float2 most = make_float2 (0.0f, 0.0f); /* none is negative */

  if (i >= n)
    return;
#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      const size_t at = ((2 * y + k / 2) * (2 * width) + 2 * x + k % 2) * groups + group;
      const float2 value = value_of (from + at * VG_CONTOUR_RECORD + pair);

      most = make_float2 (fmaxf (most.x, value.x), fmaxf (most.y, value.y));
    }
  store (to + (pixel * groups + group) * VG_CONTOUR_RECORD + pair, most.x, most.y);
}

static __global__ void
head (const __half *from, size_t n, int groups, const float *weights, float *maps)
{
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  const int inputs = groups * VG_CONTOUR_GROUP;
  float sum[VG_CONTOUR_NET_OUTPUTS];

  if (i >= n)
    return;
#pragma unroll
  for (int o = 0; o < VG_CONTOUR_NET_OUTPUTS; o++)
    sum[o] = weights[VG_CONTOUR_NET_OUTPUTS * inputs + o];
  for (int c = 0; c < inputs; c += 2)
    {
      const size_t record = i * groups + c / VG_CONTOUR_GROUP;
      const float2 value = value_of (from + record * VG_CONTOUR_RECORD + c % VG_CONTOUR_GROUP);

#pragma unroll
      for (int o = 0; o < VG_CONTOUR_NET_OUTPUTS; o++)
        sum[o] += weights[o * inputs + c] * value.x + weights[o * inputs + c + 1] * value.y;
    }
  for (int o = 0; o < VG_CONTOUR_MAP_DISTANCE; o++)
    maps[o * n + i] = 1.0f / (1.0f + expf (-sum[o]));
  maps[VG_CONTOUR_MAP_DISTANCE * n + i] = fminf (fmaxf (sum[VG_CONTOUR_MAP_DISTANCE], 0.0f), 1.0f);
}

static unsigned
blocks_for (size_t n)
{
  return (unsigned) ((n + THREADS - 1) / THREADS);
}

void
vg_contour_launch_input (const float *input, int width, int height, __half *to, cudaStream_t stream)
{
  const size_t n = (size_t) width * height;

  spread<<<blocks_for (n), THREADS, 0, stream>>> (input, n, to);
}

void
vg_contour_launch_pool (const __half *from, int width, int height, int groups, __half *to,
                        cudaStream_t stream)
{
  const size_t n = (size_t) (width / 2) * (height / 2) * groups * 8;

  pool<<<blocks_for (n), THREADS, 0, stream>>> (from, width / 2, n, groups, to);
}

void
vg_contour_launch_head (const __half *from, int width, int height, int groups, const float *weights,
                        float *maps, cudaStream_t stream)
{
  const size_t n = (size_t) width * height;

  head<<<blocks_for (n), THREADS, 0, stream>>> (from, n, groups, weights, maps);
}
