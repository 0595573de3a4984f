/* SPDX-License-Identifier: MIT */
/* A line is 1.5 pixels wide; a pixel's distance from it is the difference of
 * the values divided by the slope.  Lines are black on light colours, else
 * white. */
#include "kernels/shared/vg-isolines.h"
#include <math.h>
#include <string.h>

/* Values below a tenth of the lowest isoline do not matter. */
static double
find_floor (const VgIsolines *self)
{
  double lowest = INFINITY;

  for (int i = 0; i < self->n_levels; i++)
    lowest = MIN (lowest, self->levels[i]);
  return lowest / 10;
}

static double
cover (const VgIsolines *self, double value, double slope)
{
  double most = 0;

  for (int i = 0; i < self->n_levels; i++)
    {
      double level = self->log_scale ? log (self->levels[i]) : self->levels[i];

      most = MAX (most, CLAMP (1.25 - fabs (value - level) / slope, 0, 1));
    }
  return most;
}

static void
blend (guint8 *rgba, double part)
{
  double shade = (0.2126 * rgba[0] + 0.7152 * rgba[1] + 0.0722 * rgba[2]) / 255;
  double ink = shade > 0.4 ? 0 : 255;

  for (int k = 0; k < 3; k++)
    rgba[k] = (guint8) lround (rgba[k] + 0.9 * part * (ink - rgba[k]));
}

static double
spline (double at)
{
  double x = fabs (at);

  return x >= 2 ? 0 : x < 1 ? (4 - 6 * x * x + 3 * x * x * x) / 6 : (2 - x) * (2 - x) * (2 - x) / 6;
}

/* A log scale spans decades of which the lower ones are noisy. */
double
vg_isolines_reach (const VgIsolines *self, double zoom, double pixels, double most)
{
  return CLAMP (pixels / zoom, self->log_scale ? 2 : 1, most);
}

/* Sets for each sample its value or logarithm, 0 if missing, and whether it is present. */
static void
take_values (const VgIsolines *self, const float *samples, gsize n, float *values, float *present)
{
  double lowest = find_floor (self);

  for (gsize i = 0; i < n; i++)
    {
      present[i] = isfinite (samples[i]) ? 1 : 0;
      values[i] = present[i] == 0   ? 0
                  : self->log_scale ? (float) log (MAX (samples[i], lowest))
                                    : samples[i];
    }
}

/* The samples that count at each of N places along one axis, and their weights. */
typedef struct
{
  int taps; /* for each place */
  int *samples;
  double *weights;
  double *sums; /* of the weights of a place */
} Along;

static void
clear_along (Along *self)
{
  g_free (self->samples);
  g_free (self->weights);
  g_free (self->sums);
}

/* COLUMN: of the axis of rings; NaN: this axis crosses none.  FALSE: no memory. */
static gboolean
look_along (Along *self, const double *places, int n, int samples, double reach, double column)
{
  self->taps = (int) ceil (4 * reach) + 1;
  self->samples = g_try_new (int, (gsize) n * self->taps);
  self->weights = g_try_new (double, (gsize) n * self->taps);
  self->sums = g_try_new (double, n);
  if (self->samples == NULL || self->weights == NULL || self->sums == NULL)
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      double first = floor (places[i] - 2 * reach), sum = 0;

      for (int k = 0; k < self->taps; k++)
        {
          double u = first + k, weight = spline ((u + 0.5 - places[i]) / reach) *
                                         (isnan (column) ? 1 : fabs (u + 0.5 - column));

          self->samples[(gsize) i * self->taps + k] = (int) CLAMP (u, 0, samples - 1);
          self->weights[(gsize) i * self->taps + k] = weight;
          sum += weight;
        }
      self->sums[i] = sum;
    }
  return TRUE;
}

/* One row smoothed along x: the values, and how much weight there is. */
static void
smooth_row (const Along *along, int n, const float *values, const float *present, double *value,
            double *weight)
{
  for (int i = 0; i < n; i++)
    {
      const int *samples = along->samples + (gsize) i * along->taps;
      const double *weights = along->weights + (gsize) i * along->taps;
      double sum = 0, there = 0;

      for (int k = 0; k < along->taps; k++)
        {
          sum += weights[k] * values[samples[k]];
          there += weights[k] * present[samples[k]];
        }
      value[i] = sum;
      weight[i] = there;
    }
}

/* Rows that are smoothed along x, along y at the J-th place; SUMS has two rows of its own. */
static void
smooth_column (const Along *along, int j, int n, const double *values, const double *weights,
               double *sums)
{
  memset (sums, 0, 2 * (gsize) n * sizeof *sums);
  for (int k = 0; k < along->taps; k++)
    {
      double part = along->weights[(gsize) j * along->taps + k];
      const double *value = values + (gsize) along->samples[(gsize) j * along->taps + k] * n;
      const double *weight = weights + (gsize) along->samples[(gsize) j * along->taps + k] * n;

      for (int i = 0; i < n; i++)
        {
          sums[i] += part * value[i];
          sums[n + i] += part * weight[i];
        }
    }
}

/* As the shader's smoothed().  The spline is a product, so each row is smoothed along x once, and
 * then along y. */
gboolean
vg_isolines_smooth_grid (const VgIsolines *self, const float *samples, int columns, int rows,
                         const double *x, int width, const double *y, int height, double reach_x,
                         double reach_y, float *field)
{
  gsize n = (gsize) columns * (gsize) rows, across = (gsize) width * (gsize) rows;
  g_autofree float *values = g_try_new (float, n), *present = g_try_new (float, n);
  g_autofree double *value = g_try_new (double, across), *weight = g_try_new (double, across),
                    *sums = g_try_new (double, 2 * (gsize) width);
  Along along[2] = { { 0 }, { 0 } };
  gboolean good = values != NULL && present != NULL && sums != NULL && value != NULL &&
                  weight != NULL &&
                  look_along (&along[0], x, width, columns, reach_x,
                              self->rings ? self->column : NAN) &&
                  look_along (&along[1], y, height, rows, reach_y, NAN);

  if (good)
    take_values (self, samples, n, values, present);
#pragma omp parallel for
  for (gsize v = 0; v < (good ? (gsize) rows : 0); v++)
    smooth_row (&along[0], width, values + v * columns, present + v * columns, value + v * width,
                weight + v * width);
  for (int j = 0; good && j < height; j++)
    {
      smooth_column (&along[1], j, width, value, weight, sums);
      for (int i = 0; i < width; i++)
        field[(gsize) j * width + i] = sums[width + i] > 0.5 * along[0].sums[i] * along[1].sums[j]
                                           ? (float) (sums[i] / sums[width + i])
                                           : NAN;
    }
  clear_along (&along[0]);
  clear_along (&along[1]);
  return good;
}

void
vg_isolines_draw (const VgIsolines *self, const float *field, int width, int height, guint8 *rgba)
{
  if (self->n_levels == 0)
    return;
#pragma omp parallel for schedule(dynamic, 16)
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        gsize i = (gsize) y * width + x;
        double value = field[i];
        double along = width < 2 ? 0 : x + 1 < width ? field[i + 1] - value : value - field[i - 1];
        double down = height < 2       ? 0
                      : y + 1 < height ? field[i + width] - value
                                       : value - field[i - width];
        double slope = hypot (along, down);

        if (slope > 0 && isfinite (slope))
          blend (rgba + 4 * i, cover (self, value, slope));
      }
}
