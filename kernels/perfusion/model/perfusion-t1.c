/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-t1.h"
#include <math.h>
#include <string.h>

enum { GRID = 64 };

#define SHORTEST_S 0.01
#define LONGEST_S 10.0

/* The signals of a voxel and the model that is fitted to them: one or two amplitudes times
 * functions of T1. */
typedef struct
{
  VgPerfusionT1Method method;
  int n, amplitudes;
  const double *at; /* flip angles, rad, or times, s */
  const double *signal;
  double repetition_s;
} Series;

/* A point of the fit.  Fit parameters are the amplitudes and then q = ln T1. */
typedef struct
{
  double t1_s, cost, amplitude[2], step; /* sum of squared residuals; Gauss-Newton step of q */
  double inverse[3][3];                  /* of the normal matrix */
} Point;

/* S / sin a against S / tan a is a line with slope exp (-TR / T1) (Fram 1987), with weights as in
 * Chang et al., Magn. Reson. Med. 60, 496 (2008), by iteration.  NaN: no T1 gives this slope. */
static double
find_slope (int n, const double *angles_rad, const double *signal)
{
  double e = NAN;

  for (int pass = 0; pass < 20; pass++)
    {
      double sw = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, last = e, det;

      for (int i = 0; i < n; i++)
        {
          double y = signal[i] / sin (angles_rad[i]), x = signal[i] / tan (angles_rad[i]);
          double root = pass == 0 ? 1 : sin (angles_rad[i]) / (1 - e * cos (angles_rad[i])),
                 w = root * root;

          sw += w;
          sx += w * x;
          sy += w * y;
          sxx += w * x * x;
          sxy += w * x * y;
        }
      det = sw * sxx - sx * sx;
      e = (sw * sxy - sx * sy) / det;
      if (!(e > 0 && e < 1))
        return NAN;
      if (fabs (e - last) < 1e-12)
        break;
    }
  return e;
}

/* The function of T1 at point I that the last amplitude multiplies, and its derivative by q. */
static double
shape (const Series *self, int i, double t1_s, double *slope)
{
  double t = self->at[i], rest, cosine, below;

  if (self->method != VG_PERFUSION_T1_FLIP_ANGLES)
    {
      *slope = -exp (-t / t1_s) * t / t1_s;
      return self->method == VG_PERFUSION_T1_SATURATION ? -expm1 (-t / t1_s) : -exp (-t / t1_s);
    }
  /* sin a (1 - E) / (1 - E cos a), E = exp (-TR / T1), in terms of 1 - E */
  rest = -expm1 (-self->repetition_s / t1_s);
  cosine = cos (t);
  below = 1 - cosine + rest * cosine;
  *slope = -sin (t) * (1 - cosine) / (below * below) * (1 - rest) * self->repetition_s / t1_s;
  return sin (t) * rest / below;
}

/* Inverts the symmetric, positive definite N x N matrix A.  FALSE: it is singular. */
static gboolean
invert (int n, double a[3][3], double inverse[3][3])
{
  double work[3][6] = { { 0 } };

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        work[i][j] = a[i][j];
        work[i][n + j] = i == j;
      }
  for (int k = 0; k < n; k++)
    {
      double pivot = work[k][k];

      if (!(pivot > 1e-13 * a[k][k]))
        return FALSE;
      for (int j = 0; j < 2 * n; j++)
        work[k][j] /= pivot;
      for (int i = 0; i < n; i++)
        {
          double factor = work[i][k];

          for (int j = 0; i != k && j < 2 * n; j++)
            work[i][j] -= factor * work[k][j];
        }
    }
  for (int i = 0; i < n; i++)
    memcpy (inverse[i], work[i] + n, sizeof *inverse[i] * (gsize) n);
  return TRUE;
}

