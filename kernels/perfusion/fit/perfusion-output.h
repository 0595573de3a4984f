/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/base/vg-scalar.h"
/* Converts a fit's values (VG_PERFUSION_FIT_VALUES, STRIDE apart) to the value of a map, for both
 * backends. */

/* The values of the two maps of remarks; perfusion-operation.c has their names. */
enum {
  VG_PERFUSION_BOUND_NONE,
  VG_PERFUSION_BOUND_KA,
  VG_PERFUSION_BOUND_KP,
  VG_PERFUSION_BOUND_KTRANS,
  VG_PERFUSION_BOUND_VP,
  VG_PERFUSION_BOUND_PS_0,
  VG_PERFUSION_BOUND_PS_HIGH,
  VG_PERFUSION_BOUND_ONE_SPACE,
  VG_PERFUSION_BOUND_RATE_LOW,
  VG_PERFUSION_BOUND_RATE_HIGH,
  VG_PERFUSION_BOUND_SHARE_LOW,
  VG_PERFUSION_BOUND_SHARE_HIGH,
  VG_PERFUSION_BOUND_TAU_A_LOW,
  VG_PERFUSION_BOUND_TAU_A_HIGH,
  VG_PERFUSION_BOUND_TAU_P_LOW,
  VG_PERFUSION_BOUND_TAU_P_HIGH,
  VG_PERFUSION_N_BOUNDS,
};
enum {
  VG_PERFUSION_UNDETERMINED_NONE,
  VG_PERFUSION_UNDETERMINED_PS,
  VG_PERFUSION_UNDETERMINED_PS_AND_VOLUMES,
  VG_PERFUSION_UNDETERMINED_FLOW,
  VG_PERFUSION_UNDETERMINED_VOLUMES,
  VG_PERFUSION_UNDETERMINED_FRACTION,
  VG_PERFUSION_UNDETERMINED_TAU_A,
  VG_PERFUSION_UNDETERMINED_TAU_P,
  VG_PERFUSION_UNDETERMINED_DELAYS,
  VG_PERFUSION_N_UNDETERMINED,
};

/* The largest standard error of a delay that counts as determined: the standard deviation of a
 * uniform distribution within its bounds. */
VG_SCALAR float
vg_perfusion_delay_error_limit (float delay_min, float delay_max)
{
  return (delay_max - delay_min) * 0.288675135f; /* 1 / sqrt (12) */
}

/* The slot of the fit whose value is the map of OUTPUT, or -1. */
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
    case VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR:
      return VG_PERFUSION_FIT_INFLOW_ERROR;
    case VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME_ERROR:
      return VG_PERFUSION_FIT_VOLUME_ERROR;
    case VG_PERFUSION_OUTPUT_KTRANS_ERROR:
    case VG_PERFUSION_OUTPUT_PLASMA_FLOW_ERROR:
      return VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_FLOW;
    case VG_PERFUSION_OUTPUT_PERMEABILITY_ERROR:
      return VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_EXCHANGE;
    case VG_PERFUSION_OUTPUT_VP_ERROR:
      return VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_PLASMA;
    case VG_PERFUSION_OUTPUT_VE_ERROR:
      return VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_INTERSTITIUM;
    case VG_PERFUSION_OUTPUT_TMAX:
      return VG_PERFUSION_FIT_TMAX;
    case VG_PERFUSION_OUTPUT_LEVEL:
      return VG_PERFUSION_FIT_LEVEL;
    case VG_PERFUSION_OUTPUT_CHANCE:
      return VG_PERFUSION_FIT_CHANCE;
    default:
      return -1;
    }
}

/* The value of the map of bounds from REMARKS.  The first in this order counts; delays come last,
 * because a delay at its bound is valid. */
VG_SCALAR int
vg_perfusion_bound_label (int remarks, int model)
{
  if (remarks & VG_PERFUSION_REMARK_FIRST_0)
    return model == VG_PERFUSION_COMPARTMENT ? VG_PERFUSION_BOUND_KA
           : model == VG_PERFUSION_EXCHANGE  ? VG_PERFUSION_BOUND_ONE_SPACE
           : model == VG_PERFUSION_UPTAKE    ? VG_PERFUSION_BOUND_PS_HIGH
                                             : VG_PERFUSION_BOUND_KTRANS;
  if (remarks & VG_PERFUSION_REMARK_SECOND_0)
    return model == VG_PERFUSION_COMPARTMENT ? VG_PERFUSION_BOUND_KP
           : model == VG_PERFUSION_EXCHANGE  ? VG_PERFUSION_BOUND_ONE_SPACE
           : model == VG_PERFUSION_UPTAKE    ? VG_PERFUSION_BOUND_PS_0
                                             : VG_PERFUSION_BOUND_VP;
  return remarks & VG_PERFUSION_REMARK_RATE_LOW     ? VG_PERFUSION_BOUND_RATE_LOW
         : remarks & VG_PERFUSION_REMARK_RATE_HIGH  ? VG_PERFUSION_BOUND_RATE_HIGH
         : remarks & VG_PERFUSION_REMARK_SHARE_LOW  ? VG_PERFUSION_BOUND_SHARE_LOW
         : remarks & VG_PERFUSION_REMARK_SHARE_HIGH ? VG_PERFUSION_BOUND_SHARE_HIGH
         : remarks & VG_PERFUSION_REMARK_TAU_A_LOW  ? VG_PERFUSION_BOUND_TAU_A_LOW
         : remarks & VG_PERFUSION_REMARK_TAU_A_HIGH ? VG_PERFUSION_BOUND_TAU_A_HIGH
         : remarks & VG_PERFUSION_REMARK_TAU_P_LOW  ? VG_PERFUSION_BOUND_TAU_P_LOW
         : remarks & VG_PERFUSION_REMARK_TAU_P_HIGH ? VG_PERFUSION_BOUND_TAU_P_HIGH
                                                    : VG_PERFUSION_BOUND_NONE;
}

