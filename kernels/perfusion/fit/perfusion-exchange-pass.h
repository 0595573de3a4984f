/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-general.h"
/* One pass over the frames for the exchange model, for both backends.  It computes both
 * exponentials of both inputs together and sums the products of a few columns.  All derivatives
 * of the model are combinations of these, so amounts, cost, gradient and normal matrix need no
 * second pass. */

/* The columns: both curves, their derivatives by the rates, the difference of the artery's and
 * the portal vein's part of both, and the delayed inputs. */
enum {
  VG_PERFUSION_PASS_U,
  VG_PERFUSION_PASS_V,
  VG_PERFUSION_PASS_UK,
  VG_PERFUSION_PASS_VK,
  VG_PERFUSION_COLUMNS = 8,
  VG_PERFUSION_PASS_LANES = 4,
};

/* Products of the columns with each other (rows at least up to the diagonal) and with the curve. */
typedef struct
{
  VgPerfusionReal m[VG_PERFUSION_COLUMNS][VG_PERFUSION_COLUMNS], y[VG_PERFUSION_COLUMNS];
} VgPerfusionProducts;

#ifdef __CUDACC__
/* A separate function on the GPU.  With everything in one kernel nvcc 13.0 misplaced an array on
 * the stack with two inputs, and the kernel read beyond its tables. */
#define VG_PERFUSION_NOINLINE __host__ __device__ static __noinline__
#ifdef __CUDA_ARCH__
#define VG_PERFUSION_UNROLL _Pragma ("unroll")
#else
#define VG_PERFUSION_UNROLL
#endif
#define VG_PERFUSION_ROW(q, columns) ((q) + 1)
#define VG_PERFUSION_WITHIN __host__ __device__ static __forceinline__
#else
#define VG_PERFUSION_NOINLINE VG_SCALAR
#define VG_PERFUSION_UNROLL _Pragma ("GCC unroll 8")
/* whole vectors */
#define VG_PERFUSION_ROW(q, columns) ((q) < 4 ? 4 : (columns))
#define VG_PERFUSION_WITHIN static inline __attribute__ ((always_inline))
#endif

/* One pass.  DUAL and DELAYS are constants at each call, so the compiler specialises the
 * function. */
