/* SPDX-License-Identifier: MIT */
#pragma once
#include <cuda_runtime.h>
#include <math.h>
/* Sum and maximum over a block, of the kernels in flow-motion.cu. */

enum { PEAK_THREADS = 512 };

/* The sum of N shared values, a power of two and at most a block, in the first of them. */
static __device__ void
add_up (float *values, int n)
{
  for (int half = n / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if ((int) threadIdx.x < half)
        values[threadIdx.x] += values[threadIdx.x + half];
    }
  __syncthreads ();
}

/* The place of the largest value of CORRELATION, the first of equals, in thread 0. */
static __device__ void
find_largest (const float *correlation, int side, int *u, int *v)
{
  __shared__ float values[PEAK_THREADS];
  __shared__ int places[PEAK_THREADS];
  int reach = side / 4, across = 2 * reach + 1, t = threadIdx.x, mask = side - 1;
  float best = -HUGE_VALF;
  int place = 0;

  for (int i = t; i < across * across; i += PEAK_THREADS)
    {
      float value =
          correlation[((i / across - reach) & mask) * side + ((i % across - reach) & mask)];

      if (value > best)
        {
          best = value;
          place = i;
        }
    }
  __syncthreads ();
  values[t] = best;
  places[t] = place;
  for (int half = PEAK_THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half && (values[t + half] > values[t] ||
                       (values[t + half] == values[t] && places[t + half] < places[t])))
        {
          values[t] = values[t + half];
          places[t] = places[t + half];
        }
    }
  if (t == 0)
    {
      *u = places[0] % across - reach;
      *v = places[0] / across - reach;
    }
}
