/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include <stddef.h>
#include "kernels/base/vg-scalar.h"
/* Deconvolution of one curve, for both backends: y = A R, where R is the impulse response, flow
 * times residue function.  A depends on the input only, so its singular values and vectors are
 * computed once for each onset.  The coefficients of a curve are its products with the left
 * vectors; filter factors between 0 and 1 then regularise the solution.
 *   truncated SVD  a factor is 1 or 0 (Ostergaard et al., Magn. Reson. Med. 36, 715, 1996)
 *   Tikhonov       s^2 / (s^2 + l^2), with the second differences of R as the penalty (Calamante
 *                  et al., Magn. Reson. Med. 50, 1237, 2003)
 * The number of factors 1, or l, minimises the score of generalised cross-validation, which counts
 * the degrees of freedom 1.4 times so that it does not follow the noise (Kim and Gu, J. R. Stat.
 * Soc. B 66, 337, 2004).  The onset, if it is fitted, is the one with the lowest score. */

/* Values of l, from 1e-8 to 1 times the largest singular value. */
enum { VG_PERFUSION_LEVELS = 33 };
#define VG_PERFUSION_LEVELS_PER_DECADE 4.0
#define VG_PERFUSION_LEVEL_MIN -8.0
#define VG_PERFUSION_GCV_WEIGHT 1.4

/* Tables, by onset first.  WIDTH: singular values, padded with zeros to a multiple of 8. */
typedef struct
{
  int n, used, width, onsets, search; /* frames; with a weight; ...; lags that may be the maximum */
  int truncated;                      /* truncated SVD, else Tikhonov */
  double cutoff;                      /* of the largest singular value; 0: cross-validation */
  double onset, onset_step, lag_step; /* s */
  const double *project;              /* n x width: coefficients from a curve */
  const double *response;             /* search x width: R from filtered coefficients, 1/s */
  const double *volume;               /* width: the integral of R */
  const double *sigma;                /* width: singular values, the largest 1, decreasing */
  const double *left;                 /* width x LEVELS: (1 - factor)^2 */
  const double *freedom;              /* LEVELS: the sum of the factors */
} VgPerfusionDeconvolver;

/* What was chosen for a curve. */
typedef struct
{
  int onset;
  double score, level; /* level: log10 of l, or the number of singular values */
} VgPerfusionDeconvolved;

VG_SCALAR double
vg_perfusion_gcv (const VgPerfusionDeconvolver *self, double cost, double freedom)
{
  double rest = self->used - VG_PERFUSION_GCV_WEIGHT * freedom;

  return rest > 0.05 * self->used ? cost / (rest * rest) : (double) INFINITY;
}

/* The factor of singular value I at LEVEL. */
VG_SCALAR double
vg_perfusion_factor (const VgPerfusionDeconvolver *self, int onset, int i, double level)
{
  double s = self->sigma[(size_t) onset * (size_t) self->width + (size_t) i], l;

  if (self->truncated)
    return i < level && s > 0;
  l = pow (10, level);
  return s * s / (s * s + l * l);
}

VG_SCALAR void
vg_perfusion_choose_level (const VgPerfusionDeconvolver *self, int onset, const double *beta,
                           size_t stride, double rest, VgPerfusionDeconvolved *best)
{
  const double *left = self->left + (size_t) onset * (size_t) self->width * VG_PERFUSION_LEVELS,
               *freedom = self->freedom + (size_t) onset * VG_PERFUSION_LEVELS;
  double cost[VG_PERFUSION_LEVELS], lowest = (double) INFINITY, at = 0;
  int where = 0;

  for (int k = 0; k < VG_PERFUSION_LEVELS; k++)
    cost[k] = rest;
  for (int i = 0; i < self->width; i++)
    {
      double square = beta[(size_t) i * stride] * beta[(size_t) i * stride];

      for (int k = 0; k < VG_PERFUSION_LEVELS; k++)
        cost[k] += left[i * VG_PERFUSION_LEVELS + k] * square;
    }
  for (int k = 0; k < VG_PERFUSION_LEVELS; k++)
    {
      cost[k] = vg_perfusion_gcv (self, cost[k], freedom[k]);
      if (cost[k] < lowest)
        {
          lowest = cost[k];
          where = k;
        }
    }
  /* The minimum of a parabola through three values, so that a rounding error moves it little. */
  if (where > 0 && where < VG_PERFUSION_LEVELS - 1 && cost[where - 1] < (double) INFINITY &&
      lowest > 0)
    {
      double before = log (cost[where - 1] / lowest), after = log (cost[where + 1] / lowest);

      at = before + after > 0 ? 0.5 * (before - after) / (before + after) : 0;
    }
  if (best->onset < 0 || lowest < best->score)
    {
      best->onset = onset;
      best->score = lowest;
      best->level = VG_PERFUSION_LEVEL_MIN + (where + at) / VG_PERFUSION_LEVELS_PER_DECADE;
    }
}

/* The same for truncated SVD: the number of singular values. */
VG_SCALAR void
vg_perfusion_choose_rank (const VgPerfusionDeconvolver *self, int onset, const double *beta,
                          size_t stride, double rest, VgPerfusionDeconvolved *best)
{
  const double *sigma = self->sigma + (size_t) onset * (size_t) self->width;

  for (int k = self->width; k > 0; k--)
    {
      double score = vg_perfusion_gcv (self, rest, k);

      rest += beta[(size_t) (k - 1) * stride] * beta[(size_t) (k - 1) * stride];
      if (sigma[k - 1] > 0 && (best->onset < 0 || score < best->score))
        {
          best->onset = onset;
          best->score = score;
          best->level = k;
        }
    }
}

