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

/* Sums of the layers and then of the fluence at each depth, over all radii. */
static void
sum_rows (const VgFluenceRun *self, const guint64 *now, const guint64 *before, double *sums)
{
  const VgFluenceMedium *medium = self->medium;
  g_autofree double *rows = g_new (double, medium->rows);

  vg_fluence_run_row_sums (self, now, before, rows);
  for (int row = 0; row < medium->rows; row++)
    {
      int l = medium->row_layer[row];

      if (l >= 0)
        sums[l] += rows[row];
      if (l >= 0 && medium->mut[l] > 0.0 && medium->row_bin[row] < medium->nz)
        sums[medium->n_layers + medium->row_bin[row]] += rows[row] / medium->mut[l];
    }
}

/* Adds the fluence at each depth of a batch of N photons.  When there is no room for more, each two
 * of the batches become one. */
static void
add_depths (VgFluenceRun *self, const double *depths, guint64 n)
{
  VgFluenceDepths *to = &self->depths;
  gsize nz = (gsize) self->medium->nz;

  if (to->n == VG_FLUENCE_DEPTH_BATCHES)
    {
      to->n /= 2;
      for (gsize k = 0; k < (gsize) to->n; k++)
        {
          for (gsize z = 0; z < nz; z++)
            to->sums[k * nz + z] = to->sums[2 * k * nz + z] + to->sums[(2 * k + 1) * nz + z];
          to->photons[k] = to->photons[2 * k] + to->photons[2 * k + 1];
        }
    }
  memcpy (to->sums + (gsize) to->n * nz, depths, nz * sizeof (double));
  to->photons[to->n++] = n;
}

static void
add_row_batches (VgFluenceRun *self, const guint64 *const *now, const guint64 *before,
                 const guint64 *photons, int n)
{
  gsize layers = (gsize) self->medium->n_layers, width = layers + (gsize) self->medium->nz;
  g_autofree double *sums = g_new0 (double, width *(gsize) n);

#pragma omp parallel for schedule(dynamic) if (n > 1)
  for (int i = 0; i < n; i++)
    if (photons[i] > 0)
      sum_rows (self, now[i], before, sums + width * (gsize) i);
  for (int i = 0; i < n; i++)
    {
      const double *batch = sums + width * (gsize) i;

      for (gsize l = 0; l < layers && photons[i] > 0; l++)
        {
          self->layer_sums[l] += batch[l];
          self->layer_squares[l] += batch[l] * batch[l] / (double) photons[i];
        }
      if (photons[i] > 0)
        add_depths (self, batch + layers, photons[i]);
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

  add_row_batches (self, now, before, photons, n);
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

  self->batches = self->depths.n = 0;
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
