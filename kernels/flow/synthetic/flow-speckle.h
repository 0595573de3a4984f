/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Fully developed speckle fields, and the intensity of one exposure as a sum of them. */
G_BEGIN_DECLS

enum { VG_FLOW_FIELD_SIZE = 512, VG_FLOW_FIELDS = 20, VG_FLOW_MODES = 12 };

/* Fills RE and IM, of VG_FLOW_FIELD_SIZE squared samples, with a periodic circular complex Gaussian
 * field behind a circular pupil, of unit mean intensity.  SPECKLE: wavelength times f-number, in
 * pixels. */
void vg_flow_field_fill (float *re, float *im, double speckle, guint64 seed);

/* The intensity integrated over an exposure T of dynamic light, whose field correlation is
 * exp (-t / tau), and static light; x = T / tau:
 *   I = sum_k |mode[k] a_k + field[k] s|^2 + constant + tail |a_t|^2
 *       + still |s|^2 + cross Re (a_u s*)
 * where all a and s are independent unit fields. */
typedef struct
{
  float mode[VG_FLOW_MODES], field[VG_FLOW_MODES];
  float constant, tail, still, cross;
} VgFlowExposure;

void vg_flow_exposure_fill (VgFlowExposure *self, double x, double rho);

G_END_DECLS
