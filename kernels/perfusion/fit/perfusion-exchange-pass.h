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

/* Products of the columns with each other (VG_PERFUSION_AT) and with the curve. */
typedef struct
{
  VgPerfusionReal m[VG_PERFUSION_COLUMNS * (VG_PERFUSION_COLUMNS + 1) / 2], y[VG_PERFUSION_COLUMNS];
} VgPerfusionProducts;

#ifdef __CUDACC__
#define VG_PERFUSION_ROW(q, columns) ((q) + 1)
/* The frames before an input begins take the same path as the others. */
#define VG_PERFUSION_ONE_PATH 1
#else
#define VG_PERFUSION_ONE_PATH 0
/* whole vectors */
#define VG_PERFUSION_ROW(q, columns) ((q) < 4 ? 4 : (columns))
#endif

VG_PERFUSION_NOINLINE void
vg_perfusion_pass_column (VgPerfusionReal k, VgPerfusionReal delay, VgPerfusionReal step,
                          VgPerfusionReal inverse_step, VgPerfusionColumn *out)
{
  *out = vg_perfusion_column (VG_PERFUSION_EXPONENTIAL, k, delay, step, inverse_step);
}

/* One pass.  DUAL, DELAYS and EVEN are constants at each call, so the compiler specialises the
 * function. */