VG_PERFUSION_WITHIN void
vg_perfusion_pass (const VgPerfusionTask *task, const VgPerfusionReal *x,
                   const VG_PERFUSION_SAMPLE *y, long stride, const int dual, const int delays,
                   VgPerfusionProducts *out)
{
  enum { MOST = VG_PERFUSION_COLUMNS, LANES = VG_PERFUSION_PASS_LANES };
  const int lanes = dual ? 4 : 2, columns = 4 + 2 * dual + delays * (1 + dual);
  const VgPerfusionReal share = dual ? x[VG_PERFUSION_SHARE] : 1, rest = 1 - share, zero = 0;
  VgPerfusionReal decay[LANES], c0[LANES], c1[LANES], c2[LANES], d0[LANES], d1[LANES], d2[LANES],
      value[LANES] = { 0 }, by_k[LANES] = { 0 };
  VgPerfusionReal f0[LANES], f1[LANES], f2[LANES], sums[MOST][MOST], with[MOST], c[MOST];
  VgPerfusionColumn of[LANES];
  VgPerfusionWalk walk[LANES];
  int first_frame = 0;

  VG_PERFUSION_UNROLL
  for (int l = 0; l < lanes; l++)
    {
      const VgPerfusionWalk start = VG_PERFUSION_WALK_START;

      of[l] = vg_perfusion_column (VG_PERFUSION_EXPONENTIAL, exp (x[l % 2]),
                                   x[l < 2 ? VG_PERFUSION_TA : VG_PERFUSION_TP],
                                   task->even ? task->step : 1, task->even ? 1 / task->step : 1);
      walk[l] = start;
      decay[l] = of[l].decay;
      c0[l] = of[l].c0;
      c1[l] = of[l].c1;
      c2[l] = of[l].c2;
      d0[l] = of[l].d0;
      d1[l] = of[l].d1;
      d2[l] = of[l].d2;
      if (task->even && -of[l].shift < first_frame)
        first_frame = -of[l].shift;
    }
  VG_PERFUSION_UNROLL
  for (int q = 0; q < columns; q++)
    {
      const int row = VG_PERFUSION_ROW (q, columns);

      VG_PERFUSION_UNROLL
      for (int r = 0; r < row; r++)
        sums[q][r] = 0;
      with[q] = 0;
    }
  for (int i = first_frame; i < task->n; i++)
    {
      const int ja = i + of[0].shift, jp = i + of[lanes - 1].shift;
      VgPerfusionReal w, here, input_a, input_p = 0;

      if (task->even && ja > 0 && jp > 0)
        {
          VG_PERFUSION_UNROLL
          for (int l = 0; l < lanes; l++)
            {
              const VgPerfusionReal *f = l < 2 ? task->artery + ja : task->portal + jp;

              f0[l] = f[-1];
              f1[l] = f[0];
              f2[l] = f[1];
            }
          VG_PERFUSION_UNROLL
          for (int l = 0; l < lanes; l++)
            {
              by_k[l] = decay[l] * (by_k[l] - task->step * value[l]) + d0[l] * f0[l] +
                        d1[l] * f1[l] + d2[l] * f2[l];
              value[l] = decay[l] * value[l] + c0[l] * f0[l] + c1[l] * f1[l] + c2[l] * f2[l];
            }
          input_a = -of[0].g0 * f1[0] - of[0].g1 * f2[0];
          if (dual)
            input_p = -of[lanes - 1].g0 * f1[lanes - 1] - of[lanes - 1].g1 * f2[lanes - 1];
        }
      else
        {
          VgPerfusionPoint point = { 0, 0, 0 };
          VgPerfusionReal input[LANES];

          VG_PERFUSION_UNROLL
          for (int l = 0; l < lanes; l++)
            {
              const VgPerfusionReal *f = l < 2 ? task->artery : task->portal;
              int j = l < 2 ? ja : jp;
              VgPerfusionReal k = exp (x[l % 2]);

              point.value = value[l];
              point.by_k = by_k[l];
              if (!task->even)
                point = vg_perfusion_walk (&walk[l], VG_PERFUSION_EXPONENTIAL, k,
                                           task->times[i] -
                                               x[l < 2 ? VG_PERFUSION_TA : VG_PERFUSION_TP],
                                           task->times, f, task->n);
              else if (j >= 0)
                point = vg_perfusion_next (of[l], point, j, f[j - 1], f[j], f[j + 1]);
              else
                point.by_delay = k * point.value;
              value[l] = point.value;
              by_k[l] = point.by_k;
              input[l] = k * point.value - point.by_delay;
            }
          input_a = input[0];
          input_p = input[lanes - 1];
        }
      if (i < 0 || !(task->weights[i] > 0))
        continue;
      w = task->weights[i];
      here = y[i * stride];
      VG_PERFUSION_UNROLL
      for (int r = 0; r < 2; r++)
        {
          c[r] = dual ? share * value[r] + rest * value[(r + 2) % lanes] : value[r];
          c[r + 2] = dual ? share * by_k[r] + rest * by_k[(r + 2) % lanes] : by_k[r];
          if (dual)
            c[r + 4] = value[r] - value[(r + 2) % lanes];
        }
      if (delays)
        c[dual ? 6 : 4] = input_a;
      if (delays && dual)
        c[7] = input_p;
      VG_PERFUSION_UNROLL
      for (int q = 0; q < columns; q++)
        {
          const int row = VG_PERFUSION_ROW (q, columns);
          const VgPerfusionReal wc = w * c[q];

          VG_PERFUSION_UNROLL
          for (int r = 0; r < row; r++)
            sums[q][r] += wc * c[r];
          with[q] += wc * here;
        }
    }
  VG_PERFUSION_UNROLL
  for (int q = 0; q < MOST; q++)
    {
      VG_PERFUSION_UNROLL
      for (int r = 0; r <= q; r++)
        out->m[q][r] = out->m[r][q] = q < columns ? sums[q][r] : zero;
      out->y[q] = q < columns ? with[q] : zero;
    }
}

VG_PERFUSION_WITHIN void
vg_perfusion_pass_any (const VgPerfusionTask *task, const VgPerfusionReal *x,
                       const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionProducts *out)
{
  int delays = task->bounds.delays != VG_PERFUSION_DELAYS_NONE;

  if (task->dual && delays)
    vg_perfusion_pass (task, x, y, stride, 1, 1, out);
  else if (task->dual)
    vg_perfusion_pass (task, x, y, stride, 1, 0, out);
  else if (delays)
    vg_perfusion_pass (task, x, y, stride, 0, 1, out);
  else
    vg_perfusion_pass (task, x, y, stride, 0, 0, out);
}

/* Computes the products at X.  On the GPU it is one function that is not inlined; on the CPU it
 * uses the processor's vector instructions (perfusion-exchange.c). */
#ifdef __CUDACC__
__host__ __device__ static __noinline__ void
vg_perfusion_exchange_products (const VgPerfusionTask *task, const VgPerfusionReal *x,
                                const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionProducts *out)
{
  vg_perfusion_pass_any (task, x, y, stride, out);
}
#else
void vg_perfusion_exchange_products (const VgPerfusionTask *task, const VgPerfusionReal *x,
                                     const VG_PERFUSION_SAMPLE *y, long stride,
                                     VgPerfusionProducts *out);
#endif

/* The derivative of A u + B v by parameter Q (of VG_PERFUSION_ALL) as the sum of PART[c] times
 * column AT[c]; returns the number of terms. */