/* Fits the amplitudes by least squares with T1_S given.  FALSE: there is no solution. */
static gboolean
evaluate (const Series *self, double t1_s, Point *point)
{
  int last = self->amplitudes - 1;
  double a[3][3] = { { 0 } }, b[3] = { 0 }, inner[3][3], ss = 0, slope_of_s = 0;
  double slopes[VG_PERFUSION_T1_MOST], shapes[VG_PERFUSION_T1_MOST];

  point->t1_s = t1_s;
  for (int i = 0; i < self->n; i++)
    {
      double columns[2] = { 1, 1 };

      columns[last] = shapes[i] = shape (self, i, t1_s, &slopes[i]);
      for (int j = 0; j <= last; j++)
        {
          b[j] += columns[j] * self->signal[i];
          for (int k = 0; k <= last; k++)
            a[j][k] += columns[j] * columns[k];
        }
    }
  if (!invert (self->amplitudes, a, inner))
    return FALSE;
  for (int j = 0; j <= last; j++)
    {
      point->amplitude[j] = 0;
      for (int k = 0; k <= last; k++)
        point->amplitude[j] += inner[j][k] * b[k];
    }
  for (int i = 0; i < self->n; i++)
    {
      double columns[3] = { 1, 1, 1 }, residual = self->signal[i];

      columns[last] = shapes[i];
      columns[last + 1] = point->amplitude[last] * slopes[i];
      for (int j = 0; j <= last; j++)
        residual -= point->amplitude[j] * columns[j];
      ss += residual * residual;
      slope_of_s += residual * columns[last + 1];
      for (int j = 0; j <= last + 1; j++)
        {
          a[j][last + 1] += columns[j] * columns[last + 1];
          if (j <= last)
            a[last + 1][j] = a[j][last + 1];
        }
    }
  point->cost = ss;
  if (!invert (self->amplitudes + 1, a, point->inverse))
    return FALSE;
  point->step = point->inverse[last + 1][last + 1] * slope_of_s;
  return isfinite (point->step) && isfinite (ss);
}

/* Gauss-Newton steps from T1_S, halved until they lower the sum of squares.  FALSE: there is no
 * minimum. */
static gboolean
refine (const Series *self, double t1_s, Point *best)
{
  double step;

  if (!evaluate (self, t1_s, best))
    return FALSE;
  step = CLAMP (best->step, -1, 1);
  for (int i = 0; i < 60 && fabs (step) > 1e-9; i++)
    {
      Point next;

      if (evaluate (self, best->t1_s * exp (step), &next) && next.cost < best->cost)
        {
          *best = next;
          step = CLAMP (next.step, -1, 1);
        }
      else
        step /= 2;
    }
  return best->t1_s > 1e-4 && best->t1_s < 1e3;
}

/* The T1 of a fit, and its standard error from the residuals; NaN: not determined. */
static double
conclude (const Series *self, const Point *point, double *error_s)
{
  int unknowns = self->amplitudes + 1;
  double t1_s = point->t1_s, gradient[3] = { 0 }, variance = 0, error, rounding = 0;

  /* Samples are not more precise than this; without this limit a constant would have a T1. */
  for (int i = 0; i < self->n; i++)
    rounding += 1e-14 * self->signal[i] * self->signal[i];
  gradient[unknowns - 1] = t1_s;
  if (self->method == VG_PERFUSION_T1_LOOK_LOCKER)
    {
      /* The amplitudes are A and B. */
      double a = point->amplitude[0], ratio = point->amplitude[1] / a;

      gradient[0] = -t1_s * ratio / a;
      gradient[1] = t1_s / a;
      t1_s *= ratio - 1;
      gradient[2] = t1_s;
    }
  for (int i = 0; i < unknowns; i++)
    for (int j = 0; j < unknowns; j++)
      variance += gradient[i] * point->inverse[i][j] * gradient[j];
  error = self->n > unknowns ? sqrt (variance * MAX (point->cost, rounding) / (self->n - unknowns))
                             : NAN;
  if (error_s != NULL)
    *error_s = error;
  return !(t1_s > 0) || point->amplitude[self->amplitudes - 1] <= 0 || error > 0.5 * t1_s ? NAN
                                                                                          : t1_s;
}

double
vg_perfusion_t1_from_angles (int n, const double *angles_rad, const double *signal,
                             double repetition_s, double *error_s)
{
  Series series = { VG_PERFUSION_T1_FLIP_ANGLES, n, 1, angles_rad, signal, repetition_s };
  double e = find_slope (n, angles_rad, signal);
  Point point;

  if (error_s != NULL)
    *error_s = NAN;
  /* The line has noise on both axes, which makes T1 a few per cent too long. */
  return e > 0 && refine (&series, -repetition_s / log (e), &point)
             ? conclude (&series, &point, error_s)
             : NAN;
}

