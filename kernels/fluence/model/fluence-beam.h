/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Beams with a width, by convolution of the response to an infinitely thin
 * one (Wang, Jacques and Zheng, CONV, Comput. Methods Programs Biomed. 54, 141,
 * 1997).  The response is taken as constant in each ring of the grid, and the
 * result is the mean over each ring.  A Gaussian beam's radius is where it has
 * fallen to 1/e^2 (it ends at three of them), a flat one's is its edge. */
G_BEGIN_DECLS

typedef struct
{
  int beam;      /* VgFluenceBeam */
  double radius; /* cm */
  int nr, band;  /* rings; those that give to one, next to each other */
  /* rings from the first of them to it, away from the axis and the edge */
  int reach;
  float *weights; /* nr x band: what ring i gives to ring j, by j, then i */
} VgFluenceBeamKernel;

/* Bytes of the weights. */
gsize vg_fluence_beam_bytes (int beam, double radius, int nr, double dr);
/* For rings of width DR; NULL and an error when there is no memory for it. */
VgFluenceBeamKernel *vg_fluence_beam_kernel_new (int beam, double radius, int nr, double dr,
                                                 GError **error);
void vg_fluence_beam_kernel_free (VgFluenceBeamKernel *self);
/* Spreads ROWS rows of nr samples, the response to a thin beam, as the wider one does. */
void vg_fluence_beam_apply (const VgFluenceBeamKernel *self, const float *thin, float *wide,
                            int rows);

/* The same of one row with standard errors (both may be NULL), which are independent from ring to
 * ring. */
void vg_fluence_beam_spread (const VgFluenceBeamKernel *self, const double *thin,
                             const double *thin_errors, double *wide, double *wide_errors);

G_END_DECLS
