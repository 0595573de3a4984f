/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Convolution of the response to a pencil beam with a flat or Gaussian beam (Wang, Jacques and
 * Zheng, CONV, Comput. Methods Programs Biomed. 54, 141, 1997).  The response is constant in each
 * ring of the grid, and the result is the mean over each ring.  The radius of a Gaussian beam is
 * that of 1/e^2, and the beam ends at three radii; the radius of a flat beam is its edge. */
G_BEGIN_DECLS

typedef struct
{
  int beam;      /* VgFluenceBeam */
  double radius; /* cm */
  int nr, band;  /* number of rings; of neighbouring rings that contribute to one */
  /* rings from the first of these to the one, away from the axis and the edge */
  int reach;
  float *weights; /* nr x band: contribution of ring i to ring j, i fastest */
} VgFluenceBeamKernel;

/* Bytes of the weights of NR rings of width DR (cm). */
gsize vg_fluence_beam_bytes (int beam, double radius, int nr, double dr);
/* Kernel for NR rings of width DR (cm); NULL and VG_OPERATION_ERROR_MEMORY if memory is short. */
VgFluenceBeamKernel *vg_fluence_beam_kernel_new (int beam, double radius, int nr, double dr,
                                                 GError **error);
void vg_fluence_beam_kernel_free (VgFluenceBeamKernel *self);
/* Convolves ROWS rows of nr samples. */
void vg_fluence_beam_apply (const VgFluenceBeamKernel *self, const float *pencil, float *spread,
                            int rows);

/* Convolves one row and its standard errors, which are independent from ring to ring and may be
 * NULL. */
void vg_fluence_beam_spread (const VgFluenceBeamKernel *self, const double *pencil,
                             const double *pencil_errors, double *spread, double *spread_errors);

G_END_DECLS
