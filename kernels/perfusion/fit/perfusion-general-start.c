/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/fit/perfusion-general.h"
#include "kernels/perfusion/fit/perfusion-general-start.h"
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
/* The grid of initial values for the models with a plasma space, on the CPU. */

enum { MAX_GRID = 24 };

typedef struct
{
  int rates, delays, shares;
  double log_k[MAX_GRID], delay[MAX_GRID], share[MAX_GRID];
} Grid;

static Grid
make_grid (const VgPerfusionProblem *problem)
{
  static const double shares[] = { 0.1, 0.4, 0.8 };
  const VgPerfusionBounds *bounds = &problem->bounds;
  /* Exchange: transit times are seconds, so the rates reach higher. */
  gboolean dual = problem->dual, two = problem->model == VG_PERFUSION_EXCHANGE;
  double low = log (MAX (bounds->k_min, 1.0 / VG_PERFUSION_RATE)), high = log (bounds->k_max);
  Grid grid = { two                                     ? (dual ? 9 : 14)
                : problem->model == VG_PERFUSION_PATLAK ? 1
                : dual                                  ? 12
                                                        : 24,
                dual ? 4 : 12,
                dual ? 3 : 1,
                { 0 },
                { 0 },
                { 0 } };

  for (int i = 0; i < grid.rates; i++)
    grid.log_k[i] = low + (high - low) * (i + 0.5) / grid.rates;
  if (bounds->delays == VG_PERFUSION_DELAYS_NONE)
    grid.delays = 1;
  for (int i = 0; i < grid.delays; i++)
    grid.delay[i] = grid.delays == 1
                        ? 0
                        : bounds->delay_min + pow ((double) i / (grid.delays - 1), 1.3) *
                                                  (bounds->delay_max - bounds->delay_min);
  for (int i = 0; i < grid.shares; i++)
    grid.share[i] = dual ? shares[i] : 1;
  return grid;
}

static void
add_place (VgPerfusionGrid *self, double log_k1, double log_k2, double ta, double tp, double share)
{
  double *place = self->points[self->count++];

  place[VG_PERFUSION_LOG_K1] = log_k1;
  place[VG_PERFUSION_LOG_K2] = log_k2;
  place[VG_PERFUSION_TA] = ta;
  place[VG_PERFUSION_TP] = tp;
  place[VG_PERFUSION_SHARE] = share;
}

static gboolean
list_places (VgPerfusionGrid *self, const VgPerfusionProblem *problem)
{
  Grid grid = make_grid (problem);
  gboolean two = problem->model == VG_PERFUSION_EXCHANGE,
           apart = problem->dual && problem->bounds.delays == VG_PERFUSION_DELAYS_FREE;
  int pairs = two ? grid.rates * (grid.rates - 1) / 2 : grid.rates;
  gboolean by_share = two && problem->dual;

  self->group = (problem->model == VG_PERFUSION_PATLAK ? 1 : grid.delays) *
                (apart ? grid.delays : 1) * (by_share ? pairs : grid.shares);
  self->points = g_try_malloc_n ((gsize) (pairs * grid.delays * grid.delays * grid.shares),
                                 sizeof *self->points);
  if (self->points == NULL)
    return FALSE;
  for (int group = 0; group < (by_share ? grid.shares : 1); group++)
    for (int k1 = 0; k1 < grid.rates; k1++)
      for (int k2 = two ? 0 : k1; two ? k2 < k1 : k2 == k1; k2++)
        for (int a = 0; a < grid.delays; a++)
          for (int p = apart ? 0 : a; apart ? p < grid.delays : p == a; p++)
            for (int s = by_share ? group : 0; s < (by_share ? group + 1 : grid.shares); s++)
              add_place (self, grid.log_k[k1], grid.log_k[k2], grid.delay[a], grid.delay[p],
                         grid.share[s]);
  return TRUE;
}

/* The curves of the grid of the exchange model, each once: by input, rate and delay. */
typedef struct
{
  double k[VG_PERFUSION_MAX_PARTS], delay[VG_PERFUSION_MAX_PARTS];
  gboolean portal[VG_PERFUSION_MAX_PARTS];
  int count;
} Parts;

