/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-simd.h"
#include "kernels/perfusion/fit/perfusion-deconvolution.h"
#include "kernels/perfusion/fit/perfusion-svd.h"
#include <string.h>
/* The matrix of the convolution with the input, its decomposition, and batches of curves. */

enum { LAGS_MAX = 128, ONSETS_MAX = 24, TILE = 8 };

static int
lags_of (int frames)
{
  return MIN (frames, LAGS_MAX);
}

static int
width_of (int lags)
{
  return (lags + TILE - 1) / TILE * TILE;
}

/* The input, linear between its samples, with its integral and the integral of that. */
typedef struct
{
  int n;
  const double *times;
  double *f, *once, *twice;
} Input;

static void
integrate (Input *self)
{
  for (int i = 1; i < self->n; i++)
    {
      double h = self->times[i] - self->times[i - 1], f = self->f[i - 1], to = self->f[i];

      self->once[i] = self->once[i - 1] + h * (f + to) / 2;
      self->twice[i] = self->twice[i - 1] + h * self->once[i - 1] + h * h * (2 * f + to) / 6;
    }
}

/* Both integrals up to T: 0 before the first sample, with a constant input after the last. */
static void
integrals_at (const Input *self, double t, double *once, double *twice)
{
  int low = 0, high = self->n - 1;
  double h, slope;

  *once = *twice = 0;
  if (!(t > self->times[0]))
    return;
  while (high - low > 1)
    {
      int middle = (low + high) / 2;

      if (self->times[middle] <= t)
        low = middle;
      else
        high = middle;
    }
  if (t >= self->times[self->n - 1])
    low = self->n - 1;
  h = t - self->times[low];
  slope = low < self->n - 1
              ? (self->f[low + 1] - self->f[low]) / (self->times[low + 1] - self->times[low])
              : 0;
  *once = self->once[low] + h * (self->f[low] + h * slope / 2);
  *twice = self->twice[low] + h * (self->once[low] + h * (self->f[low] / 2 + h * slope / 6));
}

/* The convolution of the input with the hat function of lag K, at T after ONSET: exactly, because
 * a hat is a sum of ramps, whose convolutions are the second integral.  R may jump at the onset, so
 * the first lag has half a hat. */
static double
convolved (const Input *input, double t, int k, double step)
{
  double once, at, before, after, unused;

  integrals_at (input, t - k * step, &once, &at);
  integrals_at (input, t - (k + 1) * step, &unused, &after);
  if (k == 0)
    return once - (at - after) / step;
  integrals_at (input, t - (k - 1) * step, &unused, &before);
  return (before - 2 * at + after) / step;
}

/* Adds each column to the next, twice: then the unknowns are the second differences of R. */
static void
sum_columns (double *a, int rows, int columns)
{
  for (int pass = 0; pass < 2; pass++)
    for (int j = 1; j < columns; j++)
      for (int i = 0; i < rows; i++)
        a[j * rows + i] += a[(j - 1) * rows + i];
}

/* R from its second differences, in place. */
static void
sum_lags (double *r, int lags)
{
  for (int pass = 0; pass < 2; pass++)
    for (int k = lags - 2; k >= 0; k--)
      r[k] += r[k + 1];
}

typedef struct
{
  const VgPerfusionProblem *problem;
  VgPerfusionDeconvolver *tables;
  const Input *input;
  int lags;
  double *project, *response, *volume, *sigma, *left, *freedom, *fitted;
  const gint *stop; /* see VgContext */
  gint failed;      /* atomic */
} Work;

static void
set_levels (const Work *self, int onset)
{
  const VgPerfusionDeconvolver *tables = self->tables;
  gsize first = (gsize) onset * (gsize) tables->width;

  for (int k = 0; k < VG_PERFUSION_LEVELS; k++)
    {
      double sum = 0, level = VG_PERFUSION_LEVEL_MIN + k / VG_PERFUSION_LEVELS_PER_DECADE;

      for (int i = 0; i < tables->width; i++)
        {
          double factor = vg_perfusion_factor (tables, onset, i, level);

          sum += factor;
          self->left[(first + (gsize) i) * VG_PERFUSION_LEVELS + (gsize) k] = (1 - factor) *
                                                                              (1 - factor);
        }
      self->freedom[onset * VG_PERFUSION_LEVELS + k] = sum;
    }
}

