/* SPDX-License-Identifier: MIT */
/* Kernels of 2 exponentials. */
#include "lifetime-fit-kernels.cuh"

LIFETIME_LAUNCH (2, true)
