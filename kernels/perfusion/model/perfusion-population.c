/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-population.h"
#include <math.h>

double
vg_perfusion_population_artery (double t_s)
{
  double t = t_s / 60, first = t - 0.17046, second = t - 0.365;

  return 5.7326 * exp (-first * first / (2 * 0.0563 * 0.0563)) +
         0.9974 * exp (-second * second / (2 * 0.132 * 0.132)) +
         1.05 * exp (-0.1685 * t) / (1 + exp (-38.078 * (t - 0.483)));
}

double
vg_perfusion_gut_response (double t_s)
{
  double t = t_s / 60;

  if (t < 0.08)
    return 0;
  return (t < 0.17 ? 24.16 * t - 2.01 : 2.83 * exp (-10.8 * t) + 2.12 * exp (-1.82 * t)) / 60;
}

static double
interpolate (int n, const double *times, const double *values, double t)
{
  int i = 1;

  if (t < times[0])
    return 0;
  while (i < n - 1 && times[i] < t)
    i++;
  return values[i - 1] +
         (values[i] - values[i - 1]) * (t - times[i - 1]) / (times[i] - times[i - 1]);
}

void
vg_perfusion_disperse (int n, const double *times_s, const double *artery, double *portal)
{
  const double step = 0.25;

  for (int i = 0; i < n; i++)
    {
      double sum = 0, last = times_s[i] - times_s[0];

      /* The response has nearly vanished after six minutes. */
      for (double u = step / 2; u < MIN (last, 360.0); u += step)
        sum += vg_perfusion_gut_response (u) * interpolate (n, times_s, artery, times_s[i] - u) *
               step;
      portal[i] = sum;
    }
}
