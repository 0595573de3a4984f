/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/model/fluence-beam.h"
#include "kernels/fluence/model/fluence-params.h"
#include "kernels/base/vg-error.h"
#include <math.h>

/* Quadrature points across a ring.  Fewer suffice for rings that are narrow against the beam and
 * far from its edge. */
enum { INNER = 6, OUTER = 4, SMOOTH = 2 };
#define NARROW 0.02

/* exp (-x) I0 (x): Abramowitz and Stegun 9.8.1 and 9.8.2. */
static double
scaled_bessel (double x)
{
  double t = x / 3.75;

  if (t < 1.0)
    {
      t *= t;
      return exp (-x) *
             (1.0 +
              t * (3.5156229 +
                   t * (3.0899424 +
                        t * (1.2067492 + t * (0.2659732 + t * (0.0360768 + t * 0.0045813))))));
    }
  t = 1.0 / t;
  return (0.39894228 +
          t * (0.01328592 +
               t * (0.00225319 +
                    t * (-0.00157565 +
                         t * (0.00916281 +
                              t * (-0.02057706 +
                                   t * (0.02635537 + t * (-0.01647633 + t * 0.00392377)))))))) /
         sqrt (x);
}

/* Irradiance (unit power), averaged over azimuth, that a beam centred at distance S from the axis
 * has at distance R from the axis. */
static double
ring_irradiance (int beam, double radius, double r, double s)
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

/* Whether the edge of the beam is far from rings I and J, and the rings are narrow. */
static gboolean
is_smooth (int beam, double radius, double dr, int j, int i)
{
  double edge = radius / dr;

  if (dr > NARROW * radius)
    return FALSE;
  return beam == VG_FLUENCE_GAUSSIAN ||
         (fabs (abs (i - j) - edge) > 8.0 && fabs (i + j + 1.0 - edge) > 8.0);
}

/* Mean over ring J of the contribution of ring I with unit response. */
static double
ring_to_ring (int beam, double radius, double dr, int j, int i)
{
  double sum = 0.0, weight = 0.0;
  int finer = (int) CLAMP (ceil (dr / radius), 1.0, 16.0), inner = INNER * finer,
      outer = OUTER * finer;

  if (is_smooth (beam, radius, dr, j, i))
    inner = outer = SMOOTH;
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

static double
beam_reach (int beam, double radius)
{
  return beam == VG_FLUENCE_GAUSSIAN ? 3.0 * radius : radius;
}

/* Largest distance, in rings, at which one ring contributes to another. */
static int
reach_in_rings (int beam, double radius, int nr, double dr)
{
  return (int) MIN (floor (beam_reach (beam, radius) / dr + 1e-9) + 1.0, nr - 1.0);
}

gsize
vg_fluence_beam_bytes (int beam, double radius, int nr, double dr)
{
  gsize reach = (gsize) reach_in_rings (beam, radius, nr, dr);

  return sizeof (float) * (gsize) nr * MIN ((gsize) nr, 2 * reach + 1);
}

/* The first ring that contributes to ring J. */
static inline int
first_ring (const VgFluenceBeamKernel *self, int j)
{
  return CLAMP (j - self->reach, 0, self->nr - self->band);
}

/* Sets the contributions of ring I to all rings. */
static void
fill_ring (VgFluenceBeamKernel *self, double dr, int i)
{
  double out = 0.0;
  int low = MAX (i - self->reach, 0), high = MIN (i + self->reach, self->nr - 1);

  for (int j = low; j <= high; j++)
    {
      double value = ring_to_ring (self->beam, self->radius, dr, j, i);

      self->weights[(gsize) j * (gsize) self->band + (gsize) (i - first_ring (self, j))] = (float)
          value;
      out += value * (2 * j + 1);
    }
  /* normalised to conserve energy, if the beam stays inside the grid */
  if ((i + 1) * dr + beam_reach (self->beam, self->radius) <= self->nr * dr && out > 0.0)
    for (int j = low; j <= high; j++)
      self->weights[(gsize) j * (gsize) self->band + (gsize) (i - first_ring (self, j))] *=
          (float) ((2 * i + 1) / out);
}

VgFluenceBeamKernel *
vg_fluence_beam_kernel_new (int beam, double radius, int nr, double dr, GError **error)
{
  VgFluenceBeamKernel *self = g_new0 (VgFluenceBeamKernel, 1);

  self->beam = beam;
  self->radius = radius;
  self->nr = nr;
  self->reach = reach_in_rings (beam, radius, nr, dr);
  self->band = MIN (nr, 2 * self->reach + 1);
  self->weights = g_try_new0 (float, (gsize) nr *(gsize) self->band);
  if (self->weights == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory to spread a beam of %g cm over %d bins of %g cm; "
                   "set fewer, larger bins",
                   radius, nr, dr);
      vg_fluence_beam_kernel_free (self);
      return NULL;
    }
#pragma omp parallel for schedule(dynamic, 8)
  for (int i = 0; i < nr; i++)
    fill_ring (self, dr, i);
  return self;
}

void
vg_fluence_beam_kernel_free (VgFluenceBeamKernel *self)
{
  if (self == NULL)
    return;
  g_free (self->weights);
  g_free (self);
}

/* Scalar product of N values, in sections of 512: longer sums in float lose precision. */
static float
product (const float *with, const float *from, int n)
{
  const int part = 512;
  double sum = 0.0;

  for (int begin = 0; begin < n; begin += part)
    {
      int end = MIN (begin + part, n);
      float s = 0.0f;

#pragma omp simd reduction(+ : s)
      for (int i = begin; i < end; i++)
        s += with[i] * from[i];
      sum += (double) s;
    }
  return (float) sum;
}

void
vg_fluence_beam_apply (const VgFluenceBeamKernel *self, const float *pencil, float *spread,
                       int rows)
{
#pragma omp parallel for collapse(2) schedule(static)
  for (int y = 0; y < rows; y++)
    for (int j = 0; j < self->nr; j++)
      spread[(gsize) y * (gsize) self->nr + (gsize) j] = product (
          self->weights + (gsize) j * (gsize) self->band,
          pencil + (gsize) y * (gsize) self->nr + (gsize) first_ring (self, j), self->band);
}

void
vg_fluence_beam_spread (const VgFluenceBeamKernel *self, const double *pencil,
                        const double *pencil_errors, double *spread, double *spread_errors)
{
  for (int j = 0; j < self->nr; j++)
    {
      const float *weights = self->weights + (gsize) j * (gsize) self->band;
      int first = first_ring (self, j);
      double sum = 0.0, squares = 0.0;

      for (int i = 0; i < self->band; i++)
        {
          sum += (double) weights[i] * pencil[first + i];
          squares += pencil_errors != NULL
                         ? pow ((double) weights[i] * pencil_errors[first + i], 2.0)
                         : 0.0;
        }
      spread[j] = sum;
      if (spread_errors != NULL)
        spread_errors[j] = sqrt (squares);
    }
}
