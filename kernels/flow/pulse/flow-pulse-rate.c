/* SPDX-License-Identifier: MIT */
#include "kernels/flow/pulse/flow-pulse-rate.h"
#include "kernels/base/vg-sort.h"
#include <math.h>

/* Fewest points, and fewest periods of a rhythm. */
enum { LEAST = 12, PERIODS = 3 };

void
vg_flow_rate_detrend (VgFlowTracePoint *points, int n)
{
  double t = 0.0, v = 0.0, tt = 0.0, tv = 0.0, slope;

  for (int i = 0; i < n; i++)
    {
      t += points[i].time_s / n;
      v += points[i].value / n;
    }
  for (int i = 0; i < n; i++)
    {
      tt += (points[i].time_s - t) * (points[i].time_s - t);
      tv += (points[i].time_s - t) * (points[i].value - v);
    }
  slope = tt > 0.0 ? tv / tt : 0.0;
  for (int i = 0; i < n; i++)
    points[i].value -= v + slope * (points[i].time_s - t);
}

/* Power at FREQUENCY of the points under a Hann window. */
static double
power (const VgFlowTracePoint *points, int n, double frequency)
{
  double start = points[0].time_s, length = points[n - 1].time_s - start, a = 0.0, b = 0.0;

  for (int i = 0; i < n; i++)
    {
      double t = points[i].time_s - start;
      double value = points[i].value * (0.5 - 0.5 * cos (2.0 * G_PI * t / length));

      a += value * cos (2.0 * G_PI * frequency * t);
      b += value * sin (2.0 * G_PI * frequency * t);
    }
  return a * a + b * b;
}

double
vg_flow_rate_search (const VgFlowTracePoint *points, int n, const double range[2])
{
  double length = n > 0 ? points[n - 1].time_s - points[0].time_s : 0.0;
  double nyquist = length > 0.0 ? 0.5 * (n - 1) / length : 0.0, top = MIN (range[1], nyquist);
  double step = 0.2 / length, best = 0.0, found = 0.0, peak = 0.0;
  g_autofree float *powers = NULL;
  double low = MAX (range[0], PERIODS / length);
  int count;

  if (n < LEAST || !(length > 0.0) || !(top > low))
    return 0.0;
  count = (int) MIN ((top - low) / step, 4096.0) + 1;
  powers = g_new (float, count);
  step = count > 1 ? (top - low) / (count - 1) : 0.0;
  for (int i = 0; i < count; i++)
    {
      double frequency = low + i * step, alone = power (points, n, frequency), both = alone;

      powers[i] = (float) alone;
      /* The second harmonic tells the beat from its overtone. */
      if (2.0 * frequency < nyquist)
        both += power (points, n, 2.0 * frequency);
      if (both > best)
        {
          best = both;
          peak = alone;
          found = frequency;
        }
    }
  /* Noise reaches 12 times its median power in one of some hundred searches. */
  vg_sort_floats (powers, (gsize) count);
  return peak > 12.0 * (double) powers[count / 2] ? found : 0.0;
}

double
vg_flow_rate_refine (const VgFlowTracePoint *points, int n, double guess)
{
  double length = points[n - 1].time_s - points[0].time_s, reach = 0.3 / length;

  if (n < LEAST || !(length > 0.0))
    return guess;
  for (int i = 0; i < 6; i++)
    {
      double before = power (points, n, guess - reach), at = power (points, n, guess),
             after = power (points, n, guess + reach), bend = before - 2.0 * at + after;

      if (after > at || before > at)
        guess += after > before ? reach : -reach;
      else if (bend < 0.0)
        {
          guess += 0.5 * reach * (before - after) / bend;
          reach *= 0.3;
        }
    }
  return guess;
}

double
vg_flow_rate_phase (const VgFlowTracePoint *points, int n, double frequency)
{
  double cc = 0.0, cs = 0.0, ss = 0.0, c = 0.0, s = 0.0;

  for (int i = 0; i < n; i++)
    {
      double angle = 2.0 * G_PI * frequency * (points[i].time_s - points[n - 1].time_s);

      cc += cos (angle) * cos (angle);
      cs += cos (angle) * sin (angle);
      ss += sin (angle) * sin (angle);
      c += points[i].value * cos (angle);
      s += points[i].value * sin (angle);
    }
  return -atan2 (cc * s - cs * c, ss * c - cs * s);
}
