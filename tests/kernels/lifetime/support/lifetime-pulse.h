/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
/* Noiseless decays behind a pulse, computed on a grid twenty times finer than the bins, and
 * functions to analyse them. */

/* Photons per bin of a decay of TAU behind a Gaussian pulse at CENTRE, every PERIOD ns; TAU 0:
 * the pulse itself. */
static inline void
make_decay (double *counts, int bins, double h, double tau, double centre, double fwhm,
            double period)
{
  enum { FINE = 20 };
  int n = (int) rint (period / h) * FINE;
  double step = h / FINE, sigma = MAX (fwhm / 2.3548, 1e-9),
         r = tau > 0.0 ? exp (-step / tau) : 0.0, carry = 0.0, before = 0.0;

  memset (counts, 0, sizeof *counts * (gsize) bins);
  for (int turn = 0; turn < 40; turn++) /* until the periodic state is reached */
    for (int i = 0; i < n; i++)
      {
        double a = (i * step - centre) / (sigma * G_SQRT2),
               b = ((i + 1) * step - centre) / (sigma * G_SQRT2);
        double pulse = 0.5 * (erf (b) - erf (a));

        /* A photon delayed by k to k + 1 steps falls k or k + 1 steps further, half each. */
        before = carry;
        carry = r * carry + (1.0 - r) * pulse;
        if (turn == 39 && i / FINE < bins)
          counts[i / FINE] += 1e4 * (tau > 0.0 ? 0.5 * (before + carry) : pulse);
      }
}

static inline LifetimeFixture *
fixture (int width, int height, int bins, double h)
{
  LifetimeFixture *run = g_new0 (LifetimeFixture, 1);

  lifetime_init (run, VG_F32, width, height, bins, h);
  return run;
}

static inline void
fixture_free (LifetimeFixture *run)
{
  lifetime_clear (run);
  g_free (run);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LifetimeFixture, fixture_free)

/* Sets pixel I of N in a float cube. */
static inline void
put_decay (float *cube, int n, int i, const double *counts, int bins)
{
  for (int j = 0; j < bins; j++)
    cube[j * n + i] = (float) counts[j];
}

static inline VgImage *
response_image (const double *counts, int bins, double h)
{
  VgImageInfo info = { .type = VG_F32,
                       .width = 1,
                       .height = 1,
                       .channels = 1,
                       .bins = bins,
                       .slices = 1,
                       .frames = 1,
                       .bin_width_ns = h };
  VgImage *image = vg_image_new (&info, "response", NULL);

  for (int j = 0; j < bins; j++)
    ((float *) image->data)[j] = (float) counts[j];
  return image;
}

static inline double
first_of (LifetimeFixture *run, guint which)
{
  g_autofree float *map = lifetime_map_of (run, which, NULL);

  return map[0];
}
