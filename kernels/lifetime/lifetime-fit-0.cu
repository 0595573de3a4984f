/* SPDX-License-Identifier: MIT */
/* Kernels of a stretched exponential. */
#include "lifetime-fit-kernels.cuh"

LIFETIME_LAUNCH (0, false)