/* The value of the map of parameters that are not determined. */
VG_SCALAR int
vg_perfusion_undetermined_label (int remarks, int tau_a, int tau_p)
{
  int unknown = remarks >> VG_PERFUSION_REMARK_UNKNOWN,
      volumes = unknown & (1 << VG_PERFUSION_FIT_PLASMA | 1 << VG_PERFUSION_FIT_INTERSTITIUM);

  if (unknown & 1 << VG_PERFUSION_FIT_FLOW)
    return VG_PERFUSION_UNDETERMINED_FLOW;
  if (unknown & 1 << VG_PERFUSION_FIT_EXCHANGE)
    return volumes ? VG_PERFUSION_UNDETERMINED_PS_AND_VOLUMES : VG_PERFUSION_UNDETERMINED_PS;
  return volumes                                    ? VG_PERFUSION_UNDETERMINED_VOLUMES
         : unknown & 1 << VG_PERFUSION_FIT_FRACTION ? VG_PERFUSION_UNDETERMINED_FRACTION
         : tau_a && tau_p                           ? VG_PERFUSION_UNDETERMINED_DELAYS
         : tau_a                                    ? VG_PERFUSION_UNDETERMINED_TAU_A
         : tau_p                                    ? VG_PERFUSION_UNDETERMINED_TAU_P
                                                    : VG_PERFUSION_UNDETERMINED_NONE;
}

/* Whether OUTPUT is a rate, shown in the unit of rates. */
VG_SCALAR int
vg_perfusion_output_is_rate (int output)
{
  int slot = vg_perfusion_output_slot (output);

  if (output == VG_PERFUSION_OUTPUT_VP || output == VG_PERFUSION_OUTPUT_VP_ERROR ||
      output == VG_PERFUSION_OUTPUT_TMAX || output == VG_PERFUSION_OUTPUT_LEVEL)
    return 0;
  if (slot >= VG_PERFUSION_FIT_ERRORS)
    slot -= VG_PERFUSION_FIT_ERRORS;
  return output == VG_PERFUSION_OUTPUT_TOTAL_INFLOW ||
         output == VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR ||
         (slot >= VG_PERFUSION_FIT_KA && slot <= VG_PERFUSION_FIT_KL);
}

/* The factor of the map of OUTPUT: a fit's rates are 6000 times those per second.  DENSITY of the
 * tissue, g/ml. */
VG_SCALAR float
vg_perfusion_output_factor (int output, int unit, float density)
{
  if (!vg_perfusion_output_is_rate (output))
    return 1;
  return unit == VG_PERFUSION_UNIT_PER_ML  ? 0.01f
         : unit == VG_PERFUSION_UNIT_PER_S ? (float) (1 / VG_PERFUSION_RATE)
                                           : 1 / density;
}

/* The delay of SLOT; NaN if its error exceeds LIMIT. */
VG_SCALAR float
vg_perfusion_known_delay (const float *values, size_t stride, int slot, float limit)
{
  float error = values[(size_t) (VG_PERFUSION_FIT_ERRORS + slot) * stride];

  return error > limit ? (float) NAN : values[(size_t) slot * stride];
}

/* Whether the parameter of SLOT is not determined, so that it has no value. */
VG_SCALAR int
vg_perfusion_is_unknown (const float *values, size_t stride, int slot)
{
  return slot < VG_PERFUSION_FIT_PARAMETERS &&
         (int) values[VG_PERFUSION_FIT_REMARKS * stride] >> (VG_PERFUSION_REMARK_UNKNOWN + slot) &
             1;
}