VG_SCALAR int
vg_perfusion_slope_parts (const VgPerfusionTask *task, const VgPerfusionReal *x, VgPerfusionReal a,
                          VgPerfusionReal b, int q, int *at, VgPerfusionReal *part)
{
  const VgPerfusionReal k1 = exp (x[VG_PERFUSION_LOG_K1]), k2 = exp (x[VG_PERFUSION_LOG_K2]),
                        share = task->dual ? x[VG_PERFUSION_SHARE] : 1;
  const int dual = task->dual, both = dual && task->bounds.delays == VG_PERFUSION_DELAYS_SHARED;
  VgPerfusionReal of_a, of_p;

  if (q >= 2 && !vg_perfusion_moves (task, q - 2))
    return 0;
  at[0] = q;
  switch (q - 2)
    {
    case VG_PERFUSION_LOG_K1:
      part[0] = a * k1;
      return 1;
    case VG_PERFUSION_LOG_K2:
      part[0] = b * k2;
      return 1;
    case VG_PERFUSION_SHARE:
      at[0] = 4;
      at[1] = 5;
      part[0] = a;
      part[1] = b;
      return 2;
    case VG_PERFUSION_TA:
    case VG_PERFUSION_TP:
      /* Parts of the artery and the portal vein; their curves are u + (1 - share) (artery less
       * portal) and u - share (artery less portal). */
      of_a = q - 2 == VG_PERFUSION_TA ? share : 0;
      of_p = dual && (both || q - 2 == VG_PERFUSION_TP) ? 1 - share : 0;
      at[0] = VG_PERFUSION_PASS_U;
      at[1] = VG_PERFUSION_PASS_V;
      part[0] = a * k1 * (of_a + of_p);
      part[1] = b * k2 * (of_a + of_p);
      at[2] = dual ? 6 : 4;
      part[2] = -(a + b) * of_a;
      at[3] = 4;
      at[4] = 5;
      at[5] = 7;
      part[3] = a * k1 * (of_a * (1 - share) - of_p * share);
      part[4] = b * k2 * (of_a * (1 - share) - of_p * share);
      part[5] = -(a + b) * of_p;
      return dual ? 6 : 3;
    default:
      part[0] = 1;
      return 1;
    }
}

/* Computes gradient and normal matrix at X for the non-zero amounts (out->a, out->b) from
 * PRODUCTS. */
VG_SCALAR void
vg_perfusion_exchange_normal (const VgPerfusionTask *task, const VgPerfusionReal *x,
                              const VgPerfusionProducts *products, VgPerfusionReal a,
                              VgPerfusionReal b, VgPerfusionReal left_a, VgPerfusionReal left_b,
                              VgPerfusionSystem *out)
{
  enum { N = VG_PERFUSION_ALL, COLUMNS = VG_PERFUSION_COLUMNS };
  int at[N][6], count[N];
  VgPerfusionReal part[N][6], row[COLUMNS], left[COLUMNS];

  for (int c = 0; c < COLUMNS; c++)
    left[c] = products->y[c] - left_a * products->m[0][c] - left_b * products->m[1][c];
  for (int q = 0; q < N; q++)
    {
      count[q] = vg_perfusion_slope_parts (task, x, a, b, q, at[q], part[q]);
      out->g[q] = 0;
      for (int c = 0; c < COLUMNS; c++)
        row[c] = 0;
      for (int i = 0; i < count[q]; i++)
        {
          out->g[q] += part[q][i] * left[at[q][i]];
          for (int c = 0; c < COLUMNS; c++)
            row[c] += part[q][i] * products->m[at[q][i]][c];
        }
      for (int r = 0; r <= q; r++)
        {
          VgPerfusionReal sum = 0;

          for (int i = 0; i < count[r]; i++)
            sum += part[r][i] * row[at[r][i]];
          out->m[q * N + r] = sum;
        }
    }
}

/* As vg_perfusion_general_system; YY: the sum of squares of the curve. */
VG_PERFUSION_NOINLINE void
vg_perfusion_exchange_system (const VgPerfusionTask *task, const VgPerfusionReal *x,
                              const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionReal yy,
                              VgPerfusionSystem *out)
{
  VgPerfusionProducts products;

  vg_perfusion_exchange_products (task, x, y, stride, &products);
  vg_perfusion_amounts (products.m[0][0], products.m[1][0], products.m[1][1], products.y[0],
                        products.y[1], &out->a, &out->b);
  /* An error of the amounts affects this expression in second order only. */
  out->cost = yy -
              out->a *
                  (2 * products.y[0] - out->a * products.m[0][0] - 2 * out->b * products.m[1][0]) -
              out->b * (2 * products.y[1] - out->b * products.m[1][1]);
  out->cost = out->cost > 0 ? out->cost : 0;
  vg_perfusion_exchange_normal (task, x, &products, out->a, out->b, out->a, out->b, out);
  vg_perfusion_complete (task, out);
}
