/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/kernels/fluence/support/fluence-exact.h"
/* Layers far below the surface and layers that end within bins, on either engine. */

/* Clear layers with refractive index 1 above and below the slab change nothing at any thickness. */
static inline void
check_deep (const VgEngine *engine, double photons)
{
  g_autofree char *count = g_strdup_printf ("%.0f", photons);
  static const char *const stacks[] = { "1,0,0,0,1e8;1,10,90,0.75,0.02;1,0,0,0,1e8",
                                        "1,0,0,0,100;1,1e5,9e5,0.75,2e-6", "1,10,90,0.75,0.02" };

  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    {
      FluenceFixture run = { .engine = engine };

      g_test_message ("%s", stacks[i]);
      fluence_start (&run, (const char *[]){ "layers", stacks[i], "photons", count, NULL }, 0);
      fluence_finish (&run, 0.05);
      fluence_expect ("Rd", fluence_number (&run, "diffuse_reflectance"), VDH_RD,
                      fluence_number (&run, "diffuse_reflectance_error"), 4);
      fluence_expect ("Tt", fluence_number (&run, "transmittance"), VDH_TT,
                      fluence_number (&run, "transmittance_error"), 4);
      fluence_expect_balance (&run);
      fluence_clear (&run);
    }
}

/* A pencil beam through layers that only absorb and end within bins, for which A(z) is known. */
static inline void
check_rows (const VgEngine *engine, double photons)
{
  g_autofree char *count = g_strdup_printf ("%.0f", photons);
  FluenceFixture run = { .engine = engine };
  g_autoptr (VgFluenceReport) report = NULL;
  const double ends[] = { 0.013, 0.0145, 0.0545, 0.1 }, mua[] = { 20, 90, 5, 40 };

  fluence_start (&run,
                 (const char *[]){ "layers",
                                   "1,20,0,0,0.013;1,90,0,0,0.0015;1,5,0,0,0.04;1,40,0,0,1",
                                   "photons", count, "dz_cm", "0.004", "nz", "25", NULL },
                 0);
  fluence_finish (&run, 0.05);
  report = fluence_report (&run);
  for (int z = 0; z < 25; z++)
    {
      double left[2];

      for (int side = 0; side < 2; side++)
        {
          double depth = 0.0, at = (z + side) * 0.004, top = 0.0;

          for (int l = 0; l < 4 && at > top; top = ends[l++])
            depth += mua[l] * (MIN (at, ends[l]) - top);
          left[side] = exp (-depth);
        }
      double part = left[0] - left[1], error = sqrt (part * (1 - part) / photons);

      g_assert_cmpfloat (fabs (report->a_z[z] * 0.004 - part), <=, 5 * error);
    }
  fluence_clear (&run);
}