/* Whether MODEL has the map OUTPUT. */
VG_SCALAR int
vg_perfusion_has_output (int model, int output)
{
  switch (output)
    {
    case VG_PERFUSION_OUTPUT_KA:
    case VG_PERFUSION_OUTPUT_KP:
    case VG_PERFUSION_OUTPUT_KL:
    case VG_PERFUSION_OUTPUT_TOTAL_INFLOW:
    case VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME:
    case VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME:
    case VG_PERFUSION_OUTPUT_KA_ERROR:
    case VG_PERFUSION_OUTPUT_KP_ERROR:
    case VG_PERFUSION_OUTPUT_KL_ERROR:
    case VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR:
    case VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME_ERROR:
    case VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME_ERROR:
      return model == VG_PERFUSION_COMPARTMENT;
    case VG_PERFUSION_OUTPUT_KTRANS:
    case VG_PERFUSION_OUTPUT_KTRANS_ERROR:
      return model == VG_PERFUSION_EXTENDED_TOFTS || model == VG_PERFUSION_PATLAK;
    case VG_PERFUSION_OUTPUT_PLASMA_FLOW:
    case VG_PERFUSION_OUTPUT_PERMEABILITY:
    case VG_PERFUSION_OUTPUT_PLASMA_FLOW_ERROR:
    case VG_PERFUSION_OUTPUT_PERMEABILITY_ERROR:
      return model == VG_PERFUSION_UPTAKE || model == VG_PERFUSION_EXCHANGE;
    case VG_PERFUSION_OUTPUT_VP:
    case VG_PERFUSION_OUTPUT_VP_ERROR:
      return model != VG_PERFUSION_COMPARTMENT;
    case VG_PERFUSION_OUTPUT_VE:
    case VG_PERFUSION_OUTPUT_VE_ERROR:
      return model == VG_PERFUSION_EXTENDED_TOFTS || model == VG_PERFUSION_EXCHANGE;
    default:
      return 1;
    }
}

/* The value of any map, rates in ml/100 g/min at 1 g/ml.  MODEL: VgPerfusionModel; DUAL: two
 * inputs; LIMIT: vg_perfusion_delay_error_limit. */
VG_SCALAR float
vg_perfusion_derived (const float *values, size_t stride, int output, int model, int dual,
                      float limit)
{
  float ka = values[VG_PERFUSION_FIT_KA * stride],
        kp = dual ? values[VG_PERFUSION_FIT_KP * stride] : 0;
  float kl = values[VG_PERFUSION_FIT_KL * stride];
  int slot = vg_perfusion_output_slot (output), label;

  if (model == VG_PERFUSION_BEST)
    {
      float chosen = values[VG_PERFUSION_FIT_MODEL * stride];

      model = chosen >= 0 ? (int) chosen : -1;
      if (!vg_perfusion_has_output (model, output))
        return (float) NAN;
    }
  if (slot >= 0)
    return vg_perfusion_is_unknown (values, stride, slot) ? (float) NAN
                                                          : values[(size_t) slot * stride];
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
        return dual && vg_perfusion_is_unknown (values, stride, VG_PERFUSION_FIT_FRACTION)
                   ? (float) NAN
               : dual    ? 100 * values[VG_PERFUSION_FIT_FRACTION * stride]
               : ka >= 0 ? 100
                         : (float) NAN;
      return ka + kp > 0 ? 100 * ka / (ka + kp) : (float) NAN;
    case VG_PERFUSION_OUTPUT_BOUND:
      return (float) vg_perfusion_bound_label ((int) values[VG_PERFUSION_FIT_REMARKS * stride],
                                               model);
    case VG_PERFUSION_OUTPUT_UNDETERMINED:
    case VG_PERFUSION_OUTPUT_STATUS:
      label = vg_perfusion_undetermined_label (
          (int) values[VG_PERFUSION_FIT_REMARKS * stride],
          values[(VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_TAU_A) * stride] > limit,
          dual && values[(VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_TAU_P) * stride] > limit);
      return output == VG_PERFUSION_OUTPUT_UNDETERMINED ? (float) label
             : (int) values[VG_PERFUSION_FIT_STATUS * stride] == VG_PERFUSION_FITTED &&
                     label != VG_PERFUSION_UNDETERMINED_NONE
                 ? (float) VG_PERFUSION_NOT_DETERMINED
                 : values[VG_PERFUSION_FIT_STATUS * stride];
    case VG_PERFUSION_OUTPUT_MODEL:
      return (float) model + 1;
    case VG_PERFUSION_OUTPUT_WEIGHT:
      return 100 * values[VG_PERFUSION_FIT_WEIGHT * stride];
    case VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME:
      return model == VG_PERFUSION_DECONVOLUTION ? values[VG_PERFUSION_FIT_PLASMA * stride]
                                                 : (ka + kp) / kl;
    case VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME:
      return model == VG_PERFUSION_DECONVOLUTION
                 ? (float) VG_PERFUSION_RATE * values[VG_PERFUSION_FIT_PLASMA * stride] / ka
                 : (float) VG_PERFUSION_RATE / kl;
    case VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION_ERROR:
      return (int) values[VG_PERFUSION_FIT_REMARKS * stride] &
                     (VG_PERFUSION_REMARK_SHARE_LOW | VG_PERFUSION_REMARK_SHARE_HIGH)
                 ? (float) NAN
                 : 100 * values[VG_PERFUSION_FIT_FRACTION_ERROR * stride];
    case VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME_ERROR:
      return model == VG_PERFUSION_DECONVOLUTION
                 ? values[VG_PERFUSION_FIT_TRANSIT_ERROR * stride]
                 : (float) VG_PERFUSION_RATE / kl *
                       (values[(VG_PERFUSION_FIT_ERRORS + VG_PERFUSION_FIT_KL) * stride] / kl);
    default:
      return (float) NAN;
    }
}
