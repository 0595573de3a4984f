/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/base/vg-scalar.h"
/* Conversion from signal to concentration, for both backends. */

typedef struct
{
  int kind; /* VgPerfusionSignalKind */
  float r1; /* relaxivity, 1/(mM s) */
  float repetition_s, cos_flip;
  float saturation_s;                /* from the saturation pulse to the centre of k-space */
  float per_hu;                      /* mg/ml per HU */
  int baseline_first, baseline_last; /* 0-based frames, both inclusive */
} VgPerfusionSignal;

/* The concentration from the sample S, its baseline S0 and the native T1; NaN if no concentration
 * gives this signal.  Spoiled gradient echo: S ~ (1 - E) / (1 - E cos a), E = exp (-TR / T1), in
 * terms of 1 - E, which float represents accurately.  After a saturation pulse: S ~ 1 - exp (-TD /
 * T1) with the delay TD (Larsson et al., Magn. Reson. Med. 35, 716 (1996)). */
VG_SCALAR float
vg_perfusion_concentration (const VgPerfusionSignal *self, float s, float s0, float t1_s)
{
  float rest, gain;

  switch (self->kind)
    {
    case 0:
      return s0 > 0 ? (s - s0) / (s0 * t1_s * self->r1) : (float) NAN;
    case 1:
      rest = -expm1f (-self->repetition_s / t1_s);
      gain = s / s0 * rest / (1 - self->cos_flip + self->cos_flip * rest);
      rest = gain * (1 - self->cos_flip) / (1 - gain * self->cos_flip);
      return s0 > 0 && rest < 1 && gain * self->cos_flip < 1
                 ? (-log1pf (-rest) / self->repetition_s - 1 / t1_s) / self->r1
                 : (float) NAN;
    case 2:
      rest = s / s0 * -expm1f (-self->saturation_s / t1_s);
      return s0 > 0 && rest < 1 ? (-log1pf (-rest) / self->saturation_s - 1 / t1_s) / self->r1
                                : (float) NAN;
    case 3:
      return (s - s0) * self->per_hu;
    case 4:
      return s - s0;
    default:
      return s;
    }
}
