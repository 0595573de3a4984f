/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-methods.h"

static const VgLifetimeFitter *const fitters[VG_LIFETIME_N_METHODS] = {
  [VG_LIFETIME_MLE] = &vg_lifetime_fit_one,
  [VG_LIFETIME_MLE_TWO] = &vg_lifetime_fit_two,
  [VG_LIFETIME_MLE_THREE] = &vg_lifetime_fit_three,
  [VG_LIFETIME_MLE_STRETCHED] = &vg_lifetime_fit_stretched,
  [VG_LIFETIME_LSM] = &vg_lifetime_fit_one,
  [VG_LIFETIME_LSM_TWO] = &vg_lifetime_fit_two,
};

const VgLifetimeFitter *
vg_lifetime_fitter (int method)
{
  return method >= 0 && method < VG_LIFETIME_N_METHODS ? fitters[method] : NULL;
}
