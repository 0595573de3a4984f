/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-simd.h"
#include "kernels/perfusion/fit/perfusion-fit-private.h"
#include <string.h>
/* One pass over the frames for a batch: both curves with their derivatives, and the products for
 * variable projection. */

enum { COLUMN_FIELDS = 12 };

/* One input's curve in all lanes. */
typedef struct
{
  int shift[VG_PERFUSION_LANES];
  double constants[COLUMN_FIELDS][VG_PERFUSION_LANES];
  double value[VG_PERFUSION_LANES], by_k[VG_PERFUSION_LANES], by_delay[VG_PERFUSION_LANES];
  double f0[VG_PERFUSION_LANES], f1[VG_PERFUSION_LANES];
} Lanes;

static inline void
set_columns (Lanes *self, const double *k, const double *delay, double step)
{
  double inverse = 1 / step;

#pragma omp simd
  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    {
      VgPerfusionColumn c = vg_perfusion_column (VG_PERFUSION_EXPONENTIAL, k[l], delay[l], step,
                                                 inverse);

      self->shift[l] = c.shift;
      self->constants[0][l] = c.decay;
      self->constants[1][l] = c.c0;
      self->constants[2][l] = c.c1;
      self->constants[3][l] = c.c2;
      self->constants[4][l] = c.first;
      self->constants[5][l] = c.d0;
      self->constants[6][l] = c.d1;
      self->constants[7][l] = c.d2;
      self->constants[8][l] = c.first_d;
      self->constants[9][l] = c.rate;
      self->constants[10][l] = c.g0;
      self->constants[11][l] = c.g1;
    }
}

static void
rewind_lanes (Lanes *self, const double *input, int frame)
{
  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    {
      self->value[l] = self->by_k[l] = self->by_delay[l] = 0;
      self->f0[l] = input[frame + self->shift[l] - 1];
      self->f1[l] = input[frame + self->shift[l]];
    }
}

static inline void
advance (Lanes *self, const double *input, int frame, double step)
{
#pragma omp simd
  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    {
      int j = frame + self->shift[l];
      double f2 = input[j + 1];
      VgPerfusionPoint last = { self->value[l], self->by_k[l], 0 }, point;
      VgPerfusionColumn c;

      c.step = step;
      c.decay = self->constants[0][l];
      c.c0 = self->constants[1][l];
      c.c1 = self->constants[2][l];
      c.c2 = self->constants[3][l];
      c.first = self->constants[4][l];
      c.d0 = self->constants[5][l];
      c.d1 = self->constants[6][l];
      c.d2 = self->constants[7][l];
      c.first_d = self->constants[8][l];
      c.rate = self->constants[9][l];
      c.g0 = self->constants[10][l];
      c.g1 = self->constants[11][l];
      point = vg_perfusion_next (c, last, j, self->f0[l], self->f1[l], f2);
      self->value[l] = point.value;
      self->by_k[l] = point.by_k;
      self->by_delay[l] = point.by_delay;
      self->f0[l] = self->f1[l];
      self->f1[l] = f2;
    }
}

static inline void
gather (const Lanes *a, const Lanes *p, const double *y, double weight, double *products)
{
#pragma omp simd
  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    {
      VgPerfusionPoint pa = { a->value[l], a->by_k[l], a->by_delay[l] },
                       pp = { p->value[l], p->by_k[l], p->by_delay[l] };

      vg_perfusion_gather (products + l, VG_PERFUSION_LANES, pa, pp, y[l], weight);
    }
}

static int
largest_shift (const Lanes *a, const Lanes *p)
{
  int largest = 0;

  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    largest = MAX (largest, MAX (a->shift[l], p->shift[l]));
  return largest;
}

VG_SIMD static void
products_even (const VgPerfusionProblem *problem, const double *curves,
               const VgPerfusionStart *trial, double *products)
{
  Lanes a, p;
  int first;

  set_columns (&a, trial->k, trial->ta, problem->step_s);
  set_columns (&p, trial->k, trial->tp, problem->step_s);
  /* With a negative delay the first frame lies within the input, so advance to it. */
  first = -largest_shift (&a, &p);
  rewind_lanes (&a, problem->artery, first);
  rewind_lanes (&p, problem->portal, first);
  for (int i = first; i < problem->n; i++)
    {
      advance (&a, problem->artery, i, problem->step_s);
      advance (&p, problem->portal, i, problem->step_s);
      if (i >= 0 && problem->weights[i] > 0)
        gather (&a, &p, curves + (gsize) i * VG_PERFUSION_LANES, problem->weights[i], products);
    }
}

