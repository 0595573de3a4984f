/* SPDX-License-Identifier: MIT */
#include "fluence-run.h"
#include <math.h>
/* Beams with a width, by convolution of the response to an infinitely thin
 * one (Wang, Jacques and Zheng, CONV, Comput. Methods Programs Biomed. 54, 141,
 * 1997).  The response is taken as constant in each ring of the grid, and the
 * result is the mean over each ring.  A Gaussian beam's radius is where it has
 * fallen to 1/e^2, a flat one's is its edge. */

enum { INNER = 6, OUTER = 4 };   /* points across a ring */

/* exp (-x) I0 (x): Abramowitz and Stegun 9.8.1 and 9.8.2. */
static double
scaled_bessel (double x)
{
  double t = x / 3.75;

  if (t < 1.0)
    {
      t *= t;
      return exp (-x) * (1.0 + t * (3.5156229 + t * (3.0899424 + t * (1.2067492 + t * (0.2659732 + t * (0.0360768 + t * 0.0045813))))));
    }
  t = 1.0 / t;
  return (0.39894228 + t * (0.01328592 + t * (0.00225319 + t * (-0.00157565 + t * (0.00916281 + t * (-0.02057706
         + t * (0.02635537 + t * (-0.01647633 + t * 0.00392377)))))))) / sqrt (x);
}

/* Mean over all directions of the irradiance (of unit power) at distance RHO,
 * where RHO lies between a point at R and points at S from the axis. */
static double
ring_irradiance (int    beam,
                 double radius,
                 double r,
                 double s)
{
  double a2 = radius * radius, cosine;

  if (beam == VG_FLUENCE_GAUSSIAN)
    {
      double d = r - s;

      return 2.0 / (G_PI * a2) * exp (-2.0 * d * d / a2) * scaled_bessel (4.0 * r * s / a2);
    }
  if (r + s <= radius)
    return 1.0 / (G_PI * a2);
  if (fabs (r - s) >= radius)
    return 0.0;
  cosine = (r * r + s * s - a2) / (2.0 * r * s);
  return acos (CLAMP (cosine, -1.0, 1.0)) / (G_PI * G_PI * a2);
}

/* Mean over ring J of what ring I, of unit response, gives. */
static double
ring_to_ring (int    beam,
              double radius,
              double dr,
              int    j,
              int    i)
{
  double sum = 0.0, weight = 0.0;
  int inner = INNER * (int) CLAMP (ceil (dr / radius), 1.0, 16.0), outer = OUTER * (inner / INNER);

  for (int a = 0; a < outer; a++)
    {
      double r = (j + (a + 0.5) / outer) * dr, here = 0.0;

      for (int b = 0; b < inner; b++)
        {
          double s = (i + (b + 0.5) / inner) * dr;

          here += ring_irradiance (beam, radius, r, s) * 2.0 * G_PI * s * dr / inner;
        }
      sum += here * r;
      weight += r;
    }
  return sum / weight;
}

float *
vg_fluence_beam_kernel (int    beam,
                        double radius,
                        int    nr,
                        double dr)
{
  gsize n = (gsize) nr;
  float *kernel = g_try_new0 (float, n * n);
  double reach = beam == VG_FLUENCE_GAUSSIAN ? 3.0 * radius : radius;

  if (kernel == NULL)
    return NULL;
#pragma omp parallel for schedule(dynamic, 8)
  for (int i = 0; i < nr; i++)
    {
      double out = 0.0;

      for (int j = 0; j < nr; j++)
        if ((abs (i - j) - 1) * dr <= reach)
          {
            double value = ring_to_ring (beam, radius, dr, j, i);

            kernel[(gsize) j * n + (gsize) i] = (float) value;
            out += value * (2 * j + 1);
          }
      /* a ring that stays inside the grid gives all it has */
      if ((i + 1) * dr + reach <= nr * dr && out > 0.0)
        for (int j = 0; j < nr; j++)
          kernel[(gsize) j * n + (gsize) i] *= (float) ((2 * i + 1) / out);
    }
  return kernel;
}

void
vg_fluence_beam_apply (const float *kernel,
                       const float *thin,
                       float       *wide,
                       int          rows,
                       int          nr)
{
#pragma omp parallel for schedule(static)
  for (int y = 0; y < rows; y++)
    for (int j = 0; j < nr; j++)
      {
        const float *from = thin + (gsize) y * (gsize) nr, *with = kernel + (gsize) j * (gsize) nr;
        float sum = 0.0f;

#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < nr; i++)
          sum += with[i] * from[i];
        wide[(gsize) y * (gsize) nr + (gsize) j] = sum;
      }
}