static guint16
find_part (Parts *self, gboolean portal, double k, double delay)
{
  for (int i = 0; i < self->count; i++)
    if (self->portal[i] == portal && self->k[i] == k && self->delay[i] == delay)
      return (guint16) i;
  g_assert (self->count < VG_PERFUSION_MAX_PARTS);
  self->portal[self->count] = portal;
  self->k[self->count] = k;
  self->delay[self->count] = delay;
  return (guint16) self->count++;
}

static void
list_parts (VgPerfusionGrid *self, const VgPerfusionProblem *problem, Parts *parts)
{
  for (int c = 0; c < self->count; c++)
    for (int i = 0; i < 4; i++)
      {
        const double *x = self->points[c];
        gboolean portal = problem->dual && i % 2;

        self->pairs[c].part[i] = find_part (
            parts, portal, exp (x[i / 2 ? VG_PERFUSION_LOG_K2 : VG_PERFUSION_LOG_K1]),
            x[portal ? VG_PERFUSION_TP : VG_PERFUSION_TA]);
      }
}

static double
product (const double *weights, const double *a, const double *b, int n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += weights[i] * a[i] * b[i];
  return sum;
}

/* Computes the weights and overlap of a grid point from the products of CURVES with each other. */
static void
set_pair (VgPerfusionPointPair *self, double share, gboolean dual, const double *curves,
          const double *lengths, const double *weights, int n)
{
  double mix[4] = { dual ? share : 1, dual ? 1 - share : 0, dual ? share : 1,
                    dual ? 1 - share : 0 },
         own[2] = { 0, 0 }, both = 0;

  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      {
        double part;

        if (mix[i] == 0 || mix[j] == 0 || (i >= 2 && j < 2))
          continue;
        part = mix[i] * mix[j] *
               product (weights, curves + self->part[i] * n, curves + self->part[j] * n, n);
        if (i / 2 == j / 2)
          own[i / 2] += part;
        else
          both += part;
      }
  for (int i = 0; i < 4; i++)
    self->weight[i] = own[i / 2] > 0 ? (float) (mix[i] * lengths[self->part[i]] / sqrt (own[i / 2]))
                                     : 0;
  both = own[0] > 0 && own[1] > 0 ? both / sqrt (own[0] * own[1]) : 0;
  self->overlap = (float) both;
  self->inverse = (float) (1 / MAX (1 - both * both, 1e-5));
}

/* Computes both curves of every grid point. */
static void
make_whole (VgPerfusionGrid *self, const VgPerfusionProblem *problem, int threads)
{
  VgPerfusionTask task = vg_perfusion_task (problem);

#pragma omp parallel for num_threads(threads)
  for (int c = 0; c < self->count; c++)
    {
      VgPerfusionPair pair = vg_perfusion_pair (&task, self->points[c]);
      float *u = self->u + (gsize) c * (gsize) self->n, *v = self->v + (gsize) c * (gsize) self->n;
      double uu = 0, vv = 0, uv = 0;

      for (int i = 0; i < self->n; i++)
        {
          double a, b;

          vg_perfusion_pair_next (&task, &pair, i);
          a = vg_perfusion_pair_u (&pair);
          b = vg_perfusion_pair_v (&pair);
          uu += problem->weights[i] * a * a;
          vv += problem->weights[i] * b * b;
          uv += problem->weights[i] * a * b;
          u[i] = (float) (problem->weights[i] * a);
          v[i] = (float) (problem->weights[i] * b);
        }
      for (int i = 0; i < self->n; i++)
        {
          u[i] = uu > 0 ? (float) (u[i] / sqrt (uu)) : 0;
          v[i] = vv > 0 ? (float) (v[i] / sqrt (vv)) : 0;
        }
      uv = uu > 0 && vv > 0 ? uv / sqrt (uu * vv) : 0;
      self->overlap[c] = (float) uv;
      self->inverse[c] = (float) (1 / MAX (1 - uv * uv, 1e-5));
    }
}