VG_PERFUSION_WITHIN void
vg_perfusion_pass (const VgPerfusionTask *task, const VgPerfusionReal *x,
                   const VG_PERFUSION_SAMPLE *y, long stride, const int dual, const int delays,
                   const int even, VgPerfusionProducts *out)
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

      VgPerfusionColumn column;

      vg_perfusion_pass_column (exp (x[l % 2]), x[l < 2 ? VG_PERFUSION_TA : VG_PERFUSION_TP],
                                even ? task->step : 1, even ? 1 / task->step : 1, &column);
      of[l] = column;
      walk[l] = start;
      decay[l] = of[l].decay;
      c0[l] = of[l].c0;
      c1[l] = of[l].c1;
      c2[l] = of[l].c2;
      d0[l] = of[l].d0;
      d1[l] = of[l].d1;
      d2[l] = of[l].d2;
      if (even && -of[l].shift < first_frame)
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
  VG_PERFUSION_LOOP
  for (int i = first_frame; i < task->n; i++)
    {
      const int ja = i + of[0].shift, jp = i + of[lanes - 1].shift;
      VgPerfusionReal w, here, input_a, input_p = 0;

      if (even && (VG_PERFUSION_ONE_PATH || (ja > 0 && jp > 0)))
        {
          VG_PERFUSION_UNROLL
          for (int l = 0; l < lanes; l++)
            {
              const VgPerfusionReal *f = l < 2 ? task->artery + ja : task->portal + jp;
              const int j = VG_PERFUSION_ONE_PATH ? (l < 2 ? ja : jp) : 1;

              f0[l] = j > 0 ? f[-1] : zero;
              f1[l] = j >= 0 ? f[0] : zero;
              f2[l] = j >= 0 ? f[1] : zero;
            }
          VG_PERFUSION_UNROLL
          for (int l = 0; l < lanes; l++)
            {
              const int j = VG_PERFUSION_ONE_PATH ? (l < 2 ? ja : jp) : 1;

              by_k[l] = decay[l] * (by_k[l] - task->step * value[l]) + d0[l] * f0[l] +
                        (j > 0 ? d1[l] : of[l].first_d) * f1[l] + d2[l] * f2[l];
              value[l] = decay[l] * value[l] + c0[l] * f0[l] +
                         (j > 0 ? c1[l] : of[l].first) * f1[l] + c2[l] * f2[l];
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
              if (!even)
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
        out->m[VG_PERFUSION_AT (q, r)] = q < columns ? sums[q][r] : zero;
      out->y[q] = q < columns ? with[q] : zero;
    }
}

#ifndef __CUDACC__
/* Computes the products at X with the processor's vector instructions (perfusion-exchange.c). */
void vg_perfusion_exchange_products (const VgPerfusionTask *task, const VgPerfusionReal *x,
                                     const VG_PERFUSION_SAMPLE *y, long stride,
                                     VgPerfusionProducts *out);
#endif

/* The derivative of A u + B v by parameter Q (of VG_PERFUSION_ALL) as the sum of PART[i] times
 * column AT[i]; returns the number of terms. */
VG_PERFUSION_WITHIN int
vg_perfusion_slope_parts (const VgPerfusionTask *task, const VgPerfusionReal *x, VgPerfusionReal a,
                          VgPerfusionReal b, const int q, const int dual, const int delays, int *at,
                          VgPerfusionReal *part)
{
  const VgPerfusionReal share = dual ? x[VG_PERFUSION_SHARE] : 1;
  VgPerfusionReal of_a, of_p;

  at[0] = q;
  part[0] = 1;
  switch (q - 2)
    {
    case VG_PERFUSION_LOG_K1:
      part[0] = a;
      return 1;
    case VG_PERFUSION_LOG_K2:
      part[0] = b;
      return 1;
    case VG_PERFUSION_SHARE:
      at[0] = 4;
      at[1] = 5;
      part[0] = a;
      part[1] = b;
      return dual ? 2 : 0;
    case VG_PERFUSION_TA:
    case VG_PERFUSION_TP:
      /* Parts of the artery and the portal vein; their curves are u + (1 - share) (artery less
       * portal) and u - share (artery less portal). */
      of_a = q - 2 == VG_PERFUSION_TA ? share : 0;
      of_p = q - 2 == VG_PERFUSION_TP || task->bounds.delays == VG_PERFUSION_DELAYS_SHARED
                 ? 1 - share
                 : 0;
      at[0] = VG_PERFUSION_PASS_U;
      at[1] = VG_PERFUSION_PASS_V;
      at[2] = dual ? 6 : 4;
      at[3] = 4;
      at[4] = 5;
      at[5] = 7;
      if (!dual)
        of_p = 0;
      part[0] = a * (of_a + of_p);
      part[1] = b * (of_a + of_p);
      part[3] = of_a * (1 - share) - of_p * share;
      part[4] = b * part[3];
      part[3] *= a;
      part[2] = of_a;
      part[5] = of_p;
      return !delays || (q - 2 == VG_PERFUSION_TP && !dual) ? 0 : dual ? 6 : 3;
    default:
      return 1;
    }
}

/* Computes gradient and normal matrix at X for the non-zero amounts A and B from PRODUCTS; LEFT_A
 * and LEFT_B: the amounts whose curves are subtracted from the measured one. */
VG_PERFUSION_WITHIN void
vg_perfusion_exchange_normal (const VgPerfusionTask *task, const VgPerfusionReal *x,
                              const VgPerfusionProducts *products, VgPerfusionReal a,
                              VgPerfusionReal b, VgPerfusionReal left_a, VgPerfusionReal left_b,
                              const int dual, const int delays, VgPerfusionSystem *out)
{
  enum { N = VG_PERFUSION_ALL, COLUMNS = VG_PERFUSION_COLUMNS, MOST = 6 };
  const int columns = 4 + 2 * dual + delays * (1 + dual);
  const VgPerfusionReal rate[2] = { exp (x[VG_PERFUSION_LOG_K1]), exp (x[VG_PERFUSION_LOG_K2]) };
  int at[N][MOST], count[N];
  VgPerfusionReal part[N][MOST], row[COLUMNS], left[COLUMNS];

  VG_PERFUSION_UNROLL
  for (int c = 0; c < COLUMNS; c++)
    left[c] = products->y[c] - left_a * products->m[VG_PERFUSION_OF (c, 0)] -
              left_b * products->m[VG_PERFUSION_OF (c, 1)];
  VG_PERFUSION_UNROLL
  for (int q = 0; q < N; q++)
    {
      count[q] = vg_perfusion_slope_parts (task, x, a, b, q, dual, delays, at[q], part[q]);
      /* the factors of the delays' and the rates' columns */
      if (q == VG_PERFUSION_LOG_K1 + 2 || q == VG_PERFUSION_LOG_K2 + 2)
        part[q][0] *= rate[q - 2];
      if (q == VG_PERFUSION_TA + 2 || q == VG_PERFUSION_TP + 2)
        {
          part[q][0] *= rate[0];
          part[q][1] *= rate[1];
          part[q][2] *= -(a + b);
          part[q][3] *= rate[0];
          part[q][4] *= rate[1];
          part[q][5] *= -(a + b);
        }
      out->g[q] = 0;
      VG_PERFUSION_UNROLL
      for (int c = 0; c < COLUMNS; c++)
        row[c] = 0;
      VG_PERFUSION_UNROLL
      for (int i = 0; i < MOST; i++)
        if (i < count[q])
          {
            out->g[q] += part[q][i] * left[at[q][i]];
            VG_PERFUSION_UNROLL
            for (int c = 0; c < COLUMNS; c++)
              if (c < columns)
                row[c] += part[q][i] * products->m[VG_PERFUSION_OF (at[q][i], c)];
          }
      VG_PERFUSION_UNROLL
      for (int r = 0; r <= q; r++)
        {
          VgPerfusionReal sum = 0;

          VG_PERFUSION_UNROLL
          for (int i = 0; i < MOST; i++)
            if (i < count[r])
              sum += part[r][i] * row[at[r][i]];
          out->m[VG_PERFUSION_AT (q, r)] = sum;
        }
    }
}

/* Fills OUT at X from PRODUCTS; YY: the sum of squares of the curve.  WHOLE: as
 * vg_perfusion_general_system.  Otherwise nothing is subtracted from the curve: the equations of
 * the amount of the first exponential, if SECOND that of another with a fixed rate, and the changes
 * of the parameters times the first amount. */
VG_PERFUSION_WITHIN void
vg_perfusion_exchange_fill (const VgPerfusionTask *task, const VgPerfusionReal *x,
                            const VgPerfusionProducts *products, VgPerfusionReal yy, int whole,
                            int second, const int dual, const int delays, VgPerfusionSystem *out)
{
  const VgPerfusionReal uu = products->m[VG_PERFUSION_AT (0, 0)],
                        uv = products->m[VG_PERFUSION_AT (1, 0)],
                        vv = products->m[VG_PERFUSION_AT (1, 1)], uy = products->y[0],
                        vy = products->y[1];
  VgPerfusionReal a = 1, b = 0;

  if (whole)
    vg_perfusion_amounts (uu, uv, vv, uy, vy, &a, &b);
  /* An error of the amounts affects this expression in second order only. */
  out->cost = yy - a * (2 * uy - a * uu - 2 * b * uv) - b * (2 * vy - b * vv);
  out->cost = out->cost > 0 ? out->cost : 0;
  vg_perfusion_exchange_normal (task, x, products, a, b, whole ? a : 0, whole ? b : 0, dual, delays,
                                out);
  out->a = a;
  out->b = whole ? b : second;
  vg_perfusion_complete (task, out);
}