/* The level that the cutoff gives at ONSET, and its score. */
VG_SCALAR void
vg_perfusion_take_cutoff (const VgPerfusionDeconvolver *self, int onset, const double *beta,
                          size_t stride, double rest, VgPerfusionDeconvolved *best)
{
  const double *sigma = self->sigma + (size_t) onset * (size_t) self->width;
  double level = 0, freedom = 0, left;

  if (!self->truncated)
    level = log10 (self->cutoff);
  for (int i = 0; self->truncated && i < self->width; i++)
    level += sigma[i] > 0 && sigma[i] >= self->cutoff;
  for (int i = 0; i < self->width; i++)
    {
      double factor = vg_perfusion_factor (self, onset, i, level);

      freedom += factor;
      rest += (1 - factor) * (1 - factor) * beta[(size_t) i * stride] * beta[(size_t) i * stride];
    }
  left = self->used - VG_PERFUSION_GCV_WEIGHT * freedom;
  left = left > 0.05 * self->used ? left : 0.05 * self->used;
  rest /= left * left;
  if (best->onset < 0 || rest < best->score)
    {
      best->onset = onset;
      best->score = rest;
      best->level = level;
    }
}

/* Sets BEST to ONSET if the curve with coefficients BETA, STRIDE apart, and sum of squares YY fits
 * it better.  Begin with an onset of -1. */
VG_SCALAR void
vg_perfusion_try_onset (const VgPerfusionDeconvolver *self, int onset, const double *beta,
                        size_t stride, double yy, VgPerfusionDeconvolved *best)
{
  double rest = yy;

  for (int i = 0; i < self->width; i++)
    rest -= beta[(size_t) i * stride] * beta[(size_t) i * stride];
  rest = rest > 0 ? rest : 0;
  if (self->cutoff > 0)
    vg_perfusion_take_cutoff (self, onset, beta, stride, rest, best);
  else if (self->truncated)
    vg_perfusion_choose_rank (self, onset, beta, stride, rest, best);
  else
    vg_perfusion_choose_level (self, onset, beta, stride, rest, best);
}

/* The result: flow in 1/s, volume, onset and time of the maximum, the sum of squares of the
 * residuals, l or the last singular value as a fraction of the largest, and the standard errors of
 * flow, volume and volume / flow. */
typedef struct
{
  double flow, volume, onset, time, cost, level, flow_error, volume_error, transit_error;
  int last; /* The maximum is at the last lag. */
} VgPerfusionResponse;

/* Filters BETA in place and computes the result. */
VG_SCALAR VgPerfusionResponse
vg_perfusion_respond (const VgPerfusionDeconvolver *self, const VgPerfusionDeconvolved *best,
                      double *beta, size_t stride, double yy)
{
  size_t width = (size_t) self->width, onset = (size_t) best->onset;
  const double *rows = self->response + onset * (size_t) self->search * width,
               *volume = self->volume + onset * width, *sigma = self->sigma + onset * width;
  VgPerfusionResponse out = { 0, 0, 0, 0, yy, 0, 0, 0, 0, 0 };
  double freedom = 0, variance, of_flow = 0, of_volume = 0, of_both = 0;
  int at = 0;

  for (int i = 0; i < self->width; i++)
    {
      double factor = vg_perfusion_factor (self, best->onset, i, best->level),
             b = beta[(size_t) i * stride];

      out.cost += factor * (factor - 2) * b * b;
      freedom += factor;
      beta[(size_t) i * stride] = factor * b;
      out.volume += volume[i] * factor * b;
    }
  out.cost = out.cost > 0 ? out.cost : 0;
  for (int k = 0; k < self->search; k++)
    {
      double value = 0;

      for (int i = 0; i < self->width; i++)
        value += rows[(size_t) k * width + (size_t) i] * beta[(size_t) i * stride];
      if (k == 0 || value > out.flow)
        {
          out.flow = value;
          at = k;
        }
    }
  for (int i = 0; i < self->width; i++)
    {
      double factor = vg_perfusion_factor (self, best->onset, i, best->level),
             by_flow = rows[(size_t) at * width + (size_t) i] * factor,
             by_volume = volume[i] * factor;

      of_flow += by_flow * by_flow;
      of_volume += by_volume * by_volume;
      of_both += by_flow * by_volume;
    }
  variance = self->used > freedom + 0.5 ? out.cost / (self->used - freedom) : (double) NAN;
  out.flow_error = sqrt (variance * of_flow);
  out.volume_error = sqrt (variance * of_volume);
  if (out.flow > 0)
    {
      double transit = out.volume / out.flow,
             square = of_volume + transit * (transit * of_flow - 2 * of_both);

      out.transit_error = sqrt (variance * (square > 0 ? square : 0)) / out.flow;
    }
  else
    out.transit_error = (double) NAN;
  out.onset = self->onset + best->onset * self->onset_step;
  out.time = out.onset + at * self->lag_step;
  out.last = at > 0 && at == self->search - 1;
  out.level = !self->truncated  ? pow (10, best->level)
              : best->level > 0 ? sigma[(int) best->level - 1]
                                : (double) NAN;
  return out;
}