static gboolean
make_parts (VgPerfusionGrid *self, const VgPerfusionProblem *problem, const Parts *parts,
            int threads)
{
  int n = self->n;
  g_autofree double *curves = g_try_new (double, (gsize) n *(gsize) self->n_parts),
                    *lengths = g_new (double, self->n_parts);

  if (curves == NULL)
    return FALSE;
#pragma omp parallel for num_threads(threads)
  for (int c = 0; c < self->n_parts; c++)
    {
      double *curve = curves + (gsize) c * (gsize) n;

      vg_perfusion_curve (problem, parts->portal[c] ? problem->portal : problem->artery,
                          VG_PERFUSION_EXPONENTIAL, parts->k[c], parts->delay[c], curve, NULL,
                          NULL);
      lengths[c] = sqrt (product (problem->weights, curve, curve, n));
      for (int i = 0; i < n; i++)
        self->parts[(gsize) i * (gsize) self->n_parts + (gsize) c] =
            lengths[c] > 0 ? (float) (problem->weights[i] * curve[i] / lengths[c]) : 0;
    }
#pragma omp parallel for num_threads(threads)
  for (int c = 0; c < self->count; c++)
    set_pair (&self->pairs[c], self->points[c][VG_PERFUSION_SHARE], problem->dual, curves, lengths,
              problem->weights, n);
  return TRUE;
}

VgPerfusionGrid *
vg_perfusion_grid_new (const VgPerfusionProblem *problem, int threads)
{
  g_autoptr (VgPerfusionGrid) self = g_new0 (VgPerfusionGrid, 1);
  g_autofree Parts *parts = g_try_new0 (Parts, 1);
  gsize size;

  self->n = problem->n;
  if (parts == NULL || !list_places (self, problem))
    return NULL;
  g_assert (self->count % self->group == 0 && self->count / self->group <= VG_PERFUSION_MAX_GROUPS);
  size = (gsize) self->count * (gsize) self->n;
  if (problem->model == VG_PERFUSION_EXCHANGE)
    {
      self->pairs = g_try_new0 (VgPerfusionPointPair, self->count);
      if (self->pairs == NULL)
        return NULL;
      list_parts (self, problem, parts);
      self->n_parts = parts->count;
      self->parts = g_try_new (float, (gsize) self->n *(gsize) self->n_parts);
      return self->parts != NULL && make_parts (self, problem, parts, threads)
                 ? g_steal_pointer (&self)
                 : NULL;
    }
  self->u = g_try_new (float, size);
  self->v = g_try_new (float, size);
  self->overlap = g_try_new (float, self->count);
  self->inverse = g_try_new (float, self->count);
  if (self->u == NULL || self->v == NULL || self->overlap == NULL || self->inverse == NULL)
    return NULL;
  make_whole (self, problem, threads);
  return g_steal_pointer (&self);
}

void
vg_perfusion_grid_free (VgPerfusionGrid *self)
{
  if (self == NULL)
    return;
  g_free (self->points);
  g_free (self->u);
  g_free (self->v);
  g_free (self->overlap);
  g_free (self->inverse);
  g_free (self->pairs);
  g_free (self->parts);
  g_free (self);
}

/* Computes the products of CURVE with the shared curves. */
static void
multiply_parts (const VgPerfusionGrid *self, const double *curve, int stride, float *products)
{
  double sums[VG_PERFUSION_MAX_PARTS] = { 0 };

  for (int i = 0; i < self->n; i++)
    {
      const float *parts = self->parts + (gsize) i * (gsize) self->n_parts;
      double y = curve[i * stride];

      for (int k = 0; k < self->n_parts; k++)
        sums[k] += parts[k] * y;
    }
  for (int k = 0; k < self->n_parts; k++)
    products[k] = (float) sums[k];
}

static float
score_whole (const VgPerfusionGrid *self, int place, const double *curve, int stride)
{
  const float *u = self->u + (gsize) place * (gsize) self->n,
              *v = self->v + (gsize) place * (gsize) self->n;
  double a = 0, b = 0;

  for (int i = 0; i < self->n; i++)
    {
      a += u[i] * curve[i * stride];
      b += v[i] * curve[i * stride];
    }
  return vg_perfusion_pair_score ((float) a, (float) b, self->overlap[place], self->inverse[place]);
}

void
vg_perfusion_grid_score (const VgPerfusionGrid *self, const double *curve, int stride,
                         float *scores, int *where)
{
  float products[VG_PERFUSION_MAX_PARTS];

  if (self->pairs != NULL)
    multiply_parts (self, curve, stride, products);
  for (int c = 0; c < self->count; c++)
    {
      float score = self->pairs != NULL ? vg_perfusion_point_score (&self->pairs[c], products)
                                        : score_whole (self, c, curve, stride);
      int group = c / self->group;

      if (c % self->group == 0 || score > scores[group])
        {
          scores[group] = score;
          where[group] = c;
        }
    }
}
