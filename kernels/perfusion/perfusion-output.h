/* SPDX-License-Identifier: MIT */
#pragma once
#include "perfusion-fit.h"
#include "perfusion-params.h"
#include "vg-scalar.h"
/* A fit's values (VG_PERFUSION_FIT_VALUES, STRIDE apart) as the value of a
 * map, for both backends. */

/* A delay is known when its standard error is below this: the deviation of one
 * that is anywhere within its bounds. */
VG_SCALAR float
vg_perfusion_delay_error_limit (float delay_min, float delay_max)
{
  return (delay_max - delay_min) * 0.288675135f;   /* 1 / sqrt (12) */
}

/* The slot that is the map of OUTPUT as it stands, or -1. */
VG_SCALAR int
vg_perfusion_output_slot (int output)
{
  switch (output)
    {
    case VG_PERFUSION_OUTPUT_KA:
    case VG_PERFUSION_OUTPUT_KTRANS:
    case VG_PERFUSION_OUTPUT_PLASMA_FLOW:
      return VG_PERFUSION_FIT_KA;
    case VG_PERFUSION_OUTPUT_KP:
    case VG_PERFUSION_OUTPUT_PERMEABILITY:
      return VG_PERFUSION_FIT_KP;
    case VG_PERFUSION_OUTPUT_KL:
    case VG_PERFUSION_OUTPUT_VP:
      return VG_PERFUSION_FIT_KL;
    case VG_PERFUSION_OUTPUT_VE:
      return VG_PERFUSION_FIT_INTERSTITIUM;
    case VG_PERFUSION_OUTPUT_RESIDUAL:
      return VG_PERFUSION_FIT_RESIDUAL;
    case VG_PERFUSION_OUTPUT_R2:
      return VG_PERFUSION_FIT_R2;
    case VG_PERFUSION_OUTPUT_KA_ERROR:
    case VG_PERFUSION_OUTPUT_KP_ERROR:
    case VG_PERFUSION_OUTPUT_KL_ERROR:
    case VG_PERFUSION_OUTPUT_TAU_A_ERROR:
    case VG_PERFUSION_OUTPUT_TAU_P_ERROR:
      return VG_PERFUSION_FIT_ERRORS + output - VG_PERFUSION_OUTPUT_KA_ERROR;
    case VG_PERFUSION_OUTPUT_KTRANS_ERROR:
    case VG_PERFUSION_OUTPUT_PLASMA_FLOW_ERROR:
      return VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_FLOW;
    case VG_PERFUSION_OUTPUT_PERMEABILITY_ERROR:
      return VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_EXCHANGE;
    case VG_PERFUSION_OUTPUT_VP_ERROR:
      return VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_PLASMA;
    case VG_PERFUSION_OUTPUT_VE_ERROR:
      return VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_INTERSTITIUM;
    case VG_PERFUSION_OUTPUT_STATUS:
      return VG_PERFUSION_FIT_STATUS;
    default:
      return -1;
    }
}

/* OUTPUT is a rate, and so shown in the unit of rates. */
VG_SCALAR int
vg_perfusion_output_is_rate (int output)
{
  int slot = vg_perfusion_output_slot (output);

  if (output == VG_PERFUSION_OUTPUT_VP || output == VG_PERFUSION_OUTPUT_VP_ERROR)
    return 0;
  if (slot >= VG_PERFUSION_FIT_ERRORS)
    slot -= VG_PERFUSION_FIT_ERRORS;
  return output == VG_PERFUSION_OUTPUT_TOTAL_INFLOW || (slot >= VG_PERFUSION_FIT_KA && slot <= VG_PERFUSION_FIT_KL);
}

/* What the map of OUTPUT is multiplied with: a fit's rates are 6000 times
 * those per second.  DENSITY: of the tissue, g/ml. */
VG_SCALAR float
vg_perfusion_output_factor (int output, int unit, float density)
{
  if (!vg_perfusion_output_is_rate (output))
    return 1;
  return unit == VG_PERFUSION_UNIT_PER_ML ? 0.01f : unit == VG_PERFUSION_UNIT_PER_S ? (float) (1 / VG_PERFUSION_RATE) : 1 / density;
}

/* The delay of SLOT; none where its error is above LIMIT. */
VG_SCALAR float
vg_perfusion_known_delay (const float *values, size_t stride, int slot, float limit)
{
  float error = values[(size_t) (VG_PERFUSION_FIT_ERRORS + slot) * stride];

  return error > limit ? (float) NAN : values[(size_t) slot * stride];
}

/* Any map, rates in ml/100 g/min at 1 g/ml.  MODEL: VgPerfusionModel; DUAL:
 * two inputs; LIMIT: vg_perfusion_delay_error_limit. */
VG_SCALAR float
vg_perfusion_derived (const float *values, size_t stride, int output, int model, int dual, float limit)
{
  float ka = values[VG_PERFUSION_FIT_KA * stride], kp = dual ? values[VG_PERFUSION_FIT_KP * stride] : 0;
  float kl = values[VG_PERFUSION_FIT_KL * stride];
  int slot = vg_perfusion_output_slot (output);

  if (slot >= 0)
    return values[(size_t) slot * stride];
  switch (output)
    {
    case VG_PERFUSION_OUTPUT_TAU_A:
      return vg_perfusion_known_delay (values, stride, VG_PERFUSION_FIT_TAU_A, limit);
    case VG_PERFUSION_OUTPUT_TAU_P:
      return vg_perfusion_known_delay (values, stride, VG_PERFUSION_FIT_TAU_P, limit);
    case VG_PERFUSION_OUTPUT_TOTAL_INFLOW:
      return ka + kp;
    case VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION:
      if (model != VG_PERFUSION_COMPARTMENT)
        return dual ? 100 * values[VG_PERFUSION_FIT_FRACTION * stride] : ka >= 0 ? 100 : (float) NAN;
      return ka + kp > 0 ? 100 * ka / (ka + kp) : (float) NAN;
    case VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME:
      return (ka + kp) / kl;
    case VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME:
      return (float) VG_PERFUSION_RATE / kl;
    default:
      return (float) NAN;
    }
}