/* The cost of A - B exp (-t / T1) at T1_S for each number of first signals whose sign is changed,
 * 0 to N, where A and B are above 0; keeps the smallest costs and their T1. */
static void
scan_signs (int n, const double *times_s, const double *signal, double t1_s, double *costs,
            double *at_s)
{
  double e[VG_PERFUSION_T1_MOST], se = 0, see = 0, sy = 0, syy = 0, sye = 0;

  for (int i = 0; i < n; i++)
    {
      e[i] = exp (-times_s[i] / t1_s);
      se += e[i];
      see += e[i] * e[i];
      sy += signal[i];
      syy += signal[i] * signal[i];
      sye += signal[i] * e[i];
    }
  see -= se * se / n;
  for (int changed = 0; changed <= n; changed++)
    {
      double across = sye - sy * se / n, b = -across / see, a = sy / n + b * se / n,
             cost = syy - sy * sy / n - across * across / see;

      if (a > 0 && b > 0 && cost < costs[changed])
        {
          costs[changed] = cost;
          at_s[changed] = t1_s;
        }
      if (changed == n)
        break;
      sy -= 2 * signal[changed];
      sye -= 2 * signal[changed] * e[changed];
    }
}

/* Fits with the signs of the first CHANGED signals changed. */
static gboolean
fit_signs (Series *self, int changed, double t1_s, Point *point)
{
  double signal[VG_PERFUSION_T1_MOST];
  Series own = *self;

  for (int i = 0; i < self->n; i++)
    signal[i] = i < changed ? -self->signal[i] : self->signal[i];
  own.signal = signal;
  return refine (&own, t1_s, point);
}

static double
fit_inversion (Series *self, gboolean magnitude, double *error_s)
{
  double costs[VG_PERFUSION_T1_MOST + 1], at_s[VG_PERFUSION_T1_MOST + 1];
  int most = magnitude ? self->n : 0;
  double mean = 0, constant = 0; /* cost of a constant */
  Point best = { .cost = HUGE_VAL }, point;

  for (int i = 0; i < self->n; i++)
    mean += self->signal[i] / self->n;
  for (int i = 0; i < self->n; i++)
    constant += (self->signal[i] - mean) * (self->signal[i] - mean);
  for (int k = 0; k <= self->n; k++)
    costs[k] = HUGE_VAL;
  for (int g = 0; g < GRID; g++)
    scan_signs (self->n, self->at, self->signal,
                SHORTEST_S * pow (LONGEST_S / SHORTEST_S, (double) g / (GRID - 1)), costs, at_s);
  /* The grid is too coarse to decide between the two best. */
  for (int pass = 0; pass < 2; pass++)
    {
      int k = 0;

      for (int i = 1; i <= most; i++)
        if (costs[i] < costs[k])
          k = i;
      if (costs[k] < HUGE_VAL && fit_signs (self, k, at_s[k], &point) && point.cost < best.cost &&
          point.amplitude[0] > 0 && point.amplitude[1] > 0)
        best = point;
      costs[k] = HUGE_VAL;
    }
  return best.cost < constant ? conclude (self, &best, error_s) : NAN;
}

double
vg_perfusion_t1_from_recovery (VgPerfusionT1Method method, int n, const double *times_s,
                               const double *signal, gboolean magnitude, double *error_s)
{
  gboolean saturation = method == VG_PERFUSION_T1_SATURATION;
  Series series = { method, n, saturation ? 1 : 2, times_s, signal, 0 };
  Point best = { .cost = HUGE_VAL }, point;

  if (error_s != NULL)
    *error_s = NAN;
  if (n > VG_PERFUSION_T1_MOST || n < (saturation ? 3 : 4))
    return NAN;
  for (int i = 0; i < n; i++)
    if (!isfinite (signal[i]) || !isfinite (times_s[i]))
      return NAN;
  if (!saturation)
    return fit_inversion (&series, magnitude, error_s);
  for (int g = 0; g < GRID; g += 4)
    if (evaluate (&series, SHORTEST_S * pow (LONGEST_S / SHORTEST_S, (double) g / (GRID - 1)),
                  &point) &&
        point.cost < best.cost)
      best = point;
  return best.cost < HUGE_VAL && refine (&series, best.t1_s, &point)
             ? conclude (&series, &point, error_s)
             : NAN;
}
