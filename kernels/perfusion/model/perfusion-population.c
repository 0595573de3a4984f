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

/* The logarithm of the gamma function, within 2e-9 for X from 6 (Stirling's series).  lgamma writes
 * a global variable. */
static double
log_gamma (double x)
{
  return (x - 0.5) * log (x) - x + 0.5 * log (2 * G_PI) + 1 / (12 * x) - 1 / (360 * pow (x, 3)) +
         1 / (1260 * pow (x, 5));
}

/* Georgiou et al., Magn. Reson. Med. 81, 1955 (2019), equation 1: three exponentials times the
 * bolus and its recirculations, each a gamma distribution that is wider than the one before.  The
 * parameters have more digits than table 3, with which the rising flank would be 2 % off: they
 * reproduce the curve in the paper's supporting information within 3e-5. */
static double
georgiou (double t_s)
{
  static const double a[] = { 0.37430615, 0.33119505, 10.061189 },
                      m[] = { 0.11269083, 1.1745724, 16.01991 };
  const double alpha = 5.2669867, beta = 0.032078849, tau = 0.12855594, t = t_s / 60;
  double decay = 0, passes = 0;

  if (!(t > 0))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (a); i++)
    decay += a[i] * exp (-m[i] * t);
  /* After half an hour the passes overlap so much that their sum is their number per minute. */
  if (t > 30)
    return decay / (tau + beta * (alpha + 1));
  for (int k = 0; k * tau < t; k++)
    {
      double since = t - k * tau, order = (k + 1) * alpha + k;

      passes += exp (order * log (since / beta) - since / beta - log_gamma (order + 1)) / beta;
    }
  return decay * passes;
}

/* Orton et al., Phys. Med. Biol. 53, 1225 (2008), the second of its three curves: a bolus of one
 * period of 1 - cos, and its convolution with an exponential.  The parameters are their fit to
 * Parker's curve, so it is of whole blood too. */
static double
orton (double t_s)
{
  const double ab = 2.84, mb = 22.8, ag = 1.36, mg = 0.171, end = 2 * G_PI / mb;
  double t = t_s / 60, u = CLAMP (t, 0, end), washout;

  if (!(t > 0))
    return 0;
  washout = (1 - exp (-mg * u)) / mg -
            (mg * cos (mb * u) + mb * sin (mb * u) - mg * exp (-mg * u)) / (mg * mg + mb * mb);
  return t < end ? ab * (1 - cos (mb * t) + ag * washout)
                 : ab * ag * washout * exp (-mg * (t - end));
}

/* McGrath et al., Magn. Reson. Med. 61, 1173 (2009), model B with the parameters of the averaged
 * curve in table 1: a linear rise over 7 s, then two exponentials. */
static double
mcgrath (double t_s)
{
  const double a = 3.4, b = 1.81, rise_s = 7;

  if (!(t_s > 0))
    return 0;
  return t_s < rise_s ? (a + b) * t_s / rise_s
                      : a * exp (-0.045 * (t_s - rise_s)) + b * exp (-0.0015 * (t_s - rise_s));
}

/* Checkley et al., Br. J. Cancer 89, 1889 (2003): the plasma of mice after 0.3 mmol/kg.  The bolus
 * counts as instantaneous. */
static double
checkley (double t_s)
{
  return t_s < 0 ? 0 : 0.3 * (11.95 * exp (-0.0195 * t_s) + 4.67 * exp (-0.0009 * t_s));
}

const VgPerfusionPopulation *
vg_perfusion_population (VgPerfusionPopulationKind kind)
{
  static const VgPerfusionPopulation all[VG_PERFUSION_N_POPULATIONS] = {
    [VG_PERFUSION_PARKER] = { vg_perfusion_population_artery, 0.1, FALSE },
    [VG_PERFUSION_GEORGIOU] = { georgiou, 0.1, FALSE },
    [VG_PERFUSION_ORTON] = { orton, 0.1, FALSE },
    [VG_PERFUSION_MCGRATH] = { mcgrath, 0, FALSE },
    [VG_PERFUSION_CHECKLEY] = { checkley, 0.3, TRUE },
  };

  return &all[kind];
}

double
vg_perfusion_gut_response (double t_s)
{
  double t = t_s / 60;

  if (t < 0.08)
    return 0;
  return (t < 0.17 ? 24.16 * t - 2.01 : 2.83 * exp (-10.8 * t) + 2.12 * exp (-1.82 * t)) / 60;
}

/* The value at T, linearly between the samples; 0 before the first. */
static double
interpolate (int n, const double *times, const double *values, double t)
{
  int low = 0, high = n - 1;

  if (t < times[0])
    return 0;
  while (high - low > 1)
    {
      int middle = (low + high) / 2;

      if (times[middle] < t)
        low = middle;
      else
        high = middle;
    }
  return values[low] + (values[high] - values[low]) * (t - times[low]) / (times[high] - times[low]);
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
