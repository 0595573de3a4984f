/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/base/vg-scalar.h"
/* The averaged beat of a pixel, compiled by gcc and nvcc (docs/internals/flow.md).
 *
 * K^2 over the phase of the beat is a Fourier series of a few harmonics.  Each map adds K^2 times
 * the basis 1, cos, sin, cos 2, ... of its phase to the sums of the pixel; the inverse of the
 * normal matrix, which all pixels share, gives the coefficients.  Harmonics are reduced by the part
 * that the noise of the pixel has in their power (Wiener), which would raise the indices.  Flow is
 * 1 / K^2, and
 *   pulsatility index = (max - min) / mean   (Gosling and King 1974)
 *   resistance index  = (max - min) / max    (Pourcelot 1974) */

enum {
  VG_FLOW_HARMONICS = 4,
  VG_FLOW_BASIS = 2 * VG_FLOW_HARMONICS + 1,
  VG_FLOW_PULSE_SUMS = VG_FLOW_BASIS + 1, /* planes: K^2 times the basis, and K^4 */
  VG_FLOW_PHASES = 48,                    /* at which the beat is evaluated */
};

/* The same for all pixels. */
typedef struct
{
  int basis;                                    /* functions that the phases determine; 0: none */
  float inverse[VG_FLOW_BASIS * VG_FLOW_BASIS]; /* of the normal matrix; rows of VG_FLOW_BASIS */
  float weight;                                 /* sum of the weights of the maps */
  float wave[VG_FLOW_PHASES * VG_FLOW_BASIS];   /* the basis at each phase */
} VgFlowBeatFit;

typedef enum { VG_FLOW_BEAT_PULSATILITY, VG_FLOW_BEAT_RESISTANCE } VgFlowBeatIndex;

/* An index from the SUMS of a pixel; NaN without a beat, 0 if no pulse is above the noise. */
VG_SCALAR float
vg_flow_beat_index (const VgFlowBeatFit *fit, const float *sums, int which)
{
  float c[VG_FLOW_BASIS], noise = sums[VG_FLOW_BASIS], low = HUGE_VALF, high = 0, mean = 0;

  if (fit->basis < 3)
    return __builtin_nanf ("");
  for (int i = 0; i < fit->basis; i++)
    {
      c[i] = 0;
      for (int k = 0; k < fit->basis; k++)
        c[i] += fit->inverse[i * VG_FLOW_BASIS + k] * sums[k];
      noise -= c[i] * sums[i];
    }
  if (!(c[0] > 0))
    return __builtin_nanf ("");
  noise = fmaxf (noise / fit->weight, 0.0f);
  for (int i = 1; i + 1 < fit->basis; i += 2)
    {
      float spread = noise * (fit->inverse[i * VG_FLOW_BASIS + i] +
                              fit->inverse[(i + 1) * VG_FLOW_BASIS + i + 1]);
      float power = c[i] * c[i] + c[i + 1] * c[i + 1], share;

      /* Noise alone has such a first harmonic in one of a hundred pixels. */
      if (i == 1 && !(power > 4.6f * spread))
        return 0;
      share = power > spread ? 1.0f - spread / power : 0.0f;
      c[i] *= share;
      c[i + 1] *= share;
    }
  for (int j = 0; j < VG_FLOW_PHASES; j++)
    {
      float k2 = 0, flow;

      for (int i = 0; i < fit->basis; i++)
        k2 += c[i] * fit->wave[j * VG_FLOW_BASIS + i];
      flow = k2 > 0 ? 1.0f / k2 : __builtin_nanf ("");
      low = fminf (low, flow);
      high = fmaxf (high, flow);
      mean += flow / (float) VG_FLOW_PHASES;
    }
  /* A NaN of any phase is in the mean. */
  if (!(mean > 0))
    return __builtin_nanf ("");
  return (high - low) / (which == VG_FLOW_BEAT_PULSATILITY ? mean : high);
}