/* The value and its derivative by k at the samples of an input, N rows of LANES each. */
/* inlined into the clones for the processor's vector instructions */
G_ALWAYS_INLINE static inline void
walk_nodes (const VgPerfusionProblem *problem, const double *input, const double *k, double *nodes)
{
  double *slopes = nodes + (gsize) problem->n * VG_PERFUSION_LANES;

  memset (nodes, 0, sizeof (double) * VG_PERFUSION_LANES);
  memset (slopes, 0, sizeof (double) * VG_PERFUSION_LANES);
  for (int j = 1; j < problem->n; j++)
    {
      const double step = problem->times_s[j] - problem->times_s[j - 1], from = input[j - 1],
                   to = input[j];
      gsize row = (gsize) j * VG_PERFUSION_LANES;

#pragma omp simd
      for (int l = 0; l < VG_PERFUSION_LANES; l++)
        {
          double value = nodes[row - VG_PERFUSION_LANES + (gsize) l],
                 by_k = slopes[row - VG_PERFUSION_LANES + (gsize) l];

          vg_perfusion_advance (k[l], step, from, to, &value, &by_k);
          nodes[row + (gsize) l] = value;
          slopes[row + (gsize) l] = by_k;
        }
    }
}

/* Computes the curves at frame I, starting at the last sample AT before its delayed time. */
G_ALWAYS_INLINE static inline void
look (Lanes *self, const VgPerfusionProblem *problem, const double *input, const double *nodes,
      const double *k, const double *delay, int i, int *at)
{
  const double *t = problem->times_s, *slopes = nodes + (gsize) problem->n * VG_PERFUSION_LANES;
  int n = problem->n;

  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    while (at[l] + 1 < n && t[at[l] + 1] <= t[i] - delay[l])
      at[l]++;
#pragma omp simd
  for (int l = 0; l < VG_PERFUSION_LANES; l++)
    {
      int j = at[l], next = j + 1 < n ? j + 1 : j;
      double time = t[i] - delay[l], begun = time < t[0] ? 0 : 1, h = begun * (time - t[j]),
             length = t[next] - t[j];
      /* constant after the last sample */
      double end = input[j] + (input[next] - input[j]) * (length > 0 ? h / length : 0);
      double value = nodes[j * VG_PERFUSION_LANES + l], by_k = slopes[j * VG_PERFUSION_LANES + l];

      vg_perfusion_advance (k[l], h, input[j], end, &value, &by_k);
      self->value[l] = begun * value;
      self->by_k[l] = begun * by_k;
      self->by_delay[l] = begun * (k[l] * value - end);
    }
}

VG_SIMD static void
products_uneven (const VgPerfusionProblem *problem, const double *curves,
                 const VgPerfusionStart *trial, double *scratch, double *products)
{
  double *nodes_p = scratch + (gsize) problem->n * 2 * VG_PERFUSION_LANES;
  int at_a[VG_PERFUSION_LANES] = { 0 }, at_p[VG_PERFUSION_LANES] = { 0 };
  Lanes a, p;

  walk_nodes (problem, problem->artery, trial->k, scratch);
  walk_nodes (problem, problem->portal, trial->k, nodes_p);
  for (int i = 0; i < problem->n; i++)
    if (problem->weights[i] > 0)
      {
        look (&a, problem, problem->artery, scratch, trial->k, trial->ta, i, at_a);
        look (&p, problem, problem->portal, nodes_p, trial->k, trial->tp, i, at_p);
        gather (&a, &p, curves + (gsize) i * VG_PERFUSION_LANES, problem->weights[i], products);
      }
}

gsize
vg_perfusion_products_scratch (const VgPerfusionProblem *problem)
{
  return problem->even ? 0 : (gsize) problem->n * 4 * VG_PERFUSION_LANES;
}

void
vg_perfusion_products (const VgPerfusionProblem *problem, const double *curves,
                       const VgPerfusionStart *trial, double *scratch, double *products)
{
  memset (products, 0, sizeof (double) * VG_PERFUSION_PRODUCTS * VG_PERFUSION_LANES);
  if (problem->even)
    products_even (problem, curves, trial, products);
  else
    products_uneven (problem, curves, trial, scratch, products);
}
