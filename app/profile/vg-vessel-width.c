/* SPDX-License-Identifier: MIT */
#include "app/profile/vg-vessel-width.h"
#include <math.h>

enum { LEAST_VALUES = 5, ENDS = 8 /* each end is an eighth of the profile */ };

/* The mean of the values around I that are there. */
static double
smooth (const double *values, int n, int i)
{
  double sum = 0;
  int counted = 0;

  for (int k = MAX (i - 1, 0); k <= MIN (i + 1, n - 1); k++)
    if (isfinite (values[k]))
      {
        sum += values[k];
        counted++;
      }
  return counted > 0 ? sum / counted : NAN;
}

/* The mean of both ends. */
static double
find_level (const double *values, int n)
{
  const int part = MAX (n / ENDS, 1);
  double sum = 0;
  int counted = 0;

  for (int i = 0; i < n; i++)
    if ((i < part || i >= n - part) && isfinite (values[i]))
      {
        sum += values[i];
        counted++;
      }
  return counted > 0 ? sum / counted : NAN;
}

/* Where the departure falls to HALF, from PEAK in steps of BY; NaN: nowhere. */
static double
find_edge (const double *departures, int n, int peak, int by, double half)
{
  for (int i = peak; i + by >= 0 && i + by < n; i += by)
    {
      const double here = departures[i], next = departures[i + by];

      if (next <= half)
        return i + by * (here - half) / (here - next);
      if (!isfinite (next))
        return NAN;
    }
  return NAN;
}

/* The largest departure from LEVEL near where the smoothed one is largest, so that a single noisy
 * value is no vessel and a narrow vessel keeps its height; -1: there is none. */
static int
find_peak (const double *values, int n, double level)
{
  double most = 0;
  int peak = -1, best;

  for (int i = 0; i < n; i++)
    if (fabs (smooth (values, n, i) - level) > most)
      {
        peak = i;
        most = fabs (smooth (values, n, i) - level);
      }
  best = peak;
  for (int i = MAX (peak - 1, 0); peak >= 0 && i <= MIN (peak + 1, n - 1); i++)
    if (isfinite (values[i]) &&
        (!isfinite (values[best]) || fabs (values[i] - level) > fabs (values[best] - level)))
      best = i;
  return best;
}

gboolean
vg_vessel_measure (const double *values, int n, double step, double *width, double *centre)
{
  g_autofree double *departures = g_new (double, MAX (n, 1));
  double level = find_level (values, n), left, right;
  int peak = n < LEAST_VALUES ? -1 : find_peak (values, n, level);

  *width = *centre = NAN;
  if (peak < 0)
    return FALSE;
  for (int i = 0; i < n; i++)
    departures[i] = values[peak] > level ? values[i] - level : level - values[i];
  left = find_edge (departures, n, peak, -1, departures[peak] / 2);
  right = find_edge (departures, n, peak, 1, departures[peak] / 2);
  if (!isfinite (left) || !isfinite (right))
    return FALSE;
  *width = (right - left) * step;
  *centre = (left + right) / 2 * step;
  return TRUE;
}
