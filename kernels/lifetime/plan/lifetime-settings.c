/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/plan/lifetime-settings.h"
#include "kernels/lifetime/fit/lifetime-fit.h"
#include <math.h>

double
vg_lifetime_bin_width (const VgLifetimeParams *params)
{
  return params->bin_width_ns >= VG_LIFETIME_MIN_BIN_WIDTH_NS ? params->bin_width_ns
                                                              : VG_LIFETIME_BIN_WIDTH_NS;
}

int
vg_lifetime_fitting_period (const VgLifetimeParams *params, int bins)
{
  /* With this period nothing remains of previous pulses: lifetimes are at most five times the
   * range. */
  const int alone = 1 << 15;

  if (!params->earlier_pulses)
    return MAX (alone, 64 * bins);
  return MAX ((int) CLAMP (rint (params->period_ns / vg_lifetime_bin_width (params)), 0, 1 << 20),
              bins);
}

gboolean
vg_lifetime_finds_other_end (const VgLifetimeParams *params)
{
  return params->range == VG_LIFETIME_RANGE_MANUAL &&
         (params->fit_start_ns > 0.0f) != (params->fit_end_ns > 0.0f);
}

static gboolean
uses_phasors (const VgLifetimeParams *params)
{
  return params->method == VG_LIFETIME_PHASOR || params->method == VG_LIFETIME_PHASOR_TWO;
}

gboolean
vg_lifetime_plan_needs_decay (const VgLifetimeParams *params)
{
  return params->range == VG_LIFETIME_RANGE_AUTO || vg_lifetime_finds_other_end (params) ||
         params->irf_kind != VG_LIFETIME_IRF_NONE || uses_phasors (params) ||
         params->offset == VG_LIFETIME_OFFSET_BEFORE;
}

gboolean
vg_lifetime_has_bin_width (const VgImageInfo *info)
{
  return info->bin_width_ns >= (double) VG_LIFETIME_MIN_BIN_WIDTH_NS && info->bin_width_ns <= 1e4;
}

gboolean
vg_lifetime_has_period (const VgImageInfo *info)
{
  return info->period_ns >= 1e-3 && info->period_ns <= 1e6;
}

gboolean
vg_lifetime_uses_onset (const VgLifetimeParams *params)
{
  switch (params->method)
    {
    case VG_LIFETIME_IEM:
    case VG_LIFETIME_RLD:
    case VG_LIFETIME_BCMM:
    case VG_LIFETIME_MLE_STRETCHED:
      return FALSE;
    default:
      return TRUE;
    }
}

const VgLifetimeFitModel *
vg_lifetime_fit_model (int method)
{
  static const VgLifetimeFitModel models[VG_LIFETIME_N_METHODS] = {
    [VG_LIFETIME_MLE] = { 1, FALSE, FALSE, VG_LIFETIME_FINDS_ONE },
    [VG_LIFETIME_MLE_TWO] = { 2, FALSE, FALSE, VG_LIFETIME_FINDS_TWO },
    [VG_LIFETIME_MLE_THREE] = { 3, FALSE, FALSE, VG_LIFETIME_FINDS_THREE },
    [VG_LIFETIME_MLE_STRETCHED] = { 1, TRUE, FALSE, VG_LIFETIME_FINDS_STRETCHED },
    [VG_LIFETIME_LSM] = { 1, FALSE, TRUE, VG_LIFETIME_FINDS_ONE },
    [VG_LIFETIME_LSM_TWO] = { 2, FALSE, TRUE, VG_LIFETIME_FINDS_TWO },
  };

  return method >= 0 && method < VG_LIFETIME_N_METHODS && models[method].terms > 0 ? &models[method]
                                                                                   : NULL;
}

int
vg_lifetime_fit_plane_of (int output)
{
  switch (output)
    {
    case VG_LIFETIME_OUTPUT_LIFETIME:
      return VG_LIFETIME_FIT_MEAN_AMPLITUDE;
    case VG_LIFETIME_OUTPUT_LIFETIME_1:
      return VG_LIFETIME_FIT_LIFETIME_1;
    case VG_LIFETIME_OUTPUT_LIFETIME_2:
      return VG_LIFETIME_FIT_LIFETIME_2;
    case VG_LIFETIME_OUTPUT_LIFETIME_3:
      return VG_LIFETIME_FIT_LIFETIME_3;
    case VG_LIFETIME_OUTPUT_FRACTION:
      return VG_LIFETIME_FIT_FRACTION_1;
    case VG_LIFETIME_OUTPUT_FRACTION_2:
      return VG_LIFETIME_FIT_FRACTION_2;
    case VG_LIFETIME_OUTPUT_WEIGHTED:
      return VG_LIFETIME_FIT_MEAN_INTENSITY;
    case VG_LIFETIME_OUTPUT_AMPLITUDE:
      return VG_LIFETIME_FIT_AMPLITUDE;
    case VG_LIFETIME_OUTPUT_OFFSET:
      return VG_LIFETIME_FIT_OFFSET;
    case VG_LIFETIME_OUTPUT_EXPONENT:
      return VG_LIFETIME_FIT_EXPONENT;
    case VG_LIFETIME_OUTPUT_DEVIANCE:
      return VG_LIFETIME_FIT_DEVIANCE;
    case VG_LIFETIME_OUTPUT_ERROR:
      return VG_LIFETIME_FIT_MEAN_AMPLITUDE_ERROR;
    case VG_LIFETIME_OUTPUT_WEIGHTED_ERROR:
      return VG_LIFETIME_FIT_MEAN_INTENSITY_ERROR;
    case VG_LIFETIME_OUTPUT_ERROR_1:
      return VG_LIFETIME_FIT_ERROR_1;
    case VG_LIFETIME_OUTPUT_ERROR_2:
      return VG_LIFETIME_FIT_ERROR_2;
    case VG_LIFETIME_OUTPUT_FRACTION_ERROR:
      return VG_LIFETIME_FIT_FRACTION_ERROR;
    case VG_LIFETIME_OUTPUT_ERROR_3:
      return VG_LIFETIME_FIT_ERROR_3;
    case VG_LIFETIME_OUTPUT_FRACTION_2_ERROR:
      return VG_LIFETIME_FIT_FRACTION_2_ERROR;
    case VG_LIFETIME_OUTPUT_TIME_CONSTANT:
      return VG_LIFETIME_FIT_LIFETIME_1;
    default:
      return -1;
    }
}

guint32
vg_lifetime_fit_finds (int method)
{
  const VgLifetimeFitModel *model = vg_lifetime_fit_model (method);

  return model != NULL ? model->finds : 0;
}
