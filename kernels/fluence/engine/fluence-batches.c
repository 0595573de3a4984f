/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-run.h"
#include <math.h>
#include <string.h>
/* Standard errors of bins and layers from the scatter of batches.  They do not depend on the number
 * of threads. */

/* Fluence in the bins of column C from the batch between the tallies BEFORE (NULL: 0) and NOW. */
static void
column_batch (const VgFluenceRun *self, const guint64 *now, const guint64 *before, int c,
              double *bins)
{
  const VgFluenceMedium *medium = self->medium;
  gsize first = (gsize) c * (gsize) medium->rows;

  memset (bins, 0, sizeof (double) * (gsize) (medium->nz + 1));
  for (int row = 0; row < medium->rows; row++)
    {
      int l = medium->row_layer[row];

      if (l >= 0 && medium->mut[l] > 0.0)
        bins[medium->row_bin[row]] += (double) (now[first + (gsize) row] -
                                                (before != NULL ? before[first + (gsize) row]
                                                                : 0)) /
                                      medium->mut[l];
    }
}

static void
sum_layers (const VgFluenceRun *self, const guint64 *now, const guint64 *before, double *sums)
{
  const VgFluenceMedium *medium = self->medium;
  g_autofree double *rows = g_new (double, medium->rows);

  vg_fluence_run_row_sums (self, now, before, rows);
  for (int row = 0; row < medium->rows; row++)
    if (medium->row_layer[row] >= 0)
      sums[medium->row_layer[row]] += rows[row];
}

static void
add_layer_batches (VgFluenceRun *self, const guint64 *const *now, const guint64 *before,
                   const guint64 *photons, int n)
{
  gsize layers = (gsize) self->medium->n_layers;
  g_autofree double *sums = g_new0 (double, layers *(gsize) n);

#pragma omp parallel for schedule(dynamic) if (n > 1)
  for (int i = 0; i < n; i++)
    if (photons[i] > 0)
      sum_layers (self, now[i], before, sums + layers * (gsize) i);
  for (int i = 0; i < n; i++)
    for (gsize l = 0; l < layers && photons[i] > 0; l++)
      {
        double sum = sums[layers * (gsize) i + l];

        self->layer_sums[l] += sum;
        self->layer_squares[l] += sum * sum / (double) photons[i];
      }
}

/* Adds the fluence of a batch of N photons to the sums of column C. */
static void
add_column (VgFluenceRun *self, int c, const double *bins, double n)
{
  gsize nr = (gsize) self->medium->nr;

  for (gsize z = 0, i = (gsize) c; z < (gsize) self->medium->nz; z++, i += nr)
    {
      self->sums[i] += bins[z];
      self->squares[i] += bins[z] * bins[z] / n;
    }
}

/* Adds to SUMS the standard errors and the values of a column, after COUNT batches of COUNTED
 * photons. */
static void
add_column_error (const VgFluenceRun *self, int c, double counted, int count, double sums[2])
{
  gsize nr = (gsize) self->medium->nr;

  for (gsize z = 0, i = (gsize) c; z < (gsize) self->medium->nz; z++, i += nr)
    {
      double variance = count > 1 ? (self->squares[i] - self->sums[i] * self->sums[i] / counted) /
                                        (count - 1)
                                  : 0.0;

      sums[0] += sqrt (MAX (variance, 0.0) / (double) self->photons);
      sums[1] += self->sums[i] / counted;
    }
}

void
vg_fluence_run_add_batches (VgFluenceRun *self, const guint64 *const *now, const guint64 *before,
                            const guint64 *photons, int n)
{
  const VgFluenceMedium *medium = self->medium;
  double counted, errors = 0.0, values = 0.0;
  /* summed column by column, in a fixed order */
  g_autofree double *by_column = g_new0 (double, 2 * medium->nr);
  int count;

  add_layer_batches (self, now, before, photons, n);
  for (int i = 0; i < n; i++)
    {
      self->batches += photons[i] > 0;
      self->batch_photons += photons[i];
    }
  counted = (double) self->batch_photons;
  count = self->batches;
#pragma omp parallel
  {
    double *bins = g_new (double, medium->nz + 1);

#pragma omp for schedule(static)
    for (int c = 0; c < medium->nr; c++)
      {
        for (int i = 0; i < n; i++)
          if (photons[i] > 0)
            {
              column_batch (self, now[i], before, c, bins);
              add_column (self, c, bins, (double) photons[i]);
            }
        add_column_error (self, c, counted, count, by_column + 2 * c);
      }
    g_free (bins);
  }
  for (int c = 0; c < medium->nr; c++)
    {
      errors += by_column[2 * c];
      values += by_column[2 * c + 1];
    }
  self->map_error = count >= VG_FLUENCE_LEAST_BATCHES && values > 0.0 ? errors / values : NAN;
}

void
vg_fluence_run_set_replicates (VgFluenceRun *self, const guint64 *const *tallies,
                               const guint64 *photons, int n)
{
  gsize bins = (gsize) self->medium->nz * (gsize) self->medium->nr;

  self->batches = 0;
  self->batch_photons = self->photons = 0;
  memset (self->sums, 0, bins * sizeof (double));
  memset (self->squares, 0, bins * sizeof (double));
  memset (self->layer_sums, 0, (gsize) self->medium->n_layers * sizeof (double));
  memset (self->layer_squares, 0, (gsize) self->medium->n_layers * sizeof (double));
  for (int i = 0; i < n; i++)
    self->photons += photons[i];
  if (self->photons > 0)
    vg_fluence_run_add_batches (self, tallies, NULL, photons, n);
}

void
vg_fluence_run_sum (VgFluenceRun *self, const guint64 *const *tallies, int n)
{
  const gsize block = 4096;

#pragma omp parallel for schedule(static)
  for (gsize first = 0; first < self->layout.size; first += block)
    {
      gsize last = MIN (first + block, self->layout.size);

      memcpy (self->tally + first, tallies[0] + first, (last - first) * sizeof (guint64));
      for (int k = 1; k < n; k++)
        for (gsize i = first; i < last; i++)
          self->tally[i] += tallies[k][i];
    }
}
