/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/plan/lifetime-irf.h"
#include <math.h>
/* The pulse onset, the bins before it, and the tail of a decay. */

int
vg_lifetime_find_peak (const double *values, int n)
{
  int peak = 0;

  for (int j = 1; j < n; j++)
    peak = values[j] > values[peak] ? j : peak;
  return peak;
}

int
vg_lifetime_rise_from (const double *decay, int peak, double least)
{
  int j = peak;

  while (j > 0 && decay[j - 1] > least)
    j--;
  return j;
}

int
vg_lifetime_find_tenth (const double *decay, int n)
{
  int peak = vg_lifetime_find_peak (decay, n);
  double least = 0.0; /* ignoring bins that the electronics leave empty */

  for (int j = 0; j < peak; j++)
    least = decay[j] > 0.0 && (decay[j] < least || least == 0.0) ? decay[j] : least;
  return least > 0.5 * decay[peak]
             ? 0
             : vg_lifetime_rise_from (decay, peak, least + 0.1 * (decay[peak] - least));
}

double
vg_lifetime_find_foot (const double *decay, int n, int *first, int *end)
{
  int peak = vg_lifetime_find_peak (decay, n), low = vg_lifetime_find_tenth (decay, n), from = 0,
      to = low - 2 * (peak - low) / 3 - 2;
  double sum = 0.0;

  *first = *end = 0;
  while (from < low && decay[from] == 0.0) /* bins that the electronics leave empty */
    from++;
  if (from < low && decay[from] < 0.75 * decay[from + 1]) /* a half-filled bin */
    from++;
  if (low == 0 || to - from < VG_LIFETIME_MIN_BEFORE)
    return 0.0;
  *first = from;
  *end = to;
  for (int j = from; j < to; j++)
    sum += decay[j];
  return sum / (to - from);
}

/* The first bin of the rise above SHARE of the peak and clearly above its foot, which previous
 * pulses and a background may raise. */
static int
rise_by (const double *decay, int n, int peak, double share)
{
  const double clear = 0.3; /* of SHARE */
  int first, end;
  double foot = vg_lifetime_find_foot (decay, n, &first, &end);

  return vg_lifetime_rise_from (
      decay, peak, MAX (share * decay[peak], foot + clear * share * (decay[peak] - foot)));
}

int
vg_lifetime_find_onset (const double *decay, int n)
{
  return rise_by (decay, n, vg_lifetime_find_peak (decay, n), 0.01);
}

/* The end of the bins that the electronics fill.  Many files have empty last bins, preceded by a
 * half-filled one: the end is where the expected photons are missing. */
static int
find_end (const double *decay, int n, int peak)
{
  enum { LOOK = 8, MARGIN = 3 };
  double mean = 0.0, found = 0.0, expected;
  int end = n;

  for (; end > peak + LOOK + 1; end--)
    {
      mean = 0.0;
      for (int j = end - 1 - LOOK; j < end - 1; j++)
        mean += decay[j] / LOOK;
      if (mean > 0.0 && decay[end - 1] > 0.1 * mean)
        break;
    }
  for (int j = end; j < n; j++)
    found += decay[j];
  expected = mean * (n - end);
  return expected > 10.0 && found < 0.1 * expected ? end - MARGIN : n;
}

void
vg_lifetime_find_tail (const double *decay, int n, int *start, int *end)
{
  int peak = vg_lifetime_find_peak (decay, n), rise = rise_by (decay, n, peak, 0.1);

  *end = find_end (decay, n, peak);
  *start = rise == 0 ? 0 : peak + (peak - rise) + 1;
  if (*start > *end - 8)
    *start = MAX (MIN (peak, *end - 8), 0);
}

/* Computed from the ratio of the counts in the two halves of the tail. */
double
vg_lifetime_tail_lifetime (const double *decay, int n)
{
  int start, end, half;
  double a = 0.0, b = 0.0;

  vg_lifetime_find_tail (decay, n, &start, &end);
  half = (end - start) / 2;
  /* Use the first part of a long window, where the photons are. */
  for (int j = start; j < start + half; j++)
    a += decay[j];
  while (half > 4 && a > 0.0)
    {
      double first = 0.0;

      for (int j = start; j < start + half / 2; j++)
        first += decay[j];
      if (first < 0.75 * a)
        break;
      a = first;
      half /= 2;
    }
  for (int j = start + half; j < start + 2 * half && j < n; j++)
    b += decay[j];
  return a > b && b > 0.0 ? half / log (a / b) : 0.0;
}