/* Sets the tables of one ONSET from the decomposition U (rows: frames) SIGMA V. */
static void
set_tables (const Work *self, int onset, const double *plain, const double *u, const double *sigma,
            double *v)
{
  const VgPerfusionDeconvolver *tables = self->tables;
  const VgPerfusionProblem *problem = self->problem;
  int n = problem->n, lags = self->lags, width = tables->width;
  gsize first = (gsize) onset * (gsize) width;

  for (int i = 0; i < MIN (lags, width) && sigma[i] > 1e-10 * sigma[0]; i++)
    {
      double *r = v + (gsize) i * (gsize) lags, sum = 0;

      if (!tables->truncated)
        sum_lags (r, lags);
      for (int k = 0; k < lags; k++)
        {
          r[k] /= sigma[i];
          sum += r[k] * tables->lag_step * (k == 0 ? 0.5 : 1);
          if (k < tables->search)
            self->response[((gsize) onset * (gsize) tables->search + (gsize) k) * (gsize) width +
                           (gsize) i] = r[k];
        }
      self->volume[first + (gsize) i] = sum;
      self->sigma[first + (gsize) i] = sigma[i] / sigma[0];
      for (int j = 0; j < n; j++)
        {
          gsize at = ((gsize) onset * (gsize) n + (gsize) j) * (gsize) width + (gsize) i;

          self->project[at] = sqrt (problem->weights[j]) * u[i * n + j];
          for (int k = 0; k < lags; k++)
            self->fitted[at] += plain[k * n + j] * r[k];
        }
    }
}

/* Does nothing if the work is stopped; if memory lacks, sets `failed`. */
static void
decompose (Work *self, int onset)
{
  const VgPerfusionDeconvolver *tables = self->tables;
  const VgPerfusionProblem *problem = self->problem;
  int n = problem->n, lags = self->lags;
  gsize size = (gsize) n * (gsize) lags;
  gboolean stopped = self->stop != NULL && g_atomic_int_get (self->stop) != 0;
  g_autofree double *memory = NULL;
  double *plain, *a, *sigma, *v;

  if (!stopped)
    memory = g_try_new (double, 2 * size + (gsize) lags * (gsize) (lags + 1));
  if (memory == NULL)
    {
      g_atomic_int_set (&self->failed, 1);
      return;
    }
  plain = memory;
  a = plain + size;
  v = a + size;
  sigma = v + (gsize) lags * (gsize) lags;
  for (int k = 0; k < lags; k++)
    for (int i = 0; i < n; i++)
      {
        double late = tables->onset + onset * tables->onset_step;

        plain[k * n + i] = convolved (self->input, problem->times_s[i] - late, k, tables->lag_step);
        a[k * n + i] = sqrt (problem->weights[i]) * plain[k * n + i];
      }
  if (!tables->truncated)
    sum_columns (a, n, lags);
  vg_perfusion_svd (a, n, lags, sigma, v);
  set_tables (self, onset, plain, a, sigma, v);
  set_levels (self, onset);
}

/* The onsets and the lags. */
static int
set_grid (VgPerfusionDeconvolver *tables, const VgPerfusionProblem *problem)
{
  const VgPerfusionBounds *bounds = &problem->bounds;
  double span = bounds->delay_max - bounds->delay_min,
         length = problem->times_s[problem->n - 1] - problem->times_s[0];
  int lags = lags_of (problem->n);

  tables->n = problem->n;
  tables->used = problem->used;
  tables->lag_step = length / (lags - 1);
  tables->onsets = 1;
  if (bounds->delays != VG_PERFUSION_DELAYS_NONE)
    {
      tables->onset = bounds->delay_min;
      tables->onset_step = MAX (problem->step_s / 4, span / (ONSETS_MAX - 1));
      tables->onsets = 1 + (int) floor (span / tables->onset_step + 1e-9);
    }
  /* Without onsets, R begins at 0 whatever the delay is, so any lag may be its maximum. */
  tables->search = lags;
  if (bounds->delays != VG_PERFUSION_DELAYS_NONE)
    tables->search = CLAMP (1 + (int) floor (span / tables->lag_step + 1e-9), 2, lags);
  tables->width = width_of (lags);
  return lags;
}

void
vg_perfusion_deconvolution_memory (int frames, gboolean delays, gsize *host, gsize *device)
{
  gsize n = (gsize) MAX (frames, 1), width = (gsize) width_of (lags_of ((int) n)),
        onsets = delays ? ONSETS_MAX : 1;
  gsize each = n * width + width * width + 2 * width + (width + 1) * VG_PERFUSION_LEVELS;

  *device = onsets * each * sizeof (double);
  *host = *device + onsets * n * width * sizeof (double);
}

static gboolean
allocate (VgPerfusionDeconvolution *self, Work *work)
{
  VgPerfusionDeconvolver *tables = &self->tables;
  gsize width = (gsize) tables->width, onsets = (gsize) tables->onsets, n = (gsize) tables->n,
        search = (gsize) tables->search,
        each = 2 * n * width + search * width + 2 * width + (width + 1) * VG_PERFUSION_LEVELS;

  self->memory = g_try_new0 (double, onsets *each);
  if (self->memory == NULL)
    return FALSE;
  tables->project = work->project = self->memory;
  self->fitted = work->fitted = work->project + onsets * n * width;
  tables->response = work->response = work->fitted + onsets * n * width;
  tables->volume = work->volume = work->response + onsets * search * width;
  tables->sigma = work->sigma = work->volume + onsets * width;
  tables->left = work->left = work->sigma + onsets * width;
  tables->freedom = work->freedom = work->left + onsets * width * VG_PERFUSION_LEVELS;
  return TRUE;
}

