/* SPDX-License-Identifier: MIT */
#include "lifetime-methods.h"

static const VgLifetimeFitter *const fitters[VG_LIFETIME_N_METHODS] = {
  [VG_LIFETIME_CMM] = NULL,
};

const VgLifetimeFitter *
vg_lifetime_fitter (int method)
{
  return method >= 0 && method < VG_LIFETIME_N_METHODS ? fitters[method] : NULL;
}
