/* SPDX-License-Identifier: MIT */
/* series at the flat decay */
#include "kernels/lifetime/fit/lifetime-fit-kernels.cuh"

LIFETIME_LAUNCH (3, true)