VgPerfusionDeconvolution *
vg_perfusion_deconvolution_new (const VgPerfusionProblem *problem, double share,
                                VgPerfusionRegularisation method, double cutoff, int threads,
                                const gint *stop)
{
  g_autoptr (VgPerfusionDeconvolution) self = g_new0 (VgPerfusionDeconvolution, 1);
  g_autofree double *memory = g_new0 (double, 3 * (gsize) problem->n);
  Input input = { problem->n, problem->times_s, memory, memory + problem->n,
                  memory + 2 * problem->n };
  Work work = { .problem = problem, .tables = &self->tables, .input = &input, .stop = stop };

  for (int i = 0; i < problem->n; i++)
    input.f[i] = problem->dual ? share * problem->artery[i] + (1 - share) * problem->portal[i]
                               : problem->artery[i];
  integrate (&input);
  self->tables.truncated = method == VG_PERFUSION_TRUNCATED_SVD;
  self->tables.cutoff = cutoff;
  work.lags = set_grid (&self->tables, problem);
  if (!allocate (self, &work))
    return NULL;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int onset = 0; onset < self->tables.onsets; onset++)
    decompose (&work, onset);
  return work.failed ? NULL : g_steal_pointer (&self);
}

void
vg_perfusion_deconvolution_free (VgPerfusionDeconvolution *self)
{
  if (self == NULL)
    return;
  g_free (self->memory);
  g_free (self);
}

gsize
vg_perfusion_deconvolution_scratch (const VgPerfusionDeconvolution *self)
{
  return (gsize) self->tables.width * VG_PERFUSION_LANES;
}

/* The coefficients of all lanes at ONSET, WIDTH rows of LANES. */
VG_SIMD static void
project (const VgPerfusionDeconvolver *self, int onset, const double *curves, double *beta)
{
  const double *table = self->project + (gsize) onset * (gsize) self->n * (gsize) self->width;

  for (int first = 0; first < self->width; first += 4)
    {
      double sums[4][VG_PERFUSION_LANES] = { { 0 } };

      for (int i = 0; i < self->n; i++)
        for (int q = 0; q < 4; q++)
          {
            double by = table[i * self->width + first + q];

#pragma omp simd
            for (int l = 0; l < VG_PERFUSION_LANES; l++)
              sums[q][l] += by * curves[i * VG_PERFUSION_LANES + l];
          }
      memcpy (beta + first * VG_PERFUSION_LANES, sums, sizeof sums);
    }
}

static void
fit_curve (const VgPerfusionDeconvolution *self, int onset, const double *beta, double *fitted)
{
  const VgPerfusionDeconvolver *tables = &self->tables;
  const double *table = self->fitted + (gsize) onset * (gsize) tables->n * (gsize) tables->width;

  for (int j = 0; j < tables->n; j++)
    {
      double sum = 0;

      for (int i = 0; i < tables->width; i++)
        sum += table[j * tables->width + i] * beta[i * VG_PERFUSION_LANES];
      fitted[j * VG_PERFUSION_LANES] = sum;
    }
}

void
vg_perfusion_deconvolve_batch (const VgPerfusionDeconvolution *self,
                               const VgPerfusionProblem *problem, const double *curves, int count,
                               double *scratch, double *values, double *fitted)
{
  const VgPerfusionDeconvolver *tables = &self->tables;
  double yy[VG_PERFUSION_LANES] = { 0 }, sum[VG_PERFUSION_LANES] = { 0 };
  VgPerfusionDeconvolved best[VG_PERFUSION_LANES];

  for (int i = 0; i < problem->n; i++)
    for (int l = 0; l < VG_PERFUSION_LANES; l++)
      {
        double y = curves[i * VG_PERFUSION_LANES + l];

        yy[l] += problem->weights[i] * y * y;
        sum[l] += problem->weights[i] * y;
      }
  for (int l = 0; l < count; l++)
    best[l] = (VgPerfusionDeconvolved){ -1, 0, 0 };
  for (int onset = 0; onset < tables->onsets; onset++)
    {
      project (tables, onset, curves, scratch);
      for (int l = 0; l < count; l++)
        vg_perfusion_try_onset (tables, onset, scratch + l, VG_PERFUSION_LANES, yy[l], &best[l]);
    }
  for (int onset = 0; onset < tables->onsets; onset++)
    {
      gboolean used = FALSE;

      for (int l = 0; l < count; l++)
        used |= best[l].onset == onset;
      if (!used)
        continue;
      project (tables, onset, curves, scratch);
      for (int l = 0; l < count; l++)
        if (best[l].onset == onset)
          {
            double value[VG_PERFUSION_FIT_VALUES];
            VgPerfusionResponse response = vg_perfusion_respond (tables, &best[l], scratch + l,
                                                                 VG_PERFUSION_LANES, yy[l]);

            vg_perfusion_response_value (&response, yy[l], sum[l], problem->weight_sum, value);
            for (int i = 0; i < VG_PERFUSION_FIT_VALUES; i++)
              values[i * VG_PERFUSION_LANES + l] = value[i];
            if (fitted != NULL)
              fit_curve (self, onset, scratch + l, fitted + l);
          }
    }
}
